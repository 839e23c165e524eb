#!/usr/bin/env bash
# Switches off a system that boot.sh started; the folder stays.
#
#   scripts/root/end.sh ROOT
set -euo pipefail
root=$(readlink -f "$1")
supervisor=$(cat "$root.pid")
"$(dirname "$0")/in.sh" "$root" systemctl poweroff 2>/dev/null || true
for _ in {1..300}; do
  kill -0 "$supervisor" 2>/dev/null || break
  sleep 0.1
done
# The namespace ends with its first process.
kill -KILL "$supervisor" 2>/dev/null || true
group=$(cat "$root.group")
# Best effort: groups below it may take a moment to empty.
[[ -z $group ]] || find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
rm -f "$root.pid" "$root.group"
