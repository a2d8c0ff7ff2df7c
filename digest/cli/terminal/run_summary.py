"""What a cycle came to: what happened, and of deliveries, which may be a million, how many ended how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from digest.cli.terminal import format_events
from digest.errors import StoreError
from digest.jobs.delivery.dispatcher import Delivered
from digest.jobs.fetching.pull import Pulled
from digest.jobs.http.fetch_errors import MAYBE_OFFLINE, OFFLINE

if TYPE_CHECKING:
    from digest.jobs.cycle import Happening

MOST_LISTED = 1_000
"""Deliveries of a kind that are listed one by one."""
MOST_LINES = 20
"""Deliveries of a kind that get a line on a terminal."""


class Account:
    """What happened, kept as far as it is told; also where the store fails in the middle of it.

    Args:
        happenings: all of them, as they happen.

    Attributes:
        happened: without the deliveries beyond ``MOST_LISTED`` of a kind.
        receipts: how many deliveries ended how.
        failed: whether something did that the exit status should tell.
        error: what ended it before its end; None if nothing did.
    """

    def __init__(self, happenings: Iterable[Happening]) -> None:
        self.happened: list[Happening] = []
        self.receipts: Counter[str] = Counter()
        self.failed = False
        self.error: StoreError | None = None
        try:
            for one in happenings:
                self.failed = self.failed or format_events.failed(one)
                if not isinstance(one, Delivered) or self._counted(one) <= MOST_LISTED:
                    self.happened.append(one)
        except StoreError as error:
            self.error, self.failed = error, True

    def document(self) -> dict[str, Any]:
        """As one JSON document; the reference describes it."""
        counts = {word: self.receipts[word] for word in format_events.ENDS}
        ended = {"failed": self.failed, "error": str(self.error or "")}
        return format_events.document(self.happened) | {"receipts": counts, **ended}

    def exit_status(self) -> int:
        """The status to exit with; to be asked for when all is told.

        Raises:
            StoreError: the one that ended it.
        """
        if self.error is not None:
            raise self.error
        return int(self.failed)

    def _counted(self, one: Delivered) -> int:
        name = format_events.ended(one)
        self.receipts[name] += 1
        return self.receipts[name]


class Lines:
    """The lines of what happens, without those that only say once more what many have said."""

    def __init__(self) -> None:
        self._told: Counter[str] = Counter()
        self._unresolved: set[str] = set()

    def of(self, happening: Happening) -> str | None:
        """The line of something that happened; None where there is none, or enough."""
        if isinstance(happening, Pulled) and happening.error.endswith(MAYBE_OFFLINE):
            if happening.error in self._unresolved:
                return None
            self._unresolved.add(happening.error)
            if happening.error == OFFLINE:
                return f"Nothing was asked: {OFFLINE}"
        if isinstance(happening, Delivered):
            word = format_events.ended(happening)
            self._told[word] += 1
            if self._told[word] > MOST_LINES:
                return None
        return format_events.line(happening)

    def others(self) -> list[str]:
        """How many had no line."""
        return [
            f"{count - MOST_LINES:,} more: {format_events.ENDS[word]}."
            for word, count in self._told.items()
            if count > MOST_LINES
        ]
