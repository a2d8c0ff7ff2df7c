"""Every kind of mail that we send, signed with both kinds of key."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from digest.core.delivery.dns.dkim_keys import DkimKey, read_key
from digest.model import (
    Author,
    BatchState,
    Edition,
    EditionPart,
    Frequency,
    Mail,
    MessageForm,
    MissedEdition,
    Signal,
)
from digest.render.branding import Branding
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.dkim_signing import Signer
from digest.render.delivery.epub_mail import make_epub_mail
from digest.render.delivery.mail import MailLinks, make_mail
from digest.render.delivery.notice import OperatorNotice, make_notice
from digest.render.environment import make_environment
from tests.render.samples import (
    FRIDAY,
    NOW,
    SITE,
    make_batch,
    make_edition,
    make_edition_of_every_kind,
    make_edition_of_three_parts,
    make_item,
)

DOMAIN = "example.org"
PAGE = "https://digest.example.org/editions/MQ.c2lnbmF0dXJl"
ONE_CLICK = "https://digest.example.org/unsubscribe/MQ.c2lnbmF0dXJl"
HOSTILE = (
    "a\r\nBcc: everybody@example.net\r\n\r\nbody",
    "=?utf-8?q?a=0d=0aBcc:_everybody@example.net?=",
    "\x00\x07\x1b[31m\x7f\x9b\u2028\u2029\x85 bell and escape",
    "\u202egpj.exe\u2066\u200f\u061c turned round",
    '"><script>alert(1)</script> \\" , ; : <> () @ [] %00 %0d%0aX-Evil: 1',
    "From here on\n.\nMAIL FROM:<evil@example.net>\n.\r\n.\r\n",
    "🎉🎉🎉 ALL IN CAPITALS!!! $$$ AND LOUD???",
    "x" * 3000,
    "\ud800 half a character \udfff",
    "é" * 600 + " = " + "=" * 300,
)
"""Titles, names and lists that mean harm."""
CJK: dict[str, Any] = {
    "title": "大規模言語モデルにおけるキャッシュの可逆圧縮について",
    "abstract": "本論文では、推論時のメモリ使用量を大幅に削減する手法を提案する。" * 12,
    "authors": (Author(name="王偉", affiliations=("清華大学",)), Author(name="山田太郎")),
}
GERMAN: dict[str, Any] = {
    "title": "Über die verlustfreie Komprimierung größerer Zwischenspeicher: ein Überblick für Anfänger",
    "abstract": "Wir zeigen, daß sich Schlüssel und Werte äußerst platzsparend übertragen lassen. " * 8,
    "authors": (Author(name="Jürgen Müller", affiliations=("Universität Köln",)),),
}


def make_keys() -> tuple[DkimKey, DkimKey]:
    """An RSA key and one of Ed25519."""
    results = generate_private_key(65537, 2048), Ed25519PrivateKey.generate()
    pems = [
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()
        for key in results
    ]
    return read_key("rsa", pems[0]), read_key("ed", pems[1])


def make_dns_cache(folder: Path, signing: tuple[DkimKey, ...]) -> Path:
    """The records of a domain that signs, as mailauth reads them."""
    records = {key.make_record_name(DOMAIN): {"TXT": [[key.record]]} for key in signing}
    records[DOMAIN] = {"TXT": [["v=spf1 ip4:192.0.2.10 -all"]]}
    records[f"_dmarc.{DOMAIN}"] = {"TXT": [["v=DMARC1; p=reject; adkim=s; aspf=s"]]}
    file = folder / "dns.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    return file


def make_hostile_edition(text: str) -> tuple[Edition, Branding]:
    """An edition of a list in which this text stands everywhere."""
    papers = [
        make_item(
            number,
            part,
            title=text,
            abstract=text,
            authors=(Author(name=text, affiliations=(text,)),),
            comment=text,
        )
        for number, part in enumerate((EditionPart.SURELY, EditionPart.MAYBE), start=1)
    ]
    site = replace(SITE, title=text, source_titles={"arxiv": text})
    return make_edition(*papers, digest="llm-systems", title=text, overflow=(make_item(9, title=text),)), site


def make_editions() -> dict[str, Edition]:
    """Editions of each kind, for ordinary people."""
    yesterday = FRIDAY - timedelta(days=1)
    missed = [
        MissedEdition(edition=number, period=period, zone="Europe/Berlin", composed_at=NOW, page=PAGE)
        for number, period in enumerate(("2026-06-10T07:30", "alert-77"))
    ]
    return {
        "short": make_edition(make_item(1)),
        "of every kind": make_edition_of_every_kind(),
        "long": make_edition(
            *(make_item(number) for number in range(1, 60)),
            overflow=tuple(make_item(n) for n in range(60, 200)),
        ),
        "empty": make_edition(),
        "alert": make_edition(make_item(1), period="alert-12345"),
        "merged": make_edition(
            make_item(1, day=yesterday), make_item(2), batches=(make_batch(day=yesterday), make_batch())
        ),
        "incomplete": make_edition_of_three_parts(
            batches=(make_batch(state=BatchState.FAILED), make_batch("cs.LG"))
        ),
        "after a miss": replace(make_edition_of_three_parts(), missed=tuple(missed)),
        "weekly": make_weekly_edition(),
        "CJK": make_edition(*(make_item(number, **CJK) for number in range(1, 6)), title="論文速報"),
        "German": make_edition(
            *(make_item(number, **GERMAN) for number in range(1, 6)), title="Neue Aufsätze"
        ),
    }


def make_weekly_edition() -> Edition:
    """An edition of a week, with an overview, and papers with numbers."""
    days = [FRIDAY - timedelta(days=place) for place in range(5)]
    papers = []
    for number in range(1, 13):
        item = make_item(number, day=days[number * number % 5], source="hf" if number % 3 == 0 else "arxiv")
        counted = [
            ("votes", "hf", 12.0 * number),
            ("comments", "hf", 3.0),
            ("stars", "github", 1200.0 + number),
        ]
        signals = tuple(
            Signal(subject=item.paper.key, kind=kind, source=source, day=FRIDAY, value=value)
            for kind, source, value in counted[: number % 4]
        )
        papers.append(replace(item, event=replace(item.event, signals=signals)))
    batches = tuple(make_batch(day=day) for day in days)
    return make_edition(*papers, frequency=Frequency.WEEKLY, batches=batches, excluded=3)


def make_mails(signing: tuple[DkimKey, ...]) -> dict[str, Mail]:
    """A mail of each kind, by what it is."""
    mails = {
        name: _make_mail(number, edition) for number, (name, edition) in enumerate(make_editions().items())
    }
    mails["test"] = _make_mail(50, make_edition_of_every_kind(), mark="[test]", unsubscribe="", page="")
    mails["without a site"] = _make_mail(51, make_edition_of_every_kind(), unsubscribe="", page="")
    fast = MailCache(make_environment(), SITE)
    mails["fast"] = fast.make_mail(
        make_edition_of_three_parts(),
        delivery=52,
        recipient=f"reader@{DOMAIN}",
        message_id=f"<52@{DOMAIN}>",
        unsubscribe=ONE_CLICK,
        page=PAGE,
    )
    for number, text in enumerate(HOSTILE, start=60):
        mails[f"hostile {number}"] = _make_mail(number, *make_hostile_edition(text))
    for number, (name, operator_notice) in enumerate(make_notices().items(), start=90):
        message = make_notice(operator_notice, SITE, MessageForm.MAIL, f"reader@{DOMAIN}")
        assert isinstance(message, Mail)
        mails[name] = replace(message, delivery=number)
    signer = Signer(DOMAIN, signing)
    return {name: replace(mail, content=signer.sign_message(mail.content)) for name, mail in mails.items()}


def make_mail_with_epub(signing: tuple[DkimKey, ...]) -> Mail:
    """A mail that brings an edition to an e-reader; its text is no edition, and it has no HTML."""
    mail = make_epub_mail(
        make_environment(),
        make_edition_of_three_parts(),
        SITE,
        delivery=53,
        recipient=f"reader@{DOMAIN}",
        message_id=f"<53@{DOMAIN}>",
        mail_links=MailLinks(unsubscribe=ONE_CLICK, page=PAGE),
    )
    return replace(mail, content=Signer(DOMAIN, signing).sign_message(mail.content))


def make_notices() -> dict[str, OperatorNotice]:
    """What the operator is told of."""
    trouble = "Mail to gmail.com is refused for a reason that is ours: 550 5.7.26 unauthenticated. `digest check` helps."
    how = "12 editions went to 40 readers since yesterday; 1 was put off.\nThe next run is due at 07:30."
    return {
        "notice": OperatorNotice(
            lines={"refused:gmail.com": trouble, "clock": "A clock is wrong."}, created_at=NOW
        ),
        "summary": OperatorNotice(lines={"summary": how}, created_at=NOW, is_summary=True),
    }


def _make_mail(
    number: int,
    edition: Edition,
    site: Branding = SITE,
    *,
    mark: str = "",
    unsubscribe: str = ONE_CLICK,
    page: str = PAGE,
) -> Mail:
    return make_mail(
        make_environment(),
        edition,
        site,
        delivery=number,
        recipient=f"reader@{DOMAIN}",
        message_id=f"<{number}@{DOMAIN}>",
        subject_prefix=mark,
        unsubscribe=unsubscribe,
        page=page,
    )
