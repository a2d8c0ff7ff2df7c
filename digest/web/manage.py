"""The page on which whoever gets a digest manages it. Only a POST changes anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from anyio import to_thread
from fastapi import Request, Response

from digest.jobs.publishing import feed_addresses
from digest.jobs.subscribers import account, opinions
from digest.jobs.subscribers.account import PauseFor
from digest.model import PaperKey
from digest.render.account_page import Keepsake, ManagePage, Pausing, Wish, manage_page
from digest.render.languages.locales import Locale
from digest.render.papers.bibtex import bibtex
from digest.store.publishing.account import Managed
from digest.store.subscribers.digests import Pause
from digest.web import forms, notices
from digest.web.answers import Answers

_BIBTEX = "application/x-bibtex; charset=utf-8"
_MOST_SAVED = 200
"""Papers on the page; ``digest saved`` lists them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manage:
    """The routes, bound to what they need."""

    answers: Answers

    def show(self, token: str) -> Response:
        """The digest that goes to a destination. Scanners of mail follow every link: that changes nothing."""
        number = self.answers.pages.managed_by(token)
        return self._page(account.look(self.answers.app.store, number) if number is not None else None)

    def saved(self, token: str) -> Response:
        """The papers saved, all of them, for programs that manage references."""
        number, app = self.answers.pages.managed_by(token), self.answers.app
        found = account.look(app.store, number) if number is not None else None
        if found is None:
            return self.answers.unknown()
        with app.store.reading() as tx:
            papers = [one.paper for one in opinions.saved(tx, found.shown.id)]
        headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="saved.bib"'}
        return Response(bibtex(papers), media_type=_BIBTEX, headers=headers)

    async def change(self, token: str, request: Request) -> Response:
        """Let it rest or go on, take a saved paper out, or give its feeds a new address; twice is once."""
        try:
            sent = await forms.fields(request)
        except forms.TooLongError:
            return await to_thread.run_sync(self.answers.too_much)
        return await to_thread.run_sync(partial(self._changed, token, sent))

    def _changed(self, token: str, sent: Mapping[str, str]) -> Response:
        number = self.answers.pages.managed_by(token)
        app = self.answers.app
        before = account.look(app.store, number) if number is not None else None
        if number is None or before is None:
            return self.answers.unknown()
        match sent:
            case {"do": ("pause-week" | "pause-month" | "pause-open") as what}:
                self._told(before, account.pause(app.store, number, PauseFor(what[6:]), app.clock()))
            case {"do": ("resume-then" | "resume-now") as what}:
                self._told(before, account.resume(app.store, number, what[7:], app.clock()))
            case {"do": "remove", "paper": key} if key.isprintable():  # no database takes NUL
                with app.store.writing() as tx:
                    opinions.unsave(tx, before.shown.id, PaperKey(key))
            case {"do": "renew", "version": version} if version != str(before.shown.feed_version):
                pass  # this was pressed before
            case {"do": "renew", "version": _}:
                feed_addresses.renew(app.store, before.shown.id)
                self.answers.tell(
                    f"The feeds of {before.shown.name} have a new address, as its reader wanted."
                )
            case _:
                return self.answers.not_understood()
        return self._page(account.look(app.store, number))

    def _told(self, before: Managed, after: Managed | None) -> None:
        """Tell whoever runs this that a digest rests, or goes on."""
        if before.digest is None or after is None or after.digest is None:
            return
        now = after.digest.pause
        if before.digest.pause == now:
            return
        name = after.shown.name
        if now is None:
            self.answers.tell(f"{name} goes on, as its reader wanted.")
        elif now.until is None:
            self.answers.tell(f"{name} is paused until its reader resumes it.")
        else:
            self.answers.tell(f"{name} is paused until {now.until:%Y-%m-%d %H:%M} UTC, as its reader wanted.")

    def _page(self, found: Managed | None) -> Response:
        if found is None:
            return self.answers.unknown()
        who, answers = found.subscriber, self.answers
        stop = answers.pages.unsubscribe(who.destination).rpartition("/")[2]
        if found.digest is None or not who.active:
            return answers.about(who, stop)
        tongue = answers.app.tongue(found.shown.language)
        what = self._what(found, stop, tongue.masthead.locale)
        return answers.page(manage_page(tongue.environment, tongue.masthead, what))

    def _what(self, found: Managed, stop: str, locale: Locale) -> ManagePage:
        assert found.digest is not None
        answers, shown, digest = self.answers, found.shown, found.digest
        with answers.app.store.reading() as tx:
            saved = opinions.saved(tx, shown.id)[:_MOST_SAVED]
        return ManagePage(
            title=shown.title,
            where=notices.shown_address(found.subscriber, locale),
            others=len(digest.destinations) - 1,
            zone=shown.zone,
            wishes=[Wish(one.text, one.exclude, one.alert, one.learned) for one in digest.follows],
            schedule=found.schedule,
            limit=digest.limit,
            pausing=_pausing(digest.pause),
            feeds=answers.feeds_of(shown),
            feed_version=shown.feed_version,
            keepsakes=[Keepsake(one.paper, one.at) for one in saved],
            bibtex=f"{answers.pages.manage(found.subscriber.destination).rpartition('/')[2]}/saved.bib",
            stop=f"../unsubscribe/{stop}",
        )


def _pausing(pause: Pause | None) -> Pausing | None:
    return None if pause is None else Pausing(pause.until, pause.resume_from == "then")
