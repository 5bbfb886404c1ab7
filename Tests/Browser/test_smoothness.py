"""Gestures move what the browser already has laid out: counts of Chromium, which don't depend on the machine."""

import pytest
from editor import frames, open_photo, settle
from pictures import gradient, jpeg

MOVES = 50

#: What a hand does in each style. The ruler is dragged from its middle, everything else in the photo.
GESTURES = [("marquee", "draw"), ("marquee", "move"), ("marquee", "corner"), ("studio", "corner"), ("studio", "edge"),
            ("studio", "pan"), ("studio", "ruler"), ("viewfinder", "pan"), ("quad", "corner"), ("quad", "edge")]
HALF = {"version": 1, "rect": {"x": 300, "y": 225, "width": 600, "height": 450}}


class Hand:
    """A mouse or a finger, without Playwright's scripts between two moves."""

    def __init__(self, page, device):
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable")
        self.is_finger = device != "desk"

    def send(self, kind, place):
        x, y = place
        if self.is_finger:
            touches = [] if kind == "up" else [{"x": x, "y": y, "id": 0}]
            kind = {"down": "touchStart", "move": "touchMove", "up": "touchEnd"}[kind]
            self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        else:
            kind = {"down": "mousePressed", "move": "mouseMoved", "up": "mouseReleased"}[kind]
            self.session.send("Input.dispatchMouseEvent", {
                "type": kind, "button": "left", "buttons": 1, "clickCount": 1, "x": x, "y": y})

    def layouts(self):
        """How often the page was laid out so far."""
        found = self.session.send("Performance.getMetrics")["metrics"]
        return next(item["value"] for item in found if item["name"] == "LayoutCount")


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


@pytest.mark.parametrize("device", ["desk", "phone"])
@pytest.mark.parametrize("style, act", GESTURES)
def test_a_move_causes_no_layout(open_page, unserved, device, style, act):
    page = open_page(device, folded=True, address=unserved, service_workers="block")
    open_photo(page, jpeg(gradient(1200, 900)), name="photo.jpg", style=style)
    if act != "draw":
        page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", HALF)
        settle(page)
    (x, y), (right, down) = way(page, act)
    hand = Hand(page, device)
    hand.send("down", (x, y))

    def move(step):
        share = step / MOVES
        hand.send("move", (x + right * share, y + down * share))

    before = page.evaluate("JSON.stringify(document.querySelector('crop-view').core.scene())")
    # The first moves start the gesture, for which the page changes its looks.
    for step in range(8):
        move(step)
    frames(page)
    count = hand.layouts()
    for step in range(8, MOVES + 8):
        move(step)
    # The preview of four corners may move out of the way.
    assert hand.layouts() - count <= (style == "quad")
    assert page.evaluate("document.querySelector('crop-view').isHeld")
    assert page.evaluate("JSON.stringify(document.querySelector('crop-view').core.scene())") != before
    hand.send("up", (x, y))
