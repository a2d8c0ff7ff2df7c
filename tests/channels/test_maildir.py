"""What one can rely on when mails are put into a Maildir."""

from __future__ import annotations

import mailbox
from pathlib import Path

import pytest

from digest.channels.maildir import Channel
from digest.model import Deferred, FileSet, Mail, Receipt, Sent

CONTENT = b"Subject: papers\r\nMessage-ID: <1@b>\r\n\r\nOne.\r\n.\r\n"


def mail(folder: Path, number: int = 1) -> Mail:
    return Mail(
        delivery=number, sender="a@b", recipient=str(folder), message_id=f"<{number}@b>", content=CONTENT
    )


def deliver(*messages: Mail) -> list[Receipt]:
    return [receipt for _, receipt in Channel().deliver(messages)]


def test_a_mail_program_finds_the_mails(tmp_path: Path) -> None:
    folder = tmp_path / "in" / "box"
    assert deliver(mail(folder, 1), mail(folder, 2)) == [Sent(answer=f"in {folder}")] * 2

    box = mailbox.Maildir(folder, create=False)
    assert len(box) == 2
    for key in box.keys():  # noqa: SIM118 - a mailbox goes by its messages
        assert box[key]["Subject"] == "papers"
        assert box[key].get_subdir() == "new"
        assert box.get_bytes(key) == CONTENT.replace(b"\r\n", b"\n")


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    deliver(mail(tmp_path))

    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_repeat_makes_no_second_copy(tmp_path: Path) -> None:
    deliver(mail(tmp_path))

    assert deliver(mail(tmp_path)) == [Sent(answer=f"it is already in {tmp_path}")]
    assert len(mailbox.Maildir(tmp_path, create=False)) == 1


def test_a_repeat_makes_no_second_copy_of_a_mail_that_was_read(tmp_path: Path) -> None:
    deliver(mail(tmp_path))
    box = mailbox.Maildir(tmp_path, create=False)
    [(key, message)] = box.iteritems()
    message.set_subdir("cur")
    message.set_flags("S")
    box[key] = message

    assert deliver(mail(tmp_path)) == [Sent(answer=f"it is already in {tmp_path}")]
    assert len(mailbox.Maildir(tmp_path, create=False)) == 1


def test_what_a_crash_left_behind_is_finished_by_the_repeat(tmp_path: Path) -> None:
    deliver(mail(tmp_path))
    [path] = (tmp_path / "new").iterdir()
    path.rename(tmp_path / "tmp" / path.name)
    (tmp_path / "tmp" / path.name).write_bytes(b"Subj")
    deliver(mail(tmp_path))

    assert path.read_bytes() == CONTENT.replace(b"\r\n", b"\n")
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_folder_that_cannot_be_made_defers_this_mail_only(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"a file")
    receipts = deliver(mail(tmp_path / "taken"), mail(tmp_path / "box"))

    assert isinstance(receipts[0], Deferred)
    assert "taken" in receipts[0].answer
    assert isinstance(receipts[1], Sent)


def test_files_are_no_mails() -> None:
    with pytest.raises(TypeError, match="accepts mails"):
        list(Channel().deliver([FileSet(delivery=1, folder="/", files=())]))


def test_there_is_nothing_to_check_or_close() -> None:
    channel = Channel()

    assert channel.check() == "mails are written to the folders that the digests name"
    channel.close()
