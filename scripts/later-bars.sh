#!/usr/bin/env bash
# Unpacks bars of Debian 13 into a folder, beside those of the machine: a tmux with ranges of its
# user (3.4 and later), and Waybar 0.12. Tests take them from $INTENTD_LATER_BARS.
#
#   scripts/later-bars.sh FOLDER   makes FOLDER/bin/tmux and FOLDER/bin/waybar
#
# Nothing of them is installed: each runs with the loader and the libraries of the folder, on the
# kernel and with the shell of this machine. It needs root, for apt in a folder, and mmdebstrap.
set -euo pipefail

complain() { printf 'later-bars: %s\n' "$@" >&2; }

(($# == 1)) || { complain 'name one folder: scripts/later-bars.sh FOLDER'; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
programs=(tmux waybar)

# The file says which programs are there, so that a folder of an older list is made anew.
if [[ $(cat "$folder/complete" 2>/dev/null) != "${programs[*]}" ]]; then
  command -v mmdebstrap >/dev/null ||
    { complain 'mmdebstrap is missing: apt-get install mmdebstrap'; exit 1; }
  rm -rf "$folder/root"
  mmdebstrap --mode=root --variant=extract --include="$(IFS=,; echo "${programs[*]}")" \
    --aptopt='Apt::Install-Recommends "false"' trixie "$folder/root" ||
    { complain 'the packages of Debian 13 could not be fetched'; exit 1; }
  echo "${programs[*]}" >"$folder/complete"
fi

mkdir -p "$folder/bin"
for program in "${programs[@]}"; do
  cat >"$folder/bin/$program" <<END
#!/bin/sh
root='$folder/root'
for loader in "\$root"/usr/lib64/ld-linux-*.so.? "\$root"/usr/lib/ld-linux-*.so.?; do
  [ -x "\$loader" ] && break
done
for libraries in "\$root"/usr/lib/*-linux-gnu; do break; done
exec "\$loader" --library-path "\$libraries:\$libraries/pulseaudio" "\$root/usr/bin/$program" "\$@"
END
  chmod 755 "$folder/bin/$program"
done
"$folder/bin/tmux" -V
"$folder/bin/waybar" --version
