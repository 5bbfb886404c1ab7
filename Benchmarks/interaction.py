#!/usr/bin/env python3
"""The cost of a drag in Chromium: script, style and layout time per pointer move, and frames per second.

    interaction.py ADDRESS...                        of running `cropkit serve`s, measured alternately; an
                                                     address ends with ?token= and the server's token
    interaction.py ADDRESS --cropperjs cropper.min.js    and a peer; cropper.min.css must be next to it

The image has 48 megapixels; the page shows a smaller preview of it. Figures are CPU times from Chromium's
counters (Performance.getMetrics), while a frame is drawn and while an image is moved; medians of the rounds.
Frames are counted in separate drags, since counting costs script time too.
"""

import argparse
import io
import pathlib
import statistics
import sys
import urllib.parse

import numpy
from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))
from editor import open_photo, settle, wait_until  # noqa: E402

MOVES = 600
COUNTERS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration", "LayoutCount")
START, END = (300, 300), (600, 550)
#: The crop before a drag; the marquee has none, so that the drag draws one.
HALF = {"version": 1, "rect": {"x": 2016, "y": 1512, "width": 4032, "height": 3024}}

PEER = b"""<!doctype html><link rel="stylesheet" href="cropper.css"><style>body { margin: 0 }
div { block-size: 800px } img { display: block; max-inline-size: 100% }</style>
<div><img src="large.jpg"></div><script src="cropper.js"></script>
<script>const cropper = new Cropper(document.querySelector('img'), { autoCrop: false });</script>"""


def large_jpeg():
    """A 48 MP JPEG with some texture."""
    random = numpy.random.default_rng(48)
    coarse = random.integers(0, 255, (189, 252, 3), dtype=numpy.uint8)
    data = io.BytesIO()
    Image.fromarray(coarse).resize((8064, 6048), Image.Resampling.BICUBIC).save(data, "JPEG", quality=90)
    return data.getvalue()


def metrics(session):
    found = {item["name"]: item["value"] for item in session.send("Performance.getMetrics")["metrics"]}
    return {name: found[name] for name in COUNTERS}


class Page:
    """An open page and its counters."""

    def __init__(self, browser):
        self.page = browser.new_page(viewport={"width": 1280, "height": 800})
        self.session = self.page.context.new_cdp_session(self.page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def drag(self, counts):
        """Drags back and forth: milliseconds per move or, if counted, frames per second."""
        page = self.page
        page.mouse.move(*START)
        page.mouse.down()
        page.mouse.move(START[0] + 5, START[1] + 5)
        page.evaluate("""(counts) => {
          window.frames_ = 0;
          window.counting_ = counts;
          const count = () => { window.frames_ += 1; if (window.counting_) requestAnimationFrame(count); };
          if (counts) requestAnimationFrame(count);
          window.started_ = performance.now();
        }""", counts)
        before = metrics(self.session)
        for move in range(MOVES):
            share = abs((move / 100) % 2 - 1)
            # Not with Playwright, which runs its own scripts in the page with every move.
            self.session.send("Input.dispatchMouseEvent", {
                "type": "mouseMoved", "button": "left", "buttons": 1,
                "x": START[0] + (END[0] - START[0]) * share, "y": START[1] + (END[1] - START[1]) * share,
            })
        after = metrics(self.session)
        frames, elapsed = page.evaluate(
            "() => { window.counting_ = false; return [window.frames_, performance.now() - window.started_]; }"
        )
        page.mouse.up()
        spent = {name: (after[name] - before[name]) / MOVES * 1000 for name in COUNTERS}
        return spent, frames / elapsed * 1000

    def measure(self):
        """The figures of one round."""
        self.page.bring_to_front()
        self.prepare()
        spent = self.drag(False)[0]
        self.prepare()
        return {**spent, "frames": self.drag(True)[1]}


class CropKit(Page):
    """CropKit's page in a style."""

    def __init__(self, browser, address, style, jpeg):
        super().__init__(browser)
        self.style = style
        self.page.goto(address)
        open_photo(self.page, jpeg, name="large.jpg", style=style)

    def prepare(self):
        settle(self.page)
        self.page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }",
                           None if self.style == "marquee" else HALF)
        settle(self.page)


class Peer(Page):
    """The same image in cropperjs 1.x."""

    def __init__(self, browser, script, jpeg):
        super().__init__(browser)
        style = script.with_suffix(".css")
        files = {"/": (PEER, "text/html"), "/large.jpg": (jpeg, "image/jpeg"),
                 "/cropper.js": (script.read_bytes(), "text/javascript"),
                 "/cropper.css": (style.read_bytes(), "text/css")}

        def answer(route):
            body, kind = files.get(urllib.parse.urlsplit(route.request.url).path, (b"", "text/plain"))
            route.fulfill(body=body, content_type=kind)

        self.page.route("http://peer.test/**", answer)
        self.page.goto("http://peer.test/")
        wait_until(self.page, "cropper.ready")

    def prepare(self):
        self.page.evaluate("() => { cropper.clear(); }")
        self.page.wait_for_timeout(200)


def main():
    """Prints one line for each page and style."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", nargs="+")
    parser.add_argument("--cropperjs", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    jpeg = large_jpeg()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        pages = {
            f"{address} {style}": CropKit(browser, address, style, jpeg)
            for style in ("marquee", "studio", "viewfinder") for address in options.address
        }
        if options.cropperjs:
            pages["cropperjs"] = Peer(browser, options.cropperjs, jpeg)
        rounds = [{name: page.measure() for name, page in pages.items()} for _ in range(options.rounds)]
        for name in pages:
            found = {key: statistics.median(each[name][key] for each in rounds) for key in rounds[0][name]}
            print(
                f"{name}: script {found['ScriptDuration']:.3f} ms, style {found['RecalcStyleDuration']:.3f} ms, "
                f"layout {found['LayoutDuration']:.3f} ms and {found['LayoutCount'] / 1000:.2f} layouts a move; "
                f"{found['frames']:.0f} frames a second"
            )
        browser.close()


if __name__ == "__main__":
    main()
