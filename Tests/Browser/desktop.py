"""A user's desktop: a separate home folder, in which `cropkit open` finds its browser and its server."""

import os
import pathlib
import signal
import time

from editor import WAIT

BIN = pathlib.Path(os.environ.get("CROPKIT_BIN", pathlib.Path(__file__).resolve().parents[2] / "bin"))
CHROMIUM = os.environ.get("CROPKIT_CHROMIUM", "/usr/bin/chromium")

#: Records what it is asked to open.
NOTING = """#!/bin/sh
printf '%s\\n' "$@" >"{home}/opened.new"
mv "{home}/opened.new" "{home}/opened"
"""

#: A window on the screen that tests can inspect.
SHOWN = """#!/bin/sh
exec {chromium} --no-sandbox --no-first-run --disable-gpu --user-data-dir="{home}/browser" \\
  --remote-debugging-port={port} --window-size=1200,800 --window-position=40,40 "$@"
"""


class Desktop:
    """`port`: the debugging port of a browser that shows opened files; without it, nothing is shown."""

    def __init__(self, home, port=None, display=":99"):
        self.home = pathlib.Path(home)
        self.pictures = self.home / "Pictures"
        for folder in (self.pictures, self.home / "bin", self.home / "run"):
            folder.mkdir(mode=0o700)
        browser = self.home / "bin/chromium"
        browser.write_text((SHOWN if port else NOTING).format(home=home, chromium=CHROMIUM, port=port))
        browser.chmod(0o755)
        (self.home / "bin/cropkit").symlink_to((BIN / "cropkit").resolve())
        self.environment = {
            "PATH": f"{self.home}/bin:/usr/bin:/bin", "HOME": str(home), "DISPLAY": display, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": f"{home}/run", "XDG_DATA_HOME": f"{home}/data", "XDG_CACHE_HOME": f"{home}/cache",
            "XDG_CONFIG_HOME": f"{home}/config",
        }

    def add(self, name, content):
        path = self.pictures / name
        path.write_bytes(content)
        return path

    @property
    def opened(self):
        """The address that the browser was asked to open."""
        end = time.monotonic() + WAIT
        while not (self.home / "opened").exists():
            assert time.monotonic() < end, "no browser was opened"
            time.sleep(0.02)
        return (self.home / "opened").read_text().strip().removeprefix("--app=")

    def processes(self):
        """The processes of this home folder: the server, its workers, a browser."""
        own = f"HOME={self.home}\0".encode()
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and own in (entry / "environ").read_bytes():
                    yield int(entry.name), (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue

    def close(self):
        end = time.monotonic() + WAIT
        while (running := list(self.processes())) and time.monotonic() < end:
            for process, _ in running:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            time.sleep(0.05)
