"""The words of a refusal decide over its codes, in the languages that servers answer in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.delivery.bounces.address_status import derive_bounce_class
from digest.core.delivery.replies import Step, derive_receipt
from digest.core.delivery.wordings import Topic, detect_topic, extract_words
from digest.model import BounceClass
from tests.support.cases import for_each_case

GONE, CLOSED, SOFT, OURS = BounceClass.GONE, BounceClass.CLOSED, BounceClass.SOFT, BounceClass.OURS


def finding(reply: str) -> BounceClass:
    return derive_bounce_class(derive_receipt(Step.RCPT, int(reply[:3]), reply[4:]))


BLAMES_US = [
    "550 5.1.1 The sender does not meet requirements for sending to <a@b.c>",
    "550 5.1.1 backscatter protection",
    "550 5.1.1 Rejected by backscatter protection",
    "550 5.1.1 Mailer example.org not permitted",
    "550 5.1.1 你的IP被列入黑名单",
    "550 5.1.1 您的邮件服务器在黑名单中",
    "550 5.1.1 IP 已被加入黑名單",
    "550 5.1.1 发信IP被拒绝",
    "550 5.1.1 ブラックリストに登録されています",
    "550 5.1.1 受信拒否されました",
    "550 5.1.1 発信サーバーは許可されていません",
    "550 5.1.1 스팸으로 차단되었습니다",
    "550 5.1.1 발신자 주소가 차단되었습니다",
    "550 5.1.1 сервер в чёрном списке",
    "550 5.1.1 В черном списке",
    "550 5.1.1 serwer na czarnej liście",
    "550 5.1.1 seu servidor está na lista negra",
    "550 5.1.1 su servidor está en la lista negra",
    "550 5.1.1 Il server è nella lista nera",
    "550 5.1.1 Votre serveur est sur liste noire",
    "550 5.1.1 Ihr Server steht auf einer Sperrliste",
    "550 5.1.1 Server steht auf der schwarzen Liste",
    "550 5.1.1 server staat op een zwarte lijst",
    "550 5.1.1 sunucunuz kara listede",
    "550 5.1.1 Suspicious activity detected",
    "550 5.1.1 Message contains a forbidden attachment",
    "550 5.1.1 domain of sender does not resolve",
    "550 5.1.1 challenge response required",
    "550 5.1.1 Recipient does not accept mail from your domain",
    "550 5.1.1 The recipient only accepts mail from known contacts",
    "550 5.1.1 This user accepts mail only from approved senders",
    "550 5.1.1 You have no permission to write to this group",
    "550 5.1.1 Connection refused by firewall",
    "550 5.1.1 Unauthorized host",
    "550 5.1.1 Mail from this server is not wanted here",
    "550 5.1.1 Invalid EHLO",
    "550 5.1.1 Your message lacks a Message-ID header",
    "550 5.1.1 Missing List-Unsubscribe header",
    "550 5.1.1 no PTR record",
    "550 5.1.1 Fix your DNS",
    "550 5.1.1 mailer is not allowed",
    "550 5.1.1 The mail server is not trusted",
    "550 5.1.1 Invalid bounce address",
    "550 5.1.1 BATV check failed",
    "550 5.1.1 callout verification failed",
    "550 5.1.1 Suspected bulk sender",
    "550 5.1.1 domain does not pass verification",
    "550 5.1.1 Sending domain too young",
    "550 5.1.1 newly registered domain",
    "550 5.1.1 Recipient address rejected: SPF fail",
    "550 5.1.1 header From is missing",
    "550 5.1.1 geoblocked",
    "550 5.1.1 Country not accepted",
    "550 5.1.1 Your host is throttled",
    "550 5.1.1 Recipient address rejected: blocked sender",
    "551 Server access from 192.0.2.1 forbidden by invalid RDNS record of your mail server",
    "550 5.2.0 <r@example.com> From: Domain is invalid. Please provide a valid From:",
    "553 5.1.3 http://www.spamhaus.org/query/bl?ip=192.0.2.1",
    "550 5.1.1 https://blocklist.example.net/lookup?192.0.2.1",
    "550 5.1.1 <r@example.com> - 192.0.2.1 has sent to too many recipients this hour. <http://x.example/limit>",
    "550 5.1.1 <r@example.com>: Sender address rejected: Domain not found",
    "550 5.1.0 <digest@example.org>: Sender address rejected: User unknown in virtual alias table",
    "550 5.1.1 Your domain does not exist",
    "550 5.1.1 Relay access denied; user unknown",
    "550 5.1.1 unable to relay for r@example.com",
    "550 5.1.2 HELO: host not found",
    "550 5.2.1 your account has been suspended for sending",
    "550 5.1.1 Mail rejected by local policy",
    "550 5.2.0 Message filtered",
    "550 5.2.0 Mail rejete. Mail rejected. code_506 [506]",
    "550 5.1.1 user unknown, sender verify failed",
    "550-5.1.1 user unknown\n550-5.1.1 because your\n550 5.1.1 server is listed at Spamhaus",
    "550 5.1.1 Adresse de l'exp\u00e9diteur refus\u00e9e, utilisateur inconnu",
    "550 5.1.1 Absenderadresse unbekannt",
    "550 5.1.1 \u53d1\u4ef6\u4eba\u5730\u5740\u4e0d\u5b58\u5728",
    "550 5.1.1 \u041e\u0442\u043f\u0440\u0430\u0432\u0438\u0442\u0435\u043b\u044c \u043d\u0435 \u043d\u0430\u0439\u0434\u0435\u043d",
    "550 5.1.1 \u8ff7\u60d1\u30e1\u30fc\u30eb",
    "550 \u9001\u4fe1\u8005\u306e\u30a2\u30c9\u30ec\u30b9\u304c\u5b58\u5728\u3057\u307e\u305b\u3093",
    "550 \u5dee\u51fa\u4eba\u306e\u30a2\u30c9\u30ec\u30b9\u304c\u5b58\u5728\u3057\u307e\u305b\u3093",
    "550 5.1.1 \u767a\u4fe1\u5143\u30a2\u30c9\u30ec\u30b9\u304c\u898b\u3064\u304b\u308a\u307e\u305b\u3093",
    "550 \u53d1\u4fe1\u4eba\u5730\u5740\u65e0\u6548",
    "550 \u53d1\u9001\u65b9\u5730\u5740\u4e0d\u5b58\u5728",
    "550 \u60a8\u7684IP\u5730\u5740\u65e0\u6548",
    "550 Indirizzo del mittente sconosciuto",
    "550 Direcci\xf3n del remitente desconocida",
    "550 5.1.1 endere\xe7o do remetente: conta inexistente",
    "550 5.1.0 Adresse d expediteur inconnue OFR_506",
    "550 5.1.1 adresse de l'\xe9metteur inconnue",
    "550 5.1.1 Votre adresse IP est bloqu\xe9e, adresse inconnue de nos services",
    "550 votre domaine est inconnu",
    "550 Ihre IP-Adresse ist gesperrt, Adresse unbekannt",
    "550 5.1.1 Mail von Ihrer IP wird nicht angenommen",
    "550 5.1.1 Ihre Domain existiert nicht",
    "550 5.1.1 Unzul\xe4ssiger Absender",
    "550 Your email address is not known here",
    "550 5.1.1 Originator address unknown",
    "550 The account sending this message is disabled",
    "550-Verification failed for <digest@example.org>\n550 No Such User Here",
    "550 5.1.1 afzender adres onbekend",
    "550 adres nadawcy nieznany",
    "550 5.1.1 correo no deseado; usuario desconocido",
    "550 5.1.1 courrier ind\xe9sirable, destinataire inconnu",
    "550 5.1.1 \u0412\u0430\u0448 \u0441\u0435\u0440\u0432\u0435\u0440 \u0437\u0430\u0431\u043b\u043e\u043a\u0438\u0440\u043e\u0432\u0430\u043d",
    "550 \u0412\u0430\u0448 \u0430\u0434\u0440\u0435\u0441 \u043d\u0435 \u043d\u0430\u0439\u0434\u0435\u043d \u0432 \u0431\u0435\u043b\u043e\u043c \u0441\u043f\u0438\u0441\u043a\u0435; \u0430\u0434\u0440\u0435\u0441 \u0437\u0430\u0431\u043b\u043e\u043a\u0438\u0440\u043e\u0432\u0430\u043d",
    "550 \u0430\u0434\u0440\u0435\u0441 \u043e\u0442\u043f\u0440\u0430\u0432\u0438\u0442\u0435\u043b\u044f \u043d\u0435 \u0441\u0443\u0449\u0435\u0441\u0442\u0432\u0443\u0435\u0442",
    "550 #5.1.0 Address rejected. Host IP 192.0.2.1 listed",
    "554 5.1.1 rejected, see https://ipcheck.proofpoint.com/?ip=192.0.2.1",
    "550 5.1.1 rejected, see https://www.trendmicro.com/ers?ip=192.0.2.1",
    "550 5.1.1 rejected, see https://reputation.example.net/?ip=192.0.2.1",
    "550 5.1.1 Daily limit exceeded",
    "550 5.1.1 You have reached the maximum number of recipients",
    "550 5.1.1 User invalid: too many requests",
    "550 5.1.1 recipient address rejected: rate exceeded",
    "550 5.1.1 limit of 100 messages per hour reached, account unavailable",
    "554 5.7.1 Access denied: too many unknown recipients",
    "550 5.1.1 Authentication required",
    "550 5.1.1 Please log in first; user unknown",
    "550 5.1.1 Invalid user name or password",
    "550 5.1.1 please use port 587",
    "550 5.1.1 TLS is required for this recipient",
    "550 5.1.1 must issue a STARTTLS command first",
    "550 5.1.1 You are not allowed to send to this recipient",
    "550 5.1.1 not allowed to deliver here",
    "550 5.1.1 No newsletters, please",
    "550 5.1.1 Bulk mail is not accepted",
    "550 5.1.1 IP 192.0.2.1 refused",
    "550 5.1.1 mail.example.org [192.0.2.1] is blocked",
    "550 5.1.1 User has rejected your mail",
    "550 5.1.1 recipient unavailable to external senders",
    "550 5.1.1 user not found in whitelist",
    "550 5.1.1 mailbox not found in allowed list",
    "550 5.1.1 No such user or you are blocked",
]
FULL = [
    "550 5.1.1 mailbox full",
    "550 5.1.1 <r@example.com>: user is over quota",
    "552 5.1.1 sorry, mailbox r@example.com is over quota temporarily",
    "550 5.1.1 Postfach ist voll",
    "550 5.1.1 La bo\u00eete du destinataire est pleine",
    "550 5.1.1 El buz\u00f3n del destinatario est\u00e1 lleno",
    "550 5.1.1 \u90ae\u7bb1\u5df2\u6ee1",
    "550 5.1.1 \u042f\u0449\u0438\u043a \u043f\u0435\u0440\u0435\u043f\u043e\u043b\u043d\u0435\u043d",
    "550 5.1.1 mailbox is over the limit",
    "550 5.1.1 user has exceeded the allowed size",
    "550 5.1.1 Mailbox has reached its capacity",
    "550 5.1.1 Mailbox has reached the maximum",
    "550 5.1.1 recipient is out of space",
    "550 5.1.1 no room in mailbox",
    "552 5.1.1 Mailbox has no more room",
    "550 5.1.1 user mailbox at 100%",
    "550 5.2.1 mailbox is at capacity",
    "550 5.1.1 Not enough disk space",
    "550 5.1.1 Das Postfach ist \xfcberf\xfcllt",
    "550 5.1.1 Speicherplatz ersch\xf6pft",
    "550 5.1.1 Bo\xeete aux lettres satur\xe9e",
    "550 5.1.1 buz\xf3n saturado",
    "550 5.1.1 Casella di posta satura",
    "550 5.1.1 caixa postal cheia",
    "550 5.1.1 skrzynka przepe\u0142niona",
    "550 5.1.1 \uc6a9\ub7c9 \ucd08\uacfc",
]
UNKNOWN = [
    "550 5.7.1 <r@example.com>: Recipient address rejected: User unknown",
    "550 5.1.1 <r@example.com>: Recipient address rejected: User unknown in relay recipient table",
    "550-5.1.1 The email account that you tried\n550-5.1.1 to reach does not\n550 5.1.1 exist. e22-n7.222 - gsmtp",
    "550 <sender.policy@example.com>... No such user",
    "550 : User unknown",
    "550 Benutzer nicht bekannt",
    "550 5.1.1 Empf\u00e4nger unbekannt",
    "550 Utilisateur inconnu",
    "550 L'adresse du destinataire n'existe pas",
    "550 Usuario desconocido",
    "550 La cuenta de correo no existe",
    "550 Utente sconosciuto",
    "550 Destinat\u00e1rio inexistente",
    "550 Gebruiker onbekend",
    "550 \u041f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b\u044c \u043d\u0435 \u043d\u0430\u0439\u0434\u0435\u043d",
    "550 \u7528\u6237\u4e0d\u5b58\u5728",
    "550 5.7.1 \u6536\u4ef6\u4eba\u4e0d\u5b58\u5728",
    "550 \u5b9b\u5148\u30e6\u30fc\u30b6\u304c\u898b\u3064\u304b\u308a\u307e\u305b\u3093",
    "550 Das Postfach gibt es nicht",
    "550 Kein solcher Benutzer",
    "550 5.1.1 Empf\xe4nger unbekannt, der Absender wird benachrichtigt",
    "550 5.1.1 Benutzer existiert nicht. Wenden Sie sich an den Absender",
    "550 Aucun utilisateur de ce nom",
    "550 Usuario no encontrado",
    "550 Utente non trovato",
    "550 \u041d\u0435\u0442 \u0442\u0430\u043a\u043e\u0433\u043e \u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b\u044f",
    "550 \u0442\u0430\u043a\u043e\u0439 \u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b\u044c \u043d\u0435 \u0437\u0430\u0440\u0435\u0433\u0438\u0441\u0442\u0440\u0438\u0440\u043e\u0432\u0430\u043d",
    "550 Nieznany u\u017cytkownik",
    "550 \u8a72\u5f53\u3059\u308b\u30e6\u30fc\u30b6\u30fc\u306f\u3044\u307e\u305b\u3093",
    "550 user spamtrap unknown",
    "550 5.1.1 user dkim.jones not found",
    "550 5.1.1 User unknown. See https://postmaster.example.net/codes",
    "550 5.7.1 https://mail.example.com/?p=NoSuchUser x12",
    "550 5.1.1 User unknown. Do not send newsletters to this address",
    "550 5.1.1 no such user; change the password of your list",
    "550 5.1.1 user unknown, IP 192.0.2.1",
    "550 5.1.1 User unknown: not allowed to deliver",
    "550 5.1.1 No such user, no space was assigned",
    "550 5.1.1 host mx.example.com[192.0.2.7] said: 550 5.1.1 Recipient address rejected: User unknown",
    "550-Callout verification failed: 550-550 5.1.1 <r@example.com> User unknown in local recipient table",
    "550 5.1.1 Mail address lookup failed / recipient not on server",
    "550 5.1.1 User unknown. Please check the address and try again",
    "550 5.1.1 <r@example.com>... User unknown; 421 (smtp)... Deferred: Connection timed out",
]
ENDED = [
    "550 #5.1.0 Address rejected.",
    "550 5.4.4 Invalid domain",
    "550 5.4.4 Host or domain name not found. Name service error for name=example.com type=A: Host not found",
    "550 5.7.27 Host does not accept mail",
    "550 an MX or SRV record indicated no SMTP service",
    "550 5.1.1 inactive email address",
    "550 5.2.1 The email account that you tried to reach is disabled",
    "521 5.3.2 System not accepting network messages",
]
PASSING = [
    "550 5.1.1 Refused due to recipient preferences",
    "554 5.4.6 Too many hops",
    "550 retry timeout exceeded",
]
LATER = [
    "550 5.1.1 User unknown (temporary failure in LDAP)",
    "550 5.1.1 user db unknown failure",
    "550 5.1.1 user lookup failed: user unknown",
    "550 5.1.1 Cannot connect to LDAP server, user not found",
    "550 5.1.1 unknown user because the backend timed out",
    "550 5.1.1 LDAP connection timed out: unknown user",
    "550 5.1.1 couldn't look up user: timeout",
    "550 5.1.1 <r@example.com>: Recipient address rejected: Greylisted for 5 minutes",
    "550 5.1.1 No such user, try again later",
    "550 5.1.1 user unknown, please retry",
    "550 5.1.1 account is locked, retry in 10 minutes",
    "550 5.1.1 mailbox unavailable at the moment",
    "550 5.1.1 mailbox unavailable, busy",
    "550 5.1.1 mailbox locked by another process",
    "550 5.1.1 mailbox is being migrated; not found",
    "550 5.1.1 internal error, no such user",
    "550 5.1.1 directory is unavailable",
    "550 5.2.1 mailbox disabled for maintenance",
    "550 5.1.2 nameserver timeout: host not found",
    "550 5.1.1 Benutzer vor\xfcbergehend nicht gefunden",
    "550 5.1.1 Postfach nicht gefunden, bitte sp\xe4ter erneut versuchen",
    "550 5.1.1 Utilisateur inconnu (erreur temporaire)",
    "550 5.1.1 Utilisateur inconnu, r\xe9essayez plus tard",
    "550 5.1.1 Usuario desconocido, intente m\xe1s tarde",
    "550 5.1.1 Error temporal: usuario desconocido",
    "550 5.1.1 \u0432\u0440\u0435\u043c\u0435\u043d\u043d\u0430\u044f \u043e\u0448\u0438\u0431\u043a\u0430: \u043f\u043e\u043b\u044c\u0437\u043e\u0432\u0430\u0442\u0435\u043b\u044c \u043d\u0435 \u043d\u0430\u0439\u0434\u0435\u043d",
]


@for_each_case("reply", BLAMES_US)
def test_a_refusal_that_speaks_of_us_costs_no_reader_whatever_its_code(reply: str) -> None:
    assert finding(reply) is OURS


@for_each_case("reply", FULL)
def test_a_full_mailbox_is_never_gone_whatever_its_code(reply: str) -> None:
    assert finding(reply) is SOFT


@for_each_case("reply", UNKNOWN)
def test_an_address_that_is_said_not_to_exist_is_gone_whatever_its_code(reply: str) -> None:
    assert finding(reply) is GONE


@for_each_case("reply", ENDED)
def test_a_domain_without_mail_and_a_mailbox_that_ended_are_closed(reply: str) -> None:
    assert finding(reply) is CLOSED


@for_each_case("reply", PASSING)
def test_what_may_pass_is_soft_although_it_is_said_as_never(reply: str) -> None:
    assert finding(reply) is SOFT


@for_each_case("reply", LATER)
def test_what_is_said_to_pass_is_soft_although_the_address_is_called_unknown(reply: str) -> None:
    assert finding(reply) is SOFT


@for_each_case(
    "reply", ["550 5.2.1 account closed: it has reached the maximum", "550 5.2.1 mailbox disabled, no space"]
)
def test_a_mailbox_that_ended_is_closed_although_it_once_was_full(reply: str) -> None:
    assert finding(reply) is CLOSED


@for_each_case("step", [Step.DATA, Step.MESSAGE])
def test_it_is_the_same_at_the_end_of_the_message(step: Step) -> None:
    for reply in BLAMES_US:
        assert derive_bounce_class(derive_receipt(step, int(reply[:3]), reply[4:])) is OURS, reply


statuses = st.sampled_from(["", "5.1.1 ", "5.1.10 ", "5.1.3 ", "5.2.1 ", "5.0.0 ", "5.4.1 ", "#5.1.0 "])


@given(st.sampled_from([550, 551, 553, 554, 556]), statuses, st.sampled_from(BLAMES_US + FULL + LATER))
def test_no_code_in_front_of_these_words_makes_an_address_gone_or_closed(
    code: int, status: str, reply: str
) -> None:
    assert finding(f"{code} {status}{extract_words(reply)}") not in {GONE, CLOSED}


@pytest.mark.parametrize("text", ["", "550", "550 5.1.1", "?" * 2_000])
def test_where_words_say_nothing_no_topic_is_made_up(text: str) -> None:
    assert detect_topic(text) is None


def test_an_address_and_a_link_say_nothing_but_that_it_leads_to_a_blocklist_or_names_no_user() -> None:
    assert extract_words("550 5.1.1 <spam@quota.example> at https://example.net/policy?x=relay") == "at"
    assert detect_topic("550 5.1.1 see HTTPS://WWW.SPAMHAUS.ORG/x") is Topic.SENDER
    assert detect_topic("550 see https://mail.example.com/?p=NoSuchUser") is Topic.NO_ADDRESS


@given(st.text(max_size=3_000))
def test_no_text_takes_long_or_breaks(text: str) -> None:
    assert detect_topic(text) in {None, *Topic}
