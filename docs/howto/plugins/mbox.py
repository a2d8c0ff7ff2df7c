"""Mails in one mbox file, which most mail programs can import."""

import mailbox
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from digest import ports
from digest.model import AddressKind, Deferred, Mail, Message, MessageForm, Receipt, Sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel(ports.Channel):
    """Appends mails to the file `mbox` in a folder."""

    form = MessageForm.STORED_MAIL
    address_kind = AddressKind.FOLDER

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        for message in messages:
            if not isinstance(message, Mail):
                raise TypeError(f"the channel mbox takes mails, not {type(message).__name__}")
            yield message, _append(message)

    def check(self) -> str:
        return "mails are appended to the mbox files that the digests name"

    def close(self) -> None:
        """Nothing stays open between two batches."""


def _append(mail: Mail) -> Receipt:
    path = Path(mail.recipient) / "mbox"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        box = mailbox.mbox(path)
        box.lock()
        try:
            # A delivery whose answer was lost is repeated: what is there already is not added again.
            if all(entry["Message-ID"] != mail.message_id for entry in box):
                box.add(mail.content)
        finally:
            box.close()
    except (OSError, mailbox.Error) as error:
        return Deferred(answer=f"{path} cannot be written: {error}")
    return Sent(answer=f"in {path}")
