#!/usr/bin/env python3
"""Calendar: the week and the year, two kinds of one extension.

It is an example of a bundle. The manifest offers two kinds of one program, so the daemon starts one
process and sends it the requests of both; `kind` says which of them is asked. A process a kind would
need twice the memory for the same calendar.

A week is known in advance: each answer has an entry for today and one for each of the next six
days, from midnight on, and the daemon asks again at the end. Weeks are those of ISO 8601.
"""
import datetime as dt
import json
import sys

DAY_COUNT = 7
DAYS = {"en": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        "zh": ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"]}
WORDS = {"en": {"week": "week {}", "passed": "{} of {} days have passed"},
         "zh": {"week": "第{}周", "passed": "一年{1}天已过{0}天"}}


def main():
    for line in sys.stdin:
        answer = answer_to(line)
        if answer is not None:
            # At once: what waits in a buffer arrives late.
            print(json.dumps({"jsonrpc": "2.0", **answer}), flush=True)


def answer_to(line):
    """Return the answer to a line; None for a notification, which has none."""
    try:
        request = json.loads(line)
        identifier = request.get("id")
    except (ValueError, AttributeError) as error:
        return {"id": None, "error": {"code": -32700, "message": f"not a request: {error}"}}
    if identifier is None:
        return None
    try:
        make = {"provider.timeline": timeline, "provider.snapshot": moment,
                "provider.placeholder": moment}[request["method"]]
    except KeyError:
        return {"id": identifier,
                "error": {"code": -32601, "message": f"no method {request.get('method')}"}}
    try:
        return {"id": identifier, "result": make(request["params"])}
    except (KeyError, ValueError) as error:
        return {"id": identifier, "error": {"code": -32602, "message": f"bad params: {error}"}}


def timeline(params):
    content = {"org.intentd.example.calendar.week": week,
               "org.intentd.example.calendar.year": year}[params["kind"]]
    language = "zh" if params["locale"].startswith("zh") else "en"
    now = dt.datetime.fromisoformat(params["now"].replace("Z", "+00:00")).astimezone()
    entries = []
    for number in range(DAY_COUNT):
        day = now.date() + dt.timedelta(days=number)
        # A day begins at midnight of the clock on the wall, also where clocks change.
        begin = now if number == 0 else dt.datetime.combine(day, dt.time()).astimezone()
        entries.append({"date": begin.astimezone(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                        "content": content(day, language)})
    end = dt.datetime.combine(now.date() + dt.timedelta(days=DAY_COUNT), dt.time())
    after = end.astimezone(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"entries": entries, "policy": {"after": after}}


def moment(params):
    answer = timeline(params)
    return {**answer, "entries": answer["entries"][:1]}


def week(day, language):
    number = day.isocalendar()[1]
    words = WORDS[language]["week"].format(number)
    return {"title": DAYS[language][day.weekday()], "text": [day.isoformat(), words],
            "short": f"{day.day:02} · {words}", "symbol": "calendar"}


def year(day, language):
    first = dt.date(day.year, 1, 1)
    count = (dt.date(day.year + 1, 1, 1) - first).days
    passed = (day - first).days
    percentage = passed * 100 // count
    return {"title": str(day.year), "text": WORDS[language]["passed"].format(passed, count),
            "short": f"{day.year} · {percentage} %", "percentage": percentage,
            "symbol": "calendar"}


if __name__ == "__main__":
    main()
