"""Files that the system passes to the installed page: opened with it, or shared with it."""

import base64
import json

import pytest
from editor import settle, wait_for_photo, wait_until
from pictures import gradient, jpeg

#: A system that opens files with the page: when the page starts to listen, and again when the test says so.
LAUNCHING = """
  window.launched = (names) => window.consumer({ files: names.map((name) => ({
    getFile: async () => {
      const canvas = new OffscreenCanvas(name.length * 40, 240);
      canvas.getContext('2d').fillRect(0, 0, 10, 10);
      return new File([await canvas.convertToBlob()], name, { type: 'image/png' });
    } })) });
  Object.defineProperty(window, 'launchQueue', { value: {
    setConsumer(consumer) {
      window.consumer = consumer;
      window.launched(window.first ?? []);
    } } });
"""


def launched(open_page, *names):
    page = open_page(path="?")
    page.add_init_script(LAUNCHING)
    page.add_init_script(f"window.first = {json.dumps(names)}")
    page.reload()
    return page


def test_a_file_that_the_system_opens_is_framed(open_page):
    page = launched(open_page, "one.png")
    wait_for_photo(page)
    assert page.title() == "one.png · CropKit"
    # Another one, while the page is open.
    page.evaluate("window.launched(['another.png'])")
    wait_until(page, "document.title === 'another.png · CropKit'")


@pytest.mark.thorough
def test_several_files_that_the_system_opens_are_a_queue(open_page):
    page = launched(open_page, "one.png", "two.png")
    wait_for_photo(page)
    page.get_by_text("1 of 2").wait_for()


def test_a_start_without_files_is_the_first_screen(open_page):
    page = launched(open_page)
    page.get_by_role("button", name="Open a photo").wait_for()


#: Shares like another app: submits a form to the page's address for sharing.
SHARE = """async (files) => {
  const form = new FormData();
  for (const [name, base64] of files) {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    form.append('photos', new File([bytes], name, { type: 'image/jpeg' }));
  }
  const answer = await fetch('share', { method: 'POST', body: form, redirect: 'manual' });
  return answer.type;
}"""


@pytest.fixture
def kept(open_page):
    """A page with an active service worker."""
    page = open_page(service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_until(page, "navigator.serviceWorker.controller !== null")
    return page


def shared(page, names):
    files = [[name, base64.b64encode(jpeg(gradient(320, 240))).decode()] for name in names]
    assert page.evaluate(SHARE, files) == "opaqueredirect"
    start_at_shared(page)


def start_at_shared(page):
    """Opens the page at the address to which the service worker redirects."""
    address = page.url.split("#")[0]
    page.goto("about:blank")
    page.goto(address + "#/shared")


def test_a_photo_that_is_shared_with_the_page_is_framed_once(kept):
    shared(kept, ["Grüße 1.jpg"])
    wait_for_photo(kept)
    settle(kept)
    assert kept.title() == "Grüße 1.jpg · CropKit"
    assert kept.evaluate("caches.has('cropkit-shared')") is False
    # Nothing is taken a second time.
    start_at_shared(kept)
    kept.get_by_role("button", name="Open a photo").wait_for()


@pytest.mark.thorough
def test_several_photos_that_are_shared_are_a_queue(kept):
    shared(kept, ["a.jpg", "b.jpg", "c.jpg"])
    wait_for_photo(kept)
    kept.get_by_text("1 of 3").wait_for()


def test_the_manifest_lists_the_formats_that_the_page_opens(open_page, server):
    page = open_page()
    said = page.request.get(f"{server}manifest.webmanifest").json()
    accepted = said["file_handlers"][0]["accept"]
    offered = page.locator("input[type=file]").first.get_attribute("accept").split(",")
    assert set(accepted) <= set(offered)
    assert {ending for endings in accepted.values() for ending in endings} - set(offered) <= {".jpe", ".jfif"}
    for shortcut in said["shortcuts"]:
        page.goto(server + shortcut["url"].removeprefix("./"))
        page.locator("main:not([hidden])").wait_for()
        assert page.url.endswith(shortcut["url"].removeprefix("./"))
    session = page.context.new_cdp_session(page)
    assert not session.send("Page.getAppManifest")["errors"]
