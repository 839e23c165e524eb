#!/usr/bin/env python3
"""Weather: a one-shot provider (request on stdin, timeline on stdout) that asks a web service.

It is an example of a provider that needs a network. Such a provider should follow these rules:
- Make many entries from one answer: the forecast is hourly, so twelve hours need no new request.
- Never invent data. Without a network and a kept answer, the entry says so; retry in 30 minutes.
- Keep the last good answer in $INTENTD_CACHE, and show its age with `asOf`.
- Label a sample ($WEATHER_SAMPLE) wherever a person could read it as a forecast.
Forecast and geocoding are by Open-Meteo.com (CC BY 4.0), whose documentation defines the answers.
"""
import datetime as dt
import hashlib
import json
import os
import re
import signal
import sys
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import zoneinfo

FORECAST_URL = "https://api.open-meteo.com/v1/forecast"
GEOCODING_URL = "https://geocoding-api.open-meteo.com/v1/search"
HOURS_SHOWN = 12
REQUEST_SECONDS_MAX = 10  # twice (geocoding, forecast) stays below the manifest's timeout of 30 s
ANSWER_BYTES_MAX = 1 << 20
ATTRIBUTION = "Weather data by Open-Meteo.com"  # their licence asks for it
HOUR = dt.timedelta(hours=1)
RETRY = dt.timedelta(minutes=30)  # 48 a day fit into a budget of 40 to 70 reloads
REFRESH = dt.timedelta(hours=1)

# WMO weather codes as Open-Meteo documents them: (words, symbol by day, symbol by night).
WMO = {
    0: ("clear", "sun.max", "moon.stars"),
    1: ("mainly clear", "sun.max", "moon.stars"),
    2: ("partly cloudy", "cloud.sun", "cloud.moon"),
    3: ("overcast", "cloud", "cloud"),
    45: ("fog", "cloud.fog", "cloud.fog"),
    48: ("rime fog", "cloud.fog", "cloud.fog"),
    51: ("light drizzle", "cloud.drizzle", "cloud.drizzle"),
    53: ("drizzle", "cloud.drizzle", "cloud.drizzle"),
    55: ("heavy drizzle", "cloud.drizzle", "cloud.drizzle"),
    56: ("freezing drizzle", "cloud.sleet", "cloud.sleet"),
    57: ("heavy freezing drizzle", "cloud.sleet", "cloud.sleet"),
    61: ("light rain", "cloud.rain", "cloud.rain"),
    63: ("rain", "cloud.rain", "cloud.rain"),
    65: ("heavy rain", "cloud.heavyrain", "cloud.heavyrain"),
    66: ("freezing rain", "cloud.sleet", "cloud.sleet"),
    67: ("heavy freezing rain", "cloud.sleet", "cloud.sleet"),
    71: ("light snow", "cloud.snow", "cloud.snow"),
    73: ("snow", "cloud.snow", "cloud.snow"),
    75: ("heavy snow", "cloud.snow", "cloud.snow"),
    77: ("snow grains", "cloud.snow", "cloud.snow"),
    80: ("light showers", "cloud.sun.rain", "cloud.moon.rain"),
    81: ("showers", "cloud.sun.rain", "cloud.moon.rain"),
    82: ("violent showers", "cloud.heavyrain", "cloud.heavyrain"),
    85: ("snow showers", "cloud.snow", "cloud.snow"),
    86: ("heavy snow showers", "cloud.snow", "cloud.snow"),
    95: ("thunderstorm", "cloud.bolt.rain", "cloud.bolt.rain"),
    96: ("thunderstorm with hail", "cloud.bolt.rain", "cloud.bolt.rain"),
    99: ("thunderstorm with heavy hail", "cloud.bolt.rain", "cloud.bolt.rain"),
}


class NoNetwork(Exception):
    """The service could not be reached, or its answer was of no use. The widget shows the text."""


class UnknownCity(Exception):
    """Neither the list nor the geocoding service knows the city."""


def main():
    request = json.load(sys.stdin.buffer)
    now = parse_date(request["now"])
    parameters = (request.get("intent") or {}).get("parameters") or {}
    city = str(parameters.get("city") or "Beijing")
    # A placeholder is shown for milliseconds and a preview in a gallery: make no request for them.
    if request["request"] == "placeholder":
        answer = placeholder(city, now)
    elif request.get("isPreview"):
        answer = preview(city, now)
    else:
        answer = weather(city, now)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that is gone ends it without a word
    json.dump(answer, sys.stdout)  # ASCII with escapes, so that no locale can break it


def preview(city, now):
    kept = last_good(city)
    if kept and (shown := entries(city, kept["forecast"], now, as_of=parse_date(kept["asOf"]))):
        return timeline(shown[:1], "never")
    try:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sample-forecast.json"),
                  encoding="utf-8") as file:
            return timeline(entries(city, json.load(file), now, sample=True)[:1], "never")
    except OSError:  # It was installed without its sample.
        return placeholder(city, now)


def placeholder(city, now):
    blank = {"title": city, "text": "–°", "short": "–°", "symbol": "cloud"}
    return timeline([entry(now, city, blank)], "never")


def weather(city, now):
    sample = os.environ.get("WEATHER_SAMPLE") or os.environ.get("INTENTD_WEATHER_SAMPLE")
    if sample:
        with open(sample, encoding="utf-8") as file:
            forecast = json.load(file)
        return timeline(entries(city, forecast, now, sample=True), now + REFRESH)
    try:
        forecast = fetch_forecast(find_city(city))
        shown = entries(city, forecast, now, as_of=now)
        keep(city, now, forecast)
        return timeline(shown, now + REFRESH)
    except UnknownCity:
        content = {"title": city, "text": f"no place called “{city}” was found", "short": "?",
                   "symbol": "questionmark.circle", "class": ["unknown-city"]}
        return timeline([entry(now, city, content)], now + dt.timedelta(days=1))
    except NoNetwork as problem:
        reason = str(problem)
    # There is no fresh forecast. Show the kept one, with its age, while it has hours left.
    kept = last_good(city)
    if kept:
        shown = entries(city, kept["forecast"], now, as_of=parse_date(kept["asOf"]), problem=reason)
        if shown:
            return timeline(shown, now + RETRY)
    content = {"title": city, "text": "no network", "short": "no network", "symbol": "wifi.slash",
               "class": ["offline"], "tooltip": f"no network: {reason}"}
    return timeline([entry(now, city, content)], now + RETRY)


# MARK: the forecast, as entries


def entries(city, forecast, now, as_of=None, problem=None, sample=False):
    """Make one entry per hour from now on, each with the hours that follow it as its items."""
    hours, current = read_forecast(forecast)
    if sample:  # A sample has no date of its own: its present becomes the hour it is looked at.
        start = max(hour["date"] for hour in hours if hour["date"] <= current["date"])
        zones = [place["zone"] for place in listed_cities() if same(city, place["out"])]
        for hour in [*hours, current]:
            hour["date"] += (now - start) // HOUR * HOUR
            hour["zone"] = zoneinfo.ZoneInfo(zones[0]) if zones else hours[0]["zone"]
    hours = [hour for hour in hours if hour["date"] > now - HOUR]
    if not hours:
        return []
    # `current` is measured, the hour's value is forecast: prefer `current` during its hour.
    if hours[0]["date"] <= current["date"] < hours[0]["date"] + HOUR:
        hours[0] = {**hours[0], **current, "date": hours[0]["date"]}
    unit = (forecast.get("current_units") or {}).get("temperature_2m", "°C").strip("CF ")
    shown = []
    for index, hour in enumerate(hours[:HOURS_SHOWN]):
        code = hour["code"]
        words, day, night = WMO.get(code, (f"weather code {code}", "cloud", "cloud"))
        temperature = f"{round(hour['temperature'])}{unit}"
        content = {
            "title": city,
            "text": f"{temperature} {words}",
            "short": temperature,
            "symbol": day if hour["is_day"] else night,
            "class": [re.sub(r"[^a-z0-9]+", "-", words)],
            "items": [item(city, later, unit) for later in hours[index + 1:index + 6]],
            "tooltip": ATTRIBUTION,
        }
        if hour["chance"] is not None:
            content["percentage"] = hour["chance"]
            content["tooltip"] = f"{hour['chance']} % chance of rain or snow. {ATTRIBUTION}"
        if as_of:
            content["asOf"] = format_date(as_of)
            content["staleAfter"] = 2 * int(REFRESH.total_seconds())
        if problem:
            content["class"].append("offline")
            content["tooltip"] = f"no network ({problem}): the last forecast. {ATTRIBUTION}"
        if sample:  # Every part a surface may show alone carries the label.
            content["class"].append("sample")
            content["title"] += " (sample data)"
            content["subtitle"] = "sample data"
            content["text"] += " (sample data)"
            content["short"] += " (sample)"
            content["tooltip"] = "sample data, not a forecast"
            for one in content["items"]:
                one["text"] += " (sample)"
        date = max(hour["date"], now) if index == 0 else hour["date"]
        shown.append(entry(date, city, content, score=score(hour)))
    return shown


def item(city, hour, unit):
    words = WMO.get(hour["code"], ("",))[0]
    local = hour["date"].astimezone(hour["zone"])
    return {"text": f"{local:%H:%M}  {round(hour['temperature'])}{unit} {words}".rstrip(),
            "url": f"{city_url(city)}?hour={local.hour}"}


def score(hour):
    """Return the relevance: high for weather that a person acts on, low for a clear sky."""
    if hour["code"] >= 95:
        return 90
    if hour["code"] >= 51:
        return 60
    return 20 + (hour["chance"] or 0) // 4


def read_forecast(forecast):
    """Return the hours and the present of a documented answer; raise NoNetwork for any other."""
    try:
        zone = time_zone(forecast)
        hourly, present = forecast["hourly"], forecast["current"]
        count = len(hourly["time"])
        chances = hourly.get("precipitation_probability") or [None] * count
        days = hourly.get("is_day") or [1] * count
        hours = [
            {"date": local_date(time, zone), "zone": zone, "temperature": float(temperature),
             "code": int(code), "chance": chance, "is_day": bool(is_day)}
            for time, temperature, code, chance, is_day in zip(
                hourly["time"], hourly["temperature_2m"], hourly["weather_code"], chances, days)
            if temperature is not None and code is not None  # the service leaves gaps as null
        ]
        current = {
            "date": local_date(present["time"], zone), "is_day": bool(present.get("is_day", 1)),
            "temperature": float(present["temperature_2m"]), "code": int(present["weather_code"])}
        return hours, current
    except (KeyError, TypeError, ValueError) as error:
        raise NoNetwork(f"the answer was not a forecast: {error!r}") from error


def time_zone(forecast):
    try:
        return zoneinfo.ZoneInfo(forecast["timezone"])
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):  # e.g. "GMT+8": the offset says the same
        return dt.timezone(dt.timedelta(seconds=forecast["utc_offset_seconds"]))


# MARK: where the data comes from


def find_city(name):
    """Return latitude, longitude and zone, from the project's list or else from the service."""
    for place in listed_cities():
        if same(name, place["out"]) or same(name, place["in"]):
            return place
    found = get_json(GEOCODING_URL, {"name": name, "count": 1, "language": "en", "format": "json"})
    for place in found.get("results") or []:
        return {"latitude": place["latitude"], "longitude": place["longitude"],
                "zone": place.get("timezone", "auto")}
    raise UnknownCity(name)


def listed_cities():
    """Read the project's list of cities.

    It has one value per line, so a pattern is enough and no YAML library is needed.
    """
    path = os.path.join(os.environ.get("INTENTD_DATA", ""), "lists", "cities.yaml")
    pattern = re.compile(
        r'in: *"(?P<in>[^"]*)".*out: *"(?P<out>[^"]*)".*zone: *"(?P<zone>[^"]*)"'
        r'.*latitude: *(?P<latitude>-?[\d.]+).*longitude: *(?P<longitude>-?[\d.]+)')
    try:
        with open(path, encoding="utf-8") as file:
            return [match.groupdict() for match in map(pattern.search, file) if match]
    except FileNotFoundError:
        return []  # Without the list, the geocoding service knows.


def fetch_forecast(place):
    units = {"temperature_unit": "fahrenheit"} if is_imperial() else {}
    return get_json(FORECAST_URL, {
        "latitude": place["latitude"], "longitude": place["longitude"],
        "current": "temperature_2m,weather_code,is_day",
        "hourly": "temperature_2m,weather_code,precipitation_probability,is_day",
        "timezone": place["zone"], "forecast_days": 2, **units})


def get_json(url, query):
    host = urllib.parse.urlsplit(url).hostname
    url += "?" + urllib.parse.urlencode(query)
    try:
        # urllib honours https_proxy and no_proxy, which the daemon passes on.
        with urllib.request.urlopen(url, timeout=REQUEST_SECONDS_MAX) as answer:
            return json.loads(answer.read(ANSWER_BYTES_MAX))
    except urllib.error.HTTPError as error:
        raise NoNetwork(f"{host} answered {error.code}") from error
    except ValueError as error:
        raise NoNetwork(f"{host} did not answer with JSON") from error
    except OSError as error:  # refused, unreachable, no such name, timed out, bad certificate
        raise NoNetwork(str(getattr(error, "reason", error))) from error


# MARK: the last good answer


def kept_path(city):
    name = hashlib.sha256(folded(city).encode()).hexdigest()[:16]  # a city is no file name
    units = "imperial" if is_imperial() else "metric"
    return os.path.join(os.environ["INTENTD_CACHE"], f"forecast-{units}-{name}.json")


def keep(city, now, forecast):
    if "INTENTD_CACHE" not in os.environ:
        return
    path = kept_path(city)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({"asOf": format_date(now), "forecast": forecast}, file)
    os.replace(path + ".new", path)  # whole or not at all: we may be stopped at our deadline


def last_good(city):
    try:
        with open(kept_path(city), encoding="utf-8") as file:
            return json.load(file)
    except (KeyError, FileNotFoundError, ValueError):
        return None


# MARK: small things


def entry(date, city, content, score=None):
    made = {"date": format_date(date), "content": content, "url": city_url(city)}
    if score is not None:
        made["relevance"] = {"score": score, "duration": 3600}
    return made


def timeline(entries, policy):
    """Return a timeline; `policy` is "never", "atEnd" or the date after which to ask again."""
    if isinstance(policy, dt.datetime):
        policy = {"after": format_date(policy)}
    return {"entries": entries, "policy": policy}


def is_imperial():
    return os.environ.get("WEATHER_UNITS") == "imperial"


def city_url(city):
    return "weather://city/" + urllib.parse.quote(city, safe="")


def folded(text):
    return unicodedata.normalize("NFC", text).casefold()


def same(one, other):
    return folded(one) == folded(other)


def local_date(text, zone):
    return dt.datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(dt.timezone.utc)


def parse_date(text):
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(dt.timezone.utc)


def format_date(date):
    return date.astimezone(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    main()
