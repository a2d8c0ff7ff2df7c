"""Templates of one's own are tried wherever they are filled in, in every language, with editions of every shape."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import jinja2

from digest.config.values import list_languages
from digest.render.environment import make_environment
from digest.render.locale_bundle import make_locale_bundle
from digest.render.template_trial.every_template import TemplateTrial, try_templates
from tests.render.samples import NOW, SITE

SHIPPED = make_environment().loader
assert isinstance(SHIPPED, jinja2.FileSystemLoader)


def trial(own: Path | None, *in_languages: str) -> TemplateTrial:
    make = partial(make_locale_bundle, branding=SITE, templates_folder=own, on_error=None)
    return try_templates(make, in_languages or ("en",), NOW)


def write(folder: Path, name: str, source: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source)
    return file


def test_what_ships_passes_in_every_language() -> None:
    assert trial(None, *list_languages(None)) == TemplateTrial(errors=(), unused=())


def test_every_template_is_tried_and_files_with_a_wrong_name_are_told(tmp_path: Path) -> None:
    assert SHIPPED is not None
    for name in SHIPPED.list_templates():
        source, _, _ = SHIPPED.get_source(make_environment(), name)
        write(tmp_path, name, source)
    write(tmp_path, "mail/editon.html", "Mine")
    write(tmp_path, "mail/_mine.html", "Mine")
    write(tmp_path, "notes.md", "What I changed")
    write(tmp_path, "logo.svg", "<svg/>")
    paper = tmp_path / "mail" / "_paper.html"
    paper.write_text(paper.read_text() + '{% include "mail/_mine.html" %}')

    assert trial(tmp_path) == TemplateTrial(
        errors=(),
        unused=(
            "mail/editon.html is not used; did you mean mail/edition.html?",
            "notes.md is not used",
            # Only templates of the previous release import it.
            "web/_site.html is not used: the styles of all pages are now in web/_looks.html, and what surrounds their content in web/_page.html",
        ),
    )


IN_ONE_CASE = [
    ("edition.missed and edition.missed.ways | length > 1", "after several that did not arrive"),
    ("edition.rest | length > 50", "a long edition"),
    ("not edition.account.missing and edition.counts == '1 new'", "with little data"),
    ("edition.account.summary.startswith('an alert')", "an alert"),
    ("locale.tag == 'de'", "language de"),
]
"""What fits one edition in English only, and what fits German ones."""


def test_a_template_that_fails_in_one_case_only_is_found(tmp_path: Path) -> None:
    fails = [
        f"{{% if {condition} %}}{{{{ nope_{number} }}}}{{% endif %}}"
        for number, (condition, _) in enumerate(IN_ONE_CASE)
    ]
    source = '{% extends "shipped/mail/edition.html" %}{% block foot %}\n'
    mail = write(tmp_path, "mail/edition.html", f"{source}{''.join(fails)}{{% endblock %}}")
    # Two editions have no paper, and what fails in the same way again is not tried further: so it has a file of its own.
    source = '{% extends "shipped/web/edition.html" %}{% block foot %}\n'
    page = write(
        tmp_path,
        "web/edition.html",
        f"{source}{{% if edition.empty %}}{{{{ nope }}}}{{% endif %}}{{% endblock %}}",
    )

    errors = trial(tmp_path, "en", "de").errors

    expected = [(mail, f"nope_{number}", where) for number, (_, where) in enumerate(IN_ONE_CASE)]
    expected.append((page, "nope", "an edition without a paper"))
    assert len(errors) == len(expected)
    for file, name, where in expected:
        begin = f"the template {file}, line 2 failed: '{name}' is undefined ("
        (text,) = [text for text in errors if text.startswith(begin)]
        assert where in text


def test_each_broken_template_is_named_once(tmp_path: Path) -> None:
    for name in ("mail/edition.html", "mail/_paper.txt", "feeds/rss.xml"):
        write(tmp_path, name, "{% if %}")

    template_trial = trial(tmp_path, "en", "de")

    assert sorted(text.partition(",")[0].rpartition("/")[2] for text in template_trial.errors) == [
        "_paper.txt",
        "edition.html",
        "rss.xml",
    ]


def test_a_feed_that_is_no_xml_is_found(tmp_path: Path) -> None:
    write(tmp_path, "feeds/atom.xml", "<feed>{{ title }}")

    assert (
        "the output of the template feeds/atom.xml is not valid XML: no element found"
        in trial(tmp_path).errors[0]
    )
