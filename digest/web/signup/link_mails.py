"""Mails with links, which are made for everybody, so that the work tells nothing, and sent only to those who may have one."""

from __future__ import annotations

from functools import partial

from digest.core.delivery.signup_links import LINK_LIFETIME, SigninRequest, SignupRequest, hash_token
from digest.core.subscribers.address_links import AddressChange, ChangedAddress
from digest.jobs.delivery.single_messages import deliver_at_once
from digest.jobs.subscribers.accounts.address_changes import AddressChangeService
from digest.jobs.subscribers.signup.link_mailer import LinkMailer, LinkRequest
from digest.jobs.subscribers.signup.sign_ins import SigninService
from digest.jobs.subscribers.signup.signups import SignupService
from digest.model import Mail
from digest.render.delivery.account_mails.address_mails import make_change_mail, make_changed_mail
from digest.render.delivery.account_mails.confirmation import (
    Confirmation,
    LinkMail,
    make_confirmation,
    make_signin,
)
from digest.web.answers import Responder


def make_signup_service(responder: Responder) -> SignupService:
    """Make what prepares and confirms sign-ups."""
    app = responder.app
    return SignupService(store=app.store, settings=app.settings, keys=responder.pages.keys)


def make_signin_service(responder: Responder) -> SigninService:
    """Make what prepares and handles sign-ins."""
    app = responder.app
    return SigninService(store=app.store, settings=app.settings, keys=responder.pages.keys)


def make_change_service(responder: Responder) -> AddressChangeService:
    """Make what prepares and applies changes of address."""
    app = responder.app
    return AddressChangeService(store=app.store, settings=app.settings, keys=responder.pages.keys)


def make_link_mailer(responder: Responder, *, has_accounts: bool, max_delay: float) -> LinkMailer:
    """Make what sends the links of sign-ups, sign-ins and changes of address, not started yet.

    Args:
        responder: the general helpers.
        has_accounts: whether readers can sign in.
        max_delay: the longest random delay of a mail, in seconds.
    """
    signups, signins = make_signup_service(responder), make_signin_service(responder)
    changes = make_change_service(responder)

    def make_mail(request: LinkRequest) -> Mail | None:
        match request:
            case SignupRequest():
                return _make_confirmation(responder, signups, request, has_accounts=has_accounts)
            case SigninRequest():
                return _make_signin(responder, signins, request)
            case AddressChange():
                return _make_change(responder, changes, request)
            case ChangedAddress():
                return _make_changed(responder, changes, request)

    return LinkMailer(
        make_mail,
        partial(deliver_at_once, responder.app.store, responder.app.settings, "smtp", []),
        max_delay=max_delay,
    )


def _make_confirmation(
    responder: Responder, service: SignupService, request: SignupRequest, *, has_accounts: bool
) -> Mail | None:
    app, now = responder.app, responder.app.clock()
    link = service.prepare_link(request, now)
    digest = service.find_digest(request)
    if link is None or digest is None:
        return None
    bundle = app.get_locale_bundle(request.language)
    # What a stranger has searched for must not be in a mail.
    title = digest.title if request.public_digest else bundle.branding.locale.gettext("A search")
    confirmation = Confirmation(
        recipient=request.address,
        digest=title,
        signs_in=has_accounts,
        link=f"{responder.pages.url}/confirm/{link.token}",
        number=hash_token(link.token)[:32],
        created_at=now,
        lifetime=LINK_LIFETIME,
    )
    mail = app.sign_mail(make_confirmation(bundle.environment, bundle.branding, confirmation))
    return mail if link.may_be_sent else None


def _make_signin(responder: Responder, service: SigninService, request: SigninRequest) -> Mail | None:
    app, now = responder.app, responder.app.clock()
    link = service.prepare_link(request, now)
    if link is None:
        return None
    bundle = app.get_locale_bundle(request.language)
    signin = LinkMail(
        recipient=request.address,
        link=f"{responder.pages.url}/sign-in/{link.token}",
        number=hash_token(link.token)[:32],
        created_at=now,
        lifetime=LINK_LIFETIME,
    )
    mail = app.sign_mail(make_signin(bundle.environment, bundle.branding, signin))
    return mail if link.may_be_sent else None


def _make_change(responder: Responder, service: AddressChangeService, change: AddressChange) -> Mail | None:
    app, now = responder.app, responder.app.clock()
    token = service.prepare_link(change, now)
    if token is None:
        return None
    bundle = app.get_locale_bundle(change.language)
    link_mail = LinkMail(
        recipient=change.recipient,
        link=f"{responder.pages.url}/change-address/{token}",
        number=hash_token(token)[:32],
        created_at=now,
        lifetime=LINK_LIFETIME,
    )
    return app.sign_mail(make_change_mail(bundle.environment, bundle.branding, link_mail, change.side))


def _make_changed(responder: Responder, service: AddressChangeService, former: ChangedAddress) -> Mail | None:
    app = responder.app
    if not service.may_tell(former.address):
        return None
    bundle = app.get_locale_bundle(former.language)
    link_mail = LinkMail(
        recipient=former.address,
        link="",
        number=hash_token(former.number)[:32],
        created_at=app.clock(),
        lifetime=LINK_LIFETIME,
    )
    return app.sign_mail(make_changed_mail(bundle.environment, bundle.branding, link_mail))
