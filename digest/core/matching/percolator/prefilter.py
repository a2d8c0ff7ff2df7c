"""What a glance at the letters of a paper tells of a query: most papers that do not fit need not be read.

To read a text word by word takes fifty times as long as to look for a few letters in it. A glance never misses:
what ``digest.core.matching.evaluate`` finds is always among what it lets through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from digest.core.language.query import And, Exact, Or, Phrase, Prefix, Query, Unit
from digest.core.matching.positions import openings, wishes
from digest.core.text.irregular import PLURAL_ENDINGS, PLURALS, VERBS
from digest.core.text.words import letters, tex_to_unicode
from digest.model import Paper

_Glance = Callable[[str], bool]
"""Whether a paper may fit, by its letters."""


def glance(query: Query) -> Callable[[Paper], bool]:
    """What tells, by the letters of title and abstract, whether a query may fit a paper."""
    first = _glance(query)
    if first is _perhaps:
        return lambda _: True
    return lambda paper: first(_letters(paper))


def _letters(paper: Paper) -> str:
    """What has no macros need not be read as TeX for that."""
    text = f"{paper.title} {paper.abstract}"
    return letters(tex_to_unicode(text) if "\\" in text else text)


def _glance(query: Query) -> _Glance:
    match query:
        case Phrase(field="" | "title" | "abstract"):
            return _all([glance_at for unit in query.units for glance_at in _unit(unit)])
        case Prefix(field="" | "title" | "abstract"):
            return _prefix(query.unit)
        case Exact(field="" | "title" | "abstract"):
            return _has([query.text])
        case And():
            return _all([_glance(part) for part in query.queries])
        case Or():
            return _any([_glance(part) for part in query.queries])
        case _:
            return _perhaps


def _perhaps(_: str) -> bool:
    return True


def _all(glances: Iterable[_Glance]) -> _Glance:
    those = [one for one in glances if one is not _perhaps]
    if not those:
        return _perhaps
    return lambda text: all(one(text) for one in those)


def _any(glances: Iterable[_Glance]) -> _Glance:
    those = list(glances)
    if _perhaps in those:
        return _perhaps
    return lambda text: any(one(text) for one in those)


def _has(words: Iterable[str]) -> _Glance:
    """Whether one of some strings is in the letters."""
    kernels = {kernel for word in words for kernel in letters(word).split(" ")}
    least = [one for one in kernels if not any(other in one for other in kernels - {one})]
    if "" in kernels:
        return _perhaps
    return lambda text: any(kernel in text for kernel in least)


# --- words ----------------------------------------------------------------------------------------


def _unit(unit: Unit) -> Iterable[_Glance]:
    """One for each part: that part, or one of the runs of parts that it is in, has to be there in some form."""
    for place in range(len(unit)):
        bases = [
            base for (start, end), forms in wishes(unit).items() if start <= place < end for base in forms
        ]
        yield _has(kernel for base in bases for kernel in _kernels(base))


def _prefix(unit: Unit) -> _Glance:
    return _has(_beginnings([begun for beginnings in openings(unit).values() for begun in beginnings]))


def glance_at_words(wish: Iterable[str], begun: Iterable[str]) -> _Glance:
    """What tells, by the letters of a text, whether it may have a word with one of some forms.

    Args:
        wish: the forms.
        begun: what other forms begin with.
    """
    return _has([*(kernel for base in wish for kernel in _kernels(base)), *_beginnings(list(begun))])


def _beginnings(begun: Sequence[str]) -> list[str]:
    """Strings, one of which is in each word with a form that begins so."""
    irregular = [
        form for base, forms in _irregular().items() if base.startswith(tuple(begun)) for form in forms
    ]
    return [*irregular, *(one[: max(2, len(one) - 2)] for one in begun)]


def _kernels(base: str) -> Iterable[str]:
    """Strings, one of which is in each word that is a form of a base."""
    yield from _irregular().get(base, ())
    if base.endswith(_ENDINGS):
        yield base[:-2]
    else:
        yield base[:-1] if base.endswith(("e", "y")) else base


_ENDINGS = tuple(ending for endings in PLURAL_ENDINGS.values() for ending in endings)


@cache
def _irregular() -> dict[str, list[str]]:
    """The forms of each base that no rule gives."""
    found: dict[str, list[str]] = defaultdict(list)
    for lists in (PLURALS, VERBS):
        for form, bases in lists.items():
            for base in bases:
                found[base].append(form)
    return found
