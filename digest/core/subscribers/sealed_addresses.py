"""Sealed addresses: the whole address of a reader's chat or webhook, encrypted for one destination.

The database has to have them, because no file does. Whoever reads the database without the signing keys, or a backup
of it, cannot post there; and the sealed address of one destination opens for no other.
"""

from __future__ import annotations

import json
import secrets
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field

from digest.core.delivery.signup_links import make_fernet

_PURPOSE = b"destination"
_SECRET_BYTES = 32
"""Length of the key of a webhook, in bytes: that of the hash (RFC 2104, section 3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretAddress:
    """What is needed to post to a destination.

    Attributes:
        url: the whole address.
        secret: the key that signs requests to a webhook; "" for a chat.
    """

    url: str = field(repr=False)
    secret: str = field(default="", repr=False)


def make_webhook_secret() -> str:
    """Return a new key for the signatures of a webhook, in the form of Standard Webhooks."""
    return f"whsec_{b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def seal_address(address: SecretAddress, destination: int, keys: Sequence[bytes]) -> str:
    """Return what is stored of an address.

    Args:
        address: the address.
        destination: the number of its destination.
        keys: signing keys; the first one seals.
    """
    content = {"destination": destination, "url": address.url, "secret": address.secret}
    # Nobody needs to know when it was sealed, so the time in the token is always the same.
    return make_fernet(_PURPOSE, keys).encrypt_at_time(json.dumps(content).encode(), 0).decode()


def open_address(sealed: str, destination: int, keys: Sequence[bytes]) -> SecretAddress | None:
    """Return a sealed address; None if none of the keys sealed it, or it is of another destination.

    Args:
        sealed: what is stored.
        destination: the number of the destination.
        keys: any of them may have sealed it.
    """
    from cryptography.fernet import InvalidToken

    try:
        content = json.loads(make_fernet(_PURPOSE, keys).decrypt(sealed.encode()))
    except InvalidToken:
        return None
    if content["destination"] != destination:
        return None
    return SecretAddress(url=content["url"], secret=content["secret"])
