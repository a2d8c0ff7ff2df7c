"""The subject of a mail: by default whose edition it is, of when, how much it has and what comes first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.errors import RenderError
from digest.model import EditionPart
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.mail import make_mail, render_mail
from digest.render.editions.edition_view import make_whole_view
from digest.render.editions.summary import format_counts, list_counts, make_subject
from digest.render.environment import make_environment
from digest.render.languages.locales import ENGLISH
from tests.render.samples import SITE, make_edition, make_edition_of_every_kind, make_item


def subject(*titles: str, title: str = "LLM systems", **fields: object) -> str:
    items = [make_item(number, title=of_paper) for number, of_paper in enumerate(titles, start=1)]
    return make_subject(make_edition(*items, title=title, **fields), ENGLISH)


def test_a_subject_says_whose_edition_it_is_of_when_how_much_it_has_and_what_comes_first() -> None:
    maybe = make_item(2, EditionPart.MAYBE)

    assert subject("SplitZip", "Other") == "LLM systems, 12 Jun: 2 new · SplitZip"
    assert make_subject(make_edition(make_item(1, title=r"H$_2$O"), maybe, title="LLM"), ENGLISH) == (
        "LLM, 12 Jun: 1 new, 1 maybe · H₂O"
    )


def test_the_subject_of_an_empty_edition_has_its_time() -> None:
    assert subject() == "LLM systems, 12 Jun 07:30: nothing new"


def test_a_long_title_or_name_is_shortened_in_a_subject() -> None:
    assert subject("Ultra Fast " * 30).endswith(
        "· Ultra Fast Ultra Fast Ultra Fast Ultra Fast Ultra Fast Ultra Fast Ultra Fast …"
    )
    assert subject("SplitZip", title="Systems " * 20).startswith(
        "Systems Systems Systems Systems Systems Systems …, 12"
    )


def test_a_title_without_room_is_no_part_of_a_subject() -> None:
    edition = replace(make_edition_of_every_kind(), title="Systems and languages of all our kinds")

    assert make_subject(edition, ENGLISH) == (
        "Systems and languages of all our kinds, 12 Jun: "
        "2 new, 1 maybe, 2 picked, 1 new version, 1 publication, 1 …"
    )


@given(st.text(max_size=200), st.text(max_size=300), st.integers(0, 40), st.integers(0, 12))
def test_a_subject_never_has_more_than_110_characters(
    name: str, title: str, count: int, of_every_kind: int
) -> None:
    more = make_edition_of_every_kind().items * of_every_kind
    edition = make_edition(*(make_item(title=title) for _ in range(count)), *more, title=name)

    assert len(make_subject(edition, ENGLISH)) <= 110


# --- a template of one's own ----------------------------------------------------------------------


OWN = "[{{ name }}] {{ counts or _('nothing new') }}{% if title %}: {{ title }}{% endif %} ({{ day }}, {{ time }})\n"


def write_subject(folder: Path, source: str) -> Path:
    (folder / "mail").mkdir(exist_ok=True)
    (folder / "mail/subject.txt").write_text(source)
    return folder


def test_a_subject_can_be_made_by_a_template(tmp_path: Path) -> None:
    environment = make_environment(write_subject(tmp_path, OWN))

    edition = make_edition(make_item(title="Bits & pieces <i>"), title="LLM")
    assert render_mail(environment, edition, SITE).subject == "[LLM] 1 new: Bits & pieces <i> (12 Jun, 07:30)"
    empty = make_edition(title="LLM")
    assert render_mail(environment, empty, SITE).subject == "[LLM] nothing new (12 Jun, 07:30)"


def test_the_shipped_template_is_the_subject_as_it_is(tmp_path: Path) -> None:
    """It is not rendered unless there are other templates, which a million mails would notice."""
    edition = make_edition(make_item(title="Bits & pieces <i>"))

    for environment in (make_environment(), make_environment(tmp_path)):
        assert render_mail(environment, edition, SITE).subject == make_subject(edition, ENGLISH)


@pytest.mark.parametrize("source", ["{{ name }}\n\n  {{ counts }}\n", "{{ name }}\r\nBcc: you@example.org"])
def test_a_subject_is_always_one_line(source: str, tmp_path: Path) -> None:
    environment = make_environment(write_subject(tmp_path, source))

    assert "\n" not in render_mail(environment, make_edition(make_item()), SITE).subject


def test_a_template_without_a_text_leaves_the_subject_as_it_is(tmp_path: Path) -> None:
    edition = make_edition(make_item())
    environment = make_environment(write_subject(tmp_path, "{# nothing #}\n"))

    assert render_mail(environment, edition, SITE).subject == make_subject(edition, ENGLISH)


def test_a_subject_of_a_template_has_at_most_200_characters(tmp_path: Path) -> None:
    environment = make_environment(write_subject(tmp_path, "{{ (title ~ ' ') * 50 }}"))

    assert 150 < len(render_mail(environment, make_edition(make_item()), SITE).subject) <= 200


def test_a_broken_template_of_a_subject_is_an_error_where_it_is_tried_and_ours_elsewhere(
    tmp_path: Path,
) -> None:
    write_subject(tmp_path, "{{ names }}")
    edition = make_edition(make_item())

    with pytest.raises(RenderError, match=r"mail/subject\.txt, line 1"):
        render_mail(make_environment(tmp_path), edition, SITE)
    environment = make_environment(tmp_path, on_error=lambda *_: None)
    assert render_mail(environment, edition, SITE).subject == make_subject(edition, ENGLISH)


def test_mails_that_are_joined_from_pieces_have_the_same_subject(tmp_path: Path) -> None:
    environment = make_environment(write_subject(tmp_path, OWN))
    cache = MailCache(environment, SITE)
    to: dict[str, Any] = {"delivery": 1, "recipient": "reader@example.org", "message_id": "<1@x>"}

    for edition in (make_edition(make_item()), make_edition(), make_edition_of_every_kind()):
        mail = cache.make_mail(edition, **to)
        assert mail == make_mail(environment, edition, SITE, **to)
    assert cache.fast_count == 3


# --- counts ---------------------------------------------------------------------------------------


def test_counts_are_the_same_one_by_one_and_as_a_line() -> None:
    edition = make_edition_of_every_kind()

    assert " · ".join(list_counts(edition, ENGLISH)) == format_counts(edition, ENGLISH)
    assert make_whole_view(edition, SITE).counts == format_counts(edition, ENGLISH)
    assert list_counts(make_edition(), ENGLISH) == ()
    assert make_whole_view(make_edition(), SITE).counts == "nothing new"
