"""A library in memory that responds like the server's, of any size and without delay."""

import functools
import io
import json
import pathlib
import re
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

from PIL import Image

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Samples"
THUMBNAILS = {"large": 256, "x-large": 512}
FIRST_DAY = datetime(2026, 11, 20, 18, 0)


NAMES = sorted(SAMPLES.glob("*.jpg"))


def picture(which, side=1200):
    """One of the sample photos, upright, at most `side` pixels long."""
    return upright(which % len(NAMES), side)


@functools.cache
def upright(which, side):
    image = Image.open(NAMES[which])
    image.draft("RGB", (side, side))
    exif = image.getexif().get(0x0112, 1)
    turn = {3: 180, 6: 270, 8: 90}.get(exif)
    image = image.rotate(turn, expand=True) if turn else image.copy()
    image.thumbnail((side, side))
    return image


@functools.cache
def encoded(which, side, kind):
    """The bytes of a sample photo."""
    data = io.BytesIO()
    picture(which, side).save(data, kind, quality=80)
    return data.getvalue()


class FakeLibrary:
    """Responds to the library's calls with (status, headers, body), or None for other calls."""

    def __init__(self, count=60, folders=("Garden", "Lisbon 2024", "Winter"), spacing_hours=31):
        self.folders = list(folders)
        self.photos = {}
        self.files = {}
        self.crops = {}
        #: The canvases of the crops.
        self.canvases = {}
        # Crops of other programs, by photo.
        self.marks = {}
        self.trashed = {}
        self.before = {}
        self.events = []
        self.indexing = None
        self.is_gone = False
        # So many pages are connected that the server accepts no further event stream.
        self.is_crowded = False
        # Milliseconds until the page requests events again.
        self.retry = 250
        self.requests = []
        for number in range(count):
            self.add(number, FIRST_DAY - timedelta(hours=spacing_hours * number))
        self.order()

    def add(self, number, taken, album=None, name=None):
        width, height = picture(number).size
        key = f"p{number}"
        self.files[key] = (number, None)
        self.photos[key] = {
            "id": key, "name": name or f"IMG_{4000 + number}.jpg", "format": "jpeg",
            "width": width * 2, "height": height * 2, "bytes": 3_400_000 + number,
            "captured": taken.isoformat() + "Z", "modified": taken.isoformat() + "Z",
            "version": "1", "problem": None, "cropOf": None,
            "album": album or (f"folder-{number % len(self.folders)}" if self.folders else "all"),
        }
        return self.photos[key]

    def order(self):
        """Newest first, like every list; a saved crop is sorted by its file's time."""

        def age(photo):
            return photo["modified"] if photo["cropOf"] else photo["captured"], photo["id"]

        self.ordered = sorted(self.photos.values(), key=age, reverse=True)

    def members(self, album):
        if album == "all":
            return self.ordered
        if album == "recent":
            return self.ordered[:96]
        return [photo for photo in self.ordered if photo["album"] == album]

    def albums(self):
        known = [("all", "All", "all"), ("recent", "Recent", "recent"), ("camera", "Camera", "camera"),
                 ("cropped", "Cropped", "cropped")]
        known += [(f"folder-{index}", name, "folder") for index, name in enumerate(self.folders)]
        for key, name, kind in known:
            members = self.members(key)
            cover = next((photo["id"] for photo in members if not photo["problem"]), None)
            yield {"id": key, "name": name, "kind": kind, "count": len(members), "cover": cover}

    def tell(self, event, data):
        self.events.append(f"event: {event}\ndata: {json.dumps(data)}\n\n")

    def changed(self, photo, change):
        self.order()
        albums = ["all", "recent", photo["album"]]
        self.tell("changed", {"albums": albums, "photos": [{"id": photo["id"], "change": change}]})

    def vanish(self, key):
        """Deletes a file without the page's knowledge."""
        self.changed(self.photos.pop(key), "removed")

    def save(self, image, name, album, **more):
        number = len(self.files) + 500_000
        data = io.BytesIO()
        image.save(data, "JPEG", quality=90)
        photo = self.add(number, FIRST_DAY + timedelta(minutes=number - 499_000), album, name)
        self.files[photo["id"]] = (None, data.getvalue())
        photo.update(width=image.width, height=image.height, bytes=len(data.getvalue()), **more)
        self.changed(photo, "added")
        return photo

    def image(self, key):
        which, data = self.files[key]
        return picture(which) if data is None else Image.open(io.BytesIO(data))

    def cut(self, photo, recipe):
        image, rect = self.image(photo["id"]), recipe["rect"]
        scale = image.width / photo["width"]
        box = [rect["x"], rect["y"], rect["x"] + rect["width"], rect["y"] + rect["height"]]
        part = image.crop([round(side * scale) for side in box])
        return part.resize((round(rect["width"]), round(rect["height"]))).convert("RGB")

    # The calls

    def answer(self, method, address, body=b"", headers=None):
        parts = urlsplit(address)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        for pattern, verb, call in ROUTES:
            match = re.fullmatch(pattern, parts.path)
            if match and verb == method:
                self.requests.append((method, parts.path, query))
                return call(self, *match.groups(), query=query, body=body)
        return None

    def get_albums(self, query, body):
        return said(200, {"albums": list(self.albums()), "indexing": self.indexing, "folder": "Pictures"})

    def get_photos(self, album, query, body):
        if not any(known["id"] == album for known in self.albums()):
            return said(404, {"code": "not-found", "detail": f"there is no album {album}"})
        members = self.members(album)
        start = int(query.get("after", 0))
        page = members[start:start + int(query.get("limit", 100))]
        end = start + len(page)
        return said(200, {"photos": page, "next": str(end) if end < len(members) else None})

    def get_photo(self, key, query, body):
        photo = self.photos.get(key)
        if not photo:
            return gone(key)
        recipe, source = self.crops.get(key, (None, None))
        canvas = self.canvases.get(key)
        crops = [self.photos[crop] for crop, (_, of) in self.crops.items()
                 if of == key and crop in self.photos]
        return said(200, {**photo, "crops": crops, "source": self.photos.get(source), "recipe": recipe, "canvas": canvas,
                          "mark": self.marks.get(key), "canRestore": key in self.before})

    def get_thumbnail(self, key, query, body):
        if key not in self.photos:
            return gone(key)
        return self.shown(key, THUMBNAILS[query.get("size", "large")], "PNG")

    def get_preview(self, key, query, body):
        return self.shown(key, min(1200, int(query.get("maxSide", 1024))), "JPEG") \
            if key in self.photos else gone(key)

    def shown(self, key, side, kind):
        which, data = self.files[key]
        if self.photos[key]["problem"]:
            return said(422, {"code": "truncated", "detail": "the file ends early"})
        if data is None:
            content = encoded(which % len(NAMES), side, kind)
        else:
            image, stream = Image.open(io.BytesIO(data)), io.BytesIO()
            image.thumbnail((side, side))
            image.save(stream, kind)
            content = stream.getvalue()
        return 200, {"content-type": f"image/{kind.lower()}"}, content

    def get_original(self, key, query, body):
        if key not in self.photos:
            return gone(key)
        which, data = self.files[key]
        return 200, {"content-type": "image/jpeg"}, data or encoded(which % len(NAMES), 1200, "JPEG")

    def post_crop(self, key, query, body):
        photo, wish = self.photos.get(key), json.loads(body)
        if not photo:
            return gone(key)
        if wish.get("version") not in (None, photo["version"]):
            return changed_since(photo)
        if "aspect" in wish:
            wide, high = map(int, wish["aspect"].split(":"))
            scale = min(photo["width"] / wide, photo["height"] / high)
            width, height = int(wide * scale), int(high * scale)
            wish["recipe"] = {"rect": {"x": (photo["width"] - width) // 2, "width": width,
                                       "y": (photo["height"] - height) // 2, "height": height}}
        # Equal crops of a photo have one file.
        for crop, (recipe, of) in self.crops.items():
            if crop in self.photos and (recipe, of) == (wish["recipe"], key) and not wish.get("encoding"):
                return said(200, {**self.photos[crop], "warnings": [], "lossless": False})
        stem = pathlib.Path(photo["name"]).stem
        saved = self.save(self.cut(photo, wish["recipe"]), f"{stem}-cropped.jpg", "cropped", cropOf=key,
                          captured=photo["captured"])
        self.crops[saved["id"]] = (wish["recipe"], key)
        encoding = wish.get("encoding") or {}
        if "fill" in encoding:
            self.canvases[saved["id"]] = {name: encoding[name] for name in ("canvas", "margin", "place", "fill")
                                          if name in encoding}
        return said(201, {**saved, "warnings": [], "lossless": False})

    def get_targets(self, key, query, body):
        return said(404, {"code": "no-targets", "detail": "it has none"}) if key in self.photos else gone(key)

    def post_photo(self, query, body):
        image = Image.open(io.BytesIO(body)).convert("RGB")
        return said(201, self.save(image, query.get("name", "Photo.jpg"), "camera"))

    def post_mark(self, key, query, body):
        wish = json.loads(body)
        self.marks[key] = {"program": wish["for"], "recipe": wish["recipe"], "isApplied": False}
        suffix = {"rawtherapee": ".pp3", "darktable": ".xmp"}[wish["for"]]
        return said(200, {"sidecar": self.photos[key]["name"] + suffix})

    def post_trash(self, key, query, body):
        photo = self.photos.pop(key, None)
        if not photo:
            return gone(key)
        self.trashed[key] = photo
        self.changed(photo, "removed")
        return 204, {}, b""

    def get_trash(self, query, body):
        return said(200, {"photos": [{"id": key, "name": photo["name"], "removed": "2026-11-20T18:00:00Z"}
                                     for key, photo in reversed(self.trashed.items())]})

    def get_removed(self, key, query, body):
        if key not in self.trashed:
            return said(409, {"code": "nothing-to-restore", "detail": "it is not in the trash"})
        return 200, {"content-type": "image/jpeg"}, encoded(self.files[key][0] or 0, 256, "JPEG")

    def post_restore(self, key, query, body):
        if key in self.trashed:
            self.photos[key] = self.trashed.pop(key)
        elif key in self.before:
            self.photos[key], self.files[key] = self.before.pop(key)
        else:
            return gone(key)
        self.changed(self.photos[key], "changed")
        return said(200, self.photos[key])

    def post_replace(self, key, query, body):
        photo, wish = self.photos.get(key), json.loads(body)
        if not photo:
            return gone(key)
        if wish.get("version") not in (None, photo["version"]):
            return changed_since(photo)
        self.before[key] = dict(photo), self.files[key]
        image, data = self.cut(photo, wish["recipe"]), io.BytesIO()
        image.save(data, "JPEG", quality=90)
        self.files[key] = (None, data.getvalue())
        photo.update(width=image.width, height=image.height, version=photo["version"] + "1")
        self.changed(photo, "changed")
        return said(200, photo)

    def get_events(self, query, body):
        if self.is_crowded:
            return said(429, {"code": "busy", "detail": "too many pages have this library open"})
        reported, self.events = "".join(self.events), []
        # The response ends immediately; the page reconnects soon.
        return 200, {"content-type": "text/event-stream"}, f"retry: {self.retry}\n: still here\n\n{reported}".encode()

    def route(self, route):
        """The handler that Playwright calls for the page's requests."""
        request = route.request
        if self.is_gone:
            return route.abort("connectionrefused")
        found = self.answer(request.method, request.url, request.post_data_buffer or b"")
        if found is None:
            return route.fallback()
        status, headers, body = found
        return route.fulfill(status=status, headers=headers, body=body)


def said(status, value):
    kind = "application/json" if status < 400 else "application/problem+json"
    return status, {"content-type": kind}, json.dumps(value).encode()


def gone(key):
    return said(404, {"code": "not-found", "detail": f"there is no photo {key}"})


def changed_since(photo):
    return said(409, {"code": "changed", "detail": f"{photo['name']} has changed"})


KEY = r"/api/photos/([^/]+)"
ROUTES = [
    (r"/api/albums", "GET", FakeLibrary.get_albums),
    (r"/api/albums/([^/]+)/photos", "GET", FakeLibrary.get_photos),
    (KEY, "GET", FakeLibrary.get_photo),
    (f"{KEY}/thumbnail", "GET", FakeLibrary.get_thumbnail),
    (f"{KEY}/preview", "GET", FakeLibrary.get_preview),
    (f"{KEY}/original", "GET", FakeLibrary.get_original),
    (f"{KEY}/crops", "POST", FakeLibrary.post_crop),
    (f"{KEY}/mark", "POST", FakeLibrary.post_mark),
    (f"{KEY}/targets", "GET", FakeLibrary.get_targets),
    (r"/api/photos", "POST", FakeLibrary.post_photo),
    (f"{KEY}/trash", "POST", FakeLibrary.post_trash),
    (f"{KEY}/restore", "POST", FakeLibrary.post_restore),
    (r"/api/trash", "GET", FakeLibrary.get_trash),
    (r"/api/trash/([^/]+)/preview", "GET", FakeLibrary.get_removed),
    (f"{KEY}/replace", "POST", FakeLibrary.post_replace),
    (r"/api/events", "GET", FakeLibrary.get_events),
]
