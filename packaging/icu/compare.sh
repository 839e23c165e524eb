#!/usr/bin/env bash
# Checks that trimmed data of ICU gives what all of the data gives: numbers in words in every
# language, and time zones.
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

# answers PROGRAM DATA OUT: what a program prints with this data; $work/said is what it says of it.
answers() {
  clang -o "$work/$1" "$work/$1.o" "$2" "$libraries/linux/lib_FoundationICU.a" \
    "-Wl,--wrap=$(cat "${2%.o}.symbol"),--gc-sections" -lstdc++ -lm -lpthread -ldl
  "$work/$1" >"$3" 2>"$work/said" || { cat "$work/said" >&2; return 1; }
}

for program in spell zones; do
  clang -O1 -I "$libraries" -c "$program.c" -o "$work/$program.o"
  answers "$program" "$work/all.o" "$work/all.txt"
  answers "$program" "$trimmed" "$work/trimmed.txt"
  if ! cmp "$work/all.txt" "$work/trimmed.txt"; then
    printf 'compare: %s.c prints otherwise with the trimmed data; %s\n' "$program" \
      'keep more of it in packaging/icu/trim.py' >&2
    exit 1
  fi
  printf 'compare: alike with the trimmed data: %s\n' "$(cat "$work/said")" >&2
done
