"""Handlers of the forms that make and revoke API tokens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from fastapi import Request, Response

from digest.core.publishing.address_parts import join_address
from digest.core.subscribers.api_tokens import Scope, TokenError, read_choice
from digest.jobs.subscribers.tokens.api_tokens import TokenService
from digest.render.publishing.account_pages.tokens.new_token import NewTokenPage, render_new_token
from digest.render.publishing.public_pages.links import ACCOUNT_PATH
from digest.web.accounts.own_requests import OwnRequest, OwnResponder, UnknownFormError, read_number
from digest.web.publishing.public_responder import make_private_page

_MAX_KEY = 64
"""Maximum length of the random text of a form, in characters; ours has 22."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRoutes:
    """The handlers.

    Attributes:
        own: answers requests of readers who are signed in.
        tokens: makes and revokes tokens.
    """

    own: OwnResponder
    tokens: TokenService

    def show(self, request: Request) -> Response:
        """Lead back to the account: the address of the forms has no page of its own."""
        return self.own.respond_read(request, lambda own: self.own.redirect(own.view, ACCOUNT_PATH))

    async def update(self, request: Request) -> Response:
        """Make a token, which this answer alone shows, or revoke one.

        The token is in no address, and not stored for a page after a redirect. So a reload sends the form again; its
        random text makes one token only.
        """
        return await self.own.respond_write(request, self._update)

    def _update(self, own: OwnRequest) -> Response:
        now = self.own.public.responder.app.clock()
        match own.fields.get("do"):
            case "make":
                return self._make(own, now)
            case "revoke":
                self.tokens.revoke_token(own.session, read_number(own.fields, "number"), now)
                return self.own.redirect(own.view, ACCOUNT_PATH)
            case _:
                raise UnknownFormError

    def _make(self, own: OwnRequest, now: datetime) -> Response:
        fields = own.fields
        key = fields.get("key", "")
        if not (0 < len(key) <= _MAX_KEY and key.isascii()):
            raise UnknownFormError
        scopes = [scope.value for scope in Scope if f"scope-{scope.value}" in fields]
        try:
            choice = read_choice(fields.get("name", ""), scopes, read_number(fields, "days"))
            token = self.tokens.make_token(own.session, choice, key, now)
        except TokenError as error:
            parameters = {"lang": own.view.site.language_parameter, "mistake": error.mistake.value}
            return self.own.public.redirect_after_post(join_address(ACCOUNT_PATH, parameters))
        bundle = own.view.bundle
        page = NewTokenPage(secret=token.secret, name=token.name, expires_at=token.expires_at)
        return make_private_page(render_new_token(bundle.environment, bundle.branding, own.view.site, page))
