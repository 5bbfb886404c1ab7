"""The packed element with invalid requests and transformed layouts: it reports an error, or it works."""

import json
import subprocess

import pytest
from conftest import BIN
from editor import wait_until
from packed import VIEW
from PIL import Image

PHOTO = '<crop-view src="photo.png"></crop-view>'


def rejected(page, call):
    """The name and message of what a call rejects with or throws; None if it does neither."""
    return page.evaluate(f"""async () => {{
      const view = {VIEW};
      try {{
        await ({call});
        return null;
      }} catch (error) {{
        return [error.name, error.message];
      }}
    }}""")


@pytest.mark.parametrize("options, words", [
    ("{type: 'image/avif'}", 'type takes image/jpeg, image/png, image/webp, not "image/avif"'),
    ("{type: 'image/gif'}", 'type takes image/jpeg, image/png, image/webp, not "image/gif"'),
    ("{quality: 90}", "quality takes a number from 0 to 1, not 90"),
    ("{quality: -0.1}", "quality takes a number from 0 to 1, not -0.1"),
    ("{quality: '0.9'}", 'quality takes a number from 0 to 1, not "0.9"'),
    ("{maxBytes: 0}", "maxBytes takes a number more than 0, not 0"),
    ("{maxSide: 0.5}", "maxSide takes a whole number of pixels, 1 or more, not 0.5"),
    ("{hdr: 'lose'}", 'hdr takes keep, drop, not "lose"'),
    ("{strip: 'gps'}", 'strip takes all, location, not "gps"'),
    ("{lossless: 'yes'}", 'lossless takes never, exact, snap, strict, outward, true or false, not "yes"'),
    ("{background: 'whitish'}", 'background takes a CSS color, not "whitish"'),
    ("{tpye: 'image/png'}", 'there is no option "tpye"; expected one of type, quality, maxBytes, background, maxSide, '
     "dpi, lossless, hdr, strip, canvas, margin, place, fill, signal"),
    ("{canvas: '1'}", 'canvas takes WIDTH:HEIGHT or WIDTHxHEIGHT, such as 1:1 or 1080x1080, not "1"'),
    ("{canvas: '0x5'}", 'canvas takes WIDTH:HEIGHT or WIDTHxHEIGHT, such as 1:1 or 1080x1080, not "0x5"'),
    ("{canvas: '70000x5'}", "the canvas would be larger than 65535 pixels per side; choose a smaller one"),
    ("{canvas: '1:1', margin: '5px'}", 'margin takes pixels or a percentage of at least 0 and below 50%, such as 40 or 5%, '
     'not "5px"'),
    ("{margin: '50%'}", 'margin takes pixels or a percentage of at least 0 and below 50%, such as 40 or 5%, not "50%"'),
    ("{canvas: '10x10', margin: 5}", "this margin is not allowed; leave room for the crop"),
    ("{canvas: '1:1', place: 'middle'}", "place takes center, north, northeast, east, southeast, south, southwest, west, "
     'northwest, not "middle"'),
    ("{canvas: '1:1', fill: 'whitish'}", 'fill takes a color, transparent, edge or blur, not "whitish"'),
    ("{canvas: '1:1', fill: '#ff000080'}", 'fill takes a color, transparent, edge or blur, not "#ff000080"'),
    ("{canvas: '1:1', fill: 'color(display-p3 1 0 0)'}",
     'fill takes a color, transparent, edge or blur, not "color(display-p3 1 0 0)"'),
    ("5", "options must be an object, such as { quality: 0.8 }, not 5"),
    ("null", "options must be an object, such as { quality: 0.8 }, not null"),
    ("{fill: 'blur'}", "a fill needs a canvas or a margin"),
    ("{place: 'south'}", "a place needs a canvas or a margin"),
])
def test_an_invalid_option_is_rejected(show, options, words):
    page = show(PHOTO)
    assert rejected(page, f"view.croppedBlob({options})") == ["RangeError", words]
    assert rejected(page, f"view.cropped({options})") == ["RangeError", words]


def test_valid_options_are_accepted(show):
    page = show(PHOTO)
    for options in ("{}", "{quality: 0}", "{quality: 1, type: undefined}", "{maxSide: 10, strip: 'all'}",
                    "{background: 'rebeccapurple', type: 'image/jpeg'}", "{lossless: false}",
                    "{signal: new AbortController().signal}"):
        assert rejected(page, f"view.croppedBlob({options})") is None, options
    assert rejected(page, "view.croppedCanvas({maxSide: 10})") is None
    assert rejected(page, "view.croppedCanvas({quality: 1})") == [
        "RangeError", 'there is no option "quality"; expected one of maxSide, background, canvas, margin, place, fill']


def test_a_type_that_the_browser_can_not_encode_is_rejected(show):
    page = show(PHOTO)
    page.evaluate("""() => {
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (done) { toBlob.call(this, done, 'image/png'); };
    }""")
    assert rejected(page, "view.croppedBlob({type: 'image/webp'})") == ["CropError", "this browser can't write image/webp"]
    assert rejected(page, "view.croppedBlob()") is None


@pytest.mark.parametrize("recipe, words", [
    ("new DOMRect(0, 0, 10, 10)", "this is not a recipe"),
    ("[]", "this is not a recipe"),
    ("{rect: {x: 1}}", 'this is not a recipe: "rect" takes x, y, width and height, with a width and height of more than 0'),
    ("{shape: 'star'}", 'this is not a recipe: "shape" takes "rectangle", "ellipse" or { roundedRectangle: radius }'),
])
def test_a_value_that_is_not_a_recipe_is_rejected(show, recipe, words):
    page = show(PHOTO)
    assert rejected(page, f"view.recipe = {recipe}") == ["RangeError", words]


@pytest.mark.parametrize("recipe, words", [
    ("{rect: {x: 0.5, y: 10, width: 100, height: 100}}",
     "a rectangle at 0.5,10 is not allowed; x and y must be whole pixels (with a tilt, 64ths); the image is 600 × 400 pixels"),
    ("{rect: {x: 0, y: 0, width: 100.25, height: 100}}",
     "a rectangle of 100.25 × 100 is not allowed; width and height must be whole pixels, at least 1; "
     "the image is 600 × 400 pixels"),
    ("{rect: {x: 550, y: 0, width: 100, height: 100}}",
     "the rectangle 100 × 100 at 550,0 is partly outside the image; the image is 600 × 400 pixels"),
    ("{quarterTurns: 1, rect: {x: 0, y: 0, width: 600, height: 400}}",
     "the rectangle 600 × 400 at 0,0 is partly outside the image; the image is 600 × 400 pixels, 400 × 600 after rotation"),
    ("{tilt: 50}", "a tilt of 50° is not allowed; use −45 to 45 (rotate by 90° first)"),
    ("{tilt: 20, rect: {x: 0, y: 0, width: 600, height: 400}}",
     "the rectangle 600 × 400 at 0,0 would have a blank corner with this tilt; make it smaller; "
     "the image is 600 × 400 pixels"),
    ("{rect: {x: 0, y: 0, width: 100, height: 100}, output: {width: 200, height: 100}}",
     "a result of 200 × 100 would be distorted; the rectangle is 100 × 100"),
])
def test_a_recipe_that_does_not_fit_has_the_command_line_s_error(show, recipe, words):
    page = show(PHOTO)
    assert rejected(page, f"view.recipe = {recipe}") == ["RangeError", words]


def corners(*places, **rest):
    return {"version": 2, "quad": [{"x": x, "y": y} for x, y in places], **rest}


@pytest.mark.parametrize("recipe", [
    corners((10, 10), (10, 10), (90, 90), (10, 90)), corners((10, 10), (90, 90), (90, 10), (10, 90)),
    corners((10, 10), (10, 90), (90, 90), (90, 10)), corners((10, 10), (90, 10), (30, 30), (10, 90)),
    corners((10, 10), (10.5, 10), (10.5, 90), (10, 90)), corners((10, 10), (50, 10), (90, 10.5), (10, 90)),
    corners((10, 10), (1190, 10), (90, 90), (10, 90)), corners((10.01, 10), (90, 10), (90, 90), (10, 90)),
    corners((10, 10), (90, 10), (90, 90), (10, 80), tilt=3),
    corners((10, 10), (90, 10), (90, 90), (10, 80), rect={"x": 0, "y": 0, "width": 9, "height": 9}),
])
def test_invalid_corners_have_the_command_line_s_error(show, tmp_path, recipe):
    page = show('<crop-view src="photo.png" crop-style="quad"></crop-view>')
    name, told = rejected(page, f"view.recipe = {json.dumps(recipe)}")
    Image.new("RGB", (600, 400)).save(tmp_path / "in.png")
    (tmp_path / "recipe.json").write_text(json.dumps(recipe))
    done = subprocess.run(
        [BIN / "cropkit", "crop", tmp_path / "in.png", "--recipe", tmp_path / "recipe.json", "-o", tmp_path / "out.png"],
        capture_output=True, text=True, check=False)
    assert name == "RangeError" and done.returncode != 0
    assert told in done.stderr


@pytest.mark.parametrize("value, reported", [
    ("not JSON", 'value="not JSON" is not understood: this is not a recipe: it is not JSON'),
    (
        '{"version": 1, "version": 2, "rect": {"x": 1}}',
        'value="{"version": 1, "version": 2, "rect": {"x": 1}}" is not understood: '
        "this is not a recipe: a key occurs twice",
    ),
    ('{"rect": 5}', 'value="{"rect": 5}" is not understood: this is not a recipe: "rect" takes x, y, '
     "width and height, with a width and height of more than 0"),
    ('{"rect": {"x": 0.5, "y": 0, "width": 9, "height": 9}}',
     "a rectangle at 0.5,0 is not allowed; x and y must be whole pixels (with a tilt, 64ths); the image is 600 × 400 pixels"),
])
def test_a_bad_value_is_reported_by_the_event_and_on_the_console(show, value, reported):
    page = show("", ready="Boolean(customElements.get('crop-view'))", expects=("crop-view:",))
    lines, events = page.evaluate("""async (value) => {
      const lines = [];
      console.warn = (line) => lines.push(line);
      const view = document.createElement('crop-view');
      const events = [];
      view.addEventListener('error', (event) => events.push(event.message));
      view.setAttribute('value', value);
      view.src = 'photo.png';
      document.body.append(view);
      await view.decode();
      return [lines, events];
    }""", value)
    assert events == [reported]
    assert lines == [f"crop-view: {reported}"]


@pytest.mark.parametrize("name, value, takes", [
    ("wheel", "yes", "page, zoom"), ("value-type", "blob", "recipe, file"),
    ("aspect-ratio", "wide", "free, original, square, W:H or a number"), ("aspect-ratio", "-1.5",
     "free, original, square, W:H or a number"), ("lossless", "true", "never, exact, snap, strict, outward"),
])
def test_a_bad_attribute_is_reported_with_its_valid_values(show, name, value, takes):
    page = show(f'<crop-view src="photo.png" {name}="{value}"></crop-view>', expects=("crop-view:",))
    lines = page.evaluate(f"""() => {{
      const lines = [];
      console.warn = (line) => lines.push(line);
      {VIEW}.removeAttribute('{name}');
      {VIEW}.setAttribute('{name}', '{value}');
      return lines;
    }}""")
    assert lines == [f'crop-view: {name}="{value}" is not understood; it takes {takes}']


@pytest.mark.parametrize("value, terms", [
    ("1.5", [3, 2]), (str(16 / 9), [16, 9]), ("1", [1, 1]), ("0.5625", [9, 16]), ("1.3333333", [4, 3]),
    ("2.39", [239, 100]),
])
def test_a_ratio_may_be_a_number(show, value, terms):
    page = show(f'<crop-view src="photo.png" aspect-ratio="{value}"></crop-view>')
    assert page.evaluate(f"[{VIEW}.state.ratioWidth, {VIEW}.state.ratioHeight]") == terms
    assert page.evaluate(f"{VIEW}.aspectRatio") == value
    page.evaluate(f"{VIEW}.aspectRatio = {value}")
    assert page.evaluate(f"{VIEW}.aspectRatio") == value


def test_the_ratio_property_is_the_current_ratio(show):
    page = show('<crop-view src="photo.png" crop-style="viewfinder" aspect-ratio="square"></crop-view>')
    ratio = f"{VIEW}.aspectRatio"
    shape = f"(({{ width, height }}) => width / height)({VIEW}.recipe.rect)"
    assert page.evaluate(ratio) == "square"
    page.evaluate(f"{VIEW}.recipe = {{rect: {{x: 0, y: 0, width: 400, height: 200}}}}")
    assert page.evaluate(ratio) == "2:1" and page.evaluate(shape) == 2
    page.evaluate(f"{VIEW}.aspectRatio = 'square'")
    assert page.evaluate(ratio) == "square" and page.evaluate(shape) == 1
    page.evaluate(f"{VIEW}.command('ratioOriginal')")
    assert page.evaluate(ratio) == "original"
    page.evaluate(f"{VIEW}.unload()")
    assert page.evaluate(ratio) == "square"


#: Transforms of an ancestor, and how much of the element's width and height one position on the screen
#: covers.
TRANSFORMS = [
    "rotate(90deg)", "rotate(-90deg)", "rotate(180deg) scale(0.5)", "rotate(30deg)", "scaleX(-1)",
    "skewX(20deg) rotate(10deg)", "perspective(900px) rotateY(35deg)", "translate(40px, 10px) scale(1.5, 0.75)",
]


@pytest.mark.parametrize("transform", ["none", *TRANSFORMS])
def test_a_corner_follows_the_mouse_under_every_transform(show, transform):
    page = show(f"""<div id="around" style="inline-size: 400px; margin: 200px">
      <crop-view src="photo.png" crop-style="studio" style="block-size: 300px; inline-size: 400px"></crop-view></div>""",
                viewport={"width": 1000, "height": 900})
    page.evaluate(f"""() => {{
      {VIEW}.recipe = {{rect: {{x: 150, y: 100, width: 300, height: 200}}}};
      document.querySelector('#around').style.transform = '{transform}';
    }}""")
    wait_until(page, f"!{VIEW}.state.wantsTicks")
    # The position of a mark inside the element gives its place on the screen.
    place = """([x, y]) => {
      const mark = document.createElement('i');
      mark.style.cssText = `position: absolute; left: ${x}px; top: ${y}px; inline-size: 0; block-size: 0`;
      document.querySelector('crop-view').shadowRoot.append(mark);
      const { x: left, y: top } = mark.getBoundingClientRect();
      mark.remove();
      return [left, top];
    }"""
    corner = page.evaluate(f"""() => {{
      const {{ style }} = {VIEW}.shadowRoot.querySelector('.selection');
      return ['left', 'top', 'width', 'height'].map((side) => parseFloat(style[side]));
    }}""")
    left, top, width, height = corner
    page.mouse.move(*page.evaluate(place, [left, top]))
    page.mouse.down()
    page.mouse.move(*page.evaluate(place, [left + width / 6, top + height / 4]), steps=4)
    page.mouse.move(*page.evaluate(place, [left + width / 3, top + height / 2]), steps=4)
    page.mouse.up()
    wait_until(page, f"!{VIEW}.state.wantsTicks")
    rect = page.evaluate(f"{VIEW}.recipe.rect")
    assert [rect[key] for key in ("x", "y", "width", "height")] == pytest.approx([250, 200, 200, 100], abs=4)


def group_names(page):
    """The names of the groups in Chromium's accessibility tree, without ignored nodes."""
    page_tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return [node.get("name", {}).get("value") for node in page_tree
            if not node["ignored"] and node["role"]["value"] == "group"]


def test_two_croppers_have_different_accessible_names(show):
    page = show("""<label for="first">Passport photo</label><crop-view id="first" src="photo.png"></crop-view>
      <crop-view src="photo.png" aria-label="Banner"></crop-view>
      <h2 id="heading">Cover</h2><crop-view src="photo.png" aria-labelledby="heading"></crop-view>
      <label>Around <crop-view src="photo.png"></crop-view></label>
      <crop-view src="photo.png"></crop-view>""",
                ready="[...document.querySelectorAll('crop-view')].every((view) => view.complete && view.valid)")
    assert sorted(group_names(page)) == ["Around", "Banner", "Cover", "Passport photo", "Photo with crop frame"]


def test_a_changed_name_applies_when_the_element_gets_focus(show):
    page = show("""<button>Before</button><label for="view">First</label>
      <crop-view id="view" src="photo.png"></crop-view>""")
    page.evaluate("document.querySelector('label').textContent = 'Second'")
    page.locator("button").focus()
    page.keyboard.press("Tab")
    assert group_names(page) == ["Second"]
    page.evaluate(f"{VIEW}.setAttribute('aria-label', 'Third')")
    assert group_names(page) == ["Third"]


def test_a_click_on_the_label_focuses_the_frame(show):
    page = show('<label for="view">Photo</label><crop-view id="view" src="photo.png"></crop-view>')
    page.locator("label").click()
    assert page.evaluate(f"document.activeElement === {VIEW}")


def test_the_inner_part_is_the_group_if_the_host_can_not_be(show):
    """As in browsers whose elements can't set their role."""
    page = show("", ready="Boolean(customElements.get('crop-view'))")
    page.evaluate("""async () => {
      delete ElementInternals.prototype.role;
      delete ElementInternals.prototype.ariaLabel;
      document.body.innerHTML = `<label for="first">Passport photo</label>
        <crop-view id="first" src="photo.png"></crop-view>
        <crop-view src="photo.png" aria-label="Banner"></crop-view><b id="one">Cover</b> <i id="two">photo</i>
        <crop-view src="photo.png" aria-labelledby="one two"></crop-view>`;
      await Promise.all([...document.querySelectorAll('crop-view')].map((view) => view.decode()));
    }""")
    assert group_names(page) == ["Passport photo", "Banner", "Cover photo"]
