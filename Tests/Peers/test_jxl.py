"""JPEG XL, compared with libjxl's programs and its codec for NumPy."""

import io
import shutil
import subprocess

import imagecodecs
import numpy as np
import pytest
from conftest import crop, info, run, shared
from PIL import Image, ImageCms

RECT = (6, 5, 40, 30)
WORDS = ["--rect", "6,5,40,30"]


def scene(channels=3, dtype=np.uint8, width=64, height=48):
    """Smooth colors that identify positions, and alpha."""
    across, down = np.arange(width)[None, :], np.arange(height)[:, None]
    planes = [across * 4 + 0 * down, down * 5 + 0 * across, 255 - 2 * across - 2 * down, 80 + 2 * across + 0 * down]
    picture = np.stack(planes[:channels], 2).clip(0, 255).astype(dtype)
    return picture * 257 if dtype == np.uint16 else picture


def cut(array, rect=RECT):
    left, top, width, height = rect
    return array[top : top + height, left : left + width]


def decoded(path):
    return imagecodecs.jpegxl_decode(path.read_bytes())


def tool(*words):
    """Runs one of libjxl's programs."""
    if not shutil.which(words[0]):
        pytest.skip(f"no {words[0]}; install libjxl-tools")
    subprocess.run(words, check=True, capture_output=True)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("boxes", [False, True])
def test_lossless_files_stay_lossless(folder, channels, dtype, boxes):
    if channels == 2:
        picture = scene(4, dtype)[..., [0, 3]]
        head = f"P7\nWIDTH 64\nHEIGHT 48\nDEPTH 2\nMAXVAL {np.iinfo(dtype).max}\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n"
        (folder / "in.pam").write_bytes(head.encode() + picture.astype(picture.dtype.newbyteorder(">")).tobytes())
        tool("cjxl", folder / "in.pam", folder / "in.jxl", "-d", "0", f"--container={int(boxes)}")
    else:
        picture = scene(channels, dtype).squeeze()
        (folder / "in.jxl").write_bytes(imagecodecs.jpegxl_encode(picture, lossless=True, usecontainer=boxes))
    wanted = cut(picture)
    report = crop(folder / "in.jxl", folder / "out.jxl", *WORDS)
    assert report["lossless"]
    assert (decoded(folder / "out.jxl") == wanted).all()
    # A PNG has the same pixels.
    crop(folder / "in.jxl", folder / "out.png", *WORDS)
    assert (imagecodecs.imread(folder / "out.png") == wanted).all()


def test_lossy_pixels_are_those_of_libjxl(folder):
    (folder / "in.jxl").write_bytes(imagecodecs.jpegxl_encode(scene(), level=80))
    crop(folder / "in.jxl", folder / "out.png", *WORDS)
    # Decoders may round differently.
    assert np.abs(imagecodecs.imread(folder / "out.png").astype(int) - cut(decoded(folder / "in.jxl")).astype(int)).max() <= 2
    report = crop(folder / "in.jxl", folder / "out.jxl", *WORDS)
    assert not report["lossless"]
    assert np.abs(decoded(folder / "out.jxl").astype(int) - cut(scene()).astype(int)).mean() < 4


def test_quality_and_max_bytes_are_respected(folder):
    noise = np.random.default_rng(7).integers(0, 255, (120, 160, 3), np.uint8)
    Image.fromarray(noise).save(folder / "in.png")
    sizes = []
    for quality in (30, 60, 95):
        crop(folder / "in.png", folder / "out.jxl", "--quality", quality)
        sizes.append((folder / "out.jxl").stat().st_size)
    assert sizes == sorted(sizes) and sizes[0] < sizes[2] / 2
    (folder / "exact.jxl").write_bytes(imagecodecs.jpegxl_encode(noise, lossless=True))
    for source in ("in.png", "exact.jxl"):
        crop(folder / source, folder / "small.jxl", "--max-bytes", sizes[1])
        assert (folder / "small.jxl").stat().st_size <= sizes[1]


@pytest.mark.parametrize("turn", [1, 2, 3, 4, 5, 6, 7, 8])
def test_the_orientation_of_the_codestream_counts_and_exif_does_not(folder, turn):
    exif = Image.Exif()
    exif[0x0112] = turn
    exif[0x010F] = "Maker"
    Image.fromarray(scene()).save(folder / "in.jpg", exif=exif, quality=98, subsampling=0)
    # It takes the orientation from EXIF and keeps EXIF.
    tool("cjxl", folder / "in.jpg", folder / "in.jxl", "-j", "0", "-d", "0")
    tool("djxl", folder / "in.jxl", folder / "shown.png")
    shown = np.array(Image.open(folder / "shown.png").convert("RGB"))
    assert info(folder / "in.jxl")["orientation"] == turn
    assert info(folder / "in.jxl")["shown"]["width"] == shown.shape[1]
    crop(folder / "in.jxl", folder / "out.jxl", "--rect", "3,4,30,20")
    assert (decoded(folder / "out.jxl")[..., :3] == cut(shown, (3, 4, 30, 20))).all()
    assert info(folder / "out.jxl")["orientation"] == 1


def test_metadata_in_packed_boxes_is_kept_without_place_or_orientation(folder):
    exif = Image.Exif()
    exif[0x010F] = "Maker"
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[2] = (50.0, 0.0, 0.0)
    xmp = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' \
        b'<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/jpeg"/></rdf:RDF></x:xmpmeta>'
    Image.fromarray(scene()).save(folder / "in.jpg", exif=exif, xmp=xmp)
    tool("cjxl", folder / "in.jpg", folder / "in.jxl")
    assert b"brob" in (folder / "in.jxl").read_bytes()
    assert set(info(folder / "in.jxl")["metadata"]) >= {"exif", "location", "xmp"}
    crop(folder / "in.jxl", folder / "kept.jxl", *WORDS)
    assert set(info(folder / "kept.jxl")["metadata"]) >= {"exif", "location", "xmp"}
    crop(folder / "in.jxl", folder / "out.jpg", *WORDS, "--strip", "location")
    assert Image.open(folder / "out.jpg").getexif()[0x010F] == "Maker"
    assert not Image.open(folder / "out.jpg").getexif().get_ifd(0x8825)
    # A copy of the complete image keeps its coded pixels and loses the data for restoring a JPEG.
    crop(folder / "in.jxl", folder / "bare.jxl", "--strip", "all")
    bare = (folder / "bare.jxl").read_bytes()
    assert info(folder / "bare.jxl")["metadata"] == [] and b"jbrd" not in bare and b"brob" not in bare
    assert (decoded(folder / "bare.jxl") == decoded(folder / "in.jxl")).all()


def test_the_data_for_restoring_a_jpeg_are_never_lost_in_silence(folder):
    Image.fromarray(scene()).save(folder / "in.jpg")
    tool("cjxl", folder / "in.jpg", folder / "in.jxl")
    assert "original-jpeg" in info(folder / "in.jxl")["metadata"]
    report = crop(folder / "in.jxl", folder / "out.jxl", *WORDS)
    assert "original-jpeg" in [kind for warning in report["warnings"] for kind in warning.get("dropped", [])]
    before = (folder / "in.jxl").read_bytes()
    run("crop", folder / "in.jxl", "--in-place", *WORDS, status=73)
    # So are boxes of an application.
    (folder / "own.jxl").write_bytes(before + (20).to_bytes(4, "big") + b"uuid" + b"0123456789ab")
    report = crop(folder / "own.jxl", folder / "out.jxl", *WORDS)
    assert "application-data" in [kind for warning in report["warnings"] for kind in warning.get("dropped", [])]
    assert (folder / "in.jxl").read_bytes() == before
    run("crop", folder / "in.jxl", "--in-place", "--drop-rest", *WORDS)


def in_srgb(picture):
    profile = ImageCms.ImageCmsProfile(io.BytesIO(picture.info["icc_profile"]))
    return np.array(ImageCms.profileToProfile(picture.convert("RGB"), profile, ImageCms.createProfile("sRGB"))).astype(int)


def test_profiles_are_kept(folder):
    source = shared("icc-adobergb-canon7d.jpg")
    crop(source, folder / "a.jxl", "--rect", "0,0,200,200", "--quality", "95")
    crop(folder / "a.jxl", folder / "b.png")
    seen = in_srgb(Image.open(source))[:200, :200]
    assert np.abs(seen - in_srgb(Image.open(folder / "b.png"))).mean() < 3


@pytest.mark.parametrize("space,points", [
    ("RGB_D65_DCI_Rel_SRG", (12, 13)), ("RGB_D65_202_Rel_PeQ", (9, 16)), ("RGB_D65_202_Rel_HLG", (9, 18))])
def test_color_code_points_are_kept(folder, space, points):
    Image.fromarray(scene()).save(folder / "in.png")
    tool("cjxl", folder / "in.png", folder / "in.jxl", "-d", "0", "-x", f"color_space={space}")
    coding = info(folder / "in.jxl")["colorCoding"]["codePoints"]
    assert (coding["primaries"], coding["transfer"]) == points
    # In a lossy file, they stay code points; otherwise they become a profile with the same meaning.
    crop(folder / "in.jxl", folder / "out.jxl", *WORDS, "--lossless", "never")
    assert info(folder / "out.jxl")["colorCoding"]["codePoints"]["transfer"] == points[1]
    report = crop(folder / "in.jxl", folder / "out.jxl", *WORDS)
    assert report["lossless"] and "icc" in info(folder / "out.jxl")["metadata"]
    assert ("hdr-in-profile" in [warning["code"] for warning in report["warnings"]]) == (points[1] > 13)
    crop(folder / "in.jxl", folder / "out.png", *WORDS)
    assert (np.array(Image.open(folder / "out.png")) == cut(scene())).all()
    made = info(folder / "out.png")
    if points[1] > 13:
        assert made["colorCoding"]["codePoints"]["transfer"] == points[1]


def test_light_beyond_white_is_clipped_with_a_warning(folder):
    Image.fromarray(scene()).save(folder / "in.png")
    tool("cjxl", folder / "in.png", folder / "in.jxl", "-d", "0", "-x", "color_space=RGB_D65_202_Rel_PeQ")
    crop(folder / "in.jxl", folder / "hdr.png")
    report = crop(folder / "hdr.png", folder / "out.jxl")
    assert "light-cut-off" in [warning["code"] for warning in report["warnings"]]


def test_damaged_and_unsupported_files_are_rejected(folder):
    coded = imagecodecs.jpegxl_encode(scene(), level=90)
    (folder / "cut.jxl").write_bytes(coded[: len(coded) // 2])
    run("crop", folder / "cut.jxl", "-o", folder / "out.png", status=65)
    moving = np.stack([scene(), 255 - scene()])
    (folder / "moving.jxl").write_bytes(imagecodecs.jpegxl_encode(moving, photometric="rgb"))
    run("crop", folder / "moving.jxl", "-o", folder / "out.png", status=69)
    (folder / "float.jxl").write_bytes(imagecodecs.jpegxl_encode(scene().astype(np.float32) / 255))
    run("info", folder / "float.jxl", status=69)
    (folder / "in.jxl").write_bytes(coded)
    run("crop", folder / "in.jxl", "-o", folder / "out.png", "--limit-pixels", "1000", status=65)
    run("crop", folder / "in.jxl", "-o", folder / "out.png", "--limit-memory", "20K", status=65)
    assert not (folder / "out.png").exists()


def test_an_animated_gif_becomes_its_first_frame(folder):
    frames = [Image.fromarray(scene()).quantize(), Image.fromarray(255 - scene()).quantize()]
    frames[0].save(folder / "in.gif", save_all=True, append_images=frames[1:], duration=100)
    report = crop(folder / "in.gif", folder / "out.jxl", *WORDS)
    assert "frames-dropped" in [warning["code"] for warning in report["warnings"]]
    wanted = np.array(frames[0].convert("RGB"))
    # The colors of a drawing are kept.
    assert (decoded(folder / "out.jxl")[..., :3] == cut(wanted)).all()
