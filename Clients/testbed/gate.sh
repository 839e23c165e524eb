#!/bin/sh
echo run >>"$HOME/runs"
cat "$HOME/gate" >/dev/null
echo '{"entries":[{"date":"2026-11-20T08:00:00Z","content":{"text":"open"}}],"policy":"never"}'
