"""Syntax of other search languages, and hints how to write the same in the follow language.

arXiv, Google Scholar, PubMed, Scopus, Web of Science, GitHub, Lucene and SQL have signs and fields of their
own. None of them is silently read as text.
"""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

from digest.core.language.quotes import LEADING_MARK
from digest.core.language.syntax.signs import COMMAS, DASHES, FULL_STOPS
from digest.core.text.scripts import CJK
from digest.core.text.tex import tex_to_unicode
from digest.core.text.words import INFINITY_ALONE

_QUOTE_ADVICE = "if it is text, put it in quotes"

# --- fields ---------------------------------------------------------------------------------------

_FIELD_SYNONYMS = {
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
_FIELD_BY_SYNONYM = {name: field for field, names in _FIELD_SYNONYMS.items() for name in names.split()}
_TEXT_FIELD_NAMES = frozenset(
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
_DATE_FIELD_NAMES = frozenset(
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
_SITE_FIELD_NAMES = frozenset(["site", "inurl", "allinurl", "url", "domain", "host", "filetype", "link"])
ALWAYS_FIELDS = frozenset(
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
"""Fields of other languages that occur in no title before a colon and a blank."""


def describe_foreign_field(name: str) -> str | None:
    """Return a sentence on how to write a field of other search languages; None for an unknown field.

    Args:
        name: as typed, without its colon.
    """
    lowercase_name = name.lower()
    if lowercase_name in _FIELD_BY_SYNONYM:
        return f"There is no field {name}:. Did you mean {_FIELD_BY_SYNONYM[lowercase_name]}:?"
    if lowercase_name in _TEXT_FIELD_NAMES:
        return (
            f"There is no field {name}:. Words without a field are searched in title and abstract; remove it."
        )
    if lowercase_name in _DATE_FIELD_NAMES:
        return f"There is no field {name}:. Follows have no dates, because they report what is new from now on; remove it."
    if lowercase_name == "from":
        return "There is no field from:. For a person, write author:; follows have no dates."
    if lowercase_name in _SITE_FIELD_NAMES:
        return f"There is no field {name}:. To select papers by the source that announced them, write source:NAME."
    return None


# --- signs ----------------------------------------------------------------------------------------

_PUBMED_TAGS = (
    "ti|title|tiab|title/abstract|au|author|1au|lastau|ta|journal|dp|mh|mesh|mesh terms|majr|tw|text word|ad|affiliation"
    "|all|all fields|la|language|pt|publication type|pmid|doi|aid"
)
_FOREIGN_SIGNS = tuple(
    (re.compile(pattern), message)
    for pattern, message in (
        (
            r"(?:^|(?<=\w))\|\|?(?:$|(?=\w))",
            f"For one or the other, write OR, in capitals, instead of this character; {_QUOTE_ADVICE}.",
        ),
        (
            r"^!+(?:$|(?=[^\W_]))",
            "! has no meaning here. Write -word to exclude papers with a word, or put it in quotes.",
        ),
        (
            r"^(?:O?NEAR(?:/\d+)?|ADJ\d*|(?:W|N|P|PRE|WITHIN)/\d+)$",
            f'For words near each other, write "first second"~5 (in this order, at most 5 others between them); {_QUOTE_ADVICE}.',
        ),
        (
            r"^'?%\w+%'?$",
            f"Words are matched as whole words, in any inflection; remove the %; {_QUOTE_ADVICE}.",
        ),
        (
            r"^/.+/i?$",
            f"Patterns are not supported; write the words with OR between them, or the beginning of a word, such as quantiz*; {_QUOTE_ADVICE}.",
        ),
        (
            r"(?<=\w)\?(?=\w)",
            f"? does not stand for a letter here; write both words with OR, or the beginning of a word, such as quantiz*; {_QUOTE_ADVICE}.",
        ),
        (
            r"(?<=\w)~(?:\d+(?:\.\d+)?)?$|^~",
            f'Write ~ directly after a phrase in quotes, with a number: "first second"~5; {_QUOTE_ADVICE}.',
        ),
        (
            r"^(?:(?:title|author|abstract|category|year|journal)\s*|(?:TS|TI|AU|AB|AK|SO|PY|DO))(?:[=!]=|=~?|[<>]=?)",
            f"A field needs a colon: title:word; {_QUOTE_ADVICE}.",
        ),
        (
            rf"(?i)\[(?:{_PUBMED_TAGS})\]",
            f"Write a field before its word, with a colon: title:word, author:Name; {_QUOTE_ADVICE}.",
        ),
        (r"^:+(?=\w)", f"A field is one word without quotes: title:word; {_QUOTE_ADVICE}."),
    )
)
_MAX_TAG_LENGTH = 40
_URL_ENCODING = re.compile(r"%2[0-9A-Fa-f]|%3[AaDd]|\+(?:AND|OR|NOT|ANDNOT)\+")
_SQUARE_BRACKETS = re.compile(r"\[[^\[\]]*(?<!\w)(?:AND|OR|NOT|ANDNOT)(?!\w)[^\[\]]*\]")
_MAX_BRACKET_LENGTH = 300
_FUNCTION_FIELDS = frozenset(
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


def find_url_encoding(run: str) -> tuple[int, str] | None:
    """Return the position of a URL-encoded sign in a run of signs, and an error message; None if there is none."""
    match = _URL_ENCODING.search(run)
    if not match:
        return None
    return (
        match.start(),
        f"This is URL-encoded; write a space for + and %20, a quote for %22; {_QUOTE_ADVICE}.",
    )


def find_foreign_sign(text: str, start: int, end: int) -> tuple[int, str] | None:
    """Return the position of a sign of other search languages, and an error message; None if there is none.

    Args:
        text: the whole query.
        start: where the run of signs starts.
        end: where it ends, at a blank, a bracket or a quote.
    """
    if text[end : end + 1] == "(" and text[start:end].lower() in _FUNCTION_FIELDS:
        return start, f"A field needs a colon: title:(graph OR network); {_QUOTE_ADVICE}."
    run = text[start:end]
    if run[0] == "[" and _SQUARE_BRACKETS.match(text, start, start + _MAX_BRACKET_LENGTH):
        return start, f"Use ( and ) as brackets; {_QUOTE_ADVICE}."
    searched_text = text[start : end + _MAX_TAG_LENGTH] if "[" in run else run
    for pattern, message in _FOREIGN_SIGNS:
        match = pattern.search(searched_text)
        if match and match.start() < len(run):
            return start + match.start(), message
    return None


# --- hints ----------------------------------------------------------------------------------------

_WORD_HINTS = tuple(
    (re.compile(pattern), make_word_hint)
    for pattern, make_word_hint in (
        (
            r"(?i)^and/or$",
            '{} was read as the words "and or"; for one or the other, write OR.',
        ),
        (
            r"^[^\W\d_]{2,}(?:[/\uff0f][^\W\d_]{2,})+$",
            "{} was read as a phrase (these words in this order); for one or the other, write OR.",
        ),
        (r"^@\w", "{} was read as a word; for a person, write author:Name."),
        (
            LEADING_MARK.pattern,
            '{} starts with a character that is not a quotation mark here; write a phrase "in these".',
        ),
        (
            rf"[\w)][{COMMAS}]$",
            "A comma has no meaning: all words must match; for any of them, write OR.",
        ),
        (r"^&&$", "{} was ignored, because words are joined by AND anyway."),
        (
            rf"[^\W\d_A-Z]{{2}}\][{DASHES}]\w",
            "{} was read as one text: brackets are ( and ) here, and - only excludes after a space.",
        ),
    )
)


_IGNORED_SIGN = re.compile(
    r"^([^\w\s'\"‘’«»‹›()\[\]{}<>@+#$\\%,;:!?*~/|&=-])(?=[-\u2010\u2011]?\w)"
    r"|(?=[^\u2206\u2212\u2217])([\u2190-\u22ff×÷±√])"
)
"""A sign at the beginning of a word, or one of mathematics anywhere, that is part of no word."""
_EVERYDAY_WORDS = frozenset(
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


def make_word_hint(run: str) -> str | None:
    """Return a hint on what may be meant by a word with signs, or in capitals; None for a plain word."""
    special_hint = make_bracket_hint(run) or _make_comma_hint(run)
    hint = next((hint.format(run) for pattern, hint in _WORD_HINTS if pattern.search(run)), None)
    return special_hint or hint or make_capitals_hint(run) or _make_sign_hint(run)


def _make_comma_hint(run: str) -> str | None:
    """Return a hint that commas without blanks, in any script, join words to a phrase.

    Return None for names and formulas that contain commas, such as (Ga,Mn)As and 1,2-dioxetane, and for TeX.
    """
    if not _COMMA.search(run) or _TEX_SIGN.search(run):
        return None
    outside_brackets = _INNER_BRACKET.sub(lambda match: "_" * len(match[0]), run)
    starts = [0, *(comma.end() for comma in _COMMA.finditer(outside_brackets)), len(run) + 1]
    parts = [run[start : end - 1].strip(".:!?") for start, end in pairwise(starts)]
    words = [part for part in parts if part]
    if len(words) < 2 or not all(map(_TWO_LETTERS.search, words)):
        return None
    if not any(map(_THREE_LETTERS.search, words)):  # TL;DR
        return None
    all_words, any_word = f"({' '.join(words)})", f"({' OR '.join(words)})"
    if len(run) > _MAX_EXAMPLE or any(word.lower() in {"and", "or"} for word in words):
        all_words, any_word = "a space after each comma", "OR"
    return f"{run} was read as a phrase (these words in this order); for all of them, write {all_words}; for any of them, {any_word}."


_TEX_SIGN = re.compile(r"[\\${}]")
_COMMA = re.compile(f"[{COMMAS}{FULL_STOPS}]")
_INNER_BRACKET = re.compile(r"\([^()]*\)")
_TWO_LETTERS = re.compile(rf"[^\W\d_]{{2}}|[{CJK}]")
_THREE_LETTERS = re.compile(rf"[^\W\d_]{{3}}|[{CJK}]")
_MAX_EXAMPLE = 80
"""Maximum length of words with commas that a hint repeats in two ways, in characters."""


def make_bracket_hint(run: str) -> str | None:
    """Return a hint that a - between a bracket and a word may be meant as an exclusion; None if it must be a hyphen.

    Args:
        run: a word such as (S)-ibuprofen or graph-(5G), or (2,1)-categories, which must be a hyphen.
    """
    leading_bracket = run[: _find_first_bracket_end(run)]
    if _LEADING_DASH.match(run, len(leading_bracket)):
        bracket, left, right = leading_bracket, leading_bracket, run[len(leading_bracket) + 1 :]
    else:
        end = len(run.rstrip(",;.:!?"))
        # The last bracket is the first one of the reversed text.
        start = end - _find_first_bracket_end(run[:end][::-1].translate(_MIRRORED_BRACKETS))
        bracket, left, right = run[start:end], run[: max(start - 1, 0)], run[start:end]
        if not left or not _DASH.match(run, start - 1):
            return None
    if not _is_searchable_bracket(tex_to_unicode(bracket)):
        return None
    return f"{run} was read as one text; {left} -{right}, with a space, excludes {right}."


def _find_first_bracket_end(run: str) -> int:
    """Return where the bracket at the beginning of a text ends; 0 if there is none, or it is not closed."""
    if run[:1] != "(":
        return 0
    depths = list(accumulate((sign == "(") - (sign == ")") for sign in run))
    return depths.index(0) + 1 if 0 in depths else 0


def _is_searchable_bracket(bracket: str) -> bool:
    """Whether brackets contain a single letter, or words, perhaps with digits.

    Mathematics such as (n+1), (p,q) or (100) does not count.
    """
    if not _WORDS_IN_BRACKET.fullmatch(bracket):
        return False
    parts = _PART.findall(bracket)
    return any(map(_WORD_LIKE.search, parts)) or (len(parts) == 1 and parts[0].isalpha())


_DASH = re.compile(f"[{DASHES}]")
_LEADING_DASH = re.compile(rf"{_DASH.pattern}.")
_MIRRORED_BRACKETS = str.maketrans("()", ")(")
_WORDS_IN_BRACKET = re.compile(r"\([\w\s,;().-]*\)")
_PART = re.compile(r"\w+")
_WORD_LIKE = re.compile(r"[^\W\d_]{2}|[^\W\d_]_*\d|\d_*[^\W\d_]")
"""Two letters, or a letter and a digit, next to each other."""


def _make_sign_hint(run: str) -> str | None:
    plain_text = tex_to_unicode(run)
    sign = (
        _IGNORED_SIGN.search(INFINITY_ALONE.sub("", plain_text))
        if any(map(str.isalnum, plain_text))
        else None
    )
    if sign is None:
        return None
    return f'{sign[0]} is not searched, only the words next to it; for exactly this spelling, write ="{plain_text}".'


def make_capitals_hint(word: str) -> str | None:
    """Return a hint that a word in capitals is also an everyday word; None if it is none."""
    if len(word) < 2 or not word.isupper() or word.lower() not in _EVERYDAY_WORDS:
        return None
    return f'{word} also finds every "{word.lower()}"; for capitals only, write ={word}.'


def make_quote_hint(inner: str) -> str | None:
    """Return a hint on what may be meant by signs within quotes; None for plain words."""
    if operator := re.search(r"(?<!\w)(?:AND|OR|NOT|ANDNOT)(?!\w)", inner):
        return f"In quotes, {operator[0]} is an ordinary word; write each phrase in its own quotes."
    if re.search(r"\w{3}\*", inner):
        return "In quotes, * is text; write the beginning of a word without quotes."
    return make_capitals_hint(inner)
