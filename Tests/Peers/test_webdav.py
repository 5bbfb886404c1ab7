"""Photos of a WebDAV server (WsgiDAV), opened and saved back."""

import json
import os
from base64 import b64encode
from urllib.parse import quote

import pytest
from dav_servers import PASSWORD, TIME, Davs
from gallery_server import Served
from test_immich import PART, jpeg


@pytest.fixture
def dav(tmp_path):
    server = Davs(tmp_path / "files")
    yield server
    server.stop()


def settings(dav, more=""):
    return dav.settings + more


@pytest.fixture
def server(dav, tmp_path):
    server = Served(tmp_path / "served", settings(dav), [("password", PASSWORD)])
    yield server
    server.stop()
    assert PASSWORD not in server.log.read_text()


NAME = "Urlaub 2024/ein Bild + Café #1.jpg"


def test_a_photo_opens_completely(dav, server):
    data = jpeg()
    dav.write(NAME, data)
    opened, body = server.open(f"dav:{NAME}")
    assert body == data
    assert opened["gallery"] == "WebDAV" and opened["ways"] == ["beside", "replace"] and opened["version"]
    status, fields, _ = server.ask("GET", f"open/dav/{quote(NAME)}")
    assert status == 303 and fields["Location"] == "/#/from/" + quote(f"dav:{NAME}", safe="")
    for strange in ("dav:", "dav:../secret", "dav:a/../b", "dav:a/./b", "dav:a\nb"):
        assert server.refused(strange)["code"] == "usage", strange
    # A slash within a name is rejected.
    assert server.ask("GET", "open/dav/a%2F..%2Fsecret")[0] == 400
    assert server.refused("dav:none.jpg")["code"] == "gallery-missing"
    dav.write("text.jpg", b"no picture")
    assert server.refused("dav:text.jpg")["code"] == "unsupported-format"


def test_a_crop_is_saved_next_to_it_once(dav, server):
    dav.write(NAME, jpeg())
    opened, _ = server.open(f"dav:{NAME}")
    saved = server.save(opened, "beside", PART)
    assert saved == {"name": "ein Bild + Café #1-cropped.jpg", "new": True}
    assert server.save(opened, "beside", PART)["new"] is False
    assert server.save(opened, "beside", jpeg(3))["name"] == "ein Bild + Café #1-cropped-2.jpg"
    assert len(dav.files) == 3 and dav.files["Urlaub 2024/ein Bild + Café #1-cropped.jpg"] == PART


def test_a_crop_replaces_the_photo_which_is_kept(dav, server):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    saved = server.save(opened, "replace", PART)
    assert saved["new"] and saved["kept"] == "a-original.jpg"
    assert dav.files == {"a.jpg": PART, "a-original.jpg": data}
    # Saving again changes nothing; the next crop keeps the file that it replaces under another name.
    assert server.save(opened, "replace", PART)["new"] is False
    again, _ = server.open("dav:a.jpg")
    assert server.save(again, "replace", jpeg(4))["kept"] == "a-original-2.jpg"
    assert dav.files["a-original.jpg"] == data and dav.files["a-original-2.jpg"] == PART


def test_a_server_that_keeps_versions_needs_no_copy(dav, tmp_path):
    dav.write("a.jpg", jpeg())
    server = Served(tmp_path / "served", settings(dav, "keeps-versions = true\n"), [("password", PASSWORD)])
    opened, _ = server.open("dav:a.jpg")
    assert "kept" not in server.save(opened, "replace", PART)
    assert dav.files == {"a.jpg": PART}
    server.stop()


def test_a_photo_that_was_changed_in_the_meantime_is_kept(dav, server):
    dav.write("a.jpg", jpeg())
    opened, _ = server.open("dav:a.jpg")
    other = jpeg(8)
    dav.write("a.jpg", other)
    os.utime(dav.folder / "a.jpg", (TIME + 9, TIME + 9))
    for way in ("replace", "beside"):
        assert server.save(opened, way, PART, expected=(409,))["code"] == "gallery-changed"
    assert dav.files == {"a.jpg": other}


def test_a_crop_in_another_format_replaces_nothing(dav, server):
    dav.write("a.png", jpeg())
    opened, _ = server.open("dav:a.png")
    assert server.save(opened, "replace", PART, expected=(409,))["code"] == "gallery-format"
    assert server.save(opened, "stack", PART, expected=(400,))["code"] == "usage"


@pytest.mark.thorough
@pytest.mark.parametrize("most", [40, 400, 900, 4096, len(PART) - 100])
@pytest.mark.parametrize("way", ["beside", "replace"])
def test_a_broken_connection_loses_and_duplicates_nothing(dav, server, most, way):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    dav.line.most = most
    status, _, body = server.ask(
        "POST", "api/galleries/file", PART, photo=opened["photo"], version=opened["version"], **{"as": way})
    assert status == 502, body
    assert data in dav.files.values()
    dav.line.most = None
    server.save(opened, way, PART)
    wanted = {"a.jpg": data, "a-cropped.jpg": PART} if way == "beside" else {"a.jpg": PART, "a-original.jpg": data}
    assert dav.files == wanted


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["HEAD", "COPY", "PUT"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_server_that_is_killed_loses_nothing(dav, server, method, moment):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    app = dav.server.wsgi_app

    def killing(environ, start_response):
        if environ["REQUEST_METHOD"] != method:
            return app(environ, start_response)
        if moment == "before":
            server.kill()
        answer = list(app(environ, start_response))
        if moment == "after":
            server.kill()
        return answer

    dav.server.wsgi_app = killing
    with pytest.raises(OSError):
        server.save(opened, "replace", PART)
    dav.server.wsgi_app = app
    server.start()
    server.save(opened, "replace", PART)
    assert dav.files == {"a.jpg": PART, "a-original.jpg": data}


@pytest.mark.parametrize(("status", "code", "part"), [
    ("504 Gateway Timeout", "gallery-error", len(PART)), ("500 Oh", "gallery-error", 1000),
    ("507 Insufficient Storage", "gallery-full", 0), ("403 Forbidden", "gallery-right", 1000),
])
def test_the_copy_stays_if_a_failed_upload_changed_the_photo(dav, server, status, code, part):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    app = dav.server.wsgi_app

    def failing(environ, start_response):
        if environ["REQUEST_METHOD"] != "PUT":
            return app(environ, start_response)
        # The server writes into the file itself, and then fails, or a proxy does.
        sent = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        (dav.folder / "a.jpg").write_bytes(sent[:part])
        start_response(status, [("Content-Length", "0")])
        return [b""]

    dav.server.wsgi_app = failing
    assert server.save(opened, "replace", PART, expected=(403, 502, 507))["code"] == code
    assert dav.files["a-original.jpg"] == data
    dav.server.wsgi_app = app
    server.save(opened, "replace", PART)
    assert dav.files == {"a.jpg": PART, "a-original.jpg": data}


def test_the_copy_of_a_photo_that_another_program_changed_is_removed(dav, server):
    dav.write("a.jpg", jpeg())
    opened, _ = server.open("dav:a.jpg")
    app, other = dav.server.wsgi_app, jpeg(8)

    def late(environ, start_response):
        if environ["REQUEST_METHOD"] == "PUT":
            dav.write("a.jpg", other)
            os.utime(dav.folder / "a.jpg", (TIME + 9, TIME + 9))
        return app(environ, start_response)

    dav.server.wsgi_app = late
    assert server.save(opened, "replace", PART, expected=(409,))["code"] == "gallery-changed"
    assert dav.files == {"a.jpg": other}


def test_the_copy_is_removed_if_the_upload_is_redirected(dav, server):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    app = dav.server.wsgi_app

    def moved(environ, start_response):
        if environ["REQUEST_METHOD"] != "PUT":
            return app(environ, start_response)
        environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        start_response("308 Permanent Redirect", [("Content-Length", "0"), ("Location", "/elsewhere/a.jpg")])
        return [b""]

    dav.server.wsgi_app = moved
    assert server.save(opened, "replace", PART, expected=(502,))["code"] == "gallery-redirect"
    assert dav.files == {"a.jpg": data}


def full(app, dav, method, name, whole):
    """A server whose disk is full: it cuts off a file, and fails."""

    def cutting(environ, start_response):
        if environ["REQUEST_METHOD"] != method:
            return app(environ, start_response)
        environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        (dav.folder / name).write_bytes(whole[:700])
        start_response("507 Insufficient Storage", [("Content-Length", "0")])
        return [b""]

    return cutting


def test_a_copy_that_a_full_disk_cut_off_keeps_no_name(dav, server):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    app = dav.server.wsgi_app
    dav.server.wsgi_app = full(app, dav, "COPY", "a-original.jpg", data)
    assert server.save(opened, "replace", PART, expected=(507,))["code"] == "gallery-full"
    assert dav.files == {"a.jpg": data}
    dav.server.wsgi_app = app
    assert server.save(opened, "replace", PART)["kept"] == "a-original.jpg"
    assert dav.files == {"a.jpg": PART, "a-original.jpg": data}


def test_a_cut_copy_of_an_earlier_failure_makes_way_for_the_original(dav, server):
    data = jpeg()
    dav.write("a.jpg", data)
    dav.write("a-original.jpg", data[:700])
    opened, _ = server.open("dav:a.jpg")
    assert server.save(opened, "replace", PART)["kept"] == "a-original.jpg"
    assert dav.files == {"a.jpg": PART, "a-original.jpg": data}


def test_a_copy_that_is_cut_off_without_an_error_is_noticed(dav, server):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    app = dav.server.wsgi_app

    def cutting(environ, start_response):
        answer = list(app(environ, start_response))
        if environ["REQUEST_METHOD"] == "COPY":
            (dav.folder / environ["HTTP_DESTINATION"].rsplit("/", 1)[1]).write_bytes(data[:700])
        return answer

    dav.server.wsgi_app = cutting
    assert server.save(opened, "replace", PART, expected=(502,))["code"] == "gallery-broken"
    assert dav.files == {"a.jpg": data}


def test_a_crop_that_a_full_disk_cut_off_keeps_no_name(dav, server):
    data = jpeg()
    dav.write("a.jpg", data)
    opened, _ = server.open("dav:a.jpg")
    app = dav.server.wsgi_app
    dav.server.wsgi_app = full(app, dav, "PUT", "a-cropped.jpg", PART)
    assert server.save(opened, "beside", PART, expected=(507,))["code"] == "gallery-full"
    assert dav.files == {"a.jpg": data}


@pytest.mark.parametrize("encoded", [False, True])
def test_no_error_repeats_the_password(dav, server, encoded):
    dav.write("a.jpg", jpeg())
    secret = b64encode(f"anna:{PASSWORD}".encode()).decode() if encoded else PASSWORD

    def repeating(environ, start_response):
        start_response("400 Bad Request", [])
        return [json.dumps({"message": f"no such user: {secret}"}).encode()]

    dav.server.wsgi_app = repeating
    problem = server.refused("dav:a.jpg")
    assert problem["code"] == "gallery-refused" and secret not in problem["detail"]


def test_an_interrupted_upload_without_a_strong_tag_is_saved_under_another_name(dav, server):
    dav.write("a.jpg", jpeg())
    app = dav.server.wsgi_app

    def weak(environ, start_response):
        def start(status, fields, *rest):
            return start_response(status, [(k, f"W/{v}" if k.lower() == "etag" else v) for k, v in fields], *rest)

        # Weak tags never match there (RFC 9110, 13.1.1).
        if "W/" in environ.get("HTTP_IF_MATCH", ""):
            start_response("412 Precondition Failed", [("Content-Length", "0")])
            return [b""]
        return app(environ, start)

    dav.server.wsgi_app = weak
    opened, _ = server.open("dav:a.jpg")
    assert opened["ways"] == ["beside"]
    # The start of the crop, which can't be replaced without a strong tag.
    dav.write("a-cropped.jpg", PART[:1000])
    assert server.save(opened, "beside", PART)["name"] == "a-cropped-2.jpg"
    assert server.save(opened, "beside", PART) == {"name": "a-cropped-2.jpg", "new": False}


@pytest.mark.thorough
def test_a_wrong_password_and_a_full_disk_are_reported(dav, server, tmp_path):
    dav.write("a.jpg", jpeg())
    opened, _ = server.open("dav:a.jpg")
    app = dav.server.wsgi_app

    def full(environ, start_response):
        if environ["REQUEST_METHOD"] != "PUT":
            return app(environ, start_response)
        environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        start_response(full.status, [("Content-Length", "0")])
        return [b""]

    dav.server.wsgi_app = full
    for full.status, code in (
        ("507 Insufficient Storage", "gallery-full"), ("403 Forbidden", "gallery-right"), ("423 Locked", "gallery-locked"),
        ("500 Oh", "gallery-error"), ("412 Precondition Failed", "gallery-changed"),
    ):  # fmt: skip
        problem = server.save(opened, "replace", PART, expected=(507, 403, 409, 502))
        assert problem["code"] == code
        # No copy is left of a file that was not replaced.
        assert list(dav.files) == ["a.jpg"]
    dav.server.wsgi_app = app
    wrong = Served(tmp_path / "wrong", settings(dav), [("password", "another")])
    problem = wrong.refused("dav:a.jpg")
    assert problem["code"] == "gallery-key" and problem["status"] == 502
    wrong.stop()
