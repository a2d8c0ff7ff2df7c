"""An excerpt has whole sentences: the one that says what is new, and one with what the reader follows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.excerpts.key_sentences import (
    MAX_SENTENCE_LENGTH,
    find_key_sentences,
    make_key_excerpt,
)
from digest.core.text.sentences import split_sentences
from tests.support.cases import for_each_case

SENTENCES = [
    "Rain is often important for apples.",
    "Pears remain unclear.",
    "In this paper, we show that apples need 20% less water than pears in dry summers.",
    "Plums were not observed.",
    "Future work may study cherries, pears and rain.",
]
ABSTRACT = " ".join(SENTENCES)
NEW = SENTENCES[2]


def _find_spans(text: str, *words: str) -> list[tuple[int, int]]:
    return [
        (start, start + len(word))
        for word in words
        for start in range(len(text))
        if text.startswith(word, start)
    ]


NEXT_BEST = SENTENCES[3]


@for_each_case(
    ("followed", "excerpt"),
    [
        ([], f"{NEW} {NEXT_BEST}"),
        (["apples need"], f"{NEW} {NEXT_BEST}"),
        (["water", "Rain"], f"{NEW} {NEXT_BEST}"),
        (["Plums"], f"{NEW} {NEXT_BEST}"),
        (["Plums", "Rain"], f"{NEW} {NEXT_BEST}"),
        (["Rain"], f"{SENTENCES[0]} … {NEW}"),
        (["unclear"], f"{SENTENCES[1]} {NEW}"),
        (["cherries"], f"{NEW} … {SENTENCES[4]}"),
        (["cherries", "unclear"], f"{SENTENCES[1]} {NEW}"),
    ],
)
def test_an_excerpt_has_what_is_new_and_what_the_reader_follows_or_the_next_best(
    followed: list[str], excerpt: str
) -> None:
    assert make_key_excerpt(find_key_sentences(ABSTRACT), _find_spans(ABSTRACT, *followed)) == excerpt


@for_each_case("followed", [[], ["Rain"], ["cherries", "water"]])
def test_where_there_is_room_for_one_sentence_it_is_what_is_new(followed: list[str]) -> None:
    spans = _find_spans(ABSTRACT, *followed)

    assert make_key_excerpt(find_key_sentences(ABSTRACT), spans, count=1) == NEW


@given(st.lists(st.sampled_from([*SENTENCES, "We propose it.", "Is it so?"]), max_size=8), st.text())
def test_each_sentence_of_an_abstract_has_one_rank(texts: list[str], title: str) -> None:
    key_sentences = find_key_sentences(" ".join(texts), title)

    assert sorted(key_sentences.ranked) == list(range(len(key_sentences.spans)))


def test_an_abstract_without_text_has_an_empty_excerpt() -> None:
    assert make_key_excerpt(find_key_sentences(" "), [(0, 1)]) == ""


@for_each_case("text", ["Withdrawn.", "Only a fragment without an end"])
def test_a_single_sentence_is_its_own_excerpt(text: str) -> None:
    assert make_key_excerpt(find_key_sentences(text), [(0, 4)]) == text


@given(
    st.lists(st.sampled_from([*SENTENCES, "We propose it.", "Is it so?"]), min_size=1, max_size=8),
    st.lists(st.integers(0, 300), max_size=4),
    st.integers(1, 2),
)
def test_an_excerpt_is_as_many_whole_sentences_as_fit_in_their_order(
    texts: list[str], starts: list[int], count: int
) -> None:
    text = " ".join(texts)
    followed = [(start, start + 1) for start in starts if start < len(text)]

    excerpt = make_key_excerpt(find_key_sentences(text), followed, count=count)

    parts = [sentence for part in excerpt.split(" … ") for sentence in split_sentences(part)]
    assert len(parts) == min(count, len(texts))
    assert any(
        parts == list(chosen)
        for chosen in ([(one,) for one in texts] if len(parts) == 1 else _list_pairs(texts))
    )
    assert not excerpt.startswith("…")
    assert not excerpt.endswith("…")
    if " … " not in excerpt:
        assert excerpt in text


def _list_pairs(texts: list[str]) -> list[tuple[str, str]]:
    return [(before, after) for index, before in enumerate(texts) for after in texts[index + 1 :]]


LONG = "We propose wells, " + "which are deep, " * 60 + "and which end with water, at last."


def test_a_sentence_of_more_than_600_characters_is_cut_at_the_end_of_a_clause() -> None:
    excerpt = make_key_excerpt(find_key_sentences(f"Rain is rare. {LONG} It ends."), count=1)

    assert excerpt.startswith("We propose wells, which are deep")
    assert excerpt.endswith("which are deep …")
    assert MAX_SENTENCE_LENGTH / 2 < len(excerpt) <= MAX_SENTENCE_LENGTH + 2


def test_a_followed_word_at_the_end_of_a_long_sentence_is_shown() -> None:
    text = f"Rain is rare. {LONG} It ends."

    excerpt = make_key_excerpt(find_key_sentences(text), _find_spans(text, "water"), count=1)

    assert excerpt.startswith("… which are deep")
    assert excerpt.endswith("and which end with water, at last.")
    assert len(excerpt) <= MAX_SENTENCE_LENGTH + 4


def test_two_sentences_have_one_ellipsis_between_them_if_one_is_cut() -> None:
    text = f"{LONG} It ends with rain."

    excerpt = make_key_excerpt(find_key_sentences(text), _find_spans(text, "rain"))

    assert excerpt.endswith("which are deep … It ends with rain.")


@given(st.text(max_size=3000), st.lists(st.integers(0, 3000), max_size=5))
def test_no_excerpt_is_longer_than_two_long_sentences(text: str, starts: list[int]) -> None:
    excerpt = make_key_excerpt(find_key_sentences(text), [(start, start + 3) for start in starts])

    assert len(excerpt) <= 2 * (MAX_SENTENCE_LENGTH + 4) + 3


@for_each_case("piece", ["a", ", ", "We dig. ", "a b"])
def test_any_text_has_an_excerpt_in_linear_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))

    assert make_key_excerpt(find_key_sentences(text), [(99_990, 99_995)])
