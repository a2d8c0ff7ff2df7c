"""What an operator can rely on of colours: they are computed as WCAG 2.2 says, and what is derived from them can be read."""

from __future__ import annotations

from colorsys import rgb_to_hls

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.colours import compute_contrast, compute_luminance, darken, is_colour, lighten

colours = st.binary(min_size=3, max_size=3).map(lambda channels: f"#{channels.hex()}")


@pytest.mark.parametrize(
    ("colour", "other", "contrast"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#767676", "#ffffff", 4.54),  # the lightest grey with 4.5:1 on white
        ("#777777", "#ffffff", 4.48),
        ("#0000ff", "#ffffff", 8.59),
        ("#ff0000", "#ffffff", 4.0),
    ],
)
def test_a_contrast_is_that_of_wcag(colour: str, other: str, contrast: float) -> None:
    assert compute_contrast(colour, other) == pytest.approx(contrast, abs=0.005)
    assert compute_contrast(other, colour) == compute_contrast(colour, other)


@given(colours)
def test_black_is_the_darkest_and_white_the_lightest(colour: str) -> None:
    assert 0 == compute_luminance("#000000") <= compute_luminance(colour) <= compute_luminance("#ffffff")
    assert compute_luminance("#ffffff") == pytest.approx(1)


@given(colours)
def test_a_darker_variant_can_be_read_on_white_and_a_lighter_one_on_black(colour: str) -> None:
    dark, light = darken(colour, "#ffffff"), lighten(colour, "#16181c")

    assert compute_contrast(dark, "#ffffff") >= 4.5
    assert compute_contrast(light, "#16181c") >= 4.5
    assert compute_luminance(dark) <= compute_luminance(colour) <= compute_luminance(light)


@given(colours)
def test_a_colour_that_can_be_read_stays_as_it_is(colour: str) -> None:
    for background, change in (("#ffffff", darken), ("#16181c", lighten)):
        variant = change(colour, background)
        assert change(variant, background) == variant
        if compute_contrast(colour, background) >= 4.5:
            assert variant == colour


def test_a_variant_has_the_same_hue() -> None:
    for colour in ("#1b4f91", "#8c1515", "#00693e", "#4b2e83"):
        hues = [
            rgb_to_hls(*(channel / 255 for channel in bytes.fromhex(text[1:])))[0]
            for text in (colour, lighten(colour, "#51430f"), darken(colour, "#fff0b8"))
        ]
        assert max(hues) - min(hues) < 0.02


def test_only_six_hexadecimal_digits_are_a_colour() -> None:
    assert is_colour("#1b4f91")
    assert is_colour("#1B4F91")
    for text in ("", "1b4f91", "#1b4", "#1b4f9", "#1b4f911", "#1b4f9g", "navy", "#1b4f91\n", "#1b4f91;}"):
        assert not is_colour(text)
