"""Limits of requests to public pages and with API tokens, so that a crawler or a crowd leaves time for everybody else.

A request never waits for the store: it is counted in memory, and every second each process tells the others
through the store what it has counted. So several processes may exceed a rate together for one second.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from digest.core.delivery.throttling.rates import Rate
from digest.core.publishing.request_rates import RequestRates, compute_wait, name_network, spend
from digest.core.subscribers.api_tokens import TOKEN_RATE
from digest.errors import StoreError
from digest.store.database.engine import Store
from digest.store.publishing import request_rates

_PAGES, _SEARCHES, _ALL_SEARCHES, _READERS = "pages:", "searches:", "searches", "readers:"
"""Names of rates, two of which are followed by a network, and one by the number of a reader with API tokens."""
_FORGET_INTERVAL = timedelta(minutes=1)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class RequestLimiter:
    """Counts requests by network, and refuses those above the rates.

    Threads use it at the same time.

    Args:
        store: the store.
        rates: the rates.
        clock: returns the time, UTC.
    """

    def __init__(self, store: Store, rates: RequestRates, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._rates = rates
        self._clock = clock
        self._lock = threading.Lock()
        self._spent_to: dict[str, datetime] = {}
        self._counts: Counter[str] = Counter()
        self._forgot_at = _LONG_AGO

    def take_page(self, host: str) -> timedelta | None:
        """Count a page for the network of a client; if that exceeds its rate, return how long to wait instead.

        Args:
            host: the address of the client.
        """
        network = name_network(host)
        return self._take([f"{_PAGES}{network}"] if network else [])

    def take_search(self, host: str) -> timedelta | None:
        """Count a search, which is also a page; if that exceeds a rate, return how long to wait instead.

        Args:
            host: the address of the client.
        """
        network = name_network(host)
        own_names = [f"{_PAGES}{network}", f"{_SEARCHES}{network}"] if network else []
        return self._take([_ALL_SEARCHES, *own_names])

    def take_token_use(self, subscriber: int) -> timedelta | None:
        """Count a request with an API token; if that exceeds its reader's rate, return how long to wait instead.

        Args:
            subscriber: the number of the reader, for whom all their tokens count.
        """
        return self._take([f"{_READERS}{subscriber}"])

    def _take(self, names: Sequence[str]) -> timedelta | None:
        now = self._clock()
        rates = {name: rate for name in names if (rate := self._get_rate(name)) is not None}
        with self._lock:
            waits = []
            for name, rate in rates.items():
                self._spent_to[name] = spend(rate, self._spent_to.get(name, now), now, 0)
                waits.append(compute_wait(rate, self._spent_to[name], now))
            wait = max(waits, default=timedelta())
            if wait > timedelta():
                return wait
            for name, rate in rates.items():
                self._spent_to[name] = spend(rate, self._spent_to[name], now, 1)
                self._counts[name] += 1
        return None

    def _get_rate(self, name: str) -> Rate | None:
        if name == _ALL_SEARCHES:
            return self._rates.all_searches
        if name.startswith(_READERS):
            return TOKEN_RATE
        return self._rates.searches if name.startswith(_SEARCHES) else self._rates.pages

    def exchange_counts(self) -> None:
        """Add what this process has counted to the store, and learn what other processes have.

        While the store is busy, this process limits by itself; later it adds at most what a rate can have spent.
        """
        now = self._clock()
        with self._lock:
            counts, self._counts = self._counts, Counter()
        try:
            if counts:
                self._save_counts(counts, now)
            if now - self._forgot_at > _FORGET_INTERVAL or now < self._forgot_at:
                with self._store.begin_write() as tx:
                    request_rates.forget_idle(tx, now)
                self._forgot_at = now
        except StoreError:
            with self._lock:
                self._counts.update(counts)
        self._forget_idle(now)

    def _save_counts(self, counts: Counter[str], now: datetime) -> None:
        rates = {name: rate for name in counts if (rate := self._get_rate(name)) is not None}
        with self._store.begin_write() as tx:
            spent_to = request_rates.add_requests(tx, counts, rates, now)
        with self._lock:
            for name, instant in spent_to.items():
                self._spent_to[name] = spend(rates[name], instant, now, self._counts[name])
        counts.clear()

    def _forget_idle(self, now: datetime) -> None:
        """Forget the networks that nothing limits, so that a visit from everywhere does not fill the memory."""
        with self._lock:
            for name in [name for name, instant in self._spent_to.items() if instant <= now]:
                del self._spent_to[name]
                self._counts.pop(name, None)
