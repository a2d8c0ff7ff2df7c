"""Invitations: mails of the operator with a link, which admits its address whoever can sign up.

The link is the only place that has the address of somebody who does not accept; what is kept is a keyed hash, for the
limit of mails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from digest.config import PublicDigestSettings, Settings
from digest.core.delivery.signup_links import (
    INVITATION_LIFETIME,
    SignupRequest,
    hash_token,
    seal_invitation,
)
from digest.errors import ConfigError
from digest.jobs.subscribers.accounts.erased_addresses import is_barred
from digest.jobs.subscribers.signup.link_limits import take_mail
from digest.jobs.subscribers.subscriptions import load_standing
from digest.model import Deferred, Fault, Mail, Receipt, Refused, Sent, Unknown
from digest.render.delivery.account_mails.confirmation import Invitation, make_invitation
from digest.render.locale_bundle import LocaleBundle
from digest.store.database.engine import Store, Transaction
from digest.store.delivery.suppressions import Suppression
from digest.store.operations.audit import Actor, AuditAction, count_repetition
from digest.store.subscribers.digests import ACTIVE, RESTING, STOPPED, SUPPRESSED
from digest.store.subscribers.public_digests import load_copy_state


class InvitationOutcome(StrEnum):
    """What became of an invitation."""

    INVITED = "invited"
    UNKNOWN = "unknown"
    """The connection ended before the server answered, so the mail may have arrived."""
    FAILED = "failed"
    """The server did not take the mail."""
    UNTRIED = "untried"
    """A server before it did not take any mail."""
    SUBSCRIBED = "subscribed"
    """The address gets the digest already."""
    UNSUBSCRIBED = "unsubscribed"
    """Its reader has unsubscribed from the digest, or complained about mail."""
    SUPPRESSED = "suppressed"
    """It gets nothing because mail bounced."""
    RECENT = "recent"
    """It got a mail with a link a short time ago, or several today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationResult:
    """What became of the invitation of an address.

    Attributes:
        answer: what the server said of a mail that it did not take; "" otherwise.
        suppression: why the address gets nothing; None if it is not suppressed, or its reader has deleted everything
            since then.
    """

    address: str
    outcome: InvitationOutcome
    answer: str = ""
    suppression: Suppression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inviter:
    """Sends invitations.

    Attributes:
        store: the store.
        actor: the operator who invites.
        url: the address of the site.
        signs_in: whether the button of a link signs its reader in.
        keys: signing keys; the first one signs.
        language: the language of the mails, and of the digests of those who accept.
        locale_bundle: templates and branding in that language.
        sign_mail: signs a mail.
        deliver: delivers a mail at once; None if there is no server.
    """

    store: Store
    actor: Actor
    url: str
    signs_in: bool
    keys: tuple[bytes, ...]
    language: str
    locale_bundle: LocaleBundle
    sign_mail: Callable[[Mail], Mail]
    deliver: Callable[[Mail], Receipt | None]

    def invite(
        self, public_digest: PublicDigestSettings, addresses: Sequence[str], clock: Callable[[], datetime]
    ) -> Iterator[InvitationResult]:
        """Invite addresses to a digest, one after the other.

        After a failure that is the fault of our side or of its server, no other address is tried, so that their limits
        are not used up.

        Args:
            public_digest: the digest.
            addresses: the addresses, each once, with their domains in DNS form.
            clock: returns the current time, UTC.
        """
        is_broken = False
        for address in addresses:
            if is_broken:
                yield InvitationResult(address=address, outcome=InvitationOutcome.UNTRIED)
                continue
            result, fault = self._invite_address(public_digest, address, clock())
            is_broken = fault is Fault.OURS
            yield result

    def _invite_address(
        self, public_digest: PublicDigestSettings, address: str, now: datetime
    ) -> tuple[InvitationResult, Fault | None]:
        request = SignupRequest(address=address, public_digest=public_digest.name, language=self.language)
        prepared = self._prepare_link(request, now)
        if isinstance(prepared, InvitationResult):
            return prepared, None
        receipt = self.deliver(self._make_mail(public_digest, address, prepared, now))
        match receipt:
            case Sent():
                return InvitationResult(address=address, outcome=InvitationOutcome.INVITED), None
            case Unknown(answer=answer):
                return (
                    InvitationResult(address=address, outcome=InvitationOutcome.UNKNOWN, answer=answer),
                    Fault.OURS,
                )
            case Deferred(answer=answer, fault=fault) | Refused(answer=answer, fault=fault):
                result = InvitationResult(address=address, outcome=InvitationOutcome.FAILED, answer=answer)
                return result, fault
            case None:
                raise ConfigError("invitations need a server that sends mail; add [smtp] or [sendmail]")

    def _prepare_link(self, request: SignupRequest, now: datetime) -> str | InvitationResult:
        """Return the token of a link, and record that the address is written to; or why it is not."""
        with self.store.begin_write() as tx:
            reason = _find_reason(tx, request, self.keys, now)
            if reason is not None:
                return reason
            if not take_mail(tx, request.mailbox, self.keys, now):
                return InvitationResult(address=request.address, outcome=InvitationOutcome.RECENT)
            count_repetition(tx, self.actor, AuditAction.INVITE_READERS, now)
        return seal_invitation(request, self.keys, now)

    def _make_mail(
        self, public_digest: PublicDigestSettings, address: str, token: str, now: datetime
    ) -> Mail:
        invitation = Invitation(
            recipient=address,
            digest=public_digest.title,
            description=public_digest.description,
            signs_in=self.signs_in,
            link=f"{self.url}/confirm/{token}",
            number=hash_token(token)[:32],
            created_at=now,
            lifetime=INVITATION_LIFETIME,
        )
        bundle = self.locale_bundle
        return self.sign_mail(make_invitation(bundle.environment, bundle.branding, invitation))


def find_invited_digest(settings: Settings, name: str) -> PublicDigestSettings:
    """Return the public digest to which somebody is invited.

    Args:
        settings: the configuration.
        name: its name; "" if it is the only one.

    Raises:
        ConfigError: nobody can be invited, or it is not clear to which digest.
    """
    if settings.signup is None:
        raise ConfigError(
            'invitations need a [signup] table in digest.toml; with who = "invited" it lets in nobody else'
        )
    if not settings.site.is_served or not settings.site.public:
        raise ConfigError("the link of an invitation leads to your site; write its `url` in [site]")
    if settings.smtp is None and settings.sendmail is None:
        raise ConfigError("invitations need a server that sends mail; add [smtp] or [sendmail]")
    by_name = {public_digest.name: public_digest for public_digest in settings.public_digests}
    if not by_name:
        raise ConfigError("there is no digest to invite to; add a [[public_digest]] to digest.toml")
    if name in by_name:
        return by_name[name]
    names = ", ".join(by_name)
    if name:
        raise ConfigError(f"there is no public digest {name!r}; public digests: {names}")
    if len(by_name) > 1:
        raise ConfigError(f"choose the digest with --digest NAME; public digests: {names}")
    return next(iter(by_name.values()))


def _find_reason(
    tx: Transaction, request: SignupRequest, keys: tuple[bytes, ...], now: datetime
) -> InvitationResult | None:
    """Return why an address is not invited; None if it can be."""
    standing = load_standing(tx, request.mailbox, now)
    state = load_copy_state(tx, request.mailbox, request.public_digest)
    if standing.suppression is not None or is_barred(tx, request.mailbox, keys):
        return InvitationResult(
            address=request.address,
            outcome=InvitationOutcome.SUPPRESSED,
            suppression=standing.suppression,
        )
    if standing.complaint is not None or state == STOPPED:
        return InvitationResult(address=request.address, outcome=InvitationOutcome.UNSUBSCRIBED)
    if state in {ACTIVE, RESTING, SUPPRESSED}:
        return InvitationResult(address=request.address, outcome=InvitationOutcome.SUBSCRIBED)
    return None
