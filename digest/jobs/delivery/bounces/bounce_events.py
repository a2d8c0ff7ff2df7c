"""What receiving reports did, for the operator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from digest.render.languages.english import BOUNCE_MEANINGS
from digest.store.delivery.reports import StoredReport


class ReportAction(StrEnum):
    """The action that a report caused."""

    NOTHING = "nothing"
    RESTS = "rests"
    SUPPRESSED = "suppressed"
    UNSUBSCRIBED = "unsubscribed"
    BLAMED_US = "ours"
    """Many recipients were refused alike: the refusals are about us, and no address is suppressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedReport:
    """A report that was counted.

    Attributes:
        report: the report as stored.
        digest: the name of the digest whose message it is about.
        action: what it caused.
        until: end of the suspension of the address, if it is suspended.
    """

    report: StoredReport
    digest: str
    action: ReportAction
    until: datetime | None = None

    @property
    def text(self) -> str:
        """The report and its action, in sentences."""
        report = self.report
        return f"{report.mailbox}: {BOUNCE_MEANINGS[report.finding]} ({report.answer}).{self._action_text}"

    @property
    def anonymous_text(self) -> str:
        """The report and its action without the address, which the words of a server may contain, too."""
        report = self.report
        name = f"Delivery {report.delivery}" if report.delivery else "A mail"
        status = f" ({report.status})" if report.status else ""
        return f"{name}: {BOUNCE_MEANINGS[report.finding]}{status}.{self._action_text}"

    @property
    def _action_text(self) -> str:
        return {
            ReportAction.NOTHING: "",
            ReportAction.RESTS: f" Nothing is sent there until {self.until:%Y-%m-%d}." if self.until else "",
            ReportAction.SUPPRESSED: " Nothing is sent there until you use `digest subscribers resume`.",
            ReportAction.UNSUBSCRIBED: " It was unsubscribed.",
            ReportAction.BLAMED_US: " So many addresses were refused in the same way that the cause must be on our side, so none of them is suppressed.",
        }[self.action]


class UncountedReason(StrEnum):
    """Why a report was not counted."""

    NOTHING = "without information about an address"
    KNOWN = "already known"
    FORGED = "not matching the message they name"
    FOREIGN = "not about our messages"
    BROKEN = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxRead:
    """The result of reading the mailbox.

    Attributes:
        messages: number of unread messages that were read.
        left_by_reason: number of them that were not counted, by reason.
        error: why reading stopped early, or "".
    """

    messages: int = 0
    left_by_reason: Mapping[UncountedReason, int] = field(default_factory=dict)
    error: str = ""


BounceEvent = CountedReport | MailboxRead
"""An event of reading reports."""
