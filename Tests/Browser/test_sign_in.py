"""Signing in: the sign-in page, the address that --open opens, and the list of devices."""

import os
import pathlib
import re
import stat
import tempfile
import time

import pytest
from editor import WAIT, wait_until
from conftest import LOOKS, TOKEN, VIEWPORTS, new_context, serving


@pytest.fixture
def visitor(chromium, server):
    """Opens the page in a browser that is not signed in."""
    contexts = []

    def visitor(viewport="desk", scheme="light", **options):
        context = new_context(chromium, **{**VIEWPORTS[viewport], "color_scheme": scheme, **options})
        contexts.append(context)
        return context.new_page()

    yield visitor
    for context in contexts:
        context.close()


def token_field(page):
    return page.get_by_label("Token", exact=True)


@pytest.mark.thorough
@pytest.mark.parametrize("viewport, scheme", LOOKS)
def test_a_user_without_a_session_signs_in(visitor, server, keep, viewport, scheme):
    page = visitor(viewport, scheme)
    assert page.goto(server).status == 401
    wait_until(page, "document.activeElement.id === 'token'")
    keep(page, f"sign-in-{viewport}-{scheme}")
    # Nothing is cut off, and the button is large enough for a finger.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.get_by_role("button", name="Sign in").bounding_box()["height"] >= 44
    token_field(page).fill("wrong-horse-battery")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("Wrong token. Copy").wait_for()
    keep(page, f"sign-in-wrong-{viewport}-{scheme}")
    token_field(page).fill(f" {TOKEN}\n")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Open a photo").wait_for()
    assert page.url == server
    # A reload does not ask again.
    page.reload()
    page.get_by_role("button", name="Open a photo").wait_for()


@pytest.mark.thorough
def test_a_mistyped_token_stays_and_can_be_shown(visitor, server):
    page = visitor("phone")
    page.goto(f"{server}#/camera")
    token_field(page).fill("wrong-horse-battery")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("Wrong token. Copy").wait_for()
    assert token_field(page).input_value() == "wrong-horse-battery"
    assert token_field(page).get_attribute("type") == "password"
    page.get_by_label("Show token").check()
    assert token_field(page).get_attribute("type") == "text"
    page.get_by_label("Show token").uncheck()
    assert token_field(page).get_attribute("type") == "password"
    token_field(page).fill(TOKEN)
    page.get_by_role("button", name="Sign in").click()
    # The link that was followed is not lost.
    page.wait_for_url("**/#/camera")
    page.locator("#camera").wait_for()


def test_without_scripts_the_form_signs_in_too(visitor, server):
    page = visitor(java_script_enabled=False)
    page.goto(server)
    assert not page.get_by_label("Show token").is_visible()
    token_field(page).fill("wrong-horse-battery")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("Wrong token. Copy").wait_for()
    token_field(page).fill(TOKEN)
    page.keyboard.press("Enter")
    page.wait_for_url(server)


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
    """WCAG's contrast ratio of two colors of the page."""
    return page.evaluate(
        """([text, background]) => {
          const light = (selector, property) => {
            const color = getComputedStyle(document.querySelector(selector))[property];
            const [r, g, b] = color.match(/[0-9]+/g).map((value) => {
              const part = value / 255;
              return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const [one, other] = [light(...text), light(...background)].sort((a, b) => b - a);
          return (one + 0.05) / (other + 0.05);
        }""", [text, background])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sign_in_page_has_enough_contrast(visitor, server, scheme):
    page = visitor(scheme=scheme)
    page.goto(server)
    token_field(page).fill("wrong-horse-battery")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("Wrong token. Copy").wait_for()
    # Its words may appear before its styles.
    page.wait_for_load_state("load")
    card, ground = ("form", "backgroundColor"), ("body", "backgroundColor")
    for text, background, least in (
            (("h1", "color"), card, 4.5), (("#lead", "color"), card, 4.5),
            (("#problem .wrong", "color"), card, 4.5), ((".hint", "color"), ground, 4.5),
            (("button", "color"), ("button", "backgroundColor"), 4.5),
            (("#token", "borderTopColor"), card, 3)):
        assert contrast(page, text, background) >= least, text


@pytest.fixture
def home():
    """A user's folders, with a script that records what the desktop is asked to open."""
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
    """The path that a browser was asked to open."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if (home / "opened").exists():
            return (home / "opened").read_text()
        time.sleep(0.025)
    raise AssertionError("no browser was opened")


@pytest.mark.thorough
def test_the_page_of_open_signs_in_once_also_for_the_next_start(visitor, home, keep):
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


@pytest.mark.thorough
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
        page.get_by_role("button", name="Sign out Firefox · Android").wait_for()
        keep(page, f"devices-{viewport}-{scheme}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Sign out Safari · iPhone").click()
        page.get_by_text("Safari · iPhone").wait_for(state="detached")
        page.get_by_role("button", name="Close").click()
        assert other.goto(address).status == 401


@pytest.mark.thorough
def test_all_other_devices_are_signed_out_together(visitor, home):
    with serving("--library", "none", **places(home)) as address:
        others = [visitor(), visitor()]
        for other in others:
            other.goto(f"{address}?token={TOKEN}")
        page = visitor()
        page.goto(f"{address}?token={TOKEN}")
        page.get_by_role("button", name="Devices").click()
        rows = page.locator(".device-list li")
        rows.nth(2).wait_for()
        assert "This device" in rows.first.inner_text()
        page.get_by_role("button", name="Sign out all others").click()
        rows.nth(1).wait_for(state="detached")
        assert [other.goto(address).status for other in others] == [401, 401]
        assert page.goto(address).status == 200


# Without windows, Chromium finds nothing missing.
@pytest.mark.thorough
def test_the_page_can_be_installed(open_page, server):
    page = open_page(service_workers="allow")
    # Chromium reports what is missing. It requests the manifest with the session, since only signed-in
    # clients get it.
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == [] and '"CropKit"' in manifest["data"]
    page.wait_for_function("navigator.serviceWorker.ready")
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [], [{"errorId": "in-incognito", "errorArguments": []}])
