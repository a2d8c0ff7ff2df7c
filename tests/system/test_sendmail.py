"""The program of a real mail server takes our mail, and it is delivered unchanged."""

from __future__ import annotations

import pytest

from digest.channels.sendmail import Channel
from digest.model import Deferred, Fault, Sent
from tests.system.programs.postfix import Postfix
from tests.system.test_postfix import get_sent_part, make_mail

pytestmark = pytest.mark.system


def test_the_sendmail_of_postfix_delivers_each_mail_unchanged(postfix: Postfix) -> None:
    mails = [
        make_mail(11, "Kostić · Köstler\n"),
        make_mail(12, ".\n..\nFrom the start of a line\n" + "x" * 990 + "\n.\n"),
        make_mail(13, "no more\n\n\n"),
    ]
    channel = Channel(command=postfix.sendmail)

    assert postfix.sendmail[0] in channel.check()
    assert [receipt for _, receipt in channel.deliver(mails)] == [Sent()] * 3
    results = {get_sent_part(content) for content in postfix.delivered(3)}
    assert {mail.content.replace(b"\r\n", b"\n") for mail in mails} <= results


def test_what_a_real_sendmail_says_no_to_is_ours(postfix: Postfix) -> None:
    [(_, wrong)] = Channel(command=(*postfix.sendmail, "-oQ-no-such-thing", "-bX")).deliver(
        [make_mail(14, "x\n")]
    )

    assert isinstance(wrong, Deferred)
    assert wrong.fault is Fault.OURS
