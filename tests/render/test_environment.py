from __future__ import annotations

from pathlib import Path

import jinja2
import pytest

from digest.errors import RenderError
from digest.render.delivery.mail import render_mail
from digest.render.environment import fill, make_environment, remove_unprintable
from tests.render.samples import SITE, make_edition, make_item


def test_one_block_of_a_shipped_template_can_be_replaced(tmp_path: Path) -> None:
    own = tmp_path / "mail" / "edition.html"
    own.parent.mkdir()
    own.write_text('{% extends "shipped/mail/edition.html" %}{% block header %}<h1>My lab</h1>{% endblock %}')

    mail = render_mail(make_environment(tmp_path), make_edition(make_item()), SITE)

    assert "<h1>My lab</h1>" in mail.html
    assert "SplitZip 1" in mail.html
    assert "My lab" not in mail.text


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("\n\n{% if %}", "line 3 cannot be read: Expected an expression"),
        ("\n{{ nothing.there }}", "line 2 failed: 'nothing' is undefined"),
        ("{{ edition.title }}\n{{ 1 / 0 }}", "line 2 failed: division by zero"),
    ],
)
def test_a_broken_template_says_file_and_line(tmp_path: Path, source: str, says: str) -> None:
    own = tmp_path / "mail" / "edition.html"
    own.parent.mkdir()
    own.write_text(source)

    with pytest.raises(RenderError) as raised:
        render_mail(make_environment(tmp_path), make_edition(make_item()), SITE)

    assert says in str(raised.value)
    assert str(own) in str(raised.value)


def test_a_missing_template_is_named() -> None:
    environment = jinja2.Environment(loader=jinja2.DictLoader({"a.html": '{% include "b.html" %}'}))

    with pytest.raises(RenderError, match=r"no template b\.html, which <template>, line 1 needs"):
        fill(environment, "a.html", {})


def test_a_template_that_leaves_no_room_for_papers_says_so(tmp_path: Path) -> None:
    own = tmp_path / "mail" / "edition.html"
    own.parent.mkdir()
    own.write_text("x" * 90_001)

    with pytest.raises(RenderError, match="shorter"):
        render_mail(make_environment(tmp_path), make_edition(make_item()), SITE)


def test_what_no_xml_may_hold_is_left_out() -> None:
    assert remove_unprintable("a\x00\x0b\x1f\x7f\ufffe\ud800\u202eb\tc\u200d👩🏽\n") == "ab\tc\u200d👩🏽\n"
