"""Templates of one's own that were written for the previous release: they work, and `digest check` tells what to change."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import jinja2
import pytest

from digest import model
from digest.errors import RenderError
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.mail import make_mail, render_mail
from digest.render.editions.completeness import Completeness
from digest.render.editions.edition_view import EditionSection
from digest.render.environment import make_environment
from digest.render.languages.locales import Locale
from digest.render.locale_bundle import make_locale_bundle
from digest.render.old_names import (
    BLOCK_REPLACEMENTS,
    NEW_NAMES,
    NEW_TEMPLATES,
    REPLACEMENTS,
    find_unused_blocks,
)
from digest.render.publishing.folder_overview import DigestOverview, EditionFiles, render_index_page
from digest.render.publishing.static_pages import DayEdition
from digest.render.template_trial.every_template import TemplateTrial, try_templates
from tests.render.samples import NOW, SITE, make_edition_of_three_parts
from tests.support.cases import for_each_case

LOOP = "{% for shelf in digests %}{% for files in shelf.editions %}__{% endfor %}{% endfor %}"
ITEMS = "{% for item in files.edition.items %}__{% endfor %}"
BATCHES = "{% for batch in files.edition.batches %}__{% endfor %}"
REASONS = ITEMS.replace("__", "{% for reason in item.reasons %}__{% endfor %}")
IN_THE_OVERVIEW = {
    "an edition's": ("{{ files.edition.rest | length }}", "rest", "overflow"),
    "by a key": ("{{ files.edition['rest'] | length }}", "rest", "overflow"),
    "a batch's": (BATCHES.replace("__", "{{ batch.filling }}"), "filling", "is_filling"),
    "an event's": (ITEMS.replace("__", "{{ item.event.newly }}"), "newly", "new_categories"),
    "a reason's": (REASONS.replace("__", "{{ reason.band.name }}"), "band", "confidence"),
    "in a filter": (
        ITEMS.replace("__", "{{ item.reasons | map(attribute='band') | join }}"),
        *("band", "confidence"),
    ),
    "by the filter attr": (
        ITEMS.replace("__", "{{ item.event | attr('newly') }}"),
        "newly",
        "new_categories",
    ),
    "in a test": (BATCHES.replace("__", "{{ batch.filling is defined }}"), "filling", "is_filling"),
    "a row's account": (
        "{% for row in rows[shelf.digest] %}{{ row.account.whole }}{% endfor %}",
        *("whole", "is_complete"),
    ),
    "the language's": ("{{ locale.joined(['a', 'b']) }}", "joined", "join_parts"),
    "the time": (
        "{{ site.locale.clock(files.edition.composed_at, files.edition.composed_at, 'UTC') }}",
        *("clock", "format_clock"),
    ),
}
"""What a template has in the loop of all editions, the old name in it and the new one."""
CLASSES = {
    cls.__name__: cls
    for cls in (
        DayEdition,
        EditionSection,
        model.Batch,
        model.Edition,
        model.Event,
        model.Reason,
        Completeness,
        Locale,
    )
}


def own(folder: Path, name: str, source: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source)
    return file


def overview(folder: Path, source: str) -> str:
    own(folder, "web/index.html", source)
    shelf = DigestOverview(
        digest="systems",
        title="Systems",
        feeds=(),
        editions=(EditionFiles(edition=make_edition_of_three_parts(), files=()),),
    )
    return render_index_page(make_environment(folder), SITE, [shelf]).decode()


def trial(folder: Path, *languages: str) -> TemplateTrial:
    make = partial(make_locale_bundle, branding=SITE, templates_folder=folder, on_error=None)
    return try_templates(make, languages or ("en",), NOW)


@for_each_case(("source", "old", "new"), [*IN_THE_OVERVIEW.values()])
def test_an_old_name_gives_what_the_new_one_gives(tmp_path: Path, source: str, old: str, new: str) -> None:
    text = LOOP.replace("__", source)

    made = overview(tmp_path, text)

    assert made == overview(tmp_path, text.replace(old, new)) != ""


def test_a_check_tells_file_line_old_name_and_new_name_once(tmp_path: Path) -> None:
    sources = [source for source, _, _ in IN_THE_OVERVIEW.values()]
    file = own(tmp_path, "web/index.html", "\n".join(LOOP.replace("__", source) for source in sources))

    template_trial = trial(tmp_path, "en", "de")

    assert template_trial.errors == ()
    assert [str(name) for name in template_trial.old_names] == [
        f"the template {file}, line {line} uses `{old}`, which is now `{new}`; "
        "the old name stops working with the next release"
        for line, (_, old, new) in enumerate(IN_THE_OVERVIEW.values(), start=1)
    ]


def test_a_check_tells_old_names_that_no_sample_comes_to(tmp_path: Path) -> None:
    own(
        tmp_path,
        "mail/edition.html",
        """{% extends "shipped/mail/edition.html" %}
        {% block foot %}{% if edition.title == "something else" %}
        {{ locale.joined(["a"]) }}
        {% set completeness = edition.account %}
        {{ completeness.whole }}
        {% for each in item.reasons %}
        {{ each["band"] }}
        {% endfor %}
        {% endif %}{% endblock %}""",
    )

    assert [(name.line, name.name) for name in trial(tmp_path).old_names] == [
        (3, "joined"),
        (5, "whole"),
        (7, "band"),
    ]


def test_a_check_tells_nothing_of_names_that_other_objects_still_have(tmp_path: Path) -> None:
    own(tmp_path, "mail/_paper.html", "{{ paper.band }}{{ paper.title.html }}<a href='{{ paper.url }}'></a>")
    own(
        tmp_path,
        "web/day.html",
        "{% for part in parts %}{{ part.whole }}{% endfor %}{% set mine = {'rest': 1} %}{{ mine.rest }}",
    )
    own(
        tmp_path,
        "mail/edition.html",
        '{% extends "shipped/mail/edition.html" %}{% block header %}{{ edition.rest | length }}{% endblock %}',
    )

    assert trial(tmp_path) == TemplateTrial(errors=(), unused=())


def test_variables_of_the_previous_release_work_and_are_told(tmp_path: Path) -> None:
    """In a part that ours includes, in one that includes ours, and as names of loops of one's own."""
    own(tmp_path, "mail/_paper.html", "{{ card.title.html }} of {{ masthead.title }}{{ card.url }}")
    file = own(
        tmp_path,
        "mail/edition.html",
        """{% for section in edition.sections %}{% for card in section.cards %}
        {% include "mail/_paper.html" %}{% endfor %}{% endfor %}{% for card in edition.rest %} {{ card.url }}{% endfor %}""",
    )

    html = render_mail(make_environment(tmp_path), make_edition_of_three_parts(), SITE).html

    assert SITE.title in html
    told = {(name.file, name.name, name.new_name) for name in trial(tmp_path).old_names}
    assert {(str(file), "card", "paper"), (str(file), "cards", "papers")} <= told
    assert (str(tmp_path / "mail/_paper.html"), "masthead", "site") in told


def test_looks_of_a_mail_of_the_previous_release_work(tmp_path: Path) -> None:
    own(
        tmp_path,
        "mail/_looks.html",
        '{% set column = "margin:0" %}{% macro linked(card) %}<a href="{{ card.url }}">{{ card.title.html }}</a>{% endmacro %}'
        "{% set sheets %}<style>h1{color:#123456}</style>{% endset %}",
    )

    assert trial(tmp_path).errors == ()
    html = render_mail(make_environment(tmp_path), make_edition_of_three_parts(), SITE).html
    assert "h1{color:#123456}" in html


def test_what_a_template_imports_under_the_name_of_a_new_variable_does_not_hide_it(tmp_path: Path) -> None:
    own(
        tmp_path,
        "web/index.html",
        '{% import "web/_site.html" as site %}{{ site.sheet }}<h1>{{ masthead.title }}</h1>'
        "{% for shelf in shelves %}{{ shelf.title }}{% endfor %}{{ openings | length }}",
    )

    assert trial(tmp_path).errors == ()
    assert [(name.name, name.new_name) for name in trial(tmp_path).old_names] == [
        ("masthead", "site"),
        ("openings", "feed_groups"),
        ("shelves", "digests"),
        ("web/_site.html", "web/_looks.html"),
    ]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("web/_site.html", "{% set sheet %}<style>h1{color:red}</style>{% endset %}"),
        ("mail/edition.html", '{% extends "shipped/mail/edition.html" %}{% block contents %}{% endblock %}'),
    ],
)
def test_a_check_tells_what_took_the_place_of_what_nothing_uses_any_more(
    tmp_path: Path, name: str, source: str
) -> None:
    own(tmp_path, name, source)

    (text,) = trial(tmp_path).unused

    assert f"{name} is not used: " in text
    assert {"web/_site.html": "web/_looks.html", "mail/edition.html": "`header`"}[name] in text


def test_every_template_and_block_of_the_previous_release_still_exists_or_its_place_is_told() -> None:
    environment, previous = make_environment(), Path(__file__).parent / "data" / "templates_0_2"
    assert environment.loader is not None
    present_names = set(environment.loader.list_templates())

    for file in previous.rglob("*.*"):
        name, source = file.relative_to(previous).as_posix(), file.read_text("utf-8")
        assert name in present_names - NEW_TEMPLATES.keys() or name in REPLACEMENTS
        for block in re.findall(r"{% block (\w+)", source):
            extension = f'{{% extends "{name}" %}}{{% block {block} %}}{{% endblock %}}'
            unused = find_unused_blocks("own", environment, partial(_read, environment, {"own": extension}))
            assert list(unused) == [] or (name, block) in BLOCK_REPLACEMENTS


def _read(environment: jinja2.Environment, sources: dict[str, str], name: str) -> str:
    assert environment.loader is not None
    return sources.get(name) or environment.loader.get_source(environment, name)[0]


def test_a_block_that_no_template_has_is_told_with_a_similar_one(tmp_path: Path) -> None:
    own(
        tmp_path,
        "web/index.html",
        '{% extends "shipped/web/index.html" %}{% block haeder %}{% block mine %}{% endblock %}{% endblock %}'
        "{% block content %}{% block inner %}x{% endblock %}{{ super() }}{% endblock %}{% block main %}{{ super() }}{% endblock %}",
    )

    assert trial(tmp_path).unused == (
        "the block `haeder` of web/index.html is not used; did you mean `header`?",
    )


def test_a_block_with_the_name_of_an_old_variable_stays_a_block(tmp_path: Path) -> None:
    own(tmp_path, "web/paper.html", '{% extends "shipped/web/paper.html" %}{% block noted %}x{% endblock %}')

    assert trial(tmp_path).old_names == ()


def test_a_name_that_never_was_is_still_an_error(tmp_path: Path) -> None:
    for source in ("{{ files.edition.others }}", "{{ files.edition[0] }}", "{{ rest }}", "{{ files.newly }}"):
        with pytest.raises(RenderError, match=r"web/index\.html, line 1 failed"):
            overview(tmp_path, LOOP.replace("__", source))


def test_the_mails_of_a_run_have_what_old_names_give(tmp_path: Path) -> None:
    source = '{% extends "shipped/mail/edition.html" %}{% block header %}__{% endblock %}'
    texts = {
        "old": "{{ locale.joined(['a', 'b']) }} {{ edition.account.whole }}",
        "new": "{{ locale.join_parts(['a', 'b']) }} {{ edition.account.is_complete }}",
    }
    for name, text in texts.items():
        own(tmp_path / name, "mail/edition.html", source.replace("__", text))
    environments = {name: make_environment(tmp_path / name, on_error=_fail) for name in texts}
    to = {"recipient": "you@example.org", "message_id": "<1@example.org>"}

    caches = {name: MailCache(environment, SITE) for name, environment in environments.items()}
    mails = {
        name: [cache.make_mail(make_edition_of_three_parts(), delivery=1, **to) for _ in range(3)]
        for name, cache in caches.items()
    }

    assert (
        mails["old"]
        == mails["new"]
        == [make_mail(environments["new"], make_edition_of_three_parts(), SITE, delivery=1, **to)] * 3
    )
    assert "a, b" in render_mail(environments["old"], make_edition_of_three_parts(), SITE).html


def _fail(name: str, problem: str) -> None:
    raise AssertionError(name, problem)


@pytest.mark.parametrize("name", NEW_NAMES)
def test_each_new_name_exists_and_each_old_one_is_gone(name: str) -> None:
    for old, new in NEW_NAMES[name].items():
        names = {*dir(CLASSES[name]), *getattr(CLASSES[name], "__dataclass_fields__", ())}
        assert new in names
        assert old not in names
