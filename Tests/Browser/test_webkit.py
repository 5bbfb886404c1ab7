"""The main path in another engine: WebKitGTK, driven through its own driver. Part of the soak."""

import os
import re
import shutil
import socket
import subprocess
import time

import pytest
from conftest import serving
from PIL import Image
from pictures import gradient, jpeg
from webdriver import Browser

DRIVER = shutil.which("WebKitWebDriver")
SCREEN = shutil.which("Xvfb")
MINIBROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"

pytestmark = [
    pytest.mark.skipif(not os.environ.get("CROPKIT_SOAK"), reason="runs with CROPKIT_SOAK=1"),
    pytest.mark.skipif(
        not (DRIVER and SCREEN), reason="needs the packages webkit2gtk-driver and xvfb"
    ),
]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="module")
def display():
    """A screen that nobody sees."""
    reader, writer = os.pipe()
    screen = subprocess.Popen(
        [SCREEN, "-displayfd", str(writer), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    number = re.sub(rb"\D", b"", os.read(reader, 16)).decode()
    yield f":{number}"
    screen.terminate()
    screen.wait()


@pytest.fixture
def browser(display):
    port = free_port()
    environment = {
        **os.environ,
        "DISPLAY": display,
        # There is no user namespace to build a sandbox from in a container, and no graphics card.
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
        "LIBGL_ALWAYS_SOFTWARE": "1",
    }
    driver = subprocess.Popen(
        [DRIVER, f"--port={port}", "--host=127.0.0.1"], env=environment, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 20
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        assert time.monotonic() < end, "the driver does not listen"
        time.sleep(0.1)
    options = {"webkitgtk:browserOptions": {"binary": MINIBROWSER, "args": ["--automation"]}}
    browser = Browser(f"http://127.0.0.1:{port}", options)
    yield browser
    browser.close()
    driver.terminate()
    driver.wait()


def test_from_the_album_to_the_saved_crop_in_webkit(browser, tmp_path):
    folder = tmp_path / "Pictures"
    (folder / "Garden").mkdir(parents=True)
    for number in range(6):
        (folder / "Garden" / f"photo-{number}.jpg").write_bytes(jpeg(gradient(1200, 900)))
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CACHE", "DATA")}
    with serving("--library", str(folder), **homes) as address:
        browser.open(address)
        browser.wait("document.querySelectorAll('a.photo[data-id] img').length === 6")
        browser.click("a.photo[data-id]")
        browser.wait("document.querySelector('crop-view').pictureSize?.width === 1200")
        browser.wait("!document.querySelector('crop-view').state?.wantsTicks")
        browser.click_text("Marquee")
        box = browser.run("""(() => {
          const box = document.querySelector('crop-view').getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        })()""")
        browser.drag((box[0] - 100, box[1] - 80), (box[0] + 120, box[1] + 60))
        rect = browser.wait("document.querySelector('crop-view').recipe?.rect")
        browser.click_text("Crop")
        browser.find(".toast img")
        saved = [path for path in (folder / "Cropped").iterdir()]
        assert len(saved) == 1
        with Image.open(saved[0]) as image:
            assert image.size == (rect["width"], rect["height"])
        browser.click_text("Undo")
        browser.wait("document.querySelector('.toast')?.textContent.includes('in the trash')")
        assert not list((folder / "Cropped").iterdir())
