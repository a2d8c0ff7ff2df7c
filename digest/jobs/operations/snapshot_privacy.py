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
from functools import cached_property
from pathlib import Path
from typing import Any

from digest.config import Destination, Settings
from digest.config.file.secret_texts import collect_secrets
from digest.config.file.variables import values_of
from digest.core.fetching.public_addresses import distinct_address, public_address
from digest.errors import ConfigError

_MARK = "hidden:"
_BYTES = 16
"""Of a mark: 128 bits."""
_SURELY_SECRET = 8
"""What is shorter stands in words that others wrote."""
_FOLDERS = ("maildir", "files")

_Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What marks stand for: what the configuration names.

    Attributes:
        ways: channel and destination, by the mark of its address.
        mailboxes: mail addresses in small letters, by their marks.
        feeds: addresses of sources that may hold a secret, by their marks.
    """

    ways: Mapping[str, Destination]
    mailboxes: Mapping[str, str]
    feeds: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Veil:
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

    def hiding(self, addresses: Iterable[str]) -> Hiding:
        """For a store in which these addresses are."""
        return Hiding(veil=self, addresses=frozenset(addresses))

    def over_logs(self) -> Hiding:
        """For what is said while a run goes on: who is to know the addresses has the file."""
        declared = [to for one in self.settings.digests for to in one.destinations]
        return self.hiding(to.address for to in declared if to.channel not in _FOLDERS)

    def mark(self, what: str, text: str) -> str:
        """What stands for an address; a mark stands for itself, where nobody knew it again."""
        return text if text.startswith(_MARK) else _mark(self.keys[0], what, text)

    def way(self, channel: str, address: str) -> str:
        """A destination's address as it is marked: a folder may lie elsewhere on the next machine."""
        folder = self.settings.path.parent
        inside = channel in _FOLDERS and Path(address).is_relative_to(folder)
        return f"{channel} {Path(address).relative_to(folder).as_posix() if inside else address}"

    # --- into a store

    @cached_property
    def known(self) -> Known:
        """What the configuration can tell of marks."""
        declared = [to for one in self.settings.digests for to in one.destinations]
        mailboxes = {to.address.lower() for to in declared if to.channel == "smtp"}
        return Known(
            ways={
                _mark(key, "way", self.way(to.channel, to.address)): to
                for key in self.keys
                for to in declared
            },
            mailboxes={_mark(key, "mailbox", one): one for key in self.keys for one in mailboxes},
            feeds={_mark(key, "feed", one): one for key in self.keys for one in self.private_feeds},
        )

    @cached_property
    def private_feeds(self) -> frozenset[str]:
        """The addresses of sources with a user or a query, which may be the key to them."""
        options = [value for one in self.settings.sources for value in one.options.values()]
        addresses = [
            one for one in options if isinstance(one, str) and one.startswith(("https://", "http://"))
        ]
        return frozenset(one for one in addresses if distinct_address(one) != public_address(one))

    def show(self, table: str, row: _Row, host: str) -> _Row:
        """A row with what the configuration knows of it.

        Args:
            table: whose.
            row: of a state.
            host: that Message-IDs end in.
        """
        if table == "source_state":
            row["url"] = self.known.feeds.get(row["url"], row["url"])
        if "mailbox" in row:
            row["mailbox"] = self.known.mailboxes.get(row["mailbox"], row["mailbox"])
        if table == "destinations":
            to = self.known.ways.get(row["address"])
            # One that is written in other letters now is the same mailbox: what its reader stopped stays so.
            whole = row["mailbox"] if row["mailbox"] and not row["mailbox"].startswith(_MARK) else ""
            row["address"] = to.address if to else whole or row["address"]
            row["domain"] = to.domain if to else row["domain"]
        if table == "deliveries":
            row["message_id"] = f"{row['message_id']}@{host}>"
        return row


@dataclass(frozen=True, kw_only=True)
class Hiding:
    """A veil over one store.

    Attributes:
        addresses: those in it.
    """

    veil: Veil
    addresses: frozenset[str]

    def row(self, table: str, row: _Row) -> _Row | None:
        """A row without addresses and secrets; None where nothing of it can be told."""
        mark = self.veil.mark
        if table == "source_state" and row["url"] in self.veil.private_feeds:
            row["url"] = mark("feed", row["url"])
        if table in {"moves", "buckets"} and self._secret.search(" ".join(map(str, row.values()))):
            return None
        if table == "source_state" and self._secret.search(" ".join(map(str, row.values()))):
            row |= dict.fromkeys(("url", "etag", "last_modified", "body_hash", "cursor", "error"), "")
        if row.get("error"):
            row["error"] = _UNTOLD  # a host may name its users in it
        if table == "editions":
            row["batches"] = [_without_words(one) for one in row["batches"]]
        if table == "destinations":
            way = row["address"]
            way = way if way.startswith(_MARK) else self.veil.way(row["channel"], way)
            row |= {"address": mark("way", way), "domain": ""}
        if row.get("mailbox"):
            row["mailbox"] = mark("mailbox", row["mailbox"])
        if table == "deliveries":
            row |= {"message_id": row["message_id"].partition("@")[0], "answer": _code(row["answer"])}
        if table == "reports":
            row["answer"] = ""
        return {name: self._clean(value) for name, value in row.items()}

    def told(self, text: str) -> str:
        """A text that everybody may read: without what they may not know."""
        return self._surely.sub("…", text)

    def _clean(self, value: Any) -> Any:
        match value:
            case str():
                return self.told(value)
            case list():
                return [self._clean(one) for one in value]
            case dict():
                return {name: self._clean(one) for name, one in value.items()}
            case _:
                return value

    @cached_property
    def _secret(self) -> re.Pattern[str]:
        return _any_of(self.addresses | self.veil.secrets | self.veil.private_feeds)

    @cached_property
    def _surely(self) -> re.Pattern[str]:
        return _any_of(self.addresses | {one for one in self.veil.secrets if len(one) >= _SURELY_SECRET})


_UNTOLD = "what it answered is not kept in a state"


def _without_words(batch: Mapping[str, Any]) -> dict[str, Any]:
    """A batch as an edition tells of it, without a host's words, which earlier releases kept there."""
    return {**batch, "error": _UNTOLD} if batch.get("error") else dict(batch)


def _mark(key: bytes, what: str, text: str) -> str:
    made = hmac.new(key, f"state {what} {text}".encode("utf-8", "surrogateescape"), hashlib.sha256)
    return f"{_MARK}{made.hexdigest()[: 2 * _BYTES]}"


def _code(answer: str) -> str:
    """The codes that an answer of a mail server begins with; words behind them may name who it is about."""
    found = re.match(r"\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?(?!\d)", answer)
    return found[0] if found else ""


def _any_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Finds any of some texts, however its letters are; of two that begin alike the longer one."""
    longest_first = sorted(
        (one for one in texts if not one.startswith(_MARK)), key=lambda one: (-len(one), one)
    )
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)", re.IGNORECASE)


def make_veil(settings: Settings, keys: tuple[bytes, ...], environ: Mapping[str, str]) -> Veil:
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
            "a state needs a DIGEST_KEY in the environment, the same at each run: what `openssl rand -hex 32` gives; "
            "by it addresses are known again that the state does not tell"
        )
    ways = [*settings.operator.notify, *(to for one in settings.digests for to in one.destinations)]
    secrets = {
        *(key.decode() for key in keys),
        *(to.secret_url for to in ways if to.secret_url),
        *collect_secrets(settings),
        *values_of(settings.path.read_text("utf-8-sig"), environ),
    }
    return Veil(keys=keys, settings=settings, secrets=frozenset(secrets))
