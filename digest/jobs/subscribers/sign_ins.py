"""Sign-ins: a mail with a link to a subscriber, and a session for whoever presses its button."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from digest.config import Settings
from digest.core.delivery.signup_links import (
    LINK_LIFETIME,
    SigninRequest,
    hash_token,
    open_signin,
    seal_signin,
)
from digest.jobs.subscribers.link_limits import PreparedLink, take_mail
from digest.jobs.subscribers.sessions import Browser, open_session_in
from digest.jobs.subscribers.signups import LinkState, find_page_language
from digest.store.database.engine import Store
from digest.store.subscribers import signups
from digest.store.subscribers.sessions import find_subscriber_id

SIGNIN_KIND = "sign-in"
"""The kind of these mails: strangers who fill in the form to sign up must not keep a reader from signing in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigninLink:
    """A link that was opened.

    Attributes:
        request: what it does; None if it is invalid.
        session_token: the token of the session that it has begun; "" if it has begun none.
    """

    state: LinkState
    request: SigninRequest | None = None
    session_token: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigninService:
    """Prepares and handles sign-ins.

    Attributes:
        store: the store.
        settings: whether readers can sign up, and so sign in.
        keys: signing keys; the first one signs.
    """

    store: Store
    settings: Settings
    keys: tuple[bytes, ...]

    def prepare_link(self, request: SigninRequest, now: datetime) -> PreparedLink | None:
        """Make a link, and record that the address is written to; None if nobody can sign in.

        The work is the same for readers and strangers, as whoever fills in the form can measure it.

        Args:
            request: who asks to sign in; only a subscriber gets a link.
            now: the current time, UTC.
        """
        if self.settings.signup is None:
            return None
        with self.store.begin_write() as tx:
            may_be_written_to = take_mail(tx, request.mailbox, self.keys, now, kind=SIGNIN_KIND)
            is_reader = find_subscriber_id(tx, request.mailbox) is not None
        token = seal_signin(request, self.keys, now)
        return PreparedLink(token=token, may_be_sent=is_reader and may_be_written_to)

    def read_link(self, token: str, now: datetime) -> SigninLink:
        """Read a link, and change nothing: mail scanners open every link."""
        request = open_signin(token, self.keys, now)
        if request is None or self.settings.signup is None:
            return SigninLink(state=LinkState.INVALID)
        request = replace(request, language=find_page_language(self.settings, request.language))
        with self.store.begin_read() as tx:
            is_used = signups.is_used(tx, hash_token(token))
        return SigninLink(state=LinkState.USED if is_used else LinkState.VALID, request=request)

    def sign_in(self, token: str, browser: Browser, now: datetime) -> SigninLink:
        """Begin a session for the reader who got a link, and use the link up.

        Args:
            token: the token of the link.
            browser: the browser to sign in.
            now: the current time, UTC.

        Returns:
            The link as it was before, with the token of the session.
        """
        link = self.read_link(token, now)
        if link.state is not LinkState.VALID or link.request is None:
            return link
        mailbox = link.request.mailbox
        with self.store.begin_write() as tx:
            subscriber = find_subscriber_id(tx, mailbox)
            if subscriber is None:
                return SigninLink(state=LinkState.INVALID)
            if not signups.use_link(tx, hash_token(token), now + LINK_LIFETIME):
                return SigninLink(state=LinkState.USED, request=link.request)
            session_token = open_session_in(tx, subscriber, browser, now)
        return SigninLink(state=LinkState.VALID, request=link.request, session_token=session_token)
