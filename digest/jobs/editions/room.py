"""How many papers an edition has room for: each included paper is shown in full or at least as one line.

Reasons: docs/decisions/0034-what-has-no-room-waits.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from digest import plugins
from digest.core.delivery.chat import MAX_MESSAGES
from digest.core.delivery.slack_blocks import MAX_MESSAGE_BYTES
from digest.core.editions.compose import keep_first
from digest.core.editions.composition import Composition
from digest.model import EditionForm, MessageForm, Paper
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
    "slack": MAX_MESSAGE_BYTES,
    "mmost": 4_000,
    "mmosts": 4_000,
    "gchat": 4_000,
    "zulip": 10_000,
    "ntfy": 7_800,
    "ntfys": 7_800,
}
"""Maximum size of a message of popular services, in bytes, by scheme; at most Apprise's ``body_maxlen``."""
_DEFAULT_CHAT_BYTES = 900
"""Maximum size of a message of any other service, in bytes; few allow less."""
_CHAT_OVERHEAD_BYTES = 900
"""Size of the text before and after the papers in a chat, in bytes."""

LineSizes = dict[tuple[MessageForm, int], int]
"""Sizes of the lines of events in bytes, by form and number of the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionCapacity:
    """Limit of the number of papers in one edition.

    Attributes:
        has_pages: whether editions have pages, to which mails and chats link: these have room for all papers.
    """

    has_pages: bool
    _sizes: LineSizes = field(default_factory=dict)

    def limit_composition(
        self, digest: Digest, composition: Composition, paper_at: Callable[[int], tuple[int, Paper]]
    ) -> Composition:
        """Leave papers for which there is no room, not even as a line, to the next edition.

        Args:
            digest: the digest of the edition.
            composition: the content of the edition.
            paper_at: returns the number and the paper of the event at a position.
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
        """Return the smallest of the forms of a digest's messages that have to show all papers, and its size in bytes.

        A chat is a summary if there is also a mail, a feed, an EPUB or a webhook, which show all papers. It
        only has to show all papers if a digest goes to chats alone and has no page.
        """
        is_in_epub = any(destination.form == EditionForm.EPUB for destination in digest.destinations)
        forms = {
            plugins.load_channel(destination.channel).form
            for destination in digest.destinations
            if destination.form != EditionForm.EPUB  # an EPUB has room for every paper
        }
        in_mail = (
            {MessageForm.FILES}
            if self.has_pages
            else {MessageForm.FILES, MessageForm.MAIL, MessageForm.STORED_MAIL}
        )
        if forms & in_mail:
            return MessageForm.MAIL, MAIL_LINES_BUDGET
        if forms != {MessageForm.CHAT} or is_in_epub or self.has_pages or digest.options.feed:
            return None, 0
        return MessageForm.CHAT, min(
            _compute_chat_bytes(destination.address) for destination in digest.destinations
        )

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
