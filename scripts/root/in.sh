#!/usr/bin/env bash
# Runs a command as root in a system that boot.sh started.
#
#   scripts/root/in.sh ROOT COMMAND [ARGUMENT…]
set -euo pipefail
root=$(readlink -f "$1")
shift
init=$(ps -o pid= --ppid "$(cat "$root.pid")" | head -n 1 | tr -d ' ')
[[ -n $init ]] || { printf 'in: no system runs in %s\n' "$root" >&2; exit 1; }
exec nsenter --target "$init" --mount --pid --net --cgroup --uts --ipc --root --wd \
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
  LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive "$@"
