"""A spam filter finds nothing bad in the demo's mails."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.system.programs import demand

pytestmark = pytest.mark.system


def test_spamassassin_lets_every_mail_of_the_demo_pass(shown: Path) -> None:
    mails = sorted(shown.rglob("*.eml"))
    assert mails

    for mail in mails:
        with mail.open("rb") as file:
            report = subprocess.run(
                [demand("spamassassin"), "--local", "--nocreate-prefs", "--test-mode"],
                stdin=file,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        score = re.search(r"^X-Spam-Status: .*?score=(-?[\d.]+)", report, re.MULTILINE)
        assert score, report
        assert float(score[1]) <= 0.5, report
