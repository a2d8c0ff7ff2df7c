"""Search finds what the evaluator finds, paper by paper, and shows it page by page, on both databases."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from digest.core.language.parser import parse, parse_with_hints
from digest.core.language.query import Query, compile_query, iter_authors
from digest.core.matching.evaluate import evaluate
from digest.core.matching.percolator.engine import Engine
from digest.core.matching.search.cursor import SearchCursor, encode_cursor
from digest.core.matching.search.document_numbers import get_first_document
from digest.core.matching.search.filters import SearchFilters, SearchOrder
from digest.core.matching.search.paper_day import estimate_day
from digest.core.matching.search.totals import CountKind, Facet, Facets, Total
from digest.core.papers.document import NO_STANDINGS, build_document
from digest.core.papers.taxonomy import canonicalize_category
from digest.errors import CursorError, QueryError
from digest.jobs.matching.indexing import index_papers
from digest.jobs.matching.search.explanation import count_parts, find_wider
from digest.jobs.matching.search.page import MAX_RESULTS, SearchResult
from digest.jobs.matching.search.request import SearchRequest
from digest.jobs.matching.search.search_papers import SearchPage, search_papers
from digest.jobs.people.statements import load_standings
from digest.model import Author, Confidence, Event, Listing, ListingKind, Paper
from digest.store.database.engine import Store, get_highest_seq
from digest.store.database.tables.papers import index_counters
from digest.store.database.tables.papers import papers as paper_rows
from digest.store.matching import search_index
from digest.store.matching.announcements import Announcement, load_announcements
from digest.store.papers import papers
from digest.store.papers.events import load_events_between
from tests.jobs.matching.test_narrowing import FIXED, PAPERS, QUERIES, correct, drawn, recorded
from tests.store.factories import (
    DAY,
    announce,
    harvest,
    make_article,
    make_new_listing,
    make_paper,
    make_replacement,
)
from tests.support.cases import for_each_case
from tests.support.seeds import get_seed

ABOUT_EVENTS = (
    "learning NOT kind:new",
    "kind:version source:arxiv",
    "model (source:hf_daily OR kind:version)",
    "source:crossref",
    "learning NOT source:arxiv",
    "(kind:new learning) OR (kind:picked NOT learning)",
    "kind:grown OR kind:published",
    "learning (graph OR NOT kind:picked)",
    "kind:new NOT author:Wang",
)
"""Queries about events, besides those of ``FIXED``."""


# --- the plain answer -----------------------------------------------------------------------------


@dataclass(frozen=True)
class NaiveSearch:
    """All papers with their events, as the evaluator reads them: one query and one paper at a time."""

    store: Store
    papers: dict[int, Paper]
    announcements: dict[int, Announcement]
    events: dict[str, list[Event]]

    @classmethod
    def of(cls, store: Store) -> NaiveSearch:
        events: dict[str, list[Event]] = defaultdict(list)
        with store.begin_read() as tx:
            for event in load_events_between(tx, 0, get_highest_seq(tx)):
                events[event.paper.key].append(event)
            roots = (
                tx.execute(select(paper_rows.c.id).where(paper_rows.c.merged_into.is_(None))).scalars().all()
            )
            loaded = papers.load_papers(tx, roots)
            return cls(store, loaded, load_announcements(tx, roots), events)

    def find(self, query: Query) -> dict[str, tuple[Confidence, date | None]]:
        """The papers that a query finds, by key: how sure, and their days."""
        engine = Engine()
        engine.add(0, query)
        with self.store.begin_read() as tx:
            standings = (
                load_standings(tx, self.papers.values(), engine.wanted_authors)
                if any(iter_authors(query))
                else {}
            )
        found: dict[str, tuple[Confidence, date | None]] = {}
        for number, paper in self.papers.items():
            own_standings = standings.get(paper.key, NO_STANDINGS)
            announcement = self.announcements[number]
            documents = [
                build_document(paper, kind=event.kind, source=event.source, standings=own_standings)
                for event in self.events[paper.key]
            ] or [
                build_document(paper, kind=None, source=source, standings=own_standings)
                for _, source in announcement.events
            ]
            confidences = [fit.confidence for document in documents if (fit := evaluate(query, document))]
            if confidences:
                found[paper.key] = max(confidences), estimate_day(paper, announcement.day)
        return found


def iter_pages(store: Store, text: str, **request: object) -> Iterator[SearchPage]:
    """All pages of a search."""
    cursor = ""
    while True:
        page = search_papers(store, SearchRequest(text=text, cursor=cursor, **request))  # type: ignore[arg-type]
        yield page
        cursor = page.next_cursor
        if not cursor:
            return


def find_all(store: Store, text: str, **request: object) -> list[SearchResult]:
    """The results of all pages."""
    return [result for page in iter_pages(store, text, **request) for result in page.results]


def list_keys(results: Sequence[SearchResult]) -> list[str]:
    return [result.paper.key[-5:] for result in results]


def compare(store: Store, queries: Sequence[str], order: SearchOrder) -> int:
    """Compare all answers; how many papers were found."""
    plainly = NaiveSearch.of(store)
    fits = 0
    for text in queries:
        expected = plainly.find(parse_with_hints(text).query)
        results = find_all(store, text, order=order, limit=100)
        found = {result.paper.key: (result.match_result.confidence, result.day) for result in results}
        assert len(found) == len(results), text
        if len(expected) <= MAX_RESULTS:
            assert found == expected, text
        else:
            assert len(found) == MAX_RESULTS, text
            assert found.items() <= expected.items(), text
        fits += len(expected)
    return fits


# --- what is found --------------------------------------------------------------------------------


@pytest.mark.parametrize("order", SearchOrder)
def test_search_finds_what_the_evaluator_finds_also_after_merges_and_corrections(
    store: Store, data: Path, order: SearchOrder
) -> None:
    chance = random.Random(get_seed())
    known = recorded(data, PAPERS)
    imported, announced = known[::3], [paper for number, paper in enumerate(known) if number % 3]
    for at in range(0, len(announced), 100):
        day = DAY - timedelta(days=(at // 100) % 25)
        listed = (Listing(kind=ListingKind.NEW, paper=paper) for paper in announced[at : at + 100])
        announce(store, *listed, day=day)
    harvest(store, *imported)
    announce(
        store, *(Listing(kind=ListingKind.PICKED, paper=paper) for paper in known[::9]), source="hf_daily"
    )
    queries = (*FIXED, *ABOUT_EVENTS, *drawn(known, QUERIES, chance))

    assert compare(store, queries, order) > QUERIES

    correct(store, known, chance)
    assert compare(store, queries, order) > QUERIES


def test_a_paper_has_the_kinds_and_sources_of_its_events_and_each_condition_is_about_one_event(
    store: Store,
) -> None:
    announce(store, make_new_listing(1), make_new_listing(2), make_replacement(3, 2))
    announce(store, make_replacement(1, 2), day=DAY + timedelta(days=1))
    announce(store, Listing(kind=ListingKind.PICKED, paper=make_paper(2)), source="hf_daily")
    harvest(store, make_paper(4))

    def find(text: str) -> list[str]:
        return sorted(list_keys(find_all(store, text)))

    assert find("kind:version") == ["00001", "00003"]
    assert find("kind:version kind:new") == []
    assert find("paper NOT kind:new") == ["00001", "00002", "00003", "00004"]
    assert find("source:hf_daily") == ["00002"]
    assert find("source:hf_daily kind:new") == []
    assert find("source:arxiv") == ["00001", "00002", "00003", "00004"]
    assert find("paper NOT (kind:new OR kind:version OR kind:picked)") == ["00004"]


def test_withdrawn_and_imported_papers_are_found(store: Store) -> None:
    harvest(store, make_paper(1), replace(make_paper(2), withdrawn=True))

    assert sorted(list_keys(find_all(store, "paper"))) == ["00001", "00002"]


def test_a_paper_that_is_too_long_for_the_index_is_found(store: Store) -> None:
    long = make_paper(1, title="Words and words " * 300)
    announce(store, Listing(kind=ListingKind.NEW, paper=long), make_new_listing(2, title="Words"))

    assert sorted(list_keys(find_all(store, "words"))) == ["00001", "00002"]
    assert list_keys(find_all(store, '"and words"')) == ["00001"]
    page = search_papers(store, SearchRequest(text="words"))
    assert (page.total, page.missing) == (Total(2, CountKind.EXACT), 0)


def test_papers_that_are_not_in_the_index_yet_are_told_and_found_when_they_are(store: Store) -> None:
    announce(store, *(make_new_listing(number) for number in range(1, 6)))
    with store.begin_ingest() as tx:
        search_index.clear_index(tx)
    announce(store, make_new_listing(6))
    page = search_papers(store, SearchRequest(text="paper"))
    assert (list_keys(page.results), page.missing) == (["00006"], 5)

    assert index_papers(store) == 5
    page = search_papers(store, SearchRequest(text="paper"))
    assert (len(page.results), page.missing) == (6, 0)


def test_an_index_of_another_release_is_not_searched(store: Store) -> None:
    announce(store, make_new_listing(1))
    with store.begin_ingest() as tx:
        tx.execute(update(index_counters).where(index_counters.c.name == "version").values(value=-1))

    page = search_papers(store, SearchRequest(text="paper"))
    assert (page.results, page.missing) == ((), 1)


def test_a_person_is_found_as_follows_find_them(store: Store) -> None:
    orcid = (("orcid", "0000-0002-1825-0097"),)
    crew = (Author("Some One"), Author("Other Person"))
    announce(
        store,
        Listing(
            kind=ListingKind.NEW,
            paper=replace(make_paper(1), authors=(Author("Wencong Xiao", (), orcid), *crew)),
        ),
        Listing(kind=ListingKind.NEW, paper=replace(make_paper(2), authors=(Author("Wencong Xiao"), *crew))),
        Listing(kind=ListingKind.NEW, paper=replace(make_paper(3), authors=(Author("W. Xiao"),))),
    )

    def find(text: str) -> dict[str, Confidence]:
        return {result.paper.key[-1]: result.match_result.confidence for result in find_all(store, text)}

    assert find("author:orcid:0000-0002-1825-0097") == {"1": Confidence.SURELY, "2": Confidence.LIKELY}
    assert find('author:"Wencong Xiao"') == {
        "1": Confidence.LIKELY,
        "2": Confidence.LIKELY,
        "3": Confidence.MAYBE,
    }
    assert find('paper NOT author:"Wencong Xiao"') == {"3": Confidence.SURELY}


# --- filters --------------------------------------------------------------------------------------


def test_filters_are_further_conditions(store: Store) -> None:
    announce(
        store,
        make_new_listing(1, categories=("cs.LG", "math.IT")),
        make_new_listing(2, categories=("cs.CL",)),
        Listing(kind=ListingKind.NEW, paper=replace(make_paper(3), code_urls=("https://github.com/a/b",))),
    )
    announce(store, Listing(kind=ListingKind.PICKED, paper=make_paper(2)), source="hf_daily")
    harvest(store, make_article("10.1000/old", title="Old paper"), source="crossref")

    def find(**filters: object) -> list[str]:
        return sorted(list_keys(find_all(store, "paper", filters=SearchFilters(**filters))))  # type: ignore[arg-type]

    assert find() == ["0/old", "00001", "00002", "00003"]
    assert find(category="cs.IT") == ["00001"]
    assert find(category="cs.*", source="hf_daily") == ["00002"]
    assert find(source="crossref") == ["0/old"]
    assert find(has_code=True) == ["00003"]
    assert find(year=2026) == ["00001", "00002", "00003"]
    assert find(year=2025) == find(year=0) == find(year=10**9) == find(category="no such", year=2026) == []


def test_a_paper_has_the_day_of_its_announcement_or_else_the_month_of_its_arxiv_id(store: Store) -> None:
    announce(store, make_new_listing(1), day=DAY)
    harvest(store, make_paper(2), make_article("10.1000/one"))
    announce(store, Listing(kind=ListingKind.PICKED, paper=make_paper(3)), day=DAY + timedelta(days=200))

    days = {result.paper.key[-5:]: result.day for result in find_all(store, "paper OR article")}

    assert days == {"00001": DAY, "00002": date(2026, 6, 1), "00003": date(2026, 6, 1), "0/one": None}


def test_a_paper_that_is_announced_after_it_was_imported_moves_to_that_day(store: Store) -> None:
    article = make_article("10.1000/one", title="Paper")
    harvest(store, article, source="crossref")
    announce(store, make_new_listing(1), day=DAY - timedelta(days=1))
    assert list_keys(find_all(store, "paper", order=SearchOrder.DATE)) == ["00001", "0/one"]

    announce(store, Listing(kind=ListingKind.PUBLISHED, paper=article), source="crossref")

    assert list_keys(find_all(store, "paper", order=SearchOrder.DATE)) == ["0/one", "00001"]
    assert list_keys(find_all(store, "kind:published")) == ["0/one"]


# --- order ----------------------------------------------------------------------------------------


def test_words_in_the_title_rare_words_and_frequent_words_come_first(store: Store) -> None:
    abstracts = {
        1: ("About nothing", "A common word and a rare one."),
        2: ("A rare title", "A common word."),
        3: ("A common title", "A rare word."),
        4: ("About something", "Rare, rare and rare: a common word."),
        5: ("A common word", "Nothing else."),
        6: ("Another common word", "Nothing else."),
    }
    announce(
        store,
        *(
            Listing(kind=ListingKind.NEW, paper=replace(make_paper(number, title=title), abstract=abstract))
            for number, (title, abstract) in abstracts.items()
        ),
    )

    assert list_keys(find_all(store, "common rare")) == ["00002", "00004", "00003", "00001"]
    assert list_keys(find_all(store, "rare OR nothing"))[0] in {"00002", "00004", "00001"}
    assert set(list_keys(find_all(store, "common OR rare"))[:2]) == {"00002", "00004"}


def test_papers_that_match_equally_come_newest_first_and_so_do_all_by_date(store: Store) -> None:
    for number in range(1, 8):
        announce(store, make_new_listing(number, title="Same title"), day=DAY - timedelta(days=number % 3))
    newest_first = ["00006", "00003", "00007", "00004", "00001", "00005", "00002"]

    assert list_keys(find_all(store, "title")) == newest_first
    assert list_keys(find_all(store, "title", order=SearchOrder.DATE)) == newest_first
    assert list_keys(find_all(store, "category:cs.LG")) == newest_first


def test_a_word_that_papers_may_lack_counts_also_in_papers_that_were_indexed_again(store: Store) -> None:
    """SQLite keeps their former documents, so that the word has more documents than papers."""
    numbers = range(1, 7)
    announce(store, *(make_new_listing(number, title="About graphs") for number in numbers))
    scores = {result.score for result in find_all(store, "graphs OR nothing")}

    announce(store, *(make_replacement(number, 2, title="About graphs") for number in numbers))

    assert min(scores) > 0
    assert [result.score for result in find_all(store, "graphs OR nothing")] == [*scores] * len(numbers)


# --- pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", SearchOrder)
def test_each_result_is_on_one_page_also_if_papers_come_in_between(store: Store, order: SearchOrder) -> None:
    numbers = range(100, 150)
    for number in numbers:
        words = " ".join(["graph"] * (number % 7 + 1))
        announce(
            store, make_new_listing(number, title=f"About {words}"), day=DAY - timedelta(days=number % 5)
        )

    shown: list[SearchResult] = []
    for page_number, page in enumerate(iter_pages(store, "graph", order=order, limit=7)):
        shown += page.results
        added = [make_new_listing(200 + 10 * page_number + extra, title="Of graphs") for extra in range(5)]
        announce(store, *added, day=DAY - timedelta(days=page_number % 6))
        # A paper that is indexed again stays in its place.
        harvest(store, replace(make_paper(numbers[page_number], title=""), comment="new", title=""))

    keys = list_keys(shown)
    assert len(keys) == len(set(keys))
    assert {f"00{number}" for number in numbers} <= set(keys)
    if order is SearchOrder.DATE:
        assert [result.day for result in shown] == sorted(
            (result.day for result in shown if result.day), reverse=True
        )
    else:
        assert [result.score for result in shown] == sorted((result.score for result in shown), reverse=True)


@pytest.mark.parametrize("order", SearchOrder)
def test_papers_that_are_indexed_again_together_are_each_on_one_page(
    store: Store, order: SearchOrder
) -> None:
    announce(store, *map(make_new_listing, (1, 2, 3)))
    announce(store, make_replacement(1, 2))
    announce(store, make_replacement(1, 3), make_replacement(3, 2))

    found = [list_keys(page.results) for page in iter_pages(store, "category:cs.LG", order=order, limit=1)]

    assert found == [["00001"], ["00003"], ["00002"]]


def test_a_search_has_at_most_a_thousand_results_and_says_that_there_are_more(store: Store) -> None:
    announce(store, *(make_new_listing(number) for number in range(1, 1_103)))

    for order in SearchOrder:
        *_, last = pages = list(iter_pages(store, "paper", order=order, limit=100))
        assert len({key for page in pages for key in list_keys(page.results)}) == MAX_RESULTS
        assert [page.is_cut for page in pages] == [False] * 9 + [True]
        assert last.total == Total(1_102, CountKind.EXACT)


def test_a_page_has_as_many_results_as_wanted_and_the_last_one_has_no_successor(store: Store) -> None:
    announce(store, *(make_new_listing(number) for number in range(1, 11)))

    sizes = [
        [len(page.results) for page in iter_pages(store, "paper", limit=limit)] for limit in (3, 5, 10, 11)
    ]

    assert sizes == [[3, 3, 3, 1], [5, 5], [10], [10]]


def test_a_cursor_of_another_search_or_a_forged_one_is_an_error(store: Store) -> None:
    announce(store, *(make_new_listing(number) for number in range(1, 5)))
    cursor = search_papers(store, SearchRequest(text="paper", limit=2)).next_cursor
    assert cursor

    for request in (
        SearchRequest(text="papers about", cursor=cursor),
        SearchRequest(text="paper", cursor=cursor, order=SearchOrder.DATE),
        SearchRequest(text="paper", cursor=cursor, filters=SearchFilters(year=2026)),
        SearchRequest(text="paper", cursor=cursor[:-1]),
        SearchRequest(text="paper", cursor=cursor + "A"),
        SearchRequest(text="paper", cursor=cursor.swapcase()),
        *(
            SearchRequest(text="paper", cursor=text)
            for text in ("x", "\0", "\ud800", "=", "A" * 10_000, "%00")
        ),
    ):
        with pytest.raises(CursorError):
            search_papers(store, request)


@pytest.mark.parametrize("order", SearchOrder)
def test_a_forged_cursor_that_looks_valid_breaks_nothing(store: Store, order: SearchOrder) -> None:
    announce(store, *(make_new_listing(number) for number in range(1, 5)))
    key = f"{order}\nNone\n{compile_query(parse('paper'))}"
    highest = (1 << 62) - 1

    for cursor in (
        SearchCursor(count=highest, position=highest, score=highest, mean_length=highest, idfs=(highest,)),
        SearchCursor(count=0, position=highest, first=get_first_document(date.max), idfs=(0,)),
        SearchCursor(count=0, position=0, score=0, idfs=(0,)),
        SearchCursor(count=0, position=highest, idfs=(0,) * 32),
    ):
        try:
            page = search_papers(
                store, SearchRequest(text="paper", order=order, cursor=encode_cursor(cursor, key))
            )
        except CursorError:
            continue
        assert len(page.results) <= 4


# --- counts and facets ----------------------------------------------------------------------------


def test_facets_are_what_the_evaluator_counts(store: Store, data: Path) -> None:
    known = recorded(data, 120)
    announce(store, *(Listing(kind=ListingKind.NEW, paper=paper) for paper in known[:80]))
    harvest(store, *known[80:], source="crossref")
    announce(
        store, *(Listing(kind=ListingKind.PICKED, paper=paper) for paper in known[::9]), source="hf_daily"
    )
    plainly = NaiveSearch.of(store)

    for text in (
        "learning",
        '"language model"',
        "model NOT learning",
        'author:"Li"',
        "kind:picked",
        "=the of",
    ):
        expected = plainly.find(parse_with_hints(text).query)
        found = {number: paper for number, paper in plainly.papers.items() if paper.key in expected}
        page = search_papers(store, SearchRequest(text=text, limit=100))

        if page.total.kind is CountKind.EXACT:
            assert page.total.papers == len(expected), text
            assert page.facets == _count_facets(plainly, found), text
        else:
            assert page.total.papers >= len(expected), text
    assert search_papers(store, SearchRequest(text="learning")).total.kind is CountKind.EXACT


def _count_facets(plainly: NaiveSearch, found: dict[int, Paper]) -> Facets:
    def rank(counts: Counter[str]) -> tuple[Facet, ...]:
        return tuple(Facet(*item) for item in sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    days = [estimate_day(paper, plainly.announcements[number].day) for number, paper in found.items()]
    years = Counter(str(day.year) for day in days if day)
    return Facets(
        categories=rank(
            Counter(
                category
                for paper in found.values()
                for category in {canonicalize_category(printed) for printed in paper.categories}
            )
        ),
        years=tuple(Facet(*item) for item in sorted(years.items(), reverse=True)),
        sources=rank(
            Counter(
                source
                for number in found
                for source in {source for _, source in plainly.announcements[number].events}
            )
        ),
        with_code=sum(bool(paper.code_urls) for paper in found.values()),
    )


def test_of_too_many_candidates_only_the_newest_are_counted_and_ranked_and_that_is_told(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("search_papers", "summary", "window"):
        monkeypatch.setattr(f"digest.jobs.matching.search.{module}.MAX_CANDIDATES", 10)
    for number in range(1, 31):
        announce(store, make_new_listing(number), day=DAY - timedelta(days=number))

    by_score, by_day = (list(iter_pages(store, "paper", order=order, limit=4)) for order in SearchOrder)

    for first in (by_score[0], by_day[0]):
        assert first.total.kind is CountKind.MORE_THAN
        assert first.since is not None
    assert len([key for page in by_day for key in list_keys(page.results)]) == 30
    assert len([key for page in by_score for key in list_keys(page.results)]) == 10


def test_parts_are_counted_alone_and_wider_queries_are_those_that_find_something(store: Store) -> None:
    announce(
        store,
        make_new_listing(1, title="Graph learning"),
        make_new_listing(2, title="Graph drawing"),
        make_new_listing(3, title="Deep learning"),
    )
    query = parse_with_hints('title:graph "deep learning" NOT drawing').typed_query

    parts = [(str(part.query), part.total) for part in count_parts(store, query)]
    wider = [(entry.relaxed.removed_text, entry.total.papers) for entry in find_wider(store, query)]

    assert parts == [
        ("title:graph", Total(2, CountKind.EXACT)),
        ('"deep learning"', Total(1, CountKind.EXACT)),
    ]
    assert wider == [("title:graph", 1), ('"deep learning"', 1), ('deep in "deep learning"', 1)]


# --- bad input ------------------------------------------------------------------------------------


@for_each_case(
    "text",
    [
        "",
        " ",
        "x" * 10_000,
        "a " * 5_000,
        '="\0"',
        "a\0b",
        "=\ud800x",
        'author:"\udfff X"',
        "title:(",
        "NOT a",
        "tittle:x",
    ],
)
def test_what_is_no_query_is_an_error_with_its_place(store: Store, text: str) -> None:
    with pytest.raises(QueryError) as caught:
        search_papers(store, SearchRequest(text=text))
    assert 0 <= caught.value.position <= len(text)


@for_each_case("value", ["a\0b", "\ud800", '"', "x" * 10_000, "(", "a:b", "\n"])
def test_a_filter_that_is_no_value_is_an_error_or_finds_nothing(store: Store, value: str) -> None:
    announce(store, make_new_listing(1))
    for filters in (SearchFilters(category=value), SearchFilters(source=value)):
        try:
            page = search_papers(store, SearchRequest(text="paper", filters=filters))
        except QueryError:
            continue
        assert page.results == ()


def test_a_query_with_as_much_as_the_language_allows_is_answered(store: Store) -> None:
    announce(store, make_new_listing(1))
    words = [f"paper{number}" for number in range(90)]

    for text in (" OR ".join(words), " ".join(words), " ".join(f"({word} OR paper)" for word in words[:60])):
        search_papers(store, SearchRequest(text=text))
