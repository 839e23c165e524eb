"""A headless Chromium, driven over its own protocol on two pipes.

Source: Chrome DevTools Protocol; `--remote-debugging-pipe` ends each message with a zero byte.
"""
import json
import os
import subprocess

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--no-first-run", "--remote-debugging-pipe", "--window-size=900,700"]


class Browser:
    """One browser with one tab."""

    def __init__(self, program, folder):
        commands, answers = os.pipe(), os.pipe()

        def take():
            # Its ends are 3 and 4; the copies lie above both.
            reading, writing = os.dup(commands[0]), os.dup(answers[1])
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, "--user-data-dir=" + folder, "about:blank"], preexec_fn=take,
            close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(commands[0])
        os.close(answers[1])
        self.writing, self.reading = commands[1], answers[0]
        self.received, self.last, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.received:
                piece = os.read(self.reading, 1 << 16)
                if not piece:
                    raise ConnectionError("the browser has ended")
                self.received += piece
            line, _, self.received = self.received.partition(b"\0")
            answer = json.loads(line)
            if answer.get("id") == self.last:
                return answer.get("result", {})

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        return answer.get("result", {}).get("value")

    def stop(self):
        self.process.kill()
        self.process.wait()
        os.close(self.writing)
        os.close(self.reading)
