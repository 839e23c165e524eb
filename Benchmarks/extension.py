#!/usr/bin/env python3
"""extension: a widget of iOS, from its sources to its answers.

    extension.py --intent-send .build/release/intent-send [--sdk .] [--keep]

Makes the package that `intent-send new widget --in swift` makes, and builds it from nothing, with
the sources of the SDK at --sdk. Then puts a widget of ten views in the place of its own, builds
again, and asks it as the daemon does.

Prints one JSON object: `build_s`, seconds of the first build; `start_ms`, from the start of the
process to its first answer, median of 20; `resident_kib` after that answer, and `growth_kib` after
1,000 more; `entry_ms`, one of 1,440 entries of ten views; `entries_ms`, all of them, median of 5.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

STARTS = 20
REQUESTS = 1_000
ENTRIES = 1_440
BUILD_SECONDS_MAX = 60
START_MILLISECONDS_MAX = 60
RESIDENT_KIB_MAX = 35 * 1_024
GROWTH_KIB_MAX = 4 * 1_024
ENTRY_MILLISECONDS_MAX = 0.3
ENTRIES_MILLISECONDS_MAX = 500

# A small family is one entry, a large one a day of minutes.
WIDGET = """
import SwiftUI
import WidgetKit

struct MinuteEntry: TimelineEntry {
  let date: Date
  let number: Int
}

struct MinuteProvider: TimelineProvider {
  func placeholder(in context: Context) -> MinuteEntry { MinuteEntry(date: Date(), number: 0) }

  func getSnapshot(in context: Context, completion: @escaping (MinuteEntry) -> Void) {
    completion(placeholder(in: context))
  }

  func getTimeline(in context: Context, completion: @escaping (Timeline<MinuteEntry>) -> Void) {
    let count = context.family == .systemLarge ? 1_440 : 1
    let now = Date()
    let entries = (0..<count).map {
      MinuteEntry(date: now.addingTimeInterval(Double($0) * 60), number: $0)
    }
    completion(Timeline(entries: entries, policy: .never))
  }
}

struct MinuteView: View {
  let entry: MinuteEntry

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      HStack {
        Image(systemName: "clock").foregroundStyle(.blue)
        Text("Minute \\(entry.number)").font(.headline)
        Spacer()
      }
      Text(entry.date, style: .time).font(.caption).foregroundStyle(.secondary)
      Divider()
      ProgressView(value: Double(entry.number), total: 1_440)
      Link("Open", destination: URL(string: "minutes://\\(entry.number)")!)
    }
    .padding()
    .containerBackground(.background, for: .widget)
  }
}

@main
struct MinuteWidget: Widget {
  var body: some WidgetConfiguration {
    StaticConfiguration(kind: "org.example.minutes", provider: MinuteProvider()) {
      MinuteView(entry: $0)
    }
    .configurationDisplayName("Minutes")
    .supportedFamilies([.systemSmall, .systemLarge])
  }
}
"""


class Broken(Exception):
    """A build or an answer failed: there is no figure."""


def run(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise Broken(f"{' '.join(command)} ended with {result.returncode}:\n"
                     + (result.stdout + result.stderr)[-2_000:])
    return result.stdout


class Extension:
    """A process of the extension, asked over its standard input and output."""

    def __init__(self, program):
        self.number = 0
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def ask(self, family):
        """The time of one request in milliseconds, and its result."""
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": "provider.timeline", "params": {
            "request": "timeline", "kind": "org.example.minutes", "family": family,
            "displaySize": {"width": 158, "height": 158}, "isPreview": False, "locale": "en_US",
            "textSize": "large", "intent": None,
            "now": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}}
        start = time.perf_counter()
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        used = (time.perf_counter() - start) * 1e3
        result = json.loads(line or b"{}").get("result")
        if result is None:
            raise Broken(f"no timeline came: {line[:300]!r}")
        return used, result

    def resident(self):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def first_answer(program):
    """Milliseconds from the start of a process to its first answer."""
    start = time.perf_counter()
    extension = Extension(program)
    extension.ask("systemSmall")
    used = (time.perf_counter() - start) * 1e3
    extension.close()
    return used


def measure(intent_send, sdk, keep=False):
    """The figures that this program prints."""
    folder = tempfile.mkdtemp(prefix="extension-")
    try:
        run([os.path.abspath(intent_send), "new", "widget", "minutes", "--in", "swift",
             "--sdk", os.path.abspath(sdk)], folder)
        package = os.path.join(folder, next(
            name for name in os.listdir(folder)
            if os.path.exists(os.path.join(folder, name, "Package.swift"))))
        build = ["swift", "build", "-c", "release"]
        start = time.perf_counter()
        run(build, package)
        seconds = time.perf_counter() - start
        sources = os.path.join(package, "Sources")
        source = next(os.path.join(at, name) for at, _, names in os.walk(sources)
                      for name in names if name.endswith(".swift"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(WIDGET)
        run(build, package)
        binaries = run([*build, "--show-bin-path"], package).strip()
        program = next(path for path in (
            os.path.join(binaries, name) for name in os.listdir(sources)) if os.access(path, os.X_OK))
        first_answer(program)
        starts = [first_answer(program) for _ in range(STARTS)]
        extension = Extension(program)
        extension.ask("systemSmall")
        resident = extension.resident()
        for _ in range(REQUESTS):
            extension.ask("systemSmall")
        growth = extension.resident() - resident
        times = []
        for _ in range(5):
            used, result = extension.ask("systemLarge")
            if len(result["entries"]) != ENTRIES:
                raise Broken(f"{len(result['entries'])} entries came, and not {ENTRIES}")
            times.append(used)
        extension.close()
        entries = statistics.median(times)
        return {"build_s": seconds, "start_ms": statistics.median(starts),
                "resident_kib": resident, "growth_kib": growth, "entry_ms": entries / ENTRIES,
                "entries_ms": entries}
    finally:
        if keep:
            print(folder, file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)


def rows(figures):
    """The rows of the table that bench.py prints."""
    return [{"row": f"a widget of iOS: {text}", "figure": figures[name], "beside": most,
             "unit": unit, "ratio": figures[name] / most, "expected": "<= 1",
             "pass": figures[name] <= most}
            for text, name, most, unit in (
                ("the first build of its package", "build_s", BUILD_SECONDS_MAX, "s"),
                ("its start to the first answer", "start_ms", START_MILLISECONDS_MAX, "ms"),
                ("resident then", "resident_kib", RESIDENT_KIB_MAX, "KiB"),
                (f"and {REQUESTS:,} answers later, more", "growth_kib", GROWTH_KIB_MAX, "KiB"),
                ("an entry of ten views", "entry_ms", ENTRY_MILLISECONDS_MAX, "ms"),
                (f"{ENTRIES:,} of them", "entries_ms", ENTRIES_MILLISECONDS_MAX, "ms"))]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intent-send", required=True, metavar="PATH")
    parser.add_argument("--sdk", default=os.path.join(os.path.dirname(__file__), ".."),
                        metavar="FOLDER")
    parser.add_argument("--keep", action="store_true", help="leave the package, and say where")
    options = parser.parse_args()
    try:
        print(json.dumps(measure(options.intent_send, options.sdk, options.keep)))
    except Broken as problem:
        print(f"extension: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
