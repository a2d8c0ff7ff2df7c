"""Which connections have sent mails that came more than once, as far as the mail server can tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class MailConnection(NamedTuple):
    """A connection to the mail server: the address of its machine, and its number."""

    address: str
    number: int


class RepeatedMail:
    """A mail that came more than once. One of its copies would have come in peace; the others are repeats.

    Attributes:
        copies: the connections that it came by.
        proper: the index of the copy that is taken for the one of peace.
    """

    def __init__(self, copies: Sequence[MailConnection], fault_counts: Mapping[str, int]) -> None:
        """Take the copy of the machine with the fewest faults for the one of peace."""
        self.copies = copies
        self.proper = min(
            range(len(copies)), key=lambda index: (fault_counts.get(copies[index].address, 0), -index)
        )

    def list_repeats(self) -> list[MailConnection]:
        """Return the connections of the other copies."""
        return [connection for index, connection in enumerate(self.copies) if index != self.proper]


def count_repeats(
    mails: Sequence[Sequence[MailConnection]], fault_counts: Mapping[str, int], limit: int
) -> Counter[MailConnection]:
    """Count the repeats by connection.

    Nobody can tell which copy of a mail is the repeat: who was killed has sent the first one, and who was stopped the
    last one. So the repeats are spread such that no connection has more than a limit, if there is any such way.

    Args:
        mails: for each mail that came more than once, the connections that it came by.
        fault_counts: the number of faults by machine; one without faults repeats nothing.
        limit: the highest number that a connection may have.
    """
    repeated = [RepeatedMail(copies, fault_counts) for copies in mails]
    while True:
        counts = Counter(connection for mail in repeated for connection in mail.list_repeats())
        crowded = [connection for connection, count in counts.items() if count > limit]
        if not any(_relieve(connection, repeated, counts, fault_counts, limit) for connection in crowded):
            return counts


def _relieve(
    crowded: MailConnection,
    repeated: Sequence[RepeatedMail],
    counts: Counter[MailConnection],
    fault_counts: Mapping[str, int],
    limit: int,
) -> bool:
    """Move one repeat away from a connection, along the shortest chain of mails whose copies change places."""
    reached: dict[MailConnection, list[tuple[RepeatedMail, int]]] = {crowded: []}
    for connection in (waiting := [crowded]):
        for mail in repeated:
            target = mail.copies[mail.proper]
            if (
                target in reached
                or not fault_counts.get(target.address)
                or connection not in mail.list_repeats()
            ):
                continue
            index = next(
                index for index, copy in enumerate(mail.copies) if copy == connection and index != mail.proper
            )
            reached[target] = [*reached[connection], (mail, index)]
            if counts[target] < limit:
                for changed, proper in reached[target]:
                    changed.proper = proper
                return True
            waiting.append(target)
    return False
