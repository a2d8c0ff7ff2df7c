"""What one can rely on when mails go to an SMTP server."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
import trustme
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digest import plugins
from digest.channels.smtp import Channel
from digest.errors import ChannelError
from digest.model import Deferred, Fault, FileSet, Mail, Receipt, Refused, Sent, Unknown
from digest.testing.mail_server import MailServer
from tests.channels.scripted_smtp_server import (
    BYTES,
    DROP,
    ENDLESS,
    NO_PIPELINING,
    PIPELINING,
    RESET,
    SILENCE,
    Behaviour,
    ScriptedServer,
)
from tests.support.timeouts import PATIENCE

CONTENT = b"Subject: papers\r\n\r\nOne.\r\n.\r\n..two\r\n"


def mail(number: int = 1, **changes: Any) -> Mail:
    fields: dict[str, Any] = {
        "delivery": number,
        "sender": "digest@example.org",
        "recipient": f"r{number}@example.org",
        "message_id": f"<{number}@example.org>",
        "content": CONTENT,
    }
    return Mail(**fields | changes)


@pytest.fixture
def connect() -> Iterator[Callable[..., Channel]]:
    """Makes channels to a local port that are closed in the end."""
    channels: list[Channel] = []

    def make(port: int, **options: Any) -> Channel:
        usual: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": port,
            "security": "none",
            "connect_timeout": PATIENCE,
        }
        channels.append(Channel(**usual | {"timeout": PATIENCE} | options))
        return channels[-1]

    yield make
    for channel in channels:
        channel.close()


def receipts(channel: Channel, *mails: Mail) -> list[Receipt]:
    answered = list(channel.deliver(mails))
    assert [message for message, _ in answered] == list(mails)
    return [receipt for _, receipt in answered]


# --- a server that behaves ------------------------------------------------------------------------


def test_all_messages_of_all_packs_go_over_one_connection(
    mail_server: MailServer, connect: Callable[..., Channel]
) -> None:
    channel = connect(mail_server.port)
    first = receipts(channel, mail(1), mail(2))
    second = receipts(channel, mail(3))

    assert first + second == [Sent(answer="250 2.0.0 kept")] * 3
    assert [mail.recipients for mail in mail_server.received] == [(f"r{n}@example.org",) for n in (1, 2, 3)]
    assert {mail.connection for mail in mail_server.received} == {1}
    assert {(mail.sender, mail.content) for mail in mail_server.received} == {("digest@example.org", CONTENT)}


def test_a_receipt_comes_before_the_next_message_goes(
    mail_server: MailServer, connect: Callable[..., Channel]
) -> None:
    answers = connect(mail_server.port).deliver([mail(1), mail(2)])

    assert next(answers)[1] == Sent(answer="250 2.0.0 kept")
    assert len(mail_server.received) == 1
    assert next(answers)[1] == Sent(answer="250 2.0.0 kept")


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_encryption_and_login_as_asked_for(
    authority: trustme.CA, tmp_path: Path, connect: Callable[..., Channel], security: str
) -> None:
    trusted = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(trusted))
    with MailServer(security=security, login=("me", "pw"), authority=authority) as server:
        options = {"security": security, "username": "me", "password": "pw", "ca_file": str(trusted)}
        channel = connect(server.port, host="localhost", **options)
        text = channel.check()

        assert "TLSv1" in text
        assert "logged in as me" in text
        assert receipts(channel, mail()) == [Sent(answer="250 2.0.0 kept")]
        assert [(mail.encrypted, mail.user) for mail in server.received] == [(True, "me")]
        assert server.connections == 1
        channel.close()


@pytest.mark.parametrize("security", ["none", "starttls", "tls"])
def test_messages_of_any_size_go_together_with_commands(
    authority: trustme.CA, tmp_path: Path, connect: Callable[..., Channel], security: str
) -> None:
    trusted = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(trusted))
    bodies = [b".x\r\n" * size for size in (0, 1, 5_000, 100_000, 3)]
    mails = [mail(number, content=b"Subject: x\r\n\r\n" + body) for number, body in enumerate(bodies)]
    with MailServer(security=security, authority=authority, offers=("PIPELINING",)) as server:
        channel = connect(server.port, host="localhost", security=security, ca_file=str(trusted))
        got = receipts(channel, *mails) + receipts(channel, *mails)
        channel.close()

    assert got == [Sent(answer="250 2.0.0 kept")] * 10
    assert [(*mail.recipients, mail.content) for mail in server.received] == [
        (mail.recipient, mail.content) for mail in mails
    ] * 2
    assert server.connections == 1


def test_what_check_answers_without_encryption(
    mail_server: MailServer, connect: Callable[..., Channel]
) -> None:
    channel = connect(mail_server.port)
    text = channel.check()

    assert text.startswith(f"127.0.0.1:{mail_server.port} answered ")
    assert "TLS" not in text
    assert mail_server.received == []


lines = st.lists(
    st.binary(max_size=60).map(lambda content: content.replace(b"\r", b"").replace(b"\n", b"")), max_size=12
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(lines.map(lambda values: b"".join(line + b"\r\n" for line in values)))
def test_any_content_arrives_as_it_is(
    mail_server: MailServer, connect: Callable[..., Channel], content: bytes
) -> None:
    channel = connect(mail_server.port)
    [receipt] = receipts(channel, mail(content=content))
    channel.close()

    assert isinstance(receipt, Sent)
    assert mail_server.received[-1].content == content


def test_a_last_line_without_end_gets_one(mail_server: MailServer, connect: Callable[..., Channel]) -> None:
    receipts(connect(mail_server.port), mail(content=b"Subject: x\r\n\r\n.one"))

    assert mail_server.received[0].content == b"Subject: x\r\n\r\n.one\r\n"


def test_a_domain_beyond_ascii_is_asked_for_as_dns_has_it(
    mail_server: MailServer, connect: Callable[..., Channel]
) -> None:
    [receipt] = receipts(connect(mail_server.port), mail(recipient="jurgen@straße.example"))

    assert isinstance(receipt, Sent)
    assert mail_server.received[0].recipients == ("jurgen@xn--strae-oqa.example",)


def test_letters_beyond_ascii_go_where_they_are_understood(
    mail_server: MailServer, connect: Callable[..., Channel]
) -> None:
    umlaut = mail(recipient="jürgen@example.org", content="Subject: ü\r\n\r\nü\r\n".encode())
    [receipt] = receipts(connect(mail_server.port), umlaut)

    assert isinstance(receipt, Sent)
    assert mail_server.received[0].recipients == ("jürgen@example.org",)


# --- a server that says no ------------------------------------------------------------------------

OURS, ADDRESS = Fault.OURS, Fault.ADDRESS
EHLOS = pytest.mark.parametrize("ehlo", [PIPELINING, NO_PIPELINING], ids=["pipelining", "one by one"])


@EHLOS
@pytest.mark.parametrize(
    ("at", "reply", "receipt"),
    [
        ("MAIL", "450 later", Deferred(answer="450 later", fault=OURS)),
        ("MAIL", "550 5.7.1 you are blocked", Deferred(answer="550 5.7.1 you are blocked", fault=OURS)),
        ("RCPT", "450 4.2.1 greylisted", Deferred(answer="450 4.2.1 greylisted")),
        ("RCPT", "550-5.1.1 no such\r\n550 5.1.1 user", Refused(answer="550 5.1.1 no such 5.1.1 user")),
        ("RCPT", "530 5.7.0 login first", Deferred(answer="530 5.7.0 login first", fault=OURS)),
        ("RCPT", "251 will forward", Sent(answer="250 kept")),
        ("DATA", "451 no space", Deferred(answer="451 no space")),
        ("DATA", "554 no", Refused(answer="554 no", fault=OURS)),
        (".", "452 no space", Deferred(answer="452 no space")),
        (".", "552 message too big", Refused(answer="552 message too big", fault=OURS)),
        (".", "550 \x1b[31mspam\x00\tsays I", Refused(answer="550 [31mspam says I", fault=OURS)),
        (".", "250 " + "x" * 2000, Sent(answer="250 " + "x" * 500)),
        (".", f"{BYTES}250-kept\r\n250 for you", Sent(answer="250 kept for you")),
    ],
)
def test_the_reply_decides_and_the_next_message_goes_on(
    connect: Callable[..., Channel], ehlo: str, at: str, reply: str, receipt: Receipt
) -> None:
    with ScriptedServer({"EHLO": ehlo, f"{at} 1": reply}) as server:
        channel = connect(server.port)
        got = receipts(channel, mail(1), mail(2))
        channel.close()

    assert got == [receipt, Sent(answer="250 kept")]
    assert len(server.commands) == 1
    assert server.commands[-1][-1].upper() == "QUIT"


@EHLOS
@pytest.mark.parametrize("more", [0, 1])
def test_a_server_that_waits_for_a_message_to_nobody_gets_none(
    connect: Callable[..., Channel], ehlo: str, more: int
) -> None:
    with ScriptedServer({"EHLO": ehlo, "RCPT 1": "550 5.1.1 no such user", "NOBODY": "354 go on"}) as server:
        channel = connect(server.port)
        got = receipts(channel, *map(mail, range(1, 2 + more)))
        channel.close()

    assert got == [Refused(answer="550 5.1.1 no such user"), Sent(answer="250 kept")][: len(got)]
    assert (len(server.sessions), server.sessions[0].orphaned_content) == (1, [])
    assert len(server.messages) == len(got) - 1


def test_commands_and_messages_go_out_together(connect: Callable[..., Channel]) -> None:
    # Each of its answers waits for what a client can send only if it does not wait for that answer.
    with ScriptedServer() as server:
        channel = connect(server.port)
        receipts(channel, mail(1), mail(2))

        assert [command.partition(" ")[0].upper() for command in server.commands[0]] == [
            "EHLO",
            *["MAIL", "RCPT", "DATA"] * 2,
        ]


@pytest.mark.parametrize("at", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize("reply", ["421 enough", ("550 5.1.1 no such user", "421 enough")])
def test_a_server_that_says_goodbye_is_called_again_at_once(
    connect: Callable[..., Channel], at: str, reply: Behaviour
) -> None:
    with ScriptedServer({f"{at} 11": (*((reply,) if isinstance(reply, str) else reply), DROP)}, {}) as server:
        channel = connect(server.port)
        got = [*receipts(channel, *map(mail, range(1, 11))), *receipts(channel, mail(11), mail(12))]

    assert got[:10] == [Sent(answer="250 kept")] * 10
    assert got[11] == Sent(answer="250 kept")
    said_no = not isinstance(reply, str)
    if not said_no:
        assert got[10] == Sent(answer="250 kept")
    else:
        assert got[10] != Sent(answer="250 kept")
    assert len(server.commands) == 2


@EHLOS
def test_a_no_holds_though_the_server_hangs_up_behind_it(connect: Callable[..., Channel], ehlo: str) -> None:
    script: dict[str, Behaviour] = {"EHLO": ehlo, "RCPT 1": ("550 5.1.1 no such user", DROP)}
    with ScriptedServer(script, {"EHLO": ehlo}) as server:
        got = receipts(connect(server.port), mail(1), mail(2))

    assert got == [Refused(answer="550 5.1.1 no such user"), Sent(answer="250 kept")]
    assert len(server.commands) == 2


@EHLOS
def test_goodbye_to_a_message_is_a_no_to_that_message_alone(
    connect: Callable[..., Channel], ehlo: str
) -> None:
    with ScriptedServer({"EHLO": ehlo, ". 2": ("421 closing", DROP)}, {"EHLO": ehlo}) as server:
        got = receipts(connect(server.port), mail(1), mail(2), mail(3))

    sent = Sent(answer="250 kept")
    assert got == [sent, Deferred(answer="421 closing", fault=OURS), sent]
    assert len(server.commands) == 2


def test_a_refused_recipient_leaves_nothing_to_the_next(
    mail_server: MailServer, connect: Callable[..., Channel]
) -> None:
    mail_server.refusals["r1@example.org"] = "550 5.1.1 no such user"
    got = receipts(connect(mail_server.port), mail(1), mail(2))

    assert got == [Refused(answer="550 5.1.1 no such user"), Sent(answer="250 2.0.0 kept")]
    assert [mail.recipients for mail in mail_server.received] == [("r2@example.org",)]
    assert mail_server.connections == 1


def test_a_server_that_cannot_reset_gets_a_new_connection(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"RCPT": "450 later", "RSET": "500 what?"}, {}) as server:
        got = receipts(connect(server.port), mail(1), mail(2))

    assert got == [Deferred(answer="450 later"), Sent(answer="250 kept")]
    assert len(server.commands) == 2


def test_a_server_that_does_not_let_us_in_is_asked_once_a_pack(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"GREETING": "554 go away"}) as server:
        got = receipts(connect(server.port), mail(1), mail(2), mail(3))

    answer = f"127.0.0.1:{server.port}: it answered 554 go away"
    assert got == [Deferred(answer=answer, fault=OURS, tried=False)] * 3
    assert len(server.commands) == 1


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {"recipient": "jürgen@example.org"},
            "does not offer SMTPUTF8, which the letters in jürgen@example.org need",
        ),
        ({"content": b"Subject: \xc3\xbc\r\n"}, "does not offer 8BITMIME, which the message needs"),
        ({"recipient": "a@b.org>\r\nRCPT TO:<c@d.org"}, "is not a valid address"),
        ({"sender": "a b@c.org"}, "is not a valid address"),
    ],
)
def test_what_cannot_be_sent_is_refused_before_anything_is(
    connect: Callable[..., Channel], changes: dict[str, Any], text: str
) -> None:
    with ScriptedServer() as server:
        channel = connect(server.port)
        [receipt] = receipts(channel, mail(**changes))
        channel.close()

    assert isinstance(receipt, Refused)
    assert text in receipt.answer
    assert not any(
        command.startswith(("MAIL", "mail"))
        for stated_command in server.commands
        for command in stated_command
    )


# --- a server that goes away ----------------------------------------------------------------------

BEFORE_THE_DOT = ["MAIL", "RCPT", "DATA"]
LONG = pytest.param("2" * 10_000, id="a long line")
ENDS = [DROP, RESET, SILENCE, ENDLESS, "hello", LONG, "999 what?", "-1", "25", "421 enough for today"]
"""All that is no answer."""


@pytest.mark.usefixtures("silence_times_out")
@EHLOS
@pytest.mark.parametrize("at", BEFORE_THE_DOT)
@pytest.mark.parametrize("end", [*ENDS, "250-it\r\n550 depends"])
def test_lost_before_the_final_dot_is_tried_again_once(
    connect: Callable[..., Channel], ehlo: str, at: str, end: str
) -> None:
    with ScriptedServer({"EHLO": ehlo, at: end}, {"EHLO": ehlo}) as server:
        got = receipts(connect(server.port), mail(1), mail(2))

    assert got == [Sent(answer="250 kept")] * 2
    assert (len(server.messages), len(server.commands)) == (2, 2)


@EHLOS
@pytest.mark.parametrize("at", BEFORE_THE_DOT)
@pytest.mark.parametrize("end", [DROP, RESET, "hello", "421 enough for today"])
def test_a_second_message_lost_twice_before_the_final_dot_shows_that_it_is_the_server(
    connect: Callable[..., Channel], ehlo: str, at: str, end: str
) -> None:
    with ScriptedServer({"EHLO": ehlo, at: end}) as server:
        got = receipts(connect(server.port), *map(mail, range(1, 6)))

    lost = Deferred(answer=got[0].answer, fault=OURS)
    untried = Deferred(answer=lost.answer, fault=OURS, tried=False)
    assert got == [lost, lost, untried, untried, untried], "of the others the server has not heard"
    assert (server.messages, len(server.commands)) == ([], 4)


@pytest.mark.usefixtures("silence_times_out")
@pytest.mark.parametrize(("at", "seconds"), [("RCPT", 300), (".", 600)])
def test_for_a_whole_message_a_server_has_twice_the_time_of_a_command(
    connect: Callable[..., Channel], at: str, seconds: int
) -> None:
    with ScriptedServer({at: SILENCE}) as server:
        (receipt,) = receipts(connect(server.port, timeout=300.0, clock=lambda: 0.0), mail(1))

    assert not isinstance(receipt, Sent)
    assert f"timed out after {seconds} s" in receipt.answer


@EHLOS
@pytest.mark.parametrize("how", [DROP, RESET])
def test_a_message_that_breaks_connections_off_keeps_no_other_back(
    connect: Callable[..., Channel], ehlo: str, how: str
) -> None:
    big = mail(1, content=(b"x" * 78 + b"\r\n") * 500_000)
    with ScriptedServer({"EHLO": ehlo, "BODY": how}, {"EHLO": ehlo, "BODY": how}, {"EHLO": ehlo}) as server:
        got = receipts(connect(server.port), big, mail(2))

    assert isinstance(got[0], Deferred)
    assert got[0].fault is OURS
    assert got[0].answer.endswith("closed the connection in the middle of the message")
    assert got[1] == Sent(answer="250 kept")
    assert server.messages == [CONTENT.replace(b"\r\n.", b"\r\n..")]


class BreakingSocket(socket.socket):
    """A connection that breaks within the final dot of the first message that goes over any of them."""

    is_whole: ClassVar[bool] = True

    def sendmsg(self, buffers: Any, *_arguments: Any) -> int:
        data = b"".join(buffers)
        end = data.find(b"\r\n.\r\n")
        if end < 0 or not BreakingSocket.is_whole:
            return super().sendmsg([data])
        BreakingSocket.is_whole = False
        super().sendall(data[: end + 3])
        self.shutdown(socket.SHUT_WR)
        return end + 3


@EHLOS
def test_a_message_that_breaks_off_within_its_final_dot_was_not_handed_over(
    connect: Callable[..., Channel], ehlo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = socket.create_connection

    def breaking(*arguments: Any) -> socket.socket:
        return BreakingSocket(fileno=create(*arguments).detach())

    monkeypatch.setattr(BreakingSocket, "is_whole", True)
    monkeypatch.setattr(socket, "create_connection", breaking)
    with ScriptedServer({"EHLO": ehlo}) as server:
        got = receipts(connect(server.port), mail(1), mail(2))

    assert got == [Sent(answer="250 kept")] * 2, (
        "it is tried again, and not taken for one that may have arrived"
    )
    assert len(server.messages) == 2


@EHLOS
def test_what_a_server_says_before_it_breaks_a_message_off_is_heard(
    connect: Callable[..., Channel], ehlo: str
) -> None:
    big = mail(1, content=(b"x" * 78 + b"\r\n") * 500_000)
    with ScriptedServer(
        {"EHLO": ehlo, "BODY": ("552 5.3.4 message too big", DROP)}, {"EHLO": ehlo}
    ) as server:
        got = receipts(connect(server.port), big, mail(2))

    assert got == [Refused(answer="552 5.3.4 message too big", fault=OURS), Sent(answer="250 kept")]


@pytest.mark.usefixtures("silence_times_out")
@EHLOS
@pytest.mark.parametrize("after", [*ENDS[:-1], "354 go on"])
def test_lost_after_the_final_dot_is_unknown_and_not_tried_again(
    connect: Callable[..., Channel], ehlo: str, after: str
) -> None:
    with ScriptedServer({"EHLO": ehlo, ".": after}, {"EHLO": ehlo}) as server:
        got = receipts(connect(server.port), mail(1), mail(2))

    assert isinstance(got[0], Unknown)
    assert got[0].answer.startswith(("after the whole message was sent: ", "354"))
    assert got[1] == Sent(answer="250 kept")
    assert len(server.messages) == 2


@EHLOS
@pytest.mark.parametrize("at", [*BEFORE_THE_DOT, "."])
def test_an_answer_too_many_costs_the_connection_and_no_message(
    connect: Callable[..., Channel], ehlo: str, at: str
) -> None:
    reply = {"DATA": "354 go on", ".": "250 kept"}.get(at, "250 OK")
    with ScriptedServer({"EHLO": ehlo, f"{at} 2": f"{reply}\r\n250 and more"}, {"EHLO": ehlo}) as server:
        channel = connect(server.port)
        got = receipts(channel, mail(1), mail(2), mail(3)) + receipts(channel, mail(4))

    assert got == [Sent(answer="250 kept")] * 4
    assert (len(server.messages), len(server.commands)) == (4, 2)


@EHLOS
@pytest.mark.parametrize("at", BEFORE_THE_DOT)
@pytest.mark.parametrize("how", [DROP, "421 enough for today", "hello"])
def test_a_kept_connection_that_ends_is_opened_anew_and_nothing_is_lost_or_doubled(
    connect: Callable[..., Channel], ehlo: str, at: str, how: str
) -> None:
    with ScriptedServer({"EHLO": ehlo, f"{at} 3": how}) as server:
        got = receipts(connect(server.port), *(mail(number) for number in range(1, 7)))

    assert got == [Sent(answer="250 kept")] * 6
    assert len(server.messages) == 6
    assert len(server.commands) == 3


def test_a_server_that_hangs_up_while_we_wait_is_called_again(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"MAIL 2": DROP}, {}) as server:
        channel = connect(server.port)

        assert receipts(channel, mail(1)) == [Sent(answer="250 kept")]
        assert receipts(channel, mail(2)) == [Sent(answer="250 kept")]
        assert (len(server.commands), len(server.messages)) == (2, 2)


@pytest.mark.usefixtures("silence_times_out")
def test_a_silent_server_holds_nobody_up_for_ever(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"RCPT": SILENCE}) as server:
        [receipt] = receipts(connect(server.port), mail())

    assert isinstance(receipt, Deferred)
    assert "timed out" in receipt.answer


def test_a_server_that_drips_gets_no_more_time_than_a_silent_one(connect: Callable[..., Channel]) -> None:
    hours = itertools.count(step=3600)  # one passes whenever somebody asks
    with ScriptedServer({"RCPT": ENDLESS}) as server:
        [receipt] = receipts(connect(server.port, clock=lambda: float(next(hours))), mail())

    assert isinstance(receipt, Deferred)
    assert "timed out" in receipt.answer


def test_a_connection_that_was_idle_for_long_is_left_politely(connect: Callable[..., Channel]) -> None:
    now = [0.0]
    with ScriptedServer() as server:
        channel = connect(server.port, clock=lambda: now[0])
        receipts(channel, mail(1))
        now[0] += 59
        receipts(channel, mail(2))
        now[0] += 61
        receipts(channel, mail(3))

    assert [command[-1].upper() == "QUIT" for command in server.commands] == [True, False]
    assert [len(session.answers) for session in server.sessions] == [2, 1]


def test_a_pack_that_is_left_in_the_middle_does_not_spoil_the_next(connect: Callable[..., Channel]) -> None:
    with ScriptedServer() as server:
        channel = connect(server.port)
        answers = channel.deliver([mail(1), mail(2)])
        next(answers)

        assert receipts(channel, mail(3)) == [Sent(answer="250 kept")]
        assert len(server.messages) == 2


def test_an_interrupted_command_costs_the_connection(connect: Callable[..., Channel]) -> None:
    class Interrupting(bytes):
        def startswith(self, *_: object) -> bool:
            raise KeyboardInterrupt

    with ScriptedServer() as server:
        channel = connect(server.port)
        with pytest.raises(KeyboardInterrupt):
            receipts(channel, mail(content=Interrupting(CONTENT)))

        assert receipts(channel, mail(2)) == [Sent(answer="250 kept")]
        assert len(server.commands) == 2


def test_a_pack_of_which_the_last_receipt_was_taken_leaves_the_connection_as_it_is(
    connect: Callable[..., Channel],
) -> None:
    with ScriptedServer() as server:
        channel = connect(server.port)
        next(channel.deliver([mail(1)]))
        receipts(channel, mail(2))

    assert (len(server.commands), len(server.messages)) == (1, 2)


def test_closing_is_polite_and_can_be_done_again(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"QUIT": DROP}) as server:
        channel = connect(server.port)
        channel.close()
        receipts(channel, mail())
        channel.close()
        channel.close()

    assert [command[-1].upper() for command in server.commands] == ["QUIT"]


# --- a server that cannot be used at all ----------------------------------------------------------


def trouble(channel: Channel) -> str:
    """What check says is wrong; and deliveries are deferred for the same reason."""
    with pytest.raises(ChannelError) as caught:
        channel.check()
    [receipt] = receipts(channel, mail())
    assert isinstance(receipt, Deferred)
    return str(caught.value)


def test_nobody_listens(connect: Callable[..., Channel]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    assert trouble(connect(port)) == (
        f"127.0.0.1:{port}: nothing answers there (Connection refused); check `host` and `port` "
        "(usually 587 with starttls, or 465 with tls)"
    )


def test_no_such_host(connect: Callable[..., Channel]) -> None:
    assert (
        trouble(connect(25, host="mail..example"))
        == "mail..example:25: this cannot be the name of a host; check `host`"
    )


def test_tls_where_none_is_spoken(mail_server: MailServer, connect: Callable[..., Channel]) -> None:
    text = trouble(connect(mail_server.port, security="tls"))

    assert "it does not use TLS from the start" in text
    assert "587 with starttls" in text


def test_no_tls_where_it_is_spoken(authority: trustme.CA, connect: Callable[..., Channel]) -> None:
    with MailServer(security="tls", authority=authority) as server:
        text = trouble(connect(server.port, security="starttls", connect_timeout=0.3, timeout=0.3))

    assert "it sent no greeting" in text
    assert "465 with tls" in text


def test_starttls_is_not_offered(mail_server: MailServer, connect: Callable[..., Channel]) -> None:
    text = trouble(connect(mail_server.port, security="starttls"))

    assert "it offers no STARTTLS" in text
    assert mail_server.received == []


def test_starttls_is_offered_and_then_not_given(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"EHLO": "250-here\r\n250 STARTTLS", "STARTTLS": "454 not now"}) as server:
        text = trouble(connect(server.port, security="starttls"))

    assert text.endswith("it answered 454 not now")
    assert not any(
        command.upper().startswith("MAIL") for stated_command in server.commands for command in stated_command
    )


def test_what_is_said_in_clear_after_starttls_is_believed_by_nobody(connect: Callable[..., Channel]) -> None:
    message = "220 go on\r\n250-here\r\n250 AUTH PLAIN"
    with ScriptedServer({"EHLO": "250-here\r\n250 STARTTLS", "STARTTLS": message}) as server:
        text = trouble(connect(server.port, security="starttls", username="me", password="pw"))

    assert "it continued unencrypted after STARTTLS" in text
    assert not any(
        "AUTH" in command.upper() for stated_command in server.commands for command in stated_command
    )


def test_no_tls_after_starttls(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"EHLO": "250-here\r\n250 STARTTLS", "STARTTLS": ("220 go on", DROP)}) as server:
        text = trouble(connect(server.port, security="starttls"))

    assert "TLS" in text
    assert not any(
        "MAIL" in command.upper() for stated_command in server.commands for command in stated_command
    )


@pytest.mark.usefixtures("silence_times_out")
@pytest.mark.parametrize("at", ["GREETING", "EHLO", "AUTH"])
@pytest.mark.parametrize("end", [DROP, RESET, SILENCE, ENDLESS, "hello", "421 closing", "554 go away", LONG])
def test_a_server_that_ends_while_we_come_in_is_told_as_trouble(
    connect: Callable[..., Channel], at: str, end: str
) -> None:
    with ScriptedServer({"EHLO": "250-here\r\n250 AUTH PLAIN", "HELO": end, at: end}) as server:
        channel = connect(server.port, username="me", password="pw")

        text = trouble(channel)

        assert text.startswith(f"127.0.0.1:{server.port}: it ")
        assert at == "GREETING" or "greeting" not in text
    assert server.messages == []


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_certificate_of_a_stranger(
    authority: trustme.CA, connect: Callable[..., Channel], security: str
) -> None:
    with MailServer(security=security, authority=authority) as server:
        text = trouble(connect(server.port, security=security))

    assert "its certificate is not trusted" in text
    assert "`ca_file`" in text
    assert server.received == []


class Elsewhere(trustme.CA):
    """Signs for another host than it is asked to."""

    def issue_cert(self, *_names: str, **_options: Any) -> trustme.LeafCert:
        return super().issue_cert("mail.example.org")


def test_a_certificate_for_another_host(tmp_path: Path, connect: Callable[..., Channel]) -> None:
    trusted = tmp_path / "ca.pem"
    authority = Elsewhere()
    authority.cert_pem.write_to_path(str(trusted))
    with MailServer(security="tls", authority=authority) as server:
        text = trouble(connect(server.port, security="tls", ca_file=str(trusted)))

    assert "its certificate is not trusted" in text
    assert "127.0.0.1" in text


def test_a_wrong_password(authority: trustme.CA, tmp_path: Path, connect: Callable[..., Channel]) -> None:
    trusted = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(trusted))
    with MailServer(security="starttls", login=("me", "pw"), authority=authority) as server:
        options = {"security": "starttls", "username": "me", "password": "wr0ng", "ca_file": str(trusted)}
        text = trouble(connect(server.port, **options))

    assert "it refused the login of me: 535" in text
    assert "wr0ng" not in text


def test_a_login_that_is_not_offered(connect: Callable[..., Channel]) -> None:
    with ScriptedServer() as server:
        text = trouble(connect(server.port, username="me", password="pw"))

    assert "it does not offer a login here" in text


def test_a_password_that_smtp_cannot_carry(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"EHLO": "250-here\r\n250 AUTH PLAIN"}) as server:
        text = trouble(connect(server.port, username="me", password="pässword"))

    assert "a login may only contain ASCII characters" in text
    assert "pässword" not in text


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_an_authority_file_without_certificates(
    connect: Callable[..., Channel], tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_bytes(content)

    assert trouble(connect(1, security="tls", ca_file=str(file))).startswith(
        f"{file}: this file contains no certificates"
    )


# --- the rest -------------------------------------------------------------------------------------


def test_the_password_is_not_shown() -> None:
    assert "pa55word" not in repr(Channel(host="x", password="pa55word"))


def test_it_is_found_and_made_by_its_name() -> None:
    channel = plugins.build(
        plugins.load("channels", "smtp"), {"host": "mail.example.org", "port": 25, "security": "none"}
    )

    assert isinstance(channel, Channel)


def test_files_are_no_mails(connect: Callable[..., Channel]) -> None:
    with pytest.raises(TypeError, match="accepts mails"):
        list(connect(25).deliver([FileSet(delivery=1, folder="/", files=())]))


def test_a_machine_that_can_look_up_no_name_is_told_as_that_and_not_as_a_wrong_host(
    connect: Callable[..., Channel], monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_up(*_arguments: object, **_more: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)

    assert trouble(connect(25, host="mail.example")).endswith(
        "no host name can be resolved; is this machine offline?"
    )
