"""Health of servers in one pass: whether a server is down, or fails only at single messages.

A failure says nothing by itself; what comes after it on the same server decides, in the same pass or in a later one. If the
server accepts something, the message that it failed at is at fault, and its failures no longer say anything about the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from digest.model import Deferred, Delivery, Fault, Receipt, Refused, Sent

_FAILURE_THRESHOLD, _DOUBT_THRESHOLD = 8, 2
"""Different messages in a row that a server fails at before it is down; the second if it was in doubt since an earlier pass."""
_MANY_SUSPECTS, _FEW_SUSPECTS = 8, 2
"""Suspects in a row that a server fails at before it gets no more in this pass; the second if it has accepted nothing."""
_MIN_COUNTED = 3
"""Attempts that count before a message is given up that servers fail at while they accept others."""


class ServerAnswer(NamedTuple):
    """An answer that says something about the server.

    Attributes:
        delivery: the delivery that was attempted.
        is_failure: whether the server failed; otherwise it accepted the message, or said what is wrong with its recipient.
    """

    delivery: Delivery
    is_failure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerHistory:
    """The earlier passes of a server, as all processes know them.

    Attributes:
        was_in_doubt: whether its last answer in an earlier pass was a failure.
        took_others: whether it had accepted something in that pass.
        last_taken: when it accepted something for the last time, to the minute; None if that is unknown.
    """

    was_in_doubt: bool = False
    took_others: bool = False
    last_taken: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVerdict:
    """The conclusion from a batch.

    Attributes:
        is_down: the server is in trouble, whatever it gets.
        faulty: deliveries whose attempt counts, because the server failed at them and accepts others; they are of this
            batch or of an earlier one.
        new_failures: ids of deliveries of this batch that it failed at for the first time in this pass.
        is_down_if_alone: the server is in trouble if there is nothing else to try, because it has accepted nothing since
            an earlier pass.
    """

    is_down: bool
    faulty: tuple[Delivery, ...]
    new_failures: frozenset[int]
    is_down_if_alone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerEvidence:
    """The answers of a server in this pass.

    Attributes:
        has_taken: it accepted something, or said what was wrong with its recipient.
        has_taken_suspect: one of these was a suspect.
        failures: ids of the deliveries that it failed at.
        server_failures: those since it accepted something that may be its own trouble.
        suspect_failures: those since it accepted something that are suspects.
        undecided: those since it accepted something for which it is open whether they are at fault.
    """

    has_taken: bool = False
    has_taken_suspect: bool = False
    failures: frozenset[int] = frozenset()
    server_failures: frozenset[int] = frozenset()
    suspect_failures: frozenset[int] = frozenset()
    undecided: Mapping[int, Delivery] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_failing(self) -> bool:
        """Whether the server failed at the last message that it got."""
        return bool(self.server_failures or self.suspect_failures)

    @property
    def is_doubtful(self) -> bool:
        """Whether its last failure may be its own trouble."""
        return bool(self.server_failures)

    @property
    def is_spared(self) -> bool:
        """Whether it failed at so many suspects in a row that it gets no more of them in this pass."""
        return len(self.suspect_failures) >= (_MANY_SUSPECTS if self.has_taken else _FEW_SUSPECTS)


def evaluate_answers(
    evidence: ServerEvidence,
    answers: Sequence[ServerAnswer],
    history: ServerHistory,
    *,
    counted: frozenset[int],
    was_unreachable: bool = False,
) -> tuple[ServerEvidence, ServerVerdict]:
    """Evaluate the answers of a batch, together with all earlier ones of this pass.

    Args:
        evidence: the earlier answers of the server.
        answers: the new ones, in their order.
        history: the earlier passes.
        counted: ids of deliveries with an attempt that counted in this pass, at any server; a pass counts one of each.
        was_unreachable: whether the server never heard of the messages.

    Returns:
        The evidence with the new answers, and the conclusion from it.
    """
    earlier_failures = evidence.failures
    faulty: list[Delivery] = []
    for answer in answers:
        if answer.is_failure:
            if _is_at_fault(evidence, answer.delivery, history):
                faulty.append(answer.delivery)
            evidence = _add_failure(evidence, answer.delivery, history)
        else:
            faulty += evidence.undecided.values()
            evidence = _add_success(evidence, answer.delivery)
    is_quickly_down = history.was_in_doubt and not evidence.has_taken
    threshold = _DOUBT_THRESHOLD if is_quickly_down else _FAILURE_THRESHOLD
    return evidence, ServerVerdict(
        is_down=was_unreachable or len(evidence.server_failures) >= threshold,
        faulty=tuple(delivery for delivery in faulty if delivery.id not in counted),
        new_failures=evidence.failures - earlier_failures,
        is_down_if_alone=evidence.is_doubtful and is_quickly_down and not history.took_others,
    )


def _is_at_fault(evidence: ServerEvidence, delivery: Delivery, history: ServerHistory) -> bool:
    """Return True if a failure is the message's fault: the server accepted something after it had failed at this suspect."""
    has_taken_since = (
        history.last_taken is not None
        and delivery.failed_at is not None
        and delivery.failed_at < history.last_taken
    )
    return delivery.is_suspect and (evidence.has_taken or has_taken_since)


def _add_failure(evidence: ServerEvidence, delivery: Delivery, history: ServerHistory) -> ServerEvidence:
    is_at_fault, new = _is_at_fault(evidence, delivery, history), frozenset({delivery.id})
    return replace(
        evidence,
        failures=evidence.failures | new,
        server_failures=evidence.server_failures
        | (frozenset() if is_at_fault or delivery.is_faulty else new),
        suspect_failures=evidence.suspect_failures | (new if delivery.is_suspect else frozenset()),
        undecided=evidence.undecided if is_at_fault else {**evidence.undecided, delivery.id: delivery},
    )


def _add_success(evidence: ServerEvidence, delivery: Delivery) -> ServerEvidence:
    return ServerEvidence(
        has_taken=True,
        has_taken_suspect=evidence.has_taken_suspect or delivery.is_suspect,
        failures=evidence.failures,
    )


def is_server_failure(receipt: Receipt) -> bool:
    """Whether a message was not accepted because of trouble of ours or of our server."""
    return isinstance(receipt, Deferred) and receipt.fault is Fault.OURS


def is_server_proof(receipt: Receipt) -> bool:
    """Whether the server works: it accepted a message, or said what was wrong with its recipient."""
    is_about_recipient = isinstance(receipt, Deferred | Refused) and receipt.fault is not Fault.OURS
    return isinstance(receipt, Sent) or is_about_recipient


def give_up_faulty(delivery: Delivery, receipt: Receipt, now: datetime) -> Receipt:
    """Return the receipt of a message that a server fails at while it accepts others: refused if it is given up.

    It is given up when its time is over, by an attempt that counts, the third at the earliest.
    """
    is_over = delivery.attempts >= _MIN_COUNTED and delivery.expires_at and now >= delivery.expires_at
    if not (is_over and isinstance(receipt, Deferred) and receipt.fault is Fault.OURS):
        return receipt
    answer = (
        f"{receipt.answer} (given up after {delivery.attempts} attempts, while other messages were accepted)"
    )
    return Refused(answer=answer, fault=Fault.OURS)


def count_first_suspects(
    evidence: Iterable[ServerEvidence],
    *,
    free_count: int,
    connection_count: int,
    suspect_count: int,
    batch_size: int,
) -> int:
    """Count how many suspects may go before everything else; they can block a connection for long, so half stay free.

    Args:
        evidence: the answers of the channel's servers.
        free_count: connections of the channel that can get a batch.
        connection_count: all connections of the channel.
        suspect_count: connections that have suspects at present.
        batch_size: messages in a batch.

    Returns:
        One as long as no server accepted a suspect, then as many as fit into batches for half of the connections.
    """
    if not any(server.has_taken_suspect for server in evidence):
        return 0 if suspect_count else 1
    return batch_size * max(min(free_count, max(connection_count // 2, 1) - suspect_count), 0)
