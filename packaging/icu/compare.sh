#!/usr/bin/env bash
# Checks that trimmed data of ICU spells every number in every language as all of the data does.
#
#   packaging/icu/compare.sh TRIMMED     the object file that trim.py made
set -euo pipefail
trimmed=$(readlink -f "$1")
cd "$(dirname "$0")"
libraries=$(dirname "$(swift -print-target-info |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["paths"]["runtimeResourcePath"])')")/swift_static

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./trim.py --all --out "$work/all.o" 2>/dev/null
clang -O1 -I "$libraries" -c spell.c -o "$work/spell.o"
for data in "$work/all.o" "$trimmed"; do
  clang -o "$work/spell" "$work/spell.o" "$data" "$libraries/linux/lib_FoundationICU.a" \
    "-Wl,--wrap=$(cat "${data%.o}.symbol"),--gc-sections" -lstdc++ -lm -lpthread -ldl
  "$work/spell" >"$work/$(basename "$data").txt" 2>"$work/said"
done
if ! cmp "$work/all.o.txt" "$work/$(basename "$trimmed").txt"; then
  printf 'compare: the trimmed data spells otherwise; keep more of it in packaging/icu/trim.py\n' >&2
  exit 1
fi
printf 'compare: the trimmed data spells alike; %s\n' "$(sed 's/^spell: //' "$work/said")" >&2
