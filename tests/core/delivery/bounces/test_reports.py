"""What mails that came back are taken for, and by what they are known."""

from __future__ import annotations

import email.message
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.bounces.reports import find_match_keys, read_returned_mail
from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.own_pages import OwnPages
from digest.model import BounceClass, Report
from tests.core.delivery.bounces.returned_mails import MAILS, READER, make_arf, make_dsn, make_text_bounce
from tests.support.cases import for_each_case

KEYS = (b"k" * 32,)
PATH = ReturnPath(address="bounces@example.org", keys=KEYS)
PAGES = OwnPages(url="https://digest.example.org", keys=KEYS)
LINK = PAGES.make_unsubscribe_url(7).rpartition("/")[2]


def mail(text: str) -> bytes:
    return text.replace("{path}", PATH.make_address(42)).replace("{link}", LINK).encode()


def read(text: str) -> Report:
    return read_returned_mail(mail(text))


@for_each_case(
    ("text", "finding", "status"),
    [pytest.param(*rest, id=f"{number}-{source[:12]}") for number, (source, *rest) in enumerate(MAILS)],
)
def test_a_mail_that_came_back_is_taken_for_what_its_server_documents(
    text: str, finding: BounceClass, status: str
) -> None:
    report = read(text)

    assert (report.bounce_class, report.status) == (finding, status), report.answer


@for_each_case(("source", "text", "finding", "status"), MAILS)
def test_its_line_ends_make_no_difference(source: str, text: str, finding: BounceClass, status: str) -> None:
    assert read_returned_mail(mail(text).replace(b"\n", b"\r\n")) == read(text), (source, finding, status)


def test_at_least_a_hundred_replies_and_mails_are_tried() -> None:
    from tests.core.delivery.test_replies import REPLIES

    assert len(MAILS) >= 75
    assert len(REPLIES) + len(MAILS) >= 200


# --- clues ----------------------------------------------------------------------------------------


@for_each_case("header", ["To", "Delivered-To", "X-Original-To", "Envelope-To"])
def test_the_return_path_is_found_wherever_a_server_notes_whom_a_mail_came_to(header: str) -> None:
    text = (
        make_dsn("5.1.1")
        .replace("To: {path}", f"{header}: <{PATH.make_address(9)}>")
        .replace("{path}", "x@example.org")
    )

    assert next(PATH.read_delivery(sender) for sender in read(text).match_keys.senders) == 9


def test_a_complaint_is_known_by_what_the_mail_that_it_quotes_has_in_its_headers() -> None:
    clues = read(make_arf("abuse")).match_keys

    assert [PATH.read_delivery(sender) for sender in clues.senders if PATH.is_return_path(sender)] == [42]
    assert clues.message_ids == ("<0123456789abcdef0123456789abcdef@digest.example.org>",)
    assert [
        PAGES.read_unsubscribe_token(unsubscribe_token) for unsubscribe_token in clues.unsubscribe_tokens
    ] == [7]


def test_a_report_says_whom_the_mail_was_for() -> None:
    assert read(make_dsn("5.1.1", to="somebody.else@example.net")).match_keys.recipients == (
        "somebody.else@example.net",
    )


def test_of_several_recipients_the_worst_counts() -> None:
    second = (
        f"\nFinal-Recipient: rfc822; {READER}\nAction: failed\nStatus: 5.1.1\n\n--=_b\nContent-Type: text/rfc"
    )
    text = make_dsn("4.4.1", action="delayed").replace("\n--=_b\nContent-Type: text/rfc", second)

    assert read(text).bounce_class is BounceClass.GONE


def test_the_digest_that_came_back_with_it_is_not_taken_for_the_reason() -> None:
    text = make_text_bounce(
        "Your message could not be delivered.\n\n------ original message follows ------\n550 5.1.1 user unknown",
        subject="Undeliverable mail",
    )

    assert read(text).bounce_class is BounceClass.SOFT


@for_each_case(
    "copy",
    [
        "~~~ what you sent ~~~\n500 users unknown: a paper\n550 5.1.1 user unknown",
        "Received: from mx.example.org\nSubject: x\n\n550 5.1.1 user unknown",
        "> Received: by mx.example.org\n> 550 5.1.1 user unknown",
        "-- The header of your mail:\n  Subject: 12 June: no such user,\n   550 5.1.1 user unknown,\n   and more",
    ],
)
def test_a_title_in_our_mail_is_not_the_reason_however_it_is_quoted(copy: str) -> None:
    text = f"Your message could not be delivered to one recipient.\n\n<{READER}>:\nMailbox full\n\n\n{copy}"
    report = read(make_text_bounce(text, subject="Undeliverable mail"))

    assert (report.bounce_class, report.answer) == (BounceClass.SOFT, "Mailbox full")


TITLES = "Today's papers\n\nUser unknown: cold start in recommender systems\n\n1. No such user: a study of 500 users unknown"


@for_each_case(
    "mark",
    [
        "-----Urspr\u00fcngliche Nachricht-----",
        "-------- Original-Nachricht --------",
        "Urspr\u00fcngliche Nachricht:",
        "Ihre Nachricht lautete:",
        "----- Message d'origine -----",
        "-----Mensaje original-----",
        "-----\u539f\u59cb\u90ae\u4ef6-----",
        "------ \u5143\u306e\u30e1\u30c3\u30bb\u30fc\u30b8 ------",
        "Message content:",
        "Your message:",
        "Text of your message:",
        "Beginning of your message:",
        "> On Monday Digest wrote:",
        "====== what you sent ======",
        "Meddelandet som du skickade:",
    ],
)
@for_each_case(
    "reason", ["The server is in maintenance, giving up.", "Rejected by our content filter.", "Giving up."]
)
def test_a_title_in_our_mail_ends_no_mail_to_a_reader_whatever_stands_before_it(
    mark: str, reason: str
) -> None:
    text = f"I could not deliver your message to:\n\n<{READER}>\n{reason}\n\n{mark}\n\n{TITLES}\n"

    for message in (text, text.replace(f"{mark}\n\nToday's papers\n\n", f"{mark}\n")):
        for mail in (
            make_text_bounce(message, subject="Undelivered Mail Returned to Sender"),
            make_dsn("5.0.0", text=message),
        ):
            assert read(mail).bounce_class not in {BounceClass.GONE, BounceClass.CLOSED}, read(mail).answer


@for_each_case(
    "mark", ["<hr>Original:<br>", "<hr><p>Original:</p>", "<blockquote>", "</p><p>Your mail:</p><p>"]
)
def test_a_title_in_a_page_that_quotes_our_mail_ends_no_mail_either(mark: str) -> None:
    page = f"<p>Your message to {READER} couldn't be delivered.</p><p>Our server was down.</p>{mark}User unknown: a paper"

    assert (
        read(make_text_bounce(page, subject="Undeliverable", kind="text/html")).bounce_class
        is BounceClass.SOFT
    )


def test_a_page_gives_its_reason_in_a_block_of_its_own() -> None:
    page = f"<div>Your message to {READER} couldn't be delivered.</div><div>No such user here.</div><hr>Spam"

    assert (
        read(make_text_bounce(page, subject="Undeliverable", kind="text/html")).bounce_class
        is BounceClass.GONE
    )


def test_where_mail_goes_on_to_others_words_too_say_which_of_them_failed() -> None:
    text = "Undeliverable.\n\n<other@example.net>:\n550 5.1.1 no such user"

    assert read(make_text_bounce(text)).match_keys.recipients == ("other@example.net",)


def test_no_answer_holds_a_line_break_or_is_longer_than_a_line() -> None:
    report = read(make_dsn("5.1.1", "smtp; 550 5.1.1 " + "far too long " * 100))

    assert len(report.answer) <= 500
    assert "\n" not in report.answer


# --- hostile mails --------------------------------------------------------------------------------


@given(st.binary(max_size=2000))
def test_no_mail_breaks_the_reader(content: bytes) -> None:
    assert read_returned_mail(content).bounce_class in BounceClass


@given(st.integers(0, len(MAILS) - 1), st.integers(0, 3000), st.binary(max_size=40))
def test_no_damage_to_a_report_breaks_the_reader(number: int, place: int, noise: bytes) -> None:
    full_content = mail(MAILS[number][1])
    place = min(place, len(full_content))

    assert read_returned_mail(full_content[:place] + noise + full_content[place:]).bounce_class in BounceClass


def test_a_mail_of_many_parts_is_read_as_far_as_it_is_worth() -> None:
    message = EmailMessage()
    message.set_content("x")
    for number in range(500):
        message.add_attachment(f"{number}")

    assert read_returned_mail(message.as_bytes()) == Report(bounce_class=BounceClass.NOTHING)


def test_comments_in_comments_and_parts_in_parts_do_no_harm() -> None:
    deep = f"To: {'(' * 100_000}\nTo: {PATH.make_address(3)}\nFrom: {'((' * 9_000}\n\n"

    assert [PATH.read_delivery(sender) for sender in read(deep).match_keys.senders] == [3]


def test_only_so_many_clues_are_kept() -> None:
    clues = find_match_keys(b"\n".join(PATH.make_address(number).encode() for number in range(1, 200)), ())

    assert len(clues.senders) <= 50


def test_a_coded_delivery_status_is_read_too() -> None:
    part = email.message.Message()
    part["Content-Type"] = "message/delivery-status"
    coded = "RmluYWwtUmVjaXBpZW50OiByZmM4MjI7IHJAZXhhbXBsZS5jb20KQWN0aW9uOiBmYWlsZWQKU3RhdHVzOiA1LjEuMQo="
    text = (
        "From: MAILER-DAEMON@example.net\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
        f"--b\nContent-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\n{coded}\n--b--\n"
    )

    assert read(text).bounce_class is BounceClass.GONE
