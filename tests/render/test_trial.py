"""Templates of one's own are tried wherever they are filled in, in every language, with editions of every shape."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import jinja2
import pytest

from digest.config.values import languages
from digest.render.environment import make_environment
from digest.render.tongue import make_tongue
from digest.render.trial import Trial, tried
from tests.render.samples import NOW, SITE

SHIPPED = make_environment().loader
assert isinstance(SHIPPED, jinja2.FileSystemLoader)
OURS = SHIPPED.list_templates()


def trial(own: Path | None, *in_languages: str) -> Trial:
    make = partial(make_tongue, masthead=SITE, own=own, broken=None)
    return tried(make, in_languages or ("en",), NOW)


def write(folder: Path, name: str, source: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source)
    return file


def test_what_ships_passes_in_every_language() -> None:
    assert trial(None, *languages(None)) == Trial(wrong=(), unused=())


def test_every_template_is_tried(tmp_path: Path) -> None:
    for name in OURS:
        assert SHIPPED is not None
        source, _, _ = SHIPPED.get_source(make_environment(), name)
        write(tmp_path, name, source)

    assert trial(tmp_path) == Trial(wrong=(), unused=())


@pytest.mark.parametrize(
    ("condition", "where"),
    [
        ("edition.empty", "an edition without a paper"),
        ("edition.missed and edition.missed.ways | length > 1", "after several that did not arrive"),
        ("edition.rest | length > 50", "a long edition"),
        ("not edition.account.missing and edition.counts == '1 new'", "of which little is known"),
        ("edition.account.summary.startswith('an alert')", "an alert"),
        ("locale.tag == 'de'", "language de"),
    ],
)
def test_a_template_that_fails_in_one_case_only_is_found(tmp_path: Path, condition: str, where: str) -> None:
    source = '{% extends "shipped/mail/edition.html" %}{% block foot %}\n'
    file = write(
        tmp_path,
        "mail/edition.html",
        f"{source}{{% if {condition} %}}{{{{ nope }}}}{{% endif %}}{{% endblock %}}",
    )

    (told,) = trial(tmp_path, "en", "de").wrong

    assert told.startswith(f"the template {file}, line 2 failed: 'nope' is undefined (")
    assert where in told


def test_each_broken_template_is_named_once(tmp_path: Path) -> None:
    for name in ("mail/edition.html", "mail/_paper.txt", "feeds/rss.xml"):
        write(tmp_path, name, "{% if %}")

    found = trial(tmp_path, "en", "de")

    assert sorted(text.partition(",")[0].rpartition("/")[2] for text in found.wrong) == [
        "_paper.txt",
        "edition.html",
        "rss.xml",
    ]


def test_a_feed_that_is_no_xml_is_found(tmp_path: Path) -> None:
    write(tmp_path, "feeds/atom.xml", "<feed>{{ title }}")

    assert "feeds/atom.xml makes is no XML: no element found" in trial(tmp_path).wrong[0]


def test_a_file_with_a_wrong_name_is_told_and_one_that_another_includes_is_not(tmp_path: Path) -> None:
    write(tmp_path, "mail/editon.html", "Mine")
    write(tmp_path, "mail/_mine.html", "Mine")
    write(tmp_path, "notes.md", "What I changed")
    write(tmp_path, "logo.svg", "<svg/>")
    write(tmp_path, "mail/_paper.html", '{% include "mail/_mine.html" %}')

    assert trial(tmp_path).unused == (
        "mail/editon.html is used by nothing; is mail/edition.html meant?",
        "notes.md is used by nothing",
    )
