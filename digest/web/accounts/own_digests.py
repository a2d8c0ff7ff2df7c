"""Handlers of the pages on which readers change their digests. Each reads and writes only what is the session's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite

from fastapi import Request, Response

from digest.core.people.profile import PersonProfile
from digest.core.publishing.address_parts import join_address
from digest.core.subscribers.follow_preview import FollowPreview
from digest.core.subscribers.own_digest import OFFERED_KINDS, EditError, EditMistake, OwnDigestDetails
from digest.core.subscribers.schedule_choice import ScheduleChoice
from digest.errors import QueryError
from digest.jobs.matching.follow_preview import preview_follow
from digest.jobs.people.profiles import find_persons, is_family_name
from digest.jobs.subscribers import account
from digest.jobs.subscribers.account import PauseFor
from digest.jobs.subscribers.destinations.own_destinations import OwnDestinationEditor
from digest.jobs.subscribers.own_digests import DigestChoice, OwnDigestEditor, read_typed_follow
from digest.jobs.subscribers.search_digests import MAX_QUERY
from digest.model import Abstracts, Arrangement, DigestOptions
from digest.render.publishing.account_pages.own_digest import (
    OwnDigestPage,
    Saved,
    format_own_digest_address,
    format_saved_address,
    render_own_digest,
    render_preview,
)
from digest.render.publishing.account_pages.sections import list_section_links
from digest.render.publishing.public_pages.links import ACCOUNT_PATH
from digest.render.publishing.public_pages.search import QueryMistake
from digest.store.database.engine import Store
from digest.store.matching.event_index import EventCache
from digest.web.accounts.own_requests import OwnRequest, OwnResponder, UnknownFormError, read_number
from digest.web.publishing.public_responder import make_private_edition, make_private_page

_MAX_PERSONS, _MAX_NAME = 20, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDigestRoutes:
    """The handlers.

    Attributes:
        own: answers requests of readers who are signed in.
    """

    own: OwnResponder
    _event_cache: EventCache = field(default_factory=EventCache, repr=False)

    def show(self, digest_id: int, request: Request) -> Response:
        """Show a digest, with what the query in its field would bring, or who has the name in the other one."""
        return self.own.respond_read(request, lambda own: self._show(own, digest_id))

    def show_preview(self, digest_id: int, request: Request) -> Response:
        """Show the edition that would come now."""
        return self.own.respond_read(request, lambda own: self._show_preview(own, digest_id))

    async def create(self, request: Request) -> Response:
        """Make a new digest of one search."""
        return await self.own.respond_write(request, self._create)

    async def update(self, digest_id: int, request: Request) -> Response:
        """Change a digest; repetitions have no effect."""
        return await self.own.respond_write(request, lambda own: self._update(own, digest_id))

    # pages

    def _show(self, own: OwnRequest, digest_id: int) -> Response:
        typed, name = (" ".join(own.fields.get(field, "").split()) for field in ("q", "name"))
        page = replace(
            self._make_page(own, self._make_editor(own).load(digest_id)),
            typed=typed,
            preview=self._preview(typed, self._make_editor(own)) if typed else None,
            name=name,
            persons=_find_persons(self._store, name) if name else None,
            saved=next((saved for saved in Saved if saved.value == own.fields.get("saved")), None),
        )
        return self._respond_page(own, page, 200)

    def _show_preview(self, own: OwnRequest, digest_id: int) -> Response:
        app, site = self.own.public.responder.app, own.view.site
        edition = self._make_editor(own).preview(digest_id, app.edition_capacity)
        bundle = app.get_locale_bundle(edition.language)
        action = site.link(format_own_digest_address(digest_id, site.language_parameter))
        page = render_preview(bundle.environment, bundle.branding, edition, action, own.form_token)
        return make_private_edition(page)

    def _respond_page(self, own: OwnRequest, page: OwnDigestPage, status: int) -> Response:
        bundle = own.view.bundle
        body = render_own_digest(bundle.environment, bundle.branding, own.view.site, page)
        return make_private_page(body, status)

    def _make_page(self, own: OwnRequest, details: OwnDigestDetails) -> OwnDigestPage:
        return OwnDigestPage(
            details=details,
            form_token=own.form_token,
            now=self._make_editor(own).now,
            services=self._services,
            links=list_section_links(details.id, own.view.site, own.view.bundle.branding.locale),
        )

    # changes

    def _create(self, own: OwnRequest) -> Response:
        query, zone = own.fields.get("query", ""), own.fields.get("zone", "")
        try:
            digest_id = self._make_editor(own).create(
                query, own.session.address, own.view.site.language.name, zone
            )
        except EditError as error:
            parameters = {"lang": own.view.site.language_parameter, "mistake": error.mistake.value}
            return self.own.public.redirect_after_post(join_address(ACCOUNT_PATH, parameters))
        return self._redirect_to_digest(own, digest_id, Saved.NEW)

    def _update(self, own: OwnRequest, digest_id: int) -> Response:
        try:
            if own.fields.get("do") == "add-destination":
                return self._add_destination(own, digest_id)
            saved = self._apply(own, digest_id)
        except (EditError, QueryError) as error:
            mistake = error.mistake if isinstance(error, EditError) else EditMistake.NO_QUERY
            page = self._make_page(own, self._make_editor(own).load(digest_id))
            return self._respond_page(own, replace(page, mistake=mistake), 400)
        if saved is None:
            return self.own.redirect(own.view, ACCOUNT_PATH)
        return self._redirect_to_digest(own, digest_id, saved)

    def _apply(self, own: OwnRequest, digest_id: int) -> Saved | None:
        """Apply a form, and return what was saved; None if the digest has ended."""
        editor, fields = self._make_editor(own), own.fields
        match fields.get("do"):
            case "follow" | "weigh" | "unfollow" | "unfollow-library" as action:
                _change_follows(editor, digest_id, action, fields)
                return Saved.FOLLOWS
            case "schedule":
                editor.change_schedule(digest_id, _read_schedule(fields))
                return Saved.SCHEDULE
            case "options":
                editor.change_options(digest_id, _read_options(own))
                return Saved.OPTIONS
            case "remove-destination":
                destination = read_number(fields, "destination")
                self._make_destination_editor(own).remove(digest_id, destination)
                return Saved.REMOVED
            case "send":
                editor.request_edition(digest_id)
                return Saved.SENT
            case "end":
                editor.end(digest_id)
                return None
            case "pause-week" | "pause-month" | "pause-open" | "resume-then" | "resume-now" as action:
                self._change_pause(editor, digest_id, action)
                return Saved.PAUSE
            case _:
                raise UnknownFormError

    def _add_destination(self, own: OwnRequest, digest_id: int) -> Response:
        """Add a chat or webhook. The key of a new webhook is on the page that answers the form, and on no other one."""
        added = self._make_destination_editor(own).add(digest_id, own.fields.get("address", ""))
        if not added.secret:
            return self._redirect_to_digest(own, digest_id, Saved.DESTINATION)
        page = self._make_page(own, self._make_editor(own).load(digest_id))
        return self._respond_page(own, replace(page, saved=Saved.DESTINATION, new_secret=added.secret), 200)

    def _change_pause(self, editor: OwnDigestEditor, digest_id: int, action: str) -> None:
        destination = editor.load(digest_id).summary.destination
        what, _, how = action.partition("-")
        if what == "pause":
            account.pause_digest(self._store, destination, PauseFor(how), editor.now)
        else:
            account.resume_digest(self._store, destination, how, editor.now)

    def _redirect_to_digest(self, own: OwnRequest, digest_id: int, saved: Saved) -> Response:
        language = own.view.site.language_parameter
        return self.own.public.redirect_after_post(format_saved_address(digest_id, language, saved))

    @property
    def _store(self) -> Store:
        return self.own.public.responder.app.store

    @property
    def _services(self) -> tuple[str, ...]:
        """The services of chats and webhooks that the file allows."""
        signup = self.own.public.responder.app.settings.signup
        return signup.destinations if signup else ()

    def _preview(self, typed: str, editor: OwnDigestEditor) -> FollowPreview | QueryMistake:
        if len(typed) > MAX_QUERY:
            mistake = f"A query has at most {MAX_QUERY} characters."
            return QueryMistake(mistake, typed[:MAX_QUERY], MAX_QUERY)
        try:
            return preview_follow(self._store, typed, editor.now, self._event_cache)
        except QueryError as error:
            return QueryMistake(str(error.args[0]), error.query, error.position)

    def _make_editor(self, own: OwnRequest) -> OwnDigestEditor:
        now = self.own.public.responder.app.clock()
        return OwnDigestEditor(store=self._store, subscriber=own.session.subscriber, now=now)

    def _make_destination_editor(self, own: OwnRequest) -> OwnDestinationEditor:
        return OwnDestinationEditor(
            store=self._store,
            subscriber=own.session.subscriber,
            offered=self._services,
            keys=self.own.public.responder.pages.keys,
        )


def _change_follows(editor: OwnDigestEditor, digest_id: int, action: str, fields: Mapping[str, str]) -> None:
    query, only = fields.get("query", ""), fields.get("only", "")
    match action:
        case "follow":
            follow = read_typed_follow(query)
            editor.add_follow(digest_id, replace(follow, exclude="exclude" in fields))
        case "weigh":
            editor.weigh_follow(digest_id, query, _read_weight(fields), alert="alert" in fields)
        case "unfollow":
            editor.remove_follow(digest_id, query, only)
        case _:
            editor.remove_library(digest_id)


# --- fields ---------------------------------------------------------------------------------------


def _find_persons(store: Store, name: str) -> tuple[PersonProfile, ...]:
    if is_family_name(name) or len(name) > _MAX_NAME:
        return ()
    return find_persons(store, name, _MAX_PERSONS).profiles


def _read_weight(fields: Mapping[str, str]) -> float:
    try:
        weight = float(fields.get("weight", ""))
    except ValueError:
        raise UnknownFormError from None
    if not isfinite(weight):
        raise UnknownFormError
    return weight


def _read_schedule(fields: Mapping[str, str]) -> ScheduleChoice:
    is_monthly = "monthly" in fields
    return ScheduleChoice(
        days=() if is_monthly else tuple(day for day in range(7) if f"day{day}" in fields),
        month_day=read_number(fields, "month_day") if is_monthly else 0,
        at=fields.get("at", ""),
        latest=fields.get("latest", ""),
        zone=fields.get("zone", ""),
    )


def _read_options(own: OwnRequest) -> DigestChoice:
    fields = own.fields
    try:
        abstracts, arrange = Abstracts(fields.get("abstracts", "")), Arrangement(fields.get("arrange", ""))
    except ValueError:
        raise UnknownFormError from None
    language = fields.get("language", "")
    if language not in {known.name for known in own.view.site.languages}:
        raise UnknownFormError
    options = DigestOptions(
        kinds=tuple(kind for kind in OFFERED_KINDS if f"kind-{kind.value}" in fields),
        limit=read_number(fields, "limit"),
        full=read_number(fields, "full"),
        when_empty="tell" if "tell" in fields else "skip",
        feed="feed" in fields,
        language=language,
        abstracts=abstracts,
        arrange=arrange,
    )
    return DigestChoice(title=fields.get("title", ""), options=options, is_mailed="mail" in fields)
