"""Papers as BibTeX, for programs that manage references."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote

from digest.core.text.accents import without_tex
from digest.core.text.words import tex_to_unicode
from digest.model import Paper
from digest.render.environment import printable
from digest.render.papers.links import web_address

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",  # BibTeX counts braces, also those behind a backslash
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "$&%#_"},
    }
)
_ARXIV = re.compile(r"(?:[A-Za-z.-]+/)?(\d\d)(?:\d\d)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SEVERAL = re.compile(r",|\band\b", re.IGNORECASE)
"""What would make two of a name."""
_LEAST_WORD = 4
_CENTURY_TURNS = 90


def bibtex(papers: Iterable[Paper]) -> str:
    """An entry for each paper, in their order; the same papers give the same keys."""
    taken: set[str] = set()
    return "\n".join([_entry(paper, _unlike(_key(paper), taken)) for paper in papers])


def _entry(paper: Paper, key: str) -> str:
    scheme, _, value = paper.key.partition(":")
    on_arxiv = value if scheme == "arxiv" else dict(paper.ids).get("arxiv", "")
    journal = _plain(paper.journal_ref)
    given = {
        "title": f"{{{_escaped(tex_to_unicode(paper.title))}}}",  # as it is printed, capitals and all
        "author": " and ".join(map(_author, (author.name for author in paper.authors))),
        "year": _year(paper),
        "journal": _escaped(journal),
        "doi": _address(paper.doi),
        "eprint": _address(on_arxiv),
        "archivePrefix": "arXiv" if on_arxiv else "",
        "primaryClass": _escaped(paper.categories[0]) if on_arxiv and paper.categories else "",
        "url": _address(web_address(paper.url)),
        "abstract": _escaped(tex_to_unicode(paper.abstract)),
    }
    fields = "".join(f"  {name} = {{{text}}},\n" for name, text in given.items() if text)
    return f"@{'article' if journal else 'misc'}{{{key},\n{fields}}}\n"


def _plain(text: str) -> str:
    return printable(" ".join(text.split()))


def _escaped(text: str) -> str:
    return _plain(text).translate(_SPECIAL)


def _address(text: str) -> str:
    """An address or id, which is not to be read as TeX; braces would end the field."""
    return quote(_plain(text), safe="!#$%&'()*+,/:;=?@[]~-._")


def _author(name: str) -> str:
    plain = _plain(without_tex(name))
    escaped = plain.translate(_SPECIAL)
    return f"{{{escaped}}}" if _SEVERAL.search(plain) else escaped


def _year(paper: Paper) -> str:
    """When it was published, as its journal reference says; else when arXiv had it, as its id says."""
    if found := _YEAR.search(paper.journal_ref):
        return found[0]
    scheme, _, value = paper.key.partition(":")
    if scheme != "arxiv" or not (found := _ARXIV.match(value)):
        return ""
    return f"{'19' if int(found[1]) > _CENTURY_TURNS else '20'}{found[1]}"


def _key(paper: Paper) -> str:
    """``guo2026splitzip``: the first author's last name, the year, and the first word of some length."""
    first = without_tex(paper.authors[0].name).split()[-1:] if paper.authors else []
    words = re.findall(r"\w+", tex_to_unicode(paper.title))
    word = next((one for one in words if len(one) >= _LEAST_WORD), "")
    return _ascii("".join(first)) + _year(paper) + _ascii(word) or "paper"


def _ascii(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]", "", folded.lower())


def _unlike(key: str, taken: set[str]) -> str:
    found, number = key, 1
    while found in taken:
        number += 1
        found = f"{key}-{number}"
    taken.add(found)
    return found
