#!/bin/sh
# @TITLE@: says how much room the disk has. Put your own data in its place.
#
# intentd starts this program, writes a request to its standard input as a line of JSON, and reads a
# timeline from its standard output. To see all of it, at each save:
#
#   intent-send try @KIND@ --watch
set -eu

# The moment of the request, "2026-11-20 21:00:00" in UTC. Compute dates from it and not from the
# clock; then `intent-send simulate` can play tomorrow.
now=$(sed -n 's/.*"now" *: *"\([0-9-]*\)T\([0-9:]*\).*/\1 \2/p')
in_seconds() { date -u -d "@$(($(date -u -d "$now" +%s) + $1))" +%Y-%m-%dT%H:%M:%SZ; }

# Makes a JSON string of a text that may hold anything.
json() {
    printf '"%s"' "$(printf '%s' "$1" | tr '\n\t' '  ' | tr -d '\000-\037' |
        sed 's/\\/\\\\/g; s/"/\\"/g')"
}

# Your data. Be quick: for the gallery this runs with "isPreview": true, and has two seconds.
free=$(df -Pk / | awk 'NR == 2 { printf "%d GB", $4 / 1000000 * 1.024 }')

# What to show from now on, and when to ask again.
cat <<END
{"entries": [
   {"date": "$(in_seconds 0)",
    "content": {"title": "@TITLE@", "text": $(json "$free free"), "short": $(json "$free")}}],
 "policy": {"after": "$(in_seconds 1800)"}}
END
