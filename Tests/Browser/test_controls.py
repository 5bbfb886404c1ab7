"""Every control exists on every screen, works, and describes what it does."""

import io

import numpy
import pytest
from editor import crop, decoded, open_coordinates, open_photo, recipe, rect, serve_sources, settle, state, wait_until
from PIL import Image
from pictures import coordinates, png
from test_page import assert_accessible, assert_fits


def button(page, name):
    return page.get_by_role("button", name=name, exact=True).locator("visible=true").first


WHERE = {
    "Crop": ["Free", "Original", "Square", "16:9", "Custom", "Level a line"],
    "Shape": ["Rectangle", "Ellipse", "Rounded"],
    "Grid": ["Off", "Thirds", "Golden", "Center", "Uniform"],
    "More": ["Draw", "Move photo", "Handles", "Rotate left", "Rotate right", "Flip horizontally",
             "Flip vertically", "Zoom out", "Zoom in", "Fit in view", "Redraw",
             "Whole photo", "Move to center", "Original size", "Other", "Exact", "JPEG",
             "No location", "Sound and flash on"],
}


@pytest.mark.parametrize("viewport", ["desk", "phone", "small"])
def test_every_control_can_be_reached(open_page, viewport, keep):
    """Takes long: each control is scrolled to and measured."""
    page = open_coordinates(open_page, viewport)
    for tab, names in WHERE.items():
        if viewport != "desk":
            page.get_by_role("button" if tab == "More" else "tab", name=tab, exact=True).click()
            keep(page, f"{viewport}-{tab.lower()}")
            if viewport == "phone":
                assert_accessible(page)
        for name in names:
            found = button(page, name)
            found.scroll_into_view_if_needed()
            box = found.bounding_box()
            # Large enough for a finger, and completely on the screen.
            assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"] + 0.5, name
            assert viewport == "desk" or box["height"] >= 39.5, name
    for label in ("Left edge in pixels", "Top edge in pixels", "Width in pixels", "Height in pixels"):
        page.get_by_label(label).scroll_into_view_if_needed()


TIGHT = """() => {
  const gaps = [...document.querySelectorAll('.panel .chip')].map((chip) => {
    const range = document.createRange();
    range.selectNodeContents(chip);
    const [text, box] = [range.getBoundingClientRect(), chip.getBoundingClientRect()];
    return [chip.textContent, Math.min(text.left - box.left, box.right - text.right,
      text.top - box.top, box.bottom - text.bottom), text.width];
  });
  return gaps.filter(([text, gap, width]) => text && width > 0 && gap < 2);
}"""


@pytest.mark.parametrize("locale", ["en-US", "ar-EG"])
def test_no_text_touches_the_edge_of_its_button(open_page, keep, locale):
    page = open_coordinates(open_page, locale=locale)
    for width, height in ((1280, 800), (844, 390), (700, 500)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        keep(page, f"panel-{locale}-{width}")
        assert not page.evaluate(TIGHT), width


def test_text_twice_as_large_fits(open_page, keep):
    page = open_coordinates(open_page)
    # Like a browser that enlarges only text.
    page.evaluate("""() => {
      const all = [document.body, ...document.querySelectorAll('#editor, #editor *')];
      const sizes = all.map((element) => getComputedStyle(element))
        .map(({fontSize, lineHeight}) => [fontSize, lineHeight].map(parseFloat));
      all.forEach(({style}, at) => {
        style.fontSize = `${2 * sizes[at][0]}px`;
        if (sizes[at][1]) style.lineHeight = `${2 * sizes[at][1]}px`;
      });
    }""")
    settle(page)
    keep(page, "panel-large-text")
    assert not page.evaluate(TIGHT)
    title, stage = (page.locator(f"#editor .{name}").bounding_box() for name in ("title", "stage"))
    assert title["y"] >= 0 and title["y"] + title["height"] <= stage["y"]
    assert_fits(page)


def test_the_fields_of_a_custom_ratio_show_the_current_ratio(open_page):
    page = open_coordinates(open_page)
    button(page, "16:9").click()
    button(page, "Custom").click()
    fields = [page.get_by_label(f"Ratio, {side}") for side in ("width", "height")]
    assert [field.input_value() for field in fields] == ["16", "9"]
    button(page, "3:2").click()
    wait_until(page, "document.querySelector('.custom input').value === '3'")
    assert fields[1].input_value() == "2"
    fields[0].fill("abc")
    fields[0].press("Enter")
    assert [field.input_value() for field in fields] == ["3", "2"]
    # While the second term is missing, nothing happens.
    button(page, "Free").click()
    wait_until(page, "document.querySelector('.custom input').value === ''")
    fields[0].fill("5")
    fields[0].press("Tab")
    fields[1].fill("2")
    fields[1].press("Enter")
    assert (state(page, "ratioWidth"), state(page, "ratioHeight")) == (5, 2)


def test_a_viewfinder_without_a_ratio_is_square_and_shows_that(open_page):
    page = open_coordinates(open_page)
    assert button(page, "Free").get_attribute("aria-pressed") == "true"
    button(page, "Move photo").click()
    settle(page)
    _, _, width, height = rect(page)
    assert width == height
    wait_until(page, "document.querySelector('.ratio [aria-pressed=true]:not(.fill-fit *)').textContent === 'Square'")
    assert page.locator(".ratio [aria-pressed=true]:not(.fill-fit *)").count() == 1
    button(page, "Handles").click()
    wait_until(page, "document.querySelector('.ratio [aria-pressed=true]:not(.fill-fit *)').textContent === 'Free'")


def test_a_phone_s_panel_is_named_after_its_tab(open_page):
    page = open_coordinates(open_page, "phone")
    for name in ("Crop", "Shape"):
        page.get_by_role("tab", name=name, exact=True).click()
        page.get_by_role("tabpanel", name=name, exact=True).wait_for()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("group", name="More", exact=True).wait_for()
    # If there is space for everything, there are no tabs.
    page.set_viewport_size({"width": 1280, "height": 800})
    wait_until(page, "!document.querySelector('#panel').hasAttribute('role')")


def test_the_chosen_value_is_marked_in_forced_colors(open_page, keep):
    page = open_coordinates(open_page, "phone", forced_colors="active")
    keep(page, "phone-forced-colors")
    assert page.evaluate("""() => [...document.querySelectorAll('[aria-pressed=true], [aria-selected=true]')]
      .every((chosen) => getComputedStyle(chosen).outlineOffset === '-2px')""")


def test_the_result_has_the_size_that_was_asked_for(open_page):
    page = open_coordinates(open_page)
    assert button(page, "Longest side 1,080 pixels").text_content() == "1,080 px"
    button(page, "Longest side 1,080 pixels").click()
    assert recipe(page)["output"] == {"maxSide": 1080}
    button(page, "Other").click()
    side = page.get_by_label("Longest side in pixels", exact=True)
    side.fill("300")
    side.press("Enter")
    assert recipe(page)["output"] == {"maxSide": 300}
    assert decoded(crop(page)).size == (300, 225)
    page.get_by_role("button", name="Keep editing").last.click()
    button(page, "Exact").click()
    page.get_by_label("Width of the result in pixels").fill("240")
    height = page.get_by_label("Height of the result in pixels")
    height.fill("126")
    height.press("Enter")
    settle(page)
    assert recipe(page)["output"] == {"width": 240, "height": 126}
    assert decoded(crop(page)).size == (240, 126)
    page.get_by_role("button", name="Keep editing").last.click()
    button(page, "Rotate right").click()
    settle(page)
    assert recipe(page)["output"] == {"width": 126, "height": 240}
    button(page, "Keep ratio when rotating").click()
    button(page, "Rotate right").click()
    settle(page)
    assert recipe(page)["output"] == {"width": 126, "height": 240}
    button(page, "Original size").click()
    assert recipe(page)["output"] is None


def test_numbers_can_be_typed_in_local_digits(open_page):
    page = open_coordinates(open_page, locale="ar-EG")
    width = page.get_by_label("العرض بالبكسل", exact=True)
    width.fill("٢٠٠")
    width.press("Enter")
    assert rect(page)[2] == 200
    button(page, "مخصصة").click()
    page.locator(".custom input").nth(0).fill("٥")
    last = page.locator(".custom input").nth(1)
    last.fill("٤")
    last.press("Enter")
    settle(page)
    assert (state(page, "ratioWidth"), state(page, "ratioHeight")) == (5, 4)


def test_arabic_sizes_have_the_width_left_of_the_height(open_page):
    page = open_coordinates(open_page, locale="ar-EG")
    serve_sources(page)
    edges = page.evaluate("""async () => {
      const span = document.createElement('span');
      document.body.append(span);
      span.textContent = (await import('./sources/App/ui/words.js')).formatSize(123, 456);
      const left = (digit) => {
        const range = document.createRange();
        const at = span.textContent.indexOf(digit);
        range.setStart(span.firstChild, at);
        range.setEnd(span.firstChild, at + 1);
        return range.getBoundingClientRect().left;
      };
      const found = [...'١٢٣٤٥٦'].map(left);
      span.remove();
      return found;
    }""")
    assert edges == sorted(edges) and edges[0] < edges[-1]
    # In the label beside the frame: three strokes have fewer dark pixels than three rings.
    page.evaluate("""() => {
      const view = document.querySelector('crop-view');
      view.recipe = { version: 1, rect: { x: 200, y: 0, width: 111, height: 444 } };
    }""")
    settle(page)
    x, y = page.evaluate("""() => {
      const view = document.querySelector('crop-view');
      const { at } = view.core.scene().find(({ kind }) => kind === 'label');
      const box = view.getBoundingClientRect();
      return [box.x + at.x, box.y + at.y];
    }""")
    ink = []
    for left in (x - 30, x + 6):
        shot = page.screenshot(clip={"x": left, "y": y - 8, "width": 24, "height": 16})
        ink.append(int((numpy.asarray(Image.open(io.BytesIO(shot)).convert("L")) > 128).sum()))
    assert 0 < ink[0] < 0.8 * ink[1], ink


def test_a_custom_ratio_may_have_decimals(open_page):
    page = open_coordinates(open_page)
    button(page, "Custom").click()
    page.get_by_label("Ratio, width").fill("1.91")
    page.get_by_label("Ratio, height").fill("1")
    page.get_by_label("Ratio, height").press("Enter")
    settle(page)
    _, _, width, height = rect(page)
    assert width / height == pytest.approx(1.91, abs=0.01)


def test_each_photo_starts_with_defaults_except_for_its_output(open_page):
    page = open_coordinates(open_page)
    for name in ("Square", "Ellipse", "Rotate right", "Longest side 1,080 pixels", "WebP"):
        button(page, name).click()
    page.get_by_role("button", name="Close photo").click()
    open_photo(page, png(coordinates(500, 200)), style=None)
    found = recipe(page)
    assert rect(page) == (0, 0, 500, 200)
    assert (found["quarterTurns"], found["shape"], found["output"]) == (0, "rectangle", None)
    assert page.get_by_role("button", name="Reset").is_disabled()
    assert button(page, "WebP").get_attribute("aria-pressed") == "true"
    assert button(page, "Free").get_attribute("aria-pressed") == "true"


def test_a_handle_s_slider_moves_its_edge(open_page):
    page = open_coordinates(open_page)
    slider = page.get_by_role("slider", name="Right edge")
    assert slider.get_attribute("aria-valuetext") == "600 by 450, left 0, top 0"
    # Like assistive technology.
    slider.evaluate("(node) => { node.value = Number(node.value) - 1; "
                    "node.dispatchEvent(new Event('input', {bubbles: true, composed: true})); }")
    settle(page)
    assert rect(page) == (0, 0, 599, 450)
    assert slider.get_attribute("aria-valuetext") == "599 by 450, left 0, top 0"
    slider.evaluate("(node) => { node.value = Number(node.value) + 1; "
                    "node.dispatchEvent(new Event('input', {bubbles: true, composed: true})); }")
    settle(page)
    assert rect(page) == (0, 0, 600, 450)


@pytest.mark.thorough
def test_changes_are_announced(open_page):
    page = open_coordinates(open_page)
    said = "document.querySelector('crop-view').shadowRoot.querySelector('.live').textContent"
    for name, words in [
        ("Ellipse", "Shape: Ellipse"), ("Square", "Ratio 1 to 1"), ("Rotate right", "Rotated"),
        ("Flip horizontally", "Flipped"), ("Undo", "Undone"), ("Redo", "Redone"), ("Reset", "Reset"),
    ]:
        button(page, name).click()
        wait_until(page, f"{said} === '{words}'")


@pytest.mark.thorough
def test_forced_colors_large_text_and_arabic_stay_usable(open_page, keep):
    page = open_coordinates(open_page, forced_colors="active")
    assert_accessible(page)
    keep(page, "desk-forced-colors")
    # A window of 1280 × 800 at 200 %.
    page = open_coordinates(open_page)
    page.set_viewport_size({"width": 640, "height": 400})
    settle(page)
    keep(page, "desk-200-percent")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert button(page, "Crop").bounding_box()["x"] + 40 < 640
    for viewport in ("desk", "phone"):
        page = open_coordinates(open_page, viewport, locale="ar-EG")
        assert_accessible(page)
        keep(page, f"{viewport}-arabic")
        # Left stays left, also in right-to-left languages.
        left, right = (page.get_by_role("button", name=name, exact=True)
                       for name in ("تدوير إلى اليسار", "تدوير إلى اليمين"))
        if viewport == "phone":
            # If one turn has a button and the opposite is in the menu, the button turns left.
            assert left.is_visible() and right.count() == 0
        else:
            assert left.bounding_box()["x"] < right.bounding_box()["x"]


def test_the_numbers_are_updated_during_a_drag(open_page):
    page = open_coordinates(open_page)
    # The pointer moves in every frame, without pauses.
    seen = page.evaluate("""async () => {
      const view = document.querySelector('crop-view');
      const field = document.querySelector('[aria-label="Width in pixels"]');
      const surface = view.shadowRoot.querySelector('.surface');
      const box = view.selectionBox;
      const send = (type, way) => surface.dispatchEvent(new PointerEvent(type, {
        bubbles: true, cancelable: true, pointerId: 5, pointerType: 'mouse', buttons: 1,
        clientX: box.left + way, clientY: box.top + way }));
      const seen = new Set([field.value]);
      send('pointerdown', 0);
      for (let at = 1; seen.size < 3 && at < 3000; at += 1) {
        send('pointermove', 5 + at % 200);
        await new Promise(requestAnimationFrame);
        seen.add(field.value);
      }
      send('pointerup', 20);
      return seen.size;
    }""")
    assert seen == 3


def test_free_leaves_the_frame_as_it_is(open_page):
    page = open_coordinates(open_page)
    button(page, "Square").click()
    settle(page)
    square = rect(page)
    button(page, "Free").click()
    settle(page)
    assert rect(page) == square
    assert button(page, "Free").get_attribute("aria-pressed") == "true"
    # A viewfinder does not have this choice.
    button(page, "Move photo").click()
    settle(page)
    assert page.get_by_role("button", name="Free", exact=True).locator("visible=true").count() == 0


def test_a_ratio_is_shown_in_its_usual_notation(open_page):
    page = open_coordinates(open_page)
    pressed = "document.querySelector('.presets > [aria-pressed=true]').textContent"
    button(page, "21:9").click()
    button(page, "Portrait format").click()
    wait_until(page, f"{pressed} === '9:21'")
    button(page, "Portrait format").click()
    wait_until(page, f"{pressed} === '21:9'")
    button(page, "16:10").click()
    wait_until(page, f"{pressed} === '16:10'")
    button(page, "Custom").click()
    fields = [page.get_by_label(f"Ratio, {side}") for side in ("width", "height")]
    for typed, shown in ((("2.35", "1"), ["2.35", "1"]), (("1", "1.85"), ["1", "1.85"]),
                         (("1.375", "1"), ["11", "8"])):
        for field, text in zip(fields, typed):
            field.fill(text)
        fields[1].press("Enter")
        # The frame has changed before the fields lose the focus.
        settle(page)
        button(page, "Custom").focus()
        wait_until(page, f"document.querySelector('.custom input').value === '{shown[0]}'")
        assert [field.input_value() for field in fields] == shown
    button(page, "Portrait format").click()
    wait_until(page, "document.querySelector('.custom input').value === '8'")
