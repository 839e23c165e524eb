#!/usr/bin/env python3
"""Tests intentd_widget.py: the answers it writes, the mistakes it names, both protocols.

    python3 Clients/python/test_intentd_widget.py
"""
import dataclasses
import datetime as dt
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import intentd_widget as widget  # noqa: E402
from intentd_widget import (  # noqa: E402
    SEPARATOR, Download, Downloaded, Entry, Failed, Intent, Item, LiveDate, NoData, Option,
    Performed, Request, Timeline, Window)

NOW = dt.datetime(2026, 11, 20, 21, 0, tzinfo=dt.timezone.utc)
HOUR = dt.timedelta(hours=1)
REQUEST = {
    "request": "timeline", "kind": "org.example.weather", "family": "systemSmall",
    "displaySize": {"width": 158, "height": 158}, "isPreview": False, "locale": "en_US",
    "textSize": "large", "now": "2026-11-20T21:00:00.250Z",
    "intent": {"name": "ShowWeather", "parameters": {"city": "Beijing"}}}


def schema(name):
    path = os.path.join(HERE, "..", "..", "docs", "schema", name)
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class ResultTest(unittest.TestCase):
    def test_no_data_and_a_failure_are_answers(self):
        self.assertEqual(NoData().to_json(), {"result": "noData"})
        self.assertEqual(NoData(after="never").to_json(), {"result": "noData", "policy": "never"})
        self.assertEqual(Failed("no key").to_json(), {"result": "failed", "reason": "no key"})
        with self.assertRaises(ValueError):
            NoData(after="soon").to_json()

    def test_an_answer_asks_for_files(self):
        feed = Download(
            "feed", "https://example.org/feed.json", headers={"Accept": "application/json"},
            if_changed=False, max_bytes=1000, types=["application/json"])
        wanted = [feed.to_json()]
        self.assertEqual(NoData(downloads=[feed]).to_json(),
                         {"result": "noData", "downloads": wanted})
        self.assertEqual(Timeline([], downloads=[feed]).to_json()["downloads"], wanted)
        self.assertEqual(Download("a", "http://a.org/").to_json(),
                         {"id": "a", "url": "http://a.org/"})
        definition = schema("answer.json")["$defs"]["downloads"]
        self.assertEqual(set(wanted[0]), set(definition["items"]["properties"]))
        expect = definition["items"]["properties"]["expect"]["properties"]
        self.assertEqual(set(wanted[0]["expect"]), set(expect))
        self.assertEqual(widget.DOWNLOAD_COUNT_MAX, definition["maxItems"])
        self.assertEqual(widget.DOWNLOAD_BYTES_MAX, expect["maxBytes"]["maximum"])
        for make in (lambda: Download("a", "file:///etc/passwd").to_json(),
                     lambda: Download("a", "http://a.org/", max_bytes=0).to_json(),
                     lambda: NoData(downloads=[feed] * 9).to_json()):
            with self.assertRaises(ValueError):
                make()

    def test_a_request_has_the_files(self):
        self.assertIsNone(Request.from_json(REQUEST).downloads)
        file = {"id": "feed", "file": "/a", "status": 200, "unchanged": True, "type": "text/html",
                "bytes": 3, "date": "2026-11-20T21:00:00Z"}
        error = {"code": "status", "message": "404", "hint": "look", "status": 404}
        downloads = Request.from_json({
            **REQUEST, "downloads": [file, {"id": "b", "error": error}]}).downloads
        self.assertEqual(downloads["feed"],
                         Downloaded("feed", "/a", 200, True, "text/html", 3, NOW))
        self.assertEqual(downloads["b"], Downloaded("b", error=error))
        names = schema("request.json")["properties"]["downloads"]["items"]["properties"]
        self.assertEqual({field.name for field in dataclasses.fields(Downloaded)}, set(names))

    def test_an_entry_has_a_view(self):
        self.assertEqual(Entry(NOW, view="<div>a</div>").to_json()["view"], "<div>a</div>")
        self.assertEqual(Entry(NOW, view=["<p>a</p>", "<p>b</p>"]).to_json()["view"],
                         {"light": "<p>a</p>", "dark": "<p>b</p>"})
        self.assertEqual(Request.from_json({**REQUEST, "view": "html"}).view, "html")
        self.assertIn("view", schema("answer.json")["$defs"]["entry"]["properties"])
        with self.assertRaises(ValueError):
            Entry(NOW, view="x" * (widget.VIEW_BYTES_MAX + 1)).to_json()
        with self.assertRaises(TypeError):
            Entry(NOW, view=["a", "b", "c"]).to_json()

    def test_what_was_performed_has_members_or_none(self):
        self.assertEqual(Performed().to_json(), {})
        self.assertEqual(
            Performed("Done.", 2, "tasks://7", Intent("ShowTasks")).to_json(),
            {"dialog": "Done.", "value": 2, "url": "tasks://7", "intent": {"name": "ShowTasks"}})

    def test_an_item_sets_values_or_sends_an_intent(self):
        self.assertEqual(Item("more", set={"rows": 6, "page": None}).to_json(),
                         {"text": "more", "set": {"rows": 6, "page": None}})
        self.assertEqual(Item("go", intent=Intent("ShowA", {"a": 1})).to_json(),
                         {"text": "go", "intent": {"name": "ShowA", "parameters": {"a": 1}}})
        for values in ({}, {"a": "x" * 1024}, {str(n): n for n in range(33)}):
            with self.assertRaises(ValueError):
                Item("more", set=values).to_json()
        with self.assertRaisesRegex(TypeError, "set has a list|set has \\["):
            Item("more", set={"a": [1]}).to_json()

    def test_a_request_has_the_values(self):
        self.assertEqual(Request.from_json({**REQUEST, "values": {"rows": 6}}).values, {"rows": 6})
        self.assertEqual(Request.from_json(REQUEST).values, {})


class AnswerTest(unittest.TestCase):
    def test_an_answer_has_every_key(self):
        entry = Entry(
            NOW, title="Beijing", subtitle=LiveDate(NOW + HOUR, "timer"), text=["3°", "clear"],
            short="3°", symbol="moon", classes=["clear"], percentage=40, urgent=False,
            tooltip="x", refresh=True, as_of=NOW - HOUR, stale_after=2 * HOUR, score=60,
            duration=HOUR, url="weather://city/Beijing", extra={"x-mine": [1]},
            items=[Item("22:00", url="a:b", checked=True, refresh=False,
                        items=[SEPARATOR, Item("23:00")])])
        answer = Timeline([entry], after=NOW + HOUR, windows=[Window(NOW, NOW + HOUR, "scheduled")])
        self.assertEqual(answer.to_json(), {
            "entries": [{
                "date": "2026-11-20T21:00:00.000Z",
                "relevance": {"score": 60, "duration": 3600.0},
                "content": {
                    "title": "Beijing",
                    "subtitle": {"date": "2026-11-20T22:00:00.000Z", "style": "timer"},
                    "text": ["3°", "clear"], "short": "3°", "symbol": "moon", "class": ["clear"],
                    "percentage": 40, "urgent": False, "tooltip": "x",
                    "items": [{"text": "22:00", "url": "a:b", "checked": True, "refresh": False,
                               "items": [{"separator": True}, {"text": "23:00"}]}],
                    "refresh": True, "asOf": "2026-11-20T20:00:00.000Z", "staleAfter": 7200.0,
                    "x-mine": [1]},
                "url": "weather://city/Beijing"}],
            "relevance": [{"from": "2026-11-20T21:00:00.000Z", "to": "2026-11-20T22:00:00.000Z",
                           "kind": "scheduled"}],
            "policy": {"after": "2026-11-20T22:00:00.000Z"}})

    def test_the_keys_are_those_of_the_schema(self):
        definitions = schema("answer.json")["$defs"]
        content = Entry(
            NOW, title="", subtitle="", text="", short="", symbol="a", classes=["a"], percentage=0,
            urgent=True, tooltip="", items=[Item("")], refresh=True, as_of=NOW, stale_after=0,
            titles=["a"], icon="a", color="#ff0000", background=("#ffffff", "#000000"),
            action=widget.Action(url="a:b"), clicks={3: widget.Action(refresh=True)},
            image=widget.Image("", file="a.png"),
        ).content()
        self.assertEqual(list(content), list(definitions["content"]["properties"]))
        self.assertEqual(content["background"], {"light": "#ffffff", "dark": "#000000"})
        self.assertEqual(content["clicks"], {"3": {"refresh": True}})
        item = Item(
            "", url="a:b", checked=True, refresh=True, items=[Item("")], disabled=True, badge="3",
            icon="a", color="#ff0000", tooltip="", action=widget.Action(refresh=True),
            alternate=Item(""), set={"rows": 6}, intent=Intent("A"),
            image=widget.Image("", data=b"x")).to_json()
        self.assertEqual(set(item) | {"separator"}, set(definitions["item"]["properties"]))
        image = definitions["image"]["properties"]
        fields = {field.name for field in dataclasses.fields(widget.Image)}
        self.assertEqual(fields | {"type", "width", "height", "motion"}, set(image))
        action = definitions["action"]["properties"]
        self.assertEqual(list(widget.Action("a:b", True).to_json()), list(action))
        style = definitions["liveDate"]["properties"]["style"]["enum"]
        self.assertEqual(list(widget.STYLES), style)
        kinds = definitions["window"]["properties"]["kind"]["enum"]
        self.assertEqual([*widget.WINDOW_KINDS, None], kinds)
        timeline = definitions["timeline"]["properties"]
        self.assertEqual(widget.ENTRY_COUNT_MAX, timeline["entries"]["maxItems"])
        self.assertEqual(widget.WINDOW_COUNT_MAX, timeline["relevance"]["maxItems"])
        options = definitions["options"]["properties"]["options"]
        self.assertEqual(widget.OPTION_COUNT_MAX, options["maxItems"])
        score = definitions["entry"]["properties"]["relevance"]["properties"]["score"]
        self.assertEqual(widget.SCORE_MAX, score["maximum"])

    def test_dates_are_written_in_utc(self):
        zone = dt.timezone(dt.timedelta(hours=8))
        date = dt.datetime(2026, 11, 21, 5, 0, 0, 999999, tzinfo=zone)
        self.assertEqual(widget.format_date(date), "2026-11-20T21:00:00.999Z")
        self.assertEqual(widget.parse_date("2026-11-20T21:00:00Z"), NOW)

    def test_an_image_is_one_file(self):
        self.assertEqual(widget.Image("a", data=b"abc").to_json(), {"data": "YWJj", "alt": "a"})
        self.assertEqual(widget.Image("", file="a.svg", template=True).to_json(),
                         {"file": "a.svg", "alt": "", "template": True})
        for values in ({}, {"file": "a.png", "hash": "sha256-0"}):
            with self.assertRaises(ValueError):
                widget.Image("", **values).to_json()
        for values in ({"data": "YWJj"}, {"alt": None, "file": "a.png"}):
            with self.assertRaises(TypeError):
                widget.Image(**{"alt": "", **values}).to_json()

    def test_a_timeline_says_the_height_that_it_wants(self):
        self.assertEqual(Timeline([], preferred_height=280).to_json()["preferredHeight"], 280)
        with self.assertRaises(ValueError):
            Timeline([], preferred_height=0).to_json()

    def test_a_policy_may_be_a_word(self):
        self.assertEqual(Timeline([]).to_json(), {"entries": [], "policy": "atEnd"})
        self.assertEqual(Timeline([], after="never").to_json()["policy"], "never")

    def test_a_mistake_names_the_key_and_what_it_takes(self):
        for make, message in [
            (lambda: Entry(NOW, title=5), "title is 5; expected a text or a LiveDate"),
            (lambda: Entry(NOW, text=["a", 5]), "text[1] is 5; expected a text or a LiveDate"),
            (lambda: Entry(NOW, percentage="42%"),
             "percentage is '42%'; expected a number from 0 to 100"),
            (lambda: Entry(NOW, percentage=142),
             "percentage is 142; expected a number from 0 to 100"),
            (lambda: Entry(NOW, percentage=float("nan")),
             "percentage is nan; expected a number from 0 to 100"),
            (lambda: Entry(NOW, urgent="yes"), "urgent is 'yes'; expected True or False"),
            (lambda: Entry(NOW, classes="night"),
             "classes is 'night'; expected a list such as ['night']"),
            (lambda: Entry(NOW, titles="a"),
             "titles is 'a'; expected a list such as ['a']"),
            (lambda: Entry(NOW, color="red"),
             "color is 'red'; expected a colour such as '#ff0000', or two"),
            (lambda: Entry(NOW, action="a:b"), "action is 'a:b'; expected Action(…)"),
            (lambda: Entry(NOW, clicks={10: widget.Action()}),
             "clicks has the key 10; expected a button from 1 to 9"),
            (lambda: Entry(NOW, symbol=""), "symbol is ''; expected a text that is not empty"),
            (lambda: Entry(NOW, items=["a"]), "items[0] is 'a'; expected Item(…)"),
            (lambda: Entry(NOW, items="a"), "items is 'a'; expected a list of Item"),
            (lambda: Entry(NOW, url="nowhere"), "url is 'nowhere'; expected a URL with a scheme"),
            (lambda: Entry(NOW, stale_after=-1),
             "stale_after is -1; expected a number from 0 to 1000000000000.0"),
            (lambda: Entry(NOW, duration=5),
             "duration is given without a score; give both or none"),
            (lambda: Entry(NOW, extra={"color": 1}), "extra has the key 'color'; begin it with x-"),
            (lambda: Entry("now"), "date is 'now'; expected a datetime"),
            (lambda: Entry(NOW.replace(tzinfo=None)),
             "date is 2026-11-20 21:00:00, without a zone; take request.now, "
             "or datetime.now(timezone.utc)"),
            (lambda: Entry(NOW, title=LiveDate(NOW, "ago")),
             "style is 'ago'; expected one of relative, timer, offset"),
            (lambda: Option("", "a"), "identifier is ''; expected a text that is not empty"),
            (lambda: Window(NOW, NOW), f"end is {NOW}, which is not after start, {NOW}"),
            (lambda: Window(NOW, NOW + HOUR, "now"),
             "kind is 'now'; expected one of informational, default, scheduled"),
            (lambda: Timeline(Entry(NOW)), None),
            (lambda: Timeline([], after="soon"),
             "after is 'soon'; expected a date, \"atEnd\" or \"never\""),
            (lambda: Timeline([Entry(NOW)] * 1441),
             "entries has 1441 elements; at most 1440 are allowed"),
        ]:
            with self.assertRaises((TypeError, ValueError)) as caught:
                make().to_json()
            if message is not None:
                self.assertEqual(str(caught.exception), message)

    def test_an_unknown_key_is_refused_by_python(self):
        with self.assertRaises(TypeError):
            Entry(NOW, titel="x")

    def test_a_request_is_read(self):
        request = Request.from_json(REQUEST)
        self.assertEqual(request.now, NOW + dt.timedelta(milliseconds=250))
        self.assertEqual(request.intent, "ShowWeather")
        self.assertEqual(request.parameters, {"city": "Beijing"})
        self.assertEqual((request.width, request.height), (158, 158))
        self.assertEqual(Request.from_json({**REQUEST, "intent": None}).parameters, {})
        names = set(schema("request.json")["properties"])
        self.assertEqual(
            names,
            {*REQUEST, "values", "parameter", "search", "mode", "maximumSize", "view",
             "downloads"})
        self.assertEqual((request.mode, request.max_width, request.max_height), (None, None, None))
        expanded = Request.from_json({
            **REQUEST, "mode": "expanded", "maximumSize": {"width": 330, "height": 500}})
        self.assertEqual(
            (expanded.mode, expanded.max_width, expanded.max_height), ("expanded", 330, 500))


class RunTest(unittest.TestCase):
    """Runs a program with the helper, as the daemon does."""

    PROGRAM = """\
        from intentd_widget import Entry, Option, Timeline, UserError, run

        def timeline(request):
            city = request.parameters.get("city", "nowhere")
            if city == "Hell":
                raise UserError("there is no weather in Hell")
            if city == "None":
                return None
            return Timeline([Entry(request.now, title=city)], after="never")

        def options(request):
            return ["Kitchen", Option("r7", request.search or "Hall")]

        def perform(intent):
            if intent.intent == "Fail":
                raise UserError("there is no task")
            return f"{intent.intent} {intent.parameters.get('task', '')} at {intent.now:%H:%M}"

        run(timeline, options, perform)
        """

    def run_program(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(self.PROGRAM))
            return subprocess.run(
                [sys.executable, path], input=text.encode(), capture_output=True, check=False,
                env={"PYTHONPATH": HERE, "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C"})

    def test_it_ends_quietly_when_nobody_reads_its_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(self.PROGRAM))
            reader, writer = os.pipe()
            os.close(reader)
            with open(writer, "wb") as output:
                done = subprocess.run(
                    [sys.executable, path], input=json.dumps(self.for_city("Rome")).encode(),
                    stdout=output, stderr=subprocess.PIPE, check=False,
                    env={"PYTHONPATH": HERE, "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C"})
        self.assertEqual((done.stderr.decode(), done.returncode), ("", 0))

    def request(self, **more):
        return {**REQUEST, **more}

    def for_city(self, city):
        return self.request(intent={"name": "ShowWeather", "parameters": {"city": city}})

    def test_one_request_gets_one_answer(self):
        done = self.run_program(json.dumps(self.for_city("Zürich")) + "\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout), {
            "entries": [{"date": "2026-11-20T21:00:00.250Z", "content": {"title": "Zürich"}}],
            "policy": "never"})

    def test_options_are_answered(self):
        done = self.run_program(
            json.dumps(self.request(request="options", parameter="room", search="Loft")))
        self.assertEqual(json.loads(done.stdout), {
            "options": ["Kitchen", {"identifier": "r7", "display": "Loft"}]})

    def test_a_failure_for_the_person_is_one_line(self):
        done = self.run_program(json.dumps(self.for_city("Hell")))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.decode(), "there is no weather in Hell\n")
        self.assertEqual(done.stdout, b"")

    def test_a_function_that_returns_nothing_is_named(self):
        done = self.run_program(json.dumps(self.for_city("None")))
        self.assertEqual(done.returncode, 1)
        self.assertIn("the function returned None; expected a Timeline", done.stderr.decode())

    def test_an_extension_performs_intents(self):
        def line(number, name):
            return json.dumps({
                "jsonrpc": "2.0", "id": number, "method": "provider.perform", "params": {
                    "now": REQUEST["now"], "locale": "en_US",
                    "intent": {"name": name, "parameters": {"task": "t7"}}}}) + "\n"

        done = self.run_program(line(1, "FinishTask") + line(2, "Fail"))
        self.assertEqual(done.returncode, 0, done.stderr)
        first, second = (json.loads(text) for text in done.stdout.splitlines())
        self.assertEqual(first["result"], {"dialog": "FinishTask t7 at 21:00"})
        self.assertEqual(second["error"], {"code": -32000, "message": "there is no task"})

    def test_an_extension_answers_until_its_input_ends(self):
        lines = [
            {"jsonrpc": "2.0", "id": 1, "method": "provider.timeline", "params": self.request()},
            {"jsonrpc": "2.0", "method": "provider.cancel", "params": {"id": 1}},
            {"jsonrpc": "2.0", "id": 2, "method": "provider.timeline",
             "params": self.for_city("Hell")},
            {"jsonrpc": "2.0", "id": 3, "method": "provider.timeline",
             "params": self.for_city("None")},
            {"jsonrpc": "2.0", "id": 4, "method": "provider.options",
             "params": self.request(request="options")},
            {"jsonrpc": "2.0", "id": 5, "method": "more", "params": {}},
        ]
        done = self.run_program("".join(json.dumps(line) + "\n" for line in lines))
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([answer["id"] for answer in answers], [1, 2, 3, 4, 5])
        self.assertEqual(answers[0]["result"]["entries"][0]["content"], {"title": "Beijing"})
        self.assertEqual(answers[1]["error"],
                         {"code": -32000, "message": "there is no weather in Hell"})
        self.assertIn("expected a Timeline", answers[2]["error"]["message"])
        self.assertEqual(answers[3]["result"]["options"][1]["display"], "Hall")
        self.assertEqual(answers[4]["error"]["code"], -32601)

    def test_an_extension_without_a_request_ends(self):
        done = self.run_program("")
        self.assertEqual((done.returncode, done.stdout), (0, b""))


if __name__ == "__main__":
    unittest.main()
