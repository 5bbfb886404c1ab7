"""The packed element in a new folder, as users install it, and pages that use it."""

import contextlib
import email.parser
import email.policy
import functools
import http.server
import json
import pathlib
import tarfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]

#: The rules of a page with a strict policy: only its scripts, WebAssembly, and images created in it.
POLICY = ("default-src 'none'; script-src {script} 'wasm-unsafe-eval'; style-src {script}; img-src blob:; "
          "connect-src {script}; worker-src 'self'; form-action 'self'")

#: A user's page, whether the element in it is ready, and the element.
HTML = """<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Somebody's page</title>
<link rel="stylesheet" href="page.css"><script type="module" src="{script}"></script>
<main><h1>Somebody's page</h1>{body}</main></html>"""

READY = "document.querySelector('crop-view')?.complete && document.querySelector('crop-view').valid"
VIEW = "document.querySelector('crop-view')"


def unpacked(folder):
    """Unpacks the packed element into `folder` like npm; returns the package's folder."""
    tarballs = list((ROOT / "dist").glob("crop-view-*.tgz"))
    assert tarballs, "the element isn't packed; run Scripts/site.sh"
    [tarball] = tarballs
    with tarfile.open(tarball) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    modules = folder / "node_modules"
    modules.mkdir()
    return (folder / "unpacked" / "package").rename(modules / "crop-view")


class Site(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and the tests' pages, and stores submitted forms."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map,
                      ".wasm": "application/wasm", ".js": "text/javascript", ".mjs": "text/javascript"}

    def do_GET(self):
        page = self.server.pages.get(self.path)
        if page is None:
            return super().do_GET()
        kind, content = page
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        parsed = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
        self.server.sent.append([
            (part.get_param("name", header="content-disposition"), part.get_filename(),
             part.get_content_type(), part.get_payload(decode=True))
            for part in parsed.iter_parts()])
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Sent</title><p>Sent")

    def end_headers(self):
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(folder, handler=Site, **headers):
    """A server of a folder while it is needed; it has `pages`, `sent` and an `address`."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    server.pages, server.sent, server.headers = {"/favicon.ico": ("image/x-icon", b"")}, [], headers
    server.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def description(package):
    """The package's description of its element."""
    manifest = json.loads((package / "custom-elements.json").read_text())
    return manifest["modules"][0]["declarations"][0]
