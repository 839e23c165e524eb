# Programs that a tap starts: rows of check-deb for a system in which a session of ann is open.
#
# The daemon is a service of ann's systemd there, with its restrictions. A tap must start the app
# without them, in the environment of now.

# A tap as a whole process, in the time that `systemd-run --user` takes for the same program: the
# best of each, in turns. 0.84 to 1.11 were seen, so that noise is far from the limit.
launch_ratio_max=1.5

check_launches() {
  check "apps for the taps can be installed" put_apps
  check "a tap starts the app in app.slice, free of the daemon's restrictions" starts_free
  check "the app has the DISPLAY of now, not that of the daemon's start" has_display_of_now
  check "arguments arrive byte for byte" keeps_arguments
  check "an activation token reaches the app once" passes_token_once
  check "an app that nobody answers for on the bus is started by its Exec" falls_back_to_exec
  check "an app that answers on the bus opens there, with the token" opens_on_bus
  check "a bus that ends is noted once in the log, and used when it is back" survives_bus
  at_most "a tap ÷ systemd-run --user, for the same program" "$(launch_ratio)" "$launch_ratio_max"
  put_apps_away
}

# app NAME LINE…: a desktop entry, and a kind whose widgets open it; a widget NAME is placed.
app() {
  local name=$1 home data config
  shift
  home=$(home_of_ann) || return 1
  data=$home/.local/share config=$home/.config/intentd/widgets
  printf '%s\n' '[Desktop Entry]' Type=Application "Name=$name" "$@" |
    install -D -m 644 /dev/stdin "$root$data/applications/org.intentd.check.$name.desktop" &&
    printf '%s\n' "kind: org.intentd.check.$name" "name: $name" 'families: [accessoryInline]' \
      "provider: {exec: [./$name]}" "url: 'check://$name/?word=a%20b&home=\$HOME&percent=%25s'" \
      "app: org.intentd.check.$name" | install -D -m 644 /dev/stdin "$root$config/$name/$name.yaml" &&
    install -m 755 /dev/stdin "$root$config/$name/$name" <<'END'
#!/bin/sh
echo '{"entries": [{"date": "2026-01-01T00:00:00Z", "content": {"text": "tap me"}}], "policy": "never"}'
END
}

put_apps() {
  # Writes down how it was started; the file appears when it is whole.
  install -m 755 /dev/stdin "$root/usr/local/bin/check-probe" <<'END' || return 1
#!/bin/sh
{
  grep NoNewPrivs /proc/self/status
  sed 's/^0::/cgroup /' /proc/self/cgroup
  printf 'DISPLAY %s\n' "$DISPLAY"
  printf 'token %s %s\n' "$XDG_ACTIVATION_TOKEN" "$DESKTOP_STARTUP_ID"
  printf 'argument %s\n' "$@"
} >~/probe.new
mv ~/probe.new ~/probe
END
  # An app as GTK's are: it answers on the session bus, and gets its URL there.
  install -m 755 /dev/stdin "$root/usr/local/bin/check-answer" <<'END' || return 1
#!/usr/bin/python3
import os
from gi.repository import Gio

class App(Gio.Application):
    def do_before_emit(self, data):
        self.token = data.unpack().get("activation-token", "")

    def do_open(self, files, count, hint):
        home = os.path.expanduser("~")
        with open(home + "/probe.new", "w") as probe:
            print("opened", *(file.get_uri() for file in files), file=probe)
            print("token", self.token, file=probe)
        os.rename(home + "/probe.new", home + "/probe")

App(application_id="org.intentd.check.Answer",
    flags=Gio.ApplicationFlags.IS_SERVICE | Gio.ApplicationFlags.HANDLES_OPEN).run()
END
  printf '%s\n' '[D-BUS Service]' Name=org.intentd.check.Answer Exec=/usr/local/bin/check-answer |
    install -D -m 644 /dev/stdin \
      "$root/usr/local/share/dbus-1/services/org.intentd.check.Answer.service" || return 1
  app Probe 'Exec=check-probe --percent=%% "\\$HOME\\\\" %u' &&
    app Bus DBusActivatable=true 'Exec=check-probe %u' &&
    app Answer DBusActivatable=true 'Exec=false %u' &&
    app Quick 'Exec=true %u' &&
    as_root sh -c 'chown -R ann: ~ann/.local ~ann/.config' &&
    as_ann 'busctl --user call org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig &&
      intent-send reload-config && for name in Probe Bus Answer Quick; do
      intent-send add org.intentd.check.$name || exit 1
    done'
}

put_apps_away() {
  as_ann 'intent-send widgets --json | python3 -c "
import json, sys
for widget in json.load(sys.stdin)[\"widgets\"]:
    if widget[\"kind\"].startswith(\"org.intentd.check.\"): print(widget[\"id\"])" |
    while read -r id; do intent-send remove "$id"; done
    rm -rf ~/.local/share/applications/org.intentd.check.* ~/.config/intentd/widgets/{Probe,Bus,Answer,Quick} ~/probe
    intent-send reload-config' >/dev/null
  as_root rm -f /usr/local/share/dbus-1/services/org.intentd.check.Answer.service
}

# tapped WIDGET [VARIABLE=VALUE…]: taps it, and prints what the app wrote down.
tapped() {
  local widget=$1
  shift
  as_ann "rm -f ~/probe; env $* intent-send tap $widget >&2 &&
    for i in \$(seq 100); do test -e ~/probe && break; sleep 0.1; done; cat ~/probe"
}

# says LINE…: whether the last app wrote down each line.
says() {
  local line
  for line in "$@"; do
    grep -qxE -- "$line" "$temporary/probe" && continue
    printf 'not there: %s\n' "$line"
    cat "$temporary/probe"
    return 1
  done
}

starts_free() {
  [[ $(as_root sh -c 'grep NoNewPrivs /proc/$(pgrep -u ann -x intentd)/status') == *0 ]] ||
    { echo "the unit takes privileges from all children of the daemon"; return 1; }
  tapped probe >"$temporary/probe" || return 1
  says $'NoNewPrivs:\t0' \
    'cgroup .*/app\.slice/app-intentd-org\.intentd\.check\.Probe-[0-9a-z]+\.service'
}

has_display_of_now() {
  local daemon
  daemon=$(daemon_pid) && as_ann 'systemctl --user set-environment DISPLAY=:4711' || return 1
  tapped probe >"$temporary/probe"
  as_ann 'systemctl --user unset-environment DISPLAY'
  [[ $(daemon_pid) == "$daemon" ]] || { echo "the daemon is another one"; return 1; }
  ! as_root grep -qa DISPLAY=:4711 "/proc/$daemon/environ" && says 'DISPLAY :4711'
}

keeps_arguments() {
  tapped probe >"$temporary/probe" || return 1
  says 'argument --percent=%' 'argument \$HOME\\' \
    'argument check://Probe/\?word=a%20b&home=\$HOME&percent=%25s'
}

passes_token_once() {
  tapped probe XDG_ACTIVATION_TOKEN=token-1 >"$temporary/probe" && says 'token token-1 token-1' &&
    tapped probe >"$temporary/probe" && says 'token  '
}

falls_back_to_exec() {
  tapped bus >"$temporary/probe" &&
    says 'cgroup .*/app\.slice/app-intentd-org\.intentd\.check\.Bus-[0-9a-z]+\.service' \
      'argument check://Bus/.*'
}

opens_on_bus() {
  tapped answer XDG_ACTIVATION_TOKEN=token-2 >"$temporary/probe" &&
    says 'opened check://Answer/.*' 'token token-2'
}

survives_bus() {
  local cursor lines
  cursor=$(as_ann 'journalctl --user --quiet --lines=1 --show-cursor' | sed -n 's/^-- cursor: //p')
  as_ann 'systemctl --user stop dbus.socket dbus.service
    intent-send tap quick && intent-send tap quick || exit 1
    systemctl --user start dbus.socket' || return 1
  tapped probe >"$temporary/probe" || return 1
  says 'cgroup .*/app\.slice/app-intentd-org\.intentd\.check\.Probe-[0-9a-z]+\.service' || return 1
  lines=$(as_ann "journalctl --user --quiet --unit=intentd --output=cat --after-cursor='$cursor'")
  # A daemon that still had a connection notes its end, too.
  [[ $(grep -c '^event=launch.direct ' <<<"$lines") == 1 && $(grep -c '^event=bus.lost ' <<<"$lines") -le 1 ]] ||
    { echo "$lines"; return 1; }
}

launch_ratio() {
  as_ann 'python3 - <<END
import os, time

def seconds(argv):
    null = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    start = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=null)
    _, status = os.waitpid(pid, 0)
    assert status == 0, argv
    return time.perf_counter() - start

run = ["systemd-run", "--user", "--quiet", "--collect", "--slice=app.slice",
       "--property=Type=exec", "--property=ExitType=cgroup", "true", "check://Quick/"]
commands = [run, ["intent-send", "tap", "quick"]]
best = [min(times) for times in zip(*([seconds(argv) for argv in commands] for _ in range(60)))]
print(f"{best[1] / best[0]:.2f}")
END'
}
