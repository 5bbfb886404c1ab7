"""\"Trim borders\": the frame around the content, which can still be changed."""

import io

import pytest
from editor import open_photo, recipe, settle, wait_until
from PIL import Image
from test_page import assert_accessible, assert_shown

INSIDE = {"x": 60, "y": 40, "width": 200, "height": 120}


def bordered(color=(250, 250, 250)):
    image = Image.new("RGB", (400, 260), color)
    inner = Image.linear_gradient("L").resize((200, 120)).convert("RGB").point(lambda value: value // 2)
    image.paste(inner, (60, 40))
    return image


def png(image):
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def trim(page, viewport, key=None):
    if viewport == "phone":
        page.get_by_role("button", name="More", exact=True).click()
    button = page.get_by_role("button", name="Trim borders", exact=True)
    button.scroll_into_view_if_needed()
    if key:
        button.focus()
        page.keyboard.press(key)
    else:
        button.click()


def is_framed(page, rect):
    wait_until(page, f"""((view) => Object.entries({rect}).every(([key, value]) => view.recipe.rect[key] === value))
      (document.querySelector('crop-view'))""")


@pytest.mark.parametrize("viewport,key", [("desk", None), ("desk", "Enter"), ("phone", None)])
def test_the_border_is_found_and_the_frame_stays_free(opened, keep, viewport, key):
    page = opened(viewport)
    open_photo(page, png(bordered()), style="Studio")
    trim(page, viewport, key)
    is_framed(page, INSIDE)
    settle(page)
    assert_shown(page, keep, f"trimmed-{viewport}-{opened.way}")
    page.evaluate("document.querySelector('crop-view').command('setWidth', 150)")
    is_framed(page, INSIDE | {"width": 150})
    for _ in range(2):
        page.evaluate("document.querySelector('crop-view').undo()")
    assert recipe(page)["rect"]["width"] != 150


def test_the_longest_side_stays(open_page):
    page = open_page("desk")
    open_photo(page, png(bordered()), style="Studio")
    page.evaluate("document.querySelector('crop-view').command('longestSide', 100)")
    trim(page, "desk")
    is_framed(page, INSIDE)
    assert recipe(page)["output"] == {"maxSide": 100}


def test_turns_and_mirrors_stay(open_page):
    page = open_page("desk")
    open_photo(page, png(bordered()), style="Studio")
    page.evaluate("document.querySelector('crop-view').turn(1)")
    settle(page)
    trim(page, "desk")
    # Of 260 × 400 pixels: the bottom is now on the left.
    is_framed(page, {"x": 260 - 40 - 120, "y": 60, "width": 120, "height": 200})


@pytest.mark.thorough
@pytest.mark.parametrize("image,words", [
    (Image.radial_gradient("L").resize((300, 200)).rotate(30).crop((70, 40, 220, 150)).convert("RGB"), None),
    (Image.new("RGB", (120, 90), (20, 30, 40)), "has only one color")])
def test_a_missing_border_is_reported(opened, image, words):
    page = opened("desk")
    if words is None:
        # No two corners agree.
        for at, value in [((0, 0), 0), ((149, 0), 80), ((0, 109), 160), ((149, 109), 240)]:
            image.putpixel(at, (value, value, value))
    open_photo(page, png(image), style="Studio")
    before = recipe(page)
    trim(page, "desk")
    page.get_by_role("alert").filter(has_text=words or "has no border to trim").wait_for()
    assert recipe(page) == before
    assert_accessible(page)
