"""The packed element as a form field."""

import io
import json

from editor import wait_until
from packed import READY, VIEW
from PIL import Image

FORM = """<form method="post" enctype="multipart/form-data">
  <label for="crop">Avatar</label>
  <crop-view id="crop" name="avatar" src="{src}" {more}></crop-view><input name="who" value="me">
  <button name="how" value="press">Send</button><button type="reset">Back</button></form>"""


def test_a_form_sends_the_recipe(site, show):
    page = show(FORM.format(src="photo.png", more='aspect-ratio="square"'))
    wanted = page.evaluate(f"{VIEW}.recipe")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Sent").wait_for()
    parts = {name: content for name, _, _, content in site.sent[-1]}
    assert json.loads(parts["avatar"]) == wanted
    assert (parts["who"], parts["how"]) == (b"me", b"press")
    # Going back restores the selection.
    assert page.evaluate("true")


def test_a_form_sends_the_cropped_file(site, show):
    page = show(FORM.format(src="photo.jpg", more='value-type="file"'))
    page.evaluate(f"{VIEW}.recipe = {{rect: {{x: 32, y: 16, width: 160, height: 112}}}}")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Sent").wait_for()
    parts = {name: (file, kind, content) for name, file, kind, content in site.sent[-1]}
    file, kind, content = parts["avatar"]
    assert (file, kind) == ("photo-cropped.jpg", "image/jpeg")
    assert Image.open(io.BytesIO(content)).size == (160, 112)
    assert parts["how"][2] == b"press"


def chosen(page, name):
    """Loads the photo as a file that the user chose."""
    page.evaluate(f"""async () => {{
      const photo = await (await fetch('photo.jpg')).blob();
      await {VIEW}.load(new File([photo], '{name}', {{type: 'image/jpeg'}}));
    }}""")


def test_the_sent_file_is_named_after_the_chosen_one(site, show):
    page = show(FORM.format(src="photo.png", more='value-type="file"'))
    chosen(page, "IMG 1234.jpeg")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Sent").wait_for()
    assert [file for name, file, _, _ in site.sent[-1] if name == "avatar"] == ["IMG 1234-cropped.jpg"]


def test_a_listener_that_changes_the_crop_when_the_form_is_submitted_changes_the_file(site, show):
    page = show(FORM.format(src="photo.jpg", more='value-type="file" shape="ellipse" required'))
    page.evaluate(f"document.querySelector('form').addEventListener('submit', () => {{ {VIEW}.shape = 'rectangle'; }})")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Sent").wait_for()
    parts = {name: (kind, content) for name, _, kind, content in site.sent[-1]}
    assert (parts["avatar"][0], parts["how"][1]) == ("image/jpeg", b"press")


def test_a_form_is_not_sent_without_its_file_if_a_listener_changes_the_crop_each_time(site, show):
    page = show(FORM.format(src="photo.png", more='value-type="file"'))
    sent = len(site.sent)
    page.evaluate(f"""() => {{
      globalThis.codes = [];
      {VIEW}.addEventListener('error', ({{code}}) => codes.push(code));
      document.querySelector('form').addEventListener('submit', () => {VIEW}.turn(1));
    }}""")
    page.get_by_role("button", name="Send").click()
    wait_until(page, "codes.length === 1")
    assert page.evaluate("codes") == ["failed"]
    assert page.evaluate(f"{VIEW}.validity.customError")
    assert len(site.sent) == sent


def test_a_form_read_by_script_has_the_file_once_it_is_made(show):
    page = show(FORM.format(src="photo.png", more='value-type="file"'))
    found = page.evaluate(f"""async () => {{
      const form = document.querySelector('form');
      const before = new FormData(form).has('avatar');
      await {VIEW}.prepareFormValue();
      const made = new FormData(form).get('avatar');
      {VIEW}.turn(1);
      return [before, made.name, made.type, new FormData(form).has('avatar')];
    }}""")
    assert found == [False, "photo-cropped.png", "image/png", False]


def test_a_required_field_blocks_the_form(site, show):
    page = show(FORM.format(src="photo.png", more='required crop-style="marquee"'),
                ready=f"{VIEW}?.complete && {VIEW}.pictureSize")
    sent = len(site.sent)
    assert page.evaluate(f"[{VIEW}.validity.valueMissing, {VIEW}.matches(':invalid')]") == [True, True]
    assert page.evaluate(f"{VIEW}.validationMessage") == "Select an area to crop."
    page.get_by_role("button", name="Send").click()
    page.evaluate(f"{VIEW}.selectAll()")
    assert page.evaluate(f"[{VIEW}.checkValidity(), {VIEW}.validationMessage]") == [True, ""]
    assert len(site.sent) == sent
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Sent").wait_for()


def test_a_photo_that_is_too_small_blocks_the_form(site, show):
    page = show(FORM.format(src="", more='required aspect-ratio="square" min-size="500x500"'), ready=None)
    page.evaluate(f"""() => {{ window.codes = [];
      {VIEW}.addEventListener('error', (event) => codes.push(event.code));
      {VIEW}.src = 'photo.png'; }}""")
    wait_until(page, READY)
    # The ratio is kept: the photo has 600 × 400 pixels.
    assert page.evaluate(f"(({{ width, height }}) => [width, height])({VIEW}.recipe.rect)") == [400, 400]
    assert page.evaluate(f"[{VIEW}.checkValidity(), {VIEW}.validity.rangeUnderflow]") == [False, True]
    assert page.evaluate(f"{VIEW}.validationMessage") == "Too small: the crop must have at least 500 × 500 pixels."
    assert page.evaluate("codes") == ["too-small"]
    sent = len(site.sent)
    page.get_by_role("button", name="Send").click()
    assert page.evaluate(f"{VIEW}.matches(':invalid')") and len(site.sent) == sent
    page.evaluate(f"{VIEW}.minSize = '20x20'")
    assert page.evaluate(f"[{VIEW}.checkValidity(), {VIEW}.validationMessage]") == [True, ""]
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Sent").wait_for()


def test_it_follows_a_form_that_is_reset_or_disabled(show):
    page = show(FORM.format(src="photo.png", more=""))
    first = page.evaluate(f"{VIEW}.value")
    page.evaluate(f"{VIEW}.recipe = {{rect: {{x: 10, y: 10, width: 50, height: 40}}}}")
    page.get_by_role("button", name="Back").click()
    assert page.evaluate(f"{VIEW}.value") == first
    wanted = {"version": 1, "rect": {"x": 5, "y": 6, "width": 70, "height": 80}, "quarterTurns": 0,
              "mirrored": False, "tilt": 0, "shape": "rectangle", "output": None}
    page.evaluate(f"(text) => {VIEW}.setAttribute('value', text)", json.dumps(wanted))
    page.get_by_role("button", name="Back").click()
    assert page.evaluate(f"{VIEW}.recipe") == wanted
    # A new image starts with it too.
    page.evaluate(f"{VIEW}.load('photo.png')")
    wait_until(page, READY)
    assert page.evaluate(f"{VIEW}.recipe") == wanted
    page.evaluate(f"{VIEW}.disabled = true")
    assert page.evaluate(f"[{VIEW}.isDisabled, new FormData({VIEW}.form).has('avatar')]") == [True, False]
    box = page.locator("crop-view").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 100, steps=4)
    page.mouse.up()
    assert page.evaluate(f"{VIEW}.recipe") == wanted
    assert page.evaluate("document.querySelector('form').elements.length") == 4


def test_the_browser_restores_the_selection(site, show):
    page = show(FORM.format(src="photo.png", more=""))
    page.evaluate(f"{VIEW}.recipe = {{rect: {{x: 10, y: 20, width: 50, height: 40}}}}")
    kept = page.evaluate(f"{VIEW}.value")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Sent").wait_for()
    page.go_back()
    wait_until(page, READY)
    wait_until(page, f"{VIEW}.value === {json.dumps(kept)}")
