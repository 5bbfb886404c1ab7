"""The server as a service: units, socket activation, notifications for the service manager, settings,
proxies."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Soak"))
from served import CREDENTIALS, TOKEN  # noqa: E402
from soak import BIN, Soak  # noqa: E402

SERVER = os.path.join(os.path.abspath(BIN), "cropkit-server")


def environment(soak, **more):
    names = {"XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config"}
    return {**os.environ, **{name: soak.path(folder) for name, folder in names.items()}, **more}


class Service:
    """A server that runs until it is stopped; its output is kept."""

    def __init__(self, soak, *options, before=(), **more):
        token = soak.path("token")
        with open(token, "w", opener=lambda *of: os.open(*of, 0o600)) as file:
            file.write(TOKEN)
        self.log = open(soak.path("log"), "w+")
        self.process = subprocess.Popen(
            [*before, SERVER, "--token-file", token, "--library", "none", *options],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment(soak, **more))

    def greeting(self):
        return self.process.stdout.readline()

    def port(self):
        """The port at which it listens, as soon as it does."""
        self.greeting()
        sockets = set()
        for path in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir():
            # The program may close a file in between.
            with contextlib.suppress(FileNotFoundError):
                sockets.add(os.readlink(path))
        lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        # 0A: listening.
        return [int(line[1].split(":")[1], 16) for line in lines
                if line[3] == "0A" and f"socket:[{line[9]}]" in sockets][0]

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(300)
        self.process.stdout.close()
        self.log.seek(0)
        text = self.log.read()
        self.log.close()
        return status, text


def ask(place, line, *fields, host="127.0.0.1"):
    """The status and the text of a response, from a port of this machine or a Unix socket."""
    family = socket.AF_UNIX if isinstance(place, str) else socket.AF_INET
    with socket.socket(family) as connection:
        connection.settimeout(300)
        connection.connect(place if isinstance(place, str) else ("127.0.0.1", place))
        if not isinstance(place, str) and host == "127.0.0.1":
            host = f"127.0.0.1:{place}"
        words = [f"{line} HTTP/1.1", f"Host: {host}", "Connection: close", *fields, "", ""]
        connection.sendall("\r\n".join(words).encode())
        answer = b""
        while part := connection.recv(65536):
            answer += part
    return int(answer.split()[1] or 0), answer.decode(errors="replace")


LETS_IN = [f"{name}: {value}" for name, value in CREDENTIALS.items()]


def health(soak, port):
    """The health check needs no sign-in, and reveals nothing else."""
    status, text = ask(port, "GET /api/health")
    soak.check(status == 204 and text.endswith("\r\n\r\n"), f"health: {text}")
    soak.check(ask(port, "GET /api/health", host="evil.example")[0] == 421, "a foreign name is answered")
    soak.check(ask(port, "POST /api/health", *LETS_IN)[0] == 405, "health takes POST")
    for path in ("/api/healthy", "/api/health/../albums", "/api/albums"):
        soak.check(ask(port, f"GET {path}")[0] == 401, f"{path} lets in")


def managed(soak):
    """systemd is notified when the server is ready and when it stops."""
    path = soak.path("notify")
    for name, address in ((path, path), (f"@{path}", f"\0{path}")):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.settimeout(300)
            manager.bind(address)
            service = Service(soak, "--port", "0", NOTIFY_SOCKET=name)
            ready = manager.recv(4096).decode()
            port = service.port()
            soak.check(ready.startswith("READY=1\nSTATUS=") and f":{port}/" in ready, f"ready: {ready}")
            health(soak, port)
            service.process.send_signal(signal.SIGTERM)
            soak.check(manager.recv(4096) == b"STOPPING=1", "it does not tell that it stops")
            soak.check(service.end()[0] == 0, "it ends badly")


def handed_over(soak):
    """A socket that systemd opens: a network address and a path, for one connection after another."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for place, listens in ((port, f"127.0.0.1:{port}"), (soak.path("s"), soak.path("s"))):
        # It starts the server for the first connection.
        service = Service(soak, before=["systemd-socket-activate", "-l", listens])
        until(lambda: reaches(place))
        host = f"127.0.0.1:{port}" if place == port else "localhost"
        for _ in range(3):
            soak.check(ask(place, "GET /api/health", host=host)[0] == 204, f"{listens}: not reached")
        soak.check(ask(place, "GET /api/samples", host=host)[0] == 401, f"{listens}: lets in")
        soak.check(ask(place, "GET /api/samples", *LETS_IN, host=host)[0] == 200, f"{listens}: not let in")
        soak.check(ask(place, "GET /", host="evil.example")[0] == 421, f"{listens}: a foreign name")
        soak.check(listens in service.greeting(), f"{listens} is not told")
        status, log = service.end()
        soak.check(status == 0, f"{listens}: {status}: {log}")
        soak.check(place == port or os.path.exists(place), "it takes away a socket that is not its own")


def reaches(place):
    try:
        return ask(place, "GET /api/health", host="localhost")[0] in (204, 421)
    except (OSError, IndexError):
        return False


def until(isSo, seconds=300):
    end = time.monotonic() + seconds
    while not isSo():
        if time.monotonic() > end:
            raise RuntimeError("never")
        time.sleep(0.02)


def logs(soak):
    """A log for the journal, and one for programs; clients can't insert lines."""
    service = Service(soak, "--port", "0", "--log-form", "json")
    ask(service.port(), 'GET /a"b%0A\\x')
    _, text = service.end()
    lines = [json.loads(line) for line in text.splitlines()]
    soak.check(all({"time", "level", "message"} <= line.keys() for line in lines), f"json: {text}")
    soak.check(any(line.get("path", "").startswith('/a"b') for line in lines), f"json: {text}")
    service = Service(soak, "--port", "0", "--log-form", "journal")
    ask(service.port(), "GET /api/albums", "Authorization: Bearer wrong")
    _, text = service.end()
    soak.check(all(re.match(r"<[2-7]>\S", line) for line in text.splitlines()), f"journal: {text}")
    soak.check(any("<4>sign-in refused" in line for line in text.splitlines()), f"journal: {text}")


def settings(soak):
    """A settings file has the options of the command line, which takes precedence; an error has its line."""
    os.makedirs(soak.path("config/cropkit"))
    own = soak.path("config/cropkit/server.toml")
    with open(own, "w") as file:
        file.write('# mine\nport = 0  # any\nlog = "error"\nopen = false\norigin = ["https://a.example", '
                   '\'https://b.example\']\nlibrary = "none"\nlimit-bytes = "5M"\n')
    service = Service(soak)
    soak.check("https://a.example" in service.greeting(), "the file is not read")
    soak.check(service.end() == (0, ""), "its log level is not heeded")
    service = Service(soak, "--config", "none", "--port", "0")
    soak.check("http://127.0.0.1:" in service.greeting(), "--config none reads the file")
    service.end()
    wrong = {
        "port = 99999": "port 99999: expected a whole number", "prot = 80": "prot", "[server]": "unknown table [server]",
        "port": "expected a setting, such as port = 9000", "port = ": "the value is missing",
        "log = error": "put text in quotes", "log = \"error": "the closing quote is missing",
        "log = \"loud\"": "log loud: expected", "origin = [\"https://a.example\"": "the list must end with ]",
        "port = 80 90": "unexpected \"90\" after the value", "port = 1\nport = 2": "port occurs twice",
        "help = true": "help can't be set", "token = \"x\"": "token can't be set",
        "open = \"yes\"": "open", "tls-cert = true": "tls-cert", "jobs = 1.5": "1.5 is not a value",
    }
    for text, words in wrong.items():
        with open(soak.path("wrong.toml"), "w") as file:
            file.write(f"# first\n\n{text}\n")
        done = subprocess.run(
            [SERVER, "--config", soak.path("wrong.toml")], capture_output=True, text=True, timeout=300,
            env=environment(soak))
        number = 3 + text.count("\n")
        soak.check(
            done.returncode == 78 and f"line {number}: " in done.stderr and words in done.stderr
            and done.stderr.count("\n") == 1, f"{text!r}: {done.returncode} {done.stderr}")
    done = subprocess.run(
        [SERVER, "--config", soak.path("missing.toml")], capture_output=True, text=True, env=environment(soak))
    soak.check(done.returncode == 78 and "missing.toml can't be read" in done.stderr, f"missing: {done}")
    os.unlink(own)


def proxied(soak):
    """Clients behind a trusted proxy are distinguished; other forwarding headers are ignored."""
    own = "https://photos.example.org"
    service = Service(
        soak, "--port", "0", "--origin", own, "--trusted-proxy", "127.0.0.1", "--trusted-proxy", "10.0.0.0/8")
    port = service.port()

    def wrong(*fields):
        return ask(port, "GET /api/albums", "Authorization: Bearer wrong", *fields)[0]

    # One client behind the proxy uses up its attempts; another one still has its own.
    tries = [wrong("X-Forwarded-For: 1.2.3.4, 203.0.113.7, 10.1.2.3") for _ in range(40)]
    soak.check(tries[0] == 401 and 429 in tries, f"no end of tries: {tries}")

    def is_used_up(field):
        """Whether an address has no attempts left; it regains one every few seconds, a new one has ten."""
        return 429 in [wrong(field) for _ in range(5)]

    soak.check(is_used_up("X-Forwarded-For: 5.6.7.8, 203.0.113.7"), "what a client says of itself counts")
    soak.check(wrong("X-Forwarded-For: 203.0.113.8") == 401, "one client stands for all")
    soak.check(is_used_up('Forwarded: for="203.0.113.7:4711";proto=https'), "Forwarded does not count")
    soak.check(wrong("Forwarded: for=203.0.113.9") == 401, "Forwarded: one client stands for all")
    # The name that the browser used, if the proxy uses another one for its requests.
    host = "X-Forwarded-Host: photos.example.org"
    for fields, wanted in (
        ([host, f"Origin: {own}"], 422), ([f"Origin: {own}"], 403), ([host, "Origin: https://evil.example"], 403),
        (["X-Forwarded-Host: evil.example"], 421), (["Forwarded: host=photos.example.org", f"Origin: {own}"], 422),
        ([host, "Forwarded: host=evil.example", f"Origin: {own}"], 403),
    ):
        got = ask(port, "POST /api/info", "Content-Length: 0", *LETS_IN, *fields)[0]
        soak.check(got == wanted, f"{fields}: {got}, not {wanted}")
    service.end()
    service = Service(soak, "--port", "0", "--origin", own)
    port = service.port()
    tries = [wrong(f"X-Forwarded-For: 203.0.113.{number}") for number in range(40)]
    soak.check(429 in tries, "a stranger is believed")
    got = ask(port, "POST /api/info", "Content-Length: 0", *LETS_IN, host, f"Origin: {own}")[0]
    soak.check(got == 403, f"a stranger's name is believed: {got}")
    service.end()
    for wrong_one in ("nobody", "10.0.0.0/33", "10.0.0.0/", "1.2.3", "::/129"):
        done = subprocess.run(
            [SERVER, "--library", "none", "--port", "0", "--trusted-proxy", wrong_one], capture_output=True,
            text=True, env=environment(soak), timeout=300)
        soak.check(done.returncode == 64 and wrong_one in done.stderr, f"{wrong_one}: {done}")


def units(soak):
    """systemd accepts the units, and the system's unit gives the server few privileges."""
    folder = soak.path("units")
    os.makedirs(folder)
    for source in (ROOT / "Packaging/systemd").iterdir():
        text = source.read_text().replace("/usr/libexec/cropkit/cropkit-server", SERVER)
        pathlib.Path(folder, source.name).write_text(text)
    quiet = {**os.environ, "XDG_RUNTIME_DIR": soak.folder, "SYSTEMD_UNIT_PATH": f"{folder}:"}
    for words in (["--user", "verify", "--man=no", "cropkit.service", "cropkit.socket"],
                  ["verify", "--man=no", "cropkit@.service", "cropkit@.socket"]):
        done = subprocess.run(
            ["systemd-analyze", *words[:-2], *(f"{folder}/{name}" for name in words[-2:])],
            capture_output=True, text=True, env=quiet)
        own = [line for line in done.stderr.splitlines() if "cropkit" in line]
        soak.check(done.returncode == 0 and not own, f"{words}: {done.stderr}")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=20", f"{folder}/cropkit@.service"],
        capture_output=True, text=True, env=quiet)
    soak.check(done.returncode == 0, f"{done.stdout[-200:]}")


def main():
    with Soak("service") as soak:
        if shutil.which("systemd-analyze") and shutil.which("systemd-socket-activate"):
            units(soak)
            handed_over(soak)
        else:
            print("SKIPPED: units and sockets of systemd, which is not installed")
        managed(soak)
        logs(soak)
        settings(soak)
        proxied(soak)


if __name__ == "__main__":
    main()
