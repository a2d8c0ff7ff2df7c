"""What one can rely on when mails go to an SMTP server."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digest import plugins
from digest.channels.smtp import Channel
from digest.errors import ChannelError
from digest.model import Deferred, FileSet, Mail, Receipt, Refused, Sent, Unknown
from tests.channels.scripted import DROP, SILENCE, ScriptedServer
from tests.servers import MailServer

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
    made: list[Channel] = []

    def make(port: int, **options: Any) -> Channel:
        usual: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": port,
            "security": "none",
            "connect_timeout": 20.0,
        }
        made.append(Channel(**usual | {"timeout": 20.0, "final_timeout": 20.0} | options))
        return made[-1]

    yield make
    for channel in made:
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
    assert [one.recipients for one in mail_server.received] == [(f"r{n}@example.org",) for n in (1, 2, 3)]
    assert {one.connection for one in mail_server.received} == {1}
    assert {(one.sender, one.content) for one in mail_server.received} == {("digest@example.org", CONTENT)}


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
        told = channel.check()

        assert "TLSv1" in told
        assert "logged in as me" in told
        assert receipts(channel, mail()) == [Sent(answer="250 2.0.0 kept")]
        assert [(one.encrypted, one.user) for one in server.received] == [(True, "me")]
        assert server.connections == 1
        channel.close()


def test_what_check_answers_without_encryption(
    mail_server: MailServer, connect: Callable[..., Channel]
) -> None:
    channel = connect(mail_server.port)
    told = channel.check()

    assert told.startswith(f"127.0.0.1:{mail_server.port} answered ")
    assert "TLS" not in told
    assert mail_server.received == []


lines = st.lists(
    st.binary(max_size=60).map(lambda one: one.replace(b"\r", b"").replace(b"\n", b"")), max_size=12
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(lines.map(lambda one: b"".join(line + b"\r\n" for line in one)))
def test_any_content_arrives_as_it_is(
    mail_server: MailServer, connect: Callable[..., Channel], content: bytes
) -> None:
    channel = connect(mail_server.port)
    [receipt] = receipts(channel, mail(content=content))
    channel.close()

    assert isinstance(receipt, Sent)
    assert mail_server.received[-1].content == content


@pytest.mark.parametrize("end", [b"\n", b"\r", b""])
def test_every_line_that_arrives_ends_in_crlf(
    mail_server: MailServer, connect: Callable[..., Channel], end: bytes
) -> None:
    receipts(connect(mail_server.port), mail(content=b"Subject: x\r\n\r\n.one" + end))

    assert mail_server.received[0].content == b"Subject: x\r\n\r\n.one\r\n"


def test_letters_beyond_ascii_go_where_they_are_understood(
    mail_server: MailServer, connect: Callable[..., Channel]
) -> None:
    umlaut = mail(recipient="jürgen@example.org", content="Subject: ü\r\n\r\nü\r\n".encode())
    [receipt] = receipts(connect(mail_server.port), umlaut)

    assert isinstance(receipt, Sent)
    assert mail_server.received[0].recipients == ("jürgen@example.org",)


# --- a server that says no ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "reply", "receipt"),
    [
        ("MAIL", "450 later", Deferred(answer="450 later")),
        ("MAIL", "550 5.7.1 you are blocked", Deferred(answer="550 5.7.1 you are blocked")),
        ("MAIL", "421 too many", Deferred(answer="421 too many")),
        ("RCPT", "450 4.2.1 greylisted", Deferred(answer="450 4.2.1 greylisted")),
        ("RCPT", "550-5.1.1 no such\r\n550 5.1.1 user", Refused(answer="550 5.1.1 no such 5.1.1 user")),
        ("RCPT", "530 5.7.0 login first", Deferred(answer="530 5.7.0 login first")),
        ("RCPT", "421 closing", Deferred(answer="421 closing")),
        ("RCPT", "251 will forward", Sent(answer="250 kept")),
        ("DATA", "451 no space", Deferred(answer="451 no space")),
        ("DATA", "554 no", Refused(answer="554 no")),
        ("DATA", "250 what?", Deferred(answer="250 what?")),
        (".", "452 no space", Deferred(answer="452 no space")),
        (".", "552 too big", Refused(answer="552 too big")),
        (".", "421 closing", Deferred(answer="421 closing")),
        (".", "550 \x1b[31mspam\x00\tsays I", Refused(answer="550 [31mspam says I")),
        (".", "250 " + "x" * 2000, Sent(answer="250 " + "x" * 500)),
    ],
)
def test_the_reply_decides_and_the_next_message_goes_on(
    connect: Callable[..., Channel], at: str, reply: str, receipt: Receipt
) -> None:
    with ScriptedServer({f"{at} 1": reply}, {}) as server:
        channel = connect(server.port)
        got = receipts(channel, mail(1), mail(2))
        channel.close()

    assert got == [receipt, Sent(answer="250 kept")]
    closing = reply.startswith("421")
    assert len(server.said) == (2 if closing else 1)
    assert server.said[-1][-1].upper() == "QUIT"


def test_a_refused_recipient_leaves_nothing_to_the_next(
    mail_server: MailServer, connect: Callable[..., Channel]
) -> None:
    mail_server.refusals["r1@example.org"] = "550 5.1.1 no such user"
    got = receipts(connect(mail_server.port), mail(1), mail(2))

    assert got == [Refused(answer="550 5.1.1 no such user"), Sent(answer="250 2.0.0 kept")]
    assert [one.recipients for one in mail_server.received] == [("r2@example.org",)]
    assert mail_server.connections == 1


def test_a_server_that_cannot_reset_gets_a_new_connection(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"RCPT": "450 later", "RSET": "500 what?"}, {}) as server:
        got = receipts(connect(server.port), mail(1), mail(2))

    assert got == [Deferred(answer="450 later"), Sent(answer="250 kept")]
    assert len(server.said) == 2


def test_a_server_that_does_not_let_us_in_is_asked_once_a_pack(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"GREETING": "554 go away"}) as server:
        got = receipts(connect(server.port), mail(1), mail(2), mail(3))

    assert got == [Deferred(answer=f"127.0.0.1:{server.port}: it answered 554 go away")] * 3
    assert len(server.said) == 1


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"recipient": "jürgen@example.org"},
            "does not offer SMTPUTF8, which the letters in jürgen@example.org need",
        ),
        ({"content": b"Subject: \xc3\xbc\r\n"}, "does not offer 8BITMIME, which the message needs"),
        ({"recipient": "a@b.org>\r\nRCPT TO:<c@d.org"}, "is no address"),
        ({"sender": "a b@c.org"}, "is no address"),
    ],
)
def test_what_cannot_be_sent_is_refused_before_anything_is(
    connect: Callable[..., Channel], changes: dict[str, Any], told: str
) -> None:
    with ScriptedServer() as server:
        channel = connect(server.port)
        [receipt] = receipts(channel, mail(**changes))
        channel.close()

    assert isinstance(receipt, Refused)
    assert told in receipt.answer
    assert not any(command.startswith(("MAIL", "mail")) for said in server.said for command in said)


# --- a server that goes away ----------------------------------------------------------------------

BEFORE_THE_DOT = ["MAIL", "RCPT", "DATA"]


@pytest.mark.parametrize("at", BEFORE_THE_DOT)
def test_lost_before_the_final_dot_is_deferred(connect: Callable[..., Channel], at: str) -> None:
    with ScriptedServer({at: DROP}) as server:
        [receipt] = receipts(connect(server.port), mail())

    assert isinstance(receipt, Deferred)
    assert "ended the connection" in receipt.answer
    assert (server.kept, len(server.said)) == ([], 1)


def test_lost_in_the_middle_of_the_message_is_deferred(connect: Callable[..., Channel]) -> None:
    big = b"x" * 78 + b"\r\n"
    with ScriptedServer({"BODY": DROP}) as server:
        [receipt] = receipts(connect(server.port), mail(content=big * 500_000))

    assert isinstance(receipt, Deferred)
    assert receipt.answer.endswith("ended the connection in the middle of the message")
    assert server.kept == []


@pytest.mark.parametrize("after", [DROP, SILENCE, "hello", "2" * 10_000, "999 what?", "-1", "25"])
def test_lost_after_the_final_dot_is_unknown_and_not_tried_again(
    connect: Callable[..., Channel], after: str
) -> None:
    with ScriptedServer({".": after}, {}) as server:
        options = {"final_timeout": 0.3} if after == SILENCE else {}
        got = receipts(connect(server.port, **options), mail(1), mail(2))

    assert isinstance(got[0], Unknown)
    assert got[0].answer.startswith("the whole message was sent, then: ")
    assert got[1] == Sent(answer="250 kept")
    assert len(server.kept) == 2


@pytest.mark.parametrize("at", BEFORE_THE_DOT)
@pytest.mark.parametrize("nonsense", ["hello", "2" * 10_000, "999 what?", "25"])
def test_nonsense_before_the_final_dot_is_deferred(
    connect: Callable[..., Channel], at: str, nonsense: str
) -> None:
    with ScriptedServer({f"{at} 1": nonsense}, {}) as server:
        got = receipts(connect(server.port), mail(1), mail(2))

    assert isinstance(got[0], Deferred)
    assert got[1] == Sent(answer="250 kept")
    assert len(server.said) == 2


@pytest.mark.parametrize("at", BEFORE_THE_DOT)
@pytest.mark.parametrize("how", [DROP, "421 enough for today", "hello"])
def test_a_kept_connection_that_ends_is_opened_anew_and_nothing_is_lost_or_doubled(
    connect: Callable[..., Channel], at: str, how: str
) -> None:
    with ScriptedServer({f"{at} 3": how}) as server:
        got = receipts(connect(server.port), *(mail(number) for number in range(1, 7)))

    assert got == [Sent(answer="250 kept")] * 6
    assert len(server.kept) == 6
    assert len(server.said) == 3


def test_a_server_that_hangs_up_while_we_wait_is_called_again(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"MAIL 2": DROP}, {}) as server:
        channel = connect(server.port)

        assert receipts(channel, mail(1)) == [Sent(answer="250 kept")]
        assert receipts(channel, mail(2)) == [Sent(answer="250 kept")]
        assert (len(server.said), len(server.kept)) == (2, 2)


def test_a_silent_server_holds_nobody_up_for_ever(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"RCPT": SILENCE}) as server:
        [receipt] = receipts(connect(server.port, timeout=0.3), mail())

    assert isinstance(receipt, Deferred)
    assert "timed out" in receipt.answer


def test_a_pack_that_is_left_in_the_middle_does_not_spoil_the_next(connect: Callable[..., Channel]) -> None:
    with ScriptedServer() as server:
        channel = connect(server.port)
        answers = channel.deliver([mail(1), mail(2)])
        next(answers)

        assert receipts(channel, mail(3)) == [Sent(answer="250 kept")]
        assert len(server.kept) == 2


def test_an_interrupted_command_costs_the_connection(connect: Callable[..., Channel]) -> None:
    class Interrupting(bytes):
        def splitlines(self, keepends: bool = False) -> list[bytes]:  # noqa: ARG002, FBT001, FBT002 - as bytes has it
            raise KeyboardInterrupt

    with ScriptedServer() as server:
        channel = connect(server.port)
        with pytest.raises(KeyboardInterrupt):
            receipts(channel, mail(content=Interrupting(CONTENT)))

        assert receipts(channel, mail(2)) == [Sent(answer="250 kept")]
        assert len(server.said) == 2


def test_closing_is_polite_and_can_be_done_again(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"QUIT": DROP}) as server:
        channel = connect(server.port)
        channel.close()
        receipts(channel, mail())
        channel.close()
        channel.close()

    assert [said[-1].upper() for said in server.said] == ["QUIT"]


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
        "(usual are 587 with starttls and 465 with tls)"
    )


def test_no_such_host(connect: Callable[..., Channel]) -> None:
    assert (
        trouble(connect(25, host="mail..example")) == "mail..example:25: there is no such host; check `host`"
    )


def test_tls_where_none_is_spoken(mail_server: MailServer, connect: Callable[..., Channel]) -> None:
    told = trouble(connect(mail_server.port, security="tls"))

    assert "it does not speak TLS from the start" in told
    assert "587 with starttls" in told


def test_no_tls_where_it_is_spoken(authority: trustme.CA, connect: Callable[..., Channel]) -> None:
    with MailServer(security="tls", authority=authority) as server:
        told = trouble(connect(server.port, security="starttls", connect_timeout=0.3))

    assert "it gave no greeting" in told
    assert "465 with tls" in told


def test_starttls_is_not_offered(mail_server: MailServer, connect: Callable[..., Channel]) -> None:
    told = trouble(connect(mail_server.port, security="starttls"))

    assert "it offers no STARTTLS" in told
    assert mail_server.received == []


def test_starttls_is_offered_and_then_not_given(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"EHLO": "250-here\r\n250 STARTTLS", "STARTTLS": "454 not now"}) as server:
        told = trouble(connect(server.port, security="starttls"))

    assert told.endswith("it answered 454 not now")
    assert not any(command.upper().startswith("MAIL") for said in server.said for command in said)


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_certificate_of_a_stranger(
    authority: trustme.CA, connect: Callable[..., Channel], security: str
) -> None:
    with MailServer(security=security, authority=authority) as server:
        told = trouble(connect(server.port, security=security))

    assert "its certificate is not to be trusted" in told
    assert "`ca_file`" in told
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
        told = trouble(connect(server.port, security="tls", ca_file=str(trusted)))

    assert "its certificate is not to be trusted" in told
    assert "127.0.0.1" in told


def test_a_wrong_password(authority: trustme.CA, tmp_path: Path, connect: Callable[..., Channel]) -> None:
    trusted = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(trusted))
    with MailServer(security="starttls", login=("me", "pw"), authority=authority) as server:
        options = {"security": "starttls", "username": "me", "password": "wr0ng", "ca_file": str(trusted)}
        told = trouble(connect(server.port, **options))

    assert "it refused the login of me: 535" in told
    assert "wr0ng" not in told


def test_a_login_that_is_not_offered(connect: Callable[..., Channel]) -> None:
    with ScriptedServer() as server:
        told = trouble(connect(server.port, username="me", password="pw"))

    assert "it offers no login here" in told


def test_a_password_that_smtp_cannot_carry(connect: Callable[..., Channel]) -> None:
    with ScriptedServer({"EHLO": "250-here\r\n250 AUTH PLAIN"}) as server:
        told = trouble(connect(server.port, username="me", password="pässword"))

    assert "a login can be made of ASCII only" in told
    assert "pässword" not in told


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_an_authority_file_without_certificates(
    connect: Callable[..., Channel], tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_bytes(content)

    assert trouble(connect(1, security="tls", ca_file=str(file))).startswith(
        f"{file}: this holds no certificates"
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
    with pytest.raises(TypeError, match="takes mails"):
        list(connect(25).deliver([FileSet(delivery=1, folder="/", files=())]))
