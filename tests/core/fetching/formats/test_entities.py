"""No document declares what its words stand for, whichever encoding it is written in."""

from __future__ import annotations

import encodings
import pkgutil
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.formats.any_feed import read_any_feed
from digest.core.fetching.formats.feed_xml import read_feed
from digest.core.fetching.formats.xml_tree import extract_text, read_tree
from digest.errors import SourceError
from tests.support.cases import for_each_case

SECRET = "hunter2"
DECLARATIONS = [
    f'<!ENTITY a "{SECRET}">',
    f'<!ENTITY b "{SECRET}"><!ENTITY a "&b;&b;">',
    f"<!ENTITY % p \"<!ENTITY a '{SECRET}'>\"> %p;",
    f"<!ENTITY % p \"&#60;!ENTITY a '{SECRET}'>\"> %p;",
    f'<!ENT<!ENTITY x "">ITY a "{SECRET}">',
]
BEFORE = ["", "\n", "<!-- <a> -->", "<?a b?>", "<!-- <!DOCTYPE x> -->\n", "<?a <b?>\n<!-- -->"]
ENDING = "<rss version='2.0'><channel><item><title>T &a; T</title></item></channel></rss>"


def codecs() -> Iterator[str]:
    """The encodings of texts that Python knows and that have all signs of these documents."""
    signs = "".join([*BEFORE, *DECLARATIONS, ENDING])
    for module in pkgutil.iter_modules(encodings.__path__):
        try:
            if isinstance(signs.encode(module.name), bytes):
                yield module.name
        except (LookupError, UnicodeError):
            continue


CODECS = sorted(codecs())


def written(encoding: str, declared: str | None, before: str, declarations: str) -> bytes:
    first = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    return f"{first}{before}<!DOCTYPE rss [{declarations}]>{ENDING}".encode(encoding)


def expat_name(encoding: str) -> str:
    """What expat calls it: a document in UTF-16 shows the order of its bytes by itself."""
    return "utf-16" if encoding.startswith("utf-16") else encoding


def as_tree(body: bytes) -> str:
    return extract_text(read_tree(body, frozenset({"rss"}), subject="the document"))


def as_feed(body: bytes) -> str:
    return str(read_feed(body, "the document"))


def as_any_feed(body: bytes, content_type: str = "") -> str:
    return str(
        read_any_feed(body, content_type=content_type, address="https://a.org", subject="the document")
    )


# Python's own codec `unicode_escape`, which no document has, warns of escapes; a command shows no such warning.
@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")
@given(
    encoding=st.sampled_from(CODECS),
    told=st.sampled_from(["", "declared", "header", "as utf-16", "as utf-8"]),
    before=st.sampled_from(BEFORE),
    declarations=st.sampled_from(DECLARATIONS),
)
def test_no_encoding_hides_the_declaration_of_an_entity(
    encoding: str, told: str, before: str, declarations: str
) -> None:
    declared = {"declared": encoding, "as utf-16": "utf-16", "as utf-8": "utf-8"}.get(told)
    body = written(encoding, declared, before, declarations)
    header = f"application/xml; charset={encoding}" if told == "header" else ""
    for read in (as_tree, as_feed, lambda body: as_any_feed(body, header)):
        try:
            text = read(body)
        except SourceError:
            continue
        assert SECRET not in text


@for_each_case("read", [as_tree, as_feed], ids=["a tree", "a feed"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"])
def test_a_known_maker_that_declares_entities_is_refused_as_one_that_does(
    read: Callable[[bytes], str], encoding: str
) -> None:
    with pytest.raises(SourceError, match=r"has a document type declaration|a document with a DOCTYPE"):
        read(written(encoding, expat_name(encoding), "", DECLARATIONS[0]))


@for_each_case("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_a_doctype_that_declares_nothing_is_skipped_in_any_encoding(encoding: str) -> None:
    doctype = '<!DOCTYPE rss PUBLIC "-//A//B" "a.dtd">'
    body = f'<?xml version="1.0" encoding="{expat_name(encoding)}"?>\n<!-- [ -->{doctype}<rss>é</rss>'.encode(
        encoding
    )
    assert as_tree(body) == "é"


@for_each_case(
    "encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32", "utf-7", "cp037", "shift_jis", "koi8-r"]
)
def test_a_feed_of_anybody_is_read_in_the_encoding_that_it_declares(encoding: str) -> None:
    ending = ENDING.replace("&a;", "&#xe9;")
    body = f'<?xml version="1.0" encoding="{encoding}"?>{ending}'.encode(encoding)
    assert "T é T" in as_any_feed(body)


def test_a_post_about_entities_takes_no_words_behind_it() -> None:
    post = "<item><title><![CDATA[How to write <!ENTITY]]></title></item><item><title>The next</title></item>"
    titles = as_any_feed(f"<rss version='2.0'><channel>{post}</channel></rss>".encode())
    assert "How to write" in titles
    assert "'The next'" in titles
