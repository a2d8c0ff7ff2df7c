"""Mails as they come back, put together after the formats that servers document; addresses, names and IPs are made up.

``POSTFIX`` and the like say where a format is documented.
"""

from __future__ import annotations

import json

from digest.model import BounceClass

GONE, CLOSED, SOFT, DOMAIN = BounceClass.GONE, BounceClass.CLOSED, BounceClass.SOFT, BounceClass.DOMAIN
OURS, COMPLAINT, NOTHING = BounceClass.OURS, BounceClass.COMPLAINT, BounceClass.NOTHING

READER = "reader@example.com"

RFC3464 = "RFC 3464, section 2 and appendix E"
POSTFIX = "postfix.org/bounce.5.html; postfix.org/DSN_README.html"
EXIM = "exim.org: specification, chapter 'Customizing bounce and warning messages' and 'bounce_return_linesize_limit'"
SENDMAIL = "sendmail.org: Installation and Operation Guide, 'MIME error messages'; RFC 1894"
QMAIL = "cr.yp.to/proto/qsbmf.txt; cr.yp.to/proto/hcmssc.html"
EXCHANGE = "learn.microsoft.com/exchange: non-delivery reports in Exchange Online"
GMAIL = "support.google.com/a/answer/3726730; RFC 3464"
SES = "docs.aws.amazon.com/ses: receiving notifications through email"
YAHOO = "senders.yahooinc.com/smtp-error-codes; senders.yahooinc.com/complaint-feedback-loop"
MIMECAST = "mimecast support: SMTP error codes, rejected and deferred messages"
BARRACUDA = "campus.barracuda.com: Email Security Gateway, bounce (NDR) settings"
PROOFPOINT = "help.proofpoint.com: Essentials, bounce messages"
IRONPORT = "cisco.com: AsyncOS user guide, bounce profiles"
DOMINO = "help.hcltechsw.com: Domino, delivery failure reports"
COURIER = "courier-mta.org: courier(8), dsn templates"
OPENSMTPD = "man.openbsd.org/smtpd: bounces"
ZIMBRA = "wiki.zimbra.com: mailbox quota, lmtp bounces"
ARF = "RFC 5965, appendix B; RFC 6590"
JMRP = "sendersupport.olc.protection.outlook.com: Junk Mail Reporting Program"
FBL = "fbl.validity.com: Universal Feedback Loop, report format"
AUTH = "RFC 6591, section 3"
ANSWERS = "RFC 3834, sections 3 and 5"
MDN = "RFC 8098, section 3"
NULL_MX = "RFC 7505, section 4; RFC 7504"
DMA = "man.freebsd.org/dma: bounces"
MDAEMON = "help.mdaemon.com: delivery error messages"
SNS = "docs.aws.amazon.com/ses: notification contents; docs.aws.amazon.com/sns: e-mail and e-mail-JSON"
APPLE = "support.apple.com: unsubscribe in Mail"
OLD = "a form of the 1990s and 2000s that gateways still send"

ORIGINAL = f"""\
Return-Path: <{{path}}>
Message-ID: <0123456789abcdef0123456789abcdef@digest.example.org>
List-Unsubscribe: <https://digest.example.org/unsubscribe/{{link}}>
From: Digest <digest@example.org>
To: <{READER}>
Subject: 12 June: 550 5.1.1 user unknown, and 12 more papers
"""


def make_dsn(
    status: str,
    diagnostic: str = "",
    *,
    action: str = "failed",
    to: str = READER,
    sender: str = "MAILER-DAEMON@mx.example.net (Mail Delivery System)",
    subject: str = "Undelivered Mail Returned to Sender",
    text: str = "I'm sorry to have to inform you that your message could not be delivered.",
    extra: str = "",
) -> str:
    """A delivery status notification of RFC 3464."""
    told = f"Diagnostic-Code: {diagnostic}\n" if diagnostic else ""
    return f"""\
Return-Path: <>
From: {sender}
To: {{path}}
Subject: {subject}
Date: Fri, 12 Jun 2026 05:31:00 +0000
Auto-Submitted: auto-replied
{extra}MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"

--=_b
Content-Type: text/plain; charset=us-ascii

{text}

--=_b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
Arrival-Date: Fri, 12 Jun 2026 05:30:00 +0000

Final-Recipient: rfc822; {to}
Action: {action}
Status: {status}
{told}
--=_b
Content-Type: text/rfc822-headers

{ORIGINAL}
--=_b--
"""


def make_text_bounce(
    text: str,
    *,
    sender: str = "MAILER-DAEMON@mx.example.net",
    subject: str = "failure notice",
    extra: str = "",
    kind: str = "text/plain; charset=utf-8",
    returns_to: str = "<>",
) -> str:
    """A mail that came back with nothing but words."""
    return f"""\
Return-Path: {returns_to}
From: {sender}
To: {{path}}
Subject: {subject}
{extra}Content-Type: {kind}

{text}
"""


def make_arf(
    kind: str, *, fields: str = "", original: str = ORIGINAL, sender: str = "feedback@example.net"
) -> str:
    """A report of RFC 5965."""
    return f"""\
From: <{sender}>
To: <abuse@example.org>
Subject: FW: 12 June
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="=_b"

--=_b
Content-Type: text/plain; charset=us-ascii

This is an email abuse report for a message received from IP 192.0.2.1.

--=_b
Content-Type: message/feedback-report

Feedback-Type: {kind}
User-Agent: SomeGenerator/1.0
Version: 1
{fields}
--=_b
Content-Type: message/rfc822

{original}
12 papers
--=_b--
"""


def make_qmail_bounce(reason: str) -> str:
    """A bounce of QSBMF."""
    return make_text_bounce(
        f"""\
Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{READER}>:
{reason}

--- Below this line is a copy of the message.

{ORIGINAL}
550 5.7.1 spam in a title of ours"""
    )


def make_exim_bounce(reason: str) -> str:
    """A bounce of Exim before it had delivery status."""
    return make_text_bounce(
        f"""\
This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  {READER}
    {reason}

------ This is a copy of the message, including all the headers. ------

{ORIGINAL}""",
        sender="Mail Delivery System <Mailer-Daemon@mx.example.net>",
        subject="Mail delivery failed: returning message to sender",
        extra=f"X-Failed-Recipients: {READER}\nAuto-Submitted: auto-replied\n",
    )


def make_opensmtpd_bounce(reason: str) -> str:
    """A bounce of OpenSMTPD, whose delivery status never says why."""
    return make_dsn(
        "5.0.0",
        sender="Mailer Daemon <MAILER-DAEMON@mx.example.net>",
        subject="Delivery status notification: failed",
        text=f"""\
    Hi!

    An error has occurred while attempting to deliver a message for
    the following list of recipients:

{READER}: {reason}

    Below is a copy of the original message:

someone@example.com: 550 5.1.1 User unknown""",
    )


def make_exchange_2003_bounce(reason: str) -> str:
    """What Exchange sent before it had delivery status; it quotes the header of our mail first."""
    return make_text_bounce(
        f"""\
Your message

  To:      {READER}
  Subject: 550 5.1.1 user unknown, and 12 more papers
  Sent:    Fri, 12 Jun 2026 05:31:00 +0000

did not reach the following recipient(s):

{READER} on Fri, 12 Jun 2026 05:31:02 +0000
    {reason}
""",
        sender="System Administrator <postmaster@example.net>",
        subject="Undeliverable: 12 June",
    )


def make_ses_mail(kind: str, fields: dict[str, object]) -> str:
    """A notification of SES that its topic passes on by mail."""
    told = {"notificationType": kind, kind.lower(): fields, "mail": {"source": "{path}"}}
    return f"""\
Return-Path: <0100@amazonses.com>
From: AWS Notifications <no-reply@sns.amazonaws.com>
To: {{path}}
Subject: AWS Notification Message
Content-Type: text/plain; charset=UTF-8

{json.dumps(told)}

--
If you wish to stop receiving notifications from this topic, visit the link below:
https://sns.eu-west-1.amazonaws.com/unsubscribe.html
"""


MAILS: list[tuple[str, str, BounceClass, str]] = [
    # --- there is no such address
    (POSTFIX, make_dsn("5.1.1", f"smtp; 550 5.1.1 <{READER}>: Recipient address rejected: User unknown in virtual mailbox table"), GONE, "5.1.1"),
    (POSTFIX, make_dsn("5.1.1", "x-unix; user unknown"), GONE, "5.1.1"),
    (SENDMAIL, make_dsn("5.1.1", "SMTP; 550 5.1.1 <reader@example.com>... User unknown", subject="Returned mail: see transcript for details"), GONE, "5.1.1"),
    (SENDMAIL, make_dsn("5.1.2", "", subject="Returned mail: Host unknown (Name server: example.com: host not found)"), GONE, "5.1.2"),
    (GMAIL, make_dsn("5.1.1", "smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try\n 550-5.1.1 double-checking the recipient's email address for typos or\n 550 5.1.1 unnecessary spaces. d2e1a72fcca58 - gsmtp", sender="Mail Delivery Subsystem <mailer-daemon@googlemail.com>", subject="Delivery Status Notification (Failure)", extra=f"X-Failed-Recipients: {READER}\n"), GONE, "5.1.1"),
    (EXCHANGE, make_dsn("5.1.10", "smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup", sender="Microsoft Outlook <postmaster@example.onmicrosoft.com>", subject="Undeliverable: 12 June"), GONE, "5.1.10"),
    (EXCHANGE, make_dsn("5.1.1", "smtp;550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found", subject="Undeliverable: 12 June"), GONE, "5.1.1"),
    (SES, make_dsn("5.1.1", "smtp; 550 5.1.1 user unknown", sender="MAILER-DAEMON@amazonses.com", subject="Delivery Status Notification (Failure)"), GONE, "5.1.1"),
    (MIMECAST, make_dsn("5.1.1", "smtp; 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [abc.us123]"), GONE, "5.1.1"),
    (BARRACUDA, make_dsn("5.1.1", "smtp; 550 permanent failure for one or more recipients (reader@example.com:550 5.1.1 User unknown)", subject="**Message you sent blocked by our bulk email filter**"), GONE, "5.1.1"),
    (IRONPORT, make_dsn("5.1.0", "smtp;5.1.0 - Unknown address error 550-'5.1.1 User unknown' (delivery attempts: 0)"), GONE, "5.1.0"),
    (COURIER, make_dsn("5.0.0", "smtp; 550 User unknown."), GONE, "5.0.0"),
    (OPENSMTPD, make_dsn("5.0.0", "smtp; 550 5.1.1 Invalid recipient"), GONE, "5.1.1"),
    (DOMINO, make_dsn("5.1.1", f"X-Notes; User reader ({READER}) not listed in Domino Directory", subject="DELIVERY FAILURE: User reader not listed in Domino Directory"), GONE, "5.1.1"),
    (RFC3464, make_dsn("5.1.6 (moved)", ""), GONE, "5.1.6"),
    (QMAIL, make_qmail_bounce("Sorry, no mailbox here by that name. (#5.1.1)"), GONE, "5.1.1"),
    (QMAIL, make_qmail_bounce("192.0.2.7 does not like recipient.\nRemote host said: 550 5.1.1 No such user here\nGiving up on 192.0.2.7."), GONE, "5.1.1"),
    (EXIM, make_exim_bounce("SMTP error from remote mail server after RCPT TO:<reader@example.com>:\n    host mx.example.com [192.0.2.7]: 550 5.1.1 <reader@example.com>:\n    Recipient address rejected: User unknown"), GONE, "5.1.1"),
    (EXIM, make_exim_bounce("SMTP error from remote mail server after RCPT TO:<reader@example.com>:\n    host mx.example.com [192.0.2.7]: 550 No such user here"), GONE, ""),
    (OPENSMTPD, make_opensmtpd_bounce(f"550 5.1.1 <{READER}>: Recipient address rejected: User unknown"), GONE, "5.1.1"),
    (OPENSMTPD, make_opensmtpd_bounce("550 No such user here"), GONE, "5.0.0"),
    (OPENSMTPD, make_opensmtpd_bounce("550 5.1.1 no such user").replace("Action: failed", "Action: error"), GONE, "5.1.1"),
    (GMAIL, make_dsn("5.0.0", "", sender="Mail Delivery Subsystem <mailer-daemon@googlemail.com>", subject="Delivery Status Notification (Failure)", text=f"** Address not found **\n\nYour message wasn\u2019t delivered to {READER} because the address couldn\u2019t be found."), GONE, "5.0.0"),
    (POSTFIX, make_dsn("5.7.1", f"smtp; 550 5.7.1 <{READER}>: Recipient address rejected: User unknown"), GONE, "5.7.1"),
    (POSTFIX, make_dsn("5.1.1", f"smtp; 550 5.1.1 <{READER}>: Recipient address rejected: User unknown in relay recipient table"), GONE, "5.1.1"),
    (SENDMAIL, make_dsn("5.3.0", f"SMTP; 553 5.3.0 <{READER}>... Addressee unknown, relay=[192.0.2.9]"), GONE, "5.3.0"),
    (NULL_MX, make_dsn("5.1.10", "smtp; 556 5.1.10 Recipient address has null MX"), GONE, "5.1.10"),
    (EXIM, make_exim_bounce("SMTP error from remote mail server after RCPT TO:<reader@example.com>:\n    host mx.example.com [192.0.2.7]: 550 Benutzer nicht bekannt"), GONE, ""),
    (EXIM, make_exim_bounce("SMTP error from remote mail server after RCPT TO:<reader@example.com>:\n    host mx.example.com [192.0.2.7]: 550 5.7.1 \u7528\u6237\u4e0d\u5b58\u5728"), GONE, "5.7.1"),
    (OLD, make_exchange_2003_bounce("The recipient name is not recognized\n    MSEXCH:IMS:EXAMPLE:SITE:HOST 0 (000C05A6) Unknown Recipient"), GONE, ""),
    (OLD, make_text_bounce(f"The original message was received at Fri, 12 Jun 2026 05:31:00 +0000\n\n   ----- The following addresses had permanent fatal errors -----\n<{READER}>\n\n   ----- Transcript of session follows -----\n550 sorry, no mailbox here by that name (#5.1.1 - chkusr)", subject="Returned mail: User unknown"), GONE, ""),
    (OLD, make_text_bounce(f"Invalid final delivery userid: {READER}\nOriginal message follows.\n\nMailbox full", sender="Postmaster <postmaster@mx.example.net>", subject="Undeliverable Mail"), GONE, ""),
    (OLD, make_text_bounce(f"An error occurred while trying to deliver the mail to the following recipients:\n{READER}\n\nReporting-MTA: dns; mx.example.net\n\nAction: failed\nFinal-Recipient: rfc822; {READER}\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\nStatus: 5.1.1", subject="Delivery Status Notification (Failure)"), GONE, "5.1.1"),
    (OLD, make_text_bounce(f"****** Message from a messaging security suite ******\n\nSent <<< RCPT TO:<{READER}>\nReceived >>> 550 5.1.1 unknown user.\n\nUnable to deliver message to <{READER}>.", sender="imss@example.net", subject="Mail could not be delivered", returns_to="<imss@example.net>"), GONE, "5.1.1"),
    (MDAEMON, make_text_bounce(f"{READER} - no such user here.\n\nThere is no user by that name at this server.", sender="MDaemon@mx.example.net", subject=f"Warning: {READER} - User unknown!"), GONE, ""),
    (RFC3464, make_dsn("5.1.1", "smtp; 550 5.1.1 user unknown").replace('; boundary="=_b"', '; boundary="=_other"'), GONE, "5.1.1"),
    (SNS, make_ses_mail("Bounce", {"bounceType": "Permanent", "bouncedRecipients": [{"emailAddress": READER, "status": "5.1.1", "diagnosticCode": "smtp; 550 5.1.1 user unknown"}]}), GONE, "5.1.1"),
    # --- it takes no mail any more
    (GMAIL, make_dsn("5.1.0", "smtp; 550 #5.1.0 Address rejected."), CLOSED, "5.1.0"),
    (OPENSMTPD, make_opensmtpd_bounce("Domain does not exist"), CLOSED, "5.0.0"),
    (OPENSMTPD, make_opensmtpd_bounce("No MX found for domain"), CLOSED, "5.0.0"),
    (QMAIL, make_qmail_bounce("Sorry, I couldn't find a mail exchanger or IP address. (#5.4.4)"), CLOSED, "5.4.4"),
    (EXIM, make_exim_bounce("an MX or SRV record indicated no SMTP service"), CLOSED, ""),
    (DMA, make_text_bounce(f"This is the DragonFly Mail Agent v0.13 at mx.example.net.\n\nThere was an error delivering your mail to <{READER}>.\n\nDNS lookup failure: host example.com not found\n\nMessage headers follow.\n\nSubject: over quota", subject="Mail delivery failed"), CLOSED, ""),
    (SENDMAIL, make_text_bounce(f"   ----- Transcript of session follows -----\n550 example.com (smtp)... 550 Host unknown\n554 <{READER}>... 550 Host unknown (Authoritative answer from name server)\n\n   ----- Unsent message follows -----\nspam", subject="Returned mail: Host unknown"), CLOSED, ""),
    (NULL_MX, make_dsn("5.3.2", "smtp; 521 5.3.2 System not accepting network messages"), CLOSED, "5.3.2"),
    (COURIER, make_dsn("5.0.0", "x-unix; No such domain."), CLOSED, "5.0.0"),
    (DOMINO, make_text_bounce(f"{READER}\n\n\u5b9b\u5148\u304c\u898b\u3064\u304b\u308a\u307e\u305b\u3093", subject="=?utf-8?b?6YWN5L+h5LiN6IO9?="), GONE, ""),
    (GMAIL, make_dsn("5.2.1", "smtp; 550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.google.com/mail/?p=DisabledUser"), CLOSED, "5.2.1"),
    (EXCHANGE, make_dsn("5.4.1", "smtp;550 5.4.1 Recipient address rejected: Access denied. [AM1.prod.protection.outlook.com]"), CLOSED, "5.4.1"),
    (EXCHANGE, make_dsn("5.5.0", "smtp; 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)"), CLOSED, "5.5.0"),
    (YAHOO, make_dsn("5.0.0", "smtp; 554 30 Sorry, your message to reader@example.com cannot be delivered. This mailbox is disabled (554.30)."), CLOSED, "5.0.0"),
    (EXIM, make_exim_bounce("Unrouteable address"), CLOSED, ""),
    (RFC3464, make_dsn("5.2.0", "smtp; 550 5.2.0 mailbox unavailable"), CLOSED, "5.2.0"),
    # --- not now
    (POSTFIX, make_dsn("5.4.4", "X-Postfix; Host or domain name not found. Name service error for name=relay.example.org type=A: Host not found"), SOFT, "5.4.4"),
    (DMA, make_text_bounce(f"There was an error delivering your mail to <{READER}>.\n\nDNS lookup failure: host relay.example.org not found\n", subject="Mail delivery failed"), SOFT, ""),
    (QMAIL, make_qmail_bounce("552 sorry, mailbox reader@example.com is over quota temporarily (#5.1.1)"), SOFT, "5.1.1"),
    (OPENSMTPD, make_opensmtpd_bounce("552 5.2.2 Mailbox full"), SOFT, "5.2.2"),
    (POSTFIX, make_dsn("5.1.1", "x-unix; procmail: Couldn't create \"/var/mail/reader\" id: reader: No such user"), SOFT, "5.1.1"),
    (SENDMAIL, make_dsn("5.1.1", "smtp; 550 5.1.1 Refused due to recipient preferences"), SOFT, "5.1.1"),
    (RFC3464, make_dsn("5.0.0", ""), SOFT, "5.0.0"),
    (OLD, make_exchange_2003_bounce("The message could not be delivered"), SOFT, ""),
    (POSTFIX, make_dsn("4.4.1", "X-Postfix; connect to mx.example.com[192.0.2.7]:25: Connection timed out"), SOFT, "4.4.1"),
    (POSTFIX, make_dsn("4.4.3", "X-Postfix; Host or domain name not found. Name service error for name=example.com type=MX: Host not found, try again"), SOFT, "4.4.3"),
    (POSTFIX, make_dsn("5.4.4", "X-Postfix; Host or domain name not found. Name service error for name=example.com type=A: Host not found"), CLOSED, "5.4.4"),
    (POSTFIX, make_dsn("4.2.2", "smtp; 452 4.2.2 <reader@example.com>: Over quota"), SOFT, "4.2.2"),
    (POSTFIX, make_dsn("5.2.2", "x-unix; maildir delivery failed: disk quota exceeded"), SOFT, "5.2.2"),
    (ZIMBRA, make_dsn("5.2.2", "smtp; 552 5.2.2 Over quota"), SOFT, "5.2.2"),
    (POSTFIX, make_dsn("4.7.1", "smtp; 450 4.7.1 <reader@example.com>: Recipient address rejected: Greylisted, please try later"), SOFT, "4.7.1"),
    (GMAIL, make_dsn("4.2.2", "smtp; 452-4.2.2 The recipient's inbox is out of storage space. Please direct the\n 452 4.2.2 recipient to https://support.google.com/mail/?p=OverQuotaTemp"), SOFT, "4.2.2"),
    (EXCHANGE, make_dsn("5.2.2", "smtp;554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded"), SOFT, "5.2.2"),
    (EXCHANGE, make_dsn("4.4.7", "smtp;550 4.4.7 QUEUE.Expired; message expired"), SOFT, "4.4.7"),
    (EXCHANGE, make_dsn("5.4.316", "smtp;550 5.4.316 Message expired, connection refused(Socket error code 10061)"), SOFT, "5.4.316"),
    (SENDMAIL, make_dsn("4.4.7", "", subject="Returned mail: Cannot send message for 5 days"), SOFT, "4.4.7"),
    (YAHOO, make_dsn("4.2.2", "smtp; 452 4.2.2 mailbox full"), SOFT, "4.2.2"),
    (QMAIL, make_qmail_bounce("CNAME lookup failed temporarily. (#4.4.3)\nI'm not going to try again; this message has been in the queue too long."), SOFT, "4.4.3"),
    (QMAIL, make_qmail_bounce("Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)\nI'm not going to try again; this message has been in the queue too long."), SOFT, "4.4.1"),
    (EXIM, make_exim_bounce("SMTP error from remote mail server after RCPT TO:<reader@example.com>:\n    host mx.example.com [192.0.2.7]: 552 5.2.2 mailbox is full: retry timeout exceeded"), SOFT, "5.2.2"),
    (EXIM, make_exim_bounce("retry timeout exceeded"), SOFT, ""),
    (PROOFPOINT, make_text_bounce("Your message could not be delivered. Please contact your administrator.", subject="Undeliverable message returned to sender"), SOFT, ""),
    (RFC3464, make_dsn("4.0.0", ""), SOFT, "4.0.0"),
    # --- its server is in trouble, or wants less
    (MIMECAST, make_dsn("4.7.0", "smtp; 451 4.7.0 IP temporarily blacklisted - https://community.mimecast.com/docs/DOC-1369#451"), DOMAIN, "4.7.0"),
    (EXCHANGE, make_dsn("4.7.500", "smtp; 451 4.7.500 Server busy. Please try again later from [192.0.2.1]"), DOMAIN, "4.7.500"),
    (POSTFIX, make_dsn("5.3.0", "x-unix; internal software error"), DOMAIN, "5.3.0"),
    (RFC3464, make_dsn("5.3.2", "smtp; 554 5.3.2 system not accepting network messages"), DOMAIN, "5.3.2"),
    # --- it is our fault
    (GMAIL, make_dsn("5.7.26", "smtp; 550-5.7.26 This mail has been blocked because the sender is unauthenticated.\n 550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM."), OURS, "5.7.26"),
    (GMAIL, make_dsn("5.7.1", "smtp; 550-5.7.1 [192.0.2.1] Our system has detected that this message is likely unsolicited mail."), OURS, "5.7.1"),
    (EXCHANGE, make_dsn("5.7.515", "smtp; 550 5.7.515 Access denied, sending domain EXAMPLE.ORG does not meet the required authentication level."), OURS, "5.7.515"),
    (EXCHANGE, make_dsn("5.7.1", "smtp;550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy"), OURS, "5.7.1"),
    (YAHOO, make_dsn("5.7.9", "smtp; 554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes"), OURS, "5.7.9"),
    (BARRACUDA, make_dsn("5.7.1", "smtp; 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using Barracuda Reputation"), OURS, "5.7.1"),
    (MIMECAST, make_dsn("5.0.0", "smtp; 550 Rejected by header based manually Blocked Senders - https://community.mimecast.com/docs/DOC-1369#550"), OURS, "5.0.0"),
    (POSTFIX, make_dsn("5.3.4", "smtp; 552 5.3.4 Message size exceeds fixed limit"), OURS, "5.3.4"),
    (POSTFIX, make_dsn("5.7.1", f"smtp; 554 5.7.1 <{READER}>: Relay access denied"), OURS, "5.7.1"),
    (EXIM, make_exim_bounce("SMTP error from remote mail server after end of data:\n    host mx.example.com [192.0.2.7]: 550 5.7.1 This message scored 12.3 spam points."), OURS, "5.7.1"),
    (EXIM, make_exim_bounce("host mx.example.com [192.0.2.7]\n    SMTP error from remote mail server after MAIL FROM:<digest@example.org> SIZE=1022:\n    553 5.1.0 example.org does not exist"), OURS, "5.1.0"),
    (POSTFIX, make_dsn("5.1.0", "smtp; 550 5.1.0 address unknown", text=f"<{READER}>: host mx.example.com[192.0.2.7] said: 550 5.1.0 address\n    unknown (in reply to MAIL FROM command)"), OURS, "5.1.0"),
    (EXIM, make_exim_bounce("host mx.example.com [192.0.2.7]: 551 Server access from 192.0.2.1 forbidden by invalid RDNS record of your mail server"), OURS, ""),
    (SENDMAIL, make_dsn("5.2.0", f"smtp; 550 5.2.0 <{READER}> From: Domain is invalid. Please provide a valid From:"), OURS, "5.2.0"),
    # --- complaints
    (SNS, make_ses_mail("Complaint", {"complaintFeedbackType": "abuse", "complainedRecipients": [{"emailAddress": READER}]}), COMPLAINT, ""),
    (APPLE, f"From: {READER}\nTo: {{path}}\nSubject: unsubscribe\nX-Apple-Unsubscribe: true\nAuto-Submitted: auto-replied\n\nApple Mail sent this email to unsubscribe from the message.\n", COMPLAINT, ""),
    (ARF, make_arf("abuse"), COMPLAINT, ""),
    (ARF, make_arf("abuse", fields=f"Original-Mail-From: <{{path}}>\nOriginal-Rcpt-To: <{READER}>\nArrival-Date: Fri, 12 Jun 2026 06:00:00 +0000\nSource-IP: 192.0.2.1\nReported-Domain: example.org\n"), COMPLAINT, ""),
    (ARF, make_arf("fraud"), COMPLAINT, ""),
    (ARF, make_arf("other"), COMPLAINT, ""),
    (YAHOO, make_arf("abuse", fields="Original-Mail-From: <{path}>\nReceived-Date: Fri, 12 Jun 2026 06:00:00 +0000\nSource-IP: 192.0.2.1\n", sender="feedback@arf.mail.yahoo.com"), COMPLAINT, ""),
    (FBL, make_arf("abuse", fields="Original-Mail-From: {path}\nReported-Domain: example.org\n", sender="staff@fbl.example.net"), COMPLAINT, ""),
    (JMRP, f"""\
From: staff@hotmail.com
To: abuse@example.org
Subject: complaint about message from 192.0.2.1
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="=_b"

--=_b
Content-Type: message/rfc822

X-HmXmrOriginalRecipient: {READER}
{ORIGINAL}
12 papers
--=_b--
""", COMPLAINT, ""),
    (ARF, make_arf("not-spam"), NOTHING, ""),
    (AUTH, make_arf("auth-failure", fields="Auth-Failure: dmarc\nDelivery-Result: reject\n"), OURS, ""),
    (ARF, make_arf("virus"), OURS, ""),
    # --- nothing
    (ANSWERS, make_text_bounce("Delivery of parcels failed? 550 5.1.1 I am away, and your message could not be delivered to me.", sender=READER, subject="Out of office"), NOTHING, ""),
    (ANSWERS, make_text_bounce("Your message could not be delivered because I am away.", sender=READER, subject="Re: Undelivered Mail Returned to Sender", returns_to=f"<{READER}>"), NOTHING, ""),
    (ANSWERS, make_text_bounce(f"Begin forwarded message:\n\n> 550 5.1.1 <{READER}>... User unknown", sender=READER, subject="Fwd: Returned mail: see transcript", returns_to=f"<{READER}>"), NOTHING, ""),
    (SNS, "From: no-reply@sns.amazonaws.com\nTo: {path}\nSubject: AWS\n\n{broken", NOTHING, ""),
    (OLD, make_text_bounce("Your message could not be delivered to the following recipients:\n\nreader@example.com\n\nDelivery attempts will continue to be made for 5 days.", subject="Delivery failure notification"), NOTHING, ""),
    (POSTFIX, make_dsn("4.4.1", "X-Postfix; connect to mx.example.com[192.0.2.7]:25: Connection timed out", action="delayed", subject="Delayed Mail (still being retried)"), NOTHING, "4.4.1"),
    (SENDMAIL, make_dsn("4.4.1", "", action="delayed", subject="Warning: could not send message for past 4 hours"), NOTHING, "4.4.1"),
    (POSTFIX, make_dsn("2.0.0", "smtp; 250 2.0.0 Ok: queued as 4ABC", action="relayed", subject="Successful Mail Delivery Report"), NOTHING, "2.0.0"),
    (EXCHANGE, make_dsn("2.0.0", "", action="delivered", subject="Delivered: 12 June"), NOTHING, "2.0.0"),
    (RFC3464, make_dsn("2.0.0", "", action="expanded"), NOTHING, "2.0.0"),
    (EXIM, make_text_bounce(f"The message has not been delivered to:\n\n  {READER}\n    Delay reason: 451 4.7.1 Please try again later", sender="Mail Delivery System <Mailer-Daemon@mx.example.net>", subject="Warning: message 1abcDE-000000-00 delayed 24 hours"), NOTHING, ""),
    (ANSWERS, make_text_bounce("I am away until 550 June.", sender=READER, subject="Out of office", extra="Auto-Submitted: auto-replied\nPrecedence: bulk\n"), NOTHING, ""),
    (ANSWERS, make_text_bounce("Ich bin bis 1. Juli nicht im Haus.", sender=READER, subject="Automatische Antwort: 12 June", extra="X-Auto-Response-Suppress: All\n"), NOTHING, ""),
    (ANSWERS, make_text_bounce("Please confirm that you are a person: https://example.net/c/1", sender=READER, subject="Your mail needs confirmation"), NOTHING, ""),
    (MDN, f"""\
From: {READER}
To: {{path}}
Subject: Read: 12 June
MIME-Version: 1.0
Content-Type: multipart/report; report-type=disposition-notification; boundary="=_b"

--=_b
Content-Type: text/plain

Your message was displayed.
--=_b
Content-Type: message/disposition-notification

Final-Recipient: rfc822;{READER}
Disposition: manual-action/MDN-sent-manually; displayed
--=_b--
""", NOTHING, ""),
    ("a reader who answers", make_text_bounce("Thank you for the digest! My mailbox was full, 552 5.2.2, and works again.", sender=READER, subject="Re: 12 June"), NOTHING, ""),
    ("a stranger", make_text_bounce("Buy now, user unknown, 550 5.1.1", sender="shop@example.net", subject="Undelivered goods", returns_to="<shop@example.net>"), NOTHING, ""),
]  # fmt: skip
