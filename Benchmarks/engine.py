"""The rows on the widget engine's size: a million waiting widgets, ten thousand due or restored at
once.

`engine-speed` and `timers` (a `uv_timer_t` each) run in turns. A figure is the best of the rounds:
most of these costs are cache misses, and other programs on the machine only add to them.
"""
import json
import os
import re
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

OPERATION_NANOSECONDS_MAX = 1000
PENDING_BYTES_MAX = 200
TURN_MILLISECONDS_MAX = 10
START_MILLISECONDS_MAX = 300
# As it is shipped: the intents and examples of the project, no widgets yet.
SHIPPED_START_MILLISECONDS_MAX = 45
SHIPPED_KILOBYTES_MAX = 20_000
# Of processor time: fifty thousand hours a minute on two cores.
SIMULATED_HOUR_MICROSECONDS_MAX = 2400


def processor_seconds_of_children():
    """User and system time of all child processes that have ended, and of their children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Engine:
    def __init__(self, program, simulate, intentd, directory, rounds, quick, broken):
        self.program = program
        self.simulate = simulate
        self.intentd = intentd
        self.directory = directory
        self.rounds = 3 if quick else max(rounds, 5)
        self.count = 100_000 if quick else 1_000_000
        self.widgets = 1_000 if quick else 10_000
        self.households = (12, 20) if quick else (40, 30)
        self.broken = broken
        self.rows = []
        self.notes = []
        self.figures = {}

    def figures_of(self, argv):
        done = subprocess.run(argv, capture_output=True, text=True)
        if done.returncode != 0:
            raise self.broken(f"{' '.join(argv)}: {done.stderr.strip()[-500:]}")
        return json.loads(done.stdout)

    def run(self):
        if not self.program:
            self.notes.append("no --engine-speed: the rows on the engine are left out")
            return
        timers = os.path.join(HERE, "build", "timers")
        queue, peer, turn, stack, order = [], [], [], [], []
        for _ in range(self.rounds):
            queue.append(self.figures_of([self.program, "queue", "--count", str(self.count)]))
            peer.append(self.figures_of([timers, str(self.count)]))
            turn.append(self.figures_of([self.program, "turn", "--widgets", str(self.widgets)]))
            stack.append(self.figures_of([self.program, "stack", "--widgets", str(self.widgets)]))
            order.append(self.figures_of([self.program, "order", "--widgets", str(self.widgets)]))
        ours = {name: min(one[name] for one in queue) for name in queue[0]}
        theirs = {name: min(one[name] for one in peer) for name in peer[0]}
        turns = {name: min(one[name] for one in turn) for name in turn[0]}
        for name in ("insert", "cancel", "fire"):
            self.row(f"pending queue, {name} among {self.count:,}, to a uv_timer_t each",
                     ours[f"{name}_ns"], theirs[f"{name}_ns"], "ns", OPERATION_NANOSECONDS_MAX)
        self.row("pending queue, move", ours["move_ns"], None, "ns", OPERATION_NANOSECONDS_MAX)
        self.row("budget, refill and spend", ours["refill_ns"], None, "ns",
                 OPERATION_NANOSECONDS_MAX)
        self.row("bytes of a pending widget, with its key", ours["bytes"],
                 theirs["bytes"], "B", PENDING_BYTES_MAX)
        stacks = {name: min(one[name] for one in stack) for name in stack[0]}
        for name, what, most in (("learn_50_ns", "a donation is learned from, 50 items known", 20_000),
                                 ("order_100_ns", "the order of 100, computed", 50_000),
                                 ("cached_100_ns",
                                  "the order of 100, from the cache, a request", 3_000)):
            self.row(what, stacks[name], None, "ns", most)
        self.row(f"top ten of {self.widgets:,} after a donation", stacks["top_after_donation_ms"],
                 None, "ms", 5)
        orders = {name: min(one[name] for one in order) for name in order[0]}
        for name, what in (("order", "the first stack.order"),
                           ("ids", "the first stack.order, of ids"),
                           ("attach", "the first surface.attach of a stack"),
                           ("moment", "the first stack.order of another moment")):
            for state, when in (("restored_", "right after a start"), ("", "with entries read")):
                self.row(f"longest turn of {what}, {self.widgets:,} widgets, {when}",
                         orders[f"{state}{name}_max_ms"], None, "ms", TURN_MILLISECONDS_MAX)
        for name, what in (("switch", "entries switch"), ("reload", "reloads are due"),
                           ("reload_all", "are asked to reload by one client"),
                           ("restore", "were restored"), ("show", "come into view"),
                           ("hide", "are hidden"), ("tick", "are looked at for another hour"),
                           ("locale", "are to be in another language"),
                           ("zone", "are in another time zone"), ("clock", "have another clock"),
                           ("attach", "are shown by one more surface"),
                           ("list", "are listed"), ("provider", "have another provider"),
                           ("kind_gone", "lose their kind, or have it back")):
            self.row(f"longest turn when {self.widgets:,} {what}", turns[f"{name}_max_ms"], None,
                     "ms", TURN_MILLISECONDS_MAX)
        self.figures = {"queue": queue, "timers": peer, "turn": turn, "stack": stack,
                        "order": order}
        if self.intentd:
            start = self.figures_of([
                sys.executable, os.path.join(HERE, "start.py"), "--intentd", self.intentd,
                "--widgets", str(self.widgets), "--directory", self.directory])
            self.row(f"start with {self.widgets:,} widgets, 24 entries and 4 KiB each, to the first "
                     "answer", start["best_ms"], None, "ms", START_MILLISECONDS_MAX)
            self.figures["start"] = start
            shipped = self.figures_of([
                sys.executable, os.path.join(HERE, "start.py"), "--intentd", self.intentd,
                "--examples", "--directory", self.directory])
            self.row("start with the shipped intents and examples, to the first answer",
                     shipped["best_ms"], None, "ms", SHIPPED_START_MILLISECONDS_MAX)
            self.row("memory of the idle daemon with the examples placed (PSS)",
                     shipped["pss_kb"], None, "kB", SHIPPED_KILOBYTES_MAX)
            self.figures["shipped"] = shipped

        if self.simulate:
            self.time_travel()

    def time_travel(self):
        worlds, days = self.households
        argv = [self.simulate, "--seed", "1", "--worlds", str(worlds), "--days", str(days),
                "--jobs", str(len(os.sched_getaffinity(0)))]
        costs = []
        for _ in range(3):
            before = processor_seconds_of_children()
            done = subprocess.run(argv, capture_output=True, text=True)
            said = re.search(r"(\d+) simulated hours .* (\d+) events an hour", done.stdout)
            if done.returncode != 0 or not said:
                raise self.broken(f"{' '.join(argv)}: {(done.stdout + done.stderr).strip()[-500:]}")
            seconds = processor_seconds_of_children() - before
            costs.append(seconds * 1e6 / int(said[1]))
        self.row(f"an hour of a household of 20 widgets, {said[2]} events, simulated: "
                 "processor time", min(costs), None, "µs", SIMULATED_HOUR_MICROSECONDS_MAX)
        self.figures["time_travel"] = {"microseconds_an_hour": costs,
                                       "events_an_hour": int(said[2])}

    def row(self, name, ours, theirs, unit, most):
        self.rows.append({"row": name, "figure": ours, "beside": theirs, "unit": unit,
                          "ratio": ours / theirs if theirs else None,
                          "expected": f"< {most:,} {unit}", "pass": ours < most})
