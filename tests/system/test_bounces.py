"""What a real Postfix sends back is matched with its delivery, and counts for what it is."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trustme

from digest.channels.smtp import Channel
from digest.core.delivery.bounces.return_path import ReturnPath
from digest.jobs.delivery.bounces.bounce_events import (
    CountedReport,
    MailboxRead,
    ReportAction,
    UncountedReason,
)
from digest.jobs.delivery.bounces.receiver import ReportReceiver
from digest.mailboxes.maildir import Mailbox
from digest.model import BounceClass, Delivery, Mail, Sent
from digest.store.database.engine import Store, open_store
from digest.store.delivery import outbox, receipts, suppressions
from tests.store.factories import NOW, make_due_edition
from tests.support.timeouts import PATIENCE
from tests.support.workspace import make_empty_database
from tests.system.programs.postfix import DOMAIN, Postfix

pytestmark = pytest.mark.system

KINDS = {
    "gone.example": ("error:5.1.1 no such user here", BounceClass.GONE),
    "closed.example": ("error:5.2.1 mailbox disabled", BounceClass.CLOSED),
    "full.example": ("error:5.2.2 mailbox full", BounceClass.SOFT),
    "later.example": ("retry:4.4.1 no answer from host", BounceClass.SOFT),
    "policy.example": ("error:5.7.1 message refused as spam", BounceClass.OURS),
    "nobody.example": ("smtp:[127.0.0.1]:{port}", BounceClass.GONE),
}
"""Where mail to these domains goes, and what is found in what comes back."""
PATH = ReturnPath(address=f"bounces@{DOMAIN}", keys=(b"k" * 32,))


@pytest.fixture
def postfix(authority: trustme.CA) -> Iterator[Postfix]:
    """A Postfix that gives up soon, and that another one refuses."""
    folders = [Path(tempfile.mkdtemp(prefix="digest-postfix-")) for _ in range(2)]
    for folder in folders:
        folder.chmod(0o755)
    refuses = "smtpd_recipient_restrictions = reject_unauth_destination\nvirtual_mailbox_maps = inline:{ somebody@nobody.example=inbox/ }\n"
    with Postfix(folders[0], authority, more=f"virtual_mailbox_domains = nobody.example\n{refuses}") as other:
        ways = " ".join(
            f"{{ {domain} = {way.format(port=other.port)} }}" for domain, (way, _) in KINDS.items()
        )
        more = (
            f"transport_maps = inline:{{ {ways} }}\nmaximal_queue_lifetime = 1s\nminimal_backoff_time = 1s\n"
        )
        more += "smtpd_reject_unlisted_recipient = no\n"
        more += "queue_run_delay = 1s\nmaximal_backoff_time = 2s\nsmtpd_relay_restrictions = permit_mynetworks, reject\n"
        with Postfix(folders[1], authority, more=more) as server:
            yield server
    for folder in folders:
        shutil.rmtree(folder)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    (tmp_path / "digest.db").write_bytes(make_empty_database())
    store = open_store(f"sqlite:///{tmp_path / 'digest.db'}", NOW)
    yield store
    store.close()


def sent(store: Store, postfix: Postfix) -> dict[str, Delivery]:
    """A message to each domain, taken by Postfix."""
    make_due_edition(store, 0, to=[f"Reader@{domain}" for domain in KINDS])
    with store.begin_write() as tx:
        deliveries = outbox.claim_deliveries(tx, "smtp", 1, NOW, 10)
    channel = Channel(host="127.0.0.1", port=postfix.port, security="none")
    mails = [
        Mail(
            delivery=delivery.id,
            sender=PATH.make_address(delivery.id),
            recipient=delivery.address,
            message_id=f"<{delivery.id}@{DOMAIN}>",
            content=(
                f"From: Digest <digest@{DOMAIN}>\r\nTo: {delivery.address}\r\nMessage-ID: <{delivery.id}@{DOMAIN}>\r\n"
                "Subject: 550 5.1.1 user unknown\r\n\r\n550 5.1.1 user unknown\r\n"
            ).encode(),
        )
        for delivery in deliveries
    ]
    answered = [receipt for _, receipt in channel.deliver(mails)]
    channel.close()
    assert [type(receipt) for receipt in answered] == [Sent] * len(KINDS), answered
    with store.begin_write() as tx:
        receipts.record_receipts(tx, [(delivery, Sent()) for delivery in deliveries], NOW)
    return {delivery.domain: delivery for delivery in deliveries}


def test_each_message_that_comes_back_is_matched_and_counts_for_what_it_is(
    store: Store, postfix: Postfix
) -> None:
    by_domain = sent(store, postfix)
    hearing = ReportReceiver(
        store=store, return_path=PATH, pages=None, sender=f"digest@{DOMAIN}", clock=lambda: datetime.now(UTC)
    )
    box = Mailbox(folder=postfix.inbox)
    reports: list[CountedReport] = []
    left: list[UncountedReason] = []
    until = time.monotonic() + PATIENCE

    while len(reports) < len(KINDS) and time.monotonic() < until:
        postfix.delivered(1)
        for one in hearing.read_mailbox(box):
            reports += [one] if isinstance(one, CountedReport) else []
            left += one.left_by_reason if isinstance(one, MailboxRead) else []
            assert not (isinstance(one, MailboxRead) and one.error), one

    found_reports = {report.report.mailbox.rpartition("@")[2]: report for report in reports}
    assert {domain: report.report.finding for domain, report in found_reports.items()} == {
        domain: finding for domain, (_, finding) in KINDS.items()
    }
    assert {domain: report.report.delivery for domain, report in found_reports.items()} == {
        domain: delivery.id for domain, delivery in by_domain.items()
    }
    assert found_reports["nobody.example"].report.answer.startswith("550 5.1.1 <Reader@nobody.example>")
    assert {
        domain for domain, report in found_reports.items() if report.action is ReportAction.SUPPRESSED
    } == {
        "gone.example",
        "nobody.example",
    }
    assert left == []
    with store.begin_read() as tx:
        assert len(suppressions.list_suppressions(tx)) == 2
