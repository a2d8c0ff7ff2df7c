"""How sources and channels are found and made."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest

from digest import errors, model, plugins, ports
from digest.app import open_app
from digest.enrichers import openalex
from digest.errors import ConfigError, OptionError
from digest.jobs.delivery.channels import make_connections
from digest.jobs.services import make_mailbox, make_providers
from digest.mailboxes import maildir
from digest.model import AddressKind, Message, MessageForm, Paper, PaperPage, Receipt, Sent, Subject
from digest.sources import feed
from tests.support.cases import for_each_case


class _Silent(ports.Channel):
    form: ClassVar[MessageForm] = MessageForm.FILES
    address_kind: ClassVar[AddressKind] = AddressKind.FOLDER

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        for message in messages:
            yield message, Sent()

    def check(self) -> str:
        return ""

    def close(self) -> None:
        pass


@dataclass(frozen=True, kw_only=True)
class Everything(_Silent):
    """A plug-in with an option of every type."""

    words: tuple[str, ...]
    name: str = "x"
    number: int = 3
    pace: float = 1.5
    open: bool = False
    mode: Literal["fast", "slow"] = "fast"
    maybe: int | None = None

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ConfigError("number must be at least 0")
        if "" in self.words:
            raise OptionError("a word is not empty", "words")


# --- finding --------------------------------------------------------------------------------------


def test_our_own_are_known_by_the_names_of_their_files() -> None:
    assert set(plugins.list_names("channels")) >= {"files", "maildir", "smtp"}
    assert "arxiv" in plugins.list_names("sources")


@pytest.mark.parametrize("kind", ["sources", "channels"])
def test_each_of_our_own_can_be_loaded(kind: str) -> None:
    for name in plugins.list_names(kind):
        assert plugins.load(kind, name).__module__.startswith(f"digest.{kind}.{name}")


def test_another_is_named_by_module_and_class() -> None:
    assert plugins.load("channels", f"{__name__}:Everything").__name__ == "Everything"


def test_another_can_register_an_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = tmp_path / "loud-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[digest.channels]\nloud = {__name__}:Everything\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert "loud" in plugins.list_names("channels")
    assert plugins.load("channels", "loud").__name__ == "Everything"


def test_entry_points_of_all_five_kinds_work_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = tmp_path / "others-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[digest.sources]\nother_source = digest.sources.dblp:Source\n"
        "[digest.enrichers]\nother_enricher = digest.enrichers.orcid:Enricher\n"
        "[digest.channels]\nother_channel = digest.channels.files:Channel\n"
        "[digest.bounces]\nother_provider = digest.bounces.postmark:Provider\n"
        "[digest.mailboxes]\nother_mailbox = digest.mailboxes.maildir:Mailbox\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "digest.toml"
    file.write_text(
        """
        [[source]]
        use = "other_source"
        venues = ["conf/sosp"]

        [[enricher]]
        use = "other_enricher"

        [site]
        url = "https://digest.example.org"
        contact = "ann@example.org"

        [smtp]
        host = "smtp.example.org"
        from = "Digest <digest@example.org>"

        [bounces]
        address = "back@example.org"
        mailbox = "other_mailbox:back"

        [[bounces.provider]]
        use = "other_provider"
        username = "hook"
        password = "a password of thirty-two letters"

        [[digest]]
        name = "systems"
        to = ["other_channel:box"]
        schedule = "weekdays 07:30"
        keywords = ["graph"]
        """,
        encoding="utf-8",
    )

    with open_app(file, None, {}) as app:
        assert [source.name for source in app.sources.values()] == ["dblp"]
        assert [enricher.name for enricher in app.enrichers.values()] == ["orcid"]
        assert list(make_providers(app.settings)) == ["other_provider"]
        assert make_mailbox(app.settings) == maildir.Mailbox(folder=tmp_path / "back")
        assert "other_channel" in {connection.channel for connection in make_connections(app.settings)}


@for_each_case(
    ("name", "text"),
    [
        ("smpt", "there is no 'smpt' among the channels; did you mean `smtp`?"),
        (
            "carrier pigeon",
            "there is no 'carrier pigeon' among the channels; there are: files, maildir, notify, sendmail, smtp, webhook",
        ),
        (
            "no_such_module:Channel",
            "no_such_module:Channel cannot be imported: No module named 'no_such_module'",
        ),
        ("digest.model:Nothing", "digest.model:Nothing cannot be imported"),
        ("digest.model:Paper", "digest.model:Paper does not inherit digest.ports.Channel"),
        ("digest.ports:Source", "digest.ports:Source does not inherit digest.ports.Channel"),
        (":", ": cannot be imported"),
        ("", "there is no '' among the channels"),
    ],
)
def test_a_name_that_leads_nowhere_is_told(name: str, text: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.load("channels", name)

    assert str(caught.value).startswith(text)
    assert caught.value.key == "use"


def test_a_plugin_that_breaks_on_import_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_channel.py").write_text("import no_such_thing\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(OptionError, match="No module named 'no_such_thing'"):
        plugins.load("channels", "broken_channel:Channel")
    sys.modules.pop("broken_channel", None)


# --- names of the previous release ---------------------------------------------------------------


class Started(feed.Source):
    """Inherits all that a source needs, and tells one thing by its old name."""

    def page_of(self, paper: Paper) -> PaperPage | None:
        raise NotImplementedError


class Moved(Started):
    """Has the new name, too."""

    def find_paper_page(self, paper: Paper) -> PaperPage | None:  # noqa: ARG002 - the port's signature
        return None


class Counting(openalex.Enricher):
    """Has a property, an option without a default and a method by their old names."""

    tells_references: bool
    daily_for = timedelta(days=1)

    def knows(self, subject: Subject) -> bool:
        raise NotImplementedError


class LastYears(ports.Source):
    """A source as the previous release had it."""

    name = title = "old"
    sections = ("all",)
    calendar = None
    ways = ()
    pace = 3.0
    max_bytes = 1000

    def read(self, request: ports.Request, response: ports.Response) -> ports.Page:  # noqa: ARG002
        return ports.Page()


class LastYearsProvider(ports.Provider):
    """A provider as the previous release had it."""

    def reports(self) -> None:
        raise NotImplementedError


@for_each_case(
    ("kind", "plugin", "names"),
    [
        ("sources", Started, [("page_of", "find_paper_page")]),
        ("sources", Moved, []),
        ("sources", feed.Source, []),
        (
            "enrichers",
            Counting,
            [
                ("knows", "is_supported"),
                ("tells_references", "has_references"),
                ("daily_for", "daily_period"),
            ],
        ),
        ("channels", Everything, []),
    ],
)
def test_what_is_defined_by_an_old_name_only_is_found(
    kind: str, plugin: type[Any], names: list[tuple[str, str]]
) -> None:
    assert list(plugins.find_old_members(kind, plugin)) == names


@pytest.mark.parametrize("kind", plugins.PORTS)
def test_none_of_our_own_has_an_old_name(kind: str) -> None:
    for name in plugins.list_names(kind):
        assert plugins.find_old_members(kind, plugins.load(kind, name)) == ()


def test_each_new_name_is_there_and_each_old_one_is_gone() -> None:
    for kind, names in plugins._NEW_MEMBERS.items():
        for old_name, new_name in names.items():
            assert new_name in plugins.PORTS[kind].__dict__
            assert old_name not in plugins.PORTS[kind].__dict__
    exported = {**vars(ports), **vars(model), **vars(errors)}
    assert set(plugins._NEW_CLASSES.values()) <= set(exported)
    assert set(plugins._NEW_CLASSES).isdisjoint(exported)


@for_each_case(
    ("kind", "name", "text"),
    [
        ("sources", "LastYears", "does not define `fetch_routes`, the new name of `ways`; `start`"),
        ("bounces", "LastYearsProvider", "does not define `read_reports`, the new name of `reports`"),
    ],
)
def test_a_plugin_without_what_it_must_define_is_told_the_new_names(kind: str, name: str, text: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.load(kind, f"{__name__}:{name}")

    assert (caught.value.key, str(caught.value)) == ("use", f"{__name__}:{name} {text}")


@for_each_case(
    ("source", "new_name"),
    [
        ("from digest.ports import Announced", "AnnouncedDay"),
        ("from digest.model import Listing, Form", "MessageForm"),
        ("from digest import errors\nerrors.PassingError", "TransientReportError"),
        ("from digest.ports import Nothing", None),
        ("from json import Form", None),
    ],
)
def test_a_plugin_that_imports_an_old_name_is_told_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, new_name: str | None
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    module = f"importing_{abs(hash(source))}"
    (tmp_path / f"{module}.py").write_text(source)

    with pytest.raises(OptionError, match="cannot be imported") as caught:
        plugins.load("sources", f"{module}:Source")

    ending = f"; it is now called `{new_name}`"
    assert str(caught.value).endswith(ending) if new_name else " it is " not in str(caught.value)


# --- making ---------------------------------------------------------------------------------------


def test_options_become_the_fields() -> None:
    options = {
        "words": ["a", "b"],
        "name": "n",
        "number": 1,
        "pace": 2,
        "open": True,
        "mode": "slow",
        "maybe": 4,
    }

    assert plugins.build(Everything, options) == Everything(
        words=("a", "b"), name="n", number=1, pace=2.0, open=True, mode="slow", maybe=4
    )
    assert plugins.build(Everything, {"words": []}) == Everything(words=())


@for_each_case(
    ("options", "key", "text"),
    [
        ({}, "words", "`words` is missing; write a list, each entry a string in quotes"),
        ({"words": "a"}, "words", "write a list, each entry a string in quotes"),
        ({"words": ["a", 3]}, "words[1]", "write a string in quotes"),
        ({"words": [], "nane": "x"}, "nane", "there is no such option; did you mean `name`?"),
        ({"words": [], "name": 3}, "name", "write a string in quotes"),
        ({"words": [], "number": "3"}, "number", "write a whole number"),
        ({"words": [], "number": 3.5}, "number", "write a whole number"),
        ({"words": [], "number": True}, "number", "write a whole number"),
        ({"words": [], "pace": "3"}, "pace", "write a number"),
        ({"words": [], "open": 1}, "open", "write true or false"),
        ({"words": [], "mode": "quick"}, "mode", "write one of: 'fast', 'slow'"),
        ({"words": [], "maybe": "x"}, "maybe", "write a whole number"),
        ({"words": [], "number": -1}, "", "number must be at least 0"),
        ({"words": [""]}, "words", "a word is not empty"),
    ],
)
def test_an_option_that_is_wrong_is_told_with_its_key(options: dict[str, Any], key: str, text: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Everything, options)

    assert (caught.value.key, str(caught.value)) == (key, text)


def test_what_a_plugin_keeps_for_itself_is_no_option() -> None:
    with pytest.raises(OptionError, match="there is no such option"):
        plugins.build(plugins.load("channels", "smtp"), {"host": "x", "_connection": "y"})


def test_all_mistakes_in_options_are_told_with_their_places() -> None:
    source = plugins.load("sources", "arxiv")
    options = {"categories": ["cs.DCC", "cs.LG", "cs.LGG"], "route": ["rss"], "pace": "1", "url": 3}

    assert [error.key for error in plugins.find_option_errors(source, options)] == [
        *("route", "pace", "url", "categories[0]", "categories[2]"),
    ]


WRONG_OPTIONS: dict[str, dict[str, Any]] = {
    "sources/arxiv": {"categories": ["cs.XX"], "routes": ["rs"], "oai_format": "x", "pages_url": "x"},
    "sources/biorxiv": {"server": "x", "categories": ["Cells"], "site_url": "x"},
    "sources/crossref": {"issns": ["x"], "prefixes": ["x"]},
    "sources/dblp": {"persons": ["?"], "venues": ["?"]},
    "sources/feed": {},
    "sources/hf_daily": {},
    "sources/openalex": {"authors": ["?"], "institutions": ["?"], "topics": ["?"]},
    "sources/openreview": {"venues": ["?"], "username": "", "password": "", "site_url": "x"},
    "sources/pubmed": {"searches": [" "]},
    "sources/semantic_scholar": {"authors": ["?"], "like": ["?"], "unlike": ["?"]},
    "enrichers/crossref": {"quota": -1},
    "enrichers/hf_daily": {"quota": -1},
    "enrichers/openalex": {"quota": -1},
    "enrichers/orcid": {"quota": -1},
    "enrichers/semantic_scholar": {"quota": -1},
}
"""A value for each option of its own that a plug-in refuses."""


@for_each_case(("plugin", "options"), WRONG_OPTIONS.items(), ids=WRONG_OPTIONS)
def test_a_mistake_in_one_option_of_a_plugin_hides_none_in_another(
    plugin: str, options: dict[str, Any]
) -> None:
    kind, _, name = plugin.partition("/")
    wrong = {**options, "url": "x", "pace": -1, "max_bytes": 0, "name": 7, "rotes": ["rss"]}
    keys = {key: f"{key}[0]" if isinstance(value, list) else key for key, value in wrong.items()}
    keys["rotes"] = "rotes"

    lines = [error.key for error in plugins.find_option_errors(plugins.load(kind, name), wrong)]

    assert sorted(lines) == sorted(keys.values())


def test_a_missing_option_hides_no_mistake_in_another() -> None:
    source = plugins.load("sources", "openreview")

    lines = [error.key for error in plugins.find_option_errors(source, {"pace": -1, "site_url": "x"})]

    assert sorted(lines) == ["pace", "password", "site_url", "username", "venues"]


def test_each_of_our_own_is_among_those_with_wrong_options() -> None:
    own = {f"{kind}/{name}" for kind in ("sources", "enrichers") for name in plugins.list_names(kind)}

    assert own == set(WRONG_OPTIONS)


def test_what_is_missing_only_because_a_mistake_was_taken_out_is_none() -> None:
    source = plugins.load("sources", "arxiv")

    for options, key in (
        ({"categories": ["cs.DCC"]}, "categories[0]"),
        ({"categories": "cs.DC"}, "categories"),
        ({"categoriess": ["cs.DC"]}, "categoriess"),
        ({}, "categories"),
    ):
        assert [error.key for error in plugins.find_option_errors(source, options)] == [key]
    assert list(plugins.find_option_errors(source, {"categories": ["cs.DC"]})) == []
    recommended = {"like": ["?"], "unlike": ["2401.00001"]}
    option_errors = plugins.find_option_errors(plugins.load("sources", "semantic_scholar"), recommended)
    assert [error.key for error in option_errors] == ["like[0]"]
