"""A stand-in for Immich: the calls that CropKit makes, as in Immich's OpenAPI description (immich-api.json)."""

import base64
import email.parser
import email.policy
import hashlib
import json
import re
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

API = json.loads((Path(__file__).parent / "immich-api.json").read_text())
KEY = "a-key-that-nobody-may-see-4711"
OWNER = str(uuid.uuid4())


def asset_json(asset, stacks):
    """An asset as `AssetResponseDto` describes it."""
    stack = next((one for one in stacks.values() if asset["id"] in one["assets"]), None)
    return {
        "id": asset["id"], "ownerId": OWNER, "type": asset.get("type", "IMAGE"), "originalPath": "/upload/x",
        "originalFileName": asset["name"], "originalMimeType": "image/jpeg",
        "checksum": base64.b64encode(hashlib.sha1(asset["data"]).digest()).decode(),
        "fileCreatedAt": asset["created"], "fileModifiedAt": asset["modified"], "localDateTime": asset["created"],
        "createdAt": asset["created"], "updatedAt": asset["modified"], "duration": None, "thumbhash": None,
        "hasMetadata": True, "isArchived": False, "isEdited": bool(asset["edits"]), "isFavorite": False,
        "isOffline": False, "isTrashed": asset.get("trashed", False), "visibility": asset.get("visibility", "timeline"),
        "width": None, "height": None,
        "stack": stack and {"id": stack["id"], "primaryAssetId": stack["assets"][0], "assetCount": len(stack["assets"])},
    }  # fmt: skip


class Immich(ThreadingHTTPServer):
    """Runs from its creation until `stop`; its data and the requests can be inspected."""

    daemon_threads = True

    def __init__(self, permissions=None, check=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.assets, self.stacks, self.asked = {}, {}, []
        self.permissions = {call["permission"] for call in API["calls"].values()} if permissions is None else permissions
        #: Called with a call's name before and after it is handled; the returned value is an error to respond
        #: with.
        self.before = self.after = lambda call, handler: None
        #: Called with a schema and the value of each body.
        self.check = check or (lambda schema, value: None)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def add(self, data, name="IMG_1.jpg", **more):
        """Adds a photo; returns its id."""
        key = str(uuid.uuid4())
        self.assets[key] = {
            "id": key, "data": data, "name": name, "edits": [], "created": "2024-05-01T10:20:30.000Z",
            "modified": "2024-05-02T10:20:30.000Z", **more}  # fmt: skip
        return key

    def edit(self, key, *edits):
        """Gives a photo edits, like another client of Immich."""
        self.assets[key]["edits"] = [{"id": str(uuid.uuid4()), **edit} for edit in edits]

    def stop(self):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        """A client that disconnects is not an error here."""


class Handler(BaseHTTPRequestHandler):
    """Handles one call."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        server = self.server
        path = self.path.split("?")[0]
        found = re.fullmatch(r"/api(/assets/|/assets|/stacks)([0-9a-f-]{36})?(/edits|/original)?", path)
        call = f"{self.command} {found[1].rstrip('/') + ('/{id}' if found[2] else '') + (found[3] or '')}" if found else ""
        server.asked.append((call or f"{self.command} {path}", dict(self.headers)))
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if call not in API["calls"]:
            return self.answer(404, {"message": "Cannot " + self.path})
        if self.headers.get("x-api-key") != KEY:
            return self.answer(401, {"message": "Invalid API key"})
        described = API["calls"][call]
        if described["permission"] not in server.permissions:
            return self.answer(403, {"message": f"Missing required permission: {described['permission']}"})
        if server.before(call, self):
            return None
        status, value = self.carry_out(call, found[2], body)
        if str(status) in described["statuses"] and (schema := described["statuses"][str(status)]):
            server.check(schema, value)
        if server.after(call, self):
            return None
        return self.answer(status, value)

    do_POST = do_PUT = do_DELETE = do_GET

    def carry_out(self, call, key, body):
        server = self.server
        asset = server.assets.get(key)
        if key and asset is None:
            return 400, {"message": "Not found or no asset.read access"}
        match call:
            case "GET /assets/{id}":
                return 200, asset_json(asset, server.stacks)
            case "GET /assets/{id}/original":
                return 200, asset["data"]
            case "GET /assets/{id}/edits":
                return 200, {"assetId": key, "edits": asset["edits"]}
            case "PUT /assets/{id}/edits":
                wanted = json.loads(body)
                server.check(API["calls"][call]["body"]["schema"], wanted)
                asset["edits"] = [{"id": str(uuid.uuid4()), **edit} for edit in wanted["edits"]]
                return 200, {"assetId": key, "edits": asset["edits"]}
            case "DELETE /assets/{id}/edits":
                asset["edits"] = []
                return 204, None
            case "POST /assets":
                return self.upload(call, body)
            case "POST /stacks":
                return self.stack(call, json.loads(body))

    def upload(self, call, body):
        server = self.server
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        parts = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
        form = {part.get_param("name", header="content-disposition"): part for part in parts.iter_parts()}
        data = form["assetData"].get_payload(decode=True)
        # Line breaks within a part belong to the file.
        start = body.index(b"\r\n\r\n", body.index(b'name="assetData"')) + 4
        data = body[start : body.rindex(b"\r\n--")]
        values = {name: part.get_content().rstrip("\n") for name, part in form.items() if name != "assetData"}
        server.check(API["calls"][call]["body"]["schema"], {**values, "assetData": "(bytes)"})
        digest = hashlib.sha1(data).hexdigest()
        assert self.headers["x-immich-checksum"] == digest, "the checksum is not that of the file"
        for asset in server.assets.values():
            if hashlib.sha1(asset["data"]).hexdigest() == digest:
                return 200, {"id": asset["id"], "status": "duplicate"}
        key = server.add(
            data, form["assetData"].get_filename(), created=values["fileCreatedAt"], modified=values["fileModifiedAt"],
            visibility=values.get("visibility", "timeline"))
        return 201, {"id": key, "status": "created"}

    def stack(self, call, wanted):
        server = self.server
        server.check(API["calls"][call]["body"]["schema"], wanted)
        ids = list(wanted["assetIds"])
        # If one of the photos is the primary one of a stack, that stack is merged into the new one.
        for key, stack in list(server.stacks.items()):
            if stack["assets"][0] in ids:
                ids += [one for one in stack["assets"] if one not in ids]
                del server.stacks[key]
        key = str(uuid.uuid4())
        server.stacks[key] = {"id": key, "assets": ids}
        return 201, {
            "id": key, "primaryAssetId": ids[0], "assets": [asset_json(server.assets[one], server.stacks) for one in ids]}

    def answer(self, status, value, **fields):
        data = value if isinstance(value, bytes) else b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/octet-stream" if isinstance(value, bytes) else "application/json")
        for name, text in fields.items():
            self.send_header(name.replace("_", "-"), text)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def cut(self):
        """Closes the connection abruptly."""
        self.close_connection = True
        self.connection.close()
        return True
