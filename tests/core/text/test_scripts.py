from __future__ import annotations

import re
import sys
import unicodedata

from digest.core.text.scripts import CJK, GREEK, GREEK_NAMES, is_cjk


def letters_that_become(pattern: str) -> set[str]:
    """All letters and digits of Unicode whose compatible form has a character of a class."""
    expected = re.compile(pattern)
    letters = (chr(code) for code in range(0x80, sys.maxunicode + 1))
    return {
        letter
        for letter in letters
        if letter.isalnum() and expected.search(unicodedata.normalize("NFKC", letter))
    }


def test_the_ranges_hold_every_form_of_a_greek_letter_and_no_other_letter() -> None:
    all_values = letters_that_become(f"[{GREEK}]")

    assert all(re.fullmatch(f"[{GREEK}]", letter) for letter in all_values)
    for letter in all_values:
        plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", letter))[0]
        assert plain.translate(GREEK_NAMES).isascii(), letter


def test_the_ranges_hold_every_form_of_a_cjk_character() -> None:
    assert all(map(is_cjk, letters_that_become(f"[{CJK}]")))


def test_a_character_is_one_word_with_its_marks_and_not_with_others() -> None:
    assert all(map(is_cjk, ["学", "が", "ｶﾞ", "あ\u3099", "한", "々"]))
    assert not any(map(is_cjk, ["", "a", "学a", "学习", "α", "ﾞ"]))
