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
_RANDOM_VALUE = re.compile(
    r"(?=.*\d)(?=.*[A-Za-z])(?!(?:[A-Za-z]+|\d+)(?:[.~_-](?:[A-Za-z]+|\d+))*$)[\w.~-]{16,}"
)
"""A value that looks drawn at random; words and numbers with signs between them do not."""
_MIN_SECRET_LENGTH = 4
"""Characters of a secret; what is shorter stands in other words, too."""
_FINGERPRINT_LENGTH = 8
"""Hexadecimal digits: they tell the feeds of one page apart, and are too few to work a secret out of them."""


def make_public_address(url: str) -> str:
    """An address without user, password, query and fragment; "" for what is no address."""
    parts = _split_url(url)
    if parts is None or not parts.hostname:
        return ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def make_distinct_address(url: str) -> str:
    """A public address that differs where the whole address does: a fingerprint follows what was cut off."""
    public_part, parts = make_public_address(url), _split_url(url)
    if parts is None or not (parts.query or "@" in parts.netloc):
        return public_part
    return f"{public_part}~{hashlib.sha256(url.encode('utf-8', 'replace')).hexdigest()[:_FINGERPRINT_LENGTH]}"


def extract_credentials(url: str) -> frozenset[str]:
    """Return the credentials in an address: the password, or else the user, and parameters that look like a secret.

    Each is there as it is written in the address, and percent-decoded.
    """
    parts = _split_url(url)
    if parts is None:
        return frozenset()
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    credentials = [
        password or user,
        *(part.partition("=")[2] for part in _split_query(parts) if _is_secret(part)),
    ]
    return frozenset(
        part for text in credentials for part in (text, unquote(text)) if len(part) >= _MIN_SECRET_LENGTH
    )


def strip_credentials(url: str, address: str) -> str:
    """Remove the credentials of our own ``url`` from an address that its host told us."""
    our_parts, parts = _split_url(url), _split_url(address)
    if our_parts is None or parts is None:
        return address
    secrets = {field for field in _split_query(our_parts) if _is_secret(field)}
    fields = [field for field in _split_query(parts) if field not in secrets]
    user, _, host = parts.netloc.rpartition("@")
    has_our_login = bool(user) and user == our_parts.netloc.rpartition("@")[0]
    if len(fields) == len(_split_query(parts)) and not has_our_login:
        return address
    return parts._replace(netloc=host if has_our_login else parts.netloc, query="&".join(fields)).geturl()


def _is_secret(field: str) -> bool:
    name, _, value = field.partition("=")
    return bool(value) and bool(_SECRET_NAME.search(name) or _RANDOM_VALUE.fullmatch(unquote(value)))


def _split_query(parts: SplitResult) -> list[str]:
    return parts.query.split("&")


def _split_url(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None
