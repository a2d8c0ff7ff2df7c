"""Editions as files in a folder: ``to = ["files:FOLDER"]``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from digest import ports
from digest.model import AddressKind, Deferred, FileSet, Message, MessageForm, Receipt, Refused, Sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel(ports.Channel):
    """Writes the files of editions, each atomically; a repeated delivery writes the same files again."""

    form: ClassVar[MessageForm] = MessageForm.FILES
    address_kind: ClassVar[AddressKind] = AddressKind.FOLDER

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        """Write the files of each message into its folder, which is created if it does not exist."""
        for message in messages:
            if not isinstance(message, FileSet):
                raise TypeError(f"the channel files accepts FileSets, not {type(message).__name__}")
            yield message, _write_all(message)

    def check(self) -> str:
        """Return a description; there is nothing to test, because each message names its folder."""
        return "files are written to the folders that the digests name"

    def close(self) -> None:
        """Do nothing: the channel holds no resources."""


def _write_all(message: FileSet) -> Receipt:
    folder = Path(message.folder)
    for name, content in message.files:
        target = folder / name
        if not target.resolve().is_relative_to(folder.resolve()):
            return Refused(answer=f"{name!r} is outside {folder}")
        try:
            _write_atomically(target, content, message.delivery)
        except OSError as error:
            return Deferred(answer=f"{target} cannot be written: {error.strerror}")
    return Sent(answer=f"{len(message.files)} files in {folder}")


def _write_atomically(target: Path, content: bytes, delivery: int) -> None:
    """Write a file so that no reader sees an incomplete one, not even after a power failure."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # The name depends on the delivery, so that a repeat overwrites the file that a crash left.
    temporary = target.with_name(f".{target.name}.{delivery}")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(target)
