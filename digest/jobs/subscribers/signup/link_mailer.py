"""Sends the mails with links that people wait for.

Whoever asks for a link gets an answer before anything is looked up: its time must not tell who is known here. So a
request is only put into a queue, and handled after the answer. While it is handled, other pages take a little longer,
and whoever asked can measure that. So one thread does the same work for every request: it looks up who may be written
to, seals a link and renders a mail, which is dropped at the end if the address must not have it. Only the talk with
the mail server is for some alone. It comes after a random delay, so that a slow page at some moment is no sign of it;
what remains is a few milliseconds at an unknown time within seconds, and each address gets three mails a day.

The server is talked to by other threads, so that no mail waits for another one. If the process ends before a mail is
sent, or the server does not take it within a minute, the person asks again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Empty, PriorityQueue
from secrets import SystemRandom

from digest.core.delivery.signup_links import SigninRequest, SignupRequest
from digest.core.subscribers.address_links import AddressChange, ChangedAddress
from digest.errors import StoreBusyError
from digest.model import Deferred, Mail, Receipt

LinkRequest = SignupRequest | SigninRequest | AddressChange | ChangedAddress
"""What the mails that readers wait for are made of; the last one has no link."""

_MAX_WAITING = 1_000
"""Maximum number of requests and mails that wait; a server that is down must not fill the memory."""
_ATTEMPTS, _RETRY_SECONDS = 3, 20.0
"""Number of attempts to send a mail while its reader waits, and the seconds between them."""
_DELAY_SECONDS = 0.4
"""Seconds from a request to its handling: at once, the answers to readers took a fifth longer than those to strangers
(medians of 400 each), because both share a core."""
MAX_DELAY_SECONDS = 5.0
"""Longest delay of a mail, in seconds. Long, compared with the milliseconds that sending takes, and short for a reader:
many mail servers deliver later than that."""
_POLL_SECONDS = 0.2
_CONNECTIONS = 4
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, order=True)
class _Task:
    """A request or a mail whose turn comes at some time.

    Attributes:
        due: when it is its turn, in seconds of ``time.monotonic``.
        attempts: the number of attempts before.
    """

    due: float
    request: LinkRequest | None = field(compare=False)
    mail: Mail | None = field(compare=False, default=None)
    attempts: int = field(compare=False, default=0)


class LinkMailer:
    """A queue of requests for links, and the threads that handle them.

    Args:
        make_mail: prepares a link and makes its mail; None if the address must not be written to.
        deliver: delivers a mail at once; None if there is no server.
        retry_seconds: time between two attempts.
        max_delay: longest random delay of a mail, in seconds.
    """

    def __init__(
        self,
        make_mail: Callable[[LinkRequest], Mail | None],
        deliver: Callable[[Mail], Receipt | None],
        retry_seconds: float = _RETRY_SECONDS,
        max_delay: float = MAX_DELAY_SECONDS,
    ) -> None:
        self._make_mail = make_mail
        self._deliver = deliver
        self._retry_seconds = retry_seconds
        self._max_delay = max_delay
        self._random = SystemRandom()
        self._waiting: PriorityQueue[_Task] = PriorityQueue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="links", daemon=True)

    def start(self) -> None:
        """Start the threads."""
        self._thread.start()

    def stop(self) -> None:
        """Handle what is due now, and end the threads; what was to be tried again later is dropped."""
        self._stop.set()
        self._thread.join()

    def submit(self, request: LinkRequest) -> bool:
        """Put a request into the queue; return False if too many wait."""
        if self._waiting.qsize() >= _MAX_WAITING:
            return False
        self._waiting.put(_Task(time.monotonic() + _DELAY_SECONDS, request))
        return True

    def _run(self) -> None:
        with ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="link mail") as pool:
            while (task := self._wait_for_task()) is not None:
                if task.mail is not None:
                    pool.submit(self._send, task)
                elif (mail := self._prepare(task)) is not None:
                    delay = self._random.uniform(0, self._max_delay)
                    self._waiting.put(_Task(time.monotonic() + delay, None, mail))

    def _wait_for_task(self) -> _Task | None:
        """Return the next task when it is due, and at a stop at once; None after the last one."""
        while True:
            try:
                task = self._waiting.get(timeout=_POLL_SECONDS)
            except Empty:
                if self._stop.is_set():
                    return None
                continue
            if task.due <= time.monotonic():
                return task
            if self._stop.is_set():
                if not task.attempts:
                    return task
                continue
            self._waiting.put(task)
            self._stop.wait(min(_POLL_SECONDS, max(task.due - time.monotonic(), 0)))

    def _prepare(self, task: _Task) -> Mail | None:
        assert task.request is not None
        try:
            return self._make_mail(task.request)
        except StoreBusyError:
            self._try_again(task)
        except Exception as error:  # noqa: BLE001 - one request must not end all others
            # The text of the error may have the address.
            _log.warning("A link could not be made: %s", type(error).__name__)
        return None

    def _send(self, task: _Task) -> None:
        assert task.mail is not None
        try:
            receipt = self._deliver(task.mail)
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("A link could not be sent: %s", type(error).__name__)
            return
        # If it is unknown whether the server has it, a second one is not sent.
        if isinstance(receipt, Deferred):
            self._try_again(task)

    def _try_again(self, task: _Task) -> None:
        if task.attempts + 1 < _ATTEMPTS:
            due = time.monotonic() + self._retry_seconds
            self._waiting.put(_Task(due, task.request, task.mail, task.attempts + 1))
