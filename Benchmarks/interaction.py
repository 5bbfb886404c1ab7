#!/usr/bin/env python3
"""The cost of gestures in Chromium, on a desktop and on a phone whose processor is four times slower.

    interaction.py ADDRESS...                            of running `cropkit serve`s, measured alternately; an
                                                         address ends with ?token= and the server's token
    interaction.py ADDRESS --cropperjs cropper.min.js    and a peer; cropper.min.css must be next to it
    interaction.py ADDRESS --device phone --only "studio ruler" corner    only these, and the peer's corner
    interaction.py ADDRESS --gpu                         with a graphics processor, emulated by SwiftShader

Without a graphics processor, Chromium draws canvases on the main thread; with one, in another process. Phones have one.

Milliseconds of the main thread per move, by Chromium's counters (Performance.getMetrics): `all` is script, style,
layout, painting and the rest. Only the ratios of one run count. `slow` is the share of frames that took longer than
33 ms, `gap` the longest one in milliseconds, `first` that of the first gesture after the photo was opened: all three
are measured in separate drags, since counting frames costs script time too, and on an idle machine only.
"""

import argparse
import io
import os
import pathlib
import statistics
import sys
import urllib.parse

import numpy
from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))
from editor import open_photo, set_style, settle, wait_until  # noqa: E402

#: How many moves of a drag lead to its other end.
LEG = 40
COUNTERS = {"script": "ScriptDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration",
            "all": "TaskDuration", "layouts": "LayoutCount"}
DEVICES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3, "has_touch": True,
              "is_mobile": True},
}
#: How much slower the processor is.
SLOWNESS = {"desktop": 1, "phone": 4}
SIZES = {"desktop": (8064, 6048), "phone": (4032, 3024)}

#: A graphics processor in software.
GPU = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--enable-gpu-rasterization"]

#: The addresses' names in the tables.
NAMES = ("first", "second", "third")

PEER = b"""<!doctype html><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="cropper.css">
<style>body { margin: 0 } div { block-size: 100vh } img { display: block; max-inline-size: 100% }</style>
<div><img src="photo.jpg"></div><script src="cropper.js"></script>
<script>const cropper = new Cropper(document.querySelector('img'), { autoCrop: false });</script>"""

FRAMES = """() => {
  globalThis.framesAt = [];
  const count = (now) => { framesAt.push(now); globalThis.counting = requestAnimationFrame(count); };
  globalThis.counting = requestAnimationFrame(count);
}"""


def photo(size):
    """A JPEG with some texture."""
    coarse = numpy.random.default_rng(48).integers(0, 255, (189, 252, 3), dtype=numpy.uint8)
    data = io.BytesIO()
    Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC).save(data, "JPEG", quality=90)
    return data.getvalue()


def between(start, end, move):
    """A point on the way to the other end and back."""
    share = 1 - abs((move / LEG) % 2 - 1)
    return tuple(a + (b - a) * share for a, b in zip(start, end, strict=True))


class Page:
    """An open page, its counters, and a hand: a mouse, or fingers."""

    def __init__(self, browser, device, moves):
        self.device, self.moves = device, moves
        self.context = browser.new_context(**DEVICES[device])
        self.page = self.context.new_page()
        self.session = self.context.new_cdp_session(self.page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def slow_down(self, is_slow):
        self.session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWNESS[self.device] if is_slow else 1})

    # Not with Playwright, which runs its own scripts in the page with every move.

    def touch(self, kind, points):
        touches = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def mouse(self, kind, point):
        self.session.send("Input.dispatchMouseEvent", {
            "type": kind, "button": "left", "buttons": 1, "clickCount": 1, "x": point[0], "y": point[1]})

    def press(self, points):
        if self.device == "phone":
            for count in range(1, len(points) + 1):
                self.touch("touchStart", points[:count])
        else:
            self.mouse("mouseMoved", points[0])
            self.mouse("mousePressed", points[0])

    def move(self, points):
        if self.device == "phone":
            self.touch("touchMove", points)
        else:
            self.mouse("mouseMoved", points[0])

    def release(self, points):
        if self.device == "phone":
            self.touch("touchEnd", [])
        else:
            self.mouse("mouseReleased", points[0])

    def metrics(self):
        found = {item["name"]: item["value"] for item in self.session.send("Performance.getMetrics")["metrics"]}
        return {name: found[counter] for name, counter in COUNTERS.items()}

    def drag(self, path, counts):
        """Drags along `path`: milliseconds and layouts per move or, if counted, the frames' durations."""
        self.press(path(0))
        # Beyond the distance from which a press is a drag.
        for move in range(1, 4):
            self.move(path(move))
        if counts:
            self.page.evaluate(FRAMES)
        before = self.metrics()
        for move in range(4, self.moves + 4):
            self.move(path(move))
        after = self.metrics()
        frames = []
        if counts:
            at = self.page.evaluate("() => { cancelAnimationFrame(counting); return framesAt.splice(0); }")
            frames = [b - a for a, b in zip(at, at[1:], strict=False)]
        self.release(path(self.moves + 3))
        spent = {name: (after[name] - before[name]) / self.moves * (1 if name == "layouts" else 1000) for name in COUNTERS}
        return spent, frames

    def measure(self, gesture):
        """The figures of one round."""
        self.page.bring_to_front()
        path = self.prepare(gesture)
        self.slow_down(True)
        spent, _ = self.drag(path, False)
        self.slow_down(False)
        path = self.prepare(gesture)
        self.slow_down(True)
        _, frames = self.drag(path, True)
        self.slow_down(False)
        slow = sum(frame > 33.5 for frame in frames) / max(1, len(frames)) * 100
        return {**spent, "slow": slow, "gap": max(frames, default=0)}


def paths(box, gesture):
    """The fingers' ways from a rectangle's corner, edge or middle."""
    x, y, width, height = box
    middle = (x + width / 2, y + height / 2)
    if gesture in ("pinch", "twist"):
        def fingers(move):
            reach, rise = (40 + 60 * between((0, 0), (1, 1), move)[0], 0) if gesture == "pinch" else (
                80, 60 * between((0, 0), (1, 1), move)[0])
            return [(middle[0] - reach, middle[1] - rise), (middle[0] + reach, middle[1] + rise)]
        return fingers
    start, way = {
        "corner": ((x + width, y + height), (-width / 3, -height / 3)),
        "edge": ((x + width, middle[1]), (-width / 3, 0)),
        "move": (middle, (width / 5, height / 5)), "pan": (middle, (width / 5, height / 5)),
        "draw": ((x + 10, y + 10), (width / 2, height / 2)), "ruler": (middle, (-width / 3, 0)),
    }[gesture]
    end = (start[0] + way[0], start[1] + way[1])
    return lambda move: [between(start, end, move)]


class CropKit(Page):
    """CropKit's page."""

    #: What a hand does in each style, on which devices.
    GESTURES = [
        *[("marquee", gesture, ("desktop", "phone")) for gesture in ("draw", "move", "corner", "edge")],
        *[("studio", gesture, ("desktop", "phone")) for gesture in ("corner", "edge", "pan", "ruler")],
        ("studio", "pinch", ("phone",)), ("studio", "twist", ("phone",)),
        ("viewfinder", "pan", ("desktop", "phone")), ("viewfinder", "pinch", ("phone",)),
        ("quad", "corner", ("desktop", "phone")), ("quad", "edge", ("desktop", "phone")),
    ]

    def __init__(self, browser, device, moves, address, jpeg):
        super().__init__(browser, device, moves)
        self.page.goto(address)
        open_photo(self.page, jpeg, name="photo.jpg", style=None)

    def prepare(self, gesture):
        page, (style, act) = self.page, gesture
        width, height = SIZES[self.device]
        half = {"version": 1, "rect": {"x": width // 4, "y": height // 4, "width": width // 2, "height": height // 2}}
        settle(page)
        set_style(page, style)
        page.evaluate("""(recipe) => {
          const view = document.querySelector('crop-view');
          view.reset();
          view.recipe = recipe;
          view.command('fit');
        }""", None if act == "draw" else half)
        settle(page)
        box = page.evaluate("""(act) => {
          const view = document.querySelector('crop-view');
          const { x, y, width, height } = act === 'ruler' ? document.querySelector('.ruler').getBoundingClientRect()
            : act === 'draw' ? view.accessible.nodes.get(0).getBoundingClientRect() : view.selectionBox;
          return [x, y, width, height];
        }""", act)
        return paths(box, act)


class Peer(Page):
    """The same image in cropperjs 1.x."""

    GESTURES = [("", gesture, ("desktop", "phone")) for gesture in ("draw", "move", "corner", "edge", "pan")] + [
        ("", "pinch", ("phone",))]

    def __init__(self, browser, device, moves, script, jpeg):
        super().__init__(browser, device, moves)
        files = {"/": (PEER, "text/html"), "/photo.jpg": (jpeg, "image/jpeg"),
                 "/cropper.js": (script.read_bytes(), "text/javascript"),
                 "/cropper.css": (script.with_suffix(".css").read_bytes(), "text/css")}

        def answer(route):
            body, kind = files.get(urllib.parse.urlsplit(route.request.url).path, (b"", "text/plain"))
            route.fulfill(body=body, content_type=kind)

        self.page.route("http://peer.test/**", answer)
        self.page.goto("http://peer.test/")
        wait_until(self.page, "cropper.ready")

    def prepare(self, gesture):
        box = self.page.evaluate("""(act) => {
          cropper.reset();
          const { width, height } = cropper.getImageData();
          const { left, top } = cropper.getCanvasData();
          if (act === 'pan' || act === 'pinch') cropper.zoomTo(2 * cropper.getImageData().width
            / cropper.getImageData().naturalWidth);
          cropper.setDragMode(act === 'draw' ? 'crop' : 'move');
          if (['draw', 'pan', 'pinch'].includes(act)) {
            cropper.clear();
            return [left, top, width, height];
          }
          cropper.crop();
          cropper.setCropBoxData({ left: left + width / 4, top: top + height / 4, width: width / 2, height: height / 2 });
          return [left + width / 4, top + height / 4, width / 2, height / 2];
        }""", gesture[1])
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return paths(box, gesture[1])


def first_gap(make, gesture):
    """The longest frame in the first gesture after opening the photo, in milliseconds."""
    page = make()
    path = page.prepare(gesture)
    page.slow_down(True)
    page.page.evaluate(FRAMES)
    page.press(path(0))
    for move in range(1, 60):
        page.move(path(move))
    at = page.page.evaluate("() => { cancelAnimationFrame(counting); return framesAt.splice(0); }")
    page.release(path(59))
    page.context.close()
    return max((b - a for a, b in zip(at, at[1:], strict=False)), default=0)


def measured(browser, device, options):
    """The figures of all gestures on a device, by page, style and gesture."""
    jpeg = photo(SIZES[device])
    makers = {name: lambda address=address: CropKit(browser, device, options.moves, address, jpeg)
              for name, address in zip(NAMES, options.address, strict=False)}
    if options.cropperjs:
        makers["cropperjs"] = lambda: Peer(browser, device, options.moves, options.cropperjs, jpeg)
    pages = {name: make() for name, make in makers.items()}
    wanted = [(name, (style, act)) for name, page in pages.items() for style, act, devices in page.GESTURES
              if device in devices and (not options.only or f"{style} {act}".strip() in options.only)]
    rounds = [{key: pages[key[0]].measure(key[1]) for key in wanted} for _ in range(options.rounds)]
    for page in pages.values():
        page.context.close()
    found = {}
    for key in wanted:
        found[key] = {name: statistics.median(each[key][name] for each in rounds) for name in rounds[0][key]}
        found[key]["first"] = first_gap(makers[key[0]], key[1]) if options.first else 0
    return found


def show(device, found):
    """Prints a table; the ratio is to the same gesture of the peer, or to its corner."""
    print(f"\n{device}, load {os.getloadavg()[0]:.1f}\n\n"
          "| page | gesture | script | style | layout | all | layouts a move | of cropperjs | slow | gap | first |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|")
    for (name, (style, act)), figures in found.items():
        peer = found.get(("cropperjs", ("", act)), found.get(("cropperjs", ("", "corner"))))
        ratio = f"{figures['all'] / peer['all']:.2f}" if peer else ""
        print(f"| {name} | {style} {act} | {figures['script']:.2f} | {figures['style']:.2f} | {figures['layout']:.2f} | "
              f"{figures['all']:.2f} | {figures['layouts']:.2f} | {ratio} | {figures['slow']:.0f} % | "
              f"{figures['gap']:.0f} | {figures['first']:.0f} |", flush=True)


def main():
    """Prints a table for each device."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="+")
    parser.add_argument("--cropperjs", type=pathlib.Path)
    parser.add_argument("--device", choices=DEVICES)
    parser.add_argument("--only", nargs="*", default=[], help="names of gestures, as in the table")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--moves", type=int, default=240, help="of each drag")
    parser.add_argument("--first", action="store_true", help="also the first gesture after opening the photo")
    parser.add_argument("--gpu", action="store_true", help="draw in Chromium's process for the graphics processor")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox", *(GPU if options.gpu else [])])
        for device in DEVICES if options.device is None else [options.device]:
            show(device, measured(browser, device, options))
        browser.close()


if __name__ == "__main__":
    main()
