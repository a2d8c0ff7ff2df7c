"""A day of 1,500 real papers against distinct standing queries: the engine, beside other ways to find the same.

The queries are made of other real papers (``benchmarks/mix.py``). Since the others know neither inflection nor names,
each word, name and category is replaced by a token: words that are forms of each other by the same one. The engine
reads these as it reads any text, and in a row of its own it reads the papers as they are printed. Counted is the whole
day: reading the papers, with nothing remembered from before, and finding what each query fits.

``DIGEST_BENCHMARK_QUERIES=1000000`` asks a million queries of the engine, too.
"""

from __future__ import annotations

import gc
import os
import re
import resource
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache
from time import process_time
from typing import Any

from benchmarks import mix
from benchmarks.measure import Result, Row
from benchmarks.peers import AhoCorasick, Day, Postgres, Rows, fts5
from digest.core.language.query import And, ByAuthor, InCategory, Not, Or, Phrase, Query, compile_query
from digest.core.matching.bitmaps import MatchBitmaps, list_positions
from digest.core.matching.evaluate import evaluate
from digest.core.matching.percolator import terms
from digest.core.matching.percolator.engine import Engine
from digest.core.names import fitting as names
from digest.core.names import parts as name_reading
from digest.core.names.fitting import fold_name
from digest.core.papers import document as documents
from digest.core.papers import taxonomy
from digest.core.papers.document import build_document
from digest.core.text import inflection, tex
from digest.core.text import words as text
from digest.core.text.words import find_forms, find_query_forms, iter_parts, normalize_word, tex_to_unicode
from digest.model import Author, Confidence, Paper

PAPERS = 1_500
SIZES = (1_000, 10_000, 100_000, 1_000_000)
MOST = int(os.environ.get("DIGEST_BENCHMARK_QUERIES", "100000"))
PEERS_MOST = 100_000
"""The others take minutes for more."""
CHANGED = 10_000
"""Follows that come and go between two passes."""
PLAIN_PAPERS = 150
"""The plain loop takes a minute for a thousand queries and all papers."""
WANTED = {"SQLite FTS5": 10.0, "PostgreSQL tsquery": 20.0}
"""At 100,000 queries (DESIGN 11)."""


def run(*, small: bool) -> Result:
    """Measure each size."""
    if not mix.available():
        return Result(title="match_day: not run, the recorded papers are not here")
    gc.set_threshold(200_000, 20, 100)  # as the command does
    papers = mix.a_day(200 if small else PAPERS)
    sizes = (500,) if small else tuple(size for size in SIZES if size <= MOST)
    asked = mix.queries(sizes[-1])
    plain = Plain(papers, asked)
    rows: list[Row] = []
    with ExitStack() as stack:
        postgres = Postgres(stack)
        for size in sizes:
            rows += _measured(size, asked[:size], papers, plain, postgres, small=small)
    return Result(title=f"{len(papers):,} papers against standing queries", rows=tuple(rows))


def _measured(
    size: int,
    asked: Sequence[Query],
    papers: Sequence[Paper],
    plain: Plain,
    postgres: Postgres,
    *,
    small: bool,
) -> list[Row]:
    queries = {number: plain.query(query) for number, query in enumerate(asked)}
    day = [plain.paper(paper) for paper in papers]
    engine, building, size_in_memory = _built(queries)
    found = _rows(_cold(engine, day))
    taken = {"engine": _median(lambda: _cold(engine, day), 1 if small else 3)}
    if size <= PEERS_MOST:
        taken |= _peers(queries, plain, plain.day, found, postgres)
    if size == SIZES[0] or small:
        taken["plain loop"] = _plain_loop(queries, day, found)
    rows = [_row(size, name, seconds, taken) for name, seconds in taken.items()]
    printed = dict(enumerate(asked))
    as_printed, _, _ = _built(printed)
    rows.append(
        _shown(size, "engine, papers as printed", _median(lambda: _cold(as_printed, papers), 1), taken)
    )
    rows.append(_shown(size, f"load, {size_in_memory:,.0f} MB", building, taken))
    rows.append(
        _shown(size, f"{CHANGED:,} follows come, as many go", _changes(engine, queries, plain), taken)
    )
    return rows


def _row(size: int, name: str, seconds: float, taken: Mapping[str, float]) -> Row:
    """A candidate; what the engine is wanted to be is judged in the rows of the others."""
    times = seconds / taken["engine"]
    wish = WANTED.get(name) if size == PEERS_MOST else None
    return Row(
        work=f"{size:,} queries",
        candidate=f"{name}: times the engine",
        seconds=seconds,
        times=times,
        wanted=wish,
    )


def _shown(size: int, what: str, seconds: float, taken: Mapping[str, float]) -> Row:
    return Row(work=f"{size:,} queries", candidate=what, seconds=seconds, times=seconds / taken["engine"])


def _median(work: Callable[[], object], repeats: int) -> float:
    taken = []
    for _ in range(repeats):
        begun = process_time()
        work()
        taken.append(process_time() - begun)
    return statistics.median(taken)


# --- the engine -----------------------------------------------------------------------------------


def _built(queries: Mapping[int, Query]) -> tuple[Engine, float, float]:
    """The engine of some queries, the seconds of CPU to load it from what the store keeps, and its megabytes."""
    kept = [(number, compile_query(query)) for number, query in queries.items()]
    before = _megabytes()
    begun = process_time()
    engine = Engine()
    for number, written in kept:
        engine.add_compiled(number, written)
    return engine, process_time() - begun, max(0.0, _megabytes() - before)


def _megabytes() -> float:
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - no file that Path is for
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def _cold(engine: Engine, papers: Iterable[Paper]) -> dict[int, MatchBitmaps]:
    """A day matched by a process that has just begun: nothing that was read before is remembered."""
    _forget()
    return dict(engine.match([build_document(paper) for paper in papers]))


def _forget() -> None:
    for module in (documents, inflection, terms, name_reading, names, taxonomy, tex, text):
        for each in vars(module).values():
            if isinstance(each, _CACHE):
                each.cache_clear()


_CACHE = type(lru_cache(lambda: None))


def _rows(found: Mapping[int, MatchBitmaps]) -> Rows:
    """What fits surely or likely: the others know no more."""
    return {number: hits.likely for number, hits in found.items() if hits.likely}


def _changes(engine: Engine, queries: Mapping[int, Query], plain: Plain) -> float:
    """The seconds of CPU in which follows of other queries come and go."""
    others = [compile_query(plain.query(query)) for query in mix.queries(min(CHANGED, len(queries)), seed=2)]
    begun = process_time()
    for number, written in enumerate(others, start=len(queries)):
        engine.add_compiled(number, written)
    for number in range(len(queries), len(queries) + len(others)):
        engine.remove(number)
    return process_time() - begun


# --- the others -----------------------------------------------------------------------------------


def _peers(
    queries: Mapping[int, Query], plain: Plain, day: Day, found: Rows, postgres: Postgres
) -> dict[str, float]:
    """What the others take; each must find what the engine found."""
    taken = {}
    ask = fts5(day, queries, plain.tokens)
    begun = process_time()
    assert ask() == found
    taken["SQLite FTS5"] = process_time() - begun
    automaton = AhoCorasick(queries, plain.tokens)
    begun = process_time()
    assert automaton.ask(day) == found
    taken["Aho-Corasick scan"] = process_time() - begun
    postgres.load(queries, plain.tokens)
    begun = postgres.cpu()
    counted = postgres.ask(day)
    taken["PostgreSQL tsquery"] = postgres.cpu() - begun
    assert counted == {number: (row.bit_count(), sum(list_positions(row))) for number, row in found.items()}
    return taken


def _plain_loop(queries: Mapping[int, Query], day: Sequence[Paper], found: Rows) -> float:
    """The seconds of CPU of the plain evaluator, judged by what it takes for some of the papers."""
    few = day[:PLAIN_PAPERS]
    begun = process_time()
    read = [build_document(paper) for paper in few]
    fits: Rows = {}
    for number, query in queries.items():
        for place, each in enumerate(read):
            fit = evaluate(query, each)
            if fit and fit.confidence >= Confidence.LIKELY:
                fits[number] = fits.get(number, 0) | 1 << place
    taken = process_time() - begun
    mask = (1 << len(few)) - 1
    assert fits == {number: row & mask for number, row in found.items() if row & mask}
    return taken * len(day) / len(few)


# --- tokens ---------------------------------------------------------------------------------------


class Plain:
    """Papers and queries in which each word, name and category is one token, that is a form of no other."""

    def __init__(self, papers: Sequence[Paper], queries: Iterable[Query]) -> None:
        self._class_of: dict[str, str] = {}
        self._named: dict[tuple[str, str], str] = {}
        leaves = [leaf for query in queries for leaf in _leaves(query)]
        words = {word for leaf in leaves if isinstance(leaf, Phrase) for unit in leaf.units for word in unit}
        for paper in papers:
            for written in (paper.title, paper.abstract):
                words.update(_words(written))
        for word in sorted(words):
            self._join(word)
        self.day: Day = [
            (
                self._text(paper.title),
                self._text(paper.abstract),
                " ".join(
                    [self._person(author.name) for author in paper.authors]
                    + [self._category(code) for code in paper.categories]
                ),
            )
            for paper in papers
        ]

    def paper(self, paper: Paper) -> Paper:
        """A paper in tokens; its authors have a given name, too, that nobody else has."""
        return replace(
            paper,
            title=self._text(paper.title),
            abstract=self._text(paper.abstract),
            comment="",
            authors=tuple(Author(self._signed(author.name)) for author in paper.authors),
        )

    def query(self, query: Query) -> Query:
        """A query in tokens."""
        match query:
            case And() | Or():
                return type(query)(queries=tuple(map(self.query, query.queries)))
            case Not():
                return Not(query=self.query(query.query))
            case Phrase():
                return Phrase(units=tuple((token,) for token in self.tokens(query).split()))
            case ByAuthor():
                return ByAuthor(name=self._signed(query.name))
            case _:
                return query

    def tokens(self, query: Query) -> str:
        """A leaf as its tokens; one of a query in tokens stays as it is."""
        match query:
            case Phrase():
                return " ".join(self._word(word) for unit in query.units for word in unit)
            case ByAuthor():
                return self._person(query.name)
            case InCategory():
                return self._category(query.code)
        raise ValueError(f"the mix has no {query}")

    def _join(self, word: str) -> None:
        """Put a word into the class of all that it shares a form with."""
        shared = {self._root(form) for form in find_forms(word) | find_query_forms(word)}
        least = min(shared)
        for root in shared:
            self._class_of[root] = least

    def _root(self, form: str) -> str:
        while (parent := self._class_of.setdefault(form, form)) != form:
            form = parent
        return form

    def _word(self, word: str) -> str:
        if _TOKEN.fullmatch(word):
            return word
        return self._token("word", self._root(min(find_query_forms(word))))

    def _text(self, written: str) -> str:
        return " ".join(map(self._word, _words(written)))

    def _person(self, name: str) -> str:
        return self._token("person", fold_name(name.partition(" ")[2] if _signed(name) else name))

    def _signed(self, name: str) -> str:
        return (
            f"Q{self._token('given', fold_name(name))} {self._token('person', fold_name(name)).capitalize()}"
        )

    def _category(self, code: str) -> str:
        return self._token("category", taxonomy.canonicalize_category(code).lower())

    def _token(self, kind: str, meaning: str) -> str:
        if _TOKEN.fullmatch(meaning):
            return meaning
        return self._named.setdefault((kind, meaning), _spelled(len(self._named)))


_TOKEN = re.compile("q[a-p]{6}q")
"""No word is spelled so, and it is a form of no other: it ends in q."""


def _signed(name: str) -> bool:
    return bool(re.fullmatch("Qq[a-p]{6}q Q[a-p]{6}q", name))


def _spelled(number: int) -> str:
    return f"q{''.join(chr(97 + (number >> 4 * place & 15)) for place in range(6))}q"


def _words(written: str) -> list[str]:
    return [word for part in iter_parts(tex_to_unicode(written)) if (word := normalize_word(part.printed))]


def _leaves(query: Query) -> Iterable[Any]:
    match query:
        case And() | Or():
            for part in query.queries:
                yield from _leaves(part)
        case Not():
            yield from _leaves(query.query)
        case _:
            yield query
