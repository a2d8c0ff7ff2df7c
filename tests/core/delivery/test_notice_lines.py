"""Troubles are told so that whoever looks after us sees the gravest one first, however many there are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.chat import Markup, make_messages
from digest.core.delivery.notice_lines import MAX_NOTICE_BYTES, group_troubles, split_messages
from digest.model import Chat, Span


def refusals(many: int, message: str = "550 5.7.1 blocked") -> dict[str, str]:
    return {
        f"refused:dom{n}.example": f"Mail to dom{n}.example is refused: {message} (dom{n})."
        for n in range(many)
    }


def test_a_storm_of_refusals_is_one_line_behind_the_run_that_is_held() -> None:
    lines = group_troubles({**refusals(100), "run:2": "Run 2 is held."})

    assert [notice_line.text for notice_line in lines] == [
        "Run 2 is held.",
        (
            "Mail to dom0.example is refused: 550 5.7.1 blocked (dom0). The same applies to 99 more: "
            "dom1.example, dom2.example, dom3.example and 96 others."
        ),
    ]
    assert len(lines[1].names) == 100


def test_what_is_refused_for_another_reason_is_another_line() -> None:
    others = {f"{name}.org": text for name, text in refusals(5, "550 5.7.26 no DMARC").items()}
    lines = group_troubles({**refusals(5), **others})

    assert [notice_line.text.count("5.7.1 ") for notice_line in lines] == [1, 0]
    assert [len(notice_line.names) for notice_line in lines] == [5, 5]


def test_a_few_are_told_one_by_one() -> None:
    assert [notice_line.text for notice_line in group_troubles(refusals(3))] == list(refusals(3).values())


def test_graver_kinds_come_first_and_refusals_last() -> None:
    names = ["refused:a", "destination:b", "source:c", "server:d", "run:5", "store"]

    assert [notice_line.names[0] for notice_line in group_troubles(dict.fromkeys(names, "So it is."))] == [
        *("store", "run:5", "server:d", "source:c", "destination:b", "refused:a"),
    ]


@given(
    st.dictionaries(
        st.from_regex(r"\A(?:run|server|refused|other):[a-z0-9.]{1,12}\Z"),
        st.text(st.characters(exclude_categories=["Cc", "Cs", "Z"]), min_size=1, max_size=500),
        max_size=60,
    )
)
def test_every_trouble_is_told_in_some_message_with_room_for_all_of_it(troubles: dict[str, str]) -> None:
    packs = split_messages(group_troubles(troubles))

    assert sorted(name for pack in packs for line in pack for name in line.names) == sorted(troubles)
    for pack in packs:
        assert len(pack) == 1 or sum(len(line.text.encode()) for line in pack) <= MAX_NOTICE_BYTES
        chat = Chat(delivery=0, address="x", title="t", opening=tuple((Span(line.text),) for line in pack))
        assert not any("not shown" in message for message in make_messages(chat, Markup.TEXT, 2_000))
