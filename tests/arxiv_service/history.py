"""What a simulated arXiv has announced, and which of it each of its pages shows.

The rules are those of arXiv's own public servers (arXiv/arxiv-browse, arXiv/arxiv-feed). They differ from
page to page, and so do the rows: lists and feeds go by what was announced in a category, catch-up pages by
the categories that the paper has *now*.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import NamedTuple

from tests.arxiv_service.release_times import get_list_time, get_records_time

KINDS = ("new", "cross", "replace", "replace-cross")
ALIASES = {
    "math.MP": "math-ph",
    "stat.TH": "math.ST",
    "math.IT": "cs.IT",
    "q-fin.EC": "econ.GN",
    "cs.SY": "eess.SY",
    "cs.NA": "math.NA",
}
ARCHIVES = (
    *("astro-ph", "cond-mat", "cs", "econ", "eess", "gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math"),
    *("math-ph", "nlin", "nucl-ex", "nucl-th", "physics", "q-bio", "q-fin", "quant-ph", "stat"),
)
NOT_PHYSICS = frozenset({"cs", "econ", "eess", "math", "q-bio", "q-fin", "stat"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """A paper as it stands from a day on.

    Attributes:
        day: the announcement day.
        action: ``new``, ``cross`` or ``replace``.
        categories: all of them, the primary one first.
        added: for ``cross`` those that are announced now.
        submitted: when this version came in; None for eight hours before its list.
        withdrawn: this version has no text any more.
    """

    day: date
    id: str
    title: str
    categories: tuple[str, ...]
    action: str = "new"
    added: tuple[str, ...] = ()
    version: int = 1
    abstract: str = "An abstract."
    authors: tuple[str, ...] = ("Ada Lovelace", "Emmy Noether")
    comment: str = ""
    journal: str = ""
    doi: str = ""
    submitted: datetime | None = None
    withdrawn: bool = False

    @property
    def came_in(self) -> datetime:
        """When this version was submitted."""
        return self.submitted or get_list_time(self.day) - timedelta(hours=8)


class Row(NamedTuple):
    """A line of a listing; the paper as it is now, whatever it was then."""

    kind: str
    paper: Announcement


@dataclass(frozen=True, slots=True)
class Subject:
    """Categories or archives asked for together."""

    names: frozenset[str]

    def has(self, category: str) -> bool:
        """Whether a category is one of them, by any of its names, or in one of them."""
        archive = category.partition(".")[0]
        known_values = {category, archive, ALIASES.get(category, category)}
        if archive not in NOT_PHYSICS:
            known_values.add("grp_physics")
        return not known_values.isdisjoint(self.names)

    def has_any(self, categories: Iterable[str]) -> bool:
        """Whether one of the categories is."""
        return any(map(self.has, categories))


def make_subject(names: Iterable[str]) -> Subject:
    """The categories, archives or aliases of these names."""
    return Subject(frozenset(ALIASES.get(name, name) for name in names))


@dataclass(slots=True)
class History:
    """All that is announced, ever.

    Attributes:
        announcements: in any order.
        days: the announcement days; those of the announcements are added.
    """

    announcements: list[Announcement]
    days: list[date] = field(default_factory=list)
    _of_day: dict[date, list[Announcement]] = field(init=False)
    _of_paper: dict[str, list[Announcement]] = field(init=False)

    def __post_init__(self) -> None:
        self._of_day, self._of_paper = defaultdict(list), defaultdict(list)
        for announcement in sorted(
            self.announcements, key=lambda announcement: (announcement.day, announcement.version)
        ):
            self._of_day[announcement.day].append(announcement)
            self._of_paper[announcement.id].append(announcement)
        self.days = sorted({*self.days, *self._of_day})

    # --- when ---------------------------------------------------------------------------------------

    def find_newest_day(self, now: datetime) -> date | None:
        """The day of the last list that is out."""
        at = bisect_right(self.days, now, key=get_list_time)
        return self.days[at - 1] if at else None

    def find_day_before(self, day: date) -> date | None:
        """The announcement day before a day."""
        return max((one for one in self.days if one < day), default=None)

    def find_day_after(self, day: date, now: datetime) -> date | None:
        """The next announcement day that is out."""
        return min((one for one in self.days if one > day and get_list_time(one) <= now), default=None)

    def find_version_at(
        self, paper: str, now: datetime, out: Callable[[date], datetime] = get_list_time
    ) -> Announcement:
        """A paper as it is shown at a time."""
        return [announcement for announcement in self._of_paper[paper] if out(announcement.day) <= now][-1]

    def find_versions(self, paper: str, now: datetime) -> dict[int, Announcement]:
        """The versions whose records are out, by their numbers."""
        announcements = [
            announcement
            for announcement in self._of_paper[paper]
            if get_records_time(announcement.day) <= now
        ]
        return {
            announcement.version: announcement
            for announcement in announcements
            if announcement.action != "cross"
        }

    def list_records(self, now: datetime) -> list[Announcement]:
        """Every paper whose record is out, as it is now."""
        firsts = [
            paper
            for paper, announcements in self._of_paper.items()
            if get_records_time(announcements[0].day) <= now
        ]
        return [self.find_version_at(paper, now, get_records_time) for paper in firsts]

    # --- which rows ---------------------------------------------------------------------------------

    def make_list_rows(self, day: date, of: Subject) -> list[Row]:
        """The rows of a day's list: a late cross-list only where it was added, and within no archive."""
        rows = []
        for announcement in self._of_day[day]:
            announced = announcement.added if announcement.action == "cross" else announcement.categories
            primary = of.has(announcement.categories[0])
            if (
                announcement.version < 6
                and of.has_any(announced)
                and not (announcement.action == "cross" and primary)
            ):
                rows.append(Row(_get_kind(announcement.action, primary=primary), announcement))
        return _drop_repeated_papers(rows)

    def make_feed_rows(self, day: date, of: Subject) -> list[Row]:
        """The rows of a day's feed, which has late cross-lists within an archive, too."""
        rows = []
        for announcement in self._of_day[day]:
            announced = announcement.added if announcement.action == "cross" else announcement.categories
            if of.has_any(announced) and (announcement.action != "replace" or announcement.version < 6):
                rows.append(
                    Row(
                        _get_kind(announcement.action, primary=of.has(announcement.categories[0])),
                        announcement,
                    )
                )
        return _drop_repeated_papers(rows)

    def make_catchup_rows(self, day: date, of: Subject, now: datetime) -> list[Row]:
        """The rows of a day's catch-up page: by the categories that the papers have by now."""
        rows = []
        for announcement in self._of_day[day]:
            stands = self.find_version_at(announcement.id, now)
            primary = of.has(stands.categories[0])
            shown = of.has_any(stands.categories) and not (announcement.action == "cross" and primary)
            if shown and (announcement.action != "replace" or announcement.version < 6):
                rows.append(Row(_get_kind(announcement.action, primary=primary), stands))
        return _drop_repeated_papers(rows)


def _get_kind(action: str, *, primary: bool) -> str:
    if action == "replace":
        return "replace" if primary else "replace-cross"
    return "new" if action == "new" and primary else "cross"


def _drop_repeated_papers(rows: Iterable[Row]) -> list[Row]:
    """A paper once, by its first kind, in the order printed: by kind, ids ascending."""
    first: dict[str, Row] = {}
    for row in sorted(rows, key=lambda row: (KINDS.index(row.kind), row.paper.id)):
        first.setdefault(row.paper.id, row)
    return list(first.values())
