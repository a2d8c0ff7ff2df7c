"""What SpamAssassin has to say of mails."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

from tests.support.timeouts import PATIENCE
from tests.system.programs.installed import require_program

MOST_SPAM = 0.5
"""SpamAssassin calls spam what has 5."""


def compute_spam_scores(mails: Mapping[str, bytes]) -> dict[str, float]:
    """How much each mail looks like spam, by its name; one SpamAssassin reads them all, for it begins slowly."""
    mailbox = b""
    for number, content in enumerate(mails.values()):
        body = re.sub(rb"(?m)^(>*From )", rb">\1", content.replace(b"\r\n", b"\n"))
        mailbox += b"From %d@example.org Fri Jun 12 05:30:04 2026\n%s\n\n" % (number, body)
    command = [require_program("spamassassin"), "--local", "--nocreate-prefs", "--mbox"]
    process = subprocess.run(command, input=mailbox, capture_output=True, check=True, timeout=PATIENCE)
    _, *results = re.split(rb"(?m)^From (\d+)@example\.org .*\n", process.stdout)
    reports = dict(
        zip(map(int, results[::2]), results[1::2], strict=True)
    )  # not in their order: spam comes last
    return {name: _score(reports[number]) for number, name in enumerate(mails)}


def _score(report: bytes) -> float:
    match = re.search(r"^X-Spam-Status: .*?score=(-?[\d.]+)", report.decode("utf-8", "replace"), re.MULTILINE)
    assert match, report
    return float(match[1])
