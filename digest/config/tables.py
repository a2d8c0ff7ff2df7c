"""The tables of the file: their keys and the values that each accepts.

Pydantic validates every key separately, so that all mistakes are found at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationInfo,
    model_validator,
)

from digest.config import theme, values
from digest.config.context import Table, get_context, resolve_existing_path
from digest.config.delivery.bounces import BouncesTable
from digest.config.delivery.destinations import OperatorTable, SendmailTable
from digest.config.delivery.dkim import DkimTable
from digest.config.delivery.rates import DeliveryTable
from digest.config.digests import DigestTable, PublicDigestTable
from digest.config.paths import expand_path
from digest.config.public import PublicFeedTable, SignupTable
from digest.config.settings import SiteSettings
from digest.config.values import Sender, apply_reader, make_validation_error, read_by
from digest.core.colours import DEFAULT_ACCENT
from digest.core.delivery.encryption import needs_encryption
from digest.core.delivery.throttling.rates import Rate
from digest.core.publishing.request_rates import DEFAULT_REQUEST_RATES, LOOPBACK_ADDRESSES, RequestRates

# --- validation that depends on other keys --------------------------------------------------------


def _read_logo(value: object, info: ValidationInfo) -> str:
    """Read a logo; relative paths begin in the folder of the file."""
    folder = get_context(info).folder
    return apply_reader(value, lambda text: theme.read_logo(expand_path(text, folder)) if text else "")


# --- tables ---------------------------------------------------------------------------------------


class SiteTable(Table):
    """The sender of the digests, and the web site."""

    title: str = Field(default="Paper digest", description="the name that readers see")
    url: Annotated[str, read_by(values.read_url)] = Field(
        default="", description="base address of the web pages"
    )
    listen: Annotated[str, read_by(values.read_listen)] = Field(
        default="127.0.0.1:8080", description='address on which `digest serve` listens for `url`; "" for none'
    )
    contact: Annotated[str, read_by(values.read_address)] = Field(
        default="", description="e-mail address of the operator"
    )
    language: Annotated[str, read_by(values.read_language)] = Field(
        default="en", description="language of pages, and of digests that set no other"
    )
    public_feeds: bool = Field(
        default=False, description="whether to publish feeds of everything new: all, by category, by author"
    )
    public: bool = Field(
        default=True,
        description="whether `digest serve` shows papers and days as pages that everybody can read",
    )
    accent: Annotated[str, read_by(theme.read_accent)] = Field(
        default=DEFAULT_ACCENT, description="colour of links and buttons, #rrggbb"
    )
    logo: Annotated[str, BeforeValidator(_read_logo, json_schema_input_type=str)] = Field(
        default="", description="SVG or PNG file of at most 20 kB for the pages"
    )
    footer: Annotated[str, read_by(theme.read_footer)] = Field(
        default="", description="a line of text at the foot of mails and pages; web addresses become links"
    )
    page_rate: Annotated[Rate | None, read_by(values.read_request_rate)] = Field(
        default=str(DEFAULT_REQUEST_RATES.pages),
        validate_default=True,
        description='public pages that one network (IPv4 /24, IPv6 /48) may request; "none" for no limit',
    )
    search_rate: Annotated[Rate | None, read_by(values.read_request_rate)] = Field(
        default=str(DEFAULT_REQUEST_RATES.searches),
        validate_default=True,
        description="searches of one network",
    )
    all_searches_rate: Annotated[Rate | None, read_by(values.read_request_rate)] = Field(
        default=str(DEFAULT_REQUEST_RATES.all_searches),
        validate_default=True,
        description="searches of all networks together",
    )
    proxies: list[Annotated[str, read_by(values.read_network)]] = Field(
        default=list(LOOPBACK_ADDRESSES),
        description="addresses or networks of the web servers in front, which tell the address of a client",
    )
    metrics: Annotated[str, read_by(values.read_listen)] = Field(
        default="",
        description='address on which `digest serve` shows metrics for Prometheus, 127.0.0.1:9464; "" for none',
    )

    def to_settings(self) -> SiteSettings:
        """Return the settings."""
        return SiteSettings(
            title=self.title,
            url=self.url,
            contact=self.contact,
            listen=self.listen,
            language=self.language or "en",
            public_feeds=self.public_feeds,
            public=self.public,
            accent=self.accent,
            logo=self.logo,
            footer=self.footer,
            request_rates=RequestRates(
                pages=self.page_rate, searches=self.search_rate, all_searches=self.all_searches_rate
            ),
            proxies=tuple(self.proxies),
            metrics=self.metrics,
        )


class StoreTable(Table):
    """The database."""

    url: Annotated[str, read_by(values.read_store)] = Field(
        default="sqlite:///digest.db", description="sqlite:///FILE or postgresql+psycopg://…"
    )
    listen_url: Annotated[str, read_by(values.read_listen_url)] = Field(
        default="",
        description="where workers wait for hints, if url leads to PgBouncer: postgresql+psycopg://…",
    )
    read_url: Annotated[str, read_by(values.read_replica_url)] = Field(
        default="",
        description="a streaming replica of url, from which public pages are read: postgresql+psycopg://…",
    )
    keep: Annotated[timedelta | None, read_by(values.read_keep)] = Field(
        default="400 days",
        validate_default=True,
        description='how long editions, deliveries and listings are kept: "400 days", or "forever"',
    )

    @model_validator(mode="after")
    def _check_replica(self) -> Self:
        if self.read_url and self.url.startswith("sqlite"):
            raise make_validation_error(
                "SQLite has no replicas; remove `read_url`, or let `url` lead to the PostgreSQL database of the replica"
            )
        return self


class OutputTable(Table):
    """The folder of output files, and the folder of your templates."""

    folder: Annotated[str, read_by(values.read_path)] = Field(
        default="out", min_length=1, description="for feeds, pages and mail folders"
    )
    templates: Annotated[str, AfterValidator(resolve_existing_path)] | None = Field(
        default=None, description="folder of custom templates, which override the shipped ones"
    )


class SourceTable(Table):
    """A source of announcements. The other keys are options of the source."""

    model_config = ConfigDict(extra="allow")

    use: str = Field(min_length=1, description="the name of the source", examples=["arxiv"])


class EnricherTable(Table):
    """A service that adds data about papers and persons. The other keys are options of the enricher."""

    model_config = ConfigDict(extra="allow")

    use: str = Field(min_length=1, description="the name of the enricher", examples=["openalex"])


DEFAULT_PORTS = {"starttls": 587, "tls": 465, "none": 25}
"""The usual ports of servers, by ``security``."""


class RelayTable(Table):
    """An SMTP server for outgoing mail."""

    host: Annotated[str, read_by(values.read_host)] = Field(
        description="its name", examples=["smtp.example.org"]
    )
    port: Annotated[int, Field(ge=1, le=65535)] | None = Field(
        default=None, description="by default 587 for starttls, 465 for tls, 25 for none"
    )
    security: Literal["starttls", "tls", "none"] = "starttls"
    username: str = ""
    password: SecretStr = Field(default=SecretStr(""), description="better as ${NAME}")
    ca_file: Annotated[str, AfterValidator(resolve_existing_path)] | None = Field(
        default=None, description="certificates to trust instead of the machine's"
    )
    timeout: float = Field(
        default=300.0, gt=0, le=3600, allow_inf_nan=False, description="seconds to wait for an answer"
    )
    connections: int = Field(
        default=4, ge=1, le=100, description="maximum number of simultaneous connections"
    )
    weight: float = Field(
        default=1.0,
        ge=0,
        le=1000,
        allow_inf_nan=False,
        description="its share among several servers; 0 for a stand-by",
    )

    @model_validator(mode="after")
    def _check_login(self) -> Self:
        if self.username and not self.password.get_secret_value():
            raise make_validation_error(
                f"the password of {self.username!r} is missing; write it as ${{NAME}}, or for [smtp] itself set "
                "DIGEST_SMTP_PASSWORD where digest runs (cron does not see the variables of your terminal); if you do not "
                "log in, remove `username`"
            )
        if bool(self.username) != bool(self.password.get_secret_value()):
            raise make_validation_error(
                "a login needs both `username` and `password`; add the user name, or remove both "
                "(for [smtp] itself, DIGEST_SMTP_PASSWORD contains the password)"
            )
        if self.username and self.security == "none" and needs_encryption(self.host):
            raise make_validation_error(
                'the password would be sent unencrypted; write security = "starttls" or "tls"'
            )
        return self


class SmtpTable(RelayTable):
    """The SMTP server for outgoing mail, and further ones."""

    password: SecretStr = Field(
        default=SecretStr(""), description="better in DIGEST_SMTP_PASSWORD or ${NAME}"
    )
    sender: Annotated[Sender, read_by(values.read_sender)] = Field(
        alias="from", description="sender of the mail", examples=["Digest <digest@example.org>"]
    )
    relay: list[RelayTable] = Field(default=[], description="further servers")

    @model_validator(mode="after")
    def _check_relays(self) -> Self:
        relays: tuple[RelayTable, ...] = (self, *self.relay)
        servers = [(table.host.lower(), table.port or DEFAULT_PORTS[table.security]) for table in relays]
        for number, server in enumerate(servers[1:]):
            if server in servers[: number + 1]:
                raise make_validation_error(
                    f"relay[{number}] is the same server as another one; give that one more `connections` instead"
                )
        if not any(table.weight for table in relays):
            raise make_validation_error(
                "all servers are stand-bys; give at least one of them a `weight` above 0"
            )
        return self


class ConfigFile(Table):
    """The configuration file."""

    site: SiteTable = SiteTable()
    store: StoreTable = StoreTable()
    output: OutputTable = OutputTable()
    source: list[SourceTable] = Field(default=[], description="sources that announce papers")
    enricher: list[EnricherTable] = Field(
        default=[], description="services that know more about papers and people"
    )
    smtp: SmtpTable | None = None
    sendmail: SendmailTable | None = None
    delivery: DeliveryTable = DeliveryTable()
    bounces: BouncesTable = BouncesTable()
    dkim: DkimTable | None = None
    operator: OperatorTable = OperatorTable()
    digest: list[DigestTable] = Field(default=[], description="digests")
    public_feed: list[PublicFeedTable] = Field(default=[], description="queries with public feeds")
    public_digest: list[PublicDigestTable] = Field(
        default=[], description="digests that readers subscribe to on the site"
    )
    signup: SignupTable | None = None

    @model_validator(mode="after")
    def _check_public_names(self) -> Self:
        _require_unique("public feeds", [feed.name for feed in self.public_feed])
        shipped = self.signup.to_settings().shipped_digests if self.signup else ()
        _require_unique("public digests", [*shipped, *(digest.name for digest in self.public_digest)])
        return self

    @model_validator(mode="after")
    def _check_mail_transport(self) -> Self:
        if self.smtp and self.sendmail:
            raise make_validation_error("use either [smtp] or [sendmail] for mail; remove one of the two")
        return self


def _require_unique(what: str, names: Sequence[str]) -> None:
    """Check that names differ in more than case."""
    lower_names: set[str] = set()
    for name in names:
        if name.lower() in lower_names:
            raise make_validation_error(f"several {what} are called {name!r}; give each a different name")
        lower_names.add(name.lower())
