"""The page's sources as static files, without CropKit's server."""

import http.server
import io
import pathlib
import struct

from PIL import Image, ImageCms
from pictures import UPRIGHT_TO_STORED

WEB = pathlib.Path(__file__).resolve().parents[2] / "Web"

HTML = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Somebody's page</title>
<style>body { margin: 0 } crop-view { block-size: 600px; inline-size: 800px }</style>
<script type="module" src="Element/index.js"></script><crop-view></crop-view></html>"""

HIDDEN = b"WHAT-WAS-CUT-AWAY"


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves the page's files, and a page that is not CropKit's."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map,
                      ".wasm": "application/wasm", ".js": "text/javascript"}

    #: Other files by path: the type and the bytes.
    others = {
        "/element.html": ("text/html", HTML),
        # The build bundles these, which are elsewhere, into one file.
        "/app.js": ("text/javascript", b"import './shell/app.js';\n"),
    }

    def do_GET(self):
        if self.path in self.others:
            kind, content = self.others[self.path]
        elif self.path == "/":
            # Files that are bundled for the server are in folders here.
            text = (WEB / "App/index.html").read_text().replace('"app.', '"shell/app.')
            kind, content = "text/html", text.replace("<html ", '<html data-server="none" ').encode()
        else:
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def translate_path(self, path):
        """The app is at the top, the element next to it."""
        name = super().translate_path(path).removeprefix(str(WEB)).lstrip("/")
        return str(WEB / name if name.startswith("Element/") else WEB / "App" / name)

    def log_message(self, *_):
        pass


def segment(marker, content):
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def exif(orientation, width, height):
    """EXIF with a camera's name, sizes, and a second directory with a thumbnail."""
    def entry(tag, kind, count, value):
        return struct.pack("<HHI", tag, kind, count) + value

    maker = b"Acme Camera\0"
    thumbnail = b"\xff\xd8\xff\xdb" + HIDDEN + b"\xff\xd9"
    main, inner, names = 8, 8 + 2 + 3 * 12 + 4, 8 + 2 + 3 * 12 + 4 + 2 + 2 * 12 + 4
    second = names + len(maker)
    picture = second + 2 + 2 * 12 + 4
    block = b"II*\0" + struct.pack("<I", main)
    block += struct.pack("<H", 3) + entry(0x010F, 2, len(maker), struct.pack("<I", names))
    block += entry(0x0112, 3, 1, struct.pack("<HH", orientation, 0))
    block += entry(0x8769, 4, 1, struct.pack("<I", inner)) + struct.pack("<I", second)
    block += struct.pack("<H", 2) + entry(0xA002, 4, 1, struct.pack("<I", width))
    block += entry(0xA003, 4, 1, struct.pack("<I", height)) + struct.pack("<I", 0)
    block += maker
    block += struct.pack("<H", 2) + entry(0x0201, 4, 1, struct.pack("<I", picture))
    block += entry(0x0202, 4, 1, struct.pack("<I", len(thumbnail))) + struct.pack("<I", 0)
    return b"Exif\0\0" + block + thumbnail


def camera_jpeg(array, orientation=1, quality=90, subsampling=2, **options):
    """An upright array as a camera would store it: EXIF with a thumbnail, XMP, a profile, a trailer."""
    image = Image.fromarray(array)
    if UPRIGHT_TO_STORED[orientation] is not None:
        image = image.transpose(UPRIGHT_TO_STORED[orientation])
    data = io.BytesIO()
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    image.save(data, "JPEG", quality=quality, subsampling=subsampling, icc_profile=profile, **options)
    plain = data.getvalue()
    xmp = (b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:RDF><rdf:Description tiff:Orientation='%d'>"
           b"<xmp:Thumbnails>%s</xmp:Thumbnails><dc:title>A hill</dc:title>"
           b"</rdf:Description></rdf:RDF></x:xmpmeta>" % (orientation, HIDDEN))
    width, height = image.size
    return (plain[:2] + segment(0xE1, exif(orientation, width, height)) + segment(0xE1, xmp)
            + segment(0xFE, b"a word") + plain[2:] + HIDDEN)
