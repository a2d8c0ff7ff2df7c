"""The documentation says what is there: commands, options, keys, layers, flow, configurations, links."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click
import pytest
import yaml  # type: ignore[import-untyped]
from click.testing import CliRunner
from sqlalchemy import update

from digest.app import open_app
from digest.cli import cli
from digest.config import Settings, read_settings
from digest.core.language.parser import parse, parse_with_hints
from digest.core.language.query import Phrase, compile_query
from digest.core.matching.percolator.terms import list_word_sequences, make_keys
from digest.core.matching.positions import find_spans
from digest.core.papers.document import Text
from digest.core.subscribers.api_tokens import Scope, TokenChoice
from digest.core.subscribers.opinions import Opinion
from digest.core.text.words import find_query_forms
from digest.demo.publisher import Publisher, WireResponse, load_shipped_papers
from digest.jobs.services import make_sources
from digest.jobs.subscribers import opinions
from digest.jobs.subscribers.public_digests import subscribe
from digest.jobs.subscribers.search_digests import make_search_digest
from digest.store.database import leases
from digest.store.database.tables.digests import deliveries
from digest.store.delivery import rates, suppressions
from digest.store.editions.held_runs import hold_run
from digest.store.operations import notices
from digest.store.operations.growth import ReaderEvent, count_event
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.tokens.api_tokens import add_token
from digest.store.workers.hints import Queue
from digest.testing.mail_server import MailServer
from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.history import History
from tests.arxiv_service.release_times import get_feed_time
from tests.arxiv_service.server import ArxivService
from tests.core.delivery.bounces.returned_mails import make_dsn
from tests.generators.metadata_snapshot import make_record, write_snapshot
from tests.simulation.pull_workspace import DAYS, LAPTOP, SECTIONS, make_arxiv_config
from tests.support.cases import for_each_case
from tests.support.processes import kill_at_end
from tests.support.workspace import Workspace, make_config

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
COMMANDS = (DOCS / "reference" / "commands.md").read_text("utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def slug(heading: str) -> str:
    """What a heading's anchor is called where these pages are shown."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


# --- links ----------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", prose, re.MULTILINE)}


@for_each_case("page", PAGES)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if target.startswith(("https://", "http://")):
            continue
        file, _, anchor = target.partition("#")
        there = page.parent / file if file else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there), target


def test_every_page_is_in_an_index() -> None:
    index = (DOCS / "README.md").read_text("utf-8") + (DOCS / "decisions" / "README.md").read_text("utf-8")

    for page in DOCS.rglob("*.md"):
        if page.name != "README.md":
            assert f"{page.name})" in index, f"{name_of(page)} is in no index"


# --- for who joins --------------------------------------------------------------------------------


def test_who_joins_has_a_short_command_for_each_check() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipes = dict(re.findall(r"^([a-z]+):  ## .*\n((?:\t.*\n)+)", makefile, re.MULTILINE))
    named = re.findall(r"^\| `make ([a-z]+)` \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    assert named
    assert set(named) <= set(recipes)

    checks = [line.strip() for line in recipes["lint"].splitlines()]
    style = re.search(
        r"^style\(\) \{\n(.*?)^\}", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert style
    assert [line.strip() for line in style[1].splitlines()][1:] == checks
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]
    assert [hook["entry"].replace(" --force-exclude", "") for hook in hooks] == checks


def test_the_lock_has_all_that_the_project_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {re.split(r"[\[<>=!~; ]", text)[0].lower() for texts in needed for text in texts}
    locked = re.findall(r"^([\w.-]+)==", (ROOT / "requirements-dev.lock").read_text("utf-8"), re.MULTILINE)

    assert names <= set(locked)
    assert "uvloop" in names


def test_the_site_of_the_documentation_has_every_page() -> None:
    listed = re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


# --- configurations -------------------------------------------------------------------------------


def whole_files(page: Path) -> Iterator[str]:
    """The configurations of a page; what comes later adds its tables, and takes a key's place, as a reader would."""
    text = ""
    for block in blocks(page, "toml"):
        if "[[digest]]" in block:
            text = block
        elif text:
            text += f"\n{block}"
        yield text or block


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "quickstart.md"], ids=name_of)
def test_the_configurations_to_start_from_work(page: Path, tmp_path: Path) -> None:
    results = list(whole_files(page))
    assert results

    for text in results:
        settings = read(tmp_path, text)
        assert next(iter(make_sources(settings))) == "arxiv"
        assert settings.digests[0].follows


def read(folder: Path, text: str) -> Settings:
    path = folder / "digest.toml"
    login = tomllib.loads(text).get("smtp", {}).get("username")
    path.write_text(text, encoding="utf-8")
    return read_settings(path, {"DIGEST_SMTP_PASSWORD": "secret"} if login else {})


# --- what lies inside -----------------------------------------------------------------------------


def test_the_flow_is_that_of_the_steps() -> None:
    lines = [
        line for block in blocks(DOCS / "internals.md", "") for line in block.splitlines() if "→" in line
    ]

    steps = [
        line
        for module in (
            "cycle",
            "fetching/pull",
            "matching/match",
            "editions/compose",
            "editions/selection",
            "delivery/dispatcher",
            "enrich",
        )
        for line in re.findall(
            r"^``(.*→.*)``", (ROOT / "digest" / "jobs" / f"{module}.py").read_text("utf-8"), re.MULTILINE
        )
    ]
    assert lines == steps
    written = [
        path.stem
        for path in (ROOT / "digest" / "jobs").rglob("*.py")
        if "→" in path.read_text("utf-8").split('"""')[1]
    ]
    assert sorted(written) == ["compose", "cycle", "dispatcher", "enrich", "match", "pull", "selection"]


def test_the_layers_are_those_that_are_held() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]

    assert "\n".join(layers) + "\n" in blocks(DOCS / "internals.md", "")


def test_every_name_of_a_file_in_the_pages_about_the_inside_is_one() -> None:
    for page in (DOCS / "internals.md", *(DOCS / "decisions").glob("*.md")):
        for name in re.findall(r"`((?:\w+/)*\w+\.py)`", page.read_text("utf-8")):
            assert (ROOT / "digest" / name).is_file(), f"{name_of(page)}: {name}"


def test_the_query_that_is_followed_from_text_to_hit_is_read_kept_and_filed_as_told() -> None:
    page = (DOCS / "internals.md").read_text("utf-8")
    (part,) = re.findall(r"^## One query, from text to hit\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)
    (typed,) = re.findall(r"The reader follows `(.*?)`", part)
    (fitting, leaf) = re.findall(r"(`[^.]*) fit `([^`]*)`", part)[0]

    parsed_query = parse_with_hints(typed)

    assert f"`{parsed_query.display_text}`" in part
    assert f"`{parsed_query.query}`" in part
    assert f"`{compile_query(parsed_query.query)}`" in part
    words = parse(leaf)
    assert isinstance(words, Phrase)
    assert str(words) in str(parsed_query.query)
    for text in re.findall(r"`(.*?)`", fitting):
        assert find_spans(Text(source_lines=(text,)), words) == [(0, len(text))]
    rows = [
        tuple(make_keys(find_query_forms(word))[0] for word in way)
        for way in list_word_sequences(words.units) or ()
    ]
    assert {" ".join(row) for row in rows} == set(re.findall(r"filed under `(.*?)` and `(.*?)`", part)[0])


# --- commands and options -------------------------------------------------------------------------


def commands(group: click.Group = cli, above: str = "digest") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{above} {name}")
        else:
            yield f"{above} {name}", command


ALL = dict(commands())


@cache
def sections() -> Mapping[str, str]:
    """The page by its third headings."""
    parts = re.split(r"^### (.*)$", COMMANDS, flags=re.MULTILINE)
    return {heading.strip("`"): text for heading, text in zip(parts[1::2], parts[2::2], strict=True)}


@cache
def headings() -> Mapping[str, str]:
    """The headings by what links call them."""
    return {slug(heading): heading for heading in sections()}


def test_every_command_has_its_section_and_nothing_else_has() -> None:
    assert sorted(heading for heading in sections() if heading.startswith("digest ")) == sorted(ALL)


@for_each_case("name", ALL)
def test_a_commands_line_has_its_arguments_and_options(name: str) -> None:
    text = sections()[name]
    (line,) = re.findall(rf"^```\n({name}.*)\n```$", text, re.MULTILINE)
    context = click.Context(ALL[name], info_name=name)
    arguments = [
        param.make_metavar(context) for param in ALL[name].params if isinstance(param, click.Argument)
    ]
    options = {
        opt
        for param in ALL[name].params
        if isinstance(param, click.Option)
        for opt in (*param.opts, *param.secondary_opts)
    }

    document = line.removeprefix(name)
    assert set(re.findall(r"--[\w-]+", document)) == options
    assert re.sub(r"\[--[^\]]*\]|--[\w-]+ [A-Z]+", "", document).split() == arguments


@for_each_case("name", ALL)
def test_every_option_is_explained(name: str) -> None:
    common = set(re.findall(r"^\| `(--[\w-]+)", COMMANDS.partition("\n## Exit status")[0], re.MULTILINE))
    assert common == {"--config", "--now", "--json", "--apply"}
    text = sections()[name]
    own = {param.opts[0]: param for param in ALL[name].params if isinstance(param, click.Option)}

    for option, param in own.items():
        assert option in common or re.search(rf"^\| `{option}\b|`{option}` \w", text, re.MULTILINE), option
        if isinstance(param.type, click.Choice):
            for choice in param.type.choices:
                assert f"`{choice}`" in text
        if isinstance(param.default, int) and not param.is_flag:
            assert f"{param.default} by default" in text
    assert set(re.findall(r"^\| `(--[\w-]+)", text, re.MULTILINE)) <= set(own)


def test_the_queues_of_a_worker_are_explained() -> None:
    table = sections()["digest worker"].partition("| queue, the most urgent first |")[2]

    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [
        queue for queue in Queue if queue is not Queue.TICK
    ]


# --- documents ------------------------------------------------------------------------------------

FRIDAY = date(2026, 5, 8)
SMTP = '\n[smtp]\nhost = "127.0.0.1"\nport = {}\nsecurity = "none"\nfrom = "digest@example.org"\n'


def tables(text: str) -> list[set[str]]:
    """The keys of each table of keys in a section, with those that it links to."""
    results = []
    for head, body in re.findall(r"^\| (JSON.*|key) \| \|\n\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE):
        assert head
        results.append({key for row in body.splitlines() for key in _keys(*row.strip("|").split("|", 1))})
    return results


def _keys(cell: str, about: str) -> Iterator[str]:
    names = re.findall(r"`([^`]+)`", cell) or [""]
    parts = headings()
    linked = [parts[anchor] for anchor in re.findall(r"\]\(#(an?-[\w-]+)\)", about)]
    for name in names:
        below = [key for heading in linked for table in tables(sections()[heading]) for key in table]
        yield from (f"{name}.{key}".lstrip(".") for key in below) if linked else [name]


def leaves(document: Any, at: str = "") -> Iterator[str]:
    match document:
        case dict():
            for key, value in document.items():
                yield from leaves(value, f"{at}.{key}" if at else key)
        case list():
            for value in document or [None]:
                yield from leaves(value, f"{at}[]" if at else "")
        case _:
            yield at


def as_documented(printed: set[str], table: set[str]) -> set[str]:
    """Keys as a table has them: ``*`` stands for what is data, and a list that was always empty for its entries."""
    stars = [key for key in table if key.endswith(".*")]
    results = {next((star for star in stars if key.startswith(star[:-1])), key) for key in printed}
    below = {
        key: {text for text in table if text.startswith(f"{key}.")} for key in results if key.endswith("[]")
    }
    never = [keys for keys in below.values() if not keys & results]
    return {key for key in results if not below.get(key)}.union(*never)


def at(clock: str, day: date = FRIDAY) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), ZoneInfo("Europe/Berlin"))


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """All that commands print with ``--json`` in two days in which everything happens."""
    with (
        Publisher(load_shipped_papers(), day=FRIDAY - timedelta(1)) as publisher,
        MailServer() as mail_server,
    ):
        mail_server.refusals["gone@example.org"] = "550 5.1.1 no such user"
        workspace = Workspace(tmp_path_factory.mktemp("documents"))
        to = '"files:mail", "me@example.org", "gone@example.org"'
        more = 'latest = "10:00"'
        text = make_config(publisher.url, to=to, more=more).replace("limit = 25", "limit = 2")
        back = '[bounces]\naddress = "bounces@example.org"\nmailbox = "maildir:back"\n'
        knows = f'[[enricher]]\nuse = "hf_daily"\nurl = "{publisher.url}/papers/"\npace = 0\nquota = 4\n'
        workspace.write(
            text + SMTP.format(mail_server.port) + back + '[delivery]\nrate = "100/second"\n' + knows
        )
        (workspace.folder / "back" / "new").mkdir(parents=True)
        return _happen(workspace, publisher)


def _happen(workspace: Workspace, publisher: Publisher) -> dict[str, list[Any]]:
    printed: dict[str, list[Any]] = {}

    def ask(
        command: str, *arguments: str, now: datetime | None = None, status: int = 0, table: str = ""
    ) -> None:
        ran = workspace.run(*command.split(), *arguments, "--json", now=now, status=status)
        printed.setdefault(f"digest {command}{table}", []).append(ran.json)

    ask("db upgrade")
    ask("run", now=at("07:31", FRIDAY - timedelta(1)), status=1)
    publisher.day = FRIDAY
    publisher.stale_days = {"cs.DC": FRIDAY - timedelta(1)}
    ask("run", now=at("07:31"))
    publisher.stale_days.clear()
    ask("compose", now=at("07:40"))
    ask("pull", now=at("08:00"))
    ask("match", now=at("08:00"))
    ask("compose", now=at("08:00"))
    ask("deliver", now=at("08:00"))
    ask("enrich", "--most", "1", now=at("08:00", FRIDAY + timedelta(1)))
    _import_files(ask, workspace)
    for command in ("status", "pause systems", "status", "resume systems"):
        name, *digest = command.split()
        ask(name, *digest, now=at("08:00"))
    ask("check")
    for query in ("LLM serving", "serving and LLM", "serving elephants"):
        ask("try", query, now=at("08:00"))
    for query in ("serving", "xylophonist serving"):
        ask("search", query)
    for paper in ("2605.06472", "2605.05219"):
        ask("why", "systems", paper)
    ask("papers show", "2605.06472")
    for command in ("papers part", "papers join"):
        ask(command, "2605.06472", "10.1000/another", status=1)
    _ask_about_people(ask)
    ask("subscribers list")
    _ask_about_bounces(ask, workspace)
    with open_app(workspace.folder / "digest.toml", at("08:00"), {}) as app:
        opinions.save_opinion(app.store, 1, 1, Opinion.SAVED, app.clock())
    ask("subscribers stop", "gone@example.org")
    ask("subscribers unsuppress", "--reason", "no such user", "--dry-run")
    ask("subscribers resume", "gone@example.org", "--yes")
    _ask_about_readers(ask, workspace)
    _ask_what_was_told(ask)
    _decide_about_deliveries(ask, workspace)
    _ask_what_would_go_out(ask)
    with open_app(workspace.folder / "digest.toml", at("08:00"), {}) as app, app.store.begin_write() as tx:
        leases.claim(tx, "cycle", "elsewhere:1", app.clock())
    ask("run", now=at("08:00"))
    printed["digest serve"] = [_served(workspace, publisher)]
    _ask_about_feeds(ask, workspace)
    key = ["dkim-key", "example.org", "--kind", "ed25519", "--file", str(workspace.folder / "key.pem")]
    for words in (["demo", str(workspace.folder / "demo")], ["init", str(workspace.folder / "new")], key):
        result = CliRunner().invoke(cli, [*words, "--json"])
        printed[f"digest {words[0]}"] = [json.loads(result.stdout)]
    _back_up_and_restore(ask, workspace)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DIGEST_KEY", "5b1ad0f5f2c34d0e9d1b7c0d2e8a4f61")
        ask("export", "--state", str(workspace.folder / "state"))
    printed["digest backfill"] = [_backfilled(workspace)]
    return printed


def _back_up_and_restore(ask: Callable[..., None], workspace: Workspace) -> None:
    """Restore a backup under another name, and look at what it would repeat."""
    ask("db backup", str(workspace.folder / "copy.db"))
    config = workspace.folder / "digest.toml"
    text = config.read_text("utf-8")
    config.write_text(text.replace("digest.db", "restored.db"), encoding="utf-8")
    ask("db restore", str(workspace.folder / "copy.db"))
    with open_app(config, None, {}) as app, app.store.begin_write() as tx:
        tx.execute(update(deliveries).values(state="ready"))
    ask("check", "--restored", table=" 2")
    ask("deliveries release", "--restored")
    config.write_text(text, encoding="utf-8")


def _ask_what_would_go_out(ask: Callable[..., None]) -> None:
    ask("preview", "systems", now=at("08:00"))
    ask("preview", "systems", "--to", "me@example.org", now=at("08:00"), table=" 2")


def _ask_about_feeds(ask: Callable[..., None], workspace: Workspace) -> None:
    """Where feeds are, in a folder and on a site."""
    ask("feeds list")
    config = workspace.folder / "digest.toml"
    with_site = config.read_text("utf-8").replace("[site]", '[site]\nurl = "https://digest.example.org"')
    config.write_text(with_site, encoding="utf-8")
    ask("feeds list")
    ask("feeds renew", "systems")
    public_digest = """
    [signup]
    who = "invited"

    [[public_digest]]
    name = "serving"
    description = "Serving"
    schedule = "daily 7:00"
    keywords = ["serving"]
    """
    config.write_text(f"{with_site}{public_digest}", encoding="utf-8")
    with open_app(config, at("08:00"), {}) as app, app.store.begin_write() as tx:
        suppressions.suppress_address(tx, "left@example.org", app.clock(), until=None, report=1)
    ask("subscribers invite", "ada@example.org", "left@example.org")


def _decide_about_deliveries(ask: Callable[..., None], workspace: Workspace) -> None:
    """A run that is held, a server in trouble and a domain that wants less, and what an operator does about it."""
    with open_app(workspace.folder / "digest.toml", at("08:00"), {}) as app, app.store.begin_write() as tx:
        hold_run(tx, 1, "too much of it was refused")
        rates.pause_server(tx, "127.0.0.1:25", app.clock(), "nothing answers there")
        rates.reduce_domain_rate(tx, "example.org", 1.0, app.clock(), "450 4.7.1 too many")
    ask("status", now=at("08:00"))
    ask("deliver", now=at("08:00"), status=1)
    ask("deliveries release", "1")
    ask("deliveries retry", "--state", "refused", now=at("08:00"))
    ask("deliveries drop", "--state", "ready")


def _ask_about_bounces(ask: Callable[..., None], workspace: Workspace) -> None:
    """A bounce and other mail in the mailbox, and who is suppressed."""
    with open_app(workspace.folder / "digest.toml", at("08:00"), {}) as app:
        assert app.return_path is not None
        came_back = make_dsn("4.2.2", "smtp; 452 4.2.2 full", to="me@example.org").replace(
            "{path}", app.return_path.make_address(2)
        )
    (workspace.folder / "back" / "new" / "1").write_text(came_back, encoding="utf-8")
    (workspace.folder / "back" / "new" / "2").write_text("Subject: hello\n\n", encoding="utf-8")
    ask("bounces read")
    ask("bounces list")
    ask("status", now=at("08:00"))


def _ask_about_readers(ask: Callable[..., Any], workspace: Workspace) -> None:
    """A digest that a reader makes on the site, exported and ended."""
    search_digest = make_search_digest("graph", "en")
    assert search_digest is not None
    reader = "reader@example.org"
    with open_app(workspace.folder / "digest.toml", at("08:00"), {}) as app, app.store.begin_planning() as tx:
        subscribe(tx, search_digest, reader, language="en", zone="UTC", now=app.clock())
        choice = TokenChoice(name="notebook", scopes=frozenset(Scope), lifetime=timedelta(days=30))
        subscriber = find_subscriber_id(tx, reader)
        assert subscriber is not None
        add_token(tx, "sample", subscriber, choice, app.clock())
        count_event(tx, ReaderEvent.SIGN_UP, app.clock())
        notices.record_notice(tx, "x", "A problem.", app.clock())
    ask("subscribers tokens", reader)
    ask("subscribers growth")
    ask("notices")
    ask("subscribers export", reader, "--output", str(workspace.folder / "reader.zip"))
    ask("subscribers end", reader, search_digest.name, "--yes")


def _ask_what_was_told(ask: Callable[..., None]) -> None:
    for command in ("capacity", "saved", "editions", "deliveries list", "deliveries domains", "audit"):
        ask(command)
    ask("editions", "1", table=" 2")
    ask("tidy", "--dry-run", now=at("08:00"))
    ask("tidy", now=at("08:00"))


def _import_files(ask: Callable[..., None], workspace: Workspace) -> None:
    snapshot = write_snapshot(
        workspace.folder / "arxiv.json", [json.dumps(make_record("0704.0001", title="A")), "{"]
    )
    ask("import", "--papers", str(snapshot), table=" 2")
    refs = "@misc{a, title={A}, eprint={2401.00001}}@misc{b, title={B}}@misc{c, title={C}, eprint={2401.00001}}@misc{d"
    (workspace.folder / "refs.bib").write_text(refs, encoding="utf-8")
    ask("import", str(workspace.folder / "refs.bib"))


def _ask_about_people(ask: Callable[..., None]) -> None:
    """Everything that can be asked and said of two papers' Wei Wang."""
    ask("people list")
    ask("people find", "Wei Wang")
    ask("people find", "Wei Wnag", status=1)
    ask("people confirm", "2605.06055#7", "--orcid", "0000-0002-1825-0097")
    ask("people merge", "2605.06055#7", "2605.06534#16")
    ask("people split", "2605.06055#7", "2605.06534")
    ask("people confirm", "2605.06055#7", "--digest", "systems", "--not")
    ask("people show", "2605.06055#7")


def _backfilled(workspace: Workspace) -> Any:
    """What ``digest backfill`` prints of a day that was missed."""
    history = History(make_announcements(random.Random(1), DAYS, SECTIONS, 3))
    elsewhere = Workspace(workspace.folder / "past")
    elsewhere.folder.mkdir()
    with ArxivService(history, now=get_feed_time(DAYS[3]) + timedelta(hours=1)) as service:
        elsewhere.write(make_arxiv_config(service, f"sqlite:///{elsewhere.folder}/past.db", LAPTOP))
        days = ["--from", DAYS[1].isoformat(), "--until", DAYS[2].isoformat()]
        return elsewhere.run("backfill", "arxiv", *days, "--json", now=service.now).json


def _served(workspace: Workspace, publisher: Publisher) -> Any:
    """What ``digest serve`` prints when it is stopped at its first request."""
    command = [sys.executable, "-m", "digest", "serve", "--json", "--config", "new.toml"]
    text = (workspace.folder / "digest.toml").read_text("utf-8")
    (workspace.folder / "new.toml").write_text(text.replace("digest.db", "new.db"), encoding="utf-8")
    process = subprocess.Popen(command, cwd=workspace.folder, stdout=subprocess.PIPE, text=True)
    with kill_at_end(process):

        def stop(answer: WireResponse) -> WireResponse:
            process.terminate()
            return answer

        publisher.faults["cs.DC"] = stop
        told, _ = process.communicate()
    publisher.faults.clear()
    return json.loads(told)


DOCUMENTED = [
    (f"{name}{' 2' * number}", table) for name in ALL for number, table in enumerate(tables(sections()[name]))
]


@pytest.mark.parametrize(("name", "table"), DOCUMENTED, ids=[name for name, _ in DOCUMENTED])
def test_every_key_of_a_document_is_there_and_no_other(
    name: str, table: set[str], documents: dict[str, list[Any]]
) -> None:
    printed = {key for document in documents[name] for key in leaves(document)}

    assert as_documented(printed, table) == table


def test_no_file_has_the_marks_of_a_merge_that_was_not_finished() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("this is no git checkout")
    files = [ROOT / name for name in tracked.stdout.splitlines()]
    marks = re.compile(rb"^(?:<{7} |>{7} |={7}$)", re.MULTILINE)

    assert [file for file in files if file.is_file() and marks.search(file.read_bytes())] == []
