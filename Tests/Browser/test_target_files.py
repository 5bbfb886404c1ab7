"""The files that `cropkit targets` writes for pages, in real Chromium: which file a window loads, and what a
CSS rule shows."""

import json
import math
import subprocess

import numpy
import pytest
from conftest import BIN, new_context
from PIL import Image

RATIOS = {"story": (9, 16), "portrait": (4, 5), "square": (1, 1), "wide": (16, 9), "banner": (3, 1)}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A photo whose pixels identify their positions, its targets and the files written for them."""
    folder = tmp_path_factory.mktemp("targets")
    y, x = numpy.mgrid[0:360, 0:480]
    Image.fromarray(numpy.dstack([x // 2, y // 2, (x + y) % 256]).astype(numpy.uint8)).save(folder / "my photo.png")
    targets = [{"name": name, "ratio": f"{w}:{h}"} for name, (w, h) in RATIOS.items()]
    (folder / "targets.json").write_text(json.dumps({"focus": {"x": 0.8, "y": 0.25}, "targets": targets}))
    subprocess.run(
        [BIN / "cropkit", "targets", folder / "my photo.png", "--targets", folder / "targets.json", "-d", folder,
         "--to", "html", "--to", "object-position"], check=True, capture_output=True)
    return folder


@pytest.fixture
def page(chromium):
    context = new_context(chromium)
    yield context.new_page()
    context.close()


@pytest.mark.thorough
def test_a_window_loads_the_file_nearest_to_its_ratio(made, page):
    for width, height in ((300, 900), (400, 640), (600, 640), (900, 640), (1200, 640), (1500, 500), (1600, 300)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto((made / "my photo.html").as_uri())
        page.wait_for_function("document.querySelector('img').complete")
        loaded = page.evaluate("decodeURI(document.querySelector('img').currentSrc)").rsplit("-", 1)[1]
        nearest = min(RATIOS, key=lambda name: abs(math.log(RATIOS[name][0] / RATIOS[name][1] * height / width)))
        assert loaded == f"{nearest}.png", (width, height)
        assert page.evaluate("document.querySelector('img').naturalWidth") > 0


@pytest.mark.parametrize("name", RATIOS)
def test_a_rule_of_css_shows_the_photo_cut_like_the_file(made, page, name):
    with Image.open(made / f"my photo-{name}.png") as image:
        wanted = numpy.asarray(image.convert("RGB")).astype(int)
    height, width = wanted.shape[:2]
    (made / "shown.html").write_text(
        "<!doctype html><link rel=stylesheet href='my%20photo.css'><style>body { margin: 0 } "
        f"img {{ display: block; width: {width}px }}</style><img class={name} src='my%20photo.png'>")
    page.set_viewport_size({"width": 600, "height": 500})
    page.goto((made / "shown.html").as_uri())
    page.wait_for_function("document.querySelector('img').complete")
    path = made / f"shot-{name}.png"
    page.locator("img").screenshot(path=path)
    with Image.open(path) as image:
        shown = numpy.asarray(image.convert("RGB")).astype(int)
    assert shown.shape == wanted.shape
    # The largest rectangle with the ratio exceeds the crop in whole pixels by up to one step; red and green
    # identify positions in steps of two pixels.
    middle = (slice(height // 4, 3 * height // 4), slice(width // 4, 3 * width // 4))
    assert abs(shown[middle][..., :2] - wanted[middle][..., :2]).max() <= 4
