"""Detection of withdrawn papers by their texts.

No source has a field for it. arXiv puts the reason into the comment; earlier it replaced the abstract. But
comments also mention other withdrawals: of earlier papers, or of this paper from a conference.
"""

from __future__ import annotations

import re

_SENTENCES = re.compile(r"(?<=[.;!?])\s+(?!\d)")
_THIS = r"(?:paper|submission|article|manuscript|preprint|version|work|document|report|draft)"
_WITHDRAWN_TITLE = re.compile(
    r"\W*(?:withdrawn|retracted)(?:\s(?:article|paper|preprint))?\s*[:\]\u2013\u2014]", re.IGNORECASE
)

_WITHDRAWAL_SENTENCE = re.compile(
    rf"""\b(?:{_THIS}|it|and) \b [^,:]{{0,60}}? \b (?:is|was|been|being|be) (?:\s\w+){{0,2}}? \s (?:withdrawn|retracted)\b
      | ^\W* (?:this\s)? (?:{_THIS}\s)? (?:temporarily\s)? withdrawn\b
      | \b(?:pages?|figures?|tables?) \b [^a-z]* (?:\([^()]*\)\s)? withdrawn\b
      | \b withdraw(?:ing)? \s (?:this|the|our|my|it)\b
      | \b retract(?:ing)? \s (?:this|the|our|my) \s (?:\w+\s)? (?:{_THIS}|results?)\b
      | \b (?:request|ask|appl[iy]) \w* \s (?:\w+\s){{0,2}}? withdrawal\b
      | \b reasons?\sfor\swithdrawal\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""A sentence of a comment that says that the paper is withdrawn."""

_OTHER_WITHDRAWAL = re.compile(
    r"""\b withdr\w+ \s (?:\w+\s){0,2}? from \s (?!(?:the\s)?(?:arxiv|public|circulation))
      | \b withdr\w+ \s by \s (?!(?:the|its|all|both|arxiv|an?|one|us|me|authors?|primary|first)\b)
      | \b (?:submitted\s(?:to|and)|accepted|presented|rejected) \b .{0,200} withdr
      | \b which \s (?:is|was|has\sbeen|will\sbe) (?:\s\w+){0,2} \s withdr
      | \b (?:earlier|previous|prior|original|v\d|version\s\d) \b .{0,60} \b (?:is|was|were|been) \b .{0,30} withdr
      | \b (?:not|never|will) \s (?:be(?:en)?\s)? withdrawn
      | \b withdr .{0,80} \b fees? \b""",
    re.VERBOSE | re.IGNORECASE,
)
"""A sentence that mentions another withdrawal: of another paper, from a conference, or in the future."""

_ABSTRACT_SENTENCE = re.compile(
    rf"""\b this \s {_THIS} \s (?:has\sbeen|is|was) (?:\s(?:now|being|temporarily|hereby))? \s (?:withdrawn|retracted)\b
      | ^\W* (?:{_THIS}\s)? withdrawn (?:\s by \s | \s* [.:] | \s due \s | \s*$)""",
    re.VERBOSE | re.IGNORECASE,
)
"""A stricter pattern for abstracts, because those mention all kinds of things that can be withdrawn."""


def is_withdrawn(title: str, abstract: str, comment: str) -> bool:
    """Return True if the title, abstract or comment says that the paper was withdrawn.

    Args:
        title: as announced; journals put ``WITHDRAWN:`` before it.
        abstract: as announced.
        comment: as announced.
    """
    return (
        (_has_withdrawal_word(title) and _WITHDRAWN_TITLE.match(title) is not None)
        or (_has_withdrawal_word(comment) and any(map(_is_withdrawal_in_comment, _SENTENCES.split(comment))))
        or (
            _has_withdrawal_word(abstract)
            and any(map(_is_withdrawal_in_abstract, _SENTENCES.split(abstract)))
        )
    )


def _has_withdrawal_word(text: str) -> bool:
    text = text.lower()
    return "withdr" in text or "retract" in text


def _is_withdrawal_in_comment(sentence: str) -> bool:
    return bool(_WITHDRAWAL_SENTENCE.search(sentence)) and not _OTHER_WITHDRAWAL.search(sentence)


def _is_withdrawal_in_abstract(sentence: str) -> bool:
    return bool(_ABSTRACT_SENTENCE.search(sentence)) and not _OTHER_WITHDRAWAL.search(sentence)
