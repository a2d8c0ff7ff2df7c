"""What a day's papers are to each digest: 1 + Poisson(2.2) follows over 100,000 queries of the window, the first 20 papers.

From the rows of hits of the window's queries to each digest's items in their order, with what is excluded counted. The
peer in the same run goes pair by pair, with sets and dictionaries, as one writes it first; both give the same items,
rest and counts, asserted. ``DIGEST_BENCHMARK_DIGESTS=1000000`` shows a million digests, too.

The run as a whole follows: a store is made with digests, follows and a day of papers, and the day is kept, matched,
composed and written. What is shown is what each step has of that; matching is never to be the largest.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from random import Random
from time import process_time

from sqlalchemy import func, insert, select

from benchmarks.measure import Result, Row, cpu_seconds
from benchmarks.mix import a_day, available, poisson, queries
from digest.core.editions.compose import compose
from digest.core.editions.composition import Composition, FollowMatch
from digest.core.editions.window_events import WindowEvents, describe_window
from digest.core.language.query import Query, compile_query
from digest.core.matching.event_set import NO_EVENTS, MatchedEvents
from digest.core.matching.percolator.engine import Engine
from digest.core.papers.document import build_document
from digest.core.papers.links import add_paper_links
from digest.core.times.schedule import compute_due_at
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.matching.match import match
from digest.model import BatchState, Confidence, Event, EventKind, Listing, ListingKind, Paper
from digest.sources.arxiv import Source
from digest.store.database.engine import Store, open_store
from digest.store.database.tables.digests import digests, editions, follows
from digest.store.editions import runs
from digest.store.fetching import ledger, listings
from digest.store.matching import matches
from tests.core.naive_compose import Candidate, NaiveComposition, compose_naively, expand_ranked
from tests.store.factories import declare, make_digest

PAPERS, QUERIES, LIMIT = 1500, 100_000, 20
SIZES = (1_000, 10_000, 100_000, 1_000_000)
MOST = int(os.environ.get("DIGEST_BENCHMARK_DIGESTS", "100000"))
DIGESTS = 30_000
"""Of the run as a whole."""
DAY = date(2026, 6, 12)
NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
KINDS = (EventKind.NEW,)
SOURCE = Source(categories=("cs.LG",), routes=("rss", "oai"))


def run(*, small: bool) -> Result:
    """Measure ranking by itself, and then the run that it is part of."""
    if not available():
        return Result(title="rank_fanout: not run, the recorded papers are not here")
    papers = a_day(300 if small else PAPERS)
    asked = queries(2_000 if small else QUERIES)
    rows = [*_ranking(papers, asked, small=small), *_whole(papers, asked, small=small)]
    return Result(title="from what fits to editions, against pair by pair", rows=tuple(rows))


# --- ranking --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """The events of a window, and what queries fit of them, by number: as sets, and as pairs."""

    window: WindowEvents
    hits: dict[int, MatchedEvents]
    pairs: dict[int, list[tuple[Event, Confidence, bool, Confidence]]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A follow: the number of its query, its weight, and whether it takes papers out."""

    query: int
    weight: float
    exclude: bool


def _ranking(papers: Sequence[Paper], asked: Sequence[Query], *, small: bool) -> list[Row]:
    day = _day(papers, asked)
    sizes = [100, 1_000] if small else [size for size in SIZES if size <= MOST]
    wishes = _wishes(sizes[-1], len(asked))
    few = wishes[: sizes[0]]
    for wanted in few:
        ours, plain = _composed(day, wanted), _plainly(day, wanted)
        assert (
            NaiveComposition(
                expand_ranked(ours.items), expand_ranked(ours.overflow), ours.dropped, ours.excluded
            )
            == plain
        ), wanted
    taken = cpu_seconds(
        {
            "pair by pair": lambda: [_plainly(day, one) for one in few],
            "digest": lambda: [_composed(day, one) for one in few],
        },
        repeats=1 if small else 5,
    )
    peer, least = (taken[name] / len(few) for name in ("pair by pair", "digest"))
    rows = [
        _row(len(few), "pair by pair", peer, peer),
        _row(len(few), "digest", least, peer, wanted=10),
        *(_row(size, "digest", _seconds_each(day, wishes[:size]), peer, wanted=10) for size in sizes[1:]),
    ]
    most = rows[-1].seconds / sizes[-1]
    growth = Row(
        work=rows[-1].work,
        candidate=f"a digest takes {most / least:.2f} of what it does among {len(few):,}",
        seconds=rows[-1].seconds,
        times=least / most,
        wanted=0.67,
    )
    return [*rows, growth]


def _row(count: int, name: str, each: float, peer: float, *, wanted: float | None = None) -> Row:
    """What ranking takes, by what it takes each of some digests."""
    return Row(
        work=f"ranking for {count:,} digests",
        candidate=f"{name}, {each * 1e6:,.1f} µs a digest",
        seconds=each * count,
        times=peer / each,
        wanted=wanted,
    )


def _seconds_each(day: Day, wishes: Sequence[Sequence[Wanted]]) -> float:
    def rank() -> None:
        for wanted in wishes:
            _composed(day, wanted)

    return cpu_seconds({"digest": rank}, repeats=1)["digest"] / len(wishes)


def _day(papers: Sequence[Paper], asked: Sequence[Query]) -> Day:
    engine = Engine()
    for number, query in enumerate(asked, start=1):
        engine.add_compiled(number, compile_query(query))
    events = [
        Event(seq=seq, kind=EventKind.NEW, number=0, day=DAY, source="arxiv", first=True, paper=paper)
        for seq, paper in enumerate(papers)
    ]
    hits = {
        query: MatchedEvents.from_bitmaps(bitmaps)
        for query, bitmaps in engine.match([build_document(paper) for paper in papers])
    }
    pairs = {
        query: [(events[place], *_how(matched, place)) for place in matched.maybe]
        for query, matched in hits.items()
    }
    return Day(window=describe_window(enumerate(events)), hits=hits, pairs=pairs)


def _how(matched: MatchedEvents, place: int) -> tuple[Confidence, bool, Confidence]:
    band = Confidence(1 + (place in matched.likely) + (place in matched.surely))
    by = (Confidence.NOT, Confidence.LIKELY, Confidence.SURELY)[
        (place in matched.author_likely) + (place in matched.author_surely)
    ]
    return band, place in matched.title, by


def _wishes(count: int, most: int) -> list[list[Wanted]]:
    """The follows of digests: some queries have many followers and most have few; one in twenty takes papers out."""
    random = Random(3)
    return [
        [
            Wanted(
                1 + int(most * random.random() ** 2),
                2.0 if random.random() < 0.1 else 1.0,
                place > 0 and random.random() < 0.05,
            )
            for place in range(1 + poisson(random, 2.2))
        ]
        for _ in range(count)
    ]


def _composed(day: Day, wanted: Sequence[Wanted]) -> Composition:
    wishes = [
        FollowMatch(one.query, "", one.weight, one.exclude, 0, hits)
        for one in wanted
        if (hits := day.hits.get(one.query)) is not None
    ]
    return compose(
        wishes, day.window, requested=day.window.select_eligible(KINDS), sent=NO_EVENTS, limit=LIMIT
    )


def _plainly(day: Day, wanted: Sequence[Wanted]) -> NaiveComposition:
    candidates = [
        Candidate(event, wish, one.query, one.weight, one.exclude, 0, band, in_title, by, named=False)
        for wish, one in enumerate(wanted)
        for event, band, in_title, by in day.pairs.get(one.query, ())
    ]
    return compose_naively(candidates, kinds=KINDS, limit=LIMIT)


# --- the whole ------------------------------------------------------------------------------------


def _whole(papers: Sequence[Paper], asked: Sequence[Query], *, small: bool) -> list[Row]:
    """A run from the day's papers to written editions; three digests for each two queries, as subscriptions turn out."""
    count = 300 if small else min(MOST, DIGESTS)
    asked = asked[: count * 2 // 3]
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/digest.db", NOW)
        _follow(store, [str(query) for query in asked], _wishes(count, len(asked)))
        steps: dict[str, Callable[[], object]] = {
            "keeping the papers": lambda: _announce(store, papers),
            "matching": lambda: match(store),
            "composing": lambda: _compose(store),
        }
        taken = {}
        for name, step in steps.items():
            begun = process_time()
            step()
            taken[name] = process_time() - begun
        with store.begin_read() as tx:
            made = tx.execute(select(func.count()).select_from(editions)).scalar_one()
        store.close()
    work = f"a run: {count:,} digests"
    whole = sum(taken.values())
    others = max(seconds for name, seconds in taken.items() if name != "matching")
    rows = [
        Row(
            work=work,
            candidate=f"{name}, {seconds / whole:.0%} of it",
            seconds=seconds,
            times=whole / seconds,
        )
        for name, seconds in taken.items()
    ]
    judged = Row(
        work=work,
        candidate=f"matching to the largest step; {made:,} editions",
        seconds=taken["matching"],
        times=others / taken["matching"],
        wanted=1.0,
    )
    return [*rows, judged]


def _follow(store: Store, texts: Sequence[str], wishes: Sequence[Sequence[Wanted]]) -> None:
    """Digests that all go out now, and their follows."""
    declare(store, make_digest(schedule="daily 07:30", limit=LIMIT), now=NOW)
    with store.begin_planning() as tx:
        numbers = matches.require_queries(tx, dict.fromkeys(texts, 0))
        (first,) = (row._asdict() for row in tx.execute(select(digests)))
        rows = [
            first | {"id": first["id"] + place, "name": str(place)} for place in range(1, len(wishes) + 1)
        ]
        tx.execute(insert(digests), rows)
        told = [
            {
                "digest_id": row["id"],
                "query_id": numbers[texts[one.query - 1]],
                "text": texts[one.query - 1],
                "weight": one.weight,
                "exclude": one.exclude,
                "started_seq": 0,
            }
            for row, wanted in zip(rows, wishes, strict=True)
            for one in {one.query: one for one in wanted}.values()
        ]
        tx.execute(insert(follows), told)
        runs.wake_slots(tx, NOW)
    match(store)  # the day before: the queries have been read, as they are where a service runs


def _announce(store: Store, papers: Sequence[Paper]) -> None:
    with store.begin_ingest() as tx:
        ledger.declare_sections(tx, SOURCE.name, SOURCE.sections, DAY)
        ledger.make_batches(tx, SOURCE.name, "cs.LG", [(DAY, compute_due_at(SOURCE.calendar, DAY))])
        batch = ledger.load_batch(tx, SOURCE.name, "cs.LG", DAY)
        listed = [Listing(kind=ListingKind.NEW, paper=add_paper_links(paper)) for paper in papers]
        listings.save_listings(tx, batch, listed, announceable=frozenset(paper.key for paper in papers))
        ledger.save_batch(tx, replace(batch, state=BatchState.COMPLETE, received=len(listed), asked_at=NOW))


def _compose(store: Store) -> None:
    fire_slots(store, {}, NOW)
    close_runs(store, {}, NOW, wait=False)
    compose_editions(store, MessageIds(key=b"key", domain="example.org"), 1, NOW)
