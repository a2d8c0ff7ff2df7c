"""Sessions: tokens that nobody guesses, forms bound to them, and how little is kept of a browser."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.subscribers.own_digest import OwnDigest, OwnDigestState, list_next_dates
from digest.core.subscribers.sessions import (
    BrowserLabel,
    Session,
    hash_session_token,
    is_form_token,
    make_form_token,
    make_session_token,
    read_browser,
)
from digest.core.times.schedule import parse_schedule

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", ("Firefox", "Linux")),
        (
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                "Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0"
            ),
            ("Edge", "Windows"),
        ),
        (
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
                "Chrome/138.0.0.0 Mobile Safari/537.36"
            ),
            ("Chrome", "Android"),
        ),
        (
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                "Version/18.5 Mobile/15E148 Safari/604.1"
            ),
            ("Safari", "iOS"),
        ),
        (
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                "Version/18.5 Safari/605.1.15"
            ),
            ("Safari", "macOS"),
        ),
        ("curl/8.14", ("", "")),
        ("", ("", "")),
    ],
)
def test_of_a_browser_its_name_and_system_are_kept(user_agent: str, label: tuple[str, str]) -> None:
    assert read_browser(user_agent) == label


@given(st.text())
def test_nothing_of_an_unknown_browser_is_kept(user_agent: str) -> None:
    label = read_browser(user_agent)
    assert all(not part or part.replace(" ", "").isalpha() for part in label)


@pytest.mark.parametrize("part", ["Version/", "Version/a ", "Version/aaaa", "Safari/", "Mac OS ", "Windows "])
def test_a_hostile_name_of_a_browser_takes_no_longer_than_others(part: str) -> None:
    # A pattern that tries all pairs of places takes so long for one of these that the limit of a test ends it.
    for count in range(3_000):
        assert read_browser(f"{part * 1_000}{count}").browser == ""


@given(st.text())
def test_no_text_is_the_form_token_of_a_session_by_accident(text: str) -> None:
    token = make_session_token()
    assert not is_form_token(text, token)
    assert is_form_token(make_form_token(token), token)
    assert not is_form_token(make_form_token(token), make_session_token())


def test_each_token_is_new_and_only_tokens_have_a_hash() -> None:
    tokens = {make_session_token() for _ in range(1_000)}
    assert len(tokens) == 1_000
    assert len({hash_session_token(token) for token in tokens}) == 1_000
    token = min(tokens)
    for text in ("", f"{token} ", token[:-1], f"{token}A", f"{token}\n", "ä" * 43):
        assert hash_session_token(text) == ""


@pytest.mark.parametrize(
    ("age", "is_live"),
    [
        (timedelta(), True),
        (timedelta(seconds=-30), True),
        (timedelta(minutes=-2), False),
        (timedelta(days=30, seconds=-1), True),
        (timedelta(days=30), False),
    ],
)
def test_a_session_lasts_thirty_days_and_none_is_from_the_future(age: timedelta, is_live: bool) -> None:  # noqa: FBT001
    created_at = NOW - age
    session = Session(
        id=1,
        subscriber=1,
        address="ada@example.org",
        label=BrowserLabel("", ""),
        created_at=created_at,
        seen_at=created_at,
        expires_at=created_at + timedelta(days=30),
    )
    assert session.is_live(NOW) == is_live


def test_the_next_dates_are_those_of_the_schedule_unless_nothing_comes() -> None:
    digest = OwnDigest(
        id=1,
        destination=1,
        title="Sample",
        zone="Europe/Berlin",
        schedule=parse_schedule("weekdays 07:30", zone="Europe/Berlin"),
        state=OwnDigestState.ACTIVE,
        paused_until=None,
        is_new=False,
    )
    assert [f"{date:%a %d %H:%M}" for date in list_next_dates(digest, 3, NOW)] == [
        "Mon 15 05:30",
        "Tue 16 05:30",
        "Wed 17 05:30",
    ]
    for state in OwnDigestState:
        assert bool(list_next_dates(replace(digest, state=state), 3, NOW)) == (state is OwnDigestState.ACTIVE)
