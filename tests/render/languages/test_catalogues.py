from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po, write_po

from digest.errors import RenderError
from digest.render.languages.by_name import get_locale
from digest.render.languages.catalogues import SHIPPED_FOLDER, find_mistake
from digest.render.languages.locales import ENGLISH
from tests.render.samples import FRIDAY, NOW
from tests.support.cases import for_each_case

ROOT = Path(__file__).parents[3]
LANGUAGES = sorted(file.stem for file in SHIPPED_FOLDER.glob("*.po"))
PART = re.compile(r"%\(\w+\)s")


@cache
def shipped(language: str) -> Catalog:
    return read_po(BytesIO((SHIPPED_FOLDER / f"{language}.po").read_bytes()), abort_invalid=True)


@pytest.fixture(scope="module")
def template_catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """All texts that the sources look up, by the settings that translators use."""
    path = tmp_path_factory.mktemp("texts") / "digest.pot"
    settings = str(ROOT / "pyproject.toml")
    command = ["pybabel", "--quiet", "extract", "-F", settings, "-c", "Translators:", "-o", str(path), "."]
    with pytest.MonkeyPatch.context() as place:
        place.chdir(ROOT)
        CommandLineInterface().run(command)  # type: ignore[no-untyped-call]
    return read_po(BytesIO(path.read_bytes()))


def texts(message: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [message] if isinstance(message, str) else list(message or ())


def messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def named(message: Message) -> object:
    return message.context, texts(message.id)


def test_german_and_chinese_ship() -> None:
    assert {"de", "zh"} <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_each_text_that_is_asked_for_and_no_other(
    language: str, template_catalog: Catalog
) -> None:
    theirs = [named(message) for message in messages(shipped(language))]

    assert [one for one in map(named, messages(template_catalog)) if one not in theirs] == [], (
        "run pybabel update"
    )
    assert [their for their in theirs if their not in list(map(named, messages(template_catalog)))] == []
    assert not shipped(language).obsolete


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_complete_and_sure(language: str) -> None:
    catalogue = shipped(language)

    for message in messages(catalogue):
        assert not message.fuzzy, message.id
        assert all(texts(message.string)), message.id
        if message.pluralizable:
            assert len(texts(message.string)) == catalogue.num_plurals, message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_parts_of_its_text(language: str) -> None:
    for message in messages(shipped(language)):
        ours = [set(PART.findall(text)) for text in texts(message.id)]
        for text in texts(message.string):
            assert find_mistake(message) == ""
            assert set(PART.findall(text)) in ours or message.pluralizable, message.id
            assert set(PART.findall(text)) <= set().union(*ours), message.id
        assert set(PART.findall(texts(message.string)[-1])) == ours[-1], message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_is_as_good_in_html_and_in_text(language: str) -> None:
    """Templates take it for HTML, so nothing in it may mean something there."""
    for message in messages(shipped(language)):
        for text in texts(message.string):
            assert not set("<>&") & set(PART.sub("", text)), text
            assert text == text.strip() or message.id[0] == " " or message.id == ", ", text
            assert "\n" not in text


def test_each_text_of_ours_is_as_good_in_html_and_in_text(template_catalog: Catalog) -> None:
    for message in messages(template_catalog):
        assert not any(set("<>&") & set(PART.sub("", text)) for text in texts(message.id)), message.id


# --- days and numbers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "long", "full_text", "short", "months"),
    [
        ("en", "Friday 12 June", "Friday 12 June 2026", "12 Jun", ("June 2026", "Jun")),
        ("de", "Freitag, 12. Juni", "Freitag, 12. Juni 2026", "12. Juni", ("Juni 2026", "Jun")),
        ("zh", "6月12日星期五", "2026年6月12日星期五", "6月12日", ("2026年6月", "6月")),
    ],
)
def test_days_are_said_as_the_language_says_them(
    language: str, long: str, full_text: str, short: str, months: tuple[str, str]
) -> None:
    locale = get_locale(language)

    assert (locale.long_day(FRIDAY), locale.whole_day(FRIDAY)) == (long, full_text)
    assert locale.short_day(FRIDAY) == short
    assert (locale.month(FRIDAY), locale.short_month(FRIDAY)) == months


@pytest.mark.parametrize(
    ("language", "zone", "message"),
    [
        ("en", "Europe/Berlin", "07:30 CEST"),
        ("de", "Europe/Berlin", "07:30 MESZ"),
        ("zh", "Asia/Shanghai", "13:30 CST"),
    ],
)
def test_times_are_those_of_the_readers_zone(language: str, zone: str, message: str) -> None:
    assert get_locale(language).format_clock(NOW, NOW, zone) == message


@for_each_case(
    ("language", "number", "message"),
    [
        ("en", 1, "1 new version"),
        ("en", 1200, "1,200 new versions"),
        ("de", 1, "1 neue Version"),
        ("de", 1200, "1.200 neue Versionen"),
        ("zh", 1, "1 篇有新版本"),
        ("zh", 1200, "1,200 篇有新版本"),
    ],
)
def test_plurals_and_numbers_are_those_of_the_language(language: str, number: int, message: str) -> None:
    assert get_locale(language).ngettext("%(num)s new version", "%(num)s new versions", number) == message


@pytest.mark.parametrize(
    ("language", "message"), [("en", "a, b and c"), ("de", "a, b und c"), ("zh", "a、b 和 c")]
)
def test_enumerations_end_as_in_the_language(language: str, message: str) -> None:
    assert get_locale(language).listed(["a", "b", "c"]) == message
    assert get_locale(language).listed([]) == ""


def test_an_enumeration_of_chinese_has_no_blanks() -> None:
    assert get_locale("zh").listed(["6月11日", "6月12日"]) == "6月11日和6月12日"


def test_a_language_says_what_it_is_called() -> None:
    locales = [get_locale(language) for language in ("en", "de", "zh")]

    assert [locale.tag for locale in locales] == ["en", "de", "zh-Hans"]
    assert [locale.name for locale in locales] == ["English", "Deutsch", "中文"]
    assert get_locale("zh").direction == "ltr"


# --- more languages -------------------------------------------------------------------------------

HEAD = (
    'msgid ""\nmsgstr ""\n"Language: {tag}\\n"\n"Plural-Forms: nplurals={forms}; plural={plural};\\n"\n'
    '"Content-Type: text/plain; charset=utf-8\\n"\n\n'
)


def written(folder: Path, language: str, body: str, *, tag: str = "", plural: str = "n != 1") -> Path:
    file = folder / "locales" / f"{language}.po"
    file.parent.mkdir(exist_ok=True)
    forms = 3 if "?" in plural else 2
    file.write_text(HEAD.format(tag=tag or language, forms=forms, plural=plural) + body)
    return folder


def test_one_file_is_a_new_language(tmp_path: Path) -> None:
    own = written(tmp_path, "fr", 'msgid "nothing new"\nmsgstr "rien de nouveau"\n')
    french = get_locale("fr", own)

    assert french.gettext("nothing new") == "rien de nouveau"
    assert french.gettext("New papers") == "New papers"
    assert french.whole_day(FRIDAY) == "vendredi 12 juin 2026"
    assert french.tag == "fr"


def test_a_language_that_nobody_knows_the_days_of_has_texts(tmp_path: Path) -> None:
    own = written(tmp_path, "tlh", 'msgid "nothing new"\nmsgstr "pagh"\n')

    assert get_locale("tlh", own).gettext("nothing new") == "pagh"
    assert get_locale("tlh", own).long_day(FRIDAY) == ENGLISH.long_day(FRIDAY)
    assert get_locale("tlh", own).tag == "tlh"


def test_a_language_from_right_to_left_says_so(tmp_path: Path) -> None:
    assert get_locale("ar", written(tmp_path, "ar", "")).direction == "rtl"


def test_three_plurals_are_three(tmp_path: Path) -> None:
    rule = "n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2"
    forms = "".join(f'msgstr[{place}] "%(num)s {word}"\n' for place, word in enumerate(("A", "B", "C")))
    own = written(
        tmp_path,
        "ru",
        f'msgid "%(num)s new"\nmsgid_plural "%(num)s new"\n{forms}',
        plural=f"({rule})",
    )
    messages = [
        get_locale("ru", own).ngettext("%(num)s new", "%(num)s new", number) for number in (1, 3, 5, 21)
    ]

    assert messages == ["1 A", "3 B", "5 C", "21 A"]


def test_a_users_texts_go_before_ours(tmp_path: Path) -> None:
    own = written(tmp_path, "de", 'msgid "nothing new"\nmsgstr "nix Neues"\n')

    assert get_locale("de", own).gettext("nothing new") == "nix Neues"
    assert get_locale("de", own).gettext("New papers") == "Neue Arbeiten"


def test_what_is_marked_as_unsure_is_not_said(tmp_path: Path) -> None:
    own = written(tmp_path, "de", '#, fuzzy\nmsgid "nothing new"\nmsgstr "Neues vom Tage"\n')

    assert get_locale("de", own).gettext("nothing new") == "nichts Neues"


BROKEN = [
    ('msgid "version %(number)s"\nmsgstr "Fassung %(nummer)s"\n', "has no placeholder %(nummer)s"),
    ('msgid "nothing new"\nmsgstr "100 % neu"\n', "write a percent sign as %%"),
    ("nonsense", "line 7 cannot be read: 'nonsense'"),
    ('msgid "x\nmsgstr', "line 7 cannot be read: 'msgid \"x'"),
    ('msgid "nothing new"\nmsgstr neu\n', "line 8 cannot be read: 'msgstr neu'"),
    ('msgid "nothing new"\nmsgstr "\n', "line 8 cannot be read"),
    ('msgstr "nothing"\n"new""\n', "line 8 cannot be read"),
]


@pytest.mark.parametrize(("body", "wrong"), BROKEN)
def test_a_broken_catalogue_is_told_with_its_line_and_ours_is_used(
    body: str, wrong: str, tmp_path: Path
) -> None:
    entries: list[tuple[str, str]] = []
    own = written(tmp_path, "de", body)

    locale = get_locale("de", own, lambda name, subject: entries.append((name, subject)))

    assert locale.gettext("nothing new") == "nichts Neues"
    [(name, subject)] = entries
    assert name == "locales/de.po"
    assert re.search(r"de\.po, line \d+", subject)
    assert wrong in subject
    with pytest.raises(RenderError, match=r"locales/de\.po"):
        get_locale("de", own)


def test_a_language_that_is_gone_is_english() -> None:
    assert get_locale("xx") is ENGLISH


def test_a_catalogue_survives_the_tools_of_translators() -> None:
    """What a program writes that read it says the same."""
    for language in LANGUAGES:
        file = BytesIO()
        write_po(file, shipped(language))
        again = read_po(BytesIO(file.getvalue()))
        assert {(str(message.id), str(message.string)) for message in again if message.id} == {
            (str(message.id), str(message.string)) for message in messages(shipped(language))
        }
