"""A session bus and a user manager in one process, for the tests of launches.

    fake-bus.py SOCKET LOG MODE

It speaks D-Bus on the Unix socket SOCKET, starts what StartTransientUnit asks for, and writes one
line of JSON for each call to LOG. MODE is one of:

    manager     the user manager starts services
    nobody      there is a bus, and no user manager
    failing     each job ends with "failed"
    dying       the bus goes away when it is asked to start something
    applications  as manager, and org.example.Viewer is on the bus
    metered     a system bus with a NetworkManager that calls the network metered; guessed, free
"""

import json
import os
import socket
import struct
import subprocess
import sys
import threading

SOCKET, LOG, MODE = sys.argv[1:4]
MANAGER = "org.freedesktop.systemd1"
# The values of NetworkManager's property, by mode.
METERED = {"metered": 1, "guessed": 3, "free": 2}


class Reader:
    """Reads values of little-endian D-Bus messages."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def align(self, size):
        self.at = (self.at + size - 1) // size * size

    def fixed(self, form, size):
        self.align(size)
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += size
        return value

    def text(self, length):
        value = self.data[self.at : self.at + length].decode()
        self.at += length + 1
        return value

    def value(self, signature):
        """Reads one value; returns it and the rest of the signature."""
        kind, rest = signature[0], signature[1:]
        if kind in "so":
            return self.text(self.fixed("I", 4)), rest
        if kind == "g":
            length = self.data[self.at]
            self.at += 1
            return self.text(length), rest
        if kind in "uib":
            return self.fixed("I", 4), rest
        if kind == "y":
            return self.fixed("B", 1), rest
        if kind == "v":
            inner, _ = self.value("g")
            return self.value(inner)[0], rest
        if kind in "({":
            self.align(8)
            values = []
            while rest[0] not in ")}":
                value, rest = self.value(rest)
                values.append(value)
            return values, rest[1:]
        if kind == "a":
            length = self.fixed("I", 4)
            self.align(8 if rest[0] in "({" else 1 if rest[0] in "yg" else 4)
            end, values, after = self.at + length, [], skip(rest)
            while self.at < end:
                values.append(self.value(rest)[0])
            return values, after
        raise ValueError("no such type: " + kind)

    def all(self, signature):
        values = []
        while signature:
            value, signature = self.value(signature)
            values.append(value)
        return values


def skip(signature):
    """Returns the signature behind its first complete type."""
    if signature[0] == "a":
        return skip(signature[1:])
    if signature[0] not in "({":
        return signature[1:]
    depth = 0
    for index, character in enumerate(signature):
        depth += (character in "({") - (character in ")}")
        if depth == 0:
            return signature[index + 1 :]
    raise ValueError("the signature has no end")


def padded(data, size):
    return data + b"\0" * (-len(data) % size)


def string(text):
    encoded = text.encode()
    return struct.pack("<I", len(encoded)) + encoded + b"\0"


def message(kind, serial, fields, signature="", body=b""):
    """Makes a message; `fields` are pairs of a header field's number and its value."""
    array = b""
    if signature:
        fields = fields + [(8, signature)]
    for code, value in fields:
        array = padded(array, 8)
        if code == 5:
            array += bytes([code, 1]) + b"u\0" + struct.pack("<I", value)
        elif code == 8:
            array += bytes([code, 1]) + b"g\0" + bytes([len(value)]) + value.encode() + b"\0"
        else:
            form = b"o" if code == 1 else b"s"
            array += bytes([code, 1]) + form + b"\0" + string(value)
    start = b"l" + bytes([kind, 0 if kind == 1 else 1, 1])
    start += struct.pack("<II", len(body), serial) + struct.pack("<I", len(array))
    return padded(start + array, 8) + body


def strings(*texts):
    body = b""
    for text in texts:
        body = padded(body, 4) + string(text)
    return body


class Peer:
    def __init__(self, connection):
        self.connection, self.serial = connection, 0
        self.processes = {}

    def send(self, kind, fields, signature="", body=b""):
        self.serial += 1
        self.connection.sendall(
            message(kind, self.serial, fields + [(7, ":1.2")], signature, body))

    def answer(self, serial, signature="", body=b""):
        self.send(2, [(5, serial), (6, ":1.1")], signature, body)

    def refuse(self, serial, name, text):
        self.send(3, [(5, serial), (6, ":1.1"), (4, name)], "s", string(text))

    def authenticate(self):
        stream = self.connection.makefile("rb", buffering=0)
        line = b""
        while True:
            byte = stream.read(1)
            if not byte:
                return False
            line = (line + byte).lstrip(b"\0")
            if not line.endswith(b"\r\n"):
                continue
            if line.startswith(b"AUTH"):
                self.connection.sendall(b"OK 0123456789abcdef0123456789abcdef\r\n")
            elif line.startswith(b"DATA"):
                self.connection.sendall(b"OK 0123456789abcdef0123456789abcdef\r\n")
            elif line.startswith(b"NEGOTIATE"):
                self.connection.sendall(b"ERROR\r\n")
            elif line.startswith(b"BEGIN"):
                return True
            line = b""

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.connection.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def serve(self):
        if not self.authenticate():
            return
        try:
            while True:
                head = self.exactly(16)
                body_length, serial, fields_length = struct.unpack_from("<III", head, 4)
                fields = self.exactly(fields_length + (-fields_length % 8))
                body = self.exactly(body_length)
                reader = Reader(head[12:] + b"\0" * 4 + fields)
                # The array's alignment counts from the start of the message.
                reader.at, header = 8, {}
                while reader.at < 8 + fields_length:
                    reader.align(8)
                    code = reader.value("y")[0]
                    header[code] = reader.value("v")[0]
                values = Reader(body).all(header.get(8, ""))
                self.handle(serial, header, values)
        except (EOFError, ConnectionError):
            pass

    def handle(self, serial, header, values):
        member, destination = header.get(3), header.get(6)
        if member == "Hello":
            self.answer(serial, "s", string(":1.1"))
            return
        if member == "RequestName":
            self.answer(serial, "u", struct.pack("<I", 1))
            return
        if member == "GetId":
            self.answer(serial, "s", string("0123456789abcdef0123456789abcdef"))
            return
        if member == "GetNameOwner" and values[0] == MANAGER and MODE != "nobody":
            self.answer(serial, "s", string(":1.2"))
            return
        if member == "GetNameOwner":
            self.refuse(serial, "org.freedesktop.DBus.Error.NameHasNoOwner", "nobody has the name")
            return
        if member in ("AddMatch", "RemoveMatch", "Subscribe"):
            self.answer(serial)
            return
        if member == "Get" and values[1] == "Metered" and MODE in METERED:
            self.answer(serial, "v", b"\1u\0\0" + struct.pack("<I", METERED[MODE]))
            return
        if member == "Get" and values[1] == "Environment" and MODE != "nobody":
            # Each run asks for it; the log is about launches.
            body = b"\2as\0" + struct.pack("<I", 0)
            for item in ("WAYLAND_DISPLAY=wayland-7", "LINES=a\nb", "SECRET_TOKEN=x", "SWAYSOCK=/s=1"):
                body = padded(body, 4) + string(item)
            size = struct.pack("<I", len(body) - 8)
            self.answer(serial, "v", body[:4] + size + body[8:])
            return
        if member == "Get" and values[1] == "Environment":
            self.refuse(serial, "org.freedesktop.DBus.Error.ServiceUnknown", "no user manager")
            return
        with open(LOG, "a", encoding="utf-8") as log:
            log.write(json.dumps({"member": member, "to": destination, "values": values}) + "\n")
        if destination == MANAGER and MODE != "nobody":
            self.manage(serial, member, header, values)
        elif destination == "org.example.Viewer" and MODE == "applications":
            self.answer(serial)
        else:
            self.refuse(
                serial, "org.freedesktop.DBus.Error.ServiceUnknown",
                f"The name {destination} was not provided by any .service files")

    def manage(self, serial, member, header, values):
        if member == "Get":
            process = next(iter(self.processes.values()), None)
            pid = process.pid if process and process.poll() is None else 0
            self.answer(serial, "v", b"\1u\0\0" + struct.pack("<I", pid))
            return
        if MODE == "dying":
            # Else the kernel may end the connection before the listener, and the next client would
            # still come in.
            listener.shutdown(socket.SHUT_RDWR)
            os._exit(0)
        unit, properties = values[0], dict(values[2])
        (program, arguments, flags) = properties["ExecStartEx"][0]
        assert flags == ["no-env-expand"], flags
        result = "failed"
        if MODE != "failing":
            environment = {"HOME": os.environ["HOME"], "PATH": os.environ["PATH"]}
            environment["FROM_THE_MANAGER"] = "yes"
            environment.update(item.split("=", 1) for item in properties["Environment"])
            self.processes[unit] = subprocess.Popen(
                arguments, executable=program, env=environment,
                cwd=properties["WorkingDirectory"], start_new_session=True)
            result = "done"
        self.answer(serial, "o", string("/org/freedesktop/systemd1/job/7"))
        body = struct.pack("<I", 7) + strings("/org/freedesktop/systemd1/job/7")
        for text in (unit, result):
            body = padded(body, 4) + string(text)
        self.send(
            4,
            [(1, "/org/freedesktop/systemd1"), (2, MANAGER + ".Manager"), (3, "JobRemoved")],
            "uoss", body)


listener = socket.socket(socket.AF_UNIX)
# Whoever sees the socket can connect to it.
listener.bind(SOCKET + ".new")
listener.listen(8)
os.rename(SOCKET + ".new", SOCKET)
while True:
    accepted, _ = listener.accept()
    threading.Thread(target=Peer(accepted).serve, daemon=True).start()
