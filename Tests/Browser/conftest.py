"""The real page in real Chromium, served by the real server."""

import contextlib
import os
import pathlib
import re
import subprocess

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("CROPKIT_BIN", ROOT / "bin"))
CHROMIUM = os.environ.get("CROPKIT_CHROMIUM", "/usr/bin/chromium")
SCREENSHOTS = ROOT / ".build" / "screenshots"

VIEWPORTS = {
    "desk": dict(viewport={"width": 1280, "height": 800}, device_scale_factor=1),
    "phone": dict(
        viewport={"width": 390, "height": 780},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    ),
    "small": dict(
        viewport={"width": 320, "height": 568},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    ),
}


@contextlib.contextmanager
def serving(*options, **environment):
    """The address of a server that runs meanwhile."""
    process = subprocess.Popen(
        [BIN / "cropkit", "serve", "--port", "0", "--samples", ROOT / "Samples", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"the server said {line!r}"
        yield found.group(0)
    finally:
        process.terminate()
        # Requests that run may end first; the server gives them a minute.
        assert process.wait(timeout=70) == 0


@pytest.fixture(scope="session")
def server():
    """The address of a server with the shipped samples and without a library."""
    with serving("--library", "none") as address:
        yield address


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--autoplay-policy=no-user-gesture-required",
                # A camera that shows a turning disc; who may use it is up to each test.
                "--use-fake-device-for-media-stream",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium, server):
    """Opens the page in a viewport; any error in its console fails the test."""
    contexts, problems = [], []

    def open_page(
        viewport="desk", scheme="light", library=None, path="", expects=(), address=server, **options
    ):
        """`library` answers the library's calls; `expects` are parts of lines the console may say."""
        if library:
            # What the service worker fetches can't be answered from here.
            options.setdefault("service_workers", "block")
        context = chromium.new_context(
            **{**VIEWPORTS[viewport], "color_scheme": scheme, "accept_downloads": True, **options}
        )
        contexts.append(context)
        page = context.new_page()
        if library:
            page.route("**/api/**", library.route)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda message: problems.append(message.text)
            # A refused picture is also a failed request in the console's eyes.
            if message.type == "error"
            and not any(part in message.text for part in ("responded with a status of 4", *expects))
            else None,
        )
        page.goto(address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not problems, problems


@pytest.fixture
def keep(request):
    """Keeps a screenshot where a person can look at it."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)

    def keep(page, name):
        page.screenshot(path=SCREENSHOTS / f"{name}.png")

    return keep
