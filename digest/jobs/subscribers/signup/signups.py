"""Sign-ups: a mail with a link to whoever may have it, and the subscription of whoever presses its button."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from digest.config import PublicDigestSettings, Settings
from digest.config.values import list_languages
from digest.core.delivery.signup_links import (
    INVITATION_LIFETIME,
    LINK_LIFETIME,
    SignupRequest,
    hash_token,
    open_invitation,
    open_request,
    seal_request,
)
from digest.core.subscribers.schedule_choice import list_zones
from digest.core.subscribers.signup_rules import KEPT_FOR, MAX_DIGESTS
from digest.jobs.subscribers.public_digests import subscribe
from digest.jobs.subscribers.search_digests import make_search_digest
from digest.jobs.subscribers.signup.link_limits import PreparedLink, take_mail
from digest.jobs.subscribers.signup.sessions import Browser, open_session_in
from digest.store.database.dialect import lock_mailboxes
from digest.store.database.engine import Store, Transaction
from digest.store.operations.growth import ReaderEvent, count_event
from digest.store.subscribers.accounts import signups
from digest.store.subscribers.accounts.sessions import find_subscriber_id
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
        lifetime: how long such a link is valid.
        session_token: the token of the session that it has begun; "" if it has begun none.
    """

    state: LinkState
    request: SignupRequest | None = None
    public_digest: PublicDigestSettings | None = None
    lifetime: timedelta = LINK_LIFETIME
    session_token: str = ""


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

    def prepare_link(self, request: SignupRequest, now: datetime) -> PreparedLink | None:
        """Make a link, and record that the address is written to; None if there is nothing to sign up for.

        The work is the same for all addresses, as whoever fills in the form can measure it.

        Args:
            request: what somebody asked for.
            now: the current time, UTC.
        """
        if self.find_digest(request) is None:
            return None
        with self.store.begin_write() as tx:
            may_be_written_to = take_mail(tx, request.mailbox, self.keys, now)
        token = seal_request(request, self.keys, now)
        return PreparedLink(token=token, may_be_sent=self._is_admitted(request) and may_be_written_to)

    def _is_admitted(self, request: SignupRequest) -> bool:
        signup = self.settings.signup
        return signup is not None and signup.is_open_to(request.address)

    def read_link(self, token: str, now: datetime) -> SignupLink:
        """Read a link, and change nothing: mail scanners open every link."""
        request, lifetime = self._open_link(token, now)
        if request is not None:
            request = replace(request, language=find_page_language(self.settings, request.language))
        public_digest = self.find_digest(request) if request else None
        if request is None or public_digest is None:
            return SignupLink(state=LinkState.INVALID)
        with self.store.begin_read() as tx:
            is_used = signups.is_used(tx, hash_token(token))
        return SignupLink(
            state=LinkState.USED if is_used else LinkState.VALID,
            request=request,
            public_digest=public_digest,
            lifetime=lifetime,
        )

    def _open_link(self, token: str, now: datetime) -> tuple[SignupRequest | None, timedelta]:
        """Return what a link confirms, and how long such a link is valid; an invitation admits its address."""
        request = open_request(token, self.keys, now)
        if request is not None:
            return (request if self._is_admitted(request) else None), LINK_LIFETIME
        return open_invitation(token, self.keys, now), INVITATION_LIFETIME

    def confirm(self, token: str, browser: Browser | None, zone: str, now: datetime) -> SignupLink:
        """Subscribe the reader who got a link, sign them in, and use the link up; a second click changes nothing.

        Args:
            token: the token of the link.
            browser: the browser to sign in; None if the site has no accounts.
            zone: the IANA name of the time zone that the browser tells; any other text counts as unknown.
            now: the current time, UTC.

        Returns:
            The link as it was before, with the token of the session.
        """
        link = self.read_link(token, now)
        request, public_digest = link.request, link.public_digest
        if link.state is not LinkState.VALID or request is None or public_digest is None:
            return link
        with self.store.begin_write() as tx:
            lock_mailboxes(tx, [request.mailbox])
            if count_digests(tx, request.mailbox) >= MAX_DIGESTS:
                return replace(link, state=LinkState.FULL)
            if not signups.use_link(tx, hash_token(token), now + link.lifetime):
                return replace(link, state=LinkState.USED)
            is_new = find_subscriber_id(tx, request.mailbox) is None
            known_zone = zone if zone in list_zones() else ""
            subscribe(tx, public_digest, request.address, language=request.language, zone=known_zone, now=now)
            signups.forget_old(tx, KEPT_FOR, now)
            session_token = "" if browser is None else _sign_in(tx, request.mailbox, browser, now)
            for event in [ReaderEvent.NEW_READER] * is_new + [ReaderEvent.SIGN_UP]:
                count_event(tx, event, now)
        return replace(link, session_token=session_token)


def find_page_language(settings: Settings, language: str) -> str:
    """Return the language of a link's pages: that of the site if it no longer has the one in which the link was asked for."""
    return language if language in list_languages(settings.templates) else settings.site.language


def _sign_in(tx: Transaction, mailbox: str, browser: Browser, now: datetime) -> str:
    subscriber = find_subscriber_id(tx, mailbox)
    assert subscriber is not None
    return open_session_in(tx, subscriber, browser, now)
