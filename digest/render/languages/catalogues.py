"""Languages other than English: texts out of catalogues, days, times and enumerations as Babel knows them (CLDR).

A catalogue is a file of GNU gettext as translators write it, ``de.po``, and is read as it is: nothing is compiled, so
to add a language is to add a file. Entries that are marked as fuzzy are not used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

import babel
from babel.dates import format_date, format_skeleton, get_timezone_name
from babel.lists import format_list
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from babel.numbers import format_decimal

from digest.errors import RenderError
from digest.render.languages.locales import ENGLISH, Locale
from digest.render.own_templates import Broken

SHIPPED = Path(__file__).parents[2] / "locales"
"""Where our catalogues are."""
_PART = re.compile(r"%%|%\((\w+)\)s|(%)")
"""A sign of per cent, a named part, or what is neither and cannot be filled in."""
_BEGIN, _END = "\x02", "\x03"
_TOUCHING = re.compile(f"(?<=[!-~]){_END}(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]){_BEGIN}(?=[A-Za-z])")
"""Where a Latin word would touch the Chinese "and"."""
_LINE = re.compile(r'(#.*|((msgctxt|msgid|msgid_plural|msgstr(\[\d+\])?)\s+)?"([^"\\]|\\.)*")?')
"""Of a catalogue (GNU gettext manual, chapter 3)."""
_OFFSET = re.compile(r"[+-]\d{4}")


class Translated(Locale):
    """A language whose days, numbers and enumerations CLDR knows.

    Args:
        translations: of our texts.
        known: the language, for Babel.
    """

    def __init__(self, translations: NullTranslations, known: babel.Locale) -> None:
        tag, name = str(known).replace("_", "-"), known.get_language_name() or str(known)
        super().__init__(translations, tag=tag, name=name, direction=known.text_direction)
        self._known = known
        self._long = _without_year(known)
        self._short = str(known.datetime_skeletons["MMMd"])
        # A run tells a million readers of the same few days.
        self._day = lru_cache(maxsize=512)(lambda day, pattern: format_date(day, pattern, locale=known))
        self._number = lru_cache(maxsize=2048)(lambda number: format_decimal(number, locale=known))

    def number(self, number: int) -> str:
        """As the language groups digits."""
        return self._number(number)

    def long_day(self, day: date) -> str:
        """With the weekday."""
        return self._day(day, self._long)

    def whole_day(self, day: date) -> str:
        """With weekday and year."""
        return self._day(day, "full")

    def short_day(self, day: date) -> str:
        """Day and month."""
        return self._day(day, self._short)

    def month(self, day: date) -> str:
        """Month and year, as they stand alone."""
        return format_skeleton("yMMMM", day, locale=self._known)

    def _time(self, local: datetime) -> str:
        zone = get_timezone_name(local, width="short", locale=self._known)
        return f"{local:%H:%M} {local.tzname() if _OFFSET.fullmatch(zone) else zone}"

    def listed(self, parts: Sequence[str]) -> str:
        """With the language's "and"."""
        marked = format_list([f"{_BEGIN}{part}{_END}" for part in parts], locale=self._known)
        return _TOUCHING.sub(" ", marked).replace(_BEGIN, "").replace(_END, "")


def _without_year(known: babel.Locale) -> str:
    """The pattern of a day with weekday and month in full: CLDR has it with both cut short."""
    short = str(known.datetime_skeletons["MMMEd"])
    return re.sub("E+", "EEEE", re.sub("MMM+", "MMMM", re.sub("LLL+", "LLLL", short)))


def translated(language: str, own: Path | None, broken: Broken | None) -> Locale:
    """A language by the name of its catalogue; English if there is none.

    Args:
        language: ``de`` for ``de.po``.
        own: the folder of the user's templates; what the catalogue ``locales/de.po`` in it has goes before ours.
        broken: is told of one of a user's that is broken, which is left out then; None: that is an error.

    Raises:
        RenderError: the user's is broken.
    """
    name = f"{language}.po"
    shipped = _read(SHIPPED / name)
    users = _users(own / "locales" / name, broken) if own else None
    found = shipped if users is None else users
    if found is None:
        return ENGLISH
    translations = _translations(found)
    if found is users and shipped is not None:
        translations.add_fallback(_translations(shipped))
    try:
        return Translated(translations, babel.Locale.parse(found.locale_identifier or language, sep="_"))
    except (babel.UnknownLocaleError, ValueError):
        return Locale(translations, tag=language.replace("_", "-"), name=language)


def _users(path: Path, broken: Broken | None) -> Catalog | None:
    try:
        return _read(path)
    except RenderError as error:
        if broken is None:
            raise
        broken(f"locales/{path.name}", str(error))
        return None


def _read(path: Path) -> Catalog | None:
    """A catalogue; None if there is no such file.

    Raises:
        RenderError: it is broken.
    """
    if not path.is_file():
        return None
    try:
        content = path.read_bytes()
        for number, line in enumerate(content.decode("utf-8-sig").split("\n"), start=1):
            if not _LINE.fullmatch(line.strip()):  # Babel takes what it can of one that is cut off
                raise RenderError(f"the catalogue {path}, line {number} cannot be read: {line.strip()!r}")
        found = read_po(BytesIO(content), abort_invalid=True)
    except PoFileError as error:
        why = str(error).removesuffix(f" on {error.lineno}").lower()
        raise RenderError(f"the catalogue {path}, line {error.lineno + 1} cannot be read: {why}") from error
    except (OSError, ValueError, LookupError) as error:
        raise RenderError(f"the catalogue {path} cannot be read: {error}") from error
    for message in found:
        if message.id and not message.fuzzy and (wrong := mistake(message)):
            raise RenderError(f"the catalogue {path}, line {message.lineno}: {wrong}")
    return found


def mistake(message: Message) -> str:
    """What keeps a translation from being filled in: parts that our text does not have; "" if nothing does."""
    ours = {part for text in _texts(message.id) for part in _parts(text)}
    theirs = {part for text in _texts(message.string) for part in _parts(text)}
    if "" in theirs:
        return "a sign of per cent is written %%"
    if more := sorted(theirs - ours):
        return f"the text in English has no part %({more[0]})s"
    return ""


def _parts(text: str) -> set[str]:
    """The named parts of a text; "" stands for what cannot be filled in."""
    return {found[1] or "" for found in _PART.finditer(text) if found[0] != "%%"}


def _texts(said: str | Sequence[str] | None) -> Sequence[str]:
    return (said,) if isinstance(said, str) else said or ()


def _translations(catalogue: Catalog) -> GNUTranslations:
    file = BytesIO()
    write_mo(file, catalogue)
    file.seek(0)
    return GNUTranslations(file)
