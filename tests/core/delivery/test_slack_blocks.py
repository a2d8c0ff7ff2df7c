"""What is said in Slack: blocks that it accepts, nobody is called, and each paper is there or counted."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from urllib.parse import unquote

from hypothesis import example, given
from hypothesis import strategies as st

from digest.core.delivery.chat import MAX_MESSAGES
from digest.core.delivery.slack_blocks import SlackMessage, make_slack_messages
from digest.model import Block, Chat, Span
from tests.core.delivery.test_chat import BLOCKS, SPANS, TEXTS, chat, paper
from tests.support.cases import for_each_case
from tests.support.slack_rules import check_message, list_links, list_texts, read_text

NASTY = "<!channel> <!here|x> <@U1> @everyone &lt; *a* _b_ ~c~ `d` a|b :100: > [x](https://evil.example)"


def render(*lines: tuple[Span, ...]) -> str:
    """The text of lines that are all that a message has."""
    [message] = make_slack_messages(Chat(delivery=1, address="a", title="t", opening=lines))
    check_message(message)
    return next(text for text in list_texts(message) if text != "t")


def list_shown_numbers(messages: tuple[SlackMessage, ...]) -> list[int]:
    return [
        int(n) for message in messages for url in list_links(message) for n in re.findall(r"org/(\d+)$", url)
    ]


def unify(text: str) -> str:
    """A text without blanks and stars, and with the signs that similar ones stand for."""
    return re.sub(r"[\s\u200b*∗]", "", text.translate(str.maketrans("ˍ∼ˋ¦", "_~`|")))


def test_a_title_is_a_link_and_who_is_followed_is_bold() -> None:
    text = render(
        (Span("One & <two>", "https://arxiv.org/abs/1?a=b&c=(d)|e", strong=True),),
        (Span("A. Author, "), Span("B. Followed", strong=True), Span(" and 3 more")),
    )

    assert text == (
        "*<https://arxiv.org/abs/1?a=b&amp;c=(d)%7Ce|One &amp; &lt;two&gt;>*\n"
        "A. Author, *B. Followed* and 3 more"
    )


def test_a_name_is_bold_between_letters_that_are_no_blanks() -> None:
    text = render((Span("作者"), Span("张三", strong=True), Span("、李四")))

    assert text == "作者\u200b*张三*\u200b、李四"


def test_a_text_that_looks_like_markup_is_a_text() -> None:
    text = render((Span(NASTY),), (Span(NASTY, "https://arxiv.org/abs/1"),), (Span(NASTY, strong=True),))

    words, links, emphasized = read_text(text)
    assert [url for url, _ in links] == ["https://arxiv.org/abs/1"]
    assert len(emphasized) == 1
    assert "<!channel>" in words  # shown as it is written
    assert (
        "A* search in a_b_c, and 2 * 3" in read_text(render((Span("A* search in a_b_c, and 2 * 3"),))).words
    )


@given(st.lists(SPANS, min_size=1, max_size=4).map(tuple))
@example((Span(NASTY, "https://arxiv.org/abs/1", strong=True), Span("*x"), Span("y*", strong=True)))
@example((Span("> quoted"),))
def test_what_is_emphasized_is_what_is_meant_to_be(line: tuple[Span, ...]) -> None:
    words, links, emphasized = read_text(render(line))

    assert len(links) == sum(bool(span.url) for span in line)
    assert len(emphasized) <= sum(span.strong for span in line)
    shown = "".join(span.text if span.text.strip() else span.url for span in line)
    assert unify(unquote(words)) == unify(unquote(shown))


@given(
    st.lists(st.tuples(BLOCKS, BLOCKS), max_size=30),
    BLOCKS,
    TEXTS,
    st.integers(0, 9),
)
def test_each_message_is_one_that_slack_accepts(
    papers: list[tuple[Block, Block]], opening: Block, title: str, left_out: int
) -> None:
    stated_chat = chat(*papers, opening=opening, page="https://d.example/e", left_out=left_out)
    stated_chat = replace(stated_chat, title=title)
    messages = make_slack_messages(stated_chat)

    assert len(messages) <= MAX_MESSAGES
    for message in messages:
        check_message(json.loads(json.dumps(message)))
    assert messages == make_slack_messages(stated_chat)


@given(TEXTS.filter(str.strip), st.integers(1, 40))
def test_a_title_of_any_length_fits_into_the_header(title: str, times: int) -> None:
    [message] = make_slack_messages(Chat(delivery=1, address="a", title=title * times))

    check_message(message)
    assert message["blocks"][0]["type"] == "header"
    assert message["text"] == message["blocks"][0]["text"]["text"]


@for_each_case(("count", "size"), [(0, 10), (3, 10), (20, 60), (60, 100), (200, 100), (500, 250)])
def test_each_paper_is_there_whole_and_in_order_or_counted(count: int, size: int) -> None:
    messages = make_slack_messages(
        chat(*(paper(n, size) for n in range(count)), opening=((Span("x new"),),), page="https://d.example/e")
    )
    numbers = list_shown_numbers(messages)
    more = re.search(r"(\d+) more matching papers", list(list_texts(messages[-1]))[-1])

    for message in messages:
        check_message(message)
    assert numbers == list(range(len(numbers)))
    assert len(numbers) + (int(more[1]) if more else 0) == count
    assert list_links(messages[-1])[-1] == "https://d.example/e"
    assert len(messages) == (1 if count <= 20 else len(messages))
    assert (more is not None) == (count == 500)


def test_an_edition_has_a_title_its_account_papers_and_lines() -> None:
    full, line = paper(1)
    [message] = make_slack_messages(
        chat(
            (full, line), (line, line), (line, line), opening=((Span("3 new"),), (Span("A day is missing"),))
        )
    )
    kinds = [block["type"] for block in message["blocks"]]

    assert kinds == ["header", "context", "section", "divider", "section", "section"]
    assert [text.count("\n") for text in list_texts(message)] == [0, 0, 0, 1, 1]


def test_a_heading_begins_a_section_and_stays_with_its_paper() -> None:
    heading = (Span("New versions", strong=True),)
    _, line = paper(1)
    [message] = make_slack_messages(chat((line, line), ((heading, *line), (heading, *line)), (line, line)))
    _, first, second = list_texts(message)

    assert first.count("\n") == 0
    assert second.startswith("*New versions*\n")
    assert second.count("\n") == 2


def test_the_parts_of_a_long_edition_are_numbered_where_slack_only_shows_the_text() -> None:
    messages = make_slack_messages(chat(*(paper(n, 100) for n in range(200))))

    assert [message["text"] for message in messages] == [
        f"t ({n}/{len(messages)})" for n in range(1, len(messages) + 1)
    ]
    assert all(message["blocks"][-1]["type"] != "divider" for message in messages)


def test_an_address_that_is_longer_than_a_section_is_no_link() -> None:
    url = f"https://x.org/{'a' * 3_000}"
    text = render((Span("Its title", url),))

    assert text == "Its title …"


def test_lines_that_have_no_room_are_counted() -> None:
    lines = tuple((Span(f"Trouble {number} " + "x" * 900),) for number in range(100))
    messages = make_slack_messages(Chat(delivery=0, address="x", title="t", opening=lines))
    texts = [text for message in messages for text in list_texts(message)]
    count = "".join(texts).count("Trouble")

    assert len(messages) == MAX_MESSAGES
    assert 40 <= count < 100
    assert texts[-1].endswith(f"{100 - count} more lines are not shown.")
    for message in messages:
        check_message(message)
