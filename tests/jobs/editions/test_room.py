"""What has no room in an edition, not even as a line, comes first in the next one, and nothing is ever lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from apprise.manager_plugins import NotificationManager
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from digest import plugins
from digest.config import Destination, DigestSettings
from digest.core.editions.compose import keep_first
from digest.core.editions.composition import Composition
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.editions.explain import explain_paper, find_digest
from digest.jobs.editions.preview import build_preview
from digest.jobs.editions.room import _DEFAULT_CHAT_BYTES, _MAX_CHAT_BYTES, EditionCapacity
from digest.jobs.matching.match import match
from digest.jobs.operations.pruning import prune_old
from digest.model import Edition, EditionForm, EventKind, Listing, Paper
from digest.render.delivery.mail import (
    MAX_HTML_BYTES,
    MailLinks,
    find_mail_limits,
    has_all_papers,
    render_mail,
)
from digest.render.environment import make_environment
from digest.sources.arxiv import Source
from digest.store.database.engine import Store, open_store
from digest.store.database.tables.digests import deliveries
from digest.store.editions import editions
from digest.store.subscribers.digests import Digest
from tests.render.samples import SITE
from tests.store.factories import (
    NOW,
    announce,
    change_options,
    declare,
    make_digest,
    make_new_listing,
    make_paper,
    make_replacement,
)

SOURCES = {"arxiv": Source(categories=("cs.LG",))}
LETTERS = MessageIds(key=b"key", domain="example.org")
ENVIRONMENT = make_environment()
DAILY = replace(make_digest(queries=["paper"], schedule="daily 07:30"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Few(EditionCapacity):
    """Room for so many papers."""

    most: int
    has_pages: bool = False

    def limit_composition(
        self,
        digest: Digest,  # noqa: ARG002 - all have as much
        what: Composition,
        paper_at: Callable[[int], tuple[int, Paper]],  # noqa: ARG002 - whatever its length
    ) -> Composition:
        return keep_first(what, self.most)


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path / 'digest.db'}", NOW)
    yield store
    store.close()


def day_of(day: int) -> date:
    return (NOW + timedelta(days=day)).date()


def tell(store: Store, day: int, room: EditionCapacity | None, *, times: int = 1) -> None:
    """The run of a day; more than once is what a process does that takes up what another has left."""
    now = NOW + timedelta(days=day)
    fire_slots(store, SOURCES, now)
    for _ in range(times):
        match(store)
        close_runs(store, SOURCES, now, wait=False)
        compose_editions(store, LETTERS, 1, now, capacity=room)


def by_abstract(number: int) -> Listing:
    """A paper that all others come before which were listed with it."""
    listed = make_new_listing(number, title="Something else")
    return replace(listed, paper=replace(listed.paper, abstract="We tell of a paper."))


def told(store: Store, name: str = "systems") -> list[Edition]:
    """The editions, the first one first."""
    with store.begin_read() as tx:
        return list(reversed(editions.load_last(tx, find_digest(tx, name).id, 999)))


def keys(edition: Edition) -> list[str]:
    return [item.paper.key for item in (*edition.items, *edition.overflow)]


def from_seq(store: Store) -> int | None:
    with store.begin_read() as tx:
        return find_digest(tx, "systems").from_seq


@pytest.mark.parametrize("limit", [25, 1000])
def test_of_fifteen_hundred_papers_each_is_told_once_over_editions_whose_mails_show_all_of_theirs(
    sqlite_store: Store, limit: int
) -> None:
    store, room = sqlite_store, EditionCapacity(has_pages=False)
    declare(store, change_options(DAILY, limit=limit))
    announce(store, *(make_new_listing(number) for number in range(1, 1501)))
    tell(store, 0, room)
    announce(store, *(make_new_listing(number) for number in range(1501, 1601)), day=day_of(1))
    day = 1
    while from_seq(store) is not None:
        assert day < 30
        tell(store, day, room)
        day += 1

    editions = told(store)
    all_values = [key for edition in editions for key in keys(edition)]
    assert len(all_values) == len(set(all_values)) == 1600
    for before, after in pairwise(editions):
        assert before.dropped
        waited = [item.waited for item in after.items]
        assert waited == sorted(waited, reverse=True), "what waited comes first"
        assert waited[0]
    assert editions[-1].dropped == 0
    for edition in (editions[0], editions[-1]):
        shape = find_mail_limits(ENVIRONMENT, edition, SITE)
        assert has_all_papers(shape, edition, MailLinks())
        assert shape.full >= 1
    mail = render_mail(ENVIRONMENT, editions[0], SITE)
    assert len(mail.html.encode()) <= MAX_HTML_BYTES
    assert f"{editions[0].dropped:,} more papers match and come first in the next edition." in mail.html
    assert "Left over from the last edition" in render_mail(ENVIRONMENT, editions[1], SITE).html


def test_what_waited_longest_comes_first_however_much_that_fits_better_comes_each_day(
    sqlite_store: Store,
) -> None:
    store = sqlite_store
    declare(store, DAILY)
    announce(store, by_abstract(999), *(make_new_listing(number) for number in range(1, 11)))
    tell(store, 0, Few(most=5))
    for day in range(1, 6):
        announce(store, *(make_new_listing(5 * day + number) for number in range(6, 11)), day=day_of(day))
        tell(store, day, Few(most=5))

    results = [keys(edition) for edition in told(store)]
    assert [make_paper(999).key in values for values in results] == [False, False, True, False, False, False]
    in_turn = [*range(1, 11), 999, *range(11, 30)]
    assert [key for values in results for key in values] == [make_paper(number).key for number in in_turn]


def test_what_waits_for_longer_than_editions_are_kept_is_told_once_all_the_same(sqlite_store: Store) -> None:
    store, keep = sqlite_store, timedelta(days=100)
    declare(store, DAILY)
    # The first event is told last, so that the digest's place stays before all others until then.
    announce(store, by_abstract(999), *(make_new_listing(number) for number in range(1, 81)))
    all_values: list[str] = []
    removed: Counter[str] = Counter()
    for day in range(0, 170, 10):
        # Ages are counted from the last day of which a source has told.
        announce(store, make_new_listing(2000, title="Something else"), section="cs.OS", day=day_of(day))
        tell(store, day, Few(most=5))
        all_values += keys(told(store)[-1])
        with store.begin_write() as tx:
            tx.execute(update(deliveries).values(state="sent"))
        for step in prune_old(store, keep, NOW + timedelta(days=day)):
            removed.update({removal.table: removal.rows for removal in step.removed})

    assert all_values == [make_paper(number).key for number in (*range(1, 81), 999)]
    assert from_seq(store) is None
    assert removed["editions"], "they go when the digest's place has moved on"


def test_two_hundred_and_fifty_three_papers_have_room_in_one_mail(store: Store) -> None:
    declare(store, change_options(DAILY, limit=253))
    announce(
        store,
        *(
            make_new_listing(number, title=f"Paper {number}: {'of some length ' * 4}")
            for number in range(253)
        ),
    )
    tell(store, 0, EditionCapacity(has_pages=False))

    (edition,) = told(store)
    assert edition.dropped == 0
    mail = render_mail(ENVIRONMENT, edition, SITE)
    html, text = mail.html.replace("<b>", "").replace("</b>", ""), mail.text.replace("*", "")
    for number in range(253):
        for part in (html, text):
            assert make_paper(number).url in part
            assert f"Paper {number}: of some length" in " ".join(part.split())


_DAYS = st.lists(
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 3)), max_size=8, unique_by=lambda entry: entry[0]),
    min_size=1,
    max_size=4,
)
"""What is announced each day: papers and versions."""


@given(days=_DAYS, most=st.integers(1, 4), times=st.integers(1, 2))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_is_lost_and_nothing_told_twice_however_little_room_there_is(
    sqlite_store: Store, days: list[list[tuple[int, int]]], most: int, times: int
) -> None:
    kinds = (EventKind.NEW, EventKind.VERSION)
    results: list[list[tuple[str, EventKind, int]]] = []
    for room in (Few(most=most), None):
        with sqlite_store.begin_dry_run() as store:
            declare(store, change_options(DAILY, kinds=kinds))
            for day, listed in enumerate(days):
                announce(store, *(_listing(*entry) for entry in listed), day=day_of(day))
                tell(store, day, room, times=times)
            last = len(days)
            while from_seq(store) is not None:
                assert last < 30
                tell(store, last, room)
                last += 1
            results.append(
                [
                    (item.paper.key, item.event.kind, item.event.number)
                    for edition in told(store)
                    for item in (*edition.items, *edition.overflow)
                ]
            )

    few, all_at_once = results
    assert len(few) == len(set(few))
    assert {key for key, _, _ in few} == {key for key, _, _ in all_at_once}


def _listing(number: int, version: int) -> Listing:
    return make_new_listing(number) if version == 1 else make_replacement(number, version)


def test_news_of_a_paper_that_were_one_item_with_it_are_not_told_when_others_of_that_day_waited(
    store: Store,
) -> None:
    declare(store, change_options(DAILY, kinds=(EventKind.NEW, EventKind.VERSION)))
    announce(store, make_new_listing(1), make_new_listing(2))
    announce(store, make_replacement(1, 2), day=day_of(1))
    tell(store, 1, Few(most=1))
    tell(store, 2, Few(most=1))
    tell(store, 3, Few(most=1))

    items = [item.event for edition in told(store) for item in edition.items]
    assert [(event.paper.key, event.kind) for event in items] == [
        (make_paper(1).key, EventKind.NEW),
        (make_paper(2).key, EventKind.NEW),
    ]


def test_why_says_where_a_paper_stood(store: Store) -> None:
    declare(store, change_options(DAILY, limit=2))
    announce(store, *(make_new_listing(number) for number in range(1, 6)))
    tell(store, 0, Few(most=3))

    def verdict(number: int) -> str:
        return explain_paper(store, "systems", make_paper(number).key, lambda _edition, _digest: 1).verdict

    (edition,) = told(store)
    first = f"Yes: in edition {edition.id},"
    assert verdict(1) == f"{first} in full, at position 1."
    assert (
        verdict(2)
        == f"{first} as a line, at position 2, because the message had no room for more papers in full."
    )
    declare(store, change_options(DAILY, limit=2, full=1))
    assert verdict(2) == f"{first} as a line, at position 2, because the digest has `full = 1`."
    assert verdict(3) == f"{first} as a line, at position 3, because of the digest's limit."
    assert verdict(4) == (
        f"Not yet: edition {edition.id} had no room for it, not even as a line; it comes first in the next edition, "
        "on 2026-06-13 at 07:30."
    )
    preview = build_preview(store, "systems", NOW + timedelta(days=1), Few(most=3))
    assert [(item.paper.key, item.waited) for item in preview.items] == [
        (make_paper(4).key, True),
        (make_paper(5).key, True),
    ]

    tell(store, 1, Few(most=3))
    assert verdict(4).endswith("in full, at position 1.")
    assert from_seq(store) is None


def with_ways(*ways: tuple[str, ...], feed: bool = False) -> DigestSettings:
    to = tuple(
        Destination(
            channel=channel,
            kind=plugins.load_channel(channel).address_kind,
            address=address,
            form=EditionForm("".join(form)),
        )
        for channel, address, *form in ways
    )
    return change_options(replace(DAILY, destinations=to), feed=feed)


MAIL, HOOK = ("smtp", "me@example.org"), ("webhook", "https://example.org/hook")
READER, BOOKS = ("smtp", "me@kindle.com", "epub"), ("files", "books", "epub")
TELEGRAM, OTHER = ("notify", "tgram://…"), ("notify", "pover://…")


@pytest.mark.parametrize(
    ("ways", "feed", "has_pages", "low", "high"),
    [
        ([MAIL], False, False, 250, 500),
        ([MAIL, HOOK, TELEGRAM], True, False, 250, 500),
        ([("files", "out")], False, True, 250, 500),
        # On a page, in a feed or by a webhook, all that an edition keeps has room.
        ([MAIL, TELEGRAM], False, True, 525, 525),
        ([HOOK], False, False, 525, 525),
        # So it has in a book, but a mail beside it tells all of it, too.
        ([READER, BOOKS], False, False, 525, 525),
        ([READER, TELEGRAM], False, False, 525, 525),
        ([READER, MAIL], False, False, 250, 500),
        ([], True, False, 525, 525),
        ([TELEGRAM], True, False, 525, 525),
        # A chat that is all a digest has tells as many as its five messages hold.
        ([TELEGRAM], False, False, 60, 200),
        ([TELEGRAM, OTHER], False, False, 10, 40),
    ],
)
def test_an_edition_is_as_long_as_the_narrowest_of_the_ways_that_tell_all_of_it(
    sqlite_store: Store,
    ways: list[tuple[str, ...]],
    low: int,
    high: int,
    *,
    feed: bool,
    has_pages: bool,
) -> None:
    with sqlite_store.begin_dry_run() as store:
        declare(store, with_ways(*ways, feed=feed))
        announce(store, *(make_new_listing(number) for number in range(1, 701)))
        tell(store, 0, EditionCapacity(has_pages=has_pages))
        (edition,) = told(store)

    assert low <= len(keys(edition)) <= high
    assert edition.dropped == 700 - len(keys(edition))


def test_no_service_is_given_more_room_for_a_message_than_apprise_knows_of() -> None:
    services = NotificationManager()  # type: ignore[no-untyped-call]

    assert {
        scheme: most for scheme, most in _MAX_CHAT_BYTES.items() if most > services[scheme].body_maxlen
    } == {}
    assert services["workflows"].body_maxlen >= _DEFAULT_CHAT_BYTES
