"""The packed element in other engines: Firefox and, in soak tests, WebKitGTK."""

import io
import re
import time

import packed
import pytest
from editor import WAIT
from marionette import FIREFOX
from PIL import Image
from pictures import coordinates, gradient, jpeg, png
from test_frameworks import chromium_page
from test_webkit import browser as webkit, pytestmark as needs_webkit

__all__ = ["chromium_page", "webkit"]
pytestmark = pytest.mark.thorough
VIEW = "document.querySelector('crop-view')"
PAGE = """<!doctype html><meta charset="utf-8"><title>Somebody's page</title>
<style>crop-view { block-size: 300px; inline-size: 500px }</style>
<script type="module" src="node_modules/crop-view/crop-view.js"></script>
<form method="post" enctype="multipart/form-data">
  <crop-view name="photo" value-type="file" src="photo.jpg"></crop-view><button>Send</button></form>
<crop-view id="two" src="photo.png" crop-style="marquee"></crop-view>"""


#: The README's form, which has no script.
FORM = re.search(r"^    (<form.*?</form>)$", (packed.ROOT / "Web/Package/README.md").read_text(), re.M | re.S)[1]
FORM_PAGE = f"""<!doctype html><meta charset="utf-8"><title>A form</title>
<style>crop-view {{ block-size: 300px; inline-size: 500px }}</style>
<script type="module" src="node_modules/crop-view/crop-view.js"></script>{FORM}"""
FOCUSED = f"document.activeElement === {VIEW} && {VIEW}.shadowRoot.activeElement?.className"
VALIDITY = f"""(({{ valueMissing, rangeUnderflow, customError, valid }}) =>
  [valueMissing, rangeUnderflow, customError, valid, {VIEW}.validationMessage])({VIEW}.validity)"""

ENGINES = [
    pytest.param("firefox", marks=pytest.mark.skipif(not FIREFOX, reason="needs the package firefox-esr")),
    pytest.param("webkit", marks=needs_webkit),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    package = packed.unpacked(tmp_path_factory.mktemp("engines"))
    with packed.serving(package.parents[1]) as server:
        server.pages["/page.html"] = ("text/html", PAGE.encode())
        server.pages["/photo.jpg"] = ("image/jpeg", jpeg(gradient(640, 480)))
        server.pages["/photo.png"] = ("image/png", png(coordinates(600, 400)))
        server.pages["/me.jpg"] = ("image/jpeg", jpeg(gradient(1200, 900)))
        server.pages["/broken.jpg"] = ("image/jpeg", b"\xff\xd8 is no photo")
        yield server


@pytest.mark.parametrize("engine", ENGINES)
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


@pytest.mark.parametrize("engine", ["chromium_page", *ENGINES])
def test_the_form_in_the_readme_works_without_a_script(engine, request, site):
    """Takes long: other browsers start."""
    browser = request.getfixturevalue(engine)
    sent = len(site.sent)

    def opened(change, ready="complete"):
        site.pages["/form.html"] = ("text/html", change(FORM_PAGE).encode())
        browser.open(f"{site.address}/form.html")
        browser.wait(f"!!({VIEW}?.complete && {VIEW}.{ready})")

    def refused(part, *expected):
        """The user presses the button, and the focus is where the browser shows the message."""
        browser.wait(f"!document.querySelector('crop-view').state?.wantsTicks && {VIEW}.anchor.className === '{part}'")
        browser.click("button")
        browser.wait(f"{FOCUSED} === '{part}'")
        assert browser.run(VALIDITY) == list(expected)
        assert browser.run("document.title") == "A form" and len(site.sent) == sent

    opened(lambda page: page.replace(' src="me.jpg"', ""))
    refused("status", True, False, False, False, "Choose a photo.")
    opened(lambda page: page.replace("me.jpg", "broken.jpg"))
    refused("status", True, False, False, False, "This photo can’t be shown.")
    opened(lambda page: page.replace(" required", ' required crop-style="marquee"'))
    refused("picture", True, False, False, False, "Select an area to crop.")
    opened(lambda page: page.replace(" required", ' required min-size="2000x2000"'), "valid")
    refused("selection", False, True, False, False, "Too small: the crop must have at least 2,000 × 2,000 pixels.")
    opened(lambda page: page.replace(" required", ' required max-bytes="100"'), "valid")
    browser.click("button")
    browser.wait(f"{VIEW}.validity.customError")
    assert browser.run(VALIDITY) == [
        False, False, True, False, "The file would be too large. Select a smaller part of the photo."]
    browser.wait(f"{FOCUSED} === 'selection'")
    assert len(site.sent) == sent

    opened(lambda page: page, "valid")
    assert browser.run(VALIDITY) == [False, False, False, True, ""]
    browser.click("button")
    end = time.monotonic() + WAIT
    while len(site.sent) == sent:
        assert time.monotonic() < end, browser.run(VALIDITY)
        time.sleep(0.1)
    [(name, file, kind, content)] = site.sent[-1]
    assert (name, file, kind) == ("avatar", "me-cropped.jpg", "image/jpeg")
    assert Image.open(io.BytesIO(content)).size == (512, 512)
