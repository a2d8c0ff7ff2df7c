"""The keys under which words are filed, so that a word of a text finds what is asked for in any of its forms.

Two words that fit have a key in common, and most words have one key: what is left of their bases without the
endings that inflection cannot decide on. The contrary does not hold: whether two words fit, only their forms say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
from sys import intern

from digest.core.language.query import Unit
from digest.core.text.inflection import bases, inflected_bases, is_uninflected
from digest.core.text.words import LONGEST, forms, join, piece

_Forms = frozenset[str]


Words = tuple[tuple[str, _Forms], ...]
"""The keys of a word, each with all its forms."""


def words_of(printed: str) -> Words:
    """The keys of a word of a text.

    Args:
        printed: one part, or parts joined.
    """
    if not (printed.isascii() and printed.isalnum()):
        found = forms(printed)
        return tuple([(key, found) for key in keys_of(found)])
    lower = printed.lower()
    if is_uninflected(lower):
        return ((_shortened(lower), frozenset((lower,))),)
    found = inflected_bases(printed, lower)
    if lower != printed:
        return tuple([(key, found) for key in keys_of(found)])
    keys = {_shortened(min(found, key=_order))}  # that of the word itself: these are its bases
    keys.update([_key(form) for form in found if form != lower])
    return tuple([(key, found) for key in (keys if len(keys) == 1 else sorted(keys))])


def keys_of(wish: _Forms) -> tuple[str, ...]:
    """The keys of a word, of a text or of a query, by its forms; in a fixed order."""
    found = set(map(_key, wish))
    return tuple(found) if len(found) == 1 else tuple(sorted(found))


@lru_cache(maxsize=1 << 16)
def _key(form: str) -> str:
    return _shortened(form if is_uninflected(form) else min(bases(form), key=_order))


def _order(base: str) -> tuple[int, str]:
    return len(base), base


def _shortened(base: str) -> str:
    """What a base has in common with what inflection may take for it.

    It is interned: what is the same object is found in a dictionary without being read.
    """
    if base[-1:] == "y" and len(base) > 3:
        return intern(f"{base[:-1]}i")  # study, studi(es)
    if len(base) > 4:
        if base[-1] == "s":
            base = base.rstrip("s")  # process, proces(sing)
        base = base.removesuffix("e")  # estimate, estimat(ing)
        if len(base) > 3 and base[-2] == base[-1]:
            base = base[:-1]  # control, controll(ing)
    return intern(base)


def every_word(printed: str) -> Iterator[tuple[str, _Forms]]:
    """The keys of all words in what stands between two blanks, joined ones too, each with all forms of its word."""
    split, joined = piece(printed)
    for word in (*split, *[made for _, _, made in joined]):
        yield from words_of(word)


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
