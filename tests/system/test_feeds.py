"""Feeds pass the rules of the W3C's validator, and real readers read them without loss."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from digest.render.publishing.feeds import FeedDocument
from tests.system.conftest import ROOT
from tests.system.programs.feed_rules import TYPES, Document, find_faults, format_table
from tests.system.samples import feeds
from tests.system.samples.feeds import FeedEntry, render_document, render_documents
from tests.web.conftest import Site, composed_folder, site, source, workspace

__all__ = ["composed_folder", "site", "source", "workspace"]
pytestmark = pytest.mark.system
TEXTS = frozenset({"people"})
"""Who writes HTML into a title means it to be seen: it is told as it is, and does no harm."""


def test_a_feed_of_any_edition_passes_every_rule() -> None:
    for name, channel in feeds.make_channels().items():
        for document in render_documents(channel):
            assert (name, document.form, find_faults(document)) == (name, document.form, [])


def test_whoever_means_harm_breaks_no_rule() -> None:
    for name, channel in feeds.make_hostile_channels().items():
        for document in render_documents(channel):
            assert (name, document.form, find_faults(document, but=TEXTS)) == (name, document.form, [])


def test_what_a_site_serves_passes_every_rule_and_stays_the_same(site: Site) -> None:
    for form in TYPES:
        first, second = site.get(site.make_feed_url(form)), site.get(site.make_feed_url(form))

        assert first.status_code == 200
        assert first.content == second.content
        kind = first.headers["content-type"]
        document = Document(form=form, body=first.content, url=site.make_feed_url(form), media_type=kind)
        assert (form, find_faults(document)) == (form, [])


@pytest.mark.parametrize("form", ["rss", "atom"])
def test_newsboat_keeps_all_of_it(form: str) -> None:
    for name, channel in feeds.make_channels().items():
        assert feeds.read_by_newsboat(render_document(channel, form).body) == told(channel), name


@pytest.mark.parametrize("form", ["rss", "atom"])
def test_sfeed_keeps_all_of_it(form: str) -> None:
    for name, channel in feeds.make_channels().items():
        entries = feeds.read_by_sfeed(render_document(channel, form).body)

        # Of an entry's authors it keeps the first one; all of them begin the content.
        for one, entry in zip(entries, channel.entries, strict=True):
            assert all(entry_name in one.content for entry_name in entry.authors)
            assert one.authors == "" or ", ".join(entry.authors).startswith(one.authors)
        assert [replace(entry, authors="") for entry in entries] == [
            replace(entry, authors="") for entry in told(channel)
        ], name


@pytest.mark.parametrize("form", ["rss", "atom"])
def test_feedparser_reads_all_of_it(form: str) -> None:
    for name, channel in feeds.make_channels().items():
        entries = feeds.read_by_feedparser(render_document(channel, form).body)

        # It calls the id a link where there is none.
        assert [
            replace(entry, link="" if entry.link == entry.id else entry.link) for entry in entries
        ] == told(channel), name


def told(channel: FeedDocument) -> list[FeedEntry]:
    """What a feed tells."""
    return [
        FeedEntry(
            id=entry.id,
            title=entry.title,
            link=entry.url,
            authors=", ".join(entry.authors),
            at=datetime.fromisoformat(entry.atom_date),
            content=entry.html.strip(),
        )
        for entry in channel.entries
    ]


@pytest.mark.parametrize("form", ["rss", "atom"])
def test_of_harmful_feeds_each_reader_keeps_as_many_entries_with_the_same_ids_and_no_scripts(
    form: str,
) -> None:
    for name, channel in feeds.make_hostile_channels().items():
        body = render_document(channel, form).body
        by_newsboat, by_sfeed, by_feedparser = (
            feeds.read_by_newsboat(body),
            feeds.read_by_sfeed(body),
            feeds.read_by_feedparser(body),
        )

        ids = [entry.id for entry in channel.entries]
        for entries in (by_newsboat, by_sfeed, by_feedparser):
            assert (name, [entry.id for entry in entries]) == (name, ids)
            assert not any("<script" in entry.content for entry in entries)


def test_the_rules_are_written_down() -> None:
    page = (ROOT / "docs" / "reference" / "feed-rules.md").read_text("utf-8")

    assert format_table() in page
