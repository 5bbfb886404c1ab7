"""The server behind nginx, Apache and Caddy with TLS, configured as in docs/server/proxy.md."""

import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Soak"), str(ROOT / "Tests/Packaging")]
from served import CREDENTIALS, TOKEN  # noqa: E402
from service import Service  # noqa: E402
from soak import Soak  # noqa: E402

NAME = "photos.example.org"
MODULES = "/usr/lib/apache2/modules"


def example(word):
    """The code blocks of the documentation that contain a word, as a file."""
    text = (ROOT / "docs/server/proxy.md").read_text()
    blocks = re.findall(r"^```\w+\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return next(block for block in blocks if word in block)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def nginx(soak, port, path):
    server = example("proxy_pass").replace("/run/cropkit/alice.socket", path).replace(
        "listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace(
        "ssl_certificate …; ssl_certificate_key …;",
        f"ssl_certificate {soak.path('cert.pem')}; ssl_certificate_key {soak.path('key.pem')};")
    folders = "".join(
        f"{name}_temp_path {soak.path('nginx')};" for name in
        ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    with open(soak.path("nginx.conf"), "w") as file:
        file.write(
            f"daemon off; pid {soak.path('nginx.pid')}; error_log stderr; events {{}}\n"
            f"http {{ access_log off; {folders}\n{server}\n}}\n")
    return ["nginx", "-c", soak.path("nginx.conf")]


def apache(soak, port, path):
    host = example("ProxyPass").replace("/run/cropkit/alice.socket", path).replace("*:443", f"*:{port}").replace(
        "SSLEngine on", f"SSLEngine on\nSSLCertificateFile {soak.path('cert.pem')}\n"
        f"SSLCertificateKeyFile {soak.path('key.pem')}")
    modules = ["mpm_event", "authz_core", "proxy", "proxy_http", "socache_shmcb", "ssl"]
    with open(soak.path("apache.conf"), "w") as file:
        file.write(
            "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in modules)
            + f"ServerName localhost\nServerRoot {soak.folder}\nDefaultRuntimeDir {soak.folder}\n"
            f"PidFile {soak.path('apache.pid')}\n"
            f"ErrorLog {soak.path('apache.log')}\nUser www-data\nGroup www-data\n"
            f"Listen 127.0.0.1:{port}\n{host}\n")
    return ["apache2", "-f", soak.path("apache.conf"), "-DFOREGROUND"]


def caddy(soak, port, path):
    site = example("reverse_proxy").replace("/run/cropkit/alice.socket", path).replace(
        f"{NAME} {{", f"https://{NAME}:{port} {{\n  bind 127.0.0.1\n"
        f"  tls {soak.path('cert.pem')} {soak.path('key.pem')}", 1)
    with open(soak.path("Caddyfile"), "w") as file:
        file.write("{\n  admin off\n  auto_https disable_redirects\n"
                   f"  storage file_system {soak.path('caddy')}\n}}\n{site}\n")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", soak.path("Caddyfile")]


class Proxy:
    def __init__(self, soak, words, port):
        self.port, self.soak = port, soak
        self.process = subprocess.Popen(words, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": soak.folder})
        end = time.monotonic() + 300
        while not self.answers():
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"{words[0]} does not start")
            time.sleep(0.05)

    def answers(self):
        try:
            return self.ask("GET /api/health")[0] == 204
        except OSError:
            return False

    def ask(self, line, *fields, body=b""):
        context = ssl.create_default_context(cafile=self.soak.path("cert.pem"))
        with socket.create_connection(("127.0.0.1", self.port), 60) as plain:
            with context.wrap_socket(plain, server_hostname=NAME) as connection:
                words = [f"{line} HTTP/1.1", f"Host: {NAME}", "Connection: close", *fields, "", ""]
                connection.sendall("\r\n".join(words).encode() + body)
                answer = b""
                while part := connection.recv(65536):
                    answer += part
        text = answer.decode(errors="replace")
        return int(text.split()[1]) if text else 0, text

    def end(self):
        self.process.terminate()
        self.process.wait(60)


def behind(soak, name, words):
    path = soak.path("socket")
    service = Service(
        soak, "--socket", path, "--socket-mode", "666", "--origin", f"https://{NAME}", "--trusted-proxy", "socket")
    service.greeting()
    port = free_port()
    proxy = Proxy(soak, words(soak, port, path), port)
    lets_in = [f"{key}: {value}" for key, value in CREDENTIALS.items()]
    status, text = proxy.ask("GET /api/albums")
    soak.check(status == 401, f"{name}: a stranger gets {status}")
    status, text = proxy.ask(f"GET /?token={TOKEN}")
    soak.check(status == 303 and "; Secure" in text, f"{name}: signing in: {text[:300]}")
    cookie = re.search(r"(?i)set-cookie: ([^;]*)", text)
    soak.check(
        cookie and proxy.ask("GET /api/devices", f"Cookie: {cookie[1]}")[0] == 200, f"{name}: not signed in")
    photo = pathlib.Path(soak.photo()).read_bytes()
    for origin, wanted in ((f"https://{NAME}", 200), ("https://evil.example", 403), (f"http://{NAME}", 403)):
        status, text = proxy.ask(
            "POST /api/info", f"Content-Length: {len(photo)}", "Content-Type: image/jpeg", f"Origin: {origin}",
            *lets_in, body=photo)
        soak.check(status == wanted, f"{name}: {origin}: {text[:300]}")
    # The client's forwarding headers are ignored; the proxy's are used.
    proxy.ask("GET /api/albums", "Authorization: Bearer wrong", "X-Forwarded-For: 203.0.113.7")
    proxy.end()
    status, log = service.end()
    soak.check(status == 0 and "address=127.0.0.1" in log and "203.0.113.7" not in log, f"{name}: {log[-600:]}")


def main():
    with Soak("proxies") as soak:
        # The proxies' users can access the socket.
        os.chmod(soak.folder, 0o711)
        os.mkdir(soak.path("nginx"))
        os.chmod(soak.path("nginx"), 0o777)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
             "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", soak.path("key.pem"), "-out",
             soak.path("cert.pem")], check=True, capture_output=True)
        soak.check("proxy_pass" in example("proxy_pass"), "no example for nginx")
        for name, words in (("nginx", nginx), ("apache2", apache), ("caddy", caddy)):
            if shutil.which(name):
                behind(soak, name, words)
            else:
                print(f"SKIPPED: the server behind {name}, which is not installed")


if __name__ == "__main__":
    main()
