"""A page that would keep a parser busy for minutes is known before it is parsed."""

from __future__ import annotations

import pytest

from digest.core.fetching.formats.html_bounds import MAX_DEPTH, is_bounded
from tests.support.cases import for_each_case

MANY = 100_000


@for_each_case(
    "body",
    [
        b"<div>" * MANY,
        b"<DIV><b>" * MANY,
        b"<div><!-- </div> -->" * MANY,
        b"<div></span>" * MANY,
        b"<div><a title='</div>'></a>" * MANY,
        b"<div><script></div></script>" * MANY,
        b"<div><title></div></title>" * MANY,
        b"<body " + b" ".join(b"a%d=1" % number for number in range(20_000)) + b">",
    ],
)
def test_a_page_with_very_deep_or_very_wide_elements_is_not_parsed(body: bytes) -> None:
    assert not is_bounded(b"<html>" + body + b"</html>")


@for_each_case(
    "body",
    [
        b"<p>text" * MANY,
        b"<dl>" + b"<dt>1<dd>text<br>" * MANY + b"</dl>",
        b"<div><p>text</div>" * MANY,
        b"<!-- <div> -->" * MANY,
        b"<script>" + b"'<div>';" * MANY + b"</script>",
        b"<div>" * MAX_DEPTH,
        b"<img src='x'/><input>" * MANY,
        b"a < b " * MANY,
    ],
)
def test_a_long_page_of_flat_elements_is_parsed(body: bytes) -> None:
    assert is_bounded(body)


@pytest.mark.parametrize("start", [b"<!--", b"<script>", b"<a '", b'<a "', b"<", b"<a b='\"", b"</"])
def test_what_never_ends_is_looked_at_once(start: bytes) -> None:
    is_bounded(start * MANY)
