"""The services of a machine and of a desktop, for the tests of the daemon: a client of a real bus.

    fake-machine.py SOCKET COMMANDS LOG

It takes the names of logind, UPower, NetworkManager and the notifications on the bus at SOCKET, does
what the FIFO COMMANDS says, and writes one line of JSON to LOG for each call that matters.

    sleep 1|0       PrepareForSleep
    lock 1|0        LockedHint of the session
    power 1|0       OnBattery
    battery N       Percentage
    metered N       Metered
    click N TOKEN   the notification N is clicked
    hang            no call is answered any more
"""

import json
import os
import socket
import struct
import sys
import threading

SOCKET, COMMANDS, LOG = sys.argv[1:4]
LOGIN, POWER = "org.freedesktop.login1", "org.freedesktop.UPower"
NETWORK, NOTIFICATIONS = "org.freedesktop.NetworkManager", "org.freedesktop.Notifications"
LOGIN_PATH, SESSION = "/org/freedesktop/login1", "/org/freedesktop/login1/session/_31"
PROPERTIES = "org.freedesktop.DBus.Properties"
state = {"lock": 0, "power": 0, "battery": 100, "metered": 2, "hang": 0}


def padded(data, size):
    return data + b"\0" * (-len(data) % size)


def number(value):
    return struct.pack("<I", value)


def string(text):
    encoded = text.encode()
    return number(len(encoded)) + encoded + b"\0"


def message(kind, serial, fields, signature, body):
    array = b""
    for code, value in fields + ([(8, signature)] if signature else []):
        array = padded(array, 8)
        if code in (5, 9):
            array += bytes([code, 1]) + b"u\0" + number(value)
        elif code == 8:
            array += bytes([code, 1]) + b"g\0" + bytes([len(value)]) + value.encode() + b"\0"
        else:
            array += bytes([code, 1]) + (b"o" if code == 1 else b"s") + b"\0" + string(value)
    start = b"l" + bytes([kind, 0, 1]) + number(len(body)) + number(serial) + number(len(array))
    return padded(start + array, 8) + body


class Reader:
    """Reads the simple values of a little-endian message."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def align(self, size):
        self.at = (self.at + size - 1) // size * size

    def number(self):
        self.align(4)
        (value,) = struct.unpack_from("<I", self.data, self.at)
        self.at += 4
        return value

    def text(self, length):
        value = self.data[self.at : self.at + length].decode()
        self.at += length + 1
        return value

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def value(self, kind):
        if kind in "so":
            return self.text(self.number())
        if kind == "g":
            return self.text(self.byte())
        if kind in "uib":
            return self.number()
        raise ValueError("no such type: " + kind)


class Bus:
    def __init__(self):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(SOCKET)
        self.serial, self.lock, self.shown = 0, threading.Lock(), 0
        self.say(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        self.say(b"NEGOTIATE_UNIX_FD\r\n")
        self.connection.sendall(b"BEGIN\r\n")
        self.call("Hello")
        for name in (LOGIN, POWER, NETWORK, NOTIFICATIONS):
            self.call("RequestName", "su", padded(string(name), 4) + number(0))

    def say(self, line):
        self.connection.sendall(line)
        answer = b""
        while not answer.endswith(b"\r\n"):
            answer += self.connection.recv(1)

    def call(self, member, signature="", body=b""):
        name = "org.freedesktop.DBus"
        self.send(1, [(1, "/org/freedesktop/DBus"), (2, name), (3, member), (6, name)],
                  signature, body)

    def send(self, kind, fields, signature="", body=b"", descriptors=()):
        with self.lock:
            self.serial += 1
            data = message(kind, self.serial, fields, signature, body)
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", d))
                      for d in descriptors]
            self.connection.sendmsg([data], rights)

    def emit(self, path, interface, member, signature, body):
        self.send(4, [(1, path), (2, interface), (3, member)], signature, body)

    def changed(self, path, interface):
        body = padded(padded(string(interface), 4) + number(0), 8) + number(0)
        self.emit(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", body)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            more = self.connection.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def serve(self):
        while True:
            head = self.exactly(16)
            body_length, serial, fields_length = struct.unpack_from("<III", head, 4)
            reader = Reader(head + self.exactly(fields_length + (-fields_length % 8)))
            body = Reader(self.exactly(body_length))
            reader.at, header = 16, {}
            while reader.at < 16 + fields_length:
                reader.align(8)
                code = reader.byte()
                header[code] = reader.value(reader.text(reader.byte()))
            if head[1] == 1 and not state["hang"]:
                self.handle(serial, header, body)

    def handle(self, serial, header, body):
        member = header.get(3)
        back = [(5, serial), (6, header[7])]

        def answer(signature="", data=b""):
            self.send(2, back, signature, data)

        if member == "Get":
            interface, name = body.value("s"), body.value("s")
            if name == "Display":
                inner = padded(string("1"), 4) + string(SESSION)
                answer("v", padded(b"\4(so)\0", 8) + inner)
            elif name in ("LockedHint", "OnBattery"):
                value = state["lock" if name == "LockedHint" else "power"]
                answer("v", b"\1b\0\0" + number(value))
            elif name == "Metered":
                answer("v", b"\1u\0\0" + number(state["metered"]))
            elif name == "Percentage":
                answer("v", b"\1d\0\0\0\0\0\0" + struct.pack("<d", state["battery"]))
        elif member == "GetUser":
            answer("o", string(LOGIN_PATH + "/user/_0"))
        elif member == "Inhibit":
            ours, theirs = os.pipe()
            log({"inhibited": [body.value("s") for _ in range(4)]})
            self.send(2, back + [(9, 1)], "h", number(0), [theirs])
            os.close(theirs)
            threading.Thread(target=await_end, args=(ours,), daemon=True).start()
        elif member == "GetCapabilities":
            answer("as", number(len(string("body-markup"))) + string("body-markup"))
        elif member == "Notify":
            _, replaced, _, title, text = [body.value(kind) for kind in "susss"]
            self.shown = replaced or self.shown + 1
            log({"notified": self.shown, "replaced": replaced, "title": title, "text": text})
            answer("u", number(self.shown))
        elif member == "CloseNotification":
            log({"closed": body.value("u")})
            answer("", b"")

    def obey(self, words):
        name, value = words[0], int(words[1]) if len(words) > 1 else 1
        if name == "sleep":
            self.emit(LOGIN_PATH, LOGIN + ".Manager", "PrepareForSleep", "b", number(value))
            return
        if name == "click":
            for member, text in (("ActivationToken", words[2]), ("ActionInvoked", "default")):
                self.emit("/org/freedesktop/Notifications", NOTIFICATIONS, member, "us",
                          number(value) + string(text))
            return
        state[name] = value
        if name == "lock":
            self.changed(SESSION, LOGIN + ".Session")
        elif name == "power":
            self.changed("/org/freedesktop/UPower", POWER)
        elif name == "metered":
            self.changed("/org/freedesktop/NetworkManager", NETWORK)


def log(entry):
    with open(LOG, "a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


def await_end(descriptor):
    os.read(descriptor, 1)
    log({"released": True})


def read_commands(bus):
    while True:
        with open(COMMANDS, encoding="utf-8") as commands:
            for line in commands:
                bus.obey(line.split())


bus = Bus()
threading.Thread(target=read_commands, args=(bus,), daemon=True).start()
try:
    bus.serve()
except (EOFError, ConnectionError):
    pass
