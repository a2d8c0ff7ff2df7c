"""What everybody may see of an address, and what of it is a secret."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.public_addresses import (
    extract_credentials,
    make_distinct_address,
    make_public_address,
    strip_credentials,
)
from tests.support.cases import for_each_case

TEXTS = st.text("abcdefgh0123456789", min_size=4, max_size=30)


@for_each_case(
    ("url", "public"),
    [
        ("https://example.org/feed.xml", "https://example.org/feed.xml"),
        ("https://me:secret@example.org:8443/feed?token=abc#top", "https://example.org:8443/feed"),
        ("https://example.org", "https://example.org"),
        ("https://[::1]/feed?x", "https://[::1]/feed"),
        ("https://example.org/a;v=1/feed;token=abcd?x", "https://example.org/a;v=1/feed"),
        ("https://[half/feed?x", ""),
        ("nonsense", ""),
    ],
)
def test_the_public_address_ends_with_the_path(url: str, public: str) -> None:
    assert make_public_address(url) == public


@given(user=TEXTS, password=TEXTS, token=TEXTS)
def test_nothing_but_host_and_path_is_in_what_everybody_sees(user: str, password: str, token: str) -> None:
    url = f"https://{user}:{password}@HOST/PATH?token={token}"
    fingerprint = make_distinct_address(url).removeprefix("https://HOST/PATH~")

    assert make_public_address(url) == "https://HOST/PATH"
    assert len(fingerprint) == 8
    assert make_distinct_address(url) != make_distinct_address(f"{url}x")
    assert extract_credentials(url) == {password, token}


@for_each_case(
    ("url", "secrets"),
    [
        ("https://example.org/rss?type=article&journal=machine-learning&issn=15320464", set()),
        ("https://example.org/rss?access_token=ab%2Fcd", {"ab%2Fcd", "ab/cd"}),
        ("https://example.org/rss?x=3f786850e387550fdab8", {"3f786850e387550fdab8"}),
        ("https://example.org/rss?key=abc", set()),
        ("https://0123456789@example.org/rss", {"0123456789"}),
        ("https://name:word-of-mine@example.org/rss", {"word-of-mine"}),
        ("https://example.org/rss?rss_key=ab12c", {"ab12c"}),
        ("https://example.org/rss?jwt=a.b.c&sid=w1xyz", {"a.b.c", "w1xyz"}),
        ("https://example.org/action/feed?type=toc&feed=rss&jc=jacsat&code=jacsat&k=graph", set()),
        ("https://example.org/?s=COVID-19&issn=2050-084X&keyword=covid2019&c=10.1016/j.cell", set()),
        ("https://example.org/?sort-key=pub-date&key=machine-learning&session=NeurIPS-2026", set()),
        ("https://example.org/?token_type=sub-word1&tokenize=x1y2&secretion=insulin-1&p=graphene2d", set()),
        ("https://example.org/rss;token=abcd?a=1;auth=ef2gh#key=mn1op", {"abcd", "ef2gh", "mn1op"}),
        ("https://example.org/?session=ICML2026&key=covid19&sid=GPT4&topic=GPT4-transformers", set()),
        (
            "https://example.org/?x=Yz12/abc%2Bdef12345678==",
            {"Yz12/abc%2Bdef12345678==", "Yz12/abc+def12345678=="},
        ),
        ("https://example.org/?x=graphNeural/networks3/Transformers&doi=10.1016/j.Cell.2026.01.001", set()),
    ],
)
def test_what_looks_like_a_secret_is_one_and_a_catalogues_number_is_none(url: str, secrets: set[str]) -> None:
    assert extract_credentials(url) == secrets


@for_each_case(
    ("address", "text"),
    [
        ("https://example.org/1?token=abcd&page=2", "https://example.org/1?page=2"),
        ("https://me:word@example.org/1?a=b", "https://example.org/1?a=b"),
        ("https://you:other@example.org/1?token=other", "https://you:other@example.org/1?token=other"),
        ("https://example.org/1?id=7", "https://example.org/1?id=7"),
        ("https://example.org/1?Auth=%61bcd&page=2", "https://example.org/1?page=2"),
        ("https://example.org/1?page=2;k=abcd", "https://example.org/1?page=2"),
        ("https://example.org/1;x=abcd;v=2/3#abcd", "https://example.org/1;v=2/3"),
        ("https://[half?token=abcd", "https://[half?token=abcd"),
        ("https://abcd@example.org/1", "https://example.org/1"),
        ("https://me:%61bcd@example.org/1", "https://example.org/1"),
        ("", ""),
    ],
)
def test_of_what_a_host_tells_only_secrets_of_ours_are_left_out(address: str, text: str) -> None:
    ours = "https://me:word@example.org/feed?token=abcd&id=7"
    assert strip_credentials(ours, address, extract_credentials(ours)) == text


@given(
    token=st.text("abcdefg0123456789-_.+/ ü%", min_size=4, max_size=20).filter(
        lambda text: text.strip() == text
    ),
    name=st.sampled_from(["token", "Token", "x", "page"]),
    before=st.sampled_from(["?", "#", ";", "?a=1&", "?a=1;", "#a=1&", ";a=1;"]),
)
def test_our_token_is_taken_out_of_a_parameter_whatever_it_is_called_and_however_it_is_encoded(
    token: str, name: str, before: str
) -> None:
    ours = f"https://HOST/feed?token={quote(token, safe='')}"
    for encoded in (
        quote(token, safe=""),
        quote_plus(token),
        "".join(f"%{octet:02x}" for octet in token.encode()),
    ):
        text = f"https://HOST/paper{before}{name}={encoded}"
        assert (
            strip_credentials(ours, text, extract_credentials(ours))
            == f"https://HOST/paper{before.rstrip('&;?#')}"
        )
