"""Whatever stands in titles and names, a mail goes out, and has the headers that it was meant to have."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.utils import formataddr

import dkim
from hypothesis import example, given, settings
from hypothesis import strategies as st

from digest.errors import RenderError
from digest.model import Author, Edition, Mail
from digest.render.branding import Branding
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.dkim_signing import Signer
from digest.render.delivery.headers import clean_header_text
from digest.render.delivery.mail import make_mail
from digest.render.environment import make_environment
from tests.render.delivery.test_dkim_signing import make_dns_records, make_ed25519_dkim_key, make_rsa_dkim_key
from tests.render.samples import SITE, make_edition, make_item
from tests.system.samples.mails import HOSTILE

ONE_CLICK = "https://digest.example.org/unsubscribe/MQ.c2ln"
PAGE = "https://digest.example.org/editions/MQ.c2ln"
NAMES = [
    *("From", "To", "Subject", "Date", "Message-ID", "Reply-To", "List-Id", "List-Unsubscribe"),
    *("List-Unsubscribe-Post", "List-Help", "List-Owner", "Content-Language", "Archived-At"),
    *("Feedback-ID", "Precedence"),
    *("Auto-Submitted", "X-Auto-Response-Suppress", "MIME-Version", "Content-Type"),
]
ENVIRONMENT = make_environment()
PIECES = st.sampled_from(
    [
        *(
            "\r\n",
            "\n",
            "\r",
            "\r\n\r\n",
            "\x00",
            "\x0b",
            "\x85",
            "\u2028",
            "\u2029",
            "\ufeff",
            "\u202e",
            "\u2066",
        ),
        *("Bcc: evil@example.net", "Subject: x", "=?utf-8?q?=0aBcc:_x?=", "=?utf-8?b?", "?=", "=?", "\ud800"),
        *(
            '"',
            "\\",
            "<",
            ">",
            "(",
            ")",
            ",",
            ";",
            ":",
            "@",
            " ",
            "\t",
            "=",
            "--=_",
            "é",
            "漢字",
            "🎉",
            "e\u0301",
        ),
        *("x" * 90, "<a@example.net>", "[test]", "%0d%0a", ".", "\x7f", "\x1b[31m", "&amp;", "{{ 7*7 }}"),
    ]
)
EVIL = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(), st.sampled_from(HOSTILE))
SENDER = "digest@example.org"


def sent(edition: Edition, site: Branding, **options: str) -> Mail:
    usual = {"recipient": "me@example.org", "message_id": "<1@example.org>"}
    return make_mail(
        ENVIRONMENT, edition, site, delivery=1, unsubscribe=ONE_CLICK, page=PAGE, **usual | options
    )


def told(text: str, name: str = "") -> tuple[Edition, Branding]:
    """An edition, and who sends it, with a text everywhere."""
    paper = make_item(
        title=text, abstract=text, authors=(Author(name=text, affiliations=(text,)),), comment=text
    )
    site = replace(
        SITE, title=text, sender=formataddr((clean_header_text(text), SENDER)), source_titles={"arxiv": text}
    )
    return make_edition(paper, digest=name or "llm-systems", title=text, overflow=(paper,)), site


@given(EVIL, EVIL.map(lambda text: text[:64]))
@example("x" * 400 + '"\\' * 200, "漢" * 64)
@settings(deadline=None)
def test_no_text_adds_a_header_or_loses_a_mail(text: str, name: str) -> None:
    mail = sent(*told(text, name), subject_prefix=clean_header_text(text))

    message = message_from_bytes(mail.content, policy=policy.default)
    assert message.keys() == NAMES
    assert message.defects == []
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert message["List-Unsubscribe"].startswith(
        f"<{ONE_CLICK}>, <mailto:ops@example.org?subject=unsubscribe%20"
    )
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert addresses(message["From"].addresses) == [SENDER]
    assert addresses(message["To"].addresses) == ["me@example.org"]
    assert "@" not in message["Feedback-ID"]
    signs = {
        unicodedata.category(sign) for value in (message["Subject"], message["From"]) for sign in str(value)
    }
    assert not signs & {"Cc", "Cs", "Zl", "Zp"}
    assert max(map(len, mail.content.split(b"\r\n"))) <= 998


@given(EVIL)
@settings(
    max_examples=settings().max_examples // 4
)  # a press for each text takes a while to look at its templates
def test_the_fast_road_says_the_same(text: str) -> None:
    edition, site = told(text)

    fast = MailCache(ENVIRONMENT, site).make_mail(
        edition,
        delivery=1,
        recipient="me@example.org",
        message_id="<1@example.org>",
        unsubscribe=ONE_CLICK,
        page=PAGE,
    )

    assert message_from_bytes(fast.content).items() == message_from_bytes(sent(edition, site).content).items()


@given(EVIL)
@settings(deadline=None, max_examples=30)
def test_what_is_in_a_mail_never_breaks_its_signature(text: str) -> None:
    signed = Signer("example.org", [make_rsa_dkim_key(), make_ed25519_dkim_key()]).sign_message(
        sent(*told(text)).content
    )

    assert message_from_bytes(signed).keys() == ["DKIM-Signature", "DKIM-Signature", *NAMES]
    assert dkim.DKIM(signed).verify(
        idx=0, dnsfunc=make_dns_records(make_rsa_dkim_key(), make_ed25519_dkim_key())
    )


@given(st.one_of(EVIL, st.sampled_from(["a@b@c", "<a@b.org>", "a@b.org\r\nBcc: x@y.org", "a b@c.org"])))
def test_an_address_is_written_to_as_it_is_or_not_at_all(text: str) -> None:
    edition, site = told("title")
    try:
        mail = sent(edition, site, recipient=text)
    except RenderError:
        return

    message = message_from_bytes(mail.content, policy=policy.default)
    assert message.keys() == NAMES
    assert addresses(message["To"].addresses) == [mail.recipient]


def addresses(addresses: tuple[Address, ...]) -> list[str]:
    return [address.addr_spec for address in addresses]
