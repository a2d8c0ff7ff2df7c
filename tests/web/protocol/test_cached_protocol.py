"""What is ready is sent before uvicorn makes a request of it: nobody can tell the difference."""

from __future__ import annotations

import gzip
import re
from urllib.parse import urlsplit

import pytest

from tests.web.conftest import Site, send_raw

DATE = re.compile(rb"(?mi)^date: .*\r\n")
LAST = b"GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def asked(path: str, *lines: str, method: str = "GET", version: str = "1.1") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/{version}", "Host: x", *lines, "", ""]).encode()


def answers(site: Site, *requests: bytes) -> list[tuple[bytes, bytes]]:
    """Heads, without their dates, and bodies of what is asked over one connection, all of it sent at once."""
    stream = send_raw(site, b"".join([*requests, LAST]))
    results = []
    for _ in requests:
        head, _, stream = stream.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        size = int(length[1]) if length else 0
        results.append((DATE.sub(b"", head), stream[:size]))
        stream = stream[size:]
    assert stream.startswith(b"HTTP/1.1 404"), "the last one is answered, too, and nothing stands between"
    return results


@pytest.fixture
def path(shared_site: Site) -> str:
    return urlsplit(shared_site.make_feed_url()).path


@pytest.mark.parametrize("codings", ["identity", "gzip"])
def test_the_second_answer_is_the_first_one(site: Site, codings: str) -> None:
    request = asked(urlsplit(site.make_feed_url()).path, f"Accept-Encoding: {codings}")

    [first] = answers(site, request)
    again = answers(site, request, request, request)

    assert first[0].startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"content-security-policy: " in first[0]
    assert {
        (sorted(head.split(b"\r\n")[1:]), body) == (sorted(first[0].split(b"\r\n")[1:]), first[1])
        for head, body in again
    } == {True}
    body = gzip.decompress(first[1]) if codings == "gzip" else first[1]
    assert body.startswith(b"<?xml")


def test_who_has_it_is_told_the_same_whether_it_was_ready_or_not(shared_site: Site, path: str) -> None:
    [(head, _)] = answers(shared_site, asked(path))
    etag = re.search(rb"(?i)etag: (\S+)", head)
    assert etag is not None
    text = f"If-None-Match: {etag[1].decode()}"

    plain = asked(path, text)
    with_query = asked(f"{path}?never=ready", text)
    [(content, body), (slowly, nothing)] = answers(shared_site, plain, with_query)

    assert content.startswith(b"HTTP/1.1 304 Not Modified\r\n")
    assert (body, nothing) == (b"", b"")
    assert sorted(content.split(b"\r\n")) == sorted(slowly.split(b"\r\n"))


def test_answers_come_in_the_order_of_the_questions(shared_site: Site, path: str) -> None:
    answers(shared_site, asked(path))  # from now on it is ready

    results = answers(
        shared_site, asked(path), asked("/"), asked(path), asked("/none"), asked("/"), asked(path)
    )

    assert [head.split()[1] for head, _ in results] == [b"200", b"200", b"200", b"404", b"200", b"200"]
    assert results[0] == results[2] == results[5]


def test_a_question_with_a_body_does_not_spoil_the_next_one(shared_site: Site, path: str) -> None:
    answers(shared_site, asked(path))

    results = answers(shared_site, asked(path, "Content-Length: 5") + b"GET /", asked(path))

    assert results[0] == results[1]


@pytest.mark.parametrize(
    "request_",
    [
        lambda path: asked(path, "Connection: close"),
        lambda path: asked(path, version="1.0"),
        lambda path: asked(path, "Connection: upgrade", "Upgrade: h2c", "Connection: close"),
        lambda path: asked(f"http://x{path}", "Connection: close"),
        lambda path: asked(f"{path}?utm_source=x", "Connection: close"),
        lambda path: asked(path.replace("systems", "%73ystems"), "Connection: close"),
    ],
    ids=["close", "1.0", "upgrade", "absolute", "query", "escaped"],
)
def test_what_is_not_plain_is_answered_all_the_same(shared_site: Site, path: str, request_: object) -> None:
    assert callable(request_)
    [(_, body)] = answers(shared_site, asked(path))

    assert send_raw(shared_site, request_(path)).endswith(b"\r\n\r\n" + body)


def test_many_questions_without_reading_the_answers_are_answered_in_time(
    shared_site: Site, path: str
) -> None:
    answers(shared_site, asked(path))

    assert len(set(answers(shared_site, *[asked(path)] * 400))) == 1
