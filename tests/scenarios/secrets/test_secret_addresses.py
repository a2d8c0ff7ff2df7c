"""A feed's address with a secret in it is shown to nobody: not in editions, documents, states or the status."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import LargeBinary, Text, cast, create_engine, delete, func, select, update

from digest.core.fetching.public_addresses import make_distinct_address
from digest.store.database.types import metadata
from tests.fakes.scripted_host import Says, ScriptedHost
from tests.support.workspace import World

TOKEN = "word-0a1b2c3d"
NOW = datetime(2026, 6, 12, 7, 31, tzinfo=ZoneInfo("Europe/Berlin"))
FEED = b"""
    <rss version="2.0"><channel><title>Journal</title>
      <item><title>A paper about serving</title><pubDate>Fri, 12 Jun 2026 04:00:00 GMT</pubDate></item>
    </channel></rss>""".strip()


@pytest.fixture
def host() -> Iterator[ScriptedHost]:
    with ScriptedHost(feed=Says(FEED, headers={"ETag": '"1"'})) as host:
        yield host


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def write(world: World, *sources: str) -> None:
    tables = "\n".join(f'[[source]]\nuse = "feed"\npace = 0\n{source}\n' for source in sources)
    digest = (
        '[[digest]]\nname = "all"\nto = ["files:mail"]\nschedule = "daily 07:30"\nkeywords = ["serving"]\n'
    )
    world.write(
        f'[store]\nurl = "sqlite:///digest.db"\n[output]\nfolder = "out"\n{tables}\n{digest}feed = true\n'
    )


def stored_names(world: World) -> set[str]:
    """All names of sources in the database."""
    engine = create_engine(f"sqlite:///{world.folder / 'digest.db'}")
    with engine.connect() as connection:
        tables = [table for table in metadata.sorted_tables if "source" in table.c]
        found = {name for table in tables for (name,) in connection.execute(select(table.c.source))}
    engine.dispose()
    return found


def test_no_document_page_or_state_has_the_token_of_a_feed(
    world: World, host: ScriptedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGEST_KEY", "7f0b8c1d9e2a4f56b3c8d7e6f5a49382")
    write(world, f'url = "{host.url}/feed?token={TOKEN}"')
    told = [world.run("run", "--json", now=NOW)]
    assert world.editions("all")[0]["items"][0]["event"]["source"] == f"{host.name}/feed"

    state = world.folder / "state"
    world.run("export", "--state", str(state), now=NOW)
    host.answers["/feed"] = Says(f"Who are you, {TOKEN}?".encode(), 403)
    later = NOW + timedelta(days=1)
    told += [world.run("run", "--json", now=later, status=1), world.run("status", "--json", now=later)]
    told += [world.run("status", now=later)]
    assert told[2].json["paused"][0]["what"].startswith(f"http://{host.name}/feed~")
    world.run("export", "--state", str(world.folder / "later"), now=later)

    assert [one for one in told if TOKEN in one.output] == []
    files = [path for name in ("out", "state", "later") for path in (world.folder / name).rglob("*.*")]
    assert len(files) > 20
    assert [path for path in files if path.is_file() and TOKEN.encode() in path.read_bytes()] == []


def test_a_state_keeps_what_a_secret_feed_answered_last(
    world: World, host: ScriptedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGEST_KEY", "7f0b8c1d9e2a4f56b3c8d7e6f5a49382")
    write(world, f'url = "{host.url}/feed?token={TOKEN}"')
    state = str(world.folder / "state")
    world.run("run", now=NOW)
    world.run("export", "--state", state, now=NOW)
    for path in world.folder.glob("digest.db*"):
        path.unlink()
    world.run("run", "--state", state, now=NOW + timedelta(days=1))

    assert [asked.headers.get("if-none-match") for asked in host.requests] == [None, '"1"']


def test_feeds_that_differ_only_behind_the_path_need_a_name(world: World, host: ScriptedHost) -> None:
    urls = [f'url = "{host.url}/feed?token={TOKEN}{number}"' for number in (1, 2)]
    write(world, *urls)
    told = world.run("run", now=NOW, status=2)
    assert "give one of them another `name`" in told.output
    assert TOKEN not in told.output

    write(world, urls[0], f'{urls[1]}\nname = "second"')
    world.run("run", now=NOW)
    assert stored_names(world) == {f"{host.name}/feed", "second"}


def store_as_before(world: World, host: ScriptedHost) -> None:
    """Let the database be as a release left it that named the feed by its whole address, in keys of papers too."""
    key = f"url:https://{host.name}/feed"
    before, name = f"{key}?token={TOKEN}", f"{host.name}/feed"
    engine = create_engine(f"sqlite:///{world.folder / 'digest.db'}")
    with engine.begin() as connection:
        tables = metadata.tables
        now = make_distinct_address(f"http://{name}?token={TOKEN}").replace("http:", "url:https:")
        for column in (tables["papers"].c.key, tables["claims"].c.value):
            former = (now, before) if column.name == "key" else (now[4:], before[4:])
            connection.execute(update(column.table).values({column: func.replace(column, *former)}))
        url = tables["statements"].c.url
        whole = {url: f"http://{name}?token={TOKEN}"}
        connection.execute(update(url.table).where(url == f"http://{name}").values(whole))
        for table in metadata.sorted_tables:
            if "source" in table.c:
                named = update(table).where(table.c.source == name)
                connection.execute(named.values(source=f"{name}?token={TOKEN}"))
        connection.execute(delete(tables["notes"]).where(tables["notes"].c.name == "renewed_sources"))
    engine.dispose()


def shown(world: World) -> list[tuple[str, str]]:
    """All that the database holds of the token, but for the addresses that are asked."""
    engine = create_engine(f"sqlite:///{world.folder / 'digest.db'}")
    with engine.connect() as connection:
        found = [
            (str(column), text)
            for table in metadata.sorted_tables
            for column in table.c
            if str(column) != "source_state.url" and not isinstance(column.type, LargeBinary)
            for text in connection.execute(select(cast(column, Text))).scalars()
            if TOKEN in str(text)
        ]
    engine.dispose()
    return found


def test_after_an_upgrade_entries_without_a_link_are_not_told_again_and_the_token_is_gone(
    world: World, host: ScriptedHost
) -> None:
    write(world, f'url = "{host.url}/feed?token={TOKEN}"')
    world.run("run", now=NOW)
    assert shown(world) == []
    store_as_before(world, host)
    assert {column for column, _ in shown(world)} >= {"papers.key", "claims.value", "statements.url"}

    second = b"<item><title>Another paper about serving</title></item></channel>"
    host.answers["/feed"] = Says(FEED.replace(b"</channel>", second))
    ran = world.run("run", "--json", now=NOW + timedelta(days=1))
    assert [(one["received"], one["added"]) for one in ran.json["pulled"]] == [(2, 1)]
    assert shown(world) == []
    assert TOKEN not in ran.output


def test_a_file_that_names_a_feed_as_an_earlier_release_did_is_told_its_name_and_finds_what_it_found(
    world: World, host: ScriptedHost
) -> None:
    write(world, f'url = "{host.url}/feed?token={TOKEN}"')
    file = world.folder / "digest.toml"
    former = f"{host.name}/feed?token={TOKEN}"
    wish = f"queries = ['serving AND source:{former}']\n"
    text = file.read_text().replace('keywords = ["serving"]\n', f'wait_for = ["{former}"]\n')
    file.write_text(f"{text}{wish}")

    ran = world.run("run", now=NOW)
    assert f"write '{host.name}/feed', its name now" in " ".join(ran.errors.split())
    assert TOKEN not in ran.errors
    (item,) = world.editions("all")[0]["items"]
    assert TOKEN not in json.dumps(item)
    checked = world.run("check")
    assert f"write '{host.name}/feed', its name now" in " ".join(checked.errors.split())
    assert shown(world) == []


def test_what_was_stored_by_the_whole_address_is_taken_over_and_nothing_is_told_again(
    world: World, host: ScriptedHost
) -> None:
    url = f'url = "{host.url}/feed?token={TOKEN}"'
    write(world, f'{url}\nname = "{host.name}/feed?token={TOKEN}"')
    world.run("run", now=NOW)
    assert stored_names(world) == {f"{host.name}/feed?token={TOKEN}"}

    write(world, url)
    told = world.run("run", "--json", now=NOW + timedelta(days=1)).json
    assert [one["added"] for one in told["pulled"]] == [0]
    assert stored_names(world) == {f"{host.name}/feed"}
    assert TOKEN not in json.dumps(world.run("status", "--json", now=NOW + timedelta(days=1)).json)
