"""The panel: a few controls at first, the others one click away, and its state is remembered."""

import re

import pytest
from editor import drag, open_photo, recipe, settle
from pictures import coordinates, gradient, jpeg, png
from test_page import assert_accessible, assert_shown

FOLDED = ["Pixels", "Shape", "Grid", "Size of the result", "Output", "Frame", "Zoom", "Sound and shortcuts"]


def opened(open_page, viewport="desk", data=None, **options):
    page = open_page(viewport, folded=True, **options)
    open_photo(page, data or png(coordinates(600, 450)), style="Studio")
    return page


def fold(page, name):
    return page.locator("button.fold").filter(has_text=name).locator("visible=true")


def said(page, name):
    return fold(page, name).locator(".value").text_content()


def stops(page):
    """The Tab stops of the editor, without the photo's elements."""
    return page.evaluate("""[...document.querySelectorAll('#editor :is(button, input, a)')]
      .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility()).length""")


def test_the_panel_shows_what_is_used_most_and_folds_the_rest(open_page, keep):
    page = open_page(folded=True, viewport="desk")
    page.set_viewport_size({"width": 1440, "height": 900})
    open_photo(page, png(coordinates(600, 450)), style="Studio")
    folds = page.locator("button.fold").locator("visible=true")
    assert folds.locator("> span:first-child").all_text_contents() == FOLDED
    for name in ("Square", "Rotate left", "Flip horizontally"):
        assert page.get_by_role("button", name=name, exact=True).locator("visible=true").count() == 1
    assert page.get_by_role("slider", name="Straighten").is_visible()
    for name in ("Ellipse", "Thirds", "JPEG", "Redraw"):
        assert not page.get_by_role("button", name=name, exact=True).is_visible()
    # No part of the panel is below the window.
    assert page.evaluate("(side) => side.scrollHeight <= side.clientHeight",
                         page.locator("#editor .side").element_handle())
    assert stops(page) <= 26
    assert_accessible(page)
    keep(page, "panel-folded")


def test_a_section_opened_at_the_lower_edge_scrolls_into_view(open_page):
    page = opened(open_page, "phone")
    page.get_by_role("button", name="More", exact=True).click()
    fold(page, "Output").click()
    format = page.get_by_role("button", name="JPEG XL", exact=True)
    box = format.bounding_box()
    assert format.evaluate("(one, [x, y]) => one.contains(document.elementFromPoint(x, y))",
                           [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_open_sections_are_open_at_the_next_visit(open_page, keep, viewport):
    page = opened(open_page, viewport)
    if viewport == "phone":
        page.get_by_role("button", name="More", exact=True).click()
    fold(page, "Size of the result").click()
    assert fold(page, "Size of the result").get_attribute("aria-expanded") == "true"
    assert page.get_by_role("button", name="Exact").is_visible()
    assert_shown(page, keep, f"panel-open-{viewport}")
    page.reload()
    open_photo(page, png(coordinates(600, 450)), style="Studio")
    if viewport == "phone":
        page.get_by_role("button", name="More", exact=True).click()
    assert page.get_by_role("button", name="Exact").is_visible()
    assert fold(page, "Output").get_attribute("aria-expanded") == "false"
    fold(page, "Size of the result").press("Enter")
    assert not page.get_by_role("button", name="Exact").is_visible()


def test_a_collapsed_section_shows_the_chosen_value_and_marks_changes(open_page):
    page = opened(open_page)
    assert [said(page, name) for name in FOLDED[:5]] == ["600 × 450", "Rectangle", "Off", "Original size", "Same"]
    assert page.locator(".fold .value.changed").count() == 0
    page.evaluate("""() => {
      const view = document.querySelector('crop-view');
      view.command('shape', 1);
      view.command('grid', 1);
      view.command('longestSide', 400);
    }""")
    settle(page)
    assert [said(page, name) for name in FOLDED[1:4]] == ["Ellipse", "Thirds", "400 px"]
    fold(page, "Output").click()
    page.get_by_role("button", name="WebP").click()
    settle(page)
    assert said(page, "Output") == "WebP"
    assert page.locator(".fold .value.changed").count() == 4
    box = page.evaluate("""() => {
      const { right, bottom } = document.querySelector('crop-view').selectionBox;
      return [right, bottom];
    }""")
    drag(page, box, (box[0] - 60, box[1] - 40))
    rect = recipe(page)["rect"]
    assert said(page, "Pixels") == f"{rect['width']} × {rect['height']}"
    assert rect["width"] < 600


def test_a_group_of_buttons_is_one_tab_stop_with_arrow_keys(open_page):
    page = opened(open_page)
    group = page.get_by_role("toolbar", name="Ratio")
    page.get_by_role("button", name="Portrait format").wait_for()
    # The choice between Fill and Fit is a separate group.
    assert group.locator("button[tabindex='0']:enabled").locator("visible=true").all_inner_texts() == ["Fill", "", "Free"]
    group.get_by_role("button", name="Free").focus()
    for key, name in (("ArrowRight", "Original"), ("ArrowDown", "4:3"), ("ArrowUp", "Original"),
                      ("End", "Custom"), ("ArrowRight", "Custom"), ("Home", "Free")):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.textContent") == name
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    settle(page)
    assert recipe(page)["rect"]["width"] == recipe(page)["rect"]["height"]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.section').classList.contains('straighten')")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.textContent") == "Square"


ACCENT = """() => {
  const accent = getComputedStyle(document.documentElement).getPropertyValue('--ck-accent').trim();
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = accent;
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll('#editor .side *')].filter((one) => one.checkVisibility()
    && !one.matches('[role="tab"], [role="tab"] *')).filter((one) => {
    const { color, backgroundColor, boxShadow, borderTopColor, accentColor } = getComputedStyle(one);
    return [color, backgroundColor, accentColor].includes(wanted) || boxShadow.includes(wanted);
  }).map((one) => one.outerHTML.slice(0, 80));
}"""


@pytest.mark.parametrize("style", ["Studio", "Viewfinder", "Marquee"])
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_nothing_in_the_panel_is_amber_until_it_is_changed(open_page, viewport, style):
    page = open_page(viewport)
    open_photo(page, jpeg(gradient(600, 450)), "photo.jpg", style=style)
    page.mouse.move(5, 300)
    assert page.evaluate(ACCENT) == []
    if viewport == "phone":
        page.get_by_role("button", name="More", exact=True).click()
        page.evaluate("document.activeElement.blur()")
        assert page.evaluate(ACCENT) == []


CHOSEN = """() => [...document.querySelectorAll('#editor [aria-pressed]')].filter((one) => one.checkVisibility())
  .map((one) => {
    const { backgroundColor: back, color, boxShadow } = getComputedStyle(one);
    return [one.getAttribute('aria-pressed'), back, color, boxShadow];
  })"""


def luminance(color):
    """The relative luminance of a CSS color, as in WCAG."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_everything_that_is_chosen_looks_the_same_and_differs_clearly(open_page, viewport, scheme):
    page = open_page(viewport, scheme)
    open_photo(page, jpeg(gradient(600, 450)), "photo.jpg", style="Studio")
    page.mouse.move(5, 300)
    if viewport == "phone":
        page.get_by_role("button", name="More", exact=True).click()
        settle(page)
    found = page.evaluate(CHOSEN)
    looks = {tuple(rest) for pressed, *rest in found if pressed == "true"}
    assert len(looks) == 1
    (back, text, shadow), = looks
    assert shadow == "none"
    contrast = (max(luminance(back), luminance(text)) + 0.05) / (min(luminance(back), luminance(text)) + 0.05)
    assert contrast >= 4.5
    page_color = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ck-raised')")
    raised = luminance(" ".join(str(int(page_color.strip()[at:at + 2], 16)) for at in (1, 3, 5)))
    assert (max(luminance(back), raised) + 0.05) / (min(luminance(back), raised) + 0.05) >= 3


def test_nothing_below_moves_when_a_ratio_is_chosen_or_the_frame_leaves_the_blocks(open_page):
    page = opened(open_page, data=jpeg(gradient(640, 480)))
    places = "[...document.querySelectorAll('.panel .section, .made')].map((one) => one.getBoundingClientRect().top)"
    before = page.evaluate(places)
    page.get_by_role("button", name="3:2", exact=True).click()
    settle(page)
    assert page.evaluate(places) == before
    for x in (3, 16):
        page.evaluate("""(x) => { document.querySelector('crop-view').recipe
          = { version: 1, rect: { x, y: 0, width: 160, height: 96 } }; }""", x)
        settle(page)
        assert page.get_by_role("button", name="Snap to lossless").is_visible() == (x == 3)
        assert page.evaluate(places) == before


def test_a_phone_snaps_to_lossless_with_one_tap_over_the_photo(open_page, keep):
    page = opened(open_page, "phone", data=jpeg(gradient(640, 480)))
    page.evaluate("""document.querySelector('crop-view').recipe
      = { version: 1, rect: { x: 3, y: 0, width: 160, height: 96 } }""")
    settle(page)
    keep(page, "phone-remedy")
    remedy = page.get_by_role("button", name="Snap to lossless").locator("visible=true")
    assert_accessible(page)
    remedy.tap()
    settle(page)
    assert page.locator(".badge .shown").text_content() == "Lossless"
    assert not remedy.is_visible()


@pytest.mark.thorough
def test_the_focus_stays_visible_in_a_long_panel(open_page):
    page = open_page("desk")
    open_photo(page, jpeg(gradient(640, 480)), "photo.jpg", style="Studio")
    page.locator("#editor .bar .primary").focus()
    for _ in range(45):
        page.keyboard.press("Tab")
        hidden = page.evaluate("""() => {
          const focused = document.activeElement;
          if (!focused.closest('.panel')) return null;
          const box = focused.getBoundingClientRect();
          const made = document.querySelector('.made').getBoundingClientRect();
          return box.bottom > made.top + 1 || box.top < 0 ? focused.outerHTML : null;
        }""")
        assert hidden is None


def test_on_a_phone_the_chosen_ratio_is_scrolled_into_view(open_page):
    page = open_page("phone")
    open_photo(page, png(gradient(400, 300)), style="Studio")
    page.evaluate("document.querySelector('crop-view').command('ratio', 21, 9)")
    settle(page)
    chip = page.get_by_role("button", name="21:9", exact=True)
    assert chip.get_attribute("aria-pressed") == "true"
    left, right = chip.evaluate("(chip) => { const { left, right } = chip.getBoundingClientRect(); return [left, right]; }")
    assert left >= 0 and right <= page.viewport_size["width"]


@pytest.mark.parametrize("locale", ["de", "it", "pt", "fr", "en"])
def test_the_modes_are_in_one_row(open_page, locale):
    page = open_page(locale=locale, folded=True)
    open_photo(page, png(coordinates(600, 450)), style="Studio")
    group = page.locator("#editor .style .segments")
    tops = group.locator(".chip").evaluate_all("(all) => [...new Set(all.map((one) => one.offsetTop))]")
    assert len(tops) == 1
    assert group.evaluate("(group) => group.scrollWidth <= group.clientWidth")
