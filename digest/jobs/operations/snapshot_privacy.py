"""What a state tells of addresses: marks that only their key makes; nothing of secrets.

A state may lie where everybody can read it. Whoever has the key and the configuration knows each address again by its
mark, so one that unsubscribed stays so on another machine; nobody else learns it.
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
"""Of a mark: 128 bits."""
_MIN_SECRET_LENGTH = 8
"""What is shorter stands in words that others wrote."""

_Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudonymMap:
    """What marks stand for: what the configuration names.

    Attributes:
        destinations: channel and destination, by the mark of its address.
        mailboxes: mail addresses in small letters, by their marks.
        feeds: addresses of sources that may hold a secret, by their marks.
    """

    destinations: Mapping[str, Destination]
    mailboxes: Mapping[str, str]
    feeds: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Pseudonymizer:
    """Takes out of rows what is nobody else's business, and puts it back.

    Attributes:
        keys: the first one makes marks; those that any of them made are known again.
        settings: the configuration.
        secrets: texts that no state may hold.
    """

    keys: tuple[bytes, ...] = field(repr=False)
    settings: Settings
    secrets: frozenset[str] = field(repr=False)

    # --- out of a store

    def make_for_store(self, addresses: Iterable[str]) -> StorePseudonymizer:
        """For a store in which these addresses are."""
        return StorePseudonymizer(pseudonymizer=self, addresses=frozenset(addresses))

    def make_for_logs(self) -> StorePseudonymizer:
        """For what is said while a run goes on: who is to know the addresses has the file."""
        declared = [destination for digest in self.settings.digests for destination in digest.destinations]
        return self.make_for_store(
            destination.address for destination in declared if destination.kind is not AddressKind.FOLDER
        )

    def make_pseudonym(self, kind: str, text: str) -> str:
        """What stands for an address; a mark stands for itself, where nobody knew it again."""
        return text if text.startswith(_PSEUDONYM_PREFIX) else _make_pseudonym(self.keys[0], kind, text)

    def make_location(self, channel: str, address: str) -> str:
        """A destination's address as it is marked: a folder may lie elsewhere on the next machine."""
        folder = self.settings.path.parent
        is_inside = _is_folder_channel(channel) and Path(address).is_relative_to(folder)
        return f"{channel} {Path(address).relative_to(folder).as_posix() if is_inside else address}"

    # --- into a store

    @cached_property
    def pseudonym_map(self) -> PseudonymMap:
        """What the configuration can tell of marks."""
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
        """The addresses of sources with a user or a query, which may be the key to them."""
        options = [value for entry in self.settings.sources for value in entry.options.values()]
        addresses = [
            entry for entry in options if isinstance(entry, str) and entry.startswith(("https://", "http://"))
        ]
        return frozenset(
            entry for entry in addresses if make_distinct_address(entry) != make_public_address(entry)
        )

    def restore_row(self, table: str, row: _Row, host: str) -> _Row:
        """A row with what the configuration knows of it.

        Args:
            table: whose.
            row: of a state.
            host: that Message-IDs end in.
        """
        if table == "source_state":
            row["url"] = self.pseudonym_map.feeds.get(row["url"], row["url"])
        if "mailbox" in row:
            row["mailbox"] = self.pseudonym_map.mailboxes.get(row["mailbox"], row["mailbox"])
        if table == "destinations":
            destination = self.pseudonym_map.destinations.get(row["address"])
            # One that is written in other letters now is the same mailbox: what its reader stopped stays so.
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
    """A veil over one store.

    Attributes:
        addresses: those in it.
    """

    pseudonymizer: Pseudonymizer
    addresses: frozenset[str]

    def hide_row(self, table: str, row: _Row) -> _Row | None:
        """A row without addresses and secrets; None where nothing of it can be told."""
        make_mark = self.pseudonymizer.make_pseudonym
        if table == "source_state" and row["url"] in self.pseudonymizer.private_feeds:
            row["url"] = make_mark("feed", row["url"])
        if table in {"moves", "buckets"} and self._secret_pattern.search(" ".join(map(str, row.values()))):
            return None
        if table == "source_state" and self._secret_pattern.search(" ".join(map(str, row.values()))):
            row |= dict.fromkeys(("url", "etag", "last_modified", "body_hash", "cursor", "error"), "")
        if row.get("error"):
            row["error"] = _OMITTED_ERROR  # a host may name its users in it
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
        """A text that everybody may read: without what they may not know."""
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
    """A batch as an edition tells of it, without a host's words, which earlier releases kept there."""
    return {**batch, "error": _OMITTED_ERROR} if batch.get("error") else dict(batch)


def _make_pseudonym(key: bytes, kind: str, text: str) -> str:
    digest = hmac.new(key, f"state {kind} {text}".encode("utf-8", "surrogateescape"), hashlib.sha256)
    return f"{_PSEUDONYM_PREFIX}{digest.hexdigest()[: 2 * _PSEUDONYM_BYTES]}"


def _read_reply_code(answer: str) -> str:
    """The codes that an answer of a mail server begins with; words behind them may name who it is about."""
    match = re.match(r"\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?(?!\d)", answer)
    return match[0] if match else ""


def _compile_any(texts: Iterable[str]) -> re.Pattern[str]:
    """Finds any of some texts, however its letters are; of two that begin alike the longer one."""
    longest_first = sorted(
        (text for text in texts if not text.startswith(_PSEUDONYM_PREFIX)),
        key=lambda text: (-len(text), text),
    )
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)", re.IGNORECASE)


def make_pseudonymizer(
    settings: Settings, keys: tuple[bytes, ...], environ: Mapping[str, str]
) -> Pseudonymizer:
    """What keeps addresses and secrets out of a state.

    Args:
        settings: the configuration.
        keys: those of the environment.
        environ: what stands for variables of the file.

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


@cache  # what is not there is looked for among all that is installed
def _is_folder_channel(name: str) -> bool:
    """Whether it writes into folders; a channel that is gone may have rows in the store still."""
    try:
        return plugins.load_channel(name).address_kind is AddressKind.FOLDER
    except OptionError:
        return False
