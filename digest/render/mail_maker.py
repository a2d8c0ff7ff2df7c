"""The choice between rendering mails one by one and joining them from cached parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from digest.model import Edition, Mail
from digest.render.delivery.mail import make_mail
from digest.render.locale_bundle import LocaleBundle

if TYPE_CHECKING:
    from digest.render.bulk.mail_cache import MailCache

MIN_PLAIN_MAILS = 12
"""Number of mails of a language that are first rendered one by one: for so few, rendering the parts takes longer."""


class MailMaker:
    """Makes the mails of one delivery pass; it can be used from several threads.

    The caches contain papers of that pass, so they are dropped with it: otherwise a service that runs for
    months would keep the papers of weeks.

    Args:
        get_locale_bundle: returns templates and branding in a language.
    """

    def __init__(self, get_locale_bundle: Callable[[str], LocaleBundle]) -> None:
        self._get_locale_bundle = get_locale_bundle
        self._plain_counts: Counter[str] = Counter()
        self._caches: dict[str, MailCache] = {}

    def make_mail(
        self,
        edition: Edition,
        *,
        delivery: int,
        recipient: str,
        message_id: str,
        unsubscribe: str = "",
        page: str = "",
        manage: str = "",
    ) -> Mail:
        """Make the message of a delivery; the bytes are the same whether it is rendered or joined from cached parts.

        Args:
            edition: the content.
            delivery: the delivery's id.
            recipient: a bare address.
            message_id: with its angle brackets.
            unsubscribe: the web address that unsubscribes, or "".
            page: the web address of the edition's page, or "".
            manage: the web address where the reader manages the digest, or "".

        Raises:
            RenderError: as ``digest.render.delivery.mail.make_mail`` does.
        """
        cache = self._caches.get(edition.language) or self._begin_cache(edition.language)
        if cache is None:
            bundle = self._get_locale_bundle(edition.language)
            return make_mail(
                bundle.environment,
                edition,
                bundle.branding,
                delivery=delivery,
                recipient=recipient,
                message_id=message_id,
                unsubscribe=unsubscribe,
                page=page,
                manage=manage,
            )
        return cache.make_mail(
            edition,
            delivery=delivery,
            recipient=recipient,
            message_id=message_id,
            unsubscribe=unsubscribe,
            page=page,
            manage=manage,
        )

    def _begin_cache(self, language: str) -> MailCache | None:
        """Return the cache for a language, or None while it has few mails."""
        self._plain_counts[language] += 1
        if self._plain_counts[language] <= MIN_PLAIN_MAILS:
            return None
        # Imported here because an installation with few readers never needs it.
        from digest.render.bulk.mail_cache import MailCache

        bundle = self._get_locale_bundle(language)
        return self._caches.setdefault(language, MailCache(bundle.environment, bundle.branding))
