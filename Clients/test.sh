#!/usr/bin/env bash
# Tests the clients against the daemon that was built in .build, or $INTENTD_PROGRAM, and the helper
# for widgets in Python by itself.
#
#   Clients/test.sh            all of them; says which ones were skipped, and why
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
status=0

if python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
  python3 Clients/python/test_intentd.py || status=1
  python3 Clients/python/test_intentd_widget.py || status=1
else
  echo 'clients: the tests for Python were skipped: there is no python3 3.9 or later'
fi

if node -e 'process.exit(process.versions.node.split(".")[0] < 18 ? 1 : 0)' 2>/dev/null; then
  # Node prints a line or more for each test; only those of a failure are worth reading.
  output=$(node --test Clients/node/test_intentd.mjs 2>&1) || { status=1; printf '%s\n' "$output"; }
  printf 'clients: Node %s: %s\n' "$(node --version)" \
    "$(grep -Eo '(tests|pass|fail|skipped) [0-9]+' <<<"$output" | paste -sd ' ')"
else
  echo 'clients: the tests of the client for Node were skipped: there is no node 18 or later'
fi
exit "$status"
