"""How the service is, for programs of operators. No document has the address of a destination."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pydantic import BaseModel, Field

from digest.jobs.operations.status import Status
from digest.model import Run
from digest.render.publishing.documents.day import SectionDocument, make_section_document
from digest.store.editions.held_runs import HeldRun
from digest.store.editions.runs import RunDigests
from digest.store.operations.audit import AuditEntry


class RunDocument(BaseModel):
    """A run: all editions of one firing."""

    id: int
    period: str = Field(description="Local date and time of the firing, such as 2026-06-12T07:30")
    state: str
    digests: list[str] = Field(
        description="The names of its first digests that the configuration file declares"
    )
    digest_count: int = Field(description="The number of all its digests")
    reader_digest_count: int = Field(description="The number of those that readers made on the site")


class HeldRunDocument(BaseModel):
    """A run whose deliveries wait for a decision."""

    id: int
    period: str
    reason: str


class RunsDocument(BaseModel):
    """The last runs, newest first, and those that are held."""

    runs: list[RunDocument]
    held: list[HeldRunDocument]


class DeliveriesDocument(BaseModel):
    """The number of deliveries by state."""

    deliveries: dict[str, int]


class StatusDocument(BaseModel):
    """What arrived, what is missing, and what is due next."""

    sections: list[SectionDocument] = Field(description="The sections of the last week, and incomplete ones")
    all_fail: bool = Field(description="Whether the last attempt failed for every section")
    runs: list[RunDocument]
    held_runs: list[HeldRunDocument]
    deliveries: dict[str, int] = Field(description="The number of deliveries by state")
    reports: dict[str, int] = Field(description="Bounces and complaints of the last week, by class")
    suppressed: int = Field(description="The number of addresses that get nothing because mail bounced")
    servers: dict[str, str] = Field(description="Mail servers in trouble, with the reason")
    paused_hosts: dict[str, str] = Field(description="Hosts of sources that are paused, with the reason")
    undelivered_notices: int
    next_edition: datetime | None


class AuditEntryDocument(BaseModel):
    """A change, or how often a token read something in an hour."""

    id: int
    at: datetime
    kind: str = Field(description="shell, operator or token")
    subscriber: int | None = Field(description="The number of the reader; null for the shell, and if deleted")
    address: str = Field(description='The present address of that reader; "" if there is none')
    name: str = Field(description="The system user of a shell, or the number of a token, such as token 5")
    action: str
    subject: str = Field(description="To what, such as run 12")
    amount: int


class AuditLogDocument(BaseModel):
    """A page of the audit log, newest first."""

    entries: list[AuditEntryDocument]
    next_cursor: str = Field(description='Where the next page begins; "" on the last one')


class DecisionDocument(BaseModel):
    """A decision on a run."""

    deliveries: int = Field(description="The number of deliveries that it changed")


def make_status_document(status: Status, runs: Iterable[tuple[Run, RunDigests]]) -> StatusDocument:
    """Make the document of the status.

    Args:
        status: the status.
        runs: its runs with their digests, without names that readers may have given.
    """
    return StatusDocument(
        sections=list(map(make_section_document, status.batches)),
        all_fail=status.all_fail,
        runs=[make_run_document(run, digests) for run, digests in runs],
        held_runs=list(map(make_held_run_document, status.held_runs)),
        deliveries=status.deliveries,
        reports=dict(status.reports),
        suppressed=len(status.suppressions),
        servers={name: failure.reason for name, failure in status.servers.items()},
        paused_hosts={name: pause.reason for name, pause in status.paused_buckets.items()},
        undelivered_notices=len(status.undelivered_notices),
        next_edition=min((upcoming.at for upcoming in status.upcoming.first), default=None),
    )


def make_run_document(run: Run, digests: RunDigests) -> RunDocument:
    """Make the document of a run with its digests."""
    return RunDocument(
        id=run.id,
        period=run.period,
        state=run.state.value,
        digests=list(digests.configured.first),
        digest_count=digests.configured.total + digests.reader_count,
        reader_digest_count=digests.reader_count,
    )


def make_held_run_document(run: HeldRun) -> HeldRunDocument:
    """Make the document of a held run."""
    return HeldRunDocument(id=run.id, period=run.period, reason=run.reason)


def make_audit_log_document(entries: tuple[AuditEntry, ...], limit: int) -> AuditLogDocument:
    """Make the document of a page of the audit log.

    Args:
        entries: the entries.
        limit: the maximum number of entries of a page.
    """
    return AuditLogDocument(
        entries=[
            AuditEntryDocument(
                id=entry.id,
                at=entry.at,
                kind=entry.actor.kind.value,
                subscriber=entry.actor.subscriber,
                address=entry.address,
                name=entry.actor.name,
                action=entry.action,
                subject=entry.subject,
                amount=entry.amount,
            )
            for entry in entries
        ],
        next_cursor=str(entries[-1].id) if len(entries) == limit else "",
    )
