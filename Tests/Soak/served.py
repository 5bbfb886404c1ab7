"""A server with a separate folder of images, and images to put there."""

import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import time

from soak import BIN


#: The token, and the field that contains it.
TOKEN = "correct-horse-battery"
CREDENTIALS = {"Authorization": f"Bearer {TOKEN}"}


class Served:
    """`with Served(folder) as server:` starts cropkit-server over folder/Photos, next to which it keeps its
    index and thumbnails."""

    def __init__(self, folder, *options, before=(), waits=True, tokens=(TOKEN,)):
        self.folder, self.options, self.before, self.waits = folder, options, before, waits
        self.tokens = tokens
        self.photos = os.path.join(folder, "Photos")
        os.makedirs(self.photos, exist_ok=True)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, value, trace):
        self.stop()

    def start(self):
        environment = dict(
            os.environ, XDG_DATA_HOME=f"{self.folder}/data", XDG_CACHE_HOME=f"{self.folder}/cache",
            XDG_CONFIG_HOME=f"{self.folder}/config")
        self.log = open(f"{self.folder}/server.log", "ab")
        with open(f"{self.folder}/token", "w", opener=lambda *of: os.open(*of, 0o600)) as file:
            file.write("\n".join(self.tokens))
        self.process = subprocess.Popen(
            [*self.before, os.path.join(os.path.abspath(BIN), "cropkit-server"), "--port", "0",
             "--token-file", f"{self.folder}/token", "--library", self.photos, "--log", "warning",
             *self.options],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment)
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        if not found:
            raise RuntimeError(f"the server said {line!r}")
        self.port = int(found[1])
        if self.waits:
            self.wait(lambda: self.get("/api/albums").get("indexing") is None, 600)

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            os.kill(self.number, how)
        status = self.process.wait(300)
        self.process.stdout.close()
        self.log.close()
        return status

    def call(self, method, path, body=None, headers=None, timeout=300):
        """The status and the body of a response; status 0 if the connection failed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            if isinstance(body, dict):
                body = json.dumps(body).encode()
            connection.request(method, path, body, {**CREDENTIALS, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()

    def get(self, path):
        status, body = self.call("GET", path)
        if status != 200:
            raise RuntimeError(f"{path}: {status} {body[:200]!r}")
        return json.loads(body)

    def ask(self, line, host=None, timeout=300):
        """The response to a request that is sent unchanged, by a client with the token."""
        return self.raw(
            f"{line} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\nContent-Length: 0\r\n"
            f"Authorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n".encode(), timeout)

    def raw(self, request, timeout=300):
        """The response to bytes that are sent unchanged."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as connection:
            connection.settimeout(timeout)
            answer = b""
            try:
                connection.sendall(request)
                while part := connection.recv(65536):
                    answer += part
            except OSError:
                pass
            return answer

    def all(self, album="all", limit=1000):
        """All photos of an album, page by page."""
        photos, after = [], ""
        while True:
            page = self.get(f"/api/albums/{album}/photos?limit={limit}{after}")
            photos += page["photos"]
            if not page.get("next"):
                return photos
            after = f"&after={page['next']}"

    def wait(self, is_so, seconds=300):
        end = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > end:
                raise RuntimeError("waited in vain")
            time.sleep(0.02)

    @property
    def number(self):
        """The id of the server's process, which another program may have started."""
        if not self.before:
            return self.process.pid
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return int(file.read().split()[0])

    @property
    def memory(self):
        """The memory of the server in MiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024


def dated(photo, number):
    """The bytes of a JPEG with EXIF and a different capture date for every number."""
    seconds = number % 86400
    text = b"%04d:%02d:%02d %02d:%02d:%02d\0" % (
        2000 + number // 86400 % 25, 1 + number % 12, 1 + number % 28,
        seconds // 3600, seconds // 60 % 60, seconds % 60)
    main = b"II*\0" + struct.pack("<I", 8)
    main += struct.pack("<H", 1) + struct.pack("<HHII", 0x8769, 4, 1, 26) + struct.pack("<I", 0)
    main += struct.pack("<H", 1) + struct.pack("<HHII", 0x9003, 2, 20, 44) + struct.pack("<I", 0)
    block = b"Exif\0\0" + main + text
    segment = b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block
    # After JFIF's segment, if there is one.
    start = 2
    if photo[2:4] == b"\xff\xe0":
        start = 4 + struct.unpack(">H", photo[4:6])[0]
    return photo[:start] + segment + photo[start:]
