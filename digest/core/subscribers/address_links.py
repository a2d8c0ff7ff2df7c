"""Links that change the address of a subscriber: one mailed to the former address, one to the new one.

Both have to be used. A link carries both addresses, because of the new one nothing is stored until then; that a link
was used is stored by a hash which only the two links yield.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum

from digest.core.delivery.signup_links import open_content, seal_content

_PURPOSE = b"change of address"
_NUMBER_BYTES = 16


class Side(StrEnum):
    """The address to which a link is mailed."""

    FORMER = "former"
    NEW = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChange:
    """What a reader asked for, as one of the two links has it.

    Attributes:
        number: random; the two links share it.
        subscriber: the number of the subscriber.
        former: the address that the subscriber has, in lower case.
        address: the new address, with its domain in DNS form.
        side: the address to which the link is mailed.
        language: the language of the page.
    """

    number: str
    subscriber: int
    former: str
    address: str
    side: Side
    language: str

    @property
    def mailbox(self) -> str:
        """The new address in lower case: two spellings of it are one mailbox."""
        return self.address.lower()

    @property
    def recipient(self) -> str:
        """The address to which the link is mailed."""
        return self.former if self.side is Side.FORMER else self.address

    @property
    def other_address(self) -> str:
        """The address to which the other link is mailed."""
        return self.address if self.side is Side.FORMER else self.former

    @property
    def other_side(self) -> AddressChange:
        """The change as the other link has it."""
        return replace(self, side=Side.NEW if self.side is Side.FORMER else Side.FORMER)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedAddress:
    """A former address that is told of its end.

    Attributes:
        number: that of the change.
        address: the former address.
        language: the language of the reader.
    """

    number: str
    address: str
    language: str


def make_change(subscriber: int, former: str, address: str, language: str) -> AddressChange:
    """Return a new change, as the link to the former address has it."""
    return AddressChange(
        number=secrets.token_urlsafe(_NUMBER_BYTES),
        subscriber=subscriber,
        former=former,
        address=address,
        side=Side.FORMER,
        language=language,
    )


def seal_change(change: AddressChange, keys: Sequence[bytes], now: datetime) -> str:
    """Return the token of a link that agrees to a change at one address."""
    return seal_content(asdict(change), _PURPOSE, keys, now)


def open_change(token: str, keys: Sequence[bytes], now: datetime) -> AddressChange | None:
    """Return what a token agrees to; None if it is not one of a change, or older than ``LINK_LIFETIME``."""
    content = open_content(token, _PURPOSE, keys, now)
    return None if content is None else AddressChange(**content | {"side": Side(content["side"])})


def hash_agreement(change: AddressChange) -> str:
    """Return what is stored when the link of a change was used; each side has its own."""
    return hashlib.sha256(f"{change.number} {change.side.value}".encode()).hexdigest()
