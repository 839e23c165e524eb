#!/usr/bin/env python3
"""A host app whose data changed: reloads all its widgets and prints the receipts.

The whole protocol is one JSON object per line over a Unix socket; any language will do.
"""
import json
import os
import socket

path = os.environ.get("INTENTD_SOCKET") or os.environ["XDG_RUNTIME_DIR"] + "/intentd/intentd.sock"
with socket.socket(socket.AF_UNIX) as daemon:
    daemon.connect(path)
    request = {"jsonrpc": "2.0", "id": 1, "method": "widget.reloadAll", "params": {"wait": True}}
    daemon.sendall(json.dumps(request).encode() + b"\n")
    # Lines without an id are notifications about the state of each reload.
    answer = next(line for line in map(json.loads, daemon.makefile()) if line.get("id") == 1)
if "error" in answer:
    raise SystemExit(f"host-app: {answer['error']['message']}")
for receipt in answer["result"]["receipts"]:
    print(receipt["widget"], receipt["state"], receipt.get("reason", ""), sep="\t")
