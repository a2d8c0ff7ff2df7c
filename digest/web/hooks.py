"""What providers post to our site about our mail. Everything else that comes there changes nothing, and learns nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import urlsplit

from anyio import to_thread
from fastapi import Request, Response

from digest.errors import PassingError, ReportError
from digest.jobs.bounces import Hearing, Reported
from digest.ports import Posted, Provider

LONGEST = 300_000
"""Bytes of what is posted: SNS posts 256 KB at most."""
_LARGEST_DOCUMENT = 100_000
_PATIENCE = 10.0
"""Seconds for a document of a provider's."""
_MOST_TOLD = 100
_AGAIN = "60"
"""Seconds until what could not be judged may come again."""
_BUSY = frozenset({408, 425, 429})

Fetch = Callable[[str], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Where providers post to.

    Attributes:
        providers: by the last part of the path.
        hearing: takes what they report.
        fetch: gets a document of theirs by its address.
        tell: is told, in a sentence, what came, and once what is wrong with what somebody posts.
    """

    providers: Mapping[str, Provider]
    hearing: Hearing
    fetch: Fetch
    tell: Callable[[str], None]
    _wrong: set[str] = field(default_factory=set, init=False)

    async def take(self, name: str, request: Request) -> Response:
        """Take what is posted: 200 when it is kept, and also where it is about nothing of ours."""
        provider = self.providers.get(name)
        if provider is None:
            return Response(status_code=404)
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > LONGEST:
                return Response(status_code=413, headers={"connection": "close"})
        headers = tuple((key.lower(), value) for key, value in request.headers.items())
        posted = Posted(headers=headers, body=bytes(body))
        return await to_thread.run_sync(self._taken, name, provider, posted)

    def _taken(self, name: str, provider: Provider, posted: Posted) -> Response:
        try:
            reports = provider.reports(posted, self.hearing.clock(), self.fetch)
        except PassingError as error:
            # Amazon takes most other answers for the last word, and the report would be lost.
            self._tell_once(
                f"What somebody posted to /bounces/{name} could not be judged, and is asked for again: {error}."
            )
            return Response(status_code=503, headers={"retry-after": _AGAIN})
        except ReportError as error:
            self._tell_once(f"What somebody posted to /bounces/{name} was not taken: {error}.")
            return Response(status_code=403)
        for report in reports:
            taken = self.hearing.take(report, name)
            if isinstance(taken, Reported):
                self.tell(taken.told)
        return Response(status_code=200)

    def _tell_once(self, text: str) -> None:
        """Whoever posts nonsense all day is told of once."""
        if text not in self._wrong and len(self._wrong) < _MOST_TOLD:
            self._wrong.add(text)
            self.tell(text)


@lru_cache(maxsize=32)
def fetched(url: str) -> bytes:
    """A document of a provider's; what was got once is not asked for again.

    Raises:
        PassingError: it cannot be had now.
        ReportError: it cannot be had at all.
    """
    import httpx

    if urlsplit(url).scheme != "https":
        raise ReportError("it names an address that is not https")
    body = bytearray()
    try:
        with (
            httpx.Client(timeout=_PATIENCE, follow_redirects=False) as client,
            client.stream("GET", url) as answer,
        ):
            if answer.status_code != 200:
                raise not_had(url, answer.status_code)
            for piece in answer.iter_bytes():
                body += piece
                if len(body) > _LARGEST_DOCUMENT:
                    raise ReportError(f"{url} is longer than any document that we read")
    except httpx.InvalidURL as error:
        raise ReportError(f"{url} is no address: {error}") from error
    except httpx.HTTPError as error:
        raise PassingError(f"{url} cannot be had: {str(error) or type(error).__name__}") from error
    return bytes(body)


def not_had(url: str, status: int) -> ReportError:
    """What it means that a document was not given.

    Args:
        url: its address.
        status: of the answer, which is not 200.
    """
    kind = PassingError if status in _BUSY or status >= 500 else ReportError
    return kind(f"{url} answered HTTP {status}")
