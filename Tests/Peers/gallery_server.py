"""A CropKit server with galleries in its settings, and a connection that breaks when a test requests it."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from conftest import BIN

TOKEN = "correct-horse-battery"


def free_port():
    """A port that no program listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Served:
    """A server that runs from its creation until `stop`."""

    def __init__(self, folder, settings, secrets=()):
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        for name, secret in [("token", TOKEN), *secrets]:
            (self.folder / name).write_text(secret + "\n")
            (self.folder / name).chmod(0o600)
        (self.folder / "server.toml").write_text(settings)
        self.log = self.folder / "log"
        self.start()

    def start(self):
        """Starts it, or restarts it."""
        self.process = subprocess.Popen(
            [BIN / "cropkit", "serve", "--port", "0", "--config", self.folder / "server.toml", "--library", "none",
             "--token-file", self.folder / "token", "--limit-seconds", "600", "--limit-bytes", "8M", "--log", "debug"],
            stdout=subprocess.PIPE, stderr=self.log.open("ab"), text=True,
            env={**os.environ, "XDG_DATA_HOME": str(self.folder / "data"), "http_proxy": "http://127.0.0.1:9"})  # fmt: skip
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"{line!r}: {self.log.read_text()}"
        self.address = found[0]

    def kill(self):
        """Kills it, as in a power cut."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=300)

    def ask(self, method, path, body=None, **values):
        """The status, the fields and the body of a response."""
        query = urllib.parse.urlencode(values, quote_via=urllib.parse.quote)
        request = urllib.request.Request(
            f"{self.address}{path}" + (f"?{query}" if query else ""), method=method, data=body,
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/octet-stream"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Unled())
        try:
            with opener.open(request, timeout=600) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers, answer.read()

    def open(self, photo):
        """The information that the page gets about a photo that it opens, and its bytes."""
        status, fields, body = self.ask("GET", "api/galleries/original", photo=photo)
        assert status == 200, body
        return json.loads(urllib.parse.unquote(fields["CropKit-Photo"])), body

    def refused(self, photo):
        """The error for a photo that can't be opened."""
        status, _, body = self.ask("GET", "api/galleries/original", photo=photo)
        problem = json.loads(body)
        assert problem["status"] == status
        return problem

    def save(self, opened, way, data, expected=(200, 201)):
        """The response to saving a crop."""
        status, _, body = self.ask(
            "POST", "api/galleries/file", data, photo=opened["photo"], version=opened["version"], **{"as": way})
        assert status in expected, (status, body)
        return json.loads(body)

    def edit(self, opened, recipe, width, height, expected=200):
        """The response to saving a crop as the gallery's own edit."""
        order = json.dumps({"recipe": recipe, "width": width, "height": height}).encode()
        status, _, body = self.ask(
            "POST", "api/galleries/edit", order, photo=opened["photo"], version=opened["version"])
        assert status == expected, body
        return json.loads(body)


class Unled(urllib.request.HTTPRedirectHandler):
    """Follows no redirects."""

    def redirect_request(self, *_):
        return None


class Line:
    """A connection to a server that breaks after this many bytes of a request; never if `most` is None."""

    def __init__(self, port):
        self.target, self.most = port, None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
                for source, sink, most in ((client, server, self.most), (server, client, None)):
                    threading.Thread(target=self.copy, args=(source, sink, most), daemon=True).start()

    @staticmethod
    def copy(source, sink, most):
        left = most
        with contextlib.suppress(OSError):
            while data := source.recv(4096):
                data = data if left is None else data[:left]
                sink.sendall(data)
                if left is not None:
                    left -= len(data)
                    if left == 0:
                        break
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.listener.close()
