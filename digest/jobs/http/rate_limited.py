"""One request in its turn: at the pace that all processes share, and not while its host wants none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from digest.core.fetching.public_addresses import distinct_address
from digest.core.fetching.visits import adopted
from digest.jobs.http.fetch import Clock, Fetcher
from digest.jobs.http.fetch_results import Answer, Gone, Known, Trouble, TroubleState
from digest.model import RouteState
from digest.ports import Request, Service
from digest.store.database.engine import Store, Transaction
from digest.store.fetching import rate_limits, redirects
from digest.store.fetching.rate_limits import Paused

_SHORT = timedelta(seconds=30)
"""A pause that is waited out between two pages; a longer one is for the next pull."""


def ask_in_turn(
    store: Store,
    service: Service,
    request: Request,
    state: RouteState,
    fetcher: Fetcher,
    *,
    token: int,
    clock: Clock,
    sleep: Callable[[float], None],
) -> Answer:
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
    name = bucket(request)
    pace = timedelta(seconds=service.pace)
    if (paused := _paused(store, request, clock, sleep)) is not None:
        return _refused(paused, clock())
    if (trouble := fetcher.unresolved(request.url)) is not None:
        return trouble
    wide = _await_turn(store, name, pace, token, sleep)
    try:
        # Looked at again: while we waited, another's answer may have told of a pause.
        if (paused := _paused(store, request, clock, sleep)) is not None:
            return _refused(paused, clock())
        asked = replace(request, url=_where_it_moved(store, request.url))
        answer = fetcher.get(
            asked,
            _known(request, state),
            max_bytes=service.max_bytes,
            pace=wide.total_seconds(),
        )
        with store.writing() as tx:  # what the host wishes is there when the next one may ask
            _note(tx, request, answer, clock())
            _note_move(tx, request, asked, answer, clock())
        return answer
    finally:
        with store.writing() as tx:
            rate_limits.give_back(tx, name, pace, token, datetime.now(UTC))


def bucket(request: Request) -> str:
    """What a request shares its pace with."""
    return request.bucket or urlsplit(request.url).netloc.rpartition("@")[2].lower()


def _paused(store: Store, request: Request, clock: Clock, sleep: Callable[[float], None]) -> Paused | None:
    """The pause that a host wants; a short one is waited out, unless the time of the command stands still."""
    with store.reading() as tx:
        all_paused = rate_limits.paused(tx, clock())
    paused = all_paused.get(bucket(request)) or all_paused.get(distinct_address(request.url))
    if paused is None:
        return None
    rest = paused.until - clock()
    if rest > _SHORT or abs(clock() - datetime.now(UTC)) > _SHORT:
        return paused
    sleep(max(rest.total_seconds(), 0.0))
    return None


def _refused(paused: Paused, now: datetime) -> Trouble:
    return Trouble(
        message=f"it asked not to be asked before {paused.until:%d %b %H:%M} UTC: {paused.reason}",
        state=TroubleState.THROTTLED,
        pause=paused.until - now,
    )


def _await_turn(
    store: Store, name: str, pace: timedelta, token: int, sleep: Callable[[float], None]
) -> timedelta:
    """Wait until it is our turn; says how far apart requests must be, as source and host want it."""
    while True:
        now = datetime.now(UTC)
        with store.writing() as tx:
            turn = rate_limits.take_turn(tx, name, pace, token, now)
            told = rate_limits.pace_of(tx, name)
        if turn is None:
            return max(pace, told)
        sleep((turn - now).total_seconds())


def _known(request: Request, state: RouteState) -> Known:
    """What the last whole answer from this address left; from another one it would mean nothing.

    Nor does it where further pages of that answer have not come: that the first one has not changed would end it.
    """
    if state.url != request.url or state.unfinished or request.method != "GET":
        return Known()
    return Known(etag=state.etag, last_modified=state.last_modified, body_hash=state.body_hash)


def _where_it_moved(store: Store, url: str) -> str:
    """The address that is asked in its place, be it that itself: a new address can move once more."""
    passed: set[str] = set()
    with store.reading() as tx:
        while url not in passed and (move := redirects.move_of(tx, url)):
            if not adopted(move.times, move.first_at, move.last_at):
                break
            passed.add(url)
            url = move.target
    return url


def _note(tx: Transaction, request: Request, answer: Answer, now: datetime) -> None:
    if isinstance(answer, Gone):
        return
    name = bucket(request)
    if isinstance(answer, Trouble) and answer.pause is not None:
        # Who is denied one address may ask for others, unless all are one service's, as arXiv's are.
        of_one = answer.state is TroubleState.DENIED and not request.bucket
        rate_limits.pause(
            tx, distinct_address(request.url) if of_one else name, now + answer.pause, answer.message
        )
    if answer.limits.pace is not None:
        rate_limits.set_pace(tx, name, answer.limits.pace, datetime.now(UTC))
    if answer.limits.pause is not None:
        rate_limits.pause(tx, name, now + answer.limits.pause, "it has no more requests to give until then")


def _note_move(tx: Transaction, request: Request, asked: Request, answer: Answer, now: datetime) -> None:
    """Count where an address says that it has moved to; one adopted that fails is given up for the first one."""
    if not isinstance(answer, Trouble | Gone):
        redirects.note(tx, asked.url, answer.moved_to, now)
    elif asked.url != request.url:
        redirects.forget(tx, request.url)
