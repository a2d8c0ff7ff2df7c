"""Addresses that stand for a search: feeds, lists and searches of arXiv."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

from digest.core.language.query import format_author, format_category
from digest.core.subscribers.own_digest import OwnFollow
from digest.core.subscribers.transfer.imported import ImportProblem, ProblemKind, read_follow

_CATEGORY_FEED = re.compile(r"/(?:rss|atom|rss/new)/([A-Za-z.+_-]{2,200})/?")
_CATEGORY_LIST = re.compile(r"/(?:list|archive)/([A-Za-z.-]{2,40})(?:/.*)?")
_SEARCH = re.compile(r"/search(?:/[a-z-]*)?/?")
_MAX_ADDRESS, _MAX_PARAMETERS, _MAX_CATEGORIES = 2_500, 50, 50
_FIELDS = {"title": "title", "abstract": "abstract", "comments": "comment", "journal_ref": "journal"}


def read_search_address(address: str) -> tuple[OwnFollow | ImportProblem, ...] | None:
    """Return what an address of arXiv searches; None if it is of no feed, list or search."""
    if len(address) > _MAX_ADDRESS or not address.startswith(("https://", "http://")):
        return None
    try:
        parts = urlsplit(address)
        parameters = parse_qs(parts.query, max_num_fields=_MAX_PARAMETERS)
        host = parts.hostname or ""
    except ValueError:  # brackets that are no IPv6 address, or too many parameters
        return None
    if host == "scholar.google.com" or host.startswith("scholar.google."):
        return (ImportProblem(ProblemKind.SCHOLAR_PAGE, address),)
    if host != "arxiv.org" and not host.endswith(".arxiv.org"):
        return None
    path = unquote(parts.path)
    if match := _CATEGORY_FEED.fullmatch(path) or _CATEGORY_LIST.fullmatch(path):
        codes = match[1].split("+")[:_MAX_CATEGORIES]
        return tuple(read_follow(code, format_category(code)) for code in codes if code)
    if path.rstrip("/") == "/api/query":
        query_text = parameters.get("search_query", [""])[-1]
        return (read_follow(query_text, query_text),) if query_text else None
    if _SEARCH.fullmatch(path) and (words := parameters.get("query", [""])[-1]):
        return (_read_search(words, parameters.get("searchtype", ["all"])[-1]),)
    return None


def _read_search(words: str, kind: str) -> OwnFollow | ImportProblem:
    if kind == "author":
        return read_follow(words, format_author(words))
    field = _FIELDS.get(kind)
    return read_follow(words, f"{field}:({words})" if field else words)
