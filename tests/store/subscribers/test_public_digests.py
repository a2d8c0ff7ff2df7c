"""Copies of public digests: one for each reader, as declared until the reader changes it, and never the file's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from digest.config import DigestSettings, FollowSettings, PublicDigestSettings
from digest.core.times.schedule import parse_schedule
from digest.model import Frequency
from digest.store.backups.snapshot import iter_tables
from digest.store.database.engine import Store
from digest.store.database.tables.digests import destinations, digests, follows, queries, slots, subscribers
from digest.store.database.tables.digests import public_digests as public_table
from digest.store.database.tables.readers import reports, suppressions
from digest.store.subscribers import digests as digest_rows
from digest.store.subscribers import pauses
from digest.store.subscribers.public_digests import (
    NewSubscriber,
    customize_digest,
    hash_public_digest,
    load_applied,
    record_applied,
    subscribe_readers,
    update_copies,
)
from digest.store.subscribers.subscribers import stop_destination
from tests.store.factories import (
    NOW,
    add_to_now,
    announce_many,
    change_options,
    declare,
    finish_first_firings,
    make_digest,
    record_statements,
)

LATER = NOW + timedelta(hours=3)


def make_public(name: str = "kv", **options: Any) -> PublicDigestSettings:
    return PublicDigestSettings(
        description="New papers on KV caches.", digest=make_digest(name, **{"to": []} | options)
    )


def change_declaration(public_digest: PublicDigestSettings, digest: DigestSettings) -> PublicDigestSettings:
    return replace(public_digest, digest=digest)


def make_reader(
    address: str = "me@example.org", language: str = "de", zone: str = "Asia/Tokyo"
) -> NewSubscriber:
    return NewSubscriber(address=address, language=language, zone=zone)


def subscribe(
    store: Store,
    *readers: NewSubscriber,
    to: PublicDigestSettings | None = None,
    now: datetime = NOW,
    first_seq: int = 0,
) -> dict[str, int]:
    with store.begin_planning() as tx:
        return subscribe_readers(tx, to or make_public(), readers, now, first_seq)


def apply(store: Store, public_digest: PublicDigestSettings, now: datetime = LATER) -> int:
    """Update all copies, and return the number of transactions that wrote some."""
    last: int | None = 0
    count = 0
    while last is not None:
        with store.begin_planning() as tx:
            last = update_copies(tx, public_digest, last, now)
        count += last is not None
    return count


def load_copies(store: Store) -> dict[str, Any]:
    """The copies by the mailbox of their reader."""
    statement = select(digests, subscribers.c.address.label("mailbox"))
    joined = statement.join(subscribers, subscribers.c.id == digests.c.subscriber_id)
    with store.begin_read() as tx:
        return {row.mailbox: row for row in tx.execute(joined.where(digests.c.made_by == "web"))}


def load_schedule(store: Store, slot: int) -> tuple[str, str, str]:
    with store.begin_read() as tx:
        row = tx.execute(select(slots).where(slots.c.id == slot)).one()
    return row.frequency, row.zone, row.at


def list_follows(store: Store, mailbox: str = "me@example.org") -> dict[str, tuple[float, int]]:
    """Weight and beginning of the active follows of a copy."""
    number = load_copies(store)[mailbox].id
    is_active = (follows.c.digest_id == number) & follows.c.ended_at.is_(None)
    with store.begin_read() as tx:
        rows = tx.execute(select(follows).where(is_active)).all()
    return {row.text: (row.weight, row.started_seq) for row in rows}


def load_destination(store: Store, number: int) -> Any:
    with store.begin_read() as tx:
        return tx.execute(select(destinations).where(destinations.c.id == number)).one()


def count_rows(store: Store) -> dict[str, int]:
    tables = (subscribers, digests, destinations, follows, queries, slots, public_table)
    with store.begin_read() as tx:
        return {table.name: len(tx.execute(select(table)).all()) for table in tables}


def suppress(store: Store, mailbox: str) -> None:
    report = {"delivery": 0, "mailbox": mailbox, "kind": "bounce", "finding": "hard", "status": "5.1.1"}
    with store.begin_write() as tx:
        tx.execute(insert(reports).values(report | {"answer": "", "road": "smtp", "at": NOW}))
        number = tx.execute(select(reports.c.id)).scalar_one()
        tx.execute(
            insert(suppressions).values(mailbox=mailbox, state="suppressed", since=NOW, report_id=number)
        )


# --- subscribing ----------------------------------------------------------------------------------


def test_a_subscriber_gets_a_digest_in_their_language_and_by_their_clock_at_once(store: Store) -> None:
    announce_many(store, 5)
    (number,) = subscribe(store, make_reader(), first_seq=3).values()

    copy = load_copies(store)["me@example.org"]
    assert (copy.name, copy.title, copy.public_digest) == ("kv", "Kv", "kv")
    assert (copy.language, copy.timezone, copy.is_customized) == ("de", "Asia/Tokyo", False)
    assert load_schedule(store, copy.slot_id)[0] == Frequency.ONCE.value
    assert load_schedule(store, copy.next_slot_id) == ("daily", "Asia/Tokyo", "07:30")
    assert copy.from_seq == 3
    assert list_follows(store) == {'"kv cache"': (1.0, 3)}
    destination = load_destination(store, number)
    assert (destination.digest_id, destination.channel, destination.address) == (
        copy.id,
        "smtp",
        "me@example.org",
    )
    assert (destination.mailbox, destination.domain, destination.state) == (
        "me@example.org",
        "example.org",
        "active",
    )


def test_the_times_of_a_schedule_in_hours_are_the_same_everywhere(store: Store) -> None:
    every = make_public()
    every = change_declaration(
        every, replace(every.digest, schedule=parse_schedule("every 2 hours", zone="UTC"))
    )
    subscribe(store, make_reader(), make_reader("you@example.org", zone="Europe/Berlin"), to=every)

    copies = load_copies(store)
    first, second = copies["me@example.org"], copies["you@example.org"]
    assert first.next_slot_id == second.next_slot_id
    assert (first.timezone, second.timezone) == ("Asia/Tokyo", "Europe/Berlin")


def test_subscribing_again_changes_nothing(store: Store) -> None:
    first = subscribe(store, make_reader())
    before = count_rows(store)

    again = subscribe(store, make_reader(language="en", zone="UTC"), now=LATER)
    assert again == first
    assert count_rows(store) == before
    assert load_copies(store)["me@example.org"].language == "de"


def test_a_mailbox_is_one_subscriber_however_it_is_written(store: Store) -> None:
    first = subscribe(store, make_reader("Me@Example.org"))
    again = subscribe(store, make_reader("me@EXAMPLE.org"))

    assert first == again
    assert load_destination(store, again["me@example.org"]).address == "Me@Example.org"
    assert list(load_copies(store)) == ["me@example.org"]


def test_plus_and_dots_are_other_mailboxes(store: Store) -> None:
    subscribe(store, *map(make_reader, ("ab@example.org", "a.b@example.org", "ab+x@example.org")))

    assert len(load_copies(store)) == 3


def test_several_public_digests_are_several_digests_of_one_subscriber(store: Store) -> None:
    subscribe(store, make_reader())
    subscribe(store, make_reader(), to=make_public("graphs"))

    counts = count_rows(store)
    assert (counts["subscribers"], counts["digests"], counts["destinations"]) == (1, 2, 2)


def test_a_name_that_the_reader_uses_already_gets_a_number(store: Store) -> None:
    subscribe(store, make_reader())
    with store.begin_write() as tx:
        tx.execute(update(digests).values(public_digest="", name="kv"))
    subscribe(store, make_reader())

    with store.begin_read() as tx:
        rows = tx.execute(select(digests.c.name, digests.c.public_digest).order_by(digests.c.id)).all()
    assert [tuple(row) for row in rows] == [("kv", ""), ("kv-2", "kv")]


def test_who_had_unsubscribed_gets_it_again(store: Store) -> None:
    (number,) = subscribe(store, make_reader()).values()
    with store.begin_write() as tx:
        stop_destination(tx, number)

    assert subscribe(store, make_reader()) == {"me@example.org": number}
    assert load_destination(store, number).state == "active"


def test_who_had_paused_it_gets_it_again(store: Store) -> None:
    subscribe(store, make_reader())
    with store.begin_planning() as tx:
        pauses.pause_digest(tx, load_copies(store)["me@example.org"].id, None, "then")

    subscribe(store, make_reader())
    assert load_copies(store)["me@example.org"].state == "active"


def test_one_that_its_reader_ended_begins_again_as_declared(store: Store) -> None:
    announce_many(store, 5)
    subscribe(store, make_reader())
    copy = load_copies(store)["me@example.org"]
    with store.begin_planning() as tx:
        customize_digest(tx, copy.id)
        tx.execute(update(digests).values(state="ended", next_slot_id=None))
        tx.execute(update(destinations).values(state="ended"))
        tx.execute(update(follows).values(ended_at=NOW))
    (number,) = subscribe(store, make_reader(zone="UTC"), now=LATER, first_seq=4).values()

    copy = load_copies(store)["me@example.org"]
    assert (copy.state, copy.is_customized, copy.from_seq, copy.timezone) == ("active", False, 4, "UTC")
    assert load_schedule(store, copy.slot_id)[0] == Frequency.ONCE.value
    assert list_follows(store) == {'"kv cache"': (1.0, 4)}
    assert load_destination(store, number).state == "active"


def test_a_suppressed_address_stays_suppressed(store: Store) -> None:
    suppress(store, "me@example.org")
    (number,) = subscribe(store, make_reader("Me@example.org")).values()
    assert load_destination(store, number).state == "suppressed"

    with store.begin_write() as tx:
        stop_destination(tx, number)
    subscribe(store, make_reader())
    assert load_destination(store, number).state == "suppressed"


def test_an_alert_of_a_public_digest_is_on_time(store: Store) -> None:
    public_digest = make_public()
    alerts = tuple(replace(follow, alert=True) for follow in public_digest.digest.follows)
    subscribe(
        store,
        make_reader(),
        to=change_declaration(public_digest, replace(public_digest.digest, follows=alerts)),
    )

    with store.begin_read() as tx:
        frequencies = set(tx.execute(select(slots.c.frequency)).scalars())
    assert Frequency.ALERT.value in frequencies


def test_who_subscribes_in_the_same_minute_shares_the_first_run(store: Store) -> None:
    for second, address in enumerate(("a@example.org", "b@example.org", "c@example.org")):
        subscribe(store, make_reader(address), now=add_to_now(seconds=second))
    assert len({copy.slot_id for copy in load_copies(store).values()}) == 1

    finish_first_firings(store)
    subscribe(store, make_reader("late@example.org"), now=add_to_now(seconds=9))
    late = load_copies(store)["late@example.org"]
    assert load_schedule(store, late.slot_id)[0] == Frequency.ONCE.value


def test_many_subscribe_in_no_more_statements_than_one(store: Store) -> None:
    public_digest = make_public(queries=("one", "two", "three"))
    with record_statements(store) as single:
        subscribe(store, make_reader("first@example.org"), to=public_digest)
    readers = [make_reader(f"{number}@example.org") for number in range(200)]
    with record_statements(store) as many:
        subscribe(store, *readers, to=public_digest, now=LATER)

    assert len(load_copies(store)) == 201
    assert len(many) <= len(single)


# --- what the file changes ------------------------------------------------------------------------


def test_who_changed_nothing_gets_what_the_file_changes(store: Store) -> None:
    announce_many(store, 9)
    subscribe(store, make_reader(), make_reader("you@example.org", "en", "Europe/Berlin"), first_seq=3)
    finish_first_firings(store)
    changed = make_public(queries=("graphs", '"kv cache"'), schedule="weekly mon 08:00", limit=7, weight=2.0)
    apply(store, changed)

    for mailbox, language, zone in (
        ("me@example.org", "de", "Asia/Tokyo"),
        ("you@example.org", "en", "Europe/Berlin"),
    ):
        copy = load_copies(store)[mailbox]
        assert (copy.limit, copy.language, copy.timezone) == (7, language, zone)
        assert load_schedule(store, copy.next_slot_id) == ("weekly", zone, "08:00")
        assert list_follows(store, mailbox) == {"graphs": (2.0, 3), '"kv cache"': (2.0, 3)}


def test_who_changed_something_keeps_their_own(store: Store) -> None:
    subscribe(store, make_reader(), make_reader("you@example.org"))
    with store.begin_planning() as tx:
        customize_digest(tx, load_copies(store)["me@example.org"].id)
    apply(store, make_public(queries=("graphs",), limit=7))

    mine, yours = load_copies(store)["me@example.org"], load_copies(store)["you@example.org"]
    assert (mine.limit, yours.limit) == (25, 7)
    assert list(list_follows(store)) == ['"kv cache"']
    assert list(list_follows(store, "you@example.org")) == ["graphs"]


def test_a_change_waits_for_the_first_edition(store: Store) -> None:
    subscribe(store, make_reader())
    apply(store, make_public(schedule="weekly mon 08:00"))

    copy = load_copies(store)["me@example.org"]
    assert load_schedule(store, copy.slot_id)[0] == Frequency.ONCE.value
    assert load_schedule(store, copy.next_slot_id) == ("weekly", "Asia/Tokyo", "08:00")


def test_a_schedule_that_comes_back_before_it_was_left_is_no_change(store: Store) -> None:
    subscribe(store, make_reader())
    finish_first_firings(store)
    apply(store, make_public(schedule="weekly mon 08:00"))
    apply(store, make_public())

    assert load_copies(store)["me@example.org"].next_slot_id is None


def test_readers_of_other_public_digests_and_of_the_file_keep_theirs(store: Store) -> None:
    declare(store, make_digest("kv"))
    subscribe(store, make_reader(), to=make_public("graphs"))
    apply(store, make_public(limit=7))

    with store.begin_read() as tx:
        assert set(tx.execute(select(digests.c.limit)).scalars()) == {25}


def test_the_file_leaves_digests_of_the_site_alone(store: Store) -> None:
    subscribe(store, make_reader())
    before = load_copies(store)
    declare(store, make_digest("kv", limit=3))
    declare(store)

    assert load_copies(store) == before


def test_one_that_ended_is_not_updated(store: Store) -> None:
    subscribe(store, make_reader())
    with store.begin_write() as tx:
        tx.execute(update(digests).values(state="ended"))
    apply(store, make_public(limit=7))

    assert load_copies(store)["me@example.org"].limit == 25


def test_one_that_is_paused_or_stopped_is_updated_and_stays_so(store: Store) -> None:
    numbers = subscribe(store, make_reader(), make_reader("you@example.org"))
    with store.begin_planning() as tx:
        pauses.pause_digest(tx, load_copies(store)["me@example.org"].id, None, "then")
        stop_destination(tx, numbers["you@example.org"])
    apply(store, make_public(limit=7))

    mine, yours = load_copies(store)["me@example.org"], load_copies(store)["you@example.org"]
    assert (mine.limit, mine.state, yours.limit) == (7, "paused", 7)
    assert load_destination(store, numbers["you@example.org"]).state == "stopped"


def test_a_large_change_is_many_small_transactions_that_can_be_resumed(store: Store) -> None:
    subscribe(store, *(make_reader(f"{number}@example.org") for number in range(40)))
    changed = make_public(queries=[f"word{number}" for number in range(99)])
    with store.begin_planning() as tx:
        last = update_copies(tx, changed, 0, LATER)
    assert last is not None

    counts = [len(list_follows(store, f"{number}@example.org")) for number in range(40)]
    assert (counts.count(99), counts.count(1)) == (5, 35)
    assert apply(store, changed) == 7
    assert apply(store, changed) == 0
    assert {len(list_follows(store, f"{number}@example.org")) for number in range(40)} == {99}


def test_many_copies_change_in_few_statements(store: Store) -> None:
    subscribe(store, *(make_reader(f"{number}@example.org") for number in range(100)))
    changed = make_public(queries=("graphs",), limit=7)
    with record_statements(store) as statements:
        assert apply(store, changed) == 1

    assert len(statements) < 40


def test_a_query_that_no_copy_follows_any_more_is_released(store: Store) -> None:
    subscribe(store, make_reader(), make_reader("you@example.org"))
    apply(store, make_public(queries=("graphs",)))

    with store.begin_read() as tx:
        rows = tx.execute(select(queries.c.text, queries.c.needed_from.is_(None))).all()
    assert {text: bool(released) for text, released in rows} == {'"kv cache"': True, "graphs": False}


def test_an_exclusion_from_one_follow_comes_with_it(store: Store) -> None:
    narrowed = make_public(queries=("graphs",))
    exclusion = FollowSettings(text="survey", query="survey", exclude=True, only="graphs")
    digest = replace(narrowed.digest, follows=(*narrowed.digest.follows, exclusion))
    subscribe(store, make_reader())
    apply(store, change_declaration(narrowed, digest))

    with store.begin_read() as tx:
        (copy,) = digest_rows.load_digests(tx)
    graphs, survey = copy.follows
    assert (graphs.text, survey.text, survey.exclude, survey.only) == ("graphs", "survey", True, graphs.query)


# --- what its reader is told ----------------------------------------------------------------------


def load_note(store: Store) -> Any:
    return load_copies(store)["me@example.org"].change_note


def list_noted(store: Store) -> dict[str, Any]:
    """What is noted, without what is empty."""
    return {name: value for name, value in load_note(store).items() if value}


def make_public_following(*following: FollowSettings) -> PublicDigestSettings:
    return change_declaration(make_public(), replace(make_public().digest, follows=following))


def test_what_has_changed_is_noted_for_the_reader(store: Store) -> None:
    subscribe(store, make_reader())
    assert load_note(store) is None
    apply(store, make_public(queries=("graphs",), limit=7, schedule="weekly mon 08:00"))

    assert load_note(store) == {
        "added": ["graphs"],
        "removed": ['"kv cache"'],
        "added_exclusions": [],
        "removed_exclusions": [],
        "options": {"limit": 25, "schedule": ["daily", "Asia/Tokyo", "07:30", "0,1,2,3,4", 0]},
    }


def test_exclusions_weights_and_alerts_are_noted_as_what_they_are(store: Store) -> None:
    follow = FollowSettings(text="graphs", query="graphs")
    exclusion = FollowSettings(text="survey", query="survey", exclude=True)
    subscribe(store, make_reader(), to=make_public_following(follow))
    apply(store, make_public_following(replace(follow, weight=2.0), exclusion))
    assert list_noted(store) == {"added_exclusions": ["survey"], "options": {"weight": None}}

    apply(store, make_public_following(replace(follow, weight=2.0, alert=True)))
    assert list_noted(store) == {"options": {"weight": None, "alert": None}}

    apply(store, make_public_following(replace(follow, exclude=True), replace(exclusion, exclude=False)))
    assert list_noted(store) == {
        "added": ["survey"],
        "removed": ["graphs"],
        "added_exclusions": ["graphs"],
        "options": {"weight": None, "alert": None},
    }


def test_an_option_that_is_as_before_again_is_not_told(store: Store) -> None:
    subscribe(store, make_reader())
    finish_first_firings(store)
    apply(store, make_public(limit=7, schedule="weekly mon 08:00"))
    apply(store, make_public(limit=8, schedule="weekly tue 08:00"))
    assert load_note(store)["options"]["limit"] == 25

    apply(store, make_public(limit=8))
    assert list_noted(store) == {"options": {"limit": 25}}
    apply(store, make_public())
    assert load_note(store) is None


@pytest.mark.parametrize("change", [{"wait_for": ("arxiv",)}, {"catch_up": "skip"}])
def test_what_readers_do_not_see_of_a_schedule_is_not_noted(store: Store, change: dict[str, Any]) -> None:
    subscribe(store, make_reader())
    finish_first_firings(store)
    apply(store, change_declaration(make_public(), replace(make_public().digest, **change)))

    assert load_copies(store)["me@example.org"].next_slot_id is not None
    assert load_note(store) is None


def test_a_reader_who_changes_the_digest_is_told_no_earlier_change(store: Store) -> None:
    subscribe(store, make_reader())
    apply(store, make_public(queries=("graphs",)))
    with store.begin_planning() as tx:
        customize_digest(tx, load_copies(store)["me@example.org"].id)
    apply(store, make_public(queries=("trees",)))

    assert load_note(store) is None


def test_what_was_taken_back_before_it_was_told_is_not_told(store: Store) -> None:
    subscribe(store, make_reader())
    apply(store, make_public(queries=("graphs",)))
    apply(store, make_public(queries=("graphs", "trees")))
    assert list_noted(store) == {"added": ["graphs", "trees"], "removed": ['"kv cache"']}

    apply(store, make_public())
    assert load_note(store) is None


def test_a_release_that_changes_nothing_tells_nothing(store: Store) -> None:
    subscribe(store, make_reader())
    with store.begin_write() as tx:
        tx.execute(update(digests).values(public_hash="of another release"))
    apply(store, make_public())

    assert load_note(store) is None


# --- which declaration was applied ----------------------------------------------------------------


def record(store: Store, public_digest: PublicDigestSettings) -> None:
    with store.begin_planning() as tx:
        record_applied(tx, public_digest)


def list_applied(store: Store) -> dict[str, str]:
    with store.begin_read() as tx:
        return load_applied(tx)


def test_the_declaration_last_applied_is_on_record(store: Store) -> None:
    assert list_applied(store) == {}
    for public_digest in (make_public(), make_public(limit=7)):
        record(store, public_digest)
        assert list_applied(store) == {"kv": hash_public_digest(public_digest)}


def test_a_copy_by_a_process_with_an_older_file_is_found_again(store: Store) -> None:
    record(store, make_public(limit=7))
    subscribe(store, make_reader(), to=make_public(limit=7))
    assert list_applied(store) == {"kv": hash_public_digest(make_public(limit=7))}

    subscribe(store, make_reader("you@example.org"), to=make_public())
    assert list_applied(store) == {"kv": ""}
    assert apply(store, make_public(limit=7)) == 1
    assert load_copies(store)["you@example.org"].limit == 7


@pytest.mark.parametrize(
    "change",
    [
        lambda digest: replace(digest, title="Other"),
        lambda digest: change_options(digest, feed=True),
        lambda digest: replace(digest, catch_up="skip"),
        lambda digest: replace(digest, wait_for=("arxiv",)),
        lambda digest: replace(digest, follows=digest.follows[:1]),
    ],
)
def test_each_change_of_the_declaration_has_another_hash(change: Any) -> None:
    public_digest = make_public(queries=("one", "two"))

    assert hash_public_digest(public_digest) != hash_public_digest(
        change_declaration(public_digest, change(public_digest.digest))
    )


# --- snapshots ------------------------------------------------------------------------------------


def test_a_snapshot_has_nothing_of_subscribers_of_the_site(store: Store) -> None:
    declare(store, make_digest("systems", queries=("graphs",)))
    subscribe(store, make_reader("me@subscriber.example"), to=make_public(queries=("secretinterest",)))
    record(store, make_public())

    with store.begin_read() as tx:
        content: dict[str, Sequence[list[Any]]] = {
            table: list(rows) for table, (_, rows) in iter_tables(tx, add_to_now(days=1))
        }
    assert len(content["digests"]) == len(content["subscribers"]) == 1
    assert "public_digests" not in content
    assert "subscriber.example" not in repr(content)
    assert "secretinterest" not in repr(content)
