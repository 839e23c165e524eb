#!/usr/bin/env python3
"""store-fixture: keep a small store of this version for the tests of all later versions.

    scripts/store-fixture.py .build/release/intentd

Run it once a release, before the tag. It starts the daemon in a home of its own, makes it store some
rows of each kind, and stops it. It writes the database and the daemon's last answers to
Tests/IntegrationTests/Fixtures/VERSION.sqlite and .json. It refuses a version that has a fixture,
because a released store must not change.
"""
import json
import os
import shutil
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(os.path.dirname(HERE), "Tests", "IntegrationTests", "Fixtures")

CONFIGURATION = {
    "widgets/noted.yaml": "kind: noted\nname: Noted\nfamilies: [systemSmall, systemMedium]\n"
                          "intent: TakeNote\nprovider:\n  exec: [/bin/sleep, \"600\"]\n  timeout: 10m\n",
    "widgets/plain.yaml": "kind: plain\nname: Plain\nfamilies: [systemSmall]\n"
                          "provider:\n  exec: [/bin/sleep, \"600\"]\n  timeout: 10m\n",
    "intents/TakeNote/intent.yaml": "name: TakeNote\ntitle: Note\ndescription: Remember something.\n"
                                    "parameters:\n  - {name: note, title: Note, type: string, required: true}\n",
    "intents/TakeNote/en.yaml": "language: en\nintents:\n  TakeNote:\n    data:\n"
                                "      - sentences: [\"pick {own:note}\"]\n",
    "intents/lists/own.yaml": "lists:\n  own:\n    values: [nothing yet]\n",
}


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.number = 0

    def call(self, method, **params):
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        while True:
            answer = json.loads(self.lines.readline())
            if answer.get("id") == self.number:
                if "result" not in answer:
                    raise SystemExit(f"{method}: {answer['error']['message']}")
                return answer["result"]


def timeline(title, **more):
    entries = [{"date": "2020-01-01T00:00:00Z", "content": {"title": title, "symbol": "star"}, **more},
               {"date": "2099-01-01T00:00:00Z", "content": {"title": "far away"}}]
    return {"entries": entries, "policy": {"after": "2098-01-01T00:00:00Z"}}


def work(client):
    """Make the daemon store some rows of each kind; return the answers it must give afterwards."""
    receipts = []
    for number, family in enumerate(("systemSmall", "systemMedium", "systemSmall")):
        client.call("widget.add", kind="noted", id=f"n{number}", family=family,
                    parameters={"note": f"note {number} é 北京"})
    client.call("widget.add", kind="plain", id="plain")
    client.call("widget.add", kind="plain", id="gone")
    client.call("widget.remove", id="gone")
    for number in range(3):
        pushed = client.call("widget.push", id=f"n{number}", timeline=timeline(
            f"title {number}", relevance={"score": 10 * number, "duration": 3600},
            url=f"https://example.org/{number}"))
        receipts.append(pushed["receipt"]["id"])
    client.call("widget.push", id="plain", timeline=timeline("plain"))
    client.call("intent.setList", name="own", values=["first thing", "second thing"])
    for number in range(6):
        client.call("intent.donate", intent="TakeNote", parameters={"note": f"note {number % 3} é 北京"})
    client.call("stack.dismiss", id="n2")
    return {
        "widgets": client.call("widget.list")["widgets"],
        "receipts": [client.call("widget.receipt", id=receipt)["receipt"] for receipt in receipts],
        "history": client.call("daemon.history", limit=1000)["entries"],
        "sentences": {"pick second thing": True, "pick nothing yet": False},
        "configuration": CONFIGURATION,
    }


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    program = os.path.abspath(sys.argv[1])
    version = subprocess.run([program, "--version"], capture_output=True, text=True,
                             check=True).stdout.strip()
    target = os.path.join(FIXTURES, version)
    if os.path.exists(target + ".sqlite"):
        raise SystemExit(f"there is a store of {version} already; later versions are tested with it as it is")
    folder = tempfile.mkdtemp(prefix="store-fixture-")
    try:
        for path, text in CONFIGURATION.items():
            path = os.path.join(folder, "config", path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        path = os.path.join(folder, "d.sock")
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8"}
        child = subprocess.Popen(
            [program, "--config", os.path.join(folder, "config"), "--socket", path,
             "--state", os.path.join(folder, "state")], env=environment, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 20
            while not os.path.exists(path):
                if child.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit("the daemon does not start")
                time.sleep(0.02)
            expected = work(Client(path))
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait(20)
        store = os.path.join(folder, "state", "intentd.sqlite")
        with sqlite3.connect(store) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        os.makedirs(FIXTURES, exist_ok=True)
        shutil.copy(store, target + ".sqlite")
        os.chmod(target + ".sqlite", 0o644)
        with open(target + ".json", "w", encoding="utf-8") as file:
            json.dump(expected, file, ensure_ascii=False, indent=1)
            file.write("\n")
        print(f"{target}.sqlite, {os.path.getsize(store)} bytes")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
