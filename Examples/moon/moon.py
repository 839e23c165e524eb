#!/usr/bin/env python3
"""Moon: its phase and a picture of it, as a one-shot provider.

It is an example of pictures. Each is drawn once, as a PNG in the cache folder of this widget, and an
entry names its file; the daemon reads it when the answer arrives, and keeps equal ones once. The
picture is transparent around the disk, so it fits light and dark surroundings.

The phase counts from a new moon that is known, in mean months. The real moon is up to fourteen hours
earlier or later; nobody sees that in a picture.
"""
import datetime as dt
import json
import math
import os
import signal
import struct
import sys
import zlib

NEW_MOON = dt.datetime(2000, 1, 6, 18, 14, tzinfo=dt.timezone.utc)
MONTH_DAYS = 29.530588853
PICTURES = 60  # of a month: two a day
SIDE = 160
NAMES = ["new moon", "waxing crescent", "first quarter", "waxing gibbous", "full moon",
         "waning gibbous", "last quarter", "waning crescent"]


def main():
    request = json.load(sys.stdin.buffer)
    now = dt.datetime.fromisoformat(request["now"].replace("Z", "+00:00"))
    count = 8 if request["request"] == "timeline" else 1
    entries = [entry(now + dt.timedelta(hours=6 * n)) for n in range(count)]
    later = now + dt.timedelta(days=1)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that is gone ends it without a word
    json.dump({"entries": entries, "policy": {"after": written(later)}}, sys.stdout)


def entry(moment):
    phase = (moment - NEW_MOON).total_seconds() / 86400 / MONTH_DAYS % 1
    lit = (1 - math.cos(2 * math.pi * phase)) / 2
    name = NAMES[int(phase * 8 + 0.5) % 8]
    number = int(phase * PICTURES) % PICTURES
    percent = round(100 * lit)
    content = {"title": name.capitalize(), "text": f"{percent} % lit", "short": f"{percent} %",
               "symbol": "moon"}
    picture = file_of(number)
    if picture:
        content["image"] = {"file": picture, "alt": f"the moon, {percent} % lit"}
    return {"date": written(moment), "content": content, "url": "moon://tonight"}


def written(moment):
    return moment.astimezone(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


# MARK: the picture


def file_of(number):
    """Return the file of a picture, which is drawn if it is not there; None without a cache."""
    folder = os.environ.get("INTENTD_CACHE")
    if not folder:
        return None
    path = os.path.join(folder, f"moon-{number:02}.png")
    if not os.path.exists(path):
        # Under another name first: the daemon never finds a file that is half written.
        fresh = f"{path}.{os.getpid()}"
        with open(fresh, "wb") as file:
            file.write(png((number + 0.5) / PICTURES))
        os.rename(fresh, path)
    return path


def png(phase):
    """Return the disk at a phase, 0 to 1, as a file of greys with transparency."""
    rows = b"".join(b"\0" + bytes(value for x in range(SIDE) for value in pixel(x, y, phase))
                    for y in range(SIDE))
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 4, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def chunk(name, body):
    return (struct.pack(">I", len(body)) + name + body
            + struct.pack(">I", zlib.crc32(name + body)))


def pixel(x, y, phase):
    """Return the grey and the opacity of a place, with edges that are smooth."""
    radius = SIDE / 2 - 2
    right, down = (x + 0.5 - SIDE / 2) / radius, (y + 0.5 - SIDE / 2) / radius
    inside = (1 - math.hypot(right, down)) * radius + 0.5
    if inside <= 0:
        return 0, 0
    # The terminator is half an ellipse: the light comes from the right until full moon.
    edge = math.cos(2 * math.pi * phase) * math.sqrt(max(0, 1 - down * down))
    lit = (right - edge if phase < 0.5 else -edge - right) * radius + 0.5
    share = min(max(lit, 0), 1)
    return round(70 + 160 * share - 25 * share * seas(right, down)), round(255 * min(inside, 1))


def seas(right, down):
    """Return how dark the ground is, 0 to 1: three seas, soft at their edges."""
    places = [(-0.3, -0.35, 0.34), (0.32, -0.28, 0.24), (0.3, 0.12, 0.28)]
    return max(min(1, max(0, (size - math.hypot(right - x, down - y)) * 8))
               for x, y, size in places)


if __name__ == "__main__":
    main()
