"""What the index of papers and the evaluator find together is what the evaluator finds alone, on both databases."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import update

from digest.core.editions.window_events import is_eligible
from digest.core.language.default_kinds import apply_default_kinds
from digest.core.language.parser import parse_with_hints
from digest.core.language.query import Query, TextQuery, extract_kind_part, iter_authors
from digest.core.language.relax import iter_positive_parts, list_alternatives
from digest.core.matching.bitmaps import list_positions
from digest.core.matching.evaluate import evaluate
from digest.core.matching.narrowing import Narrower
from digest.core.matching.percolator.engine import Engine
from digest.core.papers.document import PaperDocument, build_document
from digest.errors import QueryError
from digest.jobs.matching.indexing import index_papers
from digest.jobs.matching.query_preview import PaperMatch, try_query
from digest.jobs.people.statements import load_standings
from digest.model import Author, Confidence, Event, EventKind, Listing, ListingKind, Paper, PaperKey
from digest.store.database.engine import Store, get_highest_seq
from digest.store.database.tables.papers import index_counters, indexed_papers
from digest.store.matching import search_index
from digest.store.matching.event_index import EventIndex, load_indexed_events
from digest.store.papers import papers
from digest.store.papers.events import load_events_between
from tests.simulation.recorded_days import list_announcement_days, read_papers_of_day
from tests.store.factories import DAY, NOW, announce, harvest, make_article, make_new_listing, make_paper
from tests.support.cases import for_each_case
from tests.support.seeds import get_seed

PAPERS, QUERIES = map(int, os.environ.get("DIGEST_TEST_SEARCH", "250x40").split("x"))
"""How many recorded papers and drawn queries: ``DIGEST_TEST_SEARCH=5000x300`` is the full size."""

FIXED = (
    "GPS",
    "GPs",
    "models",
    "=IT",
    "=AI",
    '="Large Language"',
    '"language model"~5',
    '"neural network"~2 OR "data of"~20',
    "multi-modal",
    "multimodal",
    '"multi-modal model"',
    '"state-of-the-art"',
    "fine-tun*",
    "con*",
    "multi-mod*",
    "C++",
    "(∞,1)-categories",
    "CD4+ OR CD8+",
    "CD4+CD8+ OR Na+K+",
    "3.5",
    "title:learning",
    'abstract:"we propose"',
    "comment:pages",
    'comment:"10 pages"',
    "comment:(page* OR figures)",
    "journal:physics",
    "category:cs.*",
    "primary:cs.LG -learning",
    "learning NOT (category:cs.CV OR author:Wang)",
    "has:code learning",
    "id:2606.00001 OR graph",
    "kind:version OR learning",
    "kind:picked",
    "source:arxiv graph",
    "author:orcid:0000-0002-1825-0097",
    'author:("Wei Wang" orcid:0000-0002-1825-0097)',
    "institution:university",
    'institution:"ETH Zurich" OR institution:ror:05a28rw58',
    "Gödel OR Godel OR Schrödinger*",
    "cites:2401.00001 OR graph",
    "Ca2+",
    "CD4+",
    "ΛCDM",
    "LambdaCDM",
    "Lambda-CDM OR TGF-β OR TGF-beta",
    "$\\sigma_8$ OR sigma8",
    "L^p",
    "T_c OR Tc",
    "SU(2)",
    "f(R) gravity",
    "SL(2,Z)",
    "A* search",
    "C*-algebra",
    "K* meson",
    "2*3",
    "90s",
    "深度学习 OR 量子*",
    "学习 graph",
    '="of the"',
    '="of The"',
    '=model OR ="(LLM"',
    '="A*" OR ="C*"',
    '="-of-the-"',
    '"the model"~20',
    'title:"of model"~3 OR abstract:"data model"~20',
    '"state-of-the-art model"~5',
    "state-of-the-a*",
    "GPs OR GPS*",
)

SIGNS = (
    ("Ca$^{2+}$ and Ca²⁺ in CD4$^+$ T cells", "Na+ beside Ca2+, CD4+ and Ca 2."),
    (
        "ΛCDM or $\\Lambda$CDM",
        "Lambda-CDM and LambdaCDM with $\\sigma_8$, sigma8 and σ 8; TGF-β, TGF-beta, TGFβ.",
    ),
    (
        "$L^{p}$ spaces at $T_{\\rm c}$",
        "Lp and L^p, L p, Tc and T_c; $SU(2)$ and SU (2), f(R) gravity, SL(2,Z), SL(2, Z).",
    ),
    ("A* search", "A star search with A*-like bounds, the search of A * and B*A; a* search (A* search)."),
    ("C*-algebra", "C algebras, C *-algebras and $C^*$-algebras of a K* meson, and of K$^*$ mesons of K."),
    ("2*3 is 2 * 3", "As 2*3, so 2*30; the 90s and 90's, the 1990s, 90 of The 90, of the 9."),
    (
        "基于深度学习的方法",
        "深度学习 and graph learning: 量子计算, 学习量 graph; =model (LLM and (LLMs of-the-art.",
    ),
)
"""Titles and abstracts with signs in and around words."""


# --- papers and queries ---------------------------------------------------------------------------


def recorded(data: Path, size: int) -> list[Paper]:
    """The newest recorded papers, some with facts that listings have not."""
    days = list_announcement_days(data, date(2026, 1, 1), date(2026, 12, 31))
    listed = (
        paper for day in reversed(days) for paper in read_papers_of_day(data, day) if paper.version == 1
    )
    results = []
    for number, paper in enumerate(islice(listed, size)):
        odd = number % 10
        person = (("orcid", "0000-0002-1825-0097"),) if number % 50 == 7 else ()
        where = ("ETH Zurich", "University of Oslo") if odd == 3 else ()
        results.append(
            Paper(
                key=PaperKey(f"arxiv:{paper.id}"),
                title=paper.title.upper() if number % 40 == 5 else paper.title,
                abstract=paper.abstract,
                authors=tuple(
                    Author(name, where, person if not at else ()) for at, name in enumerate(paper.authors)
                ),
                categories=paper.categories,
                version=1,
                url=f"https://arxiv.org/abs/{paper.id}",
                doi=f"10.1000/{number}" if odd < 4 else "",
                comment="10 pages, 3 figures" if odd == 2 else "",
                journal_ref="Journal of Physics A 3" if odd == 5 else "",
                code_urls=("https://github.com/a/b",) if odd == 1 else (),
                withdrawn=number % 97 == 11,
            )
        )
    results += [
        replace(make_paper(number, title=title), abstract=abstract)
        for number, (title, abstract) in enumerate(SIGNS, start=90_001)
    ]
    return list({paper.key: paper for paper in results}.values())


def drawn(papers: Sequence[Paper], size: int, chance: random.Random) -> Iterator[str]:
    """Queries made of what papers have."""
    count = 0
    while count < size:
        text = _drawn(papers, chance, 2)
        try:
            parse_with_hints(text)
        except QueryError:
            continue
        count += 1
        yield text


def _drawn(papers: Sequence[Paper], chance: random.Random, depth: int) -> str:
    if depth and chance.random() < 0.4:
        values = [_drawn(papers, chance, depth - 1) for _ in range(chance.choice((2, 2, 3)))]
        return chance.choice(
            (
                " ".join(f"({text})" for text in values),
                " OR ".join(f"({text})" for text in values),
                f"({values[0]}) NOT ({values[1]})",
                f"(({values[0]}) OR ({values[1]})) NOT ({values[-1]})",
            )
        )
    paper = chance.choice(papers)
    words = chance.choice((paper.title, paper.abstract or paper.title)).replace('"', " ").split()
    start, many = chance.randrange(len(words)), chance.choice((1, 1, 2, 2, 3))
    phrase = " ".join(words[start : start + many])
    word = words[start]
    field = chance.choice(("", "", "", "title:", "abstract:", "comment:"))
    return chance.choice(
        (
            f'{field}"{phrase}"',
            f'{field}"{phrase}"',
            f'{field}"{word}"',
            f'{field}"{word.lower()}s"',
            f'{field}"{phrase}"~{chance.randint(1, 20)}',
            f'="{phrase}"',
            f'{field}="{word}"',
            f"{field}{word[: max(3, len(word) - 3)]}*",
            f'author:"{chance.choice(paper.authors).name}"' if paper.authors else word,
            f'author:"{chance.choice(paper.authors).name.split()[-1]}"' if paper.authors else word,
            f"category:{chance.choice(paper.categories)}" if paper.categories else word,
            f"id:{paper.key.partition(':')[2]}",
        )
    )


# --- the plain answer -----------------------------------------------------------------------------


@dataclass(frozen=True)
class NaiveMatcher:
    """All that can be told, as the evaluator reads it: one query and one paper at a time."""

    store: Store
    events: Sequence[tuple[Event, PaperDocument]]

    @classmethod
    def of(cls, store: Store) -> NaiveMatcher:
        with store.begin_read() as tx:
            happened = load_events_between(tx, 0, get_highest_seq(tx))
        return cls(
            store,
            [
                (event, build_document(event.paper, kind=event.kind, source=event.source))
                for event in happened
            ],
        )

    def answer(self, text: str) -> dict[int, tuple[Confidence, int, frozenset[int]]]:
        """The papers that a query finds, as ``PaperMatch`` has them, by the first event that fits."""
        parsed_query = parse_with_hints(text)
        kinds = (
            frozenset(EventKind)
            if extract_kind_part(parsed_query.query)
            else {EventKind.NEW, EventKind.PICKED}
        )
        query = (
            apply_default_kinds(parsed_query.query)
            if extract_kind_part(parsed_query.query)
            else parsed_query.query
        )
        parts = [part for part in iter_positive_parts(parsed_query.query) if isinstance(part, TextQuery)]
        results: dict[str, tuple[int, PaperDocument]] = {}
        bands: dict[int, Confidence] = {}
        asked = [(event, about) for event, about in self.events if is_eligible(event, kinds)]
        for event, about in self._with_standings(query, asked):
            if event.paper.key not in results and (fit := evaluate(query, about)):
                results[event.paper.key] = event.seq, about
                bands[event.seq] = fit.confidence
        return {
            seq: (
                bands[seq],
                sum(bool((fit := evaluate(part, about)) and fit.in_title) for part in dict.fromkeys(parts)),
                frozenset(
                    n
                    for n, side in enumerate(list_alternatives(parsed_query.typed_query)[:40], 1)
                    if evaluate(side, about)
                ),
            )
            for seq, about in results.values()
        }

    def _with_standings(
        self, query: Query, asked: Sequence[tuple[Event, PaperDocument]]
    ) -> Iterable[tuple[Event, PaperDocument]]:
        if not any(iter_authors(query)):
            return asked
        engine = Engine()
        engine.add(0, query)
        with self.store.begin_read() as tx:
            standings = load_standings(tx, [event.paper for event, _ in asked], engine.wanted_authors)
        return [
            (
                event,
                replace(
                    about, bylines=build_document(event.paper, standings=standings[event.paper.key]).bylines
                ),
            )
            if event.paper.key in standings
            else (event, about)
            for event, about in asked
        ]


def answer(matches: Iterable[PaperMatch]) -> dict[int, tuple[Confidence, int, frozenset[int]]]:
    return {match.seq: (match.confidence, match.in_title, match.sides) for match in matches}


def compare(store: Store, queries: Iterable[str]) -> int:
    """Compare all answers; how many papers were found."""
    plainly = NaiveMatcher.of(store)
    fits = 0
    for text in queries:
        expected = plainly.answer(text)
        tried = try_query(store, text, 30, NOW, max_papers=1 << 30)
        assert answer(tried.matches) == expected, text
        fits += len(expected)
    return fits


# --- tests ----------------------------------------------------------------------------------------


def test_the_index_changes_no_answer_also_after_merges_and_corrections(store: Store, data: Path) -> None:
    chance = random.Random(get_seed())
    papers = recorded(data, PAPERS)
    for at in range(0, len(papers), 100):
        day = DAY - timedelta(days=(at // 100) % 25)
        announce(
            store, *(Listing(kind=ListingKind.NEW, paper=paper) for paper in papers[at : at + 100]), day=day
        )
    announce(store, *(Listing(kind=ListingKind.PICKED, paper=paper) for paper in papers[::9]))
    queries = (*FIXED, *drawn(papers, QUERIES, chance))

    assert compare(store, queries) > QUERIES

    correct(store, papers, chance)
    assert compare(store, queries) > QUERIES


def correct(store: Store, known_papers: Sequence[Paper], chance: random.Random) -> None:
    """Change texts, make papers one, part others, and withdraw some."""
    others = list(known_papers)
    chance.shuffle(others)
    changed = [
        replace(paper, version=2, title=f"Corrected {other.title}", abstract=other.abstract)
        for paper, other in zip(known_papers[::7], others, strict=False)
    ]
    announce(store, *(Listing(kind=ListingKind.REPLACE, paper=paper) for paper in changed))
    of_journal = [
        make_article(
            paper.doi, title=f"Published: {paper.title}", abstract=other.abstract, authors=other.authors
        )
        for paper, other in zip(known_papers[::2], others, strict=False)
        if paper.doi
    ]
    harvest(store, *(replace(paper, version=1) for paper in of_journal), source="crossref")
    announce(
        store,
        *(Listing(kind=ListingKind.PICKED, paper=paper) for paper in of_journal[::3]),
        source="hf_daily",
    )
    with store.begin_ingest() as tx:
        for paper in of_journal[::5]:
            number = papers.find_papers(tx, [paper.key])[paper.key]
            papers.set_apart(tx, number, "doi", paper.doi, apart=True)
    harvest(store, *(replace(paper, withdrawn=True) for paper in known_papers[::31]))


@for_each_case(
    "text",
    [
        '="of the"',
        '="A*"',
        "=model",
        '"the model"~20',
        '"state-of-the-art model"~5',
        "state-of-the-a*",
        "GPS",
    ],
)
def test_no_paper_is_read_for_what_the_texts_in_the_index_tell(store: Store, text: str) -> None:
    titles = (
        "The state-of-the-art of the model: A*",
        "A star state-of the art-model of GPs, of The models",
        "",
    )
    abstracts = (
        "A multi-modal model",
        "Multimodal models of the GPS",
        "State of the artists A*B: models the",
    )
    papers = [make_paper(number, title=title) for number, title in enumerate((*titles, *abstracts), start=1)]
    announce(
        store,
        *(Listing(kind=ListingKind.NEW, paper=replace(paper, abstract=paper.title)) for paper in papers),
    )
    query = parse_with_hints(text).query
    with store.begin_read() as tx:
        indexed_events = load_indexed_events(tx, 0, DAY, frozenset({EventKind.NEW}))
        narrower = Narrower(EventIndex(tx, indexed_events, lambda _: ()))
        proposed = narrower.narrow(query)
        narrower.decide((1 << len(indexed_events)) - 1)
        decided = narrower.narrow(query)

    assert proposed.open_events
    assert not decided.open_events
    fits = [
        seq
        for seq, paper in zip(indexed_events.seqs, papers, strict=True)
        if evaluate(query, build_document(paper))
    ]
    assert [indexed_events.seqs[place] for place in list_positions(decided.sure)] == fits


def test_papers_that_are_not_in_the_index_are_found_and_are_indexed_in_pieces(
    store: Store, data: Path
) -> None:
    known_papers = recorded(data, 60)
    announce(store, *(Listing(kind=ListingKind.NEW, paper=paper) for paper in known_papers))
    queries = FIXED[:20]
    before = [answer(try_query(store, text, 30, NOW).matches) for text in queries]

    with store.begin_ingest() as tx:
        search_index.clear_index(tx)
    assert [answer(try_query(store, text, 30, NOW).matches) for text in queries] == before

    with store.begin_ingest() as tx:
        assert papers.index_missing(tx, 25, since=DAY) == 25
    assert [answer(try_query(store, text, 30, NOW).matches) for text in queries] == before

    with store.begin_ingest() as tx:
        assert papers.index_missing(tx, 1000) == len(known_papers) - 25
        assert papers.index_missing(tx, 1000) == 0
    assert [answer(try_query(store, text, 30, NOW).matches) for text in queries] == before


def test_an_index_of_another_version_is_not_asked_and_is_made_anew(store: Store, data: Path) -> None:
    papers = recorded(data, 30)
    announce(store, *(Listing(kind=ListingKind.NEW, paper=paper) for paper in papers))
    queries = FIXED[:10]
    before = [answer(try_query(store, text, 30, NOW).matches) for text in queries]
    with store.begin_ingest() as tx:
        tx.execute(update(index_counters).where(index_counters.c.name == "version").values(value=-1))
        tx.execute(update(indexed_papers).values(document=-indexed_papers.c.document))

    assert [answer(try_query(store, text, 30, NOW).matches) for text in queries] == before

    assert index_papers(store) == len(papers)
    assert index_papers(store) == 0
    assert [answer(try_query(store, text, 30, NOW).matches) for text in queries] == before


def test_who_stops_indexing_loses_nothing_of_what_is_indexed(store: Store) -> None:
    announce(store, *(make_new_listing(number) for number in range(1, 451)))
    with store.begin_ingest() as tx:
        search_index.clear_index(tx)

    def stop(_subject: str, finished_count: int, of: int) -> None:
        assert of == 450
        if finished_count:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index_papers(store, report_progress=stop)

    with store.begin_read() as tx:
        left = search_index.count_missing(tx)
    assert 0 < left < 450
    assert index_papers(store) == left


def test_a_paper_that_is_too_long_for_the_index_is_evaluated(store: Store) -> None:
    long = make_paper(1, title="Words and words " * 300)
    odd = make_paper(2, title=f"A word {'of letters' * 80} and words")
    announce(
        store,
        *(Listing(kind=ListingKind.NEW, paper=paper) for paper in (long, odd, make_paper(3, title="Words"))),
    )

    assert len(try_query(store, "words", 30, NOW).matches) == 3
    assert len(try_query(store, '"words and words"', 30, NOW).matches) == 1
    assert index_papers(store) == 0
