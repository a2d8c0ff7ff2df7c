"""What one can rely on of the addresses of our own pages, and of the key that they are signed with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from digest.config import read_settings
from digest.core.delivery.own_pages import OwnPages
from digest.errors import ConfigError
from digest.identity import load_signing_keys, make_pages
from digest.store.database.engine import Store, open_store
from tests.store.factories import NOW
from tests.test_app import FILE

LONG, OTHER = "0123456789abcdef" * 2, "fedcba9876543210" * 2
SITE = '[site]\nurl = "https://digest.example.org/"\n'


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path}/digest.db", NOW)
    yield store
    store.close()


def pages(folder: Path, store: Store, site: str = SITE, **environ: str) -> OwnPages | None:
    (folder / "digest.toml").write_text(site + FILE, encoding="utf-8")
    return make_pages(read_settings(folder / "digest.toml", {}), store, environ)


def test_there_are_none_where_we_do_not_answer(tmp_path: Path, store: Store) -> None:
    assert pages(tmp_path, store, site="") is None
    assert pages(tmp_path, store, site=f'{SITE}listen = ""\n') is None


def test_the_key_is_made_once_and_kept(tmp_path: Path, store: Store) -> None:
    first, second = pages(tmp_path, store), pages(tmp_path, store)

    assert first is not None
    assert first == second
    assert first.make_unsubscribe_url(1).startswith("https://digest.example.org/unsubscribe/1.")


def test_a_key_of_the_environment_overrules_it(tmp_path: Path, store: Store) -> None:
    own, own_pages = pages(tmp_path, store), pages(tmp_path, store, DIGEST_KEY=LONG)

    assert own is not None
    assert own_pages is not None
    token = own.make_unsubscribe_url(1).rpartition("/")[2]
    assert (own.read_unsubscribe_token(token), own_pages.read_unsubscribe_token(token)) == (1, None)


def test_links_of_an_older_key_lead_on_while_it_stands_behind_the_new_one(
    tmp_path: Path, store: Store
) -> None:
    before = pages(tmp_path, store, DIGEST_KEY=LONG)
    after = pages(tmp_path, store, DIGEST_KEY=f"{OTHER} {LONG}")

    assert before is not None
    assert after is not None
    assert after.read_unsubscribe_token(before.make_unsubscribe_url(1).rpartition("/")[2]) == 1
    assert after.make_unsubscribe_url(1) != before.make_unsubscribe_url(1)


@pytest.mark.parametrize("text", ["short", f"{LONG} short"])
def test_a_key_that_can_be_guessed_is_refused(store: Store, text: str) -> None:
    with pytest.raises(ConfigError, match="openssl rand -hex 32"):
        load_signing_keys(store, {"DIGEST_KEY": text})
