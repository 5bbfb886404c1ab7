#!/usr/bin/env python3
"""The time from `cropkit open photo.jpg` to the photo in a window of Chromium.

    make build
    .build/venv/bin/python Benchmarks/open.py [ROUNDS]

Cold: neither the server nor the browser is running; the browser's profile has been used before. Warm: both are
running, with another photo open. The photo has 12 megapixels; the time ends when the page can crop it. Each
median is printed with its target. Needs Xvfb.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))
os.environ.setdefault("CROPKIT_BIN", str(ROOT / "bin"))
from conftest import free_port  # noqa: E402
from desktop import BIN, Desktop  # noqa: E402
from pictures import gradient, jpeg  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 7
FRAMED = """document.querySelector('crop-view')?.valid === true
  && document.querySelector('crop-view').accessible.nodes.get(0)?.getBoundingClientRect().width > 0"""


def opened(playwright, desktop, port, name):
    """Seconds until a photo is shown with its crop frame."""
    begin = time.perf_counter()
    subprocess.run([BIN / "cropkit", "open", desktop.pictures / name], env=desktop.environment, check=True)
    while not is_titled(port, name):
        assert time.perf_counter() - begin < 60, f"{name} is never there"
        time.sleep(0.01)
    # A connection that saw the page earlier would query the file that redirected to it.
    browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
    page = next(page for context in browser.contexts for page in context.pages if page.title().startswith(name))
    while not page.evaluate(FRAMED):
        time.sleep(0.01)
    seconds = time.perf_counter() - begin
    browser.close()
    return seconds


def is_titled(port, name):
    """Whether the browser is open and shows a photo."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=10) as answer:
            return any(page["title"].startswith(name) for page in json.load(answer))
    except OSError:
        return False


def ended(desktop):
    """Stops server and browser regularly and waits until they have exited."""
    for process, words in desktop.processes():
        if "--as-server" in words or "--user-data-dir" in words and "--type=" not in words:
            os.kill(process, 15)
    while list(desktop.processes()):
        time.sleep(0.05)


def measured(playwright, desktop, port):
    cold, warm = [], []
    for turn in range(ROUNDS + 1):
        time_cold = opened(playwright, desktop, port, "first.jpg")
        time_warm = opened(playwright, desktop, port, "second.jpg")
        ended(desktop)
        # The first round fills the browser's profile.
        if turn:
            cold.append(time_cold)
            warm.append(time_warm)
    for what, times, target in (("cold", cold, 4), ("warm", warm, 1.5)):
        print(f"{what}  {statistics.median(times):5.2f} s  ({min(times):.2f} to {max(times):.2f})  target {target} s")


with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
    reader, writer = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
        pass_fds=[writer], stderr=subprocess.DEVNULL)
    display = re.sub(rb"\D", b"", os.read(reader, 16)).decode()
    port = free_port()
    desktop = Desktop(home, port, f":{display}")
    try:
        for name in ("first.jpg", "second.jpg"):
            desktop.add(name, jpeg(gradient(4000, 3000)))
        measured(playwright, desktop, port)
    finally:
        desktop.close()
        screen.terminate()
        screen.wait()
