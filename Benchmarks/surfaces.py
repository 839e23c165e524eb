#!/usr/bin/env python3
"""surfaces: how fast a push is seen, and what a bar costs.

    surfaces.py --intentd .build/release/intentd --intent-send .build/release/intent-send
                [--intent-web .build/release/intent-web] [--pushes 300] [--scripts-seconds 20]

A daemon has one widget that a producer pushes to, and `intent-send bar waybar` shows it. Prints one
JSON object:

- `line_ms`: from the push on the socket until the bar has the whole line, median and 99th
  percentile of so many pushes, 20 ms apart.
- `idle`: bytes that the bar got, and context switches of the adapter, in five seconds in which
  nothing changes.
- `pss_kib`: the proportional set size of each of twenty adapters, the largest of them.
- `bars`: processor time per second of ten scripts, each once a second, on the Waybars of three
  outputs of a sway without a screen: `polled`, as modules of Waybar itself; `ours`, as widgets,
  with the daemon, its supervisor, the adapters and the scripts; and of each `bar`, the share of
  Waybar itself. `pixels_ms`, from the push until a picture of the screen has its colour: the
  median of the ends of the first pictures that do, so it has the time of taking one. `null` without
  sway, Waybar and grim, or without root (sway does not run as root, and so it runs as another
  user).
- `web`: `dom_ms`, from the push until the page's document has the text, median and 99th percentile;
  `page_ms`, from the address until the widget is there; `panel_ms`, a panel of 800 x 480 at 1 bit
  whose content has changed, and the same again; `unchanged`, the status of a request that has it.
  `null` without intent-web; without Chromium the first two are.
"""
import argparse
import http.client
import json
import os
import re
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import browser
import plugins
import start

IDLE_SECONDS = 5
ADAPTER_COUNT = 20
SCRIPT_COUNT = 10
OUTPUT_COUNT = 3
PIXEL_COUNT = 20
NOBODY = 65534
PUSHED = "kind: {kind}\nname: Pushed\nfamilies: [accessoryInline, systemSmall]\n"
SCRIPT = """kind: {kind}
name: {kind}
families: [accessoryInline]
provider: {{exec: [date, +%T], protocol: waybar, every: 1s}}
"""


class World:
    """A daemon, and clients of it."""

    def __init__(self, options, kinds, manifest):
        self.options = options
        self.home = start.Home(options.intentd, options.directory)
        widgets = os.path.join(self.home.folder, "config", "intentd", "widgets")
        for kind in kinds:
            with open(os.path.join(widgets, kind + ".yaml"), "w", encoding="utf-8") as file:
                file.write(manifest.format(kind=kind))
        _, _, self.daemon = self.home.start()
        self.connection = plugins.Daemon.connect(self)
        for kind in kinds:
            self.ask("widget.add", kind=kind, id=kind)
        self.children = []

    send = staticmethod(plugins.Daemon.send)

    def ask(self, method, **params):
        return plugins.Daemon.ask(self, self.connection, method, **params)

    def push(self, text):
        """Sends a push; its answer is read before the next request."""
        entry = {"date": "2020-01-01T00:00:00Z", "content": {"title": text}}
        timeline = {"entries": [entry], "policy": "never"}
        self.send(self.connection[0], "widget.push", {"id": "pushed", "timeline": timeline}, 1)

    def answer(self):
        while "id" not in (message := json.loads(self.connection[1].readline())):
            pass
        if "error" in message:
            raise start.Broken(f"widget.push: {message['error']}")

    def start(self, *words):
        child = subprocess.Popen(words, env=self.home.environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.children.append(child)
        return child

    def adapter(self):
        return Reader(self.start(self.options.intent_send, "bar", "waybar", "pushed"))

    def stop(self):
        for child in [*self.children, self.daemon]:
            child.terminate()
            child.wait()
        self.home.remove()


class Reader:
    """The lines that an adapter writes."""

    def __init__(self, process):
        self.process, self.bytes, self.count = process, b"", 0
        os.set_blocking(process.stdout.fileno(), False)

    def read(self, seconds):
        """Reads what comes within so many seconds; false: nothing did."""
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return False
        piece = os.read(self.process.stdout.fileno(), 1 << 16)
        if not piece:
            raise start.Broken("the adapter has ended")
        self.bytes += piece
        self.count += len(piece)
        return True

    def wait(self, text):
        """Reads until a whole line has the text."""
        while not (text in self.bytes and self.bytes.endswith(b"\n")):
            if not self.read(30):
                raise start.Broken(f"no line has {text.decode()}: {self.bytes[-200:]!r}")
        self.bytes = b""


def percentiles(times):
    """The median and the 99th percentile in milliseconds."""
    ordered = sorted(times)
    return {"p50": statistics.median(ordered) * 1e3,
            "p99": ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] * 1e3}


def switches(pid):
    return plugins.Usage([pid]).switches


def share_kib(pid):
    """The proportional set size of a process in KiB."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pss:"))


def measure_lines(options):
    """The members about adapters."""
    world = World(options, ["pushed"], PUSHED)
    try:
        world.push("first")
        world.answer()
        bar = world.adapter()
        bar.wait(b"first")
        times = []
        for number in range(options.pushes):
            text = f"push {number}."
            time.sleep(0.02)
            begin = time.perf_counter()
            world.push(text)
            bar.wait(text.encode())
            times.append(time.perf_counter() - begin)
            world.answer()
        time.sleep(1)
        while bar.read(0):
            pass
        count, before = bar.count, switches(bar.process.pid)
        time.sleep(IDLE_SECONDS)
        idle_switches = switches(bar.process.pid) - before
        while bar.read(0):
            pass
        idle = {"bytes": bar.count - count, "switches": idle_switches}
        bars = [bar] + [world.adapter() for _ in range(ADAPTER_COUNT - 1)]
        for other in bars[1:]:
            other.wait(text.encode())
        # All have done what they do all day: code is shared by those that have used it.
        for number in range(10):
            world.push(f"to all {number}.")
            world.answer()
            for other in bars:
                other.wait(f"to all {number}.".encode())
        return {"line_ms": percentiles(times), "idle": idle,
                "pss_kib": max(share_kib(other.process.pid) for other in bars)}
    finally:
        world.stop()


# MARK: Waybar on three outputs


def as_nobody(words):
    user = str(NOBODY)
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *words]


def give(folder):
    """Gives a folder, and all that is in it, to the user as whom sway runs."""
    for place, _, files in os.walk(folder):
        for path in [place, *(os.path.join(place, file) for file in files)]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def used(pids):
    """The processor time that processes and the children they waited for have used, microseconds."""
    total = 0
    for pid in pids:
        try:
            usage = plugins.Usage([pid])
        except (FileNotFoundError, ProcessLookupError):
            continue
        total += usage.own + usage.children
    return total


def named(name, folder):
    """The processes with this name whose environment names the folder."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm") as file:
                if file.read().strip() != name:
                    continue
            with open(f"/proc/{pid}/environ", "rb") as file:
                if folder.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            continue  # it has ended since
    return found


class Desktop:
    """A sway without a screen, its Waybars and, if asked, a daemon; all of another user."""

    def __init__(self, options, modules, manifest=None):
        """Waybar has the modules; with a manifest each is a widget of its own kind."""
        self.folder = tempfile.mkdtemp(prefix="sway-", dir="/tmp")
        path = os.path.join(self.folder, "bin")
        os.makedirs(path)
        for program in (options.intentd, options.intent_send):
            # Where the other user may read it.
            shutil.copy(program, path)
        self.environment = {
            "PATH": f"{path}:{os.environ['PATH']}", "HOME": self.folder, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": os.path.join(self.folder, "run"), "WLR_BACKENDS": "headless",
            "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
            "WLR_HEADLESS_OUTPUTS": str(OUTPUT_COUNT), "GDK_BACKEND": "wayland",
            "INTENTD_SOCKET": os.path.join(self.folder, "run", "d.sock")}
        names = [name.partition("/")[2] for name in modules]
        widgets = os.path.join(self.folder, ".config", "intentd", "widgets")
        for place in (widgets, os.path.join(self.folder, "run")):
            os.makedirs(place, mode=0o700)
        for name in names if manifest else []:
            with open(os.path.join(widgets, name + ".yaml"), "w") as file:
                file.write(manifest.format(kind=name))
        config = os.path.join(self.folder, "waybar.json")
        with open(config, "w") as file:
            json.dump({"layer": "top", "height": 30, "modules-left": list(modules), **modules}, file)
        lines = ["xwayland disable"] + [
            f"output HEADLESS-{number + 1} resolution 1400x200 position {number * 1400} 0"
            for number in range(OUTPUT_COUNT)] + [f"exec waybar -c {config}"]
        with open(os.path.join(self.folder, "sway.conf"), "w") as file:
            file.write("\n".join(lines) + "\n")
        give(self.folder)
        self.processes = []
        if manifest:
            self.start("intentd")
            self.wait("the daemon", lambda: os.path.exists(self.environment["INTENTD_SOCKET"]))
            for name in names:
                self.start("intent-send", "add", name, "--id", name).wait()
        self.start("sway", "-c", os.path.join(self.folder, "sway.conf"))
        self.wait("Waybar", lambda: named("waybar", self.folder))

    def start(self, *words):
        child = subprocess.Popen(as_nobody(words), env=self.environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(child)
        return child

    @staticmethod
    def wait(what, condition):
        end = time.monotonic() + 30
        while not condition():
            if time.monotonic() > end:
                raise start.Broken(f"{what} did not start")
            time.sleep(0.05)

    def usage(self):
        """The time of the bar with what it starts, of Waybar's own threads, and of the daemon."""
        bars = named("waybar", self.folder)
        shells = [pid for name in ("sh", "intent-send") for pid in named(name, self.folder)]
        ours = [pid for name in ("intentd", "intentd-runs") for pid in named(name, self.folder)]
        # A program that Waybar has not waited for yet is among the shells.
        return {"all": used(bars + shells + ours),
                "bar": sum(plugins.Usage([pid]).own for pid in bars)}

    def measure_pixels(self):
        """The median of the milliseconds from a push until a picture has its colour."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            # The daemon serves its own user alone.
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            try:
                os.write(writing, json.dumps(self.pixels()).encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            times = file.read()
        os.waitpid(child, 0)
        if not times:
            raise start.Broken("no picture had the colour of a push")
        return statistics.median(json.loads(times)) * 1e3

    def pixels(self):
        """The seconds of some pushes; runs as the desktop's user."""
        run = self.environment["XDG_RUNTIME_DIR"]
        display = next(name for name in os.listdir(run)
                       if name.startswith("wayland-") and not name.endswith(".lock"))
        client = socket.socket(socket.AF_UNIX)
        client.connect(self.environment["INTENTD_SOCKET"])
        lines = client.makefile("rb")
        picture = ["grim", "-t", "ppm", "-g", "0,0 200x30", "-"]
        environment = {**self.environment, "WAYLAND_DISPLAY": display}
        times = []
        for number in range(PIXEL_COUNT + 2):
            color = (0, 255, number) if number % 2 else (number, 0, 255)
            content = {"title": "\u2588" * 8, "color": "#%02x%02x%02x" % color}
            timeline = {"entries": [{"date": "2020-01-01T00:00:00Z", "content": content}],
                        "policy": "never"}
            time.sleep(0.3)
            begin = time.perf_counter()
            plugins.Daemon.send(client, "widget.push", {"id": "pushed", "timeline": timeline}, 1)
            while True:
                shot = subprocess.run(picture, env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, check=True).stdout
                took = time.perf_counter() - begin
                # Each pixel has three bytes behind the head.
                body = shot[-200 * 30 * 3:]
                if any(body[at:at + 3] == bytes(color) for at in range(0, len(body), 3)):
                    break
                if took > 10:
                    raise start.Broken(f"no picture has the colour {color}")
            times.append(took)
            lines.readline()
        # The first ones load the font.
        return times[2:]

    def stop(self):
        for child in reversed(self.processes):
            child.terminate()
        for child in self.processes:
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
        for name in ("waybar", "intent-send", "intentd", "sh"):
            for pid in named(name, self.folder):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)


def modules(names, is_ours):
    """Waybar's modules: scripts that it polls, or adapters."""
    if is_ours:
        return {f"custom/{name}": {"exec": f"intent-send bar waybar {name}", "return-type": "json"}
                for name in names}
    return {f"custom/{name}": {"exec": "date +%T", "interval": 1} for name in names}


def measure_bars(options):
    """Both ways to show ten scripts on three outputs, one after the other; and pushes."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("sway", "waybar", "grim", "setpriv"))):
        return None
    result = {}
    names = [f"clock-{number}" for number in range(SCRIPT_COUNT)]
    for side, manifest in (("polled", None), ("ours", SCRIPT)):
        desktop = Desktop(options, modules(names, manifest), manifest)
        try:
            time.sleep(5)  # fonts and icons are loaded by then
            before, begin = desktop.usage(), time.monotonic()
            time.sleep(options.scripts_seconds)
            after, took = desktop.usage(), time.monotonic() - begin
            result[side] = {part: (after[part] - before[part]) / took / 1e3 for part in after}
        finally:
            desktop.stop()
    desktop = Desktop(options, modules(["pushed"], True), PUSHED)
    try:
        time.sleep(3)
        result["pixels_ms"] = desktop.measure_pixels()
    finally:
        desktop.stop()
    return result


# MARK: Page and panel


def measure_web(options):
    """The members about the page and panels."""
    if not options.intent_web:
        return None
    world = World(options, ["pushed"], PUSHED)
    try:
        world.push("first")
        world.answer()
        world.home.environment["PATH"] = os.path.dirname(options.intent_send) + ":/usr/bin:/bin"
        world.start(options.intent_web, "--port", "0")
        Desktop.wait("intent-web", lambda: os.path.exists(world.home.socket + ".web/port"))
        address = printed(world, r"http://\S+", "web", "--print")
        program = shutil.which("chromium")
        pages = measure_page(options, world, address, program) if program else {}
        return {"dom_ms": None, "page_ms": None, **pages, **measure_panel(world, address)}
    finally:
        world.stop()


def printed(world, pattern, *words):
    """The address that intent-send prints."""
    end = time.monotonic() + 10
    while True:
        done = subprocess.run([world.options.intent_send, *words], env=world.home.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        found = re.search(pattern, done.stdout)
        if found:
            return found.group(0)
        if time.monotonic() > end:
            raise start.Broken(f"{words}: {done.stdout} {done.stderr}")
        time.sleep(0.1)


TITLE = "document.querySelector('.tap')?.textContent"
# Notes when the document has a text for the first time, by the clock of the machine.
WATCH = """(() => { window.seen = {};
  const note = () => { const text = %s; if (text && !(text in window.seen))
    window.seen[text] = performance.timeOrigin + performance.now() };
  new MutationObserver(note).observe(document, {subtree: true, childList: true,
    characterData: true}) })()""" % TITLE


def measure_page(options, world, address, program):
    folder = tempfile.mkdtemp(prefix="chromium-", dir="/tmp")
    tab = browser.Browser(program, folder)
    try:
        tab.call("Page.navigate", url=address)
        until(lambda: tab.value(TITLE) == "first")
        # The code is used up: the cookie opens the page from here on.
        page = []
        for _ in range(5):
            tab.call("Page.navigate", url="about:blank")
            begin = time.perf_counter()
            tab.call("Page.navigate", url=address.partition("?")[0])
            until(lambda: tab.value(TITLE) == "first")
            page.append((time.perf_counter() - begin) * 1e3)
        tab.value(WATCH)
        sent = {}
        for number in range(options.pushes // 3):
            text = f"push {number}"
            time.sleep(0.05)
            sent[text] = time.time()
            world.push(text)
            world.answer()
        until(lambda: tab.value(TITLE) == text)
        seen = tab.value("window.seen")
        # A push that the next one overtook was never seen.
        times = [seen[name] / 1e3 - moment for name, moment in sent.items() if name in seen]
        if len(times) < len(sent) * 0.9:
            raise start.Broken(f"the page saw {len(times)} of {len(sent)} pushes")
        return {"dom_ms": percentiles(times), "page_ms": statistics.median(page)}
    finally:
        tab.stop()
        shutil.rmtree(folder, ignore_errors=True)


def until(condition):
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            raise start.Broken("the page does not show what was pushed")


def measure_panel(world, address):
    host = re.match(r"http://([^/]+)", address).group(1)
    path = printed(world, r"/panel/\S+", "web", "--device", "bench", "--panel", "pushed")
    cold, warm, etag = [], [], None
    for number in range(20):
        world.push(f"panel {number}")
        world.answer()
        time.sleep(0.05)
        for times in (cold, warm):
            begin = time.perf_counter()
            client = http.client.HTTPConnection(host, timeout=30)
            client.request("GET", path)
            answer = client.getresponse()
            answer.read()
            times.append((time.perf_counter() - begin) * 1e3)
            client.close()
            if answer.status != 200:
                raise start.Broken(f"{path}: {answer.status}")
            etag = answer.headers["ETag"]
    client = http.client.HTTPConnection(host, timeout=30)
    client.request("GET", path, headers={"If-None-Match": etag})
    unchanged = client.getresponse().status
    client.close()
    # The very first one loads fonts.
    return {"panel_ms": {"first": cold[0], "changed": statistics.median(cold),
                         "same": statistics.median(warm)}, "unchanged": unchanged}


def measure(options):
    """The members of the JSON object that this program prints."""
    return {**measure_lines(options), "bars": measure_bars(options), "web": measure_web(options)}


def rows(figures):
    """The rows of the table that bench.py prints; those whose programs are missing are left out."""
    table = []

    def add(text, figure, most, unit):
        table.append({"row": text, "figure": figure, "beside": most, "unit": unit,
                      "ratio": figure / most if most else None,
                      "expected": "<= 1" if most else "= 0", "pass": figure <= most})

    add("push on the socket -> a bar's line, median", figures["line_ms"]["p50"], 1.5, "ms")
    add("push on the socket -> a bar's line, 99th percentile", figures["line_ms"]["p99"], 10, "ms")
    add(f"bytes to a bar in {IDLE_SECONDS} s in which nothing changes", figures["idle"]["bytes"], 0,
        "")
    add("context switches of its adapter meanwhile", figures["idle"]["switches"], 0, "")
    add(f"memory of each of {ADAPTER_COUNT} adapters", figures["pss_kib"], 1536, "KiB")
    bars = figures["bars"]
    if bars:
        polled, ours = bars["polled"], bars["ours"]
        add("ten scripts on three Waybars, all processes ÷ 0.4 × polled by Waybar", ours["all"],
            0.4 * polled["all"], "ms/s")
        add("the same without Waybar's own share ÷ 0.2 × the same", ours["all"] - ours["bar"],
            0.2 * polled["all"], "ms/s")
        add("push on the socket -> Waybar's pixels, and a picture of them", bars["pixels_ms"], 30,
            "ms")
    web = figures["web"]
    if web and web["dom_ms"]:
        add("push on the socket -> the page's document, median", web["dom_ms"]["p50"], 5, "ms")
        add("a page with a widget", web["page_ms"], 500, "ms")
    if web:
        add("a panel, the first", web["panel_ms"]["first"], 50, "ms")
        add("a panel with new content", web["panel_ms"]["changed"], 50, "ms")
        add("a panel again", web["panel_ms"]["same"], 10, "ms")
        table.append({"row": "a panel that is unchanged", "figure": web["unchanged"], "beside": None,
                      "unit": "", "ratio": None, "expected": "= 304",
                      "pass": web["unchanged"] == 304})
    return table


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True)
    parser.add_argument("--intent-send", required=True)
    parser.add_argument("--intent-web", default=None)
    parser.add_argument("--pushes", type=int, default=300)
    parser.add_argument("--scripts-seconds", type=float, default=20)
    parser.add_argument("--directory", default=None)
    options = parser.parse_args()
    for name in ("intentd", "intent_send", "intent_web"):
        path = getattr(options, name)
        if path:
            setattr(options, name, os.path.abspath(path))
    try:
        print(json.dumps(measure(options)))
    except start.Broken as problem:
        print(f"surfaces: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
