"""Requests under the rate limits that all processes share, and not while a host asks for a pause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from digest.core.fetching.public_addresses import make_distinct_address
from digest.core.fetching.visits import is_permanent_move
from digest.jobs.http.fetch import Clock, Fetcher
from digest.jobs.http.fetch_results import (
    FetchFailure,
    FetchFailureState,
    FetchResult,
    PermanentlyGone,
    Validators,
)
from digest.model import RouteState
from digest.ports import Request, Service
from digest.store.database.engine import Store, Transaction
from digest.store.fetching import rate_limits, redirects
from digest.store.fetching.rate_limits import BucketPause
from digest.store.workers.workers import read_database_time

_MAX_WAITED_PAUSE = timedelta(seconds=30)
"""Longest pause of a host that is waited for; a longer one is left to the next pull."""


def fetch_rate_limited(
    store: Store,
    service: Service,
    request: Request,
    state: RouteState,
    fetcher: Fetcher,
    *,
    token: int,
    clock: Clock,
    sleep: Callable[[float], None],
) -> FetchResult:
    """Make a request when its bucket is free, and store what the host says about its limits for all processes.

    Args:
        store: the store, which has the buckets.
        service: the service that is queried.
        request: the request.
        state: the route's state, with the validators of the last answer.
        fetcher: makes the request.
        token: the token of this worker.
        clock: returns the time that pauses count by; intervals count by the database's clock.
        sleep: waits a number of seconds.
    """
    bucket_name = get_bucket(request)
    min_interval = timedelta(seconds=service.pace)
    if (paused := _find_pause(store, request, clock, sleep)) is not None:
        return _make_paused_failure(paused, clock())
    if (trouble := fetcher.find_unresolved(request.url)) is not None:
        return trouble
    shared_interval = _wait_for_turn(store, bucket_name, min_interval, token, sleep)
    try:
        # Checked again: while we waited, the answer to another process may have asked for a pause.
        if (paused := _find_pause(store, request, clock, sleep)) is not None:
            return _make_paused_failure(paused, clock())
        resolved_request = replace(request, url=_resolve_moved_url(store, request.url))
        answer = fetcher.fetch(
            resolved_request,
            _make_validators(request, state),
            max_bytes=service.max_bytes,
            min_interval=shared_interval.total_seconds(),
        )
        with store.begin_write() as tx:  # before the bucket is released to the next request
            _record_limits(tx, request, answer, clock())
            _record_move(tx, request, resolved_request, answer, clock())
        return answer
    finally:
        with store.begin_write() as tx:
            rate_limits.finish_request(tx, bucket_name, min_interval, token, read_database_time(tx))


def get_bucket(request: Request) -> str:
    """Return the name of the bucket of a request: its own one, or the host of its address."""
    return request.bucket or urlsplit(request.url).netloc.rpartition("@")[2].lower()


def _find_pause(
    store: Store, request: Request, clock: Clock, sleep: Callable[[float], None]
) -> BucketPause | None:
    """Return the pause that a host asked for; a short one is waited for, unless the command's clock stands still."""
    with store.begin_read() as tx:
        all_paused = rate_limits.list_paused(tx, clock())
    paused = all_paused.get(get_bucket(request)) or all_paused.get(make_distinct_address(request.url))
    if paused is None:
        return None
    remaining = paused.until - clock()
    if remaining > _MAX_WAITED_PAUSE or abs(clock() - datetime.now(UTC)) > _MAX_WAITED_PAUSE:
        return paused
    sleep(max(remaining.total_seconds(), 0.0))
    return None


def _make_paused_failure(paused: BucketPause, now: datetime) -> FetchFailure:
    return FetchFailure(
        message=f"it asked for no requests before {paused.until:%d %b %H:%M} UTC: {paused.reason}",
        state=FetchFailureState.THROTTLED,
        pause=paused.until - now,
    )


def _wait_for_turn(
    store: Store, bucket_name: str, min_interval: timedelta, token: int, sleep: Callable[[float], None]
) -> timedelta:
    """Reserve the bucket, waiting for it if necessary; return the interval that the source and the host require."""
    while True:
        with store.begin_write() as tx:
            now = read_database_time(tx)
            turn_at = rate_limits.reserve_request(tx, bucket_name, min_interval, token, now)
            host_interval = rate_limits.read_min_interval(tx, bucket_name)
        if turn_at is None:
            return max(min_interval, host_interval)
        sleep((turn_at - now).total_seconds())


def _make_validators(request: Request, state: RouteState) -> Validators:
    """Return the validators of the last complete answer from this address; those from another address mean nothing.

    They are not used if further pages of that answer are outstanding: an unchanged first page would end the
    series.
    """
    if state.url != request.url or state.unfinished or request.method != "GET":
        return Validators()
    return Validators(etag=state.etag, last_modified=state.last_modified, body_hash=state.body_hash)


def _resolve_moved_url(store: Store, url: str) -> str:
    """Return the address to request instead, following adopted redirects; it may be the same."""
    visited: set[str] = set()
    with store.begin_read() as tx:
        while url not in visited and (move := redirects.find_redirect(tx, url)):
            if not is_permanent_move(move.times, move.first_at, move.last_at):
                break
            visited.add(url)
            url = move.target
    return url


def _record_limits(tx: Transaction, request: Request, answer: FetchResult, now: datetime) -> None:
    if isinstance(answer, PermanentlyGone):
        return
    bucket_name = get_bucket(request)
    if isinstance(answer, FetchFailure) and answer.pause is not None:
        # A denied address does not affect others of the host, unless they share a bucket, as arXiv's do.
        is_single_address = answer.state is FetchFailureState.DENIED and not request.bucket
        rate_limits.pause_bucket(
            tx,
            make_distinct_address(request.url) if is_single_address else bucket_name,
            now + answer.pause,
            answer.message,
        )
    if answer.limits.pace is not None:
        rate_limits.set_min_interval(tx, bucket_name, answer.limits.pace, read_database_time(tx))
    if answer.limits.pause is not None:
        rate_limits.pause_bucket(
            tx, bucket_name, now + answer.limits.pause, "its request quota is used up until then"
        )


def _record_move(
    tx: Transaction, request: Request, resolved_request: Request, answer: FetchResult, now: datetime
) -> None:
    """Count a permanent redirect; an adopted address that fails is given up for the original one."""
    if not isinstance(answer, FetchFailure | PermanentlyGone):
        redirects.record_redirect(tx, resolved_request.url, answer.moved_to, now)
    elif resolved_request.url != request.url:
        redirects.forget_redirect(tx, request.url)
