"""Splitting of abstracts into sentences.

A sentence ends at a full stop, a question mark or an exclamation mark if a capital, a digit, a formula or a
letter that is not ASCII follows after a blank. It does not end after an abbreviation, after the initial of a
name, or inside a formula. Chinese and Japanese full stops end a sentence whatever follows.
"""

from __future__ import annotations

import re

_OPENING = r"[\"'“‘«(\[`]*+"
_CLOSING = r"[\"'”’»)\]}]*+"
_END = re.compile(
    rf"[.!?。！？](?:{_CLOSING}\${{0,2}}(?=\s++{_OPENING}(?:\\[A-Za-z]|[^\s\\a-z!-#%-/:-@\[-`{{-~]))|(?<=[。！？])[」』”’）]*+)"
)
"""Where a sentence may end: a sign, closing quotation marks or brackets, and the blank before a possible beginning."""
_FORMULA = re.compile(r"(?<!\\)\$(?:\$.+?\$\$|(?!\d[^$]*\$\d)(?:[^$\\]|\\.)++\$)", re.DOTALL)
"""A formula of TeX; two amounts of dollars are none."""
_LINE_BREAKS = str.maketrans("\n\t\r", "   ")
_BEFORE_WORD = "([{\"'“‘«`~"
_NEXT_WORD = re.compile(r"\s+([^\w\s]*)([\w'’-]*)")
_INITIALS = re.compile(r"(?:[A-Z]\.-?)*[A-Z]")
_LIST_NUMBER = re.compile(r"\(?(?:\d{1,2}|[ivx]{1,4})\)?")

_ABBREVIATIONS = {
    # within a sentence, whatever follows
    **dict.fromkeys(
        (
            *(
                "a.k.a",
                "aka",
                "c.f",
                "ca",
                "cf",
                "e.g",
                "eg",
                "esp",
                "i.e",
                "ie",
                "incl",
                "n.b",
                "s.t",
                "viz",
                "vs",
                "w.r.t",
            ),
            *("appx", "chap", "cor", "eq", "eqn", "eqns", "eqs", "fig", "figs", "lem", "sect", "secs", "thm"),
            *("dr", "mr", "mrs", "ms", "prof", "st"),
            *("dept", "pp", "univ", "nos", "refs"),
        ),
        "never",
    ),
    # real words too, or at the end of a sentence as often: within one only before a number or a formula
    **dict.fromkeys(
        ("app", "ch", "def", "ed", "eds", "ex", "no", "prop", "ref", "rem", "sec", "tab"),
        "before_number",
    ),
    # at the end of a sentence only if the next word usually begins one
    **dict.fromkeys(
        (
            *("al", "approx", "i.i.d", "iid", "jr", "ph.d", "resp", "vol"),
            *("ann", "j", "lett", "math", "phys", "proc", "rev"),
        ),
        "before_name",
    ),
}
"""Abbreviations without their last full stop, in lower case, and where they stand within a sentence."""

_FIRST_WORDS = frozenset(
    word
    for line in (
        "A Accordingly Additionally After Again All Along Also Although Among An Analyses Analysis And",
        "Another Any Applied Applying As At Based Because Before Besides Between Beyond Both Building But",
        "By Central Combined Combining Compared Comparing Consequently Contrary Conversely Current",
        "Despite Due During Each Empirical Empirically Even Every Existing Experimental Experiments",
        "Extending Extensive Finally First Firstly Following For From Further Furthermore Given Hence",
        "Here How However If Importantly In Including Indeed Inspired Instead Interestingly It Its Last",
        "Lastly Later Like Many Meanwhile More Moreover Most Motivated Namely Nevertheless New Next No",
        "Nonetheless Not Notably Note Now Numerical Numerically On Once One Only Other Our Out Over",
        "Overall Particularly Previous Previously Prior Rather Recent Recently Remarkably Results Second",
        "Secondly Several Similar Similarly Simulations Since So Some Specifically Starting Still Studies",
        "Subsequently Such Surprisingly Taken Than That The Their Then There Thereby Therefore These They",
        "Third Thirdly This Those Though Three Through Throughout Thus To Together Two Typically Under",
        "Unfortunately Unlike Until Upon Using Via We What When Where Whereas Whether Which While Why",
        "With Within Without Yet You",
    )
    for word in line.split()
)
"""Words that usually begin a sentence, and no name, if they have a capital."""


def find_sentences(text: str) -> list[tuple[int, int]]:
    """Return start and end of each sentence of a text, without the blanks between them.

    Args:
        text: with or without TeX.
    """
    text = text.translate(_LINE_BREAKS) if "\n" in text or "\t" in text else text
    formulas = [match.span() for match in _FORMULA.finditer(text)] if "$" in text else []
    formulas.reverse()
    spans = []
    start = len(text) - len(text.lstrip())
    for match in _END.finditer(text):
        sign, end = match.span()
        while formulas and formulas[-1][1] <= sign:
            formulas.pop()
        # A full stop that ends a formula ends the sentence, too.
        if formulas and formulas[-1][0] < sign and formulas[-1][1] != end:
            continue
        if text[sign] == "." and text[sign - 1 : sign] != "." and _is_within_sentence(text, start, sign, end):
            continue
        spans.append((start, end))
        start = end
        while text[start : start + 1].isspace():
            start += 1
    stop = len(text.rstrip())
    if start < stop:
        spans.append((start, stop))
    return spans


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text.

    Args:
        text: with or without TeX.
    """
    return [text[start:end] for start, end in find_sentences(text)]


def _is_within_sentence(text: str, start: int, stop: int, end: int) -> bool:
    """Whether the full stop at ``stop`` belongs to an abbreviation, to an initial or to the number of a list."""
    word = text[max(text.rfind(" ", start, stop) + 1, start) : stop].lstrip(_BEFORE_WORD)
    kind = _ABBREVIATIONS.get(word[word.rfind("~") + 1 :].lower())
    if kind == "never":
        return True
    is_initial = kind is None and _INITIALS.fullmatch(word) is not None
    if kind is None and not is_initial:
        return stop - start <= 5 and _LIST_NUMBER.fullmatch(text, start, stop) is not None
    signs, next_word = after.groups() if (after := _NEXT_WORD.match(text, end)) else ("", "")
    is_before_number = next_word[:1].isdigit() or signs[:1] in {"$", "("}
    if kind == "before_number":
        return is_before_number
    return next_word not in _FIRST_WORDS and not (is_initial and is_before_number)
