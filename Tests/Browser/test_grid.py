"""The grid of photos: a hundred thousand, by wheel and keyboard, and the requests that it makes."""

import pytest
from editor import frames, wait_for, wait_until
from fake_library import FakeLibrary

MANY = 100_000


@pytest.fixture(scope="module")
def many():
    library = FakeLibrary(MANY, spacing_hours=1)
    library.retry = 60_000
    return library


@pytest.fixture
def grid(open_page, many):
    many.requests.clear()
    page = open_page(library=many)
    page.locator("a.photo[data-id] img").first.wait_for()
    return page


def scroll_to(page, share):
    page.evaluate(
        "(share) => { const s = document.querySelector('.scroller'); s.scrollTop = share * s.scrollHeight; }",
        share,
    )


def focused(page):
    return int(page.evaluate("document.activeElement.dataset.index ?? -1"))


@pytest.mark.thorough
def test_a_hundred_thousand_photos_scroll_with_few_nodes(grid, many):
    assert grid.locator(".scroller").evaluate("(s) => s.scrollHeight") > 1_000_000
    for share in (0.001, 0.01, 0.2, 0.5, 1):
        scroll_to(grid, share)
        frames(grid)
        assert grid.locator("a.photo").count() < 200
    # The end is the oldest photo, once the list is loaded that far.
    last = many.ordered[-1]["id"]
    grid.locator(f"[data-id={last}] img").wait_for()
    lists = [query for _, path, query in many.requests if path.endswith("/photos")]
    assert len(lists) <= MANY / 1000 + 3


@pytest.mark.thorough
def test_scrolling_by_wheel_draws_frames_and_keeps_few_nodes(grid):
    """Scrolls through about forty screens."""
    grid.evaluate("""() => {
      window.frames = 0;
      window.most = 0;
      const tick = () => {
        window.frames += 1;
        window.most = Math.max(window.most, document.querySelectorAll('a.photo').length);
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }""")
    grid.mouse.move(700, 400)
    for _ in range(60):
        grid.mouse.wheel(0, 500)
        grid.evaluate("() => new Promise((done) => requestAnimationFrame(done))")
    assert grid.evaluate("window.frames") > 55
    assert 20 < grid.evaluate("window.most") < 200


@pytest.mark.thorough
def test_thumbnails_out_of_view_are_not_requested(open_page):
    library = FakeLibrary(3000, spacing_hours=1)
    held = []

    def hold(route):
        # The albums' covers have no version.
        if "/thumbnail" in route.request.url and "v=" in route.request.url:
            held.append(route)
        else:
            library.route(route)

    page = open_page(library=library)
    address = page.url
    # Pending requests of the first visit don't count.
    page.goto("about:blank")
    page.unroute_all()
    page.route("**/api/**", hold)
    failed = []
    page.goto(address)
    wait_until(page, "document.querySelectorAll('a.photo[data-id]').length > 20")
    wait_for(page, lambda: len(held) >= 4)
    frames(page)
    # A few at a time, the visible ones first.
    assert len(held) == 4
    first = [route.request.url for route in held]
    page.on("requestfailed", lambda request: failed.append(request.url))
    scroll_to(page, 0.6)
    wait_for(page, lambda: set(first) <= set(failed) and len(held) > len(first))
    now = [route.request.url for route in held[len(first):]]
    assert now and not set(now) & set(first)


@pytest.mark.thorough
def test_arrows_pages_home_and_end_move_through_the_grid(grid):
    grid.locator("a.photo").first.focus()
    columns = int(grid.locator(".photo-grid").get_attribute("aria-colcount"))
    grid.keyboard.press("ArrowRight")
    assert focused(grid) == 1
    grid.keyboard.press("ArrowDown")
    assert focused(grid) == 1 + columns
    grid.keyboard.press("End")
    assert focused(grid) == 2 * columns - 1
    grid.keyboard.press("Home")
    assert focused(grid) == columns
    grid.keyboard.press("ArrowUp")
    assert focused(grid) == 0
    for _ in range(4):
        grid.keyboard.press("PageDown")
    at = focused(grid)
    assert at >= 4 * columns
    assert grid.evaluate("document.activeElement.getBoundingClientRect().bottom <= innerHeight")
    grid.keyboard.press("PageUp")
    assert focused(grid) < at
    grid.keyboard.press("Control+End")
    assert focused(grid) == MANY - 1
    grid.keyboard.press("Control+Home")
    assert focused(grid) == 0
    # One Tab stop, however many photos there are.
    assert grid.locator("a.photo[tabindex='0']").count() == 1
    grid.keyboard.press("ArrowRight")
    grid.keyboard.press("Enter")
    wait_until(grid, "location.hash.startsWith('#/photos/')")


@pytest.mark.thorough
def test_going_back_from_a_photo_restores_the_position(grid):
    scroll_to(grid, 0.01)
    wait_until(grid, """[...document.querySelectorAll('a.photo[data-id]')].some((a) => {
      const box = a.getBoundingClientRect(); return box.top > 200 && box.bottom < 700;
    })""")
    before = grid.locator(".scroller").evaluate("(s) => s.scrollTop")
    photo = grid.evaluate("""() => [...document.querySelectorAll('a.photo')].find((a) => {
      const box = a.getBoundingClientRect(); return box.top > 200 && box.bottom < 700;
    }).dataset.id""")
    grid.locator(f"[data-id={photo}]").click()
    wait_until(grid, "document.querySelector('crop-view').state")
    grid.go_back()
    grid.locator(f"[data-id={photo}]").wait_for()
    assert abs(grid.locator(".scroller").evaluate("(s) => s.scrollTop") - before) < 2
    assert grid.evaluate("document.activeElement.dataset.id") == photo


def test_the_first_page_shows_before_the_rest_is_loaded(open_page, many):
    held = []

    def first_alone(route):
        held.append(route) if "after=" in route.request.url else many.route(route)

    page = open_page(library=many)
    page.unroute_all()
    page.route("**/api/**", first_alone)
    page.reload()
    page.locator("a.photo[data-id]").first.wait_for()
    wait_until(page, "document.querySelectorAll('a.photo[data-id]').length > 20")
    for route in held:
        many.route(route)
