#!/usr/bin/env bash
# Takes the pictures of docs/pictures anew, from the real bars, a browser and a panel, each at most
# 20,000 bytes. Look at them before you commit them.
#
#   scripts/pictures.sh   needs the programs of scripts/setup.sh --surfaces, and pngquant
#
# A bar that is not installed keeps its picture.
set -euo pipefail
cd "$(dirname "$0")/.."

bytes_max=20000
command -v pngquant >/dev/null ||
  { printf 'pictures: pngquant is missing: apt-get install pngquant\n' >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
INTENTD_PICTURES=$folder swift test --filter '(Surface|Web)Pictures' "$@" || true

mkdir -p docs/pictures
shopt -s nullglob
for file in "$folder"/*.ppm; do
  python3 scripts/ppm_to_png.py "$file" "${file%.ppm}.png"
done
for file in "$folder"/*.png; do
  name=${file##*/}
  pngquant --force --strip --speed 1 --output "$file.small" 64 "$file"
  # A picture of few colours may be smaller as it was.
  if (($(stat -c %s "$file.small") > $(stat -c %s "$file"))); then cp "$file" "$file.small"; fi
  size=$(stat -c %s "$file.small")
  if ((size > bytes_max)); then
    printf 'pictures: %s has %d bytes, more than %d\n' "$name" "$size" "$bytes_max" >&2
    exit 1
  fi
  install -m 644 "$file.small" "docs/pictures/$name"
  printf '%s: %d bytes\n' "docs/pictures/$name" "$size"
done
