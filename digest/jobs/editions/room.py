"""What has room in an edition: each paper that it tells stands somewhere, in full or at least as a line.

Why so: docs/decisions/0034-what-has-no-room-waits.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from digest.core.delivery.chat import MOST
from digest.core.editions.compose import Composition, keep_first
from digest.core.matching.bitmaps import places
from digest.jobs.delivery.messages import form_of
from digest.model import Form, Paper
from digest.render.delivery.line_sizes import MAIL_BYTES, chat_line, mail_line, number_that_fit
from digest.store.subscribers.digests import Digest

_LONGEST = {
    "tgram": 4_000,
    "discord": 2_000,
    "slack": 30_000,
    "mmost": 4_000,
    "mmosts": 4_000,
    "gchat": 4_000,
    "zulip": 10_000,
    "ntfy": 7_800,
    "ntfys": 7_800,
}
"""Bytes of a message of services that many use, by scheme: no more than Apprise's ``body_maxlen``."""
_SHORTEST = 900
"""Of any other: few take less."""
_OPENING = 900
"""Bytes of what stands before and behind the papers in a chat."""

Sizes = dict[tuple[Form, int], int]
"""Bytes of the lines of events, by their seqs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How much of what fits a digest is put into one edition.

    Attributes:
        has_pages: editions have pages, to which mails and chats lead: on these there is room for all of them.
    """

    has_pages: bool
    _sizes: Sizes = field(default_factory=dict)

    def limit(
        self, digest: Digest, what: Composition, paper_at: Callable[[int], tuple[int, Paper]]
    ) -> Composition:
        """Leave papers that have no room, not even as a line, to the next edition.

        Args:
            digest: whose edition it is.
            what: what was chosen for it.
            paper_at: the seq and the paper of an event, by its place.
        """
        form, budget = self._narrowest(digest)
        if form is None:
            return what

        def sizes() -> Iterator[int]:
            for ranked in (*what.items, *what.rest):
                for place in places(ranked.row):
                    yield self._size(form, *paper_at(place))

        return keep_first(what, number_that_fit(sizes(), budget))

    def _narrowest(self, digest: Digest) -> tuple[Form | None, int]:
        """The form of a digest's messages that has the least room among those that tell all of it, and the bytes.

        A chat is a summary beside a mail, a feed or a webhook, which have it all; where a digest goes to chats alone and has
        no page, it is told by them.
        """
        forms = {form_of(channel) for _, channel, _ in digest.destinations}
        in_mail = {Form.FILES} if self.has_pages else {Form.FILES, Form.MAIL, Form.STORED_MAIL}
        if forms & in_mail:
            return Form.MAIL, MAIL_BYTES
        if forms != {Form.CHAT} or self.has_pages or digest.feed:
            return None, 0
        return Form.CHAT, min(_chat_bytes(address) for _, _, address in digest.destinations)

    def _size(self, form: Form, seq: int, paper: Paper) -> int:
        known = self._sizes.get((form, seq))
        if known is None:
            if len(self._sizes) >= _MOST_SIZES:
                self._sizes.clear()
            known = self._sizes[form, seq] = (mail_line if form is Form.MAIL else chat_line)(paper)
        return known


_MOST_SIZES = 100_000


def _chat_bytes(address: str) -> int:
    scheme = address.partition("://")[0].lower()
    return MOST * _LONGEST.get(scheme, _SHORTEST) * 9 // 10 - _OPENING
