#!/usr/bin/env bash
# Puts intentd into a tree: for `make install` and for the packages.
#
#   [DESTDIR=TREE] packaging/install.sh PROGRAMS PREFIX [PART…]     ~/.local, /usr/local, /usr
#
# PROGRAMS is the folder of the built programs. PART is daemon (intentd and intent-send), web
# (intent-web), fetch (intent-fetch) or sdk (the sources for widgets in Swift); without one, all. Installed again, it replaces what it
# installed; what a newer version no longer has goes, too. It touches nothing in ~/.config.
set -euo pipefail
umask 022
programs=$(cd "$1" && pwd)
prefix=$2
parts=("${@:3}")
((${#parts[@]})) || parts=(daemon web fetch sdk)
cd "$(dirname "$0")/.."
root=${DESTDIR:-}$prefix

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# put FILE DESTINATION: a new file takes the place of the old one, which a running daemon keeps.
put() { install -D -m "${mode:-644}" "$1" "$root/$2"; }

# systemd looks for a user's units in ~/.local/share, and in lib below /usr and /usr/local.
units=lib/systemd/user
[[ $prefix != "$HOME"/* ]] || units=share/systemd/user

# put_unit NAME: a service starts the program below the prefix, with the arguments that it has.
put_unit() {
  sed "s|^ExecStart=%h/.local/|ExecStart=$prefix/|" "packaging/$1" >"$stage/$1"
  put "$stage/$1" "$units/$1"
}

# put_program NAME: a program, its completions and its manual pages.
put_program() {
  local program=$1 shell page
  mode=755 put "$programs/$program" "bin/$program"
  for shell in bash zsh fish; do
    # A shell reads the script into itself: its first line is no #! for it.
    "$programs/$program" --generate-completion-script "$shell" | sed '1{/^#!/d}' \
      >"$stage/$program.$shell"
  done
  put "$stage/$program.bash" "share/bash-completion/completions/$program"
  put "$stage/$program.zsh" "share/zsh/$([[ $prefix == /usr ]] && echo vendor-completions || echo site-functions)/_$program"
  put "$stage/$program.fish" "share/fish/vendor_completions.d/$program.fish"

  packaging/manual.py --programs "$programs" --out "$stage/manual-$program" "$program" 2>/dev/null
  rm -f "$root/share/man/man1/$program.1.gz"
  # Of a command that a newer version no longer has. `intentd-…` are pages of other packages.
  [[ $program != intent-send ]] || rm -f "$root"/share/man/man1/intent-send-*.1.gz
  for page in "$stage/manual-$program"/*.1; do
    gzip -9n "$page"
    put "$page.gz" "share/man/man1/$(basename "$page").gz"
  done
}

put_daemon() {
  local file
  put_program intentd
  put_program intent-send
  put_unit intentd.service
  put_unit intentd.socket
  put packaging/intentd.desktop share/applications/intentd.desktop
  # By which the session's bus, GNOME Shell and KRunner find the daemon.
  put packaging/org.intentd.Daemon.desktop share/applications/org.intentd.Daemon.desktop
  put packaging/org.intentd.Daemon.svg share/icons/hicolor/scalable/apps/org.intentd.Daemon.svg
  sed "s|^Exec=/usr/|Exec=$prefix/|" packaging/org.intentd.Daemon.service \
    >"$stage/org.intentd.Daemon.service"
  put "$stage/org.intentd.Daemon.service" share/dbus-1/services/org.intentd.Daemon.service
  put packaging/org.intentd.Daemon.search-provider.ini \
    share/gnome-shell/search-providers/org.intentd.Daemon.search-provider.ini
  put packaging/org.intentd.Daemon.krunner.desktop \
    share/krunner/dbusplugins/org.intentd.Daemon.desktop
  put packaging/org.intentd.intentd.metainfo.xml share/metainfo/org.intentd.intentd.metainfo.xml
  rm -rf "$root/share/intentd/intents"
  while read -r file; do
    put "Intents/$file" "share/intentd/intents/$file"
  done < <(cd Intents && find . -name '*.yaml' -printf '%P\n')
}

put_web() {
  put_program intent-web
  put_unit intent-web.service
  put_unit intent-web.socket
}

put_fetch() { put_program intent-fetch; }

put_sdk() { packaging/sdk.sh "$root/share/intentd/sdk"; }

for part in "${parts[@]}"; do
  "put_$part"
done
