"""Links that confirm a sign-up: sealed, because they contain an address, and valid for a limited time.

Of somebody who does not confirm, the link in the mail is the only place that has the address, so it carries all
that a confirmation needs. It is encrypted: addresses must not be readable in logs of proxies and in histories.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

LINK_LIFETIME = timedelta(hours=48)
"""How long a link is valid."""
_PURPOSE = b"sign-up"
_ADDRESS_PURPOSE = b"mailbox"
_TOKEN = re.compile(r"(?:[A-Za-z0-9_-]{4}){1,1000}(?:[A-Za-z0-9_-]{2,3})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignupRequest:
    """What somebody asked for on a page.

    Attributes:
        address: the e-mail address, with its domain in DNS form.
        public_digest: the name of the public digest; "" for a search.
        query: the query of the search; "" for a public digest.
        language: the language of the page.
    """

    address: str
    public_digest: str = ""
    query: str = ""
    language: str

    @property
    def mailbox(self) -> str:
        """The address in lower case: two spellings of it are one mailbox."""
        return self.address.lower()


def seal_request(request: SignupRequest, keys: Sequence[bytes], now: datetime) -> str:
    """Return the token of a link.

    Args:
        request: what the link confirms.
        keys: signing keys; the first one seals.
        now: the current time, UTC.
    """
    content = json.dumps(asdict(request), separators=(",", ":"), ensure_ascii=False).encode()
    token = _make_fernet(keys).encrypt_at_time(content, int(now.timestamp()))
    return token.decode().rstrip("=")  # some mail programs end a link before a sign at its end


def open_request(token: str, keys: Sequence[bytes], now: datetime) -> SignupRequest | None:
    """Return what a token confirms; None if it is not one of ours, or older than ``LINK_LIFETIME``.

    Args:
        token: the received text.
        keys: any of them may have sealed it.
        now: the current time, UTC.
    """
    from cryptography.fernet import InvalidToken

    padded = f"{token}{'=' * (-len(token) % 4)}"
    if not _TOKEN.fullmatch(token) or urlsafe_b64encode(urlsafe_b64decode(padded)).decode() != padded:
        return None  # another spelling of a token would not be known as used
    seconds = int(LINK_LIFETIME.total_seconds())
    try:
        content = _make_fernet(keys).decrypt_at_time(
            padded.encode(), ttl=seconds, current_time=int(now.timestamp())
        )
    except InvalidToken:
        return None
    return SignupRequest(**json.loads(content))


def hash_token(token: str) -> str:
    """Return what is stored of a token that was used."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_mailbox(mailbox: str, key: bytes) -> str:
    """Return what is stored of an address that has not confirmed: a keyed hash, which nobody can guess back without the key."""
    return hmac.new(_derive_key(key, _ADDRESS_PURPOSE), mailbox.encode(), hashlib.sha256).hexdigest()


def _make_fernet(keys: Sequence[bytes]) -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet  # slow to import, and seldom needed

    return MultiFernet([Fernet(urlsafe_b64encode(_derive_key(key, _PURPOSE))) for key in keys])


def _derive_key(key: bytes, purpose: bytes) -> bytes:
    """Return the key of one purpose (a step of HKDF, RFC 5869, section 2.3)."""
    return hmac.new(key, purpose + b"\x01", hashlib.sha256).digest()
