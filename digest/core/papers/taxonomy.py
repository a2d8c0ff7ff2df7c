"""Which category a written one covers.

arXiv has two ids for some categories (``math.IT`` is ``cs.IT``) and old archives that live on as categories
(``cmp-lg`` is ``cs.CL``): whoever writes one means both, and an archive covers all that has an id in it.
"""

from __future__ import annotations

import difflib
import re
from functools import lru_cache

from digest.core.papers.categories import ARCHIVES, CATEGORIES

_CANONICAL: dict[str, str] = {}
"""Every id in lower case, and the id that arXiv goes by."""
_NAMES: dict[str, str] = {}
"""Every name in lower case, and its id; the first id where two categories share a name."""
_ARCHIVES: dict[str, frozenset[str]] = {}
"""Every archive, and the canonical ids of all that has an id in it."""


def _learn() -> None:
    archives: dict[str, set[str]] = {}
    for line in CATEGORIES.splitlines():
        ids, _, name = line.partition(": ")
        written, _, meant = ids.partition(" = ")
        _CANONICAL[written.lower()] = meant or written
        _NAMES.setdefault(name.lower(), meant or written)
        archives.setdefault(written.partition(".")[0], set()).add(meant or written)
    _ARCHIVES.update({archive: frozenset(covered) for archive, covered in archives.items()})


_learn()


def canonical(category: str) -> str:
    """The id that arXiv goes by: ``cs.IT`` for ``math.it``; as written where the category is unknown."""
    return _CANONICAL.get(category.lower(), category)


def known(written: str) -> bool:
    """Whether this is a category or an archive of arXiv, in any case; ``cs.*`` is the archive."""
    return _plain(written) in _CANONICAL or _plain(written) in _ARCHIVES


@lru_cache(maxsize=1 << 14)
def covers(written: str, category: str) -> bool:
    """Whether who writes one category means the other.

    Args:
        written: a category or a whole archive (``cs``, ``cs.*``), in any case.
        category: as a source prints it.
    """
    meant = _plain(written)
    of = canonical(category)
    if of in _ARCHIVES.get(meant, ()):
        return True
    return canonical(meant).lower() == of.lower()


@lru_cache(maxsize=512)
def called(name: str) -> frozenset[str]:
    """The canonical ids of the categories and archives of that name: "Machine Learning" is two of them."""
    lines = (line.partition(": ") for line in f"{CATEGORIES}{ARCHIVES}".splitlines())
    return frozenset(
        ids.rpartition(" ")[2] for ids, _, its_name in lines if its_name.lower() == name.strip().lower()
    )


def suggest(written: str) -> str | None:
    """The category that was probably meant by an unknown one, or None.

    Finds another separator (``cs-LG``), the right class in a wrong archive (``cs.ML``), a category's name,
    and slips of the pen.
    """
    wish = _plain(written)
    squeezed = {re.sub(r"[^a-z]", "", known_id): known_id for known_id in [*_ARCHIVES, *_CANONICAL]}
    if found := squeezed.get(re.sub(r"[^a-z]", "", wish)):
        return _CANONICAL.get(found, found)
    category_class = wish.rpartition(".")[2]
    same_class = {meant for known_id, meant in _CANONICAL.items() if known_id.endswith(f".{category_class}")}
    if len(same_class) == 1:
        return same_class.pop()
    if wish in _NAMES:
        return _NAMES[wish]
    for candidates, cutoff in ((list(_CANONICAL), 0.75), (list(_NAMES), 0.8)):
        if close := difflib.get_close_matches(wish, candidates, n=1, cutoff=cutoff):
            return _CANONICAL.get(close[0]) or _NAMES[close[0]]
    return None


def _plain(written: str) -> str:
    return written.strip().lower().removesuffix(".*")
