"""What is said in a chat: nothing in it is markup but what we mean, and each message is as long as it may be."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from digest.core.delivery.chat import MAX_MESSAGES, Markup, make_messages, render_block
from digest.model import Block, Chat, Span
from tests.support.cases import for_each_case

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cf", "Zl", "Zp"]), max_size=60)
URLS = st.sampled_from(["", "https://arxiv.org/abs/2401.00001", "https://x.org/(a)?b=c&d=<e>|f"])
SPANS = st.builds(Span, TEXTS, URLS, st.booleans())
BLOCKS = st.lists(st.lists(SPANS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple)


def chat(*papers: tuple[Block, Block], page: str = "", left_out: int = 0, opening: Block = ()) -> Chat:
    missing = range(left_out, left_out + len(papers) + 1)
    return Chat(
        delivery=1,
        address="a",
        title="t",
        opening=opening,
        papers=papers,
        omission_notices=tuple(f"{number} more matching papers." if number else "" for number in missing),
        page=page,
        page_label="The whole edition",
    )


def paper(number: int, size: int = 10) -> tuple[Block, Block]:
    line = (Span(f"#{number:03} "), Span("x" * size, f"https://x.org/{number}"))
    return (line, (Span("by somebody"),)), (line,)


class Text(HTMLParser):
    """The text of HTML, its tags and the targets of its links."""

    def __init__(self, given_html: str) -> None:
        super().__init__()
        self.text, self.tags, self.targets = "", set[str](), list[str | None]()
        self.feed(given_html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.targets += [value for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.text += data


def plain(block: Block) -> str:
    return " ".join("".join(span.text for line in block for span in line).split())


def read(text: str) -> str:
    return " ".join(text.replace("@\u200b", "@").split())


@given(BLOCKS)
def test_html_is_the_text_and_no_tag_of_it(block: Block) -> None:
    text = Text(render_block(block, Markup.HTML))

    assert re.sub(r"\s", "", read(text.text)) == re.sub(r"\s", "", plain(block))
    assert text.tags <= {"b", "a", "br"}
    assert text.targets == [span.url for line in block for span in line if span.url]


@given(st.lists(SPANS, min_size=1, max_size=3).map(tuple))
@example((Span("Wow!"), Span("[x]", url="https://arxiv.org/abs/2401.00001")))
@example((Span("!"), Span("", url="https://arxiv.org/abs/2401.00001")))
def test_markdown_is_the_text_and_no_link_of_it(line: tuple[Span, ...]) -> None:
    tokens = MarkdownIt().parse(render_block((line,), Markup.MARKDOWN))
    inline = [one for token in tokens for one in token.children or []]

    assert not [token for token in inline if token.type in {"html_inline", "code_inline", "image"}]
    links = [token.attrs["href"] for token in inline if token.type == "link_open"]
    assert len(links) == sum(bool(span.url) for span in line)
    assert {"html_block", "heading_open", "fence", "code_block", "hr"} & {t.type for t in tokens} == set()


@given(BLOCKS, st.sampled_from(Markup))
def test_no_name_is_called(block: Block, markup: Markup) -> None:
    calls = ((Span("@everyone and <@U123> and <!channel> and @here"),), *block)

    if markup is not Markup.TEXT:
        text = render_block(calls, markup)
        assert not re.search(r"@[a-zA-Z]", html.unescape(text))
        assert "<!" not in text.replace("\\<!", "")


@given(
    st.lists(st.tuples(BLOCKS, BLOCKS), max_size=30),
    BLOCKS,
    st.sampled_from(Markup),
    st.integers(500, 4000),
    st.integers(0, 9),
)
def test_no_message_is_too_long_and_there_are_not_too_many(
    papers: list[tuple[Block, Block]], opening: Block, markup: Markup, longest: int, left_out: int
) -> None:
    stated_chat = chat(*papers, opening=opening, page="https://d.example/e", left_out=left_out)
    messages = make_messages(stated_chat, markup, longest)

    assert len(messages) <= 5
    assert all(len(text.encode()) <= longest for text in messages)
    assert messages == make_messages(stated_chat, markup, longest)


@for_each_case("markup", Markup)
@for_each_case(("count", "size", "longest"), [(3, 10, 500), (25, 60, 2000), (100, 60, 4000), (300, 90, 1000)])
def test_each_paper_is_told_whole_and_in_order_or_counted(
    markup: Markup, count: int, size: int, longest: int
) -> None:
    messages = make_messages(
        chat(*(paper(n, size) for n in range(count)), page="https://d.example/e"), markup, longest
    )
    numbers = [int(result) for text in messages for result in re.findall(r"#(\d{3})", text)]
    more = re.search(r"(\d+) more matching papers", messages[-1])

    assert numbers == list(range(len(numbers)))
    assert len(numbers) + (int(more[1]) if more else 0) == count
    assert "https://d.example/e" in messages[-1]


def test_without_a_page_the_last_line_leads_nowhere() -> None:
    [messages] = make_messages(chat(paper(1), left_out=3), Markup.TEXT, 1000)

    assert messages.endswith("3 more matching papers.")


def test_a_title_that_is_longer_than_a_message_is_cut() -> None:
    [messages] = make_messages(chat(paper(1, size=5000)), Markup.TEXT, 600)

    assert len(messages.encode()) <= 600
    assert "…" in messages


@for_each_case("markup", Markup)
def test_lines_that_have_no_room_are_counted(markup: Markup) -> None:
    lines = tuple((Span(f"Trouble {number} " + "x" * 400),) for number in range(100))
    messages = make_messages(Chat(delivery=0, address="x", title="t", opening=lines), markup, 2_000)
    count = sum(text.count("Trouble") for text in messages)

    assert len(messages) == MAX_MESSAGES
    assert 15 <= count < 100
    assert f"{100 - count} more lines are not shown" in messages[-1]
    assert all(len(text.encode()) <= 2_000 for text in messages)
