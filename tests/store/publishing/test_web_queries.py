"""What the web can rely on when it asks whether something changed."""

from __future__ import annotations

from sqlalchemy import update

from digest.model import DigestOptions, EventKind
from digest.store.database.engine import Store
from digest.store.database.tables.digests import editions
from digest.store.publishing.web_queries import WebDigest, find_digest_of_edition, load_web_digest
from tests.store.factories import change_options, declare, make_digest, make_due_edition


def shown(store: Store, number: int = 1) -> WebDigest | None:
    with store.begin_read() as tx:
        return load_web_digest(tx, number)


def of_edition(store: Store, number: int = 1) -> WebDigest | None:
    with store.begin_read() as tx:
        return find_digest_of_edition(tx, number)


def test_a_digest_without_an_edition_is_shown_as_that(store: Store) -> None:
    declare(store, change_options(make_digest(zone="Asia/Tokyo"), feed=True))

    assert shown(store) == WebDigest(
        id=1,
        name="systems",
        title="Systems",
        options=DigestOptions(timezone="Asia/Tokyo", feed=True, kinds=(EventKind.NEW,)),
        feed_version=0,
        ended=False,
        newest=0,
    )
    assert shown(store, 2) is None
    assert of_edition(store) is None


def test_an_edition_changes_it_and_is_found(store: Store) -> None:
    make_due_edition(store, 1)

    digest = shown(store)

    assert digest is not None
    assert digest.newest == 1
    assert of_edition(store) == digest
    assert of_edition(store, 2) is None


def test_an_edition_that_was_not_made_is_none(store: Store) -> None:
    make_due_edition(store, 1)
    with store.begin_write() as tx:
        tx.execute(update(editions).values(skipped="nothing to tell"))

    digest = shown(store)

    assert digest is not None
    assert digest.newest == 0
    assert of_edition(store) is None


def test_one_that_left_the_file_has_ended(store: Store) -> None:
    declare(store, make_digest())
    declare(store)

    digest = shown(store)

    assert digest is not None
    assert digest.ended
