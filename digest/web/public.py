"""What is answered where feeds for everybody are. Strangers ask here: each answer costs a look, and no search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from fastapi import Request, Response

from digest.jobs.publishing.public import ALL, QUERY, Public, PublicFeed
from digest.render.papers.links import Link
from digest.render.publishing import opml
from digest.render.publishing.feeds import FORMS, Links, titled
from digest.render.publishing.public_feed import Opened, public_address, public_channel
from digest.web import notices
from digest.web.answers import FRESH_FOR, Answers
from digest.web.protocol.response_cache import Kept, kept


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeeds:
    """The routes' functions for feeds that need no secret address.

    Attributes:
        answers: those for all else.
        public: what everybody can read.
    """

    answers: Answers
    public: Public

    def front(self) -> Response:
        """The page at the site's own address: where there are feeds for everybody, it leads to them."""
        if not self.public.any:
            return self.answers.front()
        settings, _ = self.public.settings, self.answers.app.masthead.locale.gettext
        everything = [(ALL, "", _("Everything new"))] if settings.site.public_feeds else []
        named = [*everything, *((QUERY, one.name, one.title) for one in settings.public_feeds)]
        url, atom = self.answers.pages.url, FORMS["atom"]
        links = [
            Link(label=title, href=public_address(url, sort, name, "atom"), type=atom.media_type)
            for sort, name, title in named
        ]
        listed = public_address(url, ALL, "", opml.ENDING)
        links.append(Link(label=_("All feeds, as a list for programs (OPML)"), href=listed))
        return self.answers.notice(notices.opened(tuple(links)))

    def all(self, form: str, request: Request) -> Response:
        """What is new, or a list of all such feeds."""
        if form == opml.ENDING and self.public.any:
            standing = self.public.standing()
            shown = tuple((one.sort, one.name, one.title) for one in standing)
            return self.answers.ready(request, shown, partial(self._listed, standing))
        return self._feed(ALL, "", form, request)

    def feed(self, sort: str, file: str, request: Request) -> Response:
        """A feed of a sort."""
        name, _, form = file.rpartition(".")
        return self._feed(sort, name, form, request) if name else self.answers.unknown()

    def _feed(self, sort: str, name: str, form: str, request: Request) -> Response:
        found = self.public.feed(sort, name) if form in FORMS else None
        if found is None:
            return self.answers.unknown()
        return self.answers.ready(request, found, partial(self._rendered, found, form))

    def _rendered(self, feed: PublicFeed, form: str) -> Kept:
        app, make = self.answers.app, FORMS[form]
        opened = Opened(
            masthead=app.masthead,
            sort=feed.sort,
            name=feed.name,
            title=feed.title,
            papers=self.public.items(feed),
        )
        channel = public_channel(app.environment, opened, Links(self=self._address(feed, form)))
        return kept(
            make.render(app.environment, channel),
            media_type=make.media_type,
            modified=app.clock(),  # papers that come late, or are told of more, are no newer than what is there
            fresh_for=FRESH_FOR,
            shared=True,
        )

    def _listed(self, standing: tuple[PublicFeed, ...]) -> Kept:
        app = self.answers.app
        title = app.masthead.locale.gettext("Everything new")
        listed = [
            opml.Listed(titled(app.masthead, one.title or title), self._address(one, "atom"))
            for one in standing
        ]
        body = opml.opml(app.environment, app.masthead, listed)
        return kept(body, media_type=opml.MEDIA_TYPE, modified=app.clock(), fresh_for=FRESH_FOR, shared=True)

    def _address(self, feed: PublicFeed, form: str) -> str:
        return public_address(self.answers.pages.url, feed.sort, feed.name, form)
