#!/usr/bin/env python3
"""bench: the cost of intentd as ratios to a C server, Redis and hassil in the same run.

    make bench, or with other arguments: Benchmarks/bench.py --help

How: servers are compared by the processor time they take per request: user and system, of all
their threads, as the kernel accounts it, over the requests counted in the same span. Rates swing
by two on a machine that does other work and are printed as information; processor time repeats
within about a tenth. Servers that are compared form a group. In every round the members of a group
run in turns of half a second, the order rotated, until each has had its --seconds; a ratio is the
median of the rounds' own ratios, and so a slow minute of the machine slows both sides. Figures that
are no ratios are the best of the rounds, beside a fixed CPU loop (calibrate) timed in the same
rounds.

Redis is left out with a note when it is not installed. The rows on sentences, which have limits
and not only ratios, are sentences.py's; those on many widgets are engine.py's, and those on a
hostile client fairness.py's. The exit status is 1
when something broke (a process ended, a request was refused), and 2 when a row is below its bound.
"""
import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import downloads
import extension
import engine
import hanging
import fairness
import nodata
import plugins
import search
import sentences
import start
import surfaces

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "build")
CONNECTIONS = 64
VALUE_BYTES = 128  # about the size of an intent's record


class Broken(Exception):
    """Something ended or refused: the figures would mean nothing."""


def rpc(method, **params):
    request = {"jsonrpc": "2.0", "id": 1, "method": method}
    if params:
        request["params"] = params
    return json.dumps(request, separators=(",", ":"))


def resp(*words):
    """A Redis command; %d in a word is six digits on the wire (see loadgen --vary)."""
    parts = [f"*{len(words)}"]
    for word in words:
        parts += [f"${len(word.replace('%d', '000000'))}", word]
    return "".join(part + r"\r\n" for part in parts)


# MARK: loads and expectations

class Load:
    """Requests of one kind to one server; 64 connections keep `depth` of them under way each."""

    def __init__(self, server, request, depth=1):
        self.server = server
        self.mode = "redis" if server.startswith("redis") else "json"
        self.request = request
        self.depth = depth


# Loads that are compared run in turns: group after group.
GROUPS = [
    {"peer": Load("peer", rpc("daemon.ping")),
     "daemon.ping": Load("intentd", rpc("daemon.ping")),
     "intent.recognize": Load("intentd", rpc("intent.recognize",
                                             text="show weather for Beijing"))},
    {"peer, 64 deep": Load("peer", rpc("daemon.ping"), 64),
     "daemon.ping, 64 deep": Load("intentd", rpc("daemon.ping"), 64),
     "Redis PING, 64 deep": Load("redis", resp("PING"), 64)},
    {"Redis SET, fsync": Load("redis-fsync", resp("SET", "key:%d", "v" * VALUE_BYTES)),
     "intent.send, name": Load("intentd", rpc("intent.send", intent="ShowWeather",
                                              parameters={"city": "Beijing"})),
     "intent.send, sentence": Load("intentd", rpc("intent.send",
                                                  text="show weather for Beijing"))},
    {"Redis ZREVRANGE 0 9": Load("redis", resp("ZREVRANGE", "scores", "0", "9")),
     "stack.order, 10 of 10,000": Load("intentd-large", rpc("stack.order", limit=10, ids=True)),
     "the same with all they show": Load("intentd-large", rpc("stack.order", limit=10))},
]

# (row, dividend, divisor, the bound of the ratio of their processor times)
RATIOS = [
    ("C peer ÷ ping, one at a time", "peer", "daemon.ping", ">=", 0.85),
    ("C peer ÷ ping, 64 deep", "peer, 64 deep", "daemon.ping, 64 deep", ">=", 0.5),
    ("Redis PING ÷ ping, 64 deep", "Redis PING, 64 deep", "daemon.ping, 64 deep", ">=", 2.5),
    ("intent.recognize ÷ C peer", "intent.recognize", "peer", "<=", 6),
    ("durable intent.send by name ÷ Redis SET, appendfsync always", "intent.send, name",
     "Redis SET, fsync", "<=", 2),
    ("durable intent.send of a sentence ÷ the same", "intent.send, sentence",
     "Redis SET, fsync", "<=", 2.5),
    ("Redis ZREVRANGE 0 9 ÷ top ten, of 10,000 each", "Redis ZREVRANGE 0 9",
     "stack.order, 10 of 10,000", ">=", 1.0),
]
SLICE_SECONDS = 0.5
SPAWN_RATIO_MAX = 5  # intent-send status to true
DOWNLOAD_RATIO_MAX = 1.2  # intent-fetch to curl, of what is unchanged
HANGING_MORE_MILLISECONDS_MAX = 100  # a person's reload while four providers hang
CONTAINED_MORE_MICROSECONDS_MAX = 1500  # a run of true by the supervisor, beside one without it
IDLE_SECONDS = 10
NODATA_COUNT = 10  # widgets whose providers are asked each second
PLUGIN_COUNT = 50  # scripts of a bar, each second
PLUGIN_SECONDS = 20


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="run-", dir=options.directory)
        self.children = {}
        self.homes = []
        self.sockets = {}
        self.rates = {}  # load: [replies a second, one a round]
        self.latencies = {}  # load: [p99 in µs, one a turn]
        self.costs = {}  # load: [µs of the server's processor time per request, one a round]
        self.notes = []
        self.rows = []
        self.calibration = self.calibrate()
        self.sentences = {}  # figures of sentences.py
        self.engine = {}  # figures of engine.py

    # MARK: servers

    def start(self, name, argv, path, env=None):
        with open(os.path.join(self.folder, f"{name}.log"), "wb") as log:
            child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                     env=env, start_new_session=True)
        self.children[name] = child
        self.sockets[name] = path
        deadline = time.monotonic() + 20
        while True:
            self.check_alive(name)
            try:
                with socket.socket(socket.AF_UNIX) as probe:
                    probe.connect(path)
                return
            except OSError as error:
                if time.monotonic() > deadline:
                    raise Broken(f"{name} does not listen on {path}: {error}") from error
                time.sleep(0.02)

    def check_alive(self, name):
        status = self.children[name].poll()
        if status is not None:
            with open(os.path.join(self.folder, f"{name}.log"), errors="replace") as log:
                raise Broken(f"{name} ended with {status}:\n{log.read()[-2000:]}")

    def start_servers(self):
        options = self.options
        # A socket's path may have 107 bytes, so it lives in the short temporary folder.
        self.socket_folder = tempfile.mkdtemp(prefix="intentd-bench-")
        here = lambda name: os.path.join(self.socket_folder, name + ".sock")
        self.start("peer", [os.path.join(BUILD, "peer"), "--socket", here("peer")], here("peer"))
        if options.intentd:
            self.environment = daemon_environment(self.folder, self.socket_folder, here("intentd"))
            argv = [options.intentd, "--socket", here("intentd"),
                    "--config", self.environment["XDG_CONFIG_HOME"] + "/intentd",
                    "--state", self.environment["XDG_STATE_HOME"] + "/intentd"]
            self.start("intentd", argv, here("intentd"), self.environment)
            self.start_large()
        else:
            self.notes.append("no --intentd: only the servers it is compared with were measured")
        redis = shutil.which("redis-server")
        if not redis:
            self.notes.append("redis-server is not installed: its rows are left out")
            return
        for name, durable in (("redis", []), ("redis-fsync",
                                              ["--appendonly", "yes", "--appendfsync", "always"])):
            folder = os.path.join(self.folder, name)
            os.mkdir(folder)
            self.start(name, [redis, "--port", "0", "--unixsocket", here(name), "--save", "",
                              "--dir", folder, *durable], here(name))
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(here("redis"))
            client.sendall("".join(
                f"ZADD scores {number * 7919 % 10_007} noted-{number}\r\n"
                for number in range(10_000)).encode())
            client.settimeout(10)
            replies = client.makefile("rb")
            for _ in range(10_000):
                replies.readline()

    def start_large(self):
        """A second daemon, with a stack of 10,000 widgets."""
        home = start.Home(self.options.intentd, self.options.directory)
        self.homes.append(home)
        _, _, child = home.start()
        home.stop(child)
        start.fill(home.store, 10_000)
        self.start("intentd-large", [self.options.intentd], home.socket, home.environment)

    def stop(self):
        for child in self.children.values():
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        for name, child in self.children.items():
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                self.notes.append(f"{name} did not end on SIGTERM")
                child.kill()
                child.wait()
        for home in self.homes:
            home.remove()
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(getattr(self, "socket_folder", self.folder), ignore_errors=True)

    # MARK: one measurement

    def load(self, load, seconds):
        self.check_alive(load.server)
        done = subprocess.run(
            [os.path.join(BUILD, "loadgen"), "--socket", self.sockets[load.server],
             "--mode", load.mode, "--connections", str(CONNECTIONS), "--depth", str(load.depth),
             "--seconds", str(seconds), "--vary", "1000", "--request", load.request,
             "--server", str(self.children[load.server].pid)],
            capture_output=True, text=True)
        self.check_alive(load.server)
        if done.returncode != 0:
            raise Broken(f"loadgen on {load.server}: {done.stderr.strip()}")
        result = json.loads(done.stdout)
        if result["errors"]:
            raise Broken(f"{load.server} refused {result['errors']} of {result['requests']} "
                         f"requests such as {load.request[:100]}: {self.first_answer(load)}")
        if not result["requests"]:
            raise Broken(f"{load.server} answered nothing in {seconds:g} s")
        return result

    def first_answer(self, load):
        if load.mode == "redis":
            return "see its log"
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5)
            client.connect(self.sockets[load.server])
            client.sendall(load.request.encode() + b"\n")
            return client.makefile(errors="replace").readline().strip()[:400]

    def calibrate(self):
        done = subprocess.run([os.path.join(BUILD, "calibrate")], capture_output=True, check=True)
        return json.loads(done.stdout)["milliseconds"]

    def run_rounds(self):
        for number in range(self.options.rounds):
            self.calibration = min(self.calibration, self.calibrate())
            for group in GROUPS:
                self.run_group({name: load for name, load in group.items()
                                if load.server in self.children})
            progress(f"round {number + 1} of {self.options.rounds}")
        for row, above, below, relation, expected in RATIOS:
            if above in self.costs and below in self.costs:
                ratio = statistics.median(a / b for a, b in zip(self.costs[above],
                                                                self.costs[below]))
                self.rows.append({"row": row, "figure": statistics.median(self.costs[above]),
                                  "beside": statistics.median(self.costs[below]), "unit": "µs",
                                  "ratio": ratio, "expected": f"{relation} {expected}",
                                  "pass": ratio >= expected if relation == ">=" else
                                  ratio <= expected})

    def run_group(self, group):
        """One round of one group: each load runs --seconds, in slices that take turns."""
        slices = max(1, round(self.options.seconds / SLICE_SECONDS))
        results = {name: [] for name in group}
        names = list(group)
        for number in range(slices):
            turn = number % len(names)
            for name in names[turn:] + names[:turn]:
                results[name].append(self.load(group[name], self.options.seconds / slices))
        for name, parts in results.items():
            requests = sum(part["requests"] for part in parts)
            nanoseconds = sum(part["server_ns"] * part["requests"] for part in parts)
            self.costs.setdefault(name, []).append(nanoseconds / requests / 1000)
            seconds = sum(part["seconds"] for part in parts)
            self.rates.setdefault(name, []).append(requests / seconds)
            self.latencies.setdefault(name, []).extend(part["p99_us"] for part in parts)

    def run_spawns(self):
        """`intent-send status` as a whole process, in turns with `true`: the best of each."""
        if not self.options.intent_send or "intentd" not in self.children:
            return
        commands = {"true": [shutil.which("true")],
                    "status": [self.options.intent_send, "status"]}
        costs = {name: [] for name in commands}
        for number in range(self.options.spawns):
            for name in list(commands)[::1 if number % 2 else -1]:
                costs[name].append(spawn_microseconds(commands[name], self.environment))
        # The best run is the one that nothing else on the machine disturbed.
        best = {name: min(costs[name]) for name in costs}
        ratio = best["status"] / best["true"]
        self.rows.append({"row": f"`intent-send status`, a whole process, ÷ `true` "
                                 f"(best of {self.options.spawns})",
                          "figure": best["status"], "beside": best["true"], "unit": "µs",
                          "ratio": ratio, "expected": f"<= {SPAWN_RATIO_MAX}",
                          "pass": ratio <= SPAWN_RATIO_MAX})

    def run_contained(self):
        """A run of `true` by the supervisor, in a box and without, and one alone, in turns: the
        median of pairs."""
        pairs = 10 * self.options.spawns // 4
        answer = json.loads(subprocess.run([os.path.join(BUILD, "runs"), str(pairs)], check=True,
                                           capture_output=True, text=True).stdout)
        for what, more in [("its limits", answer["more_us"]),
                           ("its limits and a box", answer["box_more_us"])]:
            if more is None:
                self.notes.append("the kernel has no Landlock: no run in a box was measured")
                continue
            self.rows.append({"row": f"a run of `true` with {what}: what it takes more "
                                     f"({pairs} pairs)",
                              "figure": more, "beside": CONTAINED_MORE_MICROSECONDS_MAX,
                              "unit": "µs", "ratio": more / CONTAINED_MORE_MICROSECONDS_MAX,
                              "expected": "<= 1",
                              "pass": more <= CONTAINED_MORE_MICROSECONDS_MAX})

    def run_hanging(self):
        """A person's reload beside four providers that hang, and without them."""
        try:
            figures = hanging.measure(self.options.intentd, self.options.directory,
                                      hanging.PAIR_COUNT_MAX)
        except start.Broken as problem:
            raise Broken(str(problem)) from problem
        more = figures["more_ms"]
        self.rows.append({"row": "a reload by hand while four providers hang: what it takes more "
                                 f"({figures['pairs']} pairs)",
                          "figure": more, "beside": HANGING_MORE_MILLISECONDS_MAX, "unit": "ms",
                          "ratio": more / HANGING_MORE_MILLISECONDS_MAX, "expected": "<= 1",
                          "pass": more <= HANGING_MORE_MILLISECONDS_MAX})

    def run_downloads(self):
        """A download that is unchanged, by intent-fetch and by curl."""
        if not self.options.intent_fetch:
            return
        try:
            figures = downloads.measure(self.options.intent_fetch, self.options.directory,
                                        self.options.spawns)
        except downloads.Broken as problem:
            raise Broken(str(problem)) from problem
        if figures is None:
            self.notes.append("there is no curl: no download was compared with one of it")
            return
        self.rows.append({"row": "a download that is unchanged, a whole process, ÷ `curl` "
                                 f"({figures['pairs']} pairs)",
                          "figure": figures["intent-fetch"], "beside": figures["curl"],
                          "unit": "µs", "ratio": figures["ratio"],
                          "expected": f"<= {DOWNLOAD_RATIO_MAX}",
                          "pass": figures["ratio"] <= DOWNLOAD_RATIO_MAX})

    def run_plugins(self):
        """Scripts of a bar, here and in i3blocks."""
        try:
            figures = plugins.measure(self.options.intentd, self.options.directory,
                                      self.options.scripts_seconds, PLUGIN_COUNT)
        except start.Broken as problem:
            raise Broken(str(problem)) from problem
        if figures["i3blocks"] is None:
            self.notes.append("i3blocks is not installed: its rows are left out")
        if figures["intentd"]["bytes"] is None:
            self.notes.append("only root may read what the daemon wrote: its row is left out")
        self.rows += plugins.rows(figures)

    def run_nodata(self):
        """Runs that bring nothing new."""
        try:
            figures = nodata.measure(self.options.intentd, self.options.directory,
                                     self.options.scripts_seconds, NODATA_COUNT)
        except start.Broken as problem:
            raise Broken(str(problem)) from problem
        self.rows += nodata.rows(figures)

    def run_extension(self):
        """A widget of iOS, from its sources to its answers."""
        sdk = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
        try:
            figures = extension.measure(self.options.intent_send, sdk)
        except extension.Broken as problem:
            raise Broken(str(problem)) from problem
        self.rows += extension.rows(figures)

    def run_surfaces(self):
        """Bars, the page and panels."""
        try:
            figures = surfaces.measure(self.options)
        except start.Broken as problem:
            raise Broken(str(problem)) from problem
        if figures["bars"] is None:
            self.notes.append("only root, with sway and Waybar, may measure bars: left out")
        if figures["web"] is None or figures["web"]["dom_ms"] is None:
            self.notes.append("no intent-web or no chromium: the page is left out")
        self.rows += surfaces.rows(figures)

    def run_search(self):
        """A key pressed in the desktop's search, on a bus and a daemon of its own."""
        folder = tempfile.mkdtemp(prefix="search-", dir=self.socket_folder)
        environment = daemon_environment(
            os.path.join(folder, "home"), folder, os.path.join(folder, "intentd.sock"))
        part = search.Search(self.options.intentd, environment, folder,
                             3 * self.options.rounds, Broken)
        part.run()
        self.rows += part.rows
        self.notes += part.notes

    def run_fairness(self):
        """Ends the daemon, so it comes after everything else that asks it."""
        if "intentd" not in self.children:
            return
        part = fairness.Fairness(self.sockets["intentd"], self.children.pop("intentd"),
                                 2 * self.options.seconds * self.options.rounds, Broken)
        part.run()
        self.rows += part.rows

    def run_sentences(self):
        options = self.options
        part = sentences.Sentences(options.conformance, options.rounds, options.quick, Broken)
        part.run()
        self.rows += part.rows
        self.notes += part.notes
        self.sentences = part.figures

    def run_engine(self):
        options = self.options
        part = engine.Engine(options.engine_speed, options.simulate, options.intentd,
                             options.directory, options.rounds, options.quick, Broken)
        part.run()
        self.rows += part.rows
        self.notes += part.notes
        self.engine = part.figures

    def run_idle(self):
        """A daemon with nothing due sleeps: not one wake-up, of any thread."""
        if "intentd" not in self.children:
            return
        time.sleep(1)  # connections of the load are gone, the log is written
        pid = self.children["intentd"].pid
        before = context_switches(pid)
        time.sleep(self.options.idle)
        count = context_switches(pid) - before
        self.rows.append({"row": f"context switches in {self.options.idle:g} s, nothing due",
                          "figure": count, "beside": None, "unit": "", "ratio": None,
                          "expected": "= 0", "pass": count == 0})

    # MARK: the report

    def report(self):
        print(f"\nmachine: {os.cpu_count()} processors, state on {file_system(self.folder)}; "
              f"{self.options.rounds} rounds of {self.options.seconds:g} s, "
              f"{CONNECTIONS} connections")
        width = max([len(row["row"]) for row in self.rows], default=10)
        print(f"\n{'processor time of the server per request':{width}}  {'figure':>12} "
              f"{'beside':>12} {'ratio':>7}  expected")
        for row in self.rows:
            ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
            print(f"{row['row']:{width}}  {amount(row['figure'], row['unit']):>12} "
                  f"{amount(row['beside'], row['unit']):>12} {ratio:>7}  {row['expected']:13} "
                  f"{'PASS' if row['pass'] else 'below'}")
        print(f"\nfor information: processor time, median; rate and latency, best of "
              f"{self.options.rounds} rounds (calibration: {self.calibration:.1f} ms)")
        for name, rates in self.rates.items():
            print(f"  {name:28} {statistics.median(self.costs[name]):9.2f} µs "
                  f"{max(rates):12,.0f} /s   p99 {min(self.latencies[name]):9,.1f} µs")
        for note in self.notes:
            print(f"note: {note}")

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"rows": self.rows, "microseconds": self.costs, "rates": self.rates,
                       "p99_us": self.latencies,
                       "sentences": self.sentences, "engine": self.engine,
                       "calibration_ms": self.calibration, "notes": self.notes,
                       "rounds": self.options.rounds, "seconds": self.options.seconds},
                      file, indent=2)
            file.write("\n")


# MARK: small things


def daemon_environment(folder, runtime, path):
    """A home of its own: nothing of the person's is read or written."""
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8",
                   "INTENTD_SOCKET": path, "XDG_RUNTIME_DIR": runtime, "XDG_DATA_DIRS": folder,
                   "INTENTD_INTENTS": os.path.join(os.path.dirname(HERE), "Intents")}
    for name in ("CONFIG", "STATE", "CACHE", "DATA"):
        environment[f"XDG_{name}_HOME"] = os.path.join(folder, name.lower())
        os.makedirs(os.path.join(folder, name.lower(), "intentd"), mode=0o700)
    return environment


def spawn_microseconds(argv, environment):
    """The time that a whole process takes, from its start to its end."""
    null = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    start = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, environment, file_actions=null)
    _, status = os.waitpid(pid, 0)
    used = time.perf_counter() - start
    if status != 0:
        raise Broken(f"{' '.join(argv)} ended with {os.waitstatus_to_exitcode(status)}")
    return used * 1e6


def context_switches(pid):
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as file:
            total += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
    return total


def file_system(path):
    """The type of what `path` lies on: an fsync on tmpfs is free, and the ratio another."""
    best = ("", "?")
    with open("/proc/self/mounts") as mounts:
        for line in mounts:
            _, place, kind = line.split()[:3]
            place = place.replace("\\040", " ")
            if (path + "/").startswith(place.rstrip("/") + "/") and len(place) >= len(best[0]):
                best = (place, kind)
    return best[1]


def amount(number, unit):
    if number is None:
        return ""
    digits = 1 if unit == "ms" else 2 if unit == "µs" and number < 100 else 0
    return f"{number:,.{digits}f} {unit}".rstrip()


def progress(text):
    if sys.stderr.isatty():
        print(text, file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", metavar="PATH", help="the daemon, a release build")
    parser.add_argument("--intent-send", metavar="PATH", help="the command-line client")
    parser.add_argument("--intent-web", metavar="PATH", help="the server of page and panels")
    parser.add_argument("--intent-fetch", metavar="PATH", help="the program that downloads")
    parser.add_argument("--conformance", metavar="PATH", help="the tool that times sentences")
    parser.add_argument("--engine-speed", metavar="PATH", help="the tool that times the engine")
    parser.add_argument("--simulate", metavar="PATH", help="the simulator")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="of each load and round (default: 2)")
    parser.add_argument("--spawns", type=int, default=200, help="runs of intent-send and true")
    parser.add_argument("--idle", type=float, default=IDLE_SECONDS, help="seconds to watch idle")
    parser.add_argument("--scripts-seconds", type=float, default=PLUGIN_SECONDS,
                        help="to watch the scripts of a bar")
    parser.add_argument("--pushes", type=int, default=300, help="pushes to a bar (default: 300)")
    parser.add_argument("--only", choices=("servers", "surfaces", "sentences", "engine", "extension"),
                        help="leave the others out")
    parser.add_argument("--quick", action="store_true", help="3 short rounds: does it work at all")
    parser.add_argument("--directory", default=BUILD, help="where states live; a real disk, "
                        "since durable writes are measured (default: Benchmarks/build)")
    parser.add_argument("--json", metavar="FILE", help="write the results here, too")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.seconds, options.spawns, options.idle = 3, 0.5, 30, 3
        options.scripts_seconds, options.pushes = 5, 100
    for name in ("intentd", "intent_send", "intent_web", "intent_fetch", "conformance",
                 "engine_speed", "simulate"):
        path = getattr(options, name)
        if path:
            setattr(options, name, os.path.abspath(path))
    if not os.access(os.path.join(BUILD, "loadgen"), os.X_OK):
        parser.error("the C programs are not built; run: make -C Benchmarks")

    bench = Bench(options)
    try:
        if options.only in (None, "servers"):
            bench.start_servers()
            bench.run_idle()
            bench.run_rounds()
            bench.run_spawns()
            bench.run_contained()
            bench.run_hanging()
            bench.run_downloads()
            if options.intentd:
                bench.run_plugins()
                bench.run_nodata()
                bench.run_search()
            bench.run_fairness()
        if options.only in (None, "surfaces") and options.intentd and options.intent_send:
            bench.run_surfaces()
        if options.only in (None, "sentences"):
            bench.run_sentences()
        if options.only in (None, "engine"):
            bench.run_engine()
        if options.only in (None, "extension") and options.intent_send:
            bench.run_extension()
        bench.report()
        if options.json:
            bench.write(options.json)
    except Broken as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    finally:
        bench.stop()
    return 0 if all(row["pass"] for row in bench.rows) else 2


if __name__ == "__main__":
    sys.exit(main())
