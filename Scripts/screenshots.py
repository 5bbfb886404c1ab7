#!/usr/bin/env python3
"""Takes pictures of every screen of the page, to be looked at: sizes of windows, themes and languages.

Writes one sheet per screen: a row per size, a column per theme and language. With --sources, the scripts and styles
are those in Web/, so that a change can be seen without a build; words need `node Scripts/words.mjs --build` first.
"""

import argparse
import io
import pathlib
import sys
import tempfile
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Scripts"), str(ROOT / "Tests" / "Browser")]
from conftest import OPEN_SECTIONS, serving, signing_in  # noqa: E402
from editor import still, wait_for_photo, wait_until  # noqa: E402
from screenshot import make_photos  # noqa: E402

SAMPLES = ROOT / "Samples"
SIZES = {"desk": (1280, 800), "laptop": (1280, 720), "tablet": (820, 1180), "phone": (390, 780), "small": (320, 568)}
TOUCH = {"tablet", "phone", "small"}
TYPES = {".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".html": "text/html",
         ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".wav": "audio/wav"}


def from_sources(page, address):
    """Serves everything except the server's calls from the working copy."""
    def serve(route):
        parts = urlsplit(route.request.url)
        name = parts.path.lstrip("/")
        if name.startswith("api/") or not route.request.url.startswith(address) or parts.query.startswith("token"):
            return route.continue_()
        if name == "":
            text = (ROOT / "Web/App/index.html").read_text().replace('"app.', '"shell/app.')
            return route.fulfill(body=text, content_type="text/html")
        path = ROOT / "Web" / (name if name.startswith("Element/") else f"App/{name}")
        return route.fulfill(path=path, content_type=TYPES.get(path.suffix)) if path.is_file() else route.continue_()
    page.route("**/*", serve)


def command(page, *words):
    page.evaluate("(words) => document.querySelector('#editor crop-view').command(...words)", list(words))


def open_files(page, *names):
    page.locator("input[type=file]").first.set_input_files([SAMPLES / name for name in names])
    wait_for_photo(page)


def show_start(page):
    page.evaluate("location.hash = '#/open'")
    page.locator(".tile img").last.wait_for()


def show_library(page):
    page.locator("a.photo img, .album img").first.wait_for()


def show_album(page):
    page.evaluate("location.hash = '#/albums/all'")
    page.locator("a.photo img").first.wait_for()


def show_selection(page):
    show_album(page)
    page.locator(".library-bar > .chip").click()
    for at in (0, 2):
        page.locator("a.photo[data-id]").nth(at).click()


def show_sizes(page):
    show_selection(page)
    page.locator(".selection > .chip[aria-haspopup=dialog]").click()


def show_editor(page):
    open_files(page, "lake-at-dusk.jpg")
    command(page, "ratio", 3, 2)


def show_drag(page):
    """In the middle of a drag of a corner."""
    open_files(page, "lake-at-dusk.jpg")
    box = page.evaluate("""() => {
      const { left, top, width, height } = document.querySelector('#editor crop-view').selectionBox;
      return [left, top, width, height];
    }""")
    page.mouse.move(box[0] + box[2], box[1] + box[3])
    page.mouse.down()
    page.mouse.move(box[0] + box[2] * 0.8, box[1] + box[3] * 0.8, steps=4)


def show_fit(page):
    open_files(page, "lake-at-dusk.jpg")
    page.evaluate("document.querySelector('#editor crop-view').lay({ canvas: '1:1', margin: '5%', fill: 'blur' })")


def show_document(page):
    """Four corners on the house in the middle."""
    open_files(page, "upright-street.jpg")
    page.evaluate("""() => {
      const view = document.querySelector('#editor crop-view');
      view.command('style', 3);
      const { frameWidth: w, frameHeight: h } = view.state;
      const quad = [[0.25, 0.2], [0.8, 0.3], [0.75, 0.8], [0.2, 0.85]].map(([x, y]) => ({ x: x * w, y: y * h }));
      view.recipe = { version: 2, quad };
    }""")


def show_output(page):
    open_files(page, "lake-at-dusk.jpg")
    # Not on the JPEG's grid: a lossless crop has no quality to look at.
    page.evaluate("""document.querySelector('#editor crop-view').recipe = {
      version: 1, rect: { x: 301, y: 203, width: 1801, height: 1207 } }""")
    if page.locator(".tablist").is_visible():
        page.locator("#tab-more").click()
    slider = page.locator("#editor .slider input")
    slider.scroll_into_view_if_needed()
    page.wait_for_timeout(600)
    slider.evaluate("(slider) => { slider.value = 45; slider.dispatchEvent(new Event('input')); }")
    page.locator(".peek").wait_for()


def show_more(page):
    open_files(page, "lake-at-dusk.jpg")
    if page.locator(".tablist").is_visible():
        page.locator("#tab-more").click()


def show_result(page):
    show_editor(page)
    page.locator("#editor .bar > .primary").click()
    page.locator("#result .show img[src]").wait_for()


def show_saved(page):
    show_album(page)
    page.locator("a.photo[data-id]").nth(1).click()
    wait_for_photo(page)
    command(page, "ratio", 1, 1)
    page.locator("#editor .bar > .primary").click()
    page.locator(".toast").wait_for()


def show_menu(page):
    show_album(page)
    page.locator("a.photo[data-id]").nth(3).click()
    wait_for_photo(page)
    page.locator("#editor .menu-host > button").click()


def show_view(page):
    show_album(page)
    page.evaluate("location.hash = `${document.querySelectorAll('a.photo[data-id]')[2].hash}/view`")
    page.locator("#result .show img[src]").wait_for()


def show_targets(page):
    open_files(page, "lake-at-dusk.jpg")
    page.evaluate("location.hash = '#/targets'")
    page.locator(".target canvas").nth(5).wait_for()


def show_queue(page):
    names = [path.name for path in sorted(SAMPLES.glob("*.jpg"))] * 2
    open_files(page, *names)
    command(page, "ratio", 1, 1)
    wait_until(page, "document.querySelectorAll('.filmstrip .look img').length > 2")


def show_list(page):
    show_queue(page)
    page.locator(".queue > .chip").first.click()


def show_shortcuts(page):
    open_files(page, "lake-at-dusk.jpg")
    page.keyboard.press("?")


def show_devices(page):
    page.evaluate("document.querySelector('#library .devices').click()")
    page.locator("dialog li").first.wait_for()


def show_broken(page):
    page.locator("input[type=file]").first.set_input_files(
        {"name": "holiday.jpg", "mimeType": "image/jpeg", "buffer": b"no photo"})
    page.locator(".notice").wait_for()


def show_empty(page):
    """A library without photos."""
    album = {"id": "all", "name": "", "kind": "all", "count": 0, "cover": None}
    page.route("**/api/albums", lambda route: route.fulfill(
        json={"albums": [album], "indexing": None, "folder": "Pictures"}))
    page.route("**/api/albums/*/photos*", lambda route: route.fulfill(json={"photos": [], "next": None}))
    page.reload()
    page.locator(".empty").locator("visible=true").first.wait_for()


def show_gone(page):
    """The server stops while a library is open."""
    show_album(page)
    page.route("**/api/**", lambda route: route.abort())
    page.evaluate("location.hash = '#/albums/recent'")
    page.locator(".banner, .notice").locator("visible=true").first.wait_for()


def show_failed(page):
    """The server stops before a crop."""
    show_album(page)
    page.locator("a.photo[data-id]").nth(1).click()
    wait_for_photo(page)
    command(page, "ratio", 1, 1)
    page.route("**/api/**", lambda route: route.abort())
    page.locator("#editor .bar > .primary").click()
    page.locator("#editor .notice").wait_for()


def show_camera(page):
    page.context.grant_permissions(["camera"])
    page.evaluate("location.hash = '#/camera'")
    wait_until(page, "!document.querySelector('.shutter').disabled")


def show_refused(page):
    """The browser doesn't allow the camera."""
    page.evaluate("""() => {
      navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('no', 'NotAllowedError'); };
      location.hash = '#/camera';
    }""")
    page.locator(".camera-problem").wait_for()


SCREENS = {name.removeprefix("show_"): show for name, show in list(globals().items()) if name.startswith("show_")}


def sheet(rows, width):
    """One picture of all: a row per size."""
    scaled = [[shot.resize((round(shot.width * width / 1280 * (1 if shot.width > 1000 else 1.6)),
                            round(shot.height * width / 1280 * (1 if shot.width > 1000 else 1.6)))) for shot in row]
              for row in rows]
    size = (max(sum(shot.width + 8 for shot in row) for row in scaled),
            sum(max(shot.height for shot in row) + 8 for row in scaled))
    whole, top = Image.new("RGB", size, "#7a2f8a"), 0
    for row in scaled:
        left = 0
        for shot in row:
            whole.paste(shot, (left, top))
            left += shot.width + 8
        top += max(shot.height for shot in row) + 8
    return whole


def main():
    """Takes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--chromium", default="/usr/bin/chromium-headless-shell")
    parser.add_argument("--screens", nargs="*", default=list(SCREENS), choices=list(SCREENS))
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--languages", nargs="*", default=["en", "de", "ar", "ja"])
    parser.add_argument("--schemes", nargs="*", default=["light", "dark"])
    parser.add_argument("--zoom", type=int, default=1, help="of the page, such as 2 for 200 percent")
    parser.add_argument("--width", type=int, default=640, help="of a desktop's picture on the sheet")
    parser.add_argument("--folded", action="store_true", help="the panel's sections are as on a first visit")
    parser.add_argument("--sources", action="store_true")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        folder = pathlib.Path(home, "Pictures")
        folder.mkdir()
        make_photos(folder)
        browser = playwright.chromium.launch(executable_path=options.chromium, args=[
            "--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"])
        with serving("--library", str(folder), samples=SAMPLES, home=home) as address:
            for screen in options.screens:
                rows = [[picture(browser, address, screen, size, scheme, language, options)
                         for language in options.languages for scheme in options.schemes] for size in options.sizes]
                sheet(rows, options.width).save(options.output / f"{screen}.png")
                print(screen, flush=True)


def picture(browser, address, screen, size, scheme, language, options):
    width, height = (side // options.zoom for side in SIZES[size])
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=options.zoom, color_scheme=scheme,
        locale=language, has_touch=size in TOUCH, is_mobile=size in TOUCH, reduced_motion="reduce",
        service_workers="block")
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"{screen} {size} {language}: {error}", file=sys.stderr))
    try:
        context.request.get(signing_in(address))
        if options.sources:
            from_sources(page, address)
        if not options.folded:
            page.add_init_script(OPEN_SECTIONS)
        page.goto(address)
        page.locator("main:not([hidden])").wait_for(state="attached")
        SCREENS[screen](page)
        still(page)
        page.wait_for_timeout(150)
    except Exception as error:  # noqa: BLE001: one screen that fails must not hide the others
        print(f"{screen} {size} {scheme} {language}: {error}", file=sys.stderr)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    context.close()
    return shot


if __name__ == "__main__":
    main()
