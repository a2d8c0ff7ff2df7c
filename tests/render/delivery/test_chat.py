"""An edition in a chat: its papers, why they are there, what is missing, and where all of it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.chat import Markup, make_messages
from digest.model import Author, BatchState, Chat, Confidence, Edition, MissedEdition
from digest.render.delivery.chat import make_chat, make_chat_notice
from tests.render.samples import (
    NOW,
    SITE,
    make_batch,
    make_edition,
    make_edition_of_three_parts,
    make_item,
    make_reason,
)

PAGE = "https://digest.example.org/editions/token"


def told(edition: Edition, page: str = PAGE) -> Chat:
    return make_chat(edition, SITE, delivery=7, address="slack://…/ab12", page=page)


def text(edition: Edition, page: str = PAGE) -> str:
    return "\n---\n".join(make_messages(told(edition, page), Markup.TEXT, 20_000))


def test_each_paper_has_its_link_its_authors_and_why_it_is_there() -> None:
    shown = text(make_edition(make_item(1, reasons=[make_reason("KV cache", title=["KV"])])))

    assert "1. SplitZip 1: Lossless KV Compression\nhttps://arxiv.org/abs/2606.00001\n" in shown
    assert "Yipin Guo, Siddharth Joshi\n" in shown
    assert "Because you follow: KV cache" in shown
    assert shown.endswith(f"The whole edition\n{PAGE}")


def test_the_parts_have_their_headings_once_and_all_papers_are_there() -> None:
    edition = make_edition_of_three_parts()
    shown = text(edition)

    assert shown.count("New papers") == 1
    assert [shown.count(item.paper.url) for item in edition.items] == [1] * len(edition.items)


def test_what_is_missing_is_said() -> None:
    edition = make_edition(batches=(make_batch(state=BatchState.FAILED),))

    assert "arXiv cs.DC, Friday 12 June: not available" in text(edition)


def test_an_empty_edition_says_why() -> None:
    shown = text(make_edition(), page="")

    assert "none of the" in shown.lower()


def test_whom_a_reader_follows_stands_out() -> None:
    item = make_item(1, reasons=[make_reason('author:"Yipin Guo"', Confidence.SURELY, author=["Yipin Guo"])])
    spans = [span for full, _ in told(make_edition(item)).papers for line in full for span in line]

    assert [span.text for span in spans if span.strong and not span.url and "Guo" in span.text] == [
        "Yipin Guo"
    ]


def test_the_title_is_that_of_the_mail_and_a_test_is_marked() -> None:
    edition = make_edition(make_item(1))

    assert told(edition).title.startswith("12 Jun: ")
    assert (
        make_chat(edition, SITE, delivery=0, address="a", subject_prefix="[test]").title
        == f"[test] {told(edition).title}"
    )


@pytest.mark.parametrize("markup", Markup)
@given(hostile=st.text(max_size=80))
def test_no_text_adds_a_line_or_a_sign_that_turns_others_round(markup: Markup, hostile: str) -> None:
    nasty = f"{hostile}\u202e\n\r\x00{hostile}"
    edition = make_edition(make_item(1, title=nasty, authors=(Author(name=nasty),)))
    plainly = make_edition(make_item(1, title="x", authors=(Author(name="y"),)))

    chat = told(replace(edition, title=nasty))
    shape = [len(full) for full, _ in chat.papers]
    assert shape == [len(full) for full, _ in told(plainly).papers]
    assert not {"\u202e", "\x00", "\r"} & set("".join(make_messages(chat, markup, 4000)) + chat.title)
    assert "\n" not in chat.title


def test_a_notice_is_its_sentences() -> None:
    chat = make_chat_notice("Lab: a trouble", ("One.", "Two."), address="a")

    assert make_messages(chat, Markup.TEXT, 500) == ("One.\nTwo.",)


def test_editions_that_did_not_arrive_are_named_with_their_page() -> None:
    gone = MissedEdition(
        edition=1, period="2026-06-11T07:30", zone="UTC", composed_at=NOW, page="https://d.example/1"
    )
    made = text(make_edition(make_item(1), missed=(gone,)))

    assert (
        "Your edition of Thursday 11 June could not be delivered.\nRead it here\nhttps://d.example/1" in made
    )
