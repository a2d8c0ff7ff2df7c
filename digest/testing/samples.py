"""Sample messages and subjects for tests of plug-ins."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from digest.model import Chat, Document, FileSet, Mail, Message, MessageForm, Span, Subject, SubjectKind

_Maker = Callable[[int, str], Message]


def make_messages(form: MessageForm, address: str, count: int = 10) -> tuple[Message, ...]:
    """Make messages in the form that a channel gets them; each call returns the same ones.

    Args:
        form: the form of the channel.
        address: the destination: the recipient of mails, a folder, or the public address of a chat or
            program.
        count: the number of messages; a batch has at most ten.
    """
    return tuple(_MAKERS[form](number, address) for number in range(1, count + 1))


def make_subjects(kind: SubjectKind = SubjectKind.PAPER, count: int = 3) -> tuple[Subject, ...]:
    """Make papers with an arXiv ID and a DOI, or persons with an ORCID iD, for requests of an enricher.

    Args:
        kind: papers or persons.
        count: the number of subjects.
    """
    if kind is SubjectKind.PERSON:
        orcids = [f"0000-0002-1825-{number:04}" for number in range(1, count + 1)]
        return tuple(Subject(kind=kind, key=f"orcid:{orcid}", ids=(("orcid", orcid),)) for orcid in orcids)
    return tuple(
        Subject(
            kind=kind,
            key=f"arxiv:2606.{number:05}",
            ids=(("arxiv", f"2606.{number:05}"), ("doi", f"10.1000/sample.{number}")),
        )
        for number in range(1, count + 1)
    )


def _make_mail(number: int, address: str) -> Mail:
    message_id = f"<sample-{number}@example.org>"
    lines = (
        "From: Digest <digest@example.org>",
        f"To: {address if '@' in address else 'reader@example.org'}",
        f"Subject: New papers ({number})",
        f"Message-ID: {message_id}",
        "Date: Fri, 12 Jun 2026 07:30:00 +0200",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 7bit",
        "",
        "On Looms, by Ada Lovelace",
        "From here on a line that mbox files have to quote.",
        ".",
        "",
    )
    return Mail(
        delivery=number,
        sender="digest@example.org",
        recipient=address,
        message_id=message_id,
        content="\r\n".join(lines).encode(),
    )


def _make_files(number: int, address: str) -> FileSet:
    files = (
        (f"edition-{number}.html", b"<!DOCTYPE html><title>New papers</title>\n"),
        ("index.txt", b"New\n"),
    )
    return FileSet(delivery=number, folder=address, files=files)


def _make_chat(number: int, address: str) -> Chat:
    title = (Span(text="On Looms", url="https://example.org/looms", strong=True),)
    return Chat(
        delivery=number,
        address=address,
        title=f"New papers ({number})",
        opening=((Span(text="One new paper."),),),
        papers=(((title, (Span(text="Ada Lovelace"),)), (title,)),),
        omission_notices=("", "1 paper is left out."),
        page="https://example.org/editions/1",
        page_label="Read it all",
    )


def _make_document(number: int, address: str) -> Document:
    key = f"sample-{number}@example.org"
    return Document(
        delivery=number, address=address, idempotency_key=key, content=b'{"version": 1, "papers": []}'
    )


_MAKERS: Mapping[MessageForm, _Maker] = {
    MessageForm.MAIL: _make_mail,
    MessageForm.STORED_MAIL: _make_mail,
    MessageForm.FILES: _make_files,
    MessageForm.CHAT: _make_chat,
    MessageForm.JSON: _make_document,
}
