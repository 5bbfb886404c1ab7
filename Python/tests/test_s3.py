"""Objects in S3: moto's server on this machine, which also fails sometimes."""

from __future__ import annotations

import logging

import pytest
import s3fs
from conftest import encoded
from s3server import SECRET

import cropkit
from cropkit import _objects

BOX = (5, 7, 31, 17)


def crop(name="a", rect=BOX):
    return cropkit.Crop("s3://bucket/a.jpg", f"s3a://bucket/out/{name}.jpg", rect=rect)


def test_an_object_is_cropped_to_an_object(files, options):
    result = cropkit.crop("s3://bucket/a.jpg", "s3://bucket/out/a.jpg", rect=BOX, storage_options=options)
    assert files.cat_file("bucket/out/a.jpg") == cropkit.crop_bytes(encoded(), rect=BOX)
    assert result.byte_count == files.info("bucket/out/a.jpg")["size"]
    assert files.info("bucket/out/a.jpg")["ContentType"] == "image/jpeg"
    again = cropkit.crop(
        "s3://bucket/a.jpg", "s3://bucket/out/a.jpg", rect=BOX, force=True, storage_options={"s3": options}
    )
    assert not again.skipped


def test_crops_noted_in_an_object_s_metadata_are_skipped_without_reading(files, options, server):
    with cropkit.Pool(jobs=1, resume=True, storage_options=options) as pool:
        made = pool.crop(crop())
        server[1].requests.clear()
        skipped = pool.crop(crop())
        assert {method for method, _ in server[1].requests} == {"HEAD"}
        assert skipped.skipped
        assert not made.skipped
        for field in ("format", "width", "height", "byte_count", "lossless", "rect", "warnings", "output"):
            assert getattr(skipped, field) == getattr(made, field), field


@pytest.mark.parametrize("change", ["picture", "crop", "result"])
def test_an_output_of_another_input_is_rejected_or_replaced(files, options, change):
    with cropkit.Pool(jobs=1, resume=True, storage_options=options) as pool:
        pool.crop(crop())
        if change == "picture":
            files.pipe_file("bucket/a.jpg", encoded(1))
        if change == "result":
            files.pipe_file("bucket/out/a.jpg", b"other", Metadata=files.metadata("bucket/out/a.jpg"))
        other = crop(rect=(0, 0, 8, 8)) if change == "crop" else crop()
        with pytest.raises(cropkit.CropError) as caught:
            pool.crop(other)
        assert caught.value.code == "output-exists"
    with cropkit.Pool(jobs=1, resume=True, force=True, storage_options=options) as pool:
        assert not pool.crop(other).skipped
        assert pool.crop(other).skipped


def test_a_result_that_appeared_in_the_meantime_is_not_replaced(files, options, monkeypatch):
    monkeypatch.setattr(_objects.Objects, "output", unseen(_objects.Objects.output, "out/a.jpg"))
    files.pipe_file("bucket/out/a.jpg", b"precious")
    with cropkit.Pool(jobs=1, storage_options=options) as pool, pytest.raises(cropkit.CropError) as caught:
        pool.crop(crop())
    assert caught.value.code == "output-exists"
    assert files.cat_file("bucket/out/a.jpg") == b"precious"


def unseen(real, name):
    """A check that does not find an object the first time."""
    missed = []

    def info(self, place):
        if place.path.endswith(name) and not missed:
            missed.append(place)
            return None
        return real(self, place)

    return info


@pytest.mark.thorough
def test_an_unreliable_server_loses_nothing(files, options, server, caplog):
    caplog.set_level(logging.DEBUG, "cropkit")
    for number in range(8):
        files.pipe_file(f"bucket/in/{number}.jpg", encoded(number) if number != 3 else encoded()[:900])
    crops = [
        cropkit.Crop(f"s3://bucket/in/{number}.jpg", f"s3://bucket/out/{number}-{box}.jpg", rect=(16 * box, 0, 32, 32))
        for number in range(8)
        for box in range(3)
    ]
    server[1].slow_down, server[1].cut = 20, 50
    with cropkit.Pool(jobs=1, storage_options=options) as pool:
        reported = list(pool.map(crops, errors="return"))
    assert server[1].slowed > 0
    assert server[1].cuts > 0
    server[1].slow_down = server[1].cut = 0
    assert [isinstance(one, cropkit.CropError) for one in reported] == ["/3.jpg" in str(crop.input) for crop in crops]
    made = {name: files.cat_file(name) for name in files.find("bucket/out")}
    assert made == {
        str(crop.output).removeprefix("s3://"): cropkit.crop_bytes(encoded(number), rect=crop.how["rect"])
        for number, crop in ((int(str(crop.input)[-5]), crop) for crop in crops) if number != 3
    }  # fmt: skip
    assert not files.call_s3("list_multipart_uploads", Bucket="bucket").get("Uploads")


def test_errors_contain_no_credentials(files, options, monkeypatch):
    with pytest.raises(cropkit.CropError, match="no such object"):
        cropkit.crop_bytes("s3://bucket/none.jpg", rect=BOX, storage_options=options)
    with pytest.raises(cropkit.CropError, match="no such bucket") as caught:
        cropkit.crop(encoded(), "s3://nowhere/a.jpg", rect=BOX, storage_options=options)
    assert caught.value.code == "output-uncreatable"
    monkeypatch.setattr(_objects, "PAUSES", ())
    nobody = {"key": "hush-id", "secret": SECRET, "client_kwargs": {"endpoint_url": "http://127.0.0.1:1"}}
    nobody["config_kwargs"] = {"retries": {"max_attempts": 0}}
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop_bytes("s3://bucket/a.jpg", rect=BOX, storage_options=nobody)
    assert caught.value.code == "read-failed"
    assert "hush" not in repr(caught.value)
