"""The packed element in other engines: Firefox and, in soak tests, WebKitGTK."""

import io

import packed
import pytest
from marionette import FIREFOX
from PIL import Image
from pictures import coordinates, gradient, jpeg, png
from test_webkit import browser as webkit, pytestmark as needs_webkit

__all__ = ["webkit"]
pytestmark = pytest.mark.thorough
VIEW = "document.querySelector('crop-view')"
PAGE = """<!doctype html><meta charset="utf-8"><title>Somebody's page</title>
<style>crop-view { block-size: 300px; inline-size: 500px }</style>
<script type="module" src="node_modules/crop-view/crop-view.js"></script>
<form method="post" enctype="multipart/form-data">
  <crop-view name="photo" value-type="file" src="photo.jpg"></crop-view><button>Send</button></form>
<crop-view id="two" src="photo.png" crop-style="marquee"></crop-view>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    package = packed.unpacked(tmp_path_factory.mktemp("engines"))
    with packed.serving(package.parents[1]) as server:
        server.pages["/page.html"] = ("text/html", PAGE.encode())
        server.pages["/photo.jpg"] = ("image/jpeg", jpeg(gradient(640, 480)))
        server.pages["/photo.png"] = ("image/png", png(coordinates(600, 400)))
        yield server


@pytest.mark.parametrize("engine", [
    pytest.param("firefox", marks=pytest.mark.skipif(not FIREFOX, reason="needs the package firefox-esr")),
    pytest.param("webkit", marks=needs_webkit),
])
def test_two_elements_are_shown_changed_moved_and_submitted(engine, request, site):
    """Takes long: another browser starts."""
    browser = request.getfixturevalue(engine)
    browser.open(f"{site.address}/page.html")
    browser.wait(f"{VIEW}.complete && {VIEW}.valid && document.querySelector('#two').pictureSize?.width === 600")
    # Setting attributes to the same value changes nothing; setting others applies them.
    browser.run(f"""(() => {{
      const view = {VIEW};
      view.recipe = {{ rect: {{ x: 32, y: 16, width: 160, height: 112 }} }};
      for (let round = 0; round < 100; round += 1) view.setAttribute('aspect-ratio', 'free');
      for (let round = 0; round < 100; round += 1) {{
        const {{ parentNode, nextSibling }} = view;
        view.remove();
        parentNode.insertBefore(view, nextSibling);
      }}
    }})()""")
    assert browser.run(f"{VIEW}.recipe.rect") == {"x": 32, "y": 16, "width": 160, "height": 112}
    assert browser.run(f"{VIEW}.recipe.to('thumbor')") == "32x16:192x128"
    # The user draws on the other one.
    box = browser.run("(({ x, y }) => [x, y])(document.querySelector('#two').getBoundingClientRect())")
    browser.drag((box[0] + 150, box[1] + 80), (box[0] + 330, box[1] + 200))
    rect = browser.wait("document.querySelector('#two').recipe?.rect")
    assert rect["width"] > 100 and rect["height"] > 80
    assert browser.run(f"{VIEW}.recipe.rect.width") == 160
    # The form sends the file.
    browser.click("button")
    browser.wait("document.title === 'Sent'")
    [(name, file, kind, content)] = site.sent[-1]
    assert (name, file, kind) == ("photo", "photo-cropped.jpg", "image/jpeg")
    assert Image.open(io.BytesIO(content)).size == (160, 112)
