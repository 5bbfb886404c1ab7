"""The user's actions in the library: opening a photo of an album, saving a crop of it."""

from editor import wait_for_preview, wait_until


def first_photo(page):
    page.locator("a.photo[data-id] img").first.wait_for()
    return page.locator("a.photo[data-id]").first


def wait_for_first(page, photo):
    """Waits until the first photo of the list is this one, so the requested album is shown."""
    wait_until(page, f"document.querySelector('a.photo[data-id]')?.dataset.id === '{photo['id']}'")


def open_first(page):
    first_photo(page).click()
    wait_for_preview(page)


def adjust_first(page):
    """Opens the first crop of an album, which is shown as it is, and then its photo with the crop frame."""
    first_photo(page).click()
    page.get_by_role("button", name="Adjust", exact=True).click()
    wait_for_preview(page)


def press_crop(page):
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_text("Saved in Cropped").wait_for()


def names_in(library, album):
    return [photo["name"] for photo in library.members(album)]
