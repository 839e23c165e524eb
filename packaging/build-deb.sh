#!/usr/bin/env bash
# Makes the Debian packages from programs that are built. `make deb` calls it.
#
#   packaging/build-deb.sh PROGRAMS OUT     the folder of the programs; the folder for the packages
#
# The same commit gives the same bytes: every date is that of the commit, or $SOURCE_DATE_EPOCH.
# $INTENTD_DEB_VERSION overrides the version, which comes from the commit, too.
set -euo pipefail
umask 022
export LC_ALL=C.UTF-8 TZ=UTC
programs=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."

complain() { printf 'build-deb: %s\n' "$@" >&2; }

for tool in dpkg-deb dpkg-shlibdeps objcopy python3; do
  command -v "$tool" >/dev/null || { complain "there is no $tool; on Debian: apt-get install dpkg-dev"; exit 1; }
done

# MARK: What the commit says

if ! git rev-parse --verify --quiet HEAD >/dev/null; then
  complain "this is no clone: version, date and maintainer of a package are those of its commit"
  exit 1
fi
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
maintainer=$(git log -1 --format='%an <%ae>')
number=$("$programs/intentd" --version)
if [[ -n ${INTENTD_DEB_VERSION:-} ]]; then
  version=$INTENTD_DEB_VERSION
elif [[ $(git tag --points-at HEAD) == *"v$number"* ]]; then
  version=$number
else
  # Before the release of that number, and after every earlier commit.
  version=$number~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S).g$(git rev-parse --short=7 HEAD)
fi
[[ -z $(git status --porcelain --untracked-files=no) ]] || version+=+changed
architecture=$(dpkg --print-architecture)

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# MARK: The trees

# put MODE FILE DESTINATION: DESTINATION is a path in the package, or ends in / for a folder.
put() {
  local destination=$tree/$3
  [[ $3 != */ ]] || destination+=$(basename "$2")
  install -D -m "$1" "$2" "$destination"
}

# put_compressed FILE DESTINATION: as Debian has manual pages and changelogs.
put_compressed() {
  mkdir -p "$(dirname "$tree/$2")"
  gzip -9n <"$1" >"$tree/$2.gz"
}

put_documents() {
  local name=$1
  put 644 packaging/debian/copyright "usr/share/doc/$name/"
  {
    printf '%s (%s) unstable; urgency=medium\n\n' "$name" "$version"
    printf '  * Built from the commit %s.\n' "$(git rev-parse HEAD)"
    printf '  * What each version brings is in CHANGELOG.md, in /usr/share/doc/intentd.\n\n'
    printf ' -- %s  %s\n' "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")"
  } >"$stage/changelog"
  put_compressed "$stage/changelog" "usr/share/doc/$name/changelog"
  [[ ! -f packaging/debian/$name.lintian-overrides ]] ||
    put 644 "packaging/debian/$name.lintian-overrides" "usr/share/lintian/overrides/$name"
}

# Takes out what nothing reads at run time. `.swift_modhash` has the compiler's own hashes, by which it
# knows a module again; they depend on the folder of the build, so zeroes take their place. Removed,
# the section would take the segment GNU_RELRO with it, and a running program could write its tables.
strip_program() {
  local bytes
  bytes=$(objdump -h -j .swift_modhash "$1" | awk '$2 == ".swift_modhash" { print $3 }')
  truncate -s "$((16#$bytes))" "$stage/zeroes"
  objcopy --strip-all --update-section .swift_modhash="$stage/zeroes" "$1"
  rm "$stage/zeroes"
}

stage_intentd() {
  DESTDIR=$tree packaging/install.sh "$programs" /usr daemon
  strip_program "$tree/usr/bin/intentd"
  strip_program "$tree/usr/bin/intent-send"
  # With the pages come the clients to copy.
  find README.md CHANGELOG.md docs {Intents,Examples,Clients}/README.md Clients/{python,node} \
    -type f ! -name 'test_*' ! -name types.py ! -path '*/__pycache__/*' -print0 |
    xargs -0 packaging/pages.py --out "$tree/usr/share/doc/intentd"
  put_documents intentd
}

stage_intentd_web() {
  DESTDIR=$tree packaging/install.sh "$programs" /usr web
  strip_program "$tree/usr/bin/intent-web"
  put_documents intentd-web
}

stage_intentd_fetch() {
  DESTDIR=$tree packaging/install.sh "$programs" /usr fetch
  strip_program "$tree/usr/bin/intent-fetch"
  put_documents intentd-fetch
}

stage_intentd_examples() {
  put 755 "$programs/intentd-example-clock" usr/bin/
  strip_program "$tree/usr/bin/intentd-example-clock"
  put 755 Examples/viewer/intentd-example-viewer usr/bin/
  put 644 Examples/viewer/org.intentd.example.Viewer.desktop usr/share/applications/
  local manifest file
  for manifest in Examples/*/*.yaml; do
    for file in "$(dirname "$manifest")"/*; do
      [[ -f $file ]] || continue
      put "$([[ -x $file ]] && echo 755 || echo 644)" "$file" "usr/share/intentd/widgets/${file#Examples/}"
    done
  done
  put 755 Examples/host-app.py usr/share/doc/intentd-examples/examples/
  ln -s ../intentd/Examples/README.md "$tree/usr/share/doc/intentd-examples/README.md"
  for file in packaging/debian/intentd-example-*.1; do
    put_compressed "$file" "usr/share/man/man1/$(basename "$file")"
  done
  put_documents intentd-examples
}

stage_intentd_sdk() {
  packaging/sdk.sh "$tree/usr/share/intentd/sdk"
  put_documents intentd-sdk
}

# MARK: The packages

# Prints the packages that the programs of the tree need. dpkg-shlibdeps does not know that packed
# relocations need the loader of glibc 2.36.
libraries() {
  mkdir -p "$stage/shlibs/debian"
  printf 'Source: intentd\n\nPackage: %s\nArchitecture: any\n' "$1" >"$stage/shlibs/debian/control"
  local file files=()
  for file in "$tree"/usr/bin/*; do
    [[ $(head -c 4 "$file" | tr -d '\0') != $'\x7fELF' ]] || files+=("$file")
  done
  (cd "$stage/shlibs" && dpkg-shlibdeps -O --warnings=1 "${files[@]}") |
    sed -n 's/^shlibs:Depends=//p' | sed -E 's/libc6 \(>= 2\.([0-9]|[12][0-9]|3[0-5])\)/libc6 (>= 2.36)/'
}

# The stanza of a package in packaging/debian/control, with its values.
control() {
  local kibibytes
  kibibytes=$(find "$tree" -mindepth 1 -not -path "$tree/DEBIAN*" -printf '%y %s\n' |
    awk '{ total += $1 == "f" || $1 == "l" ? int(($2 + 1023) / 1024) : 1 } END { print total }')
  awk -v RS= -v name="$1" '$2 == name' packaging/debian/control |
    sed -e "s|@VERSION@|$version|g" -e "s|@ARCHITECTURE@|$architecture|" \
      -e "s|@MAINTAINER@|$maintainer|" -e "s|@KIBIBYTES@|$kibibytes|" \
      -e "s|@LIBRARIES@|$([[ ! -d $tree/usr/bin ]] || libraries "$1")|"
}

package() {
  tree=$stage/$1
  mkdir -p "$tree/DEBIAN"
  "stage_${1//-/_}"
  control "$1" >"$tree/DEBIAN/control"
  local script
  for script in preinst postinst prerm postrm; do
    [[ ! -f packaging/debian/$1.$script ]] ||
      install -m 755 "packaging/debian/$1.$script" "$tree/DEBIAN/$script"
  done
  (cd "$tree" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)
  # Newer than the commit is only what this script wrote.
  find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  local file
  file=$out/${1}_${version}_$(sed -n 's/^Architecture: //p' "$tree/DEBIAN/control").deb
  dpkg-deb --root-owner-group -Zxz -z9 -Sextreme --threads-max=1 --build "$tree" "$file" >/dev/null
  printf 'build-deb: %s, %s bytes\n' "$file" "$(stat -c %s "$file")" >&2
}

rm -f "$out"/intentd_*.deb "$out"/intentd-{web,fetch,examples,sdk}_*.deb
package intentd
package intentd-web
package intentd-fetch
package intentd-examples
package intentd-sdk
