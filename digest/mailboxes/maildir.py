"""A folder that a mail server delivers into: ``mailbox = "maildir:FOLDER"``.

The format is described at https://cr.yp.to/proto/maildir.html: what is new lies in ``new``, what was looked at in
``cur``, with the flags behind ``:2,``; ``S`` is "seen".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from digest import ports
from digest.errors import ReportError


@dataclass(frozen=True, slots=True, kw_only=True)
class Mailbox(ports.Mailbox):
    """One Maildir.

    Attributes:
        folder: absolute; ``new`` and ``cur`` are in it.
    """

    folder: Path

    def unread(self, most: int, max_bytes: int) -> Iterator[tuple[str, bytes]]:
        """What has no "seen", the oldest first. Another program may take a file away meanwhile: then it is passed over."""
        for file in self._files()[:most]:
            try:
                with file.open("rb") as opened:
                    content = opened.read(max_bytes)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise ReportError(
                    f"{file} cannot be read: {error.strerror}; let this user read it"
                ) from error
            yield str(file.relative_to(self.folder)), content

    def done(self, name: str) -> None:
        """Move a message to ``cur`` and give it the flag."""
        file = self.folder / name
        plain, _, flags = file.name.partition(":2,")
        seen = f"{plain}:2,{''.join(sorted({*flags, 'S'}))}"
        try:
            (self.folder / "cur").mkdir(exist_ok=True)
            file.rename(self.folder / "cur" / seen)
        except FileNotFoundError:
            return  # somebody has moved it
        except OSError as error:
            raise ReportError(
                f"{file} cannot be marked as read: {error.strerror}; let this user write the folder"
            ) from error

    def check(self) -> str:
        """Count them."""
        return f"{len(self._files()):,} unread in {self.folder}"

    def close(self) -> None:
        """Nothing is held."""

    def _files(self) -> list[Path]:
        if not (self.folder / "new").is_dir():
            raise ReportError(
                f"{self.folder} is no Maildir: there is no folder `new` in it; check `mailbox` in [bounces]"
            )
        try:
            found = [*(self.folder / "new").iterdir()]
            if (self.folder / "cur").is_dir():
                found += [
                    one for one in (self.folder / "cur").iterdir() if "S" not in one.name.partition(":2,")[2]
                ]
            dated = [(file.stat().st_mtime_ns, file.name, file) for file in found if file.is_file()]
        except OSError as error:
            raise ReportError(
                f"{self.folder} cannot be read: {error.strerror}; let this user read it"
            ) from error
        return [file for *_, file in sorted(dated)]
