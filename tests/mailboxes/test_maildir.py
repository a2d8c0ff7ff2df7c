"""A Maildir is read and marked as its description has it, beside others that do the same."""

from __future__ import annotations

import mailbox as library
import os
from pathlib import Path

import pytest

from digest.errors import ReportError
from digest.mailboxes.maildir import Mailbox


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    library.Maildir(str(tmp_path / "box"), create=True)
    return tmp_path / "box"


def put(folder: Path, name: str, text: str = "x", at: int = 0) -> None:
    (folder / name).write_text(text)
    os.utime(folder / name, (at, at))


def names(box: Mailbox, most: int = 99) -> list[str]:
    return [name for name, _ in box.fetch_unread(most, 100)]


def test_what_has_no_seen_is_read_the_oldest_first(folder: Path) -> None:
    put(folder, "new/c", at=3)
    put(folder, "new/a", at=5)
    put(folder, "cur/b:2,", at=1)
    put(folder, "cur/d:2,RS", at=2)
    put(folder, "tmp/e", at=4)
    box = Mailbox(folder=folder)

    assert names(box) == ["cur/b:2,", "new/c", "new/a"]
    assert names(box, 1) == ["cur/b:2,"]
    assert box.check() == f"3 unread in {folder}"


def test_only_the_beginning_of_a_long_message_is_read(folder: Path) -> None:
    put(folder, "new/a", "y" * 1000)

    assert [len(content) for _, content in Mailbox(folder=folder).fetch_unread(9, 100)] == [100]


def test_what_is_done_is_seen_for_other_programs_too(folder: Path) -> None:
    put(folder, "new/a")
    put(folder, "cur/b:2,F")
    box = Mailbox(folder=folder)

    for name in names(box):
        box.mark_read(name)

    assert names(box) == []
    assert sorted(path.name for path in (folder / "cur").iterdir()) == ["a:2,S", "b:2,FS"]
    assert sorted(message.get_flags() for message in library.Maildir(str(folder))) == ["FS", "S"]


def test_what_another_program_took_away_is_passed_over(folder: Path) -> None:
    put(folder, "new/a", at=1)
    put(folder, "new/b", at=2)
    box = Mailbox(folder=folder)

    reading = box.fetch_unread(9, 100)
    first, _ = next(reading)
    (folder / "new/b").unlink()
    (folder / "new/a").unlink()
    box.mark_read(first)

    assert list(reading) == []


def test_a_folder_that_is_no_maildir_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"is not a Maildir.*check `mailbox`"):
        Mailbox(folder=tmp_path).check()
