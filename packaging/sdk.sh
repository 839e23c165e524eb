#!/usr/bin/env bash
# Copies the SDK for widgets in Swift: the sources with which a widget written for iOS is built.
#
#   packaging/sdk.sh FOLDER     for make install, and for the package intentd-sdk
#
# The targets are those that Package.swift calls `sdk`, with what they need; in the copy it leaves
# out all others, since their sources are not there. What was in the folder before goes.
set -euo pipefail
umask 022
((${#@} == 1)) || { printf 'sdk.sh: name the folder to make\n' >&2; exit 64; }
folder=$(realpath -m "$1")
cd "$(dirname "$0")/.."

# The folders of the targets, one a line.
folders() {
  INTENTD_SDK=1 swift package --ignore-lock dump-package | python3 -c '
import json, sys
for target in json.load(sys.stdin)["targets"]:
    kind = "Plugins" if target["type"] == "plugin" else "Sources"
    print(target.get("path") or kind + "/" + target["name"])'
}

rm -rf "$folder"
install -D -m 644 -t "$folder" Package.swift LICENSE
folders | sort | while read -r path; do
  while read -r file; do
    install -D -m 644 "$path/$file" "$folder/$path/$file"
  done < <(cd "$path" && find . -type f -printf '%P\n' | sort)
done
