"""A HEIC or AVIF that is only turned or mirrored: its properties change, and the coded data do not."""

import io

import numpy as np
import pytest
from conftest import crop, info, run, shared
from heif import ALPHA, DEPTH_MAP, GAIN_MAP, LEFT_RIGHT, TOP_BOTTOM, File, av1, box, boxes, hevc, turn, upright
from PIL import Image, ImageOps
from test_heif_phones import FILES, opened_by_peer, phone, photo

#: The options, and their effect on an array.
TURNS = {
    "a quarter turn": (["--rotate", 90], lambda shown: np.rot90(shown, -1)),
    "half a turn": (["--rotate", 180], lambda shown: np.rot90(shown, 2)),
    "a mirror": (["--flip", "horizontal"], lambda shown: shown[:, ::-1]),
    "both": (["--flip", "horizontal", "--rotate", 90], lambda shown: np.rot90(shown[:, ::-1], -1)),
}
BEFORE = {
    "upright": [], "turned": [turn(1)], "mirrored": [LEFT_RIGHT], "upside down": [TOP_BOTTOM],
    "turned and mirrored": [turn(3), TOP_BOTTOM], "mirrored and turned": [LEFT_RIGHT, turn(1)],
}
CODERS = {"heic": hevc, "avif": av1}


def coded(file):
    """The contents of the data boxes."""
    return b"".join(file[start:end] for kind, start, end in boxes(file) if kind == b"mdat")


def picture(coder, before=(), alpha=False, wide=False, **more):
    """A file of one image, optionally with transparency."""
    file = File(wide=wide, **more)
    file.add(1, coder(photo(96, 64)), *before)
    if alpha:
        ramp = np.linspace(255, 40, 96)[None, :, None] + np.zeros((64, 1, 3))
        file.add(2, coder(np.rint(ramp).astype(np.uint8)), ALPHA, *before, hidden=True)
        file.refer(b"auxl", 2, 1)
    return file.bytes(1)


def shown(data, kind="heic"):
    """The pixels as shown by another program."""
    if kind == "heic":
        return opened_by_peer(data)
    with Image.open(io.BytesIO(data)) as image:
        # Pillow passes on the properties as EXIF.
        return np.asarray(ImageOps.exif_transpose(image))


def turned(folder, data, *words, kind="heic", warnings=()):
    """The file that a turn makes, which is reported as lossless."""
    (folder / f"in.{kind}").write_bytes(data)
    report = crop(folder / f"in.{kind}", folder / f"out.{kind}", *words)
    assert report["lossless"], report
    assert [one["code"] for one in report["warnings"]] == list(warnings)
    return (folder / f"out.{kind}").read_bytes()


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("kind", CODERS)
def test_a_turn_only_changes_properties(folder, kind, before, name):
    words, change = TURNS[name]
    for alpha in (False, True):
        data = picture(CODERS[kind], BEFORE[before], alpha)
        made = turned(folder, data, *words, kind=kind)
        assert coded(made) == coded(data)
        # Not every program respects the order of turn and mirror in a file; the result has the usual one.
        wanted = change(upright(shown(picture(CODERS[kind], [], alpha), kind), BEFORE[before]))
        assert np.array_equal(shown(made, kind), wanted)
        reported = info(folder / f"out.{kind}")
        assert (reported["shown"]["height"], reported["shown"]["width"]) == wanted.shape[:2]


@pytest.mark.parametrize("kind", FILES)
def test_all_parts_of_a_phones_image_turn_with_it(folder, kind):
    data = phone(**FILES[kind])
    # The file has another image, which crops drop.
    made = turned(folder, data, "--rotate", 90, warnings=["frames-dropped"])
    assert np.array_equal(shown(made), np.rot90(shown(data), -1))
    assert info(folder / "out.heic")["pageCount"] == 1
    kept = set(info(folder / "out.heic")["metadata"])
    assert kept == set(info(folder / "in.heic")["metadata"])


def test_the_requested_page_becomes_the_image(folder):
    data = phone(purpose="alpha", targets=3, turns="both", wide=True)
    made = turned(folder, data, "--rotate", 90, "--page", 2, warnings=["hdr-dropped"])
    (folder / "page.heic").write_bytes(data)
    crop(folder / "page.heic", folder / "page.png", "--page", 2)
    crop(folder / "out.heic", folder / "made.png")
    with Image.open(folder / "page.png") as page, Image.open(folder / "made.png") as result:
        assert np.array_equal(np.asarray(result), np.rot90(np.asarray(page), -1))
    assert shown(made).shape[2] == 4


@pytest.mark.parametrize("name", TURNS)
def test_a_photo_of_a_phone_turns_with_its_tiles_and_metadata(folder, name):
    source = shared("heic-iphone-grid-irot3.heic")
    words, change = TURNS[name]
    # Positions in the unturned image are not valid any more.
    made = turned(folder, source.read_bytes(), *words, warnings=["metadata-dropped"])
    assert np.array_equal(shown(made), change(shown(source.read_bytes())))
    before, after = info(source), info(folder / "out.heic")
    assert after["metadata"] == before["metadata"] and after["density"] == before["density"]
    # Slightly more than the photo: the boxes with the positions.
    assert abs(len(made) - source.stat().st_size) < 20_000


def test_four_quarter_turns_restore_the_file(folder):
    data = picture(av1, [turn(1), LEFT_RIGHT], alpha=True, wide=True, late=True)
    first = data
    for _ in range(4):
        data = turned(folder, data, "--rotate", 90, kind="avif")
    assert np.array_equal(shown(data, "avif"), shown(first, "avif"))
    # Nothing accumulates: an image has at most one turn and one mirror (ISO/IEC 23000-22, 7.3.6.7).
    assert data.count(b"irot") <= 1 and data.count(b"imir") == 1


def test_metadata_to_remove_is_removed_in_heif(folder):
    data = phone()
    made = turned(folder, data, "--rotate", 90, "--strip", "all", warnings=["hdr-dropped", "frames-dropped"])
    assert np.array_equal(shown(made), np.rot90(shown(data), -1))
    assert info(folder / "out.heic")["metadata"] == []


@pytest.mark.parametrize("words", [["--quality", 80], ["--bake"], ["--lossless", "never"], ["--size", "32x48"],
                                   ["--rect", "0,0,63,96"], ["--format", "avif"]])
def test_other_options_re_encode_the_pixels(folder, words):
    (folder / "in.heic").write_bytes(picture(hevc))
    report = crop(folder / "in.heic", folder / "out.heic", "--rotate", 90, *words)
    assert not report["lossless"]


def test_turns_that_properties_cant_express_are_re_encoded(folder):
    # Cropped after it was turned: another turn would change the crop.
    cut = box(b"clap", b"".join(n.to_bytes(4) for n in (40, 1, 60, 1, 0, 1, 0, 1)))
    data = picture(hevc, [turn(1), cut])
    (folder / "in.heic").write_bytes(data)
    report = crop(folder / "in.heic", folder / "out.heic", "--rotate", 90)
    assert not report["lossless"]
    assert shown((folder / "out.heic").read_bytes()).shape[:2] == (40, 60)
    # Cropped first, as the standard requires, it is turned like any other.
    made = turned(folder, picture(hevc, [cut, turn(1)]), "--rotate", 90)
    assert shown(made).shape[:2] == (60, 40)



def test_a_phones_photo_turned_in_place_keeps_its_data(folder):
    file = File()
    file.add(1, hevc(photo(96, 64)))
    file.add(2, hevc(photo(48, 32)), GAIN_MAP, hidden=True)
    file.add(3, hevc(photo(48, 32)), DEPTH_MAP, hidden=True)
    file.refer(b"auxl", 2, 1)
    file.refer(b"auxl", 3, 1)
    path = folder / "photo.heic"
    path.write_bytes(file.bytes(1))
    before = info(path)["metadata"]
    assert {"depth-map", "gain-map"} <= set(before)
    run("crop", path, "--rotate", 90, "--in-place")
    assert info(path)["metadata"] == before
    assert (info(path)["shown"]["width"], info(path)["shown"]["height"]) == (64, 96)
