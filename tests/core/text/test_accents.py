"""Names that were typed as TeX are printed as their bearers write them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.text.accents import decode_tex_accents
from tests.support.cases import for_each_case


@for_each_case(
    ("typed", "printed"),
    [
        (r"Paulo Andr\'e Lima de Castro", "Paulo André Lima de Castro"),
        (r"Andr\'{e}, {\'E}va, \'{\i}, \'\i", "André, Éva, í, í"),
        (r"Mart\'{ı}n, Mart\'ın, \v{ȷ}", "Martín, Martín, ǰ"),  # half undone, as arXiv's pages have it
        (r"Do{\u g}ru\"oz, Erd\H{o}s, Erd\H os", "Doğruöz, Erdős, Erdős"),
        (r"K{\i}van{\c c}, Kara{\c{c}}ayl{\i}", "Kıvanç, Karaçaylı"),
        (r"S{\o}gaard, S\o gaard, \O ystein, {\L}ukasz", "Søgaard, Søgaard, Øystein, Łukasz"),
        (r"W{\r a}hlstrand, \AA sa, Stra{\ss}e, {\AE}thel", "Wåhlstrand, Åsa, Straße, Æthel"),
        (
            r"Li{\v c}en, I\~naki, G\"unnemann, Fr\`ere, \^Ile, \.Z, \=a",
            "Ličen, Iñaki, Günnemann, Frère, Île, Ż, ā",
        ),
        ("Donald~E.~Knuth", "Donald E. Knuth"),
        (r"The {ATLAS} \textbf{Collaboration}", "The ATLAS textbfCollaboration"),
        ("Ada Lovelace", "Ada Lovelace"),
        ("Erdős 王伟", "Erdős 王伟"),
    ],
)
def test_accents_and_letters_become_unicode(typed: str, printed: str) -> None:
    assert decode_tex_accents(typed) == printed


@given(st.text(st.sampled_from("ab\\{}~'\"^ouvHc ."), max_size=40))
def test_no_tex_is_left_whatever_was_typed(typed: str) -> None:
    assert not set(decode_tex_accents(typed)) & set("\\{}")
