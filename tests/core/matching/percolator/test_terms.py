from __future__ import annotations

from datetime import date
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.percolator.terms import every_word, keys_of, ways, words_of
from digest.core.text.words import forms, piece, tex_to_unicode, wanted
from tests.simulation.recorded_days import papers_of

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
    for one in piece("".join(printed.split())).parts:
        for other in piece("".join(asked.split())).parts:
            if not forms(one).isdisjoint(wanted(other)):
                assert set(keys_of(forms(one))) & set(keys_of(wanted(other)))


def test_most_words_of_a_day_have_one_key_and_forms_of_one_word_the_same(data: Path) -> None:
    words = {
        part
        for paper in papers_of(data, date(2026, 5, 12))
        for printed in tex_to_unicode(paper.abstract).split()
        for part in piece(printed).parts
    }
    several = [word for word in words if len(keys_of(forms(word))) > 1]
    meeting: dict[str, set[tuple[str, ...]]] = {}
    for word in words:
        for form in forms(word):
            meeting.setdefault(form, set()).add(keys_of(forms(word)))

    assert len(several) < len(words) / 100
    assert all(set.intersection(*map(set, keys)) for keys in meeting.values())


def test_a_piece_of_a_text_tells_its_parts_and_what_is_joined_of_them() -> None:
    assert dict(every_word("(multi-modal),")) == {
        word: frozenset([word]) for word in ("multi", "modal", "multimodal")
    }
    assert not list(every_word("–"))


@given(WORDS | st.text(max_size=12))
def test_a_word_of_a_text_has_the_keys_of_its_forms(printed: str) -> None:
    for part in piece("".join(printed.split())).parts:
        assert words_of(part) == tuple((key, forms(part)) for key in keys_of(forms(part)))


def test_a_phrase_is_printed_with_and_without_its_hyphens() -> None:
    assert ways((("multi", "modal"), ("model",))) == [("multi", "modal", "model"), ("multimodal", "model")]
    assert ways((("a", "b", "c"),)) == [("a", "b", "c"), ("a", "bc"), ("ab", "c"), ("abc",)]
    assert ways((("a",) * 20,)) is None


@given(st.text(max_size=40) | st.lists(WORDS | st.sampled_from(".-_^+(*'"), max_size=9).map("".join))
def test_pieces_are_read_as_the_text_that_they_stand_in(text: str) -> None:
    from digest.core.papers.document import SPAN, Text
    from digest.core.text.words import words

    readable = tex_to_unicode(text)
    whole = Text(announced=(text,)) if text else Text(announced=())
    assert {(form, at) for form, places in whole.where.items() for at in places} == {
        (form, word.position << SPAN | word.span) for word in words(readable) for form in word.forms
    }
    if text:
        assert list(zip(*whole.spans, strict=True)) == [
            (word.start, word.end) for word in words(readable) if word.span == 1
        ]
    assert whole.pieces() == readable.split()
