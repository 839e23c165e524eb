#!/usr/bin/env python3
"""trim: makes an object file with the part of ICU's data that intentd uses.

    trim.py --out .build/icu/data.o          the part
    trim.py --all --out .build/icu/all.o     everything, to compare with
    trim.py --list                           the names of all items, and which are in the part

The ICU inside Foundation brings 34 MB of data: calendars, currencies, collation, converters. Of
those intentd uses the rules that spell numbers (docs/decisions/0007) and what they refer to; the
clock of the examples uses time zones, and has the same part. The data is one object in the archive of the Swift toolchain, with one symbol. The part gets the symbol
__wrap_NAME, and the linker's option --wrap=NAME leads everything there that asks for NAME; then
nothing asks for the toolchain's object, and --gc-sections drops it. NAME has ICU's version in it and
is written beside the object, with the ending .symbol.

docs/PACKAGING.md has the figures; packaging/icu/compare.sh shows that the part gives the same
answers as everything.
"""
import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile

ARCHIVE = "lib_FoundationICU.a"
MEMBER = "icu_packaged_data.cpp.o"
# Beside the rules and the locales of their languages: what ICU opens on the way. Without one of the
# first two rows, spell.c sees a difference; the third is for names of languages that stand for others.
SINGLE = {"pool.res", "res_index.res", "root.res", "numberingSystems.res", "plurals.res",
          "pluralRanges.res", "curr/pool.res", "curr/root.res",
          "likelySubtags.res", "metadata.res", "supplementalData.res",
          # Time zones, for Foundation in Examples/clock. Without one of the first row, zones.c sees
          # a difference; the second is for names of zones.
          "keyTypeData.res", "timezoneTypes.res", "zoneinfo64.res",
          "metaZones.res", "windowsZones.res"}


class Unexpected(Exception):
    """The toolchain's data has another form than this program knows."""


def archive_folder():
    """The folder of the toolchain's static libraries."""
    target = json.loads(subprocess.run(["swift", "-print-target-info"], check=True,
                                       stdout=subprocess.PIPE).stdout)
    return os.path.join(os.path.dirname(target["paths"]["runtimeResourcePath"]),
                        "swift_static", "linux")


def read_data(folder):
    """The symbol of the data, and its bytes."""
    with tempfile.TemporaryDirectory() as temporary:
        subprocess.run(["ar", "x", os.path.join(folder, ARCHIVE), MEMBER], check=True,
                       cwd=temporary)
        path = os.path.join(temporary, MEMBER)
        names = subprocess.run(["nm", "--format=posix", path], check=True, text=True,
                               stdout=subprocess.PIPE).stdout.split("\n")
        symbols = [line.split()[0] for line in names if line]
        if len(symbols) != 1:
            raise Unexpected(f"{MEMBER} has the symbols {symbols}; one was expected")
        raw = os.path.join(temporary, "data")
        subprocess.run(["objcopy", "-O", "binary", "-j", ".rodata", path, raw], check=True)
        with open(raw, "rb") as file:
            return symbols[0], file.read()


def read_items(data):
    """The header, the prefix of all names, and each item's name and bytes.

    Source: ICU, `ucmndata.h`: a header, the count, pairs of offsets, names, and the items in the
    order of names.
    """
    header_size, magic1, magic2 = struct.unpack_from("<HBB", data)
    if (magic1, magic2) != (0xDA, 0x27) or data[12:16] != b"CmnD":
        raise Unexpected("the data does not begin as a package of ICU does")
    count, = struct.unpack_from("<I", data, header_size)
    pairs = [struct.unpack_from("<II", data, header_size + 4 + 8 * index) for index in range(count)]
    items = []
    for index, (name_offset, start) in enumerate(pairs):
        begin = header_size + name_offset
        name = data[begin:data.index(b"\0", begin)].decode()
        end = pairs[index + 1][1] if index + 1 < count else len(data) - header_size
        items.append((name, data[header_size + start:header_size + end]))
    prefix = items[0][0].split("/")[0] + "/"
    if not all(name.startswith(prefix) for name, _ in items):
        raise Unexpected(f"not every name begins with {prefix}")
    return data[:header_size], prefix, [(name[len(prefix):], value) for name, value in items]


def wanted(names):
    """The names of the items that intentd uses: what ICU opens to spell in a language."""
    rules = [name.removeprefix("rbnf/") for name in names if name.startswith("rbnf/")]
    languages = {language_of(name) for name in rules}
    return {name for name in names
            if name.startswith("rbnf/") or name in SINGLE
            or ("/" not in name and name.endswith(".res") and language_of(name) in languages)}


def language_of(name):
    """`zh` of `zh_Hant.res`."""
    return name.removesuffix(".res").split("_")[0]


def write_data(header, prefix, items):
    """A package of these items, in the order of names that ICU searches."""
    names = bytearray()
    pairs = []
    values = bytearray()
    table_size = 4 + 8 * len(items)
    offsets = []
    for name, _ in items:
        offsets.append(table_size + len(names))
        names += (prefix + name).encode() + b"\0"
    start = table_size + len(names)
    start += -(len(header) + start) % 16
    for (_, value), name_offset in zip(items, offsets):
        # Each item begins at a multiple of 16 bytes, as ICU's own packages have it.
        values += b"\xaa" * (-len(values) % 16)
        pairs.append((name_offset, start + len(values)))
        values += value
    table = struct.pack("<I", len(items)) + b"".join(struct.pack("<II", *pair) for pair in pairs)
    body = header + table + names
    return bytes(body + b"\xaa" * (len(header) + start - len(body)) + values)


def write_object(symbol, data, path):
    """An object file with the bytes under the symbol."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        raw = os.path.join(temporary, "data")
        with open(raw, "wb") as file:
            file.write(data)
        symbol = "__wrap_" + symbol
        source = (f'.section .rodata\n.balign 16\n.globl {symbol}\n.hidden {symbol}\n'
                  f'.type {symbol}, @object\n{symbol}:\n.incbin "{raw}"\n'
                  f'.size {symbol}, .-{symbol}\n.section .note.GNU-stack,"",@progbits\n')
        subprocess.run(["as", "-o", path, "-"], check=True, input=source.encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", help="the object file to write")
    parser.add_argument("--all", action="store_true", help="leave nothing out")
    parser.add_argument("--list", action="store_true", help="list all items")
    options = parser.parse_args()
    try:
        symbol, data = read_data(archive_folder())
        header, prefix, items = read_items(data)
    except Unexpected as error:
        sys.exit(f"trim: {error}\n  this Swift has another ICU; look at packaging/icu/trim.py")
    if write_data(header, prefix, items) != data:
        sys.exit("trim: all items, written again, are not the toolchain's bytes")
    chosen = wanted([name for name, _ in items])
    if options.list:
        for name, value in items:
            print("+" if name in chosen else "-", len(value), name)
    if options.out:
        kept = [(name, value) for name, value in items if options.all or name in chosen]
        trimmed = write_data(header, prefix, kept)
        write_object(symbol, trimmed, options.out)
        with open(options.out.removesuffix(".o") + ".symbol", "w", encoding="utf-8") as file:
            file.write(symbol + "\n")
        print(f"trim: {len(kept)} of {len(items)} items of ICU's data, {len(trimmed):,} of "
              f"{len(data):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
