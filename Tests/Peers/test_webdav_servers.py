"""Servers that ignore `If-None-Match` and `If-Match`: nothing of others is overwritten."""

import pytest
from dav_servers import PASSWORD, TIME, Careless, Nginx, Rclone, Untagged
from gallery_server import Served
from test_immich import PART, jpeg

PROGRAMS = [Nginx, Rclone]


@pytest.fixture
def dav(request, tmp_path):
    server = request.param(tmp_path / "files")
    yield server
    server.stop()


@pytest.fixture
def server(dav, tmp_path):
    server = Served(tmp_path / "served", dav.settings, [("password", PASSWORD)])
    yield server
    server.stop()


@pytest.mark.parametrize("dav", [Untagged, *PROGRAMS], indirect=True)
def test_a_crop_beside_a_photo_overwrites_nothing(dav, server):
    data, strange = jpeg(), jpeg(7)
    dav.write("Urlaub/a b.jpg", data)
    dav.write("Urlaub/a b-cropped.jpg", strange)
    opened, body = server.open("dav:Urlaub/a b.jpg")
    assert body == data
    assert server.save(opened, "beside", PART) == {"name": "a b-cropped-2.jpg", "new": True}
    assert server.save(opened, "beside", PART) == {"name": "a b-cropped-2.jpg", "new": False}
    wanted = {"Urlaub/a b.jpg": data, "Urlaub/a b-cropped.jpg": strange, "Urlaub/a b-cropped-2.jpg": PART}
    assert dav.files == wanted


@pytest.mark.parametrize("dav", PROGRAMS, indirect=True)
def test_a_crop_replaces_a_photo_once_and_keeps_it(dav, server):
    data, strange = jpeg(), jpeg(7)
    dav.write("a.jpg", data)
    dav.write("a-original.jpg", strange)
    opened, _ = server.open("dav:a.jpg")
    assert opened["ways"] == ["beside", "replace"]
    saved = server.save(opened, "replace", PART)
    assert saved["new"] and saved["kept"] == "a-original-2.jpg"
    assert server.save(opened, "replace", PART)["new"] is False
    assert dav.files == {"a.jpg": PART, "a-original.jpg": strange, "a-original-2.jpg": data}


@pytest.mark.parametrize("dav", PROGRAMS, indirect=True)
def test_a_photo_that_was_changed_after_it_was_opened_is_kept(dav, server):
    dav.write("a.jpg", jpeg())
    opened, _ = server.open("dav:a.jpg")
    other = jpeg(8)
    dav.write("a.jpg", other, TIME + 9)
    for way in ("replace", "beside"):
        assert server.save(opened, way, PART, expected=(409,))["code"] == "gallery-changed"
    assert dav.files == {"a.jpg": other}


def after(dav, method, act):
    """Acts after each request with a method."""
    app = dav.server.wsgi_app

    def answer(environ, start_response):
        answer = list(app(environ, start_response))
        if environ["REQUEST_METHOD"] == method:
            act()
        return answer

    dav.server.wsgi_app = answer


@pytest.mark.parametrize("dav", [Careless], indirect=True)
def test_a_photo_that_is_changed_while_it_is_copied_is_kept(dav, server):
    dav.write("a.jpg", jpeg())
    opened, _ = server.open("dav:a.jpg")
    other = jpeg(8)
    after(dav, "COPY", lambda: dav.write("a.jpg", other, TIME + 9))
    assert server.save(opened, "replace", PART, expected=(409,))["code"] == "gallery-changed"
    assert dav.files == {"a.jpg": other}


@pytest.mark.parametrize("dav", [Careless], indirect=True)
def test_the_copy_stays_if_an_earlier_request_saves_the_crop_meanwhile(dav, server):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    after(dav, "COPY", lambda: dav.write("a.jpg", PART, TIME + 9))
    assert server.save(opened, "replace", PART, expected=(409,))["code"] == "gallery-changed"
    assert dav.files == {"a.jpg": PART, "a-original.jpg": data}


@pytest.mark.parametrize("dav", [Untagged], indirect=True)
@pytest.mark.parametrize("other", [jpeg(9), b""], ids=["another file", "an empty file"])
def test_a_file_that_another_program_writes_to_the_same_name_is_reported(dav, server, other):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    after(dav, "PUT", lambda: dav.write("a-cropped.jpg", other))
    problem = server.save(opened, "beside", PART, expected=(409,))
    assert problem["code"] == "gallery-conflict" and "a-cropped.jpg" in problem["detail"]
    assert dav.files == {"a.jpg": data, "a-cropped.jpg": other}
