"""Pull: ask each section that has something due, and store what it answers.

``wanted → turn → fetch → read → one transaction{listings, papers, events, seq, validators, batch}``
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit

from digest.core import ledger
from digest.core.retry import pull_pause
from digest.core.schedule import due_at
from digest.errors import SourceError
from digest.jobs.fetch import Answer, Clock, Fetcher, Got, Trouble, Unchanged
from digest.jobs.ledger import account
from digest.model import Section
from digest.ports import Page, Request, Source
from digest.store import leases, papers
from digest.store import ledger as rows
from digest.store.engine import Store, Transaction

ASKED_AGAIN = timedelta(days=90)
"""How far back days that failed are asked for again, where a route can still bring them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """What came of asking one section.

    Attributes:
        title: the source's name as readers know it.
        day: the announcement day that the answer was about; None if there was none to read.
        received: how many listings that day has now.
        added: how many of them are new to us.
        events: how many events they made.
        error: what went wrong; "" if nothing did.
    """

    source: str
    title: str
    section: str
    day: date | None = None
    received: int = 0
    added: int = 0
    events: int = 0
    error: str = ""


def wanted(store: Store, sources: Mapping[str, Source], now: datetime) -> tuple[Section, ...]:
    """The sections to ask now, in the order of their sources; brings the ledger up to the time first."""
    with store.writing() as tx:
        account(tx, sources, now)
        sections = {(section.source, section.name): section for section in rows.active_sections(tx)}
        awaited = rows.awaited_batches(tx, now.date() - ASKED_AGAIN)
    ordered = [sections[name, section] for name, source in sources.items() for section in source.sections]
    return tuple(
        section
        for section in ordered
        if ledger.wanted(
            section,
            (batch for batch in awaited if (batch.source, batch.section) == (section.source, section.name)),
            sources[section.source].calendar,
            now,
        )
    )


def pull(
    store: Store,
    sources: Mapping[str, Source],
    fetcher: Fetcher,
    *,
    sections: tuple[Section, ...],
    clock: Clock,
    sleep: Callable[[float], None],
) -> Iterator[Pulled]:
    """Ask sections, one after another; each answer is stored before the next is asked for.

    Args:
        store: where the answers go.
        sources: those of the configuration, by name.
        fetcher: asks the hosts.
        sections: those to ask.
        clock: gives the time.
        sleep: waits for a host's pace, in seconds.
    """
    for section in sections:
        source = sources[section.source]
        request = source.start(section.name, clock())
        answer = ask(store, source, section, request, fetcher, clock=clock, sleep=sleep)
        yield _store(store, source, section, request, answer=answer, now=clock())


def ask(
    store: Store,
    source: Source,
    section: Section,
    request: Request,
    fetcher: Fetcher,
    *,
    clock: Clock,
    sleep: Callable[[float], None],
) -> Answer:
    """Ask a host, at its pace, and not at all while it wants not to be asked; what it imposes is kept."""
    paused = _paused(store, request, clock())
    if paused is not None:
        return paused
    _await_turn(store, request, source.pace, sleep)
    answer = fetcher.get(
        request, etag=section.etag, last_modified=section.last_modified, max_bytes=source.max_bytes
    )
    if isinstance(answer, Trouble) and answer.pause is not None:
        with store.writing() as tx:
            leases.pause(tx, _host(request), clock() + answer.pause)
    return answer


def _paused(store: Store, request: Request, now: datetime) -> Trouble | None:
    with store.reading() as tx:
        until = leases.paused_until(tx, _host(request), now)
    return Trouble(message=f"it asked not to be asked before {until:%d %b %H:%M} UTC") if until else None


def _await_turn(store: Store, request: Request, pace: float, sleep: Callable[[float], None]) -> None:
    """Wait for our turn at a host, as all processes agreed in the store.

    By the machine's clock, also where a command simulates a time: the host is a real one.
    """
    now = datetime.now(UTC)
    with store.writing() as tx:
        turn = leases.next_turn(tx, _host(request), timedelta(seconds=pace), now)
    if turn > now:
        sleep((turn - now).total_seconds())


def _host(request: Request) -> str:
    return urlsplit(request.url).netloc


# --- storing what was answered --------------------------------------------------------------------


def _store(
    store: Store, source: Source, section: Section, request: Request, *, answer: Answer, now: datetime
) -> Pulled:
    pulled = Pulled(source=section.source, title=source.title, section=section.name)
    tried = replace(section, asked_at=now)
    try:
        page = source.read(request, answer.response) if isinstance(answer, Got) else None
    except SourceError as error:
        answer, page = Trouble(message=str(error)), None
    with store.writing() as tx:
        match answer:
            case Trouble():
                _note_failure(tx, source, tried, request, answer)
                return replace(pulled, error=answer.message)
            case Unchanged():
                _note_answer(tx, source, tried, request)
                return pulled
            case Got():
                assert page is not None
                validators = replace(tried, etag=answer.etag, last_modified=answer.last_modified)
                saved = _save_page(tx, source, section, page, now)
                _note_answer(tx, source, validators, request)
                return replace(
                    pulled, day=page.day, received=saved.received, added=saved.added, events=saved.events
                )


def _save_page(tx: Transaction, source: Source, section: Section, page: Page, now: datetime) -> papers.Saved:
    due = due_at(source.calendar, page.day)
    if page.listings or page.day.weekday() in source.calendar.weekdays:
        rows.make_batches(tx, section.source, section.name, [(page.day, due)])
    elif rows.last_day(tx, section.source, section.name) != page.day:
        return papers.Saved(received=0, added=0, events=0)  # the feed of a weekend: there is no batch
    batch = rows.batch_of(tx, section.source, section.name, page.day)
    saved = papers.save(tx, batch, page.listings, section.since)
    rows.save_batch(
        tx, ledger.after_answer(batch, received=saved.received, over_full=page.over_full, now=now)
    )
    return saved


def _note_answer(tx: Transaction, source: Source, section: Section, request: Request) -> None:
    """An attempt ended well; what it left waiting is asked again after a pause that grows."""
    assert section.asked_at is not None
    still = _touch(tx, source, section, "")
    fruitless = section.fruitless + 1 if still else 0
    rows.note_attempt(
        tx,
        replace(
            section,
            answered_at=section.asked_at,
            errors=0,
            error="",
            fruitless=fruitless,
            next_at=section.asked_at + pull_pause(fruitless) if still else None,
        ),
        request.route,
    )


def _note_failure(
    tx: Transaction, source: Source, section: Section, request: Request, trouble: Trouble
) -> None:
    assert section.asked_at is not None
    _touch(tx, source, section, trouble.message)
    fruitless = section.fruitless + 1
    rows.note_attempt(
        tx,
        replace(
            section,
            errors=section.errors + 1,
            error=trouble.message,
            fruitless=fruitless,
            next_at=section.asked_at + (trouble.pause or pull_pause(fruitless)),
        ),
        request.route,
    )


def _touch(tx: Transaction, source: Source, section: Section, error: str) -> bool:
    """Note the attempt in the days that are still waited for; says whether there are any."""
    assert section.asked_at is not None
    mine = [
        batch
        for batch in rows.awaited_batches(tx, section.asked_at.date() - ASKED_AGAIN)
        if (batch.source, batch.section) == (section.source, section.name)
        and ledger.reachable(batch, source.calendar, section.asked_at)
    ]
    rows.note_asked(tx, mine, section.asked_at, error)
    return bool(mine)
