"""What the rule of inflection does to what readers find, against plain words and a Snowball stemmer.

The papers of the recorded announcement days that have a word in title or abstract: by ``core.inflection``,
by the word alone as it is typed (case does not count), and by Snowball's English stems. All three see the
same words, compounds split and joined. Nothing is timed; whatever plain words find, the rule must find.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import snowballstemmer

from benchmarks.measure import DATA
from digest.core.text.words import extract_words, find_forms, find_query_forms, tex_to_unicode
from tests.simulation.recorded_days import list_announcement_days, read_papers_of_day

ASKED = ("LLM", "VLM", "embed", "transformer", "generative", "operator")
PLAIN, RULE, SNOWBALL = WAYS = ("plain", "rule", "Snowball")
_SHOWN = 4
"""So many of the words that one finds beyond another are named."""
_stem = snowballstemmer.stemmer("english").stemWord


@dataclass(frozen=True, slots=True)
class Found:
    """What one word finds.

    Attributes:
        papers: how many, by the name of the way to look.
        beyond: the words, in lower case, that one way takes and another does not, by the names of both, and
            in how many papers each stands.
    """

    asked: str
    papers: Counter[str]
    beyond: dict[tuple[str, str], Counter[str]]

    def line(self) -> str:
        """A row of the table."""
        counts = "".join(f"{self.papers[way]:>10,}" for way in WAYS)
        return f"  {self.asked:<12}{counts}   {self._named(RULE, PLAIN):<64}{self._named(SNOWBALL, RULE)}"

    def _named(self, one: str, other: str) -> str:
        top = self.beyond[one, other].most_common(_SHOWN)
        return ", ".join(f"{word} {papers:,}" for word, papers in top) or "–"


@dataclass(frozen=True, slots=True)
class Result:
    """The table; or, with no rows, why there is none."""

    title: str
    rows: tuple[Found, ...] = ()

    @property
    def met(self) -> bool:
        """Whether the rule finds all that plain words find."""
        return all(not row.beyond[PLAIN, RULE] for row in self.rows)

    def table(self) -> str:
        """The result for people."""
        ways = "".join(f"{way:>10}" for way in WAYS)
        head = f"  {'papers by':<12}{ways}   {'the rule beyond plain words':<64}Snowball beyond the rule"
        return "\n".join([self.title, *([head] if self.rows else []), *(row.line() for row in self.rows)])


def run(*, small: bool) -> Result:
    """Count, in all recorded days or in the last two."""
    title = "what inflection finds"
    if not DATA.is_dir() and not os.environ.get("CI"):
        return Result(f"{title}: not run, the recorded listings are not here")
    days = list_announcement_days(DATA, date.min, date.max)
    days = days[-2:] if small else days
    compared = ((RULE, PLAIN), (PLAIN, RULE), (SNOWBALL, RULE))
    found = {asked: Found(asked, Counter(), {pair: Counter() for pair in compared}) for asked in ASKED}
    papers = 0
    for text in _texts(days):
        papers += 1
        _count(found, _printed(text))
    return Result(f"{title}, in {papers:,} papers of {len(days)} announcement days", tuple(found.values()))


def _texts(days: Iterable[date]) -> Iterator[str]:
    for day in days:
        for paper in read_papers_of_day(DATA, day):
            yield f"{tex_to_unicode(paper.title)}\n{tex_to_unicode(paper.abstract)}"


def _printed(text: str) -> frozenset[str]:
    """Each word of a text once, as printed, compounds split and joined."""
    return frozenset(text[word.start : word.end].replace("-", "") for word in extract_words(text))


def _count(found: Mapping[str, Found], printed: frozenset[str]) -> None:
    taken: dict[str, dict[str, set[str]]] = {}
    for word in printed:
        for asked, way in _taken(word):
            taken.setdefault(asked, {way: set() for way in WAYS})[way].add(word.lower())
    for asked, ways in taken.items():
        found[asked].papers.update(way for way, words_taken in ways.items() if words_taken)
        for (one, other), beyond in found[asked].beyond.items():
            beyond.update(ways[one] - ways[other])


@lru_cache(maxsize=1 << 20)
def _taken(word: str) -> tuple[tuple[str, str], ...]:
    """What was asked for that a word of a text is, and by which way to look."""
    lower, stem, its_forms = word.lower(), _stem(word.lower()), find_forms(word)
    taken = []
    for asked in ASKED:
        fits = (
            asked.lower() == lower,
            not find_query_forms(asked).isdisjoint(its_forms),
            _stem(asked.lower()) == stem,
        )
        taken += [(asked, way) for way, fit in zip(WAYS, fits, strict=True) if fit]
    return tuple(taken)
