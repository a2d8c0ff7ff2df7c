"""The keys under which words are filed, so that a word of a text finds what is asked for in any of its forms.

Two words that fit have a key in common, and most words have one key: what is left of their bases without the
endings that inflection cannot decide on. The contrary does not hold: whether two words fit, only their forms say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, product

from digest.core.inflection import bases, is_uninflected
from digest.core.query import Unit
from digest.core.text import LONGEST, forms, join, piece

_Forms = frozenset[str]


Words = tuple[tuple[str, _Forms], ...]
"""The keys of words, each with all forms of the word."""


def words_of(printed: str) -> Words:
    """The keys of a word of a text.

    Args:
        printed: one part, or parts joined.
    """
    if printed.isascii() and printed.isalnum():
        lower = printed.lower()
        if is_uninflected(lower):
            return ((_shortened(lower), frozenset((lower,))),)
        found = bases(printed)
    else:
        found = forms(printed)
    return tuple([(key, found) for key in keys_of(found)])


def keys_of(wish: _Forms) -> tuple[str, ...]:
    """The keys of a word, of a text or of a query, by its forms; in a fixed order."""
    found = {_shortened(form) if is_uninflected(form) else _key(form) for form in wish}
    return tuple(found) if len(found) == 1 else tuple(sorted(found))


@lru_cache(maxsize=1 << 16)
def _key(form: str) -> str:
    return _shortened(min(bases(form), key=lambda base: (len(base), base)))


def _shortened(base: str) -> str:
    """What a base has in common with what inflection may take for it."""
    if len(base) < 4:
        return base
    last = base[-1]
    if last == "y":
        return f"{base[:-1]}i"  # study, studi(es)
    if len(base) > 4:
        if last == "s":
            base = base.rstrip("s")  # process, proces(sing)
        base = base.removesuffix("e")  # estimate, estimat(ing)
        if len(base) > 3 and base[-2] == base[-1]:
            return base[:-1]  # control, controll(ing)
    return base


# --- texts ----------------------------------------------------------------------------------------

Further = tuple[int, str, _Forms]
"""A word that begins with the same part as another: how many parts it has, its key, and its forms."""
Word = tuple[str, _Forms, tuple[Further, ...]]
"""A part of a text: its key, its forms, and what else begins with it: joined words, and itself with another key."""


def read(printed: str) -> tuple[Word, ...]:
    """The parts of what stands between two blanks."""
    if printed.isalnum():
        return (_with_further(words_of(printed)),)
    split, joined = piece(printed)
    if not joined:
        return tuple([_with_further(words_of(part)) for part in split])
    made: list[list[Further]] = [[] for _ in split]
    for first, span, one in joined:
        made[first] += [(span, key, its) for key, its in words_of(one)]
    return tuple([_with_further(words_of(part), made[at]) for at, part in enumerate(split)])


def _with_further(words: Words, made: Iterable[Further] = ()) -> Word:
    (key, own), *others = words
    return key, own, (*[(1, other, own) for other, _ in others], *made) if others or made else ()


# --- queries --------------------------------------------------------------------------------------

_MOST_WAYS = 32


def ways(units: Sequence[Unit]) -> list[tuple[str, ...]] | None:
    """The rows of words that a phrase can be printed as: ``multi-modal model`` has one of two and one of three.

    None where these are too many to be looked for one by one.
    """
    if max(map(len, units)) == 1:
        return [tuple(chain.from_iterable(units))]
    several = 1
    for unit in units:
        several <<= len(unit) - 1
        if several > _MOST_WAYS:
            return None
    return [tuple([word for row in rows for word in row]) for rows in product(*map(_cuts, units))]


def _cuts(unit: Unit) -> Iterator[tuple[str, ...]]:
    """The ways to part a word at its hyphens."""
    if not unit:
        yield ()
    for size in range(1, min(len(unit), LONGEST) + 1):
        for rest in _cuts(unit[size:]):
            yield (unit[0] if size == 1 else join(unit[:size]), *rest)
