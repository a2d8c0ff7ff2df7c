"""Which version of a paper a listing is about, where its page does not tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Listed:
    """A listing of a paper that is there already.

    Attributes:
        is_replaced: it is of a new version.
        version: as announced; 0 where that is not told.
    """

    day: date
    is_replaced: bool
    version: int


def work_out_version(day: date, *, is_replaced: bool, newest: int, listed: Iterable[Listed]) -> int:
    """The number under which to keep what a page tells of a paper, so that newer texts go before older ones.

    It is right where no version was missed, and is told to nobody. A paper has one new version a day: a replacement
    is one more than were listed before it, or the newest one where records brought that before it was listed. A day
    that is caught up when later ones are known shows the newest texts under an old date: it makes no version.

    Args:
        day: the announcement day.
        is_replaced: it is announced as a new version; else as the one that is known.
        newest: the greatest number under which anything is kept of the paper; 0 if it is not known.
        listed: where its source has listed it.
    """
    if not is_replaced:
        return max(newest, 1)
    replaced = [one for one in listed if one.is_replaced]
    same_day = [one.version for one in replaced if one.day == day]
    if any(same_day):
        return max(same_day)
    if same_day or any(one.day > day for one in replaced):
        return max(newest, 2)
    told = max((one for one in replaced if one.version), key=lambda one: one.version, default=None)
    since = {one.day for one in replaced if told is None or one.day > told.day}
    return max(newest, (told.version if told else 1) + len(since) + 1)
