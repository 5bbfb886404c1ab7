"""The straighten ruler: its ticks move under a fixed needle, as far as the pointer moves."""

import math

import pytest
from editor import open_coordinates, recipe, rest, settle, wait_until

RULER = ".straighten .ruler"
VIEW = "document.querySelector('crop-view')"
#: CSS pixels per degree, as in ruler.js.
DEGREE = 9


def tilt(page):
    return recipe(page)["tilt"]


def middle(page):
    box = page.locator(RULER).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def slide(page, *ways, start=0.25, release=True):
    """Drags the ruler with the mouse, from a point beside its middle, and pauses at the end."""
    box = page.locator(RULER).bounding_box()
    x, y = box["x"] + box["width"] * start, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for way in ways:
        for step in range(1, abs(way) + 1):
            page.mouse.move(x + math.copysign(step, way), y)
        x += way
    if release:
        # Releasing after a pause does not glide.
        rest(page)
        page.mouse.up()
        settle(page)


FLICK = """([way, step]) => {
  const ruler = document.querySelector('.straighten .ruler');
  const box = ruler.getBoundingClientRect();
  const send = (type, x, time) => {
    const event = new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: 7,
      pointerType: 'touch', isPrimary: true, clientX: box.x + 200 + x, clientY: box.y + 20 });
    Object.defineProperty(event, 'timeStamp', { value: time });
    ruler.dispatchEvent(event);
  };
  send('pointerdown', 0, 1000);
  for (let at = 1; at <= 10; at += 1) send('pointermove', way * at / 10, 1000 + at * step);
  send('pointerup', way, 1000 + 10 * step);
}"""


@pytest.mark.parametrize("place", [0.05, 0.25, 0.75, 0.95])
def test_a_tap_on_the_ruler_changes_nothing(open_page, place):
    page = open_coordinates(open_page)
    box = page.locator(RULER).bounding_box()
    page.mouse.click(box["x"] + box["width"] * place, box["y"] + box["height"] / 2)
    settle(page)
    assert tilt(page) == 0
    assert not page.evaluate(f"{VIEW}.canUndo")


@pytest.mark.thorough
def test_the_tilt_follows_the_pointer_by_nine_pixels_per_degree_from_anywhere(open_page):
    for start in (0.25, 0.75):
        page = open_coordinates(open_page)
        slide(page, -DEGREE - 1, start=start)
        # To the left is clockwise: larger numbers come under the needle. The first pixel starts the drag.
        assert tilt(page) == pytest.approx(1.0, abs=0.11)
        slide(page, -2 * DEGREE - 1, start=start)
        assert tilt(page) == pytest.approx(3.0, abs=0.21)


def test_every_tenth_of_a_degree_about_zero_can_be_dragged_to(open_page):
    page = open_coordinates(open_page)
    slide(page, -2)
    assert tilt(page) == pytest.approx(0.1)
    slide(page, -2)
    assert tilt(page) == pytest.approx(0.2)


@pytest.mark.thorough
def test_a_drag_from_elsewhere_snaps_to_zero_briefly(open_page):
    page = open_coordinates(open_page)
    page.evaluate(f"{VIEW}.tilt = 2")
    slide(page, 2 * DEGREE + 3)
    assert tilt(page) == 0
    # The snap releases it: the distance beyond is not lost.
    page.evaluate(f"{VIEW}.tilt = 2")
    slide(page, 3 * DEGREE + 6)
    assert tilt(page) == pytest.approx(-1, abs=0.21)


@pytest.mark.thorough
def test_the_ticks_move_and_the_needle_does_not(open_page):
    page = open_coordinates(open_page)
    places = """() => ['.zero', '.needle'].map((part) => {
      const box = document.querySelector(`.ruler ${part}`).getBoundingClientRect();
      return box.x + box.width / 2;
    })"""
    zero, needle = page.evaluate(places)
    assert zero == pytest.approx(needle, abs=0.6) == middle(page)[0]
    slide(page, -4 * DEGREE - 1)
    moved, rests = page.evaluate(places)
    assert rests == needle
    assert moved == pytest.approx(needle - tilt(page) * DEGREE, abs=0.6)


@pytest.mark.thorough
def test_one_drag_is_one_undo_step(open_page):
    page = open_coordinates(open_page)
    slide(page, -40, 12)
    assert tilt(page) == pytest.approx(3, abs=0.21)
    page.evaluate(f"{VIEW}.undo()")
    assert tilt(page) == 0
    assert not page.evaluate(f"{VIEW}.canUndo")


@pytest.mark.thorough
def test_a_flick_glides_and_a_slow_drag_stops_at_its_release(open_page):
    page = open_coordinates(open_page, "phone", reduced_motion="no-preference")
    # 45 pixels in 50 ms: 0.9 pixels per millisecond; below 0.15, nothing glides.
    page.evaluate(FLICK, [-45, 5])
    # The first four pixels of a finger start the drag.
    reach = (0.9 - 0.15) / -math.log(0.99)
    end = round((41 + reach) / DEGREE, 1)
    wait_until(page, f"Math.abs({VIEW}.state.tilt - {end}) < 0.3")
    settle(page)
    page.evaluate(f"{VIEW}.undo()")
    assert tilt(page) == 0
    # The same distance in a second.
    page.evaluate(FLICK, [-45, 100])
    settle(page)
    assert tilt(page) == pytest.approx(41 / DEGREE, abs=0.11)
    settle(page)
    assert tilt(page) == pytest.approx(41 / DEGREE, abs=0.11)


def test_without_motion_nothing_glides(open_page):
    page = open_coordinates(open_page, "phone", reduced_motion="reduce")
    page.evaluate(FLICK, [-45, 5])
    settle(page)
    assert tilt(page) == pytest.approx(41 / DEGREE, abs=0.11)


def test_a_click_stops_the_glide(open_page):
    page = open_coordinates(open_page, "phone", reduced_motion="no-preference")
    page.evaluate(FLICK, [-200, 5])
    at = page.evaluate("""async () => {
      const view = document.querySelector('crop-view');
      const ruler = document.querySelector('.straighten .ruler');
      const send = (type) => ruler.dispatchEvent(new PointerEvent(type, {
        bubbles: true, cancelable: true, pointerId: 8, pointerType: 'touch', isPrimary: true,
      }));
      await new Promise(requestAnimationFrame);
      send('pointerdown');
      const { tilt } = view.state;
      send('pointerup');
      for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
      return [tilt, view.state.tilt];
    }""")
    assert at[0] == at[1]


def test_keys_move_it_by_tenths_and_with_shift_by_degrees(open_page):
    page = open_coordinates(open_page)
    # After a click, the ruler has the keyboard focus.
    page.mouse.click(*middle(page))
    page.keyboard.press("ArrowRight")
    assert tilt(page) == pytest.approx(0.1)
    page.keyboard.press("Shift+ArrowRight")
    assert tilt(page) == pytest.approx(1.1)
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert tilt(page) == 0
    slider = page.get_by_role("slider", name="Straighten")
    settle(page)
    assert slider.get_attribute("aria-valuetext") == "0.0°"


def test_two_steps_within_a_frame_both_count(open_page):
    page = open_coordinates(open_page)
    page.mouse.click(*middle(page))
    # No frame is drawn between the two: the first is the page's step, the second the browser's.
    page.evaluate("""() => {
      const slider = document.querySelector('.straighten input[type=range]');
      const press = (key, shiftKey) => slider.dispatchEvent(
        new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
      press('ArrowRight', true);
      slider.stepUp();
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }""")
    assert tilt(page) == pytest.approx(1.1)


@pytest.mark.thorough
def test_the_angle_can_be_typed(open_page):
    page = open_coordinates(open_page)
    field = page.get_by_label("Angle in degrees")
    assert field.input_value() == "0.0°"
    for typed, wanted in (("2.5", 2.5), ("-1,2°", -1.2), ("90", 45), ("1.125", 1.1)):
        field.fill(typed)
        field.press("Enter")
        assert tilt(page) == pytest.approx(wanted), typed
    field.press("ArrowUp")
    assert tilt(page) == pytest.approx(1.2)
    field.press("Shift+ArrowDown")
    assert tilt(page) == pytest.approx(0.2)
    field.fill("abc")
    field.press("Escape")
    assert field.input_value() == "0.2°"
    assert tilt(page) == pytest.approx(0.2)
