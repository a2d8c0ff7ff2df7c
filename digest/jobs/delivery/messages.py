"""The message of an edition for a destination, in the form that its channel wants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from email.utils import parseaddr
from functools import cache

from digest import plugins
from digest.config import Destination
from digest.core.delivery.own_pages import OwnPages
from digest.model import Chat, Document, Edition, FileSet, Form, Mail, Message
from digest.render.delivery.chat import chat
from digest.render.delivery.document import document
from digest.render.delivery.files import files
from digest.render.delivery.mail import NOWHERE, Doors, mail, shape_of
from digest.render.locale_bundle import Tongue
from digest.store.delivery.outbox import Delivery
from digest.store.subscribers.digests import Digest

_TEST = "[test]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Writes messages; the same one for a delivery every time. It may be used from several threads.

    Attributes:
        tongue: what editions of a language are made with.
        sender: the From header of mails.
        sign: signs those that go over the net; in a folder nobody asks who sent them.
        pages: the addresses of our own pages; None where we do not answer on the web.
    """

    tongue: Callable[[str], Tongue]
    sender: str
    sign: Callable[[Mail], Mail]
    pages: OwnPages | None

    def message(self, edition: Edition, delivery: Delivery) -> Message:
        """The message of an edition for a destination."""
        match form_of(delivery.channel):
            case Form.MAIL:
                return self._mail(edition, delivery)
            case Form.STORED_MAIL:
                return self._stored_mail(edition, delivery)
            case Form.FILES:
                return self._files(edition, delivery)
            case Form.CHAT:
                return self._chat(edition, delivery)
            case Form.JSON:
                return self._document(edition, delivery)

    def test(self, edition: Edition, to: Destination, message_id: str) -> Message:
        """A message that is marked as a test, and counts as no edition.

        Args:
            edition: what would go out.
            to: where.
            message_id: with its angle brackets; no other's.
        """
        marked = replace(edition, title=f"{_TEST} {edition.title}")
        tongue = self.tongue(edition.language)
        match form_of(to.channel):
            case Form.MAIL:
                return self.sign(self._marked(edition, to.address, message_id))
            case Form.STORED_MAIL:
                made = self._marked(edition, parseaddr(self.sender)[1], message_id)
                return replace(made, recipient=to.address)
            case Form.FILES:
                made_files = files(tongue.environment, marked, tongue.masthead)
                return FileSet(delivery=0, folder=to.address, files=made_files)
            case Form.CHAT:
                return chat(edition, tongue.masthead, delivery=0, address=to.address, mark=_TEST)
            case Form.JSON:
                return document(
                    edition, tongue.masthead, delivery=0, address=to.address, message_id=message_id, test=True
                )

    def number_in_full(self, edition: Edition, digest: Digest) -> int:
        """How many papers of an edition the mails, or the files, of its digest show in full: the fewest of any."""
        tongue = self.tongue(edition.language)
        doors = []
        for number, channel, _ in digest.destinations:
            if form_of(channel) is Form.FILES:
                doors.append(NOWHERE)
            elif form_of(channel) in {Form.MAIL, Form.STORED_MAIL}:
                doors.append(self._doors(edition, number))
        shapes = [shape_of(tongue.environment, edition, tongue.masthead, one) for one in set(doors)]
        return min([shape.full for shape in shapes], default=len(edition.items))

    def _doors(self, edition: Edition, destination: int) -> Doors:
        if self.pages is None:
            return NOWHERE
        return Doors(
            unsubscribe=self.pages.unsubscribe(destination),
            page=self._page(edition),
            manage=self.pages.manage(destination),
        )

    def _marked(self, edition: Edition, address: str, message_id: str) -> Mail:
        tongue = self.tongue(edition.language)
        return mail(
            tongue.environment,
            edition,
            tongue.masthead,
            delivery=0,
            recipient=address,
            message_id=message_id,
            mark=_TEST,
        )

    def _mail(self, edition: Edition, delivery: Delivery) -> Mail:
        return self.sign(self._mail_to(delivery.address, edition, delivery))

    def _stored_mail(self, edition: Edition, delivery: Delivery) -> Mail:
        """A folder has no address: the mail in it is to the operator, and goes to the folder."""
        made = self._mail_to(parseaddr(self.sender)[1], edition, delivery)
        return replace(made, recipient=delivery.address)

    def _mail_to(self, address: str, edition: Edition, delivery: Delivery) -> Mail:
        return self.tongue(edition.language).press.mail(
            self._with_pages(edition),
            delivery=delivery.id,
            recipient=address,
            message_id=delivery.message_id,
            unsubscribe=self.pages.unsubscribe(delivery.destination) if self.pages else "",
            page=self._page(edition),
            manage=self.pages.manage(delivery.destination) if self.pages else "",
        )

    def _files(self, edition: Edition, delivery: Delivery) -> FileSet:
        tongue = self.tongue(edition.language)
        made = files(tongue.environment, edition, tongue.masthead)
        return FileSet(delivery=delivery.id, folder=delivery.address, files=made)

    def _chat(self, edition: Edition, delivery: Delivery) -> Chat:
        return chat(
            edition,
            self.tongue(edition.language).masthead,
            delivery=delivery.id,
            address=delivery.address,
            page=self._page(edition),
        )

    def _document(self, edition: Edition, delivery: Delivery) -> Document:
        return document(
            edition,
            self.tongue(edition.language).masthead,
            delivery=delivery.id,
            address=delivery.address,
            message_id=delivery.message_id,
            page=self._page(edition),
        )

    def _with_pages(self, edition: Edition) -> Edition:
        """With the pages of the editions that it names, which did not arrive."""
        if not (edition.missed and self.pages):
            return edition
        missed = tuple(replace(one, page=self.pages.edition(one.edition)) for one in edition.missed)
        return replace(edition, missed=missed)

    def _page(self, edition: Edition) -> str:
        return self.pages.edition(edition.id) if self.pages else ""


@cache
def form_of(channel: str) -> Form:
    """The form of message that a channel wants."""
    form: Form = plugins.load("channels", channel).form
    return form
