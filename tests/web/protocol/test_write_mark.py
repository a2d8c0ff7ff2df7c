"""The cookie with a position in the write-ahead log."""

from __future__ import annotations

from http.cookies import SimpleCookie

import pytest

from digest.core.delivery.tokens import sign_token
from digest.web.protocol import write_mark
from digest.web.protocol.write_mark import WRITE_COOKIE, make_write_mark, read_write_mark

KEYS = (b"k" * 32, b"former" * 6)
POSITION = 63_910_768


def make_cookie(position: int = POSITION) -> str:
    _, value = make_write_mark(position, KEYS, "https://digest.example.org/x")
    return value.decode().partition(";")[0]


def read(*cookies: str) -> int:
    return read_write_mark([(b"host", b"x"), *((b"cookie", text.encode()) for text in cookies)], KEYS)


def test_the_cookie_is_kept_from_scripts_and_other_sites() -> None:
    name, value = make_write_mark(POSITION, KEYS, "https://digest.example.org/x")
    cookie = SimpleCookie(value.decode())[WRITE_COOKIE]

    assert name == b"set-cookie"
    assert (cookie["path"], cookie["max-age"], cookie["samesite"]) == ("/x", "120", "Lax")
    assert cookie["httponly"]
    assert cookie["secure"]
    assert not SimpleCookie(make_write_mark(1, KEYS, "http://x")[1].decode())[WRITE_COOKIE]["secure"]


@pytest.mark.parametrize("form", ["{}", "a=b; {}; c=d", "a=b;{}", "{} ;c=d", "a=b;\t{}"])
def test_it_is_found_among_others(form: str) -> None:
    assert read(form.format(make_cookie())) == POSITION
    assert read("a=b", form.format(make_cookie())) == POSITION


def test_every_key_may_have_signed_it_and_the_furthest_position_counts() -> None:
    former = f"{WRITE_COOKIE}={sign_token('written', str(POSITION + 1), KEYS[1:])}"

    assert read(f"{make_cookie()}; {former}") == POSITION + 1
    assert read(make_cookie(), former) == POSITION + 1


@pytest.mark.parametrize(
    "cookie",
    [
        "",
        f"{WRITE_COOKIE}=",
        f"{WRITE_COOKIE}",
        f"{WRITE_COOKIE}=9.{'A' * 24}",
        f"{make_cookie()}A",
        f"x{make_cookie()}",
        f"other={make_cookie()}",
        f"{WRITE_COOKIE}={sign_token('other', '9', KEYS)}",
        f"{WRITE_COOKIE}=\udcff".encode("utf-8", "surrogateescape").decode("latin-1"),
    ],
)
def test_what_we_have_not_signed_is_none(cookie: str) -> None:
    assert read(cookie) == 0


def test_a_flood_of_cookies_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []

    def check(_purpose: str, token: str, _keys: object) -> None:
        checked.append(token)

    monkeypatch.setattr(write_mark, "read_token", check)

    assert read(*["; ".join([f"{WRITE_COOKIE}=9.{'A' * 24}"] * 500)] * 9) == 0
    assert len(checked) <= 2
