"""What a person does in the library: opens a photo of an album, saves a crop of it."""

from editor import wait_for_preview, wait_until


def first_photo(page):
    page.locator("a.photo[data-id] img").first.wait_for()
    return page.locator("a.photo[data-id]").first


def wait_for_first(page, photo):
    """Waits until the list begins with a photo: it is that of the album that was asked for."""
    wait_until(page, f"document.querySelector('a.photo[data-id]')?.dataset.id === '{photo['id']}'")


def open_first(page):
    first_photo(page).click()
    wait_for_preview(page)


def press_crop(page):
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_text("Saved in Cropped").wait_for()


def names_in(library, album):
    return [photo["name"] for photo in library.members(album)]
