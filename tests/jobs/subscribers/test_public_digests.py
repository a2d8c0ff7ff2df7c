"""Subscribing to public digests, and what the file changes for those who have; links in mails work for them, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select

from digest.config import PublicDigestSettings, Settings, SiteSettings
from digest.errors import ConfigError
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.matching.match import match
from digest.jobs.operations import sync_config
from digest.jobs.subscribers.public_digests import apply_public_digests, subscribe
from digest.jobs.subscribers.subscriptions import (
    list_unsubscribed,
    resume_address,
    resume_destination,
    stop_destination,
)
from digest.sources.arxiv import Source
from digest.store.database.engine import Store
from digest.store.database.tables.digests import (
    deliveries,
    destinations,
    digests,
    editions,
    follows,
    subscribers,
)
from digest.store.subscribers.public_digests import hash_public_digest, load_applied
from tests.store.factories import NOW, SHELL, announce, make_digest, make_new_listing, record_statements
from tests.support.cases import for_each_case

SOURCES = {"arxiv": Source(categories=("cs.LG",))}
LETTERS = MessageIds(key=b"key", domain="example.org")
LATER = NOW + timedelta(minutes=10)


def make_public(
    name: str = "kv", *, queries: tuple[str, ...] = ("caches",), **options: Any
) -> PublicDigestSettings:
    return PublicDigestSettings(
        description="New papers on caches.", digest=make_digest(name, queries=queries, to=[], **options)
    )


def make_settings(folder: Path, *public: PublicDigestSettings, **others: Any) -> Settings:
    path = folder / "digest.toml"
    path.write_text(repr(public), encoding="utf-8")
    return Settings(
        path=path,
        site=SiteSettings(),
        store="",
        output=folder,
        sources=(),
        public_digests=public,
        **others,
    )


def apply(store: Store, settings: Settings) -> None:
    applied = sync_config.apply_config(store, settings, SOURCES, LATER, allows_other_file=False)
    apply_public_digests(store, settings, LATER, applied)


def sign_up(store: Store, address: str = "me@example.org", to: PublicDigestSettings | None = None) -> int:
    with store.begin_planning() as tx:
        return subscribe(tx, to or make_public(), address, language="de", zone="Asia/Tokyo", now=NOW)


def run(store: Store, now: Any = NOW) -> None:
    fire_slots(store, SOURCES, now)
    match(store)
    close_runs(store, SOURCES, now, wait=False)
    compose_editions(store, LETTERS, 1, now)


def count_papers(store: Store) -> list[int]:
    with store.begin_read() as tx:
        return [
            len(items) for items in tx.execute(select(editions.c["items"]).order_by(editions.c.id)).scalars()
        ]


def load_state(store: Store, destination: int) -> str:
    with store.begin_read() as tx:
        return str(
            tx.execute(select(destinations.c.state).where(destinations.c.id == destination)).scalar_one()
        )


# --- subscribing ----------------------------------------------------------------------------------


def test_a_subscriber_gets_the_papers_of_the_last_day_at_once(store: Store) -> None:
    announce(store, make_new_listing(1, title="On caches"), make_new_listing(2, title="On graphs"))
    sign_up(store)
    run(store)

    assert count_papers(store) == [1]
    with store.begin_read() as tx:
        (delivery,) = tx.execute(select(deliveries)).all()
    assert (delivery.channel, delivery.state) == ("smtp", "ready")


def test_two_at_one_instant_both_get_it_at_once(store: Store) -> None:
    announce(store, make_new_listing(1, title="On caches"))
    sign_up(store)
    run(store)
    sign_up(store, "you@example.org")
    run(store)

    assert count_papers(store) == [1, 1]


def test_a_domain_beyond_ascii_is_stored_as_mail_needs_it(store: Store) -> None:
    number = sign_up(store, "Me+x@Bücher.example")

    assert sign_up(store, "me+x@xn--bcher-kva.example") == number
    with store.begin_read() as tx:
        assert tx.execute(select(subscribers.c.address)).scalars().all() == ["me+x@xn--bcher-kva.example"]


def test_a_reader_of_unknown_language_and_zone_gets_those_of_the_file(store: Store) -> None:
    with store.begin_planning() as tx:
        subscribe(tx, make_public(), "me@example.org", language="", zone="", now=NOW)

    with store.begin_read() as tx:
        (row,) = tx.execute(select(digests.c.language, digests.c.timezone)).all()
    assert tuple(row) == ("en", "Europe/Berlin")


@for_each_case(
    "address", ["", "me", "me@example.org, you@example.org", "me@example.org\nBcc: a@b.org", "ü@b.org"]
)
def test_what_is_no_address_is_refused_in_words(address: str, store: Store) -> None:
    with pytest.raises(ConfigError, match=r"address|letters"):
        sign_up(store, address)
    with store.begin_read() as tx:
        assert tx.execute(select(subscribers)).all() == []


def test_a_zone_that_does_not_exist_is_refused(store: Store) -> None:
    with pytest.raises(ConfigError, match="no time zone"), store.begin_planning() as tx:
        subscribe(tx, make_public(), "me@example.org", language="de", zone="Mars/Base", now=NOW)


# --- leaving and coming back ----------------------------------------------------------------------


def test_who_unsubscribes_by_a_link_can_take_it_back_by_the_same_page(store: Store, tmp_path: Path) -> None:
    number = sign_up(store)
    stop_destination(store, number, NOW)
    assert load_state(store, number) == "stopped"

    resumed = resume_destination(store, make_settings(tmp_path, make_public()), number)
    assert resumed is not None
    assert (resumed.state, resumed.made_on_site) == ("active", True)


def test_it_comes_back_although_the_file_no_longer_offers_it(store: Store, tmp_path: Path) -> None:
    number = sign_up(store)
    stop_destination(store, number, NOW)

    (resumed,) = resume_address(store, make_settings(tmp_path), SHELL, "ME@example.org", NOW)
    assert (resumed.destination, resumed.state) == (number, "active")


def test_leaving_one_public_digest_leaves_the_digests_of_the_file(store: Store, tmp_path: Path) -> None:
    declared = make_digest("kv", to=["me@example.org"])
    settings = make_settings(tmp_path, make_public(), digests=(declared,))
    number = sign_up(store)
    stop_destination(store, number, NOW)
    apply(store, settings)

    assert list_unsubscribed(store, settings) == ()
    with store.begin_read() as tx:
        states = tx.execute(
            select(digests.c.made_by, destinations.c.state).join(
                digests, digests.c.id == destinations.c.digest_id
            )
        ).all()
    assert sorted(map(tuple, states)) == [("config", "active"), ("web", "stopped")]


# --- what the file changes ------------------------------------------------------------------------


def test_a_change_of_the_file_reaches_subscribers_without_loss_or_repetition(
    store: Store, tmp_path: Path
) -> None:
    announce(store, make_new_listing(1, title="On caches"), make_new_listing(2, title="On graphs"))
    public_digest = make_public(schedule="daily 7:30")
    apply(store, make_settings(tmp_path, public_digest))
    sign_up(store, to=public_digest)
    run(store)
    announce(store, make_new_listing(3, title="On graphs too"), make_new_listing(4, title="On caches again"))
    apply(store, make_settings(tmp_path, make_public(queries=("graphs", "caches"), schedule="daily 7:30")))
    run(store, NOW + timedelta(days=1))

    assert count_papers(store) == [1, 2]


def test_applying_the_same_file_again_reads_one_table(store: Store, tmp_path: Path) -> None:
    settings = make_settings(tmp_path, make_public(), make_public("graphs"))
    apply(store, settings)
    sign_up(store)
    with record_statements(store) as statements:
        apply_public_digests(store, settings, LATER, "unused")

    assert len([line for line in statements if "public_digests" in line]) == 1
    assert not [line for line in statements if line.startswith(("INSERT", "UPDATE", "DELETE"))]


def test_a_public_digest_that_left_the_file_stays_with_those_who_have_it(
    store: Store, tmp_path: Path
) -> None:
    sign_up(store)
    apply(store, make_settings(tmp_path))

    with store.begin_read() as tx:
        assert tx.execute(select(digests.c.state)).scalars().all() == ["active"]


def test_an_older_file_is_not_applied_over_a_newer_one(store: Store, tmp_path: Path) -> None:
    sign_up(store)
    older, newer = make_public(limit=5), make_public(limit=7)
    settings = make_settings(tmp_path, older)
    applied = sync_config.apply_config(store, settings, SOURCES, LATER, allows_other_file=False)
    apply(store, make_settings(tmp_path, newer))

    with pytest.raises(ConfigError, match="newer file"):
        apply_public_digests(store, settings, LATER, applied)
    with store.begin_read() as tx:
        assert tx.execute(select(digests.c.limit)).scalars().all() == [7]


@contextmanager
def interrupt_at(store: Store, number: int) -> Iterator[None]:
    """Press Ctrl-C at a statement."""
    statements = count(1)

    def press(*_: Any) -> None:
        if next(statements) == number:
            raise KeyboardInterrupt

    event.listen(store.engine, "before_cursor_execute", press)
    try:
        yield
    finally:
        event.remove(store.engine, "before_cursor_execute", press)


def test_what_was_interrupted_at_any_statement_goes_on_with_the_next_command(
    store: Store, tmp_path: Path
) -> None:
    for number in range(9):
        sign_up(store, f"{number}@example.org")
    for number in (1, 4, 10, 16, 23, 30):  # none begins a transaction
        changed = make_public(queries=tuple(f"word{number}and{other}" for other in range(200)))
        settings = make_settings(tmp_path, changed)
        applied = sync_config.apply_config(store, settings, SOURCES, LATER, allows_other_file=False)
        with pytest.raises(KeyboardInterrupt), interrupt_at(store, number):
            apply_public_digests(store, settings, LATER, applied)
        apply_public_digests(store, settings, LATER, applied)

        with store.begin_read() as tx:
            assert load_applied(tx) == {"kv": hash_public_digest(changed)}
            (public_hash,) = set(tx.execute(select(digests.c.public_hash)).scalars())
            active = tx.execute(select(func.count()).where(follows.c.ended_at.is_(None))).scalar_one()
        assert (public_hash, active) == (hash_public_digest(changed), 9 * 200)
