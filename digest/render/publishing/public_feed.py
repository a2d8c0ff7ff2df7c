"""Feeds for everybody: papers without an edition, and without a reader whom to tell why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import quote

import jinja2

from digest.model import Item
from digest.render.branding import Masthead
from digest.render.environment import printable
from digest.render.publishing.digest_feed import paper_entry
from digest.render.publishing.feeds import FORMS, NOWHERE, Channel, Entry, Links, tag_uri, titled


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A feed for everybody.

    Attributes:
        masthead: the operator's side.
        sort: ``all``, ``category``, ``author`` or ``query``.
        name: its name in addresses and ids; "" for all.
        title: the one that readers see; "" for all.
        papers: each with its date, the newest first.
    """

    masthead: Masthead
    sort: str
    name: str
    title: str
    papers: Sequence[tuple[Item, datetime]]


def public_channel(environment: jinja2.Environment, opened: Opened, links: Links = NOWHERE) -> Channel:
    """The feed, ready but for its form.

    Raises:
        RenderError: a template is missing or broken.
    """
    masthead, locale = opened.masthead, opened.masthead.locale
    entries: dict[str, Entry] = {}
    for item, at in opened.papers:
        entry = paper_entry(environment, masthead, item, at, personal=False)
        entries.setdefault(entry.id, entry)
    title = opened.title or locale.gettext("Everything new")
    return Channel(
        masthead=masthead,
        id=tag_uri(masthead, "public", *filter(None, (opened.sort, opened.name.replace("/", "-")))),
        title=titled(masthead, title),
        description=printable(_description(opened)),
        author=printable(masthead.title) or "digest",
        updated=max((at for _, at in opened.papers), default=None),
        entries=tuple(entries.values()),
        links=links,
    )


def _description(opened: Opened) -> str:
    _ = opened.masthead.locale.gettext
    match opened.sort:
        case "category":
            return _("New papers in %(category)s.", category=opened.title)
        case "author":
            return _("New papers signed by %(name)s.", name=opened.title)
        case "query":
            return _("New papers: %(title)s.", title=opened.title)
        case _:
            return _("All new papers.")


def public_path(sort: str, name: str, ending: str) -> str:
    """Where a feed for everybody is, below a site or an output folder."""
    return f"feeds/public/{sort}/{name}.{ending}" if name else f"feeds/public/{sort}.{ending}"


def public_address(url: str, sort: str, name: str, ending: str) -> str:
    """Its address below a site's."""
    return f"{url}/{quote(public_path(sort, name, ending), safe='/', errors='replace')}"


def public_files(environment: jinja2.Environment, opened: Opened, url: str) -> list[tuple[str, bytes]]:
    """The feed in all forms, by path in an output folder.

    Args:
        environment: made by ``make_environment``.
        opened: the feed.
        url: where that folder is on the web, without a slash at the end; "" where it is not.

    Raises:
        RenderError: a template is missing or broken.
    """
    channel = public_channel(environment, opened)
    made = []
    for ending, form in FORMS.items():
        address = public_address(url, opened.sort, opened.name, ending) if url else ""
        links = Links(self=address)
        body = form.render(environment, replace(channel, links=links))
        made.append((public_path(opened.sort, opened.name, ending), body))
    return made
