"""Whatever a server does: every message gets one receipt, and the receipt is true."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from digest.channels.smtp import Channel
from digest.model import Deferred, Mail, Refused, Sent, Unknown
from tests.channels.scripted_smtp_server import (
    BYTES,
    DROP,
    ENDLESS,
    NO_PIPELINING,
    PIPELINING,
    RESET,
    Behaviour,
    Script,
    ScriptedServer,
)
from tests.support.timeouts import PATIENCE

MESSAGES = 5
NOS = [
    "421 closing",
    "450 4.2.0 later",
    "451-4.7.1 slow\r\n451 4.7.1 down",
    "452 4.3.1 no space",
    "550 5.1.1 no such user",
    "550-5.7.1 spam\r\n550 5.7.1 says I",
    "552 too big",
    "554 no",
]
NONSENSE = ["hello", "25", "999 what?", "250", "250-it\r\n550 depends", " ", "354 go on", "334 VXNlcm5hbWU6"]


def behaviours(yes: str, *more: str) -> st.SearchStrategy[Behaviour]:
    """What a server may do where it should say yes."""
    replies: st.SearchStrategy[str] = st.sampled_from(
        [*[yes] * 3, f"{yes[:3]}-so\r\n{yes}", *NOS, *NONSENSE, *more]
    )
    search_strategy = st.tuples(st.sampled_from(["", BYTES]), replies).map("".join)
    ends = st.sampled_from([DROP, RESET, ENDLESS])
    return st.one_of(
        search_strategy, search_strategy, search_strategy, ends, st.tuples(search_strategy, ends)
    )


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """What happens on one connection."""
    script: dict[str, Behaviour] = {"EHLO": draw(st.sampled_from([PIPELINING, NO_PIPELINING]))}
    yes = {"MAIL": "250 OK", "RCPT": "250 OK", "DATA": "354 go on", ".": "250 kept", "RSET": "250 OK"}
    more = {"MAIL": ["250 OK\r\n250 OK"], "RCPT": ["250 OK\r\n250 OK"], ".": ["250 kept\r\n250 kept"]}
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.sampled_from(sorted(yes)))
        script[f"{at} {draw(st.integers(1, MESSAGES))}"] = draw(behaviours(yes[at], *more.get(at, [])))
    if draw(st.booleans()):
        broken: st.SearchStrategy[Behaviour] = st.sampled_from((DROP, RESET, ("552 too big", DROP)))
        script[f"BODY {draw(st.integers(1, MESSAGES))}"] = draw(broken)
    script["NOBODY"] = draw(st.sampled_from(["554 5.5.1 no valid recipients", "503 what?", "354 go on"]))
    return script


def mails() -> Iterator[Mail]:
    for number in range(1, MESSAGES + 1):
        yield Mail(
            delivery=number,
            sender="digest@example.org",
            recipient=f"r{number}@example.org",
            message_id=f"<{number}@example.org>",
            content=f"Subject: {number}\r\n\r\n.\r\n{'x' * 70}\r\n".encode(),
        )


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=150)
@given(st.lists(scripts(), min_size=1, max_size=4))
@example([{". 2": ("250 kept", RESET)}])
@example([{"RCPT 1": "550 no", "NOBODY": "354 go on", "RSET 1": "500 what?"}])
@example([{". 1": "250 kept\r\n250 kept"}, {"DATA 1": ("354 go on", DROP)}])
def test_every_message_gets_one_receipt_and_it_is_true(given_scripts: list[Script]) -> None:
    with ScriptedServer(*given_scripts, {}) as server:
        channel = Channel(host="127.0.0.1", port=server.port, security="none", timeout=PATIENCE)
        sent = list(mails())
        receipts = list(channel.deliver(sent))
        channel.close()

    assert [mail for mail, _ in receipts] == sent
    assert [content for session in server.sessions for content in session.orphaned_content] == []
    for mail, (_, receipt) in zip(sent, receipts, strict=True):
        stuffed = mail.content.replace(b"\r\n.", b"\r\n..")
        answers = [
            answer for session in server.sessions for content, answer in session.answers if content == stuffed
        ]
        assert len(answers) <= 1, "a message was sent twice"
        was_taken = any(answer[:3] == "250" and "550" not in answer for answer in answers)
        match receipt:
            case Sent():
                assert was_taken
            case Refused() | Deferred():
                assert not was_taken
            case Unknown():
                pass  # of what was on its way when the connection ended nobody can tell
    assert set(server.messages) <= {mail.content.replace(b"\r\n.", b"\r\n..") for mail in sent}
