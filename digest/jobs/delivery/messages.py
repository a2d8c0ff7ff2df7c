"""Making the message of an edition for a destination, in the form of its channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from email.utils import parseaddr

from digest import plugins
from digest.config import Destination
from digest.core.delivery.own_pages import OwnPages
from digest.model import (
    Chat,
    Delivery,
    Document,
    Edition,
    EditionForm,
    FileSet,
    Mail,
    Message,
    MessageForm,
)
from digest.render.delivery.chat import make_chat
from digest.render.delivery.document import make_document
from digest.render.delivery.epub import make_epub_name, render_epub
from digest.render.delivery.epub_mail import make_epub_mail
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
        if delivery.form == EditionForm.EPUB:
            return self._make_epub_message(
                self._add_missed_pages(edition),
                delivery.channel,
                delivery.address,
                delivery=delivery.id,
                message_id=delivery.message_id,
                mail_links=self._make_links(edition, delivery.destination),
            )
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
        marked_edition = replace(edition, title=f"{_TEST_MARK} {edition.title}")
        if destination.form is EditionForm.EPUB:
            return self._make_epub_message(
                marked_edition,
                destination.channel,
                destination.address,
                delivery=0,
                message_id=message_id,
                mail_links=NO_MAIL_LINKS,
            )
        match plugins.load_channel(destination.channel).form:
            case MessageForm.MAIL:
                return self.sign_mail(self._make_test_mail(edition, destination.address, message_id))
            case MessageForm.STORED_MAIL:
                test_mail = self._make_test_mail(edition, parseaddr(self.sender)[1], message_id)
                return replace(test_mail, recipient=destination.address)
            case MessageForm.FILES:
                test_files = render_files(locale_bundle.environment, marked_edition, locale_bundle.branding)
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
        for destination in digest.destinations:
            if destination.form == EditionForm.EPUB:
                continue  # it shows all papers in full
            form = plugins.load_channel(destination.channel).form
            if form is MessageForm.FILES:
                links.append(NO_MAIL_LINKS)
            elif form in {MessageForm.MAIL, MessageForm.STORED_MAIL}:
                links.append(self._make_links(edition, destination.id))
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
        links = self._make_links(edition, delivery.destination)
        return self.mail_maker.make_mail(
            self._add_missed_pages(edition),
            delivery=delivery.id,
            recipient=recipient,
            message_id=delivery.message_id,
            unsubscribe=links.unsubscribe,
            page=links.page,
            manage=links.manage,
        )

    def _add_missed_pages(self, edition: Edition) -> Edition:
        """Add the addresses of the pages of missed editions."""
        pages = self.pages
        if not edition.missed or pages is None:
            return edition
        missed = (replace(each, page=pages.make_edition_url(each.edition)) for each in edition.missed)
        return replace(edition, missed=tuple(missed))

    def _make_epub_message(
        self,
        edition: Edition,
        channel: str,
        address: str,
        *,
        delivery: int,
        message_id: str,
        mail_links: MailLinks,
    ) -> Message:
        """Make the message that brings an edition as an EPUB, by mail or into a folder.

        A file has no links to the reader's own pages, because its folder may be published.
        """
        locale_bundle = self.get_locale_bundle(edition.language)
        environment, branding = locale_bundle.environment, locale_bundle.branding
        form = plugins.load_channel(channel).form
        if form is MessageForm.FILES:
            files = ((make_epub_name(edition), render_epub(environment, edition, branding)),)
            return FileSet(delivery=delivery, folder=address, files=files)
        is_stored = form is MessageForm.STORED_MAIL
        mail = make_epub_mail(
            environment,
            edition,
            branding,
            delivery=delivery,
            recipient=parseaddr(self.sender)[1] if is_stored else address,
            message_id=message_id,
            mail_links=mail_links,
        )
        return replace(mail, recipient=address) if is_stored else self.sign_mail(mail)

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
