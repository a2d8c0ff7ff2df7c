"""Classification of refusals by their words: our fault, a full mailbox, an unknown or closed address, and so on.

Servers combine any enhanced status code with any sentence, so the words have priority, and the code only
decides if they say nothing. The wordings are those of large providers and common mail servers, in the
languages of their replies. Wordings about the sender are tried first, so that readers are not blamed in case
of doubt.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Topic(StrEnum):
    """What a refusal is about, according to its words."""

    SENDER = "sender"
    """Our server, address, reputation or signature, or the message."""
    SIZE = "size"
    """The message is too large."""
    FULL = "full"
    """The mailbox is full, which may pass."""
    TRANSIENT = "passing"
    """Another problem of the recipient that may pass: a filter, a loop, or a program that failed."""
    NO_DOMAIN = "no domain"
    """The domain does not exist, or accepts no mail."""
    CLOSED = "closed"
    """The address existed, and is disabled, suspended or retired."""
    NO_ADDRESS = "no address"
    """The address does not exist."""


REPUTATION = (
    r"spam|unsolicited|junk|virus|malware|phish|reputation|complaint|black ?list|block ?list|denylist|\brbl\b|dnsbl|"
    r"spamhaus|spamcop|barracuda|cloudmark|proofpoint|senderbase|dmarc|\bspf\b|dkim|unauthenticated|"
    r"not authenticated|(?:your|sending|originating|source|from|host|banned|client|black) ip\b|(?<!or )ip address|"
    r"blocked (?:using|by|due)|content (?:denied|reject)|reverse dns|\br-?dns\b|\bptr\b|反垃圾|垃圾邮件|スパム|迷惑メール|спам|"
    r"ip-adress|adresse ip\b|direcci[óo]n ip\b|indirizzo ip\b|\bip[ -]?(?:адрес|地址|位址|アドレス)|ind[ée]sirable|no deseado|pourriel|"
    r"unerwünscht|backscatter|\bbatv\b|\bsperrliste|schwarze[nr]? liste|zwarte lijst|liste noire|list[ae] ner[ae]|lista negra|"
    r"czarn\w+ li[sś]|kara liste|ч[её]рн\w+ спис|黑名[单單]|ブラックリスト|受信拒否|스팸|차단|발신"
)
_REFUSES_US = (
    r"\bsender(?:'s)? (?:address|domain|host|server|e-?mail|id\b|ip\b|verif|reject|denied|blocked|is |not )|"
    r"\b(?:bad|blocked|invalid|unknown|unauthori[sz]ed|forged|unverified) (?:e-?mail )?senders?\b|"
    r"\bfrom:? ?(?:domain|address|header)\b|\benvelope (?:sender|from)\b|\bmail from\b|\breturn[- ]path\b|"
    r"reverse (?:host)?name|\bclient host\b|\bhelo\b|\behlo\b|"
    r"\byour account\b|\bsending (?:suspended|disabled|paused)|\byour (?:(?:mail|smtp|sending|e-?mail|outgoing) )?(?:server|host|domain|network|mta|isp|reverse)\b|"
    r"\brelay(?:ing)?(?: access| is| was)* (?:denied|not\b|prohibited|refused|rejected)|"
    r"(?:unable to|cannot|can't|not|won't|no) relay|"
    r"too many (?:recipients|connections|errors|hourly|daily|requests|messages from)|"
    r"too many (?:\w+ )?(?:invalid|unknown|bad|wrong|non-?existent)|"
    r"sent too (?:many|much)|sending too|"
    r"\b(?:limit|maximum|max|number|rate|quota)\b.{0,40}"
    r"\b(?:per|this|each|an?|last) (?:hour|day|minute|second|connection|session|ip)\b|"
    r"\b(?:hourly|daily|weekly|sending|relay|connection) (?:limit|rate|quota|maximum)|"
    r"\brecipient (?:limit|rate|maximum)|"
    r"maximum number of (?:recipients|connections|messages)|"
    r"\brate (?:limit )?(?:is |was |has been )?exceeded|"
    r"not (?:allowed|permitted|authori[sz]ed|entitled) to (?:send|relay|connect|post|use|mail|write)|"
    r"authentication (?:is )?(?:required|needed|failed)|requires authentication|"
    r"(?:please|must|need to|have to) (?:first )?(?:authenticate|log ?in)|"
    r"\bsmtp[ -]?auth\b|\bcredentials\b|\buser ?name (?:or|and) password\b|\blog-?in attempts|"
    r"\bport (?:465|587)\b|\bsubmission (?:port|server|service)|"
    r"\bcontent filter|"
    r"\b(?:tls|ssl|starttls|encryption|secure connection)\b.{0,20}\b(?:required|needed|mandatory|must)|"
    r"\bbulk\b.{0,20}\b(?:e?mail|message|not accepted)|\bbulk ?mail|mass ?mail|"
    r"\bexternal (?:senders?|e?-?mails?)\b|\bwhite-?list|\ballow(?:ed)?[ -]?list|"
    r"\byour country\b|\byou (?:are|were|have been) (?:blocked|banned)\b|"
    r"\boriginator|\baccount sending\b|\byour (?:e-?mail )?address\b|\bverification failed for\b|"
    r"(?<!an den )(?:absender|versender)(?! (?:wird|wurde)\b)|\bihre[rn]? (?:ip|domain|server|adresse)|exp[ée]diteur|[ée]metteur|"
    r"\bvotre (?:ip|adresse|domaine|serveur)|remitente|remetente|mittente|afzender|nadawc|送信者|送信元|差出人|発信|发信|发送方|"
    r"發信|发件人|發件人|寄件人|寄件者|您的(?:ip|域名)|отправител|\bваш\w* (?:ip|сервер|адрес|домен)"
)
"""Words that are certainly about us, even if the same sentence calls an address unknown."""
_MAYBE_OUR_FAULT = (
    r"\bpolic(?:y|ies)\b|\bbanned\b|\bforbidden\b|not authori[sz]ed|unauthori[sz]ed|\bfiltered\b|rate ?limit|"
    r"(?:mail|message|content) (?:was |has been |is |were )?(?:rej[ee]ct|rejet|refus|block|abgelehnt|abgewiesen)|"
    r"\bblocked\b|\brelay(?:ing)?\b(?! recipient table|=)|"
    r"newsletters?\b|\bpassword\b|\bmust issue\b|\bport 25\b|"
    r"not (?:allowed|permitted|authori[sz]ed|entitled) to deliver|"
    r"rejected your (?:e-?mail|mail|message)|"
    r"\bsenders?\b|\bmailer\b|\bmail ?server\b|\bheaders?\b|\bbounce address\b|"
    r"\bdns\b|\bfirewall\b|\bsuspicious\b|\bpermission\b|\bnot (?:permitted|trusted)\b|\bbulk\b|"
    r"\bcall-?out\b|\bverification\b|\bchallenge\b|\bcountry\b|\bgeo-?(?:block|ip)|"
    r"\b(?:sending|registered|your) domain\b|"
    r"\bip \[?\d[\d.:]{3,}|"
    r"\[[\da-f:.]{7,}\] (?:is |was |has been )?(?:listed|blocked|denied|rejected|refused|not allowed)|"
    r"\b(?:is|are|was|were|been) (?:(?:black|block)-?)?listed (?:by|at|in|on)\b(?! .{0,20}directory)"
)
"""Words that are about us, unless the sentence clearly says that an address is unknown."""
SIZE = r"message (?:size|length|is too|too)|(?:mail|message|attachment)\b.{0,20}\btoo (?:big|large|long)|size limit"
_MAILBOX = r"(?:mailbox|inbox|account|user|recipient|maildir|folder)"
FULL = (
    r"quota|\b(?:mailbox|inbox|account|user|recipient|storage|maildir)\b.{0,40}\bfull\b(?! name)|"
    r"storage (?:space|limit|allocation)|out of storage|exceeded storage|too many messages on the server|"
    r"not enough (?:disk )?(?:space|storage)|\b(?:postfach|mailbox)\b.{0,20}\bvoll\b|bo[îi]te .{0,30}pleine|"
    r"buz[óo]n .{0,40}lleno|casella .{0,40}piena|переполнен|"
    r"(?:邮箱|郵箱|信箱).{0,8}(?:已满|已滿|空间不足)|容量.{0,8}(?:超|不足)|"
    rf"\b{_MAILBOX}\b.{{0,40}}\b(?:over|beyond|above|exceed\w*)\b.{{0,20}}"
    r"\b(?:limit|capacity|maximum|allowed|space|storage|size)|"
    rf"\b{_MAILBOX}\b.{{0,40}}\b(?:reached|hit)\b.{{0,20}}\b(?:limit|capacity|size)|"
    rf"\b{_MAILBOX}\b.{{0,40}}\b(?:out of|low on|not enough|insufficient|lacks) (?:\w+ )?"
    r"(?:space|storage|room|capacity)|"
    rf"\b{_MAILBOX}\b.{{0,40}}\b(?:over ?full\b|at capacity\b|100 ?%)|"
    r"\bmailbox\b.{0,30}\btoo (?:big|large)\b|\bstorage\b.{0,20}\bused up\b|"
    r"\b(?:out of|over) (?:(?:disk|mail|mailbox) )?(?:space|storage|capacity)|disk ?space|"
    r"\b(?:postfach|mailbox|konto)\b.{0,30}\b(?:(?:[üu]e?ber)f[üu]e?llt|überlastet)|"
    r"speicher(?:platz|volumen|kontingent)|"
    r"espace (?:insuffisant|disque)|bo[îi]te .{0,30}satur[ée]e|"
    r"espacio (?:insuficiente|agotado)|buz[óo]n .{0,40}saturado|"
    r"spazio (?:insufficiente|esaurito)|casella .{0,40}satura\b|"
    r"caixa .{0,40}(?:cheia|lotada)|skrzynk\w* .{0,40}(?:przepełnion|pełna)|용량.{0,8}초과"
)
_MAYBE_FULL = (
    rf"\b{_MAILBOX}\b.{{0,40}}\b(?:reached|hit)\b.{{0,20}}\b(?:maximum|allowed)|"
    rf"\b{_MAILBOX}\b.{{0,40}}\bno (?:\w+ )?(?:space|storage|room|capacity)|"
    rf"\bno (?:\w+ )?(?:space|storage|room) (?:left )?(?:in|on|for) (?:\w+ )?{_MAILBOX}\b"
)
"""Words that mean a full mailbox, unless the sentence clearly says that the address is closed or unknown."""
_TRANSIENT = (
    r"recipient preferences|couldn't create|can't create|\bprocmail\b|command (?:died|failed|time)|"
    r"too many hops|\bhop count\b|\bmail(?: is)? loop|message loop|routing loop|queue (?:time|period|life)|"
    r"(?:retry|delivery) time(?:out)? (?:was |has been )?(?:exceeded|expired)|retry timeout"
)
_TEMPORARY = (
    r"\btempor(?:ar|ai|al|an[eo])|\bgr[ae]y-?list|\bmaintenance\b|\boverloaded\b|\bbusy\b|"
    r"\b(?:try|retry|come back)(?: again| sending)? later\b|\btry again (?:in|after)\b|"
    r"\bplease retry\b|\bretry (?:in|after)\b|"
    r"\bat (?:the moment|this time)\b|\b(?:being|during) (?:\w+ )?migrat|\blocked by another\b|"
    r"(?<!connection )\btime(?:d|s)?[ -]?out\b|"
    r"\b(?:cannot|can't|could not|couldn't|unable to) connect to\b|"
    r"(?:unknown|internal|system|server|configuration) (?:error|failure|problem)|"
    r"(?<!address )(?<!dns )\blook-?up(?: \w+){0,2}:? (?:fail|error|unavailable)|"
    r"\b(?:data ?base|db|ldap|sql)(?: \w+){0,2}:? "
    r"(?:fail|error|unavailable|down\b|time(?:d|s)?[ -]?out|not (?:available|respond|reachable))|"
    r"\b(?:server|service|store|directory|system|backend)(?: is| was)?(?: currently)? "
    r"(?:not available|unavailable|down\b|unreachable|offline)|"
    r"vor[üu]e?bergehend|\bzur ?zeit\b|\bsp(?:ä|ae?)ter\b|\bmomentan|"
    r"\bplus tard\b|r[ée]essa(?:y|i)|\bprovisoire|"
    r"\bm[áa]s tarde\b|\ben este momento\b|\bmais tarde\b|\bpi[ùu] tardi\b|"
    r"временн|\bпозже\b|позднее|稍[后後]|[暂暫]时|暫時|一時的|しばらく"
)
"""Words for conditions that may pass, and for failed lookups of the recipient."""
_NO_DOMAIN = (
    r"null ?mx\b|no smtp service|\bno mx\b|nxdomain|(?:domain|host)\b.{0,60}\b(?:does not|doesn't) accept (?:any )?e?-?mail\b(?! from)|"
    r"\b(?:host|domain)(?: (?:or domain )?name)?(?: of [\w ]{1,20})?(?: [\w-]+(?:\.[\w-]+)+)?:? (?:is )?(?:unknown|not found|(?:does not|doesn't) exist)\b(?!,? try)|"
    r"(?:unknown|no such|invalid|non-?existent) (?:(?:mail|destination) )?(?:host|domain)\b(?! name)|illegal host/domain|"
    r"(?:find|found) (?:a |any )?(?:mail exchanger|host|mx record)|no mail exchanger|"
    r"domain is not reachable|name or service not known|domain\w* (?:nicht gefunden|existiert nicht|inconnu|inexistant|no existe)|"
    r"域名.{0,6}不存在|домен\w* .{0,20}(?:не существует|не найден)"
)
_RECIPIENT = (
    r"(?:user ?(?:id|name)?|mailbox|mailaddress|recipient(?: (?:name|address))?|account|(?:e-?mail )?address|addressee|alias|"
    r"local[- ]part|customer|subscriber|person)(?:s|es|\(s\)|\(es\))?"
)
_CLOSED_WORDS = (
    r"(?:disabled|closed|suspended|inactive|deactivated|locked|discontinued|terminated|retired|expired|no longer|"
    r"gesperrt|deaktiviert|d[ée]sactiv[ée]|deshabilitad|disattivat)"
)
_CLOSED = (
    rf"\b{_RECIPIENT}\b.{{0,60}}\b{_CLOSED_WORDS}|\b{_CLOSED_WORDS} (?:(?:user|mail|e-?mail) )?{_RECIPIENT}\b|"
    r"(?:ящик|аккаунт|пользовател|адрес)\w{0,9}.{0,30}(?:заблокирован|отключ)|(?:用户|帐号|账号|邮箱).{0,6}(?:停用|禁用|关闭|锁定)"
)
_NO_ADDRESS = (
    rf"\b{_RECIPIENT}\b[^.;!]{{0,50}}(?:\bunknown(?= *(?:$|[^\w\s]|(?:in|to|at|on|here|or|and|for|by)\b|user|recip|mail|addr))|(?:\bnot|n't) (?:be )?(?:found|known|exist|listed|"
    rf"recogni[sz]ed)|non-?existent|(?:is|was|are) not (?:a )?(?:valid|known)|not valid)\b|"
    rf"\b(?:no such|unknown|invalid|non-?existent|bad|illegal|undeliverable|not a (?:known|valid))"
    rf" (?:(?:local|virtual|such|e-?mail|destination|final|delivery|mail|user|recipient) )*{_RECIPIENT}\b|"
    r"\bno such (?:a )?(?:e?mail|name)\b|\bno valid recipients?\b(?! from)|\bno (?:mailbox|account|user) (?:here|by|with|for|found)\b|"
    r"does(?: not|n't) have an? .{0,40}account|not listed in .{0,40}directory|"
    r"(?:benutzer|empf(?:ä|ae?)nger|teilnehmer|postfach|adresse)\w*\b.{0,30}(?:unbekannt|nicht (?:bekannt|gefunden|vorhanden)|(?:existiert|gibt es) nicht)|"
    r"\bkeine? solche[rs]? (?:benutzer|empf(?:ä|ae?)nger|teilnehmer|postfach|adresse)|\baucun (?:utilisateur|destinataire)\b|"
    r"(?:utilisateur|destinataire|adresse|compte)\b.{0,50}(?:inconnu|inexistant|n'existe pas|introuvable)|"
    r"(?:usuario|destinatario|buz[óo]n|direcci[óo]n|cuenta|utente|casella|indirizzo|usu[áa]rio|destinat[áa]rio|conta|caixa)\b"
    r".{0,30}(?:desconocid|desconhecid|sconosciut|inexist|no existe|non esist|inesistent|n[ãa]o existe|(?:no|n[ãa]o) encontrad|non trovat)|"
    r"(?:gebruiker|ontvanger|postbus)\b.{0,30}(?:onbekend|bestaat niet)|"
    r"(?:пользовател|получател|адрес|ящик)\w{0,9}.{0,40}(?:не найден|не существует|неизвест|не зарегистр)|нет такого (?:пользовател|получател|адрес|ящик)|"
    r"\bnieznany (?:u[żz]ytkownik|odbiorca|adres)|"
    r"(?:用户|用戶|收件人|邮箱|郵箱|信箱|帐号|账号|账户|地址).{0,6}(?:不存在|未知|无效|無效)|(?:不存在|无此|沒有此).{0,6}(?:用户|收件人|邮箱|信箱)|"
    r"(?:ユーザ|宛先|アドレス|メールボックス|ディレクトリ).{0,30}(?:見つかりま|存在しま|ありません|いません|不明)"
)

_TOPICS: tuple[tuple[Topic, re.Pattern[str]], ...] = tuple(
    (topic, re.compile(pattern))
    for topic, pattern in (
        (Topic.SENDER, f"{REPUTATION}|{_REFUSES_US}"),
        (Topic.SIZE, SIZE),
        (Topic.FULL, FULL),
        (Topic.TRANSIENT, _TRANSIENT),
        (Topic.NO_DOMAIN, _NO_DOMAIN),
        (Topic.CLOSED, _CLOSED),
        (Topic.NO_ADDRESS, _NO_ADDRESS),
        (Topic.FULL, _MAYBE_FULL),
        (Topic.SENDER, _MAYBE_OUR_FAULT),
    )
)
"""Topics and their patterns; the first match decides, so patterns that excuse the address come first."""


def detect_topic(text: str) -> Topic | None:
    """Return what a refusal is about; None if its words do not say.

    Args:
        text: the server's reply, with or without codes, in one line.
    """
    words = extract_words(text)
    return next((topic for topic, pattern in _TOPICS if pattern.search(words)), None)


def is_temporary(text: str) -> bool:
    """Return True if a refusal says that it may pass, or that the recipient could not be looked up.

    Args:
        text: the server's reply, with or without codes, in one line.
    """
    return bool(_TEMPORARY_PATTERN.search(extract_words(text)))


_TEMPORARY_PATTERN = re.compile(_TEMPORARY)

_MAX_LENGTH = 2_000
"""Maximum number of characters that are searched; some patterns are slow on malicious texts."""
_LINK = re.compile(r"https?://\S*", re.IGNORECASE)
_BLOCKLIST = re.compile(
    r"spamhaus|spamcop|sorbs|barracudacentral|dnsbl|\brbl|block-?list|black-?list|uceprotect|abuseat|senderscore|openspf|"
    r"ipcheck|proofpoint|trendmicro|reputation|barracuda",
    re.IGNORECASE,
)
_NO_SUCH_USER = re.compile(r"nosuchuser|support\.google\.com/mail/\S*answer=6596\b", re.IGNORECASE)
_USER_NAME = re.compile(r"\b(user) (?!(?:or|domain|host|sender|ip)\b)[\w.+-]+ (?=(?:unknown|not found)\b)")
"""The name of a user after ``user``."""
_CODE = re.compile(r"(?<![\w.])[245]\d\d[ -](?:#?[245]\.\d{1,3}\.\d{1,3}\b)?|\b[245]\.\d\.\d{1,3}\b")
_CURLY_QUOTES = str.maketrans("\u2019\u2018", "''")


def _replace_link(link: re.Match[str]) -> str:
    if _BLOCKLIST.search(link[0]):
        return " blocklist "
    return " no such user " if _NO_SUCH_USER.search(link[0]) else " "


def extract_words(text: str) -> str:
    """Return the words of a reply in lower case, without addresses, links and codes.

    An address such as ``spam@example.org`` must not be taken for words about spam. Links are replaced by
    ``blocklist`` or ``no such user`` if they lead to a blocklist or to an explanation of unknown addresses,
    because some replies contain nothing else.
    """
    words = _LINK.sub(_replace_link, text[:_MAX_LENGTH])
    words = re.sub(r"<[^<>]*>|\S*@\S*", " ", words)
    return _USER_NAME.sub(r"\1 ", " ".join(_CODE.sub(" ", words).translate(_CURLY_QUOTES).lower().split()))
