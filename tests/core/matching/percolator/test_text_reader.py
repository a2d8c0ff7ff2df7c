"""Reading of a text only what is asked for tells of it what reading all of its words does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse_with_hints
from digest.core.language.query import Exact, TextQuery
from digest.core.matching.percolator.text_reader import TextReader
from digest.core.matching.positions import find_spans
from digest.core.papers.document import ReadableText, Text
from digest.core.text.tex import tex_to_unicode
from digest.core.text.words import extract_words
from tests.support.cases import for_each_case

PIECES = st.sampled_from(
    [
        "the",
        "The",
        "of",
        "model",
        "models,",
        "model-of",
        "(model)",
        "multi-modal",
        "multimodal",
        "state-of-the-art",
        "GPs",
        "GPS",
        "GP",
        "A*",
        "A",
        "B*A",
        "ΛCDM",
        "Lambda-CDM",
        "L^p",
        "$L^{p}$",
        "C++",
        "C's",
        "深度学习",
        "学习",
        "2*3",
        "–",
        "-",
        "10¹⁴",
        "naïve\xa0Gödel",
        "data.",
    ]
)
TEXTS = st.lists(PIECES, max_size=30).map(" ".join)
QUERIES = [
    "multi-modal",
    '"state-of-the-art model"~3',
    '"the model"~20',
    '"of model"~2',
    '"multimodal model"',
    "multi-mod*",
    "mod*",
    "GPs",
    "GPS",
    "Lambda-CDM",
    "L^p",
    "C++",
    "深度学习",
    "Goedel",
]


def asked(text: str) -> TextQuery:
    query = parse_with_hints(text).query
    assert isinstance(query, TextQuery)
    return query


@for_each_case("written", QUERIES)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_what_stands_in_a_text_is_found_without_its_other_words(written: str, texts: list[str]) -> None:
    query = asked(written)
    reader = TextReader(query)
    for text in texts:
        assert reader.has_match(Text(source_lines=(text,))) == bool(
            find_spans(Text(source_lines=(text,)), query)
        )
    full_text = Text(source_lines=tuple(texts))
    assert reader.has_match(full_text) == bool(find_spans(full_text, query))


@given(TEXTS, st.data())
def test_an_exact_spelling_stands_where_words_begin_and_end(text: str, data: st.DataObject) -> None:
    readable = tex_to_unicode(text)
    text_words = [word for word in extract_words(readable) if word.span == 1]
    if not text_words:
        return
    first = data.draw(st.sampled_from(text_words))
    last = data.draw(st.sampled_from([word for word in text_words if word.start >= first.start][:4]))
    expected_readable = readable[first.start + data.draw(st.integers(0, 1)) : last.end]
    parts = [word for word in extract_words(expected_readable) if word.span == 1]
    if not parts:
        return
    starts, ends = {word.start for word in text_words}, {word.end for word in text_words}
    expected = [
        (at, at + len(expected_readable))
        for at in range(len(readable))
        if readable.startswith(expected_readable, at)
        and at + min(part.start for part in parts) in starts
        and at + max(part.end for part in parts) in ends
    ]
    assert find_spans(Text(source_lines=(text,)), Exact(text=expected_readable)) == expected


@for_each_case("text", ["", "Multi-modal  models of\n$L^p$", "TGF-β $x$ {y}", "深度学习\u3000的"])
def test_a_readable_text_is_read_as_the_announced_one_is(text: str) -> None:
    announced = Text(source_lines=(text,)) if text else Text(source_lines=())
    readable = ReadableText(source_lines=announced.lines)

    assert readable.text == announced.text
    assert readable.split_pieces() == announced.split_pieces()
    assert readable.occurrences == announced.occurrences
    assert readable.spans == announced.spans
