"""The tables of digests: those of the file, and those that readers subscribe to on the site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, model_validator

from digest.config import values
from digest.config.context import Table, get_context
from digest.config.delivery.destinations import Destinations, require_single_form
from digest.config.follow_values import FollowQuery
from digest.config.follows import (
    Authors,
    Categories,
    CitedPapers,
    Exclusions,
    FollowTable,
    Institutions,
    Keywords,
    Libraries,
    LibraryTable,
    Papers,
    Queries,
)
from digest.config.settings import Destination, DigestSettings, FollowSettings, PublicDigestSettings
from digest.config.values import apply_reader, make_validation_error, read_by
from digest.core.times.schedule import parse_schedule
from digest.model import Abstracts, Arrangement, DigestOptions, EventKind, Schedule

# --- validation that depends on other keys --------------------------------------------------------


def _check_unique_name(name: str, info: ValidationInfo) -> str:
    if get_context(info).name_counts.get(name.lower(), 0) > 1:
        raise make_validation_error(f"several digests are called {name!r}; give each a different name")
    return name


def _read_schedule(value: object, info: ValidationInfo) -> Schedule:
    """Parse a schedule, with the time zone and the latest time of the same table."""
    zone, latest = info.data.get("timezone", "UTC"), info.data.get("latest", "")
    return apply_reader(value, lambda text: parse_schedule(text, zone=zone, latest=latest))


# --- tables ---------------------------------------------------------------------------------------

_FOLLOW_KEYS = (
    *("keywords", "queries", "authors", "institutions", "categories", "papers", "cites", "library"),
)
"""The keys of follows, in the order in which they are read: of two equal follows, the later one is reported."""


class BaseDigestTable(Table):
    """What a digest follows, and when and how its editions go out."""

    name: Annotated[str, read_by(values.read_name)] = Field(
        description="for files, feeds and list headers", examples=["llm-systems"]
    )
    title: str = Field(default="", description="name that readers see; by default `name`")
    timezone: Annotated[str, read_by(values.read_zone)] = Field(
        default="",
        validate_default=True,
        description="IANA name of the time zone; by default that of the machine",
    )
    latest: Annotated[str, read_by(values.read_latest)] = Field(
        default="", description="time at which an edition goes out even if announcements are missing"
    )
    wait_for: list[Annotated[str, Field(min_length=1)]] = Field(
        default=[],
        min_length=1,
        description="names of the sources whose announcements it waits for; by default all",
    )
    schedule: Annotated[Schedule, BeforeValidator(_read_schedule, json_schema_input_type=str)] = Field(
        description="when editions go out", examples=["weekdays 07:30"]
    )
    limit: int = Field(
        default=25,
        ge=1,
        le=1000,
        description="maximum number of papers; a mail has room for the titles of others",
    )
    kinds: list[Literal["new", "version", "picked", "published", "code", "trending"]] = Field(
        default=["new", "picked"], min_length=1, description="events that it reports"
    )
    keywords: Keywords = Field(default=[], description="words and phrases")
    queries: Queries = Field(default=[], description="in the follow language")
    authors: Authors = Field(default=[], description="full names, or ids")
    institutions: Institutions = Field(default=[], description="names or ROR ids")
    categories: Categories = Field(default=[], description="everything in these")
    papers: Papers = Field(default=[], description="their new versions, publication and code")
    cites: CitedPapers = Field(default=[], description="papers that cite these")
    library: Libraries = Field(
        default=[], description="files of reference managers: both of the above for each paper"
    )
    exclude: Exclusions = Field(default=[], description="excludes a paper, whatever else matches")
    when_empty: Literal["skip", "tell"] = "skip"
    minimum: int = Field(default=0, ge=0, description="fewer papers than this wait for the next edition")
    catch_up: Literal["once", "skip"] = Field(default="once", description="what happens after downtime")
    alerts_a_day: int = Field(
        default=5,
        ge=0,
        le=1000,
        description="maximum number of alerts per day; further papers are in the next edition",
    )
    repeat_alerts: bool = Field(
        default=False, description="whether editions repeat papers that were sent as alerts"
    )
    abstracts: Literal["key", "first", "full", "none", "short"] = Field(
        default="key",
        description="how much of each abstract to show: the sentences that say what is new and why it matches, its first sentences, all of it, nothing; `short` is the former name of `first`",
    )
    arrange: Literal["ranked", "by follow"] = Field(
        default="ranked", description="whether papers stand by rank, or below what you follow"
    )
    full: int = Field(
        default=12, ge=0, le=1000, description="number of papers with their abstracts; the others have a line"
    )
    feed: bool = Field(default=False, description="whether it also has a feed")
    feed_entries: Literal["papers", "editions"] = Field(
        default="papers", description="whether an entry of its feed is a paper or an edition"
    )

    @model_validator(mode="after")
    def _check_follows(self) -> Self:
        if not any(True for _ in self.iter_follows()):
            *keys, last = (f"`{key}`" for key in _FOLLOW_KEYS)
            raise make_validation_error(f"it follows nothing; add {', '.join(keys)} or {last}")
        locations: dict[str, str] = {}
        for location, follow in self.iter_follows():
            if not isinstance(follow, LibraryTable):  # papers of a library may be followed one by one, too
                _add_location(locations, location, follow.follow_queries[0])
            follow_locations = (
                {}
                if isinstance(follow, LibraryTable)
                else {follow.follow_queries[0].query: "the follow itself"}
            )
            for number, exclusion in enumerate(follow.exclude):
                _add_location(follow_locations, f"{location}.exclude[{number}]", exclusion.follow_query)
        for number, exclusion in enumerate(self.exclude):
            _add_location(locations, f"exclude[{number}]", exclusion.follow_query)
        return self

    def make_options(self, language: str) -> DigestOptions:
        """Return the options of the digest in a language, each from the key of the same name."""
        chosen = {
            option.name: getattr(self, option.name)
            for option in fields(DigestOptions)
            if option.name != "language"
        }
        return DigestOptions(
            **chosen
            | {
                "kinds": tuple(map(EventKind, dict.fromkeys(self.kinds))),
                "language": language,
                "abstracts": Abstracts.FIRST if self.abstracts == "short" else Abstracts(self.abstracts),
                "arrange": Arrangement(self.arrange),
            }
        )

    def iter_follows(self) -> Iterator[tuple[str, FollowTable]]:
        """Yield the follows, each with its place in this table."""
        for key in _FOLLOW_KEYS:
            for number, follow in enumerate(getattr(self, key)):
                yield f"{key}[{number}]", follow

    def iter_follow_settings(self) -> Iterator[FollowSettings]:
        """Yield what the digest follows, each query once, and what it excludes."""
        canonical_queries: set[str] = set()
        for _, follow in self.iter_follows():
            for follow_query in follow.follow_queries:
                if follow_query.query in canonical_queries:  # several libraries can contain the same paper
                    continue
                canonical_queries.add(follow_query.query)
                yield FollowSettings(
                    text=follow_query.text, query=follow_query.query, weight=follow.weight, alert=follow.alert
                )
                for exclusion in follow.exclude:
                    yield _make_exclusion(exclusion.follow_query, only=follow_query.query)
        for exclusion in self.exclude:
            yield _make_exclusion(exclusion.follow_query)

    def make_settings(
        self, destinations: tuple[Destination, ...], language: str, locate_key: Callable[[str], str]
    ) -> DigestSettings:
        """Return the settings of the digest.

        Args:
            destinations: where it is sent.
            language: the language of its editions.
            locate_key: returns the place of a key.
        """
        return DigestSettings(
            name=self.name,
            title=self.title or self.name,
            destinations=destinations,
            schedule=self.schedule,
            options=self.make_options(language),
            follows=tuple(self.iter_follow_settings()),
            catch_up=self.catch_up,
            wait_for=tuple(dict.fromkeys(self.wait_for)),
            locate_key=locate_key,
        )


def _make_exclusion(follow_query: FollowQuery, *, only: str = "") -> FollowSettings:
    return FollowSettings(text=follow_query.text, query=follow_query.query, exclude=True, only=only)


def _add_location(locations: dict[str, str], location: str, follow_query: FollowQuery) -> None:
    """Record the place of a follow; one with the same query at another place is an error."""
    if follow_query.query in locations:
        raise make_validation_error(
            f"{location} is the same as {locations[follow_query.query]}; remove one of the two"
        )
    locations[follow_query.query] = location


class DigestTable(BaseDigestTable):
    """A digest: what it follows, where it is sent, and when."""

    name: Annotated[str, AfterValidator(_check_unique_name), read_by(values.read_name)] = Field(
        description="for files, feeds and list headers", examples=["llm-systems"]
    )
    to: Annotated[Destinations, AfterValidator(require_single_form)] = Field(
        default=[],
        description="destinations: e-mail addresses, maildir:FOLDER, files:FOLDER, addresses of chats, webhooks",
    )
    language: Annotated[str, read_by(values.read_language)] = Field(
        default="", description="language; by default that of [site]"
    )

    @model_validator(mode="after")
    def _check_destinations(self) -> Self:
        if not self.to and not self.feed:
            raise make_validation_error("it has no destination; add `to`, or feed = true")
        return self


class PublicDigestTable(BaseDigestTable):
    """A digest that readers subscribe to: each gets one of their own with these follows, and may change it."""

    description: str = Field(
        min_length=1,
        description="one sentence that says what it brings",
        examples=["New papers on KV caches."],
    )

    def to_settings(self, language: str, locate_key: Callable[[str], str]) -> PublicDigestSettings:
        """Convert the table to settings.

        Args:
            language: the language of the site, for readers whose own is unknown.
            locate_key: returns the place of a key.
        """
        return PublicDigestSettings(
            description=self.description, digest=self.make_settings((), language, locate_key)
        )
