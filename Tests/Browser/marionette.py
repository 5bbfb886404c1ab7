"""Firefox, controlled with its remote protocol, Marionette: lengths and JSON over a socket, without other
packages."""

import json
import os
import re
import shutil
import socket
import subprocess
import time

from editor import WAIT
from webdriver import ELEMENT, Browser, Refused

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox(Browser):
    """A Firefox with a separate profile in `folder`: headless, or with windows on an X11 display."""

    def __init__(self, folder, display=None):
        (folder / "user.js").write_text('user_pref("marionette.port", 0);\n')
        self.process = subprocess.Popen(
            [FIREFOX, *([] if display else ["--headless"]), "--marionette", "--no-remote", "--profile", folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "DISPLAY": display} if display else None)
        # Firefox writes the port that it uses to a file.
        port = self.port(folder / "MarionetteActivePort", WAIT)
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT)
        self.stream = self.socket.makefile("rb")
        self.read()
        self.count = 0
        self.ask("WebDriver:NewSession", {})

    def port(self, file, seconds):
        end = time.monotonic() + seconds
        while not (file.exists() and re.fullmatch(r"\d+", file.read_text())):
            assert self.process.poll() is None, "Firefox has ended"
            assert time.monotonic() < end, "Firefox does not listen"
            time.sleep(0.1)
        return int(file.read_text())

    def read(self):
        length = b""
        while (digit := self.stream.read(1)) != b":":
            assert digit, "Firefox has ended"
            length += digit
        return json.loads(self.stream.read(int(length)))

    def ask(self, name, parameters):
        self.count += 1
        message = json.dumps([0, self.count, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, answer = self.read()
        if error:
            raise Refused(error["message"])
        return answer.get("value") if isinstance(answer, dict) else answer

    def open(self, address):
        self.ask("WebDriver:Navigate", {"url": address})

    def run(self, script, *arguments):
        return self.ask("WebDriver:ExecuteScript", {"script": f"return {script}", "args": list(arguments)})

    def find(self, selector):
        self.wait(f"!!document.querySelector({json.dumps(selector)})?.checkVisibility()")
        return self.ask("WebDriver:FindElement", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("WebDriver:ElementClick", {"id": self.find(selector)})

    def act(self, actions):
        self.ask("WebDriver:PerformActions", {"actions": actions})

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
