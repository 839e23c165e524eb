#!/usr/bin/env python3
"""@TITLE@: says how much room the disk has. Put your own data in its place.

    intent-send try @KIND@ --watch    runs it at each save and shows everything
    ./widget.py                       prints what it would answer now

intentd_widget.py beside this file reads the request and writes the answer.
"""
import shutil
from datetime import timedelta

from intentd_widget import Entry, Request, Timeline, run


def timeline(request: Request) -> Timeline:
    # Your data. For the gallery this runs with request.is_preview, and has two seconds.
    free = f"{shutil.disk_usage('/').free // 1_000_000_000} GB"

    # What to show from now on, and when to ask again. Compute dates from request.now and not from
    # the clock; then `intent-send simulate` can play tomorrow.
    entry = Entry(request.now, title="@TITLE@", text=f"{free} free", short=free)
    return Timeline([entry], after=request.now + timedelta(minutes=30))


if __name__ == "__main__":
    run(timeline)
