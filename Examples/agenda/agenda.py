#!/usr/bin/env python3
"""Agenda: the events of an iCalendar file, as a one-shot provider.

It is an example of a timeline that one run fills for a week. An entry appears a quarter of an hour
before each event, when the event starts and when it ends. A date in the entry counts down without a
reload, and relevance lifts the widget to the top when an event is near. A line that cannot be read
drops its event only, and the tooltip names the line.

It has two modes: compact it lists the next five events, expanded all of the week that the surface
has room for, and it says how high that is.

It reads this part of RFC 5545: VEVENT with DTSTART, DTEND or DURATION (UTC, TZID, DATE, floating),
SUMMARY, LOCATION, UID, STATUS, EXDATE, RECURRENCE-ID, and RRULE of DAILY, WEEKLY or MONTHLY with
INTERVAL, COUNT, UNTIL, BYDAY and BYMONTHDAY. It reports a rule with more parts and drops the event.
"""
import calendar
import datetime as dt
import json
import os
import re
import signal
import sys
import urllib.parse
import zoneinfo

WINDOW = dt.timedelta(days=7)
NOTICE = dt.timedelta(minutes=15)
REFRESH = dt.timedelta(hours=1)  # the file may have changed
FILE_BYTES_MAX = 8 << 20
ENTRIES_MAX = 1000  # the daemon takes 1,440
ROWS = 5
ROWS_MORE = 12
ENTRIES_MAX_EXPANDED = 200  # each is larger, and the answer has its limit
HEAD_POINTS, ITEM_POINTS = 60, 20  # the height of the lines above the items, and of an item
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
UTC = dt.timezone.utc


def main():
    request = json.load(sys.stdin.buffer)
    now = dt.datetime.fromisoformat(request["now"].replace("Z", "+00:00"))
    path = os.environ.get("AGENDA_ICS") or "agenda.ics"
    try:
        with open(path, "rb") as file:
            text = file.read(FILE_BYTES_MAX + 1)
        if len(text) > FILE_BYTES_MAX:
            raise OSError(f"larger than {FILE_BYTES_MAX >> 20} MiB")
    except OSError as error:
        content = {"title": "Agenda", "text": f"cannot read {path}", "short": "no agenda",
                   "symbol": "calendar.badge.exclamationmark", "class": ["unreadable"],
                   "tooltip": f"{path}: {error.strerror or error}"}
        answer = {"entries": [entry(now, content, 0)], "policy": {"after": rfc3339(now + REFRESH)}}
    else:
        events, problems = read_calendar(text.decode("utf-8", "replace"))
        rows = request.get("values", {}).get("rows", ROWS)
        answer = agenda(events, problems, now, rows, room(request))
    if request["request"] != "timeline":  # a placeholder or a snapshot is one moment
        answer["entries"] = answer["entries"][:1]
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that is gone ends it without a word
    json.dump(answer, sys.stdout)  # ASCII with escapes, so that no locale can break it


# MARK: the timeline


def room(request):
    """Return how many items there is room for in the expanded mode; None: it is compact."""
    if request.get("mode") != "expanded":
        return None
    return max(ROWS, (request["maximumSize"]["height"] - HEAD_POINTS) // ITEM_POINTS)


def agenda(events, problems, now, rows=ROWS, room=None):
    end = now + WINDOW
    shown = []
    for event in events:
        # Look a week past the last entry, so that the last entries can show the next event too.
        shown += occurrences(event, now, end + WINDOW)
    shown.sort(key=lambda one: (one["start"], one["end"], one["summary"]))
    moments = {now}
    for one in shown:
        moments |= {one["start"] - NOTICE, one["start"], one["end"]}
    most = ENTRIES_MAX if room is None else ENTRIES_MAX_EXPANDED
    moments = sorted(moment for moment in moments if now <= moment < end)[:most]
    entries = [moment_entry(moment, shown, problems, rows, room) for moment in moments]
    answer = {"entries": entries, "policy": {"after": rfc3339(now + REFRESH)}}
    if room is not None:
        lines = max(len(one["content"]["items"]) for one in entries)
        answer["preferredHeight"] = HEAD_POINTS + ITEM_POINTS * lines
    return answer


def moment_entry(now, shown, problems, rows, room=None):
    """Choose the event to show at `now`: one about to start, else one that is on, else the next."""
    timed = [one for one in shown if not one["all_day"]]
    soon = [one for one in timed if now < one["start"] <= now + NOTICE]
    running = [one for one in timed if one["start"] <= now < one["end"]]
    later = [one for one in shown if one["start"] > now]
    today = [one for one in shown if one["all_day"] and one["start"] <= now < one["end"]]
    if soon:
        one, state, score = soon[0], "soon", 90
    elif running:
        one, state, score = running[-1], "now", 60
    elif later:
        one, state = later[0], "later"
        score = max(1, 50 - int((one["start"] - now).total_seconds() // 3600) * 2)
    elif today:
        one, state, score = today[0], "now", 10
    else:
        content = {"title": "Agenda", "text": "nothing in the next 7 days", "short": "free",
                   "symbol": "calendar", "class": ["free"], "items": []}
        return entry(now, noted(content, problems), 0)
    listed = soon + running + today + [x for x in later if x not in soon]
    if room is not None:
        listed = [x for x in listed if x["start"] < now + WINDOW]
    where = f" · {one['location']}" if one["location"] else ""
    when = when_text(one, now)
    # The surface counts this date down: to the start, or to the end of the event that is on.
    ticking = {"date": rfc3339(one["end"] if state == "now" else one["start"]),
               "style": "timer" if state == "soon" else "relative"}
    content = {
        "title": one["summary"],
        "text": [f"{when}{where}", ticking],
        "short": f"{when.split()[-1]} {one['summary']}",
        "symbol": "calendar",
        "class": [state],
        "tooltip": "; ".join(f"all day: {one['summary']}" for one in today),
        "items": rows_of(listed, now, rows, room),
    }
    return entry(now, noted(content, problems), score, event_url(one))


def rows_of(events, now, rows, room=None):
    """Return a row for each of the first events, and one that shows more of them, or fewer.

    A tap on that one sets a value of the widget, which comes back with each request. Expanded, the
    widget shows as many as it has `room` for.
    """
    if room is not None:
        return [row_of(one, now) for one in events[:room]]
    items = [row_of(one, now) for one in events[:rows]]
    if len(events) > rows and rows < ROWS_MORE:
        items.append({"text": "Show more", "set": {"rows": ROWS_MORE}})
    elif rows > ROWS:
        items.append({"text": "Show fewer", "set": {"rows": None}})
    return items


def row_of(one, now):
    return {"text": f"{when_text(one, now)}  {one['summary']}", "url": event_url(one)}


def noted(content, problems):
    if problems:
        content["class"].append("incomplete")
        notes = [content.get("tooltip"), f"{len(problems)} not understood: {problems[0]}"]
        content["tooltip"] = "; ".join(note for note in notes if note)
    return content


def when_text(one, now):
    local = one["start"].astimezone(local_zone())
    today = now.astimezone(local_zone()).date()
    time = "all day" if one["all_day"] else f"{local:%H:%M}"
    return time if local.date() == today else f"{local:%a %d} {time}"


# MARK: when an event happens


def occurrences(event, after, before):
    """Return the occurrences of an event that overlap `after` ..< `before`."""
    found = []
    for start in starts(event, before):
        # A length in days counts days of the event's zone, one in hours counts hours; they differ
        # when the clock changes.
        end = (start + event["length"] if event["all_day"] or event["is_nominal"] else
               start.astimezone(UTC) + event["length"])
        if start not in event["except"] and (end > after or start == end >= after):
            found.append({**event, "start": start.astimezone(UTC), "end": end.astimezone(UTC)})
    return found


def starts(event, before):
    """Yield the starts before `before` by the rule; COUNT includes the dates that EXDATE removes."""
    rule, first = event["rule"], event["start"]
    if not rule:
        yield from [first] if first < before else []
        return
    count = 0
    for date in rule_dates(rule, first.date(), before.date() + dt.timedelta(days=1)):
        start = dt.datetime.combine(date, first.timetz())
        if start < first:
            continue  # the days of the first week or month that lie before DTSTART
        if start >= before or rule["until"] and start > rule["until"]:
            return
        count += 1
        yield start
        if count == rule["count"]:
            return


def rule_dates(rule, first, last):
    """Yield the dates of a rule in order, from the week or month of `first` to about `last`.

    Bounded by the calendar, not by what is found: a rule may well never match.
    """
    days = {"DAILY": 1, "WEEKLY": 7, "MONTHLY": 28}[rule["freq"]] * rule["interval"]
    for period in range((last - first).days // days + 2):
        ahead = period * rule["interval"]
        if rule["freq"] == "DAILY":
            date = first + dt.timedelta(days=ahead)
            dates = [date] if not rule["days"] or (0, date.weekday()) in rule["days"] else []
        elif rule["freq"] == "WEEKLY":
            monday = first - dt.timedelta(days=first.weekday()) + dt.timedelta(weeks=ahead)
            days = {day for _, day in rule["days"]} or {first.weekday()}
            dates = [monday + dt.timedelta(days=day) for day in days]
        else:
            month = first.year * 12 + first.month - 1 + ahead
            dates = month_dates(month // 12, month % 12 + 1, rule, first)
        yield from sorted(dates)


def month_dates(year, month, rule, first):
    last = calendar.monthrange(year, month)[1]
    every = [dt.date(year, month, day) for day in range(1, last + 1)]
    if rule["days"]:  # "2TU": the second Tuesday; "-1FR": the last Friday; "TU": every one
        found = set()
        for nth, weekday in rule["days"]:
            same = [date for date in every if date.weekday() == weekday]
            found |= set(same if nth == 0 else same[nth - 1:nth] if nth > 0 else
                         same[nth:len(same) + nth + 1])
        return found
    wanted = rule["month_days"] or [first.day]  # a day the month does not have is skipped
    return {date for date in every if date.day in wanted or date.day - last - 1 in wanted}


# MARK: reading iCalendar


def read_calendar(text):
    """Return the events, and a sentence for each line that could not be read."""
    events, problems, fields, nested = [], [], None, 0
    for number, line in unfolded(text):
        name, parameters, value = split_line(line)
        if name == "BEGIN" and fields is not None:
            nested += 1  # an alarm inside the event has its own properties
        elif name == "BEGIN" and value.upper() == "VEVENT":
            fields = {"line": number, "EXDATE": []}
        elif name == "END" and nested:
            nested -= 1
        elif name == "END" and fields is not None:
            try:
                events.append(make_event(fields))
            except ValueError as problem:
                problems.append(str(problem))
            except OverflowError:
                problems.append(f"line {fields['line']}: the event is out of the calendar's range")
            fields = None
        elif fields is not None and not nested:
            if name is None:
                problems.append(f"line {number}: “{line[:40]}” has no colon")
            elif name == "EXDATE":
                fields["EXDATE"].append((number, parameters, value))
            else:
                fields[name] = (number, parameters, value)
    if fields is not None:
        problems.append(f"line {fields['line']}: the event does not end")
    for moved in events:  # One occurrence of a series with its own text or time replaces it there.
        for event in events:
            if moved["replaces"] and event["rule"] and event["uid"] == moved["uid"]:
                event["except"].add(moved["replaces"])
    for problem in problems:
        print(f"agenda: {problem}", file=sys.stderr)
    return [event for event in events if not event["cancelled"]], problems


def unfolded(text):
    """Yield lines with their numbers; a line that starts with a blank continues the previous one."""
    whole = None
    for number, line in enumerate(re.split(r"\r?\n", text), 1):
        if whole and line[:1] in (" ", "\t"):
            whole = (whole[0], whole[1] + line[1:])
            continue
        if whole and whole[1]:
            yield whole
        whole = (number, line)
    if whole and whole[1]:
        yield whole


def split_line(line):
    """Split NAME;PARAMETER=value;…:value, where a quoted parameter may contain colons."""
    match = re.match(r'([A-Za-z0-9-]+)((?:;[^=;:]+=(?:"[^"]*"|[^";:]*))*):(.*)$', line)
    if not match:
        return None, {}, ""
    parameters = {key.upper(): value.strip('"') for key, value in
                  re.findall(r';([^=;:]+)=("[^"]*"|[^";:]*)', match[2])}
    return match[1].upper(), parameters, match[3]


def make_event(fields):
    if "DTSTART" not in fields:
        raise ValueError(f"line {fields['line']}: an event without DTSTART")
    start, all_day = read_date(*fields["DTSTART"])
    is_nominal = False
    if "DTEND" in fields:
        end, _ = read_date(*fields["DTEND"])
        length = end - start if all_day else end.astimezone(UTC) - start.astimezone(UTC)
    elif "DURATION" in fields:
        length, is_nominal = read_duration(*fields["DURATION"])
    else:
        length = dt.timedelta(days=1 if all_day else 0)
    if length < dt.timedelta(0):
        raise ValueError(f"line {fields['line']}: an event that ends before it starts")
    if not 1900 < start.year < 9000 or length.days > 3650:
        raise OverflowError
    return {
        "start": start, "length": length, "all_day": all_day, "is_nominal": is_nominal,
        "replaces": read_date(*fields["RECURRENCE-ID"])[0] if "RECURRENCE-ID" in fields else None,
        "cancelled": text_value(fields, "STATUS").upper() == "CANCELLED",
        "summary": text_value(fields, "SUMMARY") or "(no title)",
        "location": text_value(fields, "LOCATION"),
        "uid": text_value(fields, "UID") or f"line-{fields['line']}",
        "rule": read_rule(*fields["RRULE"], start) if "RRULE" in fields else None,
        "except": {read_date(number, parameters, one)[0]
                   for number, parameters, value in fields["EXDATE"] for one in value.split(",")},
    }


def text_value(fields, name):
    value = fields.get(name, (0, {}, ""))[2]
    plain = re.sub(r"\\(.)", lambda match: " " if match[1] in "nN" else match[1], value)
    return " ".join(plain.split())


def read_date(number, parameters, value):
    """Read a date with its zone, and whether it is a whole day. Floating times are local times."""
    match = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?", value.strip())
    try:
        if not match:
            raise ValueError
        zone = UTC if match[7] else (
            zoneinfo.ZoneInfo(parameters["TZID"]) if "TZID" in parameters else local_zone())
        numbers = [int(part) for part in match.groups()[:6] if part]
        return dt.datetime(*numbers, tzinfo=zone), match[4] is None
    except (zoneinfo.ZoneInfoNotFoundError, OSError):
        raise ValueError(f"line {number}: unknown time zone “{parameters['TZID']}”") from None
    except ValueError:
        raise ValueError(f"line {number}: “{value[:40]}” is no date") from None


def read_duration(number, parameters, value):
    match = re.fullmatch(
        r"\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", value.strip())
    if not match:
        raise ValueError(f"line {number}: “{value[:40]}” is no duration")
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    length = dt.timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return length, bool(weeks or days)


def read_rule(number, parameters, value, start):
    parts = dict(part.upper().split("=", 1) for part in value.split(";") if "=" in part)
    known = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "WKST"}
    days = [re.fullmatch(r"([+-]?\d+)?(MO|TU|WE|TH|FR|SA|SU)", day)
            for day in parts.get("BYDAY", "").split(",") if day]
    # A week that does not start on Monday matters only to rules that skip weeks.
    skips_weeks = parts.get("FREQ") == "WEEKLY" and parts.get("INTERVAL", "1") != "1"
    if (parts.get("FREQ") not in ("DAILY", "WEEKLY", "MONTHLY") or set(parts) - known
            or None in days or skips_weeks and parts.get("WKST", "MO") != "MO"
            or "BYMONTHDAY" in parts and (parts["FREQ"] != "MONTHLY" or days)):
        raise ValueError(f"line {number}: the rule “{value[:60]}” is not supported")
    try:
        until = None
        if "UNTIL" in parts:
            zone = {} if parts["UNTIL"].endswith("Z") else {"TZID": str(start.tzinfo)}
            until, whole_day = read_date(number, zone, parts["UNTIL"])
            until += dt.timedelta(days=1, seconds=-1) if whole_day else dt.timedelta(0)
        return {
            "freq": parts["FREQ"], "interval": positive(parts.get("INTERVAL", "1")),
            "count": positive(parts["COUNT"]) if "COUNT" in parts else None, "until": until,
            "days": {(int(day[1] or 0), WEEKDAYS.index(day[2])) for day in days},
            "month_days": [int(day) for day in parts.get("BYMONTHDAY", "").split(",") if day],
        }
    except ValueError:
        raise ValueError(f"line {number}: the rule “{value[:60]}” has a bad value") from None


def positive(text):
    number = int(text)
    if not 0 < number < 10_000:
        raise ValueError
    return number


# MARK: small things


def local_zone():
    """Return the local time zone: $TZ, else the system's setting, else UTC."""
    name = os.environ.get("TZ", "").lstrip(":") or os.path.realpath("/etc/localtime")
    try:
        return zoneinfo.ZoneInfo(name.rsplit("zoneinfo/", 1)[-1])
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return zoneinfo.ZoneInfo("UTC")


def entry(date, content, score, url="agenda://today"):
    return {"date": rfc3339(date), "relevance": {"score": score}, "content": content, "url": url}


def event_url(one):
    return (f"agenda://event/{urllib.parse.quote(one['uid'], safe='')}"
            f"?start={rfc3339(one['start'])}")


def rfc3339(date):
    return date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    main()
