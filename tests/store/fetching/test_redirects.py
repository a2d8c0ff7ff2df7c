from __future__ import annotations

from digest.store.database.engine import Store
from digest.store.fetching import redirects
from digest.store.fetching.redirects import Redirect
from tests.store.factories import NOW, add_to_now

OLD, NEW, OTHER = "https://old.example.org/", "https://new.example.org/", "https://other.example.org/"


def test_an_address_that_says_again_and_again_that_it_moved_is_counted(store: Store) -> None:
    with store.begin_write() as tx:
        assert redirects.find_redirect(tx, OLD) is None
        for days in range(3):
            redirects.record_redirect(tx, OLD, NEW, add_to_now(days=days))
        redirects.record_redirect(tx, OTHER, NEW, NOW)

        assert redirects.find_redirect(tx, OLD) == Redirect(
            target=NEW, times=3, first_at=NOW, last_at=add_to_now(days=2)
        )


def test_another_target_begins_the_count_anew_and_no_move_ends_it(store: Store) -> None:
    with store.begin_write() as tx:
        redirects.record_redirect(tx, OLD, NEW, NOW)
        redirects.record_redirect(tx, OLD, NEW, add_to_now(days=1))
        redirects.record_redirect(tx, OLD, OTHER, add_to_now(days=2))
        assert redirects.find_redirect(tx, OLD) == Redirect(
            target=OTHER, times=1, first_at=add_to_now(days=2), last_at=add_to_now(days=2)
        )

        redirects.record_redirect(tx, OLD, "", add_to_now(days=3))
        assert redirects.find_redirect(tx, OLD) is None

        redirects.record_redirect(tx, OLD, OTHER, add_to_now(days=4))
        assert redirects.find_redirect(tx, OLD) == Redirect(
            target=OTHER, times=1, first_at=add_to_now(days=4), last_at=add_to_now(days=4)
        )
