"""The layout of the page: tablets in portrait, narrow and zoomed windows, and elements that must not move."""

import re

import pytest
from editor import frames, open_photo, settle, wait_until
from pictures import coordinates, gradient, jpeg, png
from test_page import assert_accessible, assert_fits

STAGE = "(({ x, y, width, height }) => [x, y, width, height])(document.querySelector('#editor .stage').getBoundingClientRect())"


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_upright_tablet_has_the_controls_below_a_photo_as_wide_as_the_screen(open_page, scheme):
    page = open_page("tablet", scheme)
    assert_fits(page)
    assert_accessible(page)
    open_photo(page, png(coordinates(900, 600)), style="Studio")
    left, _, width, height = page.evaluate(STAGE)
    assert (left, width) == (0, 820) and height > 800
    assert page.evaluate("document.querySelector('crop-view').selectionBox.width") > 750
    for tab in ("Shape", "Grid", "Crop"):
        page.get_by_role("tab", name=tab).click()
        assert_fits(page)
        assert_accessible(page)
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_role("link", name="Save").wait_for()
    wait_until(page, "document.querySelector('.show img').clientWidth === 820 - 28")
    assert_fits(page)
    assert_accessible(page)


@pytest.mark.parametrize("size", [(720, 450), (640, 360), (960, 540), (800, 900), (1000, 1000)])
def test_a_window_that_is_narrow_or_zoomed_to_200_per_cent_leaves_half_of_it_to_the_photo(open_page, size):
    width, height = size
    page = open_page()
    page.set_viewport_size({"width": width, "height": height})
    open_photo(page, png(coordinates(900, 600)), style="Studio")
    _, _, wide, high = page.evaluate(STAGE)
    assert wide * high > width * height / 2
    assert_fits(page)


@pytest.mark.thorough
@pytest.mark.parametrize("size, language", [
    ((568, 320), "de"), ((640, 300), "en"), ((640, 400), "de"), ((667, 375), "en"), ((740, 360), "de"), ((844, 390), "de")])
def test_in_a_low_window_the_panel_is_as_wide_as_its_controls_and_shows_them(open_page, keep, size, language):
    width, height = size
    page = open_page(locale=language)
    page.set_viewport_size({"width": width, "height": height})
    open_photo(page, jpeg(gradient(900, 600)), style="Studio")
    wide, seen = page.evaluate("(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])"
                               "(document.querySelector('#editor .side'))")
    assert wide == seen
    assert not page.locator(".side > .made").is_visible()
    page.locator("#editor .badges").wait_for()
    assert_fits(page)
    assert_accessible(page)
    keep(page, f"low-{width}-{height}")


@pytest.mark.parametrize("language", ["en", "de", "it", "pt"])
@pytest.mark.parametrize("size", [(640, 400), (640, 360)])
def test_at_200_per_cent_the_names_of_the_modes_fit_into_their_control(open_page, unserved, keep, size, language):
    width, height = size
    page = open_page(locale=language, address=unserved, service_workers="block")
    page.set_viewport_size({"width": width, "height": height})
    open_photo(page, jpeg(gradient(900, 600)), style="Studio")
    assert page.evaluate("""() => {
      const control = document.querySelector('.style .segments');
      const box = control.getBoundingClientRect();
      const names = [...control.querySelectorAll('.chip')].map((chip) => {
        const range = document.createRange();
        range.selectNodeContents(chip.querySelector('span'));
        return [chip.getBoundingClientRect(), range.getBoundingClientRect(), chip.textContent];
      });
      return names.filter(([chip, name]) => chip.left < box.left || chip.right > box.right
        || name.left < chip.left || name.right > chip.right).map(([, , text]) => text);
    }""") == []
    keep(page, f"modes-{language}")


@pytest.mark.thorough
def test_on_an_upright_tablet_all_rows_of_a_canvas_start_at_one_edge(open_page, unserved, keep):
    page = open_page("tablet", address=unserved, service_workers="block")
    open_photo(page, jpeg(gradient(900, 600)), style="Studio")
    page.get_by_role("button", name="Fit", exact=True).click()
    settle(page)
    keep(page, "tablet-fit")
    names, groups, cut = page.evaluate("""() => {
      const left = (node) => Math.round(node.getBoundingClientRect().left);
      const all = [...document.querySelectorAll('.panel .section.current :is(button, input, h3)')]
        .filter((node) => node.checkVisibility());
      return [[...document.querySelectorAll('.canvas-rest h3')].map(left),
        [...document.querySelectorAll('.canvas-rest > .chips > :first-child')].map(left),
        all.map((node) => node.getBoundingClientRect()).filter(({ left, right }) => left < 0 || right > innerWidth).length];
    }""")
    fill = page.evaluate("document.querySelector('.canvas-fill > :first-child').getBoundingClientRect().left")
    assert len({*names, round(fill)}) == 1 and len(set(groups)) == 1 and cut == 0
    assert_fits(page)


#: Records where the label of the crop frame was drawn last.
LABEL = """() => {
  const { roundRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.roundRect = function (x, y, width, height, radius) {
    const { left, top } = this.canvas.getBoundingClientRect();
    if (height === 22) window.label = { left: left + x, top: top + y, right: left + x + width, bottom: top + y + 22 };
    return roundRect.call(this, x, y, width, height, radius);
  };
}"""

#: What lies over a handle: the label, badges, and the preview of four corners.
OVER_HANDLES = """() => {
  const view = document.querySelector('crop-view');
  const { left, top } = view.getBoundingClientRect();
  const handles = view.core.scene().filter(({ kind }) => kind === 'bar').map(({ rect }) => rect);
  const shown = [...document.querySelectorAll('.badges > *, .flat')]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }));
  const boxes = [['label', window.label], ...shown.map((node) => [node.className, node.getBoundingClientRect()])];
  return boxes.flatMap(([name, box]) => handles.filter(({ x, y, width, height }) =>
    left + x < box.right && left + x + width > box.left && top + y < box.bottom && top + y + height > box.top)
    .map(() => name));
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("size, is_touch", [((1280, 500), False), ((844, 390), True)])
def test_in_a_low_window_nothing_covers_a_handle_of_four_corners(open_page, unserved, keep, size, is_touch):
    page = open_page("phone" if is_touch else "desk", address=unserved, service_workers="block")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(LABEL)
    open_photo(page, jpeg(gradient(900, 600)), name="photo.jpg", style="Quad")
    # Corners of a sheet that is upright, or seen from below, and one as large as the photo.
    for number, quad in enumerate([
            [(0, 0), (900, 0), (900, 600), (0, 600)], [(250, 10), (480, 0), (520, 590), (220, 600)],
            [(0, 60), (900, 0), (900, 600), (0, 510)], [(80, 0), (700, 90), (800, 500), (0, 600)]]):
        page.evaluate("""(quad) => {
          document.querySelector('crop-view').recipe = { version: 2, quad: quad.map(([x, y]) => ({ x, y })) };
        }""", quad)
        settle(page)
        assert page.evaluate(OVER_HANDLES) == [], quad
        keep(page, f"low-corners-{size[0]}-{number}")
    # The corner at the bottom left moves along the lower edge and up.
    start = page.evaluate("""(({ x, y }, { rect }) => [x + rect.x + rect.width / 2, y + rect.y + rect.height / 2])(
      document.querySelector('crop-view').getBoundingClientRect(),
      document.querySelector('crop-view').core.scene().filter(({ kind }) => kind === 'bar')[6])""")
    if is_touch:
        session = page.context.new_cdp_session(page)

        def send(kind, *points):
            session.send("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": x, "y": y, "id": 0} for x, y in points]})
        send("touchStart", start)
    else:
        page.mouse.move(*start)
        page.mouse.down()
    for step in range(1, 20):
        place = (start[0] + step * 6, start[1] - step * 8)
        if is_touch:
            send("touchMove", place)
        else:
            page.mouse.move(*place)
        frames(page)
        assert page.evaluate(OVER_HANDLES) == [], step
    if is_touch:
        send("touchEnd")
    else:
        page.mouse.up()


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(320, 256), (427, 267), (320, 200)])
def test_a_window_zoomed_to_300_per_cent_or_more_shows_the_photo_and_scrolls(open_page, keep, size):
    width, height = size
    page = open_page()
    page.set_viewport_size({"width": width, "height": height})
    open_photo(page, png(coordinates(900, 600)), style="Studio")
    assert page.evaluate("document.querySelector('crop-view').clientHeight") >= 120
    keep(page, f"zoomed-{width}-{height}")
    # On the photo, the wheel zooms.
    page.mouse.move(width / 2, 20)
    page.mouse.wheel(0, 2000)
    tab = page.get_by_role("tab", name="Shape")
    wait_until(page, "document.querySelector('#editor [role=tablist]').getBoundingClientRect().bottom <= innerHeight")
    tab.click()
    page.get_by_role("button", name="Rounded").wait_for()
    assert_accessible(page)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_fixed_control_covers_no_button_when_a_photo_opens(open_page, keep, language):
    page = open_page("small", locale=language)
    open_photo(page, png(coordinates(900, 600)), style="Studio")
    fixed, button = page.evaluate("[...document.querySelectorAll('.ratio .fill-fit, .ratio .swap')]"
                                  ".map((one) => one.getBoundingClientRect())")
    assert button["left"] >= fixed["right"]
    keep(page, f"ratios-{language}")


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["phone", "small", "tablet"])
def test_the_photo_keeps_its_place_whatever_rows_appear_below_it(open_page, viewport):
    page = open_page(viewport)
    # The controls appear with the photo; their space is reserved before.
    page.route("**/api/samples/*", lambda route: None)
    page.locator(".tile").first.click()
    wait_until(page, "!document.querySelector('#editor').hidden")
    before = page.evaluate(STAGE)
    page.get_by_role("button", name="Close photo").click()
    open_photo(page, png(coordinates(900, 600)), style="Studio")
    assert page.evaluate(STAGE) == before
    page.get_by_role("button", name="Custom", exact=True).click()
    page.get_by_role("textbox", name="Ratio, width").wait_for()
    assert page.evaluate(STAGE) == before
    page.get_by_role("button", name="Square", exact=True).click()
    settle(page)
    assert page.evaluate(STAGE) == before
    page.get_by_role("tab", name="Shape").click()
    page.get_by_role("button", name="Rounded").click()
    page.get_by_role("textbox", name="Corner radius in pixels").wait_for()
    assert page.evaluate(STAGE) == before
    assert_accessible(page)


def test_a_ratio_moves_nothing_below_it(open_page):
    page = open_page()
    open_photo(page, png(coordinates(900, 600)), style="Studio")
    tops = """[...document.querySelectorAll('.panel .section')].filter((section) => section.checkVisibility())
      .map((section) => Math.round(section.getBoundingClientRect().top))"""
    before = page.evaluate(tops)
    page.get_by_role("button", name="3:2", exact=True).click()
    settle(page)
    assert page.evaluate(tops) == before


@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_the_hint_does_not_cover_the_size(open_page, viewport):
    page = open_page(viewport)
    page.evaluate(LABEL)
    open_photo(page, png(coordinates(900, 600)), style="Studio")
    if viewport == "phone":
        page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Redraw").click()
    page.get_by_text("Drag to draw a new crop frame").wait_for()
    settle(page)
    # On a phone, the photo gets the space of the sheet.
    assert page.get_by_role("button", name=re.compile("Redraw")).is_visible() == (viewport == "desk")
    hint, label = page.evaluate("[document.querySelector('.above .pill').getBoundingClientRect(), window.label]")
    assert hint["bottom"] < label["top"] or hint["top"] > label["bottom"]


#: The elements of the editor with a scrollbar for horizontal scrolling.
SIDEWAYS = """[document.documentElement, ...document.querySelectorAll('#editor, #editor *')].filter((node) => {
  const { overflowX, scrollbarWidth } = getComputedStyle(node);
  const scrolls = ['auto', 'scroll'].includes(overflowX) || node === document.documentElement;
  return scrolls && scrollbarWidth !== 'none' && node.scrollWidth > node.clientWidth;
}).map(({ tagName, className, scrollWidth, clientWidth }) => [tagName, className, scrollWidth, clientWidth])"""


@pytest.mark.parametrize("size", [(1280, 720), (900, 600), (820, 1180), (640, 400), (390, 600), (320, 400)])
def test_where_scrollbars_take_space_the_editor_scrolls_only_up_and_down(open_page, with_scrollbars, keep, size):
    width, height = size
    page = open_page(browser=with_scrollbars)
    page.set_viewport_size({"width": width, "height": height})
    open_photo(page, jpeg(gradient(900, 600)), style="Studio")
    # Hidden scrollbars would prove nothing.
    assert page.evaluate("""() => {
      const box = document.createElement('div');
      box.style.cssText = 'overflow: scroll; width: 100px; position: fixed';
      document.body.append(box);
      const taken = box.offsetWidth - box.clientWidth;
      box.remove();
      return taken;
    }""") > 5
    for tab in [*page.get_by_role("tab").all(), None]:
        if tab and tab.is_visible():
            tab.click()
        assert page.evaluate(SIDEWAYS) == []
    keep(page, f"scrollbars-{width}-{height}")
