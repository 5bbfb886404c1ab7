"""The main workflow in another engine: WebKitGTK with its WebDriver, by mouse and by keyboard. A soak test."""

import glob
import json
import os
import shutil
import socket
import subprocess
import time

import pytest
from conftest import free_port, serving, signing_in
from editor import WAIT
from PIL import Image
from pictures import gradient, jpeg
from webdriver import DOWN, ENTER, RIGHT, SHIFT, TAB, Browser

DRIVER = shutil.which("WebKitWebDriver")
SCREEN = shutil.which("Xvfb")
VIEW = "document.querySelector('crop-view')"
MINIBROWSER = next(iter(sorted(glob.glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser"))), "")

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not os.environ.get("CROPKIT_SOAK"), reason="runs with CROPKIT_SOAK=1"),
    pytest.mark.skipif(
        not (DRIVER and SCREEN), reason="needs the packages webkit2gtk-driver and xvfb"
    ),
]


def downloads(folder):
    return folder / "Downloads"


@pytest.fixture
def browser(display, tmp_path):
    port = free_port()
    # Downloads go to the folder that the test checks.
    config = tmp_path / "config"
    config.mkdir()
    downloads(tmp_path).mkdir()
    (config / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{downloads(tmp_path)}"\n')
    environment = {
        **os.environ,
        "DISPLAY": display,
        "XDG_CONFIG_HOME": str(config),
        # In a container, there is no user namespace for a sandbox, and no graphics card.
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
        "LIBGL_ALWAYS_SOFTWARE": "1",
    }
    driver = subprocess.Popen(
        [DRIVER, f"--port={port}", "--host=127.0.0.1"], env=environment, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + WAIT
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


def opened(browser):
    """Waits until a photo is open, and returns its crop rectangle."""
    browser.wait(f"{VIEW}.pictureSize?.width === 1200 && {VIEW}.valid && !{VIEW}.state?.wantsTicks")
    return browser.run(f"{VIEW}.recipe.rect")


def framed(browser, whole, hand):
    """Resizes the crop at the bottom-right corner, and returns it."""
    if hand == "keyboard":
        # From the selection to a handle, which arrow keys move, by ten pixels with Shift.
        browser.wait("document.activeElement.localName === 'crop-view'")
        browser.press(TAB, TAB, *[(SHIFT, RIGHT), (SHIFT, DOWN)] * 6)
    else:
        x, y = browser.run(f"(({{ right, bottom }}) => [right, bottom])({VIEW}.selectionBox)")
        browser.drag((x, y), (x - 140, y - 90))
    browser.wait(f"JSON.stringify({VIEW}.recipe.rect) !== {json.dumps(json.dumps(whole, separators=(',', ':')))}"
                 f" && !{VIEW}.state.wantsTicks")
    return browser.run(f"{VIEW}.recipe.rect")


def go_to(browser, text, key):
    """Presses a key repeatedly until the element with this name has the focus."""
    for _ in range(30):
        browser.press(key)
        if browser.run("document.activeElement.textContent.trim()") == text:
            return
    raise AssertionError(f"{text} is no stop")


def size_of(path):
    with Image.open(path) as image:
        return image.size


@pytest.mark.parametrize("hand", ["mouse", "keyboard"])
def test_from_the_album_to_the_saved_crop_in_webkit(browser, tmp_path, hand):
    """Takes long: WebKit starts, with a screen of its own."""
    folder = tmp_path / "Pictures"
    (folder / "Garden").mkdir(parents=True)
    for number in range(6):
        (folder / "Garden" / f"photo-{number}.jpg").write_bytes(jpeg(gradient(1200, 900)))
    with serving("--library", str(folder), home=tmp_path) as address:
        browser.open(signing_in(address))
        browser.wait("document.querySelectorAll('a.photo[data-id] img').length === 6")
        if hand == "mouse":
            browser.click("a.photo[data-id]")
        else:
            browser.run("document.querySelector('a.photo[data-id]').focus()")
            browser.press(RIGHT, ENTER)
        whole = opened(browser)
        rect = framed(browser, whole, hand)
        assert rect != whole
        if hand == "mouse":
            browser.click_text("Crop")
        else:
            browser.press(ENTER)
        browser.find(".toast img")
        [saved] = (folder / "Cropped").iterdir()
        assert size_of(saved) == (rect["width"], rect["height"])
        if hand == "mouse":
            browser.click_text("Undo crop")
        else:
            # The card about the saved file comes before the photo.
            go_to(browser, "Undo crop", (SHIFT, TAB))
            browser.press(ENTER)
        browser.wait("document.querySelector('.toast')?.textContent.includes('in the trash')")
        assert not list((folder / "Cropped").iterdir())


@pytest.mark.parametrize("hand", ["mouse", "keyboard"])
def test_a_file_is_cropped_and_downloaded_in_webkit(browser, tmp_path, hand):
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(jpeg(gradient(1200, 900)))
    with serving("--library", "none") as address:
        browser.open(signing_in(address))
        browser.wait("document.querySelector('#start .primary')?.checkVisibility()")
        browser.put_in("input[type=file]", photo)
        rect = framed(browser, opened(browser), hand)
        if hand == "mouse":
            browser.click_text("Crop")
            browser.click_text("Save")
        else:
            browser.press(ENTER)
            browser.wait("document.querySelector('#result:not([hidden]) a.primary')")
            go_to(browser, "Save", TAB)
            browser.press(ENTER)
        saved = downloads(tmp_path) / "photo-cropped.jpg"
        end = time.monotonic() + WAIT
        while not (saved.exists() and saved.read_bytes().endswith(b"\xff\xd9")):
            assert time.monotonic() < end, list(downloads(tmp_path).iterdir())
            time.sleep(0.1)
        assert size_of(saved) == (rect["width"], rect["height"])
