"""What is said of a message before it, and what is not even tried."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from digest.channels.smtp.envelope import Envelope, apply_dot_stuffing, make_envelope
from digest.model import Fault, Mail, Refused
from tests.support.cases import for_each_case

MAIL = Mail(
    delivery=1,
    sender="digest@example.org",
    recipient="r@example.org",
    message_id="<1@example.org>",
    content=b"Subject: x\r\n\r\nx\r\n",
)
EIGHT = "Subject: ü\r\n\r\nü\r\n".encode()
ALL = {"size": "1000", "8bitmime": "", "smtputf8": "", "pipelining": ""}


def written(mail: Mail, offers: dict[str, str]) -> tuple[str, str]:
    envelope = make_envelope(mail, offers, "here:25")
    assert isinstance(envelope, Envelope)
    return envelope.mail.decode(), envelope.rcpt.decode()


def refused(mail: Mail, offers: dict[str, str]) -> tuple[str, Fault]:
    refusal = make_envelope(mail, offers, "here:25")
    assert isinstance(refusal, Refused)
    return refusal.answer, refusal.fault


def test_a_plain_mail_needs_nothing() -> None:
    assert written(MAIL, {}) == ("MAIL FROM:<digest@example.org>\r\n", "RCPT TO:<r@example.org>\r\n")


def test_what_the_server_wants_to_know_is_told() -> None:
    mail = replace(MAIL, recipient="jürgen@exämple.org", content=EIGHT)

    assert written(mail, ALL) == (
        f"MAIL FROM:<digest@example.org> SIZE={len(EIGHT)} BODY=8BITMIME SMTPUTF8\r\n",
        "RCPT TO:<jürgen@exämple.org>\r\n",
    )


@for_each_case("offers", [{}, ALL])
@for_each_case(
    ("domain", "request"),
    [
        ("exämple.org", "xn--exmple-cua.org"),
        ("EXÄMPLE.org", "xn--exmple-cua.org"),
        ("straße.example", "xn--strae-oqa.example"),
        ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
    ],
)
def test_a_domain_beyond_ascii_needs_nothing_of_the_server(
    offers: dict[str, str], domain: str, request: str
) -> None:
    sender, recipient = written(replace(MAIL, recipient=f"r@{domain}"), offers)

    assert recipient == f"RCPT TO:<r@{request}>\r\n"
    assert "SMTPUTF8" not in sender


@for_each_case(
    ("mail", "offers", "text", "blame"),
    [
        (
            replace(MAIL, recipient="jürgen@example.org"),
            {"8bitmime": ""},
            "here:25 does not offer SMTPUTF8, which the letters in jürgen@example.org need",
            Fault.OURS,
        ),
        (
            replace(MAIL, sender="grüße@example.org"),
            {},
            "here:25 does not offer SMTPUTF8, which the letters in grüße@example.org need",
            Fault.OURS,
        ),
        (replace(MAIL, content=EIGHT), {}, "here:25 does not offer 8BITMIME, which the message needs", Fault.OURS),
        (
            replace(MAIL, content=b"x" * 1001),
            ALL,
            "here:25 accepts at most 1,000 bytes, but the message has 1,001",
            Fault.OURS,
        ),
        (replace(MAIL, recipient="a@b>\r\nDATA"), ALL, "'a@b>\\r\\nDATA' is not a valid address", Fault.ADDRESS),
        (replace(MAIL, recipient="a@ex\u00ad..org\u0378"), ALL, "'a@ex\\xad..org\\u0378' is not a valid address", Fault.ADDRESS),
        (replace(MAIL, sender="a b@c.org"), ALL, "'a b@c.org' is not a valid address", Fault.OURS),
    ],
)  # fmt: skip
def test_what_cannot_be_sent_is_said_before_it_is_tried(
    mail: Mail, offers: dict[str, str], text: str, blame: Fault
) -> None:
    assert refused(mail, offers) == (text, blame)


@for_each_case("size", ["", "0", "much", "²"])
def test_a_server_without_a_limit_takes_any_size(size: str) -> None:
    assert written(replace(MAIL, content=b"x" * 10_000_000), {"size": size})


@given(st.text(), st.text(), st.booleans())
def test_no_address_makes_a_command_of_its_own(local: str, domain: str, as_sender: bool) -> None:  # noqa: FBT001 - given
    address = f"{local}@{domain}"
    mail = replace(MAIL, sender=address) if as_sender else replace(MAIL, recipient=address)
    envelope = make_envelope(mail, ALL, "here:25")

    if isinstance(envelope, Envelope):
        for command in (envelope.mail, envelope.rcpt):
            assert command.endswith(b"\r\n")
            assert command.count(b"\r") == command.count(b"\n") == 1
            assert command.count(b"<") == command.count(b">") == 1


lines = st.lists(st.sampled_from([b"", b".", b"..", b".x", b"x.", b"x", b"\xff."]), max_size=12)


@given(lines, lines, st.booleans())
def test_only_a_dot_that_begins_a_line_is_doubled(head: list[bytes], body: list[bytes], ended: bool) -> None:  # noqa: FBT001 - given
    content = b"\r\n".join([*head, b"", *body, *([b""] if ended else [])])
    sent = apply_dot_stuffing(content)

    assert sent == b"" or sent.endswith(b"\r\n")
    assert b"\r\n.\r\n" not in b"\r\n" + sent
    heard = [line.removeprefix(b".") for line in sent.split(b"\r\n")[:-1]]
    expected = content.split(b"\r\n")
    assert heard == (expected[:-1] if content.endswith(b"\r\n") or not content else expected)
