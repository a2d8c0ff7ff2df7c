"""Whether namesakes are told apart: pairs of real authors who are given one name, and authors who bear one alone.

Two authors of the recorded papers get one name, drawn from the names of a kind: how many given names the recorded
papers have before the family name says how common it is. A pair is mixed if papers of both are told as likely. What is
lost by that is the part of the papers of one author that is not told as likely though nobody else bears the name.
The same pairs and names are drawn each time.
"""

from __future__ import annotations

import io
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import zstandard

from benchmarks.measure import DATA, recorded
from digest.core.names.fitting import extract_first_name, fold_name, make_block_key
from digest.core.people.persons import Signature, compute_standing, resolve_persons

SMALL = ("corpus/days/2026-03-10.jsonl.zst", "corpus/days/2026-03-11.jsonl.zst")
PAIRS, ALONE = 400, 1_000
MOST_MIXED, LEAST_LIKELY = 0.01, 0.80
MOST_PAPERS, MOST_COAUTHORS = 40, 100
FIELDS = ("category", "archive", "any")
COMMONNESS = {"common": (70, 10**9), "middling": (10, 69), "rare": (2, 9), "one bearer": (1, 1)}
"""The given names that the recorded papers have before a family name of each kind, from and to."""
JUDGED = ("common", "middling", "rare")
"""The kinds of names of which pairs are drawn: two bearers of a name with one bearer are the exception that is accepted."""

BEFORE_MIXED: Mapping[tuple[str, str], float] = {
    ("common", "category"): 0.0725,
    ("common", "archive"): 0.02,
    ("common", "any"): 0.0,
    ("middling", "category"): 0.9375,
    ("middling", "archive"): 0.575,
    ("middling", "any"): 0.3525,
    ("rare", "category"): 0.9375,
    ("rare", "archive"): 0.5475,
    ("rare", "any"): 0.37,
}
BEFORE_LIKELY: Mapping[str, float] = {"common": 0.488, "middling": 0.908, "rare": 0.897, "one bearer": 0.914}
"""What this benchmark printed when the list of 313 family names said which names are common."""


@dataclass(frozen=True, slots=True)
class Result:
    """The parts of pairs mixed, and of papers told as likely; or, with neither, why there are none.

    Attributes:
        is_judged: whether the parts have to be as wanted. Two days of papers, as the small run has, hold two of an author
            at most: they say nothing of what is lost.
    """

    title: str
    mixed: Mapping[tuple[str, str], float]
    likely: Mapping[str, float]
    is_judged: bool = True

    @property
    def met(self) -> bool:
        """Whether few pairs are mixed, and little is lost where a name has one bearer."""
        if not self.is_judged:
            return True
        return all(part <= MOST_MIXED for part in self.mixed.values()) and (
            self.likely.get("one bearer", 1.0) >= LEAST_LIKELY
        )

    def table(self) -> str:
        """The result for people."""
        lines = [self.title]
        for (kind, field), part in self.mixed.items():
            before = _before(BEFORE_MIXED.get((kind, field)))
            wanted = self._wanted(f"at most {MOST_MIXED}", is_met=part <= MOST_MIXED)
            lines.append(f"  pairs mixed     {kind:<11}{field:<9}{part:7.4f}{before}{wanted}")
        for kind, part in self.likely.items():
            wanted = ""
            if kind == "one bearer":
                wanted = self._wanted(f"at least {LEAST_LIKELY}", is_met=part >= LEAST_LIKELY)
            lines.append(f"  likely, alone   {kind:<20}{part:7.3f}{_before(BEFORE_LIKELY.get(kind))}{wanted}")
        return "\n".join(lines)

    def _wanted(self, bound: str, *, is_met: bool) -> str:
        if not self.is_judged:
            return f"  wanted {bound} with all papers"
        return f"  wanted {bound}: {'met' if is_met else 'MISSED'}"


def _before(part: float | None) -> str:
    return "" if part is None else f" (before {part:.4f})"


def run(*, small: bool) -> Result:
    """Judge pairs and single authors."""
    every = sorted(
        str(path.relative_to(DATA))
        for path in (DATA / "corpus").glob("*/*.jsonl.zst")
        if path.parent.name != "events"
    )
    packed = recorded(*(SMALL if small else every))
    if packed is None:
        return Result(
            "not run: the recorded papers are not beside the checkout (or in DIGEST_TEST_DATA)", {}, {}
        )
    authors = _Authors(_papers(packed))
    pairs, alone = (5, 20) if small else (PAIRS, ALONE)
    mixed = {(kind, field): _mixed(authors, kind, field, pairs) for kind in JUDGED for field in FIELDS}
    likely = {kind: _likely(authors, kind, alone) for kind in COMMONNESS}
    return Result(
        f"{pairs} pairs of real authors given one name, and {alone} with a name alone",
        mixed,
        likely,
        is_judged=not small,
    )


_Paper = tuple[list[str], tuple[str, ...]]


def _papers(packed: Iterable[bytes]) -> list[_Paper]:
    """Authors and categories of each paper."""
    found: list[_Paper] = []
    for each in packed:
        for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(each), "utf-8"):
            paper = json.loads(line)
            found.append((paper["authors"], tuple(paper["categories"])))
    return found


class _Authors:
    """The names of the recorded papers, and authors of whom each name has one bearer as far as can be known.

    Attributes:
        real: names with two words and two papers or more, of whose family name and initial no other given name is known.
        named: names with two words, by how common their family names are.
    """

    def __init__(self, papers: Sequence[_Paper]) -> None:
        self._papers = papers
        self._on: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, (names, _) in enumerate(papers):
            for position, name in enumerate(names):
                self._on[name].append((number, position))
        given: dict[str, set[str]] = defaultdict(set)
        for name in self._on:
            if first := extract_first_name(name):
                given[make_block_key(name)].add(first)
        of_family: Counter[str] = Counter()
        for where, its in given.items():
            of_family[where.partition("|")[0]] += len(its)
        whole = sorted(name for name in self._on if len(name.split()) == 2 and extract_first_name(name))
        self.named = {
            kind: [
                name for name in whole if least <= of_family[make_block_key(name).partition("|")[0]] <= most
            ]
            for kind, (least, most) in COMMONNESS.items()
        }
        self.real = [
            name for name in whole if len(given[make_block_key(name)]) == 1 and self._has_papers(name)
        ]
        self._primary = {name: papers[self._on[name][0][0]][1][0] for name in self.real}
        self._by_category = _grouped(self.real, self._primary.__getitem__)
        self._by_archive = _grouped(self.real, self._archive)

    def _has_papers(self, name: str) -> bool:
        places = self._on[name]
        return 2 <= len({number for number, _ in places}) == len(places) <= MOST_PAPERS

    def _archive(self, name: str) -> str:
        return self._primary[name].partition(".")[0]

    def pair(self, field: str, chance: random.Random) -> tuple[str, str]:
        """Two real authors who have never written together."""
        while True:
            one = chance.choice(self.real)
            among = {
                "category": self._by_category[self._primary[one]],
                "archive": self._by_archive[self._archive(one)],
                "any": self.real,
            }[field]
            other = chance.choice(among)
            apart = {number for number, _ in self._on[one]}.isdisjoint(
                number for number, _ in self._on[other]
            )
            if one != other and apart:
                return one, other

    def signed(self, name: str, instead: str) -> Iterator[Signature]:
        """The papers of an author, signed with another name."""
        for number, position in self._on[name]:
            names, categories = self._papers[number]
            first = enumerate(names[:MOST_COAUTHORS])
            others = frozenset(fold_name(each) for place, each in first if place != position)
            yield Signature(number, position, instead, coauthors=others, categories=categories)


def _grouped(names: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        found[key(name)].append(name)
    return found


def _mixed(authors: _Authors, kind: str, field: str, pairs: int) -> float:
    """The part of pairs of whom papers of both are told as likely."""
    chance = random.Random(f"{kind} {field}")
    mixed = 0
    for _ in range(pairs):
        name = chance.choice(authors.named[kind])
        one, other = (list(authors.signed(each, name)) for each in authors.pair(field, chance))
        people = resolve_persons([*one, *other])
        mixed += all(
            any(compute_standing(paper, people).is_sole_bearer for paper in its) for its in (one, other)
        )
    return mixed / pairs


def _likely(authors: _Authors, kind: str, alone: int) -> float:
    """The part of the papers of authors who bear a name alone that is told as likely."""
    chance = random.Random(kind)
    told: list[bool] = []
    for _ in range(alone):
        its = list(authors.signed(chance.choice(authors.real), chance.choice(authors.named[kind])))
        people = resolve_persons(its)
        told += [compute_standing(paper, people).is_sole_bearer for paper in its]
    return sum(told) / len(told)
