"""Addresses of feeds as everybody may see them: what follows the path often is the key to them."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import SplitResult, unquote, urlsplit

_SECRET_NAME = re.compile(
    r"token|secret|passw|(?:^|[_-])(?:pass|pwd|auth|sig|signature|session)$|(?:^|[_-])(?:api|access|auth|feed|private)[_-]?key$|^key$",
    re.IGNORECASE,
)
"""Names of parameters that are given to one subscriber."""
_RANDOM = re.compile(r"(?=.*\d)(?=.*[A-Za-z])(?!(?:[A-Za-z]+|\d+)(?:[.~_-](?:[A-Za-z]+|\d+))*$)[\w.~-]{16,}")
"""A value that looks drawn at random; words and numbers with signs between them do not."""
_LEAST = 4
"""Characters of a secret; what is shorter stands in other words, too."""
_FINGERPRINT = 8
"""Hexadecimal digits: they tell the feeds of one page apart, and are too few to work a secret out of them."""


def public_address(url: str) -> str:
    """An address without user, password, query and fragment; "" for what is no address."""
    parts = _split(url)
    if parts is None or not parts.hostname:
        return ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def distinct_address(url: str) -> str:
    """A public address that differs where the whole address does: a fingerprint follows what was cut off."""
    public, parts = public_address(url), _split(url)
    if parts is None or not (parts.query or "@" in parts.netloc):
        return public
    return f"{public}~{hashlib.sha256(url.encode('utf-8', 'replace')).hexdigest()[:_FINGERPRINT]}"


def url_credentials(url: str) -> frozenset[str]:
    """Return the credentials in an address: the password, or else the user, and parameters that look like a secret.

    Each is there as it is written in the address, and percent-decoded.
    """
    parts = _split(url)
    if parts is None:
        return frozenset()
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    written = [password or user, *(one.partition("=")[2] for one in _fields(parts) if _is_secret(one))]
    return frozenset(one for text in written for one in (text, unquote(text)) if len(one) >= _LEAST)


def without_credentials_of(url: str, address: str) -> str:
    """Remove the credentials of our own ``url`` from an address that its host told us."""
    ours, parts = _split(url), _split(address)
    if ours is None or parts is None:
        return address
    secrets = {field for field in _fields(ours) if _is_secret(field)}
    fields = [field for field in _fields(parts) if field not in secrets]
    user, _, host = parts.netloc.rpartition("@")
    is_ours = bool(user) and user == ours.netloc.rpartition("@")[0]
    if len(fields) == len(_fields(parts)) and not is_ours:
        return address
    return parts._replace(netloc=host if is_ours else parts.netloc, query="&".join(fields)).geturl()


def _is_secret(field: str) -> bool:
    name, _, value = field.partition("=")
    return bool(value) and bool(_SECRET_NAME.search(name) or _RANDOM.fullmatch(unquote(value)))


def _fields(parts: SplitResult) -> list[str]:
    return parts.query.split("&")


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None
