"""Evidence that processes share while they compose the shards of a run: why queries match papers.

Each shard has what its process found first. Nothing depends on it: what is missing is found again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterator, Mapping

from sqlalchemy import delete, exists, insert, select

from digest.model import Evidence, RunState
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import runs, shard_evidence, shards
from digest.store.editions.runs import Shard

_COMPRESSION_LEVEL = 1


EvidenceTexts = list[tuple[str, list[str]]]
"""The field and the words of each piece of evidence of a pair, as JSON has them."""


def has_other_workers(tx: Transaction, shard: Shard) -> bool:
    """Whether other processes compose shards of the same run now."""
    is_leased = (shards.c.state == "leased") & (shards.c.lease_token != shard.token)
    statement = select(shards.c.number).where(
        shards.c.run_id == shard.run.id, shards.c.state != "done", is_leased
    )
    return tx.execute(statement.limit(1)).first() is not None


def save_evidence(tx: Transaction, shard: Shard, found: Mapping[int, tuple[Evidence, ...]]) -> None:
    """Store what was found in a shard, by pair of query and event."""
    numbers: dict[tuple[Evidence, ...], int] = {}
    # Many pairs have the same evidence.
    references = [numbers.setdefault(evidence, len(numbers)) for evidence in found.values()]
    texts = [[(part.field, part.words) for part in evidence] for evidence in numbers]
    text = json.dumps([list(found), references, texts], separators=(",", ":"))
    is_own = (shard_evidence.c.run_id == shard.run.id) & (shard_evidence.c.number == shard.number)
    tx.execute(delete(shard_evidence).where(is_own))
    row = {
        "run_id": shard.run.id,
        "number": shard.number,
        "found": zlib.compress(text.encode(), _COMPRESSION_LEVEL),
    }
    tx.execute(insert(shard_evidence), [row])


def iter_evidence(
    tx: Transaction, shard: Shard, known_numbers: Collection[int]
) -> Iterator[tuple[int, dict[int, EvidenceTexts]]]:
    """Yield the number of each other shard of a run and what was found in it, by pair of query and event.

    One at a time, because all shards of a large run have some million pairs.

    Args:
        tx: a transaction.
        shard: the shard that is about to be composed.
        known_numbers: the shards whose evidence is known already.
    """
    is_in_run = shard_evidence.c.run_id == shard.run.id
    numbers = tx.execute(select(shard_evidence.c.number).where(is_in_run)).scalars()
    is_new = is_in_run & shard_evidence.c.number.in_(sorted(set(numbers) - set(known_numbers)))
    rows = tx.execute(select(shard_evidence.c.number, shard_evidence.c.found).where(is_new))
    for number, found in rows:
        yield number, _unpack(found)


def _unpack(packed: bytes) -> dict[int, EvidenceTexts]:
    pairs, references, texts = json.loads(zlib.decompress(packed))
    return dict(zip(pairs, map(texts.__getitem__, references), strict=True))


def forget_composed(tx: Transaction) -> None:
    """Remove the evidence of runs that are composed."""
    is_open = exists().where(runs.c.id == shard_evidence.c.run_id, runs.c.state == RunState.CLOSED.value)
    tx.execute(delete(shard_evidence).where(~is_open))
