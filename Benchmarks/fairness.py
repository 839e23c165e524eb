"""The row on fairness: a client that asks for the worst, and the pings of another one.

How: a process of its own sends, over one connection, what takes a daemon longest, as fast as the
answers come: batches of a thousand sentences of a kilobyte that match nothing, such sentences in
lines that follow each other, and requests for everything there is. Meanwhile an honest client sends
a ping every two milliseconds. The row is the 99th percentile of its pings. Then the daemon gets
SIGTERM in the middle of a batch, and the second row is the time until it has ended.
"""
import json
import os
import signal
import socket
import time

PING_MICROSECONDS_MAX = 20_000
STOP_MICROSECONDS_MAX = 2_000_000
TEXTS = ["lorem ipsum dolor sit amet consectetur ", "show weather for nowhere and ", "xq and yz ",
         "显示 天气 "]


def message(number, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def worst():
    """The lines of one round of the hostile client."""
    sentences = [message(number, "intent.send", languages=["en", "*"],
                         text=(TEXTS[number % len(TEXTS)] * 100)[:1_000])
                 for number in range(1_000)]
    everything = [message(number, method) for number, method in enumerate(
        ["intent.list", "widget.list", "daemon.history", "daemon.metrics", "stack.explain",
         "stack.replay", "gallery.list", "daemon.status"] * 25)]
    return ["[" + ",".join(sentences) + "]"] + sentences + ["[" + ",".join(everything) + "]"]


def attack(path):
    """Sends the worst over and over, and reads the answers; never returns."""
    lines = [line.encode() + b"\n" for line in worst()]
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    if os.fork() == 0:
        while client.recv(1 << 20):
            pass
        os._exit(0)
    while True:
        for line in lines:
            client.sendall(line)


def in_process(work, *arguments):
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        try:
            work(*arguments)
        finally:
            os._exit(1)
    return pid


class Fairness:
    def __init__(self, path, daemon, seconds, broken):
        self.path, self.daemon, self.seconds, self.broken = path, daemon, seconds, broken
        self.rows = []

    def run(self):
        hostile = in_process(attack, self.path)
        try:
            self.run_pings()
            self.run_stop()
        finally:
            for number in (-hostile, hostile):
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            os.waitpid(hostile, 0)

    def run_pings(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(120)
        client.connect(self.path)
        answers = client.makefile("rb")
        took = []
        time.sleep(0.2)
        end = time.monotonic() + self.seconds
        while time.monotonic() < end or len(took) < 100:
            start = time.perf_counter()
            client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}\n')
            if not answers.readline():
                raise self.broken("the daemon closed the connection of an honest client")
            took.append((time.perf_counter() - start) * 1e6)
            time.sleep(0.002)
        took.sort()
        worst_of_hundred = took[len(took) * 99 // 100]
        self.add(f"a ping beside a client that asks for the worst: 99th percentile of {len(took):,}",
                 worst_of_hundred, PING_MICROSECONDS_MAX)

    def run_stop(self):
        start = time.perf_counter()
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait(60)
        self.add("SIGTERM until the daemon has ended, in the same state",
                 (time.perf_counter() - start) * 1e6, STOP_MICROSECONDS_MAX)

    def add(self, row, figure, most):
        self.rows.append({"row": row, "figure": figure, "beside": most, "unit": "µs",
                          "ratio": figure / most, "expected": "<= 1", "pass": figure <= most})
