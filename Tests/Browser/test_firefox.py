"""The main workflow in Firefox: open, frame, crop, save, by mouse, touch and keyboard."""

import json

import numpy
import pytest
from conftest import serving, signing_in
from marionette import FIREFOX, Firefox
from PIL import Image
from pictures import gradient, jpeg
from test_perspective import sheet_on_a_desk
from webdriver import DOWN, ENTER, RIGHT, SHIFT, TAB

pytestmark = [
    pytest.mark.thorough, pytest.mark.skipif(not FIREFOX, reason="needs the package firefox-esr")]

VIEW = "document.querySelector('crop-view')"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    browser = Firefox(tmp_path_factory.mktemp("firefox"))
    yield browser
    browser.close()


@pytest.fixture
def folder(tmp_path):
    garden = tmp_path / "Pictures" / "Garden"
    garden.mkdir(parents=True)
    for number in range(3):
        (garden / f"photo-{number}.jpg").write_bytes(jpeg(gradient(1200, 900)))
    return garden.parent


@pytest.fixture
def address(folder, tmp_path):
    with serving("--library", str(folder), home=tmp_path) as address:
        yield address


def touch(browser, places):
    """Puts a finger down at the first position and lifts it at the last."""
    moves = [{"type": "pointerMove", "duration": 40, "x": round(x), "y": round(y), "origin": "viewport"}
             for x, y in places]
    browser.act([{"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": [
        moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]}])


def middle(browser, selector):
    return browser.run(f"""(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])(
      document.querySelector({selector!r}).getBoundingClientRect())""")


def corner(browser):
    """The bottom-right corner of the crop."""
    return browser.run(f"(({{ right, bottom }}) => [right, bottom])({VIEW}.selectionBox)")


def choose(browser, hand, selector):
    if hand == "mouse":
        browser.click(selector)
    elif hand == "touch":
        touch(browser, [middle(browser, selector)])
    else:
        browser.run(f"document.querySelector('{selector}').focus()")
        browser.press(ENTER)


@pytest.mark.parametrize("hand", ["touch", "keyboard", "mouse"])
def test_from_the_album_to_the_saved_crop_in_firefox(firefox, address, folder, hand):
    """Takes long: Firefox starts, and each command is a round trip."""
    browser = firefox
    browser.open(signing_in(address))
    browser.wait("document.querySelectorAll('a.photo[data-id] img').length === 3")
    choose(browser, hand, "a.photo[data-id]")
    browser.wait(f"{VIEW}.pictureSize?.width === 1200 && {VIEW}.valid && !{VIEW}.state?.wantsTicks")
    whole = browser.run(f"{VIEW}.recipe.rect")
    if hand == "keyboard":
        # From the selection to a handle, which arrow keys move, by ten pixels with Shift.
        browser.run(f"{VIEW}.focus()")
        browser.press(TAB, TAB, *[(SHIFT, RIGHT), (SHIFT, DOWN)] * 6)
    else:
        x, y = corner(browser)
        places = [(x - (140 * part) / 6, y - (90 * part) / 6) for part in range(7)]
        if hand == "mouse":
            browser.drag(places[0], places[-1])
        else:
            touch(browser, places)
    browser.wait(f"['x', 'y', 'width', 'height'].some((side) => {VIEW}.recipe.rect[side] !== ({json.dumps(whole)})[side])")
    browser.wait(f"!{VIEW}.state?.wantsTicks")
    rect = browser.run(f"{VIEW}.recipe.rect")
    assert rect != whole
    choose(browser, hand, "#editor .bar > .primary")
    browser.wait("document.querySelector('.toast')?.textContent.includes('Saved in Cropped')")
    [saved] = (folder / "Cropped").iterdir()
    with Image.open(saved) as image:
        assert image.size == (rect["width"], rect["height"])


def test_corners_are_found_in_firefox_as_in_chromium(firefox, tmp_path):
    """Takes long: Firefox starts. Fine lines become noise if the photo is shrunk carelessly."""
    pixels, quad = sheet_on_a_desk()
    image = Image.fromarray(pixels).resize((3600, 2700), Image.Resampling.BICUBIC)
    lines = numpy.asarray(image).copy()
    lines[::2] = (lines[::2] * 0.8).astype(numpy.uint8)
    (tmp_path / "lib").mkdir()
    Image.fromarray(lines).save(tmp_path / "lib/sheet.jpg", quality=92)
    with serving("--library", str(tmp_path / "lib"), home=tmp_path) as address:
        firefox.open(signing_in(address))
        firefox.wait("document.querySelectorAll('a.photo[data-id] img').length === 1")
        firefox.click("a.photo[data-id]")
        firefox.wait(f"{VIEW}.pictureSize?.width === 3600 && {VIEW}.valid && !{VIEW}.state?.wantsTicks")
        firefox.run(f"{VIEW}.setAttribute('crop-style', 'quad')")
        firefox.click(".corners-buttons .chip")
        firefox.wait(f"{VIEW}.recipe?.quad !== undefined")
        found = [(corner["x"], corner["y"]) for corner in firefox.run(f"{VIEW}.recipe.quad")]
    # As exact as in Chromium: within a hundredth of the width.
    assert numpy.abs(numpy.subtract(found, numpy.multiply(quad, 6))).max() <= 36
