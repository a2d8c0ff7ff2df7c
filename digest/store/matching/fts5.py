"""Terms and queries in the form of FTS5, for the posting lists on SQLite."""

from __future__ import annotations

import re
from itertools import product

from digest.core.matching.lookups import AdjacentTerms, AllOf, AnyOf, Lookup, NearTerms, TermPrefix
from digest.core.matching.paper_terms import TERM_SEPARATOR, ColumnTerms
from digest.core.matching.search.candidates import Difference, Documents, InColumns, Intersection, Union
from digest.store.matching.expressions import join_all, join_any

_ENCODED_CHARACTERS = {
    code: 0xE000 + code for code in range(128) if not (chr(code).isdigit() or chr(code).islower())
}
"""Private use characters for the ASCII signs and capitals, which the tokenizer would drop or lowercase."""
_ENCODED_SIGNS = {chr(code): chr(to) for code, to in _ENCODED_CHARACTERS.items()}
_SIGN = re.compile(rf"[^{TERM_SEPARATOR}0-9a-z\x80-\U0010ffff]")


def _encode_term(term: str) -> str:
    return term.translate(_ENCODED_CHARACTERS)


def _encode_joined_terms(joined_terms: str) -> str:
    """Encode terms that are joined by ``TERM_SEPARATOR``.

    The regular expression takes a third of the time of ``str.translate``, because words contain few signs.
    """
    return _SIGN.sub(_encode_sign, joined_terms)


def _encode_sign(match: re.Match[str]) -> str:
    return _ENCODED_SIGNS[match[0]]


def build_text(terms: ColumnTerms) -> str:
    """Return a text for FTS5 with one term per line."""
    return _encode_joined_terms(TERM_SEPARATOR.join((terms.joined_words, *terms.unpositioned)))


def _build_fts_query(lookup: Lookup) -> str:
    """Write a lookup as an FTS5 query; "" if it matches nothing."""
    match lookup:
        case AdjacentTerms():
            return f'"{" ".join(map(_encode_term, lookup.terms))}"'
        case TermPrefix():
            return f'"{" ".join(map(_encode_term, (*lookup.preceding, lookup.prefix)))}" *'
        case NearTerms():
            rows = [" ".join(f'"{_encode_term(word)}"' for word in row) for row in product(*lookup.words)]
            return f"({' OR '.join(f'NEAR({row}, {lookup.max_gap})' for row in rows)})"
        case AllOf():
            return join_all([_build_fts_query(part) for part in lookup.parts], " AND ")
        case AnyOf():
            return join_any([_build_fts_query(part) for part in lookup.parts], " OR ")


def build_fts_expression(documents: Documents) -> str:
    """Write a set of documents as an FTS5 query; "" if it is empty."""
    match documents:
        case InColumns():
            query_text = _build_fts_query(documents.lookup)
            columns = " ".join(documents.columns)
            return f"({{{columns}}} : ({query_text}))" if query_text else ""
        case Union():
            return join_any([*map(build_fts_expression, documents.parts)], " OR ")
        case Intersection():
            return join_all([*map(build_fts_expression, documents.parts)], " AND ")
        case Difference():
            base, removed = map(build_fts_expression, (documents.base, documents.removed))
            return f"({base} NOT {removed})" if base and removed else base
