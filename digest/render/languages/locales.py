"""The reader's language: texts, numbers, days and enumerations. English is here; the others are catalogues.

A text is written in English where it is needed and given to ``gettext``, so that it can be looked up. The parts that
change stand in it by name, ``%(name)s``, as in templates (Jinja's newstyle gettext): so a sign of per cent is ``%%``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from gettext import NullTranslations
from zoneinfo import ZoneInfo

from digest.render.languages import english


class Locale:
    """A language; this one is English.

    Args:
        translations: of our texts.
        tag: what HTML, feeds and headers call it (BCP 47).
        name: what it calls itself.
        direction: of its letters, ``ltr`` or ``rtl``.
    """

    def __init__(
        self, translations: NullTranslations, *, tag: str, name: str, direction: str = "ltr"
    ) -> None:
        self.translations = translations
        self.tag = tag
        self.name = name
        self.direction = direction

    def gettext(self, text: str, /, **values: object) -> str:
        """A text in this language.

        Args:
            text: in English.
            values: what its named parts are.
        """
        return self.translations.gettext(text) % values

    def ngettext(self, singular: str, plural: str, number: int, /, **values: object) -> str:
        """A text with a number in this language.

        Args:
            singular: in English, for one.
            plural: in English, for any other number.
            number: how many; ``%(num)s`` in the text is this number as people write it.
            values: what its other named parts are.
        """
        return self.translations.ngettext(singular, plural, number) % {"num": self.number(number), **values}

    def pgettext(self, context: str, text: str, /, **values: object) -> str:
        """A text that other languages have several words for.

        Args:
            context: which one is meant.
            text: in English.
            values: what its named parts are.
        """
        return self.translations.pgettext(context, text) % values

    def number(self, number: int) -> str:
        """``1,200``."""
        return f"{number:,}"

    def long_day(self, day: date) -> str:
        """``Friday 12 June``."""
        return english.format_long_day(day)

    def whole_day(self, day: date) -> str:
        """``Friday 12 June 2026``."""
        return f"{english.format_long_day(day)} {day.year}"

    def short_day(self, day: date) -> str:
        """``12 Jun``."""
        return english.format_short_day(day)

    def month(self, day: date) -> str:
        """``June 2026``."""
        return english.format_month(day)

    def format_clock(self, instant: datetime, now: datetime, zone: str) -> str:
        """``04:10 CEST``, with the day where that is not today's.

        Args:
            instant: the instant.
            now: the instant that says which day is today.
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
        """``a, b, c``."""
        # Translators: stands between the parts of an enumeration without "and".
        return self.gettext(", ").join(parts)

    def listed(self, parts: Sequence[str]) -> str:
        """``a``, ``a and b``, ``a, b and c``."""
        return english.join_with_and(parts)


ENGLISH = Locale(NullTranslations(), tag="en", name="English")
