"""Fields for numbers: what they accept, and what they say about the rest."""

import pytest
from editor import open_coordinates, rect, settle, wait_until


def typed(page, label, text):
    field = page.get_by_label(label)
    field.fill(text)
    field.press("Enter")
    settle(page)
    return field


def test_a_percentage_is_that_of_the_photo_s_side(open_page):
    page = open_coordinates(open_page)
    assert typed(page, "Width in pixels", "50%").input_value() == "300"
    typed(page, "Height in pixels", "20 %")
    assert rect(page)[2:] == (300, 90)


@pytest.mark.parametrize("text", ["16:9", "16/9", "", "wide"])
def test_other_text_changes_nothing_and_is_explained(open_page, text):
    page = open_coordinates(open_page)
    before = rect(page)
    field = typed(page, "Width in pixels", text)
    assert rect(page) == before
    assert field.input_value() == "600"
    assert page.locator(".section.pixels").get_by_text("Enter pixels (40) or a percentage (50%).").is_visible()


def test_a_number_that_is_not_possible_is_explained(open_page):
    page = open_coordinates(open_page)
    assert typed(page, "Width in pixels", "9000").input_value() == "600"
    assert page.get_by_text("9,000 isn’t possible here. It is now 600.").is_visible()
    typed(page, "Width in pixels", "400")
    assert not page.get_by_text("isn’t possible here").is_visible()


@pytest.mark.parametrize("text", ["16:9", "16/9", "16 x 9"])
def test_a_ratio_can_be_typed_into_one_field(open_page, text):
    page = open_coordinates(open_page)
    page.get_by_role("button", name="Custom", exact=True).click()
    typed(page, "Ratio, width", text)
    assert rect(page)[2] * 9 == rect(page)[3] * 16
    assert page.get_by_role("button", name="16:9", exact=True).get_attribute("aria-pressed") == "true"


def test_a_ratio_that_is_none_is_explained(open_page):
    page = open_coordinates(open_page)
    before = rect(page)
    page.get_by_role("button", name="Custom", exact=True).click()
    page.get_by_label("Ratio, height").fill("2")
    typed(page, "Ratio, width", "50%")
    assert page.get_by_text("Enter a number, or a ratio such as 16:9.").is_visible()
    assert rect(page) == before


def test_the_size_of_the_result_says_what_it_does_with_larger_numbers(open_page):
    page = open_coordinates(open_page)
    size = page.locator(".section.output-size")
    size.get_by_role("button", name="Other", exact=True).click()
    typed(page, "Longest side in pixels", "2000")
    assert size.get_by_text("The crop’s longest side has only 600 pixels. It isn’t enlarged.").is_visible()
    field = typed(page, "Longest side in pixels", "")
    assert size.get_by_text("Enter a whole number of pixels").is_visible()
    assert field.input_value() == "2,000"
    size.get_by_role("button", name="Exact", exact=True).click()
    typed(page, "Width of the result in pixels", "1200")
    typed(page, "Height of the result in pixels", "900")
    assert size.get_by_text("Enlarged: the crop has 600 × 450 pixels.").is_visible()


def test_the_summary_of_the_pixels_follows_a_drag(open_page):
    page = open_coordinates(open_page, folded=True)
    box = page.evaluate("""() => {
      const { right, bottom } = document.querySelector('crop-view').selectionBox;
      return [right, bottom];
    }""")
    page.mouse.move(*box)
    page.mouse.down()
    page.mouse.move(box[0] - 90, box[1] - 60, steps=5)
    wait_until(page, """(({ width, height }) => width < 600
      && document.querySelector('#value-pixels').textContent === `${width} × ${height}`)(
      document.querySelector('crop-view').recipe.rect)""")
    page.mouse.up()
