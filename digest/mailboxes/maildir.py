"""A folder into which a mail server delivers: ``mailbox = "maildir:FOLDER"``.

The format is described at https://cr.yp.to/proto/maildir.html: new messages are in ``new``, and messages that
a program has seen in ``cur``, with flags behind ``:2,``; ``S`` means "seen".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from digest import ports
from digest.config.paths import expand_path
from digest.errors import OptionError, ReportError
from digest.ports import MailboxLogin


@dataclass(frozen=True, slots=True, kw_only=True)
class Mailbox(ports.Mailbox):
    """One Maildir.

    Attributes:
        folder: the absolute path of the folder that contains ``new`` and ``cur``.
    """

    folder: Path
    needs_login = False

    @classmethod
    def from_address(cls, address: str, base_folder: Path, login: MailboxLogin | None) -> Self:  # noqa: ARG003 - files need none
        """Make the mailbox of ``maildir:FOLDER``."""
        path = address.partition(":")[2].strip()
        if not path:
            raise OptionError(f'{address!r} is not a mailbox; write "maildir:FOLDER"', "mailbox")
        return cls(folder=expand_path(path, base_folder))

    def fetch_unread(self, max_messages: int, max_bytes: int) -> Iterator[tuple[str, bytes]]:
        """Fetch the messages without the flag "seen", oldest first; files that disappear meanwhile are skipped."""
        for file in self._list_unread()[:max_messages]:
            try:
                with file.open("rb") as stream:
                    content = stream.read(max_bytes)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise ReportError(
                    f"{file} cannot be read: {error.strerror}; give this user read permission"
                ) from error
            yield str(file.relative_to(self.folder)), content

    def mark_read(self, name: str) -> None:
        """Move a message to ``cur`` and set its flag "seen"."""
        file = self.folder / name
        base_name, _, flags = file.name.partition(":2,")
        seen_name = f"{base_name}:2,{''.join(sorted({*flags, 'S'}))}"
        try:
            (self.folder / "cur").mkdir(exist_ok=True)
            file.rename(self.folder / "cur" / seen_name)
        except FileNotFoundError:
            return  # another program has moved it
        except OSError as error:
            raise ReportError(
                f"{file} cannot be marked as read: {error.strerror}; give this user write permission for the folder"
            ) from error

    def check(self) -> str:
        """Return the number of unread messages, in words."""
        return f"{len(self._list_unread()):,} unread in {self.folder}"

    def close(self) -> None:
        """Do nothing: no file is kept open."""

    def _list_unread(self) -> list[Path]:
        if not (self.folder / "new").is_dir():
            raise ReportError(
                f"{self.folder} is not a Maildir, because it has no folder `new`; check `mailbox` in [bounces]"
            )
        try:
            candidates = [*(self.folder / "new").iterdir()]
            if (self.folder / "cur").is_dir():
                candidates += [
                    entry
                    for entry in (self.folder / "cur").iterdir()
                    if "S" not in entry.name.partition(":2,")[2]
                ]
            dated_files = [
                (file.stat().st_mtime_ns, file.name, file) for file in candidates if file.is_file()
            ]
        except OSError as error:
            raise ReportError(
                f"{self.folder} cannot be read: {error.strerror}; give this user read permission"
            ) from error
        return [file for *_, file in sorted(dated_files)]
