"""Checks that every plug-in of a kind must pass; a failed check raises an ``AssertionError`` that says why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

from digest import ports
from digest.errors import SourceError
from digest.model import Ask, MessageForm, Receipt, Scope, Subject
from digest.testing.samples import make_messages, make_subjects

_NOW = datetime(2026, 6, 12, 7, tzinfo=UTC)
_UNREADABLE_BODIES = (
    b"",
    b"\x00",
    b"<html><body>Sorry</body></html>",
    b"[]",
    b"{}",
    b"null",
    b"{",
    b"<rss>",
    b"\xff\xfe",
)
_ERROR_STATUSES = (401, 403, 429, 500, 503)
"""HTTP statuses that a plug-in must reject.

404 is not among them, because some services return it for an unknown paper or person.
"""
_CUTS = 40
"""Number of truncated copies that are made of each recorded answer."""


def check_channel(channel: ports.Channel, address: str) -> None:
    """Check that a channel delivers, can repeat a delivery without harm, and works again after it was closed.

    Args:
        channel: a channel that has not delivered anything yet.
        address: the address of the ten sample messages; its server must accept them.

    Raises:
        AssertionError: the channel violates a rule of ``digest.ports.Channel``.
    """
    messages = make_messages(channel.form, address)
    assert isinstance(channel.check(), str), "`check` says in a text what answered"
    for attempt in ("the first time", "again, as after a crash"):
        receipts = list(channel.deliver(messages))
        assert [message for message, _ in receipts] == list(messages), (
            f"{attempt}: each message has one receipt, in any number of steps and in their order"
        )
        for message, receipt in receipts:
            assert isinstance(receipt, Receipt), f"{attempt}: {receipt!r} is no receipt"
            sent = type(receipt).__name__ == "Sent"
            assert sent, f"{attempt}: message {message.delivery} was not taken: {receipt!r}"
        channel.close()
        channel.close()
    assert list(channel.deliver(())) == [], "an empty batch has no receipts"
    channel.close()
    other_form = MessageForm.JSON if channel.form is not MessageForm.JSON else MessageForm.FILES
    _require_type_error(channel, other_form, address)


def _require_type_error(channel: ports.Channel, form: MessageForm, address: str) -> None:
    try:
        list(channel.deliver(make_messages(form, address, 1)))
    except TypeError:
        return
    raise AssertionError(f"a message of the form {form.value} is a mistake in the program: raise TypeError")


def check_source(source: ports.Source, answers: Iterable[bytes] = ()) -> None:
    """Check that a source defines its properties, builds requests, and reads or rejects any answer.

    Args:
        source: an instance, made with its options.
        answers: recorded bodies for the first section and route; truncated copies of them are tried, too.

    Raises:
        AssertionError: the source violates a rule of ``digest.ports.Source``.
    """
    _check_service(source)
    assert source.sections, "`sections` has at least one"
    assert len(set(source.sections)) == len(source.sections), "no two sections have one name"
    route_names = [route.name for route in source.fetch_routes]
    assert route_names, "`fetch_routes` has at least one"
    assert len(set(route_names)) == len(route_names), "no two routes have one name"
    for route in source.fetch_routes:
        day = _NOW.date() if route.scope is Scope.DAY else None
        for section in source.sections:
            ask = Ask(source=source.name, section=section, route=route.name, day=day)
            request = source.start(ask, "", _NOW)
            assert request == source.start(ask, "", _NOW), "the same is asked for in the same way"
            assert (request.section, request.route) == (section, route.name), (
                "a request names the section and the route that it is for"
            )
            _check_address(request)
            _check_reading(lambda response, request=request: source.read(request, response), ports.Page)  # type: ignore[misc]
    first_route = source.fetch_routes[0]
    first_day = _NOW.date() if first_route.scope is Scope.DAY else None
    first_ask = Ask(source=source.name, section=source.sections[0], route=first_route.name, day=first_day)
    first_request = source.start(first_ask, "", _NOW)
    _check_recordings(lambda response: source.read(first_request, response), ports.Page, answers)


def check_enricher(
    enricher: ports.Enricher, answers: Iterable[bytes] = (), subjects: Sequence[Subject] = ()
) -> None:
    """Check that an enricher defines its properties, builds requests, and reads or rejects any answer.

    Args:
        enricher: an instance, made with its options.
        answers: recorded bodies about ``subjects``.
        subjects: subjects of one kind; sample papers if there are none.

    Raises:
        AssertionError: the enricher violates a rule of ``digest.ports.Enricher``.
    """
    _check_service(enricher)
    subjects = subjects or make_subjects()
    assert enricher.quota > 0, "`quota` is at least one request a day"
    size = enricher.get_batch_size(subjects[0].kind)
    assert size > 0, f"it knows nothing of any {subjects[0].kind.value}: give other subjects"
    supported = [subject for subject in subjects if enricher.is_supported(subject)][:size]
    assert supported, "none of the subjects is supported: give others"
    request = enricher.make_request(supported)
    _check_address(request)

    def read(response: ports.Response) -> ports.EnricherPage:
        page = enricher.read(request, supported, response, _NOW.date())
        unasked = page.known_keys - {subject.key for subject in supported}
        assert not unasked, f"nobody asked for {sorted(unasked)}"
        return page

    _check_reading(read, ports.EnricherPage)
    _check_recordings(read, ports.EnricherPage, answers)


def _check_service(service: ports.Service) -> None:
    assert service.name, "`name` is a text"
    assert service.title, "`title` is a text"
    assert service.pace >= 0, "`pace` is a number of seconds"
    assert service.max_bytes > 0, "`max_bytes` is a number of bytes"


def _check_address(request: ports.Request) -> None:
    parts = urlsplit(request.url)
    assert parts.scheme in {"http", "https"}, f"{request.url!r} is no absolute web address"
    assert parts.hostname, f"{request.url!r} is no absolute web address"


_Read = Callable[[ports.Response], object]


def _check_reading(read: _Read, page_class: type) -> None:
    """Check that an invalid body is rejected or gives a page, possibly empty, and that error statuses are rejected."""
    for body in _UNREADABLE_BODIES:
        _read_or_refuse(read, page_class, body, 200)
        for status in _ERROR_STATUSES:
            is_refused = _read_or_refuse(read, page_class, body, status) is None
            assert is_refused, f"HTTP {status} is no answer: raise SourceError"


def _check_recordings(read: _Read, page_class: type, answers: Iterable[bytes]) -> None:
    for answer in answers:
        page = _read_or_refuse(read, page_class, answer, 200)
        assert page is not None, f"a recorded answer is refused: {answer[:60]!r}"
        assert page == _read_or_refuse(read, page_class, answer, 200), (
            "the same answer is read in the same way"
        )
        for beginning in _cut(answer):
            _read_or_refuse(read, page_class, beginning, 200)


def _cut(answer: bytes) -> Iterator[bytes]:
    step = max(1, len(answer) // _CUTS)
    for length in range(0, len(answer), step):
        yield answer[:length]


def _read_or_refuse(read: _Read, page_class: type, body: bytes, status: int) -> object:
    """Return the page that was read; None if the answer was rejected by a ``SourceError``."""
    try:
        page = read(ports.Response(status=status, headers=(), body=body))
    except SourceError as error:
        if not str(error).strip():
            raise AssertionError("a SourceError says in a sentence what is wrong") from error
        return None
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(
            f"{body[:60]!r} with HTTP {status} raises {error!r}; raise SourceError"
        ) from error
    assert isinstance(page, page_class), f"{page!r} is no {page_class.__name__}"
    return page
