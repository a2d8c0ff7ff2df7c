"""What one can rely on when editions become files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from digest.channels.files import Channel
from digest.model import Deferred, FileSet, Mail, Receipt, Refused, Sent


def deliver(*messages: FileSet) -> list[Receipt]:
    return [receipt for _, receipt in Channel().deliver(messages)]


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_files_are_there_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"
    files = (("a.html", b"<p>"), ("2026/b.txt", b"two\n"))
    [receipt] = deliver(FileSet(delivery=1, folder=str(folder), files=files))

    assert receipt == Sent(answer=f"2 files in {folder}")
    assert everything(tmp_path) == {"deep/out/a.html": b"<p>", "deep/out/2026/b.txt": b"two\n"}


def test_a_repeat_and_a_later_edition_take_the_place(tmp_path: Path) -> None:
    for content in (b"one", b"one", b"two"):
        deliver(FileSet(delivery=1, folder=str(tmp_path), files=(("a", content),)))

    assert everything(tmp_path) == {"a": b"two"}


def test_what_a_crash_left_behind_is_cleared_by_the_repeat(tmp_path: Path) -> None:
    file_set = FileSet(delivery=7, folder=str(tmp_path), files=(("a.xml", b"whole"),))
    (tmp_path / ".a.xml.7").write_bytes(b"ha")
    deliver(file_set)

    assert everything(tmp_path) == {"a.xml": b"whole"}


def test_the_old_file_stays_whole_until_the_new_one_is(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"old")
    with target.open("rb") as reader:
        deliver(FileSet(delivery=1, folder=str(tmp_path), files=(("a", b"new"),)))

        assert reader.read() == b"old"
    assert target.read_bytes() == b"new"


@pytest.mark.skipif(os.name != "posix", reason="file modes mean nothing here")
def test_a_web_server_may_read_them(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        deliver(FileSet(delivery=1, folder=str(tmp_path), files=(("a", b"x"),)))
    finally:
        os.umask(before)

    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("name", ["../a", "/etc/a", "b/../../a"])
def test_no_file_leaves_its_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "out"
    [receipt] = deliver(FileSet(delivery=1, folder=str(folder), files=((name, b"x"),)))

    assert isinstance(receipt, Refused)
    assert everything(tmp_path) == {}


def test_a_folder_that_cannot_be_made_defers_this_message_only(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"a file")
    bad = FileSet(delivery=1, folder=str(tmp_path / "taken"), files=(("a", b"x"),))
    good = FileSet(delivery=2, folder=str(tmp_path), files=(("a", b"x"),))
    receipts = deliver(bad, good)

    assert isinstance(receipts[0], Deferred)
    assert "taken" in receipts[0].answer
    assert isinstance(receipts[1], Sent)


def test_mails_are_no_files() -> None:
    mail = Mail(delivery=1, sender="a@b", recipient="c@d", message_id="<1@b>", content=b"")
    with pytest.raises(TypeError, match="accepts FileSets"):
        list(Channel().deliver([mail]))


def test_there_is_nothing_to_check_or_close() -> None:
    channel = Channel()

    assert channel.check() == "files are written to the folders that the digests name"
    channel.close()
