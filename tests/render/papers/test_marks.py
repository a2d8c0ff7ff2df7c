"""A mark after a title tells in a word or two what is not plainly new about a paper."""

from __future__ import annotations

from digest.model import EventKind
from digest.render.languages.by_name import get_locale
from digest.render.languages.locales import ENGLISH
from digest.render.papers.marks import format_mark, format_marks
from tests.render.samples import make_item
from tests.support.cases import for_each_case


@for_each_case(
    ("kind", "number", "mark"),
    [
        (EventKind.NEW, 0, ""),
        (EventKind.GROWN, 0, ""),
        (EventKind.PICKED, 0, "picked"),
        (EventKind.PUBLISHED, 0, "published"),
        (EventKind.VERSION, 3, "version 3"),
        (EventKind.VERSION, 0, "new version"),
        (EventKind.CODE, 0, "code"),
        (EventKind.TRENDING, 0, "trending"),
    ],
)
def test_a_mark_tells_what_happened_and_whether_the_paper_is_withdrawn(
    kind: EventKind, number: int, mark: str
) -> None:
    event, withdrawn = (
        make_item(kind=kind, replaced_as=number, withdrawn=is_withdrawn).event
        for is_withdrawn in (False, True)
    )

    assert format_mark(event, ENGLISH) == format_marks(event, ENGLISH) == mark
    assert format_mark(withdrawn, ENGLISH) == mark
    assert format_marks(withdrawn, ENGLISH) == (f"{mark}, withdrawn" if mark else "withdrawn")


@for_each_case("tag", ["de", "zh"])
def test_marks_are_in_the_language_of_the_reader(tag: str) -> None:
    locale = get_locale(tag)

    for kind in EventKind:
        english, translated = (format_marks(make_item(kind=kind).event, each) for each in (ENGLISH, locale))
        assert bool(english) == bool(translated)
        assert not english or kind is EventKind.CODE or english != translated
