"""An edition in a chat: its papers, why they are there, what is missing, and where all of it is."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digest.core.delivery.chat import Markup, make_messages
from digest.core.delivery.slack_blocks import make_slack_messages
from digest.model import (
    Abstracts,
    Arrangement,
    Author,
    BatchState,
    Chat,
    Confidence,
    Edition,
    EditionPart,
    MissedEdition,
    PaperKey,
    Signal,
    Span,
)
from digest.render.delivery.chat import make_chat, make_chat_notice
from digest.render.delivery.line_sizes import MAX_CHAT_DETAILS, measure_chat_line
from digest.sources import hf_daily
from tests.render.samples import (
    FRIDAY,
    NOW,
    SITE,
    make_batch,
    make_edition,
    make_edition_of_three_parts,
    make_item,
    make_reason,
)
from tests.support.slack_rules import check_message, list_links

PAGE = "https://digest.example.org/editions/token"


def told(edition: Edition, page: str = PAGE) -> Chat:
    return make_chat(edition, SITE, delivery=7, address="slack://…/ab12", page=page)


def text(edition: Edition, page: str = PAGE) -> str:
    return "\n---\n".join(make_messages(told(edition, page), Markup.TEXT, 20_000))


def test_each_paper_has_its_link_its_authors_and_why_it_is_there() -> None:
    shown = text(make_edition(make_item(1, reasons=[make_reason("KV cache", title=["KV"])])))

    assert (
        "\nSplitZip 1: Lossless KV Compression\nhttps://arxiv.org/abs/2606.00001\n"
        "Yipin Guo, Siddharth Joshi\nWe compress the KV cache number 1. It costs O(n).\n"
        "KV cache · cs.DC, cs.LG\n"
    ) in shown
    assert shown.endswith(f"The whole edition\n{PAGE}")


def test_the_parts_have_their_headings_once_and_all_papers_are_there() -> None:
    edition = make_edition_of_three_parts()
    shown = text(edition)

    assert "New papers" not in shown  # what one expects first needs no heading
    assert shown.count("Maybe: initials or namesakes\n") == shown.count("New versions\n") == 1
    papers = [item.paper for item in (*edition.items, *edition.overflow)]
    assert [shown.count(paper.url) for paper in papers] == [1] * len(papers)


def test_the_first_papers_have_a_few_lines_and_the_others_one() -> None:
    edition = make_edition(*(make_item(n) for n in range(1, 31)), overflow=(make_item(31),))
    shown = text(edition)

    assert [len(full) for full, _ in told(edition).papers] == [4, 4, 4] + [1] * 28
    assert shown.count("Yipin Guo, Siddharth Joshi\n") == shown.count("We compress the KV cache") == 3
    assert shown.count("\n• SplitZip ") == 28
    for number in range(1, 32):
        assert shown.count(f"SplitZip {number}: ") == 1
        assert shown.count(f"https://arxiv.org/abs/2606.{number:05}\n") == 1


@pytest.mark.parametrize("full", [0, 1, 3, 12])
def test_no_more_papers_have_a_few_lines_than_the_reader_wants(full: int) -> None:
    papers = told(make_edition(*(make_item(number) for number in range(1, 6)), full=full)).papers

    assert [len(in_full) > 1 for in_full, _ in papers] == [number <= min(full, 3) for number in range(1, 6)]


def test_what_is_counted_of_a_paper_is_said_without_its_link() -> None:
    signals = tuple(
        Signal(subject=PaperKey("arxiv:2606.00001"), kind=kind, source="hf", day=FRIDAY, value=value)
        for kind, value in (("votes", 41), ("comments", 3), ("stars", 7))
    )
    item = make_item(1)
    item = replace(item, event=replace(item.event, signals=signals))
    site = replace(SITE, paper_pages={"hf": hf_daily.Source().find_paper_page})
    [(full, _)] = make_chat(make_edition(item), site, delivery=7, address="a").papers

    assert full[-1] == (
        Span("KV cache · cs.DC, cs.LG · 41 votes, 3 comments on Hugging Face · 7 stars on GitHub"),
    )


def test_a_paper_of_another_day_than_the_newest_says_which() -> None:
    days = (FRIDAY, date(2026, 6, 11), FRIDAY, date(2026, 6, 10), FRIDAY, date(2026, 6, 9))
    edition = make_edition(*(make_item(n, day=day) for n, day in enumerate(days[:5], 1)))
    late = make_item(6, day=days[5], late=True)
    first, second, third, fourth, fifth, sixth = told(replace(edition, overflow=(late,))).papers

    assert [full[-1][0].text for full, _ in (first, second, third)] == [
        "KV cache · cs.DC, cs.LG",
        "KV cache · cs.DC, cs.LG · 11 Jun",
        "KV cache · cs.DC, cs.LG",
    ]
    assert [line[-1][-1].text for _, line in (second, fourth, fifth, sixth)] == [
        " (KV cache · 11 Jun)",
        " (KV cache · 10 Jun)",
        " (KV cache)",
        " (KV cache · late · 9 Jun)",
    ]


def test_many_reasons_leave_room_for_the_marks_of_a_line() -> None:
    why = make_reason("(title:large or abstract:model) and (inference or serving) and not training " * 2)
    maybe = make_item(2, EditionPart.MAYBE, [why], day=date(2026, 6, 9), late=True)
    [_, (_, line)] = told(make_edition(make_item(1), maybe)).papers
    details = line[-1][-1].text

    assert details.startswith(" (")
    assert details.endswith(" … · maybe, late · 9 Jun)")
    assert len(details) - len(" ()") <= MAX_CHAT_DETAILS


@pytest.mark.parametrize("markup", Markup)
def test_a_line_takes_no_more_than_an_edition_is_composed_for(markup: Markup) -> None:
    why = make_reason("(title:large or abstract:model) and (inference or serving) and not training")
    items = [make_item(n, reasons=[why] * 2) for n in range(1000, 1030)]

    def measure(count: int) -> int:
        messages = make_messages(told(make_edition(*items[:count])), markup, 30_000)
        return len("\n".join(messages).encode())

    assert measure(30) - measure(10) <= sum(measure_chat_line(item.paper) for item in items[10:])


def test_a_line_in_slack_takes_no_more_either() -> None:
    why = make_reason('(title:"large" or abstract:model) and (inference or serving) and not training')
    items = [make_item(n, reasons=[why] * 2) for n in range(1000, 1030)]

    def measure(count: int) -> int:
        return sum(
            len(json.dumps(message["blocks"], ensure_ascii=False).encode())
            for message in make_slack_messages(told(make_edition(*items[:count])))
        )

    assert measure(30) - measure(10) <= sum(measure_chat_line(item.paper) for item in items[10:])


def test_a_reader_decides_how_much_of_abstracts_there_is() -> None:
    item = make_item(1, abstract="It is known. We propose KV caches. They are new. " * 9)

    def count_sentences(abstracts: Abstracts) -> int:
        return text(make_edition(item, abstracts=abstracts)).count(".") - text(
            make_edition(item, abstracts=Abstracts.NONE)
        ).count(".")

    assert [count_sentences(abstracts) for abstracts in (Abstracts.KEY, Abstracts.FIRST)] == [2, 2]
    assert count_sentences(Abstracts.FULL) == 2  # a chat has no room for more


def test_papers_stand_below_what_is_followed_if_the_reader_wants_it() -> None:
    items = [make_item(n, reasons=[make_reason(follow)]) for n, follow in enumerate(("a x", "b x", "a x"), 1)]
    shown = text(make_edition(*items, arrange=Arrangement.BY_FOLLOW))

    places = [shown.index(words) for words in ("a x\nSplitZip 1", "SplitZip 3", "b x\nSplitZip 2")]
    assert places == sorted(places)


def test_a_paper_whose_title_shows_nothing_keeps_its_link() -> None:
    shown = text(make_edition(*(make_item(n, title="\u202e \x00") for n in range(1, 5))))

    for number in range(1, 5):
        assert shown.count(f"https://arxiv.org/abs/2606.{number:05}") == 1


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

    assert told(edition).title.startswith("llm-systems, 12 Jun: 1 new · SplitZip 1: Lossless")
    assert (
        make_chat(edition, SITE, delivery=0, address="a", subject_prefix="[test]").title
        == f"[test] {told(edition).title}"
    )


@pytest.mark.parametrize("markup", Markup)
@given(hostile=st.text(max_size=80), arrange=st.sampled_from(Arrangement))
def test_no_text_adds_a_line_or_a_sign_that_turns_others_round(
    markup: Markup, hostile: str, arrange: Arrangement
) -> None:
    nasty = f"{hostile}\u202e\n\r\x00{hostile}"
    why = make_reason(f"x{nasty}")
    edition = make_edition(
        *(
            make_item(
                n, reasons=[why], title=nasty, abstract=f"x{nasty}", authors=(Author(name=f"x{nasty}"),)
            )
            for n in range(5)
        ),
        arrange=arrange,
    )
    plainly = make_edition(
        *(make_item(n, reasons=[make_reason("x")], authors=(Author(name="y"),)) for n in range(5)),
        arrange=arrange,
    )

    chat = told(replace(edition, title=nasty))
    shape = [(len(full), len(line)) for full, line in chat.papers]
    assert shape == [(len(full), len(line)) for full, line in told(plainly).papers]
    assert all(
        "\n" not in span.text for papers in chat.papers for block in papers for line in block for span in line
    )
    assert not {"\u202e", "\x00", "\r"} & set("".join(make_messages(chat, markup, 4000)) + chat.title)
    assert "\n" not in chat.title


@given(hostile=st.text(max_size=80), arrange=st.sampled_from(Arrangement))
@example(hostile="<!channel> *x* <@U1> :x:", arrange=Arrangement.RANKED)
def test_no_text_makes_slack_refuse_an_edition_or_call_anybody(hostile: str, arrange: Arrangement) -> None:
    why = make_reason(f"x{hostile}", Confidence.SURELY, author=[f"x{hostile}"])
    items = [
        make_item(
            n, reasons=[why], title=hostile * n, abstract=f"x{hostile}", authors=(Author(name=f"x{hostile}"),)
        )
        for n in range(1, 9)
    ]
    messages = make_slack_messages(told(replace(make_edition(*items, arrange=arrange), title=hostile)))

    for message in messages:
        check_message(json.loads(json.dumps(message)))
    links = [link for message in messages for link in list_links(message)]
    assert sorted(links) == sorted([*(item.paper.url for item in items), PAGE])


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
