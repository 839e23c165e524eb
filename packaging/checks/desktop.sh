# The daemon on a desktop: rows of check-desktop, for a system that make_desktop made.
#
# $root is the folder of the system, $main the package; as_root, as_ann and others are in installed.sh.

# Entries and calendars are right so soon after the time zone changed, in milliseconds.
zone_milliseconds_max=1000

sentence='show weather for Beijing'

# make_desktop ROOT: a Debian 12 with the desktops.
make_desktop() {
  # gdm makes GNOME Shell the locker of its session; umockdev gives UPower a battery. ImageMagick is
  # for the pictures.
  scripts/root/make.sh "$1" bookworm \
    gnome-shell gjs gdm3 plasma-workspace dunst upower umockdev network-manager \
    xvfb xdotool x11-apps imagemagick libgl1-mesa-dri fonts-cantarell fonts-dejavu-core \
    adwaita-icon-theme breeze-icon-theme librsvg2-common \
    python3 python3-gi gir1.2-glib-2.0 procps libnotify-bin -- \
    --customize-hook="cp '$main' \"\$1/var/tmp/intentd.deb\"" \
    --customize-hook='chroot "$1" apt-get install -qq -y --download-only --no-install-recommends /var/tmp/intentd.deb' &&
    make_sleepless "$1"
}

# logind can suspend such a system: it does all that it does elsewhere, but instead of the kernel's
# sleep a script runs, which looks at what is on disk meanwhile.
make_sleepless() {
  echo 'freeze mem' >"$1/var/lib/check-power-state"
  install -D -m 644 /dev/stdin "$1/etc/systemd/system/systemd-logind.service.d/check.conf" <<'END' &&
[Service]
BindPaths=/var/lib/check-power-state:/sys/power/state
END
    install -D -m 644 /dev/stdin "$1/etc/systemd/system/systemd-suspend.service.d/check.conf" <<'END' &&
[Service]
ExecStart=
ExecStart=/usr/local/sbin/check-asleep
END
    install -m 755 /dev/stdin "$1/usr/local/sbin/check-asleep" <<'END'
#!/bin/sh
rm -rf /var/tmp/asleep
mkdir /var/tmp/asleep
busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager ListInhibitors \
  >/var/tmp/asleep/inhibitors
cp -a ~ann/.local/state/intentd /var/tmp/asleep/state
sleep 2
END
}

check_desktop() {
  where="desktop: "
  check "apt installs the package" install_anew
  check "kinds of widgets for the checks" put_kinds
  check "GNOME Shell runs in a session of ann" start_shell
  check "who asks for the name on the bus gets the daemon, as the user's service" is_activated
  check "a sentence typed into the overview shows what will happen, and what is known now" overview_shows
  check "typing is not journaled, and runs no provider" typing_leaves_nothing
  check "Enter sends the intent, and the answer is told once" overview_sends
  check "in a locked session nothing is found, no tap is taken, and what is private is not shown" locks
  check "KRunner and dunst run" start_krunner
  check "KRunner, asked by its own query, sends the intent that is chosen" krunner_sends
  check "an urgent entry is shown once, and a click on it is a tap" dunst_shows_once
  check "before a sleep everything is written, and after it the next one can be delayed again" sleeps
  check "a new time zone is in force within a second" travels
  check "a nearly empty battery and a network that costs halve the budgets" saves
  check "kill -9 of the daemon amid a search: every call returns or fails" survives_kill_of_daemon
  check "kill -9 of the bus amid a search: every call fails, and the daemon comes back" survives_kill_of_bus
  stop_session
  as_root systemctl stop user@1000.service
}

# A system that was used before has a package and files of ann.
install_anew() {
  cp "$main" "$root/var/tmp/intentd.deb"
  cp packaging/checks/overview.py packaging/checks/searches.py "$root/var/tmp/"
  as_root sh -c 'rm -rf ~ann/.local ~ann/.config ~ann/.cache ~ann/runs' &&
    { ! as_root dpkg-query -W intentd || apt purge intentd; } && install_file intentd.deb
}

# kind NAME LINE…: a kind whose provider prints the file `content`, and counts its runs.
kind() {
  local name=$1 folder
  shift
  folder=$(home_of_ann)/.config/intentd/widgets/$name || return 1
  printf '%s\n' "kind: org.intentd.check.$name" "name: $name" 'provider: {exec: [./provider]}' "$@" |
    install -D -m 644 /dev/stdin "$root$folder/$name.yaml" &&
    install -m 755 /dev/stdin "$root$folder/provider" <<END
#!/bin/sh
echo $name >>~/runs
printf '{"entries": [{"date": "2026-01-01T00:00:00Z", "content": %s}], "policy": "never"}' "\$(cat content)"
END
}

# content NAME JSON: the provider of NAME prints it from now on.
content() {
  printf '%s' "$2" >"$root$(home_of_ann)/.config/intentd/widgets/$1/content"
}

put_kinds() {
  install -m 755 /dev/stdin "$root/usr/local/bin/check-tapped" <<'END' || return 1
#!/bin/sh
printf '%s\n' "$*" >>~/tapped
END
  printf '%s\n' '[Desktop Entry]' Type=Application Name=Storm 'Exec=check-tapped %u' |
    install -D -m 644 /dev/stdin \
      "$root$(home_of_ann)/.local/share/applications/org.intentd.check.Storm.desktop" || return 1
  kind Weather 'families: [accessoryInline]' 'intent: ShowWeather' &&
    content Weather '{"title": "Beijing", "text": "3° clear", "symbol": "moon.stars"}' &&
    kind Storm 'families: [accessoryInline]' 'url: storm://warning' 'app: org.intentd.check.Storm' &&
    content Storm '{"title": "Storm", "text": "none"}' &&
    kind Diary 'families: [accessoryInline]' 'private: true' && content Diary '{"title": "Dear diary"}' &&
    echo 'notifications: urgent' >"$root$(home_of_ann)/.config/intentd/config.yaml" &&
    as_root sh -c 'chown -R ann: ~ann' &&
    as_ann 'intent-send add org.intentd.check.Weather --set city=Beijing &&
      intent-send add org.intentd.check.Storm && intent-send add org.intentd.check.Diary'
}

# A session with a screen: session COMMAND [NAME=VALUE…].
start_session() {
  local command=$1
  shift
  as_root systemd-run --quiet --collect --unit=check-session --property=PAMName=login \
    --property=User=ann --property=WorkingDirectory=~ "${@/#/--setenv=}" --setenv=XDG_SESSION_CLASS=user \
    --setenv=XDG_RUNTIME_DIR=/run/user/1000 --setenv=DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus \
    bash -c "exec >~/session.log 2>&1; $command"
}

stop_session() { as_root systemctl stop check-session.service; }

# until_well COMMAND…: tries it for twenty seconds.
until_well() {
  local said
  for _ in {1..40}; do
    said=$("$@" 2>&1) && return 0
    sleep 0.5
  done
  printf '%s\n' "$said"
  return 1
}

overview() { as_ann "python3 /var/tmp/overview.py $*"; }

# picture NAME GEOMETRY: a part of the screen, ~ann/NAME.png, for those who want to see it.
keep_picture() {
  [[ -n ${INTENTD_PICTURES:-} ]] || return 0
  as_ann "convert $1.png -crop $2 +repage -strip -colors 64 $1-part.png" &&
    install -D -m 644 "$root$(home_of_ann)/$1-part.png" "$INTENTD_PICTURES/$1.png"
}

start_shell() {
  as_root systemctl start gdm3 &&
    start_session 'exec gnome-shell --headless --unsafe-mode --virtual-monitor 1280x720' \
      XDG_SESSION_TYPE=wayland XDG_SESSION_DESKTOP=gnome XDG_CURRENT_DESKTOP=GNOME &&
    until_well overview mode || {
    as_root sh -c 'tail -n 20 ~ann/session.log'
    return 1
  }
}

# search WORD…: the ids of the results, as busctl prints them.
search() {
  as_ann "busctl --user --timeout=10 call org.intentd.Daemon /org/intentd/Daemon \
    org.gnome.Shell.SearchProvider2 GetInitialResultSet as $# $*"
}

# answer METHOD PARAMETERS PYTHON: the daemon answers, and a piece of Python prints a part of it.
answer() {
  as_ann "intent-send call $1 '$2'" >"$temporary/answer" &&
    python3 -c "import datetime, json, sys; answer = json.load(sys.stdin); $3" <"$temporary/answer"
}

# intents: those of the history, newest first.
intents() {
  answer daemon.history '{"limit": 100}' \
    'print(*(entry["parameters"] for entry in answer["entries"] if entry["event"] == "intent"), sep="\n")'
}

is_activated() {
  as_ann 'systemctl --user stop intentd.service' || return 1
  search nothing || return 1
  [[ $(as_ann 'systemctl --user show --property=MainPID --value intentd.service') == "$(daemon_pid)" ]] ||
    { echo "the daemon $(daemon_pid) is not the user's service"; return 1; }
}

overview_shows() {
  local said
  said=$(overview "'type=show wea' wait=5 results picture=\$HOME/overview.png press=Escape press=Escape") || return 1
  keep_picture overview 1060x324+110+36
  printf '%s\n' "$said"
  [[ $said == *'"name": "show weather '* ]] || return 1
  said=$(overview "'type=$sentence' wait=5 results") || return 1
  printf '%s\n' "$said"
  [[ $said == *'"name": "'*[Ww]eather*Beijing* && $said == *'3° clear'* ]]
}

what_is_kept() {
  intents
  as_root sh -c 'cat ~ann/runs; sha256sum ~ann/.local/state/intentd/intentd.sqlite*'
}

typing_leaves_nothing() {
  overview press=Escape press=Escape
  what_is_kept >"$temporary/before"
  [[ $(overview "'slowly=show weather for Bei' wait=5 results press=Escape press=Escape") == *name* ]] ||
    { echo "nothing is found"; return 1; }
  what_is_kept | diff "$temporary/before" -
}

overview_sends() {
  local before said
  before=$(intents | grep -c Beijing)
  overview "'type=$sentence' wait=5 press=Return" || return 1
  until_well has_intents $((before + 1)) || return 1
  sleep 1
  has_intents $((before + 1)) || return 1
  said=$(overview notifications)
  printf '%s\n' "$said"
  [[ $(grep -o '3° clear' <<<"$said" | wc -l) == 1 ]]
}

# has_intents COUNT: the history has so many, all of them ours.
has_intents() {
  intents >"$temporary/intents" && cat "$temporary/intents"
  [[ $(grep -c Beijing "$temporary/intents") == "$1" ]]
}

finds() { [[ $(search $sentence) == 'as '[1-9]* ]]; }
finds_nothing() { [[ $(search $sentence) == 'as 0' ]]; }

has_locked_hint() { [[ $(as_root loginctl show-session "$1" -P LockedHint) == "$2" ]]; }

shows_diary() { as_ann 'intent-send show diary' | grep -q 'Dear diary'; }
diary_runs() { as_root sh -c 'grep -c Diary ~ann/runs'; }

locks() {
  local session runs
  session=$(as_root loginctl show-user ann -P Display) && finds && shows_diary && runs=$(diary_runs) || return 1
  as_root loginctl lock-session "$session" && until_well has_locked_hint "$session" yes &&
    until_well finds_nothing || return 1
  if as_ann 'intent-send tap storm'; then
    echo "a tap is taken"
    return 1
  fi
  as_ann 'intent-send reload diary'
  if shows_diary || [[ $(diary_runs) != "$runs" ]]; then
    echo "what is private is shown, or its provider ran"
    return 1
  fi
  as_root loginctl unlock-session "$session" && until_well has_locked_hint "$session" no &&
    until_well finds && as_ann 'intent-send tap storm' && shows_diary
}

start_krunner() {
  stop_session
  start_session 'Xvfb :7 -screen 0 1280x720x24 & sleep 1; dunst & krunner & wait' \
    DISPLAY=:7 QT_QPA_PLATFORM=xcb XDG_SESSION_TYPE=x11 XDG_CURRENT_DESKTOP=KDE
  until_well as_ann 'busctl --user status org.kde.krunner && busctl --user status org.freedesktop.Notifications' || {
    as_root sh -c 'tail -n 20 ~ann/session.log'
    return 1
  }
}

krunner_sends() {
  local before
  before=$(intents | grep -c Beijing)
  as_ann "busctl --user call org.kde.krunner /App org.kde.krunner.App query s '$sentence'" && sleep 3 || return 1
  as_ann 'export DISPLAY=:7; xwd -root | convert xwd:- krunner.png; xdotool key Return'
  keep_picture krunner 572x82+354+0
  until_well has_intents $((before + 1))
}

displayed() { [[ $(as_ann 'DISPLAY=:7 dunstctl count displayed') == "$1" ]]; }

dunst_shows_once() {
  as_ann 'export DISPLAY=:7; dunstctl close-all; rm -f ~/tapped'
  content Storm '{"title": "Storm", "text": "in ten minutes", "urgent": true}' &&
    as_ann 'intent-send reload storm' && until_well displayed 1 || return 1
  # The same again, and other words: at most one in ten minutes.
  content Storm '{"title": "Storm", "text": "in nine minutes", "urgent": true}' &&
    as_ann 'intent-send reload storm' && sleep 2 && displayed 1 || return 1
  as_ann 'export DISPLAY=:7; xwd -root | convert xwd:- dunst.png; dunstctl action 0'
  keep_picture dunst 326x54+947+50
  until_well as_ann 'cat ~/tapped' && [[ $(as_ann 'cat ~/tapped') == storm://warning ]] && until_well displayed 0
}

inhibits() {
  as_root busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager ListInhibitors |
    grep '"sleep" "intentd" .* "delay"'
}

# last_event: the number of the history's newest entry, written or not.
last_event() { answer daemon.history '{"limit": 1}' 'print(answer["entries"][0]["sequence"])'; }

# is_on_disk NUMBER: the copy of the store that was made while the machine slept has this entry.
is_on_disk() {
  python3 -c 'import json, sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute("SELECT bytes FROM journal")
last = max(entry["sequence"] for (row,) in rows for entry in json.loads(row))
sys.exit(None if last >= int(sys.argv[2]) else f"entry {last} is the last on disk, not {sys.argv[2]}")' \
    "$root/var/tmp/asleep/state/intentd.sqlite" "$1"
}

sleeps() {
  local last
  until_well inhibits || { echo "nothing delays a sleep"; return 1; }
  as_root rm -rf /var/tmp/asleep
  as_ann "intent-send '$sentence'; intent-send tap storm" && last=$(last_event) || return 1
  as_root systemctl suspend && until_well as_root test -s /var/tmp/asleep/state/intentd.sqlite || return 1
  if grep '"intentd"' "$root/var/tmp/asleep/inhibitors"; then
    echo "it delays a sleep that has begun"
    return 1
  fi
  is_on_disk "$last" && { until_well inhibits || { echo "nothing delays the next sleep"; return 1; }; } &&
    as_ann 'intent-send status'
}

travels() {
  local start late
  start=$(date +%s%3N)
  as_root timedatectl set-timezone Asia/Tokyo && until_well zone_is_noted
  local result=$?
  as_root timedatectl set-timezone Etc/UTC
  ((!result)) && late=$(($(zone_is_noted) - start)) || return 1
  echo "after $late ms"
  ((late <= zone_milliseconds_max))
}

# zone_is_noted: prints when the history says that the clocks went nine hours ahead, in milliseconds.
zone_is_noted() {
  answer daemon.history '{"limit": 100}' 'print(int(1000 * datetime.datetime.fromisoformat(next(entry["at"]
    for entry in answer["entries"] if entry.get("offset") == 9 * 3600).replace("Z", "+00:00")).timestamp()))'
}

# A battery with fifteen percent, which UPower sees in place of those of the machine.
put_battery() {
  as_root tee /run/check-battery >/dev/null <<'END' || return 1
P: /devices/platform/battery/power_supply/BAT0
E: SUBSYSTEM=power_supply
E: POWER_SUPPLY_NAME=BAT0
A: type=Battery
A: scope=System
A: present=1
A: status=Discharging
A: energy_full=60000000
A: energy_full_design=60000000
A: energy_now=9000000
A: voltage_now=12000000
A: capacity=15
END
  as_root install -D -m 644 /dev/stdin /run/systemd/system/upower.service.d/check.conf <<'END' || return 1
[Service]
ExecStart=
ExecStart=umockdev-run --device=/run/check-battery -- /usr/libexec/upowerd
END
  as_root systemctl daemon-reload && as_root systemctl restart upower
}

take_battery() {
  as_root rm -r /run/systemd/system/upower.service.d && as_root systemctl daemon-reload && as_root systemctl restart upower
}

# A network whose two ends are this machine.
put_network() {
  as_root nmcli connection add type veth ifname check1 con-name peer veth.peer check0 \
    ipv4.method disabled ipv6.method disabled &&
    as_root nmcli connection add type veth ifname check0 con-name check veth.peer check1 connection.metered yes \
      ipv4.method manual ipv4.addresses 192.0.2.2/24 ipv4.gateway 192.0.2.1 ipv6.method disabled &&
    as_root nmcli connection up check && as_root nmcli connection up peer
}

is_saving() {
  local why
  why=$(answer daemon.status '{}' 'print(*answer.get("saving", []))') || return 1
  echo "it saves because of: $why"
  [[ $why == "$*" ]]
}

saves() {
  is_saving && put_battery && until_well is_saving battery && put_network &&
    until_well is_saving battery meteredNetwork && take_battery && until_well is_saving meteredNetwork &&
    as_root nmcli connection delete check peer && until_well is_saving
}

# searches.py asks all the time, and says at the end what became of each call.
survives_kill_of_daemon() {
  local before
  before=$(daemon_pid) || return 1
  as_ann 'timeout 60 python3 /var/tmp/searches.py 5' >"$temporary/searches" 2>&1 &
  local searches=$!
  sleep 2
  as_root kill -KILL "$before"
  wait "$searches" || { cat "$temporary/searches"; return 1; }
  cat "$temporary/searches"
  [[ $(daemon_pid) != "$before" ]] && finds
}

survives_kill_of_bus() {
  local before
  before=$(daemon_pid) || return 1
  as_ann 'timeout 60 python3 /var/tmp/searches.py 5 --until-bus-ends' >"$temporary/searches" 2>&1 &
  local searches=$!
  sleep 2
  as_ann 'systemctl --user kill --signal=KILL --kill-who=main dbus.service'
  wait "$searches" || { cat "$temporary/searches"; return 1; }
  cat "$temporary/searches"
  as_ann 'intent-send status && systemctl --user start dbus.socket' || return 1
  [[ $(daemon_pid) == "$before" ]] || { echo "the daemon is another one"; return 1; }
  until_well finds
}
