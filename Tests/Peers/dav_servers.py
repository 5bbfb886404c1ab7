"""WebDAV servers over a folder, each running from its creation until `stop`."""

import os
import shutil
import subprocess
import threading
import time
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from cheroot import wsgi
from gallery_server import Line, free_port
from wsgidav.wsgidav_app import WsgiDAVApp

PASSWORD = "a-password-that-nobody-may-see-4712"
TIME = 1_600_000_000


class Files:
    """A server's folder, and the connection to the server."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()

    def write(self, name, data, time=TIME):
        """A file with a separate timestamp."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (time, time))
        return path

    @property
    def files(self):
        """All files, by name."""
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    @property
    def settings(self):
        """The lines of server.toml."""
        return f'[webdav]\nurl = "http://127.0.0.1:{self.line.port}/"\nuser = "anna"\npassword-file = "password"\n'


class Davs(Files):
    """WsgiDAV, in this process."""

    def __init__(self, folder):
        super().__init__(folder)
        app = WsgiDAVApp({
            "provider_mapping": {"/": str(folder)}, "verbose": 0,
            "simple_dc": {"user_mapping": {"*": {"anna": {"password": PASSWORD}}}},
            "logging": {"enable_loggers": []},
        })  # fmt: skip
        self.server = wsgi.Server(("127.0.0.1", 0), app)
        self.server.prepare()
        threading.Thread(target=self.server.serve, daemon=True).start()
        self.line = Line(self.server.bind_addr[1])

    def stop(self):
        self.line.close()
        self.server.stop()


class Careless(Davs):
    """WsgiDAV without conditions."""

    def __init__(self, folder):
        super().__init__(folder)
        self.app, self.server.wsgi_app = self.server.wsgi_app, self.answer

    def answer(self, environ, start_response):
        for name in ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"):
            environ.pop(name, None)
        return self.app(environ, start_response)


class Untagged(Careless):
    """WsgiDAV over a storage that has no ETags; it ignores conditions."""

    def answer(self, environ, start_response):
        def start(status, fields, *rest):
            return start_response(status, [field for field in fields if field[0].lower() != "etag"], *rest)

        return super().answer(environ, start)


class Program(Files):
    """A server in another process."""

    def __init__(self, folder):
        super().__init__(folder)
        if not shutil.which(self.name):
            pytest.skip(f"no {self.name}; it is in Debian's package {self.package}")
        port = free_port()
        self.log = (folder.parent / "log.txt").open("wb")
        self.process = subprocess.Popen(self.command(port), stdout=self.log, stderr=self.log)
        while True:
            assert self.process.poll() is None, (folder.parent / "log.txt").read_text()
            try:
                urlopen(f"http://127.0.0.1:{port}/none").close()
            except HTTPError:
                break
            except OSError:
                time.sleep(0.02)
        self.line = Line(port)

    def stop(self):
        self.line.close()
        self.process.terminate()
        self.process.wait(timeout=300)
        self.log.close()


class Nginx(Program):
    """nginx with `dav_methods`."""

    name, package = "nginx", "nginx-light"

    def command(self, port):
        base = self.folder.parent
        temporary = "".join(f"{name}_temp_path {base}/{name};" for name in ("proxy", "fastcgi", "uwsgi", "scgi"))
        (base / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {base}/pid; error_log stderr; events {{}}\n"
            f"http {{ access_log off; {temporary} client_body_temp_path {base}/body; client_max_body_size 1g;\n"
            f"server {{ listen 127.0.0.1:{port}; root {self.folder};\n"
            "location / { dav_methods PUT DELETE MKCOL COPY MOVE; } } }\n")
        return ["nginx", "-e", "stderr", "-p", base, "-c", base / "nginx.conf"]


class Rclone(Program):
    """rclone; it looks at its folder each time."""

    name, package = "rclone", "rclone"

    def command(self, port):
        return ["rclone", "serve", "webdav", self.folder, "--addr", f"127.0.0.1:{port}", "--user", "anna",
                "--pass", PASSWORD, "--dir-cache-time", "0", "--config", "/dev/null"]  # fmt: skip
