"""Documents of known makers are read whole, entry by entry, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.formats.strict_xml import TEXT_SEPARATOR, EntryFormat, XmlEntry, read_entries
from digest.errors import SourceError
from tests.support.cases import for_each_case

FORM = EntryFormat(
    noun="catalogue",
    roots=frozenset({"list"}),
    entry="book",
    parts=frozenset({"author", "name", "place"}),
    footer=frozenset({"more"}),
    attributes=frozenset({"lang", "role"}),
)
WHOLE = b"""<?xml version="1.0" encoding="UTF-8"?>
<c:list xmlns:c="urn:c" lang="en"><c:made>today</c:made>
  <c:book lang="de"><c:title>One</c:title><c:tag>a</c:tag><c:tag>b</c:tag>
    <c:author role="first"><c:name>Ada</c:name><c:place>Here</c:place></c:author>
    <c:author><c:name>Bob</c:name></c:author><c:note>last</c:note></c:book>
  <c:book><c:title>&lt;Two&gt; <![CDATA[&]]></c:title></c:book>
  <c:more lang="fr">token</c:more>
</c:list>"""


def read(body: bytes) -> tuple[dict[str, str], list[XmlEntry]]:
    head, entries = read_entries(body, FORM, subject="the catalogue")
    return _stripped(head), [
        XmlEntry(
            _stripped(xml_entry.fields),
            [(name, part.strip()) for name, part in xml_entry.parts if part.strip()],
        )
        for xml_entry in entries
    ]


def _stripped(record: dict[str, str]) -> dict[str, str]:
    return {name: text.strip() for name, text in record.items() if text.strip()}


def test_an_entry_has_its_fields_by_name_and_its_parts_in_their_order() -> None:
    head, (first, second) = read(WHOLE)
    assert first.fields == {"book@lang": "de", "title": "One", "tag": f"a{TEXT_SEPARATOR}b", "note": "last"}
    assert first.parts == [("author@role", "first"), ("name", "Ada"), ("place", "Here"), ("name", "Bob")]
    assert (second.fields, second.parts) == ({"title": "<Two> &"}, [])
    assert head == {"list@lang": "en", "made": "today", "more": "token", "more@lang": "fr"}


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=9).filter(
    str.strip
)


@given(st.lists(st.tuples(texts, st.lists(texts, max_size=4))))
def test_what_was_written_is_read_again(books: Sequence[tuple[str, list[str]]]) -> None:
    text = "".join(
        f"<book lang={quoteattr(title)}><title>{escape(title)}</title>"
        f"{''.join(f'<author><name>{escape(name)}</name></author>' for name in authors)}</book>"
        for title, authors in books
    )
    _, entries = read_entries(f"<list>{text}</list>".encode(), FORM, subject="the catalogue")
    assert [
        (xml_entry.fields["title"], [part for _, part in xml_entry.parts]) for xml_entry in entries
    ] == books


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_a_document_is_read_in_the_encoding_that_it_declares(encoding: str) -> None:
    body = f'<?xml version="1.0" encoding="{encoding}"?><list><book><title>Erd\xf6s</title></book></list>'
    assert read(body.encode(encoding))[1][0].fields == {"title": "Erd\xf6s"}


@given(st.integers(0, len(WHOLE) - 1))
def test_a_document_cut_anywhere_is_none(cut: int) -> None:
    with pytest.raises(SourceError, match=r"^the catalogue (is cut off|came back empty)"):
        read(WHOLE[:cut])


@for_each_case(
    ("body", "text"),
    [
        (b" \n", "the catalogue came back empty."),
        (b"<feed/>", "the catalogue is a document of <feed>, not a valid catalogue."),
        (b"<!DOCTYPE list><list/>", "a document with a DOCTYPE, which catalogues do not have"),
        (b"<!DOCTYPE html><html/>", "a web page, perhaps from a proxy or a login"),
        (b"<?xml version='1.0' encoding='nonsense'?><list/>", "cannot be read"),
        (b"<list><book></list>", "cannot be read because it is not well-formed XML"),
    ],
)
def test_what_is_no_whole_document_of_the_maker_is_told(body: bytes, text: str) -> None:
    with pytest.raises(SourceError) as error:
        read(body)
    assert text in str(error.value)


def test_a_bomb_of_entities_is_refused_before_it_goes_off() -> None:
    lines = "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10))
    bomb = f"<!DOCTYPE list [<!ENTITY a0 'ha'>{lines}]><list><book>&a9;</book></list>"
    for encoding in ("utf-8", "utf-16"):
        with pytest.raises(SourceError, match="a document with a DOCTYPE"):
            read(bomb.encode(encoding))
