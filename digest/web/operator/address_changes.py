"""What an operator can do for the reader of an address, one transaction each; a repetition changes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from digest.core.publishing.address_parts import join_address
from digest.errors import ConfigError
from digest.jobs.subscribers.decisions.pauses import DigestName, pause_digest, resume_digest
from digest.jobs.subscribers.decisions.readers import AddressOverview
from digest.jobs.subscribers.subscriptions import end_reader_digest, resume_address, stop_address
from digest.render.papers.links import Link
from digest.render.publishing.operator_pages.content import OperatorBlock, OperatorButton
from digest.store.subscribers.digests import ENDED
from digest.store.subscribers.subscribers import Subscriber
from digest.web.accounts.own_requests import UnknownFormError, read_number
from digest.web.operator.access import OperatorRequest
from digest.web.operator.bounces import lift_suppression

_PAUSE, _RESUME_DIGEST, _END = "pause-digest", "resume-digest", "end-digest"
_STOP, _RESUME, _LIFT = "stop", "resume", "lift"


def is_changeable(overview: AddressOverview, entry: Subscriber) -> bool:
    """Whether an operator can change a digest here: its reader made it; those of the file are changed by commands."""
    return overview.subscriber is not None and entry.made_on_site and not entry.digest_ended


def can_resume(overview: AddressOverview) -> bool:
    """Whether something stops mail to the address that an operator can take back."""
    present = [entry for entry in overview.destinations if not entry.digest_ended]
    is_stopped = any(entry.stopped or entry.came_back for entry in present)
    return is_stopped or (bool(present) and overview.standing.suppression is not None)


def _can_stop(overview: AddressOverview) -> bool:
    return any(not entry.stopped and entry.state != ENDED for entry in overview.destinations)


# --- the buttons ----------------------------------------------------------------------------------


def make_address_buttons(
    operator: OperatorRequest, overview: AddressOverview, path: str
) -> tuple[OperatorButton, ...]:
    """Make the buttons about the whole address.

    Args:
        operator: the request.
        overview: the address.
        path: the path of its page.
    """
    action, suppression = operator.link(path), overview.standing.suppression
    stop = OperatorButton("Stop all digests", action, (("do", _STOP),))
    report = (("report", str(suppression.report)),) if suppression else ()
    lift = OperatorButton("Lift the suppression", action, (("do", _LIFT), *report))
    return (*[stop] * _can_stop(overview), *[lift] * (suppression is not None))


def make_pause_button(operator: OperatorRequest, entry: Subscriber, path: str) -> OperatorButton:
    """Make the button that pauses a digest, or resumes it."""
    kind, label = (_RESUME_DIGEST, "Resume") if entry.digest_paused else (_PAUSE, "Pause")
    fields = (("do", kind), ("digest", str(entry.digest_id)))
    return OperatorButton(label, operator.link(path), fields, f"{label} digest {entry.digest_id}")


def make_end_link(operator: OperatorRequest, entry: Subscriber, path: str) -> Link:
    """Make the link to the page that asks whether to end a digest."""
    parameters = {"ask": "end", "digest": str(entry.digest_id)}
    return Link(label=f"End digest {entry.digest_id}…", href=operator.link(join_address(path, parameters)))


def make_confirmation(
    operator: OperatorRequest, overview: AddressOverview, path: str
) -> tuple[OperatorBlock, ...]:
    """Make the part of the page that asks before something is done; empty if nothing is asked for."""
    action = operator.link(path)
    match operator.fields.get("ask"):
        case "resume" if can_resume(overview):
            line = "Do this only if its reader asked you for mail again, by another way. Bounces are forgiven, and digests that its reader left come again from the next edition on."
            button = OperatorButton("Yes, resume delivery", action, (("do", _RESUME),), is_primary=True)
            return (OperatorBlock(heading="Resume delivery?", lines=(line,), buttons=(button,)),)
        case "end":
            entry = _find_digest(operator, overview)
            if entry.digest_ended:
                return ()
            line = "No further edition comes, and its feed stops. What it follows cannot be brought back, except from a file of `digest subscribers export`."
            fields = (("do", _END), ("digest", str(entry.digest_id)))
            button = OperatorButton(f"Yes, end digest {entry.digest_id}", action, fields, is_primary=True)
            return (
                OperatorBlock(heading=f"End digest {entry.digest_id}?", lines=(line,), buttons=(button,)),
            )
        case _:
            return ()


def _find_digest(operator: OperatorRequest, overview: AddressOverview) -> Subscriber:
    """Return the digest that a request names.

    Raises:
        UnknownFormError: it is none that can be changed here before it ends.
    """
    number = read_number(operator.fields, "digest")
    for entry in overview.destinations:
        if entry.digest_id == number and entry.made_on_site and overview.subscriber is not None:
            return entry
    raise UnknownFormError


# --- the changes ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChanger:
    """Changes what belongs to an address.

    Attributes:
        operator: the request, which says what to do.
        overview: the address.
    """

    operator: OperatorRequest
    overview: AddressOverview

    def change(self) -> bool:
        """Do what the button says; return whether anything changed.

        Raises:
            UnknownFormError: no page has such a button.
        """
        try:
            return self._change()
        except ConfigError:
            # It has gone meanwhile, perhaps by the first of two clicks; the error has the address, for the shell.
            return False

    def _change(self) -> bool:
        operator, address = self.operator, self.overview.address
        store, actor, now = operator.app.store, operator.actor, operator.now
        match operator.fields.get("do"):
            case "stop":
                return bool(stop_address(store, actor, address, now))
            case "resume":
                subscribers = resume_address(store, operator.app.settings, actor, address, now)
                return any(subscriber.gets_editions for subscriber in subscribers)
            case "lift":
                return self._lift()
            case "pause-digest" | "resume-digest" | "end-digest":
                return self._change_digest()
            case _:
                raise UnknownFormError

    def _lift(self) -> bool:
        """Lift the suppression that the page showed, if the address still has it."""
        report, suppression = read_number(self.operator.fields, "report"), self.overview.standing.suppression
        is_same = suppression is not None and suppression.report == report
        return is_same and lift_suppression(self.operator, report)

    def _change_digest(self) -> bool:
        entry, operator = _find_digest(self.operator, self.overview), self.operator
        if entry.digest_ended:
            return False
        store, actor, now = operator.app.store, operator.actor, operator.now
        name = DigestName(name=entry.digest, reader=self.overview.address)
        match operator.fields.get("do"):
            case "pause-digest":
                change = pause_digest(store, actor, name, None, "then", now)
                return change.pause != change.digest.pause
            case "resume-digest":
                return resume_digest(store, actor, name, None, now).digest.pause is not None
            case _:
                return bool(end_reader_digest(store, actor, entry.digest, self.overview.address, now))
