"""What readers type who come from other search boxes, and how it is written here.

arXiv, Google Scholar, PubMed, Scopus, Web of Science, GitHub, Lucene and SQL have signs and fields of their own.
None of them is quietly read as text.
"""

from __future__ import annotations

import re
from itertools import accumulate

from digest.core.language.quotes import MARK_AT_FRONT
from digest.core.text.tex import tex_to_unicode
from digest.core.text.words import INFINITY_ALONE

_QUOTE = "if it is text, put it in quotes"

# --- fields ---------------------------------------------------------------------------------------

_MEANT = {
    "title": "intitle allintitle document_title document-title",
    "author": "inauthor allinauthor authors by writer creator first_author first-author firstauthor",
    "abstract": "inabstract summary description",
    "category": "label labels tag tags subject subj class cls archive msc acm primary_category",
    "institution": "affiliation affil aff inst university org organization",
    "journal": "venue conference booktitle publication source_title",
    "kind": "is type status",
    "id": "arxivid arxiv_id id_list paper eprint pmid",
    "cites": "refs references reference citing cited refersto",
    "comment": "comments note notes rn",
}
_FIELD_MEANT = {name: field for field, names in _MEANT.items() for name in names.split()}
_WORDS = frozenset(
    [
        "intext",
        "allintext",
        "inbody",
        "body",
        "full",
        "fulltext",
        "text",
        "tiab",
        "tak",
        "title_abs",
        "title-abs",
        "title-abs-key",
        "keyword",
        "keywords",
        "kw",
        "topic",
        "topics",
        "mesh",
        "any",
        "anywhere",
    ]
)
_DATES = frozenset(
    [
        "submitteddate",
        "lastupdateddate",
        "year",
        "date",
        "to",
        "before",
        "after",
        "since",
        "until",
        "published",
        "updated",
        "created",
        "pushed",
        "pubdate",
        "pubyear",
        "day",
        "month",
    ]
)
_PAGES = frozenset(["site", "inurl", "allinurl", "url", "domain", "host", "filetype", "link"])
NEVER_TEXT = frozenset(
    [
        "intitle",
        "allintitle",
        "inauthor",
        "allinauthor",
        "intext",
        "allintext",
        "inurl",
        "allinurl",
        "filetype",
        "submitteddate",
        "lastupdateddate",
        "tiab",
    ]
)
"""No title has these before a colon and a blank."""


def foreign_field(name: str) -> str | None:
    """How to write what a field of other search boxes asks for, a sentence; None for one that nobody has.

    Args:
        name: as typed, without its colon.
    """
    known = name.lower()
    if known in _FIELD_MEANT:
        return f"There is no field {name}:. Did you mean {_FIELD_MEANT[known]}:?"
    if known in _WORDS:
        return f"There is no field {name}:. Words without a field are looked for in title and abstract: leave it out."
    if known in _DATES:
        return f"There is no field {name}:. A follow has no dates, it tells what is new from now on: leave it out."
    if known == "from":
        return "There is no field from:. A person is author:, and a follow has no dates."
    if known in _PAGES:
        return f"There is no field {name}:. Papers are told by who announced them: write source:NAME."
    return None


# --- signs ----------------------------------------------------------------------------------------

_TAGS = (
    "ti|title|tiab|title/abstract|au|author|1au|lastau|ta|journal|dp|mh|mesh|mesh terms|majr|tw|text word|ad|affiliation"
    "|all|all fields|la|language|pt|publication type|pmid|doi|aid"
)
_SIGNS = tuple(
    (re.compile(pattern), message)
    for pattern, message in (
        (
            r"(?:^|(?<=\w))\|\|?(?:$|(?=\w))",
            f"For one or the other write OR, in capitals, for this sign; {_QUOTE}.",
        ),
        (
            r"^!+(?:$|(?=[^\W_]))",
            "! says nothing here. Write -word to leave out what has a word, or put it in quotes.",
        ),
        (
            r"^(?:O?NEAR(?:/\d+)?|ADJ\d*|(?:W|N|P|PRE|WITHIN)/\d+)$",
            f'Words near each other are written "first second"~5: in this order, at most 5 others between; {_QUOTE}.',
        ),
        (
            r"^'?%\w+%'?$",
            f"A word is looked for as a whole word, in any inflection: leave out the %; {_QUOTE}.",
        ),
        (
            r"^/.+/i?$",
            f"There are no patterns: write the words with OR between them, or the beginning of a word as quantiz*; {_QUOTE}.",
        ),
        (
            r"(?<=\w)\?(?=\w)",
            f"A ? stands for no letter here: write both words with OR, or the beginning of a word as quantiz*; {_QUOTE}.",
        ),
        (
            r"(?<=\w)~(?:\d+(?:\.\d+)?)?$|^~",
            f'~ stands right behind a phrase in quotes, with a number: "first second"~5; {_QUOTE}.',
        ),
        (
            r"^(?:(?:title|author|abstract|category|year|journal)\s*|(?:TS|TI|AU|AB|AK|SO|PY|DO))(?:[=!]=|=~?|[<>]=?)",
            f"A field is written with a colon, as title:word; {_QUOTE}.",
        ),
        (
            rf"(?i)\[(?:{_TAGS})\]",
            f"A field stands before its word, with a colon: title:word, author:Name; {_QUOTE}.",
        ),
        (r"^:+(?=\w)", f"A field is one word without quotes, as title:word; {_QUOTE}."),
    )
)
_LONGEST_TAG = 40
_ENCODED = re.compile(r"%2[0-9A-Fa-f]|%3[AaDd]|\+(?:AND|OR|NOT|ANDNOT)\+")
_BRACKETED = re.compile(r"\[[^\[\]]*(?<!\w)(?:AND|OR|NOT|ANDNOT)(?!\w)[^\[\]]*\]")
_LONGEST_BRACKET = 300
_CALLED = frozenset(
    [
        "title",
        "ti",
        "abstract",
        "abs",
        "key",
        "title-abs-key",
        "title-abs",
        "author",
        "auth",
        "au",
        "author-name",
        "affil",
        "affilorg",
        "category",
        "cat",
        "journal",
        "srctitle",
        "doi",
    ]
)


def encoded(run: str) -> tuple[int, str] | None:
    """Where a run of signs was copied from the address of a search, and what to write; None if nowhere."""
    found = _ENCODED.search(run)
    if not found:
        return None
    return (
        found.start(),
        f"This is encoded for an address: write a blank for + and %20, a quote for %22; {_QUOTE}.",
    )


def misread(text: str, start: int, end: int) -> tuple[int, str] | None:
    """Where a run of signs has something that means more in other search boxes, and what to write; None if nowhere.

    Args:
        text: the whole query.
        start: where the run starts.
        end: where it ends, at a blank, a bracket or a quote.
    """
    if text[end : end + 1] == "(" and text[start:end].lower() in _CALLED:
        return start, f"A field is written with a colon, as title:(graph OR network); {_QUOTE}."
    run = text[start:end]
    if run[0] == "[" and _BRACKETED.match(text, start, start + _LONGEST_BRACKET):
        return start, f"Brackets are ( and ) here; {_QUOTE}."
    seen = text[start : end + _LONGEST_TAG] if "[" in run else run
    for pattern, message in _SIGNS:
        found = pattern.search(seen)
        if found and found.start() < len(run):
            return start + found.start(), message
    return None


# --- what may not have been meant -----------------------------------------------------------------

_REMARKS = tuple(
    (re.compile(pattern), remark)
    for pattern, remark in (
        (
            r"(?i)^and/or$",
            '{} was read as the words "and or"; for one or the other write OR.',
        ),
        (
            r"^[^\W\d_]{2,}(?:/[^\W\d_]{2,})+$",
            "{} was read as a phrase, these words in a row; for one or the other write OR.",
        ),
        (r"^@\w", "{} was read as a word; for a person write author:Name."),
        (
            MARK_AT_FRONT.pattern,
            '{} starts with a sign that is no quote here; a phrase is written "in these".',
        ),
        (
            r"[\w)][,;\uff0c\uff1b\u3001]$",
            "A comma says nothing: all of the words must be there; for any of them write OR.",
        ),
        (r"^&&$", "{} was left out: words are joined by AND anyway."),
        (
            r"[^\W\d_A-Z]{2}\][-\u2010-\u2015\u2212]\w",
            "{} was read as one text: brackets are ( and ) here, and - leaves out only behind a blank.",
        ),
    )
)


_SIGN = re.compile(
    r"^([^\w\s'\"‘’«»‹›()\[\]{}<>@+#$\\%,;:!?*~/|&=-])(?=[-\u2010\u2011]?\w)"
    r"|(?=[^\u2206\u2212\u2217])([\u2190-\u22ff×÷±√])"
)
"""A sign at a word's front, or one of mathematics anywhere, that no word has."""
_SMALL_WORDS = frozenset(
    [
        "a",
        "aid",
        "all",
        "am",
        "an",
        "any",
        "are",
        "art",
        "as",
        "at",
        "be",
        "but",
        "by",
        "can",
        "do",
        "did",
        "for",
        "get",
        "go",
        "had",
        "has",
        "he",
        "her",
        "him",
        "his",
        "how",
        "if",
        "in",
        "is",
        "it",
        "its",
        "let",
        "man",
        "may",
        "me",
        "my",
        "net",
        "new",
        "no",
        "now",
        "of",
        "off",
        "old",
        "on",
        "one",
        "our",
        "out",
        "own",
        "per",
        "see",
        "set",
        "she",
        "so",
        "the",
        "to",
        "too",
        "two",
        "up",
        "us",
        "use",
        "was",
        "way",
        "we",
        "who",
        "why",
        "you",
    ]
)


def remark(run: str) -> str | None:
    """What a reader may have meant by a word with signs, or in capitals, a sentence; None for a plain one."""
    said = next((said.format(run) for pattern, said in _REMARKS if pattern.search(run)), None)
    return bracket_remark(run) or said or capitals_remark(run) or _sign_remark(run)


def bracket_remark(run: str) -> str | None:
    """That a - between a bracket and a word may be meant to leave something out; None if it can only be a hyphen.

    Args:
        run: a word as (S)-ibuprofen or graph-(5G), or as (2,1)-categories, which is nothing else.
    """
    front = run[: _first_bracket_end(run)]
    if _DASH_FIRST.match(run, len(front)):
        bracket, left, right = front, front, run[len(front) + 1 :]
    else:
        end = len(run.rstrip(",;.:!?"))
        # A bracket is the last one if it is the first one from behind.
        start = end - _first_bracket_end(run[:end][::-1].translate(_MIRRORED))
        bracket, left, right = run[start:end], run[: max(start - 1, 0)], run[start:end]
        if not left or not _DASH.match(run, start - 1):
            return None
    if not _may_be_asked(tex_to_unicode(bracket)):
        return None
    return f"{run} was read as one text; {left} -{right}, with a blank, leaves {right} out."


def _first_bracket_end(run: str) -> int:
    """Where the bracket ends that a run of signs begins with; 0 if it begins with none, or with an open one."""
    if run[:1] != "(":
        return 0
    depths = list(accumulate((sign == "(") - (sign == ")") for sign in run))
    return depths.index(0) + 1 if 0 in depths else 0


def _may_be_asked(bracket: str) -> bool:
    """Whether a bracket holds a single letter, or words, some with digits; no mathematics, as (n+1), (p,q) and (100)."""
    if not _WORDS_IN_BRACKET.fullmatch(bracket):
        return False
    parts = _PART.findall(bracket)
    return any(map(_IS_WORD.search, parts)) or (len(parts) == 1 and parts[0].isalpha())


_DASH = re.compile("[-\u2010-\u2015\u2212]")
_DASH_FIRST = re.compile(rf"{_DASH.pattern}.")
_MIRRORED = str.maketrans("()", ")(")
_WORDS_IN_BRACKET = re.compile(r"\([\w\s,;()-]*\)")
_PART = re.compile(r"\w+")
_IS_WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_]_*\d|\d_*[^\W\d_]")
"""Two letters, or a letter and a digit, side by side."""


def _sign_remark(run: str) -> str | None:
    readable = tex_to_unicode(run)
    sign = _SIGN.search(INFINITY_ALONE.sub("", readable)) if any(map(str.isalnum, readable)) else None
    if sign is None:
        return None
    return f'{sign[0]} is not looked for, only the words beside it; for exactly this spelling write ="{readable}".'


def capitals_remark(word: str) -> str | None:
    """That a word in capitals is an everyday word, too, a sentence; None if it is none."""
    if len(word) < 2 or not word.isupper() or word.lower() not in _SMALL_WORDS:
        return None
    return f'{word} finds every "{word.lower()}", too; for the word in capitals write ={word}.'


def quoted_remark(inner: str) -> str | None:
    """What a reader may have meant by signs within quotes, a sentence; None for plain words."""
    if operator := re.search(r"(?<!\w)(?:AND|OR|NOT|ANDNOT)(?!\w)", inner):
        return f"In quotes {operator[0]} is a word like any other: write each phrase in quotes of its own."
    if re.search(r"\w{3}\*", inner):
        return "In quotes * is text: the beginning of a word is written without quotes."
    return capitals_remark(inner)
