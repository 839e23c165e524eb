#!/usr/bin/env bash
# Puts intentd into a tree: for `make install` and for the package.
#
#   [DESTDIR=TREE] packaging/install.sh PROGRAMS PREFIX     ~/.local, /usr/local, /usr
#
# PROGRAMS is the folder of the built programs. Installed again, it replaces what it installed; what
# a newer version no longer has goes, too. It touches nothing in ~/.config.
set -euo pipefail
umask 022
programs=$(cd "$1" && pwd)
prefix=$2
cd "$(dirname "$0")/.."
root=${DESTDIR:-}$prefix

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# put FILE DESTINATION: a new file takes the place of the old one, which a running daemon keeps.
put() { install -D -m "${mode:-644}" "$1" "$root/$2"; }

mode=755 put "$programs/intentd" bin/intentd
mode=755 put "$programs/intent-send" bin/intent-send

# systemd looks for a user's units in ~/.local/share, and in lib below /usr and /usr/local.
units=lib/systemd/user
[[ $prefix != "$HOME"/* ]] || units=share/systemd/user
sed "s|^ExecStart=.*|ExecStart=$prefix/bin/intentd|" packaging/intentd.service >"$stage/intentd.service"
put "$stage/intentd.service" "$units/intentd.service"
put packaging/intentd.socket "$units/intentd.socket"
put packaging/intentd.desktop share/applications/intentd.desktop
put packaging/org.intentd.intentd.metainfo.xml share/metainfo/org.intentd.intentd.metainfo.xml

rm -rf "$root/share/intentd/intents"
while read -r file; do
  put "Intents/$file" "share/intentd/intents/$file"
done < <(cd Intents && find . -name '*.yaml' -printf '%P\n')

for program in intentd intent-send; do
  for shell in bash zsh fish; do
    # A shell reads the script into itself: its first line is no #! for it.
    "$programs/$program" --generate-completion-script "$shell" | sed '1{/^#!/d}' \
      >"$stage/$program.$shell"
  done
  put "$stage/$program.bash" "share/bash-completion/completions/$program"
  put "$stage/$program.zsh" "share/zsh/$([[ $prefix == /usr ]] && echo vendor-completions || echo site-functions)/_$program"
  put "$stage/$program.fish" "share/fish/vendor_completions.d/$program.fish"
done

packaging/manual.py --programs "$programs" --out "$stage/manual" 2>/dev/null
rm -f "$root"/share/man/man1/intentd.1.gz "$root"/share/man/man1/intent-send{,-*}.1.gz
for page in "$stage"/manual/*.1; do
  gzip -9n "$page"
  put "$page.gz" "share/man/man1/$(basename "$page").gz"
done
