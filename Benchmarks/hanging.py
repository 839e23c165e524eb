#!/usr/bin/env python3
"""hanging: the time that a person's reload loses to four providers of other widgets that hang.

    hanging.py --intentd .build/release/intentd [--rounds 24]

Two daemons have the same good widget, whose provider answers at once. One of them also has four
widgets whose providers hang. These are placed right before the measurement, so that their runs take
the four slots that are for everybody, and keep them for five seconds. In the first four of these
seconds a person reloads the good widget, again and again, at both daemons in turn. The reload gets
one of the slots that are kept for persons, so the difference should be near 0; without such slots
it would be seconds.

Prints one JSON object: `pairs`, the number of reloads at each daemon; `with_ms`, `without_ms`, the
medians with and without those that hang; `more_ms` and `most_ms`, the median and the largest of the
differences, all in milliseconds.
"""
import argparse
import json
import os
import socket
import statistics
import sys
import time

import start

HANGING_COUNT = 4
MEASURED_SECONDS = 4  # a run gives its slot back after five (WidgetCenter/Limits.swift)
PAIR_COUNT_MIN = 5  # of fewer, the median says little
PAIR_COUNT_MAX = 24  # a provider that runs thirty times in a row is put in quarantine
ANSWER_SECONDS_MAX = 60  # then the daemon hangs itself
MANIFEST = """kind: {kind}
name: {kind}
families: [systemSmall]
provider:
  exec: [/bin/sh, -c, '{script}']
  timeout: 10m
"""
ANSWER = ('read -r request; printf \'\'{"entries":[{"date":"2020-01-01T00:00:00Z",'
          '"content":{"title":"ran"}}],"policy":"never"}\'\'')


class Side:
    """A daemon with the good widget, and perhaps some whose providers hang."""

    def __init__(self, intentd, directory, hanging_count):
        self.home = start.Home(intentd, directory)
        widgets = os.path.join(self.home.folder, "config", "intentd", "widgets")
        self.hanging = [f"hanging-{number}" for number in range(hanging_count)]
        scripts = {"good": ANSWER, **{kind: "sleep 600" for kind in self.hanging}}
        for kind, script in scripts.items():
            with open(os.path.join(widgets, kind + ".yaml"), "w", encoding="utf-8") as file:
                file.write(MANIFEST.format(kind=kind, script=script))
        _, _, self.process = self.home.start()
        self.client = socket.socket(socket.AF_UNIX)
        self.client.connect(self.home.socket)
        self.client.settimeout(ANSWER_SECONDS_MAX)
        self.lines = self.client.makefile("rb")
        self.ask("widget.add", kind="good", id="good")
        self.reload()

    def ask(self, method, **params):
        """The result of a request; notifications that come before it are skipped."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.client.sendall(json.dumps(request).encode() + b"\n")
        while True:
            answer = json.loads(self.lines.readline() or b'{"id": 1, "error": "it ended"}')
            if answer.get("id") == 1:
                break
        if "error" in answer:
            raise start.Broken(f"{method}: {answer['error']}")
        return answer["result"]

    def hang(self):
        """Places the widgets whose providers hang, and does not wait for them."""
        for kind in self.hanging:
            self.ask("widget.add", kind=kind, id=kind)

    def reload(self):
        """The milliseconds that a person waits for the good widget."""
        begin = time.perf_counter()
        receipt = self.ask("widget.reload", id="good", wait=True)["receipts"][0]
        if receipt["state"] != "done":
            raise start.Broken(f"the good widget's reload is {receipt}")
        return (time.perf_counter() - begin) * 1e3

    def stop(self):
        self.client.close()
        self.process.kill()
        self.process.wait()
        self.home.remove()


def measure(intentd, directory, rounds):
    """The members of the JSON object that this program prints."""
    sides = []
    try:
        for count in (HANGING_COUNT, 0):
            sides.append(Side(intentd, directory, count))
        pairs = []
        sides[0].hang()
        end = time.monotonic() + MEASURED_SECONDS
        while len(pairs) < rounds and time.monotonic() < end:
            pairs.append([side.reload() for side in sides])
    finally:
        for side in sides:
            side.stop()
    if len(pairs) < PAIR_COUNT_MIN:
        raise start.Broken(
            f"only {len(pairs)} reloads in {MEASURED_SECONDS} s; the machine is too busy")
    return {"pairs": len(pairs), "with_ms": statistics.median(pair[0] for pair in pairs),
            "without_ms": statistics.median(pair[1] for pair in pairs),
            "more_ms": statistics.median(pair[0] - pair[1] for pair in pairs),
            "most_ms": max(pair[0] - pair[1] for pair in pairs)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True)
    parser.add_argument("--rounds", type=int, default=PAIR_COUNT_MAX)
    parser.add_argument("--directory", default=None)
    options = parser.parse_args()
    try:
        print(json.dumps(measure(os.path.abspath(options.intentd), options.directory,
                                 options.rounds)))
    except start.Broken as problem:
        print(f"hanging: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
