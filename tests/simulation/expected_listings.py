"""What a reader of the simulated arXiv must know, worked out of what it announced and what it has answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from tests.arxiv_service.answers import Answer, ServedRequest
from tests.arxiv_service.history import Announcement, History, make_subject
from tests.arxiv_service.release_times import get_feed_time
from tests.arxiv_service.server import ArxivService

FEED_LIMIT = 2000


@dataclass(slots=True)
class ExpectedListings:
    """What can be known.

    Attributes:
        service: which announced and answered.
        sections: those that are asked for.
    """

    service: ArxivService
    sections: Sequence[str]
    _rows_by_day: dict[tuple[str, date], set[tuple[str, str]]] = field(default_factory=dict)
    _answers: dict[tuple[str, date], list[tuple[ServedRequest, Answer]]] = field(default_factory=dict)
    _request_count: int = 0

    @property
    def history(self) -> History:
        """All that was announced."""
        return self.service.history

    def list_rows(self, section: str, day: date) -> set[tuple[str, str]]:
        """What a section announced on a day: ids and kinds."""
        if (section, day) not in self._rows_by_day:
            rows = self.history.make_list_rows(day, make_subject([section]))
            self._rows_by_day[section, day] = {(row.paper.id, row.kind) for row in rows}
        return self._rows_by_day[section, day]

    # --- what was answered --------------------------------------------------------------------------

    def list_answers(self, section: str, day: date) -> list[tuple[ServedRequest, Answer]]:
        """The right answers about a day: partial ones too, stale ones not."""
        for request in self.service.requests[self._request_count :]:
            self._request_count += 1
            wrong = request.fault & {"stale", "blank", "unfinished", "broken_off"}
            answer = request.answer
            if answer is not None and answer.status in {200, 304} and answer.day and not wrong:
                self._answers.setdefault((request.subject, answer.day), []).append((request, answer))
        return self._answers.get((section, day), [])

    def list_shown_rows(self, section: str, day: date) -> set[tuple[str, str]]:
        """All rows that were ever answered for a day."""
        return {row for _, answer in self.list_answers(section, day) for row in answer.rows}

    def list_possible_states(self, section: str, day: date, now: datetime) -> frozenset[str]:
        """The states in which a batch may be."""
        answers = self.list_answers(section, day)
        if any(_is_whole(request, answer) for request, answer in answers):
            request, answer = answers[-1]
            return frozenset({"complete"} if _is_whole(request, answer) else {"complete", "partial"})
        if self.list_shown_rows(section, day):
            return frozenset({"partial"})
        over = get_feed_time(day + timedelta(days=1))
        if self.list_rows(section, day):
            return frozenset({"waiting"})
        if now < over:
            # Others have papers of it: then a page that has none is the whole answer.
            is_announced = any(self.list_shown_rows(other, day) for other in self.sections)
            return frozenset({"waiting", "empty"} if is_announced else {"waiting"})
        asked_since = any(request.at >= over for request, _ in answers)
        return frozenset({"empty"} if asked_since else {"empty", "waiting"})

    # --- what there is to tell ----------------------------------------------------------------------

    def list_new_papers(self, days: Iterable[date]) -> dict[str, set[date]]:
        """The papers that are new or cross-listed, and when."""
        return self._find_days(days, {"new", "cross"})

    def count_replacements(self, days: Iterable[date]) -> Counter[tuple[str, date]]:
        """The papers that have a new version, and on which day: each counts once, in however many sections."""
        found_days = self._find_days(days, {"replace", "replace-cross"})
        return Counter((paper, day) for paper, when in found_days.items() for day in when)

    def list_late_cross_lists(self, days: Collection[date]) -> set[tuple[str, date]]:
        """The papers that came late into one more of the sections, and when."""
        of = make_subject(self.sections)
        return {
            (announcement.id, announcement.day)
            for announcement in self._list_late_announcements(days)
            if of.has_any(announcement.added)
        }

    def list_outside_cross_lists(self, days: Collection[date]) -> set[tuple[str, date]]:
        """Those that came late into another category, which only their records tell."""
        of = make_subject(self.sections)
        return {
            (announcement.id, announcement.day)
            for announcement in self._list_late_announcements(days)
            if not of.has_any(announcement.added)
        }

    def _list_late_announcements(self, days: Collection[date]) -> list[Announcement]:
        announcements = self.history.announcements
        return [
            announcement
            for announcement in announcements
            if announcement.action == "cross" and announcement.version < 6 and announcement.day in days
        ]

    def list_withdrawn_papers(self) -> set[str]:
        """The papers that were taken back."""
        return {announcement.id for announcement in self.history.announcements if announcement.withdrawn}

    def _find_days(self, days: Iterable[date], kinds: set[str]) -> dict[str, set[date]]:
        results: dict[str, set[date]] = {}
        for day in days:
            for section in self.sections:
                for paper, kind in self.list_rows(section, day):
                    if kind in kinds:
                        results.setdefault(paper, set()).add(day)
        return results


def _is_whole(request: ServedRequest, answer: Answer) -> bool:
    if request.route == "rss":
        return 0 < len(answer.rows) < FEED_LIMIT
    return answer.total is not None and 0 < answer.total == len(answer.rows)
