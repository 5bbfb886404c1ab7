"""<crop-preview> shows what <crop-view> would return, without making it."""

import base64
import io

import pytest
from axe_playwright_python.sync_playwright import Axe
from editor import wait_until
from packed import VIEW
from PIL import Image, ImageChops, ImageStat

READY = f"{VIEW}?.complete && {VIEW}.valid && !{VIEW}.state.wantsTicks"
BODY = """<style>crop-preview {{ position: fixed; right: 0; bottom: 0; inline-size: 200px; block-size: 150px }}</style>
  <crop-view id="view" src="photo.png" {more}></crop-view><crop-preview for="view"></crop-preview>"""
PREVIEW = "document.querySelector('crop-preview')"
#: The preview has been drawn.
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"


def shown(page):
    """The preview's pixels."""
    page.evaluate(DRAWN)
    return Image.open(io.BytesIO(page.locator("crop-preview").screenshot())).convert("RGB")


def result(page, size):
    """The pixels of the result, as large as fits into the preview, on white like the page."""
    url = page.evaluate(f"""async () => {{
      const canvas = await {VIEW}.croppedCanvas();
      return canvas.toDataURL();
    }}""")
    image = Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))).convert("RGBA")
    scale = min(size[0] / image.width, size[1] / image.height)
    image = image.resize((round(image.width * scale), round(image.height * scale)), Image.Resampling.BICUBIC)
    whole = Image.new("RGBA", size, "white")
    whole.alpha_composite(image, ((size[0] - image.width) // 2, (size[1] - image.height) // 2))
    return whole


def difference(page):
    """The mean difference of preview and result, 0 to 255."""
    seen = shown(page)
    return sum(ImageStat.Stat(ImageChops.difference(seen, result(page, seen.size).convert("RGB"))).mean) / 3


RECT = "{rect: {x: 120, y: 40, width: 300, height: 200}}"


@pytest.mark.parametrize("more, recipe", [
    ("", RECT),
    ("", "{rect: {x: 120, y: 40, width: 100, height: 300}}"),
    ("", "{rect: {x: 120, y: 40, width: 200, height: 300}, quarterTurns: 1, mirrored: true}"),
    ("", "{rect: {x: 200, y: 100, width: 200, height: 150}, tilt: 12}"),
    ("", "{rect: {x: 120, y: 40, width: 300, height: 200}, output: {maxSide: 64}}"),
    ('shape="ellipse"', RECT.replace("}}", "}, shape: 'ellipse'}")),
    ("", RECT.replace("}}", "}, shape: {roundedRectangle: 40}}")),
    ('canvas="1:1" canvas-margin="10%" canvas-fill="#ff8800"', RECT),
    ('canvas="1:1" canvas-fill="blur"', RECT),
    ('canvas="1:1" canvas-fill="edge" canvas-place="south"', RECT),
    ('crop-style="quad" aspect-ratio="4:3"', """{version: 2, quad: [{x: 60, y: 40}, {x: 520, y: 20}, {x: 580, y: 380},
      {x: 30, y: 330}]}"""),
])
def test_it_shows_the_result(show, more, recipe):
    # The result's pixels are read several times for the color of its edge.
    page = show(BODY.format(more=more), ready=READY, device_scale_factor=1, expects=("willReadFrequently",))
    page.evaluate(f"{VIEW}.recipe = {recipe}")
    # On the screen, the color of the edge is that of fewer pixels.
    limit = 12 if "edge" in more else 4
    # A fill that is made of the crop follows after a pause.
    tries = iter(range(100))
    while (found := difference(page)) >= limit and next(tries, None) is not None:
        pass
    assert found < limit
    # It is not empty.
    assert len(shown(page).getcolors(1 << 20)) > 500


def test_a_drag_costs_a_transform_and_nothing_is_drawn_or_encoded(show):
    page = show(BODY.format(more='aspect-ratio="3:2" crop-style="viewfinder"'), ready=READY)
    page.evaluate(f"{VIEW}.zoomBy(2)")
    wait_until(page, f"!{VIEW}.state.wantsTicks")
    photo = f"{PREVIEW}.shadowRoot.querySelector('.photo')"
    page.evaluate(f"""() => {{
      globalThis.drawn = 0;
      const count = (owner, name) => {{
        const act = owner[name];
        owner[name] = function (...all) {{
          if (this.canvas === {photo} || name !== 'drawImage') drawn += 1;
          return act.apply(this, all);
        }};
      }};
      count(CanvasRenderingContext2D.prototype, 'drawImage');
      count(HTMLCanvasElement.prototype, 'toBlob');
      globalThis.transforms = new Set();
      new MutationObserver(() => transforms.add({photo}.style.transform))
        .observe({PREVIEW}.shadowRoot, {{attributes: true, subtree: true, attributeOldValue: true}});
      globalThis.others = [];
      new MutationObserver((records) => others.push(...records.filter(({{target}}) => target !== {photo})))
        .observe({PREVIEW}.shadowRoot, {{attributes: true, subtree: true}});
    }}""")
    box = page.locator("crop-view").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(12):
        page.mouse.move(x + 5 * step, y + 3 * step)
        page.evaluate(DRAWN)
    assert page.evaluate("[drawn, others.length]") == [0, 0]
    assert page.evaluate("transforms.size") > 8
    page.mouse.up()
    wait_until(page, f"!{VIEW}.state.wantsTicks")
    assert difference(page) < 4


def test_it_stays_sharp_after_zooming_in(show):
    page = show(BODY.format(more=""), ready=READY)
    side = f"{PREVIEW}.shadowRoot.querySelector('.photo').width"
    before = page.evaluate(side)
    page.evaluate(f"{VIEW}.recipe = {{rect: {{x: 10, y: 10, width: 60, height: 45}}}}")
    page.evaluate(DRAWN)
    assert before < page.evaluate(side) == page.evaluate(f"{VIEW}.picture.bitmap.width")


def test_it_finds_the_element_whenever_it_is_added(show):
    page = show('<crop-preview for="view"></crop-preview>', ready="Boolean(customElements.get('crop-preview'))")
    hidden = f"{PREVIEW}.shadowRoot.querySelector('.result').hidden"
    assert page.evaluate(hidden)
    page.evaluate("""() => {
      const view = document.createElement('crop-view');
      Object.assign(view, { id: 'view', src: 'photo.png' });
      document.querySelector('main').append(view);
    }""")
    wait_until(page, f"!{hidden}")
    page.evaluate(f"{VIEW}.unload()")
    wait_until(page, hidden)
    page.evaluate(f"{VIEW}.src = 'photo.jpg'")
    wait_until(page, f"!{hidden}")
    # For another element, or none.
    page.evaluate(f"{PREVIEW}.htmlFor = 'other'")
    assert page.evaluate(f"[{hidden}, {PREVIEW}.getAttribute('for')]") == [True, "other"]
    page.evaluate(f"{PREVIEW}.setAttribute('for', 'view')")
    assert not page.evaluate(hidden)
    page.evaluate(f"{VIEW}.cropStyle = 'marquee'")
    page.evaluate(f"{VIEW}.clear()")
    wait_until(page, hidden)


def test_in_a_shadow_tree_it_shows_the_element_of_that_tree(show):
    page = show("<div></div>", ready="Boolean(customElements.get('crop-preview'))")
    page.evaluate("""() => {
      const root = document.querySelector('div').attachShadow({ mode: 'open' });
      root.innerHTML = '<crop-view id="view" src="photo.png"></crop-view><crop-preview for="view"></crop-preview>';
    }""")
    wait_until(page, """!document.querySelector('div').shadowRoot.querySelector('crop-preview')
      .shadowRoot.querySelector('.result').hidden""")


def test_it_is_an_image_with_a_name_in_the_page_s_language(show):
    page = show(BODY.format(more=""), ready=READY, lang="de")
    wait_until(page, f"{PREVIEW}.shadowRoot.querySelector('[role=img]').ariaLabel === 'Vorschau des Zuschnitts'")
    found = Axe().run(page).response["violations"]
    assert found == [], [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


def test_without_a_size_it_is_a_square_and_shows_nothing_outside(show):
    body = '<crop-view id="view" src="photo.png"></crop-view><crop-preview for="view"></crop-preview>'
    page = show(body, ready=READY)
    box = page.locator("crop-preview").bounding_box()
    assert (box["width"], box["height"]) == (160, 160)
    page.evaluate(f"{PREVIEW}.hidden = true")
    assert page.locator("crop-preview").bounding_box() is None
