"""Languages other than English: texts from catalogues; days, times and enumerations from Babel's data (CLDR).

A catalogue is a GNU gettext file as translators write it, such as ``de.po``. It is read directly, without a
compiled form, so a language is added by adding one file. Fuzzy entries are not used.
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
from digest.render.own_templates import TemplateErrorHandler

SHIPPED_FOLDER = Path(__file__).parents[2] / "locales"
"""The folder of our catalogues."""
_TEXT_PART = re.compile(r"%%|%\((\w+)\)s|(%)")
"""An escaped per cent sign, a named part, or a per cent sign that is neither and would be an error."""
_BEGIN, _END = "\x02", "\x03"
_MISSING_SPACE = re.compile(f"(?<=[!-~]){_END}(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]){_BEGIN}(?=[A-Za-z])")
"""Positions at which a Latin word touches the Chinese "and" and a space is missing."""
_CATALOGUE_LINE = re.compile(r'(#.*|((msgctxt|msgid|msgid_plural|msgstr(\[\d+\])?)\s+)?"([^"\\]|\\.)*")?')
"""A valid line of a catalogue (GNU gettext manual, chapter 3)."""
_OFFSET = re.compile(r"[+-]\d{4}")


class TranslatedLocale(Locale):
    """A language whose days, numbers and enumerations come from CLDR.

    Args:
        translations: the translations of our texts.
        babel_locale: the language in Babel.
    """

    def __init__(self, translations: NullTranslations, babel_locale: babel.Locale) -> None:
        tag, name = str(babel_locale).replace("_", "-"), babel_locale.get_language_name() or str(babel_locale)
        super().__init__(translations, tag=tag, name=name, direction=babel_locale.text_direction)
        self._babel_locale = babel_locale
        self._long_pattern = _make_long_pattern(babel_locale)
        self._short_pattern = str(babel_locale.datetime_skeletons["MMMd"])
        # The editions of a run have the same few days, for up to a million readers.
        self._format_date = lru_cache(maxsize=512)(
            lambda day, pattern: format_date(day, pattern, locale=babel_locale)
        )
        self._format_number = lru_cache(maxsize=2048)(
            lambda number: format_decimal(number, locale=babel_locale)
        )

    def number(self, number: int) -> str:
        """Format a number with the language's grouping of digits."""
        return self._format_number(number)

    def long_day(self, day: date) -> str:
        """Format a day with its weekday."""
        return self._format_date(day, self._long_pattern)

    def whole_day(self, day: date) -> str:
        """Format a day with its weekday and year."""
        return self._format_date(day, "full")

    def short_day(self, day: date) -> str:
        """Format the day and month of a date."""
        return self._format_date(day, self._short_pattern)

    def month(self, day: date) -> str:
        """Format the month and year of a date, in the form used outside of sentences."""
        return format_skeleton("yMMMM", day, locale=self._babel_locale)

    def short_month(self, day: date) -> str:
        """Format the month of a date without its year, in the form used outside of dates."""
        return self._format_date(day, "LLL")

    def _format_time(self, local_time: datetime) -> str:
        zone = get_timezone_name(local_time, width="short", locale=self._babel_locale)
        return f"{local_time:%H:%M} {local_time.tzname() if _OFFSET.fullmatch(zone) else zone}"

    def listed(self, parts: Sequence[str]) -> str:
        """Join the parts of an enumeration with the language's "and"."""
        formatted = format_list([f"{_BEGIN}{part}{_END}" for part in parts], locale=self._babel_locale)
        return _MISSING_SPACE.sub(" ", formatted).replace(_BEGIN, "").replace(_END, "")


def _make_long_pattern(babel_locale: babel.Locale) -> str:
    """Return the pattern of a day with full names of weekday and month; CLDR has it with abbreviated names only."""
    pattern = str(babel_locale.datetime_skeletons["MMMEd"])
    return re.sub("E+", "EEEE", re.sub("MMM+", "MMMM", re.sub("LLL+", "LLLL", pattern)))


def load_locale(
    language: str, templates_folder: Path | None, on_error: TemplateErrorHandler | None
) -> Locale:
    """Load a language by the name of its catalogue; return English if there is none.

    Args:
        language: ``de`` for ``de.po``.
        templates_folder: the folder of the user's templates; the entries of its catalogue ``locales/de.po``
            override ours.
        on_error: called if a catalogue of the user is broken, which is then ignored; None: raise an error.

    Raises:
        RenderError: the user's catalogue is broken.
    """
    name = f"{language}.po"
    shipped_catalogue = _load_catalogue(SHIPPED_FOLDER / name)
    user_catalogue = (
        _load_user_catalogue(templates_folder / "locales" / name, on_error) if templates_folder else None
    )
    catalogue = shipped_catalogue if user_catalogue is None else user_catalogue
    if catalogue is None:
        return ENGLISH
    translations = _compile_translations(catalogue)
    if catalogue is user_catalogue and shipped_catalogue is not None:
        translations.add_fallback(_compile_translations(shipped_catalogue))
    try:
        return TranslatedLocale(
            translations, babel.Locale.parse(catalogue.locale_identifier or language, sep="_")
        )
    except (babel.UnknownLocaleError, ValueError):
        return Locale(translations, tag=language.replace("_", "-"), name=language)


def _load_user_catalogue(path: Path, on_error: TemplateErrorHandler | None) -> Catalog | None:
    try:
        return _load_catalogue(path)
    except RenderError as error:
        if on_error is None:
            raise
        on_error(f"locales/{path.name}", str(error))
        return None


def _load_catalogue(path: Path) -> Catalog | None:
    """Load a catalogue; return None if the file does not exist.

    Raises:
        RenderError: it is broken.
    """
    if not path.is_file():
        return None
    try:
        content = path.read_bytes()
        for line_number, line in enumerate(content.decode("utf-8-sig").split("\n"), start=1):
            if not _CATALOGUE_LINE.fullmatch(line.strip()):  # Babel accepts truncated catalogues
                raise RenderError(
                    f"the catalogue {path}, line {line_number} cannot be read: {line.strip()!r}"
                )
        catalogue = read_po(BytesIO(content), abort_invalid=True)
    except PoFileError as error:
        reason = str(error).removesuffix(f" on {error.lineno}").lower()
        raise RenderError(
            f"the catalogue {path}, line {error.lineno + 1} cannot be read: {reason}"
        ) from error
    except (OSError, ValueError, LookupError) as error:
        raise RenderError(f"the catalogue {path} cannot be read: {error}") from error
    for message in catalogue:
        if message.id and not message.fuzzy and (problem := find_mistake(message)):
            raise RenderError(f"the catalogue {path}, line {message.lineno}: {problem}")
    return catalogue


def find_mistake(message: Message) -> str:
    """Describe why a translation cannot be filled in, such as a part that our text lacks; "" if it can."""
    source_parts = {part for text in _list_texts(message.id) for part in _find_parts(text)}
    translated_parts = {part for text in _list_texts(message.string) for part in _find_parts(text)}
    if "" in translated_parts:
        return "write a percent sign as %%"
    if unknown_parts := sorted(translated_parts - source_parts):
        return f"the English text has no placeholder %({unknown_parts[0]})s"
    return ""


def _find_parts(text: str) -> set[str]:
    """Return the names of the parts of a text; "" stands for an invalid part."""
    return {match[1] or "" for match in _TEXT_PART.finditer(text) if match[0] != "%%"}


def _list_texts(texts: str | Sequence[str] | None) -> Sequence[str]:
    return (texts,) if isinstance(texts, str) else texts or ()


def _compile_translations(catalogue: Catalog) -> GNUTranslations:
    file = BytesIO()
    write_mo(file, catalogue)
    file.seek(0)
    return GNUTranslations(file)
