"""What a reader of the simulated arXiv must know, worked out of what it announced and what it has answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from tests.arxiv_service.answers import Answer, Asked
from tests.arxiv_service.history import Announcement, History, subject
from tests.arxiv_service.hours import feed_out
from tests.arxiv_service.server import ArxivService

FEED_LIMIT = 2000


@dataclass(slots=True)
class Truth:
    """What can be known.

    Attributes:
        service: which announced and answered.
        sections: those that are asked for.
    """

    service: ArxivService
    sections: Sequence[str]
    _listed: dict[tuple[str, date], set[tuple[str, str]]] = field(default_factory=dict)
    _answers: dict[tuple[str, date], list[tuple[Asked, Answer]]] = field(default_factory=dict)
    _heard: int = 0

    @property
    def history(self) -> History:
        """All that was announced."""
        return self.service.history

    def listed(self, section: str, day: date) -> set[tuple[str, str]]:
        """What a section announced on a day: ids and kinds."""
        if (section, day) not in self._listed:
            rows = self.history.listed(day, subject([section]))
            self._listed[section, day] = {(row.paper.id, row.kind) for row in rows}
        return self._listed[section, day]

    # --- what was answered --------------------------------------------------------------------------

    def answers(self, section: str, day: date) -> list[tuple[Asked, Answer]]:
        """The right answers about a day: partial ones too, stale ones not."""
        for asked in self.service.requests[self._heard :]:
            self._heard += 1
            wrong = asked.fault & {"stale", "blank", "unfinished", "broken_off"}
            answer = asked.answer
            if answer is not None and answer.status in {200, 304} and answer.day and not wrong:
                self._answers.setdefault((asked.subject, answer.day), []).append((asked, answer))
        return self._answers.get((section, day), [])

    def told(self, section: str, day: date) -> set[tuple[str, str]]:
        """All rows that were ever answered for a day."""
        return {row for _, answer in self.answers(section, day) for row in answer.shown}

    def states(self, section: str, day: date, now: datetime) -> frozenset[str]:
        """The states in which a batch may be."""
        answers = self.answers(section, day)
        if any(_is_whole(asked, answer) for asked, answer in answers):
            asked, answer = answers[-1]
            return frozenset({"complete"} if _is_whole(asked, answer) else {"complete", "partial"})
        if self.told(section, day):
            return frozenset({"partial"})
        over = feed_out(day + timedelta(days=1))
        if self.listed(section, day):
            return frozenset({"waiting"})
        if now < over:
            # Others have papers of it: then a page that has none is the whole answer.
            is_announced = any(self.told(other, day) for other in self.sections)
            return frozenset({"waiting", "empty"} if is_announced else {"waiting"})
        asked_since = any(asked.at >= over for asked, _ in answers)
        return frozenset({"empty"} if asked_since else {"empty", "waiting"})

    # --- what there is to tell ----------------------------------------------------------------------

    def new(self, days: Iterable[date]) -> dict[str, set[date]]:
        """The papers that are new or cross-listed, and when."""
        return self._rows(days, {"new", "cross"})

    def replaced(self, days: Iterable[date]) -> Counter[tuple[str, date]]:
        """The papers that have a new version, and on which day: each counts once, in however many sections."""
        found = self._rows(days, {"replace", "replace-cross"})
        return Counter((paper, day) for paper, when in found.items() for day in when)

    def crossed(self, days: Collection[date]) -> set[tuple[str, date]]:
        """The papers that came late into one more of the sections, and when."""
        of = subject(self.sections)
        return {(one.id, one.day) for one in self._late(days) if of.holds(one.added)}

    def crossed_elsewhere(self, days: Collection[date]) -> set[tuple[str, date]]:
        """Those that came late into another category, which only their records tell."""
        of = subject(self.sections)
        return {(one.id, one.day) for one in self._late(days) if not of.holds(one.added)}

    def _late(self, days: Collection[date]) -> list[Announcement]:
        known = self.history.announcements
        return [one for one in known if one.action == "cross" and one.version < 6 and one.day in days]

    def withdrawn(self) -> set[str]:
        """The papers that were taken back."""
        return {one.id for one in self.history.announcements if one.withdrawn}

    def _rows(self, days: Iterable[date], kinds: set[str]) -> dict[str, set[date]]:
        found: dict[str, set[date]] = {}
        for day in days:
            for section in self.sections:
                for paper, kind in self.listed(section, day):
                    if kind in kinds:
                        found.setdefault(paper, set()).add(day)
        return found


def _is_whole(asked: Asked, answer: Answer) -> bool:
    if asked.route == "rss":
        return 0 < len(answer.shown) < FEED_LIMIT
    return answer.total is not None and 0 < answer.total == len(answer.shown)
