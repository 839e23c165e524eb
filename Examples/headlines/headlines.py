#!/usr/bin/env python3
"""Headlines: the newest lines of a JSON feed, as a provider that opens no connection.

It is an example of a download. The first run says which file the program wants. The daemon fetches
the file, and runs the program again with its path. Half an hour later the program asks for the same
file; a second run follows only if the file has changed.
"""
import datetime as dt
import json
import os
import signal
import sys

REFRESH = dt.timedelta(minutes=30)
ITEMS_MAX = 8


def main():
    request = json.load(sys.stdin.buffer)
    now = dt.datetime.fromisoformat(request["now"].replace("Z", "+00:00"))
    if request["request"] != "timeline":  # a preview shows what a feed looks like
        return write(preview(now))
    told = {item["id"]: item for item in request.get("downloads", [])}.get("feed")
    if told is None:
        answer = {"result": "noData", "downloads": [order()]}
    elif "file" in told:
        answer = shown(told, now)
    else:
        answer = {"result": "failed", "reason": told["error"]["message"]}
    write(answer)


def write(answer):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that is gone ends it without a word
    json.dump(answer, sys.stdout)


def order():
    return {"id": "feed", "url": os.environ["HEADLINES_URL"],
            "headers": {"Accept": "application/feed+json, application/json"},
            "expect": {"maxBytes": 1 << 20, "types": ["application/*", "text/plain"]}}


def shown(told, now):
    try:
        with open(told["file"], encoding="utf-8") as file:
            feed = json.load(file)
        items = [item for item in feed["items"] if item.get("title")][:ITEMS_MAX]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return {"result": "failed", "reason": f"the file is no JSON feed: {error}"}
    if not items:
        return {"result": "failed", "reason": "the feed has no lines"}
    content = {"title": feed.get("title", "Headlines"), "text": items[0]["title"],
               "short": items[0]["title"], "symbol": "newspaper", "asOf": told["date"],
               "staleAfter": 4 * 3600, "items": [row(line) for line in items]}
    return entries(content, now)


def row(line):
    url = line.get("url")
    is_safe = isinstance(url, str) and url.startswith("https://")
    return {"text": line["title"], **({"url": url} if is_safe else {})}


def preview(now):
    return entries({"title": "Headlines", "text": "The first line of a feed", "short": "A line",
                    "symbol": "newspaper"}, now)


def entries(content, now):
    after = (now + REFRESH).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"entries": [{"date": now.strftime("%Y-%m-%dT%H:%M:%SZ"), "content": content}],
            "policy": {"after": after}}


if __name__ == "__main__":
    main()
