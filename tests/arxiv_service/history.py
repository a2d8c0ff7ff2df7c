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

from tests.arxiv_service.hours import list_out, records_out

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
        return self.submitted or list_out(self.day) - timedelta(hours=8)


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
        known = {category, archive, ALIASES.get(category, category)}
        if archive not in NOT_PHYSICS:
            known.add("grp_physics")
        return not known.isdisjoint(self.names)

    def holds(self, categories: Iterable[str]) -> bool:
        """Whether one of the categories is."""
        return any(map(self.has, categories))


def subject(names: Iterable[str]) -> Subject:
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
        for one in sorted(self.announcements, key=lambda one: (one.day, one.version)):
            self._of_day[one.day].append(one)
            self._of_paper[one.id].append(one)
        self.days = sorted({*self.days, *self._of_day})

    # --- when ---------------------------------------------------------------------------------------

    def newest(self, now: datetime) -> date | None:
        """The day of the last list that is out."""
        at = bisect_right(self.days, now, key=list_out)
        return self.days[at - 1] if at else None

    def before(self, day: date) -> date | None:
        """The announcement day before a day."""
        return max((one for one in self.days if one < day), default=None)

    def after(self, day: date, now: datetime) -> date | None:
        """The next announcement day that is out."""
        return min((one for one in self.days if one > day and list_out(one) <= now), default=None)

    def stands(self, paper: str, now: datetime, out: Callable[[date], datetime] = list_out) -> Announcement:
        """A paper as it is shown at a time."""
        return [one for one in self._of_paper[paper] if out(one.day) <= now][-1]

    def versions(self, paper: str, now: datetime) -> dict[int, Announcement]:
        """The versions whose records are out, by their numbers."""
        known = [one for one in self._of_paper[paper] if records_out(one.day) <= now]
        return {one.version: one for one in known if one.action != "cross"}

    def records(self, now: datetime) -> list[Announcement]:
        """Every paper whose record is out, as it is now."""
        firsts = [paper for paper, told in self._of_paper.items() if records_out(told[0].day) <= now]
        return [self.stands(paper, now, records_out) for paper in firsts]

    # --- which rows ---------------------------------------------------------------------------------

    def listed(self, day: date, of: Subject) -> list[Row]:
        """The rows of a day's list: a late cross-list only where it was added, and within no archive."""
        rows = []
        for one in self._of_day[day]:
            announced = one.added if one.action == "cross" else one.categories
            primary = of.has(one.categories[0])
            if one.version < 6 and of.holds(announced) and not (one.action == "cross" and primary):
                rows.append(Row(_kind(one.action, primary=primary), one))
        return _one_each(rows)

    def fed(self, day: date, of: Subject) -> list[Row]:
        """The rows of a day's feed, which has late cross-lists within an archive, too."""
        rows = []
        for one in self._of_day[day]:
            announced = one.added if one.action == "cross" else one.categories
            if of.holds(announced) and (one.action != "replace" or one.version < 6):
                rows.append(Row(_kind(one.action, primary=of.has(one.categories[0])), one))
        return _one_each(rows)

    def caught_up(self, day: date, of: Subject, now: datetime) -> list[Row]:
        """The rows of a day's catch-up page: by the categories that the papers have by now."""
        rows = []
        for one in self._of_day[day]:
            stands = self.stands(one.id, now)
            primary = of.has(stands.categories[0])
            shown = of.holds(stands.categories) and not (one.action == "cross" and primary)
            if shown and (one.action != "replace" or one.version < 6):
                rows.append(Row(_kind(one.action, primary=primary), stands))
        return _one_each(rows)


def _kind(action: str, *, primary: bool) -> str:
    if action == "replace":
        return "replace" if primary else "replace-cross"
    return "new" if action == "new" and primary else "cross"


def _one_each(rows: Iterable[Row]) -> list[Row]:
    """A paper once, by its first kind, in the order printed: by kind, ids ascending."""
    first: dict[str, Row] = {}
    for row in sorted(rows, key=lambda row: (KINDS.index(row.kind), row.paper.id)):
        first.setdefault(row.paper.id, row)
    return list(first.values())
