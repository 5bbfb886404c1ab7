"""The element in other pages: its position, its properties, its events."""

import pytest
from editor import Fingers, frames, rect, settle, wait_until
from pictures import coordinates, png

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Somebody's page</title>
<style>body {{ margin: 0; block-size: 3000px; }} crop-view {{ block-size: 600px; }}</style>
<script type="module" src="docs/package/crop-view.js"></script>
<body>{body}</body></html>"""


@pytest.fixture
def somebodys_page(open_page):
    """Opens a page other than CropKit's, with the element in it."""

    def somebodys_page(body, viewport="desk", size=(600, 300)):
        page = open_page(viewport)
        page.route("**/somebody.html", lambda route: route.fulfill(
            body=PAGE.format(body=body), content_type="text/html"))
        page.route("**/photo.png", lambda route: route.fulfill(
            body=png(coordinates(*size)), content_type="image/png"))
        page.goto(page.url.split("#")[0] + "somebody.html")
        return page

    return somebodys_page


def shown(page, which="crop-view"):
    wait_until(page, f"""((view) => view?.complete && view.pictureSize
      && view.accessible.nodes.get(0)?.getBoundingClientRect().width > 0)
      (document.querySelector('{which}'))""")
    frames(page)


def test_attributes_can_be_set_changed_and_removed(somebodys_page):
    page = somebodys_page(
        '<crop-view src="photo.png" crop-style="viewfinder" cover="fit" aspect-ratio="2:1" '
        'shape="rounded:24" min-size="100x50" max-size="300x150"></crop-view>')
    shown(page)
    found = page.evaluate("document.querySelector('crop-view').recipe")
    assert found["shape"] == {"roundedRectangle": 24}
    assert (found["rect"]["width"], found["rect"]["height"]) == (300, 150)
    assert not page.evaluate("document.querySelector('crop-view').canUndo")
    assert not page.evaluate("document.querySelector('crop-view').canReset")
    change = "([name, value]) => { const view = document.querySelector('crop-view');" \
             " value === null ? view.removeAttribute(name) : view.setAttribute(name, value); }"
    for name, value, field, wanted in [
        ("crop-style", "marquee", "style", 0), ("crop-style", None, "style", 2),
        ("cover", None, "cover", 0), ("cover", "fit", "cover", 1),
        ("aspect-ratio", "square", "ratioKind", 2), ("aspect-ratio", "original", "ratioKind", 1),
        ("aspect-ratio", None, "ratioKind", 0),
        ("shape", "ellipse", "shape", 1), ("shape", None, "shape", 0),
    ]:
        page.evaluate(change, [name, value])
        assert page.evaluate(f"document.querySelector('crop-view').state.{field}") == wanted, (name, value)
    page.evaluate(change, ["max-size", None])
    page.evaluate("document.querySelector('crop-view').command('selectAll')")
    assert rect(page) == (0, 0, 600, 300)
    page.evaluate(change, ["max-size", "120x120"])
    assert rect(page)[2:] == (120, 120)
    page.evaluate(change, ["max-size", None])
    page.evaluate(change, ["min-size", "500x250"])
    assert rect(page)[2] >= 500 and rect(page)[3] >= 250


def test_src_is_set_before_and_after_insertion_and_removed(somebodys_page):
    page = somebodys_page("")
    page.evaluate("""async () => {
      const view = document.createElement('crop-view');
      view.src_ = [];
      for (const type of ['load', 'error', 'input']) {
        view.addEventListener(type, () => view.src_.push(type));
      }
      view.setAttribute('src', 'photo.png');
      // By then it could have asked for the picture.
      await fetch('photo.png');
      document.body.append(view);
    }""")
    shown(page)
    assert rect(page) == (0, 0, 600, 300)
    assert page.evaluate("document.querySelector('crop-view').src_.includes('load')")
    page.evaluate("document.querySelector('crop-view').removeAttribute('src')")
    assert page.evaluate("document.querySelector('crop-view').recipe") is None
    assert page.evaluate("document.querySelector('crop-view').valid") is False
    page.evaluate("document.querySelector('crop-view').setAttribute('src', 'photo.png')")
    shown(page)
    assert rect(page) == (0, 0, 600, 300)


@pytest.mark.parametrize("wrap, show", [
    ('<div id="box" style="display: none">{}</div>', "box.style.display = 'block'"),
    ('<details id="box"><summary>More</summary>{}</details>', "box.open = true"),
    ('<dialog id="box" style="inline-size: 500px">{}</dialog>', "box.showModal()"),
])
def test_it_has_the_right_size_after_being_hidden(somebodys_page, wrap, show):
    page = somebodys_page(wrap.format('<crop-view src="photo.png"></crop-view>'))
    wait_until(page, "document.querySelector('crop-view').recipe !== null || "
                     "document.querySelector('crop-view').picture !== null")
    frames(page)
    page.evaluate(f"() => {{ const box = document.getElementById('box'); {show}; }}")
    shown(page)
    assert rect(page) == (0, 0, 600, 300)
    left, top, width, height, wide, high = page.evaluate("""() => {
      const view = document.querySelector('crop-view');
      const box = view.getBoundingClientRect();
      const photo = view.accessible.nodes.get(0).getBoundingClientRect();
      return [photo.left - box.left, photo.top - box.top, photo.width, photo.height,
        box.width, box.height];
    }""")
    assert width / height == pytest.approx(2, abs=0.02)
    assert left == pytest.approx(14, abs=1) or top == pytest.approx(14, abs=1)
    assert left + width / 2 == pytest.approx(wide / 2, abs=1)
    assert top + height / 2 == pytest.approx(high / 2, abs=1)


def test_several_elements_are_independent(somebodys_page):
    page = somebodys_page('<crop-view id="one" src="photo.png"></crop-view>'
                          '<crop-view id="two" src="photo.png" aspect-ratio="square"></crop-view>')
    shown(page, "#one")
    shown(page, "#two")
    page.evaluate("document.querySelector('#one').turn(1)")
    assert rect(page, "#one") == (0, 0, 300, 600)
    assert rect(page, "#two") == (150, 0, 300, 300)


def test_it_can_be_moved_during_a_gesture(somebodys_page):
    page = somebodys_page('<div id="here"><crop-view src="photo.png" crop-style="marquee"></crop-view></div>'
                          '<div id="there"></div>')
    shown(page)
    page.evaluate("""() => {
      window.heard = [];
      const view = document.querySelector('crop-view');
      for (const type of ['gesturestart', 'gestureend']) view.addEventListener(type, () => heard.push(type));
    }""")
    page.mouse.move(300, 200)
    page.mouse.down()
    page.mouse.move(500, 350, steps=4)
    page.evaluate("document.querySelector('#there').append(document.querySelector('crop-view'))")
    page.mouse.up()
    settle(page)
    shown(page)
    assert rect(page) is None
    assert page.evaluate("heard") == ["gesturestart", "gestureend"]
    page.mouse.move(300, 200)
    page.mouse.down()
    page.mouse.move(500, 350, steps=4)
    page.mouse.up()
    assert rect(page) is not None


def test_events_report_each_change_and_the_last_one_before_the_end(somebodys_page):
    page = somebodys_page('<crop-view src="photo.png" crop-style="marquee"></crop-view>')
    shown(page)
    page.evaluate("""() => {
      window.heard = [];
      const view = document.querySelector('crop-view');
      for (const type of ['gesturestart', 'gestureend']) view.addEventListener(type, () => heard.push(type));
      for (const type of ['input', 'change']) {
        view.addEventListener(type, () => heard.push([type, view.recipe]));
      }
    }""")
    page.mouse.move(300, 200)
    page.mouse.down()
    page.mouse.move(700, 400, steps=20)
    page.mouse.up()
    heard = page.evaluate("heard")
    assert heard[0] == "gesturestart" and heard[-1] == "gestureend"
    assert len(heard) >= 4
    last = page.evaluate("document.querySelector('crop-view').recipe")
    assert heard[-3:-1] == [["input", last], ["change", last]]
    assert [one[0] for one in heard[1:-2]] == ["input"] * (len(heard) - 3)
    page.evaluate("document.querySelector('crop-view').command('clear')")
    assert page.evaluate("heard.slice(-2)") == [["input", None], ["change", None]]


def test_a_recipe_is_returned_as_set_also_before_an_image_is_loaded(somebodys_page):
    page = somebodys_page('<crop-view></crop-view>')
    wanted = {"version": 1, "rect": {"x": 10, "y": 20, "width": 200, "height": 100},
              "quarterTurns": 0, "mirrored": True, "tilt": 0, "shape": "ellipse",
              "output": {"maxSide": 80}}
    page.evaluate("""(recipe) => {
      const view = document.querySelector('crop-view');
      view.setAttribute('src', 'photo.png');
      view.recipe = recipe;
    }""", wanted)
    shown(page)
    assert page.evaluate("document.querySelector('crop-view').recipe") == wanted
    sizes = page.evaluate("""async () => {
      const view = document.querySelector('crop-view');
      const size = async (options) => {
        const blob = await view.croppedBlob(options);
        const {width, height} = await createImageBitmap(blob);
        return [blob.type, width, height];
      };
      return [await size({}), await size({maxSide: 40, type: 'image/webp', quality: 0.5}),
        await size({lossless: true, type: 'image/jpeg'})];
    }""")
    assert sizes == [["image/png", 80, 40], ["image/webp", 40, 20], ["image/png", 80, 40]]
    said = page.evaluate("""() => {
      const view = document.querySelector('crop-view');
      const before = JSON.stringify(view.recipe);
      try {
        view.recipe = {rect: {x: 500, y: 0, width: 200, height: 100}};
      } catch (error) {
        return [error.name, before === JSON.stringify(view.recipe)];
      }
    }""")
    assert said == ["RangeError", True]


def test_an_invalid_recipe_is_rejected_with_a_picture_and_without(somebodys_page):
    page = somebodys_page('<crop-view src="photo.png"></crop-view><crop-view id="empty"></crop-view>')
    shown(page)
    bad = [5, "x", [1], {"bogus": 1}, {"version": 3}, {"shape": "star"}, {"mirrored": "no"},
           {"rect": {"x": 0, "y": 0, "width": 0, "height": 0}}, {"rect": {"x": 0, "y": 0, "width": 10}},
           {"rect": {"x": 0, "y": 0, "width": 10, "height": 10, "depth": 1}}, {"quarterTurns": 0.5},
           {"tilt": "3"}, {"shape": {"roundedRectangle": "24"}}, {"output": {"maxSide": 9, "width": 9}}]
    refused = page.evaluate("""(bad) => [...document.querySelectorAll('crop-view')].map((view) => {
      const before = JSON.stringify(view.recipe);
      return bad.filter((recipe) => {
        try {
          view.recipe = recipe;
        } catch (error) {
          return error.name === 'RangeError' && JSON.stringify(view.recipe) === before;
        }
      });
    })""", bad)
    assert refused == [bad, bad]
    said = page.evaluate("""() => {
      try {
        document.querySelector('crop-view').recipe = {bogus: 1};
      } catch (error) {
        return error.message;
      }
    }""")
    assert '"bogus" is not known; expected one of version, rect' in said
    page.evaluate("document.querySelector('crop-view').recipe = {rect: null, shape: null, tilt: 2}")
    found = page.evaluate("document.querySelector('crop-view').recipe")
    assert (found["tilt"], found["shape"]) == (2, "rectangle")


def test_a_ratio_may_have_decimals(somebodys_page):
    page = somebodys_page('<crop-view src="photo.png" aspect-ratio="2.35:1"></crop-view>')
    shown(page)
    # The closest to 47:20 in 600 pixels.
    _, _, width, height = rect(page)
    assert width * 20 == height * 47 and width > 550


def test_an_image_that_can_not_be_shown_removes_the_previous_one(somebodys_page):
    page = somebodys_page('<crop-view src="photo.png"></crop-view>')
    whole = png(coordinates(600, 300))
    # One has a header but no pixels, the other one is not an image.
    page.route("**/cut.png", lambda route: route.fulfill(body=whole[:60], content_type="image/png"))
    page.route("**/none.png", lambda route: route.fulfill(body=b"none", content_type="image/png"))
    for name in ("cut.png", "none.png"):
        shown(page)
        said = page.evaluate("""async (name) => {
          const view = document.querySelector('crop-view');
          const failed = new Promise((done) => view.addEventListener('error', () => done(
            [view.valid, view.recipe, view.pictureSize]), {once: true}));
          view.setAttribute('src', name);
          return failed;
        }""", name)
        assert said == [False, None, None], name
        page.evaluate("document.querySelector('crop-view').setAttribute('src', 'photo.png')")


def test_the_next_image_starts_with_defaults(somebodys_page):
    page = somebodys_page('<crop-view src="photo.png"></crop-view>')
    shown(page)
    page.evaluate("""async () => {
      const view = document.querySelector('crop-view');
      view.command('ratio', 1, 1);
      view.command('shape', 1);
      view.command('longestSide', 100);
      view.turn(1);
      await view.load('photo.png');
    }""")
    assert page.evaluate("document.querySelector('crop-view').recipe") == {
        "version": 1, "rect": {"x": 0, "y": 0, "width": 600, "height": 300}, "quarterTurns": 0,
        "mirrored": False, "tilt": 0, "shape": "rectangle", "output": None}
    assert page.evaluate("document.querySelector('crop-view').state.ratioKind") == 0


# Input that is not for the element


def test_a_finger_next_to_the_image_scrolls_the_page(somebodys_page):
    page = somebodys_page('<crop-view src="photo.png" crop-style="marquee"></crop-view>', "phone")
    shown(page)
    fingers = Fingers(page)
    # The image is in the middle of 600 points of height.
    fingers.drag((200, 80), (200, 20), steps=12)
    wait_until(page, "scrollY > 10")
    assert rect(page) is None
    page.evaluate("scrollTo(0, 0)")
    wait_until(page, "scrollY === 0")
    fingers.drag((150, 300), (250, 240), steps=12)
    assert page.evaluate("scrollY") == 0
    assert rect(page) is not None
    # In the other styles, every finger pans.
    page.evaluate("document.querySelector('crop-view').setAttribute('crop-style', 'studio')")
    settle(page)
    fingers.drag((200, 80), (200, 20), steps=12)
    assert page.evaluate("scrollY") == 0


def test_with_wheel_zoom_the_wheel_never_scrolls_the_page(somebodys_page):
    page = somebodys_page('<crop-view src="photo.png" wheel="zoom"></crop-view>')
    shown(page)
    page.mouse.move(600, 300)
    page.mouse.wheel(0, -100)
    wait_until(page, "document.querySelector('crop-view').state.zoom > 1.1")
    page.evaluate("""() => {
      globalThis.kept = [];
      addEventListener('wheel', (event) => kept.push([event.deltaY, event.defaultPrevented]));
    }""")
    page.mouse.wheel(0, 300)
    wait_until(page, "kept.length === 1")
    settle(page)
    assert page.evaluate("scrollY") == 0
    # When fitted, it can't zoom out, and the page still does not scroll.
    page.evaluate("kept.length = 0")
    page.mouse.wheel(0, 200)
    page.mouse.wheel(0, -100)
    wait_until(page, "kept.length === 2")
    assert page.evaluate("kept") == [[200, True], [-100, True]]
    assert page.evaluate("scrollY") == 0
    # When the attribute is reset, both directions scroll the page.
    page.evaluate("kept.length = 0; document.querySelector('crop-view').wheel = 'page'")
    page.mouse.wheel(0, 200)
    page.mouse.wheel(0, -100)
    wait_until(page, "kept.length === 2")
    assert page.evaluate("kept") == [[200, False], [-100, False]]
