"""The packed element as a form field: the attributes of its file, and what users see if it can't be sent."""

import io
import json

import pytest
from editor import wait_until
from packed import READY, VIEW
from PIL import Image
from test_package_forms import FORM

FILE = """async (options) => {
  const blob = await document.querySelector('crop-view').croppedBlob(options ?? {});
  const { width, height } = await createImageBitmap(blob);
  return [blob.type, Math.max(width, height), blob.size];
}"""
VALIDITY = f"""(({{valueMissing, rangeUnderflow, customError, valid}}) =>
  [valueMissing, rangeUnderflow, customError, valid])({VIEW}.validity)"""
FOCUSED = f"document.activeElement === {VIEW} && {VIEW}.shadowRoot.activeElement.className"
NO_VIEW = "Boolean(customElements.get('crop-view'))"


def send(page):
    page.get_by_role("button", name="Send").click()


def test_attributes_are_the_defaults_of_the_file(show):
    page = show('<crop-view src="photo.jpg" max-side="64" type="image/webp" quality="0.2"></crop-view>')
    small = page.evaluate(FILE)
    assert small[:2] == ["image/webp", 64]
    assert page.evaluate(FILE, {"quality": 1})[2] > small[2]
    assert page.evaluate(FILE, {"maxSide": 32, "type": "image/png"})[:2] == ["image/png", 32]
    assert page.evaluate(f"{VIEW}.resultSize") == {"width": 64, "height": 48}
    assert page.evaluate(f"{VIEW}.croppedCanvas().then(({{width}}) => width)") == 64
    assert page.evaluate(f"{VIEW}.writing") == "encoded"
    page.evaluate(f"{VIEW}.type = {VIEW}.maxSide = {VIEW}.quality = ''")
    assert page.evaluate(f"[{VIEW}.writing, {VIEW}.resultSize.width]") == ["lossless", 640]
    whole = page.evaluate(FILE, {"lossless": "never"})
    page.evaluate(f"{VIEW}.maxBytes = {whole[2] - 1000}")
    fitted = page.evaluate(FILE, {"lossless": "never"})
    assert fitted[:2] == whole[:2] and fitted[2] < whole[2]
    # The canvas is around the smaller crop.
    page.evaluate(f"Object.assign({VIEW}, {{maxSide: 100, canvas: '1:1'}})")
    wait_until(page, f"{VIEW}.resultSize.width === {VIEW}.resultSize.height")
    assert page.evaluate(f"{VIEW}.resultSize") == {"width": 100, "height": 100}
    assert page.evaluate(f"{VIEW}.croppedCanvas().then(({{width, height}}) => [width, height])") == [100, 100]


def test_a_form_sends_a_file_with_the_attributes(site, show):
    more = 'value-type="file" shape="ellipse" aspect-ratio="square" max-side="128" max-bytes="9000" type="image/webp"'
    page = show(FORM.format(src="photo.jpg", more=more))
    send(page)
    page.get_by_text("Sent").wait_for()
    [(name, kind, content)] = [more for field, *more in site.sent[-1] if field == "avatar"]
    assert (name, kind) == ("photo-cropped.webp", "image/webp") and len(content) <= 9000
    assert Image.open(io.BytesIO(content)).size == (128, 128)


@pytest.mark.parametrize("shape, sent", [("rectangle", "image/jpeg"), ("ellipse", "image/png")])
def test_a_browser_that_can_not_write_the_type_sends_another(site, show, shape, sent):
    page = show(FORM.format(src="photo.jpg", more=f'value-type="file" type="image/webp" shape="{shape}"'))
    page.evaluate("""() => {
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (done, type, quality) {
        toBlob.call(this, done, type === 'image/webp' ? 'image/png' : type, quality);
      };
    }""")
    assert page.evaluate(f"{VIEW}.croppedBlob().catch(({{code}}) => code)") == "unsupported-format"
    send(page)
    page.get_by_text("Sent").wait_for()
    assert {name: kind for name, _, kind, _ in site.sent[-1]}["avatar"] == sent


@pytest.mark.parametrize("name, value, takes", [
    ("max-side", "0", "a whole number of pixels, 1 or more"),
    ("max-side", "large", "a whole number of pixels, 1 or more"),
    ("max-bytes", "200K", "a number more than 0"), ("quality", "80", "a number from 0 to 1"),
    ("type", "image/avif", "image/jpeg, image/png, image/webp"),
])
def test_an_invalid_attribute_of_the_file_is_reported_and_ignored(show, name, value, takes):
    page = show(f'<crop-view src="photo.png" {name}="{value}"></crop-view>', expects=("crop-view:",))
    lines = page.evaluate(f"""() => {{
      const lines = [];
      console.warn = (line) => lines.push(line);
      {VIEW}.removeAttribute('{name}');
      {VIEW}.setAttribute('{name}', '{value}');
      return lines;
    }}""")
    assert lines == [f'crop-view: {name}="{value}" is not understood; it takes {takes}']
    assert page.evaluate(FILE)[:2] == ["image/png", 600]


@pytest.mark.parametrize("more, value, width, height, result", [
    ('aspect-ratio="square"', {"output": {"maxSide": 100}}, 400, 400, 100),
    ('aspect-ratio="square"', {"output": {"width": 200, "height": 200}}, 400, 400, 200),
    ("", {"output": {"width": 150, "height": 100}}, 600, 400, 150),
    ("", {"output": {"width": 120, "height": 120}}, 400, 400, 120),
    ('aspect-ratio="2:1"', {"quarterTurns": 1, "output": {"maxSide": 50}}, 400, 200, 50),
    ('aspect-ratio="square" crop-style="viewfinder"', {"tilt": 5, "output": {"maxSide": 80}}, None, None, 80),
])
def test_an_output_in_the_value_goes_with_a_ratio(show, more, value, width, height, result):
    page = show(f"<crop-view src='photo.png' value='{json.dumps(value)}' {more}></crop-view>")
    found = page.evaluate(f"{VIEW}.recipe")
    assert {key: found[key] for key in value} == value
    assert page.evaluate(f"{VIEW}.resultSize.width") == result
    if width:
        assert (found["rect"]["width"], found["rect"]["height"]) == (width, height)
    else:
        assert found["rect"]["width"] == found["rect"]["height"] < 400
    # The ratio is kept afterwards, and so is the output.
    page.evaluate(f"{VIEW}.command('setWidth', 60)")
    again = page.evaluate(f"{VIEW}.recipe")
    assert again["rect"]["width"] / again["rect"]["height"] == found["rect"]["width"] / found["rect"]["height"]
    assert again["output"] == found["output"]


def test_a_form_resets_to_a_value_without_an_area(show):
    page = show(FORM.format(src="photo.png", more="""value='{"output": {"maxSide": 100}}' aspect-ratio="square\""""))
    first = page.evaluate(f"{VIEW}.recipe")
    assert first["rect"]["width"] == first["rect"]["height"] == 400
    page.evaluate(f"{VIEW}.recipe = {{rect: {{x: 10, y: 10, width: 50, height: 40}}}}")
    page.get_by_role("button", name="Back").click()
    assert page.evaluate(f"{VIEW}.recipe") == first


def test_a_missing_photo_is_shown_at_the_element(site, show):
    """Chromium reports a field that it can't focus on the console, which would fail the test."""
    page = show(FORM.format(src="", more='required'), ready=NO_VIEW)
    sent = len(site.sent)
    assert page.evaluate(VALIDITY) == [True, False, False, False]
    send(page)
    assert page.evaluate(FOCUSED) == "status"
    assert page.evaluate(f"{VIEW}.validationMessage") == "Choose a photo."
    # When the photo is there, the focus is on its frame.
    page.evaluate(f"{VIEW}.src = 'photo.png'")
    wait_until(page, READY)
    wait_until(page, f"{FOCUSED} === 'selection'")
    assert page.evaluate(VALIDITY) == [False, False, False, True]
    assert len(site.sent) == sent
    send(page)
    page.get_by_text("Sent").wait_for()


def test_a_photo_that_is_loading_or_failed_is_shown_at_the_element(site, show):
    page = show(FORM.format(src="", more='required'), ready=NO_VIEW, expects=("404", "Failed to load"))
    sent = len(site.sent)
    held = []
    page.route("**/slow.png", lambda route: held.append(route))
    page.evaluate(f"{VIEW}.src = 'slow.png'")
    send(page)
    assert page.evaluate(f"[...{VALIDITY}, {VIEW}.validationMessage]") == [
        True, False, False, False, "Wait until the photo is loaded."]
    assert page.evaluate(FOCUSED) == "status"
    while not held:
        page.wait_for_timeout(10)
    held[0].fulfill(status=404)
    wait_until(page, f"{VIEW}.complete")
    send(page)
    assert page.evaluate(f"[...{VALIDITY}, {VIEW}.validationMessage]") == [
        True, False, False, False, "This photo can’t be shown."]
    assert page.evaluate(FOCUSED) == "status" and len(site.sent) == sent
    # Without `required`, the form is sent without the field.
    page.evaluate(f"{VIEW}.required = false")
    send(page)
    page.get_by_text("Sent").wait_for()
    assert "avatar" not in [name for name, *_ in site.sent[-1]]


def test_a_missing_selection_is_shown_at_the_photo(site, show):
    page = show(FORM.format(src="photo.png", more='required crop-style="marquee"'),
                ready=f"{VIEW}?.complete && {VIEW}.accessible.nodes.size > 0")
    send(page)
    assert page.evaluate(FOCUSED) == "picture"
    # The arrow keys work immediately.
    page.keyboard.press("Control+a")
    assert page.evaluate(f"{VIEW}.checkValidity()")
    send(page)
    page.get_by_text("Sent").wait_for()


def test_a_photo_that_is_too_small_is_shown_at_its_frame(show):
    page = show(FORM.format(src="photo.png", more='min-size="900x900"'), ready=f"{VIEW}?.complete && {VIEW}.valid")
    wait_until(page, f"{VIEW}.accessible.nodes.size > 1")
    send(page)
    assert page.evaluate(VALIDITY) == [False, True, False, False]
    assert page.evaluate(FOCUSED) == "selection"


def test_an_error_of_the_page_is_shown_until_it_is_removed(site, show):
    page = show(FORM.format(src="photo.png", more=""))
    wait_until(page, f"{VIEW}.accessible.nodes.size > 1")
    page.evaluate(f"{VIEW}.setCustomValidity('Not this one.')")
    send(page)
    assert page.evaluate(f"[...{VALIDITY}, {VIEW}.validationMessage]") == [False, False, True, False, "Not this one."]
    assert page.evaluate(FOCUSED) == "selection"
    # It outlasts changes of the crop and other words.
    page.evaluate(f"{VIEW}.recipe = {{rect: {{x: 10, y: 10, width: 50, height: 40}}}}")
    assert not page.evaluate(f"{VIEW}.checkValidity()")
    page.evaluate(f"{VIEW}.setCustomValidity('')")
    send(page)
    page.get_by_text("Sent").wait_for()


def test_a_file_that_can_not_be_made_is_shown_until_the_next_attempt(site, show):
    page = show(FORM.format(src="photo.jpg", more='value-type="file" max-bytes="300"'))
    sent = len(site.sent)
    page.evaluate(f"""() => {{ window.codes = [];
      {VIEW}.addEventListener('error', (event) => codes.push(event.code)); }}""")
    send(page)
    wait_until(page, f"{VIEW}.validity.customError")
    assert page.evaluate(f"[codes, {VIEW}.validationMessage]") == [
        ["too-many-bytes"], "The file would be too large. Select a smaller part of the photo."]
    assert page.evaluate(FOCUSED) == "selection"
    # The same attempt fails in the same way, and is no dead button.
    send(page)
    wait_until(page, "codes.length === 2")
    wait_until(page, f"{VIEW}.validity.customError")
    assert len(site.sent) == sent
    page.evaluate(f"{VIEW}.maxBytes = ''")
    assert page.evaluate(f"{VIEW}.validity.valid")
    send(page)
    page.get_by_text("Sent").wait_for()


def test_messages_follow_the_language(show):
    page = show(FORM.format(src="", more='required'), ready=NO_VIEW, lang="de")
    wait_until(page, f"{VIEW}.validationMessage === 'Wähle ein Foto aus.'")


def test_a_field_without_a_photo_can_have_the_focus(show):
    page = show('<label for="view">Photo</label><crop-view id="view"></crop-view>', ready=NO_VIEW)
    page.evaluate(f"{VIEW}.focus()")
    assert page.evaluate(FOCUSED) == "status"
    page.evaluate("document.activeElement.blur()")
    page.locator("label").click()
    assert page.evaluate(FOCUSED) == "status"
