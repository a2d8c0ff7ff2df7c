"""Lists of feeds as OPML (http://opml.org/spec2.opml): the categories, searches and persons among them."""

from __future__ import annotations

from digest.core.fetching.formats.strict_xml import LOCAL_NAMES, walk
from digest.core.language.query import format_author
from digest.core.papers.identity.person_ids import parse_person_reference
from digest.core.subscribers.own_digest import OwnFollow
from digest.core.subscribers.transfer.addresses import read_search_address
from digest.core.subscribers.transfer.imported import (
    ImportContentError,
    ImportMistake,
    ImportProblem,
    ProblemKind,
    read_follow,
    remove_control_characters,
)
from digest.errors import SourceError

_MAX_FEEDS = 5_000


def read_opml(body: bytes) -> tuple[OwnFollow | ImportProblem, ...]:
    """Return what the feeds of a list are about, in their order.

    Args:
        body: the document, in the encoding that it declares. One with a DOCTYPE, which entity bombs need, is refused.

    Raises:
        ImportContentError: it is no list of feeds.
    """
    feeds: list[tuple[str, str, str]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        values = {attribute.lower(): value.strip() for attribute, value in attributes.items()}
        if LOCAL_NAMES[name] == "outline" and values.get("xmlurl") and len(feeds) <= _MAX_FEEDS:
            title = values.get("title") or values.get("text") or values["xmlurl"]
            feeds.append((title, values["xmlurl"], values.get("htmlurl", "")))

    try:
        walk(
            body,
            start,
            lambda _text: None,
            subject="The file",
            noun="list of feeds",
            roots=frozenset({"opml"}),
        )
    except SourceError as error:
        raise ImportContentError(ImportMistake.UNREADABLE, str(error)) from None
    if len(feeds) > _MAX_FEEDS:
        raise ImportContentError(ImportMistake.TOO_MUCH)
    return tuple(entry for feed in feeds for entry in _read_feed(*feed))


def _read_feed(title: str, feed: str, page: str) -> tuple[OwnFollow | ImportProblem, ...]:
    for address in (feed, page):
        if person := parse_person_reference(address):
            return (read_follow(title, format_author("", (person,))),)
        if searched := read_search_address(address):
            return searched
    return (ImportProblem(ProblemKind.NO_SEARCH, remove_control_characters(title)[:200]),)
