"""Whole cycles for readers of other languages."""

from __future__ import annotations

import subprocess
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from digest.config import read_settings
from digest.demo.publisher import Publisher, load_shipped_papers
from digest.errors import ConfigError
from tests.support.workspace import Workspace, make_config
from tests.web.conftest import THURSDAY, get_morning

CHINESE = """
    [[digest]]
    name = "chinese"
    to = ["files:mail"]
    schedule = "weekdays 07:30"
    timezone = "Asia/Shanghai"
    categories = ["cs.DC"]
    language = "zh"

    [smtp]
    host = "localhost"
    security = "none"
    from = "Lab digest <digest@example.org>"
"""


def test_each_digest_is_told_in_its_language(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    with Publisher(load_shipped_papers(), day=THURSDAY) as source:
        text = make_config(source.url, more=CHINESE)
        workspace.write(text.replace('title = "Lab digest"', 'title = "Lab digest"\nlanguage = "de"'))
        workspace.run("run", now=get_morning(THURSDAY))

    def told(name: str, ending: str) -> Path:
        [file] = workspace.get_output_path(f"mail/{name}").glob(f"*.{ending}")
        return file

    german, chinese = (told(name, "html").read_text() for name in ("systems", "chinese"))
    assert '<html lang="de" dir="ltr">' in german
    assert "Donnerstag, 7. Mai 2026" in german
    assert '<html lang="zh-Hans" dir="ltr">' in chinese
    assert "2026年5月7日星期四" in chinese
    mail = message_from_bytes(told("chinese", "eml").read_bytes(), policy=policy.default)
    assert isinstance(mail, EmailMessage)
    assert mail["Content-Language"] == "zh-Hans"
    assert mail["Subject"].startswith("chinese，5月7日")
    [page] = workspace.get_output_path("editions/chinese").glob("*.html")
    assert '<html lang="zh-Hans" dir="ltr">' in page.read_text()
    for page in (workspace.get_output_path("index.html"), *workspace.get_output_path("days").glob("*.html")):
        assert '<html lang="de" dir="ltr">' in page.read_text()


def test_a_language_of_ones_own_is_a_file_beside_ones_templates(tmp_path: Path) -> None:
    (tmp_path / "own" / "locales").mkdir(parents=True)
    french = 'msgid ""\nmsgstr ""\n"Language: fr\\n"\n\nmsgid "More papers in brief"\nmsgstr "En bref"\n'
    (tmp_path / "own" / "locales" / "fr.po").write_text(french)
    workspace = Workspace(tmp_path)
    with Publisher(load_shipped_papers(), day=THURSDAY) as source:
        text = make_config(source.url).replace('folder = "out"', 'folder = "out"\ntemplates = "own"')
        text = text.replace("[[digest]]", "[[digest]]\nfull = 1")
        workspace.write(text.replace('title = "Lab digest"', 'title = "Lab digest"\nlanguage = "fr"'))
        workspace.run("run", now=get_morning(THURSDAY))

    [page] = workspace.get_output_path("mail/systems").glob("*.html")
    assert '<html lang="fr" dir="ltr">' in page.read_text()
    assert "En bref" in page.read_text()
    assert "jeudi 7 mai 2026" in page.read_text()


@pytest.mark.parametrize("before", ['title = "Lab digest"', 'name = "systems"'])
def test_a_language_that_nobody_has_added_is_a_mistake_with_its_place(tmp_path: Path, before: str) -> None:
    file = tmp_path / "digest.toml"
    file.write_text(make_config("http://localhost").replace(before, f'{before}\nlanguage = "xx"'))
    line = 1 + file.read_text().split("\n").index('language = "xx"')

    with pytest.raises(
        ConfigError, match="the language 'xx' is not available; write one of en, de, zh"
    ) as exception_info:
        read_settings(file, {})

    assert f"digest.toml:{line}:12:" in str(exception_info.value)
    assert "did you mean" not in str(exception_info.value)
    assert "docs/howto/translate.md" in str(exception_info.value)


@pytest.mark.parametrize(
    ("written", "meant"), [("DE", "de"), ("deutsch", "de"), ("zh_CN", "zh"), ("EN", "en")]
)
def test_a_language_that_is_spelt_in_another_way_is_guessed(tmp_path: Path, written: str, meant: str) -> None:
    file = tmp_path / "digest.toml"
    text = make_config("http://localhost").replace(
        'name = "systems"', f'name = "systems"\nlanguage = "{written}"'
    )
    file.write_text(text)

    with pytest.raises(ConfigError, match=f"did you mean '{meant}'"):
        read_settings(file, {})


def test_who_reads_english_waits_for_no_other_language() -> None:
    """Babel's imports take longer than an edition."""
    text = (
        "import sys\n"
        "from digest.app import open_app\n"
        "from digest.render.branding import Branding\n"
        "from digest.render.locale_bundle import make_locale_bundle\n"
        "head = Branding(title='x')\n"
        "make_locale_bundle('en', head, None, None)\n"
        "print('babel' in sys.modules)\n"
        "make_locale_bundle('de', head, None, None)\n"
        "print('babel' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)

    assert ran.stdout.split() == ["False", "True"]


def test_a_preview_is_in_the_language_of_its_digest(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    with Publisher(load_shipped_papers(), day=THURSDAY) as source:
        text = make_config(source.url)
        workspace.write(
            text.replace('name = "systems"', 'name = "systems"\nlanguage = "de"\nabstracts = "none"')
        )
        workspace.run("pull", now=get_morning(THURSDAY))
        output = workspace.run(
            "preview", "systems", "--format", "html", now=get_morning(THURSDAY)
        ).plain_output

    assert '<html lang="de" dir="ltr">' in output
    assert "Um den Digest abzubestellen" in output
