"""Keys of words: by them, a word of a text finds the queries that ask for any of its forms.

Two words that match share a key. Most words have a single key: the common stem of their bases, without the
endings that inflection cannot decide. Two words that share a key need not match: their forms decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, product
from sys import intern

from digest.core.language.query import Unit
from digest.core.text.inflection import find_bases, find_inflected_bases, is_uninflected
from digest.core.text.words import MAX_COMPOUND_PARTS, find_forms, join_parts, split_piece

_Forms = frozenset[str]


WordKeys = tuple[tuple[str, _Forms], ...]
"""The keys of a word, each with all forms of the word."""


def make_text_keys(printed: str) -> WordKeys:
    """Return the keys of a word of a text.

    Args:
        printed: one part, or several parts joined.
    """
    if not (printed.isascii() and printed.isalnum()):
        word_forms = find_forms(printed)
        return tuple([(key, word_forms) for key in make_keys(word_forms)])
    lower = printed.lower()
    if is_uninflected(lower):
        return ((_shorten_base(lower), frozenset((lower,))),)
    word_forms = find_inflected_bases(printed, lower)
    if lower != printed:
        return tuple([(key, word_forms) for key in make_keys(word_forms)])
    # The forms are the bases of the word itself, so its own key needs no further look-up.
    keys = {_shorten_base(min(word_forms, key=_rank_base))}
    keys.update([_make_key(form) for form in word_forms if form != lower])
    return tuple([(key, word_forms) for key in (keys if len(keys) == 1 else sorted(keys))])


def make_keys(wanted_forms: _Forms) -> tuple[str, ...]:
    """Return the keys of a word of a text or a query, by its forms; in a fixed order."""
    keys = set(map(_make_key, wanted_forms))
    return tuple(keys) if len(keys) == 1 else tuple(sorted(keys))


@lru_cache(maxsize=1 << 16)
def _make_key(form: str) -> str:
    return _shorten_base(form if is_uninflected(form) else min(find_bases(form), key=_rank_base))


def _rank_base(base: str) -> tuple[int, str]:
    return len(base), base


def _shorten_base(base: str) -> str:
    """Return the stem that a base shares with the other bases that inflection may derive.

    The string is interned, so a dictionary finds it by identity, without comparing characters.
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


def iter_piece_keys(printed: str) -> Iterator[tuple[str, _Forms]]:
    """Yield the keys of all words between two blanks, including joined ones, each with all forms of its word."""
    printed_parts, compounds = split_piece(printed)
    for word in (*printed_parts, *[compound for _, _, compound in compounds]):
        yield from make_text_keys(word)


# --- queries --------------------------------------------------------------------------------------

_MAX_WORD_SEQUENCES = 32


def list_word_sequences(units: Sequence[Unit]) -> list[tuple[str, ...]] | None:
    """Return the sequences of words as which a phrase can be printed; None if these are too many to look up one by one.

    ``multi-modal model`` has a sequence of two words and one of three.
    """
    if max(map(len, units)) == 1:
        return [tuple(chain.from_iterable(units))]
    sequence_count = 1
    for unit in units:
        sequence_count <<= len(unit) - 1
        if sequence_count > _MAX_WORD_SEQUENCES:
            return None
    return [tuple([word for cut in cuts for word in cut]) for cuts in product(*map(_iter_cuts, units))]


def _iter_cuts(unit: Unit) -> Iterator[tuple[str, ...]]:
    """Yield the ways to split a word at its hyphens."""
    if not unit:
        yield ()
    for size in range(1, min(len(unit), MAX_COMPOUND_PARTS) + 1):
        for remaining_parts in _iter_cuts(unit[size:]):
            yield (unit[0] if size == 1 else join_parts(unit[:size]), *remaining_parts)
