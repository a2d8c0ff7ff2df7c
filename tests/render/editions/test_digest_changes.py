"""What an edition says of changes of the digest itself: in words, cleaned, and not without end."""

from __future__ import annotations

from dataclasses import fields
from io import BytesIO
from zipfile import ZipFile

from bs4 import BeautifulSoup

from digest.model import DigestChanges, DigestOptions, Frequency, Schedule
from digest.render.delivery.chat import make_chat
from digest.render.delivery.epub import render_epub
from digest.render.delivery.epub_mail import render_cover_text
from digest.render.delivery.mail import render_mail
from digest.render.delivery.markdown import render_markdown
from digest.render.editions.digest_changes import describe_changes, list_option_names
from digest.render.environment import make_environment
from digest.render.languages.by_name import get_locale
from digest.render.languages.locales import ENGLISH
from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed
from digest.render.publishing.web_pages import render_edition_page
from digest.store.subscribers.new_digests import list_options
from tests.render.samples import SITE, make_edition, make_item
from tests.store.factories import make_digest
from tests.support.cases import for_each_case

MONDAYS = Schedule(frequency=Frequency.WEEKLY, zone="Europe/Berlin", at="08:00", days=(0,))


@for_each_case(
    ("changes", "notice"),
    [
        (None, ""),
        (
            DigestChanges(added=("diffusion model", "cat:cs.LG"), removed=("planning",), schedule=MONDAYS),
            "This digest has changed. It now also follows “diffusion model” and “cat:cs.LG”. It no longer follows “planning”. It now comes every Monday at 08:00 (Europe/Berlin).",
        ),
        (
            DigestChanges(added_exclusions=("survey",), removed_exclusions=("review", "thesis")),
            "This digest has changed. It now excludes “survey”. It no longer excludes “review” and “thesis”.",
        ),
        (
            DigestChanges(options=("weight", "limit", "title")),
            "This digest has changed. Also changed: title, number of papers and ranking.",
        ),
    ],
)
def test_each_change_is_named(changes: DigestChanges | None, notice: str) -> None:
    assert describe_changes(changes, ENGLISH) == notice


def test_it_is_said_in_the_readers_language() -> None:
    changes = DigestChanges(added=("graphs",), removed=("planning",), options=("language",), schedule=MONDAYS)

    assert describe_changes(changes, get_locale("de")) == (
        "Dieser Digest hat sich geändert. Neu dabei: „graphs“. Nicht mehr dabei: „planning“. "
        "Er kommt jetzt jeden Montag um 08:00 Uhr (Europe/Berlin). Außerdem geändert: Sprache."
    )


def test_seven_are_named_and_the_others_counted() -> None:
    changes = DigestChanges(added=tuple(f"word{number}" for number in range(10)))

    notice = describe_changes(changes, ENGLISH)

    assert notice.endswith("“word5”, “word6” and 3 more.")
    assert "word7" not in notice


def test_a_text_is_one_line_of_moderate_length_without_hidden_characters() -> None:
    changes = DigestChanges(added=("a\u202eb\n c\x00d", "word " * 500))

    notice = describe_changes(changes, ENGLISH)

    assert "“ab cd”" in notice
    assert len(notice) < 250


def test_every_option_that_can_change_has_a_word() -> None:
    columns = {*list_options(make_digest()), "weight", "alert"}

    for language in ("en", "de", "zh"):
        names = list_option_names(get_locale(language))
        assert set(names) == columns
        assert len(set(names.values())) == len(names), "no two look the same"
    assert {option.name for option in fields(DigestOptions)} < columns


# --- where it stands ------------------------------------------------------------------------------


def test_every_form_of_an_edition_shows_it_and_none_as_markup() -> None:
    environment = make_environment()
    edition = make_edition(make_item(1), changes=DigestChanges(added=("<b>graphs</b>",)))
    mail = render_mail(environment, edition, SITE)
    feed = DigestFeed(branding=SITE, digest="kv", title="KV", editions=[edition], by_edition=True)
    (entry,) = make_digest_feed(environment, feed).entries
    chat = make_chat(edition, SITE, delivery=1, address="room")
    with ZipFile(BytesIO(render_epub(environment, edition, SITE))) as book:
        (title_page,) = [book.read(name).decode() for name in book.namelist() if name.endswith("title.xhtml")]
    notice = "This digest has changed. It now also follows “<b>graphs</b>”."

    for html in (
        mail.html,
        render_edition_page(environment, edition, SITE, ()).decode(),
        title_page,
        entry.html,
    ):
        assert notice in " ".join(BeautifulSoup(html, "html.parser").text.split())
    for text in (mail.text, entry.text, render_cover_text(environment, edition, SITE)):
        assert notice in " ".join(text.split())
    assert [span.text for line in chat.opening for span in line if "changed" in span.text] == [notice]
    assert r"> This digest has changed. It now also follows “\<b\>graphs\</b\>”." in render_markdown(
        environment, edition, SITE
    )


def test_an_edition_without_changes_says_nothing_of_them() -> None:
    environment, edition = make_environment(), make_edition(make_item(1))
    mail = render_mail(environment, edition, SITE)

    for text in (mail.html, mail.text, render_markdown(environment, edition, SITE)):
        assert "has changed" not in text
