"""One request in its turn: at the pace that all processes share, and not while its host wants none."""

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

_MAX_WAITED_PAUSE = timedelta(seconds=30)
"""A pause that is waited out between two pages; a longer one is for the next pull."""


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
    """Ask when it is our turn; what the host imposes or tells of its limits is kept for all.

    Args:
        store: where the buckets are.
        service: whose request it is.
        request: what to ask.
        state: what is known of the route's last answer.
        fetcher: asks.
        token: of this worker.
        clock: gives the time that pauses count by; the pace counts by the machine's.
        sleep: waits, in seconds.
    """
    bucket_name = get_bucket(request)
    min_interval = timedelta(seconds=service.pace)
    if (paused := _find_pause(store, request, clock, sleep)) is not None:
        return _make_paused_failure(paused, clock())
    if (trouble := fetcher.find_unresolved(request.url)) is not None:
        return trouble
    shared_interval = _wait_for_turn(store, bucket_name, min_interval, token, sleep)
    try:
        # Looked at again: while we waited, another's answer may have told of a pause.
        if (paused := _find_pause(store, request, clock, sleep)) is not None:
            return _make_paused_failure(paused, clock())
        resolved_request = replace(request, url=_resolve_moved_url(store, request.url))
        answer = fetcher.fetch(
            resolved_request,
            _make_validators(request, state),
            max_bytes=service.max_bytes,
            min_interval=shared_interval.total_seconds(),
        )
        with store.begin_write() as tx:  # what the host wishes is there when the next one may ask
            _record_limits(tx, request, answer, clock())
            _record_move(tx, request, resolved_request, answer, clock())
        return answer
    finally:
        with store.begin_write() as tx:
            rate_limits.finish_request(tx, bucket_name, min_interval, token, datetime.now(UTC))


def get_bucket(request: Request) -> str:
    """What a request shares its pace with."""
    return request.bucket or urlsplit(request.url).netloc.rpartition("@")[2].lower()


def _find_pause(
    store: Store, request: Request, clock: Clock, sleep: Callable[[float], None]
) -> BucketPause | None:
    """The pause that a host wants; a short one is waited out, unless the time of the command stands still."""
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
    """Wait until it is our turn; says how far apart requests must be, as source and host want it."""
    while True:
        now = datetime.now(UTC)
        with store.begin_write() as tx:
            turn_at = rate_limits.reserve_request(tx, bucket_name, min_interval, token, now)
            host_interval = rate_limits.read_min_interval(tx, bucket_name)
        if turn_at is None:
            return max(min_interval, host_interval)
        sleep((turn_at - now).total_seconds())


def _make_validators(request: Request, state: RouteState) -> Validators:
    """What the last whole answer from this address left; from another one it would mean nothing.

    Nor does it where further pages of that answer have not come: that the first one has not changed would end it.
    """
    if state.url != request.url or state.unfinished or request.method != "GET":
        return Validators()
    return Validators(etag=state.etag, last_modified=state.last_modified, body_hash=state.body_hash)


def _resolve_moved_url(store: Store, url: str) -> str:
    """The address that is asked in its place, be it that itself: a new address can move once more."""
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
        # Who is denied one address may ask for others, unless all are one service's, as arXiv's are.
        is_single_address = answer.state is FetchFailureState.DENIED and not request.bucket
        rate_limits.pause_bucket(
            tx,
            make_distinct_address(request.url) if is_single_address else bucket_name,
            now + answer.pause,
            answer.message,
        )
    if answer.limits.pace is not None:
        rate_limits.set_min_interval(tx, bucket_name, answer.limits.pace, datetime.now(UTC))
    if answer.limits.pause is not None:
        rate_limits.pause_bucket(
            tx, bucket_name, now + answer.limits.pause, "its request quota is used up until then"
        )


def _record_move(
    tx: Transaction, request: Request, resolved_request: Request, answer: FetchResult, now: datetime
) -> None:
    """Count where an address says that it has moved to; one adopted that fails is given up for the first one."""
    if not isinstance(answer, FetchFailure | PermanentlyGone):
        redirects.record_redirect(tx, resolved_request.url, answer.moved_to, now)
    elif resolved_request.url != request.url:
        redirects.forget_redirect(tx, request.url)
