"""An excerpt of an abstract has as many whole sentences as its paper has room for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.text.sentences import split_sentences
from digest.model import Abstracts
from digest.render.papers.excerpts import make_excerpt, shorten_line
from tests.support.cases import for_each_case


@for_each_case(
    ("text", "short"),
    [
        ("Few words", "Few words"),
        ("Some more words than fit", "Some more words …"),
        ("圧縮" * 20, "圧縮" * 9 + " …"),
    ],
)
def test_a_long_line_is_cut_at_a_blank_if_there_is_one(text: str, short: str) -> None:
    assert shorten_line(text, 20) == short


@given(st.text(max_size=200), st.integers(3, 150))
def test_a_cut_line_is_the_beginning_of_the_whole_and_has_room(text: str, most: int) -> None:
    short = shorten_line(text, most)

    assert len(short) <= most
    assert short == text or text.startswith(short.removesuffix(" …"))


BEGINNING = "Caches are large. They hold keys."
NEW = "In this paper, we propose SplitZip, a framework that makes them 20% smaller."
ABSTRACT = f"{BEGINNING} It is unclear why. {NEW} The code is small. It may end with rain."


@for_each_case(
    ("abstracts", "count", "words", "excerpt"),
    [
        (Abstracts.KEY, 1, [], NEW),
        (Abstracts.KEY, 1, ["rain"], NEW),
        (Abstracts.KEY, 2, ["rain"], f"{NEW} … It may end with rain."),
        (Abstracts.KEY, 2, ["unclear"], f"It is unclear why. {NEW}"),
        (Abstracts.FIRST, 1, [], "Caches are large."),
        (Abstracts.FIRST, 1, ["rain"], "Caches are large."),
        (Abstracts.FIRST, 2, [], BEGINNING),
        (Abstracts.FIRST, 2, ["keys"], BEGINNING),
        (Abstracts.FIRST, 2, ["elsewhere"], BEGINNING),
        (Abstracts.FIRST, 2, ["rain", "keys"], BEGINNING),
        (Abstracts.FIRST, 2, ["rain", "SplitZip"], f"Caches are large. … {NEW}"),
        (Abstracts.FULL, 1, ["rain"], ABSTRACT),
        (Abstracts.FULL, 2, [], ABSTRACT),
        (Abstracts.NONE, 2, ["rain"], ""),
    ],
)
def test_an_excerpt_has_the_sentences_that_the_reader_chose_and_one_with_what_the_reader_follows(
    abstracts: Abstracts, count: int, words: list[str], excerpt: str
) -> None:
    assert make_excerpt(ABSTRACT, abstracts, count, words) == excerpt


def test_the_title_helps_to_find_what_is_new() -> None:
    apples, pears = (
        "We study the colour of apples in wet winters.",
        "We study the taste of pears in dry summers.",
    )

    for title, excerpt in ((apples[9:-1], apples), (pears[9:-1], pears)):
        assert make_excerpt(f"{apples} {pears}", Abstracts.KEY, 1, [], title) == excerpt


def test_a_word_within_another_chooses_no_sentence() -> None:
    assert make_excerpt(f"{BEGINNING} It is ragged.", Abstracts.FIRST, 2, ["rag"]) == BEGINNING


@for_each_case("abstracts", list(Abstracts))
def test_a_paper_without_an_abstract_has_no_excerpt(abstracts: Abstracts) -> None:
    assert make_excerpt("", abstracts, 2, ["rain"]) == ""


def test_a_whole_abstract_without_end_is_cut() -> None:
    whole = make_excerpt("We go on and on. " * 1000, Abstracts.FULL, 2, [])

    assert whole.endswith(" …")
    assert 3_900 < len(whole) <= 4_000


@given(
    st.lists(st.sampled_from([BEGINNING, NEW, "Is it so?", "It ends with rain."]), min_size=1, max_size=6),
    st.sampled_from([Abstracts.KEY, Abstracts.FIRST]),
    st.integers(1, 2),
    st.lists(st.sampled_from(["rain", "keys", "SplitZip", "so", "x"]), max_size=3),
)
def test_an_excerpt_is_made_of_whole_sentences_no_more_than_there_is_room_for(
    texts: list[str], abstracts: Abstracts, count: int, words: list[str]
) -> None:
    abstract = " ".join(texts)

    excerpt = make_excerpt(abstract, abstracts, count, words)

    sentences = [sentence for piece in excerpt.split(" … ") for sentence in split_sentences(piece)]
    assert len(sentences) == min(count, len(split_sentences(abstract)))
    assert all(sentence in split_sentences(abstract) for sentence in sentences)


@given(
    st.text(max_size=300),
    st.sampled_from(Abstracts),
    st.integers(1, 2),
    st.lists(st.text(max_size=5), max_size=3),
)
def test_an_excerpt_says_nothing_that_the_abstract_does_not(
    text: str, abstracts: Abstracts, count: int, words: list[str]
) -> None:
    abstract = " ".join(text.split())

    excerpt = make_excerpt(abstract, abstracts, count, words)

    assert excerpt in abstract or all(piece in abstract for piece in excerpt.split(" … "))
