"""Write widgets for intentd in Python: one file, without dependencies, for Python 3.9 and later.

Copy this file beside your program. `intent-send new widget NAME --in python` does it for you.

    from datetime import timedelta
    from intentd_widget import Entry, Request, Timeline, run

    def timeline(request: Request) -> Timeline:
        entry = Entry(request.now, title="Greeting", text="Hello", short="Hi")
        return Timeline([entry], after=request.now + timedelta(minutes=30))

    run(timeline)

`run` reads the request from standard input, calls your function and prints the answer. It serves
both protocols of a manifest, `timeline` (a process for each request) and `extension` (one process
that stays). Started by hand in a terminal, it makes up a request of this moment.

A value of the wrong type raises an error that names the key and says what it takes, so you see the
mistake where you made it. docs/WIDGETS.md says what each key means.
"""
from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import json
import os
import re
import sys
import traceback
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Tuple, Union

__all__ = [
    "Action", "Entry", "Failed", "Image", "Intent", "Item", "LiveDate", "NoData", "Option",
    "Request", "SEPARATOR", "Timeline", "UserError", "Window", "run",
]

ENTRY_COUNT_MAX = 1440
WINDOW_COUNT_MAX = 256
OPTION_COUNT_MAX = 1000
SCORE_MAX = 1_000_000
HEIGHT_MAX = 16_384
VALUE_COUNT_MAX = 32
VALUES_BYTES_MAX = 1024
VIEW_BYTES_MAX = 65_536
DOWNLOAD_COUNT_MAX = 8
DOWNLOAD_BYTES_MAX = 33_554_432
STYLES = ("relative", "timer", "offset")
WINDOW_KINDS = ("informational", "default", "scheduled")


class UserError(Exception):
    """A failure whose text the person may see: `raise UserError("the key has expired")`.

    A one-shot program prints it to standard error and ends with 1. An extension answers with it.
    """


# MARK: what the program gets


@dataclasses.dataclass(frozen=True)
class Downloaded:
    """A file that the last answer asked for, or why there is none."""

    id: str
    """As in Download."""
    file: Optional[str] = None
    """The path of the file; None: there is none, and `error` says why."""
    status: Optional[int] = None
    """The status of the server's answer; 0: the server was not asked."""
    unchanged: bool = False
    """True: the program was told of this file before."""
    type: Optional[str] = None
    """The type that the server said: text/html."""
    bytes: Optional[int] = None
    date: Optional[dt.datetime] = None
    """When the server last said that this is the file."""
    error: Optional[Mapping[str, Any]] = None
    """`code`, `message` and `hint`; for some errors also `status` and `retryAt`."""

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Downloaded:
        """Make one of an object of the daemon's request."""
        date = value.get("date")
        return cls(
            id=value["id"], file=value.get("file"), status=value.get("status"),
            unchanged=bool(value.get("unchanged")), type=value.get("type"),
            bytes=value.get("bytes"), date=None if date is None else parse_date(date),
            error=value.get("error"))


@dataclasses.dataclass(frozen=True)
class Request:
    """The daemon's question."""

    request: str
    """`timeline`, `options`, or `snapshot` and `placeholder` for a preview: one entry, at once."""
    kind: str
    """The id of the widget kind."""
    family: str
    """The shape that is asked for, such as `systemSmall`."""
    now: dt.datetime
    """The moment of the request, with its zone. Use it instead of the clock."""
    intent: Optional[str] = None
    """The name of the intent that configures the widget; None for a kind without one."""
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """The values of the intent's parameters, by name."""
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """The values that taps on the widget's items set, by name: `request.values.get("rows", 3)`."""
    locale: str = "en_US"
    text_size: str = "large"
    width: float = 0
    """The width of the widget in points."""
    height: float = 0
    is_preview: bool = False
    parameter: Optional[str] = None
    """With `options`: the parameter whose values are asked for."""
    search: Optional[str] = None
    """With `options`: what the person said for it."""
    mode: Optional[str] = None
    """Of a kind with modes: `compact` or `expanded`."""
    max_width: Optional[float] = None
    """Of a kind with modes: the largest width in this mode, in points."""
    max_height: Optional[float] = None
    view: Optional[str] = None
    """"html" of a kind with `view: html`: entries may have a view."""
    downloads: Optional[Mapping[str, Downloaded]] = None
    """The files that the last answer asked for, by the ids of its downloads; None: it is asked for
    the first time, so answer which files are wanted."""

    @property
    def cache(self) -> Optional[str]:
        """A folder for this kind alone, which may be emptied at any time."""
        return os.environ.get("INTENTD_CACHE")

    @property
    def data(self) -> Optional[str]:
        """The intents folder, with `lists/` in it."""
        return os.environ.get("INTENTD_DATA")

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Request:
        """Make a request of the object that the daemon sends."""
        intent = value.get("intent") or {}
        size = value.get("displaySize") or {}
        most = value.get("maximumSize") or {}
        files = value.get("downloads")
        return cls(
            request=value.get("request", "timeline"), kind=value.get("kind", ""),
            family=value.get("family", ""), now=parse_date(value["now"]),
            intent=intent.get("name"), parameters=dict(intent.get("parameters") or {}),
            values=dict(value.get("values") or {}),
            locale=value.get("locale", "en_US"), text_size=value.get("textSize", "large"),
            width=size.get("width", 0), height=size.get("height", 0),
            is_preview=bool(value.get("isPreview")), parameter=value.get("parameter"),
            search=value.get("search"), mode=value.get("mode"), max_width=most.get("width"),
            max_height=most.get("height"), view=value.get("view"), downloads=None if files is None else {
                file["id"]: Downloaded.from_json(file) for file in files})


@dataclasses.dataclass(frozen=True)
class Perform:
    """An intent that the program is to perform, once: the manifest names it in `performs`."""

    intent: str
    parameters: Mapping[str, Any]
    now: dt.datetime
    """The moment of the request, with its zone."""
    locale: str = "en_US"

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Perform:
        """Make one of the parameters of `provider.perform`."""
        intent = value["intent"]
        return cls(intent=intent["name"], parameters=dict(intent.get("parameters") or {}),
                   now=parse_date(value["now"]), locale=value.get("locale", "en_US"))


# MARK: what it answers


@dataclasses.dataclass(frozen=True)
class LiveDate:
    """A line that ticks at the surface, without a reload: `LiveDate(when)` shows "in 2 h"."""

    date: dt.datetime
    style: str = "relative"
    """`relative` ("in 2 h"), `timer` ("1:05:00") or `offset` ("+2 h")."""

    def to_json(self) -> dict[str, Any]:
        if self.style not in STYLES:
            raise ValueError(f"style is {self.style!r}; expected one of {', '.join(STYLES)}")
        return {"date": format_date(self.date, "date"), "style": self.style}


Line = Union[str, LiveDate]
Lines = Union[str, LiveDate, Sequence[Line]]
Color = Union[str, Tuple[str, str]]
"""`#rrggbb` or `#rrggbbaa`, or two of them: for light and for dark surroundings."""


@dataclasses.dataclass(frozen=True)
class Action:
    """What a tap does: the URL is opened, then the widget is reloaded."""

    url: Optional[str] = None
    refresh: Optional[bool] = None

    def to_json(self) -> dict[str, Any]:
        return _without_none({
            "url": _url(self.url), "refresh": _flag(self.refresh, "refresh")})


@dataclasses.dataclass(frozen=True)
class Image:
    """A picture, as one of `file`, `data` and `hash`: PNG, JPEG, GIF, WebP or SVG."""

    alt: str
    """What it shows, in a few words; empty if it only decorates."""
    file: Optional[str] = None
    """A file beside the manifest, or in `Request.cache`."""
    data: Optional[bytes] = None
    """The bytes of the file."""
    hash: Optional[str] = None
    """A picture that a widget of this kind shows now: `sha256-…`."""
    template: Optional[bool] = None
    """Whether it is a shape that takes the colour of the text."""

    def to_json(self) -> dict[str, Any]:
        if [self.file, self.data, self.hash].count(None) != 2:
            raise ValueError("an image has one of file, data and hash")
        if not isinstance(self.alt, str):
            raise TypeError(f"alt is {_said(self.alt)}; expected a text, which may be empty")
        if not isinstance(self.data, (bytes, type(None))):
            raise TypeError(f"data is {_said(self.data)}; expected the bytes of a file")
        return _without_none({
            "file": _word(self.file, "file"),
            "data": None if self.data is None else base64.b64encode(self.data).decode("ascii"),
            "hash": _word(self.hash, "hash"), "alt": self.alt,
            "template": _flag(self.template, "template")})


@dataclasses.dataclass(frozen=True)
class Intent:
    """An intent that a tap sends: `Intent("ShowWeather", {"city": "Oslo"})`."""

    name: str
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        intent: dict[str, Any] = {"name": _word(self.name, "name")}
        if self.parameters:
            intent["parameters"] = dict(self.parameters)
        return intent


@dataclasses.dataclass(frozen=True)
class Item:
    """A row below the text, with a tap of its own."""

    text: Lines
    url: Optional[str] = None
    items: Sequence[Item] = ()
    checked: Optional[bool] = None
    refresh: Optional[bool] = None
    """Whether a tap on it reloads the widget."""
    disabled: Optional[bool] = None
    badge: Optional[str] = None
    """A few characters at the end of the row."""
    icon: Optional[str] = None
    """The name of an icon of the desktop's theme."""
    color: Optional[Color] = None
    tooltip: Optional[Lines] = None
    action: Optional[Action] = None
    alternate: Optional[Item] = None
    """Takes its place while Alt is held."""
    set: Optional[Mapping[str, Any]] = None
    """Values of the widget that a tap sets, and that each request has then (`Request.values`): texts,
    numbers, true and false; None takes one away. It wins over intent, action and url."""
    intent: Optional[Intent] = None
    """The intent that a tap sends; it wins over action and url."""
    image: Optional[Image] = None

    def to_json(self) -> dict[str, Any]:
        return _without_none({
            "text": _lines(self.text, "text"),
            "url": _url(self.url),
            "checked": _flag(self.checked, "checked"),
            "disabled": _flag(self.disabled, "disabled"),
            "badge": _word(self.badge, "badge"),
            "icon": _word(self.icon, "icon"),
            "image": _image(self.image),
            "color": _color(self.color, "color"),
            "tooltip": _lines(self.tooltip, "tooltip"),
            "action": _action(self.action, "action"),
            "refresh": _flag(self.refresh, "refresh"),
            "set": _set(self.set),
            "intent": None if self.intent is None else self.intent.to_json(),
            "items": _items(self.items),
            "alternate": None if self.alternate is None else self.alternate.to_json(),
        })


SEPARATOR = Item("")
"""A line between items."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """What the widget shows from `date` on, until the next entry. Only the date is required."""

    date: dt.datetime
    title: Optional[Line] = None
    text: Optional[Lines] = None
    subtitle: Optional[Line] = None
    short: Optional[Line] = None
    """For a bar: a few characters."""
    symbol: Optional[str] = None
    """The name of a symbol, such as `cloud.rain`."""
    classes: Sequence[str] = ()
    """Words for styling, such as `["night"]`."""
    percentage: Optional[float] = None
    """0 to 100."""
    urgent: Optional[bool] = None
    tooltip: Optional[Lines] = None
    items: Sequence[Item] = ()
    refresh: Optional[bool] = None
    """Whether a tap reloads the widget."""
    as_of: Optional[dt.datetime] = None
    """When the data was true."""
    stale_after: Union[float, dt.timedelta, None] = None
    """For how long it passes for current: seconds, or a timedelta."""
    url: Optional[str] = None
    """What a tap opens."""
    score: Optional[float] = None
    """How much the entry deserves the top of the stack, on a scale of your own; 0 never rises."""
    duration: Union[float, dt.timedelta, None] = None
    """For how long the score holds; without it, until the next entry that has one."""
    extra: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Further content for surfaces of your own; begin each key with `x-`."""
    titles: Sequence[Line] = ()
    """Take turns in the place of the title."""
    icon: Optional[str] = None
    """The name of an icon of the desktop's theme, such as `audio-volume-high`."""
    color: Optional[Color] = None
    """The colour of the title."""
    background: Optional[Color] = None
    action: Optional[Action] = None
    """What a tap does."""
    clicks: Mapping[int, Action] = dataclasses.field(default_factory=dict)
    """What a tap with a button does: 1 left, 2 middle, 3 right, up to 9."""
    image: Optional[Image] = None
    view: Union[str, Sequence[str], None] = None
    """Markup of the picture that a surface may show in place of the content; two: for light and for
    dark surroundings. Only of a kind with `view: html` (`Request.view`)."""

    def content(self) -> dict[str, Any]:
        return _without_none({
            "title": _line(self.title, "title"),
            "titles": _titles(self.titles),
            "subtitle": _line(self.subtitle, "subtitle"),
            "text": _lines(self.text, "text"),
            "short": _line(self.short, "short"),
            "symbol": _word(self.symbol, "symbol"),
            "icon": _word(self.icon, "icon"),
            "image": _image(self.image),
            "color": _color(self.color, "color"),
            "background": _color(self.background, "background"),
            "class": _words(self.classes, "classes"),
            "percentage": _number(self.percentage, "percentage", 0, 100),
            "urgent": _flag(self.urgent, "urgent"),
            "tooltip": _lines(self.tooltip, "tooltip"),
            "items": _items(self.items),
            "action": _action(self.action, "action"),
            "clicks": _clicks(self.clicks),
            "refresh": _flag(self.refresh, "refresh"),
            "asOf": None if self.as_of is None else format_date(self.as_of, "as_of"),
            "staleAfter": _seconds(self.stale_after, "stale_after"),
            **_extra(self.extra),
        })

    def to_json(self) -> dict[str, Any]:
        relevance = None
        if self.score is not None:
            relevance = _without_none({
                "score": _number(self.score, "score", -SCORE_MAX, SCORE_MAX),
                "duration": _seconds(self.duration, "duration"),
            })
        elif self.duration is not None:
            raise ValueError("duration is given without a score; give both or none")
        return _without_none({
            "date": format_date(self.date, "date"),
            "relevance": relevance,
            "content": self.content(),
            "view": _view(self.view),
            "url": _url(self.url),
        })


@dataclasses.dataclass(frozen=True)
class Window:
    """A time in which the widget is relevant, whatever it shows then."""

    start: dt.datetime
    end: dt.datetime
    kind: str = "default"
    """`informational` (worth knowing), `default`, or `scheduled` (a flight, a lesson)."""

    def to_json(self) -> dict[str, Any]:
        if self.kind not in WINDOW_KINDS:
            raise ValueError(f"kind is {self.kind!r}; expected one of {', '.join(WINDOW_KINDS)}")
        if not self.start < self.end:
            raise ValueError(f"end is {self.end}, which is not after start, {self.start}")
        return {"from": format_date(self.start, "start"), "to": format_date(self.end, "end"),
                "kind": self.kind}


@dataclasses.dataclass(frozen=True)
class Download:
    """A file that the daemon fetches; when it is new, the program is asked again with it."""

    id: str
    """A name of your own; each download of an answer has another one."""
    url: str
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    if_changed: bool = True
    """False: the program is asked again even if the file is the same."""
    max_bytes: Optional[int] = None
    """The longest body; None: 4 MiB."""
    types: Sequence[str] = ()
    """The types that it may have, as "application/json" or "image/*"; none: any."""

    def to_json(self) -> dict[str, Any]:
        if not str(self.url).lower().startswith(("https://", "http://")):
            raise ValueError(f"url is {_said(self.url)}; expected https://… or http://…")
        expect = _without_none({
            "maxBytes": _number(self.max_bytes, "max_bytes", 1, DOWNLOAD_BYTES_MAX),
            "types": _words(self.types, "types")})
        return _without_none({
            "id": _word(self.id, "id"), "url": self.url, "headers": dict(self.headers) or None,
            "ifChanged": None if _flag(self.if_changed, "if_changed") else False,
            "expect": expect or None})


@dataclasses.dataclass(frozen=True)
class Timeline:
    """Entries, and when to ask again."""

    entries: Sequence[Entry]
    after: Union[dt.datetime, str] = "atEnd"
    """A date: not before it. "atEnd": after the last entry. "never": only when somebody asks."""
    windows: Sequence[Window] = ()
    preferred_height: Optional[float] = None
    """The height that the content wants in the expanded mode, in points; None: all the room."""
    downloads: Sequence[Download] = ()
    """Files that are wanted; these entries are shown until they are there."""

    def to_json(self) -> dict[str, Any]:
        entries = [entry.to_json() for entry in _list(self.entries, Entry, "entries")]
        windows = [window.to_json() for window in _list(self.windows, Window, "windows")]
        _at_most(ENTRY_COUNT_MAX, entries, "entries")
        _at_most(WINDOW_COUNT_MAX, windows, "windows")
        answer: dict[str, Any] = {"entries": entries}
        if windows:
            answer["relevance"] = windows
        answer["policy"] = _policy(self.after)
        if self.preferred_height is not None:
            answer["preferredHeight"] = _number(
                self.preferred_height, "preferred_height", 1, HEIGHT_MAX)
        _add_downloads(self.downloads, answer)
        return answer


@dataclasses.dataclass(frozen=True)
class NoData:
    """Nothing is new: the widget keeps what it shows."""

    after: Union[dt.datetime, str, None] = None
    """When to ask again, as in Timeline; None: the policy of the last answer goes on."""
    downloads: Sequence[Download] = ()
    """Files that are wanted: whether there is news is known when they are there."""

    def to_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {"result": "noData"}
        if self.after is not None:
            answer["policy"] = _policy(self.after)
        _add_downloads(self.downloads, answer)
        return answer


@dataclasses.dataclass(frozen=True)
class Failed:
    """The work could not be done: the widget keeps its last good entry, stale, and says why."""

    reason: str

    def to_json(self) -> dict[str, Any]:
        return {"result": "failed", "reason": _word(self.reason, "reason")}


@dataclasses.dataclass(frozen=True)
class Option:
    """A value that a parameter may take: `Option("r7", "Hall")`."""

    identifier: str
    display: str

    def to_json(self) -> dict[str, Any]:
        return {"identifier": _word(self.identifier, "identifier"),
                "display": _word(self.display, "display")}


@dataclasses.dataclass(frozen=True)
class Performed:
    """An intent was performed. For one that could not be, raise UserError with the words for the
    person."""

    dialog: Optional[str] = None
    """Words for the person."""
    value: Any = None
    """JSON for a program that sent the intent."""
    url: Optional[str] = None
    """Opened as that of a tap is."""
    intent: Optional[Intent] = None
    """Done next."""

    def to_json(self) -> dict[str, Any]:
        return _without_none({
            "dialog": _word(self.dialog, "dialog"), "value": self.value, "url": _url(self.url),
            "intent": None if self.intent is None else self.intent.to_json()})


MakeTimeline = Callable[[Request], Union[Timeline, NoData, Failed]]
MakeOptions = Callable[[Request], Iterable[Union[str, Option]]]
MakePerformed = Callable[[Perform], Union[Performed, str, None]]


# MARK: running


def run(timeline: MakeTimeline, options: Optional[MakeOptions] = None,
        perform: Optional[MakePerformed] = None) -> None:
    """Answer the daemon's requests: one, or as an extension all until the input ends.

    `timeline` makes a Timeline of a Request, or NoData, or Failed. `options` returns the values of
    a dynamic parameter, as texts or as Options. `perform` does what an intent says, in an
    extension, and returns Performed, or its words for the person, or None.
    """
    if sys.stdin.isatty():
        request = {"request": "timeline", "kind": "by hand", "family": "systemSmall",
                   "intent": None, "now": format_date(dt.datetime.now(dt.timezone.utc), "now")}
        _write(json.dumps(_answer(request, timeline, options), indent=2, ensure_ascii=False))
        return
    first = sys.stdin.buffer.readline()
    if not first.strip():
        return  # the input of an extension ended before the first request
    message = json.loads(first)
    if "jsonrpc" not in message:
        try:
            _print(_answer(message, timeline, options))
        except UserError as error:
            sys.exit(str(error))
        return
    while message is not None:
        _serve(message, timeline, options, perform)
        line = sys.stdin.buffer.readline()
        message = json.loads(line) if line.strip() else None


def _serve(message: Mapping[str, Any], timeline: MakeTimeline,
           options: Optional[MakeOptions], perform: Optional[MakePerformed]) -> None:
    if "id" not in message:
        return  # provider.cancel: this program answers one request after the other
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
    method = str(message.get("method"))
    performs = method == "provider.perform"
    if method.startswith("provider.") and not (performs and perform is None):
        try:
            if performs and perform is not None:
                answer["result"] = _performed(perform(Perform.from_json(message["params"])))
            else:
                answer["result"] = _answer(message["params"], timeline, options)
        except UserError as error:
            answer["error"] = {"code": -32000, "message": str(error)}
        except Exception as error:  # the process stays: the next request may go well
            traceback.print_exc()
            answer["error"] = {"code": -32603, "message": f"{type(error).__name__}: {error}"}
    else:
        answer["error"] = {"code": -32601, "message": f"no method {message.get('method')}"}
    _print(answer)


def _answer(request: Mapping[str, Any], timeline: MakeTimeline,
            options: Optional[MakeOptions]) -> dict[str, Any]:
    asked = Request.from_json(request)
    if asked.request == "options" and options is not None:
        values = [value if isinstance(value, str) else value.to_json()
                  for value in options(asked)]
        _at_most(OPTION_COUNT_MAX, values, "options")
        return {"options": values}
    made = timeline(asked)
    if not isinstance(made, (Timeline, NoData, Failed)):
        raise TypeError(
            f"the function returned {_said(made)}; expected a Timeline, NoData or Failed")
    return made.to_json()


def _performed(made: Union[Performed, str, None]) -> dict[str, Any]:
    if made is None or isinstance(made, str):
        made = Performed(made)
    if not isinstance(made, Performed):
        raise TypeError(
            f"the function returned {_said(made)}; expected Performed, a text or None")
    return made.to_json()


def _print(value: Mapping[str, Any]) -> None:
    # ASCII with escapes, so that no locale can break it.
    _write(json.dumps(value, allow_nan=False))


def _write(line: str) -> None:
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()  # a reader waits
    except BrokenPipeError:
        # Nobody reads any more, and Python would try once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


# MARK: dates


def parse_date(text: str) -> dt.datetime:
    """Read a date as the daemon writes it; the result knows its zone."""
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00"))


def format_date(date: dt.datetime, name: str = "date") -> str:
    """Write a date as the daemon reads it."""
    if not isinstance(date, dt.datetime):
        raise TypeError(f"{name} is {_said(date)}; expected a datetime")
    if date.tzinfo is None:
        raise ValueError(f"{name} is {date}, without a zone; take request.now, "
                         "or datetime.now(timezone.utc)")
    date = date.astimezone(dt.timezone.utc)
    return date.strftime("%Y-%m-%dT%H:%M:%S") + f".{date.microsecond // 1000:03d}Z"


# MARK: checks


def _said(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def _line(value: Optional[Line], name: str) -> Any:
    if isinstance(value, LiveDate):
        return value.to_json()
    if value is None or isinstance(value, str):
        return value
    raise TypeError(f"{name} is {_said(value)}; expected a text or a LiveDate")


def _lines(value: Optional[Lines], name: str) -> Any:
    if isinstance(value, (list, tuple)):
        return [_line(line, f"{name}[{index}]") for index, line in enumerate(value)]
    return _line(value, name)


def _titles(values: Sequence[Line]) -> Optional[list[Any]]:
    if isinstance(values, (str, LiveDate)):
        raise TypeError(f"titles is {_said(values)}; expected a list such as [{values!r}]")
    return [_line(line, f"titles[{index}]") for index, line in enumerate(values)] or None


def _color(value: Optional[Color], name: str) -> Any:
    if isinstance(value, (tuple, list)) and len(value) == 2:
        light, dark = value
        return {"light": _color(light, name), "dark": _color(dark, name)}
    if value is None:
        return None
    if isinstance(value, str) and re.fullmatch("#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?", value):
        return value
    raise ValueError(f"{name} is {_said(value)}; expected a colour such as '#ff0000', or two")


def _action(value: Optional[Action], name: str) -> Any:
    if value is None:
        return None
    if isinstance(value, Action):
        return value.to_json()
    raise TypeError(f"{name} is {_said(value)}; expected Action(…)")


def _image(value: Optional[Image]) -> Any:
    if value is None:
        return None
    if isinstance(value, Image):
        return value.to_json()
    raise TypeError(f"image is {_said(value)}; expected Image(…)")


def _clicks(values: Mapping[int, Action]) -> Optional[dict[str, Any]]:
    for button in values:
        if isinstance(button, bool) or button not in range(1, 10):
            raise ValueError(f"clicks has the key {button!r}; expected a button from 1 to 9")
    return {str(button): _action(action, f"clicks[{button}]")
            for button, action in values.items()} or None


def _word(value: Optional[str], name: str) -> Optional[str]:
    if value is None or (isinstance(value, str) and value):
        return value
    raise TypeError(f"{name} is {_said(value)}; expected a text that is not empty")


def _words(values: Sequence[str], name: str) -> Optional[list[str]]:
    if isinstance(values, str):
        raise TypeError(f"{name} is {_said(values)}; expected a list such as [{values!r}]")
    words = [_word(value, f"{name}[{index}]") or "" for index, value in enumerate(values)]
    return words or None


def _policy(after: Union[dt.datetime, str]) -> Any:
    if isinstance(after, dt.datetime):
        return {"after": format_date(after, "after")}
    if after in ("atEnd", "never"):
        return after
    raise ValueError(f'after is {after!r}; expected a date, "atEnd" or "never"')


def _add_downloads(values: Sequence[Download], answer: dict[str, Any]) -> None:
    downloads = [value.to_json() for value in _list(values, Download, "downloads")]
    _at_most(DOWNLOAD_COUNT_MAX, downloads, "downloads")
    if downloads:
        answer["downloads"] = downloads


def _set(values: Optional[Mapping[str, Any]]) -> Optional[dict[str, Any]]:
    if values is None:
        return None
    made = dict(values)
    if not 0 < len(made) <= VALUE_COUNT_MAX:
        raise ValueError(f"set has {len(made)} values; expected 1 to {VALUE_COUNT_MAX}")
    for name, value in made.items():
        if value is not None and not isinstance(value, (str, int, float, bool)):
            raise TypeError(f"set has {_said(value)} for {name!r}; expected a text, a number, "
                            "true, false or None, which takes it away")
    if len(json.dumps(made, ensure_ascii=False).encode()) > VALUES_BYTES_MAX:
        raise ValueError(f"set has more than {VALUES_BYTES_MAX} bytes of JSON")
    return made


def _flag(value: Optional[bool], name: str) -> Optional[bool]:
    if value is None or isinstance(value, bool):
        return value
    raise TypeError(f"{name} is {_said(value)}; expected True or False")


def _number(value: Optional[float], name: str, low: float, high: float) -> Optional[float]:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} is {_said(value)}; expected a number from {low} to {high}")
    if not low <= value <= high:
        raise ValueError(f"{name} is {_said(value)}; expected a number from {low} to {high}")
    return value


def _seconds(value: Union[float, dt.timedelta, None], name: str) -> Optional[float]:
    if isinstance(value, dt.timedelta):
        value = value.total_seconds()
    return _number(value, name, 0, 1e12)


def _view(value: Union[str, Sequence[str], None]) -> Any:
    if value is None:
        return None
    texts = [value] if isinstance(value, str) else list(value)
    if len(texts) > 2 or not all(isinstance(text, str) and text for text in texts):
        raise TypeError(f"view is {_said(value)}; expected markup, or two: for light and for dark")
    size = sum(len(text.encode()) for text in texts)
    if size > VIEW_BYTES_MAX:
        raise ValueError(f"view has {size} bytes; at most {VIEW_BYTES_MAX} are allowed")
    return texts[0] if len(texts) == 1 else {"light": texts[0], "dark": texts[1]}


def _url(value: Optional[str]) -> Optional[str]:
    if value is None or (isinstance(value, str) and ":" in value):
        return value
    raise ValueError(f"url is {_said(value)}; expected a URL with a scheme")


def _items(values: Sequence[Item]) -> Optional[list[dict[str, Any]]]:
    items = [{"separator": True} if item is SEPARATOR else item.to_json()
             for item in _list(values, Item, "items")]
    return items or None


def _extra(values: Mapping[str, Any]) -> Mapping[str, Any]:
    for key in values:
        if not key.startswith("x-"):
            raise ValueError(f"extra has the key {key!r}; begin it with x-")
    return values


def _list(values: Any, of: type, name: str) -> Sequence[Any]:
    if isinstance(values, (str, Mapping)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {_said(values)}; expected a list of {of.__name__}")
    values = list(values)
    for index, value in enumerate(values):
        if not isinstance(value, of):
            raise TypeError(f"{name}[{index}] is {_said(value)}; expected {of.__name__}(…)")
    return values


def _at_most(count: int, values: Sequence[Any], name: str) -> None:
    if len(values) > count:
        raise ValueError(f"{name} has {len(values)} elements; at most {count} are allowed")


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
