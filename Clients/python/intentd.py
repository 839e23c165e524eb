#!/usr/bin/env python3
"""A client of intentd, the widget service. One file, Python 3.9 or later, no dependencies.

Copy the file into your project. An app whose data changed:

    import intentd

    with intentd.Client() as daemon:
        answer = daemon.widget_reload(kind="org.example.weather", wait=True)
        for receipt in answer["receipts"]:
            print(receipt["widget"], receipt["state"], receipt.get("reason", ""))

A bar:

    with intentd.Client() as daemon:
        for widgets in daemon.surface_attach(stack=True):
            print(" | ".join(intentd.one_line(widget) for widget in widgets), flush=True)

`AsyncClient` is the same for asyncio. docs/PYTHON.md explains both, docs/PROTOCOL.md has every
method, and `python3 intentd.py` shows the stack of a running daemon.

How the file is built: `_Core` is the protocol without input and output. `_Link` gives it a
socket that never blocks. `_BlockingLink` and `_AsyncLink` wait, with poll and with an event loop.
"""
from __future__ import annotations

import asyncio
import contextlib
import copy
import enum
import functools
import json
import logging
import math
import os
import random
import re
import select
import socket
import stat
import struct
import sys
import threading
import time
import unicodedata
from collections import deque
from datetime import datetime, timedelta, timezone
from typing import (
    TYPE_CHECKING, Any, AsyncIterator, Callable, ContextManager, Coroutine, Deque, Dict, Generic,
    Iterator, List, Mapping, Optional, Sequence, Tuple, Type, TypedDict, TypeVar, Union, cast,
    overload)

if TYPE_CHECKING:
    # Type checkers bring this module; nothing needs it to run.
    from typing_extensions import Concatenate, Literal, ParamSpec
    P = ParamSpec("P")
else:
    P = TypeVar("P")
T = TypeVar("T")

__all__ = [
    "AnswerTimeout", "App", "AsyncApp", "AsyncClient", "AsyncSurface", "Client", "Closed",
    "ConnectionLost", "Error", "ErrorCode", "NoDaemon", "NotRead", "NotSent", "Refused",
    "RequestTooLarge", "Surface", "Unanswered", "UnsafeSocket", "live_text", "one_line",
    "parse_date", "printable", "seconds_to_tick", "session_variables", "socket_path",
    "text_lines"]

PROTOCOL = 1
"""The version of the protocol that this file speaks; `daemon_status()["protocol"]` is theirs."""
REQUEST_BYTES_MAX = 4_194_304
"""Bytes in one line to the daemon, without its newline. The daemon refuses longer ones."""
ANSWER_BYTES_MAX = 67_108_864
"""Bytes in one line from the daemon. It never queues that much: a longer line is not its own."""
TIMEOUT_SECONDS = 35.0
"""The usual wait for an answer: a provider has 30 seconds unless its manifest says otherwise."""
RECONNECT_SECONDS_MIN = 0.1
"""The first pause between two attempts to connect. It doubles with each attempt."""
RECONNECT_SECONDS_MAX = 5.0
"""The longest pause between two attempts to connect."""
OPENED_KEPT_MAX = 1_024
"""Taps that an app did not take yet; beyond it the oldest is dropped."""
_EVENTS = (
    "app.open", "app.widgetsChanged", "surface.update", "receipt.update", "configuration.update",
    "intent.question", "connected", "disconnected")
_PATH_BYTES_MAX = 107
_RECEIVE_BYTES = 65_536
_RECEIVES_IN_A_ROW = 16

_log = logging.getLogger("intentd")


# Errors


class Error(Exception):
    """Anything that keeps a request from its result."""


class NotSent(Error):
    """The daemon did not get the request, so nothing was done: it may be sent again."""


class NoDaemon(NotSent):
    """Nothing listens on the socket."""


class UnsafeSocket(NotSent):
    """The socket, its folder or the process behind it belongs to somebody else."""


class RequestTooLarge(NotSent):
    """The request has more bytes than a line of the protocol may have."""


class NotRead(NotSent):
    """The daemon is there and reads nothing: the request could not be written in time."""


class Unanswered(Error):
    """The daemon got the request and did not answer: it may or may not have been carried out.

    This client never sends such a request again; look first, then decide.
    """


class ConnectionLost(Unanswered):
    """The connection ended before the answer."""


class AnswerTimeout(Unanswered):
    """No answer came in time. The request may still take effect."""


class Closed(Error):
    """This client was closed."""


class ErrorCode(enum.IntEnum):
    """The codes of `Refused`; docs/PROTOCOL.md explains each."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    FRAME_TOO_LARGE = -32000
    QUEUE_FULL = -32001
    TOO_MANY_CONNECTIONS = -32002
    TOO_MANY_WAITING = -32003
    TOO_MUCH_MEMORY = -32004
    LINE_UNFINISHED = -32005
    NO_MATCH = -32010
    UNKNOWN_INTENT = -32011
    INVALID_PARAMETER = -32012
    INVALID_URL = -32013
    SCHEME_DENIED = -32014
    NO_ROUTE = -32015
    UNKNOWN_LIST = -32016
    LINK_REFUSED = -32017
    CALLBACK_DENIED = -32018
    UNSUPPORTED_VERB = -32019
    UNKNOWN_WIDGET = -32020
    UNKNOWN_KIND = -32021
    UNSUPPORTED_FAMILY = -32022
    LIMIT_REACHED = -32023
    INVALID_TIMELINE = -32024
    UNKNOWN_RECEIPT = -32025
    WIDGET_EXISTS = -32026
    NOTHING_TO_UNDO = -32027
    WIDGET_DAMAGED = -32028
    UNKNOWN_IMAGE = -32029
    NOTHING_TO_OPEN = -32030
    LAUNCH_FAILED = -32031
    ENTRY_CHANGED = -32032
    FOREIGN_WIDGET = -32033
    UNCLEAR_PERFORMER = -32034
    SESSION_LOCKED = -32035
    STORE_UNAVAILABLE = -32040
    CONFIGURATION_INVALID = -32041
    STOPPING = -32042
    KEY_REUSED = -32043
    ALREADY_DONE = -32044
    UNSUPPORTED_MODE = -32050
    UNKNOWN_SURFACE = -32051


class Refused(Error):
    """The daemon refused the request; nothing was done."""

    code: int = 0
    """An `ErrorCode`, or the code of a newer daemon."""
    data: Mapping[str, Any] = {}
    """What a program needs to react, such as `suggestions`."""
    method: str = ""

    @property
    def name(self) -> str:
        """The error's name in docs/PROTOCOL.md, such as `unknownWidget`; empty if it has none."""
        return str(self.data.get("name", ""))

    @property
    def suggestions(self) -> List[str]:
        """What was perhaps meant."""
        found = self.data.get("suggestions")
        return [str(text) for text in found] if isinstance(found, list) else []

    @property
    def meant(self) -> Optional[str]:
        """What was meant without doubt: a sentence (`NO_MATCH`) or a value, one slip mended."""
        text = self.data.get("meant")
        return text if isinstance(text, str) else None


def _refused(error: Any, method: str) -> Refused:
    if not isinstance(error, dict):
        error = {}
    refusal = Refused(str(error.get("message", "refused")))
    code, data = error.get("code"), error.get("data")
    refusal.code = code if isinstance(code, int) else 0
    refusal.data = data if isinstance(data, dict) else {}
    refusal.method = method
    return refusal


# What is on the wire. The daemon may send more members than these: newer ones add some.

Date = Union[str, datetime]
"""An RFC 3339 date, or a datetime with a time zone."""


class Intent(TypedDict):
    name: str
    parameters: Dict[str, Any]


class LiveDate(TypedDict):
    """A date that ticks without a reload: see `live_text`."""

    date: str
    style: str


class StyledLine(TypedDict):
    """Text in runs of one style each; `live_text` returns it without the styles."""

    runs: List[Dict[str, Any]]


Line = Union[str, LiveDate, StyledLine]
Text = Union[Line, List[Line]]

Content = TypedDict("Content", {
    "title": Text, "titles": List[Line], "subtitle": Text, "text": Text, "short": Text,
    "symbol": str, "icon": str, "image": Dict[str, Any], "color": Union[str, Dict[str, str]],
    "background": Union[str, Dict[str, str]], "class": List[str], "percentage": float,
    "urgent": bool, "tooltip": Text, "items": List[Any], "action": Dict[str, Any],
    "clicks": Dict[str, Dict[str, Any]], "refresh": bool, "asOf": str, "staleAfter": float}, total=False)


class _Relevance(TypedDict):
    score: float


class Relevance(_Relevance, total=False):
    duration: float


class _Entry(TypedDict):
    date: str
    content: Content


class Entry(_Entry, total=False):
    """An entry as the daemon shows it."""

    url: str
    relevance: Relevance


class _Widget(TypedDict):
    id: str
    kind: str
    name: str
    family: str
    suggestion: bool
    orphaned: bool
    revision: int
    stale: bool


class Widget(_Widget, total=False):
    intent: Intent
    values: Dict[str, Any]
    entry: Entry
    masked: bool
    hidden: str
    mode: str
    modes: List[str]
    height: int
    maximumSize: Dict[str, int]
    staleSince: str
    nextReload: str
    error: str
    stderr: str
    held: str
    problem: str
    quarantinedUntil: str
    score: float


class _Receipt(TypedDict):
    id: str
    widget: str
    kind: str
    cause: str
    requestedAt: str
    state: str


class Receipt(_Receipt, total=False):
    """`state` is `accepted`, `done`, `coalesced`, `deferred` or `dropped`."""

    into: str
    until: str
    reason: str
    stderr: str
    noData: bool
    leader: Dict[str, Any]


class _NewEntry(TypedDict):
    date: Date
    content: Mapping[str, Any]


class NewEntry(_NewEntry, total=False):
    """An entry of a timeline to push."""

    url: str
    relevance: Relevance


class _Timeline(TypedDict):
    entries: Sequence[NewEntry]


class Timeline(_Timeline, total=False):
    """A timeline to push. `policy` is `"atEnd"`, `"never"` or `{"after": date}`."""

    policy: Union[str, Mapping[str, Date]]
    relevance: Sequence[Mapping[str, Any]]


class Choice(TypedDict):
    title: str
    value: Any


class _Needs(TypedDict):
    reason: str
    prompt: str
    intent: Intent
    token: str


class Needs(_Needs, total=False):
    """A question that the daemon asks before it does an intent, or places a widget.

    `reason` is `disambiguation`, `value` or `confirmation`. Answer with
    `intent_send(resume=needs["token"], choice=…)`.
    """

    parameter: str
    type: str
    choices: List[Choice]
    values: List[str]
    valueCount: int
    otherValues: bool


class Change(TypedDict):
    """One difference between what was said and what was understood.

    `why` is `slip`, `marks`, `joined`, `split`, `ending`, `order`, `added`, `dropped` or `filler`.
    """

    said: str
    taken: str
    why: str


class Understood(TypedDict):
    """As what a sentence was read that matches nothing as it was said.

    `confidence` is from 0 to 1.
    """

    sentence: str
    confidence: float
    changes: List[Change]


class Sent(TypedDict, total=False):
    """The answer of `intent.send` and `url.open`: what was asked, or what is `needs`-ed first.

    `cancelled`: the person said no to a confirmation. `widget` and `receipt` are there when the
    question was that of `widget.add` or `widget.configure`.
    """

    intent: Intent
    language: str
    fromWidgets: Dict[str, str]
    cancelled: bool
    widget: Widget
    receipt: Receipt
    widgets: List[Dict[str, Any]]
    receipts: List[Receipt]
    entry: Entry
    stale: bool
    error: str
    stderr: str
    intents: List[Dict[str, Any]]
    entries: List[Dict[str, Any]]
    needs: Needs
    understood: Understood
    kinds: List[str]
    ignored: List[str]


class Widgets(TypedDict):
    widgets: List[Widget]


class Image(TypedDict):
    hash: str
    type: str
    width: int
    height: int
    data: str


class Receipts(TypedDict):
    receipts: List[Receipt]


class ReceiptUpdate(TypedDict):
    receipt: Receipt


class Configured(TypedDict, total=False):
    """The answer of `widget.add` and `widget.configure`.

    `widget` and its `receipt`, which new reload rules alone do not have; or, if you said `ask`,
    the question that `needs` an answer first.
    """

    widget: Widget
    receipt: Receipt
    needs: Needs


class Removed(TypedDict):
    """`removed` is what you gave: an id, or a list of ids."""

    removed: Union[str, List[str]]


class _Restored(TypedDict):
    undone: str
    widgets: List[str]


class Restored(_Restored, total=False):
    """`undone` is `removed` or `dismissed`; `renamed` maps old ids to new ones."""

    renamed: Dict[str, str]


class _ModeSet(TypedDict):
    widget: Widget
    surfaces: List[str]


class ModeSet(_ModeSet, total=False):
    """The `widget` on the first of the `surfaces`, named by their names or ids."""

    receipt: Receipt


class Pushed(TypedDict):
    receipt: Receipt
    warnings: List[str]


class _Tapped(TypedDict):
    opened: str


class Tapped(_Tapped, total=False):
    """`opened` is `app`, `desktop`, `program`, `intent`, or `nothing`: the widget is only asked again.

    `wrote`: a line was written to the plugin, which stays running. `values`: all values of the
    widget, after an item set one. `needs`: the item's intent asks this first, and nothing else is
    there; answer with `intent_send(resume=…, choice=…)`.
    """

    values: Dict[str, Any]
    receipt: Receipt
    intent: Intent
    widgets: List[Dict[str, Any]]
    needs: Dict[str, Any]

    application: str
    program: str
    wrote: bool
    url: str
    pid: int
    unit: str


class OpenedMenu(TypedDict):
    """The answer of `widget.openMenu`; `run` is `none`, `done`, `failed` or `late`."""

    widget: Widget
    run: str


class Issue(TypedDict):
    """A mistake of the configuration. `severity` is `error` or `warning`."""

    severity: str
    file: str
    line: int
    message: str
    expected: str


class Configuration(TypedDict):
    """What the daemon has read: counts, and what is wrong with the files."""

    kinds: int
    intents: int
    languages: List[str]
    issues: List[Issue]
    revision: int


class ConfigurationUpdate(Configuration):
    """A configuration that took effect. `issues` are the first 20 of `issueCount`."""

    issueCount: int


class _Quarantined(TypedDict):
    kind: str
    cause: str
    reason: str
    since: str
    until: str


class _Failing(TypedDict):
    id: str
    kind: str
    error: str
    failures: int


class Failing(_Failing, total=False):
    """A widget whose last runs failed: `failures` of them, the first one at `since`."""

    stderr: str
    since: str


class _Store(TypedDict):
    state: str


class Store(_Store, total=False):
    """`state` is `ok`, or `failing` for a `reason`; rows that cannot be read are kept."""

    reason: str
    damagedRows: int
    damagedWidgets: List[str]


class _Status(Configuration):
    protocol: int
    version: str
    newerInstalled: bool
    pid: int
    uptime: float
    now: str
    widgets: int
    suggestions: int
    orphaned: int
    connections: int
    surfaces: int
    running: int
    overlong: int
    queued: int
    watched: int
    private: bool
    donations: int
    network: str
    locked: bool
    quarantined: List[_Quarantined]
    failing: List[Failing]
    failingCount: int
    journal: int
    store: Store
    watchesFiles: bool


class Status(_Status, total=False):
    """`newerInstalled`: an upgrade waits for a restart of the daemon."""

    saving: List[str]
    flooding: List[Dict[str, Any]]
    folders: List[str]
    supervision: List[str]
    services: List[Dict[str, str]]
    questions: List[Needs]


class _AppWidget(TypedDict):
    id: str
    kind: str
    family: str
    suggestion: bool


class AppWidget(_AppWidget, total=False):
    """A widget of the app, without its content; `intent` is its configuration."""

    intent: Dict[str, Any]


class AppWidgetChange(TypedDict):
    """`change` is `placed`, `configured`, `moved` or `removed`."""

    change: str
    widget: AppWidget


class _WidgetsChanged(TypedDict):
    app: str
    changes: List[AppWidgetChange]


class WidgetsChanged(_WidgetsChanged, total=False):
    """What changed; with `more` other widgets did, too: `widget_list` has all."""

    more: bool


class _Registered(TypedDict):
    app: str
    kinds: List[str]
    widgets: List[AppWidget]


class Registered(_Registered, total=False):
    """The answer of `app.register`; `others` are connections that are this app, too.

    `groups` has the folders that the app shares with its widgets. With `more` it has more widgets
    than are listed.
    """

    more: bool
    groups: Dict[str, str]
    others: List[Dict[str, Any]]
    warnings: List[str]


class Opened(TypedDict, total=False):
    """A tap on one of the app's widgets, or a callback: then `callback` says how it went."""

    widget: str
    kind: str
    family: str
    url: str
    callback: str
    activationToken: str


class SurfaceUpdate(TypedDict, total=False):
    surface: str
    widgets: List[Widget]
    removed: List[str]
    stack: List[str]


# The protocol without input and output


class _Call(Generic[T]):
    """A request to make: its method, its parameters, and what becomes of the result."""

    def __init__(
        self, method: str, params: Mapping[str, Any],
        accept: Optional[Callable[[_Core, Any], T]] = None,
    ) -> None:
        self.method = method
        self.params = {name: value for name, value in params.items() if value is not None}
        self.accept = accept

    def once(self, key: Optional[str]) -> _Call[T]:
        """This call with an idempotency key, if there is one."""
        return self if key is None else _Call(
            self.method, {**self.params, "idempotencyKey": key}, self.accept)


class _Slot:
    """A request that was made and has no outcome yet."""

    def __init__(
        self, number: int, call: _Call[Any], line: bytes, connect_until: float
    ) -> None:
        self.number = number
        self.call = call
        self.line = line
        # Until when it waits for a connection, in seconds of the monotonic clock.
        self.connect_until = connect_until
        self.sent_bytes = 0
        self.is_done = False
        self.result: Any = None
        self.error: Optional[Error] = None
        self.on_done: Callable[[], None] = lambda: None
        # How often the connection ended before any byte of it was sent.
        self.moves = 0
        # Whether the client made it for itself, at the start of a connection.
        self.is_opening = False
        # The refusal after which it waits in `_Core.held`.
        self.busy: Optional[Refused] = None
        self.was_alone = False

    @property
    def is_sent(self) -> bool:
        return self.sent_bytes == len(self.line)

    def finish(self, result: Any = None, error: Optional[Error] = None) -> None:
        if self.is_done:
            return
        self.is_done, self.result, self.error = True, result, error
        self.on_done()

    def outcome(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.result


class _AppState:
    def __init__(self, params: Dict[str, Any], answer: Any) -> None:
        self.params = dict(params)
        self.opened: Deque[Opened] = deque(maxlen=OPENED_KEPT_MAX)
        self.error: Optional[Error] = None
        self.is_over = False
        self.registered(answer)

    def registered(self, answer: Any) -> None:
        """Takes the answer to `app.register`."""
        self.answer = answer
        # An older daemon lists none.
        self.widgets: Dict[str, AppWidget] = {
            widget["id"]: widget for widget in answer.get("widgets", ())}
        self.has_more = bool(answer.get("more"))

    def changed(self, params: Any) -> None:
        """Takes an `app.widgetsChanged`."""
        for change in params["changes"]:
            widget = change["widget"]
            self.widgets.pop(widget["id"], None)
            if change["change"] != "removed":
                self.widgets[widget["id"]] = widget
        self.has_more = self.has_more or bool(params.get("more"))


class _SurfaceState:
    """The widgets of a surface, as the daemon's updates leave them."""

    def __init__(self, params: Dict[str, Any], answer: Any) -> None:
        self.params = dict(params)
        self.id = ""
        self.widgets: Dict[str, Widget] = {}
        self.order: List[str] = []
        self.version = 0
        self.error: Optional[Error] = None
        self.is_over = False
        self.attached(answer)

    @property
    def is_stack(self) -> bool:
        return bool(self.params.get("stack"))

    def attached(self, answer: Any) -> None:
        """Takes the answer to `surface.attach`, which names all widgets."""
        before = [self._without_plan(widget) for widget in self.shown()]
        self.id = answer["surface"]
        self.widgets = {widget["id"]: widget for widget in answer["widgets"]}
        self.order = answer.get("stack", list(self.widgets))
        # A new connection brings new plans for the next reload, and a new daemon new numbers; they
        # alone are no news.
        if not self.version or [self._without_plan(widget) for widget in self.shown()] != before:
            self.version += 1

    def updated(self, update: SurfaceUpdate) -> None:
        """Takes an update, which names what changed."""
        is_news = False
        for identifier in update.get("removed", []):
            is_news |= self.widgets.pop(identifier, None) is not None
        for widget in update.get("widgets", []):
            before = self.widgets.get(widget["id"])
            is_news |= before is None or self._without_plan(before) != self._without_plan(widget)
            self.widgets[widget["id"]] = widget
        order = update.get("stack", self.order) if self.is_stack else list(self.widgets)
        is_news |= order != self.order
        self.order = order
        self.version += is_news

    def shown(self) -> List[Widget]:
        return [self.widgets[name] for name in self.order if name in self.widgets]

    @staticmethod
    def _without_plan(widget: Widget) -> Dict[str, Any]:
        return {name: value for name, value in widget.items()
                if name not in ("nextReload", "revision")}


class _Broken(Exception):
    """The connection is of no more use; the text says why."""


class _Core:
    """Requests to lines, lines to answers and notifications; no input, no output, no clock.

    One connection follows another. What was sent on an old one is never sent again; a line of
    which no byte was sent moves to the next connection, once.
    """

    def __init__(self) -> None:
        self.is_open = False
        # Whether the daemon has said anything on this connection but that it refuses it.
        self.has_heard = False
        # Lines to send, in order; of the first one, some bytes may have been sent.
        self.queue: Deque[_Slot] = deque()
        # Requests of this connection, by id: queued or sent, and not answered.
        self.slots: Dict[int, _Slot] = {}
        # Requests that the daemon refused because it was busy with others of this client.
        self.held: Deque[_Slot] = deque()
        # Requests that nobody waits for any more, and whose answer changes what the client is to
        # the daemon: its surface, its app.
        self.late: Dict[int, _Slot] = {}
        # Requests that wait for a connection.
        self.unsent: List[_Slot] = []
        self.app: Optional[_AppState] = None
        self.surfaces: List[_SurfaceState] = []
        self.listeners: Dict[str, Tuple[Callable[..., Any], ...]] = {}
        # Calls of listeners that the client makes when it is done with this input.
        self.calls: Deque[Tuple[Callable[..., Any], Tuple[Any, ...]]] = deque()
        self._last_number = 0
        self._partial = bytearray()
        self._refusal: Optional[Refused] = None
        self._opening = 0
        # Whether listeners were told of this connection.
        self._is_told = False

    @property
    def outlives_connections(self) -> bool:
        """Whether somebody waits for what the daemon says by itself."""
        return bool(self.app or self.surfaces or self.listeners)

    # Requests

    def ask(self, call: _Call[Any], connect_until: float = 0.0) -> _Slot:
        """Puts a request in line. Raises `RequestTooLarge`, and what `json` raises."""
        slot = self._slot(call, connect_until)
        if self.is_open:
            self._enqueue(slot)
        else:
            self.unsent.append(slot)
        return slot

    def _slot(self, call: _Call[Any], connect_until: float = 0.0) -> _Slot:
        self._last_number += 1
        message: Dict[str, Any] = {
            "jsonrpc": "2.0", "id": self._last_number, "method": call.method}
        if call.params:
            message["params"] = call.params
        text = json.dumps(
            message, separators=(",", ":"), ensure_ascii=False, allow_nan=False,
            default=_json_value)
        line = text.encode("utf-8") + b"\n"
        if len(line) - 1 > REQUEST_BYTES_MAX:
            raise RequestTooLarge(
                f"{call.method}: the request has {len(line) - 1} bytes, and {REQUEST_BYTES_MAX} "
                "are allowed; send less at once")
        return _Slot(self._last_number, call, line, connect_until)

    def _enqueue(self, slot: _Slot) -> None:
        slot.sent_bytes = 0
        self.slots[slot.number] = slot
        self.queue.append(slot)

    def next_bytes(self) -> memoryview:
        """The bytes to send now; the queue must not be empty."""
        slot = self.queue[0]
        return memoryview(slot.line)[slot.sent_bytes:]

    def sent(self, count: int) -> None:
        """Notes that the first `count` of `next_bytes` are on their way."""
        slot = self.queue[0]
        slot.sent_bytes += count
        if slot.is_sent:
            self.queue.popleft()

    def give_up(self, slot: _Slot, seconds: float) -> None:
        """Ends a request whose time is over."""
        method = slot.call.method
        if slot.is_done:
            return
        if slot in self.unsent:
            self.unsent.remove(slot)
            slot.finish(error=NoDaemon(
                f"{method}: not sent, since there was no daemon for {seconds:g} s; start it with: "
                "systemctl --user start intentd.socket"))
        elif slot.busy is not None and slot in self.held:
            self.held.remove(slot)
            slot.finish(error=slot.busy)
        elif slot.sent_bytes:
            self.slots.pop(slot.number, None)
            if slot.call.accept is not None:
                self.late[slot.number] = slot
            slot.finish(error=AnswerTimeout(
                f"{method}: no answer in {seconds:g} s; it may still take effect, so look before "
                "you ask again"))
        else:
            for line in (self.queue, self.held):
                if slot in line:
                    line.remove(slot)
            self.slots.pop(slot.number, None)
            slot.finish(error=NotRead(
                f"{method}: not sent, since the daemon has read nothing for {seconds:g} s; is it "
                "stopped? Look at: systemctl --user status intentd"))

    def fail_unsent(self, error: Error, now: float = math.inf) -> None:
        """Ends the requests that waited for a connection until `now`, since there is none."""
        over = [slot for slot in self.unsent if slot.connect_until <= now]
        self.unsent = [slot for slot in self.unsent if slot.connect_until > now]
        for slot in over:
            slot.finish(error=copy.copy(error))

    # Connections

    def opened(self) -> None:
        """Begins a connection: the app and the surfaces first, then what waits."""
        self.is_open, self.has_heard = True, False
        self._refusal = None
        self._partial.clear()
        self._opening = 0
        if self.app:
            self._reopen(
                _Call("app.register", self.app.params, _Core._registered_again), self.end_app)
        for number, surface in enumerate(self.surfaces):
            self._reopen_surface(surface, number > 0)
        waiting, self.unsent = self.unsent, []
        for slot in waiting:
            self._enqueue(slot)
        self._welcome()

    def _welcome(self) -> None:
        """Tells that the connection began, once the app and the surface are there again."""
        if not self._opening:
            self._is_told = True
            self._tell("connected")

    def _reopen_surface(self, surface: _SurfaceState, is_added: bool) -> None:
        params = surface.params
        if is_added:
            params = dict(params, add=True)
            # An id of the connection before may be that of another surface now.
            surface.id = ""
        self._reopen(
            _Call("surface.attach", params, lambda core, answer: surface.attached(answer)),
            lambda error: self.end_surface(error, surface))

    def _reopen(self, call: _Call[None], refused: Callable[[Error], None]) -> None:
        self._opening += 1
        slot = self._slot(call)
        slot.is_opening = True
        slot.on_done = lambda: self._reopened(slot, refused)
        self._enqueue(slot)

    def _reopened(self, slot: _Slot, refused: Callable[[Error], None]) -> None:
        error = slot.error
        if isinstance(error, Refused):
            if error.code == ErrorCode.STOPPING:
                raise _Broken(str(error))
            refused(error)
        self._opening -= 1
        self._welcome()

    def _registered_again(self, answer: Any) -> None:
        if self.app:
            self.app.registered(answer)

    def ended(self, why: str, is_closed: bool = False) -> None:
        """Ends the connection. What was sent has no answer; what was not sent may be sent yet."""
        if not self.is_open:
            return
        self.is_open = False
        lost = [*self.slots.values(), *self.held]
        held = {slot.number for slot in self.held}
        self.slots.clear()
        self.late.clear()
        self.held.clear()
        self.queue.clear()
        for slot in lost:
            method = slot.call.method
            if slot.is_opening or slot.is_done:
                continue  # The next connection makes its own.
            if self._refusal is not None:
                slot.finish(error=copy.copy(self._refusal))
            elif slot.is_sent and slot.number not in held:
                slot.finish(error=ConnectionLost(
                    f"{method}: the connection ended before the answer ({why}); it may or may not "
                    "have been done, so look before you ask again"))
            elif slot.moves or is_closed:
                slot.finish(error=NoDaemon(f"{method}: not sent; {why}"))
            else:
                # A line without its end is no line: the daemon dropped it.
                slot.moves, slot.sent_bytes, slot.busy = 1, 0, None
                self.unsent.append(slot)
        if self._is_told:
            self._is_told = False
            self._tell("disconnected", why)

    def close(self) -> None:
        self.ended("this program closed it", is_closed=True)
        self.fail_unsent(Closed("this client was closed"))
        self.end_app(None)
        self.end_surface(None)

    def end_app(self, error: Optional[Error]) -> None:
        if self.app:
            self.app.error, self.app.is_over = error, True
            self.app = None

    def end_surface(
        self, error: Optional[Error], surface: Optional[_SurfaceState] = None
    ) -> None:
        """Ends one surface, or all."""
        for state in [surface] if surface else self.surfaces:
            state.error, state.is_over = error, True
        self.surfaces = [state for state in self.surfaces if not state.is_over]

    def meant_surfaces(self, identifier: Optional[str]) -> List[_SurfaceState]:
        """The surface with this id, or all."""
        return [state for state in self.surfaces if identifier in (None, state.id)]

    # What comes from the daemon

    def feed(self, data: bytes) -> None:
        """Takes bytes in any split. Raises `_Broken` when the daemon cannot have sent them."""
        start = 0
        while True:
            end = data.find(b"\n", start)
            if end < 0:
                self._partial += data[start:]
                if len(self._partial) > ANSWER_BYTES_MAX:
                    raise _Broken(f"a line from it is longer than {ANSWER_BYTES_MAX} bytes")
                return
            line = bytes(self._partial) + data[start:end]
            self._partial.clear()
            start = end + 1
            if line.strip():
                self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise _Broken(f"a line from it is no JSON: {error}") from error
        if not isinstance(message, dict):
            raise _Broken("a line from it is no message")
        if "method" not in message and message.get("id") is None:
            # It concerns the connection; mostly the daemon closes it now.
            self._refusal = _refused(message.get("error"), "")
            return
        self.has_heard = True
        if "method" in message:
            method = str(message["method"])
            try:
                self._notified(method, message.get("params") or {})
            except (KeyError, TypeError, AttributeError) as fault:
                raise _Broken(f"its notification {method} is not as expected") from fault
        else:
            self._answered(message)

    def _answered(self, message: Dict[str, Any]) -> None:
        number = message["id"]
        if type(number) is not int:
            return  # This client numbers its requests.
        slot = self.slots.pop(number, None) or self.late.pop(number, None)
        error = message.get("error")
        if slot is not None and error is not None:
            refusal = _refused(error, slot.call.method)
            is_busy = refusal.code in (ErrorCode.QUEUE_FULL, ErrorCode.TOO_MANY_WAITING)
            if is_busy and not slot.is_done:
                # The daemon did nothing: it is busy with other requests of this client. Ask
                # again when one of them has been answered.
                slot.busy = refusal
                if self.slots:
                    self.held.append(slot)
                    return
                if not slot.was_alone:
                    slot.was_alone = True
                    self._enqueue(slot)
                    return
            slot.finish(error=refusal)
        elif slot is not None:
            result = message.get("result")
            try:
                if slot.call.accept is not None:
                    result = slot.call.accept(self, result)
            except (KeyError, TypeError, AttributeError) as fault:
                self.slots[slot.number] = slot
                raise _Broken(f"its answer to {slot.call.method} is not as expected") from fault
            slot.finish(result)
        if self.held:
            self._enqueue(self.held.popleft())

    def _notified(self, method: str, params: Any) -> None:
        if method == "app.open" and self.app:
            self.app.opened.append(params)
        elif method == "app.widgetsChanged" and self.app:
            self.app.changed(params)
        elif method == "surface.update":
            for surface in self.surfaces:
                if params.get("surface") == surface.id:
                    surface.updated(params)
        self._tell(method, params)

    def _tell(self, event: str, *arguments: Any) -> None:
        for listener in self.listeners.get(event, ()):
            self.calls.append((listener, arguments))

    def make_calls(self) -> None:
        """Calls the listeners that have something to hear, in order."""
        while self.calls:
            listener, arguments = self.calls.popleft()
            try:
                listener(*arguments)
            except Exception:
                _log.exception("a listener failed: %r", listener)


def _json_value(value: Any) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; write datetime.now(timezone.utc)")
        text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
        return text.replace(".000", "").replace("+00:00", "Z")
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} cannot be sent as JSON")


# The socket


def socket_path(environment: Mapping[str, str] = os.environ) -> str:
    """The place where the daemon listens: the rule of docs/PROTOCOL.md."""
    path = environment.get("INTENTD_SOCKET", "")
    return path if path.startswith("/") else _usual_folder(environment) + "/intentd.sock"


def _usual_folder(environment: Mapping[str, str]) -> str:
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if runtime.startswith("/"):
        return runtime + "/intentd"
    temporary = environment.get("TMPDIR", "/tmp")
    if not temporary.startswith("/"):
        temporary = "/tmp"
    return f"{temporary.rstrip('/')}/intentd-{os.getuid()}"


def _check_place(path: str) -> None:
    """Checks that nobody else can put a socket at `path`. Raises `UnsafeSocket`, `OSError`."""
    me = os.geteuid()
    folder = os.path.dirname(path)
    where = os.stat(folder)
    is_private = folder == _usual_folder(os.environ)
    if where.st_uid != me and (is_private or where.st_uid != 0):
        raise UnsafeSocket(
            f"not sent: the folder {folder} belongs to uid {where.st_uid}, not to you (uid {me}); "
            "run as its owner, or name your own socket in $INTENTD_SOCKET")
    others = stat.S_IRWXG | stat.S_IRWXO if is_private else stat.S_IWGRP | stat.S_IWOTH
    # In a folder with the sticky bit, such as /tmp, nobody can replace another's socket.
    if where.st_mode & others and (is_private or not where.st_mode & stat.S_ISVTX):
        raise UnsafeSocket(
            f"not sent: the folder {folder} is open to others (mode {where.st_mode & 0o7777:04o});"
            f" close it with: chmod 700 {folder}")
    what = os.stat(path)
    if not stat.S_ISSOCK(what.st_mode) or what.st_uid != me:
        raise UnsafeSocket(
            f"not sent: {path} is no socket of yours (uid {me}); it belongs to uid {what.st_uid}")


def _dial(path: str) -> socket.socket:
    """Connects without waiting, and checks who listens. Raises `NoDaemon`, `UnsafeSocket`."""
    if len(os.fsencode(path)) > _PATH_BYTES_MAX:
        raise NoDaemon(
            f"the path of the socket is too long: {path} has more than {_PATH_BYTES_MAX} bytes; "
            "set $INTENTD_SOCKET to a shorter one, for the daemon too")
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _check_place(path)
        line.setblocking(False)
        # On a Unix socket this succeeds or fails at once.
        line.connect(path)
        credentials = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        peer = struct.unpack("3i", credentials)[1]
        if peer != os.geteuid():
            raise UnsafeSocket(
                f"not sent: uid {peer} listens on {path}, and you are uid {os.geteuid()}")
        return line
    except BlockingIOError as error:
        line.close()
        raise NoDaemon(f"the daemon on {path} has no time for a new connection yet") from error
    except OSError as error:
        line.close()
        if isinstance(error, (FileNotFoundError, ConnectionRefusedError)):
            raise NoDaemon(
                f"no daemon is listening on {path}; start it with: "
                "systemctl --user start intentd.socket") from error
        raise NoDaemon(f"cannot connect to {path}: {error.strerror}") from error
    except BaseException:
        line.close()
        raise


class _Pauses:
    """The pauses between attempts to connect: they double, and are not the same for all."""

    def __init__(self) -> None:
        self._next = RECONNECT_SECONDS_MIN

    def take(self) -> float:
        pause, self._next = self._next, min(self._next * 2, RECONNECT_SECONDS_MAX)
        return pause * random.uniform(0.5, 1.0)

    def reset(self) -> None:
        self._next = RECONNECT_SECONDS_MIN


class _Link:
    """A core and its socket, which never blocks: everything but waiting."""

    def __init__(self, path: Optional[str]) -> None:
        self.core = _Core()
        self.path = socket_path() if path is None else os.path.abspath(path)
        self.socket: Optional[socket.socket] = None
        self.is_closed = False
        # When somebody who waits for the daemon may try to connect again.
        self.retry_at = 0.0
        # When the last connection began.
        self._began_at = 0.0
        self._pauses = _Pauses()
        # Held while `core.listeners` change.
        self.guard: ContextManager[Any] = contextlib.nullcontext()

    def open(self) -> Optional[NotSent]:
        """Connects, and sends what waits. Returns the reason if it cannot."""
        try:
            self.socket = _dial(self.path)
        except NotSent as error:
            self._failed()
            return error
        self._began_at = time.monotonic()
        self.began(self.socket)
        self.core.opened()
        self.flush()
        return None

    def _failed(self) -> None:
        # Many requests that try at the same time are one attempt.
        if time.monotonic() >= self.retry_at:
            self.retry_at = time.monotonic() + self._pauses.take()

    def fail_unsent(self, error: NotSent) -> None:
        """Ends the requests that wait for a connection no longer; all, if it would be unsafe."""
        is_hopeless = isinstance(error, UnsafeSocket)
        self.core.fail_unsent(error, math.inf if is_hopeless else time.monotonic())

    def flush(self) -> None:
        """Sends as much as the daemon takes now."""
        while self.socket and self.core.queue:
            try:
                count = self.socket.send(self.core.next_bytes())
            except (BlockingIOError, InterruptedError):
                break
            except OSError as error:
                # What the daemon said last may still be there to read.
                self.receive(math.inf)
                self.end(f"{error.strerror}")
                break
            self.core.sent(count)

    def receive(self, times: float = _RECEIVES_IN_A_ROW) -> None:
        """Takes what has come, and sends what this makes possible."""
        while self.socket and times > 0:
            times -= 1
            try:
                data = self.socket.recv(_RECEIVE_BYTES)
                if not data:
                    self.end("the daemon closed it")
                    return
                self.core.feed(data)
            except (BlockingIOError, InterruptedError):
                break
            except OSError as error:
                self.end(f"{error.strerror}")
                return
            except _Broken as broken:
                self.end(str(broken))
                return
        if times != math.inf:
            self.flush()

    def end(self, why: str) -> None:
        """Ends the connection, if there is one."""
        line, self.socket = self.socket, None
        if line is None:
            return
        if self.core.has_heard:
            # After a restart of the daemon this is over; one that ends each connection gets few.
            self._pauses.reset()
            self.retry_at = self._began_at + RECONNECT_SECONDS_MIN
        else:
            # A daemon that says nothing and goes, or has no room, is as good as none.
            self._failed()
        self.core.ended(why)
        self.release(line)

    def listen(self, event: str, listener: Callable[..., Any]) -> Callable[[], None]:
        """Adds a listener; returns what removes it."""
        if event not in _EVENTS:
            raise ValueError(f"no event is called {event!r}; known are {', '.join(_EVENTS)}")
        listeners = self.core.listeners
        with self.guard:
            listeners[event] = listeners.get(event, ()) + (listener,)

        def remove() -> None:
            with self.guard:
                left = [other for other in listeners.get(event, ()) if other is not listener]
                listeners[event] = tuple(left)
                if not left:
                    del listeners[event]
        return remove

    def began(self, line: socket.socket) -> None:
        """Is told of each new connection, before anything is sent."""
        raise NotImplementedError

    def release(self, line: socket.socket) -> None:
        """Closes the socket of a connection that has ended."""
        raise NotImplementedError


# Blocking


class _BlockingLink(_Link):
    """Waits with poll. Any number of threads may wait: one of them reads for all."""

    def __init__(self, path: Optional[str], connect_within: float) -> None:
        super().__init__(path)
        self.connect_within = connect_within
        self.changed = threading.Condition(threading.Lock())
        self.guard = self.changed
        self._is_reading = self._is_writing = self._is_calling = False
        # Threads in poll, by descriptor. The last one closes a socket that has ended.
        self._polls: Dict[int, int] = {}
        self._ended: Dict[int, socket.socket] = {}

    def began(self, line: socket.socket) -> None:
        pass

    def release(self, line: socket.socket) -> None:
        try:
            line.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # The daemon has ended it already.
        if self._polls.get(line.fileno()):
            self._ended[line.fileno()] = line
        else:
            line.close()
        self.changed.notify_all()

    def perform(self, call: _Call[Any], seconds: float) -> Any:
        now = time.monotonic()
        connect_until = now + self.connect_within
        with self.changed:
            self._check_open()
            slot = self.core.ask(call, connect_until)
        try:
            self._wait(lambda: slot.is_done, now + seconds, connect_until)
        finally:
            with self.changed:
                self.core.give_up(slot, seconds)
        return slot.outcome()

    def connect(self) -> None:
        with self.changed:
            self._check_open()
            limit = time.monotonic() + self.connect_within
            while self.socket is None and not self.is_closed:
                error = self.open()
                if error and (isinstance(error, UnsafeSocket) or not self._pause(limit)):
                    raise error
            self._check_open()
        self.make_calls()

    def wait(self, is_done: Callable[[], bool], seconds: Optional[float]) -> bool:
        """Reads, and connects again if need be, until `is_done`; False: the time is over."""
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        return self._wait(is_done, deadline, None)

    def _wait(
        self, is_done: Callable[[], bool], deadline: float, connect_until: Optional[float]
    ) -> bool:
        while True:
            with self.changed:
                in_time = self._until(is_done, deadline, connect_until)
                is_over = not in_time or is_done() or self.is_closed
            self.make_calls()
            if is_over:
                return in_time

    def _until(
        self, is_done: Callable[[], bool], deadline: float, connect_until: Optional[float]
    ) -> bool:
        """Returns when there is something to do without the lock; False: the time is over.

        Without `connect_until` it waits for a daemon for as long as it takes.
        """
        self.flush()
        while not (is_done() or self.is_closed or (self.core.calls and not self._is_calling)):
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            if self.socket is not None:
                self._poll(left)
            elif connect_until is None and time.monotonic() < self.retry_at:
                self._pause(deadline)
            else:
                error = self.open()
                if connect_until is None and isinstance(error, UnsafeSocket):
                    raise error
                if error and connect_until is not None and (
                        isinstance(error, UnsafeSocket) or not self._pause(connect_until)):
                    self.fail_unsent(error)
        return True

    def _pause(self, limit: float) -> bool:
        """Waits for the next attempt to connect; False when there is no time for one."""
        now = time.monotonic()
        if now >= limit:
            return False
        self.changed.wait(max(0.0, min(self.retry_at, limit) - now))
        return True

    def _poll(self, seconds: float) -> None:
        """Waits until this socket is ready, or until another thread has read something."""
        line = self.socket
        reads = not self._is_reading
        writes = bool(self.core.queue) and not self._is_writing
        if line is None or not (reads or writes):
            self.changed.wait(None if seconds == math.inf else min(seconds, threading.TIMEOUT_MAX))
            return
        number = line.fileno()
        poll = select.poll()
        poll.register(number, (select.POLLIN if reads else 0) | (select.POLLOUT if writes else 0))
        self._is_reading |= reads
        self._is_writing |= writes
        self._polls[number] = self._polls.get(number, 0) + 1
        self.changed.release()
        try:
            milliseconds = None if seconds > 1_000_000 else math.ceil(seconds * 1000)
            ready = poll.poll(milliseconds)
        finally:
            self.changed.acquire()
            self._is_reading &= not reads
            self._is_writing &= not writes
            self._polls[number] -= 1
            if not self._polls[number]:
                del self._polls[number]
                if number in self._ended:
                    self._ended.pop(number).close()
            self.changed.notify_all()
        if ready and line is self.socket:
            if ready[0][1] & ~select.POLLOUT:
                self.receive()
            else:
                self.flush()

    def make_calls(self) -> None:
        """Calls listeners, in one thread at a time and without the lock."""
        with self.changed:
            if self._is_calling or not self.core.calls:
                return
            self._is_calling = True
        try:
            while True:
                self.core.make_calls()
                with self.changed:
                    # Another thread may have read something meanwhile, and left it to this one.
                    if not self.core.calls:
                        self._is_calling = False
                        return
        except BaseException:
            with self.changed:
                self._is_calling = False
            raise

    def close(self) -> None:
        with self.changed:
            self.is_closed = True
            line, self.socket = self.socket, None
            self.core.close()
            if line is not None:
                self.release(line)
            self.changed.notify_all()
        self.make_calls()

    def _check_open(self) -> None:
        if self.is_closed:
            raise Closed("this client was closed; make a new one")


# asyncio


class _AsyncLink(_Link):
    """Waits in an event loop. Belongs to the loop that connected it first."""

    def __init__(self, path: Optional[str], connect_within: float) -> None:
        super().__init__(path)
        self.connect_within = connect_within
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        # Those who wait for a change; in order.
        self._waiting: Dict[asyncio.Future[None], None] = {}
        self._reconnecting: Optional[asyncio.Task[None]] = None
        self._is_writing = False

    def began(self, line: socket.socket) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(line.fileno(), self._readable)

    def release(self, line: socket.socket) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(line.fileno())
            self._loop.remove_writer(line.fileno())
        self._is_writing = False
        line.close()
        if not self.is_closed and (self.core.unsent or self.core.outlives_connections):
            self._reconnect()
        self._wake()

    def flush(self) -> None:
        super().flush()
        wants = bool(self.socket and self.core.queue)
        if self.socket is not None and self._loop is not None and wants != self._is_writing:
            self._is_writing = wants
            if wants:
                self._loop.add_writer(self.socket.fileno(), self._writable)
            else:
                self._loop.remove_writer(self.socket.fileno())

    def _readable(self) -> None:
        self.receive()
        self._wake()

    def _writable(self) -> None:
        self.flush()
        self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for future in waiting:
            if not future.done():
                future.set_result(None)
        self.core.make_calls()

    async def perform(self, call: _Call[Any], seconds: float) -> Any:
        self._check_open()
        loop = asyncio.get_running_loop()
        connect_until = time.monotonic() + self.connect_within
        slot = self.core.ask(call, connect_until)
        done: asyncio.Future[None] = loop.create_future()
        slot.on_done = lambda: None if done.done() else done.set_result(None)
        timer = None
        if seconds < threading.TIMEOUT_MAX:
            timer = loop.call_later(seconds, self.core.give_up, slot, seconds)
        try:
            if self.socket is None:
                await self._open_until(connect_until, done)
            self.flush()
            await done
        finally:
            if timer is not None:
                timer.cancel()
            if not slot.is_done:  # cancelled
                self.core.give_up(slot, seconds)
        return slot.outcome()

    async def connect(self) -> None:
        self._check_open()
        error = await self._open_until(time.monotonic() + self.connect_within)
        if error is not None:
            raise error
        self._check_open()

    async def _open_until(
        self, limit: float, done: Optional[asyncio.Future[None]] = None
    ) -> Optional[NotSent]:
        """Connects, unless the request is `done` before: its time may be over."""
        while self.socket is None and not self.is_closed and not (done and done.done()):
            error = self.open()
            if error is None:
                self._wake()
                break
            now = time.monotonic()
            if isinstance(error, UnsafeSocket) or now >= limit:
                self.fail_unsent(error)
                return error
            await self._change(min(self.retry_at, limit) - now, done)
        return None

    async def _change(
        self, seconds: Optional[float] = None, done: Optional[asyncio.Future[None]] = None
    ) -> None:
        """Waits until something has changed, the request is `done`, or the time is over."""
        changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[changed] = None
        try:
            await asyncio.wait(
                [changed] if done is None else [changed, done],
                timeout=seconds if seconds is None else max(0.0, seconds),
                return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._waiting.pop(changed, None)
            changed.cancel()

    def _reconnect(self) -> None:
        if self._reconnecting is None or self._reconnecting.done():
            self._reconnecting = asyncio.get_running_loop().create_task(self._reconnect_at_last())

    async def _reconnect_at_last(self) -> None:
        while self.socket is None and not self.is_closed:
            await asyncio.sleep(max(0.0, self.retry_at - time.monotonic()))
            if self.socket is not None:
                break  # A request has connected meanwhile.
            error = self.open()
            if error:
                self.fail_unsent(error)
            if isinstance(error, UnsafeSocket):
                self.core.end_app(error)
                self.core.end_surface(error)
            if not (self.core.unsent or self.core.outlives_connections):
                break
        self._wake()

    async def until(self, is_done: Callable[[], bool]) -> None:
        while not is_done() and not self.is_closed:
            if self.socket is None:
                self._reconnect()
            await self._change()

    def close(self) -> None:
        self.is_closed = True
        if self._reconnecting is not None:
            self._reconnecting.cancel()
        line, self.socket = self.socket, None
        self.core.close()
        if line is not None:
            self.release(line)
        self._wake()

    def _check_open(self) -> None:
        if self.is_closed:
            raise Closed("this client was closed; make a new one")


# The methods, once for both clients


class _Method(Generic[P, T]):
    """Turns the description of a request into a method that makes it.

    `Client` returns the result, `AsyncClient` a coroutine of it.
    """

    def __init__(self, describe: Callable[Concatenate[Any, P], _Call[T]]) -> None:
        self._describe = describe

    @overload
    def __get__(self, client: Client, owner: Any = None) -> Callable[P, T]: ...

    @overload
    def __get__(
        self, client: AsyncClient, owner: Any = None
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...

    @overload
    def __get__(self, client: None, owner: Any = None) -> Callable[..., Any]: ...

    def __get__(self, client: Any, owner: Any = None) -> Callable[..., Any]:
        describe = self._describe
        if client is None:
            return describe

        @functools.wraps(describe)
        def make(*arguments: P.args, **named: P.kwargs) -> Any:
            return client._perform(describe(client, *arguments, **named))

        return make


class _Methods:
    """The methods of docs/PROTOCOL.md: `widget.push` there is `widget_push` here.

    Each returns the result as the wire has it, and raises `Error`. What is not JSON raises
    `TypeError` or `ValueError`. A `datetime` must have a time zone.
    """

    _link: Any

    # Intents

    @_Method
    def intent_send(
        self, text: Optional[str] = None, *, intent: Optional[str] = None,
        parameters: Optional[Mapping[str, Any]] = None, url: Optional[str] = None,
        wait: bool = False, language: Optional[str] = None,
        languages: Optional[Sequence[str]] = None, context: Optional[Mapping[str, Any]] = None,
        source: Optional[str] = None, resume: Optional[str] = None, choice: Any = None,
        ask: bool = False, activation_token: Optional[str] = None, strict: bool = False,
    ) -> _Call[Sent]:
        """Does an intent: a sentence, an `intent` with `parameters`, or a `url`.

        With `wait` the result has the entry. If it has `needs`, answer with its `token` as
        `resume`, and a `choice`. With `ask` a choice that is a slip of a value is refused, and the
        error's `meant` is that value. A sentence that is nearly one is done where there is no doubt
        (`understood`), unless it is `strict`.
        """
        return _Call("intent.send", {
            "text": text, "intent": intent, "parameters": parameters, "url": url,
            "wait": wait or None, "language": language, "languages": languages,
            "context": context, "source": source, "resume": resume, "choice": choice,
            "ask": ask or None, "activationToken": activation_token, "strict": strict or None})

    @_Method
    def intent_recognize(
        self, text: str, *, language: Optional[str] = None,
        languages: Optional[Sequence[str]] = None,
        context: Optional[Mapping[str, Any]] = None, spans: bool = False, strict: bool = False,
    ) -> _Call[Dict[str, Any]]:
        """Says what `intent_send` would do with a sentence."""
        return _Call("intent.recognize", {
            "text": text, "language": language, "languages": languages, "context": context,
            "spans": spans or None, "strict": strict or None})

    @_Method
    def intent_complete(
        self, text: str, *, language: Optional[str] = None,
        languages: Optional[Sequence[str]] = None,
        context: Optional[Mapping[str, Any]] = None, limit: Optional[int] = None,
        strict: bool = False, content: bool = False,
    ) -> _Call[Dict[str, Any]]:
        """Finds the sentences that begin as a text does, best first: at most `limit`, or five.

        Nothing is done or learned, so it may be asked at every key that a person types. With
        `content` each says what its widget shows now.
        """
        return _Call("intent.complete", {
            "text": text, "language": language, "languages": languages, "context": context,
            "limit": limit, "strict": strict or None, "content": content or None})

    @_Method
    def intent_donate(
        self, intent: str, parameters: Optional[Mapping[str, Any]] = None, *,
        date: Optional[Date] = None, source: Optional[str] = None,
    ) -> _Call[Dict[str, Any]]:
        """Records that the person did an intent in your app."""
        return _Call("intent.donate", {
            "intent": intent, "parameters": parameters, "date": date, "source": source})

    @_Method
    def intent_list(
        self, *, language: Optional[str] = None, languages: Optional[Sequence[str]] = None,
    ) -> _Call[Dict[str, Any]]:
        """Lists the intents, and the languages that have sentences."""
        return _Call("intent.list", {"language": language, "languages": languages})

    @_Method
    def intent_set_list(
        self, name: str, values: Optional[Sequence[Any]] = None, *,
        add: Optional[Sequence[Any]] = None, remove: Optional[Sequence[str]] = None,
    ) -> _Call[Dict[str, Any]]:
        """Replaces the values of a list, or adds some and removes others."""
        return _Call("intent.setList", {
            "name": name, "values": values, "add": add, "remove": remove})

    @_Method
    def donation_forget(
        self, *, intent: Optional[str] = None, kind: Optional[str] = None,
        since: Optional[Date] = None, all: bool = False,
    ) -> _Call[Dict[str, Any]]:
        """Forgets what the person did, as far as all conditions hold."""
        return _Call("donation.forget", {
            "intent": intent, "kind": kind, "since": since, "all": all or None})

    @_Method
    def donation_set_private(self, on: bool = True) -> _Call[Dict[str, Any]]:
        """Turns private mode on or off."""
        return _Call("donation.setPrivate", {"on": on})

    @_Method
    def url_open(
        self, url: str, *, wait: bool = False, app: Optional[str] = None,
        source: Optional[str] = None, activation_token: Optional[str] = None,
    ) -> _Call[Sent]:
        """Opens a URL: a route of an intent, or an `x-callback-url` for the app `app`."""
        return _Call("url.open", {
            "url": url, "wait": wait or None, "app": app, "source": source,
            "activationToken": activation_token})

    # Widgets

    @_Method
    def gallery_list(
        self, kind: Optional[str] = None, *, previews: bool = False, family: Optional[str] = None,
        language: Optional[str] = None, languages: Optional[Sequence[str]] = None,
    ) -> _Call[Dict[str, Any]]:
        """Lists the kinds of widgets, with the texts in the first of `languages` that they have;
        with `previews` each has how it looks, as `preview`."""
        return _Call("gallery.list", {
            "kind": kind, "previews": previews or None, "family": family, "language": language,
            "languages": languages})

    @_Method
    def widget_list(
        self, kind: Optional[str] = None, *, language: Optional[str] = None,
        languages: Optional[Sequence[str]] = None, mode: Optional[str] = None,
        name: Optional[str] = None,
    ) -> _Call[Widgets]:
        """Lists the placed widgets and suggestions.

        They are compact, or as `mode` says, or in the mode chosen for the surface called `name`.
        """
        return _Call("widget.list", {
            "kind": kind, "language": language, "languages": languages, "mode": mode,
            "name": name})

    @_Method
    def widget_add(
        self, kind: str, *, family: Optional[str] = None,
        parameters: Optional[Mapping[str, Any]] = None, id: Optional[str] = None,
        ask: bool = False, wait: bool = False, language: Optional[str] = None,
        languages: Optional[Sequence[str]] = None,
    ) -> _Call[Configured]:
        """Places a widget; the receipt is that of its first load.

        With `wait` it has been loaded. With `ask` the result may have `needs` instead, a question
        about its parameters: answer with `intent_send(resume=…, choice=…)`.
        """
        return _Call("widget.add", {
            "kind": kind, "family": family, "parameters": parameters, "id": id,
            "ask": ask or None, "wait": wait or None, "language": language,
            "languages": languages})

    @_Method
    def widget_configure(
        self, id: str, *, family: Optional[str] = None,
        parameters: Optional[Mapping[str, Any]] = None,
        reload: Optional[Mapping[str, Any]] = None, ask: bool = False, wait: bool = False,
        language: Optional[str] = None, languages: Optional[Sequence[str]] = None,
    ) -> _Call[Configured]:
        """Changes a widget's family, parameters, or its own reload rules.

        `ask` and `wait` are as in `widget_add`.
        """
        return _Call("widget.configure", {
            "id": id, "family": family, "parameters": parameters, "reload": reload,
            "ask": ask or None, "wait": wait or None, "language": language,
            "languages": languages})

    @_Method
    def widget_set_mode(
        self, id: str, mode: str, *, name: Optional[str] = None, surface: Optional[str] = None,
        wait: bool = False,
    ) -> _Call[ModeSet]:
        """Shows a widget `"expanded"` or `"compact"` on surfaces that have room for it.

        These are the ones of this `name`, this `surface` of this client, or all that show it. There
        is a `receipt` only if nothing was made for the mode yet; with `wait` it has ended.
        """
        return _Call("widget.setMode", {
            "id": id, "mode": mode, "name": name, "surface": surface, "wait": wait or None})

    @_Method
    def widget_remove(
        self, id: Optional[str] = None, *, ids: Optional[Sequence[str]] = None,
    ) -> _Call[Removed]:
        """Takes a widget away, or all of `ids`; `widget_restore` brings them back."""
        return _Call("widget.remove", {"id": id, "ids": ids})

    @_Method
    def widget_restore(self) -> _Call[Restored]:
        """Undoes the latest removal or dismissal of the last ten minutes."""
        return _Call("widget.restore", {})

    @_Method
    def widget_reload(
        self, *, kind: Optional[str] = None, id: Optional[str] = None, wait: bool = False,
    ) -> _Call[Receipts]:
        """Asks for new timelines; with `wait` the receipts say what became of each reload."""
        return _Call("widget.reload", {"kind": kind, "id": id, "wait": wait or None})

    @_Method
    def widget_reload_all(
        self, *, program: Optional[str] = None, wait: bool = False,
    ) -> _Call[Receipts]:
        """Asks for new timelines of every widget; of a registered app, of its own widgets.

        With `program`, a kind, only of the kinds that share its program.
        """
        return _Call("widget.reloadAll", {"program": program, "wait": wait or None})

    @_Method
    def widget_signal(self, signal: int, *, wait: bool = False) -> _Call[Receipts]:
        """Runs the widgets whose manifests name a signal, from 1 to 30: 8 is pkill -RTMIN+8."""
        return _Call("widget.signal", {"signal": signal, "wait": wait or None})

    @_Method
    def image_get(self, hash: str) -> _Call[Image]:
        """Returns a picture that the content of a widget names; `data` has its bytes in Base64."""
        return _Call("image.get", {"hash": hash})

    @_Method
    def widget_push(
        self, id: str, timeline: Union[Timeline, Mapping[str, Any]]
    ) -> _Call[Pushed]:
        """Hands over a timeline for a widget, without any run of its provider."""
        return _Call("widget.push", {"id": id, "timeline": timeline})

    @_Method
    def widget_receipt(self, id: str, *, wait: bool = False) -> _Call[ReceiptUpdate]:
        """Returns a receipt; with `wait`, once the reload has ended or was deferred."""
        return _Call("widget.receipt", {"id": id, "wait": wait or None})

    @_Method
    def widget_timeline(
        self, id: str, *, mode: Optional[str] = None, name: Optional[str] = None,
    ) -> _Call[Dict[str, Any]]:
        """Returns the timeline of a widget in one mode, as `widget_list` takes it."""
        return _Call("widget.timeline", {"id": id, "mode": mode, "name": name})

    @_Method
    def widget_budget(self, id: str, *, mode: Optional[str] = None) -> _Call[Dict[str, Any]]:
        """Says what a widget may still spend, and what it spent, in one `mode`."""
        return _Call("widget.budget", {"id": id, "mode": mode})

    @_Method
    def widget_tap(
        self, id: str, item: Union[int, Sequence[int], None] = None, *,
        button: Optional[int] = None, modifiers: Optional[Sequence[str]] = None,
        position: Optional[Mapping[str, int]] = None, revision: Optional[int] = None,
        mode: Optional[str] = None, name: Optional[str] = None,
        activation_token: Optional[str] = None,
    ) -> _Call[Tapped]:
        """Does what a tap of the person on a widget, or on one of its items, does.

        The items are those of the mode in which it was read, by `mode` or `name`.

        With the `revision` that the person saw nothing is done when the widget shows something
        else by now: `ErrorCode.ENTRY_CHANGED`.
        """
        return _Call("widget.tap", {
            "id": id, "item": item, "button": button, "modifiers": modifiers,
            "position": position, "revision": revision, "mode": mode,
            "name": name, "activationToken": activation_token})

    @_Method
    def widget_open_menu(
        self, id: str, *, mode: Optional[str] = None, name: Optional[str] = None,
    ) -> _Call[OpenedMenu]:
        """Returns a widget for a menu of its items, after its script has run if it wants to.

        `run` is "none", "done", "failed" or "late"; with the last two the items are the last ones.
        """
        return _Call("widget.openMenu", {"id": id, "mode": mode, "name": name})

    # The stack

    @_Method
    def stack_order(
        self, *, surface: Optional[str] = None, limit: Optional[int] = None, ids: bool = False,
        at: Optional[Date] = None, language: Optional[str] = None,
        languages: Optional[Sequence[str]] = None,
    ) -> _Call[Dict[str, Any]]:
        """Returns the widgets, the most relevant first; with `ids` only their ids."""
        return _Call("stack.order", {
            "surface": surface, "limit": limit, "ids": ids or None, "at": at,
            "language": language, "languages": languages})

    @_Method
    def stack_explain(
        self, *, id: Optional[str] = None, surface: Optional[str] = None,
        limit: Optional[int] = None, at: Optional[Date] = None,
        language: Optional[str] = None, languages: Optional[Sequence[str]] = None,
    ) -> _Call[Dict[str, Any]]:
        """Returns the stack with the reasons for each place."""
        return _Call("stack.explain", {
            "id": id, "surface": surface, "limit": limit, "at": at, "language": language,
            "languages": languages})

    @_Method
    def stack_dismiss(self, id: str) -> _Call[Dict[str, Any]]:
        """Sends a widget away, as the person did; `widget_restore` undoes it."""
        return _Call("stack.dismiss", {"id": id})

    @_Method
    def stack_replay(self, limit: Optional[int] = None) -> _Call[Dict[str, Any]]:
        """Says how well the order foresaw what the person did."""
        return _Call("stack.replay", {"limit": limit})

    @_Method
    def surface_visibility(
        self, visible: bool, *, surface: Optional[str] = None
    ) -> _Call[Dict[str, Any]]:
        """Says whether the person can see this surface, now and after a reconnect.

        Without `surface`, an id, all surfaces of this client are meant.
        """
        def accept(core: _Core, answer: Any) -> Dict[str, Any]:
            for state in core.meant_surfaces(surface):
                state.params["visible"] = visible
            return cast(Dict[str, Any], answer)
        return _Call("surface.visibility", {"visible": visible, "surface": surface}, accept)

    @_Method
    def surface_detach(self, *, surface: Optional[str] = None) -> _Call[Dict[str, Any]]:
        """Ends the surface with this id, or all surfaces of this client."""
        def accept(core: _Core, answer: Any) -> Dict[str, Any]:
            for state in core.meant_surfaces(surface):
                core.end_surface(None, state)
            return cast(Dict[str, Any], answer)
        return _Call("surface.detach", {"surface": surface}, accept)

    @_Method
    def surface_rotate(
        self, by: int = 1, *, name: Optional[str] = None, surface: Optional[str] = None
    ) -> _Call[Dict[str, Any]]:
        """Turns the stacks of this client, that of one surface, or those with this name."""
        return _Call("surface.rotate", {"by": by, "name": name, "surface": surface})

    @_Method
    def app_state(self, state: Literal["foreground", "background"]) -> _Call[Dict[str, Any]]:
        """Says where this app is, now and after a reconnect."""
        def accept(core: _Core, answer: Any) -> Dict[str, Any]:
            if core.app:
                core.app.params["foreground"] = state == "foreground"
            return cast(Dict[str, Any], answer)
        return _Call("app.state", {"state": state}, accept)

    # The daemon

    @_Method
    def daemon_ping(self) -> _Call[Dict[str, Any]]:
        """Returns when the daemon has answered."""
        return _Call("daemon.ping", {})

    @_Method
    def daemon_status(self) -> _Call[Status]:
        """Returns versions, counts and the mistakes of the configuration."""
        return _Call("daemon.status", {})

    @_Method
    def daemon_metrics(self) -> _Call[Dict[str, Any]]:
        """Returns the metrics as OpenMetrics `text`."""
        return _Call("daemon.metrics", {})

    @_Method
    def daemon_history(
        self, *, limit: Optional[int] = None, widget: Optional[str] = None,
    ) -> _Call[Dict[str, Any]]:
        """Returns the journal, newest first."""
        return _Call("daemon.history", {"limit": limit, "widget": widget})

    @_Method
    def daemon_reload_configuration(self) -> _Call[Configuration]:
        """Reads manifests and intents again, and returns what is wrong with them."""
        return _Call("daemon.reloadConfiguration", {})

    # Notifications

    @overload
    def on(
        self, event: Literal["app.open"], listener: Callable[[Opened], Any]
    ) -> Callable[[], None]: ...

    @overload
    def on(
        self, event: Literal["app.widgetsChanged"], listener: Callable[[WidgetsChanged], Any]
    ) -> Callable[[], None]: ...

    @overload
    def on(
        self, event: Literal["surface.update"], listener: Callable[[SurfaceUpdate], Any]
    ) -> Callable[[], None]: ...

    @overload
    def on(
        self, event: Literal["receipt.update"], listener: Callable[[ReceiptUpdate], Any]
    ) -> Callable[[], None]: ...

    @overload
    def on(
        self, event: Literal["configuration.update"],
        listener: Callable[[ConfigurationUpdate], Any]
    ) -> Callable[[], None]: ...

    @overload
    def on(
        self, event: Literal["connected"], listener: Callable[[], Any]
    ) -> Callable[[], None]: ...

    @overload
    def on(
        self, event: Literal["disconnected"], listener: Callable[[str], Any]
    ) -> Callable[[], None]: ...

    def on(self, event: str, listener: Callable[..., Any]) -> Callable[[], None]:
        """Calls `listener` for each notification, or when the connection begins or ends.

        The returned function ends that. What a listener raises goes to the log `intentd`.
        """
        return cast(Callable[[], None], self._link.listen(event, listener))


def _register(app: str, foreground: bool) -> _Call[_AppState]:
    params = {"app": app, "foreground": foreground}

    def accept(core: _Core, answer: Any) -> _AppState:
        core.end_app(None)
        core.app = _AppState(params, answer)
        return core.app
    return _Call("app.register", params, accept)


def _attach(params: Dict[str, Any]) -> _Call[_SurfaceState]:
    def accept(core: _Core, answer: Any) -> _SurfaceState:
        kept = {key: value for key, value in call.params.items() if key not in ("add", "surface")}
        state = _SurfaceState(kept, answer)
        # The new one takes the place of the one with its id, or of the first.
        known = [] if call.params.get("add") else core.surfaces
        before = next((other for other in known if other.id == state.id), next(iter(known), None))
        place = core.surfaces.index(before) if before else len(core.surfaces)
        core.surfaces.insert(place, state)
        if before:
            core.end_surface(None, before)
        return state
    call = _Call("surface.attach", params, accept)
    return call


class _AppBase:
    def __init__(self, link: Any, state: _AppState) -> None:
        self._link = link
        self._state = state

    @property
    def answer(self) -> Registered:
        """The daemon's answer to the registration, at the last connection."""
        return cast(Registered, self._state.answer)

    @property
    def kinds(self) -> List[str]:
        """The kinds whose manifest names this app."""
        return list(self.answer["kinds"])

    @property
    def widgets(self) -> List[AppWidget]:
        """The app's widgets with their configurations, as far as the daemon has said."""
        return list(self._state.widgets.values())

    @property
    def knows_all_widgets(self) -> bool:
        """False when the daemon said that there are others than `widgets`: see `widget_list`."""
        return not self._state.has_more

    @property
    def groups(self) -> Dict[str, str]:
        """The folders that the app shares with its widgets, by the names of their groups."""
        return dict(self.answer.get("groups", {}))

    def _has_next(self) -> bool:
        return bool(self._state.opened) or self._state.is_over

    def _next(self, end: Type[Exception]) -> Opened:
        if self._state.opened:
            return self._state.opened.popleft()
        raise self._state.error or end()


class _SurfaceBase:
    def __init__(self, link: Any, state: _SurfaceState) -> None:
        self._link = link
        self._state = state
        self._seen = 0

    @property
    def id(self) -> str:
        """The id of the surface, for `stack_order(surface=…)`; another one after a reconnect."""
        return self._state.id

    @property
    def widgets(self) -> List[Widget]:
        """What the surface shows, in order, as far as the daemon has said."""
        return self._state.shown()

    def _has_next(self) -> bool:
        return self._state.version > self._seen or self._state.is_over

    def _next(self, end: Type[Exception]) -> List[Widget]:
        if self._state.version > self._seen:
            self._seen = self._state.version
            return self._state.shown()
        raise self._state.error or end()


class App(_AppBase):
    """This program as a host app. Iterate to get its taps, over restarts of the daemon."""

    def __iter__(self) -> Iterator[Opened]:
        return self

    def __next__(self) -> Opened:
        self._link.wait(self._has_next, None)
        with self._link.changed:
            return self._next(StopIteration)


class Surface(_SurfaceBase):
    """Widgets to show. Iterate to get all of them at once, and again after each change.

    Changes that come while you draw are told together. A restart of the daemon is no change.
    """

    def __iter__(self) -> Iterator[List[Widget]]:
        return self

    def __next__(self) -> List[Widget]:
        self._link.wait(self._has_next, None)
        with self._link.changed:
            return self._next(StopIteration)

    def wait(self, seconds: Optional[float]) -> bool:
        """Waits for a change; False if none came. For those who draw live dates meanwhile."""
        return bool(self._link.wait(self._has_next, seconds))


class AsyncApp(_AppBase):
    """`App` for asyncio."""

    def __aiter__(self) -> AsyncIterator[Opened]:
        return self

    async def __anext__(self) -> Opened:
        await self._link.until(self._has_next)
        return self._next(StopAsyncIteration)


class AsyncSurface(_SurfaceBase):
    """`Surface` for asyncio."""

    def __aiter__(self) -> AsyncIterator[List[Widget]]:
        return self

    async def __anext__(self) -> List[Widget]:
        await self._link.until(self._has_next)
        return self._next(StopAsyncIteration)

    async def wait(self, seconds: Optional[float]) -> bool:
        """Waits for a change; False if none came. For those who draw live dates meanwhile."""
        try:
            await asyncio.wait_for(self._link.until(self._has_next), seconds)
        except asyncio.TimeoutError:
            pass
        return self._has_next()


class Client(_Methods):
    """A connection to the daemon, for programs without an event loop.

    Connects at the first request, or at `with`, and again when the daemon came back. Threads may
    share a client. It has no thread of its own: notifications are read while some thread waits
    for an answer, iterates over an `App` or a `Surface`, or is in `listen`.
    """

    _link: _BlockingLink

    def __init__(
        self, path: Optional[str] = None, *, timeout: float = TIMEOUT_SECONDS,
        connect_within: float = 0.0,
    ) -> None:
        """`path`: the socket, if it is not the usual one. `timeout`: seconds to wait for an
        answer. `connect_within`: seconds for which a request waits for a daemon."""
        self._link = _BlockingLink(path, connect_within)
        self._timeout = timeout
        self._key: Optional[str] = None

    def connect(self) -> Client:
        """Connects now. Raises `NoDaemon` or `UnsafeSocket`."""
        self._link.connect()
        return self

    def close(self) -> None:
        """Ends the connection and every iteration; requests under way raise `ConnectionLost`."""
        self._link.close()

    def __enter__(self) -> Client:
        return self.connect()

    def __exit__(self, *error: Any) -> None:
        self.close()

    def within(self, seconds: float) -> Client:
        """This client with another timeout: `daemon.within(2).daemon_ping()`."""
        other = copy.copy(self)
        other._timeout = seconds
        return other

    def once(self, key: str) -> Client:
        """This client, whose requests carry an idempotency key: `daemon.once(key).widget_add(…)`.

        A request that was lost can be made again with the same key: it takes effect once.
        """
        other = copy.copy(self)
        other._key = key
        return other

    def call(self, method: str, params: Optional[Mapping[str, Any]] = None) -> Any:
        """Makes any request, such as one that is newer than this file. `None` is left out."""
        return self._perform(_Call(method, params or {}))

    def app_register(self, app: str, foreground: bool = False) -> App:
        """Makes this connection the app `app`, now and after a reconnect."""
        return App(self._link, self._perform(_register(app, foreground)))

    def surface_attach(
        self, *, families: Optional[Sequence[str]] = None, visible: bool = True,
        widgets: Optional[Sequence[str]] = None, stack: bool = False,
        locale: Optional[str] = None, text_size: Optional[str] = None,
        profile: Optional[str] = None,
        display_sizes: Optional[Mapping[str, Mapping[str, float]]] = None,
        modes: Optional[Mapping[str, Mapping[str, float]]] = None,
        widget_modes: Optional[Mapping[str, Mapping[str, Mapping[str, float]]]] = None,
        entry_point: Optional[str] = None, screen: Optional[str] = None,
        orientation: Optional[str] = None,
        configuration: bool = False, questions: bool = False,
        session: Union[bool, Mapping[str, str]] = False, appearance: Optional[str] = None,
        name: Optional[str] = None, limit: Optional[int] = None,
        wants: Optional[Sequence[str]] = None, add: bool = False, surface: Optional[str] = None,
    ) -> Surface:
        """Makes this connection a surface, now and after a reconnect.

        With `configuration` it also hears of each new configuration: `on("configuration.update")`;
        with `questions` of links that want a yes: `on("intent.question")`.
        With `session` the person's scripts get the variables of this session: `True` for those of
        this program, or a mapping. `appearance` tells scripts `"dark"` or `"light"`.
        With `modes` and `widget_modes`, or `entry_point`, `screen` and `orientation`, its widgets
        may be expanded (`widget_set_mode`), and each has `mode` and `height`.
        With `add` it is one more surface of this client; otherwise it takes the place of the one
        whose id is `surface`, or of the first.
        """
        return Surface(self._link, self._perform(_attach({
            "families": families, "visible": visible, "widgets": widgets, "stack": stack or None,
            "locale": locale, "textSize": text_size, "profile": profile,
            "displaySizes": display_sizes, "modes": modes, "widgetModes": widget_modes,
            "entryPoint": entry_point, "screen": screen, "orientation": orientation,
            "configuration": configuration or None,
            "questions": questions or None,
            "session": _session(session),
            "appearance": appearance, "name": name, "limit": limit, "wants": wants,
            "add": add or None, "surface": surface})))

    def listen(self, seconds: Optional[float] = None) -> None:
        """Reads and calls listeners for so long; without `seconds` until `close`."""
        self._link.wait(lambda: False, seconds)

    def _perform(self, call: _Call[T]) -> T:
        return cast(T, self._link.perform(call.once(self._key), self._timeout))


class AsyncClient(_Methods):
    """`Client` for asyncio; it belongs to one event loop.

    After `app_register`, `surface_attach` or `on` it connects again by itself, otherwise at the
    next request. To cancel a request leaves open whether it is carried out.
    """

    _link: _AsyncLink

    def __init__(
        self, path: Optional[str] = None, *, timeout: float = TIMEOUT_SECONDS,
        connect_within: float = 0.0,
    ) -> None:
        """Takes what `Client` takes."""
        self._link = _AsyncLink(path, connect_within)
        self._timeout = timeout
        self._key: Optional[str] = None

    async def connect(self) -> AsyncClient:
        """Connects now. Raises `NoDaemon` or `UnsafeSocket`."""
        await self._link.connect()
        return self

    def close(self) -> None:
        """Ends the connection and every iteration; requests under way raise `ConnectionLost`."""
        self._link.close()

    async def __aenter__(self) -> AsyncClient:
        return await self.connect()

    async def __aexit__(self, *error: Any) -> None:
        self.close()

    def within(self, seconds: float) -> AsyncClient:
        """This client with another timeout."""
        other = copy.copy(self)
        other._timeout = seconds
        return other

    def once(self, key: str) -> AsyncClient:
        """This client, whose requests carry an idempotency key, as `Client` does."""
        other = copy.copy(self)
        other._key = key
        return other

    async def call(self, method: str, params: Optional[Mapping[str, Any]] = None) -> Any:
        """Makes any request, such as one that is newer than this file. `None` is left out."""
        return await self._perform(_Call(method, params or {}))

    async def app_register(self, app: str, foreground: bool = False) -> AsyncApp:
        """Makes this connection the app `app`, now and after a reconnect."""
        return AsyncApp(self._link, await self._perform(_register(app, foreground)))

    async def surface_attach(
        self, *, families: Optional[Sequence[str]] = None, visible: bool = True,
        widgets: Optional[Sequence[str]] = None, stack: bool = False,
        locale: Optional[str] = None, text_size: Optional[str] = None,
        profile: Optional[str] = None,
        display_sizes: Optional[Mapping[str, Mapping[str, float]]] = None,
        modes: Optional[Mapping[str, Mapping[str, float]]] = None,
        widget_modes: Optional[Mapping[str, Mapping[str, Mapping[str, float]]]] = None,
        entry_point: Optional[str] = None, screen: Optional[str] = None,
        orientation: Optional[str] = None,
        configuration: bool = False, questions: bool = False,
        session: Union[bool, Mapping[str, str]] = False, appearance: Optional[str] = None,
        name: Optional[str] = None, limit: Optional[int] = None,
        wants: Optional[Sequence[str]] = None, add: bool = False, surface: Optional[str] = None,
    ) -> AsyncSurface:
        """Makes this connection a surface, now and after a reconnect, as `Client` does."""
        return AsyncSurface(self._link, await self._perform(_attach({
            "families": families, "visible": visible, "widgets": widgets, "stack": stack or None,
            "locale": locale, "textSize": text_size, "profile": profile,
            "displaySizes": display_sizes, "modes": modes, "widgetModes": widget_modes,
            "entryPoint": entry_point, "screen": screen, "orientation": orientation,
            "configuration": configuration or None,
            "questions": questions or None,
            "session": _session(session),
            "appearance": appearance, "name": name, "limit": limit, "wants": wants,
            "add": add or None, "surface": surface})))

    async def _perform(self, call: _Call[T]) -> T:
        return cast(T, await self._link.perform(call.once(self._key), self._timeout))


# What a surface shows


SESSION_VARIABLES = (
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
    "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP", "DESKTOP_SESSION",
    "SWAYSOCK", "I3SOCK", "HYPRLAND_INSTANCE_SIGNATURE", "NIRI_SOCKET", "SSH_AUTH_SOCK")
"""The names that `session` of `surface.attach` may have."""


def session_variables() -> Optional[Dict[str, str]]:
    """The session that this program runs in; `None` without a screen, as over a network."""
    found = {}
    for name in SESSION_VARIABLES:
        value = os.environ.get(name, "")
        # A value that the daemon refuses, or that is no UTF-8, is left out.
        if (value and len(os.fsencode(value)) <= 4_096
                and not re.search("[\0-\x1f\x7f\ud800-\udfff]", value)):
            found[name] = value
    return found if "DISPLAY" in found or "WAYLAND_DISPLAY" in found else None


def _session(session: Union[bool, Mapping[str, str]]) -> Optional[Mapping[str, str]]:
    if session is True:
        return session_variables()
    return None if session is False else session


def parse_date(text: str) -> datetime:
    """Reads a date of the wire, such as `2026-11-20T08:00:00.5Z`. Raises `ValueError`."""
    found = re.fullmatch(
        r"(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text)
    if found is None:
        raise ValueError(f"{text!r} is no RFC 3339 date such as 2026-11-20T08:00:00Z")
    zone = "+00:00" if found[3] in "Zz" else found[3]
    date = datetime.fromisoformat(found[1].upper() + zone)
    return date + timedelta(seconds=float("0" + (found[2] or ".0")))


def live_text(line: Union[str, Mapping[str, Any]], now: Optional[datetime] = None) -> str:
    """Returns a line of a widget as it reads now: a live date in words, a text unchanged.

    Of text in runs it is the text without the styles.

    The words are those of `intent-send`: `in 5 min`, `2 h ago`, `04:59`, `+3 d`.
    """
    if isinstance(line, str):
        return line
    if isinstance(line.get("runs"), list):
        return "".join(
            str(run.get("text", "")) for run in line["runs"] if isinstance(run, Mapping))
    seconds = int((parse_date(line["date"]) - _present(now)) / timedelta(seconds=1))
    amount = abs(seconds)
    style = line.get("style", "relative")
    if style == "timer":
        minutes = f"{amount // 60 % 60:02}:{amount % 60:02}"
        return f"{amount // 3600}:{minutes}" if amount >= 3600 else minutes
    size, unit = _unit(amount)
    span = f"{amount // size} {unit}"
    if style == "offset":
        return f"{'-' if seconds < 0 else '+'}{span}"
    if amount < 5:
        return "now"
    return f"in {span}" if seconds > 0 else f"{span} ago"


def _unit(seconds: int) -> Tuple[int, str]:
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return size, unit
    return 1, "s"


def seconds_to_tick(value: Any, now: Optional[datetime] = None) -> Optional[float]:
    """Returns in how many seconds a live date anywhere in `value` reads differently.

    `value` is a widget, a list of them, or a part of one. `None`: it has no live date.
    """
    if isinstance(value, Mapping) and "style" in value and isinstance(value.get("date"), str):
        away = (parse_date(value["date"]) - _present(now)) / timedelta(seconds=1)
        size = 1 if value["style"] == "timer" else _unit(int(abs(away)))[0]
        # The text changes when a whole unit is over: one that passes, or one that is left.
        rest = math.fmod(abs(away), size)
        return max(0.001, (rest if away > 0 else size - rest) + 0.001)
    parts = value.values() if isinstance(value, Mapping) else value
    if isinstance(parts, str) or not hasattr(parts, "__iter__"):
        return None
    ticks = [seconds_to_tick(part, now) for part in parts]
    return min((tick for tick in ticks if tick is not None), default=None)


def text_lines(text: Any, now: Optional[datetime] = None) -> List[str]:
    """Returns the lines of a `title`, `text` or `short`, as they read now."""
    if text is None or isinstance(text, bool):
        return []
    if isinstance(text, (str, int, float)):
        return [line for line in str(text).splitlines() if line]
    if isinstance(text, Mapping):
        return [live_text(text, now)]
    return [line for part in text for line in text_lines(part, now)]


def one_line(widget: Mapping[str, Any], now: Optional[datetime] = None) -> str:
    """Returns a widget as a bar shows it: `short`, else `title: text`, else its name."""
    content = widget.get("entry", {}).get("content", {})
    short = text_lines(content.get("short"), now)
    if short:
        return printable(short[0])
    lines = text_lines(content.get("title"), now)[:1] + text_lines(content.get("text"), now)[:1]
    if not lines and content.get("percentage") is not None:
        lines = [f"{content['percentage']:g}%"]
    return printable(": ".join(dict.fromkeys(lines)) or str(widget.get("name", "")))


# What Unicode's Default_Ignorable_Code_Point has beyond format characters: fillers, and selectors of
# a variant, of which 256 can spell a hidden text behind any letter.
_SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0d\uffa0"
    "\U000e0000-\U000e0fff]")


def printable(text: str) -> str:
    """Returns a text from others on one line, without what steers a terminal or hides in it.

    A line break or a tab becomes a space, another control character visible (`\\x1B`); characters
    without a shape go, but for the joiners and the choice of a picture (`\\uFE0F`) that emoji and some
    scripts need.
    """
    safe = []
    for character in text.replace("\r\n", "\n"):
        category = unicodedata.category(character)
        if character in "\t\n\v\f\r\x85\u2028\u2029":
            safe.append(" ")
        elif category == "Cc":
            safe.append(f"\\x{ord(character):02X}")
        elif category == "Cs":
            safe.append("\N{REPLACEMENT CHARACTER}")
        elif (category != "Cf" or character in "\u200c\u200d") and not _SHAPELESS.match(character):
            safe.append(character)
    return "".join(safe)


def _present(now: Optional[datetime]) -> datetime:
    return datetime.now(timezone.utc) if now is None else now


def _demo(arguments: Sequence[str]) -> int:
    """Shows the stack, once or for as long as somebody looks."""
    if arguments not in ([], ["follow"]):
        print("usage: intentd.py           the stack, the most relevant widget first\n"
              "       intentd.py follow    and again after each change, until Ctrl-C",
              file=sys.stderr)
        return 0 if arguments in (["--help"], ["-h"]) else 64
    try:
        with Client() as daemon:
            for widgets in daemon.surface_attach(stack=True):
                for widget in widgets:
                    print(f"{printable(widget['id'])}\t{one_line(widget)}")
                if not arguments:
                    sys.stdout.flush()
                    return 0
                print(flush=True)
        return 0
    except Error as error:
        print(f"intentd.py: {printable(str(error))}", file=sys.stderr)
        return 69
    except BrokenPipeError:
        # Nobody reads any more, and Python would try once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(_demo(sys.argv[1:]))
