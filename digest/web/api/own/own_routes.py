"""Routes by which a reader's programs read what is theirs: digests, editions, saved papers and previews."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Query, Request, Response

from digest.app import App
from digest.core.publishing.address_parts import AddressError, parse_page_number
from digest.core.subscribers.api_tokens import ApiToken
from digest.core.subscribers.own_records import ListPage
from digest.jobs.matching.follow_preview import preview_follow
from digest.jobs.subscribers.own_digests import OwnDigestEditor
from digest.jobs.subscribers.own_records.records import OwnRecords
from digest.jobs.subscribers.search_digests import MAX_QUERY
from digest.jobs.subscribers.tokens.api_tokens import make_token_actor
from digest.render.publishing.documents.own import (
    EditionDocument,
    OwnDigestDetailsDocument,
    OwnDigestsDocument,
    OwnEditionsDocument,
    QueryPreviewDocument,
    SavedPapersDocument,
    make_edition_document,
    make_own_digest,
    make_own_digests,
    make_own_editions,
    make_query_preview,
    make_saved_papers,
)
from digest.store.matching.event_index import EventCache
from digest.store.operations.audit import AuditAction
from digest.web.api.document_reader import ProblemError
from digest.web.api.own.own_responder import OwnApiResponder

_Cursor = Annotated[
    str, Query(max_length=20, description="Where the page begins: next_cursor of the page before")
]
_QueryText = Annotated[
    str, Query(min_length=1, max_length=MAX_QUERY, description="The query, in the follow language")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRoutes:
    """The routes. Each reads only what belongs to the reader of the token.

    Attributes:
        api: the helpers of all routes.
    """

    api: OwnApiResponder
    _event_cache: EventCache = field(default_factory=EventCache, repr=False)

    # digests

    def read_digests(self, request: Request) -> Response:
        """Return all digests."""

        def load(token: ApiToken) -> OwnDigestsDocument:
            editor = make_editor(self._app, token)
            return make_own_digests(editor.list_digests(), editor.now)

        return self.api.respond_read(request, AuditAction.READ_DIGESTS, load)

    def read_digest(self, digest_id: int, request: Request) -> Response:
        """Return a digest with all that it follows."""

        def load(token: ApiToken) -> OwnDigestDetailsDocument:
            editor = make_editor(self._app, token)
            return make_own_digest(editor.load(digest_id), editor.now)

        return self.api.respond_read(request, AuditAction.READ_DIGESTS, load)

    # previews

    def read_preview(self, digest_id: int, request: Request) -> Response:
        """Return the edition that would come now, made as editions are."""
        self.api.limits.count_search(request)

        def load(token: ApiToken) -> EditionDocument:
            edition = make_editor(self._app, token).preview(digest_id, self._app.edition_capacity)
            return make_edition_document(edition, "", self._site_url)

        return self.api.respond_read(request, AuditAction.PREVIEW_EDITION, load)

    def read_query_preview(self, request: Request, q: _QueryText) -> Response:
        """Return how a query is read, about how many papers it finds a day, and the newest of them."""
        self.api.limits.count_search(request)

        def load(_token: ApiToken) -> QueryPreviewDocument:
            preview = preview_follow(self._app.store, q, self._app.clock(), self._event_cache)
            return make_query_preview(preview, self._site_url)

        return self.api.respond_read(request, AuditAction.PREVIEW_QUERY, load)

    # editions and saved papers

    def read_editions(self, digest_id: int, request: Request, cursor: _Cursor = "") -> Response:
        """Return the editions that a digest has had, newest first."""

        def load(token: ApiToken) -> OwnEditionsDocument:
            _, listed = self._make_records(token).list_editions(digest_id, _parse_cursor(cursor))
            return make_own_editions(listed)

        return self.api.respond_read(request, AuditAction.READ_EDITIONS, load)

    def read_edition(self, digest_id: int, edition_id: int, request: Request) -> Response:
        """Return an edition with its papers."""

        def load(token: ApiToken) -> EditionDocument:
            edition = self._make_records(token).load_edition(digest_id, edition_id)
            page = self.api.responder.pages.make_edition_url(edition_id)
            return make_edition_document(edition, page, self._site_url)

        return self.api.respond_read(request, AuditAction.READ_EDITIONS, load)

    def read_saved(self, digest_id: int, request: Request, cursor: _Cursor = "") -> Response:
        """Return the saved papers of a digest, latest first."""

        def load(token: ApiToken) -> SavedPapersDocument:
            _, listed = self._make_records(token).list_saved(digest_id, _parse_cursor(cursor))
            entries = tuple((saved.paper, saved.at) for saved in listed.entries)
            papers = ListPage(entries=entries, number=listed.number, pages=listed.pages)
            return make_saved_papers(papers, self._site_url)

        return self.api.respond_read(request, AuditAction.READ_SAVED_PAPERS, load)

    def _make_records(self, token: ApiToken) -> OwnRecords:
        return OwnRecords(store=self._app.store, subscriber=token.subscriber)

    @property
    def _app(self) -> App:
        return self.api.responder.app

    @property
    def _site_url(self) -> str:
        return self.api.responder.pages.url


def make_editor(app: App, token: ApiToken) -> OwnDigestEditor:
    """Return what reads and changes the digests of the reader of a token, and records the changes."""
    return OwnDigestEditor(
        store=app.store, subscriber=token.subscriber, now=app.clock(), actor=make_token_actor(token)
    )


def _parse_cursor(text: str) -> int:
    try:
        return parse_page_number(text or "1")
    except AddressError as error:
        raise ProblemError(400, "the cursor is not one of this list") from error
