"""Photos of Immich, opened and saved back, with a stand-in that follows Immich's OpenAPI description."""

import io
import json
import shutil
import subprocess
import time

import jsonschema
import numpy as np
import pytest
from conftest import BIN, crop, run
from gallery_server import Served
from immich_stub import API, KEY, Immich
from PIL import Image, ImageOps

W, H = 640, 480


def check(schema, value):
    """Whether a value matches Immich's description."""
    jsonschema.validate(value, {**schema, "schemas": API["schemas"]})


def jpeg(seed=1, orientation=1, size=(W, H)):
    """A photo, a different one for each seed."""
    rows = np.random.default_rng(seed).integers(0, 256, (size[1] // 16, size[0] // 16, 3), np.uint8)
    exif = Image.Exif()
    exif[0x112] = orientation
    file = io.BytesIO()
    Image.fromarray(rows.repeat(16, 0).repeat(16, 1)).save(file, "JPEG", quality=95, subsampling=0, exif=exif)
    return file.getvalue()


PART = jpeg(2, size=(320, 240))
CROP = {"action": "crop", "parameters": {"x": 16, "y": 32, "width": 320, "height": 240}}


@pytest.fixture
def immich():
    server = Immich(check=check)
    yield server
    server.stop()


@pytest.fixture
def server(immich, tmp_path):
    server = Served(tmp_path / "served", settings(immich.url), [("key", KEY)])
    yield server
    server.stop()
    # In no case was the key revealed.
    assert KEY not in server.log.read_text()


def settings(url):
    return f'[immich]\nurl = "{url}"\nkey-file = "key"\n'


def test_a_photo_opens_with_the_crop_of_immich(immich, server):
    data = jpeg()
    key = immich.add(data, "Urlaub/../../Café \u202egpj.jpg")
    immich.edit(key, CROP)
    opened, body = server.open(f"immich:{key}")
    assert body == data
    assert opened["gallery"] == "Immich" and opened["ways"] == ["stack", "edit"]
    assert opened["recipe"]["rect"] == CROP["parameters"]
    # A name can't lead to another path, and is shown as it is.
    assert "/" not in opened["name"] and "\u202e" not in opened["name"] and opened["name"].startswith("Caf")
    assert {call for call, _ in immich.asked} <= set(API["calls"])
    status, fields, _ = server.ask("GET", f"open/immich/{key.upper()}")
    assert (status, fields["Location"]) == (303, f"/#/from/immich%3A{key}")
    for strange in ("immich:../users", "immich:", "nobody:1", f"immich:{key}/edits"):
        assert server.refused(strange)["code"] == "usage", strange
    assert server.ask("GET", "open/immich/..%2Fusers")[0] == 400


def test_a_crop_becomes_an_edit_and_can_be_removed(immich, server):
    key = immich.add(jpeg())
    opened, _ = server.open(f"immich:{key}")
    recipe = {"rect": {"x": 30, "y": 40, "width": 200, "height": 300}, "quarterTurns": 1, "mirrored": True}
    saved = server.edit(opened, recipe, W, H)
    assert saved["new"]
    actions = [edit["action"] for edit in immich.assets[key]["edits"]]
    assert actions == ["crop", "mirror", "rotate"]
    # Opening it again gives the same, and saving it again changes nothing.
    again, _ = server.open(f"immich:{key}")
    assert again["recipe"]["rect"] == recipe["rect"] and again["version"] == saved["version"]
    assert server.edit(opened, recipe, W, H)["new"] is False
    whole = {"rect": {"x": 0, "y": 0, "width": W, "height": H}}
    server.edit(again, whole, W, H)
    assert immich.assets[key]["edits"] == []


@pytest.mark.parametrize(("recipe", "word"), [
    ({"tilt": 3, "rect": {"x": 100, "y": 100, "width": 100, "height": 100}}, "tilt"),
    ({"shape": "ellipse"}, "ellipse"),
    ({"output": {"maxSide": 100}}, "size of the result"),
    ({"version": 2, "quad": [{"x": x, "y": y} for x, y in ((10, 10), (300, 20), (310, 200), (5, 190))]}, "four corners"),
])
def test_edits_that_immich_can_not_express_are_rejected_by_name(immich, server, recipe, word):
    key = immich.add(jpeg())
    opened, _ = server.open(f"immich:{key}")
    problem = server.edit(opened, recipe, W, H, expected=422)
    assert problem["code"] == "gallery-lacks" and word in problem["detail"]
    assert not any(call.startswith("PUT") for call, _ in immich.asked)


def test_a_crop_becomes_one_photo_on_top_of_the_stack(immich, server):
    key = immich.add(jpeg(), "IMG_7.jpeg", visibility="archive")
    opened, _ = server.open(f"immich:{key}")
    saved = server.save(opened, "stack", PART)
    assert saved["new"] and saved["name"] == "IMG_7-cropped.jpg"
    (stack,) = immich.stacks.values()
    new = stack["assets"][0]
    assert stack["assets"] == [new, key]
    asset = immich.assets[new]
    assert asset["data"] == PART and asset["created"] == immich.assets[key]["created"]
    assert asset["visibility"] == "archive"
    # A repetition creates nothing; another crop goes on top of the same stack.
    assert server.save(opened, "stack", PART)["new"] is False
    assert len(immich.assets) == 2 and len(immich.stacks) == 1
    server.save(opened, "stack", jpeg(3))
    (stack,) = immich.stacks.values()
    assert len(stack["assets"]) == 3 and stack["assets"][1:] == [new, key]
    # The photo is not a crop of itself.
    assert server.save(opened, "stack", immich.assets[key]["data"])["new"] is False
    assert len(immich.assets) == 3


def test_a_photo_that_was_replaced_or_edited_in_the_meantime_stays(immich, server):
    key = immich.add(jpeg())
    opened, _ = server.open(f"immich:{key}")
    recipe = {"rect": {"x": 0, "y": 0, "width": 100, "height": 100}}
    immich.edit(key, CROP)
    assert server.edit(opened, recipe, W, H, expected=409)["code"] == "gallery-changed"
    assert [edit["parameters"] for edit in immich.assets[key]["edits"]] == [CROP["parameters"]]
    immich.assets[key]["data"] = jpeg(9)
    assert server.save(opened, "stack", PART, expected=(409,))["code"] == "gallery-changed"
    assert server.edit(opened, recipe, W, H, expected=409)["code"] == "gallery-changed"
    assert len(immich.assets) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("right", sorted({call["permission"] for call in API["calls"].values()}))
def test_a_missing_permission_of_the_key_is_named(immich, server, right):
    key = immich.add(jpeg())
    opened, _ = server.open(f"immich:{key}")
    immich.permissions = immich.permissions - {right}
    recipe = {"rect": {"x": 0, "y": 0, "width": 100, "height": 100}}
    match right:
        case "asset.read" | "asset.download": detail = server.refused(f"immich:{key}")["detail"]
        case "asset.edit.get":
            # The photo opens anyway.
            unframed, _ = server.open(f"immich:{key}")
            assert unframed["ways"] == ["stack"]
            detail = unframed["note"]
        case "asset.edit.create": detail = server.edit(opened, recipe, W, H, expected=403)["detail"]
        case "asset.edit.delete":
            detail = server.edit(server.edit(opened, recipe, W, H) | {"photo": opened["photo"]}, {}, W, H, 403)["detail"]
        case _: detail = server.save(opened, "stack", PART, expected=(403,))["detail"]
    assert right in detail
    if right == "stack.create":
        # The next attempt stacks the photos that already exist.
        immich.permissions = immich.permissions | {right}
        assert server.save(opened, "stack", PART)["new"] is False
        assert len(immich.assets) == 2 and len(immich.stacks) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("step", ["GET /assets/{id}", "POST /assets", "POST /stacks"])
def test_a_server_that_is_killed_makes_one_file_at_the_next_try(immich, server, moment, step):
    key = immich.add(jpeg())
    opened, _ = server.open(f"immich:{key}")

    def fault(call, handler):
        if call == step and server.process.poll() is None:
            server.kill()
            return handler.cut()
        return None

    setattr(immich, moment, fault)
    with pytest.raises(OSError):
        server.save(opened, "stack", PART)
    setattr(immich, moment, lambda call, handler: None)
    server.start()
    server.save(opened, "stack", PART)
    assert len(immich.assets) == 2
    (stack,) = immich.stacks.values()
    assert stack["assets"][1] == key and immich.assets[stack["assets"][0]]["data"] == PART


@pytest.mark.thorough
@pytest.mark.parametrize("step", ["GET /assets/{id}", "GET /assets/{id}/edits", "PUT /assets/{id}/edits"])
def test_an_interrupted_edit_is_complete_or_absent(immich, server, step):
    key = immich.add(jpeg())
    opened, _ = server.open(f"immich:{key}")
    recipe = {"rect": {"x": 0, "y": 0, "width": 100, "height": 100}}
    immich.after = lambda call, handler: handler.cut() if call == step else None
    assert server.edit(opened, recipe, W, H, expected=502)["code"] == "gallery-broken"
    immich.after = lambda call, handler: None
    server.edit(opened, recipe, W, H)
    assert [edit["action"] for edit in immich.assets[key]["edits"]] == ["crop"]


def test_an_interrupted_upload_is_retried(immich, server):
    key = immich.add(jpeg())
    opened, _ = server.open(f"immich:{key}")
    for moment in ("before", "after"):
        setattr(immich, moment, lambda call, handler: handler.cut() if call == "POST /assets" else None)
        problem = server.save(opened, "stack", PART, expected=(502,))
        assert problem["code"] == "gallery-broken"
        setattr(immich, moment, lambda call, handler: None)
    server.save(opened, "stack", PART)
    assert len(immich.assets) == 2 and len(immich.stacks) == 1


@pytest.mark.thorough
@pytest.mark.parametrize(("answer", "code"), [
    ((500, {"message": "oh"}), "gallery-error"),
    ((400, {"message": "Quota has been exceeded!"}), "gallery-refused"),
    ((507, None), "gallery-full"),
    ((413, None), "gallery-limit"),
    ((429, None), "busy"),
    ((201, {"id": "../../etc"}), "gallery-answer"),
    ((201, b"<html>"), "gallery-answer"),
    ((400, {"message": f"the key {KEY} is no good"}), "gallery-refused"),
])
def test_upload_errors_are_reported(immich, server, answer, code):
    key = immich.add(jpeg())
    opened, _ = server.open(f"immich:{key}")
    immich.before = lambda call, handler: handler.answer(*answer) or True if call == "POST /assets" else None
    problem = server.save(opened, "stack", PART, expected=(502, 507, 413, 429))
    assert problem["code"] == code
    assert KEY not in json.dumps(problem)
    if "Quota" in str(answer):
        assert "Quota has been exceeded" in problem["detail"]


def hostile_bytes(handler, length, sent):
    """A response with a length that is wrong, or without an end."""
    handler.send_response(200)
    if length is not None:
        handler.send_header("Content-Length", str(length))
    handler.send_header("Connection", "close")
    handler.end_headers()
    part = b"\xff\xd8" * 65536
    try:
        for _ in range(sent):
            handler.wfile.write(part)
    except OSError:
        pass
    handler.close_connection = True
    return True


@pytest.mark.thorough
@pytest.mark.parametrize(("fault", "codes"), [
    (lambda h: h.answer(302, None, Location="https://elsewhere.example.org/") or True, {"gallery-redirect"}),
    (lambda h: h.answer(307, None, Location=h.path) or True, {"gallery-redirect"}),
    (lambda h: hostile_bytes(h, 10**10, 1), {"limit-bytes"}),
    (lambda h: hostile_bytes(h, None, 10**6), {"limit-bytes"}),
    (lambda h: hostile_bytes(h, 10**6, 1), {"gallery-broken"}),
    (lambda h: hostile_bytes(h, 10, 1), {"gallery-broken"}),
    (lambda h: h.answer(200, b"<html>a page</html>") or True, {"gallery-broken"}),
    (lambda h: h.answer(204, None) or True, {"gallery-refused"}),
    (lambda h: h.cut(), {"gallery-broken"}),
])
def test_a_hostile_gallery_does_no_harm(immich, server, fault, codes):
    key = immich.add(jpeg())
    immich.before = lambda call, handler: fault(handler) if call.endswith("/original") else None
    assert server.refused(f"immich:{key}")["code"] in codes
    assert server.process.poll() is None


@pytest.mark.thorough
@pytest.mark.parametrize("value", [
    b"[]", b'{"type": "IMAGE"}', b"\xff" * 100, b'{"a":' * 100_000, b'{"checksum": "' + b"x" * (5 << 20),
])
def test_an_invalid_asset_is_rejected(immich, server, value):
    key = immich.add(jpeg())
    immich.before = lambda call, handler: handler.answer(200, value) or True if call == "GET /assets/{id}" else None
    assert server.refused(f"immich:{key}")["code"] in {"gallery-answer", "limit-bytes"}


def test_other_files_are_not_opened(immich, server):
    text = immich.add(b"no picture at all")
    assert server.refused(f"immich:{text}")["code"] == "unsupported-format"
    film = immich.add(jpeg(), "film.mp4", type="VIDEO")
    assert "video" in server.refused(f"immich:{film}")["detail"]
    gone = "00000000-0000-4000-8000-000000000000"
    assert server.refused(f"immich:{gone}")["code"] == "gallery-refused"
    # Fields that its description does not have yet.
    immich.check = lambda schema, value: None
    odd = immich.add(jpeg())
    immich.edit(odd, {"action": "sharpen", "parameters": {"x": 1}})
    opened, _ = server.open(f"immich:{odd}")
    assert "sharpen" in opened["note"] and opened.get("recipe") is None


@pytest.mark.thorough
def test_an_unreachable_or_silent_gallery_is_reported(tmp_path):
    immich = Immich(check=check)
    key = immich.add(jpeg())
    server = Served(tmp_path / "served", settings(immich.url), [("key", KEY)])
    immich.before = lambda call, handler: time.sleep(60)
    problem = server.refused(f"immich:{key}")
    assert (problem["code"], problem["status"]) == ("gallery-slow", 504)
    immich.stop()
    assert server.refused(f"immich:{key}")["code"] == "gallery-down"
    server.stop()


@pytest.mark.thorough
def test_a_key_that_others_may_read_is_refused(tmp_path):
    (tmp_path / "server.toml").write_text(settings("http://127.0.0.1:1"))
    secret = tmp_path / "key"
    for mode, text, word in (
        (0o644, KEY, "chmod 600"), (0o640, KEY, "chmod 600"), (0o600, "\n", "no secret"), (None, "", "key"),
    ):  # fmt: skip
        if mode:
            secret.write_text(text)
            secret.chmod(mode)
        else:
            secret.unlink()
        done = run_serve(tmp_path)
        assert done.returncode != 0 and word in done.stderr and KEY not in done.stderr, done
    for table, word in (
        ('[immich]\nurl = "ftp://a"\nkey-file = "key"', "immich-url"),
        ('[immich]\nurl = "https://me:secret@a"\nkey-file = "key"', "password"),
        ('[immich]\nurl = "https://a"', "key-file"), ('[flickr]\nurl = "https://a"', "flickr"),
        ('[immich]\nport = 1', "port"), ('[immich', "table"),
    ):  # fmt: skip
        (tmp_path / "server.toml").write_text(table + "\n")
        done = run_serve(tmp_path)
        assert done.returncode != 0 and word in done.stderr and "me:secret" not in done.stderr, done


def run_serve(folder):
    return subprocess.run(
        [BIN / "cropkit", "serve", "--port", "0", "--library", "none",
         "--config", folder / "server.toml"], capture_output=True, text=True, timeout=300, check=False)  # fmt: skip


def test_no_key_is_sent_unencrypted_to_public_addresses(tmp_path):
    # 192.0.2.1 is reserved (RFC 5737); nothing is sent to it.
    server = Served(tmp_path / "served", settings("http://192.0.2.1"), [("key", KEY)])
    problem = server.refused("immich:00000000-0000-4000-8000-000000000000")
    assert problem["code"] == "gallery-insecure" and "https" in problem["detail"]
    assert server.refused("dav:photo.jpg")["code"] == "no-gallery"
    server.stop()


@pytest.mark.thorough
def test_a_certificate_is_checked(tmp_path, immich):
    import ssl

    pair = [tmp_path / "cert.pem", tmp_path / "tls-key.pem"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost", "-out", pair[0], "-keyout", pair[1]], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*pair)
    immich.socket = context.wrap_socket(immich.socket, server_side=True)
    key = immich.add(jpeg())
    for host, authority, code in (
        ("localhost", "", "gallery-certificate"), ("localhost", f'ca-file = "{pair[0]}"\n', None),
        ("127.0.0.1", f'ca-file = "{pair[0]}"\n', "gallery-certificate"),
    ):  # fmt: skip
        url = f"https://{host}:{immich.server_port}"
        server = Served(tmp_path / "served", settings(url) + authority, [("key", KEY)])
        if code:
            assert server.refused(f"immich:{key}")["code"] == code
        else:
            server.open(f"immich:{key}")
        server.stop()


@pytest.mark.thorough
@pytest.mark.parametrize("orientation", range(1, 9))
def test_immich_applies_edits_like_cropkit(tmp_path, orientation):
    if not shutil.which("vips"):
        pytest.skip("no vips; apt-get install libvips-tools")
    source = tmp_path / "photo.jpg"
    source.write_bytes(jpeg(5, orientation, (96, 64)))
    with Image.open(source) as image:
        width, height = ImageOps.exif_transpose(image).size
    for number, words in enumerate((
        ["--rect", "10,7,40,30"], ["--flip", "horizontal", "--rect", "3,4,40,30"],
        ["--rotate", "90", "--rect", "7,10,30,40"], ["--rotate", "180"], ["--flip", "vertical", "--rect", "1,2,9,8"],
        ["--flip", "horizontal", "--rotate", "270", "--rect", "7,10,30,40"],
    )):  # fmt: skip
        text = run("recipe", source, "--to", "immich", *words)
        check(API["calls"]["PUT /assets/{id}/edits"]["body"]["schema"], json.loads(text))
        picture = tmp_path / "0.v"
        subprocess.run(["vips", "autorot", source, picture], check=True)
        for step, edit in enumerate(json.loads(text)["edits"]):
            after, given = tmp_path / f"{number}-{step}.v", edit["parameters"]
            operation = {
                "crop": lambda g: ["crop", [g["x"], g["y"], g["width"], g["height"]]],
                "mirror": lambda g: ["flip", [g["axis"]]], "rotate": lambda g: ["rot", [f"d{g['angle']}"]],
            }[edit["action"]](given)  # fmt: skip
            subprocess.run(["vips", operation[0], picture, after, *map(str, operation[1])], check=True)
            picture = after
        subprocess.run(["vips", "copy", picture, tmp_path / "theirs.png"], check=True)
        crop(source, tmp_path / "ours.png", *words)
        (tmp_path / "edits.json").write_text(text)
        crop(source, tmp_path / "again.png", "--crop-from", tmp_path / "edits.json")
        pictures = [np.asarray(Image.open(tmp_path / f"{name}.png").convert("RGB")) for name in ("ours", "theirs", "again")]
        assert np.array_equal(pictures[0], pictures[1]) and np.array_equal(pictures[0], pictures[2]), (words, width, height)
