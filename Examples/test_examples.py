#!/usr/bin/env python3
"""Tests the examples as the daemon runs them: with a request on stdin and a clean environment.

    python3 Examples/test_examples.py

The tests use no network: a proxy that refuses, or a server in this file, replaces it. The Swift
example is tested if it is built (in .build, on PATH or at INTENTD_EXAMPLE_CLOCK).
"""
import datetime as dt
import http.server
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import unittest
import zoneinfo

HERE = os.path.dirname(os.path.abspath(__file__))
NOW = "2026-11-20T21:10:30Z"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
OUTPUT_BYTES_MAX = 1 << 20
ENTRIES_MAX = 1440
REFUSED = "http://127.0.0.1:9"  # the discard port: nobody listens
CITIES = """\
lists:
  cities:
    values:
      - {in: "Beijing", out: "Beijing", metadata: {zone: "Asia/Shanghai", latitude: 39.90, longitude: 116.41}}
      - {in: "北京", out: "Beijing"}
      - {in: "London", out: "London", metadata: {zone: "Europe/London", latitude: 51.51, longitude: -0.13}}
      - {in: "Tromsø", out: "Tromsø", metadata: {zone: "Europe/Oslo", latitude: 69.65, longitude: 18.96}}
      - {in: "Delhi", out: "Delhi", metadata: {zone: "Asia/Kolkata", latitude: 28.61, longitude: 77.21}}
      - {in: "San Juan", out: "San Juan", metadata: {zone: "America/Puerto_Rico", latitude: 18.47, longitude: -66.11}}
"""


def date(text):
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00"))


def local(text, zone):
    return date(text).astimezone(zoneinfo.ZoneInfo(zone)).strftime("%H:%M")


class ProviderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cache = os.path.join(self.folder, "cache")
        os.makedirs(os.path.join(self.folder, "data", "lists"))
        os.mkdir(self.cache)
        with open(os.path.join(self.folder, "data", "lists", "cities.yaml"), "w",
                  encoding="utf-8") as file:
            file.write(CITIES)

    def environment(self, **more):
        """Return the environment that the daemon makes: the variables of the protocol alone."""
        return {"PATH": os.environ["PATH"], "HOME": self.folder, "LANG": "C", "TZ": "UTC",
                "TMPDIR": self.folder, "INTENTD_CACHE": self.cache,
                "INTENTD_DATA": os.path.join(self.folder, "data"),
                "https_proxy": REFUSED, "http_proxy": REFUSED, **more}

    def question(self, example, parameters=None, request="timeline", now=NOW):
        return {"request": request, "kind": f"org.intentd.example.{example}",
                "family": "systemSmall", "displaySize": {"width": 158, "height": 158},
                "isPreview": request == "snapshot", "locale": "en_US",
                "intent": {"name": "Any", "parameters": parameters or {}}, "now": now}

    def ask(self, example, parameters=None, request="timeline", now=NOW, values=None,
            room=None, **environment):
        program = {"system": "./system.sh"}.get(example, f"./{example}.py")
        question = self.question(example, parameters, request, now)
        if values:
            question["values"] = values
        if room is not None:
            question.update(mode="expanded", maximumSize={"width": 359, "height": room})
        done = subprocess.run([program], cwd=os.path.join(HERE, example), timeout=30,
                              input=json.dumps(question).encode(), capture_output=True,
                              env=self.environment(**environment))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.stderr = done.stderr.decode()
        self.assertLessEqual(len(done.stdout), OUTPUT_BYTES_MAX)
        answer = json.loads(done.stdout)
        self.check_shape(answer, now)
        return answer

    def check_shape(self, answer, now=NOW):
        """Check the rules that hold for every answer."""
        self.assertLessEqual(set(answer), {"entries", "policy", "preferredHeight"})
        entries = answer["entries"]
        self.assertTrue(0 < len(entries) <= ENTRIES_MAX, len(entries))
        for entry in entries:
            self.assertLessEqual(set(entry), {"date", "relevance", "content", "url"})
            self.assertRegex(entry["date"], RFC3339)
            self.assertRegex(entry["url"], r"^[a-z]+://[!-~]+$")
            relevance = entry.get("relevance", {"score": 0})
            self.assertTrue(0 <= relevance["score"] <= 100)
            self.assertGreaterEqual(relevance.get("duration", 0), 0)
            self.check_content(entry["content"])
        dates = [date(entry["date"]) for entry in entries]
        self.assertEqual(dates, sorted(set(dates)), "entries ascend, one a date")
        self.assertLessEqual(dates[0], date(now), "something shows at once")
        policy = answer["policy"]
        if policy not in ("atEnd", "never"):
            self.assertEqual(list(policy), ["after"])
            self.assertGreater(date(policy["after"]), date(now))

    def check_content(self, content):
        for key in ("title", "short", "symbol"):
            self.assertIsInstance(content[key], str)
            self.assertTrue(content[key].strip(), key)
        lines = content["text"] if isinstance(content["text"], list) else [content["text"]]
        self.assertIsInstance(lines[0], str, "a bar shows the first line: words, not a date")
        for line in lines:
            if isinstance(line, dict):
                self.assertEqual(set(line), {"date", "style"})
                self.assertRegex(line["date"], RFC3339)
                self.assertIn(line["style"], ("relative", "timer", "offset"))
            else:
                self.assertTrue(line.strip())
        self.assertTrue(0 <= content.get("percentage", 0) <= 100)
        for name in content.get("class", []):
            self.assertRegex(name, r"^[a-z0-9-]+$")
        for item in content.get("items", []):
            self.assertLessEqual(set(item), {"text", "url", "set"})
            self.assertTrue(item["text"])
        if "asOf" in content:
            self.assertRegex(content["asOf"], RFC3339)
            self.assertGreater(content["staleAfter"], 0)


class WeatherTests(ProviderTest):
    sample = os.path.join(HERE, "weather", "sample-forecast.json")

    def test_a_sample_is_labelled_wherever_it_shows(self):
        for name in ("WEATHER_SAMPLE", "INTENTD_WEATHER_SAMPLE"):
            answer = self.ask("weather", {"city": "Beijing"}, **{name: self.sample})
            self.assertEqual(len(answer["entries"]), 12)
            for entry in answer["entries"]:
                content = entry["content"]
                self.assertIn("sample", content["class"])
                for key in ("title", "subtitle", "text", "short", "tooltip"):
                    self.assertIn("sample", content[key], key)
                for item in content["items"]:
                    self.assertIn("sample", item["text"])
                self.assertNotIn("asOf", content)

    def test_a_sample_starts_now_and_goes_on_by_the_hour(self):
        answer = self.ask("weather", {"city": "Delhi"}, WEATHER_SAMPLE=self.sample)
        dates = [entry["date"] for entry in answer["entries"]]
        self.assertEqual(dates[:3], [NOW, "2026-11-20T22:10:30Z"[:14] + "00:00Z",
                                     "2026-11-20T23:00:00Z"])
        first = answer["entries"][0]["content"]
        self.assertEqual(first["text"], "-1° partly cloudy (sample data)")
        # 22:00 in UTC is 03:30 in Delhi.
        self.assertTrue(first["items"][0]["text"].startswith("03:30"), first["items"][0])
        self.assertEqual(answer["policy"], {"after": "2026-11-20T22:10:30Z"})

    def test_without_a_network_it_says_so_and_tries_again_in_30_minutes(self):
        answer = self.ask("weather", {"city": "Beijing"})
        self.assertEqual(len(answer["entries"]), 1)
        self.assertEqual(answer["entries"][0]["content"]["text"], "no network")
        self.assertEqual(answer["entries"][0]["content"]["class"], ["offline"])
        self.assertEqual(answer["policy"], {"after": "2026-11-20T21:40:30Z"})

    def test_a_placeholder_needs_no_network(self):
        answer = self.ask("weather", {"city": "Beijing"}, request="placeholder")
        self.assertEqual(answer["entries"][0]["content"]["text"], "–°")

    def test_a_preview_needs_no_network_and_says_that_it_is_a_sample(self):
        answer = self.ask("weather", {"city": "Beijing"}, request="snapshot")
        self.assertEqual(len(answer["entries"]), 1)
        self.assertIn("sample data", answer["entries"][0]["content"]["text"])

    def test_the_last_good_forecast_goes_on_showing_with_its_age(self):
        with open(self.sample, encoding="utf-8") as file:
            forecast = file.read()
        with Service({"/v1/forecast": forecast}) as service:
            fresh = self.ask("weather", {"city": "Beijing"}, **service.environment)
            self.assertIn("latitude=39.90&longitude=116.41", service.asked[0])
            self.assertIn("timezone=Asia%2FShanghai", service.asked[0])
        first = fresh["entries"][0]["content"]
        self.assertEqual(first["text"], "-1° partly cloudy")
        self.assertEqual(first["asOf"], NOW)
        self.assertNotIn("sample", first["class"])
        self.assertEqual(fresh["policy"], {"after": "2026-11-20T22:10:30Z"})

        later = self.ask("weather", {"city": "beijing"}, now="2026-11-21T03:20:00Z")
        shown = later["entries"][0]["content"]
        self.assertEqual(shown["asOf"], NOW)
        self.assertEqual(shown["text"], "6° mainly clear")
        self.assertIn("offline", shown["class"])
        self.assertIn("no network", shown["tooltip"])
        self.assertEqual(later["policy"], {"after": "2026-11-21T03:50:00Z"})

        # A forecast without hours left is not shown, nor is that of another city.
        gone = self.ask("weather", {"city": "Beijing"}, now="2026-11-25T00:00:00Z")
        self.assertEqual(gone["entries"][0]["content"]["text"], "no network")
        other = self.ask("weather", {"city": "London"})
        self.assertEqual(other["entries"][0]["content"]["text"], "no network")

    def test_an_answer_that_is_no_forecast_is_not_shown_nor_kept(self):
        for answer in ('{"error":true,"reason":"limit"}', "<html>", "[]", '{"hourly":{}}', ""):
            with Service({"/v1/forecast": answer}) as service:
                shown = self.ask("weather", {"city": "Beijing"}, **service.environment)
            self.assertEqual(shown["entries"][0]["content"]["text"], "no network", answer)
        self.assertEqual(os.listdir(self.cache), [])

    def test_a_city_that_nobody_knows_is_said_to_be_unknown(self):
        with Service({"/v1/search": '{"generationtime_ms":0.5}'}) as service:
            answer = self.ask("weather", {"city": "Atlan/tis"}, **service.environment)
        content = answer["entries"][0]["content"]
        self.assertEqual(content["class"], ["unknown-city"])
        self.assertIn("Atlan/tis", content["text"])
        self.assertEqual(answer["entries"][0]["url"], "weather://city/Atlan%2Ftis")

    def test_a_city_off_the_list_is_looked_up(self):
        with open(self.sample, encoding="utf-8") as file:
            forecast = file.read()
        place = '{"results":[{"latitude":48.2,"longitude":16.4,"timezone":"Europe/Vienna"}]}'
        with Service({"/v1/search": place, "/v1/forecast": forecast}) as service:
            self.ask("weather", {"city": "Wien"}, **service.environment)
        self.assertIn("name=Wien", service.asked[0])
        self.assertIn("latitude=48.2&longitude=16.4", service.asked[1])


class Service:
    """Answers instead of the forecast service: a sitecustomize points the example's URLs here."""

    def __init__(self, answers):
        self.asked = []
        asked = self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                body = answers[self.path.split("?")[0]].encode()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.hook = tempfile.TemporaryDirectory()
        with open(os.path.join(self.hook.name, "sitecustomize.py"), "w") as file:
            file.write("import urllib.request as r\n_open = r.urlopen\n"
                       "def there(url, **more):\n"
                       "    host, path = url.split('/', 3)[2:]\n"
                       "    assert url.startswith('https://') and host.endswith('open-meteo.com')\n"
                       f"    return _open('http://127.0.0.1:{self.server.server_port}/' + path,"
                       " **more)\n"
                       "r.urlopen = there\n")
        self.environment = {"PYTHONPATH": self.hook.name, "no_proxy": "127.0.0.1"}

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()
        return self

    def __exit__(self, *problem):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        self.hook.cleanup()


class SunTests(ProviderTest):
    def events(self, answer):
        """Return {event: "HH:MM" local} from the first entry's items."""
        items = answer["entries"][0]["content"]["items"]
        return {item["text"].split()[1]: item["text"].split()[0] for item in items}

    def assert_near(self, shown, expected, minutes=1):
        self.assertEqual(list(shown), list(expected))
        for name, time in expected.items():
            a, b = (int(x[:2]) * 60 + int(x[3:]) for x in (shown[name], time))
            self.assertLessEqual(abs(a - b), minutes, f"{name} {shown[name]}, almanac {time}")

    def test_winter_days_are_as_in_the_almanac(self):
        beijing = self.ask("sun", {"city": "Beijing"}, now="2026-12-20T20:00:00Z")
        self.assert_near(self.events(beijing), {"dawn": "07:02", "sunrise": "07:32",
                                                "noon": "12:12", "sunset": "16:53",
                                                "dusk": "17:23"})
        london = self.ask("sun", {"city": "London"}, now="2026-12-21T05:00:00Z")
        self.assert_near(self.events(london), {"dawn": "07:23", "sunrise": "08:04",
                                               "noon": "11:59", "sunset": "15:53",
                                               "dusk": "16:34"})

    def test_an_entry_appears_with_each_event_and_names_the_next(self):
        answer = self.ask("sun", {"city": "Beijing"}, now="2026-12-20T20:00:00Z")
        texts = [entry["content"]["short"] for entry in answer["entries"]]
        self.assertEqual([text.split()[0] for text in texts[:6]],
                         ["dawn", "sunrise", "noon", "sunset", "dusk", "dawn"])
        for entry, following in zip(answer["entries"], answer["entries"][1:]):
            self.assertEqual(entry["content"]["text"][1]["date"], following["date"])
        # This is 00:00 in Beijing.
        self.assertEqual(answer["policy"], {"after": "2026-12-21T16:00:00Z"})

    def test_relevance_is_highest_around_sunrise_and_sunset(self):
        answer = self.ask("sun", {"city": "London"}, now="2026-12-21T05:00:00Z")
        scores = [entry["relevance"]["score"] for entry in answer["entries"][:6]]
        night, dawn, sunrise, noon, sunset, dusk = scores
        self.assertGreater(min(sunrise, sunset), dawn)
        self.assertGreater(dawn, max(night, noon, dusk))
        # An hour after sunrise, the sunrise is not relevant any more.
        later = self.ask("sun", {"city": "London"}, now="2026-12-21T09:10:00Z")
        self.assertLess(later["entries"][0]["relevance"]["score"], dawn)

    def test_polar_night_has_twilight_but_no_sunrise(self):
        answer = self.ask("sun", {"city": "Tromsø"}, now="2026-12-21T05:00:00Z")
        self.assert_near(self.events(answer), {"dawn": "09:31", "noon": "11:42", "dusk": "13:53"})
        content = answer["entries"][0]["content"]
        self.assertIn("polar-night", content["class"])
        self.assertIn("polar night", content["text"][0])
        self.assertIn("does not rise", content["tooltip"])
        self.assertEqual(answer["entries"][0]["url"], "sun://city/Troms%C3%B8")

    def test_polar_day_has_a_noon_only(self):
        answer = self.ask("sun", {"city": "Tromsø"}, now="2026-06-21T05:00:00Z")
        self.assertEqual(list(self.events(answer)), ["noon"])
        self.assertIn("polar-day", answer["entries"][0]["content"]["class"])

    def test_a_city_that_names_a_zone_needs_no_list(self):
        answer = self.ask("sun", {"city": "new york"}, INTENTD_DATA="/nowhere")
        self.assert_near(self.events(answer), {"dawn": "06:20", "sunrise": "06:50",
                                               "noon": "11:42", "sunset": "16:34",
                                               "dusk": "17:04"}, minutes=2)

    def test_the_list_says_which_of_two_zones_is_meant(self):
        # San Juan is the one in Puerto Rico (UTC-4), not America/Argentina/San_Juan (UTC-3).
        answer = self.ask("sun", {"city": "San Juan"})
        self.assertEqual(self.events(answer)["noon"], "12:10")

    def test_an_unknown_city_is_said_to_be_unknown(self):
        answer = self.ask("sun", {"city": "Atlantis"})
        self.assertEqual(len(answer["entries"]), 1)
        self.assertEqual(answer["entries"][0]["content"]["class"], ["unknown-city"])

    def test_a_snapshot_is_one_moment(self):
        self.assertEqual(len(self.ask("sun", request="snapshot")["entries"]), 1)


class MoonTests(ProviderTest):
    def test_each_entry_names_a_picture_that_is_drawn_once(self):
        first = self.ask("moon")
        files = [entry["content"]["image"]["file"] for entry in first["entries"]]
        self.assertTrue(all(os.path.dirname(file) == self.cache for file in files))
        self.assertEqual(sorted(os.listdir(self.cache)), sorted({os.path.basename(f) for f in files}))
        times = [os.stat(file).st_mtime_ns for file in files]
        self.assertEqual(self.ask("moon"), first)
        self.assertEqual([os.stat(file).st_mtime_ns for file in files], times)
        for file in files:
            with open(file, "rb") as picture:
                data = picture.read()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack(">II", data[16:24]), (160, 160))
            self.assertLess(len(data), 256 * 1024)

    def test_the_phase_is_that_of_the_almanac(self):
        for now, title, lit in [("2026-08-12T17:37:00Z", "New moon", 0),
                                ("2026-11-24T14:54:00Z", "Full moon", 100),
                                ("2026-11-17T11:48:00Z", "First quarter", 50)]:
            content = self.ask("moon", now=now)["entries"][0]["content"]
            self.assertEqual(content["title"], title)
            self.assertLess(abs(int(content["short"].split()[0]) - lit), 8)

    def test_a_preview_is_one_entry_and_without_a_cache_there_is_no_picture(self):
        self.assertEqual(len(self.ask("moon", request="snapshot")["entries"]), 1)
        answer = self.ask("moon", INTENTD_CACHE="")
        self.assertNotIn("image", answer["entries"][0]["content"])


class SystemTests(ProviderTest):
    def root(self, available=8_000_000, load="0.50", temperature=None, battery=None):
        """Make a folder that stands in for /, with the figures that a test wants."""
        root = os.path.join(self.folder, "root")
        shutil.rmtree(root, ignore_errors=True)

        def write(path, text):
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)

        write("proc/loadavg", f"{load} 0.40 0.30 1/200 4242\n")
        write("proc/cpuinfo", "processor\t: 0\nmodel name\t: x\n\nprocessor\t: 1\n")
        write("proc/meminfo", "MemTotal:       16000000 kB\nMemFree:          100000 kB\n"
                              f"MemAvailable:    {available} kB\n")
        if temperature:
            write("sys/class/thermal/thermal_zone0/temp", "41000\n")
            write("sys/class/thermal/thermal_zone1/temp", f"{temperature}\n")
        if battery:
            for name, value in {"type": "Battery", "scope": "Device", "capacity": 3}.items():
                write(f"sys/class/power_supply/A-mouse/{name}", f"{value}\n")
            for name, value in battery.items():
                write(f"sys/class/power_supply/BAT0/{name}", f"{value}\n")
        return root

    def content(self, **figures):
        answer = self.ask("system", SYSTEM_ROOT=self.root(**figures))
        self.assertEqual(answer["policy"], {"after": "2026-11-20T21:15:30Z"})
        self.assertEqual(answer["entries"][0]["date"], NOW)
        return answer["entries"][0]["content"]

    def test_this_machine_has_figures(self):
        content = self.ask("system")["entries"][0]["content"]
        self.assertRegex(content["text"], r"^load \d+\.\d\d, memory \d+ %$")
        self.assertTrue(any(item["text"].startswith("disk ") for item in content["items"]))

    def test_memory_above_90_percent_is_urgent(self):
        calm = self.content(available=1_600_000)
        self.assertEqual((calm["percentage"], calm["urgent"], calm["class"]), (90, False, []))
        full = self.content(available=1_440_000)
        self.assertEqual((full["percentage"], full["urgent"], full["class"]),
                         (91, True, ["memory-high"]))

    def test_what_the_machine_does_not_have_is_left_out(self):
        texts = " ".join(item["text"] for item in self.content()["items"])
        self.assertNotIn("°C", texts)
        self.assertNotIn("battery", texts)

    def test_the_hottest_zone_and_the_own_battery_count(self):
        content = self.content(temperature=95500, battery={
            "type": "Battery", "scope": "System", "capacity": 7, "status": "Discharging"})
        texts = [item["text"] for item in content["items"]]
        self.assertIn("96 °C", texts)
        self.assertIn("battery 7 %", texts)
        self.assertEqual(content["class"], ["hot", "battery-low"])
        self.assertTrue(content["urgent"])


class AgendaTests(ProviderTest):
    def agenda(self, *lines, now=NOW, **environment):
        path = os.path.join(self.folder, "test.ics")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write("\r\n".join(["BEGIN:VCALENDAR", *lines, "END:VCALENDAR", ""]))
        return self.ask("agenda", now=now, AGENDA_ICS=path, **environment)

    def event(self, *lines, summary="Thing"):
        return ["BEGIN:VEVENT", f"UID:{summary}", f"SUMMARY:{summary}", *lines, "END:VEVENT"]

    def starts(self, answer, count=5):
        """Return the start dates of the first entry's items, from their URLs."""
        items = answer["entries"][0]["content"]["items"]
        return [item["url"].split("start=")[1] for item in items if "url" in item][:count]

    def test_the_shipped_file_always_has_something_coming(self):
        for now in (NOW, "2031-02-28T23:59:00Z"):
            answer = self.ask("agenda", now=now)
            items = answer["entries"][0]["content"]["items"]
            self.assertEqual(len(items), 6)
            self.assertEqual(items[5], {"text": "Show more", "set": {"rows": 12}})
            self.assertEqual(self.stderr, "")

    def test_show_more_comes_back_as_a_value_and_show_fewer_takes_it_away(self):
        answer = self.ask("agenda", values={"rows": 12})
        items = answer["entries"][0]["content"]["items"]
        self.assertEqual(len(items), 13)
        self.assertEqual(items[12], {"text": "Show fewer", "set": {"rows": None}})

    def test_an_event_shows_15_minutes_before_when_it_starts_and_when_it_ends(self):
        answer = self.agenda(*self.event("DTSTART:20261121T100000Z", "DTEND:20261121T113000Z"))
        self.assertEqual([(entry["date"], entry["content"]["class"]) for entry in answer["entries"]],
                         [(NOW, ["later"]), ("2026-11-21T09:45:00Z", ["soon"]),
                          ("2026-11-21T10:00:00Z", ["now"]), ("2026-11-21T11:30:00Z", ["free"])])
        scores = [entry["relevance"]["score"] for entry in answer["entries"]]
        self.assertEqual(sorted(scores), [scores[3], scores[0], scores[2], scores[1]])
        self.assertEqual(answer["entries"][1]["content"]["text"][1],
                         {"date": "2026-11-21T10:00:00Z", "style": "timer"})

    def test_a_zone_keeps_its_clock_time_over_a_change_of_clocks(self):
        # New York leaves summer time on 2026-11-01.
        answer = self.agenda(*self.event("DTSTART;TZID=America/New_York:20261030T090000",
                                         "DTEND;TZID=America/New_York:20261030T100000",
                                         "RRULE:FREQ=DAILY"), now="2026-10-31T20:00:00Z")
        self.assertEqual(self.starts(answer, 2), ["2026-11-01T14:00:00Z", "2026-11-02T14:00:00Z"])
        before = self.agenda(*self.event("DTSTART;TZID=America/New_York:20261030T090000",
                                         "RRULE:FREQ=DAILY"), now="2026-10-30T20:00:00Z")
        self.assertEqual(self.starts(before, 1), ["2026-10-31T13:00:00Z"])

    def test_rules(self):
        table = [
            # Columns: the rule, DTSTART, the first dates from 2026-11-21 on.
            ("FREQ=DAILY;INTERVAL=3", "20261119", ["22", "25", "28"]),
            ("FREQ=DAILY;BYDAY=SA,SU", "20261101", ["21", "22", "28", "29"]),
            ("FREQ=DAILY;COUNT=4", "20261119", ["21", "22"]),
            ("FREQ=DAILY;UNTIL=20261123", "20261119", ["21", "22", "23"]),
            ("FREQ=DAILY;UNTIL=20261123T115959Z", "20261119", ["21", "22"]),
            ("FREQ=WEEKLY", "20261103", ["24", "01"]),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "20261105", ["30", "03"]),
            ("FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3", "20261118", ["23", "25"]),
            ("FREQ=MONTHLY", "20260122", ["22"]),
            ("FREQ=MONTHLY;BYDAY=-1FR", "20260130", ["27"]),
            ("FREQ=MONTHLY;BYDAY=4TU", "20260127", ["24"]),
            ("FREQ=MONTHLY;BYMONTHDAY=25,-1", "20260101", ["25", "30"]),
            ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=25", "20260825", ["25"]),
            ("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30", "20260201", []),
        ]
        for rule, start, expected in table:
            with self.subTest(rule):
                answer = self.agenda(*self.event(f"DTSTART:{start}T120000Z", f"RRULE:{rule}"))
                found = [text[8:10] for text in self.starts(answer)]
                self.assertEqual(found[:len(expected)], expected)
                if expected == [] or "COUNT" in rule or "UNTIL" in rule:
                    self.assertEqual(len(found), len(expected))

    def test_exceptions_moved_and_cancelled_events(self):
        answer = self.agenda(
            *self.event("DTSTART:20261120T120000Z", "RRULE:FREQ=DAILY",
                        "EXDATE:20261121T120000Z,20261122T120000Z", summary="Run"),
            *self.event("DTSTART:20261123T150000Z", "RECURRENCE-ID:20261123T120000Z",
                        summary="Run"),
            *self.event("DTSTART:20261121T120000Z", "STATUS:CANCELLED", summary="Off"))
        self.assertEqual(self.starts(answer, 2), ["2026-11-23T15:00:00Z", "2026-11-24T12:00:00Z"])

    def test_whole_days_are_the_persons_days(self):
        answer = self.agenda(*self.event("DTSTART;VALUE=DATE:20261121"), TZ="Asia/Shanghai")
        # In Shanghai it is already the 21st.
        content = answer["entries"][0]["content"]
        self.assertEqual((content["class"], content["text"][0]), (["now"], "all day"))

    def test_folded_lines_escapes_and_quoted_parameters(self):
        answer = self.agenda("BEGIN:VEVENT", "UID:a b/c", 'DTSTART;X="a:b;c":20261121T100000Z',
                             "SUMMARY:Bread\\, but", "  ter\\; and\\nsa", "\tlt \\\\ pepper",
                             "LOCATION;ALTREP=\"http://x/y\":Küche", "BEGIN:VALARM",
                             "SUMMARY:not this", "END:VALARM", "END:VEVENT")
        content = answer["entries"][0]["content"]
        self.assertEqual(content["title"], "Bread, but ter; and salt \\ pepper")
        self.assertTrue(content["text"][0].endswith(" · Küche"))
        self.assertIn("agenda://event/a%20b%2Fc?", content["items"][0]["url"])

    def test_a_broken_line_costs_its_own_event_only(self):
        good = self.event("DTSTART:20261121T100000Z", summary="Good")
        for bad in ("DTSTART:2026-11-21", "DTSTART:20261341T000000Z", "DTSTART;TZID=X/Y:20261121T1",
                    "DTSTART;TZID=America:20261121T100000", "DTSTART:99991231T000000Z",
                    "DTSTART:00010101T000000Z"):
            with self.subTest(bad):
                answer = self.agenda(*self.event(bad, summary="Bad"), *good)
                content = answer["entries"][0]["content"]
                self.assertEqual(content["title"], "Good")
                self.assertIn("incomplete", content["class"])
                self.assertIn("line ", content["tooltip"])
                self.assertIn("line ", self.stderr)
        for line in ("no colon here", "RRULE:FREQ=YEARLY", "RRULE:FREQ=DAILY;COUNT=0",
                     "RRULE:FREQ=MONTHLY;BYMONTHDAY=x", "DTEND:20200101T000000Z", "DURATION:1h"):
            with self.subTest(line):
                event = self.event("DTSTART:20261122T100000Z", line, summary="Odd")
                answer = self.agenda(*event, *good)
                content = answer["entries"][0]["content"]
                self.assertEqual(content["title"], "Good")
                self.assertIn("incomplete", content["class"])

    def test_expanded_it_lists_as_much_of_the_week_as_there_is_room_for(self):
        compact = self.ask("agenda")
        self.assertNotIn("preferredHeight", compact)
        self.assertEqual(len(compact["entries"][0]["content"]["items"]), 6)
        expanded = self.ask("agenda", room=616)
        counts = [len(entry["content"]["items"]) for entry in expanded["entries"]]
        self.assertGreater(counts[0], 5)
        self.assertEqual(expanded["preferredHeight"], 60 + 20 * max(counts))
        small = self.ask("agenda", room=200)
        self.assertEqual(max(len(entry["content"]["items"]) for entry in small["entries"]), 7)
        self.assertEqual(small["preferredHeight"], 200)

    def test_a_missing_file_is_said_to_be_missing(self):
        answer = self.ask("agenda", AGENDA_ICS="nowhere.ics")
        self.assertEqual(answer["entries"][0]["content"]["class"], ["unreadable"])
        self.assertIn("nowhere.ics", answer["entries"][0]["content"]["text"])


class AccountTests(ProviderTest):
    def shown(self, **environment):
        done = subprocess.run(["./account.py"], cwd=os.path.join(HERE, "account"), timeout=30,
                              input=json.dumps(self.question("account")).encode(),
                              capture_output=True, env=self.environment(**environment))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        answer = json.loads(done.stdout)
        self.assertEqual(answer["policy"], "never")
        [entry] = answer["entries"]
        self.assertEqual(entry["date"], NOW)
        self.check_content(entry["content"])
        return entry["content"]

    def test_without_the_apps_data_it_is_logged_out(self):
        self.assertEqual(self.shown()["short"], "logged out")
        self.assertEqual(self.shown(INTENTD_GROUP=self.folder)["short"], "logged out")
        self.assertEqual(self.shown(INTENTD_GROUP="/nonexistent")["short"], "logged out")

    def test_with_it_the_login_is_shown(self):
        with open(os.path.join(self.folder, "login.json"), "w", encoding="utf-8") as file:
            json.dump({"user": "Ada", "unread": 3}, file)
        shown = self.shown(INTENTD_GROUP=self.folder)
        self.assertEqual((shown["title"], shown["text"]), ("Ada", "3 unread"))


class ClockTests(ProviderTest):
    def setUp(self):
        super().setUp()
        name = "intentd-example-clock"
        build = os.path.join(os.path.dirname(HERE), ".build")
        places = [os.environ.get("INTENTD_EXAMPLE_CLOCK"), shutil.which(name),
                  os.path.join(build, "release", name), os.path.join(build, "debug", name)]
        self.program = next((place for place in places if place and os.access(place, os.X_OK)), None)
        if not self.program:
            self.skipTest(f"{name} is not built")

    def talk(self, *lines):
        """Send all lines, end the input and return the answers; the process must exit by itself."""
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        done = subprocess.run([self.program], input=text.encode() + b"\n", capture_output=True,
                              env=self.environment(), timeout=30)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return [json.loads(line) for line in done.stdout.splitlines()]

    def request(self, identifier, city, method="provider.timeline", now=NOW):
        return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": {
            "request": method.split(".")[1], "kind": "org.intentd.example.clock",
            "family": "systemSmall", "displaySize": {"width": 158, "height": 158},
            "isPreview": False, "locale": "en_US", "now": now,
            "intent": {"name": "ShowWorldClock", "parameters": {"city": city}}}}

    def test_an_entry_a_minute_for_an_hour_in_the_citys_time(self):
        answers = self.talk(self.request(1, "Beijing"), self.request("b", "Delhi"))
        self.assertEqual([answer["id"] for answer in answers], [1, "b"])
        for answer, zone in zip(answers, ("Asia/Shanghai", "Asia/Kolkata")):
            timeline = answer["result"]
            self.check_shape(timeline)
            self.assertEqual(len(timeline["entries"]), 60)
            for entry in timeline["entries"]:
                self.assertEqual(entry["content"]["short"], local(entry["date"], zone))
                self.assertEqual(entry["content"]["text"][1]["style"], "relative")
        self.assertEqual(answers[1]["result"]["entries"][0]["content"]["items"][0]["text"],
                         "UTC+5:30, 5:30 h ahead")

    def test_an_unknown_city_is_said_to_be_unknown(self):
        [answer] = self.talk(self.request(1, "Atlantis"))
        self.check_shape(answer["result"])
        [entry] = answer["result"]["entries"]
        self.assertEqual(entry["content"]["class"], ["unknown-city"])
        self.assertIn("Atlantis", entry["content"]["text"][0])

    def test_a_placeholder_and_a_snapshot_are_one_moment(self):
        for method in ("provider.placeholder", "provider.snapshot"):
            [answer] = self.talk(self.request(1, "London", method))
            self.assertEqual(len(answer["result"]["entries"]), 1)

    def test_a_notification_is_not_answered_and_nonsense_does_not_end_it(self):
        answers = self.talk({"jsonrpc": "2.0", "method": "provider.cancel", "params": {"id": 1}},
                            "nonsense", {"jsonrpc": "2.0", "id": 2, "method": "provider.dance"},
                            self.request(3, "London", now="yesterday"),
                            {"jsonrpc": "2.0", "id": 4, "method": "provider.options", "params": {}})
        self.assertEqual([(answer["id"], answer.get("error", {}).get("code"))
                          for answer in answers],
                         [(None, -32700), (2, -32601), (3, -32602), (4, None)])
        self.assertIn("Beijing", answers[3]["result"]["options"])


class CalendarTests(ProviderTest):
    """One process, two kinds."""

    def talk(self, *lines, **environment):
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        done = subprocess.run([os.path.join(HERE, "calendar", "calendar.py")],
                              input=text.encode() + b"\n", capture_output=True, timeout=30,
                              env=self.environment(**environment))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def request(self, identifier, kind, method="provider.timeline", now=NOW, locale="en_US"):
        params = {**self.question(f"calendar.{kind}", now=now), "locale": locale, "intent": None}
        return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}

    def test_one_process_answers_for_both_kinds(self):
        answers = self.talk(self.request(1, "week"), self.request("b", "year"))
        self.assertEqual([answer["id"] for answer in answers], [1, "b"])
        for answer in answers:
            dates = [entry["date"] for entry in answer["result"]["entries"]]
            self.assertEqual((len(dates), dates), (7, sorted(set(dates))))
            self.assertEqual(answer["result"]["policy"], {"after": "2026-11-27T00:00:00Z"})
        week, year = (answer["result"]["entries"][0]["content"] for answer in answers)
        self.assertEqual((week["title"], week["text"]), ("Friday", ["2026-11-20", "week 47"]))
        self.assertEqual((year["title"], year["percentage"]), ("2026", 88))
        self.assertEqual(year["text"], "323 of 365 days have passed")

    def test_it_speaks_the_language_of_the_request(self):
        answers = self.talk(self.request(1, "week", locale="zh_CN"),
                            self.request(2, "year", locale="zh_CN"))
        week, year = (answer["result"]["entries"][0]["content"] for answer in answers)
        self.assertEqual((week["title"], week["text"][1]), ("星期五", "第47周"))
        self.assertEqual(year["text"], "一年365天已过323天")

    def test_days_begin_at_midnight_of_the_clock_on_the_wall(self):
        # In New York clocks go back an hour on 1 November 2026.
        [answer] = self.talk(self.request(1, "week", now="2026-10-31T12:00:00Z"),
                             TZ="America/New_York")
        dates = [entry["date"] for entry in answer["result"]["entries"][1:4]]
        self.assertEqual(dates, ["2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z",
                                 "2026-11-03T05:00:00Z"])

    def test_a_year_ends_with_its_last_week(self):
        [answer] = self.talk(self.request(1, "week", now="2027-01-01T12:00:00Z"))
        self.assertEqual(answer["result"]["entries"][0]["content"]["text"][1], "week 53")

    def test_a_moment_nonsense_and_a_notification(self):
        answers = self.talk(self.request(1, "week", "provider.snapshot"), "nonsense",
                            {"jsonrpc": "2.0", "method": "provider.cancel", "params": {"id": 1}},
                            self.request(2, "day"), self.request(3, "week", now="yesterday"),
                            self.request(4, "week", "provider.dance"))
        self.assertEqual([(answer["id"], answer.get("error", {}).get("code")) for answer in answers],
                         [(1, None), (None, -32700), (2, -32602), (3, -32602), (4, -32601)])
        self.assertEqual(len(answers[0]["result"]["entries"]), 1)


class ViewerTests(ProviderTest):
    program = os.path.join(HERE, "viewer", "intentd-example-viewer")

    def open(self, *arguments, **environment):
        return subprocess.run([self.program, *arguments], capture_output=True, timeout=10,
                              env=self.environment(XDG_STATE_HOME=self.folder + "/state",
                                                   **environment))

    def test_an_opened_url_is_a_line_in_the_log(self):
        self.assertEqual(self.open("weather://city/Beijing?hour=22").stdout, b"")
        shown = self.open("sun://x\n\x1b[2Jopened y", EXAMPLE_VIEWER_TTY="1").stdout
        self.assertEqual(shown, b"opened sun://x??[2Jopened y\n")
        with open(self.folder + "/state/intentd-example-viewer.log", "rb") as log:
            self.assertEqual(log.read(), b"opened weather://city/Beijing?hour=22\n" + shown)

    def test_it_wants_one_url(self):
        self.assertEqual(self.open().returncode, 64)

    def test_the_desktop_entry_takes_every_scheme_of_the_manifests(self):
        with open(os.path.join(HERE, "viewer", "org.intentd.example.Viewer.desktop")) as file:
            entry = file.read()
        for example in ("weather", "sun", "clock", "agenda", "system"):
            with open(os.path.join(HERE, example, f"{example}.yaml")) as file:
                manifest = file.read()
            self.assertIn(f"kind: org.intentd.example.{example}\n", manifest)
            self.assertIn("app: org.intentd.example.Viewer\n", manifest)
            scheme = re.search(r"^url: ([a-z]+)://", manifest, re.MULTILINE)[1]
            self.assertIn(f"x-scheme-handler/{scheme};", entry)


class HeadlinesTests(ProviderTest):
    url = "https://example.org/feed.json"

    def ask(self, **members):
        question = {**self.question("headlines"), **members}
        done = subprocess.run(["./headlines.py"], cwd=os.path.join(HERE, "headlines"), timeout=30,
                              input=json.dumps(question).encode(), capture_output=True,
                              env=self.environment(HEADLINES_URL=self.url))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return json.loads(done.stdout)

    def told(self, text):
        path = os.path.join(self.cache, "feed")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return [{"id": "feed", "file": path, "status": 200, "unchanged": False, "bytes": len(text),
                 "date": NOW}]

    def test_it_asks_for_its_file_first(self):
        answer = self.ask()
        self.assertEqual(answer["result"], "noData")
        self.assertEqual([order["url"] for order in answer["downloads"]], [self.url])

    def test_it_shows_the_file_that_it_is_told_of(self):
        with open(os.path.join(HERE, "headlines", "sample-feed.json"), encoding="utf-8") as file:
            answer = self.ask(downloads=self.told(file.read()))
        content = answer["entries"][0]["content"]
        self.check_content(content)
        self.assertEqual(content["title"], "Sample feed")
        self.assertEqual(len(content["items"]), 3)
        self.assertNotIn("downloads", answer)

    def test_a_file_that_is_no_feed_is_a_failure_with_words(self):
        for text in ("", "[]", "{}", '{"items": [7]}', '{"items": []}', '{"items": "x"}'):
            with self.subTest(text):
                answer = self.ask(downloads=self.told(text))
                self.assertEqual(answer["result"], "failed")
                self.assertTrue(answer["reason"])

    def test_the_reason_for_which_there_is_none_is_passed_on(self):
        error = {"code": "status", "message": "example.org answered with the status 404", "hint": "x"}
        answer = self.ask(downloads=[{"id": "feed", "error": error}])
        self.assertEqual(answer, {"result": "failed", "reason": error["message"]})

    def test_a_preview_needs_no_file(self):
        answer = self.ask(request="snapshot")
        self.check_content(answer["entries"][0]["content"])


class GoneReaderTests(ProviderTest):
    """`example | head -0`: nobody reads the answer, and the program has nothing to say to that."""

    def check(self, program, question):
        reader, writer = os.pipe()
        os.close(reader)
        with open(writer, "wb") as output:
            done = subprocess.run([program], cwd=os.path.dirname(program), timeout=30,
                                  input=json.dumps(question).encode(), stdout=output,
                                  stderr=subprocess.PIPE, env=self.environment())
        self.assertEqual((done.stderr.decode(), done.returncode), ("", -signal.SIGPIPE))

    def test_a_provider_ends_quietly(self):
        for example, city in (("agenda", None), ("sun", "London"), ("weather", "London")):
            with self.subTest(example):
                self.check(os.path.join(HERE, example, f"{example}.py"),
                           self.question(example, {"city": city} if city else {}))


class HostAppTests(ProviderTest):
    def test_it_ends_quietly_when_nobody_reads_its_receipts(self):
        import socket
        path = os.path.join(self.folder, "s")
        reader, writer = os.pipe()
        os.close(reader)
        with socket.socket(socket.AF_UNIX) as server, open(writer, "wb") as output:
            server.bind(path)
            server.listen()
            app = subprocess.Popen([os.path.join(HERE, "host-app.py")], stderr=subprocess.PIPE,
                                   stdout=output, env=self.environment(INTENTD_SOCKET=path))
            server.settimeout(10)
            client, _ = server.accept()
            with client, client.makefile("rw") as lines:
                lines.readline()
                lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {
                    "receipts": [{"widget": "w", "state": "done"}]}}) + "\n")
            errors = app.communicate(timeout=10)[1]
        self.assertEqual((errors.decode(), app.returncode), ("", -signal.SIGPIPE))

    def test_receipts_are_printed_and_an_error_is_its_exit(self):
        import socket
        path = os.path.join(self.folder, "s")
        receipts = {"receipts": [{"id": "1", "widget": "w1", "state": "done"},
                                 {"id": "2", "widget": "w2", "state": "deferred", "reason": "why"}]}
        for answer, output, code in (({"result": receipts}, "w1\tdone\t\nw2\tdeferred\twhy\n", 0),
                                     ({"error": {"code": 1, "message": "no"}}, "", 1)):
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(path)
                server.listen()
                app = subprocess.Popen([os.path.join(HERE, "host-app.py")], stderr=subprocess.PIPE,
                                       stdout=subprocess.PIPE,
                                       env=self.environment(INTENTD_SOCKET=path))
                server.settimeout(10)
                client, _ = server.accept()
                with client, client.makefile("rw") as lines:
                    request = json.loads(lines.readline())
                    self.assertEqual((request["method"], request["params"]),
                                     ("widget.reloadAll", {"wait": True}))
                    lines.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}) + "\n")
                shown, _ = app.communicate(timeout=10)
                self.assertEqual((shown.decode(), app.returncode), (output, code))
            os.unlink(path)

    def run_it(self, *arguments, **environment):
        return subprocess.run([os.path.join(HERE, "host-app.py"), *arguments], timeout=30,
                              env=self.environment(**environment), capture_output=True, text=True)

    def test_without_a_daemon_it_says_what_to_do(self):
        path = os.path.join(self.folder, "none")
        done = self.run_it(INTENTD_SOCKET=path)
        self.assertEqual((done.returncode, done.stdout), (69, ""))
        self.assertEqual(done.stderr.splitlines(), [
            f"host-app: cannot reach the daemon on {path}: No such file or directory",
            "  start it with: systemctl --user start intentd.socket"])
        self.assertEqual(self.run_it(XDG_RUNTIME_DIR=self.folder).returncode, 69)

    def test_help_is_printed(self):
        self.assertEqual((self.run_it("--help").returncode, self.run_it("--help").stderr), (0, ""))
        self.assertEqual(self.run_it("dance").returncode, 64)


class SwiftHostAppTests(ProviderTest):
    program = next((path for path in (os.path.join(os.path.dirname(HERE), ".build", kind,
                                                   "HostAppExample")
                                      for kind in ("debug", "release")) if os.path.exists(path)),
                   None)

    @unittest.skipUnless(program, "HostAppExample is not built")
    def test_help_and_mistakes_end_at_once(self):
        for arguments, code in ((["--help"], 0), (["-h"], 0), (["dance"], 64),
                                (["reload", "now"], 64)):
            with self.subTest(arguments):
                done = subprocess.run([self.program, *arguments], timeout=60, capture_output=True,
                                      text=True, env=self.environment())
                self.assertEqual(done.returncode, code)
                self.assertIn("HostAppExample reload", done.stderr if code else done.stdout)

    @unittest.skipUnless(program, "HostAppExample is not built")
    def test_without_a_daemon_it_says_so(self):
        for command in ("reload", "widgets"):
            done = subprocess.run([self.program, command], timeout=60, capture_output=True,
                                  text=True, env=self.environment(XDG_RUNTIME_DIR=self.folder))
            self.assertEqual((done.returncode, done.stdout), (69, ""))
            self.assertIn("HostAppExample: ", done.stderr)
            self.assertNotIn("Fatal error", done.stderr)


if __name__ == "__main__":
    unittest.main()
