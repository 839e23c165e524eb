#!/usr/bin/python3
"""Drives GNOME Shell as a person does, in a session of hers. check-desktop calls it.

Usage: overview.py ACTION...
    type=TEXT          opens the overview, and presses a key for each character
    slowly=TEXT        the same, with time between the keys for the shell to ask each time
    wait=SECONDS       at most so long, until our results are there
    results            prints our results: a list of their names and descriptions
    press=KEY          Return, Escape
    picture=FILE       a picture of the screen, as PNG
    notifications      prints what is in the list of notifications
    mode               prints the mode of the session: user, unlock-dialog
It needs a shell with --unsafe-mode, which runs JavaScript for it.
"""

import json
import sys
import time

from gi.repository import Gio, GLib

KEYS = {"Return": 0xFF0D, "Escape": 0xFF1B}
KEYBOARD = (
    "(global.checkKeyboard ||= imports.gi.Clutter.get_default_backend().get_default_seat()"
    ".create_virtual_device(imports.gi.Clutter.InputDeviceType.KEYBOARD_DEVICE))"
)
RESULTS = """
Main.overview._overview.controls._searchController._searchResults._providers
  .filter(p => p.id === 'org.intentd.Daemon.desktop' && p.display.visible)
  .flatMap(p => p.display._content.get_children().map(child => child.metaInfo))
  .map(({ name, description }) => ({ name, description }))
"""
NOTIFICATIONS = """
Main.messageTray.getSources().flatMap(source => source.notifications)
  .map(({ title, bannerBodyText }) => ({ title, text: bannerBodyText }))
"""

bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def call(path, interface, method, parameters):
    """Return the answer of the shell."""
    return bus.call_sync(
        "org.gnome.Shell", path, interface, method, parameters, None, 0, 20_000, None
    ).unpack()


def evaluate(code):
    """Return the value of a piece of JavaScript."""
    well, text = call(
        "/org/gnome/Shell", "org.gnome.Shell", "Eval", GLib.Variant("(s)", (code,))
    )
    if not well:
        sys.exit(f"overview: {text}")
    return json.loads(text) if text else None


def press(symbol):
    """Press a key and let it go."""
    for state in (1, 0):
        evaluate(f"{KEYBOARD}.notify_keyval(imports.gi.GLib.get_monotonic_time(), {symbol}, {state})")


def type_text(text, pause):
    """Open the overview, and type."""
    evaluate("Main.overview.show()")
    while not evaluate("Main.overview.visible && !Main.overview.animationInProgress"):
        time.sleep(0.1)
    for character in text:
        press(ord(character))
        time.sleep(pause)


def main(arguments):
    for argument in arguments:
        action, _, value = argument.partition("=")
        if action in ("type", "slowly"):
            type_text(value, 0.25 if action == "slowly" else 0.02)
        elif action == "wait":
            end = time.monotonic() + float(value)
            while time.monotonic() < end and not evaluate(RESULTS):
                time.sleep(0.1)
            # The description of a result comes with a second answer; the shell draws after it.
            time.sleep(0.5)
        elif action == "results":
            print(json.dumps(evaluate(RESULTS), ensure_ascii=False))
        elif action == "press":
            press(KEYS[value])
            time.sleep(0.5)
        elif action == "picture":
            call(
                "/org/gnome/Shell/Screenshot",
                "org.gnome.Shell.Screenshot",
                "Screenshot",
                GLib.Variant("(bbs)", (False, False, value)),
            )
        elif action == "notifications":
            print(json.dumps(evaluate(NOTIFICATIONS), ensure_ascii=False))
        elif action == "mode":
            print(evaluate("Main.sessionMode.currentMode"))
        else:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
