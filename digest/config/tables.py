"""The tables of the file: which keys they have and what each may hold.

Pydantic checks every key by itself, so that one reading tells all mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationInfo,
    model_validator,
)

from digest.config import values
from digest.config.settings import Destination
from digest.config.values import Sender, Wish, checked, mistake, read_by, wished_by
from digest.core import query
from digest.core.schedule import parse_schedule
from digest.model import Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a table has to know beside itself.

    Attributes:
        folder: the file's.
        has_smtp: whether there is an ``[smtp]``.
        names: how many digests have each name, in lower case.
    """

    folder: Path
    has_smtp: bool
    names: Mapping[str, int]


# --- checks that need more than the value ---------------------------------------------------------


def _around(info: ValidationInfo) -> Surroundings:
    if not isinstance(info.context, Surroundings):
        raise TypeError("the tables of a file are checked with their surroundings as context")
    return info.context


def _existing(text: str, info: ValidationInfo) -> str:
    path = _around(info).folder / Path(text).expanduser()
    if not path.exists():
        raise mistake(f"there is no {path}; write the path as seen from this file")
    return str(path)


def _only_one(name: str, info: ValidationInfo) -> str:
    if _around(info).names.get(name.lower(), 0) > 1:
        raise mistake(f"several digests are called {name!r}; give each a name of its own")
    return name


def _reachable(destination: Destination, info: ValidationInfo) -> Destination:
    if destination.channel == "smtp" and not _around(info).has_smtp:
        raise mistake(
            'mail needs a server that takes it; add [smtp], or write "maildir:FOLDER" or "files:FOLDER" here'
        )
    return destination


def _schedule(value: object, info: ValidationInfo) -> Schedule:
    """Read a schedule with the zone and the latest time that stand beside it."""
    zone, latest = info.data.get("timezone", "UTC"), info.data.get("latest", "")
    return checked(value, lambda text: parse_schedule(text, zone=zone, latest=latest))


def _as_table(key: str) -> Callable[[object], object]:
    """Let a bare text stand for the table with this one key."""

    def widen(value: object) -> object:
        return {key: value} if isinstance(value, str) else value

    return widen


# --- the tables -----------------------------------------------------------------------------------


class Table(BaseModel):
    """A table of the file; nothing in it is taken for something else than it is."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


class SiteTable(Table):
    """Who sends."""

    title: str = Field(default="Paper digest", description="the name that readers see")
    url: Annotated[str, read_by(values.read_url)] = Field(default="", description="where the pages are")
    contact: Annotated[str, read_by(values.read_address)] = Field(
        default="", description="the e-mail address of those who run it"
    )


class StoreTable(Table):
    """Where digest keeps what it knows."""

    url: Annotated[str, read_by(values.read_store)] = Field(
        default="sqlite:///digest.db", description="sqlite:///FILE or postgresql+psycopg://…"
    )


class OutputTable(Table):
    """Where files go."""

    folder: str = Field(default="out", min_length=1, description="for feeds, pages and mail folders")
    templates: Annotated[str, AfterValidator(_existing)] | None = Field(
        default=None, description="a folder of your own templates, which come before ours"
    )


class SourceTable(Table):
    """Who announces papers. The other keys are the source's own."""

    model_config = ConfigDict(extra="allow")

    use: str = Field(min_length=1, description="the name of the source", examples=["arxiv"])


class SmtpTable(Table):
    """The server that takes our mail."""

    host: str = Field(min_length=1, description="its name", examples=["smtp.example.org"])
    port: Annotated[int, Field(ge=1, le=65535)] | None = Field(
        default=None, description="587 for starttls, 465 for tls, 25 for none, if not given"
    )
    security: Literal["starttls", "tls", "none"] = "starttls"
    username: str = ""
    password: SecretStr = Field(
        default=SecretStr(""), description="better in DIGEST_SMTP_PASSWORD or ${NAME}"
    )
    sender: Annotated[Sender, read_by(values.read_sender)] = Field(
        alias="from", description="who the mail is from", examples=["Digest <digest@example.org>"]
    )
    ca_file: Annotated[str, AfterValidator(_existing)] | None = Field(
        default=None, description="certificates to trust instead of the machine's"
    )
    timeout: float = Field(
        default=60.0, gt=0, le=3600, allow_inf_nan=False, description="seconds to wait for an answer"
    )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if bool(self.username) != bool(self.password.get_secret_value()):
            raise mistake(
                "a login needs both `username` and `password`; set DIGEST_SMTP_PASSWORD, or leave both away"
            )
        if self.username and self.security == "none" and self.host not in {"localhost", "127.0.0.1", "::1"}:
            raise mistake(
                'the password would cross the network in clear; write security = "starttls" or "tls"'
            )
        return self


class FollowTable(Table):
    """Something followed, with its weight."""

    wish: Wish
    weight: float = Field(
        default=1.0, gt=0, le=1000, allow_inf_nan=False, description="how much it counts; 1 is usual"
    )


class KeywordTable(FollowTable):
    """A word or phrase followed."""

    wish: Annotated[Wish, wished_by(query.phrase)] = Field(alias="keyword", examples=["mixture of experts"])


class QueryTable(FollowTable):
    """A query followed."""

    wish: Annotated[Wish, wished_by(str)] = Field(
        alias="query", examples=['(serving OR inference) "language model"']
    )


class AuthorTable(FollowTable):
    """An author followed."""

    wish: Annotated[Wish, wished_by(query.author)] = Field(alias="name", examples=["Wencong Xiao"])


class CategoryTable(FollowTable):
    """A category followed as a whole."""

    wish: Annotated[Wish, wished_by(query.category)] = Field(alias="category", examples=["cs.DC"])


class DigestTable(Table):
    """What goes out: what it follows, where to, and when."""

    name: Annotated[str, AfterValidator(_only_one), read_by(values.read_name)] = Field(
        description="for files, feeds and list headers", examples=["llm-systems"]
    )
    title: str = Field(default="", description="the name that readers see; the name, if not given")
    to: list[Annotated[Destination, AfterValidator(_reachable), read_by(values.read_destination)]] = Field(
        default=[], description="e-mail addresses, maildir:FOLDER, files:FOLDER"
    )
    timezone: Annotated[str, read_by(values.read_zone)] = Field(
        default="", validate_default=True, description="an IANA name; the machine's, if not given"
    )
    latest: Annotated[str, read_by(values.read_latest)] = Field(
        default="", description="the time by which it goes out, complete or not"
    )
    schedule: Annotated[Schedule, BeforeValidator(_schedule, json_schema_input_type=str)] = Field(
        description="when it goes out", examples=["weekdays 07:30"]
    )
    limit: int = Field(default=25, ge=1, le=1000, description="the greatest number of papers")
    kinds: list[Literal["new", "version", "picked", "published", "code"]] = Field(
        default=["new", "picked"], min_length=1, description="what is told about a paper"
    )
    keywords: list[
        Annotated[
            KeywordTable, BeforeValidator(_as_table("keyword"), json_schema_input_type=str | KeywordTable)
        ]
    ] = Field(default=[], description="each one a phrase")
    queries: list[
        Annotated[QueryTable, BeforeValidator(_as_table("query"), json_schema_input_type=str | QueryTable)]
    ] = Field(default=[], description="in the follow language")
    authors: list[
        Annotated[AuthorTable, BeforeValidator(_as_table("name"), json_schema_input_type=str | AuthorTable)]
    ] = Field(default=[], description="full names")
    categories: list[
        Annotated[
            CategoryTable, BeforeValidator(_as_table("category"), json_schema_input_type=str | CategoryTable)
        ]
    ] = Field(default=[], description="everything in these")
    exclude: list[Annotated[Wish, wished_by(query.phrase)]] = Field(
        default=[], description="phrases that keep a paper out, whatever else fits"
    )
    when_empty: Literal["skip", "tell"] = "skip"
    minimum: int = Field(default=0, ge=0, description="fewer papers than this wait for the next edition")
    catch_up: Literal["once", "skip"] = Field(default="once", description="what happens after downtime")
    feed: bool = Field(default=False, description="whether it is also a feed")

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        if not self.to and not self.feed:
            raise mistake("it goes nowhere; write where in `to`, or feed = true")
        if not any(True for _ in self.follows()):
            raise mistake("it follows nothing; add `keywords`, `queries`, `authors` or `categories`")
        places: dict[str, str] = {}
        for place, wish in [*((place, wish) for place, wish, _ in self.follows()), *self.exclusions()]:
            if wish.query in places:
                raise mistake(f"{place} says the same as {places[wish.query]}; take one of them away")
            places[wish.query] = place
        return self

    def follows(self) -> Iterator[tuple[str, Wish, float]]:
        """What is followed: the place in this table, the wish, and its weight."""
        tables: dict[str, Sequence[FollowTable]] = {
            "keywords": self.keywords,
            "queries": self.queries,
            "authors": self.authors,
            "categories": self.categories,
        }
        for key, entries in tables.items():
            for number, entry in enumerate(entries):
                yield f"{key}[{number}]", entry.wish, entry.weight

    def exclusions(self) -> Iterator[tuple[str, Wish]]:
        """What keeps a paper out, each with its place in this table."""
        for number, wish in enumerate(self.exclude):
            yield f"exclude[{number}]", wish


class File(Table):
    """The whole file."""

    site: SiteTable = SiteTable()
    store: StoreTable = StoreTable()
    output: OutputTable = OutputTable()
    source: list[SourceTable] = Field(min_length=1, description="who announces papers")
    smtp: SmtpTable | None = None
    digest: list[DigestTable] = []
