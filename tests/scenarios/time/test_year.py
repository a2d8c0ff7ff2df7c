"""A simulated year: many zones and schedules, outages, wrong clocks, changes and pauses, with the real store.

Small by default; ``DIGEST_TEST_YEAR=1-14`` is a whole year of the first fourteen zones, three digests in each.
``DIGEST_TEST_SEED`` repeats one that failed.
"""

from __future__ import annotations

import os
import random
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from digest.config import Destination, DigestSettings, FollowSettings
from digest.core.fetching import ledger
from digest.core.times.schedule import compute_due_at, parse_schedule
from digest.failures import FailureKind
from digest.jobs.editions import compose
from digest.jobs.editions.compose import MessageIds
from digest.jobs.fetching.ledger import update_ledger
from digest.jobs.matching.match import EventMatcher
from digest.model import (
    ALERT_PREFIX,
    AddressKind,
    DayAnswer,
    DayVerdict,
    DigestOptions,
    EventKind,
    Listing,
    ListingKind,
    Paper,
    PaperKey,
    RouteState,
    Schedule,
)
from digest.sources.arxiv import Source
from digest.store.database.engine import Store, Transaction, get_highest_seq, open_store
from digest.store.database.tables.digests import digests as digest_rows
from digest.store.database.tables.digests import editions as edition_rows
from digest.store.database.tables.digests import runs as run_rows
from digest.store.database.tables.digests import slots
from digest.store.editions import runs, sent_events
from digest.store.editions.encodings import overflow
from digest.store.editions.upcoming import find_upcoming
from digest.store.fetching import ledger as rows
from digest.store.fetching import listings
from digest.store.matching import matches
from digest.store.subscribers import digests, pauses
from tests.store.factories import change_options, declare_all
from tests.support.seeds import get_seed
from tests.support.workspace import make_empty_database

pytestmark = pytest.mark.long

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ZONES = (
    # Those of the small year: clocks that change by night, at midnight, over midnight, by half an hour, or never.
    *("Europe/Berlin", "America/New_York", "America/Nuuk", "Australia/Lord_Howe", "Asia/Kathmandu"),
    *("Africa/Cairo", "America/Santiago", "Asia/Beirut", "Pacific/Chatham", "Atlantic/Azores", "Asia/Gaza"),
    *("Europe/London", "Europe/Lisbon", "Europe/Dublin", "Europe/Athens", "Europe/Moscow", "Europe/Chisinau"),
    *("Africa/Casablanca", "Africa/Lagos", "Africa/Nairobi", "Asia/Jerusalem", "Asia/Tehran", "Asia/Dubai"),
    *("Asia/Kolkata", "Asia/Dhaka", "Asia/Shanghai", "Asia/Tokyo", "Australia/Perth", "Australia/Adelaide"),
    *("Australia/Sydney", "Pacific/Auckland", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Honolulu"),
    *("America/Anchorage", "America/Los_Angeles", "America/Denver", "America/Havana", "America/Sao_Paulo"),
    "America/St_Johns",
)
CALENDAR = Source(categories=("cs.LG",)).calendar
SOURCES = {name: Source(categories=("cs.LG",), name=name) for name in ("arxiv", "other")}
LETTERS = MessageIds(key=b"key", domain="example.org")


# --- schedules, worked out in another way than the program does it --------------------------------

Times = Callable[[date], list[time]]


def every_day(*clocks: str, but_on: Callable[[date], bool] = lambda _: True) -> Times:
    return lambda day: [time.fromisoformat(clock) for clock in clocks if but_on(day)]


FORMS: dict[str, Times] = {
    "daily 7:30": every_day("07:30"),
    "daily 2:30": every_day("02:30"),
    "daily 23:30": every_day("23:30"),
    "daily 0:15": every_day("00:15"),
    "weekdays 08:00": every_day("08:00", but_on=lambda day: day.weekday() < 5),
    "mon,thu 18:00": every_day("18:00", but_on=lambda day: day.weekday() in {0, 3}),
    "weekly fri 16:00": every_day("16:00", but_on=lambda day: day.weekday() == 4),
    "monthly 31 9:00": every_day("09:00", but_on=lambda day: (day + DAY).day == 1),
    "0 6,18 * * 1-5": every_day("06:00", "18:00", but_on=lambda day: day.weekday() < 5),
    "20,40 2 * * *": every_day("02:20", "02:40"),
    "0 9 1,15 * 0": every_day("09:00", but_on=lambda day: day.day in {1, 15} or day.weekday() == 6),
}


def shown(at: datetime, zone: str) -> datetime:
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def firings(times: Times, zone: str, first: date, last: date) -> list[tuple[datetime, str]]:
    """Instant and period of each firing, tried with every offset that the zone has around the day."""
    results: dict[datetime, str] = {}
    for day in (first + timedelta(days=n) for n in range((last - first).days + 1)):
        noons = [datetime.combine(day + timedelta(days=n), time(12), UTC) for n in (-1, 0, 1)]
        offsets = {noon.astimezone(ZoneInfo(zone)).utcoffset() or timedelta() for noon in noons}
        for clock in times(day):
            wall = datetime.combine(day, clock)
            tried = sorted((wall - offset).replace(tzinfo=UTC) for offset in offsets)
            real = [at for at in tried if shown(at, zone) == wall]
            at, period = (real or tried[-1:])[0], wall.isoformat(timespec="minutes")
            results[at] = max(results.get(at, ""), period)  # in a gap, and real: the real one is later
    all_values = sorted(results.items())
    return [
        (at, period)
        for number, (at, period) in enumerate(all_values)
        if all(period > earlier for _, earlier in all_values[max(0, number - 3) : number])
    ]


# --- the world ------------------------------------------------------------------------------------


@dataclass
class YearSimulation:
    """What happens, and what is expected of it.

    Attributes:
        now: the true time.
        clock_error: how wrong our clock is.
        file: what is declared, by name.
        untold: by digest, the papers that it need not tell, for it went on from now.
        announced: when the days of each source are announced.
        down: until when each source does not answer.
        forms: the schedules that readers take.
    """

    store: Store
    chance: random.Random
    now: datetime
    clock_error: timedelta = timedelta()
    file: dict[str, DigestSettings] = field(default_factory=dict)
    untold: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    announced: list[tuple[datetime, str, date]] = field(default_factory=list)
    down: dict[str, datetime] = field(default_factory=dict)
    forms: Sequence[str] = tuple(sorted(FORMS))
    papers: int = 0
    due: dict[int, list[tuple[datetime, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.matcher = EventMatcher(self.store)
        self.started_at = self.now

    @property
    def clock(self) -> datetime:
        return self.now + self.clock_error

    # readers

    def declare(self) -> None:
        with self.store.begin_planning() as tx:
            update_ledger(tx, SOURCES, self.clock)
            declare_all(tx, list(self.file.values()), self.clock, 0)
            digests.move_digests(tx)
            runs.wake_slots(tx, self.clock)

    def change(self) -> None:
        """Another schedule, or the same one elsewhere."""
        digest = self.file[self.chance.choice(sorted(self.file))]
        if self.chance.random() < 0.5:
            zone = self.chance.choice(sorted({other.options.timezone for other in self.file.values()}))
            changed = change_options(
                replace(digest, schedule=replace(digest.schedule, zone=zone)), timezone=zone
            )
        else:
            latest = self.chance.choice(["", "10:00"])
            schedule = parse_schedule(
                self.chance.choice(self.forms), zone=digest.options.timezone, latest=latest
            )
            changed = replace(digest, schedule=schedule)
        self.file[digest.name] = changed
        self.declare()

    def pause(self) -> None:
        with self.store.begin_planning() as tx:
            one = self.chance.choice(digests.load_digests(tx))
            if one.pause is None:
                until = self.clock + self.chance.randint(2, 20) * DAY if self.chance.random() < 0.7 else None
                pauses.pause_digest(tx, one.id, until, self.chance.choice(["then", "now"]))

    def resume(self, name: str | None = None) -> None:
        with self.store.begin_planning() as tx:
            for digest in digests.load_digests(tx):
                if digest.pause is not None and (name in {None, digest.name}):
                    self._excuse(tx, digest.name, digest.id, digest.pause.resume_from)
                    pauses.resume_digest(tx, digest.id, digest.pause.resume_from, self.clock)

    def _excuse(self, tx: Transaction, name: str, number: int, resume_from: str) -> None:
        """Who goes on from now is not told what was matched by now."""
        if resume_from == "now":
            had = {key for key, _, _ in sent_events.load_sent(tx, [number], self.started_at).get(number, ())}
            upto = matches.read_matched_to(tx)
            self.untold[name] |= {key for seq, key in new_papers(tx).items() if seq <= upto} - had

    # sources

    def announce(self, source: str, day: date, numbers: Sequence[int]) -> None:
        listed = tuple(Listing(kind=ListingKind.NEW, paper=paper(number)) for number in numbers)
        with self.store.begin_ingest() as tx:
            rows.make_batches(tx, source, "cs.LG", [(day, compute_due_at(CALENDAR, day))])
            batch = rows.load_batch(tx, source, "cs.LG", day)
            listings.save_listings(
                tx, batch, listed, announceable=frozenset(listing.paper.key for listing in listed)
            )
            answer = DayAnswer(route="rss", at=self.clock, verdict=DayVerdict.WHOLE, listed=len(listed))
            received = listings.count_listings(tx, batch)
            rows.save_batch(tx, ledger.apply_answer(batch, CALENDAR, answer, received))

    def pull(self) -> None:
        up = {name: self.down.get(name, self.now) <= self.now for name in SOURCES}
        while here := next(
            (entry for entry in self.announced if entry[0] <= self.now and up[entry[1]]), None
        ):
            self.announced.remove(here)
            numbers = [self.papers + n for n in range(1, self.chance.randint(1, 3) + 1)]
            self.announce(here[1], here[2], numbers)
            self.papers += len(numbers)
        with self.store.begin_ingest() as tx:
            for name, answers in up.items():
                batches = [batch for batch in rows.list_waiting_batches(tx) if batch.source == name]
                failure = None if answers else FailureKind.UNREACHED
                rows.note_attempted_batches(tx, batches, self.clock, "" if answers else "down", failure)
                section = rows.load_section(tx, name, "cs.LG")
                if (
                    section.asked_at is None
                    or bool(section.last_asked and section.last_asked.error) is answers
                ):
                    error = "" if answers else "down"
                    state = RouteState(route="rss", asked_at=self.clock, errors=len(error), error=error)
                    rows.note_attempt(tx, section, state)

    # we

    def cycle(self, *, until: int = 9) -> None:
        """One cycle; one that is killed goes only so far."""
        for number, step in enumerate(
            (self.fire, self.pull, self.match, self.alert, self.close, self.compose)
        ):
            if number < until:
                step()

    def fire(self) -> None:
        with self.store.begin_planning() as tx:
            update_ledger(
                tx, SOURCES, self.clock
            )  # a clock that was set back changes schedules before they fire
        with self.store.begin_read() as tx:
            before = {row.id: row for row in tx.execute(select(slots))}
            results = {(row.slot_id, row.period) for row in tx.execute(select(run_rows))}
            ending = [
                digest
                for digest in digests.load_digests(tx)
                if digest.pause and digest.pause.until and digest.pause.until <= self.clock
            ]
            for entry in ending:
                assert entry.pause is not None
                self._excuse(tx, entry.name, entry.id, entry.pause.resume_from)
        compose.fire_slots(self.store, SOURCES, self.clock)
        with self.store.begin_read() as tx:
            used = set(tx.execute(select(digest_rows.c.slot_id)).scalars())
            fired = {(row.slot_id, row.period) for row in tx.execute(select(run_rows))} - results
            after = {row.id: row for row in tx.execute(select(slots))}
        expected = set()
        for slot, row in after.items():
            if row.frequency in {"once", "alert"} or slot not in used:
                continue
            last, following = self._around(row)
            woken = before[slot].next_fire_at or following[0]
            late = row.catch_up == "skip" and self.clock - last[0] > HOUR
            if woken <= self.clock:
                assert row.next_fire_at == following[0]
                if last[1] > before[slot].last_period and not late:
                    expected.add((slot, last[1]))
        once = {slot for slot, row in after.items() if row.frequency == "once"}
        # A clock that was set back comes to a firing again; its run is there and is not made again.
        assert {entry for entry in fired if entry[0] not in once} == expected - results

    def _around(self, slot: Any) -> tuple[tuple[datetime, str], tuple[datetime, str]]:
        """The last firing of a slot by now and the next one."""
        if slot.id not in self.due:
            shapes = {_shape(parse_schedule(text, zone=slot.zone)): times for text, times in FORMS.items()}
            first = self.started_at.date() - 40 * DAY
            times = shapes[slot.frequency, slot.at, slot.days]
            self.due[slot.id] = firings(times, slot.zone, first, first + 600 * DAY)
        all_values = self.due[slot.id]
        place = bisect_right(all_values, self.clock, key=itemgetter(0))
        return all_values[place - 1], all_values[place]

    def match(self) -> None:
        for _ in self.matcher.match():
            pass

    def alert(self) -> None:
        compose.open_alert_run(self.store, self.clock)

    def close(self) -> None:
        compose.close_runs(self.store, SOURCES, self.clock, wait=True)

    def compose(self) -> None:
        with self.store.begin_read() as tx:
            closed = tx.execute(select(run_rows).where(run_rows.c.state == "closed")).all()
            active = {row.id: row.slot_id for row in tx.execute(select(digest_rows)) if row.state == "active"}
        compose.compose_editions(self.store, LETTERS, 1, self.clock)
        with self.store.begin_read() as tx:
            for run in closed:
                mine = select(edition_rows.c.digest_id).where(edition_rows.c.run_id == run.id)
                results = tx.execute(mine).scalars().all()
                if not run.period.startswith(ALERT_PREFIX):
                    assert sorted(results) == sorted(
                        entry for entry, slot in active.items() if slot == run.slot_id
                    )


def _shape(schedule: Schedule) -> tuple[str, str, str]:
    """A schedule as its slot keeps it."""
    return schedule.frequency.value, schedule.at, ",".join(map(str, schedule.days))


def paper(number: int) -> Paper:
    """Every fifth one is urgent."""
    key = PaperKey(f"arxiv:{2600 + number // 10000}.{number % 10000:05}")
    title = f"Paper {number}" + (", urgent" if number % 5 == 0 else "")
    return Paper(key=key, title=title, categories=("cs.LG",), url=f"https://example.org/{number}")


def new_papers(tx: Transaction) -> dict[int, PaperKey]:
    """The papers that were new, by the seq of that."""
    events = sent_events.describe_events(tx, range(1, get_highest_seq(tx) + 1))
    return {seq: key for seq, (key, kind, _) in events.items() if kind is EventKind.NEW}


def populate(simulation: YearSimulation, zones: Sequence[str], days: int) -> None:
    """Three digests in each zone, and all that the sources are going to announce."""
    chance, first = simulation.chance, simulation.now.date()
    for zone in zones:
        for number, text in enumerate(chance.sample(simulation.forms, 3)):
            name = f"{zone.replace('/', '-')}-{number}"
            wishes = [FollowSettings(text="paper", query="paper")]
            if number == 0:
                wishes.append(FollowSettings(text="urgent", query="urgent", alert=True))
            simulation.file[name] = DigestSettings(
                name=name,
                title=name,
                destinations=(
                    Destination(channel="smtp", kind=AddressKind.MAILBOX, address=f"{name}@example.org"),
                ),
                schedule=parse_schedule(text, zone=zone, latest=chance.choice(["", "10:00"])),
                options=DigestOptions(timezone=zone, when_empty="tell", alerts_a_day=2),
                follows=tuple(wishes),
                catch_up=chance.choice(["once", "once", "skip"]),
            )
    assert CALENDAR is not None
    for day in (first + timedelta(days=n) for n in range(1, days)):
        if day.weekday() in CALENDAR.weekdays:
            late = chance.choice([0, 0, 1, 2, 30])
            simulation.announced += [
                (compute_due_at(CALENDAR, day) + late * HOUR, name, day) for name in SOURCES
            ]
    simulation.announced.sort()


def live(simulation: YearSimulation, until: datetime) -> None:
    """Anything may happen, about once in so many cycles."""
    chance, right_again = simulation.chance, simulation.now

    def happens(cycles: int) -> bool:
        return chance.random() < 1 / cycles

    while simulation.now < until:
        simulation.now += chance.choice([HOUR / 2, HOUR, 3 * HOUR])
        if happens(150):
            simulation.now += chance.randint(3, 60) * HOUR  # nobody is there
        if simulation.clock_error and simulation.now >= right_again:
            simulation.clock_error = timedelta()
        elif not simulation.clock_error and happens(200):
            simulation.clock_error, right_again = (
                chance.choice([-30, -3, 5, 50]) * HOUR,
                simulation.now + 4 * HOUR,
            )
        if happens(100):
            simulation.down[chance.choice(sorted(SOURCES))] = simulation.now + chance.randint(1, 40) * HOUR
        for cycles, action in ((20, simulation.change), (20, simulation.pause), (40, simulation.resume)):
            if happens(cycles):
                action()
        simulation.cycle(until=chance.randint(1, 5) if happens(20) else 9)


def settle(simulation: YearSimulation, days: int) -> None:
    """All is well again, until everybody's schedule has come round."""
    simulation.clock_error = timedelta()
    simulation.down.clear()
    simulation.resume()
    until = simulation.now + days * DAY
    while simulation.now < until:
        with simulation.store.begin_read() as tx:
            coming = min(edition.at for edition in find_upcoming(tx))
        simulation.now = max(coming, simulation.now) + timedelta(minutes=1)
        simulation.cycle()


def tiles(store: Store) -> None:
    """Each slot's windows follow one another without gap and overlap up to its cursor."""
    windows = defaultdict(list)
    with store.begin_read() as tx:
        for run in tx.execute(select(run_rows).where(run_rows.c.from_seq.is_not(None))):
            windows[run.slot_id].append((run.from_seq, run.to_seq))
        cursors = {row.id: row.cursor_seq for row in tx.execute(select(slots)) if row.frequency != "alert"}
        last = get_highest_seq(tx)
    for slot, cursor in cursors.items():
        here = sorted(windows[slot])
        assert all(entry[1] == other[0] for entry, other in pairwise(here))
        assert not here or here[-1][1] == cursor <= last


def told_once(simulation: YearSimulation) -> None:
    """Every digest has told of every paper once, and had one edition a period."""
    with simulation.store.begin_read() as tx:
        papers = {
            seq: key
            for seq, (key, _, _) in sent_events.describe_events(tx, range(1, get_highest_seq(tx) + 1)).items()
        }
        expected = Counter(new_papers(tx).values())
        for digest in digests.load_digests(tx):
            new_select = select(edition_rows, run_rows.c.period).join(
                run_rows, run_rows.c.id == edition_rows.c.run_id
            )
            mine = tx.execute(
                new_select.where(edition_rows.c.digest_id == digest.id, edition_rows.c.skipped == "")
            ).all()
            periods = [row.period for row in mine]
            assert len(set(periods)) == len(periods), digest.name
            seqs = [
                seq
                for row in mine
                for seq in (*(item["seq"] for item in row.items), *overflow.list_seqs(row.rest))
            ]
            fields = Counter(papers[seq] for seq in seqs)
            assert not [key for key, times in fields.items() if times > 1], digest.name
            assert expected.keys() - simulation.untold[digest.name] - fields.keys() == set(), digest.name
    assert len(expected) == simulation.papers > 0


def test_each_digest_tells_of_each_paper_once_and_has_one_edition_a_period(tmp_path: Path) -> None:
    """Of a year; by default of two weeks in which clocks change in two zones."""
    first_zone, _, last_zone = os.environ.get("DIGEST_TEST_YEAR", "").partition("-")
    zones = ZONES[int(first_zone) - 1 : int(last_zone)] if last_zone else []
    first = datetime(2026, 1, 1, tzinfo=UTC) if zones else datetime(2026, 10, 22, 12, tzinfo=UTC)
    days = 365 if zones else 12
    (tmp_path / "year.db").write_bytes(make_empty_database())
    store = open_store(f"sqlite:///{tmp_path}/year.db", first)
    simulation = YearSimulation(store=store, chance=random.Random(get_seed()), now=first)
    if not zones:
        simulation.forms = [form for form in simulation.forms if "monthly" not in form]
    populate(simulation, zones or ZONES[:2], days)

    simulation.declare()
    live(simulation, first + days * DAY)
    settle(simulation, 40 if zones else 10)

    tiles(store)
    told_once(simulation)
    store.close()


def test_forty_zones_are_forty() -> None:
    assert len(set(ZONES)) == 40
