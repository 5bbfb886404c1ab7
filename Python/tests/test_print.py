"""Sizes on paper."""

import pytest
from conftest import encoded

import cropkit


def test_a_crop_has_a_size_on_paper(tmp_path):
    source = tmp_path / "photo.jpg"
    source.write_bytes(encoded(0, 900, 1200))
    result = cropkit.crop(source, tmp_path / "out.jpg", size="35x45mm", dpi=600)
    assert (result.width, result.height) == (827, 1063)
    assert cropkit.info(tmp_path / "out.jpg").fields["density"] == {"across": 600, "down": 600}
    bleed = cropkit.crop(source, tmp_path / "card.png", size="35x45mm", bleed="3mm", dpi=150)
    assert (bleed.width, bleed.height) == (242, 301)
    sheet = cropkit.crop(source, tmp_path / "sheet.png", size="2x2in", sheet="4x6in", enlarge=True)
    assert (sheet.width, sheet.height) == (1200, 1800)
    same = cropkit.crop(source, tmp_path / "same.jpg", dpi=240)
    assert same.lossless


def test_a_small_crop_is_enlarged_only_if_asked(tmp_path):
    data = encoded(0, 90, 90)
    small = cropkit.crop(data, tmp_path / "a.png", size="35x45mm")
    assert [warning.code for warning in small.warnings] == ["low-density"]
    assert (small.width, small.height) == (70, 90)
    large = cropkit.crop(data, tmp_path / "b.png", size="35x45mm", enlarge=True)
    assert (large.width, large.height) == (413, 531)


def test_targets_have_sizes_on_paper(tmp_path):
    source = tmp_path / "photo.jpg"
    source.write_bytes(encoded(0, 900, 1200))
    (one,) = cropkit.targets(source, tmp_path / "out", "passport-us", sheet="10x15cm")
    assert (one.target, one.width, one.height) == ("passport-us", 1181, 1772)
    (two,) = cropkit.targets(source, tmp_path / "out", [{"name": "p", "size": "35x45mm", "dpi": 600}])
    assert (two.width, two.height) == (827, 1063)


@pytest.mark.parametrize("how", [{"size": "0mm"}, {"dpi": 0}, {"dpi": 10**9}, {"bleed": "3mm"}, {"sheet": "a4"}])
def test_invalid_sizes_are_errors(how):
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop_bytes(encoded(), **how)
    assert caught.value.code == "usage"
