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
from tests.arxiv_service.release_times import get_list_time

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
class AnnouncementMaker:
    """Makes announcements day by day.

    Attributes:
        sections: the categories that they are about.
        papers: every paper as it stands.
    """

    chance: random.Random
    sections: Sequence[str]
    papers: dict[str, Announcement] = field(default_factory=dict)
    _number: int = 0

    def make_day(self, day: date, papers: int) -> Iterator[Announcement]:
        """A day: so many new papers, half as many replacements, and a cross-list two days after its paper."""
        old = [announcement for announcement in self.papers.values() if announcement.day < day]
        late = [
            announcement
            for announcement in old
            if announcement.action == "new" and timedelta(1) < day - announcement.day < timedelta(4)
        ]
        changed = self.chance.sample(old, min(len(old), papers // 4))
        announcements = [self.make_paper(day) for _ in range(papers)]
        announcements += [self.make_replacement(announcement, day) for announcement in changed]
        announcements += [
            self.make_replacement(self.make_earlier_paper(day), day) for _ in range(papers // 4)
        ]
        announcements += [
            self.make_cross_list(announcement, day)
            for announcement in late[:1]
            if announcement not in changed
        ]
        for announcement in announcements:
            self.papers[announcement.id] = announcement
            yield announcement

    def make_paper(self, day: date) -> Announcement:
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
            submitted=get_list_time(day)
            - timedelta(hours=8, days=chance.choice((0, 0, 0, 4)), minutes=number % 600),
        )

    def make_earlier_paper(self, day: date) -> Announcement:
        """A paper of another year, in a version that it had then."""
        old = self.make_paper(day)
        return replace(
            old,
            id=f"2401.{self._number:05}",
            version=self.chance.randint(1, 5),
            submitted=datetime(2024, 1, 5, tzinfo=UTC),
        )

    def make_replacement(self, old: Announcement, day: date) -> Announcement:
        """Its next version; one in five is a withdrawal."""
        new = replace(
            old,
            day=day,
            action="replace",
            added=(),
            version=old.version + 1,
            submitted=get_list_time(day) - timedelta(hours=9),
        )
        if self.chance.random() < 0.2:
            return replace(new, withdrawn=True, comment=GONE)
        return replace(new, abstract=f"{new.abstract} Revised {new.version - 1} times.")

    def make_cross_list(self, old: Announcement, day: date) -> Announcement:
        """The paper in one more category."""
        free = [name for name in self.sections if name not in old.categories]
        added = (self.chance.choice(free or ["econ.GN"]),)
        return replace(old, day=day, action="cross", added=added, categories=(*old.categories, *added))


def make_announcements(
    chance: random.Random, days: Sequence[date], sections: Sequence[str], papers: int
) -> list[Announcement]:
    """Listings of our own for some days."""
    maker = AnnouncementMaker(chance, sections)
    return [announcement for day in days for announcement in maker.make_day(day, papers)]


# --- the recorded ones ----------------------------------------------------------------------------


def read_announcements(data: Path, days: Sequence[date]) -> Iterator[Announcement]:
    """The new papers of announcement days, and the replacements known of them."""
    for day in days:
        for row in _read_lines(data / "corpus" / "days" / f"{day}.jsonl.zst"):
            yield _read_announcement(row, "new", 1)
    for row in _read_lines(data / "corpus" / "events" / "replacements_2026-03.jsonl.zst"):
        if date.fromisoformat(row["announced"]) in days:
            yield _read_announcement(row, "replace", 2)


def _read_announcement(row: Mapping[str, Any], action: str, version: int) -> Announcement:
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


def _read_lines(file: Path) -> Iterator[Any]:
    with file.open("rb") as packed:
        yield from map(
            json.loads, io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8")
        )
