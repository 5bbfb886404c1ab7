"""The page as an app: cached for offline use, installable, up to date when online."""

import json

import pytest
from editor import open_photo, wait_until
from pictures import coordinates, png

OFFLINE = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_CONNECTION_REFUSED", "Failed to load resource")


@pytest.fixture
def kept(open_page):
    """A page that its service worker has cached."""
    page = open_page(expects=OFFLINE, service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_until(page, "navigator.serviceWorker.controller !== null")
    return page


def test_photos_of_the_device_are_cropped_without_a_connection(kept, keep):
    kept.context.set_offline(True)
    kept.reload()
    kept.get_by_role("button", name="Open a photo").wait_for()
    assert kept.locator("#start").get_by_text("can’t be reached").is_visible()
    keep(kept, "offline-start")
    open_photo(kept, png(coordinates(400, 300)), style="Studio")
    kept.get_by_role("button", name="Crop", exact=True).click()
    kept.get_by_role("link", name="Save").wait_for()
    assert kept.get_by_text("Made in this browser").is_visible()
    kept.context.set_offline(False)


def test_a_connection_lost_while_editing_is_reported_with_an_alternative(open_page, keep):
    page = open_page(expects=OFFLINE)
    open_photo(page, png(coordinates(400, 300)), style="Studio")
    page.context.set_offline(True)
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_role("alert").get_by_text("can’t be reached").wait_for()
    keep(page, "offline-crop")
    page.get_by_role("button", name="Crop in the browser").click()
    page.get_by_role("link", name="Save").wait_for()


def test_online_users_get_the_newest_page(kept):
    """The network is preferred; the copy is for offline use."""
    seen = []
    kept.context.on("request", lambda request: seen.append(request.url) if "app.js" in request.url else None)
    kept.reload()
    kept.get_by_role("button", name="Open a photo").wait_for()
    assert seen


def test_api_requests_bypass_the_cache(kept):
    kept.reload()
    kept.get_by_role("button", name="Open a photo").wait_for()
    wait_until(kept, "performance.getEntriesByName(new URL('api/samples', location.href).href).length > 0")
    assert kept.evaluate("""performance.getEntriesByName(new URL('api/samples', location.href).href)
      .every((entry) => entry.workerFinalSourceType === 'network')""")


def test_a_new_version_replaces_the_cached_one(kept):
    names = kept.evaluate("caches.keys()")
    assert len(names) == 1 and names[0].startswith("cropkit-page-")
    kept.evaluate("caches.open('cropkit-page-old').then(() => true)")
    kept.evaluate("""navigator.serviceWorker.getRegistration()
      .then((found) => found.unregister()).then(() => true)""")
    kept.reload()
    wait_until(kept, "caches.keys().then((names) => names.length === 1)")
    assert kept.evaluate("caches.keys()") == names


# Without windows, Chromium finds nothing missing.
@pytest.mark.thorough
def test_it_can_be_installed(open_page, server):
    page = open_page()
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert not manifest["errors"]
    said = json.loads(manifest["data"])
    for icon in said["icons"]:
        answer = page.request.get(server + icon["src"])
        assert answer.ok and answer.headers["content-type"] == icon["type"]
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []
