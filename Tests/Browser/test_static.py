"""The page without CropKit's server (`make site`), in a sub-folder of Python's plain file server."""

import base64
import gzip
import hashlib
import io
import json
import subprocess
import zipfile
from urllib.parse import urljoin

import pytest
from conftest import BIN, LASTING_CARDS, OPEN_SECTIONS, VIEWPORTS, signing_in
from editor import crop, decoded, open_photo, open_targets, take_picture, wait_for_photo, wait_until
from hosted import FOLDER, Host
from marionette import FIREFOX
from PIL import Image
from pictures import coordinates, gradient, jpeg, moving, png
from test_errors import HEIC, choose
from test_page import assert_accessible, assert_fits
from test_webkit import browser as webkit, pytestmark as needs_webkit
from unserved import HIDDEN, camera_jpeg

__all__ = ["webkit"]

VIEW = "document.querySelector('crop-view')"

#: The most bytes before a photo is chosen, compressed by gzip as hosts do, without the samples' thumbnails.
BUDGET = 126_000

OFFLINE = ("ERR_CONNECTION_REFUSED", "Failed to load resource")


@pytest.fixture
def host(tmp_path):
    """The site on a host; it must have every file that was asked for, and nothing outside may be."""
    host = Host(tmp_path)
    yield host
    host.stop()
    assert [path for path, status in host.requests() if status >= 400 or not path.startswith(f"/{FOLDER}")] == []


@pytest.fixture
def open_site(new_page, host):
    """Opens the page; any line in its console and any request to another place fails the test."""
    asked = []

    def open_site(viewport="desk", scheme="light", path="", expects=(), **options):
        options.setdefault("service_workers", "block")
        page = new_page(("blocked by Playwright", *expects), **{
            **VIEWPORTS[viewport], "color_scheme": scheme, "accept_downloads": True, **options})
        page.on("request", lambda request: asked.append(request.url))
        page.add_init_script(LASTING_CARDS)
        page.add_init_script(OPEN_SECTIONS)
        page.goto(host.address + path)
        page.locator("main").first.wait_for(state="attached")
        return page

    yield open_site
    assert asked and [url for url in asked if not url.startswith((host.address, "blob:", "data:"))] == []


def by_program(folder, data, *options):
    """The command line's crop of the same photo."""
    source, result = folder / "in.jpg", folder / "out.jpg"
    source.write_bytes(data)
    subprocess.run([BIN / "cropkit", "crop", source, *options, "-o", result], check=True, capture_output=True)
    return result.read_bytes()


def set_rect(page, x, y, width, height):
    page.evaluate(f"(rect) => {{ {VIEW}.recipe = {{ version: 1, rect }}; }}",
                  {"x": x, "y": y, "width": width, "height": height})


def test_a_jpeg_is_cropped_losslessly_like_by_the_command_line(open_site, tmp_path):
    photo = camera_jpeg(gradient(640, 480))
    assert photo.count(HIDDEN) == 3
    page = open_site()
    assert not page.evaluate("crossOriginIsolated")
    open_photo(page, photo, name="photo.jpg", style=None)
    set_rect(page, 32, 48, 300, 200)
    data, name = crop(page)
    assert name == "photo-cropped.jpg"
    assert page.locator("#result .note.lossless").first.is_visible()
    assert data == by_program(tmp_path, photo, "--rect", "32,48,300,200")
    assert HIDDEN not in data


def test_other_pictures_are_cropped_to_the_pixel(open_site):
    page = open_site()
    open_photo(page, png(coordinates(300, 200)), style=None)
    set_rect(page, 17, 23, 120, 90)
    result = crop(page)
    assert (coordinates(300, 200)[23:113, 17:137] == decoded(result).convert("RGB")).all()


@pytest.mark.thorough
def test_a_picture_is_taken_and_cropped(open_site):
    page = open_site(permissions=["camera"])
    take_picture(page)
    wait_for_photo(page)
    shown = page.evaluate("(({ width, height }) => [width, height])(document.querySelector('crop-view').pictureSize)")
    assert list(decoded(crop(page)).size) == shown and min(shown) > 100


def test_several_photos_are_saved_as_one_file(open_site):
    page = open_site()
    page.evaluate("delete Window.prototype.showDirectoryPicker; delete window.showDirectoryPicker")
    page.locator("input[type=file]").first.set_input_files([
        {"name": f"photo-{number}.png", "mimeType": "image/png", "buffer": png(coordinates(200 + number, 100))}
        for number in range(3)])
    wait_for_photo(page)
    page.get_by_role("button", name="All photos").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Same ratio and size for all").click()
    with page.expect_download() as waiting:
        dialog.get_by_role("button", name="Save all").click()
    with zipfile.ZipFile(waiting.value.path()) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [f"photo-{number}-cropped.png" for number in range(3)]


def test_what_needs_a_server_is_not_offered(open_site, keep):
    page = open_site()
    page.get_by_text("Photos stay on this device").wait_for()
    assert page.get_by_text("JPEG, PNG, WebP, GIF, AVIF", exact=True).is_visible()
    assert not page.get_by_role("button", name="Devices").is_visible()
    assert not page.locator("#start .banner").is_visible()
    # Addresses of a server's photos lead to the start.
    for place in ("photos/1", "photos/1/view", "photos/1/targets", "albums/all", "from/immich:1", "queue/a.b"):
        page.evaluate(f"location.hash = '#/{place}'")
        wait_until(page, "location.hash === '' && !document.querySelector('#start').hidden")
    open_photo(page, jpeg(gradient(640, 480)), name="photo.jpg", style=None)
    page.evaluate(f"{VIEW}.turn(1)")
    assert not page.get_by_text("Rotate the pixels").is_visible()
    assert page.get_by_role("button", name="No location").is_visible()
    # A browser writes no metadata, except in a JPEG of a JPEG.
    page.get_by_role("button", name="WebP", exact=True).click()
    assert page.get_by_text("no details of the photo").is_visible()
    assert not page.get_by_role("button", name="No location").is_visible()
    assert_accessible(page)
    keep(page, "static-output")


def test_a_format_that_the_browser_can_t_write_is_not_offered(open_site):
    page = open_site()
    # As in Safari.
    page.evaluate("""() => {
      const { toDataURL } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toDataURL = function () { return toDataURL.call(this); };
    }""")
    open_photo(page, jpeg(gradient(64, 48)), name="photo.jpg", style=None)
    assert page.get_by_role("button", name="Same", exact=True).is_visible()
    assert not page.get_by_role("button", name="WebP", exact=True).is_visible()


def test_an_animation_is_reported_as_a_still(open_site):
    page = open_site()
    open_photo(page, moving(80, 60), name="moving.gif", style=None)
    assert page.get_by_text("80 × 60 · GIF · first frame only").is_visible()
    # A GIF can't be written, so the result has another format.
    assert not page.get_by_role("button", name="Same", exact=True).is_visible()
    assert page.get_by_role("button", name="PNG", exact=True).get_attribute("aria-pressed") == "true"
    set_rect(page, 8, 8, 40, 30)
    data, name = crop(page)
    assert name == "moving-cropped.png" and data.startswith(b"\x89PNG")
    assert page.get_by_text("from the first frame of the animation").is_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("alpha, ending, start", [(255, "jpg", b"\xff\xd8"), (128, "png", b"\x89PNG")])
def test_a_lossy_photo_that_can_t_keep_its_format_becomes_a_jpeg_if_it_is_opaque(open_site, alpha, ending, start):
    image, photo = Image.fromarray(gradient(320, 240)), io.BytesIO()
    image.putalpha(alpha)
    image.save(photo, "AVIF")
    page = open_site()
    open_photo(page, photo.getvalue(), name="photo.avif", style=None)
    chosen = page.get_by_role("button", name={"jpg": "JPEG", "png": "PNG"}[ending], exact=True)
    assert chosen.get_attribute("aria-pressed") == "true"
    data, name = crop(page)
    assert name == f"photo-cropped.{ending}" and data.startswith(start)


def test_a_file_that_the_browser_can_t_open_is_reported(open_site):
    page = open_site()
    alert = page.locator("main:visible").get_by_role("alert")
    for name, data, text in (("IMG_1.heic", HEIC, "This browser can’t open IMG_1.heic"),
                             ("film.mp4", b"\0\0\0\x18ftypmp42" + bytes(32), "This browser can’t open film.mp4"),
                             ("photo.jpg", jpeg(gradient(64, 48))[:100], "photo.jpg is damaged")):
        choose(page, name, data)
        alert.get_by_text(text).wait_for()
        assert not alert.get_by_text("server").count()


def test_a_sample_is_opened(open_site):
    page = open_site()
    wait_until(page, "[...document.querySelectorAll('.tile img')].filter((image) => image.naturalWidth).length === 4")
    page.get_by_role("button", name="Lake at dusk").click()
    wait_for_photo(page)
    assert page.get_by_role("heading", name="lake-at-dusk.jpg").is_visible()


def test_a_sample_that_can_t_be_loaded_is_about_the_connection(open_site, host):
    page = open_site(expects=(*OFFLINE, "crop-view: the module"))
    wait_until(page, "[...document.querySelectorAll('.tile img')].filter((image) => image.naturalWidth).length === 4")
    host.stop()
    page.get_by_role("button", name="Lake at dusk").click()
    page.get_by_role("alert").get_by_text("Check your internet connection").wait_for()


@pytest.mark.thorough
def test_the_documentation_is_linked_and_its_examples_run(open_site):
    page = open_site()
    page.get_by_role("link", name="For developers").click()
    page.get_by_role("heading", name="Documentation").wait_for()
    page.get_by_role("main").get_by_role("link", name="Quick start").click()
    view = page.frame_locator("iframe >> nth=0").locator("crop-view")
    view.wait_for()
    view.evaluate("(view) => view.decode()")
    page.get_by_role("link", name="The web app", exact=True).last.click()
    page.get_by_role("button", name="Open a photo").wait_for()


@pytest.mark.parametrize("locale", ["en-US", "ar-EG", "de-DE"])
def test_the_first_screen_is_small(open_site, host, locale):
    page = open_site(locale=locale)
    page.wait_for_load_state("networkidle")
    names = {path.removeprefix(f"/{FOLDER}") or "index.html" for path, _ in host.requests()}
    sizes = {name: len(gzip.compress((host.site / name).read_bytes(), 9)) for name in names
             if not name.startswith("samples/")}
    assert {"index.html", "app.js", "app.css"} < sizes.keys()
    assert not any(name.endswith(".wasm") for name in sizes)
    assert sum(sizes.values()) <= BUDGET, sizes


#: The names of requested scripts that only an open photo needs.
LATER = '''performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))
  .filter((name) => /^(parts|targets-screen)-.*js$/.test(name))'''


def test_the_scripts_for_an_open_photo_are_loaded_with_the_first_touch(open_site):
    # The host may stop while the module is still being loaded.
    page = open_site(expects=("Failed to load resource",))
    page.wait_for_load_state("networkidle")
    assert page.evaluate(LATER) == []
    page.locator("body").press("Shift")
    wait_until(page, f"{LATER}.length === 2")


def test_scripts_that_can_t_be_loaded_are_an_error_with_advice(open_site):
    page = open_site(expects=("ERR_FAILED",))
    page.route("**/parts-*.js", lambda route: route.abort())
    choose(page, "photo.png", png(coordinates(300, 200)))
    alert = page.locator("main:visible").get_by_role("alert")
    alert.get_by_text("The cropping module can’t be loaded").wait_for()
    assert alert.get_by_text("Reload the page").is_visible()


def test_it_works_offline_after_the_first_visit(open_site, host, keep):
    page = open_site(expects=OFFLINE, service_workers="allow")
    wait_until(page, "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)")
    host.stop()
    page.goto(f"{host.address}#/open")
    page.reload()
    page.get_by_role("button", name="Open a photo").wait_for()
    assert not page.locator("#start .banner").is_visible()
    keep(page, "static-offline")
    # Both modules are there: one for any photo, one for JPEGs.
    open_photo(page, camera_jpeg(gradient(320, 240)), name="photo.jpg", style=None)
    open_targets(page)
    page.get_by_role("button", name="Back to one crop").click()
    wait_for_photo(page)
    set_rect(page, 16, 16, 160, 128)
    data, _ = crop(page)
    assert page.get_by_text("not re-encoded").is_visible()
    assert decoded((data, "")).size == (160, 128)


def manifest_of(page):
    session = page.context.new_cdp_session(page)
    return session, session.send("Page.getAppManifest")


def test_its_manifest_stays_in_the_folder(open_site, host):
    page = open_site()
    _, manifest = manifest_of(page)
    assert not manifest["errors"]
    said = json.loads(manifest["data"])
    places = [said["start_url"], said["scope"], said["share_target"]["action"],
              *(handler["action"] for handler in said["file_handlers"]), *(icon["src"] for icon in said["icons"]),
              *(shortcut["url"] for shortcut in said["shortcuts"])]
    assert all(urljoin(manifest["url"], place).startswith(host.address) for place in places)
    # A relative `id` would be resolved at the host's root: two pages on a host would be one app.
    assert "id" not in said


# Without windows, Chromium finds nothing missing.
@pytest.mark.thorough
def test_it_can_be_installed(open_site):
    page = open_site(service_workers="allow")
    session, _ = manifest_of(page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []


def test_it_has_the_rules_of_the_server(open_site, server):
    page = open_site()
    said = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    # Browsers only accept the last one in a header.
    assert f"{said}; frame-ancestors 'none'" == page.request.get(signing_in(server)).headers["content-security-policy"]


@pytest.mark.thorough
@pytest.mark.parametrize("viewport, scheme", [("desk", "light"), ("phone", "dark"), ("small", "light"), ("desk", "dark")])
def test_its_first_screen_fits(open_site, keep, viewport, scheme):
    page = open_site(viewport, scheme)
    wait_until(page, "[...document.querySelectorAll('.tile img')].filter((image) => image.naturalWidth).length === 4")
    assert_fits(page)
    assert_accessible(page)
    keep(page, f"static-start-{viewport}-{scheme}")


@pytest.mark.thorough
@pytest.mark.parametrize("engine", [
    pytest.param("firefox", marks=pytest.mark.skipif(not FIREFOX, reason="needs the package firefox-esr")),
    pytest.param("webkit", marks=needs_webkit),
])
def test_other_engines_crop_the_same_bytes_offline_too(engine, request, host, tmp_path):
    """Takes long: another browser starts."""
    browser = request.getfixturevalue(engine)
    photo = camera_jpeg(gradient(640, 480))
    expected = hashlib.sha256(by_program(tmp_path, photo, "--rect", "96,48,400,304")).hexdigest()
    browser.open(host.address)
    assert cropped(browser, photo) == expected
    browser.run("navigator.serviceWorker.ready.then(() => true)")
    host.stop()
    browser.open(f"{host.address}?again")
    assert cropped(browser, photo) == expected


def cropped(browser, photo):
    """Opens and crops a photo, and returns the result's checksum."""
    browser.wait("document.querySelector('#start .primary')?.checkVisibility()")
    browser.run("""(() => {
      const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], 'photo.jpg', { type: 'image/jpeg' }));
      const input = document.querySelector('input[type=file]');
      input.files = files.files;
      input.dispatchEvent(new Event('change'));
    })()""", base64.b64encode(photo).decode())
    browser.wait(f"{VIEW}.complete && {VIEW}.valid && !{VIEW}.state?.wantsTicks")
    browser.run(f"void ({VIEW}.recipe = {{ version: 1, rect: {{ x: 96, y: 48, width: 400, height: 304 }} }})")
    browser.wait(f"{VIEW}.recipe.rect.width === 400 && !{VIEW}.state.wantsTicks")
    browser.click("#editor .bar > .primary")
    browser.wait("!!document.querySelector('#result:not([hidden]) .note.lossless')")
    return browser.run("""fetch(document.querySelector('#result a.primary').href)
      .then((answer) => answer.arrayBuffer()).then((bytes) => crypto.subtle.digest('SHA-256', bytes))
      .then((digest) => Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(''))""")
