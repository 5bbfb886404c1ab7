"""The real page in Chromium, served by the real server."""

import contextlib
import os
import pathlib
import re
import select
import socket
import subprocess
import tempfile

import packed
import pytest
from albums import first_photo
from editor import WAIT, wait_until
from fake_library import FakeLibrary
from marionette import Firefox
from pictures import coordinates, gradient, jpeg, moving, noise, png
from playwright.sync_api import sync_playwright
from unserved import WEB, Files

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("CROPKIT_BIN", ROOT / "bin"))
CHROMIUM = os.environ.get("CROPKIT_CHROMIUM", "/usr/bin/chromium")
SCREENSHOTS = ROOT / ".build" / "screenshots"

VIEWPORTS = {
    "desk": dict(viewport={"width": 1280, "height": 800}, device_scale_factor=1),
    **{
        name: dict(viewport={"width": width, "height": height}, device_scale_factor=2, has_touch=True, is_mobile=True)
        for name, width, height in [("phone", 390, 780), ("tablet", 820, 1180), ("small", 320, 568)]
    },
}


#: Three viewports in both themes.
LOOKS = [("desk", "dark"), ("phone", "light"), ("small", "dark"), ("desk", "light"), ("phone", "dark"),
         ("small", "light")]

#: The server's access token.
TOKEN = "correct-horse-battery"


#: A short run saves the time of what most tests are not about: motion, the service worker, screenshots. Those that
#: are about it ask for it.
IS_SHORT = not os.environ.get("CROPKIT_TEST_ALL")

#: Tests that this run leaves out.
LEFT_OUT = []


#: As for a user who has opened every section of the panel.
OPEN_SECTIONS = """try {
  localStorage.setItem('cropkit.open', 'pixels shape grid size output frame zoom cover keys');
} catch {}"""


#: Cards that disappear after a while stay, so that a busy machine can look at them.
LASTING_CARDS = """{
  const style = new CSSStyleSheet();
  style.replaceSync('.toast { animation-play-state: paused !important; }');
  document.adoptedStyleSheets.push(style);
}"""


def signing_in(address):
    """The address that signs a browser in and redirects to the page."""
    return f"{address}?token={TOKEN}"


def pytest_deselected(items):
    LEFT_OUT.extend(items)


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = len(LEFT_OUT)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """The summary has the number of tests left out, which only the workers know; each has the same."""
    count = getattr(node, "workeroutput", {}).get("left out", 0)
    node.config.pluginmanager.get_plugin("terminalreporter").stats["deselected"] = [None] * count


@contextlib.contextmanager
def serving(*options, samples=None, home=None, **environment):
    """The address of a running server; without `samples` it shows none, which saves time. It stores its data in
    `home`, or in a temporary folder."""
    with tempfile.TemporaryDirectory() as own:
        token = pathlib.Path(own, "token")
        token.write_text(TOKEN)
        token.chmod(0o600)
        # The devices of the user who runs the tests are not used.
        homes = {f"XDG_{kind.upper()}_HOME": str(pathlib.Path(home or own, kind)) for kind in ("cache", "data")}
        environment = {**os.environ, **homes, **environment}
        options = ["--token-file", token, "--samples", samples or own, *options]
        yield from served(options, environment)


def served(options, environment):
    """Runs a server with the samples, and yields its address."""
    process = subprocess.Popen(
        # Allows for a busy machine.
        [BIN / "cropkit", "serve", "--port", "0", "--limit-seconds", "600", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    try:
        line = process.stdout.readline() if select.select([process.stdout], [], [], WAIT)[0] else ""
        found = re.search(r"http://\S+", line)
        assert found, f"the server said {line!r}"
        yield found.group(0)
    finally:
        process.terminate()
        # Running requests may finish first.
        assert process.wait(timeout=WAIT) == 0


@pytest.fixture(scope="session")
def server():
    """The address of a server with the shipped samples and without a library."""
    with serving("--library", "none", samples=ROOT / "Samples") as address:
        yield address


@pytest.fixture(scope="session")
def playwright():
    """Playwright; there can only be one at a time."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    """One browser for most tests."""
    browser = launched(playwright)
    yield browser
    browser.close()


@pytest.fixture
def with_scrollbars(playwright):
    """A browser whose scrollbars take space, as on Linux; usually Playwright hides them."""
    browser = launched(playwright, ignore_default_args=["--hide-scrollbars"])
    yield browser
    browser.close()


def launched(playwright, **options):
    return playwright.chromium.launch(
        executable_path=CHROMIUM,
        args=[
            "--no-sandbox",
            "--autoplay-policy=no-user-gesture-required",
            # A camera that shows a rotating disc; each test decides whether it may be used.
            "--use-fake-device-for-media-stream",
            # Without windows, nobody can be asked whether it may.
            *(["--use-fake-ui-for-media-stream"] if "headless-shell" in CHROMIUM else []),
        ],
        **options,
    )


def new_context(browser, **options):
    """A browser session without stored data, whose timeouts allow for a busy machine."""
    if IS_SHORT:
        options.setdefault("reduced_motion", "reduce")
    context = browser.new_context(**options)
    context.set_default_timeout(WAIT * 1000)
    return context


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="session")
def display():
    """A virtual screen."""
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
def new_page(chromium):
    """Opens pages, each with separate cookies; an error in one fails the test."""
    contexts, problems = [], []

    def new_page(expects=(), reports=("error", "warning"), browser=chromium, **options):
        """`reports` are the kinds of lines in the console that are errors, `expects` parts of those that are not."""
        context = new_context(browser, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text)
                if message.type in reports and not any(part in message.text for part in expects) else None)
        return page

    yield new_page
    for context in contexts:
        context.close()
    assert not problems, problems


@pytest.fixture
def firefox(tmp_path):
    """A Firefox for one test."""
    browser = Firefox(tmp_path)
    yield browser
    browser.close()


@pytest.fixture
def open_page(new_page, server):
    """Opens the page in a viewport; any error in its console fails the test."""
    def open_page(
        viewport="desk", scheme="light", library=None, path="", expects=(), address=server,
        folded=False, **options
    ):
        """`library` responds to the library's calls; `expects` are parts of expected console messages;
        `folded`: the panel's sections are as on a first visit, otherwise all are open."""
        if library or IS_SHORT:
            # Requests of the service worker can't be intercepted here.
            options.setdefault("service_workers", "block")
        # The console also reports a rejected image as a failed request.
        page = new_page(
            ("responded with a status of 4", *expects), ["error"],
            **{**VIEWPORTS[viewport], "color_scheme": scheme, "accept_downloads": True, **options}
        )
        page.context.request.get(signing_in(address))
        page.add_init_script(LASTING_CARDS)
        if not folded:
            page.add_init_script(OPEN_SECTIONS)
        if library:
            page.route("**/api/**", library.route)
        page.goto(address + path)
        # The page loads before its words; until then it ignores drops, pastes and keys.
        page.locator("main").first.wait_for(state="attached")
        return page

    return open_page


@pytest.fixture
def library():
    """A library of sixty photos, implemented by the test."""
    return FakeLibrary(60)


@pytest.fixture
def real_library(open_page, tmp_path):
    """The page over a real folder with one photo."""
    folder = tmp_path / "Pictures"
    folder.mkdir()
    (folder / "lake.jpg").write_bytes(jpeg(gradient(1200, 800), orientation=6))
    with serving("--library", str(folder), home=tmp_path) as address:
        page = open_page(address=address, service_workers="block")
        first_photo(page)
        yield page, folder, address
        page.close()


@pytest.fixture(scope="session")
def unserved():
    """The address of the page as static files."""
    with packed.serving(WEB, Files) as server:
        yield server.address


@pytest.fixture(params=["served", "alone"])
def opened(request, open_page, unserved):
    """Opens the page, with the server or as static files."""
    def opened(*looks, **options):
        if request.param == "served":
            return open_page(*looks, **options)
        return open_page(*looks, address=unserved, service_workers="block", **options)
    opened.way = request.param
    return opened


@pytest.fixture
def keep(request):
    """Stores a screenshot for visual inspection, unless the run is short."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)

    def keep(page, name):
        if not IS_SHORT:
            page.screenshot(path=SCREENSHOTS / f"{name}.png")

    return keep


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """The element as its users install it."""
    return packed.unpacked(tmp_path_factory.mktemp("consumer"))


@pytest.fixture(scope="session")
def site(package):
    """A server of the folder in which the package is installed."""
    with packed.serving(package.parents[1]) as server:
        server.pages["/page.css"] = ("text/css", b"crop-view { block-size: 400px; inline-size: 600px }")
        server.pages["/photo.png"] = ("image/png", png(coordinates(600, 400)))
        server.pages["/photo.jpg"] = ("image/jpeg", noise(640, 480))
        server.pages["/moving.gif"] = ("image/gif", moving(80, 60))
        server.pages["/broken.jpg"] = ("image/jpeg", b"\xff\xd8 is no picture")
        yield server


@pytest.fixture
def show(new_page, site):
    """Opens a page with this body; any error in its console fails the test, unless it is expected."""
    def show(body, lang="en", script="node_modules/crop-view/crop-view.js", expects=(), html=packed.HTML,
             ready=packed.READY, address=None, **options):
        page = new_page(expects, **options)
        site.pages["/page.html"] = ("text/html", html.format(lang=lang, script=script, body=body).encode())
        page.goto(f"{address or site.address}/page.html")
        if ready:
            wait_until(page, ready)
        return page

    return show
