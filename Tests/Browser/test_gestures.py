"""A sample of the core's scripts, performed by mouse, fingers and keyboard in the real page."""

import pytest
from editor import (
    Fingers, at, drag, frames, open_coordinates, open_photo, picture, recipe, rect, rest, settle, state, wait_until,
)
from pictures import coordinates, gradient, jpeg, png


def selection_box(page):
    """The selection's rectangle on the page: left, top, width, height."""
    return page.evaluate(
        "(({x, y, width, height}) => [x, y, width, height])(document.querySelector('crop-view').selectionBox)"
    )


def corner(page, x, y):
    """A point of the selection on the page, from 0 to 1 in each direction."""
    left, top, width, height = selection_box(page)
    return left + width * x, top + height * y


def wheel(page, place, dy, dx=0, ctrl=False):
    """Turns the wheel, simulated by the browser."""
    turned = page.evaluate("""() => {
      if (globalThis.turned === undefined) {
        globalThis.turned = 0;
        addEventListener('wheel', () => globalThis.turned++, { capture: true, passive: true });
      }
      return globalThis.turned;
    }""")
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchMouseEvent", {
        "type": "mouseWheel", "x": place[0], "y": place[1], "deltaX": dx, "deltaY": dy,
        "modifiers": 2 if ctrl else 0,
    })
    wait_until(page, f"globalThis.turned > {turned}")
    settle(page)


# Studio


@pytest.mark.thorough
def test_studio_a_handle_resizes_and_the_frame_recenters_later(open_page):
    page = open_coordinates(open_page, style="Studio")
    assert rect(page) == (0, 0, 600, 450)
    before = selection_box(page)
    start = corner(page, 1, 1)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] - before[2] / 2, start[1] - before[3] / 2, steps=6)
    page.mouse.up()
    held = rect(page)
    assert held == pytest.approx((0, 0, 300, 225), abs=2)
    wait_until(page, "!document.querySelector('crop-view').state.wantsTicks")
    settle(page)
    # The same rectangle, larger on the screen than it was drawn.
    assert rect(page) == held
    assert selection_box(page)[2] > before[2] * 0.9


def test_studio_a_drag_pans_and_springs_back_beyond_the_limit(open_page):
    page = open_coordinates(open_page, style="Studio")
    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Zoom in").click()
    settle(page)
    x, y, width, height = rect(page)
    middle = corner(page, 0.5, 0.5)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 60, middle[1] + 40, steps=5)
    rest(page)
    page.mouse.up()
    settle(page)
    moved = rect(page)
    assert moved[0] < x and moved[1] < y and moved[2:] == (width, height)
    drag(page, middle, (middle[0] + 900, middle[1] + 500))
    assert rect(page) == (0, 0, width, height)


def test_studio_fingers_pinch_twist_and_tap_twice(open_page):
    page = open_coordinates(open_page, "phone", "Studio")
    fingers = Fingers(page)
    fingers.pinch(corner(page, 0.5, 0.5), 60, 180)
    zoomed = rect(page)
    assert zoomed[2] < 400 and zoomed[2] / zoomed[3] == pytest.approx(600 / 450, abs=0.02)
    page.get_by_role("button", name="Undo").click()
    settle(page)
    assert rect(page) == (0, 0, 600, 450)
    # A twist by about thirty degrees tilts and leaves no blank corner.
    x, y = corner(page, 0.5, 0.5)
    fingers.send("touchStart", (x - 80, y))
    fingers.send("touchStart", (x - 80, y), (x + 80, y))
    for step in range(1, 9):
        rise = 5.5 * step
        fingers.send("touchMove", (x - 80, y - rise), (x + 80, y + rise))
    fingers.send("touchEnd")
    settle(page)
    assert 10 < recipe(page)["tilt"] < 45
    page.get_by_role("button", name="Reset").click()
    settle(page)
    # On a busy machine, two taps may be too far apart for a double tap, and do nothing.
    for _ in range(100):
        for _ in range(2):
            fingers.send("touchStart", (x, y))
            fingers.send("touchEnd")
        settle(page)
        if rect(page) != (0, 0, 600, 450):
            break
    assert rect(page)[2] == pytest.approx(240, abs=3)


@pytest.mark.thorough
def test_studio_two_fingers_in_the_same_direction_move_the_frame(open_page):
    page = open_coordinates(open_page, "phone", "Studio")
    end = corner(page, 1, 1)
    drag(page, end, (end[0] - 120, end[1] - 90))
    settle(page)
    x, y, width, height = rect(page)
    place = picture(page)
    middle = corner(page, 0.5, 0.5)
    fingers = Fingers(page)
    pair = [(middle[0] - 40, middle[1]), (middle[0] + 40, middle[1])]
    fingers.send("touchStart", pair[0])
    fingers.send("touchStart", *pair)
    for step in range(1, 6):
        fingers.send("touchMove", *((px + 8 * step, py + 6 * step) for px, py in pair))
    assert picture(page) == place
    fingers.send("touchEnd")
    settle(page)
    moved = rect(page)
    assert moved[0] > x and moved[1] > y and moved[2:] == (width, height)


# Viewfinder


def test_viewfinder_a_filling_picture_bounces_back_until_the_opening_is_covered(open_page):
    page = open_coordinates(open_page, style="Viewfinder")
    assert rect(page) == (75, 0, 450, 450)
    middle = corner(page, 0.5, 0.5)
    drag(page, middle, (middle[0] + 700, middle[1] + 10))
    assert rect(page) == (0, 0, 450, 450)
    drag(page, middle, (middle[0] - 900, middle[1] - 300))
    assert rect(page) == (150, 0, 450, 450)
    wheel(page, middle, 300)
    assert rect(page) == (150, 0, 450, 450)


@pytest.mark.thorough
def test_viewfinder_a_fitting_picture_bounces_back_to_its_width(open_page):
    page = open_coordinates(open_page, style="Viewfinder")
    page.evaluate("document.querySelector('crop-view').setAttribute('cover', 'fit')")
    settle(page)
    place, middle = picture(page), corner(page, 0.5, 0.5)
    # The opening shows what the image covers of it, and is as wide as the image.
    assert rect(page) == (75, 0, 450, 450)
    drag(page, middle, (middle[0] + 300, middle[1] + 200))
    assert picture(page) == pytest.approx(place, abs=0.5)
    assert rect(page) == (75, 0, 450, 450)
    # Two detents: one does not make the image as high as the opening.
    wheel(page, middle, -200)
    wheel(page, middle, -200)
    drag(page, middle, (middle[0] + 900, middle[1] + 10))
    assert rect(page)[0] == 0 and rect(page)[2] < 450


# Marquee


@pytest.mark.thorough
def test_marquee_wheel_space_and_middle_button(open_page):
    page = open_coordinates(open_page, style="Marquee")
    drag(page, at(page, 200, 150), at(page, 400, 300))
    kept = rect(page)
    place = at(page, 300, 225)
    scale = picture(page)[2]
    wheel(page, place, -100)
    assert picture(page)[2] == pytest.approx(scale * 1.3, rel=0.03)
    # The point under the pointer is still there.
    assert at(page, 300, 225) == pytest.approx(place, abs=1.5)
    left, top, _ = picture(page)
    page.keyboard.down("Space")
    page.mouse.move(*place)
    page.mouse.down()
    page.mouse.move(place[0] + 40, place[1] + 30, steps=4)
    # Released after a pause, so that nothing glides.
    rest(page)
    page.mouse.up()
    page.keyboard.up("Space")
    settle(page)
    assert picture(page)[:2] == pytest.approx((left + 40, top + 30), abs=1.5)
    page.mouse.move(*place)
    page.mouse.down(button="middle")
    page.mouse.move(place[0] - 30, place[1] - 20, steps=4)
    rest(page)
    page.mouse.up(button="middle")
    settle(page)
    assert picture(page)[:2] == pytest.approx((left + 10, top + 10), abs=1.5)
    assert rect(page) == kept
    wheel(page, place, -100, ctrl=True)
    assert picture(page)[2] > scale * 1.3
    assert page.evaluate("visualViewport.scale") == 1


def test_escape_cancels_a_drag_and_a_second_finger_too(open_page):
    page = open_coordinates(open_page, style="Marquee")
    drag(page, at(page, 100, 100), at(page, 300, 250))
    kept = rect(page)
    page.mouse.move(*at(page, 200, 170))
    page.mouse.down()
    page.mouse.move(*at(page, 260, 220), steps=4)
    assert rect(page) != kept
    page.keyboard.press("Escape")
    assert rect(page) == kept
    page.mouse.move(*at(page, 300, 250), steps=3)
    page.mouse.up()
    settle(page)
    assert rect(page) == kept
    page.get_by_role("button", name="Undo").click()
    assert recipe(page) is None


def test_a_second_finger_undoes_the_drag_of_the_first(open_page):
    page = open_coordinates(open_page, "phone", "Marquee")
    fingers = Fingers(page)
    fingers.drag(at(page, 100, 100), at(page, 300, 250))
    kept = rect(page)
    inside = at(page, 200, 170)
    other = (inside[0] + 90, inside[1] + 60)
    fingers.send("touchStart", inside)
    for step in range(1, 5):
        fingers.send("touchMove", (inside[0] + 8 * step, inside[1]))
    fingers.send("touchStart", (inside[0] + 32, inside[1]), other)
    fingers.send("touchEnd")
    settle(page)
    assert rect(page) == kept


def test_a_resize_during_a_drag_is_safe(open_page):
    page = open_coordinates(open_page, style="Marquee")
    drag(page, at(page, 100, 100), at(page, 300, 250))
    page.mouse.move(*at(page, 200, 170))
    page.mouse.down()
    page.mouse.move(*at(page, 220, 180), steps=3)
    page.set_viewport_size({"width": 900, "height": 700})
    wait_until(page, "innerWidth === 900")
    frames(page)
    page.mouse.move(500, 400, steps=3)
    page.mouse.up()
    settle(page)
    assert rect(page)[2:] == pytest.approx((200, 150), abs=2)
    assert not state(page, "gestureActive")


@pytest.mark.parametrize("style", ["Marquee", "Studio"])
def test_turning_the_phone_keeps_the_selection(open_page, style):
    page = open_coordinates(open_page, "phone", style)
    fingers = Fingers(page)
    if style == "Marquee":
        fingers.drag(at(page, 100, 100), at(page, 400, 300))
    else:
        fingers.pinch(corner(page, 0.5, 0.5), 60, 150)
    kept = rect(page)
    for width, height in ((780, 390), (390, 780)):
        page.set_viewport_size({"width": width, "height": height})
        wait_until(page, f"innerWidth === {width}")
        settle(page)
        assert rect(page) == kept
        left, top, wide, high = selection_box(page)
        assert left >= 0 and top >= 0 and left + wide <= width and top + high <= height
        assert wide / high == pytest.approx(kept[2] / kept[3], abs=0.02)


# The keyboard


@pytest.mark.parametrize("size, zooms", [((1600, 400), 0), ((400, 1600), 0), ((600, 450), 6)],
                         ids=["wide", "high", "zoomed"])
def test_the_focus_ring_of_a_handle_is_completely_visible(open_page, size, zooms):
    page = open_coordinates(open_page, size=size, style="Marquee")
    page.locator("crop-view").focus()
    page.keyboard.press("Control+a")
    for _ in range(zooms):
        page.keyboard.press("+")
    wait_until(page, "document.querySelector('crop-view').accessible.nodes.size === 10")
    settle(page)
    for key in range(2, 10):
        room = page.evaluate("""(key) => {
          const view = document.querySelector('crop-view');
          const node = view.shadowRoot.querySelector(`[data-key="${key}"]`);
          node.focus();
          const [inner, outer] = [node, view].map((element) => element.getBoundingClientRect());
          const style = getComputedStyle(node);
          const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
          return Math.min(inner.left - outer.left, inner.top - outer.top, outer.right - inner.right,
            outer.bottom - inner.bottom) - ring;
        }""", key)
        assert room >= 0, key


def test_studio_by_keyboard(open_page):
    page = open_coordinates(open_page, style="Studio")
    page.locator("crop-view").focus()
    focused = "document.querySelector('crop-view').accessible.focusedKey"
    # The image, the selection, then the handles clockwise.
    assert page.evaluate(focused) in (0, 1)
    while page.evaluate(focused) < 2:
        page.keyboard.press("Tab")
    assert page.evaluate(focused) == 2
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert rect(page) == (10, 10, 590, 440)
    for _ in range(4):
        page.keyboard.press("Tab")
    assert page.evaluate(focused) == 6
    page.keyboard.press("Control+ArrowLeft")
    assert rect(page) == (10, 10, 490, 440)
    page.keyboard.press("r")
    settle(page)
    assert recipe(page)["quarterTurns"] == 1
    # The rectangle moved with the image, and the focus stayed.
    assert page.evaluate(focused) == 6
    page.keyboard.press("h")
    page.keyboard.press("Shift+R")
    settle(page)
    for _ in range(8):
        page.keyboard.press("Control+z")
    settle(page)
    assert rect(page) == (0, 0, 600, 450)
    page.keyboard.press("Control+Shift+Z")
    assert rect(page) != (0, 0, 600, 450)
    page.keyboard.press("+")
    settle(page)
    assert state(page, "zoom") > 1
    page.keyboard.press("0")
    settle(page)


@pytest.mark.thorough
def test_commands_keep_the_focus_where_it_was(open_page):
    page = open_coordinates(open_page, style="Studio")
    for name in ("Rotate right", "Flip horizontally", "Square", "Ellipse", "Thirds", "Zoom in"):
        button = page.get_by_role("button", name=name, exact=True).first
        button.focus()
        page.keyboard.press("Enter")
        settle(page)
        assert button.evaluate("(node) => node === document.activeElement"), name


@pytest.mark.thorough
def test_level_by_a_line_and_draw_again(open_page):
    page = open_coordinates(open_page, style="Studio")
    level = page.get_by_role("button", name="Level a line")
    level.click()
    settle(page)
    assert level.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Escape")
    wait_until(page, "document.querySelector('crop-view').state.armed === 0")
    settle(page)
    assert level.get_attribute("aria-pressed") == "false"
    level.click()
    # A slope of one in ten is 5.7°.
    drag(page, at(page, 100, 200), at(page, 400, 230))
    assert recipe(page)["tilt"] == pytest.approx(-5.7, abs=0.25)
    page.get_by_role("button", name="Reset").click()
    settle(page)
    page.get_by_role("button", name="Redraw").click()
    drag(page, at(page, 150, 100), at(page, 350, 250))
    assert rect(page) == pytest.approx((150, 100, 200, 150), abs=3)


@pytest.mark.thorough
@pytest.mark.parametrize("style", ["Marquee", "Studio", "Viewfinder"])
def test_the_photo_is_where_its_element_reports(open_page, style):
    page = open_page()
    # Opaque, so that it is in a separate layer.
    open_photo(page, jpeg(gradient(800, 600)), "photo.jpg", style=style)
    seen = set()
    for _ in range(2):
        photo = page.evaluate("""() => {
          const { x, y, width } = document.querySelector('crop-view').stage.photo.getBoundingClientRect();
          return [x, y, width / document.querySelector('crop-view').state.frameWidth];
        }""")
        assert photo == pytest.approx(picture(page), abs=0.5)
        seen.add(tuple(photo))
        page.evaluate("document.querySelector('crop-view').zoomBy(2)")
        settle(page)
        drag(page, at(page, 400, 300), at(page, 430, 320))
    assert len(seen) == 2 or style == "Marquee"


def test_a_drag_is_drawn_with_its_moves_without_requesting_frames(open_page):
    page = open_page()
    open_photo(page, png(coordinates(600, 450)))
    page.mouse.move(*at(page, 100, 100))
    page.mouse.down()
    page.mouse.move(*at(page, 120, 120))
    frames(page)
    page.evaluate("""() => {
      const ask = window.requestAnimationFrame;
      window.asked_ = 0;
      window.requestAnimationFrame = (act) => {
        window.asked_ += 1;
        return ask(act);
      };
    }""")
    before = recipe(page)
    for step in range(12):
        page.mouse.move(*at(page, 130 + 10 * step, 130 + 10 * step))
    # A move may arrive sooner than a screen can show it; it then waits for a frame.
    assert page.evaluate("window.asked_") < 6
    assert recipe(page) != before
    page.mouse.up()
