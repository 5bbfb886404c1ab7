#!/usr/bin/env python3
"""TLS, in a build that supports it: tls.py FOLDER, which contains the programs."""

import http.client
import os
import shutil
import ssl
import subprocess
import sys

if len(sys.argv) != 2:
    sys.exit(__doc__)
os.environ["CROPKIT_BIN"] = sys.argv[1]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Soak"))
from served import CREDENTIALS, TOKEN, Served  # noqa: E402
from soak import PROGRAM, Soak, write  # noqa: E402


class Door:
    """A server's TLS, as seen by a client that trusts its certificate."""

    def __init__(self, server, certificate):
        self.server, self.certificate = server, certificate

    def status(self, path, method="GET", **headers):
        """The status of a response, and the cookie that it sets."""
        context = ssl.create_default_context(cafile=self.certificate)
        connection = http.client.HTTPSConnection(
            "localhost", self.server.port, context=context, timeout=300)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status, answer.getheader("Set-Cookie") or ""

    def accepts(self, *options):
        """Whether openssl's client can connect with these options."""
        done = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{self.server.port}", *options],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        return done.returncode == 0


def lets_in(soak, server, door):
    """Only clients with the token get in, and browsers never send their cookie without TLS."""
    soak.check(door.status("/api/albums")[0] == 401, "TLS alone lets in")
    soak.check(door.status("/api/albums", **CREDENTIALS)[0] == 200, "the token does not let in")
    code, cookie = door.status(f"/?token={TOKEN}")
    soak.check(
        code == 303 and all(word in cookie for word in ("Secure", "HttpOnly", "Lax")),
        f"the cookie: {code} {cookie}")
    own, foreign = (f"{scheme}://localhost:{server.port}" for scheme in ("https", "http"))
    for origin, allowed in ((own, (415, 422)), (foreign, (403,))):
        got = door.status("/api/info", "POST", Origin=origin, **CREDENTIALS)[0]
        soak.check(got in allowed, f"{origin}: {got}")
    soak.check(b"HTTP/1.1 200" not in server.ask("GET /"), "plain HTTP is answered")


def keeps_secrets(soak, door):
    """Forward secrecy: each connection has separate keys, so that a key stolen later reveals nothing."""
    soak.check(door.accepts("-tls1_3"), "TLS 1.3 is refused")
    for cipher in (
            "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305"):
        soak.check(door.accepts("-tls1_2", "-cipher", cipher), f"TLS 1.2 refuses {cipher}")
    for cipher in (
            "AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES128-SHA", "AES256-SHA", "DES-CBC3-SHA",
            "ECDHE-RSA-AES128-SHA", "ECDHE-RSA-AES256-SHA"):
        weak = f"{cipher}:@SECLEVEL=0"
        soak.check(not door.accepts("-tls1_2", "-cipher", weak), f"TLS 1.2 accepts {cipher}")
    for version in ("-tls1", "-tls1_1"):
        weak = ("-cipher", "DEFAULT:@SECLEVEL=0")
        soak.check(not door.accepts(version, *weak), f"{version} is accepted")


def refuses(soak, certificate, key):
    """An invalid key, or that of another certificate, is reported."""
    other = soak.path("other.pem")
    subprocess.run(
        ["openssl", "genrsa", "-out", other, "2048"], check=True, capture_output=True)
    write(key, b"no key")
    for wrong in (key, other, soak.path("missing.pem")):
        done = subprocess.run(
            [PROGRAM, "serve", "--port", "0", "--library", "none", "--tls-cert", certificate,
             "--tls-key", wrong], capture_output=True, text=True, timeout=300)
        soak.check(done.returncode == 64 and wrong in done.stderr, f"{wrong}: {done}")


with Soak("tls") as soak:
    if not shutil.which("openssl"):
        sys.exit("tls: there is no openssl")
    certificate, key = soak.path("cert.pem"), soak.path("key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out",
         certificate, "-keyout", key], check=True, capture_output=True)
    options = ("--tls-cert", certificate, "--tls-key", key)
    with Served(soak.path("served"), *options, waits=False) as server:
        door = Door(server, certificate)
        lets_in(soak, server, door)
        keeps_secrets(soak, door)
    refuses(soak, certificate, key)
