"""Who posts bounces to our site is believed only if he is who he says; then they count as from any other road."""

from __future__ import annotations

import base64
import json
import re
import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

from digest.app import open_app
from digest.core.delivery.bounces.return_path import ReturnPath
from digest.demo.publisher import Publisher
from digest.errors import ReportError, TransientReportError
from digest.model import Delivery, Sent
from digest.store.delivery import outbox, receipts, reports, suppressions
from digest.web import forms, hooks
from digest.web.accounts.transfer.uploads import MAX_UPLOAD_BYTES
from digest.web.documents import MAX_FETCHES, fetch_document, make_status_error
from digest.web.server import listen, serve_site
from digest.web.site import make_site
from tests.support.cases import for_each_case
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace
from tests.web.conftest import ME, THURSDAY, YOU, Site, get_morning, send_raw

TOPIC = "arn:aws:sns:eu-west-1:123456789012:bounces"
CERTIFICATE = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123.pem"
CONFIRM = f"https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn={TOPIC}&Token=0123"
LOGIN = ("hook", "a-long-password")
BOUNCES = f"""
[bounces]
address = "bounces@example.org"

[[bounces.provider]]
use = "ses"
topic = "{TOPIC}"

[[bounces.provider]]
use = "postmark"
username = "{LOGIN[0]}"
password = "{LOGIN[1]}"
"""
NOW = get_morning(THURSDAY).astimezone(UTC)


@dataclass
class Amazon:
    """Signs as SNS does, with a key of the test's own.

    Attributes:
        documents: what is to be had at which address.
        fetched: what was asked for.
        is_down: nobody answers.
    """

    key: rsa.RSAPrivateKey
    documents: dict[str, bytes] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)
    is_down: bool = False

    def fetch(self, url: str) -> bytes:
        self.fetched.append(url)
        if self.is_down:
            raise TransientReportError(f"{url} cannot be fetched: Name or service not known")
        if url not in self.documents:
            raise ReportError(f"{url} cannot be had")
        return self.documents[url]

    def message(self, inner: Any = None, *, version: str = "2", **changed: str) -> dict[str, str]:
        """A signed message; what is given as ``after_…`` is changed when it is signed already."""
        fields = {
            "Type": "Notification",
            "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
            "TopicArn": TOPIC,
            "Message": json.dumps(inner or {}),
            "Timestamp": f"{NOW:%Y-%m-%dT%H:%M:%S}.123Z",
            "SignatureVersion": version,
            "SigningCertURL": CERTIFICATE,
        } | {name: text for name, text in changed.items() if not name.startswith("after_")}
        keys = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
        text = "".join(f"{key}\n{fields[key]}\n" for key in keys if key in fields)
        method: hashes.HashAlgorithm = hashes.SHA1() if version == "1" else hashes.SHA256()
        signature = self.key.sign(text.encode(), padding.PKCS1v15(), method)
        fields["Signature"] = base64.b64encode(signature).decode()
        return fields | {
            name.removeprefix("after_"): text for name, text in changed.items() if name.startswith("after_")
        }


def certificate(key: rsa.RSAPrivateKey, begins: datetime, ends: datetime) -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sns.amazonaws.com")])
    certificate_builder = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), begins, ends
    )
    return certificate_builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


@pytest.fixture(scope="module")
def keys() -> tuple[rsa.RSAPrivateKey, rsa.RSAPrivateKey]:
    """Amazon's, and somebody's else."""
    return rsa.generate_private_key(65537, 2048), rsa.generate_private_key(65537, 2048)


@pytest.fixture
def amazon(keys: tuple[rsa.RSAPrivateKey, rsa.RSAPrivateKey]) -> Amazon:
    own, other = keys
    year = timedelta(days=300)
    documents = {
        CERTIFICATE: certificate(own, NOW - year, NOW + year),
        CERTIFICATE.replace("0123", "old"): certificate(own, NOW - 2 * year, NOW - year),
        CERTIFICATE.replace("0123", "nonsense"): b"no certificate",
        "https://sns.eu-west-1.amazonaws.com.example.net/x.pem": certificate(other, NOW - year, NOW + year),
        CONFIRM: b"<ConfirmSubscriptionResponse/>",
    }
    return Amazon(own, documents)


@pytest.fixture
def site(workspace: Workspace, source: Publisher, amazon: Amazon) -> Iterator[Site]:
    """A site that is told by both providers; the mails of its editions were sent."""
    path = workspace.folder / "digest.toml"
    path.write_text(path.read_text("utf-8") + BOUNCES, encoding="utf-8")
    with ExitStack() as stack:
        app = stack.enter_context(open_app(path, None, {}))
        assert app.pages is not None
        with app.store.begin_write() as tx:
            deliveries = outbox.claim_deliveries(tx, "smtp", 1, app.clock(), 10)
            receipts.record_receipts(
                tx, [(delivery, Sent(answer="250 ok")) for delivery in deliveries], app.clock()
            )
        door = stack.enter_context(listen("127.0.0.1:0"))
        messages: list[str] = []
        stack.enter_context(serve_site(door, make_site(app, app.pages, messages.append, amazon.fetch)))
        yield Site(app, f"http://127.0.0.1:{door.getsockname()[1]}", workspace, source, messages)


def sent_to(site: Site, address: str = ME) -> Delivery:
    with site.app.store.begin_read() as tx:
        return next(delivery for delivery in outbox.list_recent(tx, limit=9) if delivery.address == address)


def path_of(site: Site) -> ReturnPath:
    assert site.app.return_path is not None
    return site.app.return_path


def bounce(site: Site, address: str = ME, **changed: Any) -> dict[str, Any]:
    """As SES tells of one."""
    recipient = {
        "emailAddress": address,
        "action": "failed",
        "status": "5.1.1",
        "diagnosticCode": "smtp; 550 5.1.1 user unknown",
    }
    fields = {
        "bounceType": "Permanent",
        "bounceSubType": "General",
        "timestamp": f"{NOW:%Y-%m-%dT%H:%M:%S}.000Z",
        "bouncedRecipients": [recipient | changed.pop("recipient", {})],
    }
    mail = {"source": path_of(site).make_address(sent_to(site, address).id), "destination": [address]}
    return {"notificationType": "Bounce", "bounce": fields | changed, "mail": mail}


def complaint(site: Site, address: str = ME, **changed: Any) -> dict[str, Any]:
    mail = {"source": path_of(site).make_address(sent_to(site, address).id), "destination": [address]}
    fields = {"complainedRecipients": [{"emailAddress": address}]} | changed
    return {"notificationType": "Complaint", "complaint": fields, "mail": mail}


def post(site: Site, document: Any, name: str = "ses", **more: Any) -> httpx.Response:
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    return site.post(f"/bounces/{name}", content=content, headers={"content-type": "text/plain"}, **more)


def suppressed(site: Site) -> list[str]:
    with site.app.store.begin_read() as tx:
        return [suppression.mailbox for suppression in suppressions.list_suppressions(tx)]


def counted(site: Site) -> int:
    with site.app.store.begin_read() as tx:
        return len(reports.list_recent(tx, limit=99))


# --- Amazon SES -----------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["1", "2"])
def test_a_signed_bounce_counts(site: Site, amazon: Amazon, version: str) -> None:
    answer = post(site, amazon.message(bounce(site), version=version))

    assert answer.status_code == 200
    assert suppressed(site) == [ME]
    (operator_messages,) = site.operator_messages
    assert re.match(r"Delivery \d+: there is no such address \(5\.1\.1\)\. ", operator_messages)
    assert ME not in operator_messages


def test_a_signed_complaint_unsubscribes_from_everything(site: Site, amazon: Amazon) -> None:
    assert post(site, amazon.message(complaint(site))).status_code == 200

    assert site.list_destinations() == {("systems", YOU)}


def test_what_is_told_again_counts_once(site: Site, amazon: Amazon) -> None:
    message = amazon.message(bounce(site))

    assert [post(site, message).status_code for _ in range(3)] == [200] * 3
    assert counted(site) == 1


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"after_Message": '{"notificationType": "Bounce"}'}, id="changed when signed"),
        pytest.param({"after_Signature": "AAAA"}, id="another signature"),
        pytest.param({"after_Signature": "not base 64!"}, id="no signature"),
        pytest.param({"after_SignatureVersion": "1"}, id="signed by another version"),
        pytest.param({"version": "3"}, id="a version that is not known"),
        pytest.param({"TopicArn": TOPIC.replace("bounces", "other")}, id="another topic"),
        pytest.param({"TopicArn": TOPIC.replace("123456789012", "999999999999")}, id="another account"),
        pytest.param({"Timestamp": f"{NOW - timedelta(days=3):%Y-%m-%dT%H:%M:%SZ}"}, id="of long ago"),
        pytest.param({"Timestamp": f"{NOW + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"}, id="of tomorrow"),
        pytest.param({"Timestamp": "soon"}, id="of no time"),
        pytest.param({"Type": "Other"}, id="another type"),
        pytest.param({"SigningCertURL": CERTIFICATE.replace("0123", "old")}, id="a certificate that is over"),
        pytest.param({"SigningCertURL": CERTIFICATE.replace("0123", "nonsense")}, id="no certificate"),
        pytest.param({"SigningCertURL": CERTIFICATE.replace("0123", "none")}, id="nothing there"),
    ],
)
def test_what_is_not_signed_as_it_should_be_changes_nothing(
    site: Site, amazon: Amazon, changed: dict[str, str]
) -> None:
    answer = post(site, amazon.message(bounce(site), **changed))

    assert (answer.status_code, answer.content) == (403, b"")
    assert (suppressed(site), counted(site)) == ([], 0)
    assert len(site.operator_messages) == 1


@for_each_case(
    "url",
    [
        "https://sns.eu-west-1.amazonaws.com.example.net/x.pem",
        "https://sns.eu-west-1.amazonaws.com@example.net/x.pem",
        "https://example.net/sns.eu-west-1.amazonaws.com/x.pem",
        "https://sns.us-east-1.amazonaws.com/x.pem",
        "https://bucket.s3.amazonaws.com/x.pem",
        "https://sns.eu-west-1.amazonaws.com:8443/x.pem",
        "http://sns.eu-west-1.amazonaws.com/x.pem",
        "https://sns.eu-west-1.amazonaws.com/x.html",
        "https://sns.eu-west-1.amazonaws.com/x.pem?again=1.pem",
        "https://sns.eu-west-1.amazonaws.com/x.pem#1.pem",
        "https://sns.eu-west-1.amazonaws.com/a/../x.pem",
        "https://sns.eu-west-1.amazonaws.com/",
        "https://[sns",
        "file:///etc/ssl/x.pem",
        "",
    ],
)
def test_a_certificate_from_elsewhere_is_not_even_asked_for(site: Site, amazon: Amazon, url: str) -> None:
    assert post(site, amazon.message(bounce(site), SigningCertURL=url)).status_code == 403

    assert amazon.fetched == []
    assert suppressed(site) == []


@for_each_case(
    "changed",
    [
        {"SignatureVersion": "3"},
        {"after_Signature": "no base64"},
        {"after_Signature": ""},
        {"after_Signature": "QUJD"},
    ],
)
def test_nothing_is_fetched_for_what_cannot_be_signed(
    site: Site, amazon: Amazon, changed: dict[str, str]
) -> None:
    assert post(site, amazon.message(bounce(site), **changed)).status_code == 403
    assert amazon.fetched == []


def test_a_stranger_cannot_make_us_fetch_certificates_without_bound(site: Site, amazon: Amazon) -> None:
    response = post(site, amazon.message(bounce(site, YOU)))
    names = [CERTIFICATE.replace("0123", f"made-up-{number}") for number in range(3 * MAX_FETCHES)]
    answers = [
        post(site, amazon.message(bounce(site), SigningCertURL=name)).status_code for name in names * 2
    ]

    assert len(amazon.fetched) == MAX_FETCHES
    assert set(answers) == {403, 503}
    assert response.status_code == 200
    assert post(site, amazon.message(bounce(site))).status_code == 200, (
        "a certificate that is known is not fetched"
    )
    assert suppressed(site) == [ME, YOU]


def test_somebody_elses_key_signs_nothing(
    site: Site, amazon: Amazon, keys: tuple[rsa.RSAPrivateKey, rsa.RSAPrivateKey]
) -> None:
    stranger = Amazon(keys[1], amazon.documents)

    assert post(site, stranger.message(bounce(site))).status_code == 403
    assert suppressed(site) == []


def test_a_report_is_asked_for_again_where_its_certificate_cannot_be_had_now(
    site: Site, amazon: Amazon
) -> None:
    message = amazon.message(bounce(site))
    amazon.is_down = True
    answers = [post(site, message) for _ in range(2)]

    assert [response.status_code for response in answers] == [503, 503]
    assert answers[0].headers["retry-after"] == "60"
    assert (suppressed(site), counted(site)) == ([], 0)
    (operator_messages,) = site.operator_messages
    assert "could not be checked; the sender is asked to repeat it: " in operator_messages

    amazon.is_down = False
    assert post(site, message).status_code == 200
    assert suppressed(site) == [ME]


def test_a_subscription_to_our_topic_is_confirmed(site: Site, amazon: Amazon) -> None:
    wish = {"Type": "SubscriptionConfirmation", "Token": "0123", "SubscribeURL": CONFIRM}

    assert post(site, amazon.message(**wish)).status_code == 200
    assert amazon.fetched == [CERTIFICATE, CONFIRM]


@pytest.mark.parametrize(
    "url",
    [
        CONFIRM.replace("eu-west-1.amazonaws.com", "eu-west-1.example.net"),
        CONFIRM.replace("ConfirmSubscription", "DeleteTopic"),
        CONFIRM.replace(":bounces", ":other"),
        "http://127.0.0.1:9/",
    ],
)
def test_no_other_address_is_visited_although_it_is_signed(site: Site, amazon: Amazon, url: str) -> None:
    wish = {"Type": "SubscriptionConfirmation", "Token": "0123", "SubscribeURL": url}

    assert post(site, amazon.message(**wish)).status_code == 403
    assert amazon.fetched == [CERTIFICATE]


def test_that_a_subscription_was_ended_is_told(site: Site, amazon: Amazon) -> None:
    wish = {"Type": "UnsubscribeConfirmation", "Token": "0123", "SubscribeURL": CONFIRM}

    post(site, amazon.message(**wish))

    assert "has ended" in site.operator_messages[0]
    assert amazon.fetched == [CERTIFICATE]


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({"recipient": {"status": "5.7.1", "diagnosticCode": "smtp; 550 5.7.1 spam"}}, "ours"),
        ({"recipient": {"status": "4.2.2", "diagnosticCode": "smtp; 452 4.2.2 full"}}, "soft"),
        ({"bounceType": "Transient"}, "soft"),  # whatever the server said: Amazon tries again
        ({"bounceSubType": "OnAccountSuppressionList"}, "closed"),
        ({"bounceSubType": "NoEmail", "recipient": {"status": "", "diagnosticCode": ""}}, "gone"),
        ({"recipient": {"status": "", "diagnosticCode": ""}}, "closed"),
        (
            {"bounceType": "Transient", "bounceSubType": "ContentRejected"}
            | {"recipient": {"status": "", "diagnosticCode": ""}},
            "ours",
        ),
        ({"bounceType": "Undetermined", "recipient": {"status": "", "diagnosticCode": ""}}, "soft"),
    ],
)
def test_a_bounce_of_ses_is_judged_as_any_other(
    site: Site, amazon: Amazon, changed: dict[str, Any], finding: str
) -> None:
    post(site, amazon.message(bounce(site, **changed)))

    with site.app.store.begin_read() as tx:
        assert [report.finding.value for report in reports.list_recent(tx, limit=9)] == [finding]
    assert (suppressed(site) != []) == (finding == "gone")


@for_each_case(
    "quiet",
    [
        {"notificationType": "Delivery", "delivery": {}, "mail": {}},
        {"eventType": "DeliveryDelay", "mail": {}},
        {"notificationType": "AmazonSnsSubscriptionSucceeded", "message": "…"},
        {"notificationType": "Bounce"},
        {"notificationType": "Bounce", "bounce": {"bouncedRecipients": ["?"]}},
        {"notificationType": ["Bounce"]},
    ],
)
def test_what_ses_says_besides_changes_nothing(site: Site, amazon: Amazon, quiet: dict[str, Any]) -> None:
    assert post(site, amazon.message(quiet)).status_code == 200
    assert counted(site) == 0


def test_an_automatic_answer_that_ses_calls_a_bounce_is_none(site: Site, amazon: Amazon) -> None:
    away = bounce(site, bounceType="Transient", recipient={"status": "", "diagnosticCode": ""})

    assert post(site, amazon.message(away)).status_code == 200
    assert counted(site) == 0


def test_a_complaint_that_is_none_unsubscribes_nobody(site: Site, amazon: Amazon) -> None:
    post(site, amazon.message(complaint(site, complaintFeedbackType="not-spam")))

    assert ("systems", ME) in site.list_destinations()


def test_what_ses_tells_of_other_mail_is_left(site: Site, amazon: Amazon) -> None:
    foreign = bounce(site)
    foreign["mail"]["source"] = "shop@example.org"

    assert post(site, amazon.message(foreign)).status_code == 200
    assert counted(site) == 0


# --- Postmark -------------------------------------------------------------------------------------


def postmark(**changed: Any) -> dict[str, Any]:
    fields = {
        "RecordType": "Bounce",
        "Type": "HardBounce",
        "TypeCode": 1,
        "Email": ME,
        "From": "digest@example.org",
        "Details": "smtp;550 5.1.1 The email account that you tried to reach does not exist",
        "BouncedAt": f"{NOW:%Y-%m-%dT%H:%M:%S}.9070259Z",
    }
    return fields | changed


def test_a_bounce_of_who_knows_the_password_counts(site: Site) -> None:
    assert post(site, postmark(), "postmark", auth=LOGIN).status_code == 200

    assert suppressed(site) == [ME]


@for_each_case(
    "auth", [None, ("hook", "another-password"), ("other", LOGIN[1]), ("", ""), ("hook", LOGIN[1] + "x")]
)
def test_nobody_else_is_listened_to(site: Site, auth: tuple[str, str] | None) -> None:
    assert post(site, postmark(), "postmark", auth=auth).status_code == 403
    assert counted(site) == 0


@for_each_case("header", ["Basic !!!", "Bearer x", "Basic", "", "basic " + "A" * 5000])
def test_a_broken_login_is_none(site: Site, header: str) -> None:
    answer = site.post("/bounces/postmark", content=b"{}", headers={"authorization": header})

    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({"Type": "SoftBounce", "Details": "smtp;452 4.2.2 full"}, "soft"),
        ({"Type": "SoftBounce", "Details": "smtp;550 5.1.1 unknown"}, "soft"),
        ({"Type": "DnsError", "Details": ""}, "soft"),
        ({"Type": "Blocked", "Details": "ISP block"}, "ours"),
        ({"Type": "SpamNotification"}, "ours"),
        ({"Type": "HardBounce", "Details": "smtp;550 5.7.1 spam"}, "ours"),
        ({"Type": "HardBounce", "Details": ""}, "closed"),
        ({"Type": "BadEmailAddress", "Details": ""}, "gone"),
        ({"RecordType": "SpamComplaint", "Type": "SpamComplaint"}, "complaint"),
        (
            {
                "RecordType": "SubscriptionChange",
                "Recipient": ME,
                "Origin": "Recipient",
                "SuppressSending": True,
                "SuppressionReason": "ManualSuppression",
            },
            "complaint",
        ),
    ],
)
def test_a_bounce_of_postmark_is_judged_as_any_other(
    site: Site, changed: dict[str, Any], finding: str
) -> None:
    post(site, postmark(**changed), "postmark", auth=LOGIN)

    with site.app.store.begin_read() as tx:
        assert [report.finding.value for report in reports.list_recent(tx, limit=9)] == [finding]


@for_each_case(
    "quiet",
    [
        {"RecordType": "Delivery"},
        {"Type": "AutoResponder"},
        {"Type": "Transient"},
        {"Type": "Something new"},
        {"Type": None},
        {"RecordType": "SubscriptionChange", "Origin": "Customer", "SuppressSending": True},
        {"From": "shop@example.org"},
        {"Email": "nobody@example.net"},
        {"Email": 7},
    ],
)
def test_what_postmark_says_besides_changes_nothing(site: Site, quiet: dict[str, Any]) -> None:
    assert post(site, postmark(**quiet), "postmark", auth=LOGIN).status_code == 200
    assert counted(site) == 0


# --- the route ------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [b"", b"no JSON", b"[]", b"7", b"\xff\xfe", b"[" * 100_000])
@pytest.mark.parametrize("name", ["ses", "postmark"])
def test_nonsense_is_refused_and_told_once(site: Site, name: str, body: bytes) -> None:
    answers = [post(site, body, name, auth=LOGIN).status_code for _ in range(3)]

    assert answers == [403] * 3
    assert len(site.operator_messages) == 1


def test_who_looks_learns_nothing_and_changes_nothing(site: Site) -> None:
    assert site.get("/bounces/ses").status_code == 405
    assert site.request("HEAD", "/bounces/ses").status_code == 405
    assert post(site, b"{}", "other").status_code == 404


def test_a_report_as_long_as_providers_make_them_is_taken(site: Site, amazon: Amazon) -> None:
    quoted = bounce(site) | {"padding": '"' * 125_000}
    message = amazon.message(quoted)
    assert 250_000 < len(message["Message"]) < 256 * 1024
    assert len(json.dumps(message)) > 500_000
    assert post(site, message).status_code == 200
    assert suppressed(site) == [ME]

    returned = postmark(
        Type="HardBounce", Details="smtp;550 5.1.1 unknown", Content='<td class="a">\r\n' * 12_000
    )
    assert (
        post(site, json.dumps(returned).replace("<", "\\u003C").encode(), "postmark", auth=LOGIN).status_code
        == 200
    )


def test_the_documented_web_server_lets_through_what_digest_takes() -> None:
    page = Path(__file__).parents[2] / "docs/howto/behind-a-web-server.md"
    (nginx,) = re.findall(r"```nginx\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    sizes = {"k": 1024, "m": 1024**2}
    matches = [
        int(size) * sizes[unit] for size, unit in re.findall(r"client_max_body_size (\d+)([km]);", nginx)
    ]
    full_document, below = nginx.split("location /bounces/ {")

    uploads = -(-MAX_UPLOAD_BYTES // 1024**2) * 1024**2
    assert matches == [forms.MAX_FORM_BYTES, uploads, hooks.MAX_POST_BYTES]
    assert (full_document.count("client_max_body_size"), below.count("client_max_body_size")) == (2, 1)
    assert (
        f"bodies of more than {forms.MAX_FORM_BYTES // 1024} KiB ({hooks.MAX_POST_BYTES // 1024**2} MiB below"
        in page.read_text("utf-8")
    )


def test_what_many_post_at_once_is_held_up_to_a_limit(site: Site) -> None:
    host, _, port = site.server_url.removeprefix("http://").rpartition(":")
    half = b"POST /bounces/ses HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n" + b"x" * 999_999
    answers = []
    with ExitStack() as stack:
        for _ in range(hooks.MAX_TOTAL_BYTES // 999_999 + 1):
            connection = stack.enter_context(socket.create_connection((host, int(port)), timeout=PATIENCE))
            connection.sendall(half)
            answers.append(connection)
        refused, _, _ = select.select(answers, [], [], PATIENCE)
        assert b" 503 " in refused[0].recv(4096).partition(b"\r\n")[0]
    while (status := post(site, b"{}").status_code) == 503:
        pass  # until the server has seen that they are gone
    assert status == 403


def test_more_than_anybody_has_to_say_is_not_read(site: Site) -> None:
    assert post(site, b"x" * (hooks.MAX_POST_BYTES + 1)).status_code == 413
    pieces = b"".join(b"186a0\r\n" + b"x" * 100_000 + b"\r\n" for _ in range(11))
    head = b"POST /bounces/ses HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"

    assert b" 413 " in send_raw(site, head + pieces + b"0\r\n\r\n").partition(b"\r\n")[0]


def test_a_document_is_asked_for_by_https_only() -> None:
    with pytest.raises(ReportError, match="not https"):
        fetch_document("http://127.0.0.1:9/x.pem")
    with pytest.raises(TransientReportError, match="cannot be fetched"):
        fetch_document("https://127.0.0.1:9/x.pem")


@for_each_case(
    ("status", "passes"),
    [(500, True), (503, True), (429, True), (408, True), (404, False), (403, False), (302, False)],
)
def test_what_is_not_given_now_may_be_given_later(status: int, passes: bool) -> None:  # noqa: FBT001 - a column of a table
    assert isinstance(make_status_error("https://example.org/x.pem", status), TransientReportError) is passes
