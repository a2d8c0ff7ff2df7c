"""Pauses of digests by an operator, of the file or of a reader."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time

from digest.core.times.schedule import to_instant
from digest.errors import ConfigError
from digest.jobs.editions.explain import find_digest
from digest.jobs.subscribers.subscriptions import find_reader_digest
from digest.store.database.engine import Store, Transaction
from digest.store.operations.audit import Actor, AuditAction, record_change
from digest.store.subscribers import pauses
from digest.store.subscribers.digest_locks import lock_digests
from digest.store.subscribers.digests import Digest, Pause


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestName:
    """A digest, as operators name it.

    Attributes:
        name: its name.
        reader: the address of the reader who made it on the site; "" for a digest of the file.
    """

    name: str
    reader: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseChange:
    """A pause that was begun or ended.

    Attributes:
        digest: the digest as it was before.
        pause: its pause now; None if it is not paused.
        resume_from: what the next edition covers: ``then`` or ``now``.
        omitted_before: papers announced before this day are left out, because the pause is too long; None if none are.
    """

    digest: Digest
    pause: Pause | None
    resume_from: str
    omitted_before: date | None


def pause_digest(  # noqa: PLR0917 - who decides, which digest, how long, when
    store: Store, actor: Actor, digest_name: DigestName, until: date | None, resume_from: str, now: datetime
) -> PauseChange:
    """Pause a digest, or change its pause.

    Args:
        store: the store.
        actor: the operator who decides.
        digest_name: the digest.
        until: the day on which it continues by itself, in its time zone; None if somebody has to resume it.
        resume_from: ``then`` or ``now``.
        now: the current time, UTC.

    Raises:
        ConfigError: there is no such digest, or the day is not in the future.
    """
    with store.begin_write() as tx:
        lock_digests(tx, [_find_digest(tx, digest_name).id])
        digest = _find_digest(tx, digest_name)
        end = to_instant(until, time(), digest.options.timezone) if until else None
        if end is not None and end <= now:
            raise ConfigError(f"{until} is not in the future; write a later day")
        pause = Pause(until=end, resume_from=resume_from)
        if pause != digest.pause:
            pauses.pause_digest(tx, digest.id, end, resume_from)
            record_change(tx, actor, AuditAction.PAUSE_DIGEST, f"digest {digest.id}", 1, now)
    is_long = end is not None and resume_from == "then" and end - now > pauses.MAX_CATCH_UP
    return PauseChange(
        digest=digest,
        pause=pause,
        resume_from=resume_from,
        omitted_before=(end - pauses.MAX_CATCH_UP).date() if end is not None and is_long else None,
    )


def resume_digest(
    store: Store, actor: Actor, digest_name: DigestName, resume_from: str | None, now: datetime
) -> PauseChange:
    """Resume a digest with its next edition; one that is not paused is left as it is.

    Args:
        store: the store.
        actor: the operator who decides.
        digest_name: the digest.
        resume_from: ``then`` or ``now``; None as its pause says.
        now: the current time, UTC.

    Raises:
        ConfigError: there is no such digest.
    """
    with store.begin_write() as tx:
        lock_digests(tx, [_find_digest(tx, digest_name).id])
        digest = _find_digest(tx, digest_name)
        resume_point = resume_from or (digest.pause.resume_from if digest.pause else "then")
        is_truncated = False
        if digest.pause is not None:
            is_truncated = pauses.resume_digest(tx, digest.id, resume_point, now)
            record_change(tx, actor, AuditAction.RESUME_DIGEST, f"digest {digest.id}", 1, now)
    return PauseChange(
        digest=digest,
        pause=None,
        resume_from=resume_point,
        omitted_before=(now - pauses.MAX_CATCH_UP).date() if is_truncated else None,
    )


def _find_digest(tx: Transaction, digest_name: DigestName) -> Digest:
    if digest_name.reader:
        return find_reader_digest(tx, digest_name.name, digest_name.reader)
    return find_digest(tx, digest_name.name)
