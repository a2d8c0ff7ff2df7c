"""Changes of address: a link to the former address and one to the new one, both of which have to be used.

The former address always gets its link, and the new one gets none if it has digests here already, is suppressed, or
could not sign up. So whoever asks sees the same in all cases, and a reader of the site gets no mail because somebody
else typed their address.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from digest.config import Settings
from digest.core.delivery.signup_links import LINK_LIFETIME
from digest.core.subscribers.address_links import (
    AddressChange,
    Side,
    hash_agreement,
    open_change,
    seal_change,
)
from digest.core.subscribers.sessions import hash_session_token
from digest.jobs.subscribers.accounts.erased_addresses import erase_address, is_barred
from digest.jobs.subscribers.signup.link_limits import take_mail
from digest.jobs.subscribers.subscriptions import load_standing
from digest.store.database.dialect import lock_mailboxes
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import suppressions
from digest.store.subscribers.accounts import sessions, signups
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.new_digests import load_mail_states
from digest.store.subscribers.subscribers import change_address

CHANGE_KIND = "change of address"
"""Mails to the former address are counted apart: its reader may have got a link to sign in a minute ago."""


class ChangeState(StrEnum):
    """How far a change is, as the link to one address shows it."""

    OPEN = "open"
    """This address has not agreed."""
    WAITING = "waiting"
    """This address has agreed, and the other one has not."""
    DONE = "done"
    INVALID = "invalid"
    """Not one of ours, too old, or the subscriber or one of the addresses is not what it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLink:
    """A link that was opened.

    Attributes:
        change: what it agrees to; None if it is invalid.
        is_changed: whether this click changed the address.
    """

    state: ChangeState
    change: AddressChange | None = None
    is_changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChangeService:
    """Prepares and applies changes of address.

    Attributes:
        store: the store.
        settings: who can sign up.
        keys: signing keys; the first one signs.
    """

    store: Store
    settings: Settings
    keys: tuple[bytes, ...]

    def prepare_link(self, change: AddressChange, now: datetime) -> str | None:
        """Return the token of a link to one address, and record that it is written to; None if it must not be."""
        with self.store.begin_write() as tx:
            if find_subscriber_id(tx, change.former) != change.subscriber:
                return None
            if change.side is Side.FORMER:
                may_be_written_to = take_mail(tx, change.former, self.keys, now, kind=CHANGE_KIND)
            else:
                may_be_written_to = (
                    self._is_admitted(change)
                    and find_subscriber_id(tx, change.mailbox) is None
                    and take_mail(tx, change.mailbox, self.keys, now)
                )
        return seal_change(change, self.keys, now) if may_be_written_to else None

    def _is_admitted(self, change: AddressChange) -> bool:
        """Whether a reader may have an address: one that could sign up, or any if they were invited themselves."""
        signup = self.settings.signup
        return signup is not None and (
            signup.is_open_to(change.address) or not signup.is_open_to(change.former)
        )

    def may_tell(self, address: str) -> bool:
        """Whether a former address may be told of its end."""
        with self.store.begin_read() as tx:
            is_suppressed = suppressions.list_suppressions(tx, [address])
            return not is_suppressed and not is_barred(tx, address, self.keys)

    def read_link(self, token: str, now: datetime) -> ChangeLink:
        """Read a link, and change nothing: mail scanners open every link."""
        change = open_change(token, self.keys, now)
        if change is None or self.settings.signup is None:
            return ChangeLink(state=ChangeState.INVALID)
        with self.store.begin_read() as tx:
            return _load_link(tx, change)

    def agree(self, token: str, session_token: str, now: datetime) -> ChangeLink:
        """Agree to a change at one address; if the other one has agreed before, the address is changed.

        What is kept about the former address is then erased as when its reader deletes everything.

        Args:
            token: the token of the link.
            session_token: the token of the session of the browser, the only one that stays; "" if it has none.
            now: the current time, UTC.

        Returns:
            The link after this.
        """
        change = open_change(token, self.keys, now)
        if change is None or self.settings.signup is None:
            return ChangeLink(state=ChangeState.INVALID)
        # Only one such transaction at a time, so that of two clicks at once one sees the other.
        with self.store.begin_erasure() as tx:
            lock_mailboxes(tx, [change.former, change.mailbox])
            link = _load_link(tx, change)
            if link.state is not ChangeState.OPEN:
                return link
            has_other = signups.is_used(tx, hash_agreement(change.other_side))
            if has_other and find_subscriber_id(tx, change.mailbox) is not None:
                return ChangeLink(state=ChangeState.INVALID)
            signups.use_link(tx, hash_agreement(change), now + LINK_LIFETIME)
            if not has_other:
                return ChangeLink(state=ChangeState.WAITING, change=change)
            mail_state = load_mail_states(tx, [change.mailbox]).get(change.mailbox, "")
            change_address(tx, change.subscriber, change.former, change.address, mail_state)
            erase_address(tx, change.former, load_standing(tx, change.former, now), self.keys, now)
            sessions.end_other_sessions(tx, change.subscriber, hash_session_token(session_token))
        self.store.forget_deleted()
        return ChangeLink(state=ChangeState.DONE, change=change, is_changed=True)


def _load_link(tx: Transaction, change: AddressChange) -> ChangeLink:
    own, other = (signups.is_used(tx, hash_agreement(side)) for side in (change, change.other_side))
    if own and other:
        return ChangeLink(state=ChangeState.DONE, change=change)
    if find_subscriber_id(tx, change.former) != change.subscriber:
        return ChangeLink(state=ChangeState.INVALID)
    return ChangeLink(state=ChangeState.WAITING if own else ChangeState.OPEN, change=change)
