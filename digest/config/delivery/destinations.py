"""Destinations: the values of ``to`` and ``[operator] notify``, and ``[sendmail]``.

Whoever has the address of a chat can post there. So the database and all messages have only its public part
and a hash, and the whole address is in memory only. (Those that readers add on the site are in no file; see
``digest.core.subscribers.sealed_addresses``.)
"""

from __future__ import annotations

import difflib
import hashlib
import re
import shlex
from dataclasses import replace
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationInfo, model_validator

from digest import plugins
from digest.config import values
from digest.config.context import Table, get_context, wrap_in_table
from digest.config.paths import expand_home
from digest.config.settings import Destination, OperatorSettings, SendmailSettings
from digest.config.values import Sender, apply_reader, make_validation_error, read_by
from digest.core.delivery.encryption import needs_encryption
from digest.core.times.schedule import parse_schedule
from digest.errors import ConfigError, OptionError
from digest.model import AddressKind, EditionForm, MessageForm, Schedule

DESTINATION_HINT = (
    'an e-mail address, "maildir:FOLDER", "files:FOLDER", the address of a chat such as "slack://…" or "ntfy://…", '
    'or { webhook = "https://…", secret = "${NAME}" }'
)
_MAILTO_HINT = "write the e-mail address without mailto:"
_CHANNEL_NAME = re.compile(r"[a-z][a-z0-9_]*")
_CHAT_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_SLACK_WEBHOOK = re.compile(r"https://hooks\.slack\.com/services/([A-Za-z0-9]+/[A-Za-z0-9]+/[A-Za-z0-9]+)/?")
_ROOM = re.compile(r"(?<=/)(?:#|%23)([\w.-]+)")
_MIN_SECRET_LENGTH = 24
_MAX_SHOWN_LENGTH = 12
_MAX_SECRETS = 3


def read_destination(text: str) -> Destination:
    """Parse an entry of ``to`` that is a string."""
    match = _CHAT_URL.fullmatch(text)
    if match:
        return _read_chat(text, match[1].lower(), match[2])
    channel, colon, place = text.partition(":")
    kind = _find_address_kind(channel) if colon else None
    if kind is None:
        if values.normalize_address(text) is None:
            addresses = [address.strip() for address in re.split(r"[,;]", text)]
            if len(addresses) > 1 and all(map(values.normalize_address, addresses)):
                quoted_addresses = ", ".join(f'"{address}"' for address in addresses)
                raise ConfigError(f"these are several addresses; write them separately: {quoted_addresses}")
            if channel == "mailto":
                raise ConfigError(_MAILTO_HINT)
            suggestion = f"; did you mean `{close[0]}:`?" if (close := _find_close_channels(channel)) else ""
            raise ConfigError(
                f"{_redact_text(text)} is not a destination{suggestion}; write {DESTINATION_HINT}"
            )
        return Destination(channel="smtp", kind=AddressKind.MAILBOX, address=values.read_address(text))
    if not place.strip():
        raise ConfigError(f"the {kind} is missing; write it as {channel}:inbox")
    address = str(expand_home(place.strip())) if kind is AddressKind.FOLDER else place.strip()
    return Destination(channel=channel, kind=kind, address=address)


def _find_address_kind(channel: str) -> AddressKind | None:
    """Return the kind of address after a channel's name and a colon; None if no channel is written in this way."""
    if not _CHANNEL_NAME.fullmatch(channel):
        return None
    try:
        kind = plugins.load_channel(channel).address_kind
    except OptionError as error:
        if channel in plugins.list_names("channels"):  # it exists and cannot be loaded
            raise ConfigError(str(error)) from error
        return None
    return kind if kind in {AddressKind.FOLDER, AddressKind.NAME} else None


def _find_close_channels(name: str) -> list[str]:
    names = [channel for channel in plugins.list_names("channels") if _find_address_kind(channel)]
    return difflib.get_close_matches(name, names, n=1)


def _redact_text(text: str) -> str:
    """Return an invalid address as a message may show it: a misspelt address of a chat is a secret, too."""
    is_plain = "/" not in text and ":" not in text and ("@" in text or len(text) <= _MAX_SHOWN_LENGTH)
    return repr(text) if is_plain else "this"


def _read_chat(url: str, scheme: str, remainder: str) -> Destination:
    """Parse the address of a chat; it is a secret, so no message shows it."""
    if webhook := _SLACK_WEBHOOK.fullmatch(url):  # as Slack shows it
        return _read_chat(f"slack://{webhook[1]}", "slack", webhook[1])
    if scheme in {"http", "https"}:
        raise ConfigError(
            'for a webhook, write { webhook = "https://…", secret = "${NAME}" }; '
            "for a chat, write its address in the form of Apprise (slack://…, workflows://…)"
        )
    if scheme.startswith("mailto"):
        raise ConfigError(_MAILTO_HINT)
    if not remainder.strip("/"):
        raise ConfigError(f"there is nothing after {scheme}://")
    if not url.isprintable() or " " in url:
        raise ConfigError(f"this {scheme}:// address contains a space or a control character")
    rooms = "".join(f"/#{room}" for room in _ROOM.findall(f"/{remainder}"))
    return Destination(
        channel="notify",
        kind=AddressKind.URL,
        address=f"{scheme}://…{rooms}/{_hash_url(url)}",
        service=scheme,
        secret_url=url,
    )


def _hash_url(url: str) -> str:
    """Return a hash that distinguishes addresses; it is slow, to protect weak passwords in them from brute force."""
    return hashlib.pbkdf2_hmac("sha256", url.encode(), b"digest destination", 20_000, 4).hex()


def read_webhook(text: str) -> str:
    """Validate the address of a webhook."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    if parts.scheme not in {"http", "https"} or not host or not text.isprintable() or " " in text:
        raise ConfigError('this is not the address of a webhook; write it as "https://example.org/hook"')
    if parts.scheme == "http" and needs_encryption(host):
        raise ConfigError("requests would be sent unencrypted; write https://")
    if parts.username or parts.password or parts.fragment:
        raise ConfigError(
            "the address of a webhook must not contain a login or a #; write its secret as `secret`"
        )
    return text


def make_webhook_destination(url: str, secret: str) -> Destination:
    """Make the destination of a webhook; its public address has a hash for the path, which is often a password."""
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    public_address = (
        f"{origin}/" if parts.path in {"", "/"} and not parts.query else f"{origin}/…/{_hash_url(url)}"
    )
    return Destination(
        channel="webhook",
        kind=AddressKind.URL,
        address=public_address,
        service=(parts.hostname or "").lower(),
        secret_url=url,
        secret=secret,
    )


def _read_secrets(secret: SecretStr) -> SecretStr:
    """Validate one secret, or several separated by spaces while one replaces another."""
    secret_texts = secret.get_secret_value().split()
    if not 0 < len(secret_texts) <= _MAX_SECRETS or any(
        len(secret_text) < _MIN_SECRET_LENGTH for secret_text in secret_texts
    ):
        raise make_validation_error(
            f"a secret needs at least {_MIN_SECRET_LENGTH} characters; create one with `openssl rand -hex 32`, "
            "and write it as ${NAME}; to sign with two secrets, separate them by a space"
        )
    for secret_text in secret_texts:
        if secret_text.startswith("whsec_") and not re.fullmatch(
            r"whsec_[A-Za-z0-9+/]{22,}={0,2}", secret_text
        ):
            raise make_validation_error("a secret that begins with whsec_ must continue in base64")
    return secret


class DestinationTable(Table):
    """A destination: an address, or a webhook and its secret."""

    address: Annotated[Destination, read_by(read_destination)] | None = Field(
        default=None, description="an e-mail address, maildir:FOLDER, files:FOLDER, or a chat's address"
    )
    webhook: Annotated[str, read_by(read_webhook)] | None = Field(
        default=None,
        description="a web address that receives POST requests",
        examples=["https://example.org/hook"],
    )
    secret: Annotated[SecretStr, AfterValidator(_read_secrets)] | None = Field(
        default=None, description="key that signs the requests, better as ${NAME}"
    )
    form: Literal["epub"] | None = Field(
        default=None,
        description="whether editions go there as EPUBs, for an e-reader; by mail or into a folder",
    )

    @model_validator(mode="after")
    def _check_single_key(self, info: ValidationInfo) -> Self:
        if bool(self.address) == bool(self.webhook):
            raise make_validation_error("write either `address` or `webhook`")
        if bool(self.webhook) != bool(self.secret):
            raise make_validation_error(
                'webhooks are signed; write { webhook = "https://…", secret = "${NAME}" }'
            )
        if self.form and (self.address is None or not _carries_epubs(self.address)):
            raise make_validation_error(
                'EPUBs go by mail or into a folder; write { address = "me@example.org", form = "epub" } '
                'or { address = "files:books", form = "epub" }'
            )
        if self.address and self.address.kind is AddressKind.MAILBOX and not get_context(info).has_mail:
            raise make_validation_error(
                "mail needs a server or a program that sends it; add [smtp] or [sendmail], or write "
                '"maildir:FOLDER" or "files:FOLDER" here'
            )
        return self

    @property
    def destination(self) -> Destination:
        """The destination that the table describes."""
        if self.address is not None:
            return replace(self.address, form=EditionForm(self.form or ""))
        assert self.webhook is not None
        assert self.secret is not None
        return make_webhook_destination(self.webhook, self.secret.get_secret_value())


def _carries_epubs(destination: Destination) -> bool:
    """Whether the channel of a destination carries mails or files."""
    return plugins.load_channel(destination.channel).form in {
        MessageForm.MAIL,
        MessageForm.STORED_MAIL,
        MessageForm.FILES,
    }


Destinations = list[
    Annotated[
        DestinationTable,
        BeforeValidator(wrap_in_table("address"), json_schema_input_type=str | DestinationTable),
    ]
]
"""Destinations; a bare string is an address."""


def require_single_form(tables: list[DestinationTable]) -> list[DestinationTable]:
    """Check that each address gets editions in one form only: a destination gets an edition once."""
    forms: dict[tuple[str, str], EditionForm] = {}
    for destination in (table.destination for table in tables if table.address):
        if (
            forms.setdefault((destination.channel, destination.address), destination.form)
            is not destination.form
        ):
            raise make_validation_error(
                f"{destination.address} is listed with two forms; give the EPUBs another address or folder"
            )
    return tables


# --- operator -------------------------------------------------------------------------------------


def _read_summary(value: object, info: ValidationInfo) -> Schedule | None:
    """Parse when a summary is sent, in the time zone of the same table; None for never."""
    if value == "":
        return None
    zone = info.data.get("timezone", "UTC")
    return apply_reader(value, lambda text: parse_schedule(text, zone=zone or values.read_zone("")))


def _require_standard_form(notify: list[DestinationTable]) -> list[DestinationTable]:
    if any(table.form for table in notify):
        raise make_validation_error("notices are no editions; remove `form`")
    return notify


class OperatorTable(Table):
    """Who operates the service, and notices to them."""

    people: list[Annotated[str, read_by(values.read_address)]] = Field(
        default=[],
        description="addresses of those who may open the operator's pages of the site, after they signed in",
        examples=[["ops@example.org"]],
    )
    notify: Annotated[Destinations, AfterValidator(_require_standard_form)] = Field(
        default=[], description="destinations of notices; each problem is reported at most once a day"
    )
    timezone: Annotated[str, read_by(values.read_zone)] = Field(
        default="", description="IANA name of the time zone; by default that of the machine"
    )
    summary: Annotated[Schedule | None, BeforeValidator(_read_summary, json_schema_input_type=str)] = Field(
        default=None, description="when a status summary goes there", examples=["daily 8:00"]
    )

    @model_validator(mode="after")
    def _check_summary(self) -> Self:
        if self.summary is not None and not self.notify:
            raise make_validation_error("a summary needs a destination; add `notify`")
        return self

    def to_settings(self) -> OperatorSettings:
        """Convert the table to settings."""
        destinations = tuple(dict.fromkeys(table.destination for table in self.notify))
        people = tuple(dict.fromkeys(address.lower() for address in self.people))
        return OperatorSettings(notify=destinations, summary=self.summary, people=people)


# --- sendmail -------------------------------------------------------------------------------------


def _read_command(text: str) -> tuple[str, ...]:
    try:
        parts = tuple(shlex.split(text))
    except ValueError:
        parts = ()
    if not parts or "\0" in text:
        raise ConfigError(f'{text!r} is not a command; write "/usr/sbin/sendmail -i"')
    return parts


class SendmailTable(Table):
    """A local program for outgoing mail, instead of ``[smtp]``."""

    sender: Annotated[Sender, read_by(values.read_sender)] = Field(
        alias="from", description="sender of the mail", examples=["Digest <digest@example.org>"]
    )
    command: Annotated[tuple[str, ...], read_by(_read_command)] = Field(
        default="/usr/sbin/sendmail -i",
        validate_default=True,
        description="command that reads a message from standard input; -f SENDER -- RECIPIENT is appended",
    )
    timeout: float = Field(
        default=60.0, ge=1, le=600, allow_inf_nan=False, description="time limit in seconds"
    )

    def to_settings(self) -> SendmailSettings:
        """Convert the table to settings."""
        return SendmailSettings(
            from_name=self.sender.name,
            from_address=self.sender.address,
            command=self.command,
            timeout=self.timeout,
        )
