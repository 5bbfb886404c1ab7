"""The real page in real Chromium, served by the real server."""

import collections
import contextlib
import os
import pathlib
import re
import socket
import subprocess
import tempfile

import packed
import pytest
from editor import wait_until
from fake_library import FakeLibrary
from pictures import coordinates, moving, noise, png
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
    "tablet": dict(
        viewport={"width": 820, "height": 1180},
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


#: Three viewports in both themes.
LOOKS = [("desk", "dark"), ("phone", "light"), ("small", "dark"), ("desk", "light"), ("phone", "dark"),
         ("small", "light")]

#: What a browser must know to be let in.
TOKEN = "correct-horse-battery"


#: As somebody has them who has opened every section of the panel.
OPEN_SECTIONS = """try {
  localStorage.setItem('cropkit.open', 'pixels shape grid size output frame zoom cover keys');
} catch {}"""


def signing_in(address):
    """The address that signs a browser in and leads on to the page."""
    return f"{address}?token={TOKEN}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of a test with many parameters the first two are tried soon: the most telling ones stand first."""
    tried = collections.Counter()
    for item in items:
        test = item.nodeid.split("[")[0]
        tried[test] += 1
        if tried[test] > 2:
            item.add_marker(pytest.mark.thorough)


@contextlib.contextmanager
def serving(*options, samples=None, **environment):
    """The address of a server that runs meanwhile; without `samples` it has none to show, which takes time."""
    with tempfile.TemporaryDirectory() as home:
        token = pathlib.Path(home, "token")
        token.write_text(TOKEN)
        token.chmod(0o600)
        # The devices of whoever runs the tests are none of theirs.
        environment = {**os.environ, "XDG_DATA_HOME": home, **environment}
        options = ["--token-file", token, "--samples", samples or pathlib.Path(home), *options]
        yield from served(options, environment)


def served(options, environment):
    """Runs a server with the samples, and yields its address."""
    process = subprocess.Popen(
        # A busy machine may take its time.
        [BIN / "cropkit", "serve", "--port", "0", "--limit-seconds", "600", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    try:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"the server said {line!r}"
        yield found.group(0)
    finally:
        process.terminate()
        # Requests that run may end first; the server gives them a minute, a busy machine takes longer.
        assert process.wait(timeout=600) == 0


@pytest.fixture(scope="session")
def server():
    """The address of a server with the shipped samples and without a library."""
    with serving("--library", "none", samples=ROOT / "Samples") as address:
        yield address


@pytest.fixture(scope="session")
def playwright():
    """What drives browsers; there can be one at a time."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    """One browser for all tests."""
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


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="session")
def display():
    """A screen that nobody sees."""
    reader, writer = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    number = re.sub(rb"\D", b"", os.read(reader, 16)).decode()
    yield f":{number}"
    screen.terminate()
    screen.wait()


@pytest.fixture
def open_page(chromium, server):
    """Opens the page in a viewport; any error in its console fails the test."""
    contexts, problems = [], []

    def open_page(
        viewport="desk", scheme="light", library=None, path="", expects=(), address=server,
        folded=False, **options
    ):
        """`library` answers the library's calls; `expects` are parts of lines the console may say;
        `folded`: the panel's sections are as a first visit has them, else all are open."""
        if library:
            # What the service worker fetches can't be answered from here.
            options.setdefault("service_workers", "block")
        context = chromium.new_context(
            **{**VIEWPORTS[viewport], "color_scheme": scheme, "accept_downloads": True, **options}
        )
        contexts.append(context)
        # A busy machine may take its time.
        context.set_default_timeout(90_000)
        context.request.get(signing_in(address))
        page = context.new_page()
        if not folded:
            page.add_init_script(OPEN_SECTIONS)
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
        # The page has loaded before its words have; what is dropped, pasted or typed until then is not heard.
        page.locator("main").first.wait_for(state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not problems, problems


@pytest.fixture
def library():
    """Sixty photos, which the test answers for."""
    return FakeLibrary(60)


@pytest.fixture
def keep(request):
    """Keeps a screenshot where a person can look at it."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)

    def keep(page, name):
        page.screenshot(path=SCREENSHOTS / f"{name}.png")

    return keep


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """The element as others install it."""
    return packed.unpacked(tmp_path_factory.mktemp("consumer"))


@pytest.fixture(scope="session")
def site(package):
    """A server of the folder in which the package is installed."""
    server = packed.serve(package.parents[1])
    server.pages["/page.css"] = ("text/css", b"crop-view { block-size: 400px; inline-size: 600px }")
    server.pages["/photo.png"] = ("image/png", png(coordinates(600, 400)))
    server.pages["/photo.jpg"] = ("image/jpeg", noise(640, 480))
    server.pages["/moving.gif"] = ("image/gif", moving(80, 60))
    server.pages["/broken.jpg"] = ("image/jpeg", b"\xff\xd8 is no picture")
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def show(chromium, site):
    """Opens a page with a body; any error in its console fails the test unless it is expected."""
    contexts, problems = [], []

    def show(body, lang="en", script="node_modules/crop-view/crop-view.js", expects=(), html=packed.HTML,
             ready=packed.READY, address=None, **options):
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text)
                if message.type in ("error", "warning")
                and not any(part in message.text for part in expects) else None)
        site.pages["/page.html"] = ("text/html", html.format(lang=lang, script=script, body=body).encode())
        page.goto(f"{address or site.address}/page.html")
        if ready:
            wait_until(page, ready)
        return page

    yield show
    for context in contexts:
        context.close()
    assert not problems, problems
