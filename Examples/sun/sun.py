#!/usr/bin/env python3
"""Sun: dawn, sunrise, noon, sunset and dusk of a city, as a one-shot provider.

It is an example of data that are known in advance, so one run a day is enough. Each event of the sun
is an entry: it appears when the event happens and shows the next one, with a date that ticks without
a reload.

The sun's position follows the short series of Meeus, "Astronomical Algorithms", chapter 25 (as in
NOAA's solar calculator), to about 0.01 degree. Sunrise is at -0.833 degrees, because of refraction
and the sun's radius; civil dawn is at -6. Times are right to about a minute outside the polar
regions; near the polar circles the sun grazes the horizon, and refraction decides the last minutes.
"""
import datetime as dt
import json
import math
import os
import re
import signal
import sys
import unicodedata
import urllib.parse
import zoneinfo

ZONE_TABLES = ["/usr/share/zoneinfo/zone.tab", "/usr/share/zoneinfo/zone1970.tab"]
RISING_DEGREES = -0.833
CIVIL_DEGREES = -6.0
JUST_HAPPENED = dt.timedelta(minutes=30)
J2000 = dt.datetime(2000, 1, 1, 12, tzinfo=dt.timezone.utc)


def main():
    request = json.load(sys.stdin.buffer)
    now = dt.datetime.fromisoformat(request["now"].replace("Z", "+00:00"))
    parameters = (request.get("intent") or {}).get("parameters") or {}
    city = str(parameters.get("city") or "Beijing")
    place = find_place(city)
    if place is None:
        # Ask again tomorrow: the list may have this city by then.
        content = {"title": city, "text": f"where is “{city}”? It is in no list here",
                   "short": "?", "symbol": "questionmark.circle", "class": ["unknown-city"]}
        answer = {"entries": [entry(now, city, content)],
                  "policy": {"after": format_date(now + dt.timedelta(days=1))}}
    else:
        answer = sun_timeline(city, place, now)
    if request["request"] != "timeline":  # a placeholder or a snapshot is one moment
        answer["entries"] = answer["entries"][:1]
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that is gone ends it without a word
    json.dump(answer, sys.stdout)  # ASCII with escapes, so that no locale can break it


# MARK: the timeline


def sun_timeline(city, place, now):
    zone = zoneinfo.ZoneInfo(place["zone"])
    today = now.astimezone(zone).date()
    # Yesterday's last event is the one that is on now; tomorrow covers a late reload, and the day
    # after gives tomorrow's last entry its next event.
    days = [sun_day(today + dt.timedelta(days=n), place, zone) for n in (-1, 0, 1, 2)]
    events = sorted((date, name) for day in days for name, date in day["events"].items())
    just_now = [name for date, name in events if now - JUST_HAPPENED < date <= now]
    end = midnight(today + dt.timedelta(days=2), zone)
    moments = [(now, just_now[-1] if just_now else None)]
    moments += [event for event in events if now < event[0] < end]
    entries = []
    for date, name in moments:
        following = next(event for event in events if event[0] > date)
        day = days[1 + (date.astimezone(zone).date() - today).days]
        entries.append(entry(date, city, content(city, place, day, date, name, following, zone),
                             relevance(date, name, following)))
    # Reload just after the next local midnight, because the items describe one day.
    return {"entries": entries,
            "policy": {"after": format_date(midnight(today + dt.timedelta(days=1), zone))}}


def content(city, place, day, date, name, following, zone):
    elevation = sun_elevation(date + dt.timedelta(seconds=1), place)
    if elevation > RISING_DEGREES:
        state, symbol = "daylight", "sun.max"
    elif elevation > CIVIL_DEGREES:
        state, symbol = "twilight", "sun.horizon"
    else:
        state, symbol = "night", "moon.stars"
    if name in ("sunrise", "sunset"):
        symbol = name
    next_date, next_name = following
    local = next_date.astimezone(zone)
    text = f"{next_name} at {local:%H:%M}"
    if day["note"]:
        text = f"{day['note']}, {text}"
    made = {
        "title": city,
        # The surface keeps the second line ("in 2 h") current without a reload.
        "text": [text, {"date": format_date(next_date), "style": "relative"}],
        "short": f"{next_name} {local:%H:%M}",
        "symbol": symbol,
        "class": [state] + ([day["note"].replace(" ", "-")] if day["note"] else []),
        "tooltip": f"sun {elevation:+.0f}° over the horizon; {day['length']}",
        "items": [{"text": f"{when.astimezone(zone):%H:%M}  {what}",
                   "url": f"{city_url(city)}?event={what}"}
                  for what, when in day["events"].items()],
    }
    if "sunrise" in day["events"] and "sunset" in day["events"]:
        rise, set_ = day["events"]["sunrise"], day["events"]["sunset"]
        made["percentage"] = round(100 * min(1, max(0, (date - rise) / (set_ - rise))))
    return made


def relevance(date, name, following):
    """Return the relevance: highest when the sun has just risen or set, or is about to."""
    if name in ("sunrise", "sunset"):
        return {"score": 80, "duration": int(JUST_HAPPENED.total_seconds())}
    if following[1] in ("sunrise", "sunset"):
        # Dawn comes half an hour before sunrise, noon half a day before sunset: only the first is
        # near.
        return {"score": 60 if following[0] - date < dt.timedelta(hours=2) else 20}
    return {"score": 10}


# MARK: the sun


def sun_day(date, place, zone):
    """Return a local day's events in order, its peculiarity if any, and its length of daylight."""
    noon = solar_noon(date, place, zone)
    found = {
        "dawn": crossing(noon, place, CIVIL_DEGREES, -1),
        "sunrise": crossing(noon, place, RISING_DEGREES, -1),
        "noon": noon,
        "sunset": crossing(noon, place, RISING_DEGREES, +1),
        "dusk": crossing(noon, place, CIVIL_DEGREES, +1),
    }
    events = {name: when for name, when in found.items() if when is not None}
    if "sunrise" in events and "sunset" in events:
        minutes = round((events["sunset"] - events["sunrise"]).total_seconds() / 60)
        return {"events": events, "note": "",
                "length": f"{minutes // 60} h {minutes % 60:02d} min of daylight"}
    if sun_elevation(noon, place) > RISING_DEGREES:
        return {"events": events, "note": "polar day", "length": "the sun does not set"}
    return {"events": events, "note": "polar night", "length": "the sun does not rise"}


def solar_noon(date, place, zone):
    """Return the moment at which the sun crosses the meridian on that local day."""
    clock_noon = dt.datetime.combine(date, dt.time(12), zone).astimezone(dt.timezone.utc)
    midday = dt.datetime.combine(date, dt.time(12), dt.timezone.utc)
    noon = midday - dt.timedelta(hours=place["longitude"] / 15)
    # Near the date line a local day is not the UTC day of the same date: take the nearest noon.
    noon += dt.timedelta(days=round((clock_noon - noon) / dt.timedelta(days=1)))
    for _ in range(2):  # the equation of time depends a little on the time
        offset = hour_angle_of_sun(noon, place)
        noon -= dt.timedelta(hours=offset / 15)
    return noon


def crossing(noon, place, degrees, direction):
    """Return when the sun passes `degrees` before (-1) or after (+1) that noon, or None."""
    when = noon
    for _ in range(5):  # the declination changes with the time; five rounds settle within a second
        declination, _ = sun_position(when)
        latitude = math.radians(place["latitude"])
        cosine = ((math.sin(math.radians(degrees)) - math.sin(latitude) * math.sin(declination))
                  / (math.cos(latitude) * math.cos(declination)))
        if not -1 <= cosine <= 1:
            return None
        wanted = direction * math.degrees(math.acos(cosine))
        step = (wanted - hour_angle_of_sun(when, place) + 180) % 360 - 180  # the short way round
        when += dt.timedelta(hours=step / 15)
    return when


def hour_angle_of_sun(when, place):
    """Return the sun's degrees west of the meridian, -180 ..< 180: negative in the morning."""
    _, right_ascension = sun_position(when)
    days = (when - J2000) / dt.timedelta(days=1)
    sidereal = 280.46061837 + 360.98564736629 * days  # Greenwich, degrees (Meeus 12.4)
    return (sidereal + place["longitude"] - math.degrees(right_ascension) + 180) % 360 - 180


def sun_elevation(when, place):
    """Return the degrees of the sun's centre above the horizon, without refraction."""
    declination, _ = sun_position(when)
    latitude, angle = math.radians(place["latitude"]), math.radians(hour_angle_of_sun(when, place))
    return math.degrees(math.asin(math.sin(latitude) * math.sin(declination)
                                  + math.cos(latitude) * math.cos(declination) * math.cos(angle)))


def sun_position(when):
    """Return the sun's apparent declination and right ascension, in radians."""
    t = (when - J2000) / dt.timedelta(days=36525)  # Julian centuries
    mean_longitude = 280.46646 + t * (36000.76983 + t * 0.0003032)
    anomaly = math.radians(357.52911 + t * (35999.05029 - t * 0.0001537))
    centre = ((1.914602 - t * 0.004817) * math.sin(anomaly)
              + (0.019993 - t * 0.000101) * math.sin(2 * anomaly)
              + 0.000289 * math.sin(3 * anomaly))
    node = math.radians(125.04 - 1934.136 * t)
    longitude = math.radians(mean_longitude + centre - 0.00569 - 0.00478 * math.sin(node))
    obliquity = math.radians(23.4392911 - 0.0130042 * t + 0.00256 * math.cos(node))
    return (math.asin(math.sin(obliquity) * math.sin(longitude)),
            math.atan2(math.cos(obliquity) * math.sin(longitude), math.cos(longitude)))


# MARK: places


def find_place(city):
    """Find a city's coordinates and zone: in the zone database if it names a zone, else in the list.

    If the list has the city, the list decides its zone: there is more than one San Juan.
    """
    listed = next((place for place in listed_cities() if same(city, place["out"])), None)
    for path in ZONE_TABLES:
        for place in zone_places(path):
            if same(city, place["name"]) and (listed is None or listed["zone"] == place["zone"]):
                return place
    return listed


def zone_places(path):
    """Read a table of zones.

    A line has countries, coordinates as ISO 6709 (+DDMM+DDDMM, seconds optional), zone and comments.
    """
    pattern = re.compile(r"([+-])(\d\d)(\d\d)(\d\d)?([+-])(\d{3})(\d\d)(\d\d)?$")
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                fields = line.rstrip("\n").split("\t")
                match = pattern.match(fields[1]) if len(fields) > 2 else None
                if match:
                    parts = match.groups()
                    yield {"name": fields[2].rsplit("/", 1)[-1].replace("_", " "),
                           "zone": fields[2],
                           "latitude": degrees(*parts[:4]), "longitude": degrees(*parts[4:])}
    except FileNotFoundError:
        return  # Not every system has both tables.


def degrees(sign, whole, minutes, seconds):
    value = int(whole) + int(minutes) / 60 + int(seconds or 0) / 3600
    return -value if sign == "-" else value


def listed_cities():
    """Read the project's list of cities.

    It has one value per line, so a pattern is enough and no YAML library is needed.
    """
    path = os.path.join(os.environ.get("INTENTD_DATA", ""), "lists", "cities.yaml")
    pattern = re.compile(r'out: *"(?P<out>[^"]*)".*zone: *"(?P<zone>[^"]*)"'
                         r".*latitude: *(?P<latitude>[-\d.]+).*longitude: *(?P<longitude>[-\d.]+)")
    try:
        with open(path, encoding="utf-8") as file:
            found = [match.groupdict() for match in map(pattern.search, file) if match]
    except FileNotFoundError:
        return []
    return [{**place, "latitude": float(place["latitude"]), "longitude": float(place["longitude"])}
            for place in found]


# MARK: small things


def entry(date, city, content, relevance=None):
    made = {"date": format_date(date), "content": content, "url": city_url(city)}
    if relevance:
        made["relevance"] = relevance
    return made


def city_url(city):
    return "sun://city/" + urllib.parse.quote(city, safe="")


def same(one, other):
    return (unicodedata.normalize("NFC", one).casefold()
            == unicodedata.normalize("NFC", other).casefold())


def midnight(date, zone):
    return dt.datetime.combine(date, dt.time(0), zone)


def format_date(date):
    return date.astimezone(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    main()
