"""Templates of one's own that are broken: an error where they are tried, and the shipped one in their place elsewhere."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digest.errors import RenderError
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.mail import make_mail, render_mail
from digest.render.environment import make_environment
from digest.render.locale_bundle import LocaleBundle
from digest.render.mail_maker import MIN_PLAIN_MAILS, MailMaker
from tests.render.samples import SITE, make_edition, make_edition_of_three_parts, make_item

BROKEN = {
    "cannot be read": ("\n\n{% if %}", "line 3 cannot be read: Expected an expression"),
    "a filter that is not there": ("{{ edition.title | louder }}", "No filter named 'louder'"),
    "not UTF-8": (b"caf\xe9", "line 1 cannot be read: it is not UTF-8"),
    "a name that is not there": ("\n{{ edition.colour }}", "line 2 failed: "),
    "a block of ours that fails": (
        '{% extends "shipped/mail/edition.html" %}\n{% block header %}{{ 1 / 0 }}{% endblock %}',
        "line 2 failed: division by zero",
    ),
    "a file that is not there": ('{% include "mail/mine.html" %}', "no template mail/mine.html"),
    "loops in loops": (
        "\n" + "{% for a in range(9999) %}" * 3 + "{% endfor %}" * 3,
        "line 2 failed: its loops and macros run more than 300,000 times",
    ),
    "loops that leave everything out": (
        "{% for a in range(9999) %}{% for b in range(9999) if false %}{% endfor %}{% endfor %}",
        "more than 300,000 times",
    ),
    "macros that call themselves twice": (
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(50) }}",
        "more than 300,000 times",
    ),
    "a macro that calls itself": (
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "line 1 includes itself",
    ),
    "a template that includes itself": (
        '{% include "mail/edition.html" %}',
        "line 1 includes itself endlessly",
    ),
    "a template that extends itself": (
        '{% extends "mail/edition.html" %}',
        'line 1 includes itself endlessly; to change a part of a shipped template, begin with {% extends "shipped/mail/edition.html" %}',
    ),
    "a range without end": ("{{ range(10**30) | list }}", "line 1 failed"),
    "a long range": ("{{ range(10**6) | sum }}", "a range has at most 100,000 numbers"),
    "text without end": ("{% for a in range(90) %}{{ 'x' * 999999 }}{% endfor %}", "5,000,000 characters"),
    "no room for a paper": ("x" * 90_001, "shorter"),
}
EVERY = pytest.mark.parametrize(("source", "says"), BROKEN.values(), ids=list(BROKEN))
SLOW = "macros that call themselves twice"
EVERY_THAT_IS_QUICK = pytest.mark.parametrize(
    ("source", "says"),
    [
        pytest.param(*case, id=name, marks=[pytest.mark.long] if name == SLOW else [])
        for name, case in BROKEN.items()
    ],
)
SHIPPED = make_environment()


def own(folder: Path, source: str | bytes, name: str = "mail/edition.html") -> Path:
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(source if isinstance(source, bytes) else source.encode())
    return file


def lenient(folder: Path) -> tuple[jinja2.Environment, list[tuple[str, str]]]:
    """The templates as a run has them, and what is told of them."""
    entries: list[tuple[str, str]] = []
    return make_environment(folder, on_error=lambda name, wrong: entries.append((name, wrong))), entries


@EVERY
def test_a_broken_template_is_an_error_where_it_is_tried(
    tmp_path: Path, source: str | bytes, says: str
) -> None:
    own(tmp_path, source)

    with pytest.raises(RenderError) as raised:
        render_mail(make_environment(tmp_path), make_edition_of_three_parts(), SITE)

    assert says in str(raised.value)


@EVERY_THAT_IS_QUICK
def test_elsewhere_the_shipped_one_is_in_its_place_and_it_is_told(
    tmp_path: Path, source: str | bytes, says: str
) -> None:
    own(tmp_path, source)
    environment, entries = lenient(tmp_path)

    mail = render_mail(environment, make_edition_of_three_parts(), SITE)

    assert mail == render_mail(SHIPPED, make_edition_of_three_parts(), SITE)
    assert {name for name, _ in entries} == {"mail/edition.html"}
    assert all(says in wrong for _, wrong in entries)


@EVERY_THAT_IS_QUICK
def test_the_mails_of_a_run_are_those_of_the_shipped_template(
    tmp_path: Path, source: str | bytes, says: str
) -> None:
    own(tmp_path, source)
    environment, entries = lenient(tmp_path)
    press = MailCache(environment, SITE)
    to = {"recipient": "you@example.org", "message_id": "<1@example.org>"}

    mails = [press.make_mail(make_edition_of_three_parts(), delivery=1, **to) for _ in range(3)]

    assert mails == [make_mail(SHIPPED, make_edition_of_three_parts(), SITE, delivery=1, **to)] * 3
    assert any(says in wrong for _, wrong in entries)


@pytest.mark.parametrize("source", ["{% if %}", "{{ nope }}", "{{ range(10**6) }}"])
def test_the_other_templates_stay_ones_own(tmp_path: Path, source: str) -> None:
    own(tmp_path, source)
    own(tmp_path, "Mine: {{ edition.counts }}", "mail/edition.txt")
    environment, entries = lenient(tmp_path)

    mail = render_mail(environment, make_edition_of_three_parts(), SITE)

    assert mail.text.startswith("Mine: ")
    assert mail.html == render_mail(SHIPPED, make_edition_of_three_parts(), SITE).html
    assert {name for name, _ in entries} == {"mail/edition.html"}


def test_a_part_that_cannot_be_read_is_the_only_one_replaced(tmp_path: Path) -> None:
    own(tmp_path, '{% extends "shipped/mail/edition.html" %}{% block header %}<h1>My lab</h1>{% endblock %}')
    own(tmp_path, "{% broken", "mail/_paper.html")
    environment, entries = lenient(tmp_path)

    mail = render_mail(environment, make_edition_of_three_parts(), SITE)

    assert "<h1>My lab</h1>" in mail.html
    assert "SplitZip 1" in mail.html
    assert {name for name, _ in entries} == {"mail/_paper.html"}


def test_each_rendering_has_its_own_rounds(tmp_path: Path) -> None:
    own(tmp_path, "{% for a in range(99999) %}{% endfor %}{{ edition.counts }}")
    environment = make_environment(tmp_path)

    for number in range(1, 6):
        assert render_mail(environment, make_edition(make_item(number)), SITE).html == "1 new"


def test_what_fails_for_one_edition_is_tried_for_the_next(tmp_path: Path) -> None:
    own(tmp_path, "{{ nope if edition.empty else edition.counts }}")
    environment, entries = lenient(tmp_path)

    for number in range(1, 6):
        assert render_mail(environment, make_edition(id=number), SITE) == render_mail(
            SHIPPED, make_edition(), SITE
        )
        assert render_mail(environment, make_edition(make_item(number)), SITE).html == "1 new"
    assert len(entries) == 5


@pytest.mark.parametrize("source", ["{{ nope }}", "{% for a in range(9) %}" * 9 + "{% endfor %}" * 9])
def test_what_fails_again_and_again_or_runs_away_does_not_slow_a_million_mails(
    tmp_path: Path, source: str
) -> None:
    own(tmp_path, source)
    environment, entries = lenient(tmp_path)
    maker = MailMaker(lambda _: LocaleBundle(environment=environment, branding=SITE))
    to = {"recipient": "you@example.org", "message_id": "<1@example.org>"}

    for number in range(1, 41):
        maker.make_mail(make_edition(make_item(number)), delivery=number, **to)

    assert [cache.fast_count for cache in maker._caches.values()] == [40 - MIN_PLAIN_MAILS]
    assert len(entries) <= 10


def test_an_edition_of_hundreds_of_papers_is_no_running_away(tmp_path: Path) -> None:
    own(
        tmp_path,
        '{% extends "shipped/mail/edition.txt" %}{% block missed %}Mine{% endblock %}',
        "mail/edition.txt",
    )
    environment, entries = lenient(tmp_path)

    mail = render_mail(environment, make_edition(*map(make_item, range(1, 400))), SITE)

    assert "Mine" in mail.text
    assert not entries


_WORDS = [
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "for x in",
    "edition",
    ".rest",
    "endfor",
    "if",
    "endif",
    "block foot",
]
_MORE = [
    "endblock",
    "macro f(x)",
    "endmacro",
    "f(1)",
    "+",
    "'a'",
    "|",
    "length",
    "set y =",
    "(",
    ")",
    "\n",
    "-",
]


@given(st.lists(st.sampled_from([*_WORDS, *_MORE, " ", "include 'mail/edition.html'", "1"]), max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_stands_in_a_template_a_mail_is_made(tmp_path: Path, words: list[str]) -> None:
    own(tmp_path, " ".join(words))
    environment, _ = lenient(tmp_path)

    assert render_mail(environment, make_edition(make_item()), SITE).text
