"""A spam filter finds nothing bad in the demo's mails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.programs.spam import MOST_SPAM, compute_spam_scores

pytestmark = pytest.mark.system
SPAM = b"Subject: x\r\n\r\nXJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X\r\n"
"""What every filter is to call spam: https://spamassassin.apache.org/gtube/"""


def test_spamassassin_lets_every_mail_of_the_demo_pass(demo_folder: Path) -> None:
    mails = {str(mail): mail.read_bytes() for mail in demo_folder.rglob("*.eml")}

    spam_scores = compute_spam_scores({"spam": SPAM, **mails})

    assert spam_scores.pop("spam") > 5
    assert spam_scores
    assert {name: score for name, score in spam_scores.items() if score > MOST_SPAM} == {}
