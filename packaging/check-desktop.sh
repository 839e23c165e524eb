#!/usr/bin/env bash
# Checks the daemon with the desktops that people have. `make check-desktop` calls it after `make deb`.
#
#   packaging/check-desktop.sh FOLDER [ROOT]     the folder of the packages; a folder for the system
#
# It installs the packages on a Debian 12 in a folder, with GNOME Shell, KRunner, dunst and a user's
# session (scripts/root), and does what a person does there: types a sentence, chooses a result, taps
# a notification, locks, sleeps, travels. A row is a check that can fail; the exit status says whether
# all went well. The system takes 3 GB and six minutes to make; in a ROOT it stays for the next time.
# INTENTD_PICTURES=FOLDER keeps pictures of what was on the screen. It needs root.
#
# The rows are in packaging/checks/desktop.sh.
set -uo pipefail
packages=$(cd "$1" && pwd) || exit 1
system=${2:-}
[[ -z $system ]] || system=$(readlink -m "$system")
cd "$(dirname "$0")/.." || exit 1

for part in rows installed desktop; do
  . "packaging/checks/$part.sh"
done

temporary=$(mktemp -d "${TMPDIR:-/tmp}/check-desktop.XXXXXX") || exit 1
running=
finish() {
  trap - EXIT INT TERM HUP
  [[ -z $running ]] || scripts/root/end.sh "$running"
  rm -rf "$temporary"
  exit "$1"
}
trap 'finish 1' EXIT TERM HUP
trap 'finish 130' INT

can_boot() {
  ((EUID == 0)) && unshare --cgroup --pid --mount --uts --ipc --net --fork mount --make-rprivate / 2>/dev/null
}
if ! can_boot; then
  skip "the desktops: they need root, with the right to make namespaces"
  finish 0
elif ! command -v mmdebstrap >/dev/null; then
  skip "the desktops: apt-get install mmdebstrap"
  finish 0
fi

main=$(ls "$packages"/intentd_*.deb) && [[ -f $main ]] || {
  printf 'check-desktop: %s has not one package intentd\n  make it with: make deb\n' "$packages" >&2
  finish 1
}
root=${system:-$temporary/desktop}
if [[ ! -e $root/usr/bin/gnome-shell ]]; then
  make_desktop "$root" >"$temporary/make.log" 2>&1 || {
    fail "a system with desktops can be made" "$(tail -n 20 "$temporary/make.log")"
    finish 1
  }
fi
scripts/root/boot.sh "$root" || finish 1
running=$root
check_desktop

if ((failures)); then
  printf 'check-desktop: %s rows failed\n' "$failures"
  finish 1
fi
printf 'check-desktop: every row went well\n'
finish 0
