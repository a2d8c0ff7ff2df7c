"""``[dkim]``: the keys that sign mails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, PrivateAttr, SecretStr, ValidationInfo, field_validator, model_validator

from digest.config.context import Table, resolve_path
from digest.config.settings import DkimSettings
from digest.config.values import make_validation_error, read_by
from digest.core.delivery.dns.dkim_keys import DkimKey, read_key
from digest.errors import ConfigError

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_SELECTOR = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_MAX_NAME_LENGTH = 63
"""Maximum length of a domain or selector, in characters, so that it fits on one line of the signature header."""
_KEYS = ("key", "key_file")


def read_domain(text: str) -> str:
    """Parse a domain: in DNS form, in lower case, and without the final dot of zone files."""
    import idna  # slow to import, and needed for signing only

    try:
        domain = idna.encode(text.removesuffix("."), uts46=True).decode().lower()
    except idna.IDNAError:
        domain = ""
    if not _SELECTOR.fullmatch(domain) or "." not in domain or len(domain) > _MAX_NAME_LENGTH:
        raise ConfigError(
            f'{text!r} is not a domain; write the part after the @ in `from`, such as "example.org"'
        )
    return domain


def read_selector(text: str) -> str:
    """Parse a selector, the name of a key's DNS record below ``_domainkey`` (RFC 6376, section 3.1)."""
    if not _SELECTOR.fullmatch(text.lower()) or len(text) > _MAX_NAME_LENGTH:
        raise ConfigError(f'{text!r} is not a selector; write letters, digits and hyphens, such as "digest"')
    return text.lower()


class DkimKeyTable(Table):
    """A key, and the name of its DNS record."""

    selector: Annotated[str, read_by(read_selector)] = Field(
        description="the name of its DNS record: SELECTOR._domainkey.DOMAIN", examples=["digest"]
    )
    key_file: str = Field(default="", description="the private key in PEM", examples=["dkim-digest.pem"])
    key: SecretStr = Field(default=SecretStr(""), description="the private key itself, as ${NAME}")
    _dkim_key: DkimKey = PrivateAttr()

    @field_validator("key_file")
    @classmethod
    def _resolve_key_file(cls, text: str, info: ValidationInfo) -> str:
        return resolve_path(text, info) if text else ""

    @model_validator(mode="after")
    def _load_key(self) -> Self:
        key_text = self.key.get_secret_value()
        if bool(key_text) == bool(self.key_file):
            raise make_validation_error(
                'exactly one key is needed; write either key_file = "dkim-digest.pem" or key = "${NAME}"'
            )
        try:
            self._dkim_key = read_key(self.selector, key_text or _read_text(Path(self.key_file)))
        except ConfigError as error:
            raise make_validation_error(f"{'`key`' if key_text else self.key_file}: {error}") from None
        return self


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        raise ConfigError(
            "there is no such file; create a key with `digest dkim-key DOMAIN`, and write the path relative to this file"
        ) from None
    except OSError as error:
        raise ConfigError(f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(
            "this is not a private key in PEM; create one with `digest dkim-key DOMAIN`"
        ) from None


class DkimTable(DkimKeyTable):
    """The keys that sign mails."""

    domain: Annotated[str, read_by(read_domain)] = Field(
        default="", description="signing domain; by default that of `from`"
    )
    second: DkimKeyTable | None = Field(
        default=None, description="a key of the other kind, for a second signature"
    )

    @model_validator(mode="after")
    def _check_second_key(self) -> Self:
        if self.second and self.second.selector == self.selector:
            raise make_validation_error("both keys have the same `selector`; each needs its own DNS record")
        if self.second and self.second._dkim_key.kind == self._dkim_key.kind:  # noqa: SLF001 - it is the same class
            raise make_validation_error(
                f"both keys are {self._dkim_key.kind} keys; the second one must be of the other kind"
            )
        return self

    def to_settings(self, sender_domain: str) -> DkimSettings:
        """Convert the table to settings.

        Args:
            sender_domain: the domain of the From header.
        """
        key_tables = (self, self.second) if self.second else (self,)
        return DkimSettings(
            domain=self.domain or sender_domain,
            keys=tuple(key_table._dkim_key for key_table in key_tables),  # noqa: SLF001 - it is the same class
            files=tuple(Path(key_table.key_file) for key_table in key_tables if key_table.key_file),
        )
