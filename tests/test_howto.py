"""What the how-to pages show works as it stands there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.errors import OptionError, SourceError
from digest.model import Ask
from digest.ports import Response, Source

PAGE = Path(__file__).parents[1] / "docs" / "howto" / "write-a-source.md"
DAY = date(2026, 6, 12)


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where Python finds the file of the page."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("plugins")
        (folder / "bulletin.py").write_text(block("python"), encoding="utf-8")
        patch.syspath_prepend(str(folder))
        yield folder


def made(**options: Any) -> Source:
    """The source as the configuration of the page names it."""
    (table,) = tomllib.loads(block("toml"))["source"]
    plugin: type[Source] = plugins.load("sources", table.pop("use"))
    return plugins.build(plugin, table | options)


def read(source: Source, body: bytes, status: int = 200) -> Any:
    ask = Ask(source=source.name, section=source.sections[0], route=source.ways[0].name, day=DAY)
    request = source.start(ask, "", datetime(2026, 6, 12, 7, tzinfo=UTC))
    assert request.url == "https://bulletin.example.org/papers?day=2026-06-12&page=0"
    return source.read(request, Response(status=status, headers=(), body=body))


@pytest.mark.usefixtures("folder")
def test_the_source_of_the_page_is_found_by_the_configuration_of_the_page() -> None:
    source = made()

    assert (source.name, source.title, source.pace) == ("bulletin", "The Bulletin", 2.0)
    with pytest.raises(OptionError, match="did you mean `pace`"):
        made(pase=1.0)


@pytest.mark.usefixtures("folder")
def test_the_source_of_the_page_reads_the_answer_of_the_page() -> None:
    page = read(made(), block("json").encode())

    (day,) = page.announced
    assert (day.day, day.expected, page.next, page.unread) == (DAY, 2, None, ())
    looms, engines = (listing.paper for listing in day.listings)
    assert (looms.key, looms.title, looms.abstract) == ("doi:10.1000/b.1", "On Looms", "We weave.")
    assert looms.url == "https://bulletin.example.org/b/1"
    assert [author.name for author in looms.authors] == ["Ada Lovelace"]
    assert engines.key == "doi:10.1000/b.2"


@pytest.mark.usefixtures("folder")
def test_the_source_of_the_page_asks_for_the_next_one() -> None:
    body = (
        b'{"total": 101, "papers": ['
        + b",".join(
            b'{"doi": "10.1000/%d", "title": "T", "abstract": "", "authors": [], "link": ""}' % number
            for number in range(100)
        )
        + b"]}"
    )
    page = read(made(), body)

    assert page.next.url == "https://bulletin.example.org/papers?day=2026-06-12&page=1"
    assert page.announced[0].expected == 101


@pytest.mark.usefixtures("folder")
@given(
    st.binary()
    | st.sampled_from([b"[]", b"{}", b'{"total": 1, "papers": [{}]}', b'{"total": 1, "papers": [1]}'])
)
def test_the_source_of_the_page_never_breaks(body: bytes) -> None:
    with pytest.raises(SourceError, match=r"with no list of papers"):
        read(made(), body)
    with pytest.raises(SourceError, match=r"HTTP 503"):
        read(made(), body, status=503)
