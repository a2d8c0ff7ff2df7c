"""Routes by which a reader's programs change follows and saved papers. A repetition has no further effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from anyio import to_thread
from fastapi import Request, Response

from digest.core.subscribers.api_tokens import ApiToken
from digest.core.subscribers.own_digest import OwnFollow
from digest.errors import ConfigError
from digest.jobs.editions.explain import parse_paper_key
from digest.jobs.subscribers.own_digests import OwnDigestEditor, read_typed_follow
from digest.jobs.subscribers.tokens.api_tokens import make_token_actor
from digest.jobs.subscribers.tokens.saved_papers import SavedPaperEditor, UnknownPaperError
from digest.model import PaperKey
from digest.render.publishing.documents.own import make_follow_document
from digest.web.api.api_responder import make_private_confirmation, make_private_document
from digest.web.api.document_reader import ProblemError
from digest.web.api.own.bodies import FollowBody, FollowChangeBody, SavedPaperBody, read_body
from digest.web.api.own.own_responder import OwnApiResponder
from digest.web.api.own.own_routes import make_editor
from digest.web.api.own.token_guard import get_token


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRoutes:
    """The routes. Each changes only what belongs to the reader of the token, in one transaction with its audit entry.

    Attributes:
        api: the helpers of all routes.
    """

    api: OwnApiResponder

    # follows

    async def add_follow(self, digest_id: int, request: Request) -> Response:
        """Add a follow or an exclusion, which counts from the next edition on; one with the same query is replaced."""
        body = await read_body(request, FollowBody)
        return await self._change(request, partial(self._add_follow, digest_id, body))

    def _add_follow(self, digest_id: int, body: FollowBody, token: ApiToken) -> Response:
        if body.exclude and (body.alert or body.weight != 1):
            raise ProblemError(400, "an exclusion has no weight and no alert")
        follow = read_typed_follow(body.query)
        added = replace(follow, weight=body.weight, exclude=body.exclude, alert=body.alert)
        self._make_editor(token).add_follow(digest_id, added)
        return make_private_document(make_follow_document(added))

    async def change_follow(self, digest_id: int, follow_id: str, request: Request) -> Response:
        """Change the weight of a follow, or whether papers are sent at once."""
        body = await read_body(request, FollowChangeBody)
        return await self._change(request, partial(self._change_follow, digest_id, follow_id, body))

    def _change_follow(
        self, digest_id: int, follow_id: str, body: FollowChangeBody, token: ApiToken
    ) -> Response:
        editor = self._make_editor(token)
        follow = _find_follow(editor, digest_id, follow_id)
        if follow is None:
            raise ProblemError(404, "the digest has no such follow")
        if follow.exclude:
            raise ProblemError(400, "an exclusion has no weight and no alert")
        editor.weigh_follow(digest_id, follow.query, body.weight, alert=body.alert)
        changed = _find_follow(editor, digest_id, follow_id)
        if changed is None:  # removed at this moment
            raise ProblemError(404, "the digest has no such follow")
        return make_private_document(make_follow_document(changed))

    def remove_follow(self, digest_id: int, follow_id: str, request: Request) -> Response:
        """Remove a follow with its own exclusions, or an exclusion."""
        editor = self._make_editor(get_token(request))
        follow = _find_follow(editor, digest_id, follow_id)
        if follow is not None:
            editor.remove_follow(digest_id, follow.query, follow.only)
        return make_private_confirmation()

    # saved papers

    async def save_paper(self, digest_id: int, request: Request) -> Response:
        """Save a paper that is in the database."""
        body = await read_body(request, SavedPaperBody)
        return await self._change(request, partial(self._save_paper, digest_id, body))

    def _save_paper(self, digest_id: int, body: SavedPaperBody, token: ApiToken) -> Response:
        try:
            self._make_saved_papers(token).save(digest_id, _parse_key(body.paper))
        except UnknownPaperError as error:
            raise ProblemError(404, "the database has no such paper") from error
        return make_private_confirmation()

    def remove_paper(self, digest_id: int, key: str, request: Request) -> Response:
        """Remove a paper from the saved ones."""
        self._make_saved_papers(get_token(request)).remove(digest_id, _parse_key(key))
        return make_private_confirmation()

    async def _change(self, request: Request, change: Callable[[ApiToken], Response]) -> Response:
        return await to_thread.run_sync(change, get_token(request))

    def _make_editor(self, token: ApiToken) -> OwnDigestEditor:
        return make_editor(self.api.responder.app, token)

    def _make_saved_papers(self, token: ApiToken) -> SavedPaperEditor:
        app = self.api.responder.app
        return SavedPaperEditor(
            store=app.store, subscriber=token.subscriber, actor=make_token_actor(token), now=app.clock()
        )


def _find_follow(editor: OwnDigestEditor, digest_id: int, follow_id: str) -> OwnFollow | None:
    follows = editor.load(digest_id).follows
    return next((follow for follow in follows if follow.id == follow_id), None)


def _parse_key(text: str) -> PaperKey:
    """Parse the key of a paper; databases reject NUL."""
    if not text.isprintable():
        raise ProblemError(404, "the database has no such paper")
    try:
        return parse_paper_key(text)
    except ConfigError as error:
        raise ProblemError(404, str(error.args[0])) from error
