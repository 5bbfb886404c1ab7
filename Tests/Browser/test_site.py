"""The element's documentation: every example does what its page says, and every page is complete."""

import json
import re
import shutil

import packed
import pytest
from axe_playwright_python.sync_playwright import Axe
from editor import wait_until
from hosted import SITE

pytestmark = pytest.mark.thorough
EXAMPLES = packed.ROOT / "Examples/web"
WEB = sorted((packed.ROOT / "docs/web").glob("*.md"))
#: Pages with everything that the style sheet knows: lists, code, images, examples, tables, drawings.
LOOKS = ["index.html", "guide/lossless.html", "guide/web-app.html", "web/api.html", "web/recipes.html"]
#: Files that pages show as they are.
COPIED = re.compile(r"^<!-- generated: file .*?^<!-- end -->$", re.DOTALL | re.MULTILINE)
VIEW = "document.querySelector('crop-view')"
READY = f"{VIEW}.complete && {VIEW}.valid"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server of the built site; of a copy, since other steps build it again meanwhile."""
    assert SITE.is_dir(), "the site isn't built; run Scripts/site.sh"
    with packed.serving(shutil.copytree(SITE, tmp_path_factory.mktemp("site") / "site")) as server:
        yield server


@pytest.fixture
def show(new_page, site):
    """Opens a page; any error or warning in its console and any missing file fails the test."""
    missing = []

    def show(path, **options):
        page = new_page(accept_downloads=True, **options)
        page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
        page.goto(f"{site.address}/docs/{path}")
        return page

    yield show
    assert not missing, missing


@pytest.fixture
def example(show):
    def example(name, ready=READY, **options):
        page = show(f"examples/{name}.html", **options)
        wait_until(page, ready)
        return page

    return example


def text(page, selector):
    return page.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")


def said(page):
    wait_until(page, "document.querySelector('output').value !== ''")
    return page.evaluate("document.querySelector('output').value")


def test_plain_crops_and_shows_the_result(example):
    page = example("plain")
    page.get_by_role("button", name="Crop").click()
    assert re.fullmatch(r"\d+ KB, (lossless|re-encoded)", said(page))
    wait_until(page, "document.querySelector('img').naturalWidth > 0")
    assert page.evaluate("({naturalWidth, naturalHeight} = document.querySelector('img'), naturalWidth / naturalHeight)") \
        == pytest.approx(16 / 9, abs=0.01)


def test_controls_do_what_their_labels_say(example):
    page = example("controls")
    before = page.evaluate(f"{VIEW}.recipe")
    page.get_by_role("button", name="Rotate").click()
    page.get_by_role("button", name="Flip").click()
    assert page.evaluate(f"{VIEW}.recipe.mirrored")
    page.get_by_label("Ratio").select_option("square")
    wait_until(page, f"{VIEW}.recipe.rect.width === {VIEW}.recipe.rect.height")
    page.get_by_label("Tilt").fill("10")
    assert page.evaluate(f"{VIEW}.tilt") == 10
    wait_until(page, "!document.querySelector('#reset').disabled")
    page.get_by_role("button", name="Reset").click()
    wait_until(page, f"{VIEW}.recipe.quarterTurns === 0 && {VIEW}.tilt === 0")
    assert not page.evaluate(f"{VIEW}.recipe.mirrored") and before["tilt"] == 0
    wait_until(page, "document.querySelector('#size').value.includes('pixels')")


def test_recipe_is_shown_as_json_and_taken(example):
    page = example("recipe")
    page.get_by_role("button", name="Show a part").click()
    wait_until(page, "document.querySelector('#recipe').textContent.includes('480')")
    assert json.loads(text(page, "#recipe"))["rect"] == {"x": 320, "y": 160, "width": 480, "height": 320}
    page.get_by_role("button", name="Show it rotated").click()
    wait_until(page, f"{VIEW}.recipe.quarterTurns === 1")
    assert json.loads(text(page, "#recipe"))["rect"]["height"] == 600


def test_servers_shows_the_parameters_of_each_or_the_error(example):
    page = example("servers")
    page.evaluate(f"{VIEW}.recipe = {{rect: {{x: 10, y: 20, width: 300, height: 200}}}}")
    for name, wanted in (("imgproxy", "auto_rotate:1/crop:300:200:nowe:10:20"), ("thumbor", "10x20:310x220")):
        page.get_by_label("Write it for").select_option(name)
        assert text(page, "#text") == wanted
    page.evaluate(f"{VIEW}.tilt = 5")
    wait_until(page, "document.querySelector('#text').textContent === \"thumbor can't tilt\"")


def test_upload_sends_the_file_and_shows_its_progress(example, site):
    page = example("upload", ready=f"Boolean({VIEW}.complete)")
    assert page.get_by_text("Choose a photo.").is_visible()
    page.locator("input[type=file]").set_input_files(EXAMPLES / "photos/still-life.jpg")
    wait_until(page, READY)
    page.get_by_role("button", name="Send").click()
    assert said(page) == "Sent."
    assert page.evaluate("document.querySelector('progress').value") == 1
    [(name, _, kind, content)] = site.sent[-1]
    assert (name, kind, content[:2]) == ("photo", "image/jpeg", b"\xff\xd8")


def test_avatar_is_small_and_square(example):
    page = example("avatar")
    wait_until(page, "!document.querySelector('crop-preview').shadowRoot.querySelector('.result').hidden")
    page.get_by_role("button", name="Use it").click()
    assert int(said(page).split()[0]) <= 20_000
    wait_until(page, "document.querySelector('img').naturalWidth === 256")
    assert page.evaluate("document.querySelector('img').naturalHeight") == 256


def test_card_shows_the_crop_with_css_only(example):
    page = example("card")
    page.evaluate(f"{VIEW}.recipe = {{rect: {{x: 100, y: 50, width: 900, height: 600}}}}")
    wait_until(page, "getComputedStyle(document.querySelector('.crop > img')).transform.includes('-100')")
    box = page.evaluate("""() => {
      const { width, height } = document.querySelector('.crop').getBoundingClientRect();
      return [width, height];
    }""")
    assert box == [900, 600]
    assert page.evaluate("JSON.parse(localStorage.getItem('card')).rect.width") == 900


def test_no_server_saves_the_opened_photo(example):
    page = example("no-server", ready=f"Boolean({VIEW}.complete)")
    page.locator("input[type=file]").set_input_files(EXAMPLES / "photos/lake-at-dusk.jpg")
    wait_until(page, READY + " && !document.querySelector('#save').disabled")
    with page.expect_download() as found:
        page.get_by_role("button", name="Save the crop").click()
    assert found.value.suggested_filename == "lake-at-dusk-cropped.jpg"


def test_csp_works_under_its_policy(example):
    page = example("csp")
    page.get_by_role("button", name="Crop").click()
    assert said(page).split()[1].startswith("bytes")


def test_cropperjs_has_an_answer_to_each_call(example):
    page = example("cropperjs")
    page.get_by_role("button", name="rotate(90)").click()
    wait_until(page, f"{VIEW}.recipe.quarterTurns === 1")
    page.get_by_role("button", name="getData()").click()
    assert json.loads(said(page)) == page.evaluate(f"{VIEW}.recipe.rect")
    page.get_by_role("button", name="getCroppedCanvas()").click()
    wait_until(page, "document.querySelector('output').value.includes('×')")
    assert max(map(int, said(page).split(" × "))) == 800
    wait_until(page, "Math.max(document.querySelector('.preview canvas').width, "
                     "document.querySelector('.preview canvas').height) === 160")
    page.get_by_role("button", name="setData(…)").click()
    assert page.evaluate(f"{VIEW}.recipe.rect") == {"x": 100, "y": 50, "width": 480, "height": 270}
    page.get_by_role("button", name="320 × 180").click()
    wait_until(page, "document.querySelector('output').value === '320 × 180'")
    page.get_by_role("button", name="setAspectRatio(1)").click()
    wait_until(page, f"{VIEW}.recipe.rect.width === {VIEW}.recipe.rect.height")
    page.get_by_role("button", name="zoomTo(2)").click()
    wait_until(page, f"Math.abs({VIEW}.state.zoom - 2) < 0.01")


@pytest.mark.parametrize("rotate", [0, 90, 180, 270, -90])
@pytest.mark.parametrize("scale", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_data_of_cropperjs_shows_the_same_pixels(example, rotate, scale):
    """As cropperjs draws them: the image is scaled, then rotated, then cropped."""
    page = example("cropperjs")
    differences = page.evaluate("""async ([rotate, scaleX, scaleY]) => {
      const { recipeOf } = await import('./cropperjs.js');
      const view = document.querySelector('crop-view');
      const image = new Image();
      image.src = view.src;
      await image.decode();
      const { naturalWidth, naturalHeight } = image;
      const isTurned = rotate % 180 !== 0;
      const canvas = document.createElement('canvas');
      canvas.width = isTurned ? naturalHeight : naturalWidth;
      canvas.height = isTurned ? naturalWidth : naturalHeight;
      const context = canvas.getContext('2d');
      context.translate(canvas.width / 2, canvas.height / 2);
      context.rotate(rotate * Math.PI / 180);
      context.scale(scaleX, scaleY);
      context.drawImage(image, -naturalWidth / 2, -naturalHeight / 2);
      const data = { x: 40, y: 30, width: 200, height: 150, rotate, scaleX, scaleY };
      const wanted = context.getImageData(data.x, data.y, data.width, data.height).data;
      view.aspectRatio = 'free';
      view.recipe = recipeOf(data);
      const made = (await view.croppedCanvas()).getContext('2d').getImageData(0, 0, data.width, data.height).data;
      return made.reduce((sum, value, at) => sum + Math.abs(value - wanted[at]), 0) / made.length;
    }""", [rotate, *scale])
    assert differences < 1


def test_react_easy_crop_reports_a_finished_crop(example):
    page = example("react-easy-crop")
    page.evaluate(f"{VIEW}.zoomBy(2)")
    assert said(page).startswith("onCropComplete: {")
    rect = page.evaluate(f"{VIEW}.recipe.rect")
    assert rect["width"] / rect["height"] == pytest.approx(4 / 3, abs=0.01)
    page.get_by_label("Zoom").fill("3")
    wait_until(page, f"Math.abs({VIEW}.state.zoom - 3) < 0.01")
    page.evaluate(f"{VIEW}.reset()")
    wait_until(page, f"Math.abs(document.querySelector('input').valueAsNumber - {VIEW}.state.zoom) < 0.01")


def test_every_example_is_tried_here_or_by_its_framework():
    names = {path.stem for path in EXAMPLES.glob("*.js")}
    tried = set(re.findall(r'example\("([\w-]+)"', open(__file__).read()))
    assert names - tried == {"react", "vue"}
    shown = {name for page in WEB for name in
             re.findall(r"<!-- generated: file Examples/web/([\w-]+)\.js", page.read_text())}
    assert names <= shown


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_complete(show, scheme, keep):
    """Takes long: every page is opened, its links are followed, and it is checked for accessibility."""
    pages = sorted(str(path.relative_to(SITE / "docs")) for path in (SITE / "docs").rglob("*.html")
                   if path.parent.name != "examples")
    assert len(pages) > 60
    # All pages have the same style sheet.
    pages = pages if scheme == "light" else LOOKS
    known = {}
    for name in pages:
        page = show(name, color_scheme=scheme, bypass_csp=True)
        if page.locator("iframe").count():
            page.locator("iframe").first.content_frame.locator("crop-view").first.wait_for()
        links = page.evaluate("""() => [...document.querySelectorAll('a[href], link[href]')].map(({ href }) => href)
          .filter((href) => href.startsWith(location.origin))""")
        for link in links:
            path, _, anchor = link.partition("#")
            if path not in known:
                answer = page.request.get(path)
                assert answer.ok, (name, link)
                known[path] = set(re.findall(r'id="([^"]+)"', answer.text())) if path.endswith(".html") else set()
            assert not anchor or anchor in known[path], (name, link)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found = Axe().run(page).response["violations"]
        assert found == [], [(name, one["id"], [node["html"] for node in one["nodes"]]) for one in found]
        if name in LOOKS:
            keep(page, f"site-{name.replace('/', '-').removesuffix('.html')}-{scheme}")
        page.set_viewport_size({"width": 340, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        page.context.close()


def test_every_documented_call_of_the_migration_guides_exists(show):
    """The names with `view.` in the guides' tables exist on the element."""
    page = show("examples/plain.html")
    names = {name for one in WEB for name in re.findall(r"(?<!-)\bview\.(\w+)", COPIED.sub("", one.read_text()))}
    assert names
    wait_until(page, READY)
    assert page.evaluate(f"(names) => names.filter((name) => !(name in {VIEW}))", sorted(names)) == []


def test_the_server_shows_it_at_docs(open_page, server):
    """With the server's policy."""
    page = open_page()
    address = server.rstrip("/")
    answer = page.request.get(f"{address}/docs")
    assert answer.url == f"{address}/docs/"
    page.goto(f"{address}/docs/")
    assert page.locator("h1").is_visible()
    for name in ("web/api.html", "web/recipes.html"):
        page.goto(f"{address}/docs/{name}")
        assert page.locator("h1").is_visible()
        view = page.frame_locator("iframe").locator("crop-view")
        view.wait_for()
        view.evaluate("(view) => view.decode()")
