"""Making the message of an edition for a destination, in the form of its channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from email.utils import parseaddr

from digest import plugins
from digest.config import Destination
from digest.core.delivery.own_pages import OwnPages
from digest.model import Chat, Delivery, Document, Edition, FileSet, Mail, Message, MessageForm
from digest.render.delivery.chat import make_chat
from digest.render.delivery.document import make_document
from digest.render.delivery.files import render_files
from digest.render.delivery.mail import NO_MAIL_LINKS, MailLinks, find_mail_limits, make_mail
from digest.render.locale_bundle import LocaleBundle
from digest.render.mail_maker import MailMaker
from digest.store.subscribers.digests import Digest

_TEST_MARK = "[test]"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageWriter:
    """Makes messages, the same bytes for a delivery every time; it can be used from several threads.

    Attributes:
        get_locale_bundle: returns templates and branding in a language.
        mail_maker: makes mails.
        sender: the From header of mails.
        sign_mail: signs mails that go over the network; mails in a folder need no signature.
        pages: the addresses of our own pages; None if there is no web site.
    """

    get_locale_bundle: Callable[[str], LocaleBundle]
    mail_maker: MailMaker
    sender: str
    sign_mail: Callable[[Mail], Mail]
    pages: OwnPages | None

    def make_message(self, edition: Edition, delivery: Delivery) -> Message:
        """Make the message of an edition for a delivery."""
        match plugins.load_channel(delivery.channel).form:
            case MessageForm.MAIL:
                return self.sign_mail(self._make_mail(edition, delivery, delivery.address))
            case MessageForm.STORED_MAIL:
                # A mail for a folder is addressed to the operator, and its recipient is the folder.
                stored_mail = self._make_mail(edition, delivery, parseaddr(self.sender)[1])
                return replace(stored_mail, recipient=delivery.address)
            case MessageForm.FILES:
                return self._make_files(edition, delivery)
            case MessageForm.CHAT:
                return self._make_chat(edition, delivery)
            case MessageForm.JSON:
                return self._make_document(edition, delivery)

    def make_test_message(self, edition: Edition, destination: Destination, message_id: str) -> Message:
        """Make a message that is marked as a test and does not count as an edition.

        Args:
            edition: the edition that would be sent.
            destination: where the message goes.
            message_id: a new Message-ID, with its angle brackets.
        """
        locale_bundle = self.get_locale_bundle(edition.language)
        match plugins.load_channel(destination.channel).form:
            case MessageForm.MAIL:
                return self.sign_mail(self._make_test_mail(edition, destination.address, message_id))
            case MessageForm.STORED_MAIL:
                test_mail = self._make_test_mail(edition, parseaddr(self.sender)[1], message_id)
                return replace(test_mail, recipient=destination.address)
            case MessageForm.FILES:
                edition = replace(edition, title=f"{_TEST_MARK} {edition.title}")
                test_files = render_files(locale_bundle.environment, edition, locale_bundle.branding)
                return FileSet(delivery=0, folder=destination.address, files=test_files)
            case MessageForm.CHAT:
                return make_chat(
                    edition,
                    locale_bundle.branding,
                    delivery=0,
                    address=destination.address,
                    subject_prefix=_TEST_MARK,
                )
            case MessageForm.JSON:
                return make_document(
                    edition,
                    locale_bundle.branding,
                    delivery=0,
                    address=destination.address,
                    message_id=message_id,
                    is_test=True,
                )

    def count_full_papers(self, edition: Edition, digest: Digest) -> int:
        """Return how many papers of an edition its mails and files show in full: the lowest number of all destinations."""
        locale_bundle = self.get_locale_bundle(edition.language)
        links = []
        for destination_id, channel, _ in digest.destinations:
            if plugins.load_channel(channel).form is MessageForm.FILES:
                links.append(NO_MAIL_LINKS)
            elif plugins.load_channel(channel).form in {MessageForm.MAIL, MessageForm.STORED_MAIL}:
                links.append(self._make_links(edition, destination_id))
        shapes = [
            find_mail_limits(locale_bundle.environment, edition, locale_bundle.branding, mail_links)
            for mail_links in set(links)
        ]
        return min([shape.full for shape in shapes], default=len(edition.items))

    def _make_links(self, edition: Edition, destination: int) -> MailLinks:
        if self.pages is None:
            return NO_MAIL_LINKS
        return MailLinks(
            unsubscribe=self.pages.make_unsubscribe_url(destination),
            page=self._get_page_url(edition),
            manage=self.pages.make_manage_url(destination),
        )

    def _make_test_mail(self, edition: Edition, address: str, message_id: str) -> Mail:
        locale_bundle = self.get_locale_bundle(edition.language)
        return make_mail(
            locale_bundle.environment,
            edition,
            locale_bundle.branding,
            delivery=0,
            recipient=address,
            message_id=message_id,
            subject_prefix=_TEST_MARK,
        )

    def _make_mail(self, edition: Edition, delivery: Delivery, recipient: str) -> Mail:
        """Make a mail to an address, with the pages of the missed editions that it names."""
        pages = self.pages
        if edition.missed and pages:
            missed = (replace(each, page=pages.make_edition_url(each.edition)) for each in edition.missed)
            edition = replace(edition, missed=tuple(missed))
        links = self._make_links(edition, delivery.destination)
        return self.mail_maker.make_mail(
            edition,
            delivery=delivery.id,
            recipient=recipient,
            message_id=delivery.message_id,
            unsubscribe=links.unsubscribe,
            page=links.page,
            manage=links.manage,
        )

    def _make_files(self, edition: Edition, delivery: Delivery) -> FileSet:
        locale_bundle = self.get_locale_bundle(edition.language)
        edition_files = render_files(locale_bundle.environment, edition, locale_bundle.branding)
        return FileSet(delivery=delivery.id, folder=delivery.address, files=edition_files)

    def _make_chat(self, edition: Edition, delivery: Delivery) -> Chat:
        return make_chat(
            edition,
            self.get_locale_bundle(edition.language).branding,
            delivery=delivery.id,
            address=delivery.address,
            page=self._get_page_url(edition),
        )

    def _make_document(self, edition: Edition, delivery: Delivery) -> Document:
        return make_document(
            edition,
            self.get_locale_bundle(edition.language).branding,
            delivery=delivery.id,
            address=delivery.address,
            message_id=delivery.message_id,
            page=self._get_page_url(edition),
        )

    def _get_page_url(self, edition: Edition) -> str:
        return self.pages.make_edition_url(edition.id) if self.pages else ""
