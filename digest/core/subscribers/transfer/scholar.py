"""Alerts of Google Scholar: the search or the person that a mail is about.

The subject of a mail is the search or the person, a dash, and what the mail reports. Its last sentence says the same
in other words.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from itertools import islice

from digest.core.language.query import format_author
from digest.core.subscribers.own_digest import OwnFollow
from digest.core.subscribers.transfer.imported import ImportProblem, ProblemKind, read_follow

_RESULTS = "new results|neue Ergebnisse|de nouveaux résultats sont disponibles|nuevos resultados|新的结果"
_ARTICLES = "new articles|neue Artikel|de nouveaux articles sont disponibles|nuevos artículos|新文章"
_OTHERS = "new citations|new related research|neue Zitationen|neue Zitate"
_SUBJECT = re.compile(
    rf"(?P<about>.{{1,500}}?)\s+[-–]\s+(?:(?P<results>{_RESULTS})|(?P<articles>{_ARTICLES})|(?P<others>{_OTHERS}))",
    re.IGNORECASE,
)
_NEW_RESULTS_FOR = re.compile(r"new results for\s+(?P<about>.{1,500})", re.IGNORECASE)
_OTHER_SUBJECT = re.compile(r"(?:\d+ )?new (?:citations to|articles related to) .{1,500}", re.IGNORECASE)
_SENTENCE = re.compile(
    r"because you.re following new (?:results for \[(?P<results>[^\n]{1,500}?)\](?=[.\s]|$)"
    r"|articles written by (?P<articles>[^\n]{1,200}?)\.?(?=\s*(?:LIST|CANCEL|This|\n|$))"
    r"|(?P<others>citations to|articles related to)\b)",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>]{0,5000}>")
_MAX_MAIL, _MAX_PARTS, _MAX_ALERTS = 1 << 20, 50, 500
"""Number of bytes or characters of a mail, which has some 50,000, of its parts, and of alerts in a text."""


def read_alert_line(line: str) -> OwnFollow | ImportProblem | None:
    """Return what the alert with a subject is about; None if the line is no subject of an alert."""
    if match := _SUBJECT.fullmatch(line) or _NEW_RESULTS_FOR.fullmatch(line):
        groups = match.groupdict()
        if groups.get("articles"):
            return _make_person(groups["about"])
        return _make_other(line) if groups.get("others") else _make_search(groups["about"])
    return _make_other(line) if _OTHER_SUBJECT.fullmatch(line) else None


def read_alert_text(text: str) -> tuple[OwnFollow | ImportProblem, ...]:
    """Return what the alerts in a text are about, which may be HTML; none if there is no alert in it."""
    text = text[:_MAX_MAIL]
    if "<" in text:
        text = html.unescape(_TAG.sub(" ", text))
    found: list[OwnFollow | ImportProblem] = []
    for match in islice(_SENTENCE.finditer(" ".join(text.split())), _MAX_ALERTS):
        if match["results"]:
            found.append(_make_search(match["results"]))
        elif match["articles"]:
            found.append(_make_person(match["articles"]))
        else:
            found.append(_make_other(match[0]))
    return tuple(found)


def read_alert_mail(content: bytes) -> tuple[OwnFollow | ImportProblem, ...]:
    """Return what the alert in a mail is about; none if it is no alert.

    Args:
        content: the mail as programs save it (RFC 5322); what is beyond a megabyte is ignored.
    """
    try:
        message = message_from_bytes(content[:_MAX_MAIL])
        alert = read_alert_line(" ".join(_read_subject(message).split()))
        return (alert,) if alert else read_alert_text("\n".join(_list_texts(message)))
    except (MessageError, RecursionError, ValueError, LookupError):  # parts in parts, or unknown encodings
        return ()


def _read_subject(message: Message) -> str:
    subject = str(message.get("Subject", ""))[:2_000]
    return "".join(
        part if isinstance(part, str) else part.decode(charset or "ascii", "replace")
        for part, charset in decode_header(subject)
    )


def _list_texts(message: Message) -> Iterator[str]:
    for number, part in enumerate(message.walk()):
        if number == _MAX_PARTS:
            return
        if part.get_content_maintype() == "text":
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                yield payload.decode(part.get_content_charset() or "utf-8", "replace")


# --- queries --------------------------------------------------------------------------------------

_SCHOLAR_FIELDS = (
    (re.compile(r"\ballintitle:\s*(.*)", re.IGNORECASE), r"title:(\1)"),
    (re.compile(r"\bintitle:", re.IGNORECASE), "title:"),
    (re.compile(r"\bsource:", re.IGNORECASE), "journal:"),
)
"""Fields that have other names in the language of follows."""


def _make_search(words: str) -> OwnFollow | ImportProblem:
    words = words.strip().removeprefix("[").removesuffix("]")
    query_text = words
    for pattern, replacement in _SCHOLAR_FIELDS:
        query_text = pattern.sub(replacement, query_text)
    return read_follow(words, query_text)


def _make_person(name: str) -> OwnFollow | ImportProblem:
    name = " ".join(name.split()).strip("[]")
    return read_follow(name, format_author(name))


def _make_other(text: str) -> ImportProblem:
    return ImportProblem(ProblemKind.CITATIONS, text[:200])
