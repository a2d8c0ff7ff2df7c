"""The cookie of browsers that have just sent a form: the position in the write-ahead log that they want to see.

Until the replica has come as far, their pages come from the primary. The cookie tells nothing else, names nobody, and
works with every web server that has the same key. It is signed, because a position that is never reached would keep a
flood away from the replica and from the fast path of the cache. An old cookie does neither, because the replica has
reached its position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from digest.core.delivery.tokens import read_token, sign_token

WRITE_COOKIE = "digest-written"
_LIFETIME = 120
"""Seconds after which a browser deletes the cookie; a replica that is so far behind is not used."""
_MAX_MARKS = 2
"""Number of cookies of this name that are read; a browser sends one, and a flood could send a thousand."""
_NAME = WRITE_COOKIE.encode()
_PURPOSE = "written"
_TOKEN = re.compile(rf"(?:^|;)[ \t]*{WRITE_COOKIE}=([^; \t]*)")

Headers = Iterable[tuple[bytes, bytes]]


def read_write_mark(headers: Headers, keys: Sequence[bytes]) -> int:
    """Return the position of a request, in bytes; 0 if it has none.

    Args:
        headers: the headers of the request, with names in lower case.
        keys: any of them may have signed it.
    """
    headers_with_marks = [value for name, value in headers if name == b"cookie" and _NAME in value]
    if not headers_with_marks:  # as nearly all requests on the fast path of the cache
        return 0
    tokens = _TOKEN.findall(b"; ".join(headers_with_marks).decode("latin-1"))
    return max([int(read_token(_PURPOSE, token, keys) or 0) for token in tokens[:_MAX_MARKS]], default=0)


def make_write_mark(position: int, keys: Sequence[bytes], url: str) -> tuple[bytes, bytes]:
    """Make the header that sets the cookie (RFC 6265, section 4.1).

    Args:
        position: the position, in bytes.
        keys: the first one signs.
        url: the address of the site, without a slash at the end.
    """
    token, site = sign_token(_PURPOSE, str(position), keys), urlsplit(url)
    attributes = [f"Max-Age={_LIFETIME}", f"Path={site.path or '/'}", "HttpOnly", "SameSite=Lax"]
    if site.scheme == "https":
        attributes.append("Secure")
    return b"set-cookie", "; ".join([f"{WRITE_COOKIE}={token}", *attributes]).encode("ascii")
