"""One photo for several targets: a focus that all follow, crops made by hand, and their files."""

import io
import zipfile

import numpy
import pytest
from albums import first_photo
from axe_playwright_python.sync_playwright import Axe
from editor import (
    Fingers, drag, open_photo, open_targets, settle, wait_for, wait_for_photo, wait_for_preview, wait_until,
    written,
)
from PIL import Image, ImageOps
from pictures import coordinates, png

SIZE = (1500, 1000)
RATIOS = {"square": (1, 1), "portrait": (4, 5), "story": (9, 16), "wide": (16, 9), "link": (40, 21), "banner": (3, 1)}


@pytest.fixture
def targets(open_page):
    """A photo whose pixels identify their positions, with its targets."""
    def opened(viewport="desk", **options):
        page = open_page(viewport, **options)
        open_photo(page, png(coordinates(*SIZE)), style=None)
        open_targets(page)
        return page
    return opened


@pytest.mark.thorough
def test_the_size_and_format_of_each_file_are_known_before_saving(open_page):
    page = open_page()
    data = io.BytesIO()
    Image.fromarray(coordinates(*SIZE)).convert("RGB").save(data, "JPEG")
    open_photo(page, data.getvalue(), "photo.jpg", style=None)
    open_targets(page)
    banner = page.locator(".target", has=page.locator(".name:text-is('Banner')"))
    assert banner.locator(".file").inner_text() == "1,500 × 500 · JPEG"
    banner.click()
    settle(page)
    screen = page.locator("#targets")
    screen.get_by_role("button", name="Fit", exact=True).click()
    screen.get_by_role("button", name="Transparent", exact=True).click()
    settle(page)
    wait_until(page, "document.querySelector('.target[aria-selected=true] .file').textContent === '3,000 × 1,000 · PNG'")
    assert screen.get_by_text("3,000 × 1,000 pixels · PNG").is_visible()
    with page.expect_download() as waiting:
        screen.get_by_role("button", name="Save all").click()
    with zipfile.ZipFile(waiting.value.path()) as archive:
        entry = next(entry for entry in archive.infolist() if "banner" in entry.filename)
        assert entry.filename.endswith(".png") and entry.date_time[0] > 2020
        assert Image.open(io.BytesIO(archive.read(entry))).size == (3000, 1000)



def place(page, x, y):
    """The rectangle on the screen of a part of the frame."""
    left, top, width, height = page.evaluate("""(() => {
      const { x, y, width, height } = document.querySelector('#targets crop-view').accessible.nodes.get(0)
        .getBoundingClientRect();
      return [x, y, width, height];
    })()""")
    return left + x * width, top + y * height


def draw_focus(page, start=(0.62, 0.35), end=(0.8, 0.6)):
    drag(page, place(page, *start), place(page, *end))
    settle(page)


def choose(page, name):
    """Clicks a preview."""
    page.locator(".target", has=page.locator(f".name:text-is('{name}')")).click()
    settle(page)


def shown(page):
    """The rectangle shown on the photo: the focus, or the crop of the chosen target."""
    rect = page.evaluate("document.querySelector('#targets crop-view').recipe?.rect")
    return rect and tuple(round(rect[key]) for key in ("x", "y", "width", "height"))


def labels(page):
    return page.locator(".target").evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")


def label(page, name):
    return next(text for text in labels(page) if text.startswith(name))


def pixels(page):
    """The contents of the previews."""
    return page.locator(".target canvas").evaluate_all(
        "(all) => all.map((one) => one.toDataURL())")


def files(page):
    """The files of all targets, by their names."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
        return {name: numpy.asarray(Image.open(io.BytesIO(archive.read(name))).convert("RGB"))
                for name in archive.namelist()}


def origin(array):
    """The pixel of `coordinates` in the corner."""
    red, green, blue = (int(value) for value in array[0, 0])
    return red | (blue >> 4) << 8, green | (blue & 15) << 8


def derived(ratio, focus):
    """The rule for a photo without tilt: the largest rectangle, its center closest to that of the focus."""
    step = min(SIZE[0] // ratio[0], SIZE[1] // ratio[1])
    size = ratio[0] * step, ratio[1] * step
    at = []
    for axis in (0, 1):
        middle = (focus[axis] + focus[axis + 2] / 2) if focus else SIZE[axis] / 2
        # A half is rounded down.
        start = -(-(2 * middle - size[axis] - 1) // 2)
        at.append(int(min(max(0, start), SIZE[axis] - size[axis])))
    return (*at, *size)


def check_files(made, focus, name="photo"):
    assert set(made) == {f"{name}-{target}.png" for target in RATIOS}
    for target, ratio in RATIOS.items():
        x, y, width, height = derived(ratio, focus)
        array = made[f"{name}-{target}.png"]
        if target == "link":
            # Large enough, so it is scaled down to its size.
            assert array.shape[:2] == (630, 1200)
            continue
        assert array.shape[:2] == (height, width), target
        assert origin(array) == (x, y), target


@pytest.mark.thorough
def test_six_files_follow_one_drag_of_the_focus(targets):
    page = targets()
    assert labels(page)[0] == "Whole photo and its focus" and len(labels(page)) == 7
    before = pixels(page)
    draw_focus(page)
    focus = shown(page)
    assert focus[0] > 900 and focus[2] < 400
    # The banner already has the photo's width; its height follows.
    assert all(now != then for now, then in zip(pixels(page), before, strict=True))
    check_files(files(page), focus)
    assert page.get_by_text("6 sizes saved").is_visible()


@pytest.mark.thorough
def test_without_a_server_the_browser_makes_the_same_files(open_page):
    page = open_page(expects=("ERR_FAILED", "Failed to load resource"))
    page.route("**/api/**", lambda route: route.abort())
    page.reload()
    open_photo(page, png(coordinates(*SIZE)), style=None)
    open_targets(page)
    draw_focus(page)
    check_files(files(page), shown(page))


@pytest.mark.thorough
def test_previews_follow_while_a_finger_moves(targets):
    page = targets("phone", has_touch=True)
    fingers = Fingers(page)
    seen = [pixels(page)]
    fingers.send("touchStart", place(page, 0.6, 0.4))
    for step in range(1, 5):
        fingers.send("touchMove", place(page, 0.6 + step / 20, 0.4 + step / 20))
        # The first one may be too small for a focus.
        if step > 1:
            wait_for(page, lambda: pixels(page) != seen[-1])
        seen.append(pixels(page))
    fingers.send("touchEnd")
    settle(page)
    # It is announced when the pointer is released.
    assert page.locator("#targets [role=status].unseen").text_content().startswith("6 sizes")


@pytest.mark.thorough
def test_a_crop_by_hand_survives_another_focus_until_it_follows_again(targets):
    page = targets()
    draw_focus(page)
    focus = shown(page)
    choose(page, "Square")
    x, y, width, height = shown(page)
    assert (x, y, width, height) == derived((1, 1), focus)
    page.locator("#targets crop-view").focus()
    page.keyboard.press("ArrowLeft")
    settle(page)
    made = shown(page)
    assert made == (x - 1, y, width, height)
    assert "Adjusted by hand" in label(page, "Square")
    choose(page, "Focus")
    draw_focus(page, (0.1, 0.2), (0.3, 0.5))
    focus = shown(page)
    assert "Adjusted by hand" in label(page, "Square") and "Cuts off the focus" in label(page, "Square")
    assert "Adjusted by hand" not in label(page, "Portrait")
    assert page.locator("#targets .title p").text_content() == "6 sizes · 1 cuts off the focus"
    choose(page, "Square")
    assert shown(page) == made
    page.get_by_role("button", name="Follow the focus again").click()
    settle(page)
    assert label(page, "Square") == "Square, 1:1, 1,000 × 1,000 · PNG"
    assert shown(page) == derived((1, 1), focus)


@pytest.mark.thorough
def test_every_step_can_be_undone_and_redone(targets):
    page = targets()
    undo, redo = (page.locator("#targets").get_by_role("button", name=name) for name in ("Undo", "Redo"))
    assert undo.is_disabled() and redo.is_disabled()
    seen = lambda: (labels(page), pixels(page))
    states = [seen()]

    def done():
        settle(page)
        states.append(seen())

    draw_focus(page)
    done()
    choose(page, "Story")
    page.locator("#targets crop-view").focus()
    page.keyboard.press("ArrowRight")
    done()
    choose(page, "Focus")
    page.get_by_role("button", name="Banner", exact=True).click()
    done()
    page.get_by_role("button", name="Clear focus").click()
    done()
    assert all(now != before for now, before in zip(states[1:], states))
    page.locator("#targets crop-view").focus()
    for state in reversed(states[:-1]):
        page.keyboard.press("Control+z")
        settle(page)
        assert seen() == state
    assert undo.is_disabled()
    for state in states[1:]:
        redo.click()
        settle(page)
        assert seen() == state
    assert redo.is_disabled()


@pytest.mark.thorough
def test_keys_that_turn_do_nothing_to_one_crop_of_a_set(targets):
    page = targets()
    choose(page, "Wide")
    before = shown(page)
    page.locator("#targets crop-view").focus()
    for key in ("r", "h", "v"):
        page.keyboard.press(key)
    settle(page)
    assert shown(page) == before and "by hand" not in label(page, "Wide")


@pytest.mark.thorough
def test_the_targets_have_the_photo_s_transform(open_page):
    page = open_page()
    open_photo(page, png(coordinates(*SIZE)), style=None)
    page.keyboard.press("r")
    settle(page)
    open_targets(page)
    made = files(page)
    # Turned by a quarter to the right: the bottom-left corner of the photo is at the top left of the frame.
    for target, (across, down) in RATIOS.items():
        if target == "link":
            continue
        step = min(SIZE[1] // across, SIZE[0] // down)
        array = made[f"photo-{target}.png"]
        assert array.shape[:2] == (down * step, across * step), target
        left, top = (SIZE[1] - across * step) // 2, (SIZE[0] - down * step) // 2
        assert origin(array) == (top, SIZE[1] - 1 - left), target


@pytest.mark.thorough
def test_custom_targets_are_kept_for_the_next_photo(targets):
    page = targets()
    page.get_by_role("button", name="Banner", exact=True).click()
    page.get_by_role("button", name="Your own size").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Poster: A/B")
    page.get_by_placeholder("Width").fill("0")
    page.get_by_placeholder("Height").fill("1500")
    page.get_by_role("button", name="Add").click()
    assert page.get_by_text("Type a width and a height above 0.").is_visible()
    page.get_by_placeholder("Width").fill("2500")
    page.get_by_role("checkbox", name="Exact size in pixels").check()
    page.get_by_role("button", name="Add").click()
    settle(page)
    assert label(page, "Poster") == "Poster: A/B, 2,500 × 1,500, 1,500 × 900 · PNG, Too few pixels"
    assert page.locator("#targets .title p").text_content() == "6 sizes · 1 has too few pixels"
    made = files(page)
    assert made["photo-Poster_ A_B.png"].shape[:2] == (900, 1500)
    page.reload()
    open_photo(page, png(coordinates(700, 700)), style=None)
    open_targets(page)
    assert [text.split(",")[0] for text in labels(page)[1:]] == [
        "Square", "Portrait", "Story", "Wide", "Link preview", "Poster: A/B"]


@pytest.mark.thorough
def test_by_keyboard_and_accessible(targets):
    page = targets()
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    page.locator(".target[tabindex='0']").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    settle(page)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Portrait")
    assert page.locator(".target[aria-selected=true] .name").text_content() == "Portrait"
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    page.keyboard.press("Escape")
    settle(page)
    assert page.locator(".target[aria-selected=true] .name").text_content() == "Focus"
    # A rectangle drawn by keys: Enter on the photo returns to the strip.
    page.keyboard.press("End")
    settle(page)
    page.locator("#targets crop-view").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Banner")


@pytest.mark.thorough
def test_a_file_s_targets_are_restored_after_a_reload(targets):
    page = targets()
    draw_focus(page)
    before = labels(page)
    focus = shown(page)
    written(page)
    page.reload()
    wait_for_photo(page)
    settle(page)
    open_targets(page)
    assert shown(page) == focus and labels(page) == before


@pytest.mark.thorough
def test_the_library_keeps_the_files_and_the_set(real_library):
    page, folder, address = real_library
    first_photo(page).click()
    wait_for_preview(page)
    open_targets(page)
    draw_focus(page)
    choose(page, "Story")
    page.locator("#targets crop-view").focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    before = labels(page)
    page.get_by_role("button", name="Save all").click()
    page.get_by_text("6 sizes saved").wait_for()
    names = sorted(path.name for path in (folder / "Cropped").iterdir())
    assert names == sorted(f"lake-{target}.jpg" for target in RATIOS)
    for name, ratio in RATIOS.items():
        with ImageOps.exif_transpose(Image.open(folder / "Cropped" / f"lake-{name}.jpg")) as image:
            exact = image.width * ratio[1] == image.height * ratio[0]
            assert exact, (name, image.size)
    # From the photo, and from one of its files, which is then the chosen target.
    page.goto(address)
    first_photo(page)
    page.goto(address + "#/albums/all")
    page.locator("a.photo[title='lake.jpg']").click()
    wait_for_preview(page)
    open_targets(page)
    assert labels(page) == before
    page.go_back()
    page.goto(address + "#/albums/all")
    page.locator("a.photo[title='lake-story.jpg']").click()
    page.get_by_role("button", name="Adjust").click()
    wait_for_preview(page)
    open_targets(page)
    assert labels(page) == before
    assert page.locator(".target[aria-selected=true] .name").text_content() == "Story"
    # The second time, nothing is new; the saved files can be undone in the same way.
    page.get_by_role("button", name="Save all").click()
    page.get_by_text("6 sizes saved").wait_for()
    assert sorted(path.name for path in (folder / "Cropped").iterdir()) == names


@pytest.mark.thorough
def test_saved_targets_are_moved_to_the_trash_with_one_click(real_library):
    page, folder, _ = real_library
    first_photo(page).click()
    wait_for_preview(page)
    open_targets(page)
    page.get_by_role("button", name="Save all").click()
    page.get_by_role("button", name="Move to trash").click()
    page.get_by_text("Moved to the trash: 6").wait_for()
    assert list((folder / "Cropped").glob("*.jpg")) == []
    assert (folder / "lake.jpg").exists()


@pytest.mark.parametrize(("viewport", "scheme"), [("phone", "dark"), ("desk", "dark"), ("phone", "light"),
                                                  ("desk", "light")])
def test_the_chosen_targets_look_chosen(targets, keep, viewport, scheme):
    page = targets(viewport, scheme=scheme)
    chips = page.locator(".list .chips .chip[aria-pressed]")
    chips.first.wait_for()
    looks = chips.evaluate_all("""(all) => all.map((chip) => {
      const { boxShadow, backgroundColor } = getComputedStyle(chip);
      return [chip.getAttribute('aria-pressed'), boxShadow, backgroundColor];
    })""")
    on, off = ({tuple(look) for state, *look in looks if state == wanted} for wanted in ("true", "false"))
    assert len(on) == len(off) == 1
    filled = page.evaluate("""() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--ck-chosen)';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }""")
    assert on.pop()[1] == filled != off.pop()[1]
    keep(page, f"targets-{viewport}-{scheme}")
