"""Redaction of the secrets of this process in everything that is stored, printed or logged.

Some servers repeat what they were sent: ``535 no <password>``. ``redact`` masks text of other parties before
it is stored or sent anywhere; ``redact_output`` masks what we print or log.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cached_property
from typing import IO, Any, TypeVar, cast
from urllib.parse import unquote

from digest.secret_patterns import list_spellings, unfold

Record = TypeVar("Record")
"""The result of a source or enricher: dataclasses and tuples of strings."""
MASK = "…"
"""Replacement of a secret."""
_MIN_LENGTH = 4
"""Minimum length of a secret, in characters; a shorter one is part of too many words."""
_MAX_TOKENS = 50
"""Maximum number of remembered tokens beside the configured secrets.

A service that runs for months gets new tokens all the time.
"""
_SEPARATORS = re.compile(r"[/@:?&=#,\s]+")
_COMMON_WORD = re.compile(r"[A-Za-z][a-z]{3,10}|[A-Z]{4,11}|\d{4,7}")
"""A word or number that is frequent in our own output.

The password of a database, for example, often is the name of the program.
"""


_MASKED_PARAMETER = re.compile(rf"(?<=[?&;])[\w.~%-]{{1,100}}={MASK}[&;]?")
"""A masked parameter of an address in a text; the address still works without it."""


class _SecretMatcher:
    """Finds and masks secrets in every encoding in which servers write them.

    Args:
        secrets: the secrets to find.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        self._spellings = [spelling for secret in secrets for spelling in list_spellings(secret)]

    @property
    def has_secrets(self) -> bool:
        return bool(self._spellings)

    def mask(self, text: str) -> str:
        """Replace each secret by the mask, including secrets that the line breaks of an encoding divide.

        Lines are joined only if that reveals a further secret.
        """
        masked = self._mask(text)
        joined = unfold(masked)
        if len(joined) == len(masked):
            return masked
        masked_joined = self._mask(joined)
        return masked if masked_joined == joined else masked_joined

    def _mask(self, text: str) -> str:
        # Hardly any text contains a secret. Looking for a literal part of each takes 25 ms for 70 secrets and 1 MB of text;
        # one pattern of all secrets takes 2 s.
        candidates = [spelling for spelling in self._spellings if spelling.literal in text]
        spans = sorted(match.span() for spelling in candidates for match in spelling.pattern.finditer(text))
        parts, end = list[str](), 0
        for start, stop in spans:
            if start >= end:
                parts += (text[end:start], MASK)
            end = max(end, stop)  # secrets that overlap are masked together
        return "".join((*parts, text[end:])) if parts else text


class _Secrets:
    """The secrets of this process, with their matchers.

    Args:
        configured: secrets of the configuration, which are never forgotten.
        tokens: tokens received while the process runs, the latest last.
    """

    def __init__(self, configured: tuple[str, ...] = (), tokens: tuple[str, ...] = ()) -> None:
        self.configured = configured
        self.tokens = tokens

    @property
    def texts(self) -> tuple[str, ...]:
        return (*self.configured, *self.tokens)

    @cached_property
    def matcher(self) -> _SecretMatcher:
        return _SecretMatcher(self.texts)

    @cached_property
    def output_matcher(self) -> _SecretMatcher:
        return _SecretMatcher(sorted(select_uncommon(self.texts)))


_secrets = _Secrets()
_lock = threading.Lock()


def register_secrets(texts: Iterable[str]) -> None:
    """Mask these secrets of the configuration from now on, except those of fewer than four characters."""
    global _secrets  # noqa: PLW0603 - one process, one set
    with _lock:
        if new_secrets := _select_new(texts):
            _secrets = _Secrets((*_secrets.configured, *new_secrets), _secrets.tokens)


def register_tokens(texts: Iterable[str]) -> None:
    """Mask tokens that this process received while it runs; the last 50 are remembered."""
    global _secrets  # noqa: PLW0603 - as above
    with _lock:
        if new_tokens := _select_new(texts):
            _secrets = _Secrets(_secrets.configured, (*_secrets.tokens, *new_tokens)[-_MAX_TOKENS:])


def _select_new(texts: Iterable[str]) -> list[str]:
    candidates = dict.fromkeys(text.strip() for text in texts)
    return [text for text in candidates if len(text) >= _MIN_LENGTH and text not in _secrets.texts]


def forget_secrets() -> None:
    """Forget all secrets, for a command that reads another configuration in the same process."""
    global _secrets  # noqa: PLW0603 - as above
    with _lock:
        _secrets = _Secrets()


def redact(text: str) -> str:
    """Mask every secret in a text of another party."""
    return _secrets.matcher.mask(text)


def redact_answer(text: str, *secrets: str) -> str:
    """Mask every secret in an answer, including those that only this party was given and may repeat.

    Args:
        text: the answer.
        secrets: secrets, and addresses that are secret behind their scheme, each masked as a whole and in
            pieces. Pieces are words as common as ``services``, so they are not masked in other texts.
    """
    secret_texts = [secret.rpartition("://")[2] if "://" in secret else secret for secret in secrets]
    pieces = {
        piece
        for secret_text in secret_texts
        for piece in (secret_text, *_SEPARATORS.split(secret_text))
        if len(piece) >= _MIN_LENGTH
    }
    search_texts = sorted(pieces | set(map(unquote, pieces)), key=len, reverse=True)
    return redact(_SecretMatcher(search_texts).mask(text))


def list_tokens() -> tuple[str, ...]:
    """Return the tokens that this process received while it runs."""
    return _secrets.tokens


def redact_received(record: Record, secrets: Iterable[str]) -> Record:
    """Mask secrets in every string of what was received from the host that was given them, which may repeat them.

    Args:
        record: a dataclass, tuple or collection of strings and of such records.
        secrets: the secrets that the host was given, without common words and numbers: papers are full of
            these.
    """
    matcher = _SecretMatcher(text for text in secrets if len(text) >= _MIN_LENGTH)

    def mask(text: str) -> str:
        masked = matcher.mask(text)
        return text if masked == text else _MASKED_PARAMETER.sub("", masked)

    return cast("Record", _map_strings(mask, record)) if matcher.has_secrets else record


def holds_secret(text: str, secrets: Iterable[str]) -> bool:
    """Whether a text contains one of some secrets in any encoding."""
    return redact_received(text, secrets) != text


def select_uncommon(secrets: Iterable[str]) -> frozenset[str]:
    """Select the secrets that are not common words or numbers: text that looks like such a secret may be a topic."""
    return frozenset(
        text for text in secrets if len(text) >= _MIN_LENGTH and not _COMMON_WORD.fullmatch(text)
    )


_ADDRESS = re.compile(r"""(?:"(?:\\.|[^"\\\n]){0,256}"|(?<![^\s"])[^\s"]*)(?:[@＠]|[%=]40|&\#64;)\S*""")
"""A mail address in any notation, with everything that is written together with it. Words are tried from their begin only."""


def mask_addresses(text: str) -> str:
    """Mask mail addresses in a text, such as those that an error message of the database quotes."""
    return _ADDRESS.sub(MASK, text)


def redact_output(text: str) -> str:
    """Mask secrets in what we print or log, except common words and numbers, which keys and dates contain."""
    return _secrets.output_matcher.mask(text)


# --- streams --------------------------------------------------------------------------------------


class FilteredStream:
    """A stream that filters what is written to it.

    Args:
        stream: receives the filtered text.
        clean: returns the filtered form of a text.
    """

    def __init__(self, stream: IO[str], clean: Callable[[str], str]) -> None:
        self.stream = stream
        self.clean = clean

    def write(self, text: str) -> int:
        """Write the filtered form of a text."""
        return self.stream.write(self.clean(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write the filtered form of each line."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        """Return the attribute of the underlying stream."""
        return getattr(self.stream, name)


@contextmanager
def filter_streams(clean: Callable[[str], str]) -> Iterator[None]:
    """Filter standard output and standard error, and with the latter the log, within the block."""
    streams = FilteredStream(sys.stdout, clean), FilteredStream(sys.stderr, clean)
    with redirect_stdout(cast("IO[str]", streams[0])), redirect_stderr(cast("IO[str]", streams[1])):
        yield


def write_json(stream: IO[str], document: object, *, indent: int | None = 2) -> None:
    """Write a document as JSON; the filters of the stream see each of its strings, not the whole text.

    Applied to the text, a filter would also mask a number that equals a secret, and the result would not be
    JSON.

    Args:
        stream: the stream.
        document: the document.
        indent: the number of spaces for each level; None to write it in one line.
    """
    while isinstance(stream, FilteredStream):
        document = _map_strings(stream.clean, document)
        stream = stream.stream
    has_all_letters = (getattr(stream, "encoding", None) or "utf-8").lower().startswith("utf")
    stream.write(json.dumps(document, ensure_ascii=not has_all_letters, indent=indent) + "\n")
    stream.flush()


def _map_strings(convert: Callable[[str], str], document: Any) -> Any:
    """Return a document or record with all its strings converted."""
    match document:
        case Enum():
            return document
        case str():
            return convert(document)
        case dict():
            return {
                _map_strings(convert, key): _map_strings(convert, value) for key, value in document.items()
            }
        case list() | tuple():
            elements = [_map_strings(convert, element) for element in document]
            return document._make(elements) if hasattr(document, "_make") else type(document)(elements)
        case _ if is_dataclass(document) and not isinstance(document, type):
            names = [field.name for field in fields(document) if field.init]
            return replace(
                document, **{name: _map_strings(convert, getattr(document, name)) for name in names}
            )
        case _:
            return document
