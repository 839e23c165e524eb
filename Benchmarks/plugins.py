#!/usr/bin/env python3
"""plugins: what the scripts of a bar cost, here and in i3blocks.

    plugins.py --intentd .build/release/intentd [--seconds 20] [--scripts 50]

A daemon has fifty widgets whose script is `date +%T`, each second, and one surface shows them; an
i3blocks has fifty blocks of the same command. Both run at the same time. The processor time is what
the kernel accounts to the threads of the daemon and of its supervisor of runs, and to i3blocks; the
time of the scripts is that of the children they waited for. A refresh is one run of one script.

Prints one JSON object, for each side with: `refreshes`; `own_us` and `all_us`, processor time per
refresh in microseconds without and with the scripts; `switches`, voluntary context switches per
refresh; for the daemon also `bytes`, written to the disk per refresh (`null`: only root may read
that), and `idle_switches`, its context switches in five seconds in which nobody looks. Without
i3blocks its side is `null`.

`floods` has the processor time of a daemon and its supervisor, as a share of one core, while one
plugin that stays running prints without a pause: `yes` many lines at once, `lines` each number by
itself, `frames` menus between lines `~~~`. `script` is the share of the plugin itself.
"""
import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time

import start

IDLE_SECONDS = 5
WARM_SECONDS = 3  # placing, first runs and the daemon's first transactions are over by then
MANIFEST = """kind: {kind}
name: {kind}
families: [systemSmall]
provider: {{exec: [date, +%T], protocol: i3blocks, every: 1s}}
"""
STREAM = """kind: flood
name: flood
families: [systemSmall]
provider: {{exec: {exec}, protocol: {protocol}, stream: true}}
"""
FLOODS = {
    "yes": ("waybar", ["yes"]),
    "lines": ("waybar", ["sh", "-c", "n=0; while :; do n=$((n+1)); echo $n; done"]),
    "frames": ("swiftbar", ["yes", "a | color=red\n---\nb\n~~~"]),
}
FLOOD_SHARE_MAX = 0.05  # of one core
# KiB that the daemon may gain meanwhile: a frame, what is read of the next one, and their copies.
FLOOD_GROWTH_MAX = 4096
BLOCK = "[{kind}]\ncommand=date +%T\ninterval=1\n\n"


class Usage:
    """What the kernel accounts to some processes so far."""

    def __init__(self, pids):
        self.own = self.children = self.switches = 0
        self.bytes = 0
        tick = 1e6 / os.sysconf("SC_CLK_TCK")
        for pid in pids:
            for task in os.listdir(f"/proc/{pid}/task"):
                place = f"/proc/{pid}/task/{task}"
                with open(place + "/schedstat") as file:
                    self.own += int(file.read().split()[0]) / 1e3
                with open(place + "/status") as file:
                    self.switches += sum(int(line.split()[1]) for line in file
                                         if line.startswith("voluntary_ctxt_switches"))
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            self.children += (int(fields[13]) + int(fields[14])) * tick
            try:
                with open(f"/proc/{pid}/io") as file:
                    written = next(line for line in file if line.startswith("write_bytes"))
                self.bytes += int(written.split()[1])
            except PermissionError:
                self.bytes = None
                return

    def since(self, before, refreshes):
        own = self.own - before.own
        return {"refreshes": refreshes, "own_us": own / refreshes,
                "all_us": (own + self.children - before.children) / refreshes,
                "switches": (self.switches - before.switches) / refreshes,
                "bytes": None if None in (self.bytes, before.bytes)
                else (self.bytes - before.bytes) / refreshes}


class Daemon:
    """A daemon with the widgets, and a surface that shows them."""

    def __init__(self, intentd, directory, kinds, manifest=MANIFEST):
        self.home = start.Home(intentd, directory)
        widgets = os.path.join(self.home.folder, "config", "intentd", "widgets")
        for kind in kinds:
            with open(os.path.join(widgets, kind + ".yaml"), "w", encoding="utf-8") as file:
                file.write(manifest.format(kind=kind))
        _, _, self.process = self.home.start()
        self.updates = 0
        self.surface, self.tool = self.connect(), self.connect()
        self.ask(self.surface, "surface.attach", visible=True)
        for kind in kinds:
            self.ask(self.tool, "widget.add", kind=kind, id=kind)
        threading.Thread(target=self.listen, daemon=True).start()

    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        client.connect(self.home.socket)
        return client, client.makefile("rb")

    def ask(self, connection, method, **params):
        client, lines = connection
        self.send(client, method, params, 1)
        while True:
            answer = json.loads(lines.readline() or b'{"id": 1, "error": "it ended"}')
            if answer.get("id") == 1:
                break
        if "error" in answer:
            raise start.Broken(f"{method}: {answer['error']}")
        return answer["result"]

    @staticmethod
    def send(client, method, params, number):
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        client.sendall(json.dumps(request).encode() + b"\n")

    def listen(self):
        """Reads what the surface is told; each line has some widgets that changed."""
        for line in self.surface[1]:
            message = json.loads(line)
            if message.get("method") == "surface.update":
                self.updates += len(message["params"].get("widgets", []))

    def pids(self):
        """The daemon and its supervisor, which is its only child."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return [self.process.pid] + [int(pid) for pid in file.read().split()]

    def runs(self):
        """The processor time of the programs that run now, in microseconds."""
        supervisor = self.pids()[-1]
        with open(f"/proc/{supervisor}/task/{supervisor}/children") as file:
            return sum(Usage([pid]).own for pid in file.read().split())

    def hide(self):
        self.send(self.surface[0], "surface.visibility", {"visible": False}, 2)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.home.remove()


class Blocks:
    """An i3blocks with the same commands; its output is read and thrown away."""

    def __init__(self, program, directory, kinds):
        self.config = os.path.join(directory or "/tmp", f"i3blocks-{os.getpid()}.conf")
        with open(self.config, "w", encoding="utf-8") as file:
            file.write("".join(BLOCK.format(kind=kind) for kind in kinds))
        self.process = subprocess.Popen([program, "-c", self.config], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def pids(self):
        return [self.process.pid]

    def stop(self):
        self.process.kill()
        self.process.wait()
        os.unlink(self.config)


def measure(intentd, directory, seconds, count):
    """The members of the JSON object that this program prints."""
    kinds = [f"clock-{number}" for number in range(count)]
    program = shutil.which("i3blocks")
    sides = {"intentd": Daemon(intentd, directory, kinds)}
    try:
        if program:
            sides["i3blocks"] = Blocks(program, directory, kinds)
        time.sleep(WARM_SECONDS)
        before = {name: Usage(side.pids()) for name, side in sides.items()}
        updates = sides["intentd"].updates
        begin = time.monotonic()
        time.sleep(seconds)
        after = {name: Usage(side.pids()) for name, side in sides.items()}
        took = time.monotonic() - begin
        refreshes = {"intentd": sides["intentd"].updates - updates,
                     # It prints the whole bar at each change: its runs are counted by the clock.
                     "i3blocks": round(took) * count}
        if refreshes["intentd"] < took * count / 2:
            raise start.Broken(f"{refreshes['intentd']} refreshes in {took:.0f} s")
        result = {name: after[name].since(before[name], refreshes[name]) for name in sides}
        if program:
            sides.pop("i3blocks").stop()
        sides["intentd"].hide()
        time.sleep(1)  # runs under way, and the transaction of the last minute
        quiet = Usage(sides["intentd"].pids()).switches
        time.sleep(IDLE_SECONDS)
        result["intentd"]["idle_switches"] = Usage(sides["intentd"].pids()).switches - quiet
        for side in list(sides):
            sides.pop(side).stop()
        return {"i3blocks": None, **result, "floods": flood(intentd, directory, seconds / 4)}
    finally:
        for side in sides.values():
            side.stop()


def resident_kib(pid):
    """The resident memory of a process in KiB."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))


def flood(intentd, directory, seconds):
    """The shares of one core that a flood takes, and the KiB that it adds, by its name."""
    shares = {}
    for name, (protocol, words) in FLOODS.items():
        manifest = STREAM.format(protocol=protocol, exec=json.dumps(words))
        manifest = manifest.replace("{", "{{").replace("}", "}}")
        daemon = Daemon(intentd, directory, ["flood"], manifest)
        try:
            time.sleep(WARM_SECONDS)
            before, script, begin = Usage(daemon.pids()).own, daemon.runs(), time.monotonic()
            resident = resident_kib(daemon.pids()[0])
            time.sleep(seconds)
            took = (time.monotonic() - begin) * 1e6
            shares[name] = {"own": (Usage(daemon.pids()).own - before) / took,
                            "script": (daemon.runs() - script) / took,
                            "growth": resident_kib(daemon.pids()[0]) - resident}
        finally:
            daemon.stop()
    return shares


def rows(figures):
    """The rows of the table that bench.py prints."""
    ours, theirs = figures["intentd"], figures["i3blocks"]
    table = []

    def add(text, figure, beside, unit, most):
        ratio = figure / beside
        table.append({"row": text, "figure": figure, "beside": beside, "unit": unit,
                      "ratio": ratio, "expected": f"<= {most:g}", "pass": ratio <= most})

    if theirs:
        add("own processor time of a script's refresh ÷ i3blocks", ours["own_us"],
            theirs["own_us"], "µs", 2)
        add("the same with the scripts", ours["all_us"], theirs["all_us"], "µs", 0.6)
    add("voluntary context switches of a refresh ÷ 2", ours["switches"], 2, "", 1)
    if ours["bytes"] is not None:
        add("bytes on disk of a refresh ÷ 500", ours["bytes"], 500, "", 1)
    table.append({"row": f"context switches in {IDLE_SECONDS} s, no script is seen",
                  "figure": ours["idle_switches"], "beside": None, "unit": "", "ratio": None,
                  "expected": "= 0", "pass": ours["idle_switches"] == 0})
    for name, share in figures["floods"].items():
        add(f"own processor time a second while a plugin floods ({name})", share["own"] * 1e3,
            FLOOD_SHARE_MAX * 1e3, "ms", 1)
        add(f"memory that the daemon gains meanwhile ({name})", max(share["growth"], 0),
            FLOOD_GROWTH_MAX, "KiB", 1)
    return table


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--scripts", type=int, default=50)
    parser.add_argument("--directory", default=None)
    options = parser.parse_args()
    try:
        print(json.dumps(measure(os.path.abspath(options.intentd), options.directory,
                                 options.seconds, options.scripts)))
    except start.Broken as problem:
        print(f"plugins: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
