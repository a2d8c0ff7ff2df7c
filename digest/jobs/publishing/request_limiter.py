"""Limits of requests to the public pages, so that a crawler or a crowd of searches leaves time for everybody else.

A request never waits for the store: it is counted in memory, and every second each process tells the others
through the store what it has counted. So several processes may exceed a rate together for one second.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from digest.core.delivery.throttling.rates import Rate, record_spending
from digest.core.publishing.request_rates import RequestRates, compute_wait, name_network
from digest.errors import StoreError
from digest.store.database.engine import Store
from digest.store.publishing import request_rates

_FORGET_INTERVAL = timedelta(minutes=1)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class RequestLimiter:
    """Counts requests by network, and refuses those above the rates.

    Threads and the event loop use it at the same time.

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
        self._unsaved: dict[str, timedelta] = {}
        self._forgot_at = _LONG_AGO

    def take_page(self, host: str) -> timedelta | None:
        """Count a page for the network of a client; if that exceeds its rate, return how long to wait instead.

        Args:
            host: the address of the client.
        """
        network = name_network(host)
        return self._take({f"pages:{network}": self._rates.pages} if network else {})

    def take_search(self, host: str) -> timedelta | None:
        """Count a search, which is also a page; if that exceeds a rate, return how long to wait instead.

        Args:
            host: the address of the client.
        """
        rates = {"searches": self._rates.all_searches}
        if network := name_network(host):
            rates |= {f"pages:{network}": self._rates.pages, f"searches:{network}": self._rates.searches}
        return self._take(rates)

    def _take(self, rates: dict[str, Rate | None]) -> timedelta | None:
        now = self._clock()
        limits = {name: rate for name, rate in rates.items() if rate is not None}
        with self._lock:
            instants = {
                name: record_spending(rate, self._spent_to.get(name, _LONG_AGO), now, 0)
                for name, rate in limits.items()
            }
            wait = max(
                (compute_wait(rate, instants[name], now) for name, rate in limits.items()),
                default=timedelta(),
            )
            if wait > timedelta():
                return wait
            for name, rate in limits.items():
                self._spent_to[name] = record_spending(rate, instants[name], now, 1)
                self._unsaved[name] = self._unsaved.get(name, timedelta()) + rate.compute_interval()
        return None

    def exchange(self) -> None:
        """Save what this process has counted, and learn what others have; if the store is busy, the next time does it."""
        now = self._clock()
        with self._lock:
            unsaved, self._unsaved = self._unsaved, {}
        if not unsaved:
            return
        try:
            with self._store.begin_write() as tx:
                spent_to = request_rates.add_spending(tx, unsaved, now)
                if now - self._forgot_at > _FORGET_INTERVAL:
                    request_rates.forget_idle(tx, now)
                    self._forgot_at = now
        except StoreError:
            with self._lock:
                for name, time in unsaved.items():
                    self._unsaved[name] = self._unsaved.get(name, timedelta()) + time
            return
        with self._lock:
            for name, instant in spent_to.items():
                self._spent_to[name] = instant + self._unsaved.get(name, timedelta())
            for name in [name for name, instant in self._spent_to.items() if instant <= now]:
                del self._spent_to[name]
