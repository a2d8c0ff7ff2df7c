"""What has room in an edition: each paper that it tells stands somewhere, in full or at least as a line.

Why so: docs/decisions/0034-what-has-no-room-waits.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from digest import plugins
from digest.core.delivery.chat import MAX_MESSAGES
from digest.core.editions.compose import keep_first
from digest.core.editions.composition import Composition
from digest.model import MessageForm, Paper
from digest.render.delivery.line_sizes import (
    MAIL_LINES_BUDGET,
    count_fitting_lines,
    measure_chat_line,
    measure_mail_line,
)
from digest.store.subscribers.digests import Digest

_MAX_CHAT_BYTES = {
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
_DEFAULT_CHAT_BYTES = 900
"""Of any other: few take less."""
_CHAT_OVERHEAD_BYTES = 900
"""Bytes of what stands before and behind the papers in a chat."""

LineSizes = dict[tuple[MessageForm, int], int]
"""Bytes of the lines of events, by their seqs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionCapacity:
    """How much of what fits a digest is put into one edition.

    Attributes:
        has_pages: editions have pages, to which mails and chats lead: on these there is room for all of them.
    """

    has_pages: bool
    _sizes: LineSizes = field(default_factory=dict)

    def limit_composition(
        self, digest: Digest, composition: Composition, paper_at: Callable[[int], tuple[int, Paper]]
    ) -> Composition:
        """Leave papers that have no room, not even as a line, to the next edition.

        Args:
            digest: whose edition it is.
            composition: what was chosen for it.
            paper_at: the seq and the paper of an event, by its place.
        """
        form, budget = self._find_narrowest_form(digest)
        if form is None:
            return composition

        def iterate_sizes() -> Iterator[int]:
            for group in composition.ranked:
                for position in group.events:
                    yield self._measure_line(form, *paper_at(position))

        return keep_first(composition, count_fitting_lines(iterate_sizes(), budget))

    def _find_narrowest_form(self, digest: Digest) -> tuple[MessageForm | None, int]:
        """The form of a digest's messages that has the least room among those that tell all of it, and the bytes.

        A chat is a summary beside a mail, a feed or a webhook, which have it all; where a digest goes to chats alone and has
        no page, it is told by them.
        """
        forms = {plugins.load_channel(channel).form for _, channel, _ in digest.destinations}
        in_mail = (
            {MessageForm.FILES}
            if self.has_pages
            else {MessageForm.FILES, MessageForm.MAIL, MessageForm.STORED_MAIL}
        )
        if forms & in_mail:
            return MessageForm.MAIL, MAIL_LINES_BUDGET
        if forms != {MessageForm.CHAT} or self.has_pages or digest.options.feed:
            return None, 0
        return MessageForm.CHAT, min(_compute_chat_bytes(address) for _, _, address in digest.destinations)

    def _measure_line(self, form: MessageForm, seq: int, paper: Paper) -> int:
        size = self._sizes.get((form, seq))
        if size is None:
            if len(self._sizes) >= _MAX_SIZES:
                self._sizes.clear()
            size = self._sizes[form, seq] = (
                measure_mail_line if form is MessageForm.MAIL else measure_chat_line
            )(paper)
        return size


_MAX_SIZES = 100_000


def _compute_chat_bytes(address: str) -> int:
    scheme = address.partition("://")[0].lower()
    return MAX_MESSAGES * _MAX_CHAT_BYTES.get(scheme, _DEFAULT_CHAT_BYTES) * 9 // 10 - _CHAT_OVERHEAD_BYTES
