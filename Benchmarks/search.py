"""The row on the desktop's search: a key pressed in KRunner, beside the same on the socket.

How: a daemon with the shipped intents has its name on a private dbus-daemon. One client asks on the
bus (`org.kde.krunner1.Match`), another on the socket (`intent.complete`, and for information
`intent.recognize`), one question at a time, in turns of a hundred. A figure is the daemon's
processor time for a question, user and system, of all its threads, as the scheduler accounts it; a
ratio is the median of the rounds' own ratios. The beginnings are those of a sentence as it is typed.

Run by itself it prints the row: Benchmarks/search.py INTENTD [ROUNDS]
"""
import json
import os
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

SENTENCE = "show weather for Beijing"
BEGINNINGS = [SENTENCE[:count] for count in range(4, len(SENTENCE) + 1)]
TURN = 100
SEARCH_RATIO_MAX = 2  # a key on the bus, beside the same question on the socket


def padded(data, size):
    return data + bytes(-len(data) % size)


def text(value):
    encoded = value.encode()
    return struct.pack("<I", len(encoded)) + encoded + b"\0"


class Bus:
    """A client of a bus that makes one call at a time."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        user = str(os.getuid()).encode().hex().encode()
        self.socket.sendall(b"\0AUTH EXTERNAL " + user + b"\r\n")
        self.socket.recv(512)
        self.socket.sendall(b"BEGIN\r\n")
        self.serial = 0
        self.rest = b""
        self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")

    def call(self, destination, path, interface, member, *words):
        """Returns the type of the answer: 2 for an answer, 3 for a refusal."""
        self.serial += 1
        fields = b""
        for code, kind, value in ((1, b"o", path), (2, b"s", interface), (3, b"s", member),
                                  (6, b"s", destination)):
            fields = padded(fields, 8) + bytes([code, 1]) + kind + b"\0" + text(value)
        body = b""
        if words:
            signature = b"s" * len(words)
            fields = padded(fields, 8) + bytes([8, 1]) + b"g\0"
            fields += bytes([len(signature)]) + signature + b"\0"
            for word in words:
                body = padded(body, 4) + text(word)
        head = b"l\1\0\1" + struct.pack("<III", len(body), self.serial, len(fields))
        self.socket.sendall(padded(head + fields, 8) + body)
        while True:
            kind, answered = self.message()
            if answered == self.serial:
                return kind

    def message(self):
        """Returns the type of the next message, and the serial that it answers or None."""
        while len(self.rest) < 16:
            self.rest += self.socket.recv(65536)
        body, _, fields = struct.unpack_from("<III", self.rest, 4)
        length = 16 + fields + (-fields % 8) + body
        while len(self.rest) < length:
            self.rest += self.socket.recv(65536)
        whole, self.rest = self.rest[:length], self.rest[length:]
        at, end, answered = 16, 16 + fields, None
        while at < end:
            at += -at % 8
            code, kind = whole[at], whole[at + 2:at + 3]
            at += 4
            if kind == b"u":
                if code == 5:
                    answered, = struct.unpack_from("<I", whole, at)
                at += 4
            elif kind == b"g":
                at += whole[at] + 2
            else:
                at += struct.unpack_from("<I", whole, at)[0] + 5
        return whole[1], answered


class Wire:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.answers = self.socket.makefile("rb")

    def call(self, method, **params):
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        self.socket.sendall(line.encode() + b"\n")
        return json.loads(self.answers.readline())


def microseconds(pid):
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1_000


class Search:
    def __init__(self, intentd, environment, folder, rounds, broken):
        self.intentd, self.environment, self.folder = intentd, environment, folder
        self.rounds, self.broken = rounds, broken
        self.rows, self.notes = [], []

    def run(self):
        if not shutil.which("dbus-daemon"):
            self.notes.append("dbus-daemon is not installed: the rows on search are left out")
            return
        bus_path = os.path.join(self.folder, "bus")
        environment = dict(self.environment, DBUS_SESSION_BUS_ADDRESS=f"unix:path={bus_path}")
        bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", f"--address=unix:path={bus_path}",
             "--print-address=1"], stdout=subprocess.PIPE)
        daemon = None
        try:
            bus.stdout.readline()
            daemon = subprocess.Popen([self.intentd], env=environment, stderr=subprocess.DEVNULL)
            self.measure(daemon, bus_path)
        finally:
            for child in (daemon, bus):
                if child:
                    child.terminate()
                    child.wait(30)

    def measure(self, daemon, bus_path):
        bus = Bus(bus_path)
        deadline = time.monotonic() + 30
        while self.match(bus, "show") != 2:
            if time.monotonic() > deadline:
                raise self.broken("the daemon has no name on the bus")
            time.sleep(0.05)
        wire = Wire(self.environment["INTENTD_SOCKET"])
        asks = {
            "search": lambda text: self.check(self.match(bus, text) == 2),
            "complete": lambda text: self.check("result" in wire.call(
                "intent.complete", text=text, languages=["en"], content=True)),
            "recognize": lambda text: self.check("result" in wire.call(
                "intent.recognize", text=SENTENCE)),
        }
        costs = {name: [] for name in asks}
        for ask in asks.values():
            self.turn(daemon.pid, ask)
        for _ in range(self.rounds):
            for name, ask in asks.items():
                costs[name].append(self.turn(daemon.pid, ask))
        middle = {name: statistics.median(of) for name, of in costs.items()}
        ratio = self.ratio(costs, "search", "complete")
        self.rows.append({
            "row": "a key in the desktop's search ÷ intent.complete on the socket",
            "figure": middle["search"], "beside": middle["complete"], "unit": "µs",
            "ratio": ratio, "expected": f"<= {SEARCH_RATIO_MAX}",
            "pass": ratio <= SEARCH_RATIO_MAX})
        of_key = self.ratio(costs, "search", "recognize")
        of_question = self.ratio(costs, "complete", "recognize")
        self.notes.append(
            f"a key in the desktop's search takes {of_key:.1f} times the processor time of "
            f"intent.recognize ({middle['recognize']:.0f} µs), its question alone {of_question:.1f}")

    def ratio(self, costs, one, other):
        return statistics.median(a / b for a, b in zip(costs[one], costs[other]))

    def match(self, bus, text):
        return bus.call("org.intentd.Daemon", "/org/intentd/Daemon", "org.kde.krunner1", "Match",
                        text)

    def check(self, is_well):
        if not is_well:
            raise self.broken("a question was refused")

    def turn(self, pid, ask):
        """The daemon's processor time for one question, in microseconds."""
        start = microseconds(pid)
        for number in range(TURN):
            ask(BEGINNINGS[number % len(BEGINNINGS)])
        return (microseconds(pid) - start) / TURN


def main():
    from bench import daemon_environment
    folder = tempfile.mkdtemp(prefix="intentd-search-")
    try:
        environment = daemon_environment(folder, folder, os.path.join(folder, "intentd.sock"))
        part = Search(os.path.abspath(sys.argv[1]), environment, folder,
                      int(sys.argv[2]) if len(sys.argv) > 2 else 9, RuntimeError)
        part.run()
        for row in part.rows:
            print(f"{row['row']}: {row['figure']:.0f} µs, beside {row['beside']:.0f} µs: "
                  f"{row['ratio']:.2f}, expected {row['expected']}")
        for note in part.notes:
            print("note:", note)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
