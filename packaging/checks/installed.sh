# The packages on a system, from installation to purge: rows of check-deb for one that scripts/root started.
#
# $root is the folder of the system; $main, $web, $fetch, $examples, $sdk and $tree are as in files.sh.

# `intent-send status` as a whole process, in processor time of `true`: the best of each, in turns.
status_ratio_max=5

check_suite() {
  local suite=$1
  where="$suite: "
  root=$temporary/$suite
  # The packages' dependencies come from apt's archive in the root, which has no network later.
  if ! scripts/root/make.sh "$root" "$suite" \
    python3 python3-gi gir1.2-glib-2.0 procps man-db bash-completion zsh fish -- \
    --customize-hook="cp '$main' \"\$1/var/tmp/intentd.deb\"" \
    --customize-hook="cp '$web' \"\$1/var/tmp/intentd-web.deb\"" \
    --customize-hook="cp '$fetch' \"\$1/var/tmp/intentd-fetch.deb\"" \
    --customize-hook="cp '$examples' \"\$1/var/tmp/intentd-examples.deb\"" \
    --customize-hook="cp '$sdk' \"\$1/var/tmp/intentd-sdk.deb\"" \
    --customize-hook='chroot "$1" apt-get install -qq -y --download-only --no-install-recommends /var/tmp/intentd.deb /var/tmp/intentd-web.deb /var/tmp/intentd-fetch.deb /var/tmp/intentd-examples.deb /var/tmp/intentd-sdk.deb' \
    >"$temporary/make.log" 2>&1; then
    fail "a root can be made" "$(tail -n 20 "$temporary/make.log")"
    return
  fi
  cp "$temporary/next.deb" "$temporary/traced.deb" "$root/var/tmp/"
  local said
  if ! said=$(scripts/root/boot.sh "$root" 2>&1); then
    fail "the root boots" "$said"
    return
  fi
  running=$root

  check "apt installs the package" install_file intentd.deb
  check "after a login the socket listens, and no daemon runs" socket_waits
  check "intent-send status is answered" is_answered
  check "a number in words is understood in ten languages" words_are_numbers
  at_most "intent-send status ÷ true" "$(status_ratio)" "$status_ratio_max"
  check "without /proc the programs say so, and do nothing" needs_arguments
  check "the manual pages show without a warning" pages_show
  check "apt installs the examples" install_file intentd-examples.deb
  check "the examples run, and a widget is placed" examples_run
  check "apt installs the page, which listens for nobody by itself" page_waits
  check "with its socket on, the page and a panel are served" page_is_served
  check "apt installs downloads, and a script gets a file of this machine's, also offline" fetches
  check "a new widget in shell and in Python passes try at once" new_widgets_pass
  check "apt installs the sources for Swift, and a new widget in Swift names them" new_swift_widget_names_sdk
  check "completions for bash, zsh and fish" completions_work
  check "a session can stay open" open_session
  check_launches
  check "after an upgrade the daemon goes on, and says that a newer one is there" goes_on_after_upgrade
  check "the command that it names takes the newer one" restarts_as_told
  check "a removal ends socket and daemon, and leaves a person's files" ends_when_removed
  check "installed again, it listens in the session that is open" comes_back
  check "a purge leaves a person's files and nothing else" leaves_nothing_but_files_of_ann
  check "a socket that the administrator disabled stays so after an upgrade" respects_administrator
  apt purge intentd >/dev/null 2>&1
  check "installed from a clone, it listens and answers" installs_from_clone
  check "the maintainer scripts start no program of the package" scripts_start_no_program
  close_session
  scripts/root/end.sh "$root"
  running=
  rm -rf "$root"
}

# As after the next release: a higher version, and programs of another date.
make_next() {
  local next=$temporary/next
  cp -a "$tree/intentd" "$next"
  sed -i 's/^Version: .*/&+next/' "$next/DEBIAN/control"
  touch -d '2037-01-01' "$next"/usr/bin/*
  dpkg-deb --root-owner-group -Znone --build "$next" "$temporary/next.deb" >/dev/null
  # Its maintainer scripts, with programs that leave a trace when somebody starts them.
  printf '#!/bin/sh\necho "$0 $*" >>/var/tmp/started\n' | tee "$next/usr/bin/intentd" >"$next/usr/bin/intent-send"
  dpkg-deb --root-owner-group -Znone --build "$next" "$temporary/traced.deb" >/dev/null
}

as_root() { scripts/root/in.sh "$root" "$@"; }
home_of_ann() { as_root sh -c 'echo ~ann'; }
as_ann() { scripts/root/login.sh "$root" "$*"; }

# A session of ann that stays open, as on a desktop.
open_session() {
  as_ann 'exec sleep infinity' </dev/null >/dev/null 2>&1 &
  for _ in {1..100}; do
    [[ $(as_root systemctl is-active user@1000.service) == active ]] && return 0
    sleep 0.1
  done
  echo "ann's systemd did not start"
  return 1
}

close_session() {
  as_root systemctl stop user@1000.service
  as_root loginctl terminate-user ann
  # Ends the command in the background that opened it.
  wait
}

# daemon_pid: of ann's daemon; fails if none runs.
daemon_pid() { as_root pgrep -u ann -x intentd; }

status_field() { as_ann 'intent-send call daemon.status' | python3 -c '
import json, sys
print(json.dumps(json.load(sys.stdin)[sys.argv[1]]))' "$1"; }

socket_waits() {
  local state
  state=$(as_ann 'systemctl --user is-active intentd.socket
    test -S $XDG_RUNTIME_DIR/intentd/intentd.sock && echo there')
  [[ $state == $'active\nthere' ]] || { echo "$state"; return 1; }
  if daemon_pid; then
    echo "a daemon runs already"
    return 1
  fi
}

is_answered() { as_ann 'intent-send status'; }

apt() { as_root apt-get -y -qq -o Dpkg::Use-Pty=0 "$@"; }
install_file() { apt install --no-install-recommends "/var/tmp/$1"; }

words_are_numbers() {
  local folder language words commands=
  folder=$(home_of_ann)/.config/intentd/intents/SetVolume || return 1
  install -D -m 644 /dev/stdin "$root$folder/intent.yaml" <<'END' || return 1
name: SetVolume
parameters:
  - {name: level, type: integer, required: true}
END
  while IFS=' ' read -r language words; do
    printf '%s\n' "language: $language" 'lists: {level: {range: {from: 0, to: 100}}}' \
      'intents: {SetVolume: {data: [{sentences: ["volume {level}"]}]}}' >"$root$folder/$language.yaml"
    commands+="intent-send recognize 'volume $words' --language $language;"
  done <<'END'
en fifty-five
de fünfundfünfzig
es cincuenta y cinco
fr cinquante-cinq
it cinquantacinque
nl vijfenvijftig
pl pięćdziesiąt pięć
ru пятьдесят пять
sv femtiofem
zh 五十五
END
  as_root sh -c 'chown -R ann: ~ann/.config'
  as_ann "intent-send reload-config; $commands" >"$temporary/said" 2>&1
  [[ $(grep -c '^SetVolume(level: 55)' "$temporary/said") == 10 ]] || { cat "$temporary/said"; return 1; }
}

examples_run() {
  local kind
  for kind in agenda calendar clock sun system; do
    as_ann "intent-send try /usr/share/intentd/widgets/$kind/$kind.yaml $(
      [[ $kind != clock && $kind != sun ]] || echo --set city=London)" || return 1
  done
  as_ann 'intent-send reload-config && intent-send add org.intentd.example.system &&
    intent-send "show system status" && intent-send widgets' &&
    [[ $(status_field issues) == '[]' ]]
}

page_waits() {
  install_file intentd-web.deb &&
    as_ann '! systemctl --user is-active --quiet intent-web.socket && ! pgrep -x intent-web &&
      systemctl --user cat intent-web.socket intent-web.service >/dev/null' &&
    as_root sh -c '! man --warnings=all -l /usr/share/man/man1/intent-web.1.gz 2>&1 >/dev/null | grep .'
}

# systemd starts the server when the first connection comes, with all its restrictions. A panel's
# picture takes Pango and a font.
page_is_served() {
  as_ann 'systemctl --user enable --now intent-web.socket && ! pgrep -x intent-web &&
    python3 - "$(intent-send web --print)" "$(intent-send web --device kitchen --panel stack)" <<END || {
import http.cookiejar, sys, urllib.parse, urllib.request
page, panel = sys.argv[1:]
jar = http.cookiejar.CookieJar()
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
assert b"<html" in opener.open(page, timeout=20).read()
assert len(jar) == 1, "there is no cookie"
answer = urllib.request.urlopen(urllib.parse.urljoin(page, panel), timeout=20)
assert answer.status == 200 and answer.read(8).startswith(bytes([0x89]) + b"PNG")
END
    journalctl --user -u intent-web --no-pager | tail -n 20; exit 1; }
    systemctl --user is-active intent-web.service && systemctl --user disable --now intent-web.socket intent-web.service'
}

# The root has no network; its own server is enough for a script.
fetches() {
  install_file intentd-fetch.deb &&
    as_ann 'mkdir -p served && echo body >served/file && cd served &&
      { python3 -m http.server --bind 127.0.0.1 8931 >/dev/null 2>&1 & server=$!; } &&
      for try in $(seq 100); do intent-fetch http://127.0.0.1:8931/file >got 2>/dev/null && break; sleep 0.1; done
      test "$(cat got)" = body && kill $server && test "$(intent-fetch --offline http://127.0.0.1:8931/file)" = body' &&
    as_root sh -c '! man --warnings=all -l /usr/share/man/man1/intent-fetch.1.gz 2>&1 >/dev/null | grep .'
}

# Neither a clone nor Swift is there.
new_widgets_pass() {
  local language
  for language in shell python; do
    as_ann "cd \$(mktemp -d) && intent-send new widget mine-$language --in $language &&
      intent-send try mine-$language" || return 1
  done
}

# There is no Swift on the system, so nothing is built.
new_swift_widget_names_sdk() {
  as_ann 'cd $(mktemp -d) && ! intent-send new widget disk --in swift' || return 1
  install_file intentd-sdk.deb || return 1
  as_ann 'cd $(mktemp -d) && intent-send new widget disk --in swift &&
    grep -F "path: \"/usr/share/intentd/sdk\"" disk/Package.swift && test -r /usr/share/intentd/sdk/Package.swift'
}

# Without /proc a Swift program cannot read its arguments.
needs_arguments() {
  local program status
  for program in intentd intent-send; do
    as_root unshare --mount sh -c "umount --lazy --recursive /proc && timeout 20 $program --version" \
      >"$temporary/said" 2>&1
    status=$?
    if ((status != 64)) || ! grep -q "^$program: " "$temporary/said"; then
      cat "$temporary/said"
      echo "$program ended with $status; 64 and a sentence were expected"
      return 1
    fi
  done
}

completions_work() {
  as_root bash -c 'cd /usr/share &&
    for program in intentd intent-send; do
      bash -n bash-completion/completions/$program && zsh -n zsh/vendor-completions/_$program &&
        fish --no-execute fish/vendor_completions.d/$program.fish || exit 1
    done' &&
    as_ann '
      . /usr/share/bash-completion/bash_completion && . /usr/share/bash-completion/completions/intent-send &&
      COMP_WORDS=(intent-send sta) COMP_CWORD=1 COMP_LINE="intent-send sta" COMP_POINT=15 &&
      $(complete -p intent-send | sed -E "s/.*-F ([^ ]+).*/\1/") intent-send sta intent-send &&
      [[ " ${COMPREPLY[*]} " == *status* ]] &&
      intent-send ---sentences "\"" "show wea" | grep -q "^show weather" &&
      [[ $(fish -c "complete --do-complete \"intent-send \\\"show wea\"") == *"show weather"* ]] &&
      fish -c "complete --do-complete \"intent-send wat\"" | grep -q ^watch'
}

pages_show() {
  as_root sh -c 'cd /usr/share/man/man1 &&
    for page in intentd*.gz intent-send*.gz; do
      man --warnings=all -l "$page" 2>&1 >/dev/null | grep . && exit 1
      man "${page%.1.gz}" | grep -q SYNOPSIS || exit 1
    done'
}

goes_on_after_upgrade() {
  local before after
  is_answered >/dev/null
  before=$(daemon_pid) || return 1
  [[ $(status_field newerInstalled) == false ]] || { echo "newer before the upgrade"; return 1; }
  install_file next.deb || return 1
  after=$(daemon_pid)
  [[ $before == "$after" ]] || { echo "the daemon $before became '$after'"; return 1; }
  [[ $(status_field newerInstalled) == true ]] || { echo "newerInstalled is not true"; return 1; }
  as_ann 'intent-send status' >"$temporary/said" 2>&1
  grep -q 'systemctl --user restart intentd' "$temporary/said" || { cat "$temporary/said"; return 1; }
  [[ $(as_ann 'systemctl --user show --value --property=NeedDaemonReload intentd.service') == no ]] ||
    { echo "the user's systemd has the old unit"; return 1; }
}

restarts_as_told() {
  local before after
  before=$(daemon_pid)
  as_ann "$(grep -o 'systemctl --user restart intentd' "$temporary/said" | head -n 1)" && is_answered >/dev/null
  after=$(daemon_pid)
  [[ -n $after && $before != "$after" ]] || { echo "the daemon is $after, as before"; return 1; }
  [[ $(status_field newerInstalled) == false ]]
}

list_files_of_ann() {
  # The store's log may be cut when the daemon ends.
  as_root sh -c 'cd ~ann && find . -type f -path "*intentd*" ! -name "*-shm" ! -name "*-wal" | sort'
}

ends_when_removed() {
  list_files_of_ann >"$temporary/before"
  apt remove intentd || return 1
  if daemon_pid; then echo "the daemon still runs"; return 1; fi
  as_ann '! systemctl --user is-active --quiet intentd.socket &&
    ! test -e $XDG_RUNTIME_DIR/intentd/intentd.sock && ! command -v intent-send' || return 1
  list_files_of_ann >"$temporary/after"
  diff "$temporary/before" "$temporary/after"
}

comes_back() {
  install_file intentd.deb && socket_waits && is_answered
}

leaves_nothing_but_files_of_ann() {
  as_root sh -c 'cd ~ann && find . -type f -path "*intentd*" -exec cat {} + | sha256sum' >"$temporary/sum"
  apt purge intentd intentd-web intentd-fetch intentd-examples intentd-sdk || return 1
  as_root find /etc /usr /var -xdev '(' -iname '*intentd*' -o -name '*intent-web*' -o -name '*intent-fetch*' ')' ! -path '/var/tmp/*' ! -path '/var/cache/*' \
    ! -path '/var/log/*' >"$temporary/left"
  [[ ! -s $temporary/left ]] || { cat "$temporary/left"; return 1; }
  [[ -s $temporary/before ]] && list_files_of_ann | diff "$temporary/before" -
}

respects_administrator() {
  install_file intentd.deb && as_root systemctl --global disable intentd.socket && install_file next.deb || return 1
  [[ $(as_root systemctl --global is-enabled intentd.socket) == disabled ]]
}

installs_from_clone() {
  local home
  home=$(home_of_ann) || return 1
  HOME=$home DESTDIR=$root packaging/install.sh "$tree/intentd/usr/bin" "$home/.local" daemon || return 1
  as_root chown -R ann: "$home/.local" &&
    as_ann 'systemctl --user daemon-reload && systemctl --user enable --now intentd.socket &&
      test "$(command -v intent-send)" = ~/.local/bin/intent-send && intent-send status' &&
    [[ $(status_field issues) == '[]' ]] &&
    as_ann 'systemctl --user disable --now intentd.socket intentd.service'
}

scripts_start_no_program() {
  as_root sh -c 'rm -f /var/tmp/started; dpkg --unpack /var/tmp/traced.deb && dpkg --configure -a &&
    dpkg --install /var/tmp/traced.deb && dpkg --remove intentd && dpkg --purge intentd &&
    ! cat /var/tmp/started'
}

status_ratio() {
  as_ann 'python3 - <<END
import os

def cost(argv):
    null = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=null)
    _, status, used = os.wait4(pid, 0)
    assert status == 0, argv
    return used.ru_utime + used.ru_stime

commands = [["/usr/bin/true"], ["/usr/bin/intent-send", "status"]]
best = [min(costs) for costs in zip(*([cost(argv) for argv in commands] for _ in range(300)))]
print(f"{best[1] / best[0]:.2f}")
END'
}
