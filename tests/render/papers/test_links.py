from __future__ import annotations

from digest.render.papers.links import make_valid_address
from tests.support.cases import for_each_case


@for_each_case(
    ("url", "valid"),
    [
        ("https://arxiv.org/abs/2606.00001", "https://arxiv.org/abs/2606.00001"),
        ("http://example.org:8080/a;b?c=d&e=%20#f", "http://example.org:8080/a;b?c=d&e=%20#f"),
        ("https://example.org/a b<c>", "https://example.org/a%20b%3Cc%3E"),
        ("https://example.org/100%/ü", "https://example.org/100%25/%C3%BC"),
        ("https://Bücher.example/x", "https://xn--bcher-kva.example/x"),
        ("https://user:password@example.org/", "https://example.org/"),
        ("https://[2001:DB8::1]/", "https://[2001:db8::1]/"),
        ("https://127.0.0.1/", "https://127.0.0.1/"),
    ],
)
def test_an_address_is_made_valid_if_it_can_be(url: str, valid: str) -> None:
    assert make_valid_address(url) == valid


@for_each_case(
    "url",
    [
        *("", "ftp://example.org/", "javascript:alert(1)", "//example.org/"),
        *(
            "https://[::1",
            "https://[x]/",
            "https://a b/",
            "https://a..b/",
            "https://xn--a\u00fc/",
            "https://1.2.3.400/",
        ),
        *(
            "https://example.org:port/",
            "https://example.org:99999/",
            f"https://{'a' * 64}.org/",
            "https://\ud800/",
        ),
    ],
)
def test_what_is_no_address_makes_no_link(url: str) -> None:
    assert make_valid_address(url) == ""
