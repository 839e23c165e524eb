# The files in the packages, and their sizes: rows of check-deb that install nothing.
#
# $main, $web, $fetch, $examples and $sdk are the packages; $tree has a folder with the contents of each.

# Bytes, as `ls -l` shows them.
package_bytes_max=16000000
web_bytes_max=16000000
fetch_bytes_max=16000000
examples_bytes_max=16000000
sdk_bytes_max=1000000

check_files() {
  at_most "bytes of the package intentd" "$(stat -c %s "$main")" "$package_bytes_max"
  at_most "bytes of the package intentd-web" "$(stat -c %s "$web")" "$web_bytes_max"
  at_most "bytes of the package intentd-fetch" "$(stat -c %s "$fetch")" "$fetch_bytes_max"
  at_most "bytes of the package intentd-examples" "$(stat -c %s "$examples")" "$examples_bytes_max"
  at_most "bytes of the package intentd-sdk" "$(stat -c %s "$sdk")" "$sdk_bytes_max"
  check "no program names the folder of the build" names_no_build_folder
  check "the loader makes each program's tables read-only" has_relro
  check "intent-send and intent-web carry no ICU, and intent-send loads neither libuv nor SQLite nor libyaml" is_lean_client
  check "intentd asks for the system's libraries, libyaml among them" depends_on_libraries
  check "intent-web asks for its libraries, and intentd for none of them" has_page_apart
  check "intent-fetch asks for libcurl, and intentd does not: it opens no connection" has_downloads_apart
  check "units, intents, pages, schemas and clients are there" has_files
  check "every link of a page leads to a file that is installed" has_link_targets
  check "every command has a manual page" has_pages
  check "every command is in the completions of three shells" has_completions
  check "the packaged example in Swift passes its tests" tests_clock
  check "a widget in Swift, and one with an intent definition, build with the SDK alone" builds_with_sdk
  if command -v desktop-file-validate >/dev/null && command -v appstreamcli >/dev/null; then
    check "the desktop entries and the AppStream metadata are valid" validates
  else
    skip "desktop entries and AppStream metadata: apt-get install desktop-file-utils appstream"
  fi
  if command -v lintian >/dev/null; then
    check "lintian has no error and no warning" \
      lintian --allow-root --fail-on error,warning "$main" "$web" "$fetch" "$examples" "$sdk"
  else
    skip "lintian: apt-get install lintian"
  fi
  check "an installation from a clone, repeated, leaves what one leaves" installs_twice
}

names_no_build_folder() {
  ! grep -laF "$PWD/" "$tree"/*/usr/bin/*
}

has_relro() {
  local program missing=0
  for program in "$tree"/intentd{,-web,-fetch}/usr/bin/* "$tree"/intentd-examples/usr/bin/intentd-example-clock; do
    readelf --wide --program-headers "$program" | grep -q GNU_RELRO ||
      { printf '%s has no segment GNU_RELRO\n' "${program#"$tree/"}"; missing=1; }
  done
  return "$missing"
}

is_lean_client() {
  ! grep -aq icudt "$tree/intentd/usr/bin/intent-send" "$tree/intentd-web/usr/bin/intent-web" \
    "$tree/intentd-fetch/usr/bin/intent-fetch" &&
    ! objdump -p "$tree/intentd/usr/bin/intent-send" | grep -E 'NEEDED.*(icu|sqlite|libuv|yaml)'
}

depends_on_libraries() {
  depends_on "$main" libc6 libsqlite3-0 libsystemd0 libuv1 libyaml-0-2
}

# depends_on PACKAGE NAME…
depends_on() {
  local depends name
  depends=$(dpkg-deb --field "$1" Depends)
  for name in "${@:2}"; do
    [[ ", $depends" =~ ,\ $name(t64)?(,|\ |$) ]] ||
      { echo "no $name in: $depends"; return 1; }
  done
}

# The daemon links nothing of the page and the panels, and opens no port.
has_page_apart() {
  depends_on "$web" intentd libuv1 libmicrohttpd12 libpango-1.0-0 libpangocairo-1.0-0 libcairo2 zlib1g &&
    ! objdump -p "$tree"/intentd/usr/bin/* | grep -E 'NEEDED.*(microhttpd|pango|cairo|glib)'
}

# Only intent-fetch opens a connection to a network.
has_downloads_apart() {
  depends_on "$fetch" intentd libuv1 libcurl4 ca-certificates &&
    ! objdump -p "$tree"/intentd/usr/bin/* | grep -E 'NEEDED.*(curl|ssl|crypto)'
}

has_files() {
  local file missing=0
  while read -r file; do
    [[ -s $tree/intentd/usr/$file ]] || { printf 'there is no /usr/%s\n' "$file"; missing=1; }
  done < <(
    printf '%s\n' lib/systemd/user/intentd.{service,socket} share/applications/intentd.desktop \
      share/applications/org.intentd.Daemon.desktop \
      share/icons/hicolor/scalable/apps/org.intentd.Daemon.svg \
      share/dbus-1/services/org.intentd.Daemon.service \
      share/gnome-shell/search-providers/org.intentd.Daemon.search-provider.ini \
      share/krunner/dbusplugins/org.intentd.Daemon.desktop share/metainfo/org.intentd.intentd.metainfo.xml share/doc/intentd/{README,CHANGELOG,Examples/README}.md \
      share/doc/intentd/Clients/python/intentd{,_widget}.py \
      share/doc/intentd/Clients/node/intentd.{mjs,d.mts}
    find Intents -name '*.yaml' -printf 'share/intentd/intents/%P\n'
    find docs -type f -printf 'share/doc/intentd/%p\n')
  for file in lib/systemd/user/intent-web.{service,socket} share/man/man1/intent-web.1.gz \
    share/bash-completion/completions/intent-web share/zsh/vendor-completions/_intent-web \
    share/fish/vendor_completions.d/intent-web.fish; do
    [[ -s $tree/intentd-web/usr/$file ]] || { printf 'there is no /usr/%s\n' "$file"; missing=1; }
  done
  for file in bin/intent-fetch share/man/man1/intent-fetch.1.gz \
    share/bash-completion/completions/intent-fetch share/zsh/vendor-completions/_intent-fetch \
    share/fish/vendor_completions.d/intent-fetch.fish; do
    [[ -s $tree/intentd-fetch/usr/$file ]] || { printf 'there is no /usr/%s\n' "$file"; missing=1; }
  done
  grep -q '^ExecStart=/usr/bin/intent-web ' "$tree/intentd-web/usr/lib/systemd/user/intent-web.service" ||
    { echo "the unit does not start /usr/bin/intent-web"; missing=1; }
  grep -qx 'ExecStart=/usr/bin/intentd' "$tree/intentd/usr/lib/systemd/user/intentd.service" ||
    { echo "the unit does not start /usr/bin/intentd"; missing=1; }
  return "$missing"
}

has_link_targets() {
  packaging/pages.py --check "$tree"/*/usr/share/doc
}

# The commands of intent-send, one a line.
commands() {
  "$tree/intentd/usr/bin/intent-send" --experimental-dump-help | python3 -c 'import json, sys
for sub in json.load(sys.stdin)["command"]["subcommands"]:
    if sub["shouldDisplay"] and sub["commandName"] != "help":
        print(sub["commandName"])'
}

has_pages() {
  local command missing=0
  for command in $(commands); do
    [[ -f $tree/intentd/usr/share/man/man1/intent-send-$command.1.gz ]] ||
      { printf 'intent-send-%s has no page\n' "$command"; missing=1; }
  done
  [[ -n $command ]] && return "$missing"
}

has_completions() {
  local command file missing=0
  for file in bash-completion/completions/intent-send zsh/vendor-completions/_intent-send \
    fish/vendor_completions.d/intent-send.fish; do
    for command in $(commands); do
      grep -qw -- "$command" "$tree/intentd/usr/share/$file" ||
        { printf '%s does not know %s\n' "$file" "$command"; missing=1; }
    done
  done
  [[ -n $command ]] && return "$missing"
}

tests_clock() {
  INTENTD_EXAMPLE_CLOCK=$tree/intentd-examples/usr/bin/intentd-example-clock \
    python3 Examples/test_examples.py ClockTests
}

# The template, and an extension with an intent definition, built with the packaged sources. Nothing of
# the daemon is among them, and the program loads none of its libraries.
builds_with_sdk() {
  local place=$temporary/swift sdk=$tree/intentd-sdk/usr/share/intentd/sdk
  mkdir -p "$place/Transit"
  cp Tests/Extensions/TransitWidgets/{*Widget,IntentHandler,Timetable}.swift \
    Tests/Extensions/TransitWidgets/Transit.intentdefinition "$place/Transit"
  (
    export HOME=$place
    cd "$place" && mkdir -p .config &&
      "$tree/intentd/usr/bin/intent-send" new widget disk --in swift --sdk "$sdk" &&
      swift build --package-path disk && disk/.build/debug/Disk render &&
      "$tree/intentd/usr/bin/intent-send" new widget tram --in swift --sdk "$sdk" --from Transit &&
      swift build --package-path tram && tram/.build/debug/Tram render
  ) || return 1
  ! ldd "$place"/disk/.build/debug/Disk | grep -E 'libuv|sqlite|libyaml'
}

validates() {
  desktop-file-validate "$tree"/*/usr/share/applications/*.desktop &&
    appstreamcli validate --no-net "$tree"/intentd/usr/share/metainfo/*.xml
}

# `make install` of one version, and of the next over it.
installs_twice() {
  local home=$temporary/home
  local programs=$temporary/programs
  mkdir -p "$home/.config/intentd/intents" "$programs"
  cp "$tree"/intentd{,-web,-fetch}/usr/bin/* "$programs"
  echo 'lists: {}' >"$home/.config/intentd/intents/mine.yaml"
  HOME=$home packaging/install.sh "$programs" "$home/.local" || return 1
  (cd "$home" && find . | sort) >"$temporary/once"
  install -D /dev/null "$home/.local/share/intentd/intents/Gone/intent.yaml"
  HOME=$home packaging/install.sh "$programs" "$home/.local" || return 1
  (cd "$home" && find . | sort) | diff "$temporary/once" -
}

# The commit, built again: another folder, another umask, another time zone, another language.
builds_same_bytes() {
  local commit place=$temporary/another/place
  commit=$(git rev-parse HEAD) || return 1
  if [[ $main == *+changed* ]]; then
    echo "commit your changes: a package is compared with its commit"
    return 1
  fi
  git clone -q . "$place" && git -C "$place" checkout -q "$commit" &&
    (umask 077 && TZ=Asia/Tokyo LC_ALL=C HOME=$temporary make -C "$place" deb) &&
    cmp "$main" "$place/dist/$(basename "$main")" &&
    cmp "$web" "$place/dist/$(basename "$web")" &&
    cmp "$fetch" "$place/dist/$(basename "$fetch")" &&
    cmp "$examples" "$place/dist/$(basename "$examples")" &&
    cmp "$sdk" "$place/dist/$(basename "$sdk")"
}
