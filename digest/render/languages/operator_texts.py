"""English texts for operators, on the command line and on their pages: who changed what, and what became of mails."""

from __future__ import annotations

from digest.model import BounceClass, Delivery
from digest.render.languages.english import BOUNCE_MEANINGS, format_count

_STATE_MEANINGS = {
    "ready": "waiting",
    "leased": "in progress",
    "held": "its run is held",
    "sent": "the other side accepted it, and nothing came back",
    "refused": "the other side refused it",
    "unknown": "it may have arrived",
    "expired": "given up, after it was deferred for too long",
}


def describe_actor(kind: str, address: str, name: str) -> str:
    """Say who changed something.

    Args:
        kind: the way, as in the audit log: ``shell``, ``operator`` or ``token``.
        address: the address of who signed in, or has the token; "" if there is none, or they deleted everything.
        name: the system user of the shell, or the number of the token, ``token 5``.
    """
    match kind:
        case "shell":
            return f"{name} on the command line" if name else "somebody on the command line"
        case "token":
            return f"{name} of {address}" if address else "a token of a deleted reader"
        case _:
            return address or "a deleted reader"


def describe_change(action: str, subject: str, amount: int) -> str:
    """Say what was changed; follows who did it.

    Args:
        action: what was done, as in the audit log.
        subject: to what, by its number; "" if only the amount is known.
        amount: how many rows it changed.
    """
    deliveries, of_subject = (
        format_count(amount, "delivery", "deliveries"),
        f" of {subject}" if subject else "",
    )
    single = subject if subject.startswith("delivery ") else f"{deliveries}{of_subject}"
    sentences = {
        "release-run": f"released {subject} with {deliveries}",
        "drop-run": f"dropped {deliveries}{of_subject}",
        "retry-deliveries": f"retried {single}",
        "drop-deliveries": f"dropped {single}",
        "resume-address": f"resumed delivery to {subject or 'an address whose reader is gone'}",
        "stop-address": f"unsubscribed {subject} from {format_count(amount, 'digest')}",
        "lift-suppressions": f"took back {format_count(amount, 'suppression')}{of_subject}",
        "pause-digest": f"paused {subject}",
        "resume-digest": f"resumed {subject}",
        "end-digest": f"ended {subject}",
        "export-reader": f"exported the data of {subject}",
        "make-token": f"made {subject}, which may operate the service",
        "revoke-token": f"revoked {subject}",
        "invite-readers": f"invited {format_count(amount, 'address', 'addresses')}",
    }
    return sentences.get(action, " ".join(filter(None, (action, subject, f"({amount:,})"))))


def describe_notice_state(*, is_due: bool, attempts: int, channels: int) -> str:
    """Say what became of a notice.

    Args:
        is_due: whether it is still to be sent.
        attempts: how many times some channel failed to send it.
        channels: how many channels have sent it.
    """
    sent = f"sent to {format_count(channels, 'destination')}" if channels else "sent nowhere"
    if is_due and attempts:
        return f"{sent}, retried after {format_count(attempts, 'failed attempt')}"
    return "waiting to be sent" if is_due else sent


def describe_delivery(delivery: Delivery, finding: BounceClass | None) -> str:
    """Say where a delivery is and why.

    Args:
        delivery: the delivery.
        finding: what the last report about it says; None if there is none.
    """
    if finding is not None and delivery.state == "sent":
        return f"its server accepted it, but it bounced: {BOUNCE_MEANINGS[finding]}"
    if finding is not None:
        return BOUNCE_MEANINGS[finding]
    if delivery.state == "ready" and delivery.answer:
        return f"deferred, next attempt {delivery.due_at:%Y-%m-%d %H:%M} UTC"
    if delivery.state == "dropped":
        return delivery.answer
    return _STATE_MEANINGS[delivery.state]
