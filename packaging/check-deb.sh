#!/usr/bin/env bash
# Checks the packages in a folder. `make check-deb` calls it after `make deb`.
#
#   packaging/check-deb.sh FOLDER [SUITE…]     bookworm and trixie if no suite is named
#
# It checks files and sizes, builds the same commit again in another place and compares, and installs
# the packages on each suite of Debian in a root with systemd and a login (scripts/root). A row is a
# check that can fail; the exit status says whether all went well. REBUILD=no leaves out the second
# build, which takes minutes. Without root there is no system to install on: these rows are skipped.
#
# The rows are in packaging/checks.
set -uo pipefail
packages=$(cd "$1" && pwd) || exit 1
shift
suites=("$@")
((${#suites[@]})) || suites=(bookworm trixie)
cd "$(dirname "$0")/.." || exit 1

for part in rows files installed launches; do
  . "packaging/checks/$part.sh"
done

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
main=$(only intentd) && web=$(only intentd-web) && fetch=$(only intentd-fetch) &&
  examples=$(only intentd-examples) && sdk=$(only intentd-sdk) || finish 1

tree=$temporary/tree
mkdir "$tree"
dpkg-deb -R "$main" "$tree/intentd" && dpkg-deb -R "$web" "$tree/intentd-web" &&
  dpkg-deb -R "$fetch" "$tree/intentd-fetch" &&
  dpkg-deb -R "$examples" "$tree/intentd-examples" &&
  dpkg-deb -R "$sdk" "$tree/intentd-sdk" || finish 1
check_files

if [[ ${REBUILD:-yes} == no ]]; then
  skip "a second build of the commit: REBUILD=no"
else
  check "a second build of the commit, elsewhere, has the same bytes" builds_same_bytes
  rm -rf "$temporary/another"
fi

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
