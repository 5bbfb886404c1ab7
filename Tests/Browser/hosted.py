"""The page as static files, in a sub-folder of Python's plain file server."""

import re
import shutil
import subprocess
import sys

import packed

SITE = packed.ROOT / "dist/site"
FOLDER = "people/ada/cropkit/"


class Host:
    """A running file server; `address` is the page's."""

    def __init__(self, room):
        assert SITE.is_dir(), "the site isn't built; run Scripts/site.sh"
        root = room / "public"
        self.site = shutil.copytree(SITE, root / FOLDER)
        self.log = room / "requests"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", root, "0"],
                stdout=subprocess.PIPE, stderr=log, text=True)
        port = re.search(r"port (\d+)", self.process.stdout.readline())[1]
        self.address = f"http://127.0.0.1:{port}/{FOLDER}"

    def requests(self):
        """The path and the status of each request."""
        return [(path, int(status)) for path, status
                in re.findall(r'"[A-Z]+ (\S+) HTTP/[\d.]+" (\d+)', self.log.read_text())]

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
