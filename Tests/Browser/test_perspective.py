"""Four corners on the page: dragged, and straightened with and without a server, like on the command line."""

import io
import json
import subprocess

import numpy
import pytest
from conftest import BIN, ROOT
from editor import Fingers, at, crop, decoded, drag, frames, open_photo, open_targets, recipe, settle, wait_until
from PIL import Image, ImageDraw
from pictures import png
from test_page import assert_accessible, assert_shown


def photo(width=600, height=450):
    """A photo with details, of this size."""
    image = Image.open(ROOT / "Samples/still-life.jpg").convert("RGB").resize((width, height))
    return numpy.asarray(image)


def choose(page, name):
    page.get_by_role("button", name=name, exact=True).click()
    settle(page)


def corners(page):
    found = recipe(page)
    if "quad" in found:
        return [(corner["x"], corner["y"]) for corner in found["quad"]]
    # Corners of a rectangle become a recipe with a rectangle.
    left, top, width, height = (found["rect"][key] for key in ("x", "y", "width", "height"))
    return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]


def is_flat_shown(page):
    wait_until(page, "document.querySelector('.flat')?.checkVisibility({ visibilityProperty: true }) === true")


def by_command(folder, source, wanted):
    """The command line's result for a recipe."""
    (folder / "in.png").write_bytes(source)
    (folder / "recipe.json").write_text(json.dumps(wanted))
    subprocess.run(
        [BIN / "cropkit", "crop", folder / "in.png", "--recipe", folder / "recipe.json", "-o", folder / "out.png"],
        check=True, capture_output=True)
    return numpy.asarray(Image.open(folder / "out.png").convert("RGB"))


@pytest.mark.thorough
def test_corners_are_dragged_and_the_result_is_that_of_the_command_line(opened, tmp_path, keep):
    page = opened()
    source = png(photo())
    open_photo(page, source, style=None)
    choose(page, "Perspective")
    assert corners(page) == [(0, 0), (600, 0), (600, 450), (0, 450)]
    for start, end in [((0, 0), (90, 60)), ((600, 0), (480, 30)), ((600, 450), (560, 420)), ((0, 450), (40, 400))]:
        drag(page, at(page, *start), at(page, *end))
    wanted = [(90, 60), (480, 30), (560, 420), (40, 400)]
    assert numpy.abs(numpy.subtract(corners(page), wanted)).max() <= 2
    is_flat_shown(page)
    keep(page, "perspective")
    # An edge moves along the two adjacent ones, together with both its corners.
    before = corners(page)
    drag(page, at(page, 285, 45), at(page, 290, 75))
    after = corners(page)
    assert after[2:] == before[2:] and after[0][1] > before[0][1] + 15 and after[1][1] > before[1][1] + 15
    page.get_by_role("button", name="Undo").click()
    settle(page)
    assert corners(page) == before
    assert_accessible(page)
    shown = recipe(page)
    assert shown["version"] == 2 and "rect" not in shown
    found = numpy.asarray(decoded(crop(page)).convert("RGB")).astype(int)
    same = by_command(tmp_path, source, shown)
    assert found.shape == same.shape
    assert numpy.abs(found - same).max() <= 1


@pytest.mark.thorough
def test_the_size_is_a_sheets_and_going_back_gives_the_rectangle(opened):
    page = opened()
    open_photo(page, png(photo()), style=None)
    drag(page, at(page, 600, 450), at(page, 500, 400))
    before = recipe(page)
    choose(page, "Perspective")
    rect = before["rect"]
    assert corners(page)[0] == (rect["x"], rect["y"])
    assert corners(page)[2] == (rect["x"] + rect["width"], rect["y"] + rect["height"])
    drag(page, at(page, rect["x"] + rect["width"], rect["y"]), at(page, 420, 60))
    for name, ratio in (("A4", 297 / 210), ("Letter", 22 / 17), ("Square", 1), ("3:2", 1.5)):
        choose(page, name)
        assert page.get_by_role("button", name=name, exact=True).get_attribute("aria-pressed") == "true"
        size = page.evaluate("document.querySelector('crop-view').resultSize")
        assert size["width"] / size["height"] == pytest.approx(ratio, abs=0.01)
    for name in ("Sheet’s ratio", "Free"):
        choose(page, name)
        assert page.get_by_role("button", name=name, exact=True).get_attribute("aria-pressed") == "true"
    choose(page, "Handles")
    assert "quad" not in recipe(page)
    assert not page.locator(".flat").is_visible()


def test_a_jpeg_is_reported_as_re_encoded(opened):
    page = opened()
    data = io.BytesIO()
    Image.fromarray(photo()).save(data, "JPEG", quality=92)
    open_photo(page, data.getvalue(), name="photo.jpg", style=None)
    assert "lossless" in page.locator(".made .note").get_attribute("class")
    choose(page, "Perspective")
    drag(page, at(page, 0, 0), at(page, 60, 50))
    assert "lossless" not in page.locator(".made .note").get_attribute("class")
    image = decoded(crop(page))
    assert image.format == "JPEG"


def drag_two_corners(page):
    """Drags two opposite corners with a finger, checks their positions, and returns all four."""
    fingers = Fingers(page)
    fingers.drag(at(page, 0, 0), at(page, 100, 80))
    fingers.drag(at(page, 600, 450), at(page, 520, 400))
    found = corners(page)
    assert numpy.abs(numpy.subtract(found[0], (100, 80))).max() <= 8
    assert numpy.abs(numpy.subtract(found[2], (520, 400))).max() <= 8
    is_flat_shown(page)
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fingers_drag_corners_on_a_phone(opened, keep, scheme):
    page = opened("phone", scheme)
    open_photo(page, png(photo()), style=None)
    page.get_by_role("tab", name="Document").click()
    settle(page)
    found = drag_two_corners(page)
    assert_shown(page, keep, f"perspective-phone-{scheme}")
    assert decoded(crop(page)).size == tuple(map(round, size_of(found)))


def size_of(quad):
    """Each side is as long as the longer of its two edges."""
    lengths = [numpy.hypot(*numpy.subtract(quad[(i + 1) % 4], quad[i])) for i in range(4)]
    return max(lengths[0], lengths[2]), max(lengths[1], lengths[3])


def test_by_keyboard(opened):
    page = opened()
    open_photo(page, png(photo()), style=None)
    choose(page, "Perspective")
    # The image, the selection, its corners and edges clockwise.
    page.locator("crop-view").focus()
    for _ in range(2):
        page.keyboard.press("Tab")
    name = "document.querySelector('crop-view').shadowRoot.activeElement.getAttribute('aria-label')"
    assert page.evaluate(name) == "Top left corner"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert corners(page)[0] == (1, 10)
    page.keyboard.press("Control+z")
    assert corners(page) == [(0, 0), (600, 0), (600, 450), (0, 450)]
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Save").wait_for()


def lens(page):
    """The point that the magnifier of a finger shows, in pixels of the image; None if there is none."""
    return page.evaluate("""() => {
      const found = document.querySelector('crop-view').core.scene().find(({ kind }) => kind === 'magnifier');
      return found ? { ...found.focus, top: found.center.y, radius: found.radius } : null;
    }""")


def test_a_magnifier_shows_the_corner_under_a_finger(opened, keep):
    page = opened("phone")
    open_photo(page, png(photo()), style="Quad")
    fingers = Fingers(page)
    drag_start, end = at(page, 0, 0), at(page, 120, 90)
    fingers.drag(drag_start, at(page, 60, 45))
    start = at(page, *corners(page)[0])
    fingers.send("touchStart", start)
    for step in range(1, 5):
        fingers.send("touchMove", (start[0] + (end[0] - start[0]) * step / 4, start[1] + (end[1] - start[1]) * step / 4))
    frames(page)
    shown = lens(page)
    assert numpy.abs(numpy.subtract((shown["x"], shown["y"]), corners(page)[0])).max() <= 1
    # The lens is not under the finger.
    top = page.evaluate("document.querySelector('crop-view').getBoundingClientRect().top")
    assert abs(shown["top"] + top - end[1]) > shown["radius"]
    keep(page, "perspective-magnifier")
    fingers.send("touchEnd")
    settle(page)
    assert lens(page) is None


@pytest.mark.thorough
def test_in_right_to_left_text_corners_keep_their_places(opened, keep):
    page = opened("phone", locale="ar-EG")
    open_photo(page, png(photo()), style="Quad")
    # An image is not mirrored with the text: its left stays left.
    drag_two_corners(page)
    assert_shown(page, keep, "perspective-arabic")
    page.locator("crop-view").focus()
    for _ in range(2):
        page.keyboard.press("Tab")
    before = corners(page)
    page.keyboard.press("ArrowRight")
    moved = [numpy.subtract(a, b).tolist() for a, b in zip(corners(page), before, strict=True) if a != b]
    assert moved == [[1, 0]]


def test_targets_report_that_they_do_not_support_corners(opened):
    page = opened()
    open_photo(page, png(photo()), style=None)
    choose(page, "Perspective")
    drag(page, at(page, 0, 0), at(page, 90, 60))
    before = recipe(page)
    page.get_by_role("button", name="Sizes", exact=True).click()
    page.get_by_text("Sizes can’t be made from four corners.").wait_for()
    assert recipe(page) == before and "targets" not in page.url
    page.evaluate("location.hash = '#/targets'")
    page.get_by_text("Sizes can’t be made from four corners.").wait_for()
    assert recipe(page) == before
    choose(page, "Handles")
    page.get_by_role("button", name="Sizes", exact=True).click()
    wait_until(page, "location.hash.endsWith('/targets')")


def test_a_target_is_not_offered_corners(opened):
    page = opened()
    open_photo(page, png(photo()), style=None)
    open_targets(page)
    page.locator(".target", has=page.locator(".name:text-is('Square')")).click()
    settle(page)
    screen = page.locator("#targets")
    assert screen.get_by_role("button", name="Handles", exact=True).is_visible()
    assert screen.get_by_role("button", name="Perspective", exact=True).count() == 0


def sheet_on_a_desk():
    """A sheet with lines of text on a photo, and the positions of its corners."""
    desk = Image.fromarray(photo()).convert("RGB").point(lambda value: value // 2 + 20)
    quad = [(150, 70), (470, 110), (430, 400), (110, 350)]
    sheet = Image.new("RGB", (300, 300), (235, 232, 225))
    draw = ImageDraw.Draw(sheet)
    for line in range(30, 270, 18):
        draw.rectangle((30, line, 250, line + 5), fill=(60, 60, 60))
    rows, values = [], []
    for (x, y), (u, v) in zip(quad, [(0, 0), (300, 0), (300, 300), (0, 300)], strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    back = numpy.linalg.solve(rows, values).tolist()
    flat = sheet.transform(desk.size, Image.Transform.PERSPECTIVE, back, Image.Resampling.BICUBIC)
    mask = Image.new("L", (300, 300), 255).transform(desk.size, Image.Transform.PERSPECTIVE, back)
    desk.paste(flat, mask=mask)
    return numpy.asarray(desk), quad


@pytest.mark.parametrize("turns", [0, 1])
def test_corners_are_found_on_request_as_one_undo_step(opened, keep, turns):
    page = opened()
    pixels, quad = sheet_on_a_desk()
    open_photo(page, png(pixels), style=None)
    for _ in range(turns):
        page.get_by_role("button", name="Rotate right").first.click()
        settle(page)
    assert not page.get_by_role("button", name="Find corners").is_visible()
    choose(page, "Perspective")
    before = corners(page)
    page.get_by_role("button", name="Find corners").click()
    wait_until(page, "document.querySelector('crop-view').recipe.quad !== undefined")
    settle(page)
    # A quarter turn maps (x, y) to (height − y, x), and the bottom-left corner to the top left.
    wanted = quad if turns == 0 else [(450 - y, x) for x, y in quad[3:] + quad[:3]]
    assert numpy.abs(numpy.subtract(corners(page), wanted)).max() <= 0.02 * 750
    assert_accessible(page)
    keep(page, f"perspective-found-{turns}")
    page.get_by_role("button", name="Undo").click()
    settle(page)
    assert corners(page) == before


def photographed(quad, size=(900, 700), paper=(210, 297)):
    """White paper with these corners on a dark table."""
    table = numpy.full((size[1], size[0], 3), (70, 55, 45), numpy.uint8)
    image = Image.fromarray(table)
    draw = ImageDraw.Draw(image)
    draw.polygon(quad, fill=(240, 240, 235))
    return numpy.asarray(image)


#: A4 in portrait format, seen from below: in the photo it is wider than high.
UPRIGHT = [(335, 249), (565, 249), (640, 517), (260, 517)]


def size(page):
    found = page.evaluate("document.querySelector('crop-view').resultSize")
    return found["width"], found["height"]


@pytest.mark.thorough
def test_a_ratio_has_the_format_of_the_sheet_and_can_be_swapped(opened):
    page = opened()
    open_photo(page, png(photographed(UPRIGHT)), style=None)
    choose(page, "Perspective")
    page.evaluate("(quad) => { document.querySelector('crop-view').recipe = { version: 2, quad } }",
                  [{"x": x, "y": y} for x, y in UPRIGHT])
    settle(page)
    choose(page, "A4")
    width, height = size(page)
    assert width / height == pytest.approx(210 / 297, abs=0.01)
    # The fields show the ratio that holds.
    choose(page, "Custom")
    fields = [page.get_by_label(f"Ratio, {side}") for side in ("width", "height")]
    wait_until(page, "document.querySelector('.custom input').value === '70'")
    assert [field.input_value() for field in fields] == ["70", "99"]
    page.get_by_role("button", name="Portrait format").click()
    settle(page)
    width, height = size(page)
    assert width / height == pytest.approx(297 / 210, abs=0.01)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo", exact=True).click()
    settle(page)
    width, height = size(page)
    assert width / height == pytest.approx(210 / 297, abs=0.01)


@pytest.mark.thorough
def test_the_sheet_s_ratio_is_only_offered_if_it_can_be_measured(opened):
    page = opened()
    open_photo(page, png(photo()), style=None)
    choose(page, "Perspective")
    button = page.get_by_role("button", name="Sheet’s ratio", exact=True)
    assert button.is_disabled()
    assert page.get_by_text("The sheet’s own ratio can’t be measured here.").is_visible()
    for start, end in [((0, 0), (90, 60)), ((600, 450), (520, 420))]:
        drag(page, at(page, *start), at(page, *end))
    wait_until(page, "document.querySelector('crop-view').state.sheetRatio > 0")
    settle(page)
    assert button.is_enabled()
    assert not page.get_by_text("The sheet’s own ratio can’t be measured here.").is_visible()


def test_the_preview_has_the_ratio_of_the_result(opened):
    page = opened()
    open_photo(page, png(photo()), style=None)
    choose(page, "Perspective")
    # The corners of the whole photo only cut nothing off.
    assert not page.locator(".flat").is_visible()
    drag(page, at(page, 0, 0), at(page, 60, 40))
    choose(page, "16:9")
    is_flat_shown(page)
    wait_until(page, """(({ width, height }) => Math.abs(width / height - 16 / 9) < 0.05)(
      document.querySelector('.flat crop-preview').getBoundingClientRect())""")
    # At rest, it covers no handle.
    box = page.locator(".flat").bounding_box()
    for x, y in corners(page):
        left, top = at(page, x, y)
        assert not (box["x"] < left < box["x"] + box["width"] and box["y"] < top < box["y"] + box["height"])


def test_found_paper_gets_its_ratio(opened):
    page = opened()
    # A4 in front of a camera that is pitched and turned.
    quad = [(750, 518), (1202, 502), (1180, 1038), (456, 992)]
    open_photo(page, png(photographed(quad, (1800, 1400))), style=None)
    choose(page, "Perspective")
    page.get_by_role("button", name="Find corners").click()
    wait_until(page, "document.querySelector('crop-view').recipe.quad !== undefined")
    settle(page)
    assert numpy.abs(numpy.subtract(corners(page), quad)).max() <= 16
    pressed = page.locator(".presets > [aria-pressed=true]").locator("visible=true").all_inner_texts()
    # The corners are found in a small version, so the ratio is only nearly that of the paper.
    assert pressed in (["A4"], ["Sheet’s ratio"])
    width, height = size(page)
    assert width / height == pytest.approx(210 / 297, rel=0.05)


def test_on_a_phone_a_document_is_offered_and_has_a_tab(open_page, keep):
    page = open_page("phone")
    pixels, quad = sheet_on_a_desk()
    open_photo(page, png(pixels), style=None)
    offer = page.get_by_role("button", name="Straighten document")
    offer.tap()
    wait_until(page, "document.querySelector('crop-view').recipe?.quad !== undefined")
    settle(page)
    assert numpy.abs(numpy.subtract(corners(page), quad)).max() <= 0.02 * 750
    assert not offer.is_visible()
    tab = page.get_by_role("tab", name="Document")
    assert tab.get_attribute("aria-selected") == "true"
    assert page.get_by_role("button", name="Find corners").is_visible()
    assert_shown(page, keep, "document-phone")
    page.get_by_role("tab", name="Crop", exact=True).tap()
    settle(page)
    assert "rect" in recipe(page) and not page.get_by_role("button", name="Find corners").is_visible()
    tab.tap()
    settle(page)
    assert page.get_by_role("button", name="Find corners").is_visible()
    page.get_by_role("button", name="Undo", exact=True).tap()


def test_a_photo_without_a_document_offers_nothing(open_page):
    page = open_page("phone")
    open_photo(page, png(numpy.full((450, 600, 3), 130, numpy.uint8)), style=None)
    page.evaluate("new Promise((done) => requestIdleCallback(() => requestIdleCallback(done)))")
    assert not page.get_by_role("button", name="Straighten document").is_visible()


def test_found_corners_keep_the_chosen_ratio_and_size(opened):
    page = opened()
    open_photo(page, png(sheet_on_a_desk()[0]), style=None)
    choose(page, "Perspective")
    choose(page, "A4")
    page.evaluate("document.querySelector('crop-view').command('longestSide', 200)")
    settle(page)
    before = corners(page)
    page.get_by_role("button", name="Find corners").click()
    wait_until(page, f"document.querySelector('crop-view').recipe.quad[0].x !== {before[0][0]}")
    settle(page)
    assert page.get_by_role("button", name="A4", exact=True).get_attribute("aria-pressed") == "true"
    size = page.evaluate("document.querySelector('crop-view').resultSize")
    shorter, longer = sorted(size.values())
    assert longer == 200 and shorter == pytest.approx(200 * 210 / 297, abs=1)


@pytest.mark.parametrize("output", [{"width": 120, "height": 90}, None])
def test_found_corners_keep_an_exact_size_and_the_sheets_ratio(open_page, output):
    page = open_page()
    open_photo(page, png(sheet_on_a_desk()[0]), style=None)
    choose(page, "Perspective")
    if output:
        page.evaluate("document.querySelector('crop-view').command('outputSize', 120, 90)")
        settle(page)
    page.get_by_role("button", name="Find corners").click()
    wait_until(page, "document.querySelector('crop-view').recipe.quad?.[0].x > 100")
    settle(page)
    if output:
        assert recipe(page)["output"] == output
    else:
        free, sheet = (page.get_by_role("button", name=name, exact=True) for name in ("Free", "Sheet’s ratio"))
        known = page.evaluate("document.querySelector('crop-view').state.sheetRatio > 0")
        assert (sheet if known else free).get_attribute("aria-pressed") == "true"


def test_a_photo_without_a_sheet_is_reported(opened):
    page = opened()
    open_photo(page, png(numpy.full((450, 600, 3), 130, numpy.uint8)), style=None)
    choose(page, "Perspective")
    before = corners(page)
    page.get_by_role("button", name="Find corners").click()
    page.get_by_text("No sheet or screen stands out in photo.png").wait_for()
    assert corners(page) == before


@pytest.mark.thorough
def test_the_preview_covers_no_corner(opened, keep):
    page = opened()
    open_photo(page, png(photo()), style=None)
    choose(page, "Perspective")
    # First the right corner is dragged where the preview is, then the left one.
    for moves in [
        [((0, 450), (100, 260)), ((600, 450), (560, 420))], [((560, 420), (500, 250)), ((100, 260), (40, 430))],
    ]:
        for start, end in moves:
            drag(page, at(page, *start), at(page, *end))
        is_flat_shown(page)
        frames(page)
        box = page.locator(".flat").bounding_box()
        for place in corners(page):
            x, y = at(page, *place)
            assert not (box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"])
    keep(page, "perspective-preview")
