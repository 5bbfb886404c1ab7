#!/usr/bin/env python3
"""What a drag costs in Chromium: script, style and layout time a pointer move, and frames a second.

    interaction.py ADDRESS      with the address of a running `cropkit serve`

The picture has 48 megapixels; the page shows a smaller preview of it. Figures come from Chromium's own
counters (Performance.getMetrics) in processor time, over a drag of a handle and a drag of the picture.
Frames are counted in a second drag: counting costs script too.
"""

import argparse
import io
import pathlib
import sys

import numpy
from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))
from editor import open_photo, settle  # noqa: E402

MOVES = 600
COUNTERS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration", "LayoutCount")


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


def measure(page, session, start, end):
    """Drags there and back, twice; gives milliseconds a move and frames a second."""
    return drag(page, session, start, end, False)[0], drag(page, session, start, end, True)[1]


def drag(page, session, start, end, counts):
    """Drags there and back, counting frames or not."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 5, start[1] + 5)
    page.evaluate("""(counts) => {
      window.frames_ = 0;
      window.counting_ = counts;
      const count = () => { window.frames_ += 1; if (window.counting_) requestAnimationFrame(count); };
      if (counts) requestAnimationFrame(count);
      window.started_ = performance.now();
    }""", counts)
    before = metrics(session)
    for move in range(MOVES):
        share = abs((move / 100) % 2 - 1)
        # Not by Playwright, which runs scripts of its own in the page with every move.
        session.send("Input.dispatchMouseEvent", {
            "type": "mouseMoved", "button": "left", "buttons": 1,
            "x": start[0] + (end[0] - start[0]) * share, "y": start[1] + (end[1] - start[1]) * share,
        })
    after = metrics(session)
    frames, elapsed = page.evaluate(
        "() => { window.counting_ = false; return [window.frames_, performance.now() - window.started_]; }"
    )
    page.mouse.up()
    settle(page)
    spent = {name: (after[name] - before[name]) / MOVES * 1000 for name in COUNTERS}
    return spent, frames / elapsed * 1000


def main():
    """Prints one line for each drag."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(options.address)
        open_photo(page, large_jpeg(), name="large.jpg", style=None)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        for style in ("marquee", "studio", "viewfinder"):
            page.evaluate("(style) => document.querySelector('crop-view').setAttribute('crop-style', style)", style)
            settle(page)
            spent, rate = measure(page, session, (300, 300), (600, 550))
            print(
                f"{style}: script {spent['ScriptDuration']:.3f} ms, style {spent['RecalcStyleDuration']:.3f} ms, "
                f"layout {spent['LayoutDuration']:.3f} ms and {spent['LayoutCount'] / 1000:.2f} layouts a move; "
                f"{rate:.0f} frames a second"
            )
        browser.close()


if __name__ == "__main__":
    main()
