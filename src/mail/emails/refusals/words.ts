// The words in which mail servers give their reasons, in groups. blame.ts gives the meaning of each group.

/** Names may contain any word ("spam@…", "relay.example.com"); only the words around them count. */
const ADDRESS = /<?[^\s<>()"';,]{1,64}@[\w.-]{1,253}>?/g;
const LINK = /\bhttps?:\/\/\S+/gi;
const RELAY_NAME = /\brelay=\S+/gi;
const HOST_NAME = /(?<![\w.-])[a-z\d-]{1,63}(\.[a-z\d-]{1,63}){0,8}\.[a-z]{2,24}(?![\w.-]*[\w])/g;
/** "unknown in relay recipient table" is about the recipient. */
const TABLE = /\bin (local|relay|virtual[\w ]{0,20}) (recipient|alias|mailbox) table/gi;

const MAX_WORDS_CHARS = 2_000;

/** A server's words without names, to be matched with the groups below. */
export function bareWords(text: string): string {
  const short = text.slice(0, MAX_WORDS_CHARS).replace(/\s+/g, " ").replaceAll("’", "'");
  return short
    .replace(LINK, " ")
    .replace(RELAY_NAME, " ")
    .replace(ADDRESS, "@")
    .replace(HOST_NAME, "-")
    .replace(TABLE, "in a table");
}

/** The mailbox has no room. */
export const FULL = anyOf(
  "quota|\\bstorage\\b|disk (space|full)|space (limit|not enough)|(not enough|no|insufficient|out of) (disk |mail )?space",
  "(mail ?(box|folder|dir|drop)|inbox|account|user)('s)?( [\\w@]+){0,5} (is |was )?(over)?full\\b(?! (details|name))|\\bfull mail ?box|too much mail",
  "(mailbox|size|local) limit exceeded|exceed\\w* [\\w ]{0,40}(mailbox|inbox)|mail ?box [\\w ]{0,20}exceed|user has too many messages on",
  "(postfach|mailbox)[^.]{0,30} voll\\b|überfüllt|bo[iî]te [^.]{0,40}pleine|buz[oó]n [^.]{0,40}lleno|casella [^.]{0,40}piena",
  "caixa [^.]{0,40}cheia|переполнен|容量|メールボックスがいっぱい",
);

/** Too much mail at the moment: to this recipient, or from us. */
export const TOO_MUCH = anyOf(
  "receiving (e?-?mail |messages )?(at a rate|too (much|quickly|many))|rate[ -]?limit|throttl|(rate|limit) (is |was )?exceeded for",
  "too (many|much) ((?!unwanted|unsolicited|spam|junk|bulk)[\\w-]{1,20} ){0,2}(messages|recipients|addresse?e?s|users|mail ?boxes|e?-?mails?|connections|sessions|requests|errors)|frequency limited",
  "recipients (per|in (this|one|a)) (session|message|connection|transaction)",
  "(per|this|an|each|last) (second|minute|hour|day)\\b|(hourly|daily|sending) (limit|rate)|unusual rate",
);

/** Temporary: the same mail may get through tomorrow. */
export const NOT_NOW = anyOf(
  "temporar|(try|retry)( it)?( again)? later|not found, ?try again|come back later|gr[ea]y-?list|\\bdeferred\\b|\\bmaintenance\\b|at (this|the) (time|moment)\\b",
  "currently (un|not )available|currently (suspended|disabled|inactive|locked)|connection (refused|reset|timed)|no route to host|host (is )?unreachable|timed? ?out\\b|time-?out\\b",
  "(name|dns) ?(server|service)? (failure|timeout)|servfail|(lookup|query) (failed|failure|did not complete)|server misbehaving|(message|delivery) (time )?expired|in the queue too long|failing for a long time",
  "vorübergehend|temporair|temporal|временно|一時的",
);

const REFUSED_ABROAD =
  "(abgelehnt|abgewiesen|zur.ckgewiesen|verweigert|gesperrt|blockiert|refus|rejet|bloqu|rechazad|rejeitad|rifiutat|respint|bloccat|geweigerd|geblokkeerd|odrzucon|zablokowan|отклон|заблокир|запрещ|отказ|拒否|ブロック|拒绝|拒絕|차단)";
/** About the sender, in other languages; a notice also names the sender to whom it goes. */
const ABOUT_US_ABROAD = [
  `\\b(absender|exp[ée]diteur|remitente|remetente|mittente|afzender|nadawc)[^.;]{0,40}(${REFUSED_ABROAD}|unbekannt|ungültig|inconnu|non autoris|desconocid|desconhecid|no autorizad|sconosciut|onbekend|nieznan)`,
  `\\bip([ -]?(adress|address|adres|адрес)[а-яёa-z]*)?\\b([^.;]|\\.(?=\\d)){0,40}${REFUSED_ABROAD}|(発信元|送信元|отправител)[^.;。]{0,40}${REFUSED_ABROAD}`,
  "sperrliste|unerwünschte (mail|e-mail|nachricht|werbung)|liste noire|ind[ée]sirable|non sollicit|r[ée]putation|lista nera|lista negra|no deseado|correo basura|reputaci[oó]n|reputa[cç][aã]o|reputazione|indesiderat",
  "zwarte lijst|czarn(a|ej) li(sta|ście)|ч[её]рн[а-яё]* списк|репутаци|спам|迷惑メール|スパム|ブラックリスト|垃圾邮件|垃圾郵件|黑名单|黑名單|信誉|스팸|블랙리스트",
].join("|");

/** About us: our identity, our content, our rights. */
export const ABOUT_US = anyOf(
  "\\bsender|callback setup|verification failed for|return[ -]?path|envelope from|mail from\\b|from (address|domain|header)|\\b(ptr(?! record: lookup)|helo|ehlo|spf|dkim|dmarc|batv)\\b|invalid dns",
  "client (host|name|address|ip)|reverse|\\brdns\\b|\\byour (host|ip|server|domain|account|network|organi[sz]ation|reputation)\\b|\\byour (e-?mail )?address (is|was|does|has|could)\\b",
  "sending (ip|host|domain|account|user)|\\bout(bound|going)\\b|from (an? )?(unknown|unverified|outside|external)\\b|(allow(ed)?|white)[ -]?list|credentials|logged in",
  "spam|\\bscor(e|ed|ing)\\b|\\bjunk\\b|unsolicited|\\bbulk\\b|reputation|(block|black|deny|drop)[ -]?list|\\b\\w{0,6}(rbl|dnsbl)\\b|blocked (by|using|(for|due)(?!( to)? inactivity))",
  "(?<!\\b(not|longer) |n't )\\blisted\\b|\\bdynamic(ally)?\\b|\\bdial-?up\\b|\\bresidential\\b|\\b(start)?tls\\b|\\bssl\\b|encrypt(ed|ion)\\b|\\b(OU|SC|DY|RP)-00\\d\\b",
  "challenge|captcha|verify (you|that you)|to (be|get) (delivered|allowed|through)|(please|must|to) confirm\\b|confirmation (is )?required|prove (that )?you",
  "\\byou (are|have been) (blocked|banned|denied)\\b|\\brule imposed\\b|\\bE2110\\b",
  "\\bx509\\b|\\bcertificate\\b|(forbidden|blocked|suspicious|malicious|disallowed) (urls?|links?|files?|file types?|attachments?)\\b|attachments? [\\w ]{0,20}(not (allowed|accepted)|forbidden|blocked|rejected)",
  "malformed (e-?mail|message|mail|header)|\\bbad[_ ]header|\\bbare (lf|cr)\\b|\\bcomplaints?\\b|\\b(HVU|RTR|CON|DYN|RLY):[A-Z]{1,3}\\d?\\b|\\bip is (not|on|in)\\b",
  ABOUT_US_ABROAD,
  "banned|abus(e|ive)|virus|malware|phish|polic(y|ies)|prohibit|content|unwanted|relay|rcpthosts|authenticat|authori[sz]|not permitted",
);

/**
 * Block lists, by their names in links and hosts, and links to a list's query for an address. Our address in a link
 * proves nothing: large providers explain any refusal so, also that of an unknown mailbox.
 */
export const LISTED = anyOf(
  "spamhaus|spamcop|\\bsorbs\\b|uceprotect|barracudacentral|spamrats|mailspike|senderscore|invaluement|\\b(surbl|uribl)\\b",
  "\\b[\\w-]{0,20}(dnsbl|rbl|block-?list|black-?list|deny-?list|blackhole)[\\w-]{0,20}\\.[a-z]",
  "https?://\\S{0,100}(lookup|query|delist|remov|unblock|blocked|listed|reputation|spam|abuse)\\S{0,100}[=/]\\d{1,3}(\\.\\d{1,3}){3}|[?&]c=b(l|ip)\\b|\\b(POL|BLK|DNS)-[PT]\\d\\b",
);

/** The mail is too large for any limit. */
export const TOO_LARGE = anyOf(
  "\\b(message|e?-?mail|file|attachments?|body|headers?|data)\\b[\\w ]{0,20}\\btoo (large|big|long)|\\btoo (large|big) for\\b|\\boversized?\\b",
  "(max(imum)?|message|e?-?mail|fixed) [\\w ]{0,20}size [\\w ]{0,30}(exceed|limit)|exceed\\w* [\\w ]{0,30}(message|maximum|size)|size [\\w ]{0,20}exceed",
);

/** A mail loop: the mail never arrives, for any recipient. */
export const LOOP = anyOf(
  "\\b(mail|routing|forward(ing)?|message) loop|\\bloop(ing|s)? (detected|back)|\\bFWD\\.Loop\\b|too many hops|hop count",
);

/** The receiving server's own trouble. */
export const THEIR_TROUBLE = anyOf(
  "\\b(internal|database|\\w{0,7}sql|system|server|configuration|config|dns|ldap|lookup|directory|backend|software|network|i/?o) (software |lookup |query |server )?(error|failure|problem|fault|trouble)",
  "\\b(error|failure|problem)s? (in|of|with|while|when|on|during) [\\w ]{0,20}\\b(database|ldap|dns|configuration|system|look(ing)? ?up|server)|misconfigur",
  "\\b(unable to|can(no|')t|could( no|n')t|failed to) (look ?up|connect|contact|open|query|reach)\\b|out of memory|\\b(database|ldap|backend|directory)\\b[\\w ]{0,20}\\b(unavailable|unreachable|down)\\b|\\bldap\\b[^.;]{0,40}(fail|error|unavailable)",
);

/**
 * Denied, without blame: only words about the recipient beside it decide. "Mailbox name not allowed" is the standard
 * text of 553 (RFC 5321 §4.2.2).
 */
export const DENIED = anyOf(
  "\\bden(y|ied|ies)\\b|\\bblocked\\b|(?<!mailbox name )\\bnot allowed\\b|not accept(ing|ed)?\\b|refus(es?|ed|ing) to (accept|receive)",
  "\\brecipient preferences\\b|\\buser rejects?\\b|\\brejected by (the |its )?(recipient|user|owner)s?\\b",
);

/** Exchange Online's directory of recipients: the address has no mailbox. */
export const NOT_IN_DIRECTORY = /recipient address rejected: access denied/i;

/** Notes and Domino, in the languages of their servers. */
const NOT_IN_DOMINO = [
  "not (listed|found) in (the )?(domino directory|public (name|address))",
  "nicht (im|in der|in dem) [^.;]{0,30}(domino|adressbuch)|(domino|adressbuch)[^.;]{0,40}nicht (gefunden|aufgef|verzeichnet|aufgelistet|eingetragen|enthalten|vorhanden)",
  "non r.{1,4}pertori.{1,8}dans l.annuaire|no (se encuentra|figura|aparece|est[aá])[^.;]{0,20} (directorio|libreta) ",
  "non ([eè] )?(elencat|presente|trovat)[^.;]{0,30} (rubrica|directory|elenco) |n[aã]o (est[aá] )?(listad|encontrad|consta|relacionad)[^.;]{0,30} (domino|cat[aá]logo|diret[oó]rio)",
  "(domino ?ディレクトリ|アドレス帳)[^。]{0,20}(見つかりません|ありません|存在しません|(登録|記載|リスト)されていません)",
].join("|");
/** Yahoo puts these words in front of each mailbox fault, at the end of the message. */
const YAHOO =
  "delivery error: dd [^;]{0,160}(not a valid recipient|mailbox (is )?(unavailable|disabled)|disabled or discontinued|\\binactive\\b|does(n't| not) have)";

const WHO =
  "(user(s|id| ?name)?|recipient|rcpt|mailbox|mail ?drop|address(ee)?|account|person|customer|subscriber|member|alias|local.?part)";
const NOT_A_WHO = "(error|reason|failure|problem|command|response|cause|status)";
const NOT_THERE =
  "(not (be )?(active|known|found|recogni[sz]ed|listed|registered|present|located|exist|valid|a (known|valid|registered)|an? (active|existing))|(does|dos|did|do)(n't| not|nt|'nt) exist|(could|was|is)n't( be)? found|no longer (exists?|valid|in use|active|works|available|accepts)|nonexistent|non-existent)";

/** The address has no mailbox, or no longer. */
export const NOBODY_THERE = anyOf(
  `\\b${WHO}\\b[^.;!?]{0,80}\\b${NOT_THERE}\\b`,
  `\\b${WHO}\\b( name| id)?[^.;!?]{0,40}\\b(is |was )?(unknown|invalid)\\b(?! ${NOT_A_WHO})`,
  `\\b(unknown|no such|invalid|illegal|non-?existent|non existent|non-?existing|inactive|not an? (active|existing|valid|known|local))( or [\\w/]{1,20}| ?/ ?\\w{1,20})?( (local|e-?mail|final delivery|destination|virtual|internal|smtp))* (${WHO}|e-?mail)\\b`,
  "unrout(e)?able address|invalid/inactive|bad(ly)? (destination|recipient)|addresses were unknown|<?@>? not found|@>?[ .:]{0,5}(does|dos|did|do)(n't| not|nt|'nt) exist|non-?existent user|user has moved|no (valid )?recipients?( were)? found|(account|mailbox|user) (has )?expired",
  `\\bno (user|mail ?box|account|person|recipient|one|alias)\\b[^.;!?]{0,40}\\b(here|(by|with|of) (that|this) name|at this address|found|at (this|that) server|available for|currently available)`,
  "there is no one at|not our customer|no longer (works|here|with us|on (the |this )?server|a (member|customer))|wrong or no longer valid",
  `\\b(account|mailbox|user|address)\\b[^.;!?]{0,60}\\b(disabled|deactivated|deleted|inactiv(e|ity)|discontinued|terminated|closed|suspended|removed|cancell?ed|retired)\\b|\\b(deactivated|disabled|closed|inactive|suspended) (mailbox|account|user)\\b`,
  "does(n't| not) have an? ([\\w.@-]{1,40} ){0,3}(account|mailbox)|does not have a final e-?mail delivery point",
  "not (listed|found|present) in [\\w' ]{0,30}(directory|address ?book|database)|no matches to nameserver query|RecipientNotFound|RecipNotFound|ObjectNotFound|user ?unknown",
  NOT_IN_DOMINO,
  YAHOO,
  `\\b${WHO}\\b[^.;!?]{0,40}\\b(not (been )?activated|not a member of|is (now )?disabled)\\b|@>? is (now )?disabled\\b|user missing home directory`,
  "\\bRCP-P1\\b|account (is )?(not available|unavailable)\\b",
  "(did|does) not (exactly )?match an? [\\w@ ]{0,20}e?-?mail address|mailbox unavailable or not local|user not local",
  "(empf(ä|ae)nger|benutzer|nutzer|adresse|postfach|konto|mailbox)[^.;]{0,60}(unbekannt|existiert nicht|nicht (gefunden|vorhanden|bekannt|gültig))",
  "unbekannte[rs]? (empf|benutzer|nutzer|adress)|(utilisateur|destinataire|adresse|compte|bo[iî]te)[^.;]{0,80}(inconnu|n'existe pas|introuvable|inexistant|non recens)",
  "(usuario|destinatario|direcci[oó]n|cuenta|buz[oó]n)[^.;]{0,80}(no existe|desconocid|no (se )?(ha )?encontr|inexistente|inv[aá]lid)|no existe (dich|es[aet]|el |la )",
  "(usu[aá]rio|destinat[aá]rio|endere[cç]o|conta|caixa)[^.;]{0,80}(n[aã]o existe|desconhecid|inexistente|n[aã]o (foi )?encontrad|inv[aá]lid)",
  "(utente|destinatario|indirizzo|casella)[^.;]{0,80}(sconosciut|non esiste|inesistente|non trovat)|nessun utente|(gebruiker|ontvanger|adres)[^.;]{0,60}(onbekend|bestaat niet)",
  "(пользовател|получател|адрес|ящик|абонент)[^.;]{0,80}(не (существует|найден|зарегистрирован)|неизвест|отсутствует)|нет такого|несуществующ",
  "u[żz]ytkownik[^.;]{0,40}nie istnieje|u[žz]ivatel[^.;]{0,40}neexistuje|(användar|mottagar|brukere?n|mottaker|bruger|modtager)[^.;]{0,60}(finns inte|finnes ikke|findes ikke|okänd|ukjent|ukendt)",
  "(käyttäjä|vastaanottaja)[^.;]{0,40}(ei (löydy|ole olemassa)|tuntematon)|(kullanıcı|alıcı|adres)[^.;]{0,40}(bulunamadı|bulunmuyor|mevcut değil|yok)",
  "(사용자|수신자|계정|주소)[^.]{0,30}(존재하지|없습니다|찾을 수 없)|(找不到|沒有|没有|无此|無此|查无)(收件人|用户|用戶|使用者|邮箱)|(使用者|收件者)[^。]{0,20}(不存在|找不到)",
  "(宛先|ユーザ|アドレス|受信者)[^。]{0,40}(存在しません|見つかりません|不明|ありません)|(用户|收件人|邮箱)[^。]{0,20}(不存在|未找到)",
);

/** The domain of the address does not exist, or takes no mail (RFC 7505). */
export const NO_DOMAIN = anyOf(
  "\\b(domain|host)\\b( or domain)?( name)?( [\\w@-]{1,60})? (is )?(unknown|not (found|known)|does(n't| not) exist)|unknown (host|(mail )?domain)",
  "(invalid|bad|illegal|unknown|unrout(e)?able) (recipient |mail |destination )?(domain|host)\\b(?! name? ?server)|\\b(domain|host)( name)? (is )?(invalid|not valid|nonexistent)",
  "\\b(domain|host|destination)\\b[\\w /@-]{0,40} (does|do)(n't| not) accept (any |e-?)*mail\\b(?! from)|no (valid )?(mx|mail exchanger)s?\\b[\\w /-]{0,30}(record|host|found|for)|(mx|a) records? [\\w ]{0,20}(not found|point to non-?existent)|all relevant mx records point to",
  "no such (host|domain)|non-?existent (host|domain)|unrout(e)?able mail domain|couldn't find any host|null ?mx|nxdomain",
);

const SURELY = "(user|recipient|mailbox|mail box|account|addressee|customer|subscriber)";
/** A closed user or account may be our own at the relay. */
const CLOSED = "(disabled|deactivated|discontinued|terminated|closed|suspended|deleted|expired)";
const IS_NOBODY =
  "(not (be )?(known|found|recogni[sz]ed|exist)|(does|dos|did|do)(n't| not|nt|'nt) exist|(could|was|is)n't( be)? found|nonexistent|non-existent|unknown)";

/** These words are certain, with any code and at any step: many servers search the mailbox only after the message. */
export const SURELY_NOBODY = anyOf(
  `\\b${SURELY}\\b[^.;!?]{0,60}\\b${IS_NOBODY}\\b|\\b(recipient|mail ?box|addressee)\\b[^.;!?]{0,60}\\b(${NOT_THERE}|${CLOSED})\\b`,
  `\\b(unknown|no such|non-?existent) (or \\w{1,20} )?((local|virtual|e-?mail) )*${SURELY}\\b|\\b(invalid|inactive|disabled|deactivated|closed) (recipient|mail ?box)\\b`,
  "does(n't| not) have an? ([\\w.@-]{1,40} ){0,3}(account|mailbox)|no (mail ?box|user|account|person) (here|(by|with) (that|this) name)|not our (customer|user)\\b",
  "RecipientNotFound|RecipNotFound|user ?unknown|\\bRCP-P1\\b",
  // A table of recipients, and a closed account's text about its mail: such words are never about a sender.
  "\\b(not a valid|not a known|no valid) (recipient|user|mail ?box|addressee)s?\\b|account (has been |is )?disabled or discontinued|no longer accepts mail\\b",
  "\\bin my (valid|bad) ?(rcpt|recipient) ?to list|\\bunknown or illegal alias\\b|\\bunknown local.?part\\b|no longer on (the |this )?server",
  NOT_IN_DOMINO,
  YAHOO,
);

/** IronPort's words for a recipient missing in its directory. */
export const IRONPORT_UNKNOWN = /#5\.1\.0 address rejected/i;

/** A whole reply without a reason: the standard texts of these codes (RFC 5321 §4.2.3), or nothing. */
export const STANDARD =
  /^[\s\-:.,;#@<>()\d]*((requested|mail|action|not|taken|aborted|okay|mailbox|name|unavailable|allowed|is|user|local|please|try|recipient|rcpt|to|address|rejected|refused|failed|no|error|sorry|your|delivery|the|for|reply|in|after|from|remote|server|command|said|smtp|host|permanent|failure|following|or|one|more|recipients)\b[\s\-:.,;#@<>()\d'"[\]/]*)*$/i;

/** The standard text of 550, without a reason (RFC 5321 §4.2.3). */
export const UNAVAILABLE = /mailbox (is )?(unavailable|not available)/i;

/** The server itself only guesses. */
export const GUESS = anyOf("\\b(may|might) (also )?(be|not|have|no)\\b|perhaps|possibl[ey]|probably");

const REASONS = [
  FULL,
  TOO_MUCH,
  NOT_NOW,
  ABOUT_US,
  LISTED,
  TOO_LARGE,
  LOOP,
  THEIR_TROUBLE,
  DENIED,
  NOBODY_THERE,
  NO_DOMAIN,
  UNAVAILABLE,
  IRONPORT_UNKNOWN,
];

/** Whether the text has words of any group. */
export function isReason(text: string): boolean {
  const words = bareWords(text);
  return REASONS.some((group) => group.test(words));
}

function anyOf(...sources: readonly string[]): RegExp {
  return new RegExp(sources.join("|"), "iu");
}

const MAX_LINE_CHARS = 500;

/** Text on one line of at most 500 characters, without control characters. */
export function oneLine(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return clean.slice(0, MAX_LINE_CHARS).toWellFormed();
}
