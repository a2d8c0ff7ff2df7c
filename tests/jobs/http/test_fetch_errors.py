from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx
from hypothesis import given
from hypothesis import strategies as st

from digest.failures import FailureKind
from digest.jobs.http.fetch_errors import describe_error, read_refusal
from digest.jobs.http.fetch_results import FetchFailure, FetchFailureState
from tests.support.cases import for_each_case

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
HOURS = timedelta(hours=6)
SPENT = {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "0"}

REFUSALS = {
    "arXiv's edge under load": (406, {}, FetchFailureState.BUSY, None),
    "a server that fails": (500, {}, FetchFailureState.BUSY, None),
    "a server that is away behind its CDN": (522, {}, FetchFailureState.BUSY, None),
    "a list that is not consistent yet": (503, {"cache-control": "max-age=60"}, FetchFailureState.BUSY, None),
    "OAI-PMH's flow control": (
        503,
        {"retry-after": "20"},
        FetchFailureState.THROTTLED,
        timedelta(seconds=20),
    ),
    "maintenance until an hour": (
        503,
        {"retry-after": "Fri, 12 Jun 2026 07:00:00 GMT"},
        FetchFailureState.THROTTLED,
        timedelta(minutes=90),
    ),
    "too often, and no more said": (429, {}, FetchFailureState.THROTTLED, None),
    "too often in a second, with requests left": (
        429,
        {"retry-after": "1", "x-ratelimit-remaining": "900", "x-ratelimit-reset": "54000"},
        FetchFailureState.THROTTLED,
        timedelta(seconds=1),
    ),
    "a window of minutes is used up": (
        429,
        {"ratelimit": '"api";r=0;t=240'},
        FetchFailureState.THROTTLED,
        timedelta(minutes=4),
    ),
    "the day is used up": (
        429,
        SPENT | {"x-ratelimit-reset": "54000", "retry-after": "1"},
        FetchFailureState.QUOTA,
        timedelta(hours=15),
    ),
    "the hour is used up, told as a denial": (
        403,
        SPENT | {"x-ratelimit-reset": f"{int(NOW.timestamp()) + 1800}"},
        FetchFailureState.QUOTA,
        timedelta(minutes=30),
    ),
    "a minute is used up, told as a denial": (
        403,
        SPENT | {"x-ratelimit-reset": "50"},
        FetchFailureState.THROTTLED,
        timedelta(seconds=50),
    ),
    "arXiv's denial": (403, {}, FetchFailureState.DENIED, HOURS),
    "a denial that names a short time": (403, {"retry-after": "5"}, FetchFailureState.DENIED, HOURS),
    "a denial that names a long time": (403, {"retry-after": "43200"}, FetchFailureState.DENIED, 2 * HOURS),
    "a key is wanted": (401, {"www-authenticate": "Bearer"}, FetchFailureState.DENIED, HOURS),
    "a check of browsers": (403, {"cf-mitigated": "challenge"}, FetchFailureState.DENIED, HOURS),
    "a check of browsers, told as busy": (
        503,
        {"cf-mitigated": "challenge"},
        FetchFailureState.DENIED,
        HOURS,
    ),
    "reasons of law": (451, {}, FetchFailureState.DENIED, HOURS),
}


@for_each_case(("status", "headers", "state", "pause"), REFUSALS.values(), ids=REFUSALS)
def test_what_refuses_is_told_apart_by_what_helps(
    status: int, headers: dict[str, str], state: FetchFailureState, pause: timedelta | None
) -> None:
    trouble = read_refusal(status, headers, NOW)

    assert trouble is not None
    assert (trouble.state, trouble.pause) == (state, pause)
    assert f"HTTP {status}" in trouble.message


def test_each_kind_of_refusal_has_its_own_words() -> None:
    fields: dict[FetchFailureState, set[str]] = {}
    for status, headers, state, _ in REFUSALS.values():
        trouble = read_refusal(status, headers, NOW)
        assert trouble is not None
        fields.setdefault(state, set()).add(trouble.message.replace(str(status), "…"))

    assert sum(map(len, fields.values())) == len(set().union(*fields.values()))
    assert fields[FetchFailureState.QUOTA] == {
        "it answered HTTP …: our quota is used up until 12 Jun 20:30 UTC",
        "it answered HTTP …: our quota is used up until 12 Jun 06:00 UTC",
    }


@for_each_case("status", [200, 204, 206, 304, 400, 404, 414, 422])
def test_what_a_source_can_read_is_no_trouble(status: int) -> None:
    assert read_refusal(status, SPENT | {"x-ratelimit-reset": "54000", "retry-after": "60"}, NOW) is None


@given(
    st.integers(100, 999),
    st.dictionaries(
        st.sampled_from(["retry-after", "cf-mitigated", "x-ratelimit-remaining", "x-ratelimit-reset"]),
        st.text() | st.integers().map(str),
    ),
)
def test_no_answer_breaks_the_judgement_or_stops_us_for_ever(status: int, headers: dict[str, str]) -> None:
    trouble = read_refusal(status, headers, NOW)

    assert trouble is None or trouble.pause is None or trouble.pause <= timedelta(days=1)


@for_each_case(
    ("error", "words", "state"),
    [
        (
            httpx.ConnectTimeout(""),
            "it cannot be reached (no connection within 10 seconds)",
            FetchFailureState.AWAY,
        ),
        (httpx.ConnectError("refused"), "it cannot be reached (refused)", FetchFailureState.AWAY),
        (OSError("no route"), "it cannot be reached (no route)", FetchFailureState.AWAY),
        (httpx.ReadTimeout(""), "it did not answer in time", FetchFailureState.AWAY),
        (httpx.ReadError("reset"), "its answer was cut off (reset)", FetchFailureState.CUT_OFF),
        (httpx.RemoteProtocolError("no head"), "its answer was cut off (no head)", FetchFailureState.CUT_OFF),
        (httpx.ProxyError("502 Bad"), "the request failed (502 Bad)", FetchFailureState.AWAY),
        (
            httpx.ConnectError("\x1b[2J\n" + "x" * 9999),
            f"it cannot be reached (?[2J?{'x' * 295})",
            FetchFailureState.AWAY,
        ),
    ],
)
def test_what_goes_wrong_on_the_way_is_told_in_words(
    error: Exception, words: str, state: FetchFailureState
) -> None:
    assert describe_error(error) == FetchFailure(message=words, state=state)


@for_each_case("state", list(FetchFailureState))
def test_readers_are_told_something_of_each_trouble(state: FetchFailureState) -> None:
    assert FetchFailure(message="no such login: jane.doe", state=state).failure in FailureKind


def test_a_mistake_of_ours_is_no_trouble_of_a_host() -> None:
    assert describe_error(KeyError("url")) is None
