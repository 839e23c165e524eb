#!/usr/bin/env python3
"""downloads: a download that is unchanged, by intent-fetch and by curl, as whole processes.

    downloads.py --intent-fetch .build/release/intent-fetch [--pairs 200]

A server on loopback answers each question with 304. The two take turns, and each is timed from its
start to its end; the figure is the median of the pairs' ratios. Prints one JSON object, times in
microseconds.
"""
import argparse
import json
import os
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time

BODY = b"x" * 10_000
HEAD = b"HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n"


class Broken(Exception):
    """A download failed, or was not conditional: the figures would mean nothing."""


class Server:
    """Answers with 304 to whoever shows the tag, else with the body."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        self.conditional = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            with connection:
                request = b""
                while b"\r\n\r\n" not in request:
                    part = connection.recv(65536)
                    if not part:
                        break
                    request += part
                if b'if-none-match: "1"' in request.lower():
                    self.conditional += 1
                    connection.sendall(b"HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n")
                elif request:
                    connection.sendall(HEAD % len(BODY) + BODY)


def spawn(argv, environment):
    """Microseconds of a whole process."""
    null = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    start = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, environment, file_actions=null)
    _, status = os.waitpid(pid, 0)
    used = time.perf_counter() - start
    if status != 0:
        raise Broken(f"{' '.join(argv)} ended with {os.waitstatus_to_exitcode(status)}")
    return used * 1e6


def measure(program, directory, pairs):
    """The ratio of intent-fetch to curl, and the median time of both; None without curl."""
    curl = shutil.which("curl")
    if curl is None:
        return None
    with tempfile.TemporaryDirectory(prefix="downloads-", dir=directory) as folder:
        server = Server()
        url = f"http://127.0.0.1:{server.port}/file"
        # A linker writes a program through a map of it, page by page, and the kernel's cache has it
        # in single pages then. An installed one, as curl is, was written at once, and is mapped in
        # larger pieces.
        installed = os.path.join(folder, "intent-fetch")
        shutil.copy(program, installed)
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_CACHE_HOME": folder}
        tag = os.path.join(folder, "tag")
        with open(tag, "w", encoding="utf-8") as file:
            file.write('"1"\n')
        commands = {"intent-fetch": [installed, "--path", url],
                    "curl": [curl, "-q", "-s", "--etag-compare", tag, "-o", os.devnull, url]}
        for command in commands.values():
            spawn(command, environment)
        server.conditional = 0
        times = {name: [] for name in commands}
        for number in range(pairs):
            for name in list(commands)[::1 if number % 2 else -1]:
                times[name].append(spawn(commands[name], environment))
        if server.conditional != 2 * pairs:
            raise Broken(f"{server.conditional} of {2 * pairs} questions were conditional")
    ratios = [ours / theirs for ours, theirs in zip(times["intent-fetch"], times["curl"])]
    return {"ratio": statistics.median(ratios), "pairs": pairs,
            **{name: statistics.median(costs) for name, costs in times.items()}}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intent-fetch", required=True, metavar="PATH")
    parser.add_argument("--pairs", type=int, default=200)
    options = parser.parse_args()
    try:
        figures = measure(options.intent_fetch, None, options.pairs)
    except Broken as problem:
        print(f"downloads: {problem}", file=sys.stderr)
        return 1
    if figures is None:
        print("downloads: there is no curl", file=sys.stderr)
        return 1
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
