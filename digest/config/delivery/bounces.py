"""``[bounces]``: where mail that could not be delivered comes back to, and who else tells of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, ConfigDict, Field, SecretStr, ValidationInfo, model_validator

from digest.config.context import Table, get_context
from digest.config.delivery.rates import read_duration
from digest.config.settings import BouncesSettings, ImapSettings, ProviderSettings
from digest.config.values import make_validation_error, read_address, read_by
from digest.errors import ConfigError

_MAX_LOCAL_LENGTH = 20
"""Characters before the @ of the address: a plus, a number and a signature come behind, and 64 is all there may be
(RFC 5321, section 4.5.3.1.1)."""
_MIN_INTERVAL = timedelta(minutes=1)
_MAILBOX_HINT = 'write "imaps://imap.example.org/INBOX" or "maildir:FOLDER"'
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


def _read_return_address(text: str) -> str:
    address = read_address(text)
    local_part = address.rpartition("@")[0]
    if "+" in local_part or len(local_part) > _MAX_LOCAL_LENGTH:
        raise ConfigError(
            f"{text!r} is too long or contains a plus: use at most {_MAX_LOCAL_LENGTH} characters before the @ and no plus, "
            "because each mail is sent from an address of its own, such as bounces+NUMBER@example.org"
        )
    return address


def _read_interval(text: str) -> timedelta:
    duration = read_duration(text)
    if duration < _MIN_INTERVAL:
        raise ConfigError(f'{text!r} is too short; write "1 minute" or more')
    return duration


def _read_mailbox(text: str) -> Path | ImapSettings:
    """A folder, not yet absolute, or where on a server the mailbox is."""
    scheme, colon, remainder = text.partition(":")
    if colon and scheme == "maildir" and remainder.strip():
        return Path(remainder.strip()).expanduser()
    parts = _split_url(text)
    if parts.username or parts.password:
        raise ConfigError(
            "messages would show a login in the address; write `username` and `password` instead"
        )
    host = parts.hostname or ""
    if parts.scheme == "imap" and host not in _LOCAL_HOSTS:
        raise ConfigError("mail and password would be sent unencrypted; write imaps://")
    if parts.scheme not in {"imap", "imaps"} or not host or parts.query or parts.fragment:
        raise ConfigError(f"{text!r} is not a mailbox; {_MAILBOX_HINT}")
    is_tls = parts.scheme == "imaps"
    folder = unquote(parts.path.strip("/")) or "INBOX"
    return ImapSettings(host=host, port=parts.port or (993 if is_tls else 143), tls=is_tls, folder=folder)


def _split_url(text: str) -> Any:
    try:
        parts = urlsplit(text)
        _ = parts.port  # reading it is what finds one that is none
    except ValueError:
        raise ConfigError(f"{text!r} is not a mailbox; {_MAILBOX_HINT}") from None
    return parts


def _make_absolute(mailbox: Path | ImapSettings, info: ValidationInfo) -> Path | ImapSettings:
    return get_context(info).folder / mailbox if isinstance(mailbox, Path) else mailbox


def _resolve_existing_path(text: str, info: ValidationInfo) -> str:
    path = get_context(info).folder / Path(text).expanduser()
    if not path.exists():
        raise make_validation_error(f"there is no {path}; write the path relative to this file")
    return str(path)


class ProviderTable(Table):
    """Who sends our mail and tells us by requests what became of it. The other keys are the provider's own."""

    model_config = ConfigDict(extra="allow")

    use: Annotated[str, Field(pattern=re.compile(r"^[\w.:]+$"))] = Field(
        description="the name of the provider", examples=["ses", "postmark"]
    )


class BouncesTable(Table):
    """Where mail that could not be delivered comes back to, and who else tells of it."""

    address: Annotated[str, read_by(_read_return_address)] = Field(
        default="",
        description="envelope sender of mails, to which bounces return",
        examples=["bounces@example.org"],
    )
    mailbox: Annotated[Path | ImapSettings, AfterValidator(_make_absolute), read_by(_read_mailbox)] | None = (
        Field(default=None, description="mailbox of that address: imaps://HOST/FOLDER or maildir:FOLDER")
    )
    username: str = ""
    password: SecretStr = Field(
        default=SecretStr(""), description="better in DIGEST_BOUNCES_PASSWORD or ${NAME}"
    )
    ca_file: Annotated[str, AfterValidator(_resolve_existing_path)] | None = Field(
        default=None, description="certificates to trust instead of the machine's"
    )
    interval: Annotated[timedelta, read_by(_read_interval)] = Field(
        default="5 minutes", validate_default=True, description="how often `digest serve` reads the mailbox"
    )
    provider: list[ProviderTable] = Field(
        default=[], description="providers that send our mail and report bounces by webhook"
    )

    @model_validator(mode="after")
    def _check_mailbox(self) -> Self:
        is_on_server = isinstance(self.mailbox, ImapSettings)
        if self.mailbox is not None and not self.address:
            raise make_validation_error("`address` is missing; write the address of this mailbox")
        if self.address and self.mailbox is None and not self.provider:
            raise make_validation_error(
                "nobody reads the bounces that return to `address`; add its `mailbox`"
            )
        if is_on_server != bool(self.username) or is_on_server != bool(self.password.get_secret_value()):
            raise make_validation_error(
                "a mailbox on a server needs both `username` and `password` (in DIGEST_BOUNCES_PASSWORD); "
                "other mailboxes need neither"
            )
        names = [provider.use for provider in self.provider]
        if duplicate := next((name for name in names if names.count(name) > 1), ""):
            raise make_validation_error(f"there are two providers {duplicate!r}; remove one")
        return self

    def to_settings(self, locate_key: Callable[[str], str]) -> BouncesSettings:
        """What the program takes from it.

        Args:
            locate_key: the place of a key in this table, for messages.
        """
        mailbox = self.mailbox
        if isinstance(mailbox, ImapSettings):
            mailbox = ImapSettings(
                host=mailbox.host,
                port=mailbox.port,
                tls=mailbox.tls,
                folder=mailbox.folder,
                username=self.username,
                password=self.password.get_secret_value(),
                ca_file=self.ca_file or "",
            )
        return BouncesSettings(
            address=self.address,
            mailbox=mailbox,
            interval=self.interval,
            providers=tuple(
                _make_provider_settings(number, provider, locate_key)
                for number, provider in enumerate(self.provider)
            ),
        )


def _make_provider_settings(
    number: int, table: ProviderTable, locate_key: Callable[[str], str]
) -> ProviderSettings:
    return ProviderSettings(
        use=table.use,
        options=table.model_extra or {},
        locate_key=lambda key: locate_key(f"provider[{number}].{key}"),
    )
