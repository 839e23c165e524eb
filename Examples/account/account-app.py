#!/usr/bin/env python3
"""The app of the account widget: logs in and out, and reloads its widgets.

    account-app.py login NAME [UNREAD]    writes the login into the common folder, then reloads
    account-app.py logout                 removes it, then reloads
    account-app.py watch                  prints what becomes of its widgets, until Ctrl-C

The whole protocol is one JSON object per line over a Unix socket; any language will do.
"""
import json
import os
import signal
import socket
import sys

APP = "org.intentd.example.Account"
GROUP = "org.intentd.example.account"
KIND = "org.intentd.example.account"


def main(words):
    if words == ["--help"]:
        print(__doc__.strip())
        return 0
    is_login = words[:1] == ["login"] and (
        len(words) == 2 or len(words) == 3 and words[2].isascii() and words[2].isdigit())
    if not is_login and words not in (["logout"], ["watch"]):
        print(__doc__.strip(), file=sys.stderr)
        return 64
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = f"{runtime}/intentd" if runtime else f"/tmp/intentd-{os.getuid()}"
    path = os.environ.get("INTENTD_SOCKET") or f"{folder}/intentd.sock"
    try:
        with socket.socket(socket.AF_UNIX) as daemon:
            daemon.connect(path)
            return serve(daemon, words)
    except OSError as error:
        print(f"account-app: {path}: {error.strerror}", file=sys.stderr)
        print("  start the daemon with: systemctl --user start intentd.socket", file=sys.stderr)
        return 69


def serve(daemon, words):
    lines = map(json.loads, daemon.makefile())

    def call(method, params):
        daemon.sendall(json.dumps(
            {"jsonrpc": "2.0", "id": method, "method": method, "params": params}).encode() + b"\n")
        answer = next((line for line in lines if line.get("id") == method), None)
        if answer is None:
            sys.exit("account-app: the daemon ended before it answered")
        if "error" in answer:
            sys.exit(f"account-app: {answer['error']['message']}")
        return answer["result"]

    registered = call("app.register", {"app": APP, "foreground": True})
    if words == ["watch"]:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for widget in registered["widgets"]:
            print("there", widget["id"], widget["family"], flush=True)
        for line in lines:
            if line.get("method") == "app.widgetsChanged":
                for change in line["params"]["changes"]:
                    widget = change["widget"]
                    print(change["change"], widget["id"], widget["family"], flush=True)
        return 0
    group = registered.get("groups", {}).get(GROUP)
    if group is None:
        sys.exit(f"account-app: no manifest of {APP} has the group {GROUP}; is the widget there?")
    login = os.path.join(group, "login.json")
    if words[0] == "login":
        # A new file with another name, on the disk, then its right name: whoever reads gets the old
        # login or the new one, whenever this program ends.
        part = os.path.join(group, f".login.{os.getpid()}")
        with open(part, "w", encoding="utf-8") as file:
            json.dump({"user": words[1], "unread": int(words[2]) if words[2:] else 0}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, login)
    else:
        try:
            os.remove(login)
        except FileNotFoundError:
            pass
    for receipt in call("widget.reload", {"kind": KIND, "wait": True})["receipts"]:
        print(receipt["widget"], receipt["state"], receipt.get("reason", ""), sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
