"""An S3 server on this machine, which fails sometimes if requested."""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import socket
import threading

import pytest

SECRET = "hush-do-not-tell-7f3a"
# Spark's executors inherit these variables if they are set before it starts.
os.environ |= {
    "AWS_ACCESS_KEY_ID": "hush-id",
    "AWS_SECRET_ACCESS_KEY": SECRET,
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


class Faulty:
    """A WSGI application in front of another one, which answers some requests with 503 and cuts some connections."""

    def __init__(self, application):
        self._application = application
        self._count = itertools.count()
        #: After how many requests one is answered with 503, and one is run but its connection is cut.
        self.slow_down = self.cut = 0
        #: Methods and paths that are denied.
        self.denied = set()
        #: The method and path whose response never completes, and the event that stops it.
        self.endless, self.ended = None, threading.Event()
        #: The method and path whose body is not read until `released`; `held` is set when the request arrives.
        self.stalled, self.held, self.released = None, threading.Event(), threading.Event()
        #: The number of such requests that are not finished.
        self.stalling, self._change = 0, threading.Condition()
        self.slowed = self.cuts = 0
        self.requests = []

    def __call__(self, environ, start_response):
        count = next(self._count)
        method = environ["REQUEST_METHOD"]
        self.requests.append((method, environ["PATH_INFO"]))
        if (method, environ["PATH_INFO"]) in self.denied:
            return refusal(method, start_response, "403 Forbidden", "AccessDenied", "Access Denied")
        if (method, environ["PATH_INFO"]) == self.endless:
            return self._endless(environ, start_response)
        if (method, environ["PATH_INFO"]) == self.stalled:
            with self._stalling():
                return list(self._application(environ, start_response))
        if self.slow_down and count % self.slow_down == 0:
            self.slowed += 1
            return refusal(method, start_response, "503 Slow Down", "SlowDown", "Please reduce your request rate.")
        if self.cut and count % self.cut == 1:
            self.cuts += 1
            return self._cut_off(environ, start_response)
        return self._application(environ, start_response)

    @contextlib.contextmanager
    def _stalling(self):
        with self._change:
            self.stalling += 1
        self.held.set()
        try:
            self.released.wait(600)
            yield
        finally:
            with self._change:
                self.stalling -= 1
                self._change.notify_all()

    def release(self):
        """Lets the stalled requests continue, and waits for them."""
        self.released.set()
        with self._change:
            assert self._change.wait_for(lambda: self.stalling == 0, 600)
        self.stalled = None

    def _endless(self, environ, start_response):
        """Sends the response byte by byte, with pauses, and not completely."""
        for byte in b"".join(self._application(environ, start_response)):
            yield bytes([byte])
            if self.ended.wait(0.1):
                break
        environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)

    def _cut_off(self, environ, start_response):
        """Runs the request, but cuts the response in the middle or before its start."""
        answer = b"".join(self._application(environ, start_response))
        if len(answer) > 1:
            yield answer[: len(answer) // 2]
        environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        yield b""


def refusal(method, start_response, status, code, message):
    """An error of S3. For HEAD it has no body: clients would read that as another response."""
    start_response(status, [("Content-Type", "application/xml")])
    return [] if method == "HEAD" else [f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()]


@contextlib.contextmanager
def running():
    """A server: its address, and the application in front of it."""
    from moto import server as moto_server

    started = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    faulty = Faulty(started._server.app)
    started._server.app = faulty
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    try:
        yield f"http://{host}:{port}", faulty
    finally:
        started.stop()


@pytest.fixture(scope="module")
def server():
    with running() as started:
        yield started


@pytest.fixture
def options(server):
    """How to reach the server; the library finds the credentials itself."""
    address, faulty = server
    faulty.slow_down = faulty.cut = 0
    faulty.denied, faulty.endless, faulty.stalled = set(), None, None
    return {"client_kwargs": {"endpoint_url": address}}


@pytest.fixture
def files(options):
    import s3fs
    from conftest import encoded

    store = s3fs.S3FileSystem(use_listings_cache=False, skip_instance_cache=True, **options)
    if store.exists("bucket"):
        store.rm("bucket", recursive=True)
    store.mkdir("bucket")
    store.pipe_file("bucket/a.jpg", encoded())
    return store
