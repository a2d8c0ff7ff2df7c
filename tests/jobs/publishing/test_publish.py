from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

import pytest

from digest.jobs.publishing.publish import DigestEditions, publish_digests
from digest.jobs.publishing.static_site import StaticSite
from digest.render.branding import Branding
from digest.render.locale_bundle import LocaleBundle, make_locale_bundle
from digest.store.database.engine import Store
from digest.store.editions import editions, runs
from digest.store.editions.editions import NewEdition
from tests.store.factories import (
    NOW,
    announce_many,
    change_options,
    declare,
    load_active_digests,
    make_digest,
)

FEEDS = ("rss", "atom", "json")


class Press:
    """Makes files, and notes of whom they are."""

    def __init__(self) -> None:
        self.fresh: list[set[str]] = []

    def __call__(self, shown: DigestEditions, fresh: Collection[str]) -> list[tuple[str, bytes]]:
        self.fresh.append(set(fresh))
        feeds = [
            (f"feeds/{entry.name}.{form}", f"{len(last)} editions".encode())
            for entry, last in shown
            if entry.name in fresh
            for form in FEEDS
        ]
        return [*feeds, ("index.html", f"{len(shown)} digests".encode())]


def published(store: Store, folder: Path, press: Press, made_by: str = "1") -> set[str]:
    """The files that were written."""
    site = StaticSite(folder=folder, get_locale_bundle=tongue, language="en")
    written = {path.relative_to(folder).as_posix() for path in publish_digests(store, site, press, made_by)}
    return {path for path in written if not path.startswith(("editions/", "days/", "archive", ".site"))}


@cache
def tongue(language: str) -> LocaleBundle:
    return make_locale_bundle(language, Branding(title="Digest"), None, None)


def feeds(name: str) -> set[str]:
    return {f"feeds/{name}.{form}" for form in FEEDS}


@pytest.fixture
def store_with_two_digests(store: Store) -> Store:
    """A store with two digests."""
    announce_many(store, 1)
    declare(store, *(change_options(make_digest(name), feed=True) for name in ("one", "two")))
    return store


def an_edition(store: Store, name: str) -> None:
    with store.begin_write() as tx:
        runs.wake_slots(tx, NOW)
        runs.fire_slots(tx, NOW)
        ((run, _),) = runs.list_recent_runs(tx, 1)
        runs.close_run(tx, run, 0, NOW)
        (number,) = [
            active_digest.id for active_digest in load_active_digests(tx) if active_digest.name == name
        ]
        new_edition = NewEdition(
            digest=number,
        )
        editions.save_editions(tx, run.id, [new_edition], [], NOW)


def test_only_feeds_with_a_new_edition_are_made(store_with_two_digests: Store, tmp_path: Path) -> None:
    press = Press()

    assert published(store_with_two_digests, tmp_path, press) == {*feeds("one"), *feeds("two"), "index.html"}
    an_edition(store_with_two_digests, "two")
    assert published(store_with_two_digests, tmp_path, press) == feeds("two")
    assert press.fresh == [{"one", "two"}, {"two"}]


def test_nothing_is_made_where_nothing_is_new(store_with_two_digests: Store, tmp_path: Path) -> None:
    press = Press()
    published(store_with_two_digests, tmp_path, press)

    assert published(store_with_two_digests, tmp_path, press) == set()
    assert len(press.fresh) == 1


def test_a_feed_that_was_taken_away_comes_back(store_with_two_digests: Store, tmp_path: Path) -> None:
    press = Press()
    published(store_with_two_digests, tmp_path, press)
    (tmp_path / "feeds" / "one.rss").unlink()

    assert published(store_with_two_digests, tmp_path, press) == {"feeds/one.rss"}


def test_other_templates_make_all_anew(store_with_two_digests: Store, tmp_path: Path) -> None:
    press = Press()
    published(store_with_two_digests, tmp_path, press)

    published(store_with_two_digests, tmp_path, press, made_by="2")

    assert press.fresh[1] == {"one", "two"}


@pytest.mark.parametrize("state", [b"", b"{", b"[]", b'{"made_by": "1"}'])
def test_notes_that_cannot_be_read_are_made_anew(
    store_with_two_digests: Store, tmp_path: Path, state: bytes
) -> None:
    press = Press()
    published(store_with_two_digests, tmp_path, press)
    (tmp_path / ".published.json").write_bytes(state)

    assert published(store_with_two_digests, tmp_path, press) == set()
    assert press.fresh[1] == {"one", "two"}


def test_a_digest_that_left_is_not_in_the_overview(store_with_two_digests: Store, tmp_path: Path) -> None:
    press = Press()
    published(store_with_two_digests, tmp_path, press)
    declare(store_with_two_digests, change_options(make_digest("one"), feed=True))

    assert published(store_with_two_digests, tmp_path, press) == {"index.html"}
