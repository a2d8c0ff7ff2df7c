"""Look-up of papers by the operator, and corrections of their IDs."""

from __future__ import annotations

from digest.errors import ConfigError
from digest.jobs.editions.explain import parse_paper_key
from digest.jobs.papers.paper_records import PaperRecord, find_paper_number, load_record
from digest.model import PaperKey
from digest.store.database.engine import Store, Transaction
from digest.store.papers import papers


def load_paper_record(store: Store, paper_id: str) -> PaperRecord:
    """Load the record of a paper.

    Args:
        store: the store.
        paper_id: an ID of the paper, in any form.

    Raises:
        ConfigError: this is not the ID of a paper, or no source has listed it.
    """
    with store.begin_read() as tx:
        return load_record(tx, _find_paper_number(tx, parse_paper_key(paper_id)))


def set_apart(store: Store, paper_id: str, other_id: str, *, is_apart: bool) -> bool:
    """Separate an ID from a paper, or undo that.

    Args:
        store: the store.
        paper_id: the paper, by the key that its source uses.
        other_id: the ID to separate, in any form.
        is_apart: True to separate, False to undo it.

    Returns:
        Whether a source had claimed the ID for this paper.

    Raises:
        ConfigError: one of them is not the ID of a paper, or no source has listed the paper.
    """
    key, claimed = parse_paper_key(paper_id), parse_paper_key(other_id)
    if key == claimed:
        raise ConfigError(
            f"{claimed} is the id under which this paper is stored; name the other id, as `digest papers show` lists it"
        )
    scheme, _, value = claimed.partition(":")
    with store.begin_ingest() as tx:
        number = papers.find_papers(tx, [key]).get(key)
        if number is None:
            raise ConfigError(f"no source in this database has listed {key} under this id")
        return papers.set_apart(tx, number, scheme, value, apart=is_apart)


def _find_paper_number(tx: Transaction, key: PaperKey) -> int:
    number = find_paper_number(tx, key)
    if number is None:
        raise ConfigError(f"no source in this database has listed {key}")
    return number
