"""Prefilter by letters: most papers that do not match a query are ruled out without reading their words.

Reading a text word by word takes fifty times as long as searching it for a few letters. There are no false
negatives: every paper that ``digest.core.matching.evaluate`` matches passes the prefilter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from digest.core.language.query import And, Exact, Or, Phrase, Prefix, Query, Unit
from digest.core.matching.positions import map_prefixes, map_wanted_forms
from digest.core.text.irregular import PLURAL_ENDINGS, PLURALS, VERBS
from digest.core.text.words import fold_letters, tex_to_unicode
from digest.model import Paper

_LetterTest = Callable[[str], bool]
"""A test of the letters of a paper: whether it may match."""


def build_prefilter(query: Query) -> Callable[[Paper], bool]:
    """Return a function that tells by the letters of title and abstract whether a paper may match a query."""
    test = _build_test(query)
    if test is _accept_any:
        return lambda _: True
    return lambda paper: test(_get_letters(paper))


def _get_letters(paper: Paper) -> str:
    """Return the folded letters of title and abstract.

    TeX is converted only if there are macros, because its other signs are dropped anyway.
    """
    text = f"{paper.title} {paper.abstract}"
    return fold_letters(tex_to_unicode(text) if "\\" in text else text)


def _build_test(query: Query) -> _LetterTest:
    match query:
        case Phrase(field="" | "title" | "abstract"):
            return _require_all([test for unit in query.units for test in _build_unit_tests(unit)])
        case Prefix(field="" | "title" | "abstract"):
            return _build_prefix_test(query.unit)
        case Exact(field="" | "title" | "abstract"):
            return _build_substring_test([query.text])
        case And():
            return _require_all([_build_test(part) for part in query.queries])
        case Or():
            return _require_any([_build_test(part) for part in query.queries])
        case _:
            return _accept_any


def _accept_any(_: str) -> bool:
    return True


def _require_all(tests: Iterable[_LetterTest]) -> _LetterTest:
    selective_tests = [test for test in tests if test is not _accept_any]
    if not selective_tests:
        return _accept_any
    return lambda text: all(test(text) for test in selective_tests)


def _require_any(tests: Iterable[_LetterTest]) -> _LetterTest:
    all_tests = list(tests)
    if _accept_any in all_tests:
        return _accept_any
    return lambda text: any(test(text) for test in all_tests)


def _build_substring_test(words: Iterable[str]) -> _LetterTest:
    """Build a test for letters that contain at least one of some strings."""
    kernels = {kernel for word in words for kernel in fold_letters(word).split(" ")}
    minimal_kernels = [
        candidate for candidate in kernels if not any(other in candidate for other in kernels - {candidate})
    ]
    if "" in kernels:
        return _accept_any
    return lambda text: any(kernel in text for kernel in minimal_kernels)


# --- words ----------------------------------------------------------------------------------------


def _build_unit_tests(unit: Unit) -> Iterable[_LetterTest]:
    """Yield a test for each part of a word: the part, or a run of parts that contains it, must occur in some form."""
    for index in range(len(unit)):
        bases = [
            base
            for (start, end), forms in map_wanted_forms(unit).items()
            if start <= index < end
            for base in forms
        ]
        yield _build_substring_test(kernel for base in bases for kernel in _iter_kernels(base))


def _build_prefix_test(unit: Unit) -> _LetterTest:
    return _build_substring_test(
        _list_prefix_kernels([prefix for prefixes in map_prefixes(unit).values() for prefix in prefixes])
    )


def build_word_test(forms: Iterable[str], prefixes: Iterable[str]) -> _LetterTest:
    """Return a function that tells by the letters of a text whether it may have a word with one of some forms.

    Args:
        forms: the forms.
        prefixes: prefixes of further forms.
    """
    return _build_substring_test(
        [*(kernel for base in forms for kernel in _iter_kernels(base)), *_list_prefix_kernels(list(prefixes))]
    )


def _list_prefix_kernels(prefixes: Sequence[str]) -> list[str]:
    """Return strings; each word that has a form with one of the prefixes contains at least one of them."""
    irregular = [
        form
        for base, forms in _collect_irregular_forms().items()
        if base.startswith(tuple(prefixes))
        for form in forms
    ]
    return [*irregular, *(prefix[: max(2, len(prefix) - 2)] for prefix in prefixes)]


def _iter_kernels(base: str) -> Iterable[str]:
    """Yield strings; each word that is a form of a base contains at least one of them."""
    yield from _collect_irregular_forms().get(base, ())
    if base.endswith(_ENDINGS):
        yield base[:-2]
    else:
        yield base[:-1] if base.endswith(("e", "y")) else base


_ENDINGS = tuple(ending for endings in PLURAL_ENDINGS.values() for ending in endings)


@cache
def _collect_irregular_forms() -> dict[str, list[str]]:
    """Return the irregular forms of each base."""
    forms_by_base: dict[str, list[str]] = defaultdict(list)
    for irregular_forms in (PLURALS, VERBS):
        for form, bases in irregular_forms.items():
            for base in bases:
                forms_by_base[base].append(form)
    return forms_by_base
