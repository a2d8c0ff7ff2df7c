"""What providers post to our site about our mail. Everything else that comes there changes nothing, and learns nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from anyio import to_thread
from fastapi import Request, Response

from digest.errors import PassingError, ReportError
from digest.jobs.delivery.bounces import Hearing, Reported
from digest.ports import Posted, Provider
from digest.web.documents import Documents

LONGEST = 1024 * 1024
"""Bytes of what is posted. A message of SNS has 256 KiB, and twice as many when its quotation marks are escaped once more.
Postmark's ``Content`` is the whole bounce with our mail in it, whose HTML of up to 90 kB and text grow likewise. The same
number stands in the configuration of nginx that the documentation has."""
MOST_HELD = 16 * LONGEST
"""Bytes of what is being posted by all together: a stranger can send as much as a provider."""
_MOST_TOLD = 100
_AGAIN = "60"
"""Seconds until what could not be judged may come again."""


@dataclass(slots=True)
class _Held:
    """What is being posted, as far as it has come. Only the loop that answers requests counts it."""

    bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Where providers post to.

    Attributes:
        providers: by the last part of the path.
        hearing: takes what they report.
        documents: fetches documents of theirs.
        tell: is told, in a sentence, what came, and once what is wrong with what somebody posts.
    """

    providers: Mapping[str, Provider]
    hearing: Hearing
    documents: Documents
    tell: Callable[[str], None]
    _wrong: set[str] = field(default_factory=set, init=False)
    _held: _Held = field(default_factory=_Held, init=False)

    async def take(self, name: str, request: Request) -> Response:
        """Take what is posted: 200 when it is kept, and also where it is about nothing of ours."""
        provider = self.providers.get(name)
        if provider is None:
            return Response(status_code=404)
        body = bytearray()
        try:
            async for piece in request.stream():
                body += piece
                self._held.bytes += len(piece)
                if len(body) > LONGEST:
                    return Response(status_code=413, headers={"connection": "close"})
                if self._held.bytes > MOST_HELD:
                    return Response(status_code=503, headers={"retry-after": _AGAIN, "connection": "close"})
        finally:
            self._held.bytes -= len(body)
        headers = tuple((key.lower(), value) for key, value in request.headers.items())
        posted = Posted(headers=headers, body=bytes(body))
        return await to_thread.run_sync(self._taken, name, provider, posted)

    def _taken(self, name: str, provider: Provider, posted: Posted) -> Response:
        try:
            reports = provider.reports(posted, self.hearing.clock(), self.documents.get)
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
