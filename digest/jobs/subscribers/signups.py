"""Sign-ups: a mail with a link to whoever may have it, and the subscription of whoever presses its button."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from digest.config import PublicDigestSettings, Settings
from digest.core.delivery.signup_links import (
    LINK_LIFETIME,
    SignupRequest,
    hash_mailbox,
    hash_token,
    open_request,
    seal_request,
)
from digest.core.subscribers.signup_rules import (
    KEPT_FOR,
    MAX_DIGESTS,
    NETWORK_RATE,
    TOTAL_RATE,
    may_write,
    reduce_mailbox,
    select_kept,
)
from digest.jobs.subscribers.public_digests import subscribe
from digest.jobs.subscribers.search_digests import make_search_digest
from digest.store.database.engine import Store
from digest.store.delivery import suppressions
from digest.store.publishing import request_rates
from digest.store.subscribers import signups
from digest.store.subscribers.public_digests import count_digests


class LinkState(StrEnum):
    """What a link is good for."""

    VALID = "valid"
    USED = "used"
    FULL = "full"
    """Its reader has as many digests as one can have."""
    INVALID = "invalid"
    """Not one of ours, too old, or for a digest that is not public any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignupLink:
    """A link that was opened.

    Attributes:
        request: what it confirms; None if it is invalid.
        public_digest: the digest; None if it is invalid.
    """

    state: LinkState
    request: SignupRequest | None = None
    public_digest: PublicDigestSettings | None = None


class _RefusedError(Exception):
    """Rolls back what was locked for a mail that must not be sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignupService:
    """Prepares and confirms sign-ups.

    Attributes:
        store: the store.
        settings: who may sign up, and for what.
        keys: signing keys; the first one signs.
    """

    store: Store
    settings: Settings
    keys: tuple[bytes, ...]

    def find_digest(self, request: SignupRequest) -> PublicDigestSettings | None:
        """Return what somebody asked for: a public digest, or one of a search; None if there is none such."""
        if bool(request.query) == bool(request.public_digest):
            return None
        if request.query and self.settings.signup is not None:
            return make_search_digest(request.query, request.language)
        return self.find_public_digest(request.public_digest)

    def find_public_digest(self, name: str) -> PublicDigestSettings | None:
        """Return a public digest by its name; None if there is none, or nobody can sign up."""
        if self.settings.signup is None:
            return None
        return next((entry for entry in self.settings.public_digests if entry.name == name), None)

    def take_form(self, network: str, now: datetime) -> bool:
        """Count a form; return False if its network, or all together, have sent too many.

        Args:
            network: the network of whoever sent it; "" if it is not known, which counts as one network.
            now: the current time, UTC.
        """
        rates = {f"sign-ups:{network}": NETWORK_RATE, "sign-ups": TOTAL_RATE}
        with self.store.begin_write() as tx:
            return request_rates.take_request(tx, rates, now)

    def prepare_link(self, request: SignupRequest, now: datetime) -> str | None:
        """Return the token of a link, and record that the address is written to; None if it must not be.

        Args:
            request: what somebody asked for.
            now: the current time, UTC.
        """
        if self.find_digest(request) is None or not self._is_admitted(request):
            return None
        hashes = [hash_mailbox(reduce_mailbox(request.mailbox), key) for key in self.keys]
        with suppress(_RefusedError), self.store.begin_write() as tx:
            sent_at = [at for known in hashes for at in signups.lock_sent_times(tx, known, now)]
            if suppressions.list_suppressions(tx, [request.mailbox]) or not may_write(sent_at, now):
                raise _RefusedError  # rolls back the rows that were locked
            for known in hashes:
                signups.save_sent_times(tx, known, select_kept([*sent_at, now], now))
            return seal_request(request, self.keys, now)
        return None

    def _is_admitted(self, request: SignupRequest) -> bool:
        signup = self.settings.signup
        return signup is not None and signup.is_open_to(request.address)

    def read_link(self, token: str, now: datetime) -> SignupLink:
        """Read a link, and change nothing: mail scanners open every link."""
        request = open_request(token, self.keys, now)
        public_digest = self.find_digest(request) if request else None
        if request is None or public_digest is None or not self._is_admitted(request):
            return SignupLink(state=LinkState.INVALID)
        with self.store.begin_read() as tx:
            is_used = signups.is_used(tx, hash_token(token))
        return SignupLink(
            state=LinkState.USED if is_used else LinkState.VALID, request=request, public_digest=public_digest
        )

    def confirm(self, token: str, now: datetime) -> SignupLink:
        """Subscribe whoever a link was sent to, and use the link up; a second click changes nothing.

        Returns:
            The link as it was before.
        """
        link = self.read_link(token, now)
        if link.state is not LinkState.VALID or link.request is None or link.public_digest is None:
            return link
        with self.store.begin_planning() as tx:
            if count_digests(tx, link.request.mailbox) >= MAX_DIGESTS:
                return replace(link, state=LinkState.FULL)
            if not signups.use_link(tx, hash_token(token), now + LINK_LIFETIME):
                return replace(link, state=LinkState.USED)
            subscribe(
                tx,
                link.public_digest,
                link.request.address,
                language=link.request.language,
                zone="",
                now=now,
            )
            signups.forget_old(tx, KEPT_FOR, now)
        return link
