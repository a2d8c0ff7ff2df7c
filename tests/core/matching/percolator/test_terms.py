from __future__ import annotations

from datetime import date
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.percolator.terms import (
    iter_piece_keys,
    list_word_sequences,
    make_keys,
    make_text_keys,
)
from digest.core.text.words import find_forms, find_query_forms, split_piece, tex_to_unicode
from tests.simulation.recorded_days import read_papers_of_day

WORDS = st.sampled_from(
    [
        "GPS",
        "GPs",
        "gps",
        "models",
        "Models",
        "modeling",
        "model",
        "studies",
        "study",
        "studied",
        "bases",
        "basis",
        "base",
        "data",
        "datum",
        "GPUs",
        "mice",
        "mouse",
        "Gödel",
        "Goedel",
        "C++",
        "C#",
        "process",
        "processing",
        "control",
        "controlling",
        "run",
        "running",
        "rate",
        "rating",
        "rat",
        "AIs",
        "3.5",
        "naïve",
        "深度学习",
        "ΛCDM",
        "LambdaCDM",
        "σ₈",
        "Ca²⁺",
        "Ca2+",
        "T_c",
        "90s",
        "ㄱㅏ",
        "ｶﾞ",
    ]
)


@given(WORDS | st.text(max_size=12), WORDS | st.text(max_size=12))
def test_words_that_fit_have_a_key_in_common(printed: str, asked: str) -> None:
    for part in split_piece("".join(printed.split())).parts:
        for other in split_piece("".join(asked.split())).parts:
            if not find_forms(part).isdisjoint(find_query_forms(other)):
                assert set(make_keys(find_forms(part))) & set(make_keys(find_query_forms(other)))


def test_most_words_of_a_day_have_one_key_and_forms_of_one_word_the_same(data: Path) -> None:
    words = {
        part
        for paper in read_papers_of_day(data, date(2026, 5, 12))
        for printed in tex_to_unicode(paper.abstract).split()
        for part in split_piece(printed).parts
    }
    several = [word for word in words if len(make_keys(find_forms(word))) > 1]
    meeting: dict[str, set[tuple[str, ...]]] = {}
    for word in words:
        for form in find_forms(word):
            meeting.setdefault(form, set()).add(make_keys(find_forms(word)))

    assert len(several) < len(words) / 100
    assert all(set.intersection(*map(set, keys)) for keys in meeting.values())


def test_a_piece_of_a_text_tells_its_parts_and_what_is_joined_of_them() -> None:
    assert dict(iter_piece_keys("(multi-modal),")) == {
        word: frozenset([word]) for word in ("multi", "modal", "multimodal")
    }
    assert not list(iter_piece_keys("–"))


@given(WORDS | st.text(max_size=12))
def test_a_word_of_a_text_has_the_keys_of_its_forms(printed: str) -> None:
    for part in split_piece("".join(printed.split())).parts:
        assert make_text_keys(part) == tuple((key, find_forms(part)) for key in make_keys(find_forms(part)))


def test_a_phrase_is_printed_with_and_without_its_hyphens() -> None:
    assert list_word_sequences((("multi", "modal"), ("model",))) == [
        ("multi", "modal", "model"),
        ("multimodal", "model"),
    ]
    assert list_word_sequences((("a", "b", "c"),)) == [("a", "b", "c"), ("a", "bc"), ("ab", "c"), ("abc",)]
    assert list_word_sequences((("a",) * 20,)) is None


@given(st.text(max_size=40) | st.lists(WORDS | st.sampled_from(".-_^+(*'"), max_size=9).map("".join))
def test_pieces_are_read_as_the_text_that_they_stand_in(text: str) -> None:
    from digest.core.papers.document import SPAN_BITS, Text
    from digest.core.text.words import extract_words

    readable = tex_to_unicode(text)
    full_text = Text(source_lines=(text,)) if text else Text(source_lines=())
    assert {(form, at) for form, places in full_text.occurrences.items() for at in places} == {
        (form, word.position << SPAN_BITS | word.span)
        for word in extract_words(readable)
        for form in word.forms
    }
    if text:
        assert list(zip(*full_text.spans, strict=True)) == [
            (word.start, word.end) for word in extract_words(readable) if word.span == 1
        ]
    assert full_text.split_pieces() == readable.split()
