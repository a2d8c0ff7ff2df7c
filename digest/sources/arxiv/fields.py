"""The fields of a paper, cleaned alike however arXiv was asked."""

from __future__ import annotations

import re
from functools import lru_cache

from digest.core.papers.bylines import split_byline, split_submitted
from digest.core.papers.identity.ids import arxiv_id, doi
from digest.core.papers.taxonomy import covers, known
from digest.core.text.accents import without_tex
from digest.core.text.cleaning import plain_line
from digest.model import Author, ListingKind, Paper

_TO_CLEAN = re.compile(r"[\\{}~<]")
_BETWEEN_DOIS = re.compile(r"[\s,;]+(?=10\.)|\s+")


_PLAIN_ID = re.compile(
    r"\s*(?:oai:arXiv\.org:|http://arxiv\.org/abs/)?([12]\d(?:0[1-9]|1[0-2])\.\d{5})(?:v([1-9]))?\s*",
    re.ASCII,
)


def id_and_version(written: str) -> tuple[str, int | None] | None:
    """As ``arxiv_id``, sooner for an id of our days in arXiv's own notation."""
    if (found := _PLAIN_ID.fullmatch(written)) and found[1] >= "1501":
        return found[1], int(found[2]) if found[2] else None
    return arxiv_id(written)


def line(written: str) -> str:
    """As ``plain_line``, sooner where there is nothing to clean, as nearly always."""
    written = written.strip()
    return plain_line(written) if "  " in written or "<" in written or not written.isprintable() else written


def text(written: str) -> str:
    """The same for a long one, but for double blanks: looking for them takes long, and nothing shows them."""
    written = written.strip()
    if written.isascii():  # XML lets no other control characters through
        unusual = "\n" in written or "\t" in written or "\r" in written or "\x7f" in written
    else:
        unusual = "  " in written or not written.isprintable()
    return plain_line(written) if unusual or "<" in written else written


def byline(written: str) -> tuple[Author, ...]:
    """The authors that are written in one line, with TeX's accents."""
    return split_byline(line(without_tex(written)))


def submitted_byline(written: str) -> tuple[Author, ...]:
    """The same for a line as its submitter typed it."""
    return split_submitted(line(without_tex(written)))


def names(written: list[str]) -> list[str]:
    """The same names without TeX's accents, each a line; looked at together, as most need nothing."""
    stripped = [name.strip() for name in written]
    together = " ".join(stripped)
    if "  " not in together and not _TO_CLEAN.search(together) and together.isprintable():
        return stripped
    return [line(without_tex(name)) for name in stripped]


@lru_cache(maxsize=4096)
def categories(lines: str) -> tuple[str, ...]:
    """The categories without the ACM and MSC codes that arXiv prints among them (``I.2.7``, ``68T50``).

    Args:
        lines: one in each line.
    """
    return tuple(dict.fromkeys(filter(_is_category, map(str.strip, lines.splitlines()))))


def _is_category(written: str) -> bool:
    """Whether it is one, known or new in a known archive."""
    archive, _, category_class = written.partition(".")
    return known(written) or (archive.islower() and known(archive) and category_class.isalpha())


@lru_cache(maxsize=64)
def web_address(written: str) -> str:
    """The address, or "" if it is none."""
    written = written.strip()
    return written if written.startswith(("https://", "http://")) and " " not in written else ""


def first_doi(written: str) -> str:
    """The first DOI, or "": arXiv takes several, parted by blanks, commas or semicolons."""
    return next(filter(None, map(doi, _BETWEEN_DOIS.split(written))), "") if written else ""


def kind_in(paper: Paper, section: str) -> ListingKind:
    """How a section lists a paper, by its version and its primary category."""
    primary = any(covers(section, category) for category in paper.categories[:1])
    if paper.version > 1:
        return ListingKind.REPLACE if primary else ListingKind.REPLACE_CROSS
    return ListingKind.NEW if primary else ListingKind.CROSS
