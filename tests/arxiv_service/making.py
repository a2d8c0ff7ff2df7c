"""What a simulated arXiv announces: listings of our own, made by a seed, and the recorded ones."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import zstandard

from tests.arxiv_service.history import Announcement
from tests.arxiv_service.hours import list_out

TOPICS = ("serving", "storage", "inference", "scheduling", "caching", "routing", "sampling", "sharding")
NAMES = (
    "Ada Lovelace",
    "Emmy Noether",
    "José Muñoz",
    "Jürgen Lüdeling",
    "Chloé Lefèvre",
    "Li Wei",
    "Kim O'Neil",
)
OUTSIDE = ("math.OC", "stat.ME", "physics.data-an")
GONE = "This paper has been withdrawn by the authors due to an error in Section 3"


@dataclass(slots=True)
class Maker:
    """Makes announcements day by day.

    Attributes:
        sections: the categories that they are about.
        known: every paper as it stands.
    """

    chance: random.Random
    sections: Sequence[str]
    known: dict[str, Announcement] = field(default_factory=dict)
    _number: int = 0

    def day(self, day: date, papers: int) -> Iterator[Announcement]:
        """A day: so many new papers, half as many replacements, and a cross-list two days after its paper."""
        old = [one for one in self.known.values() if one.day < day]
        late = [one for one in old if one.action == "new" and timedelta(1) < day - one.day < timedelta(4)]
        changed = self.chance.sample(old, min(len(old), papers // 4))
        made = [self.new(day) for _ in range(papers)]
        made += [self.replaced(one, day) for one in changed]
        made += [self.replaced(self.before_us(day), day) for _ in range(papers // 4)]
        made += [self.crossed(one, day) for one in late[:1] if one not in changed]
        for one in made:
            self.known[one.id] = one
            yield one

    def new(self, day: date) -> Announcement:
        """A new paper, its primary category in our sections or not; some waited for days to be let in."""
        self._number += 1
        number, chance = self._number, self.chance
        categories = chance.sample([*self.sections, *OUTSIDE], chance.randint(1, 3))
        if not set(categories) & set(self.sections):
            categories.append(chance.choice(self.sections))
        first, second = chance.sample(TOPICS, 2)
        return Announcement(
            day=day,
            id=f"{day:%y%m}.{number:05}",
            title=f"On {first} & {second}, part {number}: 1 < 2",
            abstract=f"We study {first} with {second} in case {number}. Code: https://github.com/lab/part-{number}.",
            authors=tuple(chance.sample(NAMES, chance.randint(1, 4))),
            categories=tuple(categories),
            comment=chance.choice(("", f"{number} pages", "Accepted at ICPP; see https://example.org/page")),
            submitted=list_out(day)
            - timedelta(hours=8, days=chance.choice((0, 0, 0, 4)), minutes=number % 600),
        )

    def before_us(self, day: date) -> Announcement:
        """A paper of another year, in a version that it had then."""
        old = self.new(day)
        return replace(
            old,
            id=f"2401.{self._number:05}",
            version=self.chance.randint(1, 5),
            submitted=datetime(2024, 1, 5, tzinfo=UTC),
        )

    def replaced(self, old: Announcement, day: date) -> Announcement:
        """Its next version; one in five is a withdrawal."""
        new = replace(
            old,
            day=day,
            action="replace",
            added=(),
            version=old.version + 1,
            submitted=list_out(day) - timedelta(hours=9),
        )
        if self.chance.random() < 0.2:
            return replace(new, withdrawn=True, comment=GONE)
        return replace(new, abstract=f"{new.abstract} Revised {new.version - 1} times.")

    def crossed(self, old: Announcement, day: date) -> Announcement:
        """The paper in one more category."""
        free = [name for name in self.sections if name not in old.categories]
        added = (self.chance.choice(free or ["econ.GN"]),)
        return replace(old, day=day, action="cross", added=added, categories=(*old.categories, *added))


def made(
    chance: random.Random, days: Sequence[date], sections: Sequence[str], papers: int
) -> list[Announcement]:
    """Listings of our own for some days."""
    maker = Maker(chance, sections)
    return [one for day in days for one in maker.day(day, papers)]


# --- the recorded ones ----------------------------------------------------------------------------


def recorded(data: Path, days: Sequence[date]) -> Iterator[Announcement]:
    """The new papers of announcement days, and the replacements known of them."""
    for day in days:
        for row in _lines(data / "corpus" / "days" / f"{day}.jsonl.zst"):
            yield _announcement(row, "new", 1)
    for row in _lines(data / "corpus" / "events" / "replacements_2026-03.jsonl.zst"):
        if date.fromisoformat(row["announced"]) in days:
            yield _announcement(row, "replace", 2)


def _announcement(row: Mapping[str, Any], action: str, version: int) -> Announcement:
    return Announcement(
        day=date.fromisoformat(row["announced"]),
        id=row["id"],
        title=row["title"],
        categories=tuple(row["categories"]),
        action=action,
        version=version,
        abstract=row["abstract"],
        authors=tuple(row["authors"]),
        comment=row.get("comments") or "",
    )


def _lines(file: Path) -> Iterator[Any]:
    with file.open("rb") as packed:
        yield from map(
            json.loads, io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8")
        )
