#!/usr/bin/env python3
"""An HTTP server on loopback that fails in every way that downloads must survive.

    faulty-server.py FOLDER [--tls CERTIFICATE KEY]

It writes its port to FOLDER/port, and one line of JSON for each request to FOLDER/requests. The path
says what happens; a file FOLDER/served/NAME is served at /NAME with an ETag and a date:

    /slow           a byte a second           /hang          no answer at all
    /cut            half of the body          /short         fewer bytes than announced
    /huge           32 MiB, announced         /endless       bytes without an end, chunked
    /bomb           a MiB of zeroes, packed   /head          endless headers
    /redirect/N     N redirects, then /file   /loop          a redirect to itself
    /to?URL         a redirect to URL         /nowhere       a redirect without a place
    /status/N       the status N              /after/N/TEXT  status N, Retry-After: TEXT
    /html           a page                    /empty         no byte
    /garbage        no HTTP                   /closed        the connection ends at once
    /date           no ETag, Last-Modified    /plain         neither of both
    /same           200 with the same body each time, no ETag
    /flaky/N        N times 500, then /file
"""

import email.utils
import gzip
import hashlib
import http.server
import json
import os
import ssl
import sys
import threading
import time
import urllib.parse

FOLDER = sys.argv[1]
LOCK = threading.Lock()
COUNTS = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self):
        with LOCK:
            COUNTS[self.path] = COUNTS.get(self.path, 0) + 1
            with open(FOLDER + "/requests", "a", encoding="utf-8") as file:
                headers = {name.lower(): value for name, value in self.headers.items()}
                line = {"path": self.path, "client": self.client_address[1], "headers": headers}
                file.write(json.dumps(line) + "\n")
            return COUNTS[self.path]

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end(self):
        self.close_connection = True

    def do_GET(self):
        count = self.note()
        parts = urllib.parse.unquote(self.path).split("?")[0].split("/")[1:]
        action = getattr(self, "do_" + parts[0], None)
        try:
            if action is not None and parts[0] != "GET":
                action(parts[1:], count)
            else:
                self.serve_file("/".join(parts))
        except (BrokenPipeError, ConnectionResetError):
            self.end()

    def serve_file(self, name, with_tag=True, with_date=True):
        path = FOLDER + "/served/" + os.path.basename(name)
        try:
            with open(path, "rb") as file:
                body = file.read()
        except FileNotFoundError:
            return self.answer(404, b"no such file")
        headers = {"Content_Type": "application/json" if name.endswith(".json") else "text/plain"}
        tag = '"' + hashlib.sha256(body).hexdigest()[:16] + '"'
        date = email.utils.formatdate(int(os.stat(path).st_mtime), usegmt=True)
        if with_tag:
            headers["ETag"] = tag
        if with_date:
            headers["Last_Modified"] = date
        matches = self.headers.get("If-None-Match")
        if with_tag and matches == tag:
            return self.answer(304, **headers)
        if with_date and matches is None and self.headers.get("If-Modified-Since") == date:
            return self.answer(304, **headers)
        return self.answer(200, body, **headers)

    def do_date(self, _, __):
        self.serve_file("file", with_tag=False)

    def do_plain(self, _, __):
        self.serve_file("file", with_tag=False, with_date=False)

    def do_same(self, _, __):
        self.answer(200, b"the same each time\n", Content_Type="text/plain")

    def do_slow(self, _, __):
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        for _ in range(600):
            self.wfile.write(b".")
            self.wfile.flush()
            time.sleep(1)

    def do_hang(self, _, __):
        time.sleep(600)

    def do_cut(self, _, __):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"5\r\nhalf \r\n")
        self.wfile.flush()
        self.end()

    def do_short(self, _, __):
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(b"ten bytes.")
        self.wfile.flush()
        self.end()

    def do_huge(self, _, __):
        self.send_response(200)
        self.send_header("Content-Length", str(32 << 20))
        self.end_headers()
        for _ in range(32):
            self.wfile.write(bytes(1 << 20))

    def do_endless(self, _, __):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.wfile.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")

    def do_bomb(self, _, __):
        self.answer(200, gzip.compress(bytes(1 << 20)), Content_Encoding="gzip")

    def do_head(self, _, __):
        self.send_response(200)
        for number in range(100000):
            self.send_header("X-Line-%d" % number, "x" * 1000)
            if number % 10 == 0:
                self.flush_headers()
        self.end_headers()

    def place(self, path):
        kind = "https" if TLS else "http"
        return "%s://%s%s" % (kind, self.headers["Host"], path)

    def do_redirect(self, parts, _):
        left = int(parts[0])
        self.answer(302, Location="/redirect/%d" % (left - 1) if left > 1 else "/file")

    def do_loop(self, _, __):
        self.answer(301, Location=self.place("/loop"))

    def do_to(self, _, __):
        self.answer(307, Location=self.path.split("?", 1)[1])

    def do_nowhere(self, _, __):
        self.answer(302)

    def do_status(self, parts, _):
        self.answer(int(parts[0]), b"words about it")

    def do_after(self, parts, _):
        text = parts[1]
        if text.startswith("date+"):
            text = email.utils.formatdate(time.time() + int(text[5:]), usegmt=True)
        self.answer(int(parts[0]), Retry_After=text)

    def do_flaky(self, parts, count):
        if count <= int(parts[0]):
            self.answer(500)
        else:
            self.serve_file("file")

    def do_html(self, _, __):
        self.answer(200, b"<p>sign in</p>", Content_Type="text/html; charset=utf-8")

    def do_empty(self, _, __):
        self.answer(200, b"", Content_Type="text/plain")

    def do_garbage(self, _, __):
        self.wfile.write(b"220 mail.example.org ready\r\n")
        self.end()

    def do_closed(self, _, __):
        self.end()


TLS = "--tls" in sys.argv
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if TLS:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[sys.argv.index("--tls") + 1 :][:2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
os.makedirs(FOLDER + "/served", exist_ok=True)
# Whoever sees the file can connect.
with open(FOLDER + "/port.new", "w", encoding="utf-8") as port:
    port.write(str(server.server_address[1]))
os.rename(FOLDER + "/port.new", FOLDER + "/port")
server.serve_forever()
