"""What the routes of readers' tokens share: whose request it is, and the record of what is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request, Response
from pydantic import BaseModel

from digest.core.subscribers.api_tokens import ApiToken
from digest.jobs.subscribers.tokens.used_tokens import UsedTokens
from digest.store.operations.audit import AuditAction
from digest.web.answers import Responder
from digest.web.api.api_responder import make_private_document
from digest.web.api.own.token_guard import get_token
from digest.web.publishing.request_limits import RequestLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnApiResponder:
    """Helpers of the routes.

    Attributes:
        responder: the general helpers.
        limits: the limits of requests.
        used_tokens: collects what tokens read.
    """

    responder: Responder
    limits: RequestLimits
    used_tokens: UsedTokens

    def respond_read(
        self, request: Request, action: AuditAction, load: Callable[[ApiToken], BaseModel]
    ) -> Response:
        """Answer with a document, and note that the token has read it.

        Args:
            request: the request, which has passed the guard.
            action: what is read.
            load: loads the document.
        """
        token = get_token(request)
        document = load(token)
        self.used_tokens.note(token, action)
        return make_private_document(document)
