"""Two galleries at once."""

import json
import threading

import pytest
from dav_servers import PASSWORD, Davs
from gallery_server import Served
from immich_stub import KEY, Immich
from test_immich import jpeg, settings

#: More than a server waits for at the same time.
MANY = 30


@pytest.fixture
def immich():
    server = Immich()
    yield server
    server.stop()


@pytest.fixture
def dav(tmp_path):
    server = Davs(tmp_path / "files")
    yield server
    server.stop()


@pytest.fixture
def server(dav, immich, tmp_path):
    server = Served(tmp_path / "served", settings(immich.url) + dav.settings, [("password", PASSWORD), ("key", KEY)])
    yield server
    server.stop()


def test_a_gallery_that_hangs_does_not_block_the_other(dav, immich, server):
    data = jpeg()
    dav.write("a.jpg", data)
    photo = immich.add(data)
    may_answer, is_refused, answers = threading.Event(), threading.Event(), []

    def ask():
        status, fields, body = server.ask("GET", "api/galleries/original", photo="dav:a.jpg")
        answers.append((status, fields["Retry-After"], status == 429 and json.loads(body)["code"]))
        is_refused.set()

    app = dav.server.wsgi_app

    def hanging(environ, start_response):
        may_answer.wait()
        return app(environ, start_response)

    dav.server.wsgi_app = hanging
    asking = [threading.Thread(target=ask) for _ in range(MANY)]
    for thread in asking:
        thread.start()
    # What neither waits nor has a turn is refused; the others are still unanswered.
    is_refused.wait()
    for _ in range(3):
        assert server.open(f"immich:{photo}")[1] == data
    may_answer.set()
    for thread in asking:
        thread.join()
    busy = [answer for answer in answers if answer[0] == 429]
    assert busy and all(code == "busy" and int(seconds) > 0 for _, seconds, code in busy)
    assert len(answers) == MANY
