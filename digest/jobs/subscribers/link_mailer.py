"""Sends the mails with links that people wait for, in a thread of its own.

Whoever asks for a link gets an answer before anything is looked up: its time must not tell who is known here. So a
request is only put into a queue, and handled after the answer, which the work would otherwise delay measurably. If the
process ends before it is sent, the person asks again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, Full, Queue
from random import SystemRandom
from time import monotonic

from digest.core.delivery.signup_links import SigninRequest, SignupRequest
from digest.errors import DigestError
from digest.model import Mail, Receipt

_MAX_WAITING = 1_000
"""Maximum number of requests that wait; a server that is down must not fill the memory."""
_ATTEMPTS, _RETRY_SECONDS = 3, 20.0
"""Number of attempts to send a mail while its reader waits, and the seconds between them."""
_POLL_SECONDS = 0.5
_MIN_DELAY_SECONDS, _MAX_DELAY_SECONDS = 0.2, 0.6
"""Seconds from a request to its handling, at random: at once, the answers to readers took a fifth longer than those to
strangers (medians of 400 each), because both share a core."""
_random = SystemRandom()
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LinkOrder:
    """A request for a link, and the network from which it came; "" if that is not known."""

    request: SignupRequest | SigninRequest
    network: str


class LinkMailer:
    """A queue of requests for links, and the thread that handles them.

    Args:
        make_mail: prepares a link and makes its mail; None if the address must not be written to.
        deliver: delivers a mail at once; None if that has to be tried again.
    """

    def __init__(
        self, make_mail: Callable[[LinkOrder], Mail | None], deliver: Callable[[Mail], Receipt | None]
    ) -> None:
        self._make_mail = make_mail
        self._deliver = deliver
        self._waiting: Queue[tuple[float, LinkOrder]] = Queue(_MAX_WAITING)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="links", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Send what waits, and end the thread."""
        self._stop.set()
        self._thread.join()

    def submit(self, order: LinkOrder) -> bool:
        """Put a request into the queue; return False if too many wait."""
        due_at = monotonic() + _random.uniform(_MIN_DELAY_SECONDS, _MAX_DELAY_SECONDS)
        try:
            self._waiting.put_nowait((due_at, order))
        except Full:
            return False
        return True

    def _run(self) -> None:
        while not (self._stop.is_set() and self._waiting.empty()):
            try:
                due_at, order = self._waiting.get(timeout=_POLL_SECONDS)
            except Empty:
                continue
            self._stop.wait(max(due_at - monotonic(), 0))
            try:
                self._handle(order)
            except DigestError as error:
                _log.warning("A link could not be sent: %s", error)
            except Exception as error:  # noqa: BLE001 - one request must not end all others
                _log.warning(
                    "A link could not be sent: %s", type(error).__name__
                )  # the text may have the address

    def _handle(self, order: LinkOrder) -> None:
        mail = self._make_mail(order)
        if mail is None:
            return
        for _ in range(_ATTEMPTS):
            if self._deliver(mail) is not None or self._stop.wait(_RETRY_SECONDS):
                return
