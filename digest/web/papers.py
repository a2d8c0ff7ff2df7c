"""Handlers of the pages of single papers, where readers give opinions. Only a POST request changes anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from fastapi import Request, Response

from digest.core.subscribers.opinions import Opinion
from digest.jobs.subscribers import opinions
from digest.jobs.subscribers.opinions import EditionPaper
from digest.render.paper_page import IS, IS_NOT, PaperPageView, render_paper_page
from digest.render.papers.links import Link
from digest.web.answers import Responder

_ITEM_NUMBER = re.compile("[1-9][0-9]{0,3}")
_LINKED_OPINIONS = {"save": Opinion.SAVED, "more": Opinion.MORE, "less": Opinion.LESS}
"""The opinions by the queries of links in mails, feeds and pages."""
_AUTHOR_VERDICTS = {IS: True, IS_NOT: False}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRoutes:
    """The handlers of the pages of papers."""

    responder: Responder

    def show(self, token: str, number: str, request: Request) -> Response:
        """Show a paper of an edition, and change nothing, because mail scanners follow every link.

        The query of the link, such as ``?save``, only brings its button to the front.
        """
        position = self._find_position(token, number)
        edition_paper = opinions.load_edition_paper(self.responder.app.store, *position) if position else None
        chosen = [_LINKED_OPINIONS[name] for name in request.query_params if name in _LINKED_OPINIONS]
        return self._make_page(edition_paper, token, chosen[0] if chosen else None)

    async def record_opinion(self, token: str, number: str, request: Request) -> Response:
        """Store or withdraw an opinion about a paper; repetitions have no effect."""
        return await self.responder.respond_form(request, partial(self._apply_opinion, token, number))

    def _apply_opinion(self, token: str, number: str, form_fields: Mapping[str, str]) -> Response:
        position = self._find_position(token, number)
        if position is None:
            return self.responder.make_not_found()
        app, (edition_id, item_number) = self.responder.app, position
        match form_fields:
            case {"do": ("more" | "less" | "saved") as action}:
                edition_paper = opinions.save_opinion(
                    app.store, edition_id, item_number, Opinion(action), app.clock()
                )
            case {"undo": ("more" | "less" | "saved") as action}:
                edition_paper = opinions.withdraw_opinion(app.store, edition_id, item_number, Opinion(action))
            case {"do": ("is" | "is-not") as action, "who": author}:
                edition_paper = opinions.save_author_verdict(
                    app.store, edition_id, item_number, author, app.clock(), yes=_AUTHOR_VERDICTS[action]
                )
            case {"undo": "is" | "is-not", "who": author}:
                edition_paper = opinions.save_author_verdict(
                    app.store, edition_id, item_number, author, app.clock(), yes=None
                )
            case _:
                return self.responder.make_bad_request()
        return self._make_page(edition_paper, token)

    def _find_position(self, token: str, number: str) -> tuple[int, int] | None:
        edition_id = self.responder.pages.read_edition_token(token)
        return (
            (edition_id, int(number)) if edition_id is not None and _ITEM_NUMBER.fullmatch(number) else None
        )

    def _make_page(
        self, edition_paper: EditionPaper | None, token: str, first: Opinion | None = None
    ) -> Response:
        if edition_paper is None:
            return self.responder.make_not_found()
        locale_bundle = self.responder.app.get_locale_bundle(edition_paper.edition.language)
        view = PaperPageView(
            edition=edition_paper.edition,
            number=edition_paper.number,
            item=edition_paper.item,
            follows=[(entry.text, entry.learned) for entry in edition_paper.brought_by],
            opinions=edition_paper.opinions,
            persons=[(entry.name, entry.yes) for entry in edition_paper.persons],
            first=first,
        )
        edition_link = Link(label=edition_paper.edition.title, href=f"../{token}")
        return self.responder.make_page(
            render_paper_page(locale_bundle.environment, locale_bundle.branding, view, edition_link)
        )
