#!/usr/bin/env bash
# Runs shell commands as the user `ann`, logged in: with logind, systemd --user and a session bus.
#
#   scripts/root/login.sh ROOT 'COMMANDS'
#
# The session ends with the commands. The user's systemd ends a little later, unless another session
# of hers is open.
set -euo pipefail
here=$(dirname "$0") root=$1
shift
commands=$*
# A $ is systemd's own, for variables; two are one for the shell.
exec "$here/in.sh" "$root" systemd-run --quiet --wait --pipe --collect \
  --property=PAMName=login --property=User=ann --property=WorkingDirectory=~ \
  --setenv=XDG_RUNTIME_DIR=/run/user/1000 \
  --setenv=DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus \
  bash -lc "${commands//\$/\$\$}"
