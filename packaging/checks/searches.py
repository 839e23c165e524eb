#!/usr/bin/python3
"""Searches on the session bus all the time, and says what became of each call. check-desktop calls it.

Usage: searches.py SECONDS [--until-bus-ends]
Every call has to end. At the end of the seconds calls are answered with results, or the bus ended.
"""

import collections
import sys
import time

from gi.repository import Gio, GLib

WORDS = GLib.Variant("(as)", (["show", "weather", "for", "Beijing"],))
# A call may wait so long until the daemon runs again.
PATIENCE_MS = 20_000

loop = GLib.MainLoop()
end = time.monotonic() + float(sys.argv[1])
bus_may_end = "--until-bus-ends" in sys.argv
outcomes = collections.Counter()
waiting = 0
last = None

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
bus.set_exit_on_close(False)


def ask():
    """Send one search; another follows."""
    global waiting
    if time.monotonic() > end or bus.is_closed():
        if not waiting:
            loop.quit()
        return GLib.SOURCE_REMOVE
    waiting += 1
    bus.call(
        "org.intentd.Daemon", "/org/intentd/Daemon", "org.gnome.Shell.SearchProvider2",
        "GetInitialResultSet", WORDS, GLib.VariantType("(as)"), 0, PATIENCE_MS, None, answered,
    )
    return GLib.SOURCE_CONTINUE


def answered(source, result):
    """Count an answer, or the reason why there is none."""
    global waiting, last
    waiting -= 1
    try:
        last = "found" if source.call_finish(result).unpack()[0] else "nothing found"
    except GLib.Error as error:
        last = f"{error.domain} {error.code}"
        if error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.TIMED_OUT):
            last = "no answer"
    outcomes[last] += 1
    if not waiting and (time.monotonic() > end or bus.is_closed()):
        loop.quit()


GLib.timeout_add(20, ask)
GLib.timeout_add_seconds(int(float(sys.argv[1])) + PATIENCE_MS // 1000 + 5, loop.quit)
loop.run()
for outcome, count in outcomes.items():
    print(f"{count} × {outcome}")
if waiting:
    sys.exit(f"{waiting} calls never ended")
if outcomes["no answer"]:
    sys.exit(f"{outcomes['no answer']} calls got no answer within {PATIENCE_MS} ms")
if not outcomes["found"]:
    sys.exit("no call found anything")
if not bus_may_end and last not in ("found", "nothing found"):
    sys.exit(f"the last call ended with {last}")
