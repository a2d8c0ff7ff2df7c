"""The public digests that ship: all new papers, and those that gain votes, in the language of the site."""

from __future__ import annotations

from pathlib import Path

from digest.app import open_app
from digest.config import PublicDigestSettings, Settings
from digest.core.language.parser import parse
from digest.jobs.subscribers.public_digests import subscribe
from digest.model import EventKind
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
TRENDING = "[signup]\ntrending = true"
VOTES = {"source": '[[source]]\nuse = "hf_daily"\n', "enricher": '[[enricher]]\nuse = "hf_daily"\n'}


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


# --- trending -------------------------------------------------------------------------------------


@for_each_case("table", list(VOTES))
def test_trending_papers_ship_where_a_source_or_an_enricher_counts_votes(table: str, tmp_path: Path) -> None:
    settings = read(tmp_path, signup=VOTES[table] + TRENDING)
    (trending,) = settings.public_digests
    (follow,) = trending.digest.follows
    options = trending.digest.options

    assert (trending.name, trending.title) == ("trending", "Trending")
    assert follow.query == str(parse(follow.query)) == "kind:trending"
    assert (options.kinds, options.limit) == ((EventKind.TRENDING,), 20)
    assert settings.warnings == ()


def test_without_votes_there_are_no_trending_papers_and_every_command_says_so(tmp_path: Path) -> None:
    settings = read(tmp_path, signup=f"{SIGNUP}\ntrending = true")

    assert [public_digest.name for public_digest in settings.public_digests] == ["daily-papers"]
    (warning,) = settings.warnings
    assert warning.startswith("trending = true in [signup] has no effect, because no source counts votes")


@for_each_case("language, title", [("de", "Im Trend"), ("zh", "热门")])
def test_trending_papers_have_a_title_in_the_language_of_the_site(
    language: str, title: str, tmp_path: Path
) -> None:
    (trending,) = read(tmp_path, language, VOTES["source"] + TRENDING).public_digests

    assert (trending.title, trending.digest.options.language) == (title, language)
    assert trending.description != "The papers that gained the most votes in a week, each of them once."


def test_both_ship_one_after_the_other(tmp_path: Path) -> None:
    both = VOTES["source"] + f"{SIGNUP}\ntrending = true"

    assert [digest.name for digest in read(tmp_path, signup=both).public_digests] == [
        "daily-papers",
        "trending",
    ]
