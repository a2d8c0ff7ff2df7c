"""Mails in a Maildir, which mail programs read without any server: ``to = ["maildir:FOLDER"]``.

The format is described at https://cr.yp.to/proto/maildir.html.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from digest import ports
from digest.model import AddressKind, Deferred, Mail, Message, MessageForm, Receipt, Sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel(ports.Channel):
    """Delivers mails into Maildirs; a mail's recipient is the absolute path of the folder.

    Files are named after the Message-ID, so a repeated delivery finds the mail in the folder, read or unread.
    """

    form: ClassVar[MessageForm] = MessageForm.STORED_MAIL
    address_kind: ClassVar[AddressKind] = AddressKind.FOLDER

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Put each message into its folder, which is created if it does not exist."""
        for message in messages:
            if not isinstance(message, Mail):
                raise TypeError(f"the channel maildir accepts mails, not {type(message).__name__}")
            yield message, _store_mail(message)

    def check(self) -> str:
        """Return a description; there is nothing to test, because each message names its folder."""
        return "mails are written to the folders that the digests name"

    def close(self) -> None:
        """Do nothing: the channel holds no resources."""


def _store_mail(mail: Mail) -> Receipt:
    folder = Path(mail.recipient)
    name = f"{hashlib.sha256(mail.message_id.encode()).hexdigest()[:32]}.digest"
    try:
        for subfolder in ("tmp", "new", "cur"):
            (folder / subfolder).mkdir(mode=0o700, parents=True, exist_ok=True)
        if (folder / "new" / name).exists() or any((folder / "cur").glob(f"{name}*")):
            return Sent(answer=f"it is already in {folder}")
        _write_atomically(folder, name, mail.content)
    except OSError as error:
        return Deferred(answer=f"{folder} cannot be written: {error.strerror}")
    return Sent(answer=f"in {folder}")


def _write_atomically(folder: Path, name: str, content: bytes) -> None:
    """Write a mail into ``tmp`` and move it to ``new``, so that no reader sees an incomplete one."""
    temporary = folder / "tmp" / name
    with temporary.open("wb") as file:
        file.write(content.replace(b"\r\n", b"\n"))  # local files have Unix line ends
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(folder / "new" / name)
