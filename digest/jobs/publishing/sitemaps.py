"""What sitemaps list: the months that have papers, and the papers and days of a month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from digest.model import PaperKey
from digest.store.database.engine import Store
from digest.store.publishing import daily, sitemaps

MAX_ADDRESSES = 50_000
"""Maximum number of addresses in a sitemap (https://www.sitemaps.org/protocol.html)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthContent:
    """What a site has of a month.

    Attributes:
        days: the days that have a page.
        keys: the keys of its papers.
    """

    days: tuple[date, ...]
    keys: tuple[PaperKey, ...]


def list_months(store: Store) -> list[date]:
    """List the first days of the months that have papers."""
    with store.begin_read() as tx:
        span = sitemaps.read_day_span(tx)
        if span is None:
            return []
        months = [span[0].replace(day=1)]
        while (following := find_next_month(months[-1])) <= span[1]:
            months.append(following)
        return [month for month in months if sitemaps.list_keys(tx, month, find_next_month(month), 1)]


def load_month(store: Store, month: date) -> MonthContent:
    """Load the papers and days of a month."""
    behind = find_next_month(month)
    with store.begin_read() as tx:
        days = daily.list_days_between(tx, month, behind)
        keys = sitemaps.list_keys(tx, month, behind, MAX_ADDRESSES - len(days))
    return MonthContent(days=tuple(days), keys=tuple(keys))


def find_next_month(month: date) -> date:
    """Return the first day of the month after a day."""
    return (month.replace(day=1) + timedelta(days=32)).replace(day=1)
