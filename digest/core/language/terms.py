"""The leaves of a query, built from the words, phrases and values that were typed, depending on their field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from digest.core.language.ambiguous_names import is_family_alone
from digest.core.language.query import (
    And,
    ByAuthor,
    Exact,
    Fact,
    InCategory,
    Phrase,
    Prefix,
    Query,
    Unit,
)
from digest.core.language.quotes import strip_quotes
from digest.core.language.syntax.stars import find_starred_names, is_too_short
from digest.core.language.syntax.tokens import MAX_WORDS, PREFIX_MESSAGE
from digest.core.papers import taxonomy
from digest.core.papers.document import TextField
from digest.core.papers.identity.ids import parse_arxiv_id, parse_doi, parse_paper_key
from digest.core.papers.identity.person_ids import EXAMPLES, SCHEMES, parse_person_reference, parse_ror_id
from digest.core.text.accents import decode_tex_accents
from digest.core.text.scripts import INFINITY
from digest.core.text.tex import normalize_stars
from digest.core.text.words import (
    WordPart,
    has_meeting_digits,
    iter_parts,
    normalize_prefix,
    normalize_word,
    tex_to_unicode,
)
from digest.model import EventKind

Hint = Callable[[str], None]
"""Callback that takes a hint, a whole sentence about what may not have been meant."""


class TermError(Exception):
    """Error in a term; the message says what is wrong and how to write it."""


# --- words ----------------------------------------------------------------------------------------


_NO_SIGN_OF_WORD = re.compile(rf"[^\w{INFINITY}]")


def build_words(text: str, field: str, hint: Hint, near: int = 0) -> Query | None:
    """Return the query for the words of a text, adjacent or near each other; None if it has none.

    ``C*-algebra`` requires the star, too: ``C*`` in exactly this spelling, and the words.
    """
    plain_text = normalize_stars(tex_to_unicode(text))
    units = _split_units(iter_parts(plain_text))
    # ∞ alone is not looked for: in texts it is mostly before a hyphen, where it is not a word.
    if not units or set(_NO_SIGN_OF_WORD.sub("", plain_text)) == {INFINITY}:
        return None
    phrase = Phrase(field=cast("TextField", field), units=units, near=near)
    starred_name_list = find_starred_names(plain_text)
    if not starred_name_list:
        return phrase
    hint(
        f"The * of {starred_name_list[0]} was read as a part of the name and is searched as written; the beginning of a word needs at least 3 letters."
    )
    exact_queries = tuple([build_exact(starred_name, field) for starred_name in starred_name_list])
    return exact_queries[0] if len(units) == len(units[0]) == 1 else And(queries=(*exact_queries, phrase))


def build_exact(text: str, field: str) -> Exact:
    """Return the query for a word or phrase in exactly this spelling."""
    plain_text = ""
    while plain_text != text:  # the replacement of a macro may look like TeX again
        plain_text, text = text, strip_quotes(normalize_stars(tex_to_unicode(text)))
    searchable_parts = [
        part for part in iter_parts(plain_text) if _is_searchable(normalize_word(part.printed))
    ]
    if not searchable_parts:
        raise TermError(_NO_WORD)
    if len(searchable_parts) > MAX_WORDS:
        raise TermError(f"A phrase has at most {MAX_WORDS} words; shorten it.")
    return Exact(field=cast("TextField", field), text=plain_text)


def build_prefix(text: str, field: str) -> Prefix:
    """Return the query for the beginning of a word; the parts of a compound before it are complete."""
    units = _split_units(iter_parts(tex_to_unicode(text)))
    if len(units) != 1 or is_too_short(units[0][-1]) or is_too_short(normalize_prefix(units[0][-1])):
        raise TermError(PREFIX_MESSAGE)
    *complete_parts, prefix = units[0]
    return Prefix(field=cast("TextField", field), unit=(*complete_parts, prefix.rstrip("+#")))


_NO_WORD = "This contains no word to search for."


def _split_units(word_parts: Iterable[WordPart]) -> tuple[Unit, ...]:
    units: list[Unit] = []
    word_count = 0
    # Whether hyphens join the next part to the last unit, across parts with nothing to look for.
    is_linked = False
    for part in word_parts:
        word = part.printed
        is_linked = is_linked and part.is_joined
        canonical_word = normalize_word(word)
        if not _is_searchable(canonical_word):
            continue
        word_count += 1
        if word_count > MAX_WORDS:
            raise TermError(
                f"A phrase has at most {MAX_WORDS} words; shorten it, or write the words without quotes."
            )
        # Canonical words are compared, because they are parsed again, and 1's-1 has lost its 's by then.
        if is_linked and not has_meeting_digits(normalize_word(units[-1][-1]), canonical_word):
            units[-1] += (word,)
        else:
            units.append((word,))
        is_linked = True
    return tuple(units)


def _is_searchable(word: str) -> bool:
    """Whether a word has a letter or digit, not only ``+`` and ``#``."""
    return any(map(str.isalnum, word))


# --- persons --------------------------------------------------------------------------------------


def build_author(name: str, ids: Sequence[str], hint: Hint) -> ByAuthor:
    """Return the query for a person by a name, by ids, or by both.

    Args:
        name: as typed; "" for none.
        ids: as typed, with their schemes.
        hint: takes the hint that a family name alone is ambiguous.
    """
    name = strip_quotes(decode_tex_accents(name))
    if (name and name[0] in "=^") or (not ids and not any(map(str.isalpha, name))):
        raise TermError('This is not a name; write author:"Given Family".')
    if not ids and is_family_alone(name):
        hint(
            f"{name.rstrip(' ,')} alone matches everybody with that name, so matches are only maybe; add a given name."
        )
    return ByAuthor(name=name, ids=tuple(map(_read_person_id, ids)))


def _read_person_id(text: str) -> tuple[str, str]:
    text = text.rstrip(",;.")
    scheme_and_id = parse_person_reference(text) or parse_person_reference(f"orcid:{text}")
    if scheme_and_id is None:
        scheme = text.partition(":")[0].lower()
        scheme = scheme if scheme in SCHEMES else "orcid"
        raise TermError(
            f"{text} is not the id of a person, or has a wrong digit; write author:{scheme}:{EXAMPLES[scheme]}."
        )
    return scheme_and_id


# --- values ---------------------------------------------------------------------------------------


def build_value_query(field: str, text: str, hint: Hint) -> Query:
    """Return the query for the value of a field that takes no words."""
    match field:
        case "category" | "primary":
            return _build_category(text, hint, primary=field == "primary")
        case "id" | "cites":
            return Fact(field=field, value=_read_paper_key(text, hint))
        case "doi":
            if parse_doi(text) is None and parse_arxiv_id(text) is None:
                raise TermError("This is not a DOI; write doi:10.1000/182.")
            return Fact(field="id", value=_read_paper_key(text, hint))
        case "institution":
            return _build_institution(text)
        case "":
            return _build_id_fact(text, hint)
        case _:
            return _build_fact(field, text)


def read_bare_category(text: str, hint: Hint) -> InCategory | None:
    """Return the query for an arXiv category that was typed without its field; None if the word is not a category."""
    code = text.strip(",;")
    if "." not in code or not taxonomy.is_known_category(code):
        return None
    query = _build_category(code, hint, primary=False)
    hint(f"{code} was read as {query}; if it is text, put it in quotes.")
    return query


def _build_category(text: str, hint: Hint, *, primary: bool) -> InCategory:
    code = strip_quotes(text.strip(",;. "))
    if not code or "*" in code.removesuffix(".*"):
        raise TermError("Write a category as category:cs.LG, or a whole archive as category:cs.*.")
    if not taxonomy.is_known_category(code):
        suggestion = taxonomy.suggest_category(code) if len(code) <= _MAX_CODE_LENGTH else None
        hint(f"arXiv has no category {code}." + (f" Did you mean {suggestion}?" if suggestion else ""))
    return InCategory(code=code, primary=primary)


_MAX_CODE_LENGTH = 60


def _read_paper_key(text: str, hint: Hint) -> str:
    text = text.strip()
    key = parse_paper_key(text.rstrip(",;"))
    if key is None and text.startswith("url:"):  # the key of a feed entry without a page
        return strip_quotes(text)
    if key is None or strip_quotes(key) != key:
        raise TermError(
            "This is not the id of a paper; write 2401.00001, a DOI, or the address of its page with https://."
        )
    if (arxiv_paper := parse_arxiv_id(text)) and arxiv_paper[1]:
        hint(f"All versions of {arxiv_paper[0]} are one paper, so v{arxiv_paper[1]} was ignored.")
    return key


def _build_id_fact(text: str, hint: Hint) -> Fact:
    """Return the fact for a paper's id that was typed without a field."""
    if (parse_arxiv_id(text.rstrip(".,;")) or parse_doi(text)) is None:
        raise TermError(
            "Addresses are not searched in texts. To follow the paper at this address, write id: before it; if it is text, put it in quotes."
        )
    key = _read_paper_key(text.rstrip(".,;"), hint)
    hint(
        f"{text} was read as id:{key}, which follows this paper. For papers that cite it, write cites:{key}; if it is text, put it in quotes."
    )
    return Fact(field="id", value=key)


def read_institution_id(text: str) -> Fact | None:
    """Return the fact for an institution by its ROR id, in any notation; None if the text is not a ROR id."""
    ror = parse_ror_id(text.rstrip(",;."))
    return Fact(field="institution", value=f"ror:{ror}") if ror else None


def _build_institution(text: str) -> Fact:
    fact = read_institution_id(text)
    if fact is None:
        raise TermError(
            "This is not a ROR id, or it has a wrong digit; write institution:ror:05a28rw58, or its name in quotes."
        )
    return fact


_ALLOWED_VALUES = {"kind": tuple(kind.value for kind in EventKind), "has": ("code",)}


def _build_fact(field: str, text: str) -> Fact:
    fact_value = strip_quotes(text.strip(",;")).lower()
    if field in _ALLOWED_VALUES and fact_value not in _ALLOWED_VALUES[field]:
        raise TermError(
            f"{field}: accepts {', '.join(_ALLOWED_VALUES[field])}; if it is text, put it in quotes."
        )
    if not fact_value:
        raise TermError(_NO_WORD)
    return Fact(field=field, value=fact_value)
