"""Handlers of the page on which a reader manages a digest. Only a POST request changes anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from fastapi import Request, Response

from digest.core.subscribers.library.queries import read_library_key
from digest.jobs.publishing import feed_addresses
from digest.jobs.subscribers import account, opinions
from digest.jobs.subscribers.account import PauseFor
from digest.model import PaperKey
from digest.render.account_page import (
    FollowSummary,
    ManagePage,
    PauseView,
    SavedPaperView,
    render_manage_page,
)
from digest.render.languages.locales import Locale
from digest.render.papers.bibtex import format_bibtex
from digest.store.publishing.account import ManagedDigest
from digest.store.subscribers.digests import Follow, Pause
from digest.web import notices
from digest.web.answers import Responder

_BIBTEX = "application/x-bibtex; charset=utf-8"
_MAX_SAVED = 200
"""Maximum number of saved papers on the page; ``digest saved`` lists all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManageRoutes:
    """The handlers of the page on which a reader manages a digest."""

    responder: Responder

    def show(self, token: str) -> Response:
        """Show the digest of a destination, and change nothing, because mail scanners follow every link."""
        destination_id = self.responder.pages.read_manage_token(token)
        return self._make_page(
            account.load_managed(self.responder.app.store, destination_id)
            if destination_id is not None
            else None
        )

    def export_saved(self, token: str) -> Response:
        """Return all saved papers as BibTeX, for reference managers."""
        destination_id, app = self.responder.pages.read_manage_token(token), self.responder.app
        managed = account.load_managed(app.store, destination_id) if destination_id is not None else None
        if managed is None:
            return self.responder.make_not_found()
        with app.store.begin_read() as tx:
            papers = [saved_paper.paper for saved_paper in opinions.list_saved(tx, managed.web_digest.id)]
        headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="saved.bib"'}
        return Response(format_bibtex(papers), media_type=_BIBTEX, headers=headers)

    async def update_digest(self, token: str, request: Request) -> Response:
        """Pause or resume the digest, remove a saved paper, or renew the feed addresses; repetitions have no effect."""
        return await self.responder.respond_form(request, partial(self._apply_update, token))

    def _apply_update(self, token: str, form_fields: Mapping[str, str]) -> Response:
        destination_id = self.responder.pages.read_manage_token(token)
        app = self.responder.app
        previous = account.load_managed(app.store, destination_id) if destination_id is not None else None
        if destination_id is None or previous is None:
            return self.responder.make_not_found()
        match form_fields:
            case {"do": ("pause-week" | "pause-month" | "pause-open") as action}:
                self._notify_pause(
                    previous,
                    account.pause_digest(app.store, destination_id, PauseFor(action[6:]), app.clock()),
                )
            case {"do": ("resume-then" | "resume-now") as action}:
                self._notify_pause(
                    previous, account.resume_digest(app.store, destination_id, action[7:], app.clock())
                )
            case {"do": "remove", "paper": key} if key.isprintable():  # databases reject NUL
                with app.store.begin_write() as tx:
                    opinions.remove_saved(tx, previous.web_digest.id, PaperKey(key))
            case {"do": "renew", "version": version} if version != str(previous.web_digest.feed_version):
                pass  # the address was already renewed, by another click
            case {"do": "renew", "version": _}:
                feed_addresses.renew_feed_address(app.store, previous.web_digest.id)
                self.responder.notify(
                    f"The feeds of {previous.web_digest.name} have a new address, at the request of its reader."
                )
            case _:
                return self.responder.make_bad_request()
        return self._make_page(account.load_managed(app.store, destination_id))

    def _notify_pause(self, previous: ManagedDigest, updated: ManagedDigest | None) -> None:
        """Report to the operator that a digest was paused or resumed."""
        if previous.digest is None or updated is None or updated.digest is None:
            return
        pause = updated.digest.pause
        if previous.digest.pause == pause:
            return
        name = updated.web_digest.name
        if pause is None:
            self.responder.notify(f"{name} was resumed by its reader.")
        elif pause.until is None:
            self.responder.notify(f"{name} was paused by its reader, until it is resumed.")
        else:
            self.responder.notify(f"{name} was paused until {pause.until:%Y-%m-%d %H:%M} UTC by its reader.")

    def _make_page(self, managed: ManagedDigest | None) -> Response:
        if managed is None:
            return self.responder.make_not_found()
        recipient, responder = managed.subscriber, self.responder
        unsubscribe_token = responder.pages.make_unsubscribe_url(recipient.destination).rpartition("/")[2]
        if managed.digest is None or not recipient.active:
            return responder.make_subscription_page(recipient, unsubscribe_token)
        locale_bundle = responder.app.get_locale_bundle(managed.web_digest.options.language)
        view = self._make_view(managed, unsubscribe_token, locale_bundle.branding.locale)
        return responder.make_page(
            render_manage_page(locale_bundle.environment, locale_bundle.branding, view)
        )

    def _make_view(self, managed: ManagedDigest, unsubscribe_token: str, locale: Locale) -> ManagePage:
        assert managed.digest is not None
        responder, web_digest, digest = self.responder, managed.web_digest, managed.digest
        with responder.app.store.begin_read() as tx:
            saved_papers = opinions.list_saved(tx, web_digest.id)[:_MAX_SAVED]
        return ManagePage(
            title=web_digest.title,
            destination=notices.mask_address(managed.subscriber, locale),
            other_count=len(digest.destinations) - 1,
            zone=web_digest.options.timezone,
            follows=_list_follows(digest.follows, locale),
            schedule=managed.schedule,
            limit=digest.options.limit,
            pause=_make_pause_view(digest.pause),
            feeds=responder.list_feeds(web_digest),
            feed_version=web_digest.feed_version,
            saved_papers=[SavedPaperView(entry.paper, entry.at) for entry in saved_papers],
            bibtex_path=f"{responder.pages.make_manage_url(managed.subscriber.destination).rpartition('/')[2]}/saved.bib",
            unsubscribe_path=f"../unsubscribe/{unsubscribe_token}",
        )


def _list_follows(follows: Sequence[Follow], locale: Locale) -> list[FollowSummary]:
    """Return the follows, with the papers of libraries in one line, because there can be thousands."""
    papers = {follow.query for follow in follows if not follow.exclude and read_library_key(follow.canonical)}
    summaries = [
        FollowSummary(follow.text, follow.exclude, follow.alert, follow.learned)
        for follow in follows
        if follow.exclude or follow.query not in papers
    ]
    if papers:
        text = locale.ngettext("%(num)s paper of your library", "%(num)s papers of your library", len(papers))
        summaries.append(FollowSummary(text, is_exclusion=False, is_alert=False, learned_factor=1.0))
    return summaries


def _make_pause_view(pause: Pause | None) -> PauseView | None:
    return None if pause is None else PauseView(pause.until, pause.resume_from == "then")
