"""The estimated size of a result beside its quality, and the look at it while the quality is changed."""

import io
import re

import numpy
import pytest
from editor import crop, open_photo, settle, wait_until
from fake_library import FakeLibrary
from PIL import Image

UNITS = {"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "byte": 1, "bytes": 1}


def scene(width, height):
    """A sky over a meadow: the upper half is smooth, the lower one is rough; as a JPEG."""
    rows = numpy.linspace(90, 220, height)[:, None, None].repeat(width, 1).repeat(3, 2)
    rough = numpy.random.default_rng(7).normal(0, 22, (height // 2, width, 3))
    rows[height - height // 2:] += rough
    data = io.BytesIO()
    Image.fromarray(rows.clip(0, 255).astype("uint8")).save(data, "JPEG", quality=95, subsampling=0)
    return data.getvalue()


def frame(page, x, y, width, height):
    page.evaluate("(rect) => { document.querySelector('crop-view').recipe = { version: 1, rect }; }",
                  {"x": x, "y": y, "width": width, "height": height})
    settle(page)


def show_output(page, viewport):
    if viewport != "desk":
        page.get_by_role("button", name="More", exact=True).click()
    page.locator("#editor .estimate").scroll_into_view_if_needed()


def estimate(page):
    """The estimated size in bytes."""
    wait_until(page, "document.querySelector('#editor .estimate').textContent !== ''")
    text = page.locator("#editor .estimate").inner_text()
    number, unit = re.fullmatch(r"About ([\d.,]+)\s?(\w+)", text).groups()
    return float(number.replace(",", "")) * UNITS[unit]


def set_quality(page, value):
    """Moves the slider, as a user drags it."""
    before = page.locator("#editor .estimate").inner_text()
    page.get_by_role("slider", name="Quality").first.evaluate("""(slider, value) => {
      slider.value = value;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }""", value)
    wait_until(page, f"document.querySelector('#editor .estimate').textContent !== {before!r}")


#: Records when the look at the result is shown and hidden; it stays only for a moment.
WATCH = """() => {
  const peek = document.querySelector('#editor .peek');
  globalThis.looks = [];
  new MutationObserver(() => looks.push(!peek.hidden)).observe(peek, { attributes: true, attributeFilter: ['hidden'] });
}"""


@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_the_size_is_known_before_saving_and_follows_the_quality(opened, viewport):
    page = opened(viewport)
    open_photo(page, scene(2400, 1800), "photo.jpg", style=None)
    frame(page, 301, 203, 1801, 1407)
    show_output(page, viewport)
    set_quality(page, 85)
    large = estimate(page)
    set_quality(page, 50)
    small = estimate(page)
    assert small < 0.7 * large
    if viewport != "desk":
        page.get_by_role("button", name="More", exact=True).click()
    blob, _ = crop(page)
    assert 0.7 < len(blob) / small < 1.4


@pytest.mark.thorough
def test_the_middle_is_shown_before_and_after_while_the_quality_changes(open_page):
    page = open_page()
    open_photo(page, scene(1200, 900), "photo.jpg", style=None)
    frame(page, 101, 103, 801, 607)
    show_output(page, "desk")
    page.evaluate(WATCH)
    set_quality(page, 40)
    # It is shown, and disappears after the change.
    wait_until(page, "looks.join() === 'true,false'")
    before, after = page.locator("#editor .peek canvas").evaluate("""(canvas) => {
      // Coarse steps in a smooth sky only come from the encoder.
      const { width, height } = canvas;
      const half = width / 2;
      const changes = (left) => {
        const { data } = canvas.getContext('2d').getImageData(left, height / 2, half - 2, height / 2);
        let sum = 0;
        for (let at = 4; at < data.length; at += 4) sum += Math.abs(data[at] - data[at - 4]);
        return sum / data.length;
      };
      return [changes(0), changes(half + 2)];
    }""")
    assert after < 0.97 * before


@pytest.mark.thorough
def test_a_lossless_crop_has_the_size_of_its_part(open_page):
    page = open_page()
    open_photo(page, scene(1600, 1200), "photo.jpg", style=None)
    frame(page, 160, 160, 800, 640)
    show_output(page, "desk")
    size = estimate(page)
    blob, _ = crop(page)
    assert 0.8 < len(blob) / size < 1.25


@pytest.mark.thorough
def test_other_formats_and_sizes_change_the_estimate(open_page):
    page = open_page()
    data = io.BytesIO()
    Image.open(io.BytesIO(scene(1600, 1200))).save(data, "PNG")
    open_photo(page, data.getvalue(), "photo.png", style=None)
    show_output(page, "desk")
    lossless = estimate(page)
    page.get_by_role("button", name="WebP", exact=True).click()
    wait_until(page, "!/MB/.test(document.querySelector('#editor .estimate').textContent)")
    assert estimate(page) < lossless / 3
    whole = estimate(page)
    page.evaluate("document.querySelector('crop-view').command('longestSide', 400)")
    settle(page)
    page.locator("#editor .estimate").scroll_into_view_if_needed()
    number = "parseFloat(document.querySelector('#editor .estimate').textContent.match(/[\\d.]+/))"
    wait_until(page, f"{number} < {whole / 1e3 / 2}")


def test_a_photo_of_the_library_has_an_estimate(open_page):
    library = FakeLibrary(1)
    photo = library.photos["p0"]
    library.files["p0"] = (None, scene(1600, 1200))
    photo.update(width=1600, height=1200)
    page = open_page(library=library, path="#/photos/p0")
    page.locator("#editor h1", has_text="IMG_4000").wait_for()
    wait_until(page, "document.querySelector('crop-view')?.state?.isJPEG === true")
    show_output(page, "desk")
    assert estimate(page) > 10_000
