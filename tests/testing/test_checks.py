"""The checks for plug-ins: all of ours pass them, and each says what is wrong with one that does not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, ClassVar

import pytest

from digest import plugins, ports
from digest.channels import files, maildir, sendmail, smtp, webhook
from digest.errors import SourceError
from digest.model import (
    AddressKind,
    Ask,
    Deferred,
    Message,
    MessageForm,
    Receipt,
    Route,
    Scope,
    Sent,
    Subject,
    SubjectKind,
)
from digest.ports import EnricherPage, Page, Request, Response
from digest.testing import check_channel, check_enricher, check_source, make_subjects
from digest.testing.http_host import CannedResponse, ScriptedHost
from digest.testing.mail_server import MailServer
from tests.support.cases import for_each_case

SOURCES: dict[str, dict[str, Any]] = {
    "arxiv": {"categories": ("cs.DC", "hep-th")},
    "biorxiv": {},
    "crossref": {"issns": ("1476-4687",)},
    "dblp": {"venues": ("journals/jmlr",)},
    "feed": {"url": "https://blog.example.org/feed"},
    "hf_daily": {},
    "openalex": {"authors": ("A5023888391",)},
    "openreview": {"venues": ("ICLR.cc/2027/Conference",), "username": "me@example.org", "password": "pw"},
    "pubmed": {"searches": ("loom",)},
    "semantic_scholar": {"authors": ("1741101",)},
}
PERSONS = {"orcid"}


# --- ours -----------------------------------------------------------------------------------------


def test_all_of_our_sources_are_checked_here() -> None:
    assert set(SOURCES) == set(plugins.list_names("sources"))


@pytest.mark.parametrize("name", SOURCES)
def test_each_of_our_sources_is_as_it_must_be(name: str) -> None:
    check_source(plugins.build(plugins.load("sources", name), SOURCES[name]))


@pytest.mark.parametrize("name", plugins.list_names("enrichers"))
def test_each_of_our_enrichers_is_as_it_must_be(name: str) -> None:
    kind = SubjectKind.PERSON if name in PERSONS else SubjectKind.PAPER
    check_enricher(plugins.build(plugins.load("enrichers", name), {}), subjects=make_subjects(kind))


def test_our_channels_into_folders_are_as_they_must_be(tmp_path: Path) -> None:
    check_channel(files.Channel(), str(tmp_path / "files"))
    check_channel(maildir.Channel(), str(tmp_path / "maildir"))

    assert len(list((tmp_path / "maildir" / "new").iterdir())) == 10


def test_our_channels_for_mail_are_as_they_must_be(tmp_path: Path) -> None:
    program = tmp_path / "take"
    program.write_text(f"#!{sys.executable}\nimport sys; sys.stdin.read()\n", encoding="utf-8")
    program.chmod(0o700)
    check_channel(sendmail.Channel(command=(str(program),)), "reader@example.org")
    with MailServer() as server:
        check_channel(smtp.Channel(host="127.0.0.1", port=server.port, security="none"), "reader@example.org")

    assert len({mail.content for mail in server.received}) == 10


def test_our_channel_for_programs_is_as_it_must_be() -> None:
    with ScriptedHost(hook=CannedResponse(b"", 204)) as host:
        address = "http://127.0.0.1/…/0a"
        urls, secrets = {address: f"{host.url}/hook"}, {address: "0123456789abcdef01234567"}
        check_channel(webhook.Channel(urls=urls, secrets=secrets), address)

    assert {request.headers["webhook-id"] for request in host.requests} == {
        f"sample-{number}@example.org" for number in range(1, 11)
    }


# --- channels that are not ------------------------------------------------------------------------


class Silent(ports.Channel):
    """Takes everything and keeps nothing."""

    form: ClassVar[MessageForm] = MessageForm.FILES
    address_kind: ClassVar[AddressKind] = AddressKind.NAME

    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        for message in messages:
            if type(message).__name__ != "FileSet":
                raise TypeError("files only")
            yield message, self.receipt(message)

    def receipt(self, _message: Message) -> Any:
        return Sent()

    def check(self) -> str:
        return "it is there"

    def close(self) -> None:
        pass


class Unchecked(Silent):
    def check(self) -> Any:
        return None


class Forgetful(Silent):
    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        yield from super().deliver(messages[:-1])


class Wordless(Silent):
    def receipt(self, _message: Message) -> Any:
        return True


class Refusing(Silent):
    def __init__(self) -> None:
        self._delivered_ids: set[int] = set()

    def receipt(self, message: Message) -> Any:
        is_repeat = message.delivery in self._delivered_ids
        self._delivered_ids.add(message.delivery)
        return Deferred(answer="I have it already") if is_repeat else Sent()


class Indifferent(Silent):
    def deliver(self, messages: Sequence[Message]) -> Iterator[tuple[Message, Receipt]]:
        for message in messages:
            yield message, Sent()


def test_a_channel_that_takes_everything_is_as_it_must_be() -> None:
    check_channel(Silent(), "there")


@for_each_case(
    ("channel", "text"),
    [
        (Unchecked(), "`check` says in a text"),
        (Forgetful(), "each message has one receipt"),
        (Wordless(), "True is no receipt"),
        (Refusing(), "again, as after a crash: message 1 was not taken"),
        (Indifferent(), "raise TypeError"),
    ],
)
def test_what_is_wrong_with_a_channel_is_told(channel: ports.Channel, text: str) -> None:
    with pytest.raises(AssertionError, match=text):
        check_channel(channel, "there")


# --- sources and enrichers that are not -----------------------------------------------------------


def refuse(response: Response) -> Page:
    """Read nothing but one answer."""
    if response.status != 200 or response.body != b"papers":
        raise SourceError("No list of papers.")
    return Page()


@dataclass(frozen=True, kw_only=True)
class Small(ports.Source):
    """A source whose parts a test can change."""

    name: str = "small"
    title: str = "Small"
    sections: tuple[str, ...] = ("all",)
    fetch_routes: tuple[Route, ...] = (Route(name="day", scope=Scope.DAY, keeps=None),)
    pace: float = 1.0
    max_bytes: int = 1000
    calendar: None = None
    reader: Callable[[Response], Any] = refuse
    make: Callable[[Request], Request] = lambda request: request

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - the port's signature
        return self.make(
            Request(section=ask.section, route=ask.route, url="https://example.org/", day=ask.day)
        )

    def read(self, request: Request, response: Response) -> Page:  # noqa: ARG002 - the port's signature
        page: Page = self.reader(response)
        return page


def break_at_the_end(response: Response) -> Page:
    if response.status == 200 and response.body == b"paper":
        raise KeyError("s")
    return refuse(response)


def test_a_source_that_refuses_what_it_cannot_read_is_as_it_must_be() -> None:
    check_source(Small(), [b"papers"])


@for_each_case(
    ("source", "text"),
    [
        (Small(name=""), "`name`"),
        (Small(title=""), "`title`"),
        (Small(pace=-1), "`pace`"),
        (Small(max_bytes=0), "`max_bytes`"),
        (Small(sections=()), "`sections`"),
        (Small(sections=("a", "a")), "no two sections"),
        (Small(fetch_routes=()), "`fetch_routes`"),
        (Small(fetch_routes=Small().fetch_routes * 2), "no two routes"),
        (Small(make=lambda request: replace(request, section="b")), "names the section"),
        (Small(make=lambda request: replace(request, url="/relative")), "no absolute web address"),
        (Small(reader=lambda _: Page()), "HTTP 401 is no answer"),
        (Small(reader=lambda _: None), "None is no Page"),
        (Small(reader=break_at_the_end), "raises KeyError"),
    ],
)
def test_what_is_wrong_with_a_source_is_told(source: ports.Source, text: str) -> None:
    with pytest.raises(AssertionError, match=text):
        check_source(source, [b"papers"])


def test_a_recorded_answer_that_is_refused_is_told() -> None:
    with pytest.raises(AssertionError, match="a recorded answer is refused"):
        check_source(Small(), [b"others"])


@dataclass(frozen=True, kw_only=True)
class Knowing(ports.Enricher):
    """An enricher whose parts a test can change."""

    name: str = "knowing"
    title: str = "Knowing"
    quota: int = 1
    pace: float = 1.0
    max_bytes: int = 1000
    size: int = 2
    supported: bool = True
    known_ids: frozenset[str] = frozenset()

    def get_batch_size(self, kind: SubjectKind) -> int:  # noqa: ARG002 - the port's signature
        return self.size

    def is_supported(self, subject: Subject) -> bool:  # noqa: ARG002 - the port's signature
        return self.supported

    def make_request(self, subjects: Sequence[Subject]) -> Request:
        assert len(subjects) <= self.size
        return Request(section="all", route="enrich", url="https://example.org/")

    def read(
        self,
        request: Request,  # noqa: ARG002 - the port's signature
        subjects: Sequence[Subject],  # noqa: ARG002
        response: Response,
        day: date,  # noqa: ARG002
    ) -> EnricherPage:
        refuse(response)
        return EnricherPage(known_keys=self.known_ids)


def test_an_enricher_that_knows_nothing_of_what_it_is_given_is_as_it_must_be() -> None:
    check_enricher(Knowing(), [b"papers"])


@for_each_case(
    ("enricher", "text"),
    [
        (Knowing(quota=0), "`quota`"),
        (Knowing(size=0), "knows nothing of any paper"),
        (Knowing(supported=False), "none of the subjects is supported"),
        (Knowing(known_ids=frozenset({"doi:10.1/z"})), "nobody asked for"),
    ],
)
def test_what_is_wrong_with_an_enricher_is_told(enricher: ports.Enricher, text: str) -> None:
    with pytest.raises(AssertionError, match=text):
        check_enricher(enricher, [b"papers"])
