"""Handlers of the pages about one digest of a reader: earlier editions, saved papers, feedback and feeds.

Each reads and writes only what belongs to the reader of the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.publishing.address_parts import join_address, parse_page_number
from digest.core.subscribers.own_digest import OwnDigestDetails
from digest.core.subscribers.own_records import ListPage, ZoteroFailure
from digest.jobs.subscribers.own_records.records import OwnRecords
from digest.jobs.subscribers.own_records.zotero import ZoteroError, ZoteroSender, read_login
from digest.model import PaperKey
from digest.render.papers.bibtex import format_bibtex
from digest.render.papers.citations import format_ris_file
from digest.render.publishing import opml
from digest.render.publishing.account_pages.own_editions import OwnEditionsPage, render_own_editions
from digest.render.publishing.account_pages.own_feedback import OwnFeedbackPage, render_own_feedback
from digest.render.publishing.account_pages.own_feeds import OwnFeedsPage, render_own_feeds
from digest.render.publishing.account_pages.own_saved import BIBTEX, RIS, OwnSavedPage, render_own_saved
from digest.render.publishing.account_pages.sections import Section, SectionFrame, format_section_address
from digest.render.publishing.feeds import make_feed_title
from digest.web.accounts.own_requests import OwnRequest, OwnResponder, UnknownFormError, read_number
from digest.web.publishing.public_responder import make_private_file, make_private_page

_BIBTEX_TYPE = "application/x-bibtex; charset=utf-8"
_RIS_TYPE = "application/x-research-info-systems; charset=utf-8"
_MAX_TEXT = 2_000
_BAD_REQUEST, _UNAVAILABLE = 400, 503
_SENT = "sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSectionRoutes:
    """The handlers.

    Attributes:
        own: answers requests of readers who are signed in.
        zotero: sends saved papers to Zotero.
    """

    own: OwnResponder
    zotero: ZoteroSender

    # editions

    def show_editions(self, digest_id: int, request: Request) -> Response:
        """Show the editions that a digest has had."""
        return self.own.respond_read(request, lambda own: self._show_editions(own, digest_id))

    def _show_editions(self, own: OwnRequest, digest_id: int) -> Response:
        details, listed = self._make_records(own).list_editions(digest_id, _read_page_number(own.fields))
        pages, bundle = self.own.public.responder.pages, own.view.bundle
        page = OwnEditionsPage(
            frame=_make_frame(own, Section.EDITIONS, details, listed),
            editions=[(edition, pages.make_edition_url(edition.id)) for edition in listed.entries],
            zone=details.summary.zone,
        )
        return make_private_page(
            render_own_editions(bundle.environment, bundle.branding, own.view.site, page)
        )

    # saved papers

    def show_saved(self, digest_id: int, request: Request) -> Response:
        """Show saved papers."""
        return self.own.respond_read(
            request, lambda own: self._show_saved(own, digest_id, is_sent=own.fields.get("zotero") == _SENT)
        )

    def export_bibtex(self, digest_id: int, request: Request) -> Response:
        """Return all saved papers as BibTeX."""
        return self.own.respond_read(request, lambda own: self._export_bibtex(own, digest_id))

    def export_ris(self, digest_id: int, request: Request) -> Response:
        """Return all saved papers as RIS."""
        return self.own.respond_read(request, lambda own: self._export_ris(own, digest_id))

    async def update_saved(self, digest_id: int, request: Request) -> Response:
        """Remove a saved paper, or send all of them to Zotero; repetitions have no effect."""
        return await self.own.respond_write(request, lambda own: self._update_saved(own, digest_id))

    def _export_bibtex(self, own: OwnRequest, digest_id: int) -> Response:
        _, saved = self._make_records(own).load_saved(digest_id)
        text = format_bibtex([entry.paper for entry in saved])
        return make_private_file(text.encode(), _BIBTEX_TYPE, f"saved.{BIBTEX}")

    def _export_ris(self, own: OwnRequest, digest_id: int) -> Response:
        _, saved = self._make_records(own).load_saved(digest_id)
        text = format_ris_file([entry.paper for entry in saved])
        return make_private_file(text.encode(), _RIS_TYPE, f"saved.{RIS}")

    def _update_saved(self, own: OwnRequest, digest_id: int) -> Response:
        match own.fields.get("do"):
            case "remove":
                self._make_records(own).remove_saved(digest_id, _read_key(own.fields))
                return self._redirect(own, Section.SAVED, digest_id)
            case "zotero":
                return self._send_to_zotero(own, digest_id)
            case _:
                raise UnknownFormError

    def _send_to_zotero(self, own: OwnRequest, digest_id: int) -> Response:
        _, saved = self._make_records(own).load_saved(digest_id)
        try:
            login = read_login(own.fields.get("user", ""), own.fields.get("key", ""))
            self.zotero.send([entry.paper for entry in saved], login)
        except ZoteroError as error:
            return self._show_saved(own, digest_id, failure=error.failure)
        address = format_section_address(Section.SAVED, digest_id)
        parameters = {"zotero": _SENT, "lang": own.view.site.language_parameter}
        return self.own.public.redirect_after_post(join_address(address, parameters))

    def _show_saved(
        self,
        own: OwnRequest,
        digest_id: int,
        *,
        is_sent: bool = False,
        failure: ZoteroFailure | None = None,
    ) -> Response:
        details, listed = self._make_records(own).list_saved(digest_id, _read_page_number(own.fields))
        page = OwnSavedPage(
            frame=_make_frame(own, Section.SAVED, details, listed),
            papers=[(entry.paper, entry.at) for entry in listed.entries],
            zone=details.summary.zone,
            zotero_user=own.fields.get("user", "")[:_MAX_TEXT] if failure else "",
            zotero_failure=failure,
            is_sent=is_sent,
        )
        bundle = own.view.bundle
        body = render_own_saved(bundle.environment, bundle.branding, own.view.site, page)
        return make_private_page(body, _choose_status(failure))

    # feedback

    def show_feedback(self, digest_id: int, request: Request) -> Response:
        """Show what the reader said about papers and authors."""
        return self.own.respond_read(request, lambda own: self._show_feedback(own, digest_id))

    async def update_feedback(self, digest_id: int, request: Request) -> Response:
        """Take back what the reader said; repetitions have no effect."""
        return await self.own.respond_write(request, lambda own: self._update_feedback(own, digest_id))

    def _show_feedback(self, own: OwnRequest, digest_id: int) -> Response:
        details, listed = self._make_records(own).list_feedback(digest_id, _read_page_number(own.fields))
        bundle = own.view.bundle
        page = OwnFeedbackPage(
            frame=_make_frame(own, Section.FEEDBACK, details, listed),
            given=listed.entries,
            zone=details.summary.zone,
        )
        return make_private_page(
            render_own_feedback(bundle.environment, bundle.branding, own.view.site, page)
        )

    def _update_feedback(self, own: OwnRequest, digest_id: int) -> Response:
        records, fields = self._make_records(own), own.fields
        match fields.get("do"):
            case "rating":
                records.revoke_rating(digest_id, _read_key(fields))
            case "answer":
                position, name = read_number(fields, "position"), _read_text(fields, "name")
                records.revoke_answer(digest_id, _read_key(fields), position, name)
            case _:
                raise UnknownFormError
        return self._redirect(own, Section.FEEDBACK, digest_id)

    # feeds

    def show_feeds(self, digest_id: int, request: Request) -> Response:
        """Show the addresses of the feeds of a digest."""
        return self.own.respond_read(request, lambda own: self._show_feeds(own, digest_id))

    async def update_feeds(self, digest_id: int, request: Request) -> Response:
        """Renew the addresses of the feeds of a digest; repetitions have no effect."""
        return await self.own.respond_write(request, lambda own: self._update_feeds(own, digest_id))

    def export_opml(self, request: Request) -> Response:
        """Return all private feeds of the reader as a list for feed readers."""
        return self.own.respond_read(request, self._export_opml)

    def _show_feeds(self, own: OwnRequest, digest_id: int) -> Response:
        digest, bundle = self._make_records(own).load_feed_digest(digest_id), own.view.bundle
        page = OwnFeedsPage(
            frame=SectionFrame(
                section=Section.FEEDS, digest=digest.id, title=digest.title, form_token=own.form_token
            ),
            feeds=self.own.public.responder.list_feeds(digest),
            version=digest.feed_version,
        )
        return make_private_page(render_own_feeds(bundle.environment, bundle.branding, own.view.site, page))

    def _update_feeds(self, own: OwnRequest, digest_id: int) -> Response:
        if own.fields.get("do") != "renew":
            raise UnknownFormError
        renewed = self._make_records(own).renew_feeds(digest_id, read_number(own.fields, "version"))
        if renewed is not None:
            self.own.public.responder.notify(
                f"The feeds of {renewed.name} have a new address, at the request of its reader."
            )
        return self._redirect(own, Section.FEEDS, digest_id)

    def _export_opml(self, own: OwnRequest) -> Response:
        pages, bundle = self.own.public.responder.pages, own.view.bundle
        feeds = [
            opml.OpmlFeed(
                make_feed_title(bundle.branding, feed.title),
                pages.make_feed_url(feed.digest, feed.name, "atom", feed.version),
            )
            for feed in self._make_records(own).list_feeds()
        ]
        body = opml.render_opml(bundle.environment, bundle.branding, feeds)
        return make_private_file(body, opml.MEDIA_TYPE, f"feeds.{opml.EXTENSION}")

    def _redirect(self, own: OwnRequest, section: Section, digest_id: int) -> Response:
        language = own.view.site.language_parameter
        address = format_section_address(section, digest_id, language, _read_page_number(own.fields))
        return self.own.public.redirect_after_post(address)

    def _make_records(self, own: OwnRequest) -> OwnRecords:
        return OwnRecords(store=self.own.public.responder.app.store, subscriber=own.session.subscriber)


def _make_frame(
    own: OwnRequest, section: Section, details: OwnDigestDetails, listed: ListPage[object]
) -> SectionFrame:
    return SectionFrame(
        section=section,
        digest=details.id,
        title=details.summary.title,
        number=listed.number,
        pages=listed.pages,
        form_token=own.form_token,
    )


def _choose_status(failure: ZoteroFailure | None) -> int:
    """Return the status of the page after papers were sent: whether the reader typed something wrong."""
    match failure:
        case None:
            return 200
        case ZoteroFailure.WRONG_KEY | ZoteroFailure.NO_ACCESS | ZoteroFailure.NO_USER:
            return _BAD_REQUEST
        case _:
            return _UNAVAILABLE


# --- fields ---------------------------------------------------------------------------------------


def _read_page_number(fields: Mapping[str, str]) -> int:
    """Return the number of the page of a list."""
    return parse_page_number(fields.get("page", "1"))


def _read_key(fields: Mapping[str, str]) -> PaperKey:
    return PaperKey(_read_text(fields, "paper"))


def _read_text(fields: Mapping[str, str], name: str) -> str:
    text = fields.get(name, "")
    if not 0 < len(text) <= _MAX_TEXT or not text.isprintable():  # databases reject NUL
        raise UnknownFormError
    return text
