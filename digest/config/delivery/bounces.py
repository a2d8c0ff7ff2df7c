"""``[bounces]``: how bounces and complaints are received."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, ConfigDict, Field, SecretStr, model_validator

from digest import plugins
from digest.config.context import Table, resolve_existing_path
from digest.config.delivery.rates import read_duration
from digest.config.settings import BouncesSettings, ProviderSettings
from digest.config.values import make_validation_error, read_address, read_by
from digest.errors import ConfigError
from digest.ports import MailboxLogin

_MAX_LOCAL_LENGTH = 20
"""Maximum length of the local part of the address, in characters. A plus, a number and a signature are appended,
and 64 characters are allowed (RFC 5321, section 4.5.3.1.1).
"""
_MIN_INTERVAL = timedelta(minutes=1)
_MAILBOX_HINT = 'write "imaps://imap.example.org/INBOX" or "maildir:FOLDER"'


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


def _read_mailbox(text: str) -> str:
    """Let the class of the mailbox validate its address."""
    if not plugins.has_mailbox(text):
        raise ConfigError(f"{text!r} is not a mailbox; {_MAILBOX_HINT}")
    plugins.load_mailbox(text).from_address(text, Path(), None)
    return text


class ProviderTable(Table):
    """A mail service that reports bounces and complaints by web requests. The other keys are the provider's options."""

    model_config = ConfigDict(extra="allow")

    use: Annotated[str, Field(pattern=re.compile(r"^[\w.:]+$"))] = Field(
        description="the name of the provider", examples=["ses", "postmark"]
    )


class BouncesTable(Table):
    """How bounces and complaints are received."""

    address: Annotated[str, read_by(_read_return_address)] = Field(
        default="",
        description="envelope sender of mails, to which bounces return",
        examples=["bounces@example.org"],
    )
    mailbox: Annotated[str, read_by(_read_mailbox)] = Field(
        default="", description="mailbox of that address: imaps://HOST/FOLDER or maildir:FOLDER"
    )
    username: str = ""
    password: SecretStr = Field(
        default=SecretStr(""), description="better in DIGEST_BOUNCES_PASSWORD or ${NAME}"
    )
    ca_file: Annotated[str, AfterValidator(resolve_existing_path)] | None = Field(
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
        if self.mailbox and not self.address:
            raise make_validation_error("`address` is missing; write the address of this mailbox")
        if self.address and not self.mailbox and not self.provider:
            raise make_validation_error(
                "nobody reads the bounces that return to `address`; add its `mailbox`"
            )
        needs_login = bool(self.mailbox) and plugins.load_mailbox(self.mailbox).needs_login
        if {bool(self.username), bool(self.password.get_secret_value())} != {needs_login}:
            raise make_validation_error(
                "a mailbox on a server needs both `username` and `password` (in DIGEST_BOUNCES_PASSWORD); "
                "other mailboxes need neither"
            )
        names = [provider.use for provider in self.provider]
        if duplicate := next((name for name in names if names.count(name) > 1), ""):
            raise make_validation_error(f"there are two providers {duplicate!r}; remove one")
        return self

    def to_settings(self, locate_key: Callable[[str], str]) -> BouncesSettings:
        """Convert the table to settings.

        Args:
            locate_key: returns the place of a key of this table, for messages.
        """
        login = MailboxLogin(
            username=self.username,
            password=self.password.get_secret_value(),
            ca_file=self.ca_file or "",
        )
        return BouncesSettings(
            address=self.address,
            mailbox=self.mailbox,
            login=login if self.username else None,
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
