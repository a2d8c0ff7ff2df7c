"""Privacy of a state: addresses become keyed pseudonyms, and secrets are removed.

A state may be public. With the key and the configuration each address can be recognized by its pseudonym, so
an address that unsubscribed stays unsubscribed on another machine; without them it cannot.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from digest import plugins
from digest.config import Destination, Settings
from digest.config.file.secret_texts import collect_secrets
from digest.config.file.variables import list_variable_values
from digest.core.fetching.public_addresses import make_distinct_address, make_public_address
from digest.errors import ConfigError, OptionError
from digest.model import AddressKind

_PSEUDONYM_PREFIX = "hidden:"
_PSEUDONYM_BYTES = 16
"""Length of a pseudonym, in bytes (128 bits)."""
_MIN_SECRET_LENGTH = 8
"""Minimum length of a secret that is masked in texts, in characters; shorter ones occur in ordinary words."""

_Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudonymMap:
    """The pseudonyms of everything in the configuration.

    Attributes:
        destinations: destinations, by the pseudonym of channel and address.
        mailboxes: mail addresses in lower case, by pseudonym.
        feeds: addresses of sources that may contain a secret, by pseudonym.
    """

    destinations: Mapping[str, Destination]
    mailboxes: Mapping[str, str]
    feeds: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Pseudonymizer:
    """Replaces addresses by pseudonyms and removes secrets, and restores the addresses.

    Attributes:
        keys: the first key makes pseudonyms; those of all keys are recognized.
        settings: the configuration.
        secrets: strings that no state may contain.
    """

    keys: tuple[bytes, ...] = field(repr=False)
    settings: Settings
    secrets: frozenset[str] = field(repr=False)

    # --- from a store into a state

    def make_for_store(self, addresses: Iterable[str]) -> StorePseudonymizer:
        """Make the pseudonymizer of a store that contains these addresses."""
        return StorePseudonymizer(pseudonymizer=self, addresses=frozenset(addresses))

    def make_for_logs(self) -> StorePseudonymizer:
        """Make a pseudonymizer for the log of a run; whoever may know the addresses has the file."""
        declared = [destination for digest in self.settings.digests for destination in digest.destinations]
        return self.make_for_store(
            destination.address for destination in declared if destination.kind is not AddressKind.FOLDER
        )

    def make_pseudonym(self, kind: str, text: str) -> str:
        """Return the pseudonym of an address; a pseudonym that could not be resolved stays as it is."""
        return text if text.startswith(_PSEUDONYM_PREFIX) else _make_pseudonym(self.keys[0], kind, text)

    def make_location(self, channel: str, address: str) -> str:
        """Return a destination's address in the form to pseudonymize; a folder may be elsewhere on the next machine."""
        folder = self.settings.path.parent
        is_inside = _is_folder_channel(channel) and Path(address).is_relative_to(folder)
        return f"{channel} {Path(address).relative_to(folder).as_posix() if is_inside else address}"

    # --- from a state into a store

    @cached_property
    def pseudonym_map(self) -> PseudonymMap:
        """The pseudonyms of everything in the configuration."""
        declared = [destination for entry in self.settings.digests for destination in entry.destinations]
        mailboxes = {
            destination.address.lower() for destination in declared if destination.kind is AddressKind.MAILBOX
        }
        return PseudonymMap(
            destinations={
                _make_pseudonym(
                    key, "way", self.make_location(destination.channel, destination.address)
                ): destination
                for key in self.keys
                for destination in declared
            },
            mailboxes={
                _make_pseudonym(key, "mailbox", entry): entry for key in self.keys for entry in mailboxes
            },
            feeds={
                _make_pseudonym(key, "feed", entry): entry
                for key in self.keys
                for entry in self.private_feeds
            },
        )

    @cached_property
    def private_feeds(self) -> frozenset[str]:
        """The addresses of sources with a user name or a query, which may be a secret."""
        options = [value for entry in self.settings.sources for value in entry.options.values()]
        addresses = [
            entry for entry in options if isinstance(entry, str) and entry.startswith(("https://", "http://"))
        ]
        return frozenset(
            entry for entry in addresses if make_distinct_address(entry) != make_public_address(entry)
        )

    def restore_row(self, table: str, row: _Row, host: str) -> _Row:
        """Restore the addresses of a row, as far as the configuration has them.

        Args:
            table: the name of the table.
            row: a row of a state.
            host: the host with which Message-IDs end.
        """
        if table == "source_state":
            row["url"] = self.pseudonym_map.feeds.get(row["url"], row["url"])
        if "mailbox" in row:
            row["mailbox"] = self.pseudonym_map.mailboxes.get(row["mailbox"], row["mailbox"])
        if table == "destinations":
            destination = self.pseudonym_map.destinations.get(row["address"])
            # If only the case of the address has changed, the mailbox is the same, and stays unsubscribed if it was.
            plain_mailbox = (
                row["mailbox"] if row["mailbox"] and not row["mailbox"].startswith(_PSEUDONYM_PREFIX) else ""
            )
            row["address"] = destination.address if destination else plain_mailbox or row["address"]
            row["domain"] = destination.domain if destination else row["domain"]
        if table == "deliveries":
            row["message_id"] = f"{row['message_id']}@{host}>"
        return row


@dataclass(frozen=True, kw_only=True)
class StorePseudonymizer:
    """Pseudonymizes the rows of one store.

    Attributes:
        addresses: the addresses in the store.
    """

    pseudonymizer: Pseudonymizer
    addresses: frozenset[str]

    def hide_row(self, table: str, row: _Row) -> _Row | None:
        """Return a row without addresses and secrets; None if the row must be left out."""
        make_mark = self.pseudonymizer.make_pseudonym
        if table == "source_state" and row["url"] in self.pseudonymizer.private_feeds:
            row["url"] = make_mark("feed", row["url"])
        if table in {"moves", "buckets"} and self._secret_pattern.search(" ".join(map(str, row.values()))):
            return None
        if table == "source_state" and self._secret_pattern.search(" ".join(map(str, row.values()))):
            row |= dict.fromkeys(("url", "etag", "last_modified", "body_hash", "cursor", "error"), "")
        if row.get("error"):
            row["error"] = _OMITTED_ERROR  # the host's message may name its users
        if table == "editions":
            row["batches"] = [_omit_error(stored_batch) for stored_batch in row["batches"]]
        if table == "destinations":
            location = row["address"]
            location = (
                location
                if location.startswith(_PSEUDONYM_PREFIX)
                else self.pseudonymizer.make_location(row["channel"], location)
            )
            row |= {"address": make_mark("way", location), "domain": ""}
        if row.get("mailbox"):
            row["mailbox"] = make_mark("mailbox", row["mailbox"])
        if table == "deliveries":
            row |= {
                "message_id": row["message_id"].partition("@")[0],
                "answer": _read_reply_code(row["answer"]),
            }
        if table == "reports":
            row["answer"] = ""
        return {name: self._clean(value) for name, value in row.items()}

    def redact_text(self, text: str) -> str:
        """Return a text for the public, with addresses and secrets masked."""
        return self._certain_pattern.sub("…", text)

    def _clean(self, value: Any) -> Any:
        match value:
            case str():
                return self.redact_text(value)
            case list():
                return [self._clean(element) for element in value]
            case dict():
                return {name: self._clean(element) for name, element in value.items()}
            case _:
                return value

    @cached_property
    def _secret_pattern(self) -> re.Pattern[str]:
        return _compile_any(self.addresses | self.pseudonymizer.secrets | self.pseudonymizer.private_feeds)

    @cached_property
    def _certain_pattern(self) -> re.Pattern[str]:
        return _compile_any(
            self.addresses
            | {secret for secret in self.pseudonymizer.secrets if len(secret) >= _MIN_SECRET_LENGTH}
        )


_OMITTED_ERROR = "its answer is not stored in a state"


def _omit_error(batch: Mapping[str, Any]) -> dict[str, Any]:
    """Return the batch of an edition without the words of a host, which earlier releases stored in it."""
    return {**batch, "error": _OMITTED_ERROR} if batch.get("error") else dict(batch)


def _make_pseudonym(key: bytes, kind: str, text: str) -> str:
    digest = hmac.new(key, f"state {kind} {text}".encode("utf-8", "surrogateescape"), hashlib.sha256)
    return f"{_PSEUDONYM_PREFIX}{digest.hexdigest()[: 2 * _PSEUDONYM_BYTES]}"


def _read_reply_code(answer: str) -> str:
    """Return the codes at the beginning of a mail server's answer; the words after them may name the recipient."""
    match = re.match(r"\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?(?!\d)", answer)
    return match[0] if match else ""


def _compile_any(texts: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern that finds any of some texts, in any case; longer texts are preferred."""
    longest_first = sorted(
        (text for text in texts if not text.startswith(_PSEUDONYM_PREFIX)),
        key=lambda text: (-len(text), text),
    )
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)", re.IGNORECASE)


def make_pseudonymizer(
    settings: Settings, keys: tuple[bytes, ...], environ: Mapping[str, str]
) -> Pseudonymizer:
    """Make the pseudonymizer of a state.

    Args:
        settings: the configuration.
        keys: the keys of the environment.
        environ: the values of the file's variables.

    Raises:
        ConfigError: there is no key.
    """
    if not keys:
        raise ConfigError(
            "a state needs a DIGEST_KEY in the environment, the same at each run; create one with `openssl rand -hex 32`. With it, digest recognizes addresses that the state does not contain"
        )
    destinations = [
        *settings.operator.notify,
        *(destination for digest in settings.digests for destination in digest.destinations),
    ]
    secrets = {
        *(key.decode() for key in keys),
        *(destination.secret_url for destination in destinations if destination.secret_url),
        *collect_secrets(settings),
        *list_variable_values(settings.path.read_text("utf-8-sig"), environ),
    }
    return Pseudonymizer(keys=keys, settings=settings, secrets=frozenset(secrets))


@cache  # looking up a channel that does not exist searches all installed packages
def _is_folder_channel(name: str) -> bool:
    """Whether a channel writes into folders; the store may have rows of a channel that no longer exists."""
    try:
        return plugins.load_channel(name).address_kind is AddressKind.FOLDER
    except OptionError:
        return False
