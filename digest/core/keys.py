"""The keys under which words are filed, so that a word of a text finds what is asked for in any of its forms.

Two words that fit have a key in common, and most words have one key: what is left of their bases without the
endings that inflection cannot decide on. The contrary does not hold: whether two words fit, only their forms say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import NamedTuple

from digest.core.inflection import bases
from digest.core.query import Unit
from digest.core.text import LONGEST, join, piece

Pair = tuple[str, str]
"""The keys of two words that follow each other."""


@lru_cache(maxsize=1 << 17)
def keys_of(forms: frozenset[str]) -> tuple[str, ...]:
    """The keys of a word, of a text or of a query, by its forms; in a fixed order."""
    if len(forms) == 1:
        (form,) = forms
        return (_key(form),)
    found = set(map(_key, forms))
    return tuple(found) if len(found) == 1 else tuple(sorted(found))


@lru_cache(maxsize=1 << 17)
def _key(form: str) -> str:
    several = bases(form)
    key = form if len(several) == 1 else min(several, key=lambda base: (len(base), base))
    if len(key) < 5:
        return key
    if key[-1] == "e":  # estimat(e), train(e)
        key = key[:-1]
    elif key[-1] == "y":  # study, studie(s)
        key = key[:-1] + "i"
    return key[:-1] if key[-1] == key[-2] else key  # controll(ing)


# --- texts ----------------------------------------------------------------------------------------


class More(NamedTuple):
    """What a piece of a text has beside one key for each part: joined words, and further keys of its words.

    Attributes:
        words: the keys that are not the one of a part.
        pairs: of words in it that follow each other.
        starts: the keys of the words that begin where it begins.
        ends: of those that end where it ends.
    """

    words: frozenset[str]
    pairs: frozenset[Pair]
    starts: tuple[str, ...]
    ends: tuple[str, ...]


class Keyed(NamedTuple):
    """A piece of a text.

    Attributes:
        keys: one of each part.
        more: None for most pieces.
    """

    keys: tuple[str, ...]
    more: More | None


@lru_cache(maxsize=1 << 17)
def keyed(printed: str) -> Keyed:
    """The keys in what stands between two blanks."""
    read = piece(printed)
    single = [keys_of(forms) for forms in read.forms]
    keys = tuple(several[0] for several in single)
    if not read.joined and all(len(several) == 1 for several in single):
        return Keyed(keys, None)
    runs = [(at, at + 1, several) for at, several in enumerate(single)]
    runs += [(first, first + span, keys_of(forms)) for first, span, forms in read.joined]
    starting: dict[int, list[str]] = {}
    for start, _, several in runs:
        starting.setdefault(start, []).extend(several)
    pairs = (product(several, starting.get(end, ())) for _, end, several in runs)
    more = More(
        words=frozenset(key for _, _, several in runs for key in several).difference(keys),
        pairs=frozenset(chain.from_iterable(pairs)),
        starts=tuple(starting[0]),
        ends=tuple(key for _, end, several in runs if end == len(keys) for key in several),
    )
    return Keyed(keys, more if more.words else None)


# --- queries --------------------------------------------------------------------------------------

_MOST_WAYS = 16


def ways(units: Sequence[Unit]) -> list[tuple[str, ...]] | None:
    """The rows of words that a phrase can be printed as: ``multi-modal model`` has one of two and one of three.

    None where these are too many to be looked for one by one.
    """
    several = 1
    for unit in units:
        several <<= len(unit) - 1
        if several > _MOST_WAYS:
            return None
    return [tuple(word for row in rows for word in row) for rows in product(*map(_cuts, units))]


def _cuts(unit: Unit) -> Iterator[tuple[str, ...]]:
    """The ways to part a word at its hyphens."""
    if not unit:
        yield ()
    for size in range(1, min(len(unit), LONGEST) + 1):
        for rest in _cuts(unit[size:]):
            yield (unit[0] if size == 1 else join(unit[:size]), *rest)
