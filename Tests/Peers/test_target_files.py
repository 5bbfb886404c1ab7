"""Crops that follow a focus, compared with other systems' results from their own formulas."""

import json
import random
import shutil
import subprocess
import types

import pytest
from conftest import run, shared
from PIL import Image

RATIOS = {"square": (1, 1), "portrait": (4, 5), "story": (9, 16), "wide": (16, 9), "banner": (3, 1), "link": (40, 21),
          "classic": (3, 2), "print": (5, 7), "cinema": (7, 3), "tall": (1, 2)}


def photo(folder, width, height):
    """A photo of this size; its content does not affect the crops."""
    path = folder / f"{width}x{height}.png"
    Image.new("1", (width, height)).save(path)
    return path


def random_photo(folder, seed):
    """A photo and its focus, in fractions."""
    draw = random.Random(seed)
    source = photo(folder, draw.randint(60, 4000), draw.randint(60, 4000))
    x, y = draw.random() * 0.99, draw.random() * 0.99
    width, height = (1 - x) * draw.random() ** 2, (1 - y) * draw.random() ** 2
    with Image.open(source) as image:
        return source, image.size, (x, y, width, height)


def written(folder, source, focus, *words):
    """The reports for all ratios, by their names."""
    targets = {"targets": [{"name": name, "ratio": f"{w}:{h}"} for name, (w, h) in RATIOS.items()]}
    (folder / "targets.json").write_text(json.dumps(targets))
    lines = run(
        "targets", source, "--targets", folder / "targets.json", "--focus", ",".join(map(repr, focus)), "-d",
        folder / "out", "--json", "--quiet", "--force", *words).splitlines()
    return {report["target"]: report for report in map(json.loads, lines)}


def box(report):
    rect = report["rect"]
    return rect["x"], rect["y"], rect["x"] + rect["width"], rect["y"] + rect["height"]


def holds(outer, inner, by=0.0):
    return (outer[0] - by <= inner[0] and outer[1] - by <= inner[1]
            and outer[2] + by >= inner[2] and outer[3] + by >= inner[3])


def off(one, other):
    """The distance of two centers."""
    return (((one[0] + one[2] - other[0] - other[2]) / 2) ** 2 + ((one[1] + one[3] - other[1] - other[3]) / 2) ** 2) ** 0.5


@pytest.mark.parametrize("seed", range(100))
def test_wagtail_keeps_no_more_of_the_focus_and_is_not_closer(folder, seed):
    """Ten crops of each of a hundred photos. Wagtail's rule gives the same size, and places it by the focus'
    fraction of the image; here its center is as close to the focus' as possible."""
    pytest.importorskip("wagtail")
    from wagtail.images.image_operations import FillOperation, ImageTransform
    from wagtail.images.rect import Rect

    source, (width, height), (x, y, w, h) = random_photo(folder, seed)
    focus = (x * width, y * height, (x + w) * width, (y + h) * height)
    image = types.SimpleNamespace(get_focal_point=lambda: Rect(*focus))
    for name, report in written(folder, source, (x, y, w, h), "--dry-run").items():
        across, down = RATIOS[name]
        own = box(report)
        transform = FillOperation("fill", f"{across}x{down}").run(ImageTransform((width, height)), image)
        # The positions of the crop's corners in the image; scaling down comes last.
        left, top = -transform.offset[0], -transform.offset[1]
        size = transform.size[0] / transform.scale[0], transform.size[1] / transform.scale[1]
        theirs = left, top, left + size[0], top + size[1]
        # Here, a ratio is exact, in whole steps; there, the crop is rounded out to whole pixels.
        assert -1 <= size[0] - (own[2] - own[0]) < across + 2, (name, own, theirs)
        assert -1 <= size[1] - (own[3] - own[1]) < down + 2, (name, own, theirs)
        cuts = any(warning["code"] == "focus-cut" for warning in report["warnings"])
        assert cuts != holds(own, focus, 1e-6), (name, own, focus)
        if not cuts:
            assert holds(theirs, focus, 1.01), (name, theirs, focus)
        # The larger rectangle may have less space to move, the smaller one more.
        assert off(own, focus) <= off(theirs, focus) + max(across, down) + 1.5, (name, own, theirs, focus)


def sanity_rect(size, crop, hotspot, width, height):
    """The area of an image that Sanity's image pipeline is asked for, as in the documentation of
    @sanity/image-url: the crop, reduced to the ratio around the hotspot's center, inside the crop."""
    left, top = round(crop["left"] * size[0]), round(crop["top"] * size[1])
    right, bottom = size[0] - crop["right"] * size[0], size[1] - crop["bottom"] * size[1]
    across, down = round(right - left), round(bottom - top)
    wanted_across = min(across, down * width / height)
    wanted_down = min(down, across * height / width)
    x = min(max(hotspot["x"] * size[0] - wanted_across / 2, left), left + across - wanted_across)
    y = min(max(hotspot["y"] * size[1] - wanted_down / 2, top), top + down - wanted_down)
    return x, y, x + wanted_across, y + wanted_down


@pytest.mark.parametrize("seed", range(20))
def test_sanity_crops_the_same_area(folder, seed):
    source, size, focus = random_photo(folder, seed)
    reports = written(folder, source, focus, "--to", "sanity")
    made = json.loads((folder / f"out/{source.stem}.sanity.json").read_text())
    assert made["follows"].startswith("Sanity Studio 3")
    assert made["images"].keys() == reports.keys()
    for name, image in made["images"].items():
        assert image["crop"]["_type"] == "sanity.imageCrop" and image["hotspot"]["_type"] == "sanity.imageHotspot"
        rect = sanity_rect(size, image["crop"], image["hotspot"], *RATIOS[name])
        own = box(reports[name])
        assert all(abs(a - b) <= 1.5 for a, b in zip(rect, own)), (name, rect, own)
        hotspot = image["hotspot"]
        for center, length, start, share in (("x", "width", 0, 2), ("y", "height", 1, 3)):
            assert abs(hotspot[center] - hotspot[length] / 2 - focus[start]) < 2e-6
            assert abs(hotspot[length] - focus[share]) < 2e-6


@pytest.mark.parametrize("seed", range(20, 40))
def test_typo3_crops_the_same_area(folder, seed):
    source, (width, height), focus = random_photo(folder, seed)
    reports = written(folder, source, focus, "--to", "typo3")
    made = json.loads((folder / f"out/{source.stem}.typo3.json").read_text())
    assert made["follows"].startswith("TYPO3 13")
    for name, variant in made["cropVariants"].items():
        area, own = variant["cropArea"], box(reports[name])
        # Fractions of the image's sides become pixels.
        left, top = area["x"] * width, area["y"] * height
        across, down = area["width"] * width, area["height"] * height
        assert tuple(map(round, (left, top, left + across, top + down))) == own, name
        assert variant["selectedRatio"] == "{}:{}".format(*RATIOS[name])
        # The focus area is in fractions of the crop area.
        kept = variant["focusArea"]
        if kept is None:
            assert any(warning["code"] == "focus-cut" for warning in reports[name]["warnings"])
            continue
        there = (left + kept["x"] * across, top + kept["y"] * down,
                 left + (kept["x"] + kept["width"]) * across, top + (kept["y"] + kept["height"]) * down)
        wanted = (max(focus[0] * width, own[0]), max(focus[1] * height, own[1]),
                  min((focus[0] + focus[2]) * width, own[2]), min((focus[1] + focus[3]) * height, own[3]))
        assert all(abs(a - b) < 0.05 for a, b in zip(there, wanted)), (name, there, wanted)


def test_exiftool_reads_the_regions_and_they_are_read_back(folder):
    if not shutil.which("exiftool"):
        pytest.skip("no exiftool")
    source = shared("jpeg-422-iptc.jpg")
    focus = (0.3, 0.2, 0.25, 0.5)
    reports = written(folder, source, focus, "--write-regions", folder / "photo.jpg")
    with Image.open(source) as before, Image.open(folder / "photo.jpg") as after:
        assert before.tobytes() == after.tobytes()
        width, height = before.size

    def reported(path, *tags):
        done = subprocess.run(["exiftool", "-json", "-struct", "-n", *tags, path], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)[0]

    regions = reported(folder / "photo.jpg", "-XMP-iptcExt:ImageRegion")["ImageRegion"]
    assert [region["Name"] for region in regions] == [*RATIOS, "focus"]
    for region, own in zip(regions, [*map(box, reports.values()), None]):
        at = region["RegionBoundary"]
        assert at["RbShape"] == "rectangle" and at["RbUnit"] == "relative"
        roles = {role["Identifier"][0].rsplit("/", 1)[1] for role in region["RRole"]}
        if own is None:
            assert roles == {"mainSubjectArea"}
            assert [at[key] for key in ("RbX", "RbY", "RbW", "RbH")] == pytest.approx(focus)
            continue
        across, down = RATIOS[region["Name"]]
        kind = "square" if across == down else "landscape" if across > down else "portrait"
        assert roles == {"cropping", f"{kind}Cropping"}
        left, top = at["RbX"] * width, at["RbY"] * height
        there = left, top, left + at["RbW"] * width, top + at["RbH"] * height
        assert there == pytest.approx(own, abs=1e-4)
    # The photo's other metadata is unchanged.
    before, after = reported(source), reported(folder / "photo.jpg")
    changed = {key for key in before if before[key] != after.get(key)}
    assert not {key for key in changed if not key.startswith(("File", "Directory", "SourceFile"))}, changed
    lines = run("targets", folder / "photo.jpg", "--regions", "-d", folder / "again", "--json", "--quiet").splitlines()
    assert {report["target"]: report["rect"] for report in map(json.loads, lines)} == {
        name: report["rect"] for name, report in reports.items()}
    # Regions written by exiftool are read too.
    subprocess.run(["exiftool", "-q", "-overwrite_original", "-XMP-iptcExt:ImageRegion=", "-XMP-iptcExt:ImageRegion="
                    "[{Name=left,RegionBoundary={RbShape=rectangle,RbUnit=relative,RbX=0,RbY=0,RbW=0.5,RbH=1},RRole=["
                    "{Identifier=[http://cv.iptc.org/newscodes/imageregionrole/cropping]}]}]", folder / "photo.jpg"],
                   check=True)
    line = run("targets", folder / "photo.jpg", "--regions", "-d", folder / "left", "--json", "--quiet")
    assert json.loads(line)["rect"] == {"x": 0, "y": 0, "width": round(width / 2), "height": height}


def test_regions_that_can_not_be_written_or_read_are_refused(folder):
    png, jpeg = photo(folder, 30, 20), shared("jpeg-420-227x149.jpg")
    run("targets", png, "--set", "social", "-d", folder / "out", "--write-regions", folder / "a.png", status=64)
    run("targets", jpeg, "--regions", "-d", folder / "out", status=64)
    run("targets", jpeg, "--set", "social", "-d", folder / "new", "--write-regions", jpeg, "--force", status=73)
    assert not (folder / "out").exists() and not list((folder / "new").iterdir())


def test_existing_files_are_not_replaced_and_unsupported_crops_are_rejected_before(folder):
    source = photo(folder, 300, 200)
    (folder / "out").mkdir()
    (folder / "out/300x200.html").write_text("mine")
    run("targets", source, "--set", "social", "-d", folder / "out", "--to", "html", status=73)
    assert (folder / "out/300x200.html").read_text() == "mine" and len(list((folder / "out").iterdir())) == 1
    tilted = {"picture": {"tilt": 2}, "targets": [{"name": "a", "ratio": "1:1"}]}
    (folder / "tilted.json").write_text(json.dumps(tilted))
    for name in ("object-position", "sanity", "typo3"):
        run("targets", source, "--targets", folder / "tilted.json", "-d", folder / "none", "--to", name, status=64)
    assert not (folder / "none").exists()
    run("targets", source, "--targets", folder / "tilted.json", "-d", folder / "none", "--to", "html")
    assert "a.png" in (folder / "none/300x200.html").read_text()
