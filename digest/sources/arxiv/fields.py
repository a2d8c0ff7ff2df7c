"""The fields of a paper, cleaned alike however arXiv was asked."""

from __future__ import annotations

import re
from functools import lru_cache

from digest.core.papers.bylines import split_byline, split_submitted
from digest.core.papers.identity.ids import parse_arxiv_id, parse_doi
from digest.core.papers.taxonomy import covers, is_known_category
from digest.core.text.accents import decode_tex_accents
from digest.core.text.cleaning import normalize_line
from digest.model import Author, ListingKind, Paper

_NEEDS_CLEANING = re.compile(r"[\\{}~<]")
_BETWEEN_DOIS = re.compile(r"[\s,;]+(?=10\.)|\s+")


_PLAIN_ID = re.compile(
    r"\s*(?:oai:arXiv\.org:|http://arxiv\.org/abs/)?([12]\d(?:0[1-9]|1[0-2])\.\d{5})(?:v([1-9]))?\s*",
    re.ASCII,
)


def parse_id_and_version(text: str) -> tuple[str, int | None] | None:
    """As ``parse_arxiv_id``, sooner for an id of our days in arXiv's own notation."""
    if (match := _PLAIN_ID.fullmatch(text)) and match[1] >= "1501":
        return match[1], int(match[2]) if match[2] else None
    return parse_arxiv_id(text)


def clean_line(text: str) -> str:
    """As ``normalize_line``, sooner where there is nothing to clean, as nearly always."""
    text = text.strip()
    return normalize_line(text) if "  " in text or "<" in text or not text.isprintable() else text


def clean_text(text: str) -> str:
    """The same for a long one, but for double blanks: looking for them takes long, and nothing shows them."""
    text = text.strip()
    if text.isascii():  # XML lets no other control characters through
        needs_cleaning = "\n" in text or "\t" in text or "\r" in text or "\x7f" in text
    else:
        needs_cleaning = "  " in text or not text.isprintable()
    return normalize_line(text) if needs_cleaning or "<" in text else text


def parse_byline(text: str) -> tuple[Author, ...]:
    """The authors that are written in one line, with TeX's accents."""
    return split_byline(clean_line(decode_tex_accents(text)))


def parse_submitted_byline(text: str) -> tuple[Author, ...]:
    """The same for a line as its submitter typed it."""
    return split_submitted(clean_line(decode_tex_accents(text)))


def clean_names(raw_names: list[str]) -> list[str]:
    """The same names without TeX's accents, each a line; looked at together, as most need nothing."""
    stripped = [name.strip() for name in raw_names]
    joined = " ".join(stripped)
    if "  " not in joined and not _NEEDS_CLEANING.search(joined) and joined.isprintable():
        return stripped
    return [clean_line(decode_tex_accents(name)) for name in stripped]


@lru_cache(maxsize=4096)
def parse_categories(lines: str) -> tuple[str, ...]:
    """The categories without the ACM and MSC codes that arXiv prints among them (``I.2.7``, ``68T50``).

    Args:
        lines: one in each line.
    """
    return tuple(dict.fromkeys(filter(_is_category, map(str.strip, lines.splitlines()))))


def _is_category(name: str) -> bool:
    """Whether it is one, known or new in a known archive."""
    archive, _, category_class = name.partition(".")
    return is_known_category(name) or (
        archive.islower() and is_known_category(archive) and category_class.isalpha()
    )


@lru_cache(maxsize=64)
def clean_web_address(text: str) -> str:
    """The address, or "" if it is none."""
    text = text.strip()
    return text if text.startswith(("https://", "http://")) and " " not in text else ""


def find_first_doi(text: str) -> str:
    """The first DOI, or "": arXiv takes several, parted by blanks, commas or semicolons."""
    return next(filter(None, map(parse_doi, _BETWEEN_DOIS.split(text))), "") if text else ""


def get_listing_kind(paper: Paper, section: str) -> ListingKind:
    """How a section lists a paper, by its version and its primary category."""
    is_primary = any(covers(section, category) for category in paper.categories[:1])
    if paper.version > 1:
        return ListingKind.REPLACE if is_primary else ListingKind.REPLACE_CROSS
    return ListingKind.NEW if is_primary else ListingKind.CROSS
