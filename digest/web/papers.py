"""The pages of single papers, where readers say what they think of them. Only a POST changes anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from anyio import to_thread
from fastapi import Request, Response

from digest.core.subscribers.opinions import Opinion
from digest.jobs.subscribers import opinions
from digest.jobs.subscribers.opinions import ToldPaper
from digest.render.paper_page import IS, IS_NOT, PaperPage, paper_page
from digest.render.papers.links import Link
from digest.web import forms
from digest.web.answers import Answers

_NUMBER = re.compile("[1-9][0-9]{0,3}")
_PERSONS = {IS: True, IS_NOT: False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Papers:
    """The routes of papers, bound to what they need."""

    answers: Answers

    def show(self, token: str, number: str) -> Response:
        """A paper of an edition. Scanners of mail follow every link: that changes nothing."""
        place = self._place(token, number)
        found = opinions.told_paper(self.answers.app.store, *place) if place else None
        return self._page(found, token)

    async def say(self, token: str, number: str, request: Request) -> Response:
        """Note what a reader says of a paper, or take it back; twice is once."""
        try:
            sent = await forms.fields(request)
        except forms.TooLongError:
            return await to_thread.run_sync(self.answers.too_much)
        return await to_thread.run_sync(partial(self._said, token, number, sent))

    def _said(self, token: str, number: str, sent: Mapping[str, str]) -> Response:
        place = self._place(token, number)
        if place is None:
            return self.answers.unknown()
        app, (edition, item) = self.answers.app, place
        match sent:
            case {"do": ("more" | "less" | "saved") as what}:
                found = opinions.say(app.store, edition, item, Opinion(what), app.clock())
            case {"undo": ("more" | "less" | "saved") as what}:
                found = opinions.take_back(app.store, edition, item, Opinion(what))
            case {"do": ("is" | "is-not") as what, "who": who}:
                found = opinions.judge(app.store, edition, item, who, app.clock(), yes=_PERSONS[what])
            case {"undo": "is" | "is-not", "who": who}:
                found = opinions.judge(app.store, edition, item, who, app.clock(), yes=None)
            case _:
                return self.answers.not_understood()
        return self._page(found, token)

    def _place(self, token: str, number: str) -> tuple[int, int] | None:
        edition = self.answers.pages.edition_of(token)
        return (edition, int(number)) if edition is not None and _NUMBER.fullmatch(number) else None

    def _page(self, found: ToldPaper | None, token: str) -> Response:
        if found is None:
            return self.answers.unknown()
        tongue = self.answers.app.tongue(found.edition.language)
        told = PaperPage(
            edition=found.edition,
            number=found.number,
            item=found.item,
            follows=[(one.text, one.learned) for one in found.brought_by],
            said=found.said,
            persons=[(one.name, one.yes) for one in found.persons],
        )
        back = Link(label=found.edition.title, href=f"../{token}")
        return self.answers.page(paper_page(tongue.environment, tongue.masthead, told, back))
