"""What is answered where feeds are: their newest entries, their archives, and lists of them."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.delivery.own_pages import OwnPages
from digest.jobs.publishing.publish import MOST_EDITIONS
from digest.model import Edition
from digest.render.publishing import opml
from digest.render.publishing.digest_feed import ARCHIVED, Archives, Feed, digest_channel, fitting
from digest.render.publishing.feeds import FORMS, Links, titled
from digest.store.database.engine import Transaction
from digest.store.editions import editions
from digest.store.publishing import web_queries
from digest.store.publishing.web_queries import ShownDigest
from digest.web import notices
from digest.web.answers import FRESH_FOR, Answers
from digest.web.protocol.response_cache import Kept, kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeds:
    """The routes' functions for feeds.

    Attributes:
        answers: those for all else.
    """

    answers: Answers

    @property
    def _pages(self) -> OwnPages:
        return self.answers.pages

    def feed(self, token: str, file: str, request: Request) -> Response:
        """The newest entries of a digest's feed."""
        return self.archive(token, 0, file, request)

    def archive(self, token: str, number: int, file: str, request: Request) -> Response:
        """An archive of a digest's feed; 0 is what is in none yet."""
        name, _, form = file.rpartition(".")
        address = self._pages.feed_of(token)
        if address is None or (form not in FORMS and (number or form != opml.ENDING)):
            return self.answers.unknown()
        with self.answers.app.store.reading() as tx:
            digest = web_queries.shown_digest(tx, address.digest)
            if digest is None or digest.name != name:
                return self.answers.unknown()
            if digest.ended or not digest.feed or digest.feed_version != address.version:
                return self.answers.notice(notices.feed_ended, language=digest.language, status=410)
            if number and not _archives(tx, digest).has(number):
                return self.answers.unknown()
        return self.answers.ready(request, digest, lambda: self._rendered(digest, form, number))

    def _rendered(self, digest: ShownDigest, form: str, number: int) -> Kept:
        if form == opml.ENDING:
            return self._listed(digest)
        with self.answers.app.store.reading() as tx:
            archives = _archives(tx, digest)
            told = _archived(tx, digest, archives, number) if number else _newest(tx, digest, archives)
        tongue = self.answers.app.tongue(digest.language)
        feed = Feed(
            masthead=tongue.masthead,
            digest=digest.name,
            title=digest.title,
            editions=told,
            by_edition=digest.feed_entries == "editions",
            pages={one.id: self._pages.edition(one.id) for one in told},
        )
        older = number - 1 if number else archives.behind(len(told))
        if not archives.has(older):
            older = 0
        links = Links(
            self=self._address(digest, form, number),
            current=self._address(digest, form) if number else "",
            older=self._address(digest, form, older) if older else "",
            newer=self._address(digest, form, number + 1) if 0 < number < archives.number else "",
        )
        channel = digest_channel(tongue.environment, feed, links)
        make = FORMS[form]
        return kept(
            make.render(tongue.environment, channel),
            media_type=make.media_type,
            modified=channel.updated,
            fresh_for=FRESH_FOR,
        )

    def _listed(self, digest: ShownDigest) -> Kept:
        tongue = self.answers.app.tongue(digest.language)
        listed = [opml.Listed(titled(tongue.masthead, digest.title), self._address(digest, "atom"))]
        body = opml.opml(tongue.environment, tongue.masthead, listed)
        return kept(body, media_type=opml.MEDIA_TYPE, modified=None, fresh_for=FRESH_FOR)

    def _address(self, digest: ShownDigest, form: str, archive: int = 0) -> str:
        return self._pages.feed(digest.id, digest.name, form, digest.feed_version, archive=archive)


def _archives(tx: Transaction, digest: ShownDigest) -> Archives:
    return Archives(web_queries.editions_made(tx, digest.id), web_queries.editions_pruned(tx, digest.id))


def _newest(tx: Transaction, digest: ShownDigest, archives: Archives) -> tuple[Edition, ...]:
    last = editions.last_of(tx, digest.id, MOST_EDITIONS)
    by_edition = digest.feed_entries == "editions"
    return tuple(fitting(last, by_edition=by_edition, unarchived=archives.unarchived))


def _archived(tx: Transaction, digest: ShownDigest, archives: Archives, number: int) -> tuple[Edition, ...]:
    numbers = web_queries.editions_from(tx, digest.id, archives.before(number), ARCHIVED)
    found = editions.load(tx, numbers)
    return tuple(found[one] for one in numbers)
