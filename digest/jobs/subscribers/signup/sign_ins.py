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
from digest.core.subscribers.signup_rules import MAX_MAILS, MAX_OPERATOR_MAILS
from digest.jobs.subscribers.signup.link_limits import PreparedLink, take_mail
from digest.jobs.subscribers.signup.sessions import Browser, open_session_in
from digest.jobs.subscribers.signup.signups import LinkState, find_page_language
from digest.store.database.engine import Store
from digest.store.subscribers.accounts import signups
from digest.store.subscribers.accounts.sessions import add_subscriber, find_subscriber_id

SIGNIN_KIND, OPERATOR_KIND = "sign-in", "operator sign-in"
"""The kinds of these mails: strangers who fill in the form to sign up must not keep a reader from signing in, and those
who fill in the form to sign in must not keep an operator from it who is signed in already."""


def may_have_account(settings: Settings, mailbox: str) -> bool:
    """Whether the reader of an address can sign in, if there is one: without [signup], only operators can."""
    return settings.signup is not None or mailbox in settings.operator.people


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
        settings: whether readers can sign up, and so sign in, and who the operators are.
        keys: signing keys; the first one signs.
    """

    store: Store
    settings: Settings
    keys: tuple[bytes, ...]

    def prepare_link(self, request: SigninRequest, now: datetime) -> PreparedLink | None:
        """Make a link, and record that the address is written to; None if nobody can sign in.

        The work is the same for readers, operators and strangers, as whoever fills in the form can measure it.

        Args:
            request: who asks to sign in; only a subscriber or an operator gets a link.
            now: the current time, UTC.
        """
        mailbox, people = request.mailbox, self.settings.operator.people
        if self.settings.signup is None and not people:
            return None
        kind, max_mails = (
            (OPERATOR_KIND, MAX_OPERATOR_MAILS) if request.is_for_operator else (SIGNIN_KIND, MAX_MAILS)
        )
        with self.store.begin_write() as tx:
            may_be_written_to = take_mail(tx, mailbox, self.keys, now, kind=kind, max_mails=max_mails)
            is_reader = find_subscriber_id(tx, mailbox) is not None
        may_sign_in = mailbox in people or (is_reader and self.settings.signup is not None)
        token = seal_signin(request, self.keys, now)
        return PreparedLink(token=token, may_be_sent=may_sign_in and may_be_written_to)

    def read_link(self, token: str, now: datetime) -> SigninLink:
        """Read a link, and change nothing: mail scanners open every link."""
        request = open_signin(token, self.keys, now)
        if request is None or not may_have_account(self.settings, request.mailbox):
            return SigninLink(state=LinkState.INVALID)
        request = replace(request, language=find_page_language(self.settings, request.language))
        with self.store.begin_read() as tx:
            is_used = signups.is_used(tx, hash_token(token))
        return SigninLink(state=LinkState.USED if is_used else LinkState.VALID, request=request)

    def sign_in(self, token: str, browser: Browser, now: datetime) -> SigninLink:
        """Begin a session for the reader or operator who got a link, and use the link up.

        An operator who is no subscriber becomes one, without a digest.

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
            if subscriber is None and mailbox not in self.settings.operator.people:
                return SigninLink(state=LinkState.INVALID)
            if not signups.use_link(tx, hash_token(token), now + LINK_LIFETIME):
                return SigninLink(state=LinkState.USED, request=link.request)
            if subscriber is None:
                subscriber = add_subscriber(tx, mailbox)
            session_token = open_session_in(tx, subscriber, browser, now)
        return SigninLink(state=LinkState.VALID, request=link.request, session_token=session_token)
