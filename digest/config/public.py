"""What the file offers to everybody: public feeds, and signing up on the site."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from digest.config import values
from digest.config.context import Table
from digest.config.follow_values import FollowQuery, read_query_by
from digest.config.settings import DEFAULT_ZOTERO_URL, PublicFeedSettings, SignupSettings
from digest.config.values import make_validation_error, read_by


class PublicFeedTable(Table):
    """A query whose papers everybody can read as a feed."""

    name: Annotated[str, read_by(values.read_name)] = Field(
        description="part of its address", examples=["kv-cache"]
    )
    title: str = Field(default="", description="name that readers see; by default `name`")
    query: Annotated[FollowQuery, read_query_by(str)] = Field(
        description="in the follow language", examples=['"KV cache" (compression OR quantization)']
    )

    def to_settings(self) -> PublicFeedSettings:
        """Convert the table to settings."""
        return PublicFeedSettings(
            name=self.name, title=self.title or self.name, text=self.query.text, query=self.query.query
        )


class SignupTable(Table):
    """Who can sign up on the site, and the shipped digests to subscribe to."""

    who: Literal["anyone", "domains", "invited"] = Field(
        default="anyone",
        description="who can subscribe by the form: anyone, addresses at `domains`, or nobody, so that all come by invitation",
    )
    domains: list[Annotated[str, read_by(values.read_mail_domain)]] = Field(
        default=[], description='the domains of addresses that can sign up, with who = "domains"'
    )
    daily_papers: bool = Field(
        default=False, description="whether there is a public digest of all new papers of all sources"
    )
    trending: bool = Field(
        default=False,
        description="whether there is a public digest of the papers that gain the most votes; it needs a source or enricher that counts votes",
    )
    destinations: list[Literal["webhook", "slack", "discord", "ntfy"]] = Field(
        default=[],
        description="where readers can have their digests sent besides mail and feed, at public addresses only",
        examples=[["webhook", "slack"]],
    )
    zotero_url: Annotated[str, read_by(values.read_url)] = Field(
        default=DEFAULT_ZOTERO_URL,
        description="address of Zotero's web API, to which readers send saved papers with a key of theirs",
    )

    @model_validator(mode="after")
    def _check_domains(self) -> Self:
        if self.who == "domains" and not self.domains:
            raise make_validation_error('who = "domains" needs them: domains = ["example.org"]')
        if self.who != "domains" and self.domains:
            raise make_validation_error('`domains` has no effect; write who = "domains", or remove it')
        return self

    def to_settings(self) -> SignupSettings:
        """Convert the table to settings."""
        return SignupSettings(
            who=self.who,
            domains=tuple(dict.fromkeys(self.domains)),
            daily_papers=self.daily_papers,
            trending=self.trending,
            destinations=tuple(dict.fromkeys(self.destinations)),
            zotero_url=self.zotero_url,
        )
