"""What is sent of something that was rendered, and how often it is rendered."""

from __future__ import annotations

import gzip
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

import pytest

from digest.web.protocol.response_cache import (
    ENTRY_BYTES,
    AsgiMessage,
    CachedResponse,
    ResponseCache,
    choose_response,
    make_cached_response,
)

BODY = b"<rss>" + b"papers and papers " * 400 + b"</rss>"
CHANGED = datetime(2026, 6, 12, 5, 30, 4, 700_000, tzinfo=UTC)


def made(body: bytes = BODY, modified: datetime | None = CHANGED) -> CachedResponse:
    return make_cached_response(body, media_type="application/rss+xml", modified=modified, fresh_seconds=300)


def asked(cached_response: CachedResponse, **headers: str) -> tuple[int, dict[str, str], bytes]:
    arguments = [
        (name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()
    ]
    start, body, _ = choose_response(cached_response, arguments)
    return start["status"], named(start), body["body"]


def named(start: AsgiMessage) -> dict[str, str]:
    pairs = [(name.decode(), value.decode()) for name, value in start["headers"]]
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def test_the_whole_of_it_comes_with_all_that_is_needed_to_ask_again() -> None:
    status, headers, body = asked(made())

    assert (status, body) == (200, BODY)
    assert headers["content-length"] == str(len(BODY))
    assert headers["content-type"] == "application/rss+xml"
    assert headers["last-modified"] == "Fri, 12 Jun 2026 05:30:04 GMT"
    assert headers["cache-control"] == "private, max-age=300"
    assert headers["etag"].startswith('"')
    assert headers["vary"] == "Accept-Encoding"


def test_the_last_change_is_told_in_greenwich_time() -> None:
    there = CHANGED.astimezone(timezone(timedelta(hours=2)))

    assert asked(made(modified=there))[1]["last-modified"] == "Fri, 12 Jun 2026 05:30:04 GMT"


def test_who_takes_gzip_gets_it_with_a_tag_of_its_own() -> None:
    _, plain, _ = asked(made())
    status, headers, body = asked(made(), accept_encoding="gzip, deflate")

    assert (status, gzip.decompress(body)) == (200, BODY)
    assert headers["content-encoding"] == "gzip"
    assert headers["content-length"] == str(len(body))
    assert headers["etag"] != plain["etag"]


@pytest.mark.parametrize("codings", ["", "gzip"])
def test_who_has_it_is_told_so_without_a_body(codings: str) -> None:
    _, full_document, _ = asked(made(), accept_encoding=codings)

    status, headers, body = asked(made(), accept_encoding=codings, if_none_match=full_document["etag"])

    assert (status, body) == (304, b"")
    # What it has keeps its other headers: https://www.rfc-editor.org/rfc/rfc9110#section-15.4.5
    assert headers == {name: full_document[name] for name in ("etag", "vary", "cache-control")}


def test_a_tag_of_the_compressed_bytes_says_nothing_of_the_plain_ones() -> None:
    _, zipped, _ = asked(made(), accept_encoding="gzip")

    assert asked(made(), if_none_match=zipped["etag"])[0] == 200


def test_dates_do_too_and_tags_sent_in_two_lines() -> None:
    _, full_document, _ = asked(made())
    two = [(b"if-none-match", b'"x"'), (b"if-none-match", full_document["etag"].encode())]

    assert asked(made(), if_modified_since=full_document["last-modified"])[0] == 304
    assert choose_response(made(), two)[0]["status"] == 304


def test_the_same_bytes_have_the_same_tags_and_others_do_not() -> None:
    tags = [
        {cached_response.plain.etag, cached_response.gzipped.etag}
        for cached_response in (made(), made(), made(BODY + b"!"))
    ]

    assert tags[0] == tags[1]
    assert tags[0] & tags[2] == set()


def test_the_same_bytes_are_compressed_to_the_same_bytes() -> None:
    assert made().gzipped.full == made().gzipped.full


def test_what_is_sent_is_safe() -> None:
    _, headers, _ = asked(made())

    assert "default-src 'none'" in headers["content-security-policy"]
    assert "script-src" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in headers


# --- the shelf ------------------------------------------------------------------------------------


class Clock:
    """Stands still until it is moved."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Renderer:
    """Counts."""

    def __init__(self, body: bytes = BODY) -> None:
        self.body = body
        self.times = 0

    def __call__(self) -> CachedResponse:
        self.times += 1
        return made(self.body)


def test_the_same_bytes_keep_their_date_and_others_have_a_new_one() -> None:
    shelf = ResponseCache(clock=Clock())
    later = CHANGED + timedelta(hours=1)

    first = shelf.get_or_render("/a", 1, made)
    same = shelf.get_or_render("/a", 2, lambda: made(modified=later))
    other = shelf.get_or_render("/a", 3, lambda: made(BODY + b"!", modified=later))

    assert (first.modified, same.modified, other.modified) == (CHANGED, CHANGED, later)


def test_nobody_looks_twice_within_a_second() -> None:
    clock = Clock()
    shelf = ResponseCache(clock=clock)

    assert shelf.get_fresh("/a") is None
    cached_response = shelf.get_or_render("/a", 1, Renderer())

    assert shelf.get_fresh("/a") is cached_response
    assert shelf.get_fresh("/b") is None
    clock.now += 1.0
    assert shelf.get_fresh("/a") is None


def test_it_is_rendered_once_for_what_it_is_made_from() -> None:
    shelf, render = ResponseCache(), Renderer()

    assert shelf.get_or_render("/a", 1, render) is shelf.get_or_render("/a", 1, render)
    assert render.times == 1
    render.body = b"new"
    assert shelf.get_or_render("/a", 2, render).plain.full.body["body"] == b"new"
    assert render.times == 2


def test_it_is_rendered_once_however_many_ask_at_the_same_time() -> None:
    shelf, render, line = ResponseCache(), Renderer(), threading.Barrier(8)

    def ask() -> CachedResponse:
        line.wait()
        return shelf.get_or_render("/a", 1, render)

    with ThreadPoolExecutor(8) as pool:
        cached_responses = [future.result() for future in [pool.submit(ask) for _ in range(8)]]

    assert (len(set(map(id, cached_responses))), render.times) == (1, 1)


def test_what_was_asked_for_longest_ago_makes_room() -> None:
    render = Renderer()
    shelf = ResponseCache(max_bytes=2 * (made().size + ENTRY_BYTES) + 10)

    shelf.get_or_render("/a", 1, render)
    shelf.get_or_render("/b", 1, render)
    shelf.get_or_render("/a", 1, render)
    shelf.get_or_render("/c", 1, render)

    assert [shelf.get_fresh(path) is not None for path in ("/a", "/b", "/c")] == [True, False, True]


def test_a_long_address_takes_room_as_well() -> None:
    shelf = ResponseCache(max_bytes=2 * (made().size + ENTRY_BYTES) + 100)

    shelf.get_or_render("/a", 1, Renderer())
    shelf.get_or_render("/" + "b" * 200, 1, Renderer())

    assert shelf.get_fresh("/a") is None


def test_what_is_larger_than_all_the_room_is_sent_and_not_kept() -> None:
    shelf = ResponseCache(max_bytes=10)

    assert shelf.get_or_render("/a", 1, Renderer()).plain.full.body["body"] == BODY
    assert shelf.get_fresh("/a") is None
    assert shelf.get_or_render("/b", 1, Renderer()).plain.full.body["body"] == BODY


def test_what_cannot_be_rendered_leaves_the_shelf_as_it_was() -> None:
    shelf = ResponseCache()

    def fail() -> CachedResponse:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        shelf.get_or_render("/a", 1, fail)
    assert shelf.get_or_render("/a", 1, Renderer()).plain.full.body["body"] == BODY
