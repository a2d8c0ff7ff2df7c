"""Inflection: plural, possessive, third person, -ed and -ing, and nothing else.

Each word has a small set of bases that includes the word itself, and two words match if their sets intersect:
``embeddings`` has the bases embeddings, embedding and embed. Derived words never match: ``transformer`` is
not a form of transform. English spelling is ambiguous (``-ing`` replaces an e or does not), so a rule may add
a second base that is not a word; it matches nothing. If it would be another word, a list in ``irregular``
decides.
"""

from __future__ import annotations

import re

from digest.core.text.irregular import (
    DOUBLED_LETTER_WORDS,
    FIELD_NAMES,
    NON_PLURALS,
    NON_VERBS,
    OE_PLURALS,
    PLURAL_ENDINGS,
    PLURALS,
    UNLIKELY_PLURALS,
    VERBS,
    WORDS_IN_S,
)

_POSSESSIVE = re.compile(r"['\u2019][sS]?\Z")
_VOWEL = re.compile("[aeiouy]")
_VOWELS = re.compile("[aeiouy]+")
_IRREGULAR_ENDINGS = tuple(PLURAL_ENDINGS)
_INFLECTED_ENDINGS = ("s", "ed", "ing", *PLURAL_ENDINGS)


def find_bases(word: str) -> frozenset[str]:
    """Return the words that a word can be a form of, including itself, in lower case.

    A word in capitals is only a form of itself (``GPS`` is not a form of GP). With a small s it is a plural
    (``GPUs``), but a number is not (``90s``). Words of other letters than plain Latin ones have no other
    base.

    Args:
        word: as printed, without hyphens and diacritics.
    """
    if "'" in word or "\u2019" in word:
        word = _POSSESSIVE.sub("", word)
    lower = word.lower()
    return frozenset((lower,)) if is_uninflected(lower) else find_inflected_bases(word, lower)


def find_inflected_bases(word: str, lower: str) -> frozenset[str]:
    """Return the bases of a word for which ``is_uninflected`` is False and that has no apostrophe.

    Args:
        word: as printed.
        lower: the word in lower case.
    """
    if len(word) > 2 and word[-1] == "s" and not word[-2].islower():
        is_decade = not any(map(str.isalpha, lower[:-1]))
        return frozenset((lower,) if is_decade else (lower, lower[:-1]))
    if len(word) < 3 or word[-1].isupper() or not (lower.isascii() and lower.isalpha()):
        return frozenset((lower,))
    singulars = _find_singulars(lower)
    bases = {lower, *singulars, *_find_verb_bases(lower)}
    for singular in singulars:
        bases.update(_find_verb_bases(singular))  # embeddings, embedding, embed
    return frozenset(bases)


def is_uninflected(lower: str) -> bool:
    """Whether a word has no base but itself: it has no ending of an inflected word, and is in no list.

    Args:
        lower: the word in lower case.
    """
    return not lower.endswith(_INFLECTED_ENDINGS) and lower not in PLURALS and lower not in VERBS


# --- plurals and third person ---------------------------------------------------------------------


def _find_singulars(word: str) -> tuple[str, ...]:
    if word in PLURALS:
        return PLURALS[word]
    if word.endswith(_IRREGULAR_ENDINGS):
        for ending, singulars in PLURAL_ENDINGS.items():
            if word.endswith(ending) and len(word) > len(ending) + 1:
                return tuple(word.removesuffix(ending) + singular for singular in singulars)
    if word[-1] != "s" or word in NON_PLURALS or word in FIELD_NAMES or word in VERBS:
        return ()
    if word in UNLIKELY_PLURALS:
        return (word[:-1],)
    if word.endswith(("ss", "us", "is")) or (len(word) == 3 and _VOWEL.search(word)):
        return ()
    return _strip_es(word) if word.endswith("es") else (word[:-1],)


def _strip_es(word: str) -> tuple[str, ...]:
    stem = word[:-2]
    if stem[-1] == "i":
        return (stem[:-1] + "y", stem + "e") if len(stem) > 2 else (stem + "e",)
    if stem[-1] == "o":
        return (stem + "e",) if word in OE_PLURALS else (stem,)
    if stem[-2:] == "ch":
        return (stem, stem + "e")
    if stem[-2:] in {"ss", "sh", "zz"} or stem[-1] == "x" or stem in WORDS_IN_S:
        return (stem,)
    return (stem + "e",)


# --- -ed and -ing ---------------------------------------------------------------------------------


def _find_verb_bases(word: str) -> tuple[str, ...]:
    if word in VERBS:
        return VERBS[word]
    if not word.endswith(("ed", "ing")) or word in NON_VERBS or word.endswith("eed"):
        return ()
    if word.endswith("ied"):
        return (word[:-3] + "y",) if len(word) > 4 else (word[:-1],)
    stem = word.removesuffix("ing") if word.endswith("ing") else word.removesuffix("ed")
    if len(stem) < 2 or not _VOWEL.search(stem):
        return ()
    return _find_infinitives(stem)


_STEM_WITH_E = re.compile(
    r".*(?:[cvuz]|[dlr]g|[aeu]ng|[aiue]g|s|[bcdfgkpstz]l|[bcdgpt]r|(?<![aeiouy])[aeiouy]k)\Z"
)
"""Stems that are never words without a final e: scienc, merg, rang, pars, sampl, mak."""
_COMPLETE_STEM = re.compile(r".*(?:[aeijowxy]|[^c]h|[io]ng|[^aeiouy][bdfgkmnptlr])\Z")
"""Stems that are words: play, show, fix, graph, long, learn, test."""
_ONE_VOWEL_STEM = re.compile(r"(?:[^aeiouy]|qu)*[aeiouy][^aeiouy]\Z")
"""Stems of words that would double their last letter, so a stem with a single one lacks an e: ``rat`` of rating."""


def _find_infinitives(stem: str) -> tuple[str, ...]:
    """Return the verbs that a stem without -ed or -ing can come from: the stem, with an e, or without its last letter."""
    if stem[-1] == stem[-2] and not _VOWEL.match(stem[-1]):
        return _drop_doubled_letter(stem)
    if stem.endswith("ick") and len(_VOWELS.findall(stem)) > 1:
        return (stem, stem[:-1])  # mimicking
    if stem in WORDS_IN_S:
        return (stem,)
    if _STEM_WITH_E.match(stem) or _ONE_VOWEL_STEM.match(stem):
        return (stem,) if stem[-1] in "wxy" else (stem + "e",)
    return (stem,) if _COMPLETE_STEM.match(stem) else (stem, stem + "e")


def _drop_doubled_letter(stem: str) -> tuple[str, ...]:
    if stem in DOUBLED_LETTER_WORDS:
        return (stem,)
    if stem[-1] in "lsfz":
        return (stem,) if len(_VOWELS.findall(stem)) == 1 else (stem, stem[:-1])  # calling, controlling
    return (stem[:-1],)
