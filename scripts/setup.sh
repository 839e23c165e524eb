#!/usr/bin/env bash
# Checks the packages that a build needs and installs missing ones (with apt, through sudo if need
# be). If it cannot, it prints the command to run and stops. `make run` and `make test` call it
# first; it takes no time when nothing is missing.
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

# The packages by Debian's names. The first row is for intentd itself; the second is for the Swift
# toolchain, to run and to compile and link C; the third is for the examples and tests.
packages=(
  libuv1-dev libsqlite3-dev libyaml-dev pkg-config
  libcurl4 libncurses6 libxml2 binutils libc6-dev libstdc++-12-dev git ca-certificates
  python3 tzdata
)

# Without dpkg and apt-get the script cannot install anything; it checks the tools themselves.
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  for tool in pkg-config python3 ld; do
    command -v "$tool" >/dev/null || { complain "there is no $tool on PATH"; exit 1; }
  done
  pkg-config --exists 'libuv >= 1.44' || { complain "libuv 1.44 or later is missing (with headers)"; exit 1; }
  pkg-config --exists sqlite3 || { complain "SQLite 3 is missing (with headers)"; exit 1; }
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
    git) command -v git >/dev/null ;;
    *) [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]] ;;
  esac
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if ((!${#missing[@]})); then
  check_version
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  as_root=(sudo)
  # Without a terminal nobody can type a password: let sudo fail and not wait.
  [[ -t 0 ]] || as_root=(sudo -n)
fi
by_hand="apt-get update && apt-get install -y ${missing[*]}"

if ((EUID != 0)) && ! command -v sudo >/dev/null; then
  complain "these packages are missing: ${missing[*]}" "  as root, run: $by_hand"
  exit 1
fi

printf 'setup: installing %s\n' "${missing[*]}"
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
  apt-get install -y -q --no-install-recommends "${missing[@]}")
# A fresh image has no package lists and an old one has outdated lists: try again after an update.
if ! "${install[@]}" </dev/null >/dev/null 2>&1; then
  if ! { "${as_root[@]}" apt-get update -q </dev/null && "${install[@]}" </dev/null; }; then
    complain "these packages could not be installed: ${missing[*]}" "  as root, run: $by_hand"
    exit 1
  fi
fi
check_version
