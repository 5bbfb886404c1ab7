"""The bytes transferred before a photo is chosen."""

import pytest
from editor import open_photo, wait_until
from pictures import coordinates, jpeg, png

#: Bytes including headers, without the photos' thumbnails. They are compressed by gzip; zopfli, in a release, makes
#: them 3 % smaller.
BUDGET = 133_000


@pytest.fixture
def loaded(open_page):
    """Opens the page in a language and returns what it loads: bytes on the wire by path."""

    def loaded(locale="en-US"):
        page = open_page(service_workers="block", locale=locale)
        page.wait_for_load_state("networkidle")
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        paths, sizes = {}, {}
        session.on("Network.requestWillBeSent", lambda event: paths.update(
            {event["requestId"]: event["request"]["url"].split("#")[0].split("/", 3)[3]}))
        # Requests before the listener was added don't count.
        session.on("Network.loadingFinished", lambda event: event["requestId"] in paths and sizes.update(
            {paths[event["requestId"]]: event["encodedDataLength"]}))
        page.reload()
        wait_until(page, "document.querySelector('.tile img')?.complete === true")
        page.wait_for_load_state("networkidle")
        return page, sizes

    return loaded


def test_the_first_screen_is_small(loaded):
    for locale in ("en-US", "ar-EG", "de-DE"):
        page, sizes = loaded(locale)
        own = {path: size for path, size in sizes.items() if not path.startswith("api/")}
        assert sum(own.values()) <= BUDGET, (locale, sum(own.values()), own)
        assert not any(path.endswith(".wasm") for path in own)


@pytest.mark.thorough
def test_only_the_words_of_the_language_in_use_are_loaded(loaded):
    for locale, language in (("en-GB", "en"), ("ar-EG", "ar")):
        page, sizes = loaded(locale)
        tables = {path.split("-")[1] for path in sizes if path.startswith("words-")}
        assert tables == {language}


def test_the_session_is_preloaded_and_the_module_for_jpegs_loaded_with_the_first_one(loaded):
    page, sizes = loaded()
    page.keyboard.press("Tab")
    wait_until(page, "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('cropcore.wasm'))")
    open_photo(page, png(coordinates(60, 40)))
    assert sizes["cropcore.wasm"] <= 85_500 and "cropjpeg.wasm" not in sizes
    open_photo(page, jpeg(coordinates(60, 40)), name="photo.jpg")
    wait_until(page, "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('cropjpeg.wasm'))")
    page.wait_for_load_state("networkidle")
    assert sizes["cropjpeg.wasm"] <= 40_000 and "cropextra.wasm" not in sizes


def test_an_error_names_the_line_in_the_source(open_page, server):
    page = open_page()
    answer = page.request.get(server + "app.js")
    address = answer.text().rsplit("sourceMappingURL=", 1)[1].strip()
    written = page.request.get(server + address).json()
    assert any(source.endswith("Web/App/editor/editor.js") for source in written["sources"])
    assert len(written["sourcesContent"]) == len(written["sources"])
