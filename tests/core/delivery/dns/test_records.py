"""What is said of the records behind our mails, for a DNS that is a table."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from digest.core.delivery.dns.dkim_keys import DkimKey, read_key
from digest.core.delivery.dns.records import NoAnswerError, SendingSetup, check_records, is_example
from digest.core.delivery.dns.spf import DnsLookup, read_spf, resolve_addresses
from tests.support.cases import for_each_case
from tests.support.rsa_keys import encode_pem

# The public halves of two RSA keys: to make keys takes long, and nothing is signed here.
OF_2048_BITS = (
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA5JMclgITVTmDazMP2fAasodzl832eKfiZ4yRPlQ+/rohCSPyZZAd"
    "ikcc/iCV7GmQ3zLMphGUyaVHV84U2Z8Ur04p2mn0EmxYz5VkhtSyZRUa2wQdhdOMi/xfUb1lvSbJlSWbBS4xZ5ewtj2FY6VN"
    "Wto0IAhyyDL/mju7FY8svuH/q8rD5+oxEuvyEbGZ3hqZ6IsX2e0bviKrvvcapDbJXU0HNT6DLTUL0/K4woExAtWqDT1YPmtv"
    "xnqKPLZLfJi4vjwzIy7ILnuq2I7RrFOT+oRyYtkCY+CNtDbYBHZwhyF+GZvF085gU2meaDYDKoXva1B/dS2pRpwMEUgHGPcC"
    "6wIDAQAB"
)
OF_1024_BITS = (
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDYeXC+or0NtLbufxToNJtzKtjF/LU5ssIYrcBavwpaoRZzM9PhZ20tXZwQ"
    "XFs9K706II/ct4mxljeZ42HWT0cLvdQ2Jbp2KgzQH1rTvCUf3A6N6hOq6G5p8RL7Qal4alRysJ0tNoKSvljNk+hiCcvL49nr"
    "qWLTj9uXVUslMz4rCwIDAQAB"
)


def rsa(bits: int, public: str) -> DkimKey:
    return DkimKey(selector="s1", kind="rsa", bits=bits, public=b64decode(public), sign=bytes)


RSA, SHORT = rsa(2048, OF_2048_BITS), rsa(1024, OF_1024_BITS)
ED25519 = read_key("s2", encode_pem(Ed25519PrivateKey.generate()))
MAIL = SendingSetup(
    sender="lab.example.org",
    envelope="lab.example.org",
    servers=("mx.example.org",),
    dkim="example.org",
    keys=(RSA, ED25519),
    contact="ops@example.org",
)
RIGHT = {
    "lab.example.org TXT": ["v=spf1 a:mx.example.org -all", "something=else"],
    "s1._domainkey.example.org TXT": [RSA.record],
    "s2._domainkey.example.org TXT": [ED25519.record],
    "_dmarc.example.org TXT": ["v=DMARC1; p=reject; rua=mailto:dmarc@example.org"],
    "mx.example.org A": ["203.0.113.7"],
    "mx.example.org AAAA": ["2001:db8::7"],
    "7.113.0.203.in-addr.arpa PTR": ["mx.example.org"],
    f"{'7.0.0.0' + '.0' * 20}.8.b.d.0.1.0.0.2.ip6.arpa PTR": ["mx.example.org"],
    "lab.example.org MX": ["10 mx.example.org"],
}


def make_lookup(table: Mapping[str, list[str]]) -> DnsLookup:
    return lambda name, kind: tuple(table.get(f"{name} {kind}", ()))


def said(sending: SendingSetup = MAIL, **changes: list[str]) -> dict[str, tuple[bool | None, str]]:
    """What is said, by the first word of what it is about, where some records are others."""
    table = RIGHT | changes
    return {
        check.subject.split()[0]: (check.ok, check.explanation)
        for check in check_records(sending, make_lookup(table))
    }


def test_where_all_is_right_each_record_is_told() -> None:
    checks = list(check_records(MAIL, make_lookup(RIGHT)))

    assert [(check.subject, check.ok) for check in checks] == [
        ("SPF of lab.example.org", True),
        ("DKIM s1._domainkey.example.org", True),
        ("DKIM s2._domainkey.example.org", True),
        ("DMARC of lab.example.org", True),
        ("reverse name of mx.example.org", True),
        ("MX of lab.example.org", True),
    ]
    assert checks[3].explanation == "'v=DMARC1; p=reject; rua=mailto:dmarc@example.org' (of example.org)"


def test_where_there_is_nothing_each_record_is_said_as_it_is_to_be_written() -> None:
    checks = list(check_records(MAIL, make_lookup({})))

    assert [check.ok for check in checks] == [False] * 6
    full_text = "\n".join(check.explanation for check in checks)
    assert 'lab.example.org. TXT "v=spf1 include:… -all"' in full_text
    assert '"v=spf1 a:mx.example.org -all"' in full_text
    assert f's1._domainkey.example.org. TXT "{RSA.record}"' in full_text
    assert f's2._domainkey.example.org. TXT "{ED25519.record}"' in full_text
    assert '_dmarc.lab.example.org. TXT "v=DMARC1; p=none; rua=mailto:ops@example.org"' in full_text
    assert "DNS knows no address of mx.example.org" in full_text
    assert "lab.example.org. MX 10" in full_text


def test_the_records_of_the_guide_are_right_as_they_stand_there() -> None:
    guide = Path(__file__).parents[4] / "docs" / "howto" / "mail-that-arrives.md"
    table: dict[str, list[str]] = {}
    for name, kind, value in re.findall(
        r"^(\S+)\. +(TXT|PTR|A|MX) +(.+)$", guide.read_text("utf-8"), re.MULTILINE
    ):
        table.setdefault(f"{name} {kind}", []).append(value.strip('"').removesuffix("."))
    ours = "digest._domainkey.lab.example.org TXT"
    assert ours in table
    sending = replace(
        MAIL,
        servers=("mail.lab.example.org",),
        dkim="lab.example.org",
        keys=(replace(RSA, selector="digest"),),
    )

    checks = list(check_records(sending, make_lookup(table | {ours: [RSA.record]})))

    assert [check.ok for check in checks] == [True] * 5, checks


@pytest.mark.parametrize("server", ["127.0.0.1", "::1", "localhost"])
def test_a_server_without_a_name_is_not_what_others_are_to_look_for(server: str) -> None:
    explanation = next(iter(check_records(replace(MAIL, servers=(server,)), make_lookup({})))).explanation

    assert explanation.endswith(
        'if the mail is sent from your own server, with its address, "v=spf1 ip4:… -all"'
    )
    assert server not in explanation


def test_one_admitted_server_does_not_stand_for_another_that_spf_leaves_out() -> None:
    ok, words = said(
        replace(MAIL, servers=("mx.example.org", "other.example.org")),
        **{"other.example.org A": ["198.51.100.9"]},
    )["SPF"]

    assert ok is None
    assert "does not name the addresses of other.example.org;" in words


@pytest.mark.parametrize(
    ("server", "term"),
    [
        ("9.9.9.9", "ip4:9.9.9.9"),
        ("[2620:fe::fe]", "ip6:2620:fe::fe"),
        ("mx.example.org", "a:mx.example.org"),
    ],
)
def test_a_server_is_named_in_spf_as_spf_reads_it(server: str, term: str) -> None:
    explanation = next(
        iter(check_records(replace(MAIL, servers=("10.0.0.5", server)), make_lookup({})))
    ).explanation

    assert f'"v=spf1 {term} -all"' in explanation
    address = resolve_addresses(server, make_lookup(RIGHT))[0]
    record = make_lookup(RIGHT | {"lab.example.org TXT": [f"v=spf1 {term} -all"]})
    assert read_spf("lab.example.org", [address], record).allowed_addresses == (address,)


def test_without_a_name_server_what_is_needed_is_said_and_nothing_is_said_to_be_right_or_wrong() -> None:
    def silent(_name: str, _kind: str) -> tuple[str, ...]:
        raise NoAnswerError("the name server of this machine does not answer")

    checks = list(check_records(MAIL, silent))

    assert all(
        check.ok is None and check.explanation.startswith("could not be looked up (the name server")
        for check in checks
    )
    assert f'Required: s1._domainkey.example.org. TXT "{RSA.record}"' in checks[1].explanation


@pytest.mark.parametrize(
    ("record", "text"),
    [
        ("v=DKIM1; k=rsa; p=", "its key was withdrawn"),
        (ED25519.record, "its key is not the one that digest signs with"),
        ("hello", "its key is not the one that digest signs with"),
    ],
    ids=["withdrawn", "another", "none"],  # a key is another in each process of a run
)
def test_a_dkim_record_with_another_key_is_told_with_the_right_one(record: str, text: str) -> None:
    ok, words = said(replace(MAIL, keys=(RSA,)), **{"s1._domainkey.example.org TXT": [record]})["DKIM"]

    assert (ok, text in words, RSA.record in words) == (False, True, True)


def test_a_short_key_works_and_is_told_of() -> None:
    sending = replace(MAIL, keys=(SHORT,))

    ok, words = said(sending, **{"s1._domainkey.example.org TXT": [SHORT.record]})["DKIM"]

    assert (ok, words) == (
        True,
        "our rsa key, 1024 bits; 2048 bits are recommended today, so create a longer one with another selector",
    )


def test_two_records_for_one_key_are_too_many() -> None:
    ok, words = said(replace(MAIL, keys=(RSA,)), **{"s1._domainkey.example.org TXT": [RSA.record, "x"]})[
        "DKIM"
    ]

    assert (ok, "there are 2 records" in words) == (False, True)


def test_who_does_not_sign_is_told_when_that_is_right() -> None:
    ok, words = said(replace(MAIL, dkim="", keys=()))["DKIM"]

    assert (ok, "fine if your provider signs them" in words) == (None, True)


@for_each_case(
    ("changes", "records", "text"),
    [
        (
            {"dkim": "other.example"},
            {},
            "but signatures of other.example do not authenticate mail from lab.example.org",
        ),
        ({}, {"_dmarc.lab.example.org TXT": ["v=DMARC1; p=none; adkim=s"]}, "adkim=s: they must be the same"),
        (
            {"dkim": "", "keys": (), "envelope": "bounces.example"},
            {},
            "SPF of bounces.example does not authenticate mail from lab.example.org",
        ),
        ({}, {"_dmarc.lab.example.org TXT": ["v=DMARC1; p=maybe"]}, "its p=maybe is not a policy"),
        ({}, {"_dmarc.lab.example.org TXT": ["v=DMARC1; p=none"] * 2}, "has 2 records"),
    ],
)
def test_what_dmarc_does_not_count_is_told(
    changes: dict[str, object], records: dict[str, list[str]], text: str
) -> None:
    ok, words = said(replace(MAIL, **changes), **records)["DMARC"]  # type: ignore[arg-type]

    assert not ok
    assert text in words


def test_bounces_may_go_elsewhere_where_mails_are_signed() -> None:
    ok, words = said(replace(MAIL, envelope="bounces.example"))["DMARC"]

    assert (ok, words.endswith("SPF of bounces.example does not count for it, but the signature does")) == (
        True,
        True,
    )


@pytest.mark.parametrize(
    ("sender", "signer"),
    [
        ("a.example.org", "b.example.org"),
        ("example.org", "mail.example.org"),
        ("x.y.example.org", "example.org"),
    ],
)
def test_domains_of_one_organisation_speak_for_each_other(sender: str, signer: str) -> None:
    assert said(replace(MAIL, sender=sender, dkim=signer))["DMARC"][0]


def test_two_who_share_only_a_registry_do_not() -> None:
    registry = {"_dmarc.example.org TXT": ["v=DMARC1; p=none; psd=y"]}

    assert not said(replace(MAIL, sender="a.example.org", dkim="b.example.org"), **registry)["DMARC"][0]
    assert said(replace(MAIL, sender="x.a.example.org", dkim="y.a.example.org"), **registry)["DMARC"][0]


def test_a_domain_speaks_for_those_below_it_also_without_a_record_of_its_own() -> None:
    only_below = {"_dmarc.example.org TXT": [], "_dmarc.lab.example.org TXT": ["v=DMARC1; p=none"]}

    assert said(replace(MAIL, sender="lab.example.org", dkim="example.org"), **only_below)["DMARC"][0]


def test_a_domain_below_that_answers_for_itself_speaks_for_none_above() -> None:
    apart = {"_dmarc.mail.example.org TXT": ["v=DMARC1; p=none; psd=n"]}

    assert not said(replace(MAIL, sender="example.org", dkim="mail.example.org"), **apart)["DMARC"][0]


@pytest.mark.parametrize(
    ("records", "text"),
    [
        ({"7.113.0.203.in-addr.arpa PTR": []}, "203.0.113.7 has none"),
        (
            {"7.113.0.203.in-addr.arpa PTR": ["host.isp.example"]},
            "is called host.isp.example, which does not point back",
        ),
    ],
)
def test_an_address_whose_name_does_not_lead_back_is_told(records: dict[str, list[str]], text: str) -> None:
    ok, words = said(MAIL, **records)["reverse"]

    assert (ok, text in words) == (False, True)


@for_each_case("server", ["127.0.0.1", "::1", "10.0.0.5", "[fd00::1]", "localhost", "mailserver"])
def test_what_cannot_be_seen_of_ones_own_network_is_not_known(server: str) -> None:
    ok, words = said(replace(MAIL, servers=(server,)))["reverse"]

    assert (ok, "is in your local network" in words) == (None, True)


@for_each_case(
    ("records", "ok", "text"),
    [
        ({"lab.example.org MX": ["0 "]}, False, "says that it accepts no mail"),
        ({"lab.example.org MX": []}, False, "no server accepts mail for lab.example.org"),
        (
            {"lab.example.org MX": [], "lab.example.org A": ["203.0.113.9"]},
            True,
            "goes to lab.example.org itself",
        ),
        ({"lab.example.org MX": ["10 gone.example.org"]}, False, "DNS knows no address of gone.example.org"),
    ],
)
def test_bounces_need_somebody_to_take_them(records: dict[str, list[str]], ok: bool, text: str) -> None:  # noqa: FBT001 - a table
    result, words = said(MAIL, **records)["MX"]

    assert (result, text in words) == (ok, True)


@for_each_case(
    ("domain", "example"),
    [
        ("example.org", True),
        ("mail.example.org", True),
        ("lab.test", True),
        ("lab.org", False),
        ("myexample.org", False),
    ],
)
def test_names_for_examples_are_known(domain: str, example: bool) -> None:  # noqa: FBT001 - a table
    assert is_example(domain) is example
