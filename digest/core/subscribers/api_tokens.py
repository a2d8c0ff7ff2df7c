"""API tokens of readers: what they look like, what they allow, and how long they last."""

from __future__ import annotations

import hashlib
import re
import secrets
import string
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from digest.core.delivery.throttling.rates import Rate
from digest.core.subscribers.sessions import CLOCK_TOLERANCE

MAX_TOKENS = 20
"""Maximum number of tokens of a reader."""
LIFETIMES = (timedelta(days=30), timedelta(days=90), timedelta(days=365))
"""Lifetimes that a reader can choose."""
MAX_OPERATE_LIFETIME = timedelta(days=90)
"""Maximum lifetime of a token with the scope ``operate``."""
MAX_NAME = 60
"""Maximum length of a name, in characters."""
TOKEN_RATE = Rate(1_000, timedelta(hours=1))
"""Requests with all tokens of a reader. Those of an hour may come at once, so that nearly twice as many pass in the hour
that begins with them."""
NEW_TOKEN_RATE = Rate(20, timedelta(days=1))
"""Tokens that a reader makes, also those revoked since. Those of a day may be made at once."""
_PREFIX = "digest_"
"""Beginning of each token, by which programs that look for secrets in published code find it."""
_ALPHABET = string.ascii_letters + string.digits
_LENGTH = 43
"""Length of the random part, in characters; 43 of 62 possible ones are 256 bits."""
_TOKEN = re.compile(rf"{_PREFIX}[A-Za-z0-9]{{{_LENGTH}}}")


class Scope(StrEnum):
    """What a token allows."""

    READ = "read"
    """Read digests, editions and saved papers."""
    FOLLOW = "follow"
    """Change follows and saved papers."""
    OPERATE = "operate"
    """See how the service is, and decide on runs; only for operators."""


class TokenMistake(StrEnum):
    """Why a token is not made."""

    NO_NAME = "no name"
    NAME_TAKEN = "name taken"
    NO_SCOPE = "no scope"
    NO_LIFETIME = "no lifetime"
    OLD_SESSION = "old session"
    """An operator signed in too long ago to make a token with the scope ``operate``."""
    LONG_OPERATE = "long operate"
    """A token with the scope ``operate`` would be valid for too long."""
    TOO_MANY_TOKENS = "too many tokens"
    TOO_MANY_NEW = "too many new"
    """The reader has made many tokens in a short time, and may have revoked them."""
    REPEATED_FORM = "repeated form"
    """The form was sent before, and its token is shown only once."""


class TokenError(Exception):
    """A token is not made.

    Attributes:
        mistake: why.
    """

    def __init__(self, mistake: TokenMistake) -> None:
        super().__init__(mistake.value)
        self.mistake = mistake


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChoice:
    """What a reader chooses of a token.

    Attributes:
        name: by which the reader recognizes it.
        scopes: what it allows.
        lifetime: how long it lasts.
    """

    name: str
    scopes: frozenset[Scope]
    lifetime: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """A token, without its secret.

    Attributes:
        id: its number, which pages show and which gives no access.
        subscriber: the number of its reader.
        address: the reader's present address, in lower case.
        name: by which the reader recognizes it; no two of a reader have the same.
        scopes: what it allows.
        created_at: when it was made.
        used_at: when it was last used, to an hour; None if it never was.
        expires_at: when it ends.
    """

    id: int
    subscriber: int
    address: str
    name: str
    scopes: frozenset[Scope]
    created_at: datetime
    used_at: datetime | None
    expires_at: datetime

    def is_live(self, now: datetime) -> bool:
        """Whether it gives access. One from the future was made by a wrong clock, which may have made it too long."""
        return self.created_at - CLOCK_TOLERANCE <= now < self.expires_at


def make_api_token() -> str:
    """Return a new token, which nobody can guess: 256 random bits."""
    return _PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def hash_api_token(token: str) -> str:
    """Return what is stored of a token, and looked up; "" for a text that is no token.

    Whoever tries tokens cannot choose the beginning of a hash, so the time of the look-up tells nothing about it.
    """
    return hashlib.sha256(token.encode()).hexdigest() if _TOKEN.fullmatch(token) else ""


def make_form_key() -> str:
    """Return a random text for one form that makes a token, so that a reload of its answer makes no other one."""
    return secrets.token_urlsafe(16)


def hash_form_key(subscriber: int, form_key: str) -> str:
    """Return what is stored of a form that a reader has sent."""
    return hashlib.sha256(f"token form {subscriber} {form_key}".encode()).hexdigest()


def read_choice(name: str, scopes: Iterable[str], days: int) -> TokenChoice:
    """Return what a reader chose.

    Args:
        name: the name as typed.
        scopes: the names of scopes.
        days: the lifetime, in days.

    Raises:
        TokenError: the name is empty, too long or unprintable, or the choice is none of those that are offered.
    """
    clean_name = " ".join(name.split())
    lifetime = next((offered for offered in LIFETIMES if offered.days == days), None)
    if not 0 < len(clean_name) <= MAX_NAME or not clean_name.isprintable():
        raise TokenError(TokenMistake.NO_NAME)
    chosen = frozenset(scope for scope in Scope if scope.value in set(scopes))
    if not chosen:
        raise TokenError(TokenMistake.NO_SCOPE)
    if lifetime is None:
        raise TokenError(TokenMistake.NO_LIFETIME)
    return TokenChoice(name=clean_name, scopes=chosen, lifetime=lifetime)
