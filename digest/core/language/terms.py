"""What the single words, phrases and values of a query ask for, each in its field."""

from __future__ import annotations

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
    TextField,
    Unit,
)
from digest.core.language.quotes import without_quotes
from digest.core.language.syntax.stars import is_short, starred_names
from digest.core.language.syntax.tokens import BEGINNINGS, MAX_WORDS
from digest.core.papers import taxonomy
from digest.core.papers.identity.ids import arxiv_id, doi, paper_key
from digest.core.papers.identity.person_ids import EXAMPLES, SCHEMES, person_of, ror_id
from digest.core.text.accents import without_tex
from digest.core.text.scripts import INFINITY
from digest.core.text.words import Part, canonical, canonical_beginning, digits_meet, parts, tex_to_unicode
from digest.model import EventKind

Hint = Callable[[str], None]
"""Takes what may not have been meant, a whole sentence."""


class Mistake(Exception):  # noqa: N818 - it becomes a QueryError where its place is known
    """Something cannot be asked for so; the message says why and how to write it."""


# --- words ----------------------------------------------------------------------------------------


def words(text: str, within: str, hint: Hint, near: int = 0) -> Query | None:
    """The words of a text, in a row or near each other; None if there is none.

    Of ``C*-algebra`` the star has to be there, too: ``C*`` exactly so, and these words.
    """
    readable = tex_to_unicode(text)
    units = _units(parts(readable))
    if not units or readable.strip() == INFINITY:  # texts have it before a hyphen mostly, where it is no word
        return None
    phrase = Phrase(field=cast("TextField", within), units=units, near=near)
    starred = starred_names(readable)
    if not starred:
        return phrase
    hint(
        f"The * of {starred[0]} was read as a part of the name, and is looked for as spelled; the beginning of a word"
        " has at least 3 letters."
    )
    signs = tuple([exact(sign, within) for sign in starred])
    return signs[0] if len(units) == len(units[0]) == 1 else And(queries=(*signs, phrase))


def exact(text: str, within: str) -> Exact:
    """A word or phrase in exactly this spelling."""
    readable = ""
    while readable != text:  # what TeX stands for may look like TeX again
        readable, text = text, without_quotes(tex_to_unicode(text))
    found = [part for part in parts(readable) if _asks(canonical(part.printed))]
    if not found:
        raise Mistake(_NO_WORD)
    if len(found) > MAX_WORDS:
        raise Mistake(f"A phrase has at most {MAX_WORDS} words: shorten it.")
    return Exact(field=cast("TextField", within), text=readable)


def beginning(text: str, within: str) -> Prefix:
    """The beginning of a word, the parts of a compound before it whole."""
    units = _units(parts(tex_to_unicode(text)))
    if len(units) != 1 or is_short(units[0][-1]) or is_short(canonical_beginning(units[0][-1])):
        raise Mistake(BEGINNINGS)
    *whole, last = units[0]
    return Prefix(field=cast("TextField", within), unit=(*whole, last.rstrip("+#")))


_NO_WORD = "There is no word in this to look for."


def _units(found: Iterable[Part]) -> tuple[Unit, ...]:
    units: list[Unit] = []
    size = 0
    linked = False  # whether hyphens join what comes next to the last unit, over parts that ask for nothing
    for part in found:
        word = part.printed
        linked = linked and part.joined
        asked = canonical(word)
        if not _asks(asked):
            continue
        size += 1
        if size > MAX_WORDS:
            raise Mistake(
                f"A phrase has at most {MAX_WORDS} words: shorten it, or look for the words without quotes."
            )
        # As canonical words, for those are read again: what stands between the digits of 1's-1 is left out.
        if linked and not digits_meet(canonical(units[-1][-1]), asked):
            units[-1] += (word,)
        else:
            units.append((word,))
        linked = True
    return tuple(units)


def _asks(word: str) -> bool:
    """Whether anything is left of a word to look for, but ``+`` and ``#``."""
    return any(map(str.isalnum, word))


# --- persons --------------------------------------------------------------------------------------


def person(name: str, ids: Sequence[str], hint: Hint) -> ByAuthor:
    """A person by a name, by ids, or by both.

    Args:
        name: as typed; "" for none.
        ids: as typed, with their schemes.
        hint: takes that a family name alone says little.
    """
    name = without_quotes(without_tex(name))
    if (name and name[0] in "=^") or (not ids and not any(map(str.isalpha, name))):
        raise Mistake('This is no name: write author:"Given Family".')
    if not ids and is_family_alone(name):
        hint(
            f"{name.rstrip(' ,')} alone fits everybody of that name, so what it finds comes as maybe; add a given name."
        )
    return ByAuthor(name=name, ids=tuple(map(_person_id, ids)))


def _person_id(written: str) -> tuple[str, str]:
    written = written.rstrip(",;.")
    found = person_of(written) or person_of(f"orcid:{written}")
    if found is None:
        scheme = written.partition(":")[0].lower()
        scheme = scheme if scheme in SCHEMES else "orcid"
        raise Mistake(
            f"{written} is no id of a person, or has a wrong digit; write author:{scheme}:{EXAMPLES[scheme]}."
        )
    return found


# --- values ---------------------------------------------------------------------------------------


def value(within: str, text: str, hint: Hint) -> Query:
    """What a field asks for that takes no words."""
    match within:
        case "category" | "primary":
            return _category(text, hint, primary=within == "primary")
        case "id" | "cites":
            return Fact(field=within, value=_paper(text, hint))
        case "doi":
            if doi(text) is None and arxiv_id(text) is None:
                raise Mistake("This is no DOI: write doi:10.1000/182.")
            return Fact(field="id", value=_paper(text, hint))
        case "institution":
            return _institution(text)
        case "":
            return _identity(text, hint)
        case _:
            return _fact(within, text)


def bare_category(text: str, hint: Hint) -> InCategory | None:
    """A category of arXiv that was typed without its field; None if the word is none."""
    code = text.strip(",;")
    if "." not in code or not taxonomy.known(code):
        return None
    found = _category(code, hint, primary=False)
    hint(f"{code} was read as {found}; as text it is written in quotes.")
    return found


def _category(text: str, hint: Hint, *, primary: bool) -> InCategory:
    code = without_quotes(text.strip(",;. "))
    if not code or "*" in code.removesuffix(".*"):
        raise Mistake("Write a category as category:cs.LG, or a whole archive as category:cs.*.")
    if not taxonomy.known(code):
        meant = taxonomy.suggest(code) if len(code) <= _LONGEST_CODE else None
        hint(f"arXiv has no category {code}." + (f" Did you mean {meant}?" if meant else ""))
    return InCategory(code=code, primary=primary)


_LONGEST_CODE = 60


def _paper(text: str, hint: Hint) -> str:
    text = text.strip()
    key = paper_key(text.rstrip(",;"))
    if key is None and text.startswith("url:"):  # what a feed calls an entry that has no page
        return without_quotes(text)
    if key is None or without_quotes(key) != key:
        raise Mistake(
            "This is no paper's id: write 2401.00001, a DOI, or the address of its page with https://."
        )
    if (named := arxiv_id(text)) and named[1]:
        hint(f"All versions of {named[0]} are one paper: v{named[1]} was left out.")
    return key


def _identity(text: str, hint: Hint) -> Fact:
    """A paper's id that was typed without a field."""
    if (arxiv_id(text.rstrip(".,;")) or doi(text)) is None:
        raise Mistake(
            "Addresses are not looked for in texts. For what happens to the paper of a page write id: before it;"
            " if it is text, put it in quotes."
        )
    key = _paper(text.rstrip(".,;"), hint)
    hint(
        f"{text} was read as id:{key}, what happens to this paper: papers that cite it are cites:{key},"
        f" and as text it is written in quotes."
    )
    return Fact(field="id", value=key)


def institution_id(text: str) -> Fact | None:
    """An institution by its ROR id, whatever way it is written; None if the text is none."""
    found = ror_id(text.rstrip(",;."))
    return Fact(field="institution", value=f"ror:{found}") if found else None


def _institution(text: str) -> Fact:
    found = institution_id(text)
    if found is None:
        raise Mistake(
            "This is no ROR id, or has a wrong digit; write institution:ror:05a28rw58, or its name in quotes."
        )
    return found


_KNOWN = {"kind": tuple(kind.value for kind in EventKind), "has": ("code",)}


def _fact(within: str, text: str) -> Fact:
    told = without_quotes(text.strip(",;")).lower()
    if within in _KNOWN and told not in _KNOWN[within]:
        raise Mistake(f"{within}: knows {', '.join(_KNOWN[within])}; if it is text, put it in quotes.")
    if not told:
        raise Mistake(_NO_WORD)
    return Fact(field=within, value=told)
