"""A feed's address with a secret in it is shown to nobody: not in editions, documents, states or the status."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import LargeBinary, Text, cast, create_engine, delete, func, select, update

from digest.core.fetching.public_addresses import make_distinct_address
from digest.store.database.tables.column_types import metadata
from digest.testing.http_host import CannedResponse, ScriptedHost
from tests.support.workspace import Workspace

TOKEN = "word-0a1b2c3d"
NOW = datetime(2026, 6, 12, 7, 31, tzinfo=ZoneInfo("Europe/Berlin"))
FEED = b"""
    <rss version="2.0"><channel><title>Journal</title>
      <item><title>A paper about serving</title><pubDate>Fri, 12 Jun 2026 04:00:00 GMT</pubDate></item>
    </channel></rss>""".strip()


@pytest.fixture
def host() -> Iterator[ScriptedHost]:
    with ScriptedHost(feed=CannedResponse(FEED, headers={"ETag": '"1"'})) as host:
        yield host


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def write(workspace: Workspace, *sources: str) -> None:
    tables = "\n".join(f'[[source]]\nuse = "feed"\npace = 0\n{source}\n' for source in sources)
    digest = (
        '[[digest]]\nname = "all"\nto = ["files:mail"]\nschedule = "daily 07:30"\nkeywords = ["serving"]\n'
    )
    workspace.write(
        f'[store]\nurl = "sqlite:///digest.db"\n[output]\nfolder = "out"\n{tables}\n{digest}feed = true\n'
    )


def stored_names(workspace: Workspace) -> set[str]:
    """All names of sources in the database."""
    engine = create_engine(f"sqlite:///{workspace.folder / 'digest.db'}")
    with engine.connect() as connection:
        tables = [table for table in metadata.sorted_tables if "source" in table.c]
        results = {name for table in tables for (name,) in connection.execute(select(table.c.source))}
    engine.dispose()
    return results


def test_no_document_page_or_state_has_the_token_of_a_feed(
    workspace: Workspace, host: ScriptedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGEST_KEY", "7f0b8c1d9e2a4f56b3c8d7e6f5a49382")
    write(workspace, f'url = "{host.url}/feed?token={TOKEN}"')
    results = [workspace.run("run", "--json", now=NOW)]
    assert workspace.read_editions("all")[0]["items"][0]["event"]["source"] == f"{host.name}/feed"

    state = workspace.folder / "state"
    workspace.run("export", "--state", str(state), now=NOW)
    host.answers["/feed"] = CannedResponse(f"Who are you, {TOKEN}?".encode(), 403)
    later = NOW + timedelta(days=1)
    results += [
        workspace.run("run", "--json", now=later, status=1),
        workspace.run("status", "--json", now=later),
    ]
    results += [workspace.run("status", now=later)]
    assert results[2].json["paused"][0]["what"].startswith(f"http://{host.name}/feed~")
    workspace.run("export", "--state", str(workspace.folder / "later"), now=later)

    assert [result for result in results if TOKEN in result.output] == []
    files = [path for name in ("out", "state", "later") for path in (workspace.folder / name).rglob("*.*")]
    assert len(files) > 20
    assert [path for path in files if path.is_file() and TOKEN.encode() in path.read_bytes()] == []


ECHO = """
    <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/">
    <channel><title>Journal of @@</title><link>{host}/page?token=@@</link>
      <item><title>Serving one</title><link>{host}/1?Token=@@</link>
        <description>Read {host}/read?token=@@&amp;amp;page=2 for serving, or (@@). Your token @@ expires.</description>
        <category>@@</category><dc:creator>Ann @@; Bo Lee</dc:creator></item>
      <item><title>Serving two</title><link>{host}/2?auth=@@</link><prism:publicationName>@@ Letters</prism:publicationName>
        <description>Project page: https://example.org/project?token=@@ and code: https://github.com/@@/code</description></item>
      <item><title>Serving three</title><link>{host}/3#token=@@</link><dc:identifier>doi:10.1000/@@</dc:identifier></item>
      <item><title>Serving four</title><link>{host}/4;token=@@?page=2</link></item>
      <item><title>Serving five</title><link>{host}/@@/5</link></item>
      <item><title>Serving six</title><link>{host}/6?back=https%3A%2F%2Fexample.org%2F%3Fa%3D@@</link></item>
      <item><title>Serving seven</title><guid isPermaLink="false">@@-7</guid></item>
      <item><title>Serving eight for @@</title></item>
      <item><title>Serving nine</title><guid>{host}/9?token=@@</guid></item>
      <item><title>Serving &#119;ord-0a1b2c3d &amp;amp;#119;ord</title><link>https://@@@example.org/10</link></item>
    </channel></rss>""".strip().replace("</item>", "<pubDate>Fri, 12 Jun 2026 04:00:00 GMT</pubDate></item>")


def spell(token: str) -> str:
    """An address of the same value."""
    return token.replace("-", "%2D")


@pytest.mark.parametrize(
    ("parameter", "text"),
    [
        ("token", TOKEN),
        ("token", spell(TOKEN)),
        ("auth", TOKEN),
        ("k", "${FEED_WORD}"),
    ],
)
def test_a_token_that_a_feed_repeats_anywhere_reaches_no_reader_and_is_not_kept(
    workspace: Workspace, host: ScriptedHost, monkeypatch: pytest.MonkeyPatch, parameter: str, text: str
) -> None:
    monkeypatch.setenv("DIGEST_KEY", "7f0b8c1d9e2a4f56b3c8d7e6f5a49382")
    monkeypatch.setenv("FEED_WORD", TOKEN)
    write(workspace, f'url = "{host.url}/feed?{parameter}={text}"\nsecrets = ["${{FEED_WORD}}"]')
    for day, echoed in enumerate((TOKEN, spell(TOKEN))):
        host.answers["/feed"] = CannedResponse(ECHO.format(host=host.url).replace("@@", echoed).encode())
        ran = workspace.run("run", "--json", now=NOW + timedelta(days=day))
        assert TOKEN not in unquote(ran.output)
    titles = [item["paper"]["title"] for item in workspace.read_editions("all")[0]["items"]]
    assert sum(title.startswith("Serving") for title in titles) == 10

    workspace.run("export", "--state", str(workspace.folder / "state"), now=NOW + timedelta(days=1))
    files = [
        path for name in ("out", "state") for path in (workspace.folder / name).rglob("*") if path.is_file()
    ]
    assert [path for path in files if TOKEN.encode() in unquote_to_bytes(path.read_bytes())] == []
    assert shown(workspace) == []


def test_links_of_a_feed_with_a_secret_address_still_lead_to_their_papers(
    workspace: Workspace, host: ScriptedHost
) -> None:
    write(workspace, f'url = "{host.url}/feed?token={TOKEN}"')
    host.answers["/feed"] = CannedResponse(ECHO.format(host=host.url).replace("@@", TOKEN).encode())
    workspace.run("run", now=NOW)
    papers = {
        item["paper"]["title"]: item["paper"]["url"] for item in workspace.read_editions("all")[0]["items"]
    }

    assert [papers[f"Serving {number}"].removeprefix(host.url) for number in ("one", "two", "three", "four")] == [
        "/1", "/2", "/3", "/4?page=2",
    ]  # fmt: skip
    # Of what cannot be cut out nothing is left: the page of the feed stands for it.
    assert {papers[f"Serving {number}"] for number in ("five", "six", "seven")} == {f"{host.url}/page"}


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ('url = "{host}/feed?token={token}"\nname = "mine {token}"', "name"),
        ('url = "{host}/feed?token={token}"\ntitle = "Mine ({token})"', "title"),
        ('url = "{host}/{token}/rss"\nsecrets = ["{token}"]', "name"),
    ],
)
def test_a_name_that_would_show_a_secret_of_the_address_is_refused(
    workspace: Workspace, host: ScriptedHost, monkeypatch: pytest.MonkeyPatch, source: str, key: str
) -> None:
    monkeypatch.setenv("FEED_WORD", TOKEN)
    write(workspace, source.format(host=host.url, token=TOKEN))
    result = workspace.run("run", now=NOW, status=2)
    assert f"write another `{key}`" in result.errors
    assert TOKEN not in result.output + result.errors


def test_papers_of_feeds_that_differ_in_a_secret_of_the_path_are_different_papers(
    workspace: Workspace, host: ScriptedHost
) -> None:
    entries = """<item><title>Editorial on serving</title></item><item><title>Serving {0}</title><guid>17</guid></item>
        <item><title>Serving links</title><link>{1}/{0}/1</link></item><item><title>Serving links</title><link>{1}/{0}/2</link></item>"""
    dated = entries.replace("</item>", "<pubDate>Fri, 12 Jun 2026 04:00:00 GMT</pubDate></item>")
    sources = []
    for name, secret in (("one", "abcd-1234-aaaa"), ("two", "efgh-5678-bbbb")):
        feed = f'<rss version="2.0"><channel>{dated.format(secret, host.url)}</channel></rss>'
        host.answers[f"/u/{secret}/rss"] = CannedResponse(feed.encode())
        sources.append(f'url = "{host.url}/u/{secret}/rss"\nsecrets = ["{secret}"]\nname = "{name}"')
    write(workspace, *sources)
    workspace.run("run", now=NOW)

    items = workspace.read_editions("all")[0]["items"]
    assert len(items) == 2 * 4
    assert {item["paper"]["url"] for item in items} == {f"{host.url}/"}
    shown_texts = json.dumps(items) + str(stored(workspace))
    assert "1234-aaaa" not in shown_texts.replace("/u/abcd-1234-aaaa/rss", "")


@pytest.mark.parametrize("token", ["XkQzVtWpAb", "kxqzvtwpabn", "4711004"])
def test_a_secret_that_could_be_a_word_or_a_number_is_one_where_it_is_listed(
    workspace: Workspace, host: ScriptedHost, token: str
) -> None:
    write(workspace, f'url = "{host.url}/u/{token}/rss"\nsecrets = ["{token}"]\nname = "lab"')
    host.answers[f"/u/{token}/rss"] = CannedResponse(ECHO.format(host=host.url).replace("@@", token).encode())
    output = workspace.run("run", "--json", now=NOW).output

    assert len(workspace.read_editions("all")[0]["items"]) == 10
    assert token not in output
    assert [column for column, text in stored(workspace) if token in unquote(text)] == []
    files = [path for path in (workspace.folder / "out").rglob("*") if path.is_file()]
    assert [path for path in files if token.encode() in path.read_bytes()] == []

    write(workspace, f'url = "{host.url}/u/{token}/rss"\nsecrets = ["{token}"]')
    assert "write another `name`" in workspace.run("run", now=NOW, status=2).errors


def test_a_topic_that_looks_like_a_secret_stays_where_no_secrets_are_listed(
    workspace: Workspace, host: ScriptedHost
) -> None:
    topic = "word-embeddings2vec"
    write(workspace, f'url = "{host.url}/feed?key={topic}"\nsecrets = []\ntitle = "About {topic}"')
    entry = f"<title>Serving {topic}</title><link>{host.url}/{topic}/1?key={topic}</link>"
    feed = f"<item>{entry}<pubDate>Fri, 12 Jun 2026 04:00:00 GMT</pubDate></item>"
    host.answers["/feed"] = CannedResponse(f'<rss version="2.0"><channel>{feed}</channel></rss>'.encode())
    workspace.run("run", now=NOW)

    (item,) = workspace.read_editions("all")[0]["items"]
    assert item["paper"]["title"] == f"Serving {topic}"
    assert item["paper"]["url"] == f"{host.url}/{topic}/1?key={topic}"


def test_an_id_loses_the_token_whatever_becomes_of_its_letters(
    workspace: Workspace, host: ScriptedHost
) -> None:
    token = "Word-0A1B2C3D"
    entry = f"""<item><title>Serving {"量" * 990} {token}</title><author>{token}, Ann</author>
        <identifier xmlns="http://purl.org/dc/elements/1.1/">doi:10.1000/{token}</identifier>
        <guid>https://{token}.example.org/2</guid><pubDate>Fri, 12 Jun 2026 04:00:00 GMT</pubDate></item>"""
    host.answers["/feed"] = CannedResponse(f'<rss version="2.0"><channel>{entry}</channel></rss>'.encode())
    write(workspace, f'url = "{host.url}/feed?token={token}"')
    workspace.run("run", now=NOW)

    assert len(workspace.read_editions("all")[0]["items"]) == 1
    assert [
        text for column, text in stored(workspace) if "0a1b" in text.lower() and column != "source_state.url"
    ] == []
    files = [path for path in (workspace.folder / "out").rglob("*") if path.is_file()]
    assert [path for path in files if b"0a1b" in path.read_bytes().lower()] == []


def test_where_a_feed_has_moved_to_is_told_without_what_may_be_its_key(
    workspace: Workspace, host: ScriptedHost
) -> None:
    write(workspace, f'url = "{host.url}/feed"')
    host.answers["/feed"] = CannedResponse(
        b"", 302, headers={"Location": "ftp://example.org/new?k=abcd1234efgh"}
    )
    results = [workspace.run("run", "--json", now=NOW, status=1), workspace.run("status", now=NOW)]

    assert "ftp://example.org/new" in results[0].output
    assert "abcd1234efgh" not in "".join(result.output + result.errors for result in results)
    assert "abcd1234efgh" not in str(stored(workspace))


def test_a_state_keeps_what_a_secret_feed_answered_last(
    workspace: Workspace, host: ScriptedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGEST_KEY", "7f0b8c1d9e2a4f56b3c8d7e6f5a49382")
    write(workspace, f'url = "{host.url}/feed?token={TOKEN}"')
    state = str(workspace.folder / "state")
    workspace.run("run", now=NOW)
    workspace.run("export", "--state", state, now=NOW)
    for path in workspace.folder.glob("digest.db*"):
        path.unlink()
    workspace.run("run", "--state", state, now=NOW + timedelta(days=1))

    assert [request.headers.get("if-none-match") for request in host.requests] == [None, '"1"']


def test_feeds_that_differ_only_behind_the_path_need_a_name(workspace: Workspace, host: ScriptedHost) -> None:
    urls = [f'url = "{host.url}/feed?token={TOKEN}{number}"' for number in (1, 2)]
    write(workspace, *urls)
    result = workspace.run("run", now=NOW, status=2)
    assert "give one of them another `name`" in result.output
    assert TOKEN not in result.output

    write(workspace, urls[0], f'{urls[1]}\nname = "second"')
    workspace.run("run", now=NOW)
    assert stored_names(workspace) == {f"{host.name}/feed", "second"}


def store_as_before(workspace: Workspace, host: ScriptedHost) -> None:
    """Let the database be as a release left it that named the feed by its whole address, in keys of papers too."""
    key = f"url:https://{host.name}/feed"
    before, name = f"{key}?token={TOKEN}", f"{host.name}/feed"
    engine = create_engine(f"sqlite:///{workspace.folder / 'digest.db'}")
    with engine.begin() as connection:
        tables = metadata.tables
        now = make_distinct_address(f"http://{name}?token={TOKEN}").replace("http:", "url:https:")
        for column in (tables["papers"].c.key, tables["claims"].c.value):
            former = (now, before) if column.name == "key" else (now[4:], before[4:])
            connection.execute(update(column.table).values({column: func.replace(column, *former)}))
        url = tables["statements"].c.url
        full_document = {url: f"http://{name}?token={TOKEN}"}
        connection.execute(update(url.table).where(url == f"http://{name}").values(full_document))
        for table in metadata.sorted_tables:
            if "source" in table.c:
                named = update(table).where(table.c.source == name)
                connection.execute(named.values(source=f"{name}?token={TOKEN}"))
        connection.execute(delete(tables["notes"]).where(tables["notes"].c.name == "renewed_sources"))
    engine.dispose()


def shown(workspace: Workspace) -> list[tuple[str, str]]:
    """All that the database holds of the token, but for the addresses that are asked."""
    return [(column, text) for column, text in stored(workspace) if TOKEN in unquote(text)]


def stored(workspace: Workspace) -> list[tuple[str, str]]:
    """All texts that the database holds, with their columns, but for the addresses that are asked."""
    engine = create_engine(f"sqlite:///{workspace.folder / 'digest.db'}")
    with engine.connect() as connection:
        results = [
            (str(column), str(text))
            for table in metadata.sorted_tables
            for column in table.c
            if str(column) != "source_state.url" and not isinstance(column.type, LargeBinary)
            for text in connection.execute(select(cast(column, Text))).scalars()
        ]
    engine.dispose()
    return results


def test_after_an_upgrade_entries_without_a_link_are_not_told_again_and_the_token_is_gone(
    workspace: Workspace, host: ScriptedHost
) -> None:
    write(workspace, f'url = "{host.url}/feed?token={TOKEN}"')
    workspace.run("run", now=NOW)
    assert shown(workspace) == []
    store_as_before(workspace, host)
    assert {column for column, _ in shown(workspace)} >= {"papers.key", "claims.value", "statements.url"}

    second = b"<item><title>Another paper about serving</title></item></channel>"
    host.answers["/feed"] = CannedResponse(FEED.replace(b"</channel>", second))
    ran = workspace.run("run", "--json", now=NOW + timedelta(days=1))
    assert [(entry["received"], entry["added"]) for entry in ran.json["pulled"]] == [(2, 1)]
    assert shown(workspace) == []
    assert TOKEN not in ran.output


def test_a_file_that_names_a_feed_as_an_earlier_release_did_is_told_its_name_and_finds_what_it_found(
    workspace: Workspace, host: ScriptedHost
) -> None:
    write(workspace, f'url = "{host.url}/feed?token={TOKEN}"')
    file = workspace.folder / "digest.toml"
    former = f"{host.name}/feed?token={TOKEN}"
    wish = f"queries = ['serving AND source:{former}']\n"
    text = file.read_text().replace('keywords = ["serving"]\n', f'wait_for = ["{former}"]\n')
    file.write_text(f"{text}{wish}")

    ran = workspace.run("run", now=NOW)
    assert f"write its new name, '{host.name}/feed'" in " ".join(ran.errors.split())
    assert TOKEN not in ran.errors
    (item,) = workspace.read_editions("all")[0]["items"]
    assert TOKEN not in json.dumps(item)
    checked = workspace.run("check")
    assert f"write its new name, '{host.name}/feed'" in " ".join(checked.errors.split())
    assert shown(workspace) == []


def test_what_was_stored_by_the_whole_address_is_taken_over_and_nothing_is_told_again(
    workspace: Workspace, host: ScriptedHost
) -> None:
    write(workspace, f'url = "{host.url}/feed?token={TOKEN}"')
    workspace.run("run", now=NOW)
    store_as_before(workspace, host)
    assert stored_names(workspace) == {f"{host.name}/feed?token={TOKEN}"}

    document = workspace.run("run", "--json", now=NOW + timedelta(days=1)).json
    assert [entry["added"] for entry in document["pulled"]] == [0]
    assert stored_names(workspace) == {f"{host.name}/feed"}
    assert TOKEN not in json.dumps(workspace.run("status", "--json", now=NOW + timedelta(days=1)).json)
