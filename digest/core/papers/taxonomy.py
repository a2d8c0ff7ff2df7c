"""Lookup of arXiv's categories: which categories an ID covers.

arXiv has two IDs for some categories (``math.IT`` is ``cs.IT``), and old archives that continue as categories
(``cmp-lg`` is ``cs.CL``). Either ID means both, and an archive covers everything that has an ID in it.
"""

from __future__ import annotations

import difflib
import re
from functools import cache, lru_cache

from digest.core.papers.categories import ARCHIVES, CATEGORIES

_CANONICAL_IDS: dict[str, str] = {}
"""Canonical ID by each ID in lower case."""
_ID_BY_NAME: dict[str, str] = {}
"""ID by each name in lower case; the first one if two categories share a name."""
_IDS_BY_ARCHIVE: dict[str, frozenset[str]] = {}
"""Canonical IDs of everything that has an ID in the archive, by archive."""


def _load_taxonomy() -> None:
    archives: dict[str, set[str]] = {}
    for line in CATEGORIES.splitlines():
        ids, _, name = line.partition(": ")
        listed_id, _, alias_of = ids.partition(" = ")
        _CANONICAL_IDS[listed_id.lower()] = alias_of or listed_id
        _ID_BY_NAME.setdefault(name.lower(), alias_of or listed_id)
        archives.setdefault(listed_id.partition(".")[0], set()).add(alias_of or listed_id)
    _IDS_BY_ARCHIVE.update(
        {archive: frozenset(ids_in_archive) for archive, ids_in_archive in archives.items()}
    )


_load_taxonomy()


@cache
def list_categories() -> tuple[tuple[str, str], ...]:
    """Return the IDs and names of the categories of arXiv, in order of their IDs; other IDs of the same are left out."""
    entries = (line.partition(": ") for line in CATEGORIES.splitlines())
    return tuple(sorted((listed_id, name) for listed_id, _, name in entries if " = " not in listed_id))


def canonicalize_category(category: str) -> str:
    """Return the ID that arXiv prefers (``cs.IT`` for ``math.it``); an unknown category is returned unchanged."""
    return _CANONICAL_IDS.get(category.lower(), category)


def is_known_category(code: str) -> bool:
    """Return True for a category or archive of arXiv, in any case; ``cs.*`` is the archive."""
    return _normalize_code(code) in _CANONICAL_IDS or _normalize_code(code) in _IDS_BY_ARCHIVE


@lru_cache(maxsize=1 << 14)
def covers(code: str, category: str) -> bool:
    """Return True if a category or archive covers another category.

    Args:
        code: a category or a whole archive (``cs``, ``cs.*``), in any case.
        category: a category as a source prints it.
    """
    normalized_code = _normalize_code(code)
    canonical_id = canonicalize_category(category)
    if canonical_id in _IDS_BY_ARCHIVE.get(normalized_code, ()):
        return True
    return canonicalize_category(normalized_code).lower() == canonical_id.lower()


@lru_cache(maxsize=1024)
def get_category_name(category: str) -> str:
    """Return the name of a category or archive of arXiv; "" for an unknown one."""
    canonical_id = canonicalize_category(category)
    for line in f"{CATEGORIES}{ARCHIVES}".splitlines():
        listed_id, _, name = line.partition(": ")
        if listed_id == canonical_id:
            return name
    return ""


@lru_cache(maxsize=512)
def find_categories_by_name(name: str) -> frozenset[str]:
    """Return the canonical IDs of the categories and archives with a name; "Machine Learning" is the name of two."""
    lines = (line.partition(": ") for line in f"{CATEGORIES}{ARCHIVES}".splitlines())
    return frozenset(
        ids.rpartition(" ")[2]
        for ids, _, category_name in lines
        if category_name.lower() == name.strip().lower()
    )


def suggest_category(code: str) -> str | None:
    """Return the category that was probably meant by an unknown one, or None.

    It recognizes other separators (``cs-LG``), the right class in a wrong archive (``cs.ML``), names of
    categories, and typing errors.
    """
    normalized_code = _normalize_code(code)
    ids_by_letters = {
        re.sub(r"[^a-z]", "", known_id): known_id for known_id in [*_IDS_BY_ARCHIVE, *_CANONICAL_IDS]
    }
    if matching_id := ids_by_letters.get(re.sub(r"[^a-z]", "", normalized_code)):
        return _CANONICAL_IDS.get(matching_id, matching_id)
    category_class = normalized_code.rpartition(".")[2]
    same_class = {
        canonical_id
        for known_id, canonical_id in _CANONICAL_IDS.items()
        if known_id.endswith(f".{category_class}")
    }
    if len(same_class) == 1:
        return same_class.pop()
    if normalized_code in _ID_BY_NAME:
        return _ID_BY_NAME[normalized_code]
    for candidates, cutoff in ((list(_CANONICAL_IDS), 0.75), (list(_ID_BY_NAME), 0.8)):
        if close_matches := difflib.get_close_matches(normalized_code, candidates, n=1, cutoff=cutoff):
            return _CANONICAL_IDS.get(close_matches[0]) or _ID_BY_NAME[close_matches[0]]
    return None


def _normalize_code(code: str) -> str:
    return code.strip().lower().removesuffix(".*")
