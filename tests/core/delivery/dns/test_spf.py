from __future__ import annotations

from ipaddress import ip_address

from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.dns.spf import read_spf
from tests.core.delivery.dns.test_records import make_lookup
from tests.support.cases import for_each_case

TABLE = {
    "provider.example TXT": ["v=spf1 ip4:198.51.100.0/24 ip6:2001:db8::/32 ?all"],
    "nested.example TXT": ["v=spf1 include:provider.example -all"],
    "mx.example A": ["203.0.113.7"],
    "mail.example MX": ["10 mx.example", "20 other.example"],
    "self.example A": ["203.0.113.9"],
}
OURS, OTHER, SIX = ip_address("203.0.113.7"), ip_address("198.51.100.9"), ip_address("2001:db8::9")


@for_each_case(
    ("record", "admitted"),
    [
        ("v=spf1 -all", []),
        ("v=spf1 ip4:203.0.113.7 -all", [OURS]),
        ("v=spf1 ip4:203.0.113.0/24 ip6:2001:db8::/48 ~all", [OURS, SIX]),
        ("v=spf1 a:mx.example -all", [OURS]),
        ("v=spf1 a:self.example/24 -all", [OURS]),
        ("v=spf1 mx:mail.example -all", [OURS]),
        ("v=spf1 include:provider.example -all", [OTHER, SIX]),
        ("v=spf1 include:nested.example -all", [OTHER, SIX]),
        ("v=spf1 redirect=nested.example", [OTHER, SIX]),
        ("v=spf1 -ip4:203.0.113.7 ip4:203.0.113.0/24 ip4:198.51.100.9", [OTHER]),
        ("V=SPF1 A:mx.example exp=why.example -ALL", [OURS]),
        ("v=spf1 include:%{i}.example exists:%{l}.example ptr ip4:203.0.113.7", [OURS]),
    ],
)
def test_who_may_send_is_known(record: str, admitted: list[object]) -> None:
    spf_result = read_spf(
        "lab.example", [OURS, OTHER, SIX], make_lookup(TABLE | {"lab.example TXT": [record]})
    )

    assert (spf_result.mistake, list(spf_result.allowed_addresses)) == ("", admitted)


@for_each_case(
    ("records", "text"),
    [
        (["v=spf1 -all", "v=spf1 a -all"], "lab.example has 2 SPF records"),
        (["v=spf1 a +all"], "lets anyone send"),
        (["v=spf1 all"], "lets anyone send"),
        (["v=spf1 includes:x.example -all"], "it contains 'includes:x.example', which is not valid in SPF"),
        (["v=spf1 include:nobody.example -all"], "leads to nobody.example, which has none"),
        (["v=spf1 redirect=nobody.example"], "leads to nobody.example, which has none"),
        (["v=spf1 ip4:300.1.1.1 -all"], "it contains '300.1.1.1', which is not a network"),
        (["v=spf1 " + " ".join(f"a:h{n}.example" for n in range(11)) + " -all"], "more than 10 names"),
        (["v=spf1 include:lab.example -all"], "more than 10 names"),
    ],
)
def test_what_servers_do_not_go_by_is_told(records: list[str], text: str) -> None:
    spf_result = read_spf("lab.example", [OURS], make_lookup(TABLE | {"lab.example TXT": records}))

    assert text in spf_result.mistake
    assert spf_result.record


def test_a_mistake_is_told_whoever_may_send() -> None:
    spf_result = read_spf(
        "lab.example", [], make_lookup(TABLE | {"lab.example TXT": ["v=spf1 include:nobody.example -all"]})
    )

    assert "leads to nobody.example, which has none" in spf_result.mistake


def test_other_texts_are_no_record() -> None:
    assert (
        read_spf("lab.example", [OURS], make_lookup({"lab.example TXT": ["v=spf10 -all", "x", ""]})).record
        == ""
    )


@given(st.text(alphabet="v=spf1 +-~?:/%{}.all include redirect ip4 ip6 0123456789", max_size=60))
def test_any_record_can_be_read(text: str) -> None:
    spf_result = read_spf(
        "lab.example", [OURS, SIX], make_lookup(TABLE | {"lab.example TXT": [f"v=spf1 {text}"]})
    )

    assert spf_result.record
