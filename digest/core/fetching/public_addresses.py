"""Addresses of feeds in a form that can be published, because the part after the path often contains an access key."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, unquote_plus, urlsplit

_SECRET_NAME = re.compile(
    r"(?:token|secret|passw(?:or)?d|passphrase|credentials?|jwt|signature|sess(?:ion)?[_-]?id"
    r"|(?:api|auth|access|feed|private|licen[cs]e|rss|subscriber|user)[_-]?key|(?:^|[_-])(?:pass|pwd))$",
    re.IGNORECASE,
)
"""Names of parameters that identify a subscriber."""
_LIKELY_SECRET_NAME = re.compile(r"(?:^|[_-])(?:auth|access|key|session|sid|sig|tok)$", re.IGNORECASE)
"""Names that are also used for sort orders, topics and conferences; here the value decides."""
_PLAIN_WORDS = re.compile(r"(?:[A-Za-z]+\d{0,4}|\d+)(?:[.~_+/ -](?:[A-Za-z]+\d{0,4}|\d+))*")
"""Words and numbers with separators between them; a word may end in a year or another short number."""
_RANDOM_VALUE = re.compile(
    r"(?=.*\d)(?=.*[A-Za-z])[\w.~-]{16,}|(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z\d+/]{16,}={0,2}"
)
"""A value that looks random, unless it is plain words: letters and digits mixed, or base64."""
_MIN_SECRET_LENGTH = 4
"""Minimum length of a secret, in characters; shorter texts also occur in ordinary words."""
_FINGERPRINT_LENGTH = 8
"""Length of a fingerprint in hexadecimal digits: enough to distinguish feeds, too little to derive a secret from."""
_PATH_PARAMETERS = re.compile(r";[^/]*")
"""Parameters of a path segment, which follow a semicolon (RFC 3986, section 3.3)."""
_SEPARATOR = re.compile(r"[&;]")


def make_public_address(url: str) -> str:
    """Remove user, password, secret path parameters, query and fragment; return "" for an invalid address."""
    parts = _split_url(url)
    if parts is None or not parts.hostname:
        return ""
    return (
        f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{_strip_path(parts.path, _find_secrets(parts))}"
    )


def make_distinct_address(url: str) -> str:
    """Return a public address, with a fingerprint of the whole address if anything was removed."""
    public_part, parts = make_public_address(url), _split_url(url)
    if parts is None or not (parts.query or "@" in parts.netloc or not public_part.endswith(parts.path)):
        return public_part
    return f"{public_part}~{compute_fingerprint(url)}"


def compute_fingerprint(url: str) -> str:
    """Return a short hash that distinguishes an address without revealing it."""
    return hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()[:_FINGERPRINT_LENGTH]


def extract_credentials(url: str) -> frozenset[str]:
    """Return the credentials in an address: the password, or else the user, and parameters that look like a secret.

    Each is included as it is written in the address, and percent-decoded.
    """
    parts = _split_url(url)
    return _find_secrets(parts) if parts else frozenset()


def strip_credentials(url: str, address: str, secrets: Collection[str]) -> str:
    """Remove the credentials of our own ``url`` from another address that its host returned.

    Removed are our login, and all parameters in path, query and fragment whose value is one of our secrets,
    whatever their name and encoding. A secret elsewhere in the address stays.

    Args:
        url: the address that we request.
        address: an address from its answer.
        secrets: our secrets.
    """
    our_parts, parts = _split_url(url), _split_url(address)
    if our_parts is None or parts is None:
        return address
    user, _, host = parts.netloc.rpartition("@")
    has_our_login = bool(user) and (
        user == our_parts.netloc.rpartition("@")[0]
        or not {*secrets}.isdisjoint(map(unquote, user.split(":")))
    )
    public_parts = parts._replace(
        netloc=host if has_our_login else parts.netloc,
        path=_strip_path(parts.path, secrets),
        query=_strip_fields(parts.query, secrets),
        fragment=_strip_fields(parts.fragment, secrets),
    )
    return address if public_parts == parts else public_parts.geturl()


@dataclass(frozen=True, slots=True)
class _Field:
    """A parameter of an address, as written."""

    name: str
    value: str

    @property
    def decoded(self) -> str:
        return unquote_plus(self.value)

    @property
    def is_secret(self) -> bool:
        name, value = unquote_plus(self.name), self.decoded
        if not value or _SECRET_NAME.search(name):
            return bool(value)
        is_likely = _LIKELY_SECRET_NAME.search(name) or _RANDOM_VALUE.fullmatch(value)
        return bool(is_likely) and not _PLAIN_WORDS.fullmatch(value)


def _find_secrets(parts: SplitResult) -> frozenset[str]:
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    texts = [password or user, *(field.value for field in _list_fields(parts) if field.is_secret)]
    return frozenset(
        spelling
        for text in texts
        for spelling in (text, unquote(text), unquote_plus(text))
        if len(spelling) >= _MIN_SECRET_LENGTH
    )


def _list_fields(parts: SplitResult) -> Iterator[_Field]:
    for text in (parts.query, parts.fragment, *_PATH_PARAMETERS.findall(parts.path)):
        yield from map(_read_field, _SEPARATOR.split(text))


def _read_field(text: str) -> _Field:
    """Split a parameter into name and value; without an equals sign, the text is the value."""
    name, equals_sign, value = text.partition("=")
    return _Field(name, value) if equals_sign else _Field("", text)


def _strip_path(path: str, secrets: Collection[str]) -> str:
    return _PATH_PARAMETERS.sub(lambda match: _strip_fields(match[0], secrets), path)


def _strip_fields(text: str, secrets: Collection[str]) -> str:
    """Return parameters and separators without the parameters whose value is a secret."""
    fields = _SEPARATOR.split(text)
    kept_fields = [
        field
        for field in fields
        if not (
            {_read_field(field).value, unquote(_read_field(field).value), _read_field(field).decoded}
            & {*secrets}
        )
    ]
    if len(kept_fields) == len(fields):
        return text
    return ("&" if "&" in text else ";").join(kept_fields)


def _split_url(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None
