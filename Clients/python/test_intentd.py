#!/usr/bin/env python3
"""Tests intentd.py: the core by itself, and both clients against a real daemon.

    python3 Clients/python/test_intentd.py

The daemon is $INTENTD_PROGRAM, else the one that was built in .build. No test sleeps: each waits
for what the daemon says. A test that hangs is ended after two minutes, with every stack.
"""
import ast
import asyncio
import concurrent.futures
import contextlib
import faulthandler
import inspect
import io
import json
import math
import os
import pickle
import queue
import random
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import warnings
from datetime import datetime, timedelta, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
TESTBED = os.path.join(PROJECT, "Clients", "testbed")
sys.path.insert(0, HERE)
import intentd  # noqa: E402

SECONDS_MAX = 120


def program():
    named = os.environ.get("INTENTD_PROGRAM")
    built = [os.path.join(PROJECT, ".build", kind, "intentd") for kind in ("debug", "release")]
    return next((path for path in [named, *built] if path and os.access(path, os.X_OK)), None)


def timeline(text, **more):
    return {"entries": [{"date": "2026-11-20T08:00:00Z", "content": {"text": text}, **more}],
            "policy": "never"}


def text_of(widgets):
    return widgets[0]["entry"]["content"]["text"]


def page(name):
    with open(os.path.join(PROJECT, "docs", name), encoding="utf-8") as file:
        return file.read()


class TestCase(unittest.TestCase):
    def setUp(self):
        faulthandler.dump_traceback_later(SECONDS_MAX, exit=True)
        self.addCleanup(faulthandler.cancel_dump_traceback_later)
        # A socket's path may have 107 bytes.
        self.folder = tempfile.mkdtemp(prefix="intentd-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder)


# The core, without a socket


def core(app=None, surface=None):
    made = intentd._Core()
    made.app, made.surfaces = app, [surface] if surface else []
    made.opened()
    return made


def lines_of(made):
    """Take what the core wants to send, as messages."""
    sent = b""
    while made.queue:
        data = bytes(made.next_bytes())
        sent += data
        made.sent(len(data))
    return [json.loads(line) for line in sent.splitlines()]


def ask(made, method="daemon.ping", **params):
    return made.ask(intentd._Call(method, params))


def say(made, *messages):
    made.feed(b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
                       for message in messages))


def busy(number, code=intentd.ErrorCode.QUEUE_FULL):
    return {"id": number, "error": {"code": int(code), "message": "busy"}}


class CoreTests(TestCase):
    def test_a_request_is_one_line_without_what_was_left_out(self):
        made = core()
        ask(made, "widget.tap", id="ü\n", item=None)
        self.assertEqual(bytes(made.next_bytes()),
                         '{"jsonrpc":"2.0","id":1,"method":"widget.tap","params":{"id":"ü\\n"}}\n'
                         .encode())
        ask(made)
        self.assertNotIn("params", lines_of(made)[1])

    def test_the_bytes_may_come_in_any_split(self):
        text = "".join(json.dumps({"jsonrpc": "2.0", "id": number, "result": {"t": "北京 😀"}},
                                  ensure_ascii=False) + end
                       for number, end in ((2, "\n"), (1, "\r\n"), (3, "\n\n"))).encode()
        splits = [[text[i:i + 1] for i in range(len(text))], [text]]
        for _ in range(200):
            cuts = sorted(random.sample(range(len(text)), 4))
            splits.append([text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)])])
        for split in splits:
            made = core()
            slots = [ask(made) for _ in range(3)]
            for part in split:
                made.feed(part)
            self.assertEqual([slot.outcome() for slot in slots], [{"t": "北京 😀"}] * 3)

    def test_what_the_daemon_cannot_have_sent_ends_the_connection(self):
        for line in (b"nonsense", b"[]", b"3", b'"x"', b"\xff\xfe", b"[" * 100_000):
            with self.subTest(line[:10]), self.assertRaises(intentd._Broken):
                core().feed(line + b"\n")
        made = core()
        with unittest.mock.patch.object(intentd, "ANSWER_BYTES_MAX", 100):
            made.feed(b" " * 100)
            with self.assertRaises(intentd._Broken):
                made.feed(b" ")

    def test_an_answer_that_nobody_waits_for_is_ignored(self):
        made = core()
        slot = ask(made)
        lines_of(made)
        made.give_up(slot, 1)
        self.assertIsInstance(slot.error, intentd.AnswerTimeout)
        say(made, {"id": 1, "result": {}}, {"id": 77, "result": {}}, {"id": "x", "result": {}})

    def test_what_was_sent_is_never_sent_again_and_what_was_not_moves_once(self):
        made = core()
        sent, half, queued = ask(made), ask(made), ask(made)
        made.sent(len(made.next_bytes()))
        made.sent(5)
        made.ended("gone")
        self.assertIsInstance(sent.error, intentd.ConnectionLost)
        self.assertFalse(half.is_done or queued.is_done)
        made.opened()
        self.assertEqual([line["id"] for line in lines_of(made)], [2, 3])
        again = ask(made)
        made.ended("gone again")
        self.assertIsInstance(half.error, intentd.ConnectionLost)
        made.opened()
        made.ended("and again")
        self.assertIsInstance(again.error, intentd.NoDaemon)

    def test_a_refused_connection_refuses_every_request(self):
        made = core()
        slots = [ask(made), ask(made)]
        made.sent(len(made.next_bytes()))
        say(made, {"id": None, "error": {"code": -32002, "message": "1024 clients", "data": {
            "name": "tooManyConnections", "max": 1024}}})
        made.ended("closed")
        for slot in slots:
            self.assertEqual(slot.error.code, intentd.ErrorCode.TOO_MANY_CONNECTIONS)

    def test_a_request_refused_as_one_too_many_is_made_again_when_another_is_answered(self):
        made = core()
        slots = [ask(made) for _ in range(4)]
        lines_of(made)
        say(made, busy(2), busy(3), busy(4))
        self.assertEqual(lines_of(made), [])
        say(made, {"id": 1, "result": 1})
        self.assertEqual([line["id"] for line in lines_of(made)], [2])
        # Alone and refused: asked again once, for by now everything has been read.
        say(made, busy(2))
        self.assertEqual([line["id"] for line in lines_of(made)], [2])
        say(made, busy(2))
        self.assertEqual(slots[1].error.code, intentd.ErrorCode.QUEUE_FULL)
        for slot in slots[2:]:
            self.assertEqual([line["id"] for line in lines_of(made)], [slot.number])
            say(made, {"id": slot.number, "result": slot.number})
            self.assertEqual(slot.outcome(), slot.number)

    def test_a_request_too_large_is_not_sent(self):
        made = core()
        room = intentd.REQUEST_BYTES_MAX - len('{"jsonrpc":"2.0","id":1,"method":"m",'
                                               '"params":{"t":""}}')
        ask(made, "m", t="x" * room)
        with self.assertRaises(intentd.RequestTooLarge):
            ask(made, "m", t="x" * (room + 1))
        self.assertEqual(len(lines_of(made)), 1)

    def test_what_is_no_json_is_not_sent(self):
        made = core()
        for value in (math.nan, "\ud800", object(), datetime(2026, 1, 1), {1, 2}):
            with self.subTest(repr(value)), self.assertRaises((ValueError, TypeError)):
                ask(made, "m", t=value)
        self.assertEqual(lines_of(made), [])

    def test_dates_and_spans_are_written_as_the_protocol_has_them(self):
        made = core()
        zone = timezone(timedelta(hours=8))
        ask(made, "m", a=datetime(2026, 11, 20, 16, tzinfo=zone),
            b=datetime(2026, 11, 20, 8, 0, 0, 250_000, timezone.utc), c=timedelta(minutes=5))
        self.assertEqual(lines_of(made)[0]["params"], {
            "a": "2026-11-20T08:00:00Z", "b": "2026-11-20T08:00:00.250Z", "c": 300.0})

    def test_a_new_connection_begins_with_the_app_and_the_surface(self):
        app = intentd._AppState({"app": "org.example.App", "foreground": True}, {"kinds": []})
        surface = intentd._SurfaceState({"stack": True}, {"surface": "s1", "widgets": []})
        made = core(app, surface)
        heard = []
        made.listeners["connected"] = (lambda: heard.append("connected"),)
        waiting = ask(made)
        self.assertEqual([line["method"] for line in lines_of(made)],
                         ["app.register", "surface.attach", "daemon.ping"])
        say(made, {"id": 1, "result": {"app": "org.example.App", "kinds": ["k"]}})
        made.make_calls()
        self.assertEqual(heard, [])
        say(made, {"id": 2, "result": {"surface": "s9", "widgets": []}}, {"id": 3, "result": 3})
        made.make_calls()
        self.assertEqual((heard, app.answer["kinds"], surface.id, waiting.outcome()),
                         (["connected"], ["k"], "s9", 3))

    def test_a_surface_that_cannot_attach_again_ends_with_the_reason(self):
        surface = intentd._SurfaceState({"widgets": ["w"]}, {"surface": "s1", "widgets": []})
        made = core(surface=surface)
        lines_of(made)
        say(made, {"id": 1, "error": {"code": -32020, "message": "no widget has the id 'w'"}})
        self.assertEqual(made.surfaces, [])
        self.assertEqual(surface.error.code, intentd.ErrorCode.UNKNOWN_WIDGET)

    def test_a_daemon_that_is_stopping_is_left_for_the_next_one(self):
        made = core(surface=intentd._SurfaceState({}, {"surface": "s1", "widgets": []}))
        lines_of(made)
        with self.assertRaises(intentd._Broken):
            say(made, {"id": 1, "error": {"code": -32042, "message": "stopping"}})
        self.assertEqual(len(made.surfaces), 1)


    def test_a_notification_of_another_shape_ends_the_connection(self):
        for params in ([1], {"surface": "s1", "widgets": [{}]}, {"surface": "s1", "widgets": 1}):
            made = core(surface=intentd._SurfaceState({}, {"surface": "s1", "widgets": []}))
            lines_of(made)
            with self.subTest(params), self.assertRaises(intentd._Broken):
                say(made, {"method": "surface.update", "params": params})

    def test_answers_of_another_shape_harm_nobody(self):
        made = core()
        slots = [ask(made) for _ in range(3)]
        lines_of(made)
        say(made, {"id": [1], "result": 0}, {"id": True, "result": 0}, {"id": 1.0, "result": 0})
        say(made, {"id": 1, "error": "no"}, {"id": 2, "error": {"code": "x", "data": {
            "suggestions": 5, "meant": 6}}})
        for slot in slots[:2]:
            self.assertEqual((slot.error.code, slot.error.suggestions, slot.error.meant),
                             (0, [], None))
        self.assertFalse(slots[2].is_done)

    def test_what_a_newer_daemon_adds_is_kept_or_ignored(self):
        made = core(surface=intentd._SurfaceState({}, {"surface": "s1", "widgets": []}))
        slot = ask(made)
        lines_of(made)
        say(made, {"id": 1, "result": {"surface": "s2", "widgets": [], "new": 1}, "new": 1},
            {"method": "widget.dance", "params": [1], "new": 1},
            {"method": "surface.update", "params": {"surface": "s2", "new": 1, "widgets": [
                {"id": "a", "new": {"deep": [1]}}]}},
            {"id": 2, "result": {"new": 1}, "new": 1})
        self.assertEqual(made.surfaces[0].shown(), [{"id": "a", "new": {"deep": [1]}}])
        self.assertEqual(slot.outcome(), {"new": 1})

    def test_a_surface_that_is_attached_too_late_takes_the_place_of_the_first(self):
        # The daemon has ended the first surface: whoever iterates over it must not wait for ever.
        first = intentd._SurfaceState({}, {"surface": "s1", "widgets": []})
        made = core()
        made.surfaces = [first]
        slot = made.ask(intentd._attach({"stack": True}))
        lines_of(made)
        made.give_up(slot, 1)
        say(made, {"id": 1, "result": {"surface": "s2", "widgets": []}})
        self.assertTrue(first.is_over)
        surface, = made.surfaces
        self.assertEqual((surface.id, surface.is_stack, made.late), ("s2", True, {}))
        again = made.ask(intentd._attach({}))
        lines_of(made)
        made.give_up(again, 1)
        made.ended("gone")
        self.assertEqual((made.late, made.unsent), ({}, []))

    def test_each_request_waits_for_a_connection_as_long_as_it_said(self):
        made = intentd._Core()
        slots = [made.ask(intentd._Call("daemon.ping", {}), until) for until in (1.0, 3.0)]
        made.fail_unsent(intentd.NoDaemon("none"), 2.0)
        self.assertEqual([slot.is_done for slot in slots], [True, False])
        made.fail_unsent(intentd.NoDaemon("none"))
        self.assertTrue(slots[1].is_done)


class SurfaceStateTests(TestCase):
    @staticmethod
    def widget(name, **more):
        return {"id": name, "family": "systemSmall", **more}

    def ids(self, state):
        return [widget["id"] for widget in state.shown()]

    def test_updates_change_add_and_remove(self):
        state = intentd._SurfaceState({}, {
            "surface": "s1", "widgets": [self.widget("a"), self.widget("b")]})
        self.assertEqual((self.ids(state), state.version), (["a", "b"], 1))
        state.updated({"surface": "s1", "widgets": [self.widget("c"), self.widget("a", x=1)],
                       "removed": ["b"]})
        self.assertEqual((self.ids(state), state.version), (["a", "c"], 2))
        self.assertEqual(state.shown()[0]["x"], 1)

    def test_a_stack_is_in_the_daemons_order(self):
        state = intentd._SurfaceState({"stack": True}, {
            "surface": "s1", "widgets": [self.widget("a"), self.widget("b")], "stack": ["b", "a"]})
        self.assertEqual(self.ids(state), ["b", "a"])
        # The order may name a widget that a further update brings.
        state.updated({"surface": "s1", "stack": ["c", "a", "b"], "widgets": []})
        self.assertEqual(self.ids(state), ["a", "b"])
        state.updated({"surface": "s1", "widgets": [self.widget("c")]})
        self.assertEqual(self.ids(state), ["c", "a", "b"])

    def test_a_reconnect_is_news_only_if_something_else_is_shown(self):
        state = intentd._SurfaceState({}, {"surface": "s1", "widgets": [self.widget("a")]})
        state.attached({"surface": "s2", "widgets": [self.widget("a", nextReload="later")]})
        self.assertEqual((state.version, state.id), (1, "s2"))
        state.attached({"surface": "s3", "widgets": [self.widget("a", stale=True)]})
        self.assertEqual(state.version, 2)
        state.updated({"surface": "s3", "widgets": [self.widget("a", stale=True, nextReload="x")]})
        self.assertEqual((state.version, state.shown()[0]["nextReload"]), (2, "x"))
        state.attached({"surface": "s4", "widgets": []})
        self.assertEqual((state.version, self.ids(state)), (3, []))


# The socket


class PlaceTests(TestCase):
    def listener(self, path):
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(path)
        server.listen()
        return server

    def assert_nothing_was_sent(self, server):
        server.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            connection, _ = server.accept()
            with connection:
                self.assertEqual(connection.recv(1), b"")

    def test_the_path_is_found_as_the_protocol_says(self):
        usual = f"/intentd-{os.getuid()}/intentd.sock"
        for environment, path in (
                ({"INTENTD_SOCKET": "/a/b"}, "/a/b"),
                ({"INTENTD_SOCKET": "b", "XDG_RUNTIME_DIR": "/run/u"},
                 "/run/u/intentd/intentd.sock"),
                ({"XDG_RUNTIME_DIR": "run"}, "/tmp" + usual),
                ({"TMPDIR": "/var/tmp//"}, "/var/tmp" + usual), ({"TMPDIR": "x"}, "/tmp" + usual),
                ({}, "/tmp" + usual)):
            with self.subTest(environment):
                self.assertEqual(intentd.socket_path(environment), path)

    def test_nobody_there(self):
        for path in (self.folder + "/none", self.folder + "/no/where", "/" + "x" * 120):
            with self.subTest(path[:20]), self.assertRaises(intentd.NoDaemon):
                intentd.Client(path).daemon_ping()
        self.listener(self.folder + "/dead").close()
        with self.assertRaisesRegex(intentd.NoDaemon, "systemctl --user start intentd.socket"):
            intentd.Client(self.folder + "/dead").connect()

    def test_a_folder_that_others_may_write_is_refused(self):
        server = self.listener(self.folder + "/s")
        for mode in (0o770, 0o707, 0o777):
            os.chmod(self.folder, mode)
            with self.subTest(oct(mode)):
                with self.assertRaisesRegex(intentd.UnsafeSocket, "chmod 700"):
                    intentd.Client(self.folder + "/s").daemon_ping()
        self.assert_nothing_was_sent(server)
        os.chmod(self.folder, 0o1777)  # as /tmp: nobody can replace another's socket
        intentd.Client(self.folder + "/s").connect().close()
        os.chmod(self.folder, 0o755)
        intentd.Client(self.folder + "/s").connect().close()

    def test_the_usual_folder_must_be_closed_to_others(self):
        usual = self.folder + "/intentd"
        os.mkdir(usual)
        server = self.listener(usual + "/intentd.sock")
        environment = {"XDG_RUNTIME_DIR": self.folder}
        with unittest.mock.patch.dict(os.environ, environment):
            os.environ.pop("INTENTD_SOCKET", None)
            for mode in (0o755, 0o1777, 0o701):
                os.chmod(usual, mode)
                with self.subTest(oct(mode)), self.assertRaises(intentd.UnsafeSocket):
                    intentd.Client().daemon_ping()
            self.assert_nothing_was_sent(server)
            os.chmod(usual, 0o700)
            intentd.Client().connect().close()

    def test_a_file_of_another_kind_or_owner_is_refused(self):
        open(self.folder + "/file", "w").close()
        with self.assertRaisesRegex(intentd.UnsafeSocket, "no socket of yours"):
            intentd.Client(self.folder + "/file").daemon_ping()
        server = self.listener(self.folder + "/s")
        real = os.stat

        def of_another(path, *more, **named):
            found = list(real(path, *more, **named))
            if str(path).endswith(wanted):
                found[stat.ST_UID] = os.geteuid() + 1
            return os.stat_result(found)
        for wanted in ("/s", self.folder):
            with unittest.mock.patch("os.stat", of_another):
                with self.subTest(wanted), self.assertRaises(intentd.UnsafeSocket):
                    intentd.Client(self.folder + "/s").daemon_ping()
        self.assert_nothing_was_sent(server)

    def test_a_peer_of_another_user_gets_no_byte(self):
        server = self.listener(self.folder + "/s")
        me = os.geteuid()
        with unittest.mock.patch("intentd._check_place"), \
                unittest.mock.patch("os.geteuid", lambda: me + 1):
            with self.assertRaisesRegex(intentd.UnsafeSocket, f"uid {me} listens"):
                intentd.Client(self.folder + "/s").daemon_ping()

            async def main():
                async with intentd.AsyncClient(self.folder + "/s"):
                    self.fail("it connected")
            with self.assertRaises(intentd.UnsafeSocket):
                asyncio.run(main())
        self.assert_nothing_was_sent(server)

    @unittest.skipUnless(os.geteuid() == 0, "skipped: only root can listen as another user")
    def test_a_real_peer_of_another_user_gets_no_byte(self):
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(self.folder + "/s")
        child = os.fork()
        if child == 0:
            os.setuid(65534)
            server.listen()  # the kernel notes who does this
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        with self.assertRaisesRegex(intentd.UnsafeSocket, "uid 65534 listens"):
            intentd.Client(self.folder + "/s").daemon_ping()
        self.assert_nothing_was_sent(server)


class FakeDaemon:
    """Answers each request as a function says, and keeps the requests."""

    def __init__(self, path, answer):
        self.path, self.answer = path, answer
        self.requests = []
        self.connections = []
        self.listen()

    def listen(self):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(self.path)
        self.server.listen()
        self.thread = threading.Thread(target=self.serve, args=(self.server,))
        self.thread.start()

    def serve(self, server):
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            self.connections.append(connection)
            # Not one file for both: writing would drop the lines that were read ahead.
            with connection, connection.makefile("rb") as lines:
                for line in lines:
                    self.requests.append(json.loads(line))
                    answers = self.answer(self.requests[-1])
                    if answers is None:
                        break
                    connection.sendall("".join(
                        json.dumps({"jsonrpc": "2.0", **answer}) + "\n"
                        for answer in answers).encode())

    def stop(self):
        self.server.shutdown(socket.SHUT_RDWR)
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.server.close()


class FakeDaemonTests(TestCase):
    """What a real daemon does too seldom for a test."""

    def daemon(self, answer):
        fake = FakeDaemon(self.folder + "/s", answer)
        self.addCleanup(fake.stop)
        return fake

    def test_a_request_whose_connection_ends_is_not_made_again(self):
        fake = self.daemon(lambda request: None if request["method"] == "widget.reloadAll" else [
            {"id": request["id"], "result": {}}])
        with intentd.Client(fake.path) as client:
            with self.assertRaisesRegex(intentd.ConnectionLost, "may or may not have been done"):
                client.widget_reload_all(wait=True)
            client.daemon_ping()

        async def main():
            async with intentd.AsyncClient(fake.path) as client:
                with self.assertRaises(intentd.ConnectionLost):
                    await client.widget_reload_all(wait=True)
                await client.daemon_ping()
        asyncio.run(main())
        self.assertEqual([request["method"] for request in fake.requests],
                         ["widget.reloadAll", "daemon.ping"] * 2)

    def test_a_refused_connection_says_why(self):
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(self.folder + "/s")
        server.listen()
        refusal = {"jsonrpc": "2.0", "id": None, "error": {
            "code": -32002, "message": "1024 clients are connected already; close one"}}

        def refuse(connection):
            connection.sendall(json.dumps(refusal).encode() + b"\n")
            connection.close()

        def dial_refused(path):
            # The refusal is there before the client writes, and its write fails.
            ours, theirs = socket.socketpair()
            refuse(theirs)
            ours.setblocking(False)
            return ours

        async def main():
            await intentd.AsyncClient(self.folder + "/s").daemon_ping()

        thread = threading.Thread(
            target=lambda: [refuse(server.accept()[0]) for _ in range(2)])
        thread.start()
        for dial in (intentd._dial, dial_refused):
            with unittest.mock.patch("intentd._dial", dial):
                with self.assertRaises(intentd.Refused) as caught:
                    intentd.Client(self.folder + "/s").daemon_ping()
                self.assertEqual(caught.exception.code, intentd.ErrorCode.TOO_MANY_CONNECTIONS)
                with self.assertRaises(intentd.Refused):
                    asyncio.run(main())
        thread.join()

    def test_a_daemon_that_ends_each_connection_is_not_asked_without_a_pause(self):
        for line in (
            '{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"no room"}}',
            '{"jsonrpc":"2.0","method":"receipt.update","params":{"receipt":{}}}',
        ):
            ours, theirs = socket.socketpair()
            ours.setblocking(False)
            theirs.sendall(line.encode() + b"\n")
            theirs.close()
            with unittest.mock.patch("intentd._dial", lambda path: ours), \
                    unittest.mock.patch("intentd.time.monotonic", lambda: 1000.0):
                link = intentd.Client(self.folder + "/s")._link
                with link.changed:
                    self.assertIsNone(link.open())
                    link.receive()
                    self.assertIsNone(link.socket)
                    self.assertGreaterEqual(
                        link.retry_at, 1000 + intentd.RECONNECT_SECONDS_MIN / 2, line)

    def test_a_daemon_that_accepts_and_goes_is_tried_again(self):
        refusals, dials = [0], []

        def answer(request):
            if refusals[0]:
                refusals[0] -= 1
                return None
            return [{"id": request["id"], "result": {"surface": "s1", "widgets": []}}]
        fake = self.daemon(answer)
        heard = []

        def listen(client):
            heard.clear()
            client.on("connected", lambda: heard.append("connected"))
            client.on("disconnected", lambda why: heard.append("disconnected"))

        def dial_dead(path, real=intentd._dial):
            # The first two connections are dead before a byte is sent.
            if dials:
                dials.pop()
                ours, theirs = socket.socketpair()
                theirs.close()
                ours.setblocking(False)
                return ours
            return real(path)

        with intentd.Client(fake.path) as client:
            listen(client)
            surface = client.surface_attach()
            next(surface)
            refusals[0], dials[:] = 2, [1, 2]
            with unittest.mock.patch("intentd._dial", dial_dead):
                fake.connections[-1].shutdown(socket.SHUT_RDWR)
                client.on("connected", client.close)
                self.assertEqual(list(surface), [])
        self.assertEqual(heard, ["disconnected", "connected", "disconnected"])

        async def main():
            async with intentd.AsyncClient(fake.path) as client:
                listen(client)
                await client.surface_attach()
                back = asyncio.Event()
                client.on("connected", back.set)
                refusals[0], dials[:] = 2, [1, 2]
                with unittest.mock.patch("intentd._dial", dial_dead):
                    fake.connections[-1].shutdown(socket.SHUT_RDWR)
                    await back.wait()
        asyncio.run(asyncio.wait_for(main(), 60))

    def test_half_a_line_is_no_answer_and_spoils_no_other(self):
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(self.folder + "/s")
        server.listen()

        def serve():
            for turn in range(4):
                connection, _ = server.accept()
                with connection, connection.makefile("rb") as lines:
                    number = json.loads(lines.readline())["id"]
                    answer = json.dumps({"id": number, "result": {}}).encode() + b"\n"
                    # One after the other: half an answer; a whole one in two parts.
                    for part in ([answer[:12]] if turn % 2 == 0 else [answer[:9], answer[9:]]):
                        connection.sendall(part)
        thread = threading.Thread(target=serve)
        thread.start()
        with intentd.Client(self.folder + "/s") as client:
            with self.assertRaises(intentd.ConnectionLost):
                client.daemon_ping()
            self.assertEqual(client.daemon_ping(), {})

        async def main():
            async with intentd.AsyncClient(self.folder + "/s") as client:
                with self.assertRaises(intentd.ConnectionLost):
                    await client.daemon_ping()
                self.assertEqual(await client.daemon_ping(), {})
        asyncio.run(asyncio.wait_for(main(), 60))
        thread.join()

    def test_a_daemon_without_room_for_a_connection_is_as_good_as_none(self):
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(self.folder + "/s")
        server.listen(0)
        with contextlib.ExitStack() as others:
            with self.assertRaises(BlockingIOError):
                while True:
                    other = others.enter_context(socket.socket(socket.AF_UNIX))
                    other.setblocking(False)
                    other.connect(self.folder + "/s")
            with self.assertRaisesRegex(intentd.NoDaemon, "no time"):
                intentd.Client(self.folder + "/s").daemon_ping()
            client = intentd.Client(self.folder + "/s", connect_within=60)
            self.addCleanup(client.close)
            asking = threading.Thread(target=client.daemon_ping)
            asking.start()
            while True:
                connection, _ = server.accept()
                with connection, connection.makefile("rb") as lines:
                    others.close()
                    line = lines.readline()
                    if line:
                        connection.sendall(b'{"id":%d,"result":{}}\n' % json.loads(line)["id"])
                        break
            asking.join()

    def test_a_request_waits_for_the_next_daemon_though_a_surface_is_attached(self):
        fake = self.daemon(lambda request: [
            {"id": request["id"], "result": {"surface": "s1", "widgets": []}}])
        failures = []

        def dial(path, real=intentd._dial):
            try:
                return real(path)
            except intentd.NoDaemon:
                failures.append(path)
                raise

        async def main():
            async with intentd.AsyncClient(fake.path, connect_within=60) as client:
                await client.surface_attach()
                gone = asyncio.Event()
                client.on("disconnected", lambda why: gone.set())
                fake.stop()
                await gone.wait()
                ping = asyncio.create_task(client.daemon_ping())
                while len(failures) < 6:
                    await asyncio.sleep(0)
                self.assertFalse(ping.done())
                fake.listen()
                await ping
        with unittest.mock.patch("intentd._dial", dial):
            asyncio.run(asyncio.wait_for(main(), 60))

    def test_the_time_of_a_request_is_over_before_a_daemon_comes(self):
        async def main():
            client = intentd.AsyncClient(self.folder + "/none", connect_within=math.inf)
            with self.assertRaisesRegex(intentd.NoDaemon, "no daemon for 0.01 s"):
                await client.within(0.01).daemon_ping()
            asked = asyncio.create_task(client.daemon_ping())
            connecting = asyncio.create_task(client.connect())
            cancelled = asyncio.create_task(client.daemon_ping())
            while len(client._link.core.unsent) < 2:
                await asyncio.sleep(0)
            cancelled.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await cancelled
            self.assertEqual(len(client._link.core.unsent), 1)
            client.close()
            for task in (asked, connecting):
                with self.assertRaises(intentd.Closed):
                    await task
        asyncio.run(asyncio.wait_for(main(), 60))
        client = intentd.Client(self.folder + "/none", connect_within=math.inf)
        with self.assertRaises(intentd.NoDaemon):
            client.within(0.01).daemon_ping()
        client.close()

    def test_who_stops_waiting_for_a_change_leaves_nothing_behind(self):
        fake = self.daemon(lambda request: [
            {"id": request["id"], "result": {"surface": "s1", "widgets": []}}])

        async def main():
            async with intentd.AsyncClient(fake.path) as client:
                surface = await client.surface_attach()
                self.assertTrue(await surface.wait(60))
                self.assertEqual(await surface.__anext__(), [])
                for _ in range(20):
                    self.assertFalse(await surface.wait(0.001))
                self.assertEqual(len(client._link._waiting), 0)
        asyncio.run(asyncio.wait_for(main(), 60))

    def test_what_another_thread_reads_meanwhile_is_told_at_once(self):
        heard = []
        with contextlib.closing(intentd.Client(self.folder + "/none")) as client:
            link, make_calls = client._link, client._link.core.make_calls

            def make_calls_and_read():
                make_calls()
                if not heard:
                    return
                # Another thread has read something, and left it to this one.
                link.core.make_calls = make_calls
                link.core.calls.append((heard.append, ("second",)))
            link.core.make_calls = make_calls_and_read
            link.core.calls.append((heard.append, ("first",)))
            link.make_calls()
            self.assertEqual(heard, ["first", "second"])

    def test_nonsense_from_the_daemon_ends_the_connection(self):
        fake = self.daemon(lambda request: [{"id": request["id"], "result": [1]}])
        with intentd.Client(fake.path) as client:
            with self.assertRaisesRegex(intentd.ConnectionLost, "not as expected"):
                client.surface_attach()

    def test_a_listener_that_fails_is_logged_and_harms_nobody(self):
        fake = self.daemon(lambda request: [
            {"method": "receipt.update", "params": {"receipt": {"id": "r1"}}},
            {"id": request["id"], "result": {}}])
        heard = []
        with intentd.Client(fake.path) as client:
            client.on("receipt.update", lambda update: 1 / 0)
            stop = client.on("receipt.update", heard.append)
            with self.assertLogs("intentd", "ERROR"):
                client.daemon_ping()
            stop()
            with self.assertLogs("intentd", "ERROR"):
                client.daemon_ping()
            with self.assertRaisesRegex(ValueError, "receipt.update"):
                client.on("receipt.updates", heard.append)
        self.assertEqual(heard, [{"receipt": {"id": "r1"}}])

    def test_a_listener_may_ask(self):
        fake = self.daemon(lambda request: [
            {"method": "receipt.update", "params": {"receipt": {"id": str(request["id"])}}},
            {"id": request["id"], "result": {"id": request["id"]}}])
        heard = []
        with intentd.Client(fake.path) as client:
            def ask_back(update):
                heard.append(update["receipt"]["id"])
                if len(heard) < 3:
                    client.daemon_ping()
                    heard.append("answered")
            client.on("receipt.update", ask_back)
            client.daemon_ping()
        self.assertEqual(heard, ["1", "answered", "2"])


# A real daemon


class Daemon:
    """A daemon in a folder of its own, with the kinds of the test bed."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("run", "config"):
            os.mkdir(os.path.join(folder, name), 0o700)
        os.mkfifo(folder + "/gate")
        self.path = folder + "/run/intentd/intentd.sock"
        self.process = None

    @property
    def environment(self):
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH")
                if name in os.environ}
        folders = {f"XDG_{name}_HOME": f"{self.folder}/{name.lower()}"
                   for name in ("CONFIG", "DATA", "STATE", "CACHE")}
        return {**kept, **folders, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder + "/run",
                "TMPDIR": self.folder, "LANG": "C.UTF-8"}

    def start(self):
        with open(self.folder + "/log", "ab") as log:
            self.process = subprocess.Popen(
                [program(), "--config", self.folder + "/config", "--widgets", TESTBED,
                 "--intents", os.path.join(PROJECT, "Intents")],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        with intentd.Client(self.path, connect_within=60):
            pass

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.release()

    def release(self):
        """Lets the provider of the gate end, which a killed daemon leaves waiting."""
        with contextlib.suppress(OSError):  # Nobody waits.
            os.close(os.open(self.folder + "/gate", os.O_WRONLY | os.O_NONBLOCK))

    def restart(self):
        self.kill()
        self.start()

    def stop(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        self.process.wait()
        self.release()

    @contextlib.contextmanager
    def gate(self):
        """Begins when the provider of the gate waits; it answers at the end."""
        with open(self.folder + "/gate", "wb"):
            yield


@unittest.skipIf(program() is None, "skipped: intentd is not built (swift build)")
class DaemonTestCase(TestCase):
    def setUp(self):
        super().setUp()
        self.daemon = Daemon(self.folder)
        self.daemon.start()
        self.addCleanup(self.daemon.stop)
        self.pool = concurrent.futures.ThreadPoolExecutor(64)
        self.addCleanup(self.pool.shutdown)
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("error", ResourceWarning)

    def client(self, **named):
        client = intentd.Client(self.daemon.path, **named).connect()
        self.addCleanup(client.close)
        return client

    def clock(self, client, name="clock"):
        """Place a widget, and wait for its first timeline."""
        added = client.widget_add("org.example.clock", id=name)
        client.widget_receipt(added["receipt"]["id"], wait=True)


class MethodTests(DaemonTestCase):
    methods = re.findall(r"^### ([a-z]+\.[A-Za-z]+)$", page("PROTOCOL.md"), re.MULTILINE)

    def test_each_method_of_the_protocol_has_its_parameters_and_no_others(self):
        self.assertGreater(len(self.methods), 30)
        client = self.client()
        for method in self.methods:
            with self.subTest(method):
                snake = re.sub("[A-Z]", lambda found: "_" + found[0].lower(), method)
                function = getattr(intentd.Client, snake.replace(".", "_"), None)
                self.assertIsNotNone(function, "intentd.py has no such method")
                with self.assertRaises(intentd.Refused) as caught:
                    client.call(method, {"nosuch": 1})
                takes = caught.exception.data["expected"].replace("this method takes ", "")
                wire = set() if takes == "no parameters" else set(takes.split(", "))
                ours = {re.sub("_([a-z])", lambda found: found[1].upper(), name)
                        for name in inspect.signature(function).parameters} - {"self"}
                self.assertEqual(ours, wire)
                self.assertTrue(function.__doc__)

    def test_both_clients_have_the_same_methods(self):
        def names(kind):
            return {name for name in dir(kind) if not name.startswith("_")}
        self.assertEqual(names(intentd.Client) - names(intentd.AsyncClient), {"listen"})
        self.assertEqual(names(intentd.AsyncClient) - names(intentd.Client), set())
        for name in ("surface_attach", "app_register", "call", "__init__"):
            ours, theirs = (inspect.signature(getattr(kind, name)).parameters
                            for kind in (intentd.Client, intentd.AsyncClient))
            self.assertEqual(list(ours), list(theirs))

    def test_each_error_of_the_protocol_has_its_code(self):
        rows = re.findall(r"^\| −(\d+) \|(?: (\w+))? \|", page("PROTOCOL.md"), re.MULTILINE)
        self.assertGreater(len(rows), 20)
        self.assertEqual({-int(code) for code, _ in rows}, set(map(int, intentd.ErrorCode)))
        for code, name in rows:
            if name:
                ours = intentd.ErrorCode(-int(code)).name
                self.assertEqual(ours, re.sub("(?<=[a-z])[A-Z]", lambda found: "_" + found[0],
                                              name).upper())

    def test_the_limits_are_those_of_the_protocol(self):
        self.assertIn(f"| bytes in one line | {intentd.REQUEST_BYTES_MAX:,} |",
                      page("PROTOCOL.md"))
        self.assertEqual(self.client().daemon_status()["protocol"], intentd.PROTOCOL)

    def test_the_requests_of_a_day(self):
        client = self.client()
        sent = client.intent_send("show weather for Beijing", wait=True)
        self.assertEqual(sent["intent"], {"name": "ShowWeather", "parameters": {"city": "Beijing"}})
        self.assertEqual(sent["entry"]["content"]["title"], "Beijing")
        question = client.intent_send(intent="ShowWeather")["needs"]
        self.assertEqual((question["reason"], question["parameter"]), ("value", "city"))
        sent = client.intent_send(resume=question["token"], choice="Rome", wait=True)
        self.assertEqual(sent["entry"]["content"]["title"], "Rome")
        self.assertTrue(client.intent_recognize("weather in Oslo", spans=True)["matched"])
        sentences = [found["sentence"]
                     for found in client.intent_complete("weather in Os", limit=3)["completions"]]
        self.assertIn("weather in Oslo", sentences)
        client.intent_donate("ShowWeather", {"city": "Rome"}, date=datetime.now(timezone.utc))
        self.assertEqual(client.url_open("weather://city/Rome")["intent"]["name"], "ShowWeather")
        added = client.widget_add("org.example.weather", parameters={"city": "Lima"})["widget"]
        self.assertEqual(added["intent"]["parameters"], {"city": "Lima"})
        client.widget_configure(added["id"], family="accessoryInline")
        self.assertEqual(client.widget_reload(id=added["id"], wait=True)["receipts"][0]["state"],
                         "done")
        self.assertEqual(client.widget_timeline(added["id"])["entries"][0]["content"]["title"],
                         "Lima")
        self.assertEqual(client.widget_budget(added["id"])["id"], added["id"])
        opened = client.widget_open_menu(added["id"])
        self.assertEqual((opened["run"], opened["widget"]["id"]), ("none", added["id"]))
        self.assertIn(added["id"], client.stack_order(ids=True)["ids"])
        self.assertTrue(client.stack_explain(id=added["id"])["widgets"][0]["contributions"])
        self.assertEqual(client.stack_dismiss(added["id"]), {"dismissed": added["id"]})
        self.assertEqual(client.widget_remove(added["id"]), {"removed": added["id"]})
        self.assertEqual(client.intent_set_list("cities", add=["Oz"])["name"], "cities")
        self.assertEqual(client.donation_set_private(False), {"private": False})
        self.assertGreater(client.donation_forget(all=True)["forgotten"], 0)
        self.assertEqual(client.daemon_reload_configuration()["issues"], [])
        self.assertEqual(len(client.daemon_history(limit=3)["entries"]), 3)
        self.assertIn("intentd_requests_total", client.daemon_metrics()["text"])
        self.assertEqual({kind["kind"] for kind in client.gallery_list()["kinds"]},
                         {"org.example.clock", "org.example.gate", "org.example.weather"})
        (clock,) = client.gallery_list(
            "org.example.clock", previews=True, language="de_DE")["kinds"]
        self.assertEqual(clock["preview"]["locale"], "de_DE")
        self.assertIn("content", clock["preview"]["entry"])
        self.assertIn("ShowWeather", [intent["name"] for intent in client.intent_list()["intents"]])

    def test_a_widget_is_placed_with_questions(self):
        client = self.client()
        asked = client.widget_add("org.example.weather", id="weather", ask=True, wait=True)
        self.assertEqual(set(asked), {"needs"})
        needs = asked["needs"]
        self.assertEqual((needs["reason"], needs["parameter"], needs["otherValues"]),
                         ("value", "city", True))
        self.assertGreater(needs["valueCount"], len(needs["values"]))
        placed = client.intent_send(resume=needs["token"], choice="Rome", wait=True)
        self.assertEqual((placed["widget"]["id"], placed["receipt"]["state"]), ("weather", "done"))
        self.assertEqual(placed["widget"]["entry"]["content"]["title"], "Rome")
        with self.assertRaises(intentd.Refused) as caught:
            client.widget_add("org.example.weather")
        self.assertEqual(caught.exception.code, intentd.ErrorCode.INVALID_PARAMETER)
        needs = client.widget_configure("weather", parameters={}, ask=True)["needs"]
        self.assertEqual(needs["parameter"], "city")
        changed = client.widget_configure("weather", parameters={"city": "Oslo"}, wait=True)
        self.assertEqual(changed["widget"]["entry"]["content"]["title"], "Oslo")

    def test_a_widget_is_loaded_before_the_answer_to_a_client_that_waits(self):
        client = self.client()
        placing = self.pool.submit(client.widget_add, "org.example.gate", id="gate", wait=True)
        with self.daemon.gate():
            self.assertFalse(placing.done())
        answer = placing.result()
        self.assertEqual(text_of([answer["widget"]]), "open")
        self.assertEqual(answer["receipt"]["state"], "done")

    def test_a_removal_and_a_dismissal_are_undone(self):
        client = self.client()
        for name in ("one", "two", "three"):
            self.clock(client, name)
        self.assertEqual(client.widget_remove(ids=["one", "two"]), {"removed": ["one", "two"]})
        client.stack_dismiss("three")
        self.assertEqual(client.widget_restore(), {"undone": "dismissed", "widgets": ["three"]})
        self.clock(client, "one")
        self.assertEqual(client.widget_restore(), {
            "undone": "removed", "widgets": ["one-2", "two"], "renamed": {"one": "one-2"}})
        self.assertEqual(client.widget_remove("two"), {"removed": "two"})
        self.daemon.restart()
        self.assertEqual(client.widget_restore(), {"undone": "removed", "widgets": ["two"]})
        with self.assertRaises(intentd.Refused) as caught:
            client.widget_restore()
        self.assertEqual(caught.exception.code, intentd.ErrorCode.NOTHING_TO_UNDO)

    def test_a_slip_is_understood_or_told_to_a_strict_sender(self):
        client = self.client()
        sent = client.intent_send("show wether for Beijing")
        self.assertEqual(sent["intent"], {"name": "ShowWeather", "parameters": {"city": "Beijing"}})
        self.assertEqual(sent["understood"]["sentence"], "show weather for Beijing")
        self.assertEqual(
            sent["understood"]["changes"], [{"said": "wether", "taken": "weather", "why": "slip"}])
        self.assertNotIn("understood", client.intent_send("show weather for Beijing"))
        with self.assertRaises(intentd.Refused) as caught:
            client.intent_send("show wether for Beijing", strict=True)
        self.assertEqual(caught.exception.meant, "show weather for Beijing")
        with self.assertRaises(intentd.Refused) as caught:
            client.intent_send("sing me a song about trees")
        self.assertIsNone(caught.exception.meant)

    def test_the_status_has_the_members_that_are_typed(self):
        status = self.client().daemon_status()
        typed = intentd.Status.__required_keys__ | intentd.Status.__optional_keys__
        self.assertEqual(set(status) - typed, set())
        self.assertEqual(intentd.Status.__required_keys__ - set(status), set())
        self.assertFalse(status["newerInstalled"])
        self.assertEqual((status["failing"], status["folders"][0]), ([], TESTBED))

    def test_a_refusal_tells_what_a_program_needs(self):
        client = self.client()
        self.clock(client)
        with self.assertRaises(intentd.Refused) as caught:
            client.widget_remove("clocks")
        error = caught.exception
        self.assertEqual((error.code, error.name, error.suggestions, error.method),
                         (intentd.ErrorCode.UNKNOWN_WIDGET, "unknownWidget", ["clock"],
                          "widget.remove"))
        self.assertIn("did you mean 'clock'?", str(error))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.code, again.data), (str(error), error.code, error.data))
        with self.assertRaises(intentd.Refused) as caught:
            client.widget_push("clock", {"entries": [{"date": "soon", "content": {}}]})
        self.assertEqual(caught.exception.data["path"], "entries[0].date")
        with self.assertRaises(intentd.Refused) as caught:
            client.call("widget.dance")
        self.assertEqual(caught.exception.code, intentd.ErrorCode.METHOD_NOT_FOUND)
        self.assertEqual(caught.exception.name, "")

    def test_text_of_every_script_comes_back_as_it_went(self):
        client = self.client()
        self.clock(client)
        text = "Grüße, 北京 😀 \u200f\u0627 \x00\x01\x1f \u2028 \"\\/ 𐍈"
        client.widget_push("clock", timeline(text))
        entry = client.widget_timeline("clock")["entries"][0]
        self.assertEqual(entry["content"]["text"], text)

    def test_large_requests_and_answers(self):
        client = self.client()
        self.clock(client)
        start = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=1)
        entries = [{"date": start + timedelta(minutes=minute), "content": {"text": "ü" * 1_300}}
                   for minute in range(1_440)]
        pushed = client.widget_push("clock", {"entries": entries, "policy": "atEnd"})
        self.assertEqual(pushed["receipt"]["state"], "done")
        answer = client.widget_timeline("clock")
        # The entry that is shown now stays until the first of these begins.
        texts = [entry["content"]["text"] for entry in answer["entries"]]
        self.assertTrue(texts == ["eight"] + ["ü" * 1_300] * 1_439, len(texts))
        with self.assertRaisesRegex(intentd.RequestTooLarge, "4194304 are allowed"):
            client.widget_push("clock", timeline("x" * 4_194_304))
        self.assertEqual(client.daemon_ping(), {})


class SurfaceTests(DaemonTestCase):
    def test_a_surface_tells_the_session_that_it_is_in(self):
        session = {"DISPLAY": ":7", "SWAYSOCK": "/run/sway.sock", "SECRET": "no",
                   "I3SOCK": "a\nb", "NIRI_SOCKET": "n" * 4_097}
        with unittest.mock.patch.dict(os.environ, session, clear=True):
            own = intentd.session_variables()
        self.assertEqual(own, {"DISPLAY": ":7", "SWAYSOCK": "/run/sway.sock"})
        with unittest.mock.patch.dict(os.environ, {"SWAYSOCK": "/run/sway.sock"}, clear=True):
            self.assertIsNone(intentd.session_variables())
        client = self.client()
        client.surface_attach(session=own, appearance="dark")
        every = dict.fromkeys(intentd.SESSION_VARIABLES, "/x")
        client.surface_attach(session=every)
        client.surface_attach(session=True)
        for wrong in ({"session": {"PATH": "/tmp"}}, {"session": {"DISPLAY": ":0\n"}},
                      {"appearance": "grey"}):
            with self.assertRaises(intentd.Refused) as refusal:
                client.surface_attach(**wrong)
            self.assertEqual(refusal.exception.data["parameter"], list(wrong)[0])

    def test_a_surface_shows_everything_at_once_and_then_each_change(self):
        client, other = self.client(), self.client()
        self.clock(other)
        surface = client.surface_attach(families=["systemSmall"])
        self.assertEqual(text_of(next(surface)), "eight")
        other.widget_push("clock", timeline("nine"))
        self.assertEqual(text_of(next(surface)), "nine")
        self.assertEqual(text_of(surface.widgets), "nine")
        other.widget_remove("clock")
        self.assertEqual(next(surface), [])
        self.assertFalse(surface.wait(0))

    def test_a_stack_is_in_order_and_says_so_when_it_changes(self):
        client, other = self.client(), self.client()
        self.clock(other, "one")
        self.clock(other, "two")
        surface = client.surface_attach(stack=True)
        first = [widget["id"] for widget in next(surface)]
        other.stack_dismiss(first[0])
        second = [widget["id"] for widget in next(surface)]
        self.assertEqual(second, first[::-1])
        self.assertEqual(other.stack_order(ids=True)["ids"], second)

    def test_updates_arrive_in_order(self):
        client, other = self.client(), self.client()
        self.clock(other)
        heard = []
        client.on("surface.update", lambda update: heard.append(int(text_of(update["widgets"]))))
        surface = client.surface_attach()
        pushing = self.pool.submit(
            lambda: [other.widget_push("clock", timeline(str(number))) for number in range(200)])
        next(surface)
        while not heard or heard[-1] != 199:
            self.assertIsNotNone(next(surface))
        pushing.result()
        self.assertEqual(heard, sorted(heard))

    def test_a_surface_that_was_not_read_for_long_is_told_the_present(self):
        client, other = self.client(), self.client()
        self.clock(other)
        surface = client.surface_attach()
        for number in range(64):  # more than all buffers hold
            other.widget_push("clock", timeline(f"{number} " + "x" * 100_000))
        # The daemon refuses requests of a client that does not read; this one reads first.
        self.assertEqual(client.widget_list()["widgets"][0]["id"], "clock")
        while not text_of(surface.widgets).startswith("63 "):
            next(surface)

    def test_a_hidden_surface_hears_nothing_until_it_is_seen(self):
        client, other = self.client(), self.client()
        self.clock(other)
        surface = client.surface_attach()
        next(surface)
        client.surface_visibility(False)
        other.widget_push("clock", timeline("unseen"))
        client.daemon_ping()
        self.assertFalse(surface.wait(0))
        client.surface_visibility(True)
        self.assertEqual(text_of(next(surface)), "unseen")

    def test_a_surface_hears_of_each_configuration_over_restarts(self):
        client = self.client()
        heard = queue.Queue()
        client.on("configuration.update", heard.put)
        back = threading.Event()
        client.on("connected", back.set)
        client.surface_attach(configuration=True)
        self.pool.submit(client.listen)
        other = self.client()
        counts = other.daemon_reload_configuration()
        self.assertEqual(heard.get(), {**counts, "issueCount": 0})
        back.clear()
        self.daemon.restart()
        back.wait()
        counts = other.daemon_reload_configuration()
        self.assertEqual(heard.get(), {**counts, "issueCount": 0})

    def test_a_second_surface_takes_the_place_of_the_first(self):
        client = self.client()
        first = client.surface_attach()
        next(first)
        second = client.surface_attach()
        self.assertEqual(list(first), [])
        self.assertEqual(next(second), [])


    def test_several_surfaces_share_a_client(self):
        client, other = self.client(), self.client()
        self.clock(other)
        first = client.surface_attach()
        second = client.surface_attach(add=True)
        self.assertNotEqual(first.id, second.id)
        next(first), next(second)
        other.widget_push("clock", timeline("nine"))
        self.assertEqual(text_of(next(first)), "nine")
        self.assertEqual(text_of(next(second)), "nine")
        client.surface_detach(surface=second.id)
        self.assertEqual(list(second), [])
        self.assertEqual(other.daemon_status()["surfaces"], 1)
        third = client.surface_attach(surface=first.id)
        self.assertEqual(third.id, first.id)
        self.assertEqual(list(first), [])


class RestartTests(DaemonTestCase):
    def test_several_surfaces_outlive_the_daemon(self):
        client = self.client()
        self.clock(client)
        surfaces = [client.surface_attach(), client.surface_attach(add=True)]
        for surface in surfaces:
            self.assertEqual(text_of(next(surface)), "eight")
        self.daemon.restart()
        self.client().widget_push("clock", timeline("after"))
        for surface in surfaces:
            self.assertEqual(text_of(next(surface)), "after")
        self.assertEqual(client.daemon_status()["surfaces"], 2)

    def test_a_surface_outlives_the_daemon(self):
        client = self.client()
        heard = []
        client.on("connected", lambda: heard.append("connected"))
        client.on("disconnected", lambda why: heard.append("disconnected"))
        self.clock(client)
        surface = client.surface_attach()
        self.assertEqual(text_of(next(surface)), "eight")
        next_widgets = self.pool.submit(next, surface)
        self.daemon.restart()
        # The same widgets are no news; the first change is.
        self.client().widget_push("clock", timeline("after"))
        self.assertEqual(text_of(next_widgets.result()), "after")
        self.assertEqual(heard, ["disconnected", "connected"])
        self.assertEqual(client.daemon_status()["surfaces"], 1)

    def test_a_hidden_surface_comes_back_hidden(self):
        client = self.client()
        back = threading.Event()
        self.clock(client)
        surface = client.surface_attach()
        client.surface_visibility(False)
        next(surface)
        client.on("connected", back.set)
        following = self.pool.submit(next, surface)
        self.daemon.restart()
        other = self.client()
        back.wait()
        other.widget_push("clock", timeline("unseen"))
        self.assertEqual(other.daemon_status()["watched"], 0)
        self.assertFalse(following.done())
        client.surface_visibility(True)
        self.assertEqual(text_of(following.result()), "unseen")

    def test_an_app_outlives_the_daemon_in_its_state(self):
        client = self.client()
        self.clock(client)
        app = client.app_register("org.example.App")
        self.assertEqual(app.kinds, ["org.example.clock"])
        client.app_state("foreground")
        tap = self.pool.submit(next, app)
        self.daemon.restart()
        other = self.client()
        # The tap starts a program until the app has registered again.
        while True:
            try:
                if other.widget_tap("clock")["opened"] == "app":
                    break
            except intentd.Refused as error:
                self.assertEqual(error.code, intentd.ErrorCode.LAUNCH_FAILED)
        self.assertEqual(tap.result(), {"widget": "clock", "kind": "org.example.clock",
                                        "family": "systemSmall", "url": "clock://now"})
        [receipt] = client.widget_reload_all()["receipts"]
        self.assertEqual(receipt["cause"], "hostForeground")

    def test_an_app_knows_its_widgets_and_configures_them(self):
        client = self.client()
        app = client.app_register("org.example.App")
        self.assertEqual((app.widgets, app.groups, app.knows_all_widgets), ([], {}, True))
        told = queue.Queue()
        client.on("app.widgetsChanged", told.put)

        def changes():
            while told.empty():
                client.listen(0.02)
            return told.get()["changes"]
        other = self.client()
        self.clock(other)
        [change] = changes()
        widget = {"id": "clock", "kind": "org.example.clock", "family": "systemSmall",
                  "suggestion": False}
        self.assertEqual(change, {"change": "placed", "widget": widget})
        self.assertEqual(app.widgets, [widget])
        client.widget_configure("clock", family="accessoryInline")
        self.assertEqual(changes()[0]["change"], "moved")
        self.assertEqual(app.widgets, [{**widget, "family": "accessoryInline"}])
        self.daemon.restart()
        client.daemon_ping()
        self.assertEqual([each["id"] for each in app.widgets], ["clock"])
        other.widget_remove("clock")
        self.assertEqual(changes()[0]["change"], "removed")
        self.assertEqual(app.widgets, [])
        other.widget_add("org.example.gate", id="gate")
        with self.assertRaises(intentd.Refused) as refused:
            client.widget_configure("gate", family="systemSmall")
        self.assertEqual(refused.exception.code, intentd.ErrorCode.FOREIGN_WIDGET)

    def test_a_request_under_way_is_lost_and_not_made_again(self):
        client = self.client()
        client.widget_add("org.example.gate", id="gate")
        with self.daemon.gate():
            answer = self.pool.submit(client.widget_reload, id="gate", wait=True)
            while not client._link.core.slots:
                pass
            self.client().daemon_ping()
            self.daemon.kill()
            with self.assertRaises(intentd.Unanswered):
                answer.result()
        with self.assertRaises(intentd.NoDaemon):
            client.daemon_ping()
        self.daemon.start()
        self.assertEqual(client.daemon_ping(), {})

    def test_a_daemon_that_dies_in_a_request_is_told_and_shown_again(self):
        async def main():
            async with intentd.AsyncClient(self.daemon.path) as client:
                heard = asyncio.Queue()
                client.on("connected", lambda: heard.put_nowait("connected"))
                client.on("disconnected", lambda why: heard.put_nowait(why))
                await client.widget_add("org.example.gate", id="gate")
                surface = await client.surface_attach(stack=True)
                before = await surface.__anext__()
                waiting = asyncio.create_task(client.widget_reload(id="gate", wait=True))
                while not client._link.core.slots:
                    await asyncio.sleep(0)
                await client.daemon_ping()
                self.daemon.kill()
                with self.assertRaises(intentd.ConnectionLost):
                    await waiting
                self.assertIn("closed", await heard.get())
                await asyncio.get_running_loop().run_in_executor(None, self.daemon.start)
                self.assertEqual(await heard.get(), "connected")
                self.assertEqual((await client.daemon_status())["surfaces"], 1)
                shown = await client.stack_order(surface=surface.id, ids=True)
                self.assertEqual(shown["ids"], [widget["id"] for widget in before])
        asyncio.run(asyncio.wait_for(main(), 60))

    def test_threads_share_a_client_over_restarts(self):
        client = self.client(connect_within=60)
        answered, is_over = queue.Queue(), threading.Event()

        def work():
            while not is_over.is_set():
                try:
                    answered.put(client.daemon_ping())
                except intentd.ConnectionLost:
                    pass
        working = [self.pool.submit(work) for _ in range(8)]
        for _ in range(3):
            self.daemon.restart()
            with answered.mutex:
                answered.queue.clear()
            for _ in range(20):
                self.assertEqual(answered.get(), {})
        is_over.set()
        for done in working:
            done.result()

    def test_a_request_with_a_key_takes_effect_once(self):
        client = self.client()
        added = client.once("k1").widget_add("org.example.clock")
        self.daemon.kill()
        self.daemon.start()
        self.assertEqual(client.once("k1").widget_add("org.example.clock"), added)
        self.assertEqual(len(client.widget_list()["widgets"]), 1)
        with self.assertRaises(intentd.Refused) as refused:
            client.once("k1").widget_remove("clock")
        self.assertEqual(refused.exception.code, intentd.ErrorCode.KEY_REUSED)

        async def main():
            async with intentd.AsyncClient(self.daemon.path) as other:
                self.assertEqual(await other.once("k1").widget_add("org.example.clock"), added)
        asyncio.run(main())

    def test_a_request_after_a_restart_just_works(self):
        client = self.client()
        self.clock(client)
        self.daemon.restart()
        # The client has not noticed yet: it does when it writes, before a byte is sent.
        self.assertEqual(len(client.widget_list()["widgets"]), 1)

        async def main():
            async with intentd.AsyncClient(self.daemon.path) as client:
                await client.daemon_ping()
                self.daemon.restart()
                self.assertEqual(len((await client.widget_list())["widgets"]), 1)
        asyncio.run(main())

    def test_a_client_may_wait_for_a_daemon_to_come(self):
        self.daemon.kill()
        client = intentd.Client(self.daemon.path, connect_within=60)
        self.addCleanup(client.close)
        ping = self.pool.submit(client.daemon_ping)
        self.daemon.start()
        self.assertEqual(ping.result(), {})

        async def main():
            client = intentd.AsyncClient(self.daemon.path, connect_within=60)
            self.daemon.kill()
            ping = asyncio.create_task(client.daemon_ping())
            await asyncio.get_running_loop().run_in_executor(None, self.daemon.start)
            self.assertEqual(await ping, {})
            client.close()
        asyncio.run(main())

    def test_the_asyncio_client_outlives_the_daemon(self):
        async def main():
            async with intentd.AsyncClient(self.daemon.path) as client:
                heard = asyncio.Queue()
                client.on("connected", lambda: heard.put_nowait("connected"))
                client.on("disconnected", lambda why: heard.put_nowait("disconnected"))
                added = await client.widget_add("org.example.clock", id="clock")
                await client.widget_receipt(added["receipt"]["id"], wait=True)
                app = await client.app_register("org.example.App", foreground=True)
                surface = await client.surface_attach(stack=True)
                self.assertEqual(text_of(await surface.__anext__()), "eight")
                await asyncio.get_running_loop().run_in_executor(None, self.daemon.restart)
                self.assertEqual(await heard.get(), "disconnected")
                self.assertEqual(await heard.get(), "connected")
                await client.widget_push("clock", timeline("after"))
                self.assertEqual(text_of(await surface.__anext__()), "after")
                self.assertEqual((await client.widget_tap("clock"))["opened"], "app")
                async for tap in app:
                    self.assertEqual(tap["url"], "clock://now")
                    break
        asyncio.run(main())


class PressureTests(DaemonTestCase):
    def test_a_daemon_that_does_not_read_makes_nobody_wait_for_ever(self):
        client = self.client()
        self.clock(client)
        self.daemon.process.send_signal(signal.SIGSTOP)
        large = timeline("x" * 1_000_000)
        with self.assertRaises(intentd.AnswerTimeout):
            client.within(0.05).widget_push("clock", large)  # a part of it was written
        with self.assertRaisesRegex(intentd.NotRead, "not sent"):
            client.within(0.05).widget_push("clock", large)
        self.daemon.process.send_signal(signal.SIGCONT)
        self.assertEqual(client.daemon_ping(), {})
        pushes = [entry for entry in client.daemon_history()["entries"] if "push" in str(entry)]
        self.assertLessEqual(len(pushes), 1)

        async def main():
            async with intentd.AsyncClient(self.daemon.path) as client:
                self.daemon.process.send_signal(signal.SIGSTOP)
                hurried = client.within(0.05)
                outcomes = await asyncio.gather(
                    *(hurried.widget_push("clock", large) for _ in range(3)),
                    return_exceptions=True)
                self.assertEqual([type(outcome).__name__ for outcome in outcomes],
                                 ["AnswerTimeout", "NotRead", "NotRead"])
                self.daemon.process.send_signal(signal.SIGCONT)
                self.assertEqual(await client.daemon_ping(), {})
        asyncio.run(main())

    def test_thousands_of_answers_larger_than_the_daemons_queue(self):
        filler = self.client()
        self.clock(filler)
        filler.widget_push("clock", timeline("x" * 50_000))

        async def main():
            async with intentd.AsyncClient(self.daemon.path) as client:
                answers = await asyncio.gather(*(client.widget_list() for _ in range(1_000)))
                self.assertEqual({len(text_of(answer["widgets"])) for answer in answers}, {50_000})
        asyncio.run(main())

    def test_more_requests_wait_than_the_daemon_lets_wait(self):
        adder = self.client()
        receipt = adder.widget_add("org.example.gate", id="gate")["receipt"]["id"]

        async def main():
            async with intentd.AsyncClient(self.daemon.path) as client:
                waiting = [asyncio.create_task(client.widget_receipt(receipt, wait=True))
                           for _ in range(300)]
                await asyncio.sleep(0)
                # Others are answered meanwhile: this one behind the refusals of 44.
                await client.daemon_ping()
                self.assertGreater(len(client._link.core.held), 0)
                with self.daemon.gate():
                    pass
                for answer in await asyncio.gather(*waiting):
                    self.assertEqual(answer["receipt"]["state"], "done")
        asyncio.run(main())

    def test_threads_share_a_client(self):
        client = self.client()
        self.clock(client)

        def work(number):
            for turn in range(25):
                with self.assertRaises(intentd.Refused) as caught:
                    client.widget_remove(f"no-{number}-{turn}")
                self.assertIn(f"no-{number}-{turn}", str(caught.exception))
                self.assertEqual(client.widget_timeline("clock")["id"], "clock")
        for done in [self.pool.submit(work, number) for number in range(32)]:
            done.result()

    def test_one_thread_iterates_while_others_ask(self):
        client = self.client()
        self.clock(client)
        surface = client.surface_attach()
        next(surface)
        seen = []

        def watch():
            for widgets in surface:
                seen.append(int(text_of(widgets)))
                if seen[-1] == 99:
                    return
        watching = self.pool.submit(watch)
        for number in range(100):
            client.widget_push("clock", timeline(str(number)))
        watching.result()
        self.assertEqual(seen, sorted(set(seen)))

    def test_a_cancelled_request_disturbs_nobody(self):
        async def main():
            async with intentd.AsyncClient(self.daemon.path) as client:
                await client.widget_add("org.example.gate", id="gate")
                waiting = asyncio.create_task(client.widget_reload(id="gate", wait=True))
                while not client._link.core.slots:
                    await asyncio.sleep(0)
                await client.daemon_ping()
                waiting.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await waiting
                with self.assertRaises(intentd.AnswerTimeout):
                    await client.within(0.02).widget_reload(id="gate", wait=True)
                self.assertEqual(await client.daemon_ping(), {})
                self.assertEqual(client._link.core.slots, {})
        asyncio.run(main())


class CloseTests(DaemonTestCase):
    def test_close_ends_iterations_and_requests_of_other_threads(self):
        client = self.client()
        receipt = client.widget_add("org.example.gate", id="gate")["receipt"]["id"]
        surface, app = client.surface_attach(), client.app_register("org.example.App")
        next(surface)
        tasks = [self.pool.submit(list, surface), self.pool.submit(list, app),
                 self.pool.submit(client.listen)]
        waiting = self.pool.submit(client.widget_receipt, receipt, wait=True)
        while not client._link.core.slots:
            pass
        client.close()
        self.assertEqual([task.result() for task in tasks], [[], [], None])
        with self.assertRaises(intentd.ConnectionLost):
            waiting.result()
        with self.assertRaises(intentd.Closed):
            client.daemon_ping()
        client.close()

    def test_close_ends_what_waits_in_asyncio(self):
        async def main():
            client = await intentd.AsyncClient(self.daemon.path).connect()
            added = await client.widget_add("org.example.gate", id="gate")
            surface = await client.surface_attach()
            await surface.__anext__()

            async def everything(source):
                return [item async for item in source]
            iterating = asyncio.create_task(everything(surface))
            waiting = asyncio.create_task(client.widget_receipt(added["receipt"]["id"], wait=True))
            while not client._link.core.slots:
                await asyncio.sleep(0)
            await client.within(5).daemon_ping()
            client.close()
            self.assertEqual(await iterating, [])
            with self.assertRaises(intentd.ConnectionLost):
                await waiting
            with self.assertRaises(intentd.Closed):
                await client.daemon_ping()
        asyncio.run(main())

    def test_nothing_is_left_open(self):
        def descriptors():
            return len(os.listdir("/proc/self/fd"))
        self.client().daemon_ping()
        before = descriptors()
        for _ in range(5):
            with intentd.Client(self.daemon.path) as client:
                client.surface_attach()

            async def main():
                async with intentd.AsyncClient(self.daemon.path) as client:
                    await client.surface_attach()
            asyncio.run(main())
        self.assertEqual(descriptors(), before)
        self.assertEqual(threading.active_count() - len(self.pool._threads), 1)


class ProgramTests(DaemonTestCase):
    def run_it(self, *arguments, **environment):
        return subprocess.run(
            [sys.executable, os.path.join(HERE, "intentd.py"), *arguments], timeout=SECONDS_MAX,
            capture_output=True, env={**self.daemon.environment, **environment}, text=True)

    def test_the_file_is_a_program_that_shows_the_stack(self):
        self.clock(self.client())
        done = self.run_it()
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("clock\teight\n", "", 0))
        for arguments in ([], ["follow"]):
            reader, writer = os.pipe()
            os.close(reader)
            with open(writer, "wb") as output:
                done = subprocess.run(
                    [sys.executable, intentd.__file__, *arguments], stdout=output,
                    stderr=subprocess.PIPE, env=self.daemon.environment, timeout=60)
            self.assertEqual((done.stderr, done.returncode), (b"", 0))

    def test_ctrl_c_ends_a_program_and_leaves_nothing_behind(self):
        self.clock(self.client())
        for text in ("with intentd.Client() as daemon:\n"
                     "    for widgets in daemon.surface_attach(): print('there', flush=True)\n",
                     "async def main():\n"
                     "    async with intentd.AsyncClient() as daemon:\n"
                     "        async def show():\n"
                     "            async for widgets in await daemon.surface_attach():\n"
                     "                print('there', flush=True)\n"
                     "        await asyncio.gather(show(), daemon.widget_add(\n"
                     "            'org.example.gate', id='gate', wait=True))\n"
                     "asyncio.run(main())\n"):
            running = subprocess.Popen(
                [sys.executable, "-X", "dev", "-c", "import asyncio, intentd\n" + text],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env={**self.daemon.environment, "PYTHONPATH": HERE},
                # A shell's job in the background ignores Ctrl-C, and what it starts does, too.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            with running:
                self.assertEqual(running.stdout.readline(), "there\n")
                running.send_signal(signal.SIGINT)
                errors = running.stderr.read()
                self.assertEqual(running.wait(), -signal.SIGINT)
            self.assertEqual(errors.splitlines()[-1], "KeyboardInterrupt")
            for trouble in ("Warning", "Task ", "Exception ignored", "never"):
                self.assertNotIn(trouble, errors)

    def test_the_file_is_written_for_python_3_9(self):
        with open(os.path.join(HERE, "intentd.py"), encoding="utf-8") as file:
            ast.parse(file.read(), feature_version=(3, 9))

    def test_its_failures_are_sentences(self):
        self.assertEqual(self.run_it("--help").returncode, 0)
        self.assertEqual(self.run_it("dance").returncode, 64)
        done = self.run_it(INTENTD_SOCKET="/nowhere/s")
        self.assertEqual(done.returncode, 69)
        self.assertEqual(done.stderr, "intentd.py: no daemon is listening on /nowhere/s; start it "
                                      "with: systemctl --user start intentd.socket\n")


class PageTests(DaemonTestCase):
    """Runs every program of docs/PYTHON.md."""

    def programs(self):
        return re.findall(r"^```python\n(.*?)^```$", page("PYTHON.md"), re.MULTILINE | re.DOTALL)

    def test_each_program_of_the_page_does_what_it_says(self):
        self.assertGreater(len(self.programs()), 3)
        client = self.client()
        self.clock(client)
        client.widget_add("org.example.weather", id="weather", parameters={"city": "Rome"})
        for text in self.programs():
            with self.subTest(text.splitlines()[-1]):
                is_endless = re.search("in app:|in surface:|while True:|await showing", text)
                running = subprocess.Popen(
                    [sys.executable, "-W", "error", "-c", text], stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, env={**self.daemon.environment, "PYTHONPATH": HERE})
                with running:
                    if is_endless:
                        said = self.pool.submit(running.stdout.readline)
                        while not said.done():
                            # The programs that wait for a tap hear one.
                            with contextlib.suppress(intentd.Refused):
                                client.widget_tap("clock")
                            concurrent.futures.wait([said], 0.05)
                        running.terminate()
                        self.assertTrue(said.result())
                    self.assertEqual(running.stderr.read(), b"", text)
                    self.assertEqual(running.wait(), -signal.SIGTERM if is_endless else 0)


# What a surface shows


NOW = datetime(2026, 11, 20, 8, tzinfo=timezone.utc)


def live(style, **span):
    return {"date": (NOW + timedelta(**span)).isoformat().replace("+00:00", "Z"), "style": style}


class LiveDateTests(TestCase):
    def test_the_words_are_those_of_intent_send(self):
        for style, span, text in (
                ("relative", {"seconds": 4}, "now"), ("relative", {"seconds": -4}, "now"),
                ("relative", {"seconds": 45}, "in 45 s"), ("relative", {"seconds": 60}, "in 1 min"),
                ("relative", {"minutes": -3}, "3 min ago"), ("relative", {"hours": 2.9}, "in 2 h"),
                ("relative", {"days": -5}, "5 d ago"), ("new style", {"hours": 1}, "in 1 h"),
                ("timer", {"seconds": 299}, "04:59"), ("timer", {"seconds": -5}, "00:05"),
                ("timer", {"hours": 37, "seconds": 1}, "37:00:01"),
                ("offset", {"days": 3}, "+3 d"), ("offset", {"seconds": -90}, "-1 min"),
                ("offset", {}, "+0 s")):
            with self.subTest(f"{style} {span}"):
                self.assertEqual(intentd.live_text(live(style, **span), NOW), text)
        self.assertEqual(intentd.live_text("words", NOW), "words")

    def test_text_in_runs_reads_without_its_styles(self):
        line = {"runs": [{"text": "load "}, {"text": "5.00", "color": "#ff0000", "bold": True}]}
        self.assertEqual(intentd.live_text(line, NOW), "load 5.00")
        self.assertEqual(intentd.text_lines(["a", line], NOW), ["a", "load 5.00"])
        widget = {"name": "x", "entry": {"content": {"title": line, "text": "3 days"}}}
        self.assertEqual(intentd.one_line(widget, NOW), "load 5.00: 3 days")
        self.assertIsNone(intentd.seconds_to_tick(line, NOW))

    def test_the_tick_is_when_the_text_changes(self):
        numbers = random.Random(1)
        for style in ("relative", "timer", "offset"):
            for _ in range(2_000):
                seconds = numbers.choice([1, 100, 10_000, 1_000_000]) * numbers.uniform(-1, 1)
                line = live(style, milliseconds=round(seconds * 1000))
                tick = intentd.seconds_to_tick(line, NOW)
                before, after = (
                    intentd.live_text(line, NOW + timedelta(seconds=at))
                    for at in (max(0, tick - 0.0011), tick))
                self.assertEqual(before, intentd.live_text(line, NOW), (line, tick))
                if "now" not in (before, after) and not (style == "timer" and abs(seconds) < 2) \
                        and not (style == "offset" and abs(seconds) < 2):
                    self.assertNotEqual(before, after, (line, tick))

    def test_live_dates_are_found_wherever_they_are(self):
        widgets = [{"id": "a", "entry": {"date": "2026-11-20T08:00:00Z", "content": {
            "text": ["x", live("relative", hours=1.5)],
            "items": [{"text": live("timer", seconds=10.25)}]}}}]
        self.assertAlmostEqual(intentd.seconds_to_tick(widgets, NOW), 0.251)
        del widgets[0]["entry"]["content"]["items"]
        self.assertAlmostEqual(intentd.seconds_to_tick(widgets, NOW), 1800.001)
        self.assertIsNone(intentd.seconds_to_tick([{"text": "x", "percentage": 3, "a": None}], NOW))

    def test_dates_are_read(self):
        for text, date in (
                ("2026-11-20T08:00:00Z", NOW), ("2026-11-20t16:00:00+08:00", NOW),
                ("2026-11-20T08:00:00.5Z", NOW + timedelta(milliseconds=500)),
                ("2026-11-20T08:00:00.123456789z", NOW + timedelta(microseconds=123457))):
            self.assertEqual(intentd.parse_date(text), date)
        for text in ("soon", "2026-11-20", "2026-11-20T08:00:00", "2026-13-20T08:00:00Z"):
            with self.subTest(text), self.assertRaises(ValueError):
                intentd.parse_date(text)


class LineTests(TestCase):
    def test_a_widget_on_one_line(self):
        for content, line in (
                ({"short": "3°", "title": "Beijing", "text": "3° clear"}, "3°"),
                ({"title": "Beijing", "text": ["3° clear", "more"]}, "Beijing: 3° clear"),
                ({"title": "Same", "text": "Same"}, "Same"), ({"text": ""}, "Weather"),
                ({"percentage": 42}, "42%"), ({"percentage": 0}, "0%"), ({}, "Weather"),
                ({"text": live("timer", minutes=5)}, "05:00"),
                ({"title": "a\nb", "text": "\x1b[2Jc"}, "a: \\x1B[2Jc")):
            with self.subTest(content):
                widget = {"name": "Weather", "entry": {"content": content}}
                self.assertEqual(intentd.one_line(widget, NOW), line)
        self.assertEqual(intentd.one_line({"name": "Weather"}), "Weather")

    def test_foreign_text_cannot_steer_a_terminal(self):
        for text, safe in (
                ("plain", "plain"), ("3° klar, 北京 😀", "3° klar, 北京 😀"),
                ("a\r\nb\tc\x85d\u2028", "a b c d "), ("\x1b[2J\x9b\x00", "\\x1B[2J\\x9B\\x00"),
                ("exe.\u202egpj\u2066\u200e", "exe.gpj"), ("pay\u200bpal\ufeff", "paypal"),
                ("👨\u200d👩", "👨\u200d👩"), ("❤\ufe0f", "❤\ufe0f"), ("\ud800", "\ufffd"),
                ("a\ufe00\U000e0101b", "ab"), ("\u3164\u115fc", "c")):
            with self.subTest(ascii(text)):
                self.assertEqual(intentd.printable(text), safe)


if __name__ == "__main__":
    if sys.version_info < (3, 9):
        print("skipped: the Python client needs Python 3.9 or later", file=sys.stderr)
        sys.exit(0)
    unittest.main()
