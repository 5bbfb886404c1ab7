"""HEICs as phones have written them since 2024: auxiliary images, thumbnails and metadata of several items.

libheif before 1.18 rejects these files; those that `pillow_heif` opens (with a newer libheif) must open here
too, with the same pixels.
"""

import io
import json
import struct
import subprocess

import numpy as np
import pillow_heif
import pytest
from conftest import BIN, crop, info, run
from heif import ALPHA, DEPTH_MAP, GAIN_MAP, LEFT_RIGHT, TOP_BOTTOM, File, hevc, nclx, turn
from PIL import Image

SIZE = (128, 96)
PURPOSES = {"gain map": GAIN_MAP, "depth": DEPTH_MAP, "alpha": ALPHA}
TURNS = {
    "upright": [], "turned": [turn(1)], "mirrored": [LEFT_RIGHT], "both": [turn(3), TOP_BOTTOM],
}
XMP = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/heic"/></rdf:RDF></x:xmpmeta>"""
MAIN, OTHER, TONE, AUXILIARY, THUMBNAIL, META = 1, 2, 3, 4, 5, 6


def photo(width, height, shift=0):
    """Smooth colors with a corner that shows how the image is turned."""
    across, down = np.linspace(20, 235, width)[None, :], np.linspace(235, 20, height)[:, None]
    picture = np.stack([across + 0 * down, down + 0 * across, (across + down) / 2], 2)
    picture[: height // 4, : width // 4] = (250, 30, 90)
    return np.rint(np.roll(picture, shift, axis=2)).astype(np.uint8)


def plane(width, height):
    """An auxiliary image."""
    ramp = np.linspace(255, 40, width)[None, :, None] + np.zeros((height, 1, 3))
    return hevc(np.rint(ramp).astype(np.uint8))


def grid(width, height):
    """A grid of tiles, without its tiles."""
    item = hevc(photo(64, 64))
    item.kind = b"grid"
    item.data = bytes([0, 0, height // 48 - 1, width // 64 - 1]) + struct.pack(">HH", width, height)
    item.properties = [
        p if p[4:8] != b"ispe" else p[:12] + struct.pack(">II", width, height)
        for p in item.properties if p[4:8] != b"hvcC"]
    return item


def phone(purpose="gain map", targets=2, wide=False, tone=True, turns="upright", tiles=False,
          ids=None, brand=None, late=False, meta_targets=1, thumb_targets=1):
    """A file with an auxiliary image that has this many targets."""
    file = File(wide=wide, brand=brand, late=late)
    base = 0x12340 if wide and ids is None else ids or 0
    width, height = SIZE
    main = base + MAIN
    # All images that the auxiliary one belongs to are turned in the same way.
    if tiles:
        whole = photo(width, height)
        parts = []
        for index, (y, x) in enumerate((y, x) for y in (0, 48) for x in (0, 64)):
            # A tile has 64 × 64 pixels; the grid hides some of its last rows.
            tile = np.pad(whole, ((0, 64), (0, 64), (0, 0)), mode="edge")[y : y + 48, x : x + 64]
            parts.append(file.add(base + 20 + index, hevc(tile), hidden=True))
        file.add(main, grid(width, height), *TURNS[turns])
        file.refer(b"dimg", main, *parts)
    else:
        file.add(main, hevc(photo(width, height)), *TURNS[turns])
    others = [file.add(base + OTHER, hevc(photo(width, height, 1)), *TURNS[turns])]
    if tone:
        # The tone-mapped image (ISO 21496-1) is derived from the primary one.
        made = hevc(photo(width, height))
        made.kind, made.data = b"tmap", b"\0" * 62
        made.properties = [p for p in made.properties if p[4:8] == b"ispe"]
        others.insert(0, file.add(base + TONE, made, *TURNS[turns]))
        file.refer(b"dimg", base + TONE, main, base + AUXILIARY)
        file.groups.append((b"altr", [base + TONE, main]))
    size = SIZE if purpose == "alpha" else (64, 48)
    file.add(
        base + AUXILIARY, plane(*size), PURPOSES[purpose], *TURNS[turns],
        hidden=purpose != "alpha")
    file.refer(b"auxl", base + AUXILIARY, *([main] + others)[:targets])
    file.add(base + THUMBNAIL, hevc(photo(64, 48)), hidden=True)
    # Not of the tone-mapped one: newer versions reject that too.
    file.refer(b"thmb", base + THUMBNAIL, *[main, base + OTHER][:thumb_targets])
    about = hevc(photo(64, 64))
    about.kind, about.properties = b"mime", []
    about.data = XMP
    file.add(base + META, about, content=b"application/rdf+xml")
    file.refer(b"cdsc", base + META, *([main] + others)[:meta_targets])
    return file.bytes(main)


def files():
    """The 40 files: their names and how to make them."""
    made = {}
    for purpose in PURPOSES:
        for targets in (1, 2, 3):
            for wide in (False, True):
                bits = "32" if wide else "16"
                made[f"{purpose}, {targets} targets, {bits}-bit ids"] = dict(
                    purpose=purpose, targets=targets, wide=wide)
    for purpose in PURPOSES:
        made[f"{purpose} without a tone-mapped picture"] = dict(purpose=purpose, tone=False)
        for turns in ("turned", "mirrored", "both"):
            made[f"{purpose}, {turns}"] = dict(purpose=purpose, turns=turns)
    for purpose in PURPOSES:
        made[f"{purpose} of a grid"] = dict(purpose=purpose, tiles=True)
    made["gain map of a turned grid"] = dict(tiles=True, turns="turned", wide=True)
    made["three targets of a grid"] = dict(tiles=True, targets=3)
    made["alpha of three, turned, 32-bit ids"] = dict(
        purpose="alpha", targets=3, turns="both", wide=True, late=True)
    made["metadata about two pictures"] = dict(meta_targets=2)
    made["a thumbnail of two pictures"] = dict(thumb_targets=2)
    made["everything about three"] = dict(targets=3, meta_targets=3, thumb_targets=2, wide=True)
    made["large ids in 16 bits"] = dict(ids=0xFF00, purpose="alpha", late=True)
    return made


FILES = files()


def decibels(found, wanted):
    """The peak signal to noise ratio."""
    error = np.mean((found.astype(float) - wanted.astype(float)) ** 2)
    return 99 if error == 0 else 10 * np.log10(255**2 / error)


def opened_by_peer(data):
    """The pixels from `pillow_heif`."""
    heif = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True)
    return np.asarray(heif[heif.primary_index].to_pillow())


@pytest.mark.thorough
def test_there_are_40_files():
    assert len(FILES) == 40
    assert len({phone(**kind) for kind in FILES.values()}) == 40


@pytest.mark.parametrize("kind", FILES)
def test_files_that_pillow_heif_opens_have_the_same_pixels(folder, kind):
    data = phone(**FILES[kind])
    wanted = opened_by_peer(data)
    source = folder / "in.heic"
    source.write_bytes(data)
    reported = info(source)
    assert (reported["shown"]["height"], reported["shown"]["width"]) == wanted.shape[:2]
    height, width = wanted.shape[:2]
    crop(source, folder / "out.png", "--rect", f"4,2,{width - 8},{height - 4}")
    with Image.open(folder / "out.png") as image:
        assert (image.mode == "RGBA") == (wanted.shape[2] == 4) == reported["hasAlpha"]
        found = np.asarray(image)
    assert decibels(found, wanted[2 : height - 2, 4 : width - 4]) >= 50
    assert source.read_bytes() == data


@pytest.mark.parametrize("kind", ["gain map, 2 targets, 16-bit ids", "alpha, turned"])
def test_every_command_opens_it(folder, kind):
    data = phone(**FILES[kind])
    source = folder / "in.heic"
    source.write_bytes(data)
    order = json.dumps({
        "input": str(source), "output": str(folder / "streamed.png"),
        "recipe": {"rect": {"x": 0, "y": 0, "width": 32, "height": 24}}})
    done = subprocess.run(
        [BIN / "cropkit", "batch", "--stream", "-"], input=order + "\n", capture_output=True,
        text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert Image.open(folder / "streamed.png").size == (32, 24)
    crop(source, folder / "small.jpg", "--max-side", 20)
    assert max(Image.open(folder / "small.jpg").size) == 20
    copy = crop(source, folder / "copy.heic")
    assert copy["lossless"] and (folder / "copy.heic").read_bytes() == data
    bare = crop(source, folder / "bare.heic", "--strip", "all")
    assert bare["lossless"]
    wanted = opened_by_peer(data)
    assert decibels(opened_by_peer((folder / "bare.heic").read_bytes()), wanted) >= 50


@pytest.mark.parametrize("brand", [b"MiHE", b"heix", b"msf1"])
def test_brands_of_phones_are_known(folder, brand):
    source = folder / "in.heic"
    source.write_bytes(phone(brand=brand))
    assert info(source)["format"] == "heic"
    crop(source, folder / "out.png", "--rect", "0,0,64,48")
    with Image.open(folder / "out.png") as image:
        found = np.asarray(image)
    assert decibels(found, opened_by_peer(phone())[:48, :64]) >= 50


def test_the_profile_of_tiles_is_that_of_the_picture(folder):
    file = File()
    parts = [
        file.add(n, hevc(photo(64, 64, n % 3)), nclx(12, 13), without=[b"colr"], hidden=True)
        for n in (1, 2)]
    whole = grid(128, 48)
    whole.properties = [p for p in whole.properties if p[4:8] != b"colr"]
    file.add(3, whole)
    file.refer(b"dimg", 3, *parts)
    source = folder / "in.heic"
    source.write_bytes(file.bytes(3))
    assert info(source)["colorCoding"]["codePoints"]["primaries"] == 12


def test_an_unsupported_file_is_not_reported_as_damaged(folder):
    data = phone().replace(b"mime", b"zzzz")
    source = folder / "in.heic"
    source.write_bytes(data)
    crop(source, folder / "out.png", "--rect", "0,0,64,48")
    unknown = phone().replace(b"hvc1", b"zzz1")
    source.write_bytes(unknown)
    run("crop", source, "-o", folder / "other.png", status=69)
