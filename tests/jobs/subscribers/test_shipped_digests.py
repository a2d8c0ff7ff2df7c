"""The public digests that ship: all new papers of every source, in the language of the site."""

from __future__ import annotations

from pathlib import Path

from digest.app import open_app
from digest.config import PublicDigestSettings, Settings
from digest.core.language.parser import parse
from digest.jobs.subscribers.public_digests import subscribe
from digest.store.matching.matches import compile_text
from tests.store.factories import NOW
from tests.support.cases import for_each_case
from tests.support.workspace import Workspace

FILE = """
[site]
url = "https://digest.example.org"
language = "{language}"

[store]
url = "sqlite:///digest.db"

[smtp]
host = "localhost"
security = "none"
from = "digest@example.org"

[[source]]
use = "arxiv"
categories = ["cs.LG"]

[[source]]
use = "feed"
url = "https://example.org/feed.xml"
name = "Journal-of-Things"

{signup}
"""
SIGNUP = "[signup]\ndaily_papers = true"


def read(folder: Path, language: str = "en", signup: str = SIGNUP) -> Settings:
    workspace = Workspace(folder)
    workspace.write(FILE.format(language=language, signup=signup))
    with open_app(folder / "digest.toml", NOW, {}) as app:
        return app.settings


def read_daily(folder: Path, language: str = "en") -> PublicDigestSettings:
    (daily,) = read(folder, language).public_digests
    return daily


@for_each_case("signup", ["", "[signup]", "[signup]\ndaily_papers = false"])
def test_it_is_there_only_where_it_is_switched_on(signup: str, tmp_path: Path) -> None:
    assert read(tmp_path, signup=signup).public_digests == ()


def test_it_follows_every_source_as_a_whole(tmp_path: Path) -> None:
    daily = read_daily(tmp_path)

    queries = [follow.query for follow in daily.digest.follows]
    assert queries == ["source:arxiv", "source:journal-of-things"]
    assert [str(parse(query)) for query in queries] == queries
    assert all(compile_text(query) for query in queries)
    assert (daily.name, daily.title) == ("daily-papers", "Daily papers")


@for_each_case("language, title", [("de", "Neue Arbeiten täglich"), ("zh", "每日论文")])
def test_its_title_is_in_the_language_of_the_site(language: str, title: str, tmp_path: Path) -> None:
    daily = read_daily(tmp_path, language)

    assert (daily.title, daily.digest.options.language) == (title, language)


def test_it_comes_before_those_of_the_file(tmp_path: Path) -> None:
    own = '[[public_digest]]\nname = "kv"\ndescription = "KV."\nschedule = "daily 7:00"\nkeywords = ["kv"]'
    settings = read(tmp_path, signup=f"{SIGNUP}\n{own}")

    assert [public_digest.name for public_digest in settings.public_digests] == ["daily-papers", "kv"]


def test_a_reader_can_subscribe_to_it(tmp_path: Path) -> None:
    read(tmp_path)
    with open_app(tmp_path / "digest.toml", NOW, {}) as app:
        app.apply_config()
        (daily,) = app.settings.public_digests
        with app.store.begin_planning() as tx:
            assert subscribe(tx, daily, "me@example.org", language="de", zone="Asia/Tokyo", now=NOW)
