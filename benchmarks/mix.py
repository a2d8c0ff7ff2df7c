"""What the benchmarks of follows have in common: a day of real papers, and standing queries made of other ones.

The mix is that of the trials: 45 % one phrase of one to four words, 15 % two of them, 10 % one of two to four, 8 % with
brackets and NOT, 4 % with a category, the rest persons. The words are from real papers that are not of that day, so a
query is what somebody could ask for, and most of them fit nothing on a day.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from math import exp
from random import Random
from typing import Any

import zstandard

from benchmarks.measure import DATA
from digest.core.language.query import And, ByAuthor, InCategory, Not, Or, Phrase, Query, Unit
from digest.core.papers.taxonomy import canonicalize_category as canonical_category
from digest.core.papers.taxonomy import covers
from digest.core.text.words import iter_parts, normalize_word, tex_to_unicode
from digest.model import Author, Paper, PaperKey

_SENTENCE = re.compile(r"[.,;:()\[\]!?—–]")


def available() -> bool:
    """Whether the recorded papers are beside the checkout."""
    return (DATA / "corpus").is_dir()


def a_day(size: int) -> list[Paper]:
    """Real papers, the newest days first."""
    return list(islice(map(_paper, _lines("days")), size))


def queries(count: int, *, seed: int = 1) -> list[Query]:
    """Distinct standing queries, the same ones each time."""
    found: dict[Query, None] = {}
    for query in _Mix(seed, papers=max(8_000, count // 20)).queries():
        found[query] = None
        if len(found) == count:
            break
    return list(found)


class _Mix:
    """Draws queries from papers of other days."""

    def __init__(self, seed: int, *, papers: int) -> None:
        self._random = Random(seed)
        others = [_paper(line) for line in islice(_lines("backlog"), papers)]
        texts = (f"{paper.title}. {paper.abstract}" for paper in others)
        sentences = (part for text in texts for part in _SENTENCE.split(tex_to_unicode(text)))
        self._sentences = [units for sentence in sentences if (units := _units(sentence))]
        codes = {code for paper in others for code in paper.categories}
        self._categories = sorted(code for code in codes if not _covers_others(code, codes))
        names = {author.name for paper in others for author in paper.authors}
        self._names = sorted(name for name in names if any(map(str.isalpha, name)))  # arXiv has ":"

    def queries(self) -> Iterator[Query]:
        """For ever; some of them twice."""
        while True:
            yield self._query(self._random.random())

    def _query(self, draw: float) -> Query:
        if draw < 0.45:
            return self._phrase()
        if draw < 0.60:
            return And(queries=(self._phrase(), self._phrase()))
        if draw < 0.70:
            return Or(queries=tuple(self._phrase() for _ in range(self._random.randint(2, 4))))
        if draw < 0.78:
            either = Or(queries=(self._phrase(), self._phrase()))
            return And(queries=(either, self._phrase(), Not(query=self._phrase())))
        if draw < 0.82:
            category = InCategory(code=self._random.choice(self._categories))
            return And(queries=(category, self._phrase())) if draw < 0.815 else category
        return ByAuthor(name=self._random.choice(self._names))

    def _phrase(self) -> Phrase:
        """One to four words that stand together in a sentence, the first and the last one no small word."""
        while True:
            sentence = self._random.choice(self._sentences)
            size = self._random.randint(1, 4)
            if len(sentence) >= size:
                start = self._random.randrange(len(sentence) - size + 1)
                units = sentence[start : start + size]
                if len(units[0][0]) > 3 and len(units[-1][-1]) > 3:
                    return Phrase(units=units)


def _units(sentence: str) -> tuple[Unit, ...]:
    found: list[Unit] = []
    for part in iter_parts(sentence):
        word = normalize_word(part.printed)
        if part.is_joined and found:
            found[-1] += (word,)
        else:
            found.append((word,))
    return tuple(found)


def _covers_others(code: str, codes: Iterable[str]) -> bool:
    """Whether a category has others in it (``astro-ph``): search engines, who look for tokens, know of none."""
    return any(
        covers(code, other) for other in codes if canonical_category(other) != canonical_category(code)
    )


def poisson(random: Random, mean: float) -> int:
    """A number that is so great on average."""
    least, count, product = exp(-mean), 0, random.random()
    while product > least:
        product *= random.random()
        count += 1
    return count


def _lines(folder: str) -> Iterator[dict[str, Any]]:
    """The papers of a folder of the corpus, the newest file first."""
    for file in sorted((DATA / "corpus" / folder).iterdir(), reverse=True):
        with file.open("rb") as packed:
            reader = zstandard.ZstdDecompressor().stream_reader(packed)
            yield from map(json.loads, io.TextIOWrapper(reader, "utf-8"))


def _paper(line: dict[str, Any]) -> Paper:
    return Paper(
        key=PaperKey(f"arxiv:{line['id']}"),
        title=line["title"],
        abstract=line["abstract"],
        authors=tuple(Author(name) for name in line["authors"]),
        categories=tuple(line["categories"]),
        comment=line.get("comments") or "",
        url=f"https://arxiv.org/abs/{line['id']}",
    )
