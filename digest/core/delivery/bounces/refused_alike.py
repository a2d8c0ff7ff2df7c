"""Detection of refusals that concern our server, because many addresses of a domain are refused with the same words.

Addresses are closed one at a time. If many readers of a domain are "unknown" in one run, their server blocks
us with the wrong words, or is misconfigured. Suppressing all these addresses would lose readers for no
reason.
"""

from __future__ import annotations

import re
from functools import lru_cache

from digest.core.delivery.wordings import extract_words

MIN_REFUSED = 5
"""Minimum number of addresses; fewer may have been closed on the same day."""
REFUSED_DIVISOR = 4
"""Divisor of the number of addresses in a run that gives the minimum; far fewer are closed between two runs."""


@lru_cache(maxsize=4096)  # all refusals of a run are compared again with each new one
def normalize_refusal(answer: str, mailbox: str) -> str:
    """Return a refusal without the parts that differ between addresses.

    Args:
        answer: the server's reply.
        mailbox: the address that it is about; servers may repeat only its local part.
    """
    names = set(_WORD.findall(mailbox.lower().partition("@")[0]))
    # A word with a capital inside is usually the name of a session; if there are no other words, it is the reason.
    return _extract_words(_SESSION_NAME.sub(" ", answer), names) or _extract_words(answer, names)


def _extract_words(answer: str, names: set[str]) -> str:
    # Words with digits are session numbers, times or IP addresses.
    text = " ".join(token for token in extract_words(answer).split() if not _DIGIT.search(token))
    return " ".join(word for word in _WORD.findall(text) if word not in names)


_WORD, _DIGIT = re.compile(r"[^\W\d_]+"), re.compile(r"\d")
_SESSION_NAME = re.compile(r"(?<![\w.@<-])\w*[a-z][A-Z]\w*(?![\w.@-])")


def is_about_us(refused_count: int, accepted_count: int) -> bool:
    """Return True if so many addresses of a domain were refused alike that the reason is not the addresses.

    Args:
        refused_count: number of addresses that were refused with the same words in a run.
        accepted_count: number of addresses of the same domain that accepted its mail, or have no result yet.
    """
    return refused_count >= MIN_REFUSED and refused_count * (REFUSED_DIVISOR - 1) >= accepted_count


def is_worth_counting(refused_count: int) -> bool:
    """Return True if the accepted addresses should be counted now: at 5 refusals, and after each quarter more.

    Counting scans the deliveries of a run, and a large domain may refuse thousands.
    """
    step = MIN_REFUSED
    while step < refused_count:
        step += max(1, step // REFUSED_DIVISOR)
    return step == refused_count
