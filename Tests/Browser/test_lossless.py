"""JPEGs cropped by the page without a server, and what it shows about them beforehand."""

import base64
import io
import json
import struct
import subprocess

import numpy
import pytest
from conftest import BIN
from editor import crop as crop_and_save, open_photo, settle, wait_for, wait_until
from PIL import Image
from pictures import png
from unserved import HIDDEN, Files, camera_jpeg

SHOW = """async (data) => {
  const view = document.querySelector('crop-view');
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  await view.load(new Blob([bytes], { type: 'image/jpeg' }));
}"""

CROP = """async ([recipe, mode, options]) => {
  const view = document.querySelector('crop-view');
  view.setAttribute('lossless', mode);
  view.recipe = recipe;
  const { writing } = view;
  let size = null, blocks = null;
  for (const item of view.core.scene()) {
    if (item.kind === 'label') size = [item.size.width, item.size.height];
    if (item.kind === 'blocks') {
      const { rect, first, stepX, stepY } = item;
      blocks = [rect.x, rect.y, rect.width, rect.height, first.x, first.y, stepX, stepY];
    }
  }
  const { blob, isLossless } = await view.cropped(options ?? {});
  const url = await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });
  return { writing, size, blocks, isLossless, type: blob.type, data: url.split(',')[1] };
}"""


def noise(width, height, seed=1):
    """Smooth colors with some noise."""
    x, y = numpy.meshgrid(numpy.linspace(0, 200, width), numpy.linspace(0, 200, height))
    some = numpy.random.default_rng(seed).integers(0, 55, (height, width, 3))
    return (numpy.stack([x, y, 200 - x], axis=-1) + some).astype(numpy.uint8)


@pytest.fixture
def element(open_page, unserved):
    """A user's page with the element, and only a file server."""
    page = open_page()
    page.goto(f"{unserved}/element.html")
    wait_until(page, "customElements.get('crop-view') !== undefined")
    return page


def show(page, data):
    page.evaluate(SHOW, base64.b64encode(data).decode())
    settle(page)


def crop(page, recipe, mode="exact", options=None):
    answer = page.evaluate(CROP, [recipe, mode, options])
    answer["bytes"] = base64.b64decode(answer.pop("data"))
    return answer


def by_program(folder, data, recipes, mode):
    """The program's result for the same crop, and whether it was lossless."""
    source = folder / "in.jpg"
    source.write_bytes(data)
    results = [folder / f"out-{index}.jpg" for index in range(len(recipes))]
    for result in results:
        result.unlink(missing_ok=True)
    lines = [json.dumps({"input": str(source), "output": str(result), "recipe": recipe})
             for result, recipe in zip(results, recipes)]
    done = subprocess.run(
        [BIN / "cropkit", "batch", "-", "--lossless", mode], input="\n".join(lines).encode(),
        capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [(result.read_bytes(), answer["lossless"]) for result, answer in zip(results, answers)]


def recipe_of(x, y, width, height, **more):
    return {"version": 1, "rect": {"x": x, "y": y, "width": width, "height": height}, **more}


RECIPES = [
    recipe_of(0, 0, 160, 240), recipe_of(16, 32, 160, 96), recipe_of(17, 32, 160, 96),
    recipe_of(32, 16, 96, 128, quarterTurns=1), recipe_of(48, 32, 128, 96, mirrored=True),
    recipe_of(5, 9, 64, 64, quarterTurns=3, mirrored=True), recipe_of(16, 16, 64, 64, tilt=3),
    recipe_of(32, 48, 149, 91), recipe_of(0, 0, 160, 160, shape="ellipse"), recipe_of(16, 16, 160, 80, output={"maxSide": 80}),
]


@pytest.mark.thorough
@pytest.mark.parametrize("orientation", [1, 2, 3, 6, 8])
def test_a_jpeg_is_cropped_without_a_server_like_by_the_program(element, tmp_path, orientation):
    data = camera_jpeg(noise(320, 240), orientation)
    show(element, data)
    kinds = set()
    for mode in ["exact", "snap", "strict", "outward", "never"]:
        made = by_program(tmp_path, data, RECIPES, mode)
        for recipe, (theirs, is_lossless) in zip(RECIPES, made):
            ours = crop(element, recipe, mode)
            kinds.add(is_lossless)
            assert ours["isLossless"] == is_lossless, (recipe, mode)
            assert ours["writing"] == ("lossless" if is_lossless else "encoded"), (recipe, mode)
            if is_lossless:
                assert ours["bytes"] == theirs, (recipe, mode)
            shown = Image.open(io.BytesIO(ours["bytes"]))
            turned = shown.getexif().get(0x0112, 1) >= 5
            assert list(shown.size[::-1] if turned else shown.size) == ours["size"], (recipe, mode)
    assert kinds == {True, False}


@pytest.mark.parametrize("lossless", [True, False])
def test_metadata_is_kept_and_the_thumbnail_gone(element, lossless):
    show(element, camera_jpeg(noise(320, 240), 6))
    recipe = recipe_of(16, 32, 160, 96) if lossless else recipe_of(17, 33, 160, 96)
    made = crop(element, recipe)
    assert made["isLossless"] == lossless
    assert HIDDEN not in made["bytes"]
    picture = Image.open(io.BytesIO(made["bytes"]))
    tags = picture.getexif()
    assert tags[0x010F] == "Acme Camera"
    assert tags.get(0x0112, 1) == (6 if lossless else 1)
    inner = tags.get_ifd(0x8769)
    assert (inner[0xA002], inner[0xA003]) == picture.size
    assert b"A hill" in made["bytes"] and b"a word" in made["bytes"]
    # Drawn pixels are sRGB: the old profile would be wrong, unless it is the browser's.
    profile = picture.info.get("icc_profile")
    assert lossless == (profile is not None and b"lcms" in profile[:128])


def test_an_uncropped_image_is_unchanged(element, tmp_path):
    data = camera_jpeg(noise(320, 240))
    show(element, data)
    whole = recipe_of(0, 0, 320, 240)
    [(theirs, _)] = by_program(tmp_path, data, [whole], "exact")
    assert crop(element, whole)["bytes"] == data == theirs
    assert HIDDEN not in crop(element, whole, options={"strip": "location"})["bytes"]


def test_metadata_to_remove_is_removed(element):
    show(element, camera_jpeg(noise(320, 240)))
    for recipe in [recipe_of(16, 32, 160, 96), recipe_of(17, 33, 160, 96)]:
        made = crop(element, recipe, options={"strip": "all"})
        assert b"Acme" not in made["bytes"] and b"A hill" not in made["bytes"]


def test_the_options_decide(element):
    show(element, camera_jpeg(noise(320, 240)))
    on, off = recipe_of(16, 32, 160, 96), recipe_of(17, 33, 160, 96)
    for recipe, options, type_, lossless in [
        (on, {}, "image/jpeg", True), (on, {"lossless": "never"}, "image/jpeg", False),
        (off, {}, "image/jpeg", False), (off, {"lossless": "snap"}, "image/jpeg", True),
        (on, {"lossless": True}, "image/jpeg", True), (off, {"lossless": True}, "image/png", False),
        (on, {"type": "image/webp"}, "image/webp", False), (on, {"maxSide": 50}, "image/jpeg", False),
        (on, {"maxSide": 500}, "image/jpeg", True),
    ]:
        made = crop(element, recipe, options=options)
        assert (made["type"], made["isLossless"]) == (type_, lossless), (recipe, options)
    small = crop(element, on, options={"maxSide": 50})
    assert Image.open(io.BytesIO(small["bytes"])).size == (50, 30)


def test_a_progressive_picture_is_encoded_and_reported_as_such(element):
    show(element, camera_jpeg(noise(320, 240), progressive=True))
    made = crop(element, recipe_of(16, 32, 160, 96))
    assert (made["writing"], made["isLossless"]) == ("encoded", False)
    assert Image.open(io.BytesIO(made["bytes"])).getexif()[0x010F] == "Acme Camera"


def test_the_grid_of_blocks_is_shown_where_edges_snap(element):
    show(element, camera_jpeg(noise(320, 240)))
    for mode, recipe, there in [
        ("exact", RECIPES[1], False), ("never", RECIPES[1], False), ("snap", RECIPES[1], True),
        ("outward", RECIPES[1], True),
        ("snap", recipe_of(16, 16, 64, 64, tilt=3), False),
    ]:
        blocks = crop(element, recipe, mode)["blocks"]
        assert (blocks is not None) == there, (mode, recipe)
    # The complete image is visible: first one line on each edge, then one with every block.
    element.evaluate("document.querySelector('crop-view').setAttribute('crop-style', 'marquee')")
    # 160 pixels from 17 on are ten blocks from 16 on, or the extent of eleven.
    for mode, count in [("snap", 10), ("outward", 11)]:
        left, top, width, height, x, y, across, down = crop(element, RECIPES[2], mode)["blocks"]
        assert (x, y) == pytest.approx((left, top)), mode
        assert width / across == pytest.approx(count) and height / down == pytest.approx(6), mode


@pytest.mark.thorough
def test_a_large_image_is_cropped_in_a_worker(element, unserved):
    grain = numpy.random.default_rng(1).integers(0, 255, (2240, 3200, 3), numpy.uint8)
    data = camera_jpeg(grain, quality=100, subsampling=0)
    assert len(data) > 20e6
    Files.others["/large.jpg"] = ("image/jpeg", data)
    page = element
    workers = []
    page.on("worker", lambda worker: workers.append(worker))
    page.evaluate("document.querySelector('crop-view').load('large.jpg')")
    settle(page)
    size, pixels = page.evaluate("""async (recipe) => {
      const view = document.querySelector('crop-view');
      view.recipe = recipe;
      const { blob, isLossless } = await view.cropped();
      const bitmap = await createImageBitmap(blob, 0, 0, 64, 64);
      const canvas = new OffscreenCanvas(64, 64);
      const ctx = canvas.getContext('2d');
      ctx.drawImage(bitmap, 0, 0);
      const { data } = ctx.getImageData(0, 0, 64, 64);
      return [isLossless && blob.size, [...data]];
    }""", recipe_of(80, 160, 3040, 2000))
    assert size > 15e6
    assert len(workers) == 1
    # The worker's memory is freed; the browser reports its end asynchronously.
    wait_for(page, lambda: not page.workers)
    whole = numpy.asarray(Image.open(io.BytesIO(data)))[160:224, 80:144].astype(int)
    ours = numpy.array(pixels).reshape(64, 64, 4)[:, :, :3]
    assert numpy.abs(ours - whole).max() <= 2


def test_a_damaged_picture_is_reported_and_not_filled_in(element):
    data = camera_jpeg(noise(320, 240))
    show(element, data[: len(data) * 2 // 3] + b"\xff\xd9")
    code = element.evaluate("""async (recipe) => {
      const view = document.querySelector('crop-view');
      view.recipe = recipe;
      return view.croppedBlob().catch((error) => error.code);
    }""", recipe_of(16, 128, 160, 96))
    assert code == "truncated"


CODES = """async ([recipe, all]) => {
  const view = document.querySelector('crop-view');
  view.recipe = recipe;
  const codes = [];
  for (const options of all) {
    codes.push(await view.croppedBlob(options).then(() => '', (error) => error.code));
  }
  codes.push(await view.croppedCanvas().then(() => '', (error) => error.code));
  return codes;
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("progress", [(0.3, 0), (0.6, 0), (0.6, 40)])
def test_damage_is_reported_as_by_the_program_for_every_result(element, tmp_path, progress):
    """Damage in the data that a crop reads is reported, also for drawn crops and copies of the complete file."""
    share, length = progress
    sound = camera_jpeg(noise(320, 240))
    data = bytearray(sound)
    start = sound.index(b"\xff\xda")
    end = sound.index(b"\xff\xd9", start)
    place = start + int((end - start) * share)
    data[place:place + length] = bytes(length)
    show(element, bytes(data))
    recipes = [
        recipe_of(0, 0, 320, 240), recipe_of(16, 128, 160, 96), recipe_of(17, 127, 161, 97),
        recipe_of(0, 0, 320, 240, tilt=2) | {"rect": {"x": 40, "y": 40, "width": 60, "height": 60}},
        recipe_of(0, 0, 64, 32), recipe_of(3, 5, 61, 30, shape="ellipse"),
        recipe_of(16, 32, 160, 160, output={"maxSide": 40}),
    ]
    options = [{}, {"lossless": "never"}, {"type": "image/png"}, {"strip": "all"}]
    reported = set()
    for recipe in recipes:
        (tmp_path / "in.jpg").write_bytes(data)
        (tmp_path / "recipe.json").write_text(json.dumps(recipe))
        theirs = subprocess.run(
            [BIN / "cropkit", "crop", tmp_path / "in.jpg", "--recipe", tmp_path / "recipe.json",
             "-o", tmp_path / "out.png", "--force"], capture_output=True)
        codes = element.evaluate(CODES, [recipe, options])
        reported.update(codes)
        assert {code != "" for code in codes} == {theirs.returncode == 65}, (recipe, codes)
    assert reported <= {"", "corrupt", "truncated"}
    assert (reported != {""}) == (length > 0)


def with_orientation_as(data, kind, orientation):
    """The same with EXIF's orientation stored as another integer type."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    assert data.count(entry) == 1
    value = {1: "<BBH", 4: "<I", 8: "<hh", 9: "<i", 3: "<HH"}[kind]
    numbers = [orientation, 0, 0][:len(value) - 1]
    count = 2 if kind == 3 else 1
    return data.replace(entry, struct.pack("<HHI", 0x0112, kind, count) + struct.pack(value, *numbers))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [1, 3, 4, 8, 9], ids=["BYTE", "two SHORTs", "LONG", "SSHORT", "SLONG"])
@pytest.mark.parametrize("orientation", [3, 6])
def test_an_orientation_of_another_type_is_respected(element, tmp_path, kind, orientation):
    """The program accepts it, browsers only a SHORT: the crop matches the display."""
    data = with_orientation_as(
        camera_jpeg(noise(320, 240), orientation), kind, orientation)
    show(element, data)
    for recipe in [recipe_of(16, 32, 160, 96), recipe_of(5, 9, 64, 80)]:
        for mode in ["exact", "never"]:
            [(theirs, is_lossless)] = by_program(tmp_path, data, [recipe], mode)
            ours = crop(element, recipe, mode)
            assert ours["isLossless"] == is_lossless
            if is_lossless:
                assert ours["bytes"] == theirs
            else:
                pixels = [numpy.asarray(Image.open(io.BytesIO(made))).astype(int)
                          for made in (ours["bytes"], theirs)]
                assert numpy.abs(pixels[0] - pixels[1]).mean() < 6, (recipe, mode)
    whole = recipe_of(0, 0, 320, 240)
    assert crop(element, whole)["bytes"] == data


def badge(page):
    return page.locator(".made .shown").text_content()


def test_the_badge_is_true_while_the_frame_is_dragged(open_page, unserved):
    page = open_page(expects=("404",))
    page.goto(unserved)
    open_photo(page, camera_jpeg(noise(320, 240)), "hill.jpg")
    page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", RECIPES[1])
    settle(page)
    assert badge(page).startswith("Lossless")
    box = page.evaluate("""() => {
      const { x, y, width, height } = document.querySelector('crop-view').selectionBox;
      return { x: x + width / 2, y: y + height / 2 };
    }""")
    seen = set()
    page.mouse.move(box["x"], box["y"])
    page.mouse.down()
    for step in range(1, 40):
        page.mouse.move(box["x"] + step, box["y"] + step / 2)
        text, rect = page.evaluate("""() => new Promise((done) => requestAnimationFrame(() =>
          requestAnimationFrame(() => done([document.querySelector('.made .shown').textContent,
            document.querySelector('crop-view').recipe.rect]))))""")
        is_on = rect["x"] % 16 == 0 and rect["y"] % 16 == 0
        assert text.startswith("Lossless") == is_on, rect
        seen.add(is_on)
    page.mouse.up()
    assert False in seen


@pytest.mark.thorough
def test_the_result_is_as_promised_for_every_choice(open_page, unserved, keep):
    page = open_page(expects=("404",))
    page.goto(unserved)
    open_photo(page, camera_jpeg(noise(320, 240)), "hill.jpg")
    page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", RECIPES[2])
    settle(page)
    for choice, promise, size, note in [
        ("If possible", "Re-encoded", "160 × 96", "Made in this browser"),
        ("Snap", "Lossless", "160 × 96", "Lossless"),
        ("Never", "Re-encoded", "160 × 96", "Made in this browser"),
    ]:
        page.get_by_role("group", name="Lossless").get_by_role("button", name=choice).click()
        # Pages get the state together with the frame that shows it.
        settle(page)
        assert badge(page).startswith(promise)
        keep(page, f"lossless-{choice.split()[0].lower()}")
        page.get_by_role("button", name="Crop", exact=True).click()
        page.locator("#result").wait_for()
        assert page.locator("#result .facts").text_content().count(size) == 1
        assert page.locator("#result .note").first.text_content().startswith(note)
        page.get_by_role("button", name="Keep editing").first.click()
        settle(page)
    page.get_by_role("button", name="PNG").click()
    settle(page)
    assert badge(page).startswith("Re-encoded")
    assert not page.get_by_role("group", name="Lossless").is_visible()


def test_one_click_makes_it_lossless(open_page, unserved, keep):
    page = open_page(expects=("404",))
    page.goto(unserved)
    open_photo(page, camera_jpeg(noise(320, 240)), "hill.jpg")
    snap = page.get_by_role("button", name="Snap to lossless")
    assert not snap.is_visible()
    page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", RECIPES[2])
    snap.wait_for()
    assert badge(page).startswith("Re-encoded: a little quality is lost.")
    keep(page, "lossless-remedy")
    snap.click()
    snap.wait_for(state="hidden")
    assert badge(page).startswith("Lossless")
    frame = "document.querySelector('crop-view').recipe.rect"
    assert page.evaluate(frame) == {"x": 16, "y": 32, "width": 160, "height": 96}
    assert page.evaluate("document.activeElement.localName") == "crop-view"
    page.keyboard.press("Control+z")
    settle(page)
    assert page.evaluate(frame) == {"x": 17, "y": 32, "width": 160, "height": 96}
    assert badge(page).startswith("Re-encoded")


@pytest.mark.thorough
def test_a_size_that_ends_inside_a_block_is_lossless_but_for_its_edge(open_page, unserved, keep):
    page = open_page(expects=("404",))
    page.goto(unserved)
    open_photo(page, camera_jpeg(noise(320, 240)), "hill.jpg")
    frame = recipe_of(16, 32, 150, 93)
    page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", frame)
    settle(page)
    assert badge(page) == "Lossless except for the last 13 px at the edge"
    keep(page, "lossless-edge")
    page.get_by_role("button", name="Crop", exact=True).click()
    page.locator("#result").wait_for()
    assert page.locator("#result .note:visible").text_content() == "Lossless except for the last 13 px at the edge"


def test_choosing_a_ratio_is_lossless_whenever_possible(open_page, unserved):
    page = open_page(expects=("404",))
    page.goto(unserved)
    open_photo(page, camera_jpeg(noise(340, 260)), "hill.jpg", style="Studio")
    for ratio in ["Square", "4:3", "3:2", "16:9", "5:4"]:
        page.get_by_role("button", name=ratio, exact=True).click()
        settle(page)
        assert badge(page).startswith("Lossless"), ratio


@pytest.mark.thorough
@pytest.mark.parametrize("progressive", [False, True])
def test_the_badge_is_true_of_what_the_server_makes(open_page, progressive):
    page = open_page()
    data = camera_jpeg(noise(320, 240), 6, progressive=progressive)
    open_photo(page, data, "hill.jpg")
    for mode in ["If possible", "Snap"]:
        page.get_by_role("group", name="Lossless").get_by_role("button", name=mode).click()
        for recipe in RECIPES[1:7]:
            page.evaluate(
                "(recipe) => { document.querySelector('crop-view').recipe = recipe; }", recipe)
            settle(page)
            promise = badge(page)
            page.get_by_role("button", name="Crop", exact=True).click()
            page.locator("#result").wait_for()
            kept = page.locator("#result .note").first.text_content()
            assert promise.startswith("Lossless") == kept.startswith("Lossless"), (mode, recipe)
            page.get_by_role("button", name="Keep editing").first.click()
            settle(page)


def test_other_pictures_have_no_such_choice(open_page, unserved):
    page = open_page(expects=("404",))
    page.goto(unserved)
    open_photo(page, png(noise(64, 64)))
    # A PNG is lossless too, but the page only mentions what is specific to a format.
    assert not page.locator(".made").is_visible()
    assert not page.get_by_role("group", name="Lossless").is_visible()


def test_the_phone_shows_it_over_the_photo(open_page, unserved, keep):
    page = open_page("phone", expects=("404",))
    page.goto(unserved)
    open_photo(page, camera_jpeg(noise(320, 240)), "hill.jpg")
    page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", RECIPES[1])
    settle(page)
    assert page.locator(".badge .shown").text_content() == "Lossless"
    assert page.locator(".badge").is_visible()
    keep(page, "lossless-phone")


@pytest.mark.thorough
def test_pixels_are_rotated_where_that_is_lossless(open_page, tmp_path, keep):
    page = open_page()
    out = io.BytesIO()
    Image.fromarray(noise(320, 240)).save(out, "JPEG", quality=90, subsampling="4:2:0")
    open_photo(page, out.getvalue(), "hill.jpg")
    rotate = page.get_by_role("checkbox", name="Rotate the pixels")
    assert not rotate.is_visible(), "nothing is turned"
    show = "(recipe) => { document.querySelector('crop-view').recipe = recipe; }"
    page.evaluate(show, recipe_of(0, 0, 240, 320, quarterTurns=1))
    rotate.wait_for()
    sizes = []
    for is_rotated in [False, True]:
        rotate.set_checked(is_rotated)
        settle(page)
        assert badge(page).startswith("Lossless")
        rotate.scroll_into_view_if_needed()
        keep(page, f"rotated-{is_rotated}")
        data, _ = crop_and_save(page)
        assert page.locator("#result .note").first.text_content().startswith("Lossless")
        image = Image.open(io.BytesIO(data))
        assert image.getexif().get(0x0112) == (None if is_rotated else 6)
        sizes.append(image.size)
        page.get_by_role("button", name="Keep editing").first.click()
        settle(page)
    assert sizes == [(320, 240), (240, 320)]
    # The partial block at the stored bottom edge would be at the left.
    page.evaluate(show, recipe_of(3, 0, 237, 320, quarterTurns=1))
    rotate.wait_for(state="hidden")
    page.get_by_role("button", name="PNG").click()
    settle(page)
    assert not rotate.is_visible()
