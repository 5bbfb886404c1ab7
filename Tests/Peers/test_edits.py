"""Settings that a photo program such as Lightroom should apply to the complete image: removed from every
result, with a warning."""

import io
import shutil
import subprocess

import numpy as np
import pytest
from conftest import crop
from metadata import reported
from PIL import Image

pytestmark = [
    pytest.mark.thorough, pytest.mark.skipif(not shutil.which("exiftool"), reason="no exiftool")]
NAMES = ["a.jpg", "a.png", "a.webp", "a.tif", "a.heic", "a.avif", "a.gif"]
FORMS = ["attributes", "elements", "nested", "prefixes"]
# Every format to itself, to JPEG and PNG, and from them, each with one form; JPEG with all.
PAIRS = [(a, b) for a in NAMES for b in NAMES if a == b or {a, b} & {"a.jpg", "a.png"}]
WAYS = [(*pair, FORMS[index % 4]) for index, pair in enumerate(PAIRS) if pair != ("a.jpg", "a.jpg")]
WAYS += [("a.jpg", "a.jpg", form) for form in FORMS]

# Starts and parts of names that are removed.
GONE = ["HasCrop", "Crop", "Retouch", "Corrections", "RedEye", "Spot", "Regions", "RegionInfo",
        "ImageRegion", "SubjectArea", "SubjectLocation", "Upright", "LensProfile"]
NAMESPACES = """xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
  xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
  xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
  xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" xmlns:MP="http://ns.microsoft.com/photo/1.2/"
  xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#\""""
LISTS = """
  <crs:RetouchInfo><rdf:Seq><rdf:li>centerX = 0.2, centerY = 0.3, radius = 0.01</rdf:li></rdf:Seq>
  </crs:RetouchInfo>
  <crs:RetouchAreas><rdf:Seq><rdf:li><rdf:Description crs:SpotType="heal" crs:SourceX="0.4"><crs:Masks>
   <rdf:Seq><rdf:li crs:What="Mask/Ellipse" crs:X="0.1"/></rdf:Seq></crs:Masks></rdf:Description></rdf:li>
   </rdf:Seq></crs:RetouchAreas>
  <crs:PaintBasedCorrections><rdf:Seq><rdf:li rdf:parseType="Resource"><crs:What>Correction</crs:What>
   </rdf:li></rdf:Seq></crs:PaintBasedCorrections>
  <crs:GradientBasedCorrections><rdf:Seq><rdf:li crs:What="Correction"/></rdf:Seq>
  </crs:GradientBasedCorrections>
  <crs:CircularGradientBasedCorrections><rdf:Seq><rdf:li crs:What="Correction"/></rdf:Seq>
  </crs:CircularGradientBasedCorrections>
  <crs:MaskGroupBasedCorrections><rdf:Seq><rdf:li><rdf:Description crs:What="Correction">
   <crs:CorrectionMasks><rdf:Seq><rdf:li crs:What="Mask/Image" crs:MaskSubType="1"/></rdf:Seq>
   </crs:CorrectionMasks></rdf:Description></rdf:li></rdf:Seq></crs:MaskGroupBasedCorrections>
  <crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 0</rdf:li></rdf:Seq></crs:ToneCurvePV2012>
  <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">
   <mwg-rs:Type>Face</mwg-rs:Type><mwg-rs:Name>Eve</mwg-rs:Name></rdf:li></rdf:Bag></mwg-rs:RegionList>
   </mwg-rs:Regions>
  <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag/></MPRI:Regions></MP:RegionInfo>
  <Iptc4xmpExt:ImageRegion><rdf:Bag><rdf:li rdf:parseType="Resource"><Iptc4xmpExt:rId>r</Iptc4xmpExt:rId>
   </rdf:li></rdf:Bag></Iptc4xmpExt:ImageRegion>
  <exif:SubjectArea><rdf:Seq><rdf:li>9</rdf:li></rdf:Seq></exif:SubjectArea>"""
KEYS = {"HasCrop": "True", "CropTop": "0.1", "CropLeft": "0.2", "CropBottom": "0.9", "CropRight": "0.8",
        "CropAngle": "1.5", "CropConstrainToWarp": "0", "UprightVersion": "1", "LensProfileEnable": "1",
        "Exposure2012": "+0.50", "WhiteBalance": "As Shot", "HasSettings": "True"}


def packet(form):
    """Lightroom's settings as attributes, as elements, nested in a saved state, or with other prefixes."""
    attributes = " ".join(f'crs:{k}="{v}"' for k, v in KEYS.items())
    elements = "".join(f"<crs:{k}>{v}</crs:{k}>" for k, v in KEYS.items())
    match form:
        case "attributes" | "prefixes":
            body = f"<rdf:Description rdf:about='' {NAMESPACES} {attributes}>{LISTS}</rdf:Description>"
        case "elements":
            body = f"<rdf:Description rdf:about='' {NAMESPACES}>{elements}{LISTS}</rdf:Description>"
        case "nested":
            body = f"""<rdf:Description rdf:about='' {NAMESPACES} crs:HasCrop="True"
              xmlns:crss="http://ns.adobe.com/camera-raw-saved-settings/1.0/" crs:Exposure2012="+0.50">
              <crss:SavedSettings><rdf:Bag><rdf:li><rdf:Description crss:Name="before"><crss:Parameters>
              <rdf:Description {attributes}>{LISTS}</rdf:Description></crss:Parameters></rdf:Description>
              </rdf:li></rdf:Bag></crss:SavedSettings><exif:SubjectLocation>9 9</exif:SubjectLocation>
              </rdf:Description>"""
    text = f"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">{body}</rdf:RDF></x:xmpmeta>"""
    if form == "prefixes":
        for old, new in (("rdf", "R"), ("crs", "c"), ("mwg-rs", "regs"), ("Iptc4xmpExt", "dc2"),
                         ("exif", "tiff"), ("MP", "mine")):
            text = text.replace(f"<{old}:", f"<{new}:").replace(f"</{old}:", f"</{new}:")
            text = text.replace(f" {old}:", f" {new}:").replace(f"xmlns:{old}=", f"xmlns:{new}=")
    return text.encode()


MADE = {}


def source(folder, name, form):
    """An image in the format with such a packet, and with the subject area in EXIF."""
    if name not in MADE:
        rows = np.zeros((64, 96, 3), np.uint8)
        rows[..., 0] = np.arange(96) * 2
        file = io.BytesIO()
        kind = {"a.jpg": "JPEG", "a.webp": "WEBP", "a.tif": "TIFF", "a.gif": "GIF"}.get(name, "PNG")
        Image.fromarray(rows).save(file, kind)
        (folder / "plain").write_bytes(file.getvalue())
        if name in ("a.heic", "a.avif"):
            crop(folder / "plain", folder / name)
            (folder / name).rename(folder / "plain")
        MADE[name] = (folder / "plain").read_bytes()
    path = folder / f"in-{name}"
    path.write_bytes(MADE[name])
    (folder / "packet.xmp").write_bytes(packet(form))
    words = [f"-xmp<={folder / 'packet.xmp'}"]
    if name != "a.gif":
        words += ["-EXIF:SubjectArea=9 9 4 4", "-EXIF:Make=Maker"]
    subprocess.run(["exiftool", "-q", "-overwrite_original", *words, path], check=True)
    return path


def tags(path):
    """The names of all tags that exiftool finds, without groups."""
    return [key.split(":")[-1] for key in reported(path)]


@pytest.mark.parametrize(("name", "target", "form"), WAYS)
def test_crop_keys_spots_masks_and_regions_are_removed_and_reported(folder, name, target, form):
    path = source(folder, name, form)
    before = reported(path)
    assert "True" in str(before["XMP-crs:HasCrop"])
    ways = [["--rect", "16,16,32,32"]]
    if name == target:
        # Off the grid, only turned, reduced, with another quality: also if the complete image is kept.
        ways += [["--rect", "1,3,30,30"], ["--rotate", "90"], ["--max-side", "48"],
                 ["--strip", "location"], ["--rect", "16,16,32,32", "--lossless", "never"]]
    for words in ways:
        report = crop(path, folder / target, *words)
        after = reported(folder / target)
        for key in (k.split(":")[-1] for k in after):
            assert not any(key.startswith(gone) or gone in key for gone in GONE), (words, key)
        file = (folder / target).read_bytes()
        for gone in (b"CropTop", b"Retouch", b"BasedCorrections", b"ImageRegion", b"SubjectArea",
                     b"RegionList", b"Eve", b"SpotType"):
            assert gone not in file, (words, gone)
        assert after["XMP-crs:Exposure2012"] == 0.5 or after["XMP-crs:Exposure2012"] == "+0.50"
        if form != "nested":
            assert after["XMP-crs:WhiteBalance"] == "As Shot" and after["XMP-crs:HasSettings"]
        assert not [key for key in after if key.endswith(("Error", "Warning"))], after
        messages = [w["message"] for w in report["warnings"] if w["code"] == "metadata-dropped"]
        assert messages, report
        for word in ("faces and subjects", "crop, spots and masks"):
            assert word in messages[0], messages


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_byte_for_byte_keeps_all_of_it(folder, name):
    path = source(folder, name, "attributes")
    report = crop(path, folder / name)
    assert (folder / name).read_bytes() == path.read_bytes()
    assert report["warnings"] == []


@pytest.mark.parametrize("name", [n for n in NAMES if n != "a.gif"])
def test_the_subject_area_of_exif_is_removed_and_reported(folder, name):
    path = source(folder, name, "attributes")
    subprocess.run(["exiftool", "-q", "-overwrite_original", "-xmp:all=", path], check=True)
    assert "SubjectArea" in tags(path)
    report = crop(path, folder / name, "--rect", "16,16,32,32")
    assert "SubjectArea" not in tags(folder / name) and "Make" in tags(folder / name)
    assert "positions of faces and subjects" in report["warnings"][0]["message"]


@pytest.mark.parametrize("name", [n for n in NAMES if n != "a.gif"])
def test_metadata_with_a_picture_is_removed_and_reported(folder, name):
    path = source(folder, name, "attributes")
    # As in the maker notes of many cameras; the first box of a HEIF.
    words = ["-xmp:all=", "-EXIF:SubjectArea=", "-EXIF:UserComment=here: ftypheic"]
    subprocess.run(["exiftool", "-q", "-overwrite_original", *words, path], check=True)
    assert "UserComment" in tags(path)
    for rect in ("16,16,32,32", "1,3,30,30"):
        report = crop(path, folder / name, "--rect", rect)
        assert "UserComment" not in tags(folder / name) and "Make" in tags(folder / name)
        [message] = [w["message"] for w in report["warnings"] if w["code"] == "metadata-dropped"]
        assert message.count("maker notes and other data that contain an image") == 1


@pytest.mark.parametrize("target", NAMES)
def test_removed_comments_are_reported(folder, target):
    Image.new("RGB", (64, 48), (9, 99, 200)).save(folder / "in.jpg", comment=b"A word")
    for words in ([], ["--strip", "location"], ["--lossless", "never", "--strip", "location"]):
        report = crop(folder / "in.jpg", folder / target, "--rect", "16,16,32,32", *words)
        left = b"A word" in (folder / target).read_bytes()
        assert left == (not words and target in ("a.jpg", "a.png", "a.gif"))
        messages = [w["message"] for w in report["warnings"] if w["code"] == "metadata-dropped"]
        assert messages == ([] if left else ["left out: comments"]), words
    report = crop(folder / "in.jpg", folder / target, "--rect", "16,16,32,32", "--strip", "all")
    assert "metadata-dropped" not in [w["code"] for w in report["warnings"]]
