// Sender domains, in German.
import type { domains as english } from "../en/domains.ts";

export const domains: typeof english = {
  add: "Domain hinzufügen",
  all: "Alle Domains",
  domain: "Domain",
  domainHelp: "Der Teil der Absenderadresse nach dem @. Eine Subdomain hat einen eigenen Ruf.",
  empty: {
    title: "Eine Domain bestätigen",
    text: "Gesendet wird nur von Domains, die nachweislich Ihnen gehören. Fügen Sie eine hinzu, veröffentlichen Sie ihre DNS-Einträge und sehen Sie hier zu, wie sie grün werden.",
  },
  conditions: {
    verified: "bestätigt",
    forced: "ohne Prüfung bestätigt",
    failing: "DKIM fehlt",
    waiting: "noch nicht bestätigt",
  },
  found: (found, all) => `${found} von ${all}`,
  isVerified: (domain) => `${domain} ist bestätigt. Von ihr darf gesendet werden.`,
  watches: (seconds) => `Fragt die Nameserver alle ${seconds} Sekunden, solange diese Seite offen ist.`,
  watchesHourly: "Der Server fragt die Nameserver stündlich.",
  lastLook: (seconds) => (seconds === 1 ? "Zuletzt vor 1 Sekunde." : `Zuletzt vor ${seconds} Sekunden.`),
  lastLookAt: (ago) => `Zuletzt ${ago}.`,
  noLook: "Noch nicht gefragt.",
  zone: "Zonendatei",
  mailIt: "An meinen Admin mailen",
  letter: {
    subject: (domain) => `DNS-Einträge für ${domain}`,
    please: (domain) =>
      `Hallo, bitte veröffentlichen Sie diese DNS-Einträge, damit Mails von ${domain} gesendet werden können:`,
    type: "Typ",
    name: "Name",
    value: "Wert",
    instead: "Statt",
    lookups:
      "Ein SPF-Eintrag darf höchstens 10 DNS-Abfragen brauchen, und dieser braucht mehr: Entfernen Sie zuerst ein include, das nicht mehr gebraucht wird.",
    thanks: "Sie werden innerhalb einer Stunde gefunden. Vielen Dank!",
  },
  means: {
    waiting: "Mails von dieser Domain werden abgelehnt, bis der DKIM-Eintrag gefunden ist.",
    waitingText:
      "Danach werden sie sofort angenommen. SPF und DMARC sind Empfehlungen: Sie entscheiden, wo Ihre Mails landen, nicht ob sie gesendet werden.",
    forced: "Diese Domain wurde ohne Prüfung ihrer DNS-Einträge als bestätigt markiert.",
    forcedText:
      "Mails werden von ihr gesendet. Veröffentlichen Sie die Einträge unten, damit Empfänger die Signatur prüfen können.",
    failing: "Der DKIM-Eintrag ist verschwunden.",
    failingText: (until) => `Bis ${until} werden Mails noch gesendet. Veröffentlichen Sie den Eintrag vorher wieder.`,
    stopped: "Mails von dieser Domain warten oder schlagen fehl.",
    stoppedText: "Der DKIM-Eintrag fehlt schon zu lange. Es geht von selbst weiter, sobald er wieder gefunden ist.",
    service: (name) => `${name} hat diese Domain noch nicht bestätigt.`,
  },
  purposes: {
    DKIM: "DKIM",
    SPF: "SPF",
    DMARC: "DMARC",
    RETURN_PATH: "Return-Path",
    INBOUND: "Eingang",
    REPORT_PERMISSION: "Berichte an eine andere Domain",
    TLS_REPORTS: "TLS-Berichte",
  },
  whatFor: {
    DKIM: "Posthorns Signatur. Nur dieser Eintrag ist zum Senden nötig.",
    SPF: "Sagt, wessen Server für Sie senden dürfen.",
    DMARC: "Sagt, was Empfänger mit Mails tun sollen, die nur vorgeben, von Ihnen zu sein.",
    RETURN_PATH: "Bringt Rückläufer zu diesem Server.",
    INBOUND:
      "Bringt alle Mails an diese Domain zu diesem Server. Lassen Sie ihn weg, wenn es unter dieser Domain Postfächer gibt oder hier keine Mails ankommen sollen.",
    REPORT_PERMISSION:
      "Sagt, dass die Adresse für Berichte, die zu einer anderen Domain gehört, sie haben will. Er gehört in das DNS jener Domain.",
    TLS_REPORTS: "Bittet andere Server zu berichten, ob Mails an diese Domain verschlüsselt wurden.",
  },
  without: {
    DKIM: "Ohne ihn wird von der Domain keine Mail gesendet.",
    SPF: "Ohne ihn landen mehr Mails im Spam. Unter einem Namen steht nur ein SPF-Eintrag: Ergänzen Sie den vorhandenen.",
    DMARC: "Ohne ihn lehnen große Anbieter Mails ab oder legen sie in den Spam.",
    RETURN_PATH: "Ohne ihn kommen keine Bounces an, und es wird weiter an Adressen gesendet, die es nicht gibt.",
    INBOUND: "Ohne ihn kommen Mails an die Domain nicht hier an; das Senden funktioniert.",
    REPORT_PERMISSION: "Ohne ihn schicken viele Empfänger keine DMARC-Berichte hierher.",
    TLS_REPORTS:
      "Ohne ihn berichtet niemand, wenn sich Mails an die Domain nicht verschlüsseln ließen; das Senden funktioniert.",
  },
  states: {
    OK: "gefunden",
    WRONG: "vorhanden, aber nicht so, wie er sein soll",
    MISSING: "noch nicht da",
    UNKNOWN: "noch keine Antwort",
  },
  optional: "nur bei Bedarf",
  type: "Typ",
  name: "Name",
  value: "Wert",
  until: "Nötig bis",
  orShort: "oder, wo der Anbieter die Domain selbst anhängt,",
  copyName: "Name kopieren",
  copyValue: "Wert kopieren",
  change: "Im DNS steht die erste Zeile. Ersetzen Sie sie durch die zweite:",
  merge: (count) => `Im DNS stehen ${count} Einträge. Ersetzen Sie sie durch die letzte Zeile:`,
  unknown: (name) =>
    `Die Nameserver haben zu ${name} noch nicht geantwortet. An Ihrer Eingabe ist nichts falsch; neue Namen brauchen bis zu einer Stunde.`,
  oneSpf: "Behalten Sie nur einen Eintrag: Zwei SPF-Einträge zählen wie keiner.",
  placeholders: {
    spf: "Setzen Sie für <…> ein, was Ihr Relay verlangt; seine Anleitung nennt es SPF oder Absenderprüfung.",
    host: "Der Server kennt seinen eigenen Namen nicht: Mit smtp.hostname in seiner Konfiguration wird der Wert vollständig.",
  },
  done: "Gefundene Einträge",
  foundSince: "gefunden",
  also: "Außerdem gut zu wissen",
  alsoText: "Nichts davon hält Mails auf.",
  topics: { BIMI: "BIMI", MTA_STS: "MTA-STS", DANE: "DANE" },
  topicStates: { PRESENT: "vorhanden", ABSENT: "nicht vorhanden", INVALID: "ungültig", UNKNOWN: "noch nicht bekannt" },
  rotate: {
    action: "DKIM-Schlüssel ersetzen …",
    title: (domain) => `DKIM-Schlüssel von ${domain} ersetzen?`,
    text: "Hier erscheint ein zweiter Eintrag. Veröffentlichen Sie ihn neben dem ersten; der neue Schlüssel signiert, sobald er gefunden ist, und der alte Eintrag kann sieben Tage später entfernt werden. Keine Mail wird aufgehalten.",
    underWay: "Der Schlüssel wird schon ersetzt.",
  },
  remove: {
    action: "Domain entfernen …",
    title: (domain) => `${domain} entfernen?`,
    text: "Von ihr wird nichts mehr gesendet: Wartende Mails schlagen fehl. Ihre DKIM-Schlüssel werden verworfen. Fügen Sie die Domain wieder hinzu, bekommt sie neue.",
  },
};
