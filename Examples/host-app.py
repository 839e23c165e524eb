#!/usr/bin/env python3
"""A host app whose data changed: reloads all its widgets and prints the receipts.

    host-app.py        takes no arguments; $INTENTD_SOCKET names another socket than the usual one

The whole protocol is one JSON object per line over a Unix socket; any language will do. In Python,
Clients/python/intentd.py does this and more: docs/PYTHON.md.
"""
import json
import os
import signal
import socket
import sys

if sys.argv[1:]:
    print(__doc__.strip(), file=sys.stdout if sys.argv[1:] == ["--help"] else sys.stderr)
    sys.exit(0 if sys.argv[1:] == ["--help"] else 64)

runtime = os.environ.get("XDG_RUNTIME_DIR")
folder = f"{runtime}/intentd" if runtime else f"/tmp/intentd-{os.getuid()}"
path = os.environ.get("INTENTD_SOCKET") or f"{folder}/intentd.sock"
try:
    with socket.socket(socket.AF_UNIX) as daemon:
        daemon.connect(path)
        request = {"jsonrpc": "2.0", "id": 1, "method": "widget.reloadAll", "params": {"wait": True}}
        daemon.sendall(json.dumps(request).encode() + b"\n")
        # Lines without an id are notifications about the state of each reload.
        lines = map(json.loads, daemon.makefile())
        answer = next((line for line in lines if line.get("id") == 1), None)
except OSError as error:
    print(f"host-app: cannot reach the daemon on {path}: {error.strerror}", file=sys.stderr)
    print("  start it with: systemctl --user start intentd.socket", file=sys.stderr)
    sys.exit(69)
if answer is None:
    sys.exit("host-app: the daemon ended before it answered; the reloads may have begun")
if "error" in answer:
    sys.exit(f"host-app: {answer['error']['message']}")
# As in `host-app.py | head`: a reader that is gone ends it without a word.
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
for receipt in answer["result"]["receipts"]:
    print(receipt["widget"], receipt["state"], receipt.get("reason", ""), sep="\t")
