"""`cropkit open`: images opened from a file manager, cropped on the page and saved next to their files."""

import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest
from conftest import SCREENSHOTS, VIEWPORTS, free_port
from desktop import BIN, Desktop
from editor import WAIT, replace_original, settle, wait_for_photo, wait_until
from PIL import Image
from pictures import gradient, jpeg

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def desktop(tmp_path):
    desktop = Desktop(tmp_path)
    yield desktop
    desktop.close()


@pytest.fixture
def opened(desktop, new_page):
    """Opens files like the desktop, in a browser that the test can inspect."""
    def opened(*names):
        done = subprocess.run(
            ["cropkit", "open", *names], cwd=desktop.pictures, env=desktop.environment,
            executable=BIN / "cropkit", capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        page = new_page(reports=(), **VIEWPORTS["desk"], color_scheme="light")
        page.goto(desktop.opened)
        # The file redirects, and the code disappears from the address bar.
        page.wait_for_url(re.compile(r"^http://127\.0\.0\.1:\d+/#"))
        return page

    return opened


def framed(page, name):
    """Waits until a photo can be cropped."""
    wait_until(page, f"document.title === '{name} · CropKit'")
    wait_for_photo(page)
    settle(page)


def crop(page):
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_text("Saved beside the photo").wait_for()


def square(page):
    page.get_by_role("button", name="Square").click()
    settle(page)


def test_an_image_is_opened_framed_and_its_crop_saved_next_to_it(opened, desktop, keep):
    photo = desktop.add("photo.jpg", jpeg(gradient(640, 480)))
    desktop.add("other.jpg", jpeg(gradient(320, 240)))
    page = opened("photo.jpg")
    framed(page, "photo.jpg")
    assert re.search(r"/#/photos/\w+$", page.url)
    square(page)
    crop(page)
    keep(page, "desktop-open")
    with Image.open(desktop.pictures / "photo-cropped.jpg") as image:
        assert image.size == (480, 480)
    # Files that were not named are not available, on the page either.
    page.get_by_role("button", name="Close photo").click()
    page.locator("a.photo[title='photo-cropped.jpg']").wait_for()
    assert page.locator("a.photo").count() == 2
    assert sorted(path.name for path in desktop.pictures.iterdir()) == [
        "other.jpg", "photo-cropped.jpg", "photo.jpg"]
    assert photo.read_bytes() == jpeg(gradient(640, 480))


def test_the_original_is_in_the_trash_if_a_crop_replaces_it(opened, desktop):
    photo = desktop.add("photo.jpg", jpeg(gradient(640, 480)))
    before = photo.read_bytes()
    page = opened("photo.jpg")
    framed(page, "photo.jpg")
    square(page)
    replace_original(page)
    with Image.open(photo) as image:
        assert image.size == (480, 480)
    trash = desktop.home / "data/Trash/files"
    tops = [trash, *pathlib.Path("/").glob(".Trash-*/files")]
    assert any(path.read_bytes() == before for top in tops for path in top.glob("photo*.jpg"))
    page.get_by_role("status").get_by_role("button", name="Restore original").click()
    page.get_by_text("was restored").wait_for()
    assert photo.read_bytes() == before


@pytest.mark.thorough
def test_several_pictures_are_a_queue(opened, desktop, keep):
    for number in (1, 2, 3):
        desktop.add(f"photo-{number}.jpg", jpeg(gradient(400 + 80 * number, 320)))
    page = opened("photo-1.jpg", "photo-2.jpg", "photo-3.jpg")
    framed(page, "photo-1.jpg")
    page.get_by_text("1 of 3").wait_for()
    square(page)
    crop(page)
    page.get_by_role("button", name="Next", exact=True).click()
    framed(page, "photo-2.jpg")
    page.get_by_text("2 of 3").wait_for()
    square(page)
    page.keyboard.press("PageUp")
    framed(page, "photo-1.jpg")
    page.get_by_role("button", name="All photos").click()
    dialog = page.get_by_role("dialog")
    assert dialog.locator(".state").all_inner_texts() == ["Saved", "Ready to crop", "Not cropped"]
    keep(page, "desktop-queue")
    dialog.get_by_role("button", name="Same ratio and size for all").click()
    dialog.get_by_role("button", name="Save all").click()
    page.get_by_role("status").get_by_text("2 of 2 saved").wait_for()
    for number in (1, 2, 3):
        with Image.open(desktop.pictures / f"photo-{number}-cropped.jpg") as image:
            assert image.size == (320, 320)
    dialog.get_by_role("button", name="Close", exact=True).click()
    # All files are saved, so nothing is asked.
    page.get_by_role("button", name="Close photo").click()
    page.locator("a.photo").nth(5).wait_for()


@pytest.mark.thorough
def test_a_reload_keeps_the_queue_and_its_results(opened, desktop):
    for number in (1, 2, 3):
        desktop.add(f"photo-{number}.jpg", jpeg(gradient(400 + 80 * number, 320)))
    page = opened("photo-1.jpg", "photo-2.jpg", "photo-3.jpg")
    framed(page, "photo-1.jpg")
    square(page)
    crop(page)
    page.get_by_role("button", name="Next", exact=True).click()
    framed(page, "photo-2.jpg")
    square(page)
    size = page.evaluate("document.querySelector('crop-view').recipe.rect.width")
    page.reload()
    framed(page, "photo-2.jpg")
    page.get_by_text("2 of 3").wait_for()
    assert page.evaluate("document.querySelector('crop-view').recipe.rect.width") == size == 320
    page.get_by_role("button", name="All photos").click()
    dialog = page.get_by_role("dialog")
    assert dialog.locator(".state").all_inner_texts() == ["Saved", "Ready to crop", "Not cropped"]
    dialog.get_by_role("button", name="photo-3.jpg").click()
    framed(page, "photo-3.jpg")
    page.get_by_text("3 of 3").wait_for()
    # A photo that is opened alone afterwards stays alone, after a reload too.
    page.get_by_role("button", name="Close photo").click()
    page.locator("a.photo[title='photo-1.jpg']").click()
    for _ in range(2):
        framed(page, "photo-1.jpg")
        assert not page.locator(".queue").is_visible()
        page.reload()


@pytest.mark.thorough
@pytest.mark.skipif(not os.environ.get("CROPKIT_SOAK"), reason="runs with CROPKIT_SOAK=1")
@pytest.mark.skipif(
    not all(map(shutil.which, ("Xvfb", "xdg-open", "file"))), reason="needs xvfb, xdg-utils and file")
def test_xdg_open_opens_the_image_with_a_frame(tmp_path, display, playwright):
    """From the desktop's way of opening a file to a separate window on the screen."""
    port = free_port()
    desktop = Desktop(tmp_path, port, display)
    try:
        applications = tmp_path / "data/applications"
        applications.mkdir(parents=True)
        shutil.copy(ROOT / "Packaging/desktop/cropkit.desktop", applications)
        subprocess.run(
            ["xdg-mime", "default", "cropkit.desktop", "image/jpeg"], env=desktop.environment, check=True)
        photo = desktop.add("photo.jpg", (ROOT / "Samples/lake-at-dusk.jpg").read_bytes())
        subprocess.run(["xdg-open", photo], env=desktop.environment, check=True, timeout=WAIT)
        page = looked_into(playwright, port)
        framed(page, "photo.jpg")
        if shutil.which("import"):
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            screen = ["import", "-display", display, "-window", "root", SCREENSHOTS / "desktop-screen.png"]
            subprocess.run(screen, check=True)
        crop(page)
        assert (desktop.pictures / "photo-cropped.jpg").exists()
    finally:
        desktop.close()


def looked_into(playwright, port):
    """The page in the started browser, once it is available."""
    end = time.monotonic() + WAIT
    while True:
        try:
            browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
            pages = [page for context in browser.contexts for page in context.pages if "127.0.0.1" in page.url]
            if pages:
                return pages[0]
            browser.close()
        except Exception:
            if time.monotonic() > end:
                raise
        assert time.monotonic() < end, "no page"
        time.sleep(0.1)
