"""Links of sign-ups, invitations and sign-ins: sealed, because they contain an address, and valid for a limited time.

Of somebody who does not confirm, the link in the mail is the only place that has the address, so it carries all
that a confirmation needs. It is encrypted: addresses must not be readable in logs of proxies and in histories.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

LINK_LIFETIME = timedelta(hours=48)
"""How long a link is valid that somebody asked for."""
INVITATION_LIFETIME = timedelta(days=14)
"""How long the link of an invitation is valid, which nobody waits for."""
_SIGNUP_PURPOSE, _SIGNIN_PURPOSE, _INVITATION_PURPOSE = b"sign-up", b"sign-in", b"invitation"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SigninRequest:
    """Who asked for a link to sign in.

    Attributes:
        address: the e-mail address, with its domain in DNS form.
        language: the language of the page.
        is_for_operator: whether an operator asked on the operator's pages, to which the link leads back.
    """

    address: str
    language: str
    is_for_operator: bool = False

    @property
    def mailbox(self) -> str:
        """The address in lower case: two spellings of it are one mailbox."""
        return self.address.lower()


def seal_request(request: SignupRequest, keys: Sequence[bytes], now: datetime) -> str:
    """Return the token of a link that confirms a sign-up.

    Args:
        request: what the link confirms.
        keys: signing keys; the first one seals.
        now: the current time, UTC.
    """
    return seal_content(asdict(request), _SIGNUP_PURPOSE, keys, now)


def open_request(token: str, keys: Sequence[bytes], now: datetime) -> SignupRequest | None:
    """Return what a token confirms; None if it is not one of a sign-up, or older than ``LINK_LIFETIME``.

    Args:
        token: the received text.
        keys: any of them may have sealed it.
        now: the current time, UTC.
    """
    content = open_content(token, _SIGNUP_PURPOSE, keys, now)
    return None if content is None else SignupRequest(**content)


def seal_invitation(request: SignupRequest, keys: Sequence[bytes], now: datetime) -> str:
    """Return the token of a link by which somebody accepts an invitation, which need not be let in otherwise."""
    return seal_content(asdict(request), _INVITATION_PURPOSE, keys, now)


def open_invitation(token: str, keys: Sequence[bytes], now: datetime) -> SignupRequest | None:
    """Return what a token invites to; None if it is not one of an invitation, or older than ``INVITATION_LIFETIME``."""
    content = open_content(token, _INVITATION_PURPOSE, keys, now, INVITATION_LIFETIME)
    return None if content is None else SignupRequest(**content)


def seal_signin(request: SigninRequest, keys: Sequence[bytes], now: datetime) -> str:
    """Return the token of a link that signs a reader in."""
    return seal_content(asdict(request), _SIGNIN_PURPOSE, keys, now)


def open_signin(token: str, keys: Sequence[bytes], now: datetime) -> SigninRequest | None:
    """Return who asked for the link of a token; None if it is not one of a sign-in, or older than ``LINK_LIFETIME``."""
    content = open_content(token, _SIGNIN_PURPOSE, keys, now)
    return None if content is None else SigninRequest(**content)


def hash_token(token: str) -> str:
    """Return what is stored of a token that was used."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_mailbox(mailbox: str, key: bytes) -> str:
    """Return what is stored of an address that has not confirmed: a keyed hash, which nobody can guess back without the key."""
    return hmac.new(_derive_key(key, _ADDRESS_PURPOSE), mailbox.encode(), hashlib.sha256).hexdigest()


def seal_content(
    content: Mapping[str, str | int], purpose: bytes, keys: Sequence[bytes], now: datetime
) -> str:
    """Return a token that has some content, which only ``open_content`` can read.

    Args:
        content: the fields.
        purpose: what the token is for; it is nothing for any other purpose.
        keys: signing keys; the first one seals.
        now: the current time, UTC.
    """
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
    token = make_fernet(purpose, keys).encrypt_at_time(text, int(now.timestamp()))
    return token.decode().rstrip("=")  # some mail programs end a link before a sign at its end


def open_content(
    token: str,
    purpose: bytes,
    keys: Sequence[bytes],
    now: datetime,
    lifetime: timedelta = LINK_LIFETIME,
) -> dict[str, Any] | None:
    """Return the content of a token; None if it is not one for this purpose, or older than its lifetime."""
    from cryptography.fernet import InvalidToken

    padded = f"{token}{'=' * (-len(token) % 4)}"
    if not _TOKEN.fullmatch(token) or urlsafe_b64encode(urlsafe_b64decode(padded)).decode() != padded:
        return None  # another spelling of a token would not be known as used
    seconds = int(lifetime.total_seconds())
    try:
        text = make_fernet(purpose, keys).decrypt_at_time(
            padded.encode(), ttl=seconds, current_time=int(now.timestamp())
        )
    except InvalidToken:
        return None
    content: dict[str, Any] = json.loads(text)
    return content


def make_fernet(purpose: bytes, keys: Sequence[bytes]) -> MultiFernet:
    """Make what encrypts for one purpose with the first key, and decrypts with any of them."""
    from cryptography.fernet import Fernet, MultiFernet  # slow to import, and seldom needed

    return MultiFernet([Fernet(urlsafe_b64encode(_derive_key(key, purpose))) for key in keys])


def _derive_key(key: bytes, purpose: bytes) -> bytes:
    """Return the key of one purpose (a step of HKDF, RFC 5869, section 2.3)."""
    return hmac.new(key, purpose + b"\x01", hashlib.sha256).digest()
