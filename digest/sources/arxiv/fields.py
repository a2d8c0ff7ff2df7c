"""Cleaning of the fields of a paper, common to all routes."""

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
    """Do what ``parse_arxiv_id`` does, with a fast path for recent IDs in arXiv's own notation."""
    if (match := _PLAIN_ID.fullmatch(text)) and match[1] >= "1501":
        return match[1], int(match[2]) if match[2] else None
    return parse_arxiv_id(text)


def clean_line(text: str) -> str:
    """Do what ``normalize_line`` does, with a fast path for texts that need no cleaning, as most do."""
    text = text.strip()
    return normalize_line(text) if "  " in text or "<" in text or not text.isprintable() else text


def clean_text(text: str) -> str:
    """Clean a long text; in ASCII, double spaces stay, because finding them is slow and they are never visible."""
    text = text.strip()
    if text.isascii():  # XML allows no other control characters
        needs_cleaning = "\n" in text or "\t" in text or "\r" in text or "\x7f" in text
    else:
        needs_cleaning = "  " in text or not text.isprintable()
    return normalize_line(text) if needs_cleaning or "<" in text else text


def parse_byline(text: str) -> tuple[Author, ...]:
    """Parse authors in one line, with TeX accents."""
    return split_byline(clean_line(decode_tex_accents(text)))


def parse_submitted_byline(text: str) -> tuple[Author, ...]:
    """Parse authors in one line as the submitter typed it, with TeX accents."""
    return split_submitted(clean_line(decode_tex_accents(text)))


def clean_names(raw_names: list[str]) -> list[str]:
    """Return names without TeX accents; they are checked together, because most need no cleaning."""
    stripped = [name.strip() for name in raw_names]
    joined = " ".join(stripped)
    if "  " not in joined and not _NEEDS_CLEANING.search(joined) and joined.isprintable():
        return stripped
    return [clean_line(decode_tex_accents(name)) for name in stripped]


@lru_cache(maxsize=4096)
def parse_categories(lines: str) -> tuple[str, ...]:
    """Return the categories without the ACM and MSC codes that arXiv prints among them (``I.2.7``, ``68T50``).

    Args:
        lines: one category in each line.
    """
    return tuple(dict.fromkeys(filter(_is_category, map(str.strip, lines.splitlines()))))


def _is_category(name: str) -> bool:
    """Return True for a known category, or a possible new one of a known archive."""
    archive, _, category_class = name.partition(".")
    return is_known_category(name) or (
        archive.islower() and is_known_category(archive) and category_class.isalpha()
    )


@lru_cache(maxsize=64)
def clean_web_address(text: str) -> str:
    """Return a web address, or "" if the text is none."""
    text = text.strip()
    return text if text.startswith(("https://", "http://")) and " " not in text else ""


def find_first_doi(text: str) -> str:
    """Return the first DOI, or ""; arXiv accepts several, separated by spaces, commas or semicolons."""
    return next(filter(None, map(parse_doi, _BETWEEN_DOIS.split(text))), "") if text else ""


def get_listing_kind(paper: Paper, section: str) -> ListingKind:
    """Return how a section lists a paper, from its version and its primary category."""
    is_primary = any(covers(section, category) for category in paper.categories[:1])
    if paper.version > 1:
        return ListingKind.REPLACE if is_primary else ListingKind.REPLACE_CROSS
    return ListingKind.NEW if is_primary else ListingKind.CROSS
