"""Redaction: the one place that knows all secrets of this process, and takes them out of texts.

Some hosts say back what they were given: ``535 no <password>``. What others said goes through ``redact`` before it is
stored or sent anywhere; all that is printed or logged goes through ``redact_output``.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cached_property
from typing import IO, Any, cast

MASK = "…"
"""What stands in the place of a secret."""
_LEAST = 4
"""Characters: a shorter secret stands in too many words."""
_LEAST_ANYWHERE = 8
"""Characters: a shorter secret is looked for as a whole word only, and so is one of letters or digits alone."""
_MOST_TOKENS = 50
"""Texts of tokens that are remembered beside what is configured: those of a service that runs for months come and go."""
_COMMON = re.compile(r"[A-Za-z]{4,11}|\d{4,7}")
"""A word or a number that our own output is full of: a database's password often is the program's name."""
_BASE64_LEAST = 6
"""Characters of a secret whose base64 is long enough to be told from other text."""


class _Finder:
    """Finds secrets in all the ways in which they may be written.

    Args:
        secrets: those to find.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        # Of two that begin alike the longer one is found.
        parts = {form: _part(form, secret) for secret in secrets for form in _forms(secret)}
        self._forms = sorted(parts, key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(parts[form] for form in self._forms))

    def replace(self, text: str) -> str:
        """The text with a mask in the place of each secret."""
        # Nearly no text has one, and to look for each by itself takes an eighth of the time that the pattern takes, or less.
        return self._pattern.sub(MASK, text) if any(form in text for form in self._forms) else text


class _Secrets:
    """A set of secrets, and what finds them.

    Args:
        configured: what is never forgotten.
        tokens: what was given to this process while it runs, the latest last.
    """

    def __init__(self, configured: tuple[str, ...] = (), tokens: tuple[str, ...] = ()) -> None:
        self.configured = configured
        self.tokens = tokens

    @property
    def texts(self) -> tuple[str, ...]:
        return (*self.configured, *self.tokens)

    @cached_property
    def everywhere(self) -> _Finder:
        return _Finder(self.texts)

    @cached_property
    def in_output(self) -> _Finder:
        return _Finder(text for text in self.texts if not _COMMON.fullmatch(text))


_secrets = _Secrets()
_lock = threading.Lock()


def register_secrets(texts: Iterable[str]) -> None:
    """Remember secrets of the configuration."""
    global _secrets  # noqa: PLW0603 - one process, one set
    with _lock:
        if fresh := _unknown(texts):
            _secrets = _Secrets((*_secrets.configured, *fresh), _secrets.tokens)


def register_tokens(texts: Iterable[str]) -> None:
    """Remember secrets that were given to this process while it runs; the oldest are forgotten for new ones."""
    global _secrets  # noqa: PLW0603 - as above
    with _lock:
        if fresh := _unknown(texts):
            _secrets = _Secrets(_secrets.configured, (*_secrets.tokens, *fresh)[-_MOST_TOKENS:])


def _unknown(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if len(text) >= _LEAST and text not in _secrets.texts]


def forget_secrets() -> None:
    """Begin anew: for a command that reads another configuration in the same process."""
    global _secrets  # noqa: PLW0603 - as above
    with _lock:
        _secrets = _Secrets()


def redact(text: str) -> str:
    """What others said, without any secret."""
    return _secrets.everywhere.replace(text)


def redact_output(text: str) -> str:
    """What we print or log, without secrets but those that are common words or numbers: keys and dates would be lost."""
    return _secrets.in_output.replace(text)


def _part(form: str, secret: str) -> str:
    is_word = len(secret) < _LEAST_ANYWHERE or secret.isalpha() or secret.isdigit()
    return rf"(?<![^\W_]){re.escape(form)}(?![^\W_])" if is_word else re.escape(form)


def _forms(secret: str) -> Iterator[str]:
    """A secret as addresses, documents, Python and logins (RFC 4954) write it."""
    import html
    import json
    from base64 import b64encode, urlsafe_b64encode
    from urllib.parse import quote, quote_plus

    yield secret
    yield quote(secret, safe="", errors="replace")
    yield quote_plus(secret, errors="replace")
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield repr(secret)[1:-1]
    yield html.escape(secret)
    if len(secret) >= _BASE64_LEAST:
        written = secret.encode("utf-8", "replace")
        yield b64encode(written).decode().rstrip("=")
        yield urlsafe_b64encode(written).decode().rstrip("=")


# --- streams --------------------------------------------------------------------------------------


class FilteredStream:
    """A stream that changes what is written to it.

    Args:
        stream: where it goes to.
        clean: changes a text.
    """

    def __init__(self, stream: IO[str], clean: Callable[[str], str]) -> None:
        self._stream = stream
        self._clean = clean

    def write(self, text: str) -> int:
        """Write what may be read of a text."""
        return self._stream.write(self._clean(text))

    def __getattr__(self, name: str) -> Any:
        """All else is the stream's own."""
        return getattr(self._stream, name)


@contextmanager
def filtered_streams(clean: Callable[[str], str]) -> Iterator[None]:
    """Let all that is printed go through a filter, and with it the log, which goes to standard error."""
    streams = FilteredStream(sys.stdout, clean), FilteredStream(sys.stderr, clean)
    with redirect_stdout(cast("IO[str]", streams[0])), redirect_stderr(cast("IO[str]", streams[1])):
        yield
