#!/usr/bin/env bash
# Makes a Debian system in a folder, with systemd, logind, a session bus and the user `ann`.
#
#   scripts/root/make.sh ROOT SUITE [PACKAGE…] [-- OPTION…]
#
# SUITE is bookworm, trixie, …; options after -- go to mmdebstrap. The mirror and the way to it (a
# proxy, say) are those of this machine's apt.
set -euo pipefail
root=$1 suite=$2
shift 2
packages=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd
while (($#)) && [[ $1 != -- ]]; do
  packages+=,$1
  shift
done
(($#)) && shift

mirror=$(apt-get indextargets --format '$(REPO_URI)' \
  'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 2>/dev/null | head -n 1)
if [[ -z $mirror ]]; then
  printf 'make: apt has no Debian mirror here\n  name one in /etc/apt/sources.list.d\n' >&2
  exit 1
fi

apt_options=$(mktemp)
trap 'rm -f "$apt_options"' EXIT
apt-config dump --format '%f "%v";%n' |
  grep -E '^Acquire::(http|https|ftp|Retries|ForceIPv|Check-)' >"$apt_options" || true

# The lists stay, and what was downloaded for later.
mmdebstrap --quiet --variant=minbase --skip=cleanup/apt --aptopt="$apt_options" \
  --include="$packages" \
  --customize-hook='chroot "$1" useradd --create-home --uid 1000 --shell /bin/bash ann' \
  "$@" "$suite" "$root" "$mirror"
