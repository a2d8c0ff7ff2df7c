"""Mails one by one, and from parts that are rendered once as soon as there are many of a language."""

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
"""So many mails of a language are rendered one by one first: for so few it is faster than to render the parts."""


class MailMaker:
    """Makes the mails of one pass of delivering. It may be used from several threads.

    What is kept is about the papers of that pass, so it goes with the pass: a service that runs for months would keep
    the papers of weeks otherwise.

    Args:
        get_locale_bundle: what editions of a language are made with.
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
        """The whole message of a delivery, the same bytes whichever way it is made.

        Args:
            edition: what it tells.
            delivery: the delivery's id.
            recipient: a bare address.
            message_id: with its angle brackets.
            unsubscribe: the web address that stops it, or "".
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
        """What makes the mails of a language from now on; None while they are few."""
        self._plain_counts[language] += 1
        if self._plain_counts[language] <= MIN_PLAIN_MAILS:
            return None
        from digest.render.bulk.mail_cache import MailCache  # one reader does without it

        bundle = self._get_locale_bundle(language)
        return self._caches.setdefault(language, MailCache(bundle.environment, bundle.branding))
