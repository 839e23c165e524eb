#!/usr/bin/env python3
"""nodata: what a run costs whose provider says that nothing is new.

    nodata.py --intentd .build/release/intentd [--seconds 20] [--widgets 10]

Two daemons have ten widgets each, whose policy asks again every three seconds, and a surface that
shows them. The providers of one say noData after their first answer; those of the other bring new
content each time. They run at the same time. The processor time is what the kernel accounts to the
threads of the daemon and its supervisor of runs; the bytes are those that the kernel accounts to
the daemon's writes to the disk, which only root may read.

Prints one JSON object, for each side with: `runs`; `own_us`, processor time of a run in
microseconds; `bytes` and `transactions` of all runs; `updates`, widgets that the surface was told.
"""
import argparse
import json
import os
import re
import sys
import time

import plugins
import start

WARM_SECONDS = 4  # placing, first runs and their transactions are over by then
# The content of news is a time, which no other run has. The policy counts from the request.
SCRIPT = """#!/bin/sh
read -r request
now=$(date -u +%FT%TZ)
after=$(date -u -d '+3 seconds' +%FT%TZ)
if [ {news} = no ] && [ -e "$INTENTD_CACHE/first" ]; then
  echo '{{"result":"noData","policy":{{"after":"'"$after"'"}}}}'
else
  : > "$INTENTD_CACHE/first"
  echo '{{"entries":[{{"date":"'"$now"'","content":{{"title":"'"$(date +%N)"'"}}}}],"policy":{{"after":"'"$after"'"}}}}'
fi
"""
MANIFEST = """kind: {{kind}}
name: {{kind}}
families: [systemSmall]
provider: {{{{exec: [{script}]}}}}
reload: {{{{perDay: 86400, minimumInterval: 1s, unchangedIsFree: true}}}}
"""


def counter(daemon, name):
    text = daemon.ask(daemon.tool, "daemon.metrics")["text"]
    return sum(int(value) for value in
               re.findall(rf"^{name}_total(?:{{[^}}]*}})? (\d+)$", text, re.MULTILINE))


def measure(intentd, directory, seconds, count):
    """The members of the JSON object that this program prints."""
    folder = directory or "/tmp"
    sides, scripts = {}, []
    try:
        for name, news in (("noData", "no"), ("newData", "yes")):
            script = os.path.join(os.path.abspath(folder), f"nodata-{os.getpid()}-{name}.sh")
            with open(script, "w", encoding="utf-8") as file:
                file.write(SCRIPT.format(news=news))
            os.chmod(script, 0o755)
            scripts.append(script)
            kinds = [f"{name.lower()}-{number}" for number in range(count)]
            sides[name] = plugins.Daemon(intentd, directory, kinds, MANIFEST.format(script=script))
        time.sleep(WARM_SECONDS)

        def figures(side):
            return {"usage": plugins.Usage(side.pids()), "updates": side.updates,
                    "runs": counter(side, "intentd_provider_runs"),
                    "transactions": counter(side, "intentd_transactions")}

        before = {name: figures(side) for name, side in sides.items()}
        time.sleep(seconds)
        result = {}
        for name, side in sides.items():
            after, first = figures(side), before[name]
            runs = after["runs"] - first["runs"]
            if runs < count:
                raise start.Broken(f"{runs} runs of {name} in {seconds:.0f} s")
            ran = after["usage"].since(first["usage"], runs)
            result[name] = {
                "runs": runs, "own_us": ran["own_us"],
                "bytes": None if ran["bytes"] is None else round(ran["bytes"] * runs),
                "transactions": after["transactions"] - first["transactions"],
                "updates": after["updates"] - first["updates"]}
        return result
    finally:
        for side in sides.values():
            side.stop()
        for script in scripts:
            os.unlink(script)


def rows(figures):
    """The rows of the table that bench.py prints."""
    none, news = figures["noData"], figures["newData"]

    def zero(text, figure):
        return {"row": text, "figure": figure, "beside": None, "unit": "", "ratio": None,
                "expected": "= 0", "pass": figure == 0}

    table = [zero(f"transactions of {none['runs']} runs without news", none["transactions"]),
             zero("widgets that their surface was told", none["updates"])]
    if none["bytes"] is not None:
        table.insert(1, zero("bytes that the daemon wrote to the disk for them", none["bytes"]))
    ratio = none["own_us"] / news["own_us"]
    table.append({"row": "own processor time of such a run ÷ one with news",
                  "figure": none["own_us"], "beside": news["own_us"], "unit": "µs", "ratio": ratio,
                  "expected": "<= 1", "pass": ratio <= 1})
    return table


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--widgets", type=int, default=10)
    parser.add_argument("--directory", default=None)
    options = parser.parse_args()
    try:
        figures = measure(os.path.abspath(options.intentd), options.directory, options.seconds,
                          options.widgets)
    except start.Broken as problem:
        print(f"nodata: {problem}", file=sys.stderr)
        return 1
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
