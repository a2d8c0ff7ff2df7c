"""What the how-to pages show works as it stands there."""

from __future__ import annotations

import re
import shlex
import subprocess
import textwrap
import tomllib
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml  # type: ignore[import-untyped]
from babel.messages.frontend import CommandLineInterface
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.config import read_settings
from digest.demo.publisher import Publisher
from digest.errors import OptionError, SourceError
from digest.model import Ask, Subject, SubjectKind
from digest.ports import Enricher, Response, Source
from digest.render.languages.by_name import get_locale
from tests.support.cases import for_each_case
from tests.support.workspace import Workspace

HOWTO = Path(__file__).parents[2] / "docs" / "howto"
PAGE = HOWTO / "write-a-source.md"
PLUGINS = {
    "bulletin": PAGE,
    "reading_club": HOWTO / "write-an-enricher.md",
    "mbox": HOWTO / "write-a-channel.md",
    "schedule_page": HOWTO / "write-a-page.md",
}
DAY = date(2026, 6, 12)


def block(language: str, page: Path = PAGE) -> str:
    """The first block of a language on a page."""
    match = re.search(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Python finds the files of the pages."""
    monkeypatch.syspath_prepend(str(HOWTO / "plugins"))
    return HOWTO / "plugins"


@for_each_case("name", PLUGINS)
def test_a_page_shows_the_whole_file_which_is_linted_and_typed_as_all_others_are(name: str) -> None:
    assert block("python", PLUGINS[name]) == (HOWTO / "plugins" / f"{name}.py").read_text("utf-8")


@pytest.mark.usefixtures("folder")
@for_each_case("page", [page.name for name, page in PLUGINS.items() if name != "schedule_page"])
def test_the_test_of_a_page_is_green(page: str, tmp_path: Path) -> None:
    (tmp_path / "recorded.json").write_text(block("json"), encoding="utf-8")
    text = (
        (HOWTO / page)
        .read_text("utf-8")
        .replace('Path("recorded.json")', f'Path("{tmp_path}/recorded.json")')
    )
    names: dict[str, Any] = {}
    exec(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[-1], names)
    (test,) = (value for name, value in names.items() if name.startswith("test_"))

    test(**({"tmp_path": tmp_path / "box"} if "tmp_path" in test.__annotations__ else {}))


def made(**options: Any) -> Source:
    """The source as the configuration of the page names it."""
    (table,) = tomllib.loads(block("toml"))["source"]
    plugin: type[Source] = plugins.load("sources", table.pop("use"))
    return plugins.build(plugin, table | options)


def read(source: Source, body: bytes, status: int = 200) -> Any:
    ask = Ask(source=source.name, section=source.sections[0], route=source.fetch_routes[0].name, day=DAY)
    request = source.start(ask, "", datetime(2026, 6, 12, 7, tzinfo=UTC))
    assert request.url == "https://bulletin.example.org/papers?day=2026-06-12&page=0"
    return source.read(request, Response(status=status, headers=(), body=body))


@pytest.mark.usefixtures("folder")
def test_the_source_of_the_page_is_found_by_the_configuration_of_the_page() -> None:
    source = made()

    assert (source.name, source.title, source.pace) == ("bulletin", "The Bulletin", 2.0)
    with pytest.raises(OptionError, match="did you mean `pace`"):
        made(pase=1.0)


@pytest.mark.usefixtures("folder")
def test_the_source_of_the_page_reads_the_answer_of_the_page() -> None:
    page = read(made(), block("json").encode())

    (day,) = page.announced
    assert (day.day, day.expected, page.next, page.unread) == (DAY, 2, None, ())
    looms, engines = (listing.paper for listing in day.listings)
    assert (looms.key, looms.title, looms.abstract) == ("doi:10.1000/b.1", "On Looms", "We weave.")
    assert looms.url == "https://bulletin.example.org/b/1"
    assert [author.name for author in looms.authors] == ["Ada Lovelace"]
    assert engines.key == "doi:10.1000/b.2"


@pytest.mark.usefixtures("folder")
def test_the_source_of_the_page_asks_for_the_next_one() -> None:
    body = (
        b'{"total": 101, "papers": ['
        + b",".join(
            b'{"doi": "10.1000/%d", "title": "T", "abstract": "", "authors": [], "link": ""}' % number
            for number in range(100)
        )
        + b"]}"
    )
    page = read(made(), body)

    assert page.next.url == "https://bulletin.example.org/papers?day=2026-06-12&page=1"
    assert page.announced[0].expected == 101


@pytest.mark.usefixtures("folder")
@given(
    st.binary()
    | st.sampled_from([b"[]", b"{}", b'{"total": 1, "papers": [{}]}', b'{"total": 1, "papers": [1]}'])
)
def test_the_source_of_the_page_never_breaks(body: bytes) -> None:
    with pytest.raises(SourceError, match=r"with no list of papers"):
        read(made(), body)
    with pytest.raises(SourceError, match=r"HTTP 503"):
        read(made(), body, status=503)


# --- an enricher ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_the_enricher_of_the_page_reads_the_answer_of_the_page() -> None:
    (table,) = tomllib.loads(block("toml", PLUGINS["reading_club"]))["enricher"]
    enricher: Enricher = plugins.build(plugins.load("enrichers", table.pop("use")), table)
    subjects = [
        Subject(kind=SubjectKind.PAPER, key=f"doi:10.1000/{name}", ids=(("doi", f"10.1000/{name}"),))
        for name in "abc"
    ]
    request = enricher.make_request(subjects)
    body = block("json", PLUGINS["reading_club"]).encode()

    page = enricher.read(request, subjects, Response(status=200, headers=(), body=body), DAY)

    assert enricher.quota == 200
    assert request.url == "https://club.example.org/votes?doi=10.1000%2Fa%2C10.1000%2Fb%2C10.1000%2Fc"
    assert {signal.subject: signal.value for signal in page.signals} == {
        "doi:10.1000/a": 12,
        "doi:10.1000/b": 3,
    }
    assert page.known_keys == {"doi:10.1000/a", "doi:10.1000/b"}


# --- a channel ------------------------------------------------------------------------------------


def test_the_channel_of_the_page_delivers_where_the_configuration_of_the_page_says(
    folder: Path, tmp_path: Path, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "mbox.py").write_text((folder / "mbox.py").read_text("utf-8"), encoding="utf-8")
    metadata = tmp_path / "mbox-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: mbox\nVersion: 1.0\n")
    points = block("ini", PLUGINS["mbox"]).replace("project.entry-points.", "").replace('"', "")
    (metadata / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    workspace = Workspace(tmp_path / "world")
    workspace.folder.mkdir()
    source = f"""
        [store]
        url = "sqlite:///{workspace.folder}/digest.db"

        [[source]]
        use = "arxiv"
        categories = ["cs.DC", "cs.LG", "cs.CL"]
        routes = ["rss"]
        url = "{publisher.url}/rss/"
        pace = 0

        [delivery]
        rates = {{ mbox = "1000/second" }}
    """
    workspace.write(textwrap.dedent(source) + block("toml", PLUGINS["mbox"]))
    now = datetime.combine(publisher.day, time(8), ZoneInfo("Europe/Berlin"))

    workspace.run("run", now=now)
    again = workspace.run("run", now=now)
    listed = workspace.run("subscribers", "list")
    checked = workspace.run("check")

    assert "channel mbox: ok: mails are appended" in checked.output
    assert (workspace.get_output_path("archive") / "mbox").read_bytes().count(b"\nSubject: ") == 1
    assert "sent" not in again.output
    assert str(workspace.get_output_path("archive")) in listed.output


# --- services -------------------------------------------------------------------------------------

ROOT = PAGE.parents[2]
ONE_MACHINE = HOWTO / "one-machine.md"
SEVERAL_MACHINES = HOWTO / "several-machines.md"


def test_the_configuration_for_one_machine_writes_only_where_the_service_may(tmp_path: Path) -> None:
    file = tmp_path / "digest.toml"
    file.write_text(block("toml", ONE_MACHINE), encoding="utf-8")

    settings = read_settings(file, {"DIGEST_SMTP_PASSWORD": "secret"})

    unit = (ROOT / "deploy" / "systemd" / "digest-.service.d" / "common.conf").read_text("utf-8")
    assert "StateDirectory=digest\n" in unit
    assert settings.store == "sqlite:////var/lib/digest/digest.db"
    assert settings.output == Path("/var/lib/digest/out")
    assert settings.site.is_served


def test_the_pages_on_services_name_files_that_are_there() -> None:
    units = {path.name.partition(".")[0] for path in (ROOT / "deploy" / "systemd").glob("*.service")}
    manifests = {path.name for path in (ROOT / "deploy" / "kubernetes").iterdir()}
    one, several = (page.read_text("utf-8") for page in (ONE_MACHINE, SEVERAL_MACHINES))

    unit_names = re.findall(
        r"(?<![/.\w-])digest-(?:apply|serve|web|worker@?)", " ".join(re.findall(r"systemctl .*", one))
    )
    assert set(unit_names) == units
    assert set(re.findall(r"[\w.]+\.yaml", several)) == manifests | {"secret.yaml"}
    for path in re.findall(r"\bdeploy/[\w./-]*\w", one + several):
        assert (ROOT / path).exists(), path
    for service in re.findall(r"docker compose (?:exec|run --rm) (\w+)", several):
        assert f"\n  {service}:\n" in (ROOT / "deploy" / "compose" / "compose.yaml").read_text("utf-8")


def test_the_autoscaler_gets_the_metric_that_the_page_offers_to_it() -> None:
    (rule,) = yaml.safe_load(block("yaml", SEVERAL_MACHINES))["externalRules"]
    worker = (ROOT / "deploy" / "kubernetes" / "worker.yaml").read_text("utf-8")
    scaler = next(part for part in yaml.safe_load_all(worker) if part["kind"] == "HorizontalPodAutoscaler")
    (metric,) = scaler["spec"]["metrics"]

    assert rule["name"]["as"] == metric["external"]["metric"]["name"]
    assert f"`{rule['seriesQuery']}`" in (HOWTO / "monitoring.md").read_text("utf-8")


# --- a language -----------------------------------------------------------------------------------

LANGUAGES = PAGE.with_name("translate.md").read_text("utf-8")


def test_the_catalogue_of_the_page_is_a_language(tmp_path: Path) -> None:
    (matches,) = re.findall(r"^```po\n(.*?)^```$", LANGUAGES, re.MULTILINE | re.DOTALL)
    (tmp_path / "locales").mkdir()
    (tmp_path / "locales" / "fr.po").write_text(matches, encoding="utf-8")

    french = get_locale("fr", tmp_path)

    more = [
        french.ngettext("%(num)s more matching paper.", "%(num)s more matching papers.", n) for n in (0, 2)
    ]
    assert more == ["0 autre article convenait.", "2 autres articles convenaient."]


def test_the_commands_of_the_page_begin_a_catalogue_and_bring_one_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PAGE.parents[2])
    blocks = re.findall(r"^```sh\n(.*?)^```$", LANGUAGES, re.MULTILINE | re.DOTALL)
    elsewhere = re.sub(r"(digest/locales/)?(digest\.pot|fr\.po)", rf"{tmp_path}/\2", "".join(blocks))

    for line in elsewhere.splitlines():
        program, *rest = shlex.split(line)
        CommandLineInterface().run([program, "--quiet", *rest])  # type: ignore[no-untyped-call]

    text = (tmp_path / "fr.po").read_text("utf-8")
    assert 'msgid "New papers"' in text
    assert "#. Translators: " in text


# --- cron -----------------------------------------------------------------------------------------

_PROGRAM = """\
#!/bin/sh
echo "arXiv cs.DC (rss): 19 listings"
echo "password $DIGEST_SMTP_PASSWORD, $*" >&2
"""


@pytest.mark.parametrize("page", ["README.md", "docs/quickstart.md"])
def test_the_line_for_cron_works_without_the_variables_of_a_terminal_and_shows_errors(
    page: str, tmp_path: Path
) -> None:
    text = (ROOT / page).read_text("utf-8")
    (line,) = re.findall(r"^\*/10 \* \* \* \* (.*)$", text, re.MULTILINE)
    program = tmp_path / "digest" / ".venv" / "bin" / "digest"
    program.parent.mkdir(parents=True)
    program.write_text(_PROGRAM, encoding="utf-8")
    program.chmod(0o700)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "secrets").write_text("export DIGEST_SMTP_PASSWORD=pw\n", encoding="utf-8")

    process = subprocess.run(
        ["/bin/sh", "-c", line],
        env={"HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert process.stderr == f"password pw, run --config {tmp_path}/papers/digest.toml\n"
    assert process.stdout == ""
    assert (tmp_path / "papers" / "digest.log").read_text("utf-8") == "arXiv cs.DC (rss): 19 listings\n"
