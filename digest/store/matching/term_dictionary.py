"""The terms of the index of papers, by the forms of words that they stand for."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import bindparam, select

from digest.store.database.dialect import fetch_raw_rows, make_in_condition, to_in_param
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import term_counts, term_forms


class StoredTerms:
    """The terms of the index; implements ``digest.core.matching.lookups.TermDictionary``.

    Args:
        tx: a transaction.
    """

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._terms: dict[frozenset[str], Collection[str]] = {}

    def find_terms(self, forms: Iterable[str]) -> Collection[str]:
        """Return the terms of words that have one of these forms, except terms that are such a form themselves."""
        form_set = frozenset(forms)
        if form_set not in self._terms:
            rows = fetch_raw_rows(
                self._tx, _SELECT_TERMS_OF_FORMS, {"forms": to_in_param(self._tx, sorted(form_set))}
            )
            self._terms[form_set] = frozenset(term for (term,) in rows)
        return self._terms[form_set]

    def find_terms_by_prefix(self, prefix: str) -> Collection[str]:
        """Return the terms of words that have a form with this prefix, except terms that are such a form themselves."""
        values = {"first": prefix, "behind": prefix + _PREFIX_END}
        return {term for (term,) in fetch_raw_rows(self._tx, _SELECT_TERMS_BY_PREFIX, values)}

    def count_papers(self, terms: Iterable[str]) -> int:
        """Return in how many papers some terms of titles and abstracts occur; those with several count repeatedly."""
        return sum(self.load_counts(terms).values())

    def load_counts(self, terms: Iterable[str]) -> dict[str, int]:
        """Return in how many papers each of some terms of titles and abstracts occurs; unknown terms are left out."""
        return dict(fetch_raw_rows(self._tx, _SELECT_COUNTS, {"terms": to_in_param(self._tx, terms)}))


_PREFIX_END = "\U0010ffff"
"""Highest character; a prefix followed by it sorts after all texts with that prefix."""
_SELECT_TERMS_OF_FORMS = select(term_forms.c.term).where(make_in_condition(term_forms.c.form, "forms"))
_SELECT_TERMS_BY_PREFIX = select(term_forms.c.term).where(
    term_forms.c.form >= bindparam("first"), term_forms.c.form < bindparam("behind")
)
_SELECT_COUNTS = select(term_counts.c.term, term_counts.c.papers).where(
    make_in_condition(term_counts.c.term, "terms")
)
