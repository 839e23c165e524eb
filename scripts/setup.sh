#!/usr/bin/env bash
# Checks the packages that a build needs and installs missing ones (with apt, through sudo if need
# be). If it cannot, it prints the command to run and stops. `make run` and `make test` call it
# first; it takes no time when nothing is missing.
#
#   scripts/setup.sh            what a build needs
#   scripts/setup.sh run        what a build of the programs needs that `make run` shows
#   scripts/setup.sh tests      Node, a bus, i3blocks and two shells, too; tests that want one are
#                               skipped without it
#   scripts/setup.sh --surfaces the bars and displays that the tests of surfaces drive; about 500 MB,
#                               most of it a browser; a bar that is missing is skipped
#   scripts/setup.sh deb        what making the Debian packages needs
#   scripts/setup.sh check-deb  and what checking them needs; some checks are skipped without it
set -euo pipefail

swift_min_major=6 swift_min_minor=3

complain() { printf 'setup: %s\n' "$@" >&2; }

if ! command -v swift >/dev/null; then
  complain "there is no swift on PATH; intentd needs Swift $swift_min_major.$swift_min_minor or later" \
    "  install it from https://www.swift.org/install/linux/ and put its usr/bin on PATH"
  exit 1
fi

check_version() {
  if [[ ! $(swift --version 2>/dev/null) =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]]; then
    complain "'swift --version' does not answer with a version; is the toolchain whole?"
    exit 1
  fi
  local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
  if ((major < swift_min_major || (major == swift_min_major && minor < swift_min_minor))); then
    complain "$(command -v swift) is Swift $major.$minor; intentd needs" \
      "  $swift_min_major.$swift_min_minor or later: https://www.swift.org/install/linux/"
    exit 1
  fi
}

# The packages by Debian's names. The first row is for intentd itself, the second for intent-fetch; the
# third is for the Swift toolchain, to run and to compile and link C; the fourth is for the examples
# and tests.
packages=(
  libuv1-dev libsqlite3-dev libyaml-dev pkg-config
  libcurl4-openssl-dev
  libcurl4 libncurses6 libxml2 binutils libc6-dev libstdc++-12-dev git ca-certificates
  python3 tzdata
)
# Those without which something is skipped.
optional_packages=()
# intent-web, which `make run` does not build, draws pictures, and Pango brings sixty packages.
web_packages=(libmicrohttpd-dev libpango1.0-dev zlib1g-dev)
[[ ${1:-} == run ]] || packages+=("${web_packages[@]}")
case ${1:-} in
  # With what it needs, Debian 12 fetches 21 MB for Node and unpacks 89 MB: too much for `make run`.
  # A bus and its proxy are small; a box that was granted names on the bus is tested with them. The
  # entries of imported blocks are compared with what i3blocks itself prints. The Tab key is pressed
  # in the two shells, which take 37 MB.
  tests) optional_packages=(nodejs dbus-daemon dbus-bin xdg-dbus-proxy i3blocks zsh fish) ;;
  # A compositor, an X server without a screen, the bars, a screenshot, a pointer for X, a browser,
  # and the program that fetches later bars (scripts/later-bars.sh).
  surfaces | --surfaces)
    optional_packages=(
      waybar sway i3-wm xvfb polybar lemonbar tmux xfce4-panel xfce4-genmon-plugin conky-std grim
      xdotool dbus-daemon dbus-bin mmdebstrap
      chromium
    )
    ;;
  deb) packages+=(dpkg-dev) ;;
  check-deb)
    packages+=(dpkg-dev)
    optional_packages=(lintian desktop-file-utils appstream mmdebstrap)
    ;;
esac

# Without dpkg and apt-get the script cannot install anything; it checks the tools themselves.
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  for tool in pkg-config python3 ld; do
    command -v "$tool" >/dev/null || { complain "there is no $tool on PATH"; exit 1; }
  done
  pkg-config --exists 'libuv >= 1.44' || { complain "libuv 1.44 or later is missing (with headers)"; exit 1; }
  pkg-config --exists sqlite3 || { complain "SQLite 3 is missing (with headers)"; exit 1; }
  [[ ${1:-} == run ]] || pkg-config --exists libmicrohttpd pangocairo zlib ||
    { complain "libmicrohttpd, Pango with Cairo or zlib is missing (with headers)"; exit 1; }
  pkg-config --exists 'libcurl >= 7.85' ||
    { complain "libcurl 7.85 or later is missing (with headers)"; exit 1; }
  pkg-config --exists yaml-0.1 || { complain "libyaml is missing (with headers)"; exit 1; }
  check_version
  exit 0
fi

has_library() { [[ $(/sbin/ldconfig -p) == *$'\t'"$1"* ]]; }

is_installed() {
  case $1 in
    # Later releases of Debian have a later version; any is enough.
    libstdc++-12-dev) compgen -G '/usr/include/c++/*/string' >/dev/null ;;
    pkg-config) command -v pkg-config >/dev/null ;;
    # The names of these packages change with releases; check that the loader finds the library.
    libcurl4) has_library libcurl.so.4 ;;
    libncurses6) has_library libncurses.so.6 ;;
    libxml2) has_library libxml2.so ;;
    python3) command -v python3 >/dev/null ;;
    nodejs) command -v node >/dev/null ;;
    git) command -v git >/dev/null ;;
    *) [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]] ;;
  esac
}

as_root=()
if ((EUID != 0)); then
  as_root=(sudo)
  # Without a terminal nobody can type a password: let sudo fail and not wait.
  [[ -t 0 ]] || as_root=(sudo -n)
fi

# install_packages PACKAGE...: fails when they could not be installed.
install_packages() {
  ((EUID == 0)) || command -v sudo >/dev/null || return 1
  printf 'setup: installing %s\n' "$*"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get install -y -q --no-install-recommends "$@")
  # A fresh image has no package lists and an old one has outdated lists: try again after an update.
  "${apt[@]}" </dev/null >/dev/null 2>&1 ||
    { "${as_root[@]}" apt-get update -q </dev/null && "${apt[@]}" </dev/null; }
}

by_hand() { printf '  as root, run: apt-get update && apt-get install -y %s' "$*"; }

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if ((${#missing[@]})) && ! install_packages "${missing[@]}"; then
  complain "these packages are missing and could not be installed: ${missing[*]}" \
    "$(by_hand "${missing[@]}")"
  exit 1
fi

for package in "${optional_packages[@]}"; do
  is_installed "$package" || install_packages "$package" ||
    complain "some checks will be skipped without $package" "$(by_hand "$package")"
done
check_version
