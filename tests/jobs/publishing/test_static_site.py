"""What a reader of the output folder can rely on: every day and edition has its page, and each leads to its neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from html import unescape
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert, select

from digest.jobs.publishing.publish import publish_digests
from digest.jobs.publishing.static_site import StaticSite
from digest.model import Confidence, EditionPart, Item, Reason
from digest.render.branding import Branding
from digest.render.locale_bundle import LocaleBundle, make_locale_bundle
from digest.render.publishing.folder_overview import make_digest_overview, render_index_page
from digest.store.database.engine import Store, open_store
from digest.store.database.tables.digests import digests as digest_rows
from digest.store.database.tables.digests import editions as edition_rows
from digest.store.database.tables.digests import runs, slots
from digest.store.editions import editions
from digest.store.editions.editions import NewEdition
from digest.store.papers.events import load_events_between
from tests.store.factories import NOW, announce, declare, make_digest, make_new_items, make_new_listing
from tests.support.workspace import make_empty_database

BERLIN = ZoneInfo("Europe/Berlin")
FIRST = date(2026, 1, 1)


@cache
def tongue(language: str) -> LocaleBundle:
    return make_locale_bundle(language, Branding(title="Lab digest"), None, None)


@dataclass
class Folder:
    """An output folder, and the store that it is published from."""

    store: Store
    path: Path
    names: list[str] = field(default_factory=list)

    def digests(self, *names: str) -> None:
        declare(self.store, *(make_digest(name) for name in names), now=NOW)
        self.names = list(names)

    def edition(self, name: str, day: date, *, papers: int = 1, hour: int = 7) -> None:
        """An edition of a digest that tells the first papers there are."""
        at = datetime(day.year, day.month, day.day, hour, 30, tzinfo=BERLIN)
        reason = Reason(follow="kv cache", confidence=Confidence.SURELY, evidence=())
        with self.store.begin_write() as tx:
            items = [
                Item(event=event, part=EditionPart.SURELY, score=1.0, reasons=(reason,))
                for event in load_events_between(tx, 0, papers)
            ]
            mine = select(digest_rows.c.id).where(digest_rows.c.name == name)
            slot = tx.execute(select(slots.c.id).limit(1)).scalar_one()
            period = f"{at:%Y-%m-%dT%H:%M}"
            run = {
                "slot_id": slot,
                "period": period,
                "state": "composed",
                "fire_at": at,
                "made_at": at,
            }
            same = (runs.c.slot_id == slot) & (runs.c.period == period)
            number = tx.execute(select(runs.c.id).where(same)).scalar()
            number = number or tx.execute(insert(runs).returning(runs.c.id), run).scalar_one()
            new_edition = NewEdition(
                digest=tx.execute(mine).scalar_one(),
                items=make_new_items(items),
            )
            editions.save_editions(tx, number, [new_edition], [], at)

    def publish(self, *, made_by: str = "1") -> set[str]:
        """Publish; the files that were written."""

        def render(shown: object, _fresh: object) -> list[tuple[str, bytes]]:
            head = tongue("en").branding
            shelves = [
                make_digest_overview(
                    entry.name, entry.title, some, feeds=False, folder=None, locale=head.locale
                )
                for entry, some in shown  # type: ignore[attr-defined]
            ]
            return [("index.html", render_index_page(tongue("en").environment, head, shelves))]

        site = StaticSite(folder=self.path, get_locale_bundle=tongue, language="en")
        paths = publish_digests(self.store, site, render, made_by)
        return {path.relative_to(self.path).as_posix() for path in paths}

    def text(self, path: str) -> str:
        return (self.path / path).read_text("utf-8")

    def pages(self) -> dict[str, str]:
        return {
            path.relative_to(self.path).as_posix(): path.read_text("utf-8")
            for path in self.path.rglob("*.html")
        }


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    (tmp_path / "digest.db").write_bytes(make_empty_database())
    store = open_store(f"sqlite:///{tmp_path / 'digest.db'}", NOW)
    announce(
        store, *(make_new_listing(number, title=f"KV cache {number} & <more>") for number in range(1, 4))
    )
    folder = Folder(store, tmp_path / "out")
    folder.digests("systems")
    yield folder
    store.close()


def page(day: date, name: str = "systems", hour: int = 7) -> str:
    return f"editions/{name}/{day.isoformat()}T{hour:02}30.html"


def day_of(day: date) -> str:
    return f"days/{day.isoformat()}.html"


def links(path: str, text: str) -> set[str]:
    """Where a page leads to in its own folder, as paths from the top."""
    matches = {unescape(entry) for entry in re.findall(r'href="([^"]*)"', text)}
    own = {text.partition("#")[0] for text in matches if "://" not in text and not text.startswith("#")}
    return {normpath(f"{dirname(path)}/{unquote(text)}" if dirname(path) else unquote(text)) for text in own}


def turn(text: str) -> dict[str, str]:
    """What comes before a page and after it."""
    return dict(re.findall(r'<a class="(older|newer)" rel="\w+" href="([^"]*)"', text))


def test_each_edition_and_day_has_a_page_and_all_are_reached_from_the_overview(folder: Folder) -> None:
    for ahead in range(3):
        folder.edition("systems", FIRST + timedelta(days=ahead))
    folder.publish()

    pages = folder.pages()
    reached, ahead_of_us = set(), {"index.html"}
    while ahead_of_us:
        reached |= ahead_of_us
        ahead_of_us = {
            to for ahead_of_u in ahead_of_us for to in links(ahead_of_u, pages[ahead_of_u])
        } - reached
    assert reached == pages.keys()
    assert len(pages) == 3 + 3 + 2


def test_pages_lead_to_what_is_older_and_newer(folder: Folder) -> None:
    days = [FIRST, FIRST + timedelta(days=1), FIRST + timedelta(days=5)]
    for day in days:
        folder.edition("systems", day)
        folder.publish()

    assert turn(folder.text(page(days[1]))) == {
        "older": f"{days[0]}T0730.html",
        "newer": f"{days[2]}T0730.html",
    }
    assert turn(folder.text(day_of(days[1]))) == {"older": f"{days[0]}.html", "newer": f"{days[2]}.html"}
    assert turn(folder.text(page(days[2]))) == {"older": f"{days[1]}T0730.html"}
    assert turn(folder.text(day_of(days[0]))) == {"newer": f"{days[1]}.html"}


def test_a_day_shows_all_its_editions_with_their_papers(folder: Folder) -> None:
    folder.digests("systems", "theory")
    folder.edition("systems", FIRST, papers=2)
    folder.publish()
    folder.edition("theory", FIRST, papers=3, hour=16)
    written = folder.publish()

    assert written == {
        *(page(FIRST, "theory", 16), day_of(FIRST)),
        *("archive.html", "index.html", ".site.json"),
    }
    text = folder.text(day_of(FIRST))
    assert text.count("KV cache 1 &amp; &lt;more&gt;") == 2
    assert text.count("KV cache 3 &amp; &lt;more&gt;") == 1
    assert {page(FIRST), page(FIRST, "theory", 16)} <= links(day_of(FIRST), text)


def test_what_did_not_change_keeps_bytes_and_time(folder: Folder) -> None:
    for ahead in range(4):
        folder.edition("systems", FIRST + timedelta(days=ahead))
    folder.publish()
    before = {name: (folder.path / name).stat().st_mtime_ns for name in folder.pages()}
    assert folder.publish() == set()

    last = FIRST + timedelta(days=4)
    folder.edition("systems", last)
    written = folder.publish()

    neighbour = last - timedelta(days=1)
    assert written == {
        *(page(last), page(neighbour), day_of(last), day_of(neighbour)),
        *("archive.html", "index.html", ".site.json"),
    }
    remaining = {name for name in before if (folder.path / name).stat().st_mtime_ns == before[name]}
    assert remaining == before.keys() - written


def test_a_year_of_dailies_costs_a_day_what_a_day_costs(folder: Folder) -> None:
    for ahead in range(365):
        folder.edition("systems", FIRST + timedelta(days=ahead))
    assert len(folder.publish()) == 365 + 365 + 3
    last = FIRST + timedelta(days=365)
    folder.edition("systems", last)

    assert len(folder.publish()) == 7
    archive = folder.text("archive.html")
    assert len(links("archive.html", archive)) == 366 + 1 + 1
    assert archive.index("January 2027") < archive.index("December 2026")
    assert "366 editions" in archive


def test_pages_of_a_digest_that_is_no_more_stay_and_lead_on(folder: Folder) -> None:
    folder.digests("systems", "theory")
    folder.edition("theory", FIRST)
    folder.publish()
    folder.digests("systems")
    folder.edition("systems", FIRST + timedelta(days=1))
    folder.publish()

    assert "KV cache 1" in folder.text(page(FIRST, "theory"))
    assert turn(folder.text(day_of(FIRST))) == {"newer": f"{FIRST + timedelta(days=1)}.html"}
    assert re.search(r"Theory <small>1 edition · ended", folder.text("archive.html"))


def test_pages_of_editions_that_the_store_has_forgotten_stay(folder: Folder) -> None:
    folder.edition("systems", FIRST)
    folder.edition("systems", FIRST, hour=16)
    folder.publish()
    before = folder.text(page(FIRST))
    with folder.store.begin_write() as tx:
        tx.execute(delete(edition_rows))
    folder.edition("systems", FIRST, hour=18)
    folder.edition("systems", FIRST + timedelta(days=1))
    folder.publish()

    assert folder.text(page(FIRST)) == before
    text = folder.text(day_of(FIRST))
    assert {page(FIRST), page(FIRST, hour=16), page(FIRST, hour=18)} <= links(day_of(FIRST), text)
    assert turn(folder.text(page(FIRST, hour=16)))["newer"] == f"{FIRST}T1830.html"


def test_another_release_makes_the_last_pages_anew_and_loses_none(folder: Folder) -> None:
    for ahead in range(40):
        folder.edition("systems", FIRST + timedelta(days=ahead))
    folder.publish()
    for name in folder.pages():
        (folder.path / name).write_text(folder.text(name).replace("Lab digest", "Old title"))
    folder.publish(made_by="2")

    old = {name for name, text in folder.pages().items() if "<h1>" in text and "Old title" in text}
    assert len(folder.pages()) == 40 + 40 + 2
    assert page(FIRST) in old
    assert page(FIRST + timedelta(days=39)) not in old


def test_the_folder_names_no_address_and_needs_nothing_from_elsewhere(folder: Folder) -> None:
    declare(folder.store, make_digest("systems", to=["somebody@reader.example"]))
    folder.edition("systems", FIRST, papers=3)
    folder.publish()

    for path in folder.path.rglob("*"):
        if path.is_file():
            assert b"reader.example" not in path.read_bytes()
    for text in folder.pages().values():
        assert not re.search(r"<script|<link rel=.?stylesheet|\ssrc=|@import|url\(", text)
        assert "prefers-color-scheme:dark" in text
        assert 'name="viewport"' in text


def pages_after(base: Path, order: Iterable[int]) -> dict[str, str]:
    """The pages of an archive, by their names, whose editions were made and published on those days, in this order."""
    (base / "digest.db").write_bytes(make_empty_database())
    store = open_store(f"sqlite:///{base / 'digest.db'}", NOW)
    announce(store, make_new_listing(1, title="KV cache"))
    folder = Folder(store, base / "out")
    folder.digests("systems")
    for ahead in order:
        folder.edition("systems", FIRST + timedelta(days=ahead))
        folder.publish()
    store.close()
    return {name: text for name, text in folder.pages().items() if name != "index.html"}


@pytest.fixture(scope="module")
def pages_in_order(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of an archive whose editions came in the order of their days."""
    return pages_after(tmp_path_factory.mktemp("site"), range(6))


@settings(max_examples=10)
@given(order=st.permutations(range(6)))
def test_in_whatever_order_editions_come_the_pages_are_the_same(
    pages_in_order: dict[str, str], order: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert pages_after(tmp_path_factory.mktemp("site"), order) == pages_in_order
