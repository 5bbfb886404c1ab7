"""The user's actions on the page: open, drag, touch, crop."""

import io
import pathlib
import time

from PIL import Image
from pictures import coordinates, png


#: The longest wait in seconds: enough beside other work, and no longer for something that never comes.
WAIT = 30

WEB = pathlib.Path(__file__).resolve().parents[2] / "Web"


def serve_sources(page):
    """Serves the unbundled scripts of the page below `sources/`."""
    page.route("**/sources/**", lambda route: route.fulfill(
        path=WEB / route.request.url.split("/sources/")[1], content_type="text/javascript"))


def open_photo(page, path_or_bytes, name="photo.png", style="Marquee"):
    """Opens a photo and waits until it can be cropped; `style` is the style to choose, if any."""
    given = path_or_bytes
    if isinstance(given, bytes):
        given = {"name": name, "mimeType": "application/octet-stream", "buffer": given}
    # A photo that is open already stays until the new one can be shown.
    page.evaluate("() => { globalThis.formerPhoto = document.querySelector('crop-view')?.picture ?? null; }")
    page.locator("input[type=file]").first.set_input_files(given)
    wait_until(page, "(document.querySelector('crop-view')?.picture ?? null) !== formerPhoto")
    wait_for_photo(page)
    settle(page)
    if style:
        set_style(page, style)


def open_coordinates(open_page, viewport="desk", style="Studio", size=(600, 450), **options):
    """Opens the page with a picture whose pixels say where they are."""
    page = open_page(viewport, **options)
    open_photo(page, png(coordinates(*size)), style=style)
    return page


def open_targets(page):
    """Shows the open photo for its targets."""
    page.get_by_role("button", name="Sizes", exact=True).click()
    wait_until(page, "document.querySelectorAll('.target canvas').length > 1 && document.querySelector("
                     "'#targets crop-view').accessible.nodes.get(0)?.getBoundingClientRect().width > 0")
    settle(page)


def take_picture(page):
    """Takes a photo with the camera and uses it."""
    page.get_by_role("button", name="Take a photo").click()
    wait_until(page, "!document.querySelector('.shutter').disabled")
    page.get_by_role("button", name="Take the photo").click()
    page.get_by_role("button", name="Use photo").click()


def replace_original(page):
    """Crops, with the result in the place of the original."""
    page.get_by_role("button", name="More ways to save").click()
    page.get_by_role("menuitem", name="Replace original").click()
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    page.get_by_text("is now the crop").wait_for()


def wait_until(page, expression, seconds=WAIT):
    """Evaluates an expression until it is true; the page's security policy does not allow Playwright's
    function."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never true: {expression}; {seen(page)}"
        page.wait_for_timeout(30)


def written(page):
    """Waits until closing the page would lose nothing."""
    wait_until(page, "dispatchEvent(new Event('beforeunload', { cancelable: true }))")


def seen(page):
    """A summary of the page, for an error message."""
    return page.evaluate("""async () => {
      const frame = new Promise((done) => requestAnimationFrame(() => done('frames come')));
      const none = new Promise((done) => setTimeout(done, 2000, 'no frame in 2 s'));
      const view = document.querySelector('crop-view');
      return [location.hash, document.visibilityState, await Promise.race([frame, none]),
        view?.picture ? `bitmap ${view.picture.bitmap?.width}` : 'no picture',
        document.querySelector('main:not([hidden])')?.innerText,
        ...performance.getEntriesByType('resource').slice(-6)
          .map(({ name, responseEnd }) => `${name} ${responseEnd}`)].join(' | ');
    }""")


def wait_for_photo(page):
    """Waits until a photo and its elements are shown; a photo that turns out to be unreadable is not."""
    wait_until(page, """((view) => view?.complete && view.pictureSize
      && view.accessible.nodes.get(0)?.getBoundingClientRect().width > 0)
      (document.querySelector('crop-view'))""")


def set_style(page, style):
    """Chooses the style with the element's attribute."""
    page.evaluate(
        "(style) => document.querySelector('crop-view').setAttribute('crop-style', style)", style.lower()
    )
    settle(page)


def settle(page):
    """Waits until nothing is moving."""
    frames(page)
    wait_until(page, "[...document.querySelectorAll('crop-view')].every(({ state }) => !state?.wantsTicks)")
    frames(page)


def frames(page):
    """Waits until the page has drawn its current state, even if something is still moving."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def still(page):
    """Waits until nothing on the page is moving and all visible images are loaded."""
    wait_until(page, """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
      !document.querySelector('crop-view')?.state?.wantsTicks
      && document.getAnimations().every((animation) => animation.playState !== 'running'
        || animation.effect.getComputedTiming().endTime === Infinity)
      && [...document.images].every((image) => {
        const { top, left, bottom, right } = image.getBoundingClientRect();
        return image.complete || !image.currentSrc || !image.checkVisibility()
          || bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth;
      })))))""")


def rest(page, milliseconds=200):
    """Keeps the pointer still for at least this long, in the page's time."""
    page.wait_for_timeout(milliseconds)


def wait_for(page, condition, seconds=WAIT):
    """Waits until a Python condition is true; the page's requests are handled in the meantime."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"never so; {seen(page)}"
        page.wait_for_timeout(30)


def wait_for_preview(page):
    """Waits until a photo of the library has a better preview than its thumbnail, a PNG of at most 512
    pixels."""
    wait_for_photo(page)
    wait_until(page, """((picture) => picture && (picture.blob.type !== 'image/png'
        || picture.bitmap && Math.max(picture.bitmap.width, picture.bitmap.height) > 512))
      (document.querySelector('crop-view').picture)""")
    settle(page)


def recipe(page):
    """The element's recipe, or None."""
    return page.evaluate("document.querySelector('crop-view').recipe")


def rect(page, which="crop-view"):
    """What is framed: its left, top, width and height in pixels; None where there is no recipe."""
    found = page.evaluate(f"document.querySelector('{which}').recipe")
    return found and tuple(found["rect"][key] for key in ("x", "y", "width", "height"))


def state(page, name):
    """A value of the element's state."""
    return page.evaluate(f"document.querySelector('crop-view').state.{name}")


def picture(page):
    """The position of the image on the page: left, top, and CSS pixels per pixel."""
    return page.evaluate("""() => {
      const view = document.querySelector('crop-view');
      const box = view.accessible.nodes.get(0).getBoundingClientRect();
      return [box.x, box.y, box.width / view.state.frameWidth];
    }""")


def at(page, x, y):
    """The position on the page of a pixel corner of the image."""
    left, top, scale = picture(page)
    return left + x * scale, top + y * scale


def drag(page, start, end, steps=6):
    """Drags with the mouse between two positions on the page."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=steps)
    page.mouse.up()
    settle(page)


class Fingers:
    """Fingers on a touch screen, simulated by the browser."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def send(self, kind, *points):
        touches = [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def drag(self, start, end, steps=8):
        self.send("touchStart", start)
        for step in range(1, steps + 1):
            share = step / steps
            self.send(
                "touchMove",
                (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share),
            )
        self.send("touchEnd")
        settle(self.page)

    def tap(self, place):
        self.send("touchStart", place)
        self.send("touchEnd")
        # Keeps the next tap from counting as a double tap.
        rest(self.page, 400)
        settle(self.page)

    def pinch(self, center, start, end, steps=8):
        """Two fingers next to each other, first `start` and then `end` apart."""

        def pair(apart):
            return (center[0] - apart / 2, center[1]), (center[0] + apart / 2, center[1])

        self.send("touchStart", pair(start)[0])
        self.send("touchStart", *pair(start))
        for step in range(1, steps + 1):
            self.send("touchMove", *pair(start + (end - start) * step / steps))
        self.send("touchEnd")
        settle(self.page)


def crop(page):
    """Clicks Crop, waits for the result, and returns the saved file and its name."""
    page.get_by_role("button", name="Crop", exact=True).click()
    save = page.get_by_role("link", name="Save")
    save.wait_for()
    with page.expect_download() as waiting:
        save.click()
    download = waiting.value
    with open(download.path(), "rb") as file:
        return file.read(), download.suggested_filename


def decoded(result):
    """The image of a result."""
    return Image.open(io.BytesIO(result[0]))
