"""Options of digests as rows."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select

from digest.model import Abstracts, Arrangement, DigestOptions, EventKind
from digest.store.database.engine import Store
from digest.store.database.tables.digests import digests
from digest.store.subscribers.digest_options import read_row_options, write_options
from digest.store.subscribers.digests import load_digests_by_id
from tests.store.factories import change_options, declare, make_digest

OTHERS = DigestOptions(
    timezone="Asia/Tokyo",
    kinds=(EventKind.CODE, EventKind.NEW),
    limit=7,
    minimum=3,
    when_empty="tell",
    feed=True,
    feed_entries="editions",
    language="zh",
    abstracts=Abstracts.NONE,
    arrange=Arrangement.BY_FOLLOW,
    full=4,
    alerts_a_day=9,
    repeat_alerts=True,
)


def test_each_option_of_a_digest_is_read_as_it_was_written(store: Store) -> None:
    declare(
        store, change_options(make_digest(), **{name: getattr(OTHERS, name) for name in OTHERS.__slots__})
    )

    with store.begin_read() as tx:
        (one,) = load_digests_by_id(tx, [1])
        row = tx.execute(select(digests)).one()

    assert one.options == OTHERS == read_row_options(row)
    assert type(one.options.feed) is type(one.options.repeat_alerts) is bool


def test_no_two_options_share_a_column() -> None:
    default = write_options(DigestOptions())

    for name in OTHERS.__slots__:
        changed = write_options(replace(DigestOptions(), **{name: getattr(OTHERS, name)}))
        assert sum(changed[column] != default[column] for column in default) == 1, name
    assert len(default) == len(OTHERS.__slots__)
