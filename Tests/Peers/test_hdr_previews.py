"""The server's previews that keep the gain map, for HDR screens: read by libvips and rendered like the photo."""

import json

import heicmap
import numpy as np
import pytest
from gainmap import Read, bilinear, difference, made, map_of, stops, upright
from gallery_server import Served


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Served(tmp_path_factory.mktemp("served"), "")
    yield server
    server.stop()


def preview(server, data, **values):
    status, fields, body = server.ask("POST", "api/preview", data, **values)
    assert status == 200, body
    return fields, body


@pytest.mark.parametrize("kinds", [("ultra-hdr", "iso-21496-1"), ("ultra-hdr",), ("iso-21496-1",)])
@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize("side", [104, 4096])
def test_a_preview_has_the_light_of_the_photo(server, folder, kinds, orientation, side):
    pyvips = pytest.importorskip("pyvips")
    source = folder / "in.jpg"
    data = made(source, 4, kinds=kinds, orientation=orientation)
    fields, body = preview(server, data, maxSide=side, hdr="keep", name="in.jpg")
    assert fields["Content-Type"] == "image/jpeg"
    assert fields["CropKit-Gain-Map"] == ("re-coded" if side == 104 else "cut")
    read = Read(body, kinds)
    height, width = read.pixels.shape[:2]
    assert (max(width, height), read.orientation) == (min(side, 416), 1)
    wide, high = (width, height) if orientation == 1 else (height, width)
    mean, most = difference(read.stops(), upright(stops(map_of(data), wide, high), orientation))
    assert mean <= 0.02 and most <= 0.15
    image = pyvips.Image.uhdrload_buffer(body)
    assert (image.width, image.height) == (width, height)
    assert image.get("gainmap-max-content-boost")[0] == pytest.approx(8)


def test_the_preview_of_an_iphones_heic_is_a_jpeg_that_browsers_show(server, folder):
    pyvips = pytest.importorskip("pyvips")
    y, x = np.mgrid[0:256, 0:384]
    base = np.stack([x / 384, y / 256, (x + y) / 640], -1) * 200
    light = (x[::2, ::2] / 384 * 255).astype(np.uint8)
    data = heicmap.photo(base.astype(np.uint8), light, headroom=4.0)
    fields, body = preview(server, data, maxSide=192, hdr="keep", name="in.heic")
    assert fields["CropKit-Gain-Map"] == "re-coded"
    read = Read(body, numbers="others")
    assert read.pixels.shape[:2] == (128, 192)
    wanted = np.asarray(heicmap.Read(data).light, float)
    across, down = np.meshgrid(np.arange(192) + 0.5, np.arange(128) + 0.5)
    rows, columns = read.light.shape[:2]
    found = bilinear(read.light.astype(float), across * columns / 192, down * rows / 128)
    assert np.abs(found - wanted).mean() < 2
    image = pyvips.Image.uhdrload_buffer(body)
    assert image.get("gainmap-max-content-boost")[0] == pytest.approx(4, rel=1e-4)


def test_a_preview_has_no_map_unless_it_is_requested(server, folder):
    data = made(folder / "in.jpg", 4)
    for values in ({}, {"hdr": "drop"}):
        fields, body = preview(server, data, maxSide=104, name="in.jpg", **values)
        assert "CropKit-Gain-Map" not in fields and b"MPF\0" not in body and b"hdrgm" not in body
    plain = heicmap.photo(np.full((128, 128, 3), 90, np.uint8), np.zeros((32, 32), np.uint8), auxiliary=False, tone=True)
    assert "CropKit-Gain-Map" in preview(server, plain, maxSide=64, name="in.heic", hdr="keep")[0]
    assert "CropKit-Gain-Map" not in preview(server, plain, maxSide=64, name="in.heic")[0]
    status, _, body = server.ask("POST", "api/preview", data, name="in.jpg", hdr="bright")
    assert status == 400 and "hdr must be keep or drop" in json.loads(body)["detail"]
