"""A server with 1,300 open, silent connections from one address still serves others.

A sample in CI; with CROPKIT_SOAK=1, it lasts longer than the server's longest timeout.
"""

import resource
import socket
import time

from served import CREDENTIALS, Served
from soak import LONG, Soak, read, write

COUNT = 1300
SECONDS = 90 if LONG else 8
#: Clients that send nothing, stop in the head of a request, or stop in its body.
BEGINNINGS = [
    b"", b"GET / HTTP/1.1\r\nHost: 127",
    b"POST /api/crop HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: "
    + CREDENTIALS["Authorization"].encode() + b"\r\nContent-Length: 99\r\n\r\nab"]


def attack(port, number):
    """A connection that stays silent; None if it was rejected."""
    try:
        connection = socket.create_connection(("127.0.0.1", port), 10)
        beginning = BEGINNINGS[number % len(BEGINNINGS)]
        connection.sendall(beginning % port if b"%d" in beginning else beginning)
        connection.setblocking(False)
        return connection
    except OSError:
        return None


def is_open(connection):
    try:
        return connection is not None and connection.recv(4096) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def silent(soak, photo):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= most < COUNT + 100:
        print(f"SKIPPED: silent connections, for only {most} files may be open (ulimit -Hn)")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (COUNT + 100, most))
    server = Served(soak.path("silent"))
    write(f"{server.photos}/a.jpg", photo)
    with server:
        before = server.memory
        number = server.all()[0]["id"]
        held, spans, opened, kept = [None] * COUNT, [], 0, 0
        end = time.monotonic() + SECONDS
        turn = 0
        while turn == 0 or time.monotonic() < end:
            for index in range(COUNT):
                # Closed connections are opened again.
                if not is_open(held[index]):
                    held[index] = attack(server.port, index)
                    opened += 1
                if index % 100 == 0:
                    begin = time.monotonic()
                    path = ("/", "/api/albums", f"/api/photos/{number}/thumbnail")[turn % 3]
                    status, _ = server.call("GET", path)
                    spans.append(time.monotonic() - begin)
                    soak.check(status == 200, f"{path} beside silent connections: {status}")
                    turn += 1
            kept = sum(map(is_open, held))
        spans.sort()
        print(
            f"clients: {opened} silent connections in {SECONDS} s, {kept} of {COUNT} open at the end; "
            f"{len(spans)} requests beside them, slowest {spans[-1] * 1000:.0f} ms, "
            f"median {spans[len(spans) // 2] * 1000:.0f} ms; {before:.0f} to {server.memory:.0f} MiB")
        for connection in held:
            if connection is not None:
                connection.close()
        soak.check(server.call("GET", "/")[0] == 200, "nobody is let in afterwards")


with Soak("clients") as soak:
    silent(soak, read(soak.photo()))
