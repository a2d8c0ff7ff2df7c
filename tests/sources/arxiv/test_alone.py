"""Asked by one route of records and nothing else, the simulated arXiv has no paper that is not told."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import date, timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import Ask
from digest.ports import Request, Response
from digest.sources.arxiv import Source
from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.history import History, make_subject
from tests.arxiv_service.records import Harvest
from tests.arxiv_service.release_times import get_records_time
from tests.arxiv_service.search import search

DAYS = [day for n in range(12) if (day := date(2026, 4, 6) + timedelta(n)).weekday() < 5]
SECTIONS = ("cs.LG", "cs.DC", "math.IT")


def told(history: History, route: str, section: str) -> dict[date, set[tuple[str, str]]]:
    """What each day's visit, ten minutes after the records are out, is told: ids and kinds by day."""
    source = Source(categories=(section,), routes=(route,))
    harvest, cursor = Harvest(history, page=7), ""
    listed: dict[date, set[tuple[str, str]]] = defaultdict(set)
    for day in DAYS[1:]:
        now = get_records_time(day) + timedelta(minutes=10)
        requested_request = Ask(source="arxiv", section=source.sections[0], route=route)
        request: Request | None = source.start(requested_request, cursor, now)
        while request:
            query = parse_qsl(urlsplit(request.url).query)
            answer = harvest.answer(query, now) if route == "oai" else search(history, dict(query), now)
            page = source.read(request, Response(status=answer.status, headers=(), body=answer.body))
            assert not page.unread
            for one in page.announced:
                assert one.day is not None
                listed[one.day] |= {(listing.paper.key[6:], str(listing.kind)) for listing in one.listings}
            cursor, request = page.cursor, page.next
    return listed


@pytest.mark.parametrize("section", SECTIONS)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_the_records_tell_every_listing_on_its_day(section: str, seed: int) -> None:
    history = History(make_announcements(random.Random(seed), DAYS, SECTIONS, 8))
    listed = told(history, "oai", section)
    for day in DAYS[1:]:
        assert {
            (row.paper.id, row.kind) for row in history.make_list_rows(day, make_subject([section]))
        } <= listed[day]


@pytest.mark.parametrize("section", SECTIONS)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_the_search_tells_every_paper(section: str, seed: int) -> None:
    history = History(make_announcements(random.Random(seed), DAYS, SECTIONS, 8))
    papers = {paper for listings in told(history, "api", section).values() for paper, _ in listings}
    rows = (row for day in DAYS[1:] for row in history.make_list_rows(day, make_subject([section])))
    assert {row.paper.id for row in rows if row.paper.action == "new"} <= papers
