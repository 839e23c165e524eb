#!/usr/bin/env python3
"""start: how long a daemon takes until it answers: with many widgets, or as it is shipped.

    start.py --intentd .build/release/intentd [--widgets 10000] [--rounds 7]
    start.py --intentd .build/release/intentd --examples

Makes a state folder as a daemon leaves it behind (the tables are the daemon's own, the rows are
written here): so many widgets of one kind, each with 24 entries in 4 KiB, reloads in an hour. Then
starts the daemon on it again and again, and times from the start of the process to the answer of
the first request. Prints one JSON object, times in milliseconds.

With --examples the daemon has the intents and examples of this project and a state without widgets.
It is started as a service is, without arguments. Afterwards each example is placed, and when their
runs have ended, the idle daemon's memory is read: its proportional set size, in kilobytes.
"""
import argparse
import datetime
import json
import os
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENTRY_COUNT = 24
RECORD_BYTES = 4096

MANIFEST = """kind: noted
name: Noted
families: [systemSmall]
intent: TakeNote
provider:
  exec: [/bin/false]
"""
INTENT = """name: TakeNote
title: Note
description: Remember something.
parameters:
  - {name: note, title: Note, type: string, required: true}
"""


class Broken(Exception):
    """The daemon did not start, or does not have what it was given."""


class Home:
    """A home of its own: nothing of the person's is read or written."""

    def __init__(self, intentd, directory, is_shipped=False):
        self.intentd = intentd
        self.folder = tempfile.mkdtemp(prefix="start-", dir=directory)
        # In memory, as the runtime folder of a session is.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.runtime = tempfile.mkdtemp(prefix="intentd-start-", dir=memory)
        self.socket = os.path.join(self.runtime, "d.sock")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "LANG": "C.UTF-8",
                            "INTENTD_SOCKET": self.socket, "XDG_RUNTIME_DIR": self.runtime,
                            "XDG_DATA_DIRS": self.folder}
        for name in ("CONFIG", "STATE", "CACHE", "DATA"):
            self.environment[f"XDG_{name}_HOME"] = os.path.join(self.folder, name.lower())
            os.makedirs(os.path.join(self.folder, name.lower(), "intentd"), mode=0o700)
        config = os.path.join(self.folder, "config", "intentd")
        self.store = os.path.join(self.folder, "state", "intentd", "intentd.sqlite")
        if is_shipped:
            shutil.copytree(os.path.join(PROJECT, "Intents"), os.path.join(config, "intents"))
            shutil.copytree(os.path.join(PROJECT, "Examples"), os.path.join(config, "widgets"))
            return
        for path, text in (("widgets/noted.yaml", MANIFEST),
                           ("intents/TakeNote/intent.yaml", INTENT)):
            path = os.path.join(config, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def start(self):
        """The seconds until the daemon answered, its answer, and its process."""
        start = time.monotonic()
        child = subprocess.Popen([self.intentd], env=self.environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while True:
            try:
                client = socket.socket(socket.AF_UNIX)
                client.connect(self.socket)
                break
            except OSError as error:
                client.close()
                if child.poll() is not None or time.monotonic() - start > 30:
                    raise Broken(f"intentd: {child.stderr.read().decode()}") from error
                time.sleep(0.0005)
        with client:
            client.settimeout(60)
            client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"daemon.status"}\n')
            answer = json.loads(client.makefile("rb").readline())["result"]
        return time.monotonic() - start, answer, child

    def stop(self, child):
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=60)
        if child.returncode != 0:
            raise Broken(f"intentd ended with {child.returncode}")

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.runtime, ignore_errors=True)


def date(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def fill(path, count):
    """Rows as `Widget.record` and `SharedTimeline.record` write them."""
    entries = [{"date": date(-1800 + 3600 * hour),
                "content": {"title": f"entry {hour}", "text": "", "symbol": "cloud"}}
               for hour in range(ENTRY_COUNT)]
    room = RECORD_BYTES - len(json.dumps({"entries": entries, "policy": "atEnd"},
                                         separators=(",", ":"))) - 330
    for entry in entries:
        entry["content"]["text"] = "x" * max(0, room // ENTRY_COUNT)
    placed = date(-86400)
    with sqlite3.connect(path) as database:
        for number in range(count):
            note = f"note {number:05}"
            intent = {"name": "TakeNote", "parameters": {"note": note}}
            key = json.dumps({"note": note}, separators=(",", ":"))
            widget = {"kind": "noted", "family": "systemSmall", "intent": intent,
                      "configurationKey": key, "suggestion": False, "position": number + 1,
                      "placedAt": placed}
            timeline = {"intent": intent, "failures": 0, "scoreMax": 0.0,
                        "budget": {"balance": 11.5, "at": placed, "lastSpentAt": None},
                        "timeline": {"entries": entries, "policy": "atEnd"},
                        "fetchedAt": date(-1800), "dueAt": date(3600), "dueCause": "policy"}
            rows = ((f"noted-{number}", "widget", widget),
                    (f"noted\x1fsystemSmall\x1f{key}", "timeline", timeline))
            for name, table, record in rows:
                value = json.dumps(record, separators=(",", ":")).encode()
                database.execute(f"INSERT INTO {table} (key, bytes) VALUES (?, ?)", (name, value))
    database.close()


def measure_shipped(home, rounds):
    """Times of starts without widgets, then the memory with the examples placed."""
    times = []
    for number in range(rounds):
        for name in os.listdir(os.path.dirname(home.store)):
            os.unlink(os.path.join(os.path.dirname(home.store), name))
        seconds, answer, child = home.start()
        if answer["intents"] < 5 or answer["kinds"] < 5 or answer["issues"]:
            raise Broken(f"not all is read: {answer}")
        times.append(seconds * 1000)
        if number + 1 < rounds:
            home.stop(child)
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(home.socket)
            client.settimeout(60)
            lines = client.makefile("rb")

            def ask(method, params):
                request = {"jsonrpc": "2.0", "id": method, "method": method, "params": params}
                client.sendall(json.dumps(request).encode() + b"\n")
                for line in lines:
                    answer = json.loads(line)
                    if answer.get("id") == method:
                        return answer["result"]
                raise Broken("the daemon hung up")

            for kind in ask("gallery.list", {})["kinds"]:
                needed = {one["name"]: "London" for one in kind.get("parameters", ())
                          if one["required"]}
                ask("widget.add", {"kind": kind["kind"], "parameters": needed})
            ask("widget.reloadAll", {"wait": True})
            time.sleep(1)
            # Others cannot read the daemon's memory, so it is asked for.
            metrics = ask("daemon.metrics", {})["text"].splitlines()
            kilobytes = next(int(line.split()[1]) >> 10 for line in metrics
                             if line.startswith("intentd_memory_bytes "))
    finally:
        home.stop(child)
    return {"median_ms": round(statistics.median(times), 1), "best_ms": round(min(times), 1),
            "pss_kb": kilobytes}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", metavar="PATH", required=True, help="a release build")
    parser.add_argument("--widgets", type=int, default=10_000)
    parser.add_argument("--examples", action="store_true", help="as it is shipped, see above")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--directory", help="where the state lives; a real disk")
    options = parser.parse_args()
    home = Home(os.path.abspath(options.intentd), options.directory, options.examples)
    child = None
    try:
        if options.examples:
            print(json.dumps(measure_shipped(home, options.rounds)))
            return 0
        _, _, child = home.start()
        home.stop(child)
        fill(home.store, options.widgets)
        times = []
        for _ in range(options.rounds):
            seconds, answer, child = home.start()
            if answer["widgets"] != options.widgets:
                raise Broken(f"{answer['widgets']} of {options.widgets} widgets are back")
            times.append(seconds * 1000)
            home.stop(child)
        print(json.dumps({"widgets": options.widgets,
                          "store_bytes": os.path.getsize(home.store),
                          "median_ms": round(statistics.median(times), 1),
                          "best_ms": round(min(times), 1)}))
    except Broken as problem:
        print(f"start: {problem}", file=sys.stderr)
        return 1
    finally:
        if child and child.poll() is None:
            child.kill()
            child.wait()
        home.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
