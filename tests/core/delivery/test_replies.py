"""What replies of real servers are taken for.

``GMAIL`` and the like say where a reply is documented; addresses and IPs in them are replaced.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.replies import Step, derive_receipt
from digest.model import Deferred, Fault, Receipt, Refused, Sent, Unknown
from tests.support.cases import for_each_case

GMAIL = "support.google.com/a/answer/3726730"
OUTLOOK = "learn.microsoft.com/exchange non-delivery reports; smtpfieldmanual.com; spamresource.com/2023/09"
YAHOO = "senders.yahooinc.com/smtp-error-codes; smtp.codes/yahoo"
ICLOUD = "smtp.codes/icloud"
GMX = "postmaster.gmx.net/en/error-messages; smtp.codes/unitedinternet"
GERMANS = "a hoster's list of T-Online, Web.de, AOL, Freenet, Lycos"
QQ = "smtp.codes/qq; service.mail.qq.com/help 20022"
NETEASE = "help.mail.163.com, codes of returned mail"
SES = "docs.aws.amazon.com/ses: SMTP response codes"
POSTFIX = "postfix.org: postconf(5), smtpd_recipient_restrictions; src/smtpd/smtpd_check.c"
EXIM = "exim.org: default configuration, chapter on ACLs; test/stderr"
QMAIL = "cr.yp.to/proto/hcmssc.html; qmail-remote"
RACKSPACE = "smtp.codes/rackspace"
MIMECAST = "mimecast support: SMTP error codes"
RFC = "RFC 5321, 4.2.3; RFC 7504; RFC 4954; RFC 6531"
SENDMAIL = "sendmail.org: cf/README, check_rcpt"

A, D, O = Fault.ADDRESS, Fault.DOMAIN, Fault.OURS  # noqa: E741 - O for ours
LATER, NEVER = Deferred, Refused
RCPT, MSG, DATA, MAIL = Step.RCPT, Step.MESSAGE, Step.DATA, Step.MAIL

REPLIES: list[tuple[str, Step, str, type[Deferred | Refused], Fault]] = [
    # --- the address is wrong or gone
    (GMAIL, RCPT, "550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces.", NEVER, A),
    (GMAIL, RCPT, "550 5.2.1 The email account that you tried to reach is disabled.", NEVER, A),
    (GMAIL, RCPT, "553 5.1.2 We weren't able to find the recipient domain. Please check for any spelling errors.", NEVER, A),
    (OUTLOOK, RCPT, "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup", NEVER, A),
    (OUTLOOK, RCPT, "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [ 2023-09-19T15:05:34.324Z 08DBB71928CA8F8E]", NEVER, A),
    (OUTLOOK, RCPT, "550 5.4.1 Recipient address rejected: Access denied. [ 2023-09-18T12:48:32.808Z 08DBB45899852BA7]", NEVER, A),
    (YAHOO, MSG, "554 delivery error: dd This user doesn't have a yahoo.com account (r@example.org) [0] - mta1234.mail.yahoo.com", NEVER, A),
    (YAHOO, MSG, "554 delivery error: dd Sorry your message to r@example.org cannot be delivered. This account has been disabled or discontinued [#102].", NEVER, A),
    (YAHOO, MSG, "554 30 Sorry, your message to r@example.org cannot be delivered. This mailbox is disabled (554.30).", NEVER, A),
    (ICLOUD, RCPT, "550 5.1.1 <r@example.org>: user does not exist", NEVER, A),
    (ICLOUD, RCPT, "550 5.1.1 <r@example.org>: inactive email address", NEVER, A),
    (GMX, RCPT, "550 <r@example.org>: Requested action not taken: mailbox unavailable For explanation visit https://postmaster.gmx.net/en/case?c=r0103&i=ip&v=192.0.2.1", NEVER, A),
    (GERMANS, RCPT, "550 5.1.1 user unknown", NEVER, A),
    (GERMANS, RCPT, "550 Unknown local part r in <r@example.org>", NEVER, A),
    (GERMANS, RCPT, "550 Benutzer nicht bekannt/User unknown", NEVER, A),
    (GERMANS, RCPT, "550 unrouteable address", NEVER, A),
    (GERMANS, RCPT, "550 MAILBOX NOT FOUND", NEVER, A),
    (GERMANS, RCPT, "550 5.2.0 No such mailbox", NEVER, A),
    (QQ, RCPT, "550 Mailbox not found. http://service.exmail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000728", NEVER, A),
    (QQ, RCPT, "501 Bad address syntax. http://service.exmail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000730", NEVER, A),
    (NETEASE, RCPT, "550 User not found: r@example.org", NEVER, A),
    (NETEASE, RCPT, "550 user is locked.", NEVER, A),
    (POSTFIX, RCPT, "550 5.1.1 <spam@example.org>: Recipient address rejected: User unknown in local recipient table", NEVER, A),
    (POSTFIX, RCPT, "550 5.1.1 <r@example.org>: Recipient address rejected: User unknown in virtual mailbox table", NEVER, A),
    (POSTFIX, RCPT, '550 5.1.1 <r@example.org>: Recipient address rejected: undeliverable address: unknown user: "r"', NEVER, A),
    (POSTFIX, RCPT, "501 5.1.3 Bad recipient address syntax", NEVER, A),
    (EXIM, RCPT, "550 Unrouteable address", NEVER, A),
    (EXIM, RCPT, "550 No such user here", NEVER, A),
    (EXIM, RCPT, "550 Unknown user", NEVER, A),
    (QMAIL, MSG, "554 Sorry, no mailbox here by that name. (#5.1.1)", NEVER, A),
    (SENDMAIL, RCPT, "550 5.1.1 <r@example.org>... User unknown", NEVER, A),
    (SENDMAIL, RCPT, "550 5.1.2 <r@example.org>... Host unknown (Name server: example.org: host not found)", NEVER, A),
    (RACKSPACE, RCPT, "550 5.1.1 <r@example.org>: Email address could not be found, or was misspelled (G8)", NEVER, A),
    (RFC, RCPT, "550 mailbox unavailable", NEVER, A),
    (RFC, RCPT, "551 User not local; please try <s@example.org>", NEVER, A),
    (RFC, RCPT, "553 Requested action not taken: mailbox name not allowed", NEVER, A),
    (RFC, RCPT, "556 5.1.10 Recipient address has null MX", NEVER, A),
    # --- the mailbox is full, or gets too much at the moment
    (GMAIL, RCPT, "452 4.2.2 The recipient's inbox is out of storage space. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaTemp", LATER, A),
    (GMAIL, RCPT, "552 5.2.2 The email account that you tried to reach is over quota and inactive.", LATER, A),
    (GMAIL, RCPT, "450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time.", LATER, A),
    (GMAIL, RCPT, "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.", LATER, A),
    (OUTLOOK, MSG, "554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded", LATER, A),
    (YAHOO, RCPT, "450 User is receiving mail too quickly", LATER, A),
    (YAHOO, RCPT, "552 1 Requested mail action aborted, mailbox not found or exceeded storage allocation", LATER, A),
    (ICLOUD, RCPT, "552 5.2.2 <r@example.org>: user is over quota", LATER, A),
    (GERMANS, RCPT, "550 Benutzer hat das Speichervolumen ueberschritten. / User has exhausted allowed storage space.", LATER, A),
    (GERMANS, RCPT, "550 Benutzer hat zuviele Mails auf dem Server. / User has too many messages on the server.", LATER, A),
    (QQ, RCPT, "550 Mailbox unavailable or access denied", LATER, A),
    (EXIM, RCPT, "552 mailbox is full", LATER, A),
    (POSTFIX, RCPT, "552 5.2.2 <r@example.org>: Recipient address rejected: Mailbox full", LATER, A),
    (RACKSPACE, RCPT, "450 4.2.1 <r@example.org>: Mailbox received too much email in a short period of time (G30)", LATER, A),
    (RFC, MSG, "552 Requested mail action aborted: exceeded storage allocation", LATER, A),
    # --- strangers are to come again
    (POSTFIX, RCPT, "450 4.2.0 <r@example.org>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/example.org.html", LATER, A),
    (EXIM, RCPT, "451 Temporary local problem - please try later", LATER, A),
    (SENDMAIL, RCPT, "451 4.7.1 Greylisting in action, please come back in 00:05:00", LATER, A),
    (MIMECAST, RCPT, "451 Internal resource temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451", LATER, A),
    (POSTFIX, RCPT, "450 4.1.1 <r@example.org>: Recipient address rejected: unverified address: Address verification in progress", LATER, A),
    (RFC, RCPT, "450 Requested mail action not taken: mailbox unavailable", LATER, A),
    (RFC, RCPT, "451 Requested action aborted: local error in processing", LATER, A),
    # --- the domain wants less
    (OUTLOOK, RCPT, "451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (AS77712344)", LATER, D),
    (OUTLOOK, RCPT, "451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation. (S844)", LATER, D),
    (ICLOUD, RCPT, "451 4.7.1 Service unavailable - try again later", LATER, D),
    (GMX, RCPT, "450 Reject due to policy violations. Rate limit reached. Please try again later", LATER, D),
    (QQ, MSG, "550 Domain frequency limited. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000724", LATER, D),
    (QQ, MSG, "550 Ip frequency limited. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000725", LATER, D),
    (RACKSPACE, RCPT, "451 4.7.1 Received too many messages from a new or untrusted IP (G28)", LATER, D),
    (RACKSPACE, RCPT, "450 4.4.1 <r@example.org>: The recipient's server was temporarily unavailable to accept your message (G6)", LATER, D),
    # --- our server, our login, our limits there
    (GMAIL, RCPT, "421 4.7.0 Our system has detected an unusual rate of unsolicited mail originating from your IP address.", LATER, O),
    (GMAIL, MSG, "451 4.3.0 Mail server temporarily rejected message.", LATER, O),
    (GMAIL, RCPT, "454 4.7.0 Too many login attempts, please try again later.", LATER, O),
    (GMAIL, MAIL, "530 5.7.0 Must issue a STARTTLS command first.", LATER, O),
    (GMAIL, MSG, "550 5.4.5 Daily user sending limit exceeded.", LATER, O),
    (GMAIL, RCPT, "450 4.2.1 Peak SMTP relay limit exceeded for this customer.", LATER, O),
    (YAHOO, RCPT, "421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1", LATER, O),
    (YAHOO, RCPT, "451 4.3.2 Internal server error", LATER, O),
    (SES, MSG, "454 Throttling failure: Maximum sending rate exceeded", LATER, O),
    (SES, MAIL, "535 Authentication Credentials Invalid", LATER, O),
    (SES, MSG, "451 Timeout waiting for data from client", LATER, O),
    (POSTFIX, RCPT, "454 4.7.1 <r@example.org>: Relay access denied", LATER, O),
    (POSTFIX, RCPT, "452 4.3.1 Insufficient system storage", LATER, O),
    (POSTFIX, RCPT, "451 4.3.5 Server configuration error", LATER, O),
    (POSTFIX, RCPT, "450 4.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]", LATER, O),
    (POSTFIX, RCPT, "450 4.1.8 <digest@example.net>: Sender address rejected: Domain not found", LATER, O),
    (POSTFIX, MAIL, "553 5.7.1 <digest@example.net>: Sender address rejected: not owned by user me", LATER, O),
    (POSTFIX, MAIL, "450 4.7.1 Error: too much mail from 192.0.2.1", LATER, O),
    (EXIM, MAIL, "550 Administrative prohibition", LATER, O),
    (EXIM, MAIL, "452 space shortage, please try later", LATER, O),
    (RFC, RCPT, "452 Requested action not taken: insufficient system storage", LATER, O),
    (RFC, DATA, "250 what?", LATER, O),
    # --- our message, our name, our authentication
    (GMAIL, MSG, "550 5.7.1 [192.0.2.1] Our system has detected that this message is likely unsolicited mail.", NEVER, O),
    (GMAIL, MSG, "550 5.7.26 This mail has been blocked because the sender is unauthenticated.", NEVER, O),
    (GMAIL, MAIL, "552 5.3.4 Your message exceeded Google's message size limits.", NEVER, O),
    (GMAIL, MSG, "552 5.7.0 This message was blocked because its content presents a potential security issue.", NEVER, O),
    (GMAIL, MSG, "550 5.7.1 This message violates example.com email policy. - gcdp", NEVER, O),
    (OUTLOOK, MSG, "550 5.7.515 Access denied, sending domain EXAMPLE.NET does not meet the required authentication level.", NEVER, O),
    (OUTLOOK, RCPT, "550 5.7.606 Access denied, banned sending IP [192.0.2.1].", NEVER, O),
    (OUTLOOK, RCPT, "550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus.", NEVER, O),
    (OUTLOOK, RCPT, "550 SC-001 (COL004-MC1F1) Unfortunately, messages from 192.0.2.1 weren't sent. Part of their network is on our block list.", NEVER, O),
    (YAHOO, RCPT, "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in Spamhaus's list", NEVER, O),
    (YAHOO, MSG, "554 5.7.9 Message not accepted for policy reasons.", NEVER, O),
    (ICLOUD, MSG, "550 5.7.1 [CS01] Message rejected due to local policy.", NEVER, O),
    (ICLOUD, MSG, "550 5.7.1 Your message was rejected due to example.net's DMARC policy.", NEVER, O),
    (ICLOUD, MSG, "550 5.7.1 Your email was rejected due to having a domain present in the Spamhaus DBL", NEVER, O),
    (GMX, RCPT, "554 gmx.net (mxgmx104) Nemesis ESMTP Service not available No SMTP service IP address is block listed.", NEVER, O),
    (GMX, RCPT, "550 <digest@example.net>: Reject due to SPF policy. The originating IP of the message is not permitted by the domain owner", NEVER, O),
    (GERMANS, MSG, "550 5.7.1 Requested action not taken: message refused", NEVER, O),
    (GERMANS, MSG, "552 Error: message too large", NEVER, O),
    (QQ, MSG, "550 Mail content denied. http://service.exmail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000726", NEVER, O),
    (QQ, MSG, "550 Suspected spam sender.", NEVER, O),
    (QQ, MSG, "550 DMARC check failed", NEVER, O),
    (NETEASE, MSG, "552 message rejected by anti-spam engine.", NEVER, O),
    (NETEASE, MSG, "554 DT:SPM 163 smtp10,DsCowABnZ0,please see http://mail.163.com/help/help_spam_16.htm", NEVER, O),
    (NETEASE, RCPT, "550 black ip.", NEVER, O),
    (SES, MSG, "554 Message rejected: Email address is not verified. The following identities failed the check", NEVER, O),
    (POSTFIX, RCPT, "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using ix.dnsbl.manitu.net", NEVER, O),
    (POSTFIX, RCPT, "554 5.7.1 <r@example.org>: Relay access denied", NEVER, O),
    (POSTFIX, RCPT, "554 5.7.1 <r@example.org>: Recipient address rejected: Access denied", NEVER, O),
    (POSTFIX, DATA, "554 5.5.1 Error: no valid recipients", NEVER, O),
    (POSTFIX, MAIL, "555 5.5.4 Unsupported option: BODY=8BITMIME", NEVER, O),
    (POSTFIX, RCPT, "553 5.6.7 Must declare SMTPUTF8 to send unicode address", NEVER, O),
    (EXIM, RCPT, "550 relay not permitted", NEVER, O),
    (EXIM, RCPT, "550 Sender verify failed", NEVER, O),
    (EXIM, MSG, "550 This message scored 12.3 spam points.", NEVER, O),
    (MIMECAST, RCPT, "550 Rejected by header based manually Blocked Senders", NEVER, O),
    (SENDMAIL, RCPT, "550 5.7.1 <r@example.org>... Relaying denied. IP name lookup failed [192.0.2.1]", NEVER, O),
    (RFC, MSG, "554 Transaction failed", NEVER, O),
    (RFC, RCPT, "503 Bad sequence of commands", NEVER, O),
]  # fmt: skip


@for_each_case(("step", "reply", "kind", "blame"), [entry[1:] for entry in REPLIES])
def test_what_a_documented_reply_is_taken_for(
    step: Step, reply: str, kind: type[Deferred | Refused], blame: Fault
) -> None:
    code, _, text = reply.partition(" ")

    assert derive_receipt(step, int(code), text) == kind(answer=reply, fault=blame)


def test_the_documented_replies_are_many() -> None:
    assert len({reply for _, _, reply, _, _ in REPLIES}) == len(REPLIES) > 100


@for_each_case(
    ("code", "receipt"),
    [
        (250, Sent(answer="250 kept")),
        (251, Sent(answer="251 kept")),
        (354, Unknown(answer="354 kept")),
        (450, Deferred(answer="450 kept")),
        (554, Refused(answer="554 kept", fault=Fault.OURS)),
    ],
)
def test_only_a_yes_to_the_message_is_sent(code: int, receipt: Receipt) -> None:
    assert derive_receipt(Step.MESSAGE, code, "kept") == receipt


@for_each_case("address", ["spam@example.org", "ip.address@dmarc.example", "blocked@relay.example"])
@for_each_case("written", ["<{}>: ", "{} ", "<{}>... "])
def test_the_name_of_an_address_says_nothing(address: str, written: str) -> None:
    text = written.format(address) + "User unknown"

    assert derive_receipt(RCPT, 550, text) == Refused(answer=f"550 {text}", fault=A)


OURS = st.sampled_from(
    ["spam", "DMARC policy", "listed at Spamhaus", "your IP address", "poor reputation", "SPF check failed"]
)
texts = st.text(st.characters(codec="utf-8"), max_size=80)
enhanced = st.sampled_from(["", "5.1.1 ", "5.2.1 ", "5.0.0 ", "5.4.4 ", "5.7.1 ", "4.2.2 ", "5.5.0 "])


@given(st.sampled_from([RCPT, DATA, MSG]), st.integers(500, 599), enhanced, OURS)
def test_no_reader_is_refused_for_our_reputation(step: Step, code: int, status: str, said: str) -> None:
    receipt = derive_receipt(step, code, f"{status}user unknown or {said}")

    assert not (isinstance(receipt, Refused) and receipt.fault is A)


@given(st.sampled_from(list(Step)), st.integers(0, 999), texts)
def test_any_reply_gets_a_receipt(step: Step, code: int, text: str) -> None:
    receipt = derive_receipt(step, code, text)

    assert isinstance(receipt, Sent) == (step is MSG and 200 <= code < 300)
    assert isinstance(receipt, Unknown) == (step is MSG and (code < 200 or 300 <= code < 400))
    assert not (isinstance(receipt, Refused) and not 500 <= code < 600)
    assert receipt.answer.startswith(str(code))


@given(st.integers(400, 599), texts)
def test_a_no_to_the_sender_blames_no_reader(code: int, text: str) -> None:
    receipt = derive_receipt(MAIL, code, text)

    assert isinstance(receipt, Deferred | Refused)
    assert receipt.fault is O or isinstance(receipt, Deferred)
