"""When many addresses of one domain are refused with the same words: that is about us, or about their server.

Addresses end one at a time. Where a good part of a domain's readers is "unknown" in one run, the server has blocked us
behind the wrong words, or is set up wrong itself; suppressing them all would lose readers who did nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from digest.core.delivery.wordings import extract_words

MIN_REFUSED = 5
"""Addresses; fewer can have ended by chance on one day."""
REFUSED_DIVISOR = 4
"""One in so many of the addresses that mail goes to: on a list in use far fewer end between two runs."""


@lru_cache(maxsize=4096)  # the same answers of a run are compared with each one that is added
def normalize_refusal(answer: str, mailbox: str) -> str:
    """What is the same in two answers that say the same of two addresses.

    Args:
        answer: what the server said.
        mailbox: whom it said that of; servers repeat its first part without the rest.
    """
    names = set(_WORD.findall(mailbox.lower().partition("@")[0]))
    # A word with a capital inside is the name of a session; where nothing else is said, it says what happened.
    return _extract_words(_SESSION_NAME.sub(" ", answer), names) or _extract_words(answer, names)


def _extract_words(answer: str, names: set[str]) -> str:
    # What has a digit in it is a number of the session, a time or an IP.
    text = " ".join(token for token in extract_words(answer).split() if not _DIGIT.search(token))
    return " ".join(word for word in _WORD.findall(text) if word not in names)


_WORD, _DIGIT = re.compile(r"[^\W\d_]+"), re.compile(r"\d")
_SESSION_NAME = re.compile(r"(?<![\w.@<-])\w*[a-z][A-Z]\w*(?![\w.@-])")


def is_about_us(refused_count: int, accepted_count: int) -> bool:
    """Whether so many addresses of a domain that were refused alike say nothing of their readers.

    Args:
        refused_count: addresses that were refused with the same words in a run.
        accepted_count: addresses of the same domain that took its mail, or have not answered yet.
    """
    return refused_count >= MIN_REFUSED and refused_count * (REFUSED_DIVISOR - 1) >= accepted_count


def is_worth_counting(refused_count: int) -> bool:
    """Whether to count what was accepted now: while few are refused each time, then at every quarter more.

    Counting walks through a run's deliveries, and a large domain may refuse thousands.
    """
    step = MIN_REFUSED
    while step < refused_count:
        step += max(1, step // REFUSED_DIVISOR)
    return step == refused_count
