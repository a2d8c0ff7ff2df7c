"""What programs that read Markdown make of an edition, whatever its papers say."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from digest.model import Abstracts, BatchState, Edition
from digest.render.delivery.mail import render_mail
from digest.render.delivery.markdown import escape_markdown, escape_target, render_markdown
from digest.render.environment import make_environment, remove_unprintable
from digest.render.papers.paper_view import make_paper_view
from tests.render.samples import (
    SITE,
    make_batch,
    make_edition,
    make_edition_of_three_parts,
    make_item,
    make_reason,
)

ENVIRONMENT = make_environment()
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = st.one_of(
    st.text(),
    st.text(alphabet="\\`*_[](){}<>&~|$#!-+=.:;\"'/ \n\t01aKV", max_size=40),
    st.sampled_from(["---", "# h", "1. x", "1) x", "> q", "- x", "+", "==", "```", "~~~", "| a |", "[a]: b"]),
    st.sampled_from(
        ["<!-- x", "<div>", "</h3>", "<b>x</b>", "&lt;", "&#35;", "![x](y)", "**x**", "a\n\n# b"]
    ),
).map(remove_unprintable)


def made(edition: Edition) -> list[Token]:
    return READER.parse(render_markdown(ENVIRONMENT, edition, SITE))


def inner(tokens: list[Token]) -> list[Token]:
    return list(chain.from_iterable(token.children or [] for token in tokens))


def links(tokens: list[Token]) -> list[Any]:
    return [token.attrs["href"] for token in inner(tokens) if token.type == "link_open"]


def text_of(token: Token) -> str:
    return "".join(child.content for child in token.children or [])


def headings(tokens: list[Token]) -> list[str]:
    return [text_of(tokens[n + 1]) for n, token in enumerate(tokens) if token.type == "heading_open"]


def line(text: str) -> str:
    return " ".join(text.split())


def test_an_edition_reads_well_as_it_is() -> None:
    text = render_markdown(ENVIRONMENT, make_edition_of_three_parts(), SITE)

    assert text.startswith(
        "# llm-systems\n\nFriday 12 June 2026\n\n1 new · 1 maybe · 1 new version · complete"
    )
    assert "\n\n### [SplitZip 1: Lossless KV Compression](https://arxiv.org/abs/2606.00001)\n\n" in text
    assert "\n\nWe compress the **KV cache** number 1." in text
    assert "\n\n*KV cache* · cs.DC, cs.LG · [PDF](https://arxiv.org/pdf/2606.00001) · [HTML](" in text
    assert "\n- [SplitZip 4: Lossless KV Compression](https://arxiv.org/abs/2606.00004) · " in text
    assert "\n5 more papers match and come first in the next edition." in text
    assert text.rstrip().endswith("complete according to the feed, 212 listings.")


def test_only_what_is_not_expected_has_a_heading() -> None:
    tokens = made(make_edition_of_three_parts())

    assert headings(tokens) == [
        "llm-systems",
        "SplitZip 1: Lossless KV Compression",
        "Maybe: initials or namesakes",
        "SplitZip 2: Lossless KV Compression",
        "New versions",
        "SplitZip 3: Lossless KV Compression",
        "More papers in brief",
    ]


def test_it_has_the_papers_and_the_links_of_the_mail() -> None:
    mail = render_mail(ENVIRONMENT, make_edition_of_three_parts(), SITE)

    assert links(made(make_edition_of_three_parts())) == [
        link for link in re.findall(r'href="([^"]+)"', mail.html) if not link.startswith("mailto:")
    ]


@pytest.mark.parametrize(
    ("abstracts", "shown"),
    [
        (Abstracts.NONE, []),
        (Abstracts.FIRST, ["One.", "Two."]),
        (Abstracts.FULL, ["One.", "Two.", "Three."]),
    ],
)
def test_it_has_as_much_of_abstracts_as_the_reader_wants(abstracts: Abstracts, shown: list[str]) -> None:
    edition = make_edition(make_item(1, abstract="One. Two. Three."), abstracts=abstracts)

    text = render_markdown(ENVIRONMENT, edition, SITE)

    assert [sentence for sentence in ("One.", "Two.", "Three.") if sentence in text] == shown


def test_what_is_missing_is_said_before_the_papers() -> None:
    tokens = made(make_edition(batches=(make_batch(state=BatchState.FAILED),)))

    assert [token.type for token in tokens].count("blockquote_open") == 1
    assert "not available" in text_of(next(token for token in tokens if token.level == 2 and token.content))


@given(HOSTILE)
def test_a_text_is_a_paragraph_of_its_words(text: str) -> None:
    tokens = READER.parse(escape_markdown(text))

    assert [token.type for token in tokens] == (
        ["paragraph_open", "inline", "paragraph_close"] * bool(line(text))
    )
    assert [text_of(token) for token in tokens if token.type == "inline"] == [line(text)] * bool(line(text))
    assert {child.type for child in inner(tokens)} <= {"text"}


@given(HOSTILE, st.from_regex(r"\w+( \w+)?", fullmatch=True), HOSTILE)
def test_marked_words_are_strong_and_all_else_is_text(before: str, word: str, behind: str) -> None:
    html = Markup("{} <b>{}</b> {}").format(before, word, behind)

    tokens = READER.parse(escape_markdown(html))

    assert [text_of(token) for token in tokens if token.type == "inline"] == [
        line(f"{before} {word} {behind}")
    ]
    assert [child.type for child in inner(tokens) if child.type != "text"] == ["strong_open", "strong_close"]


@given(title=HOSTILE, abstract=HOSTILE, follow=HOSTILE)
@example(title="KV cache\n# and more", abstract="KV cache\n\n- a\n- b", follow="KV cache](x)")
def test_no_paper_changes_the_shape_of_its_edition(title: str, abstract: str, follow: str) -> None:
    item = make_item(
        1, title=title, abstract=f"- KV cache {abstract}", reasons=[make_reason(follow, title=["KV cache"])]
    )
    tame = made(make_edition(make_item(1), make_item(2), overflow=(make_item(3),)))

    tokens = made(make_edition(item, make_item(2), overflow=(make_item(3),)))

    assert [token.type for token in tokens] == [token.type for token in tame]
    assert links(tokens) == links(tame)
    text = line(remove_unprintable(make_paper_view(item, SITE).title.text))
    assert headings(tokens)[1] == text


@given(st.text())
def test_an_address_ends_where_it_should(end: str) -> None:
    tokens = READER.parse(f"[x]({escape_target('https://example.org/?a=1&copy;' + end)}) y")

    assert [text_of(token) for token in tokens if token.type == "inline"] == ["x y"]


@pytest.mark.parametrize("url", ["https://a.example/b?c=1&d=2&copy;#e", "https://doi.org/10.1/a_b;c%28d%29"])
def test_an_address_is_the_same_behind_the_reader(url: str) -> None:
    assert links(READER.parse(f"[x]({escape_target(url)})")) == [url]
