"""Who is let in, as a person sees it: the sign-in page, what --open opens, and the list of devices."""

import os
import pathlib
import re
import stat
import tempfile
import time

import pytest
from editor import wait_until
from conftest import LOOKS, TOKEN, VIEWPORTS, serving


@pytest.fixture
def visitor(chromium, server):
    """Opens the page in a browser that is not signed in."""
    contexts = []

    def visitor(viewport="desk", scheme="light", **options):
        context = chromium.new_context(**{**VIEWPORTS[viewport], "color_scheme": scheme, **options})
        contexts.append(context)
        return context.new_page()

    yield visitor
    for context in contexts:
        context.close()


def token_field(page):
    return page.get_by_label("Token")


@pytest.mark.parametrize("viewport, scheme", LOOKS)
def test_a_person_without_a_session_signs_in(visitor, server, keep, viewport, scheme):
    page = visitor(viewport, scheme)
    assert page.goto(server).status == 401
    wait_until(page, "document.activeElement.id === 'token'")
    keep(page, f"sign-in-{viewport}-{scheme}")
    # Nothing is cut off, and the button is as high as a finger wants it.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.get_by_role("button", name="Sign in").bounding_box()["height"] >= 44
    token_field(page).fill("wrong-horse-battery")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("That is not the token").wait_for()
    keep(page, f"sign-in-wrong-{viewport}-{scheme}")
    token_field(page).fill(f" {TOKEN}\n")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Open a photo").wait_for()
    assert page.url == server
    # A reload does not ask again.
    page.reload()
    page.get_by_role("button", name="Open a photo").wait_for()


@pytest.mark.parametrize("locale, language, direction, button", [
    ("ar", "ar", "rtl", "تسجيل الدخول"), ("de-AT", "de", "ltr", "Anmelden"),
    ("zh-CN", "zh-Hans", "ltr", "登录"), ("nl", "en", "ltr", "Sign in"),
])
def test_the_sign_in_page_speaks_ten_languages(locale, language, direction, button, visitor, server, keep):
    page = visitor(locale=locale)
    page.goto(server)
    assert page.evaluate("[document.documentElement.lang, getComputedStyle(document.body).direction]") == [
        language, direction]
    page.get_by_role("button", name=button, exact=True).wait_for()
    keep(page, f"sign-in-{language}")


def contrast(page, text, background):
    """WCAG's contrast of two colours of the page."""
    return page.evaluate(
        """([text, background]) => {
          const light = (selector, property) => {
            const colour = getComputedStyle(document.querySelector(selector))[property];
            const [r, g, b] = colour.match(/[0-9]+/g).map((value) => {
              const part = value / 255;
              return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const [one, other] = [light(...text), light(...background)].sort((a, b) => b - a);
          return (one + 0.05) / (other + 0.05);
        }""", [text, background])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sign_in_page_can_be_read(visitor, server, scheme):
    page = visitor(scheme=scheme)
    page.goto(server)
    token_field(page).fill("wrong-horse-battery")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("That is not the token").wait_for()
    # Its words may be there before its style is.
    page.wait_for_load_state("load")
    card, ground = ("form", "backgroundColor"), ("body", "backgroundColor")
    for text, background, least in (
            (("h1", "color"), card, 4.5), (("#lead", "color"), card, 4.5),
            (("#problem .wrong", "color"), card, 4.5), ((".hint", "color"), ground, 4.5),
            (("button", "color"), ("button", "backgroundColor"), 4.5),
            (("input", "borderTopColor"), card, 3)):
        assert contrast(page, text, background) >= least, text


@pytest.fixture
def home():
    """A person's folders, and in place of the desktop's way to a browser a note of what it is to open."""
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        opener = home / "xdg-open"
        opener.write_text(f'#!/bin/sh\nprintf %s "$1" >"{home}/new" && mv "{home}/new" "{home}/opened"\n')
        opener.chmod(0o755)
        (home / "run").mkdir(mode=0o700)
        yield home


def places(home):
    return dict(
        PATH=f"{home}:{os.environ['PATH']}", DISPLAY=":99", XDG_RUNTIME_DIR=str(home / "run"),
        XDG_DATA_HOME=str(home / "data"))


def opened(home):
    """The path that a browser was told to open."""
    for _ in range(12_000):
        if (home / "opened").exists():
            return (home / "opened").read_text()
        time.sleep(0.025)
    raise AssertionError("no browser was opened")


def test_what_open_opens_signs_in_once_and_for_the_next_start_too(visitor, home, keep):
    page = visitor()
    with serving("--library", "none", "--open", **places(home)) as address:
        path = opened(home)
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert "code=" not in path and TOKEN not in path
        page.goto(f"file://{path}")
        page.get_by_role("button", name="Open a photo").wait_for()
        assert page.url == address
        assert not os.path.exists(path)
    with serving("--library", "none", "--port", re.search(r":(\d+)/", address)[1], **places(home)):
        page.goto(address)
        page.get_by_role("button", name="Devices").click()
        page.get_by_text("This device", exact=True).wait_for()
        assert page.locator(".device-list li").count() == 1
        keep(page, "devices")
        page.get_by_role("button", name="Sign out").click()
        token_field(page).wait_for()
        assert not os.listdir(home / "data/cropkit/devices")


@pytest.mark.parametrize("viewport, scheme", LOOKS)
def test_a_device_can_be_seen_and_ended(visitor, home, keep, viewport, scheme):
    with serving("--library", "none", **places(home)) as address:
        for agent in (
                "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"):
            other = visitor(user_agent=agent)
            other.goto(f"{address}?token={TOKEN}")
        page = visitor(viewport, scheme)
        page.goto(f"{address}?token={TOKEN}")
        page.get_by_role("button", name="Devices").click()
        page.get_by_role("button", name="End Firefox · Android").wait_for()
        keep(page, f"devices-{viewport}-{scheme}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="End Safari · iPhone").click()
        page.get_by_text("Safari · iPhone").wait_for(state="detached")
        page.get_by_role("button", name="Close").click()
        assert other.goto(address).status == 401


def test_the_page_can_be_installed(open_page, server):
    page = open_page()
    # Chromium itself says what is missing. Its manifest is asked for with the session, as only those who
    # are signed in get it.
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == [] and '"CropKit"' in manifest["data"]
    page.wait_for_function("navigator.serviceWorker.ready")
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [], [{"errorId": "in-incognito", "errorArguments": []}])
