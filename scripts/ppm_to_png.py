"""Writes a PPM of three bytes a pixel as a PNG, with the standard library alone.

Usage: python3 scripts/ppm_to_png.py IN.ppm OUT.png
"""

import struct
import sys
import zlib


def chunk(kind, data):
    """Return a chunk of a PNG: its length, its name, its bytes and their checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main(source, target):
    with open(source, "rb") as file:
        header = file.readline().split()
        pixels = file.read()
    if len(header) != 4 or header[0] != b"P6" or header[3] != b"255":
        sys.exit(f"{source}: its first line is not 'P6 WIDTH HEIGHT 255'")
    width, height = int(header[1]), int(header[2])
    rows = b"".join(
        b"\0" + pixels[row * width * 3 : (row + 1) * width * 3] for row in range(height)
    )
    with open(target, "wb") as file:
        file.write(
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9))
            + chunk(b"IEND", b"")
        )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
