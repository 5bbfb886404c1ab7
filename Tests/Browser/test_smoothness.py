"""Gestures move what the browser already has laid out: counted, not timed."""

import base64
import json

import pytest
from editor import frames, open_photo, settle, wait_for, wait_until
from pictures import gradient, jpeg

MOVES = 50

#: What a hand does in each style. The ruler is dragged from its middle, everything else in the photo.
GESTURES = [("marquee", "draw"), ("marquee", "move"), ("marquee", "corner"), ("studio", "corner"), ("studio", "edge"),
            ("studio", "pan"), ("studio", "ruler"), ("viewfinder", "pan"), ("quad", "corner"), ("quad", "edge"),
            ("studio", "pinch"), ("studio", "twist"), ("viewfinder", "pinch")]
HALF = {"version": 1, "rect": {"x": 300, "y": 225, "width": 600, "height": 450}}


class Hand:
    """A mouse or a finger, without Playwright's scripts between two moves."""

    def __init__(self, page, device):
        self.session = page.context.new_cdp_session(page)
        self.is_finger = device != "desk"

    def send(self, kind, *places):
        if self.is_finger:
            touches = [] if kind == "up" else [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
            kind = {"down": "touchStart", "move": "touchMove", "up": "touchEnd"}[kind]
            self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        else:
            ((x, y),) = places
            kind = {"down": "mousePressed", "move": "mouseMoved", "up": "mouseReleased"}[kind]
            self.session.send("Input.dispatchMouseEvent", {
                "type": kind, "button": "left", "buttons": 1, "clickCount": 1, "x": x, "y": y})


def way(page, act):
    """Where a drag starts, and how far it moves."""
    x, y, width, height = page.evaluate("""(act) => {
      const view = document.querySelector('crop-view');
      const { x, y, width, height } = act === 'ruler' ? document.querySelector('.ruler').getBoundingClientRect()
        : act === 'draw' ? view.accessible.nodes.get(0).getBoundingClientRect() : view.selectionBox;
      return [x, y, width, height];
    }""", act)
    return {
        "corner": ((x + width, y + height), (-width / 3, -height / 3)),
        "edge": ((x + width, y + height / 2), (-width / 3, 0)),
        "draw": ((x + 10, y + 10), (width / 2, height / 2)),
        "ruler": ((x + width / 2, y + height / 2), (-width / 4, 0)),
    }.get(act, ((x + width / 2, y + height / 2), (width / 5, height / 5)))


def fingers(start, way, act, share):
    """Where the fingers, or the mouse, are after a share of the way."""
    (x, y), (right, down) = start, way
    if act == "pinch":
        return [(x - 40 - 40 * share, y), (x + 40 + 40 * share, y)]
    if act == "twist":
        return [(x - 80, y - 60 * share), (x + 80, y + 60 * share)]
    return [(x + right * share, y + down * share)]


#: However slow the machine is, the pointer never seems to rest between two moves.
NEVER_RESTS = """() => {
  const { setTimeout } = window;
  window.setTimeout = (act, wait = 0, ...values) => setTimeout(act, wait === 100 ? 1_000_000 : wait, ...values);
}"""


@pytest.mark.parametrize("device, style, act", [
    (device, style, act) for device in ("desk", "phone") for style, act in GESTURES
    if device == "phone" or act not in ("pinch", "twist")])
def test_a_move_lays_out_nothing(open_page, unserved, device, style, act):
    page = open_page(device, folded=True, address=unserved, service_workers="block")
    # Whether the crop is lossless changes on the way.
    open_photo(page, jpeg(gradient(1200, 900)), name="photo.jpg", style=style)
    if act != "draw":
        page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", HALF)
        settle(page)
    page.evaluate(NEVER_RESTS)
    start, distance = way(page, act)
    hand = Hand(page, device)
    for count in range(1, 1 + len(fingers(start, distance, act, 0))):
        hand.send("down", *fingers(start, distance, act, 0)[:count])

    def move(step):
        hand.send("move", *fingers(start, distance, act, step / MOVES))

    before = page.evaluate("JSON.stringify(document.querySelector('crop-view').core.scene())")
    # The first moves start the gesture, for which the page changes its looks.
    for step in range(8):
        move(step)
    frames(page)
    browser = page.context.browser
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    for step in range(8, MOVES + 8):
        move(step)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    assert any(event["name"] == "EventDispatch" for event in events)
    assert not [event for event in events if event["name"] == "Layout"]
    assert page.evaluate("document.querySelector('crop-view').isHeld")
    assert page.evaluate("JSON.stringify(document.querySelector('crop-view').core.scene())") != before
    hand.send("up", *fingers(start, distance, act, 1))


@pytest.mark.thorough
def test_a_finer_image_is_not_copied_during_a_gesture(open_page, unserved):
    page = open_page(address=unserved, service_workers="block")
    photo = jpeg(gradient(1200, 900))
    open_photo(page, photo, name="photo.jpg", style="studio")
    page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", HALF)
    settle(page)
    (x, y), (right, down) = way(page, "corner")
    hand = Hand(page, "desk")
    hand.send("down", (x, y))
    hand.send("move", (x + right / 2, y + down / 2))
    is_copied = "(({ stage, picture }) => stage.shown === picture.bitmap)(document.querySelector('crop-view'))"
    assert page.evaluate(is_copied)
    page.evaluate("""async (bytes) => {
      const blob = new Blob([Uint8Array.from(atob(bytes), (byte) => byte.charCodeAt(0))], { type: 'image/jpeg' });
      await document.querySelector('crop-view').refine(blob);
    }""", base64.b64encode(photo).decode())
    hand.send("move", (x + right, y + down))
    frames(page)
    assert not page.evaluate(is_copied)
    hand.send("up", (x + right, y + down))
    wait_until(page, is_copied)


@pytest.mark.thorough
def test_a_worker_searches_a_phone_s_photo_for_a_document(open_page, unserved):
    page = open_page("phone", address=unserved, service_workers="block")
    started = []
    page.on("worker", lambda worker: started.append(worker.url))
    open_photo(page, jpeg(gradient(1200, 900)), name="photo.jpg", style=None)
    wait_for(page, lambda: started)
    assert started[0].endswith("/jpeg-worker.js")
