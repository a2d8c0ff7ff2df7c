"""The reader's language: texts, numbers, days and enumerations. English is built in, others come from catalogues.

A text is written in English where it is needed and passed to ``gettext``, which looks up its translation. Its
variable parts have names, ``%(name)s``, as in templates (Jinja's newstyle gettext); so a per cent sign is
``%%``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from gettext import NullTranslations
from zoneinfo import ZoneInfo

from digest.render.languages import english


class Locale:
    """A language; this class formats in English.

    Args:
        translations: the translations of our texts.
        tag: its tag in HTML, feeds and headers (BCP 47).
        name: its name in itself.
        direction: the direction of its script, ``ltr`` or ``rtl``.
    """

    def __init__(
        self, translations: NullTranslations, *, tag: str, name: str, direction: str = "ltr"
    ) -> None:
        self.translations = translations
        self.tag = tag
        self.name = name
        self.direction = direction

    def gettext(self, text: str, /, **values: object) -> str:
        """Translate a text and fill in its parts.

        Args:
            text: the English text.
            values: the values of its named parts.
        """
        return self.translations.gettext(text) % values

    def ngettext(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        """Translate a text that depends on a number, and fill in its parts.

        Args:
            singular: the English text for one.
            plural: the English text for any other number.
            number: the number; ``%(num)s`` in the text becomes this number, formatted.
            values: the values of its other named parts.
        """
        return self.translations.ngettext(singular, plural, number) % {"num": self.number(number), **values}

    def pgettext(self, context: str, text: str, /, **values: object) -> str:
        """Translate a text that has different translations in different contexts, and fill in its parts.

        Args:
            context: the context.
            text: the English text.
            values: the values of its named parts.
        """
        return self.translations.pgettext(context, text) % values

    def number(self, number: int) -> str:
        """Format a number: ``1,200``."""
        return f"{number:,}"

    def long_day(self, day: date) -> str:
        """Format a day: ``Friday 12 June``."""
        return english.format_long_day(day)

    def whole_day(self, day: date) -> str:
        """Format a day: ``Friday 12 June 2026``."""
        return f"{english.format_long_day(day)} {day.year}"

    def short_day(self, day: date) -> str:
        """Format a day: ``12 Jun``."""
        return english.format_short_day(day)

    def month(self, day: date) -> str:
        """Format a month: ``June 2026``."""
        return english.format_month(day)

    def short_month(self, day: date) -> str:
        """Format a month without its year: ``Jun``."""
        return english.format_short_month(day)

    def format_clock(self, instant: datetime, now: datetime, zone: str) -> str:
        """Format an instant: ``04:10 CEST``, with the day unless it is today.

        Args:
            instant: the instant.
            now: the current time, which determines what today is.
            zone: the IANA zone of the reader.
        """
        local_time = instant.astimezone(ZoneInfo(zone))
        time_text = self._format_time(local_time)
        if local_time.date() == now.astimezone(ZoneInfo(zone)).date():
            return time_text
        return self.gettext("%(day)s %(time)s", day=self.short_day(local_time.date()), time=time_text)

    def _format_time(self, local_time: datetime) -> str:
        return f"{local_time:%H:%M} {local_time.tzname()}"

    def join_parts(self, parts: Iterable[str]) -> str:
        """Join parts with commas: ``a, b, c``."""
        # Translators: the separator of an enumeration without "and".
        return self.gettext(", ").join(parts)

    def listed(self, parts: Sequence[str]) -> str:
        """Join the parts of an enumeration: ``a``, ``a and b``, ``a, b and c``."""
        return english.join_with_and(parts)


ENGLISH = Locale(NullTranslations(), tag="en", name="English")
