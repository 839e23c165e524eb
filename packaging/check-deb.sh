#!/usr/bin/env bash
# Checks the packages in a folder. `make check-deb` calls it after `make deb`.
#
#   packaging/check-deb.sh FOLDER [SUITE…]     bookworm and trixie if no suite is named
#
# It checks files and sizes, builds the same commit again in another place and compares, and installs
# the packages on each suite of Debian in a root with systemd and a login (scripts/root). A row is a
# check that can fail; the exit status says whether all went well. REBUILD=no leaves out the second
# build, which takes minutes. Without root there is no system to install on: these rows are skipped.
set -uo pipefail
packages=$(cd "$1" && pwd) || exit 1
shift
suites=("$@")
((${#suites[@]})) || suites=(bookworm trixie)
cd "$(dirname "$0")/.." || exit 1

# Bytes, as `ls -l` shows them.
package_bytes_max=16000000
examples_bytes_max=16000000
# `intent-send status` as a whole process, in processor time of `true`: the best of each, in turns.
status_ratio_max=5

failures=0 skipped=0
where=

say() { printf '%-8s%s%s\n' "$1" "$where" "$2"; }

# check NAME COMMAND…: a row; the command's output appears if it fails.
check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1 </dev/null); then
    say ok "$name"
  else
    failures=$((failures + 1))
    say FAILED "$name"
    sed 's/^/          /' <<<"$output"
  fi
}

# at_most NAME VALUE MAX: a row for a figure, which may have decimals.
at_most() {
  if awk -v value="$2" -v max="$3" 'BEGIN { exit !(value != "" && value <= max) }'; then
    say ok "$1: $2, at most $3"
  else
    failures=$((failures + 1))
    say FAILED "$1: $2, at most $3"
  fi
}

skip() {
  skipped=$((skipped + 1))
  say skipped "$1"
}

temporary=$(mktemp -d "${TMPDIR:-/tmp}/check-deb.XXXXXX") || exit 1
running=
finish() {
  trap - EXIT INT TERM HUP
  [[ -z $running ]] || scripts/root/end.sh "$running"
  # Nothing is mounted outside of the systems' own namespaces.
  rm -rf "$temporary"
  exit "$1"
}
trap 'finish 1' EXIT TERM HUP
trap 'finish 130' INT

only() {
  local found=("$packages"/"$1"_*.deb)
  ((${#found[@]} == 1)) && [[ -f ${found[0]} ]] || {
    printf 'check-deb: %s has not one package %s\n  make it with: make deb\n' "$packages" "$1" >&2
    exit 1
  }
  printf '%s\n' "${found[0]}"
}
main=$(only intentd) && examples=$(only intentd-examples) || finish 1

# MARK: Files and sizes

tree=$temporary/tree
mkdir "$tree"
dpkg-deb -R "$main" "$tree/intentd" && dpkg-deb -R "$examples" "$tree/intentd-examples" || finish 1

at_most "bytes of the package intentd" "$(stat -c %s "$main")" "$package_bytes_max"
at_most "bytes of the package intentd-examples" "$(stat -c %s "$examples")" "$examples_bytes_max"

names_no_build_folder() {
  ! grep -laF "$PWD/" "$tree"/*/usr/bin/*
}
check "no program names the folder of the build" names_no_build_folder

has_no_icu() {
  ! grep -aq icudt "$tree/intentd/usr/bin/intent-send" &&
    ! objdump -p "$tree/intentd/usr/bin/intent-send" | grep -E 'NEEDED.*(icu|sqlite|libuv)'
}
check "intent-send carries no ICU, and loads neither libuv nor SQLite" has_no_icu

has_pages() {
  local command missing=0
  for command in $("$tree/intentd/usr/bin/intent-send" --experimental-dump-help |
    python3 -c 'import json, sys
for sub in json.load(sys.stdin)["command"]["subcommands"]:
    if sub["shouldDisplay"] and sub["commandName"] != "help":
        print(sub["commandName"])'); do
    [[ -f $tree/intentd/usr/share/man/man1/intent-send-$command.1.gz ]] || {
      printf 'intent-send-%s has no page\n' "$command"
      missing=1
    }
  done
  return $missing
}
check "every command has a manual page" has_pages

tests_clock() {
  INTENTD_EXAMPLE_CLOCK=$tree/intentd-examples/usr/bin/intentd-example-clock \
    python3 Examples/test_examples.py ClockTests
}
check "the packaged example in Swift passes its tests" tests_clock

validates() {
  desktop-file-validate "$tree"/*/usr/share/applications/*.desktop &&
    appstreamcli validate --no-net "$tree"/intentd/usr/share/metainfo/*.xml
}
if command -v desktop-file-validate >/dev/null && command -v appstreamcli >/dev/null; then
  check "the desktop entries and the AppStream metadata are valid" validates
else
  skip "desktop entries and AppStream metadata: apt-get install desktop-file-utils appstream"
fi

if command -v lintian >/dev/null; then
  check "lintian has no error and no warning" \
    lintian --allow-root --fail-on error,warning "$main" "$examples"
else
  skip "lintian: apt-get install lintian"
fi

# `make install` of one version, and of the next over it.
installs_twice() {
  local home=$temporary/home
  mkdir -p "$home/.config/intentd/intents"
  echo 'lists: {}' >"$home/.config/intentd/intents/mine.yaml"
  HOME=$home packaging/install.sh "$tree/intentd/usr/bin" "$home/.local" || return 1
  (cd "$home" && find . | sort) >"$temporary/once"
  install -D /dev/null "$home/.local/share/intentd/intents/Gone/intent.yaml"
  HOME=$home packaging/install.sh "$tree/intentd/usr/bin" "$home/.local" || return 1
  (cd "$home" && find . | sort) | diff "$temporary/once" -
}
check "an installation from a clone, repeated, leaves what one leaves" installs_twice

# MARK: The same bytes

builds_same_bytes() {
  local commit
  commit=$(git rev-parse HEAD) || return 1
  [[ $main != *+changed* ]] || { echo "commit your changes: a package is compared with its commit"; return 1; }
  # Another folder, another umask, another time zone, another language.
  git clone -q . "$temporary/another/place" && git -C "$temporary/another/place" checkout -q "$commit" &&
    (umask 077 && TZ=Asia/Tokyo LC_ALL=C HOME=$temporary make -C "$temporary/another/place" deb) &&
    cmp "$main" "$temporary/another/place/dist/$(basename "$main")" &&
    cmp "$examples" "$temporary/another/place/dist/$(basename "$examples")"
}
if [[ ${REBUILD:-yes} == no ]]; then
  skip "a second build of the commit: REBUILD=no"
else
  check "a second build of the commit, elsewhere, has the same bytes" builds_same_bytes
  rm -rf "$temporary/another"
fi

# MARK: Installed

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
  state=$(as_ann 'systemctl --user is-active intentd.socket; test -S $XDG_RUNTIME_DIR/intentd/intentd.sock && echo there')
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
  as_ann '
    mkdir -p ~/.config/intentd/intents/SetVolume && cd ~/.config/intentd/intents/SetVolume &&
    printf "name: SetVolume\nparameters:\n  - {name: level, type: integer, required: true}\n" >intent.yaml &&
    printf "language: en\nintents: {SetVolume: {data: [{sentences: [\"volume {level}\"]}]}}\nlists: {level: {range: {from: 0, to: 100}}}\n" >en.yaml &&
    printf "language: de\nintents: {SetVolume: {data: [{sentences: [\"Lautstärke {level}\"]}]}}\nlists: {level: {range: {from: 0, to: 100}}}\n" >de.yaml &&
    intent-send reload-config &&
    intent-send recognize "volume fifty-five" --language en &&
    intent-send recognize "Lautstärke fünfundfünfzig" --language de' >"$temporary/said" 2>&1
  [[ $(grep -c "^SetVolume(level: 55)" "$temporary/said") == 2 ]] || { cat "$temporary/said"; return 1; }
}

examples_run() {
  local kind
  for kind in agenda clock sun system; do
    as_ann "intent-send try /usr/share/intentd/widgets/$kind/$kind.yaml $(
      [[ $kind != clock && $kind != sun ]] || echo --set city=London)" || return 1
  done
  as_ann 'intent-send reload-config && intent-send add org.intentd.example.system &&
    intent-send "show system status" && intent-send widgets' &&
    [[ $(status_field issues) == '[]' ]]
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
      [[ " ${COMPREPLY[*]} " == *status* ]]'
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
  as_ann '! systemctl --user is-active --quiet intentd.socket && ! test -e $XDG_RUNTIME_DIR/intentd/intentd.sock &&
    ! command -v intent-send' || return 1
  list_files_of_ann >"$temporary/after"
  diff "$temporary/before" "$temporary/after"
}

comes_back() {
  install_file intentd.deb && socket_waits && is_answered
}

leaves_nothing_but_files_of_ann() {
  as_root sh -c 'cd ~ann && find . -type f -path "*intentd*" -exec cat {} + | sha256sum' >"$temporary/sum"
  apt purge intentd intentd-examples || return 1
  as_root find /etc /usr /var -xdev -iname '*intentd*' ! -path '/var/tmp/*' ! -path '/var/cache/*' \
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
  home=$(as_root sh -c 'echo ~ann')
  HOME=$home DESTDIR=$root packaging/install.sh "$tree/intentd/usr/bin" "$home/.local" || return 1
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

check_suite() {
  local suite=$1
  where="$suite: "
  root=$temporary/$suite
  # The packages' dependencies come from apt's archive in the root, which has no network later.
  if ! scripts/root/make.sh "$root" "$suite" python3 procps man-db bash-completion zsh fish -- \
    --customize-hook="cp '$main' \"\$1/var/tmp/intentd.deb\"" \
    --customize-hook="cp '$examples' \"\$1/var/tmp/intentd-examples.deb\"" \
    --customize-hook='chroot "$1" apt-get install -qq -y --download-only --no-install-recommends /var/tmp/intentd.deb /var/tmp/intentd-examples.deb' \
    >"$temporary/make.log" 2>&1; then
    failures=$((failures + 1))
    say FAILED "a root can be made"
    tail -n 20 "$temporary/make.log"
    return
  fi
  cp "$temporary/next.deb" "$temporary/traced.deb" "$root/var/tmp/"
  if ! scripts/root/boot.sh "$root"; then
    failures=$((failures + 1))
    say FAILED "the root boots"
    return
  fi
  running=$root

  check "apt installs the package" install_file intentd.deb
  check "after a login the socket listens, and no daemon runs" socket_waits
  check "intent-send status is answered" is_answered
  check "a sentence with a number in words is understood, in two languages" words_are_numbers
  at_most "intent-send status ÷ true" "$(status_ratio)" "$status_ratio_max"
  check "the manual pages show without a warning" pages_show
  check "apt installs the examples" install_file intentd-examples.deb
  check "the examples run, and a widget is placed" examples_run
  check "completions for bash, zsh and fish" completions_work
  check "a session can stay open" open_session
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

can_boot() {
  ((EUID == 0)) && unshare --cgroup --pid --mount --uts --ipc --net --fork mount --make-rprivate / 2>/dev/null
}
if ! can_boot; then
  skip "installing on ${suites[*]}: it needs root, with the right to make namespaces"
elif ! command -v mmdebstrap >/dev/null; then
  skip "installing on ${suites[*]}: apt-get install mmdebstrap"
else
  make_next
  for suite in "${suites[@]}"; do check_suite "$suite"; done
  where=
fi

if ((failures)); then
  printf 'check-deb: %s rows failed\n' "$failures"
  finish 1
fi
printf 'check-deb: every row went well%s\n' "$( ((!skipped)) || echo ", $skipped skipped")"
finish 0
