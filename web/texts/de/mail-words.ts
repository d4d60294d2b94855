// Outcomes of emails, in German: refusals with advice, reasons to wait, and events.
import type * as english from "../en/mail-words.ts";

const LATER = "Senden Sie sie in einigen Stunden erneut. Posthorn hat alle vorgesehenen Versuche gemacht.";

export const reasons: typeof english.reasons = {
  NO_MAILBOX: {
    brief: "Kein Postfach",
    title: "Das Postfach gibt es nicht.",
    text: (domain) => `${domain} kennt niemanden unter dieser Adresse.`,
    todo: [
      "Suchen Sie nach einem Tippfehler in der Adresse und fragen Sie nach der richtigen.",
      "Mails an diese Adresse schlagen wieder fehl, bis sie berichtigt ist.",
    ],
  },
  NO_DOMAIN: {
    brief: "Keine Domain",
    title: "Die Domain gibt es nicht, oder sie nimmt keine Mails an.",
    text: (domain) => `Das DNS nennt keinen Mailserver für ${domain}.`,
    todo: ["Suchen Sie nach einem Tippfehler hinter dem @ und fragen Sie nach der richtigen Adresse."],
  },
  FULL: {
    brief: "Postfach voll",
    title: "Das Postfach ist voll.",
    text: (domain) => `${domain} kennt die Adresse, hat aber keinen Platz für weitere Mails.`,
    todo: ["Senden Sie sie in einigen Tagen erneut: Bis dahin ist vielleicht Platz."],
  },
  TOO_LARGE: {
    brief: "Zu groß",
    title: "Die Mail ist der Gegenseite zu groß.",
    text: (domain) => `${domain} nimmt nur kleinere Mails an.`,
    todo: ["Hängen Sie kleinere Dateien an, oder senden Sie stattdessen einen Link."],
  },
  SPAM: {
    brief: "Als Spam abgelehnt",
    title: "Sie wurde als Spam abgelehnt.",
    text: (domain) => `Ihr Inhalt oder ihr Absender sah für ${domain} nach Spam aus.`,
    todo: [
      "Ändern Sie zuerst den Text: Derselbe Text wird wieder abgelehnt.",
      "Prüfen Sie, ob SPF, DKIM und DMARC der Absenderdomain in Ordnung sind.",
    ],
  },
  LISTED: {
    brief: "Auf einer Sperrliste",
    title: "Der sendende Server steht auf einer Sperrliste.",
    text: (domain) => `${domain} nimmt von dieser IP-Adresse keine Mails an.`,
    todo: [
      "Fragen Sie den Betreiber dieses Servers: Die Sperrliste in der Antwort sagt, wie man von ihr gestrichen wird.",
    ],
  },
  UNPROVEN: {
    brief: "Absender nicht bestätigt",
    title: "Der Absender ließ sich nicht bestätigen.",
    text: (domain) => `SPF, DKIM oder DMARC ist bei ${domain} fehlgeschlagen.`,
    todo: ["Prüfen Sie die DNS-Einträge der Absenderdomain und senden Sie sie dann erneut."],
  },
  TOO_MUCH: {
    brief: "Zu viele Mails",
    title: "Es kamen zu viele Mails auf einmal.",
    text: (domain) => `${domain} begrenzt, wie viel es annimmt.`,
    todo: [LATER],
  },
  NO_ANSWER: {
    brief: "Keine Antwort",
    title: "Der Mailserver hat nicht geantwortet.",
    text: (domain) => `Kein Server, der Mails für ${domain} annimmt, war erreichbar.`,
    todo: [LATER],
  },
  NOT_NOW: {
    brief: "Jetzt nicht",
    title: "Der Mailserver hat um Geduld gebeten.",
    text: (domain) => `${domain} hat sie zu dieser Zeit nicht angenommen.`,
    todo: [LATER],
  },
  REFUSED: {
    brief: "Abgelehnt",
    title: "Sie wurde abgelehnt.",
    text: (domain) => `${domain} nannte keinen Grund, den Posthorn kennt. Der Wortlaut steht darunter.`,
    todo: ["Lesen Sie die Antwort: Oft enthält sie einen Link, der sie erklärt."],
  },
};

export const held: typeof english.held = {
  CAMPAIGN_PAUSED: {
    title: "Ihre Kampagne ist pausiert.",
    text: "Sie wird gesendet, wenn die Kampagne fortgesetzt wird.",
  },
  CAMPAIGN_BLOCKED: {
    title: "Ihre Kampagne kann nicht fortgesetzt werden.",
    text: "Die Kampagne sagt, warum. Danach wird die Mail gesendet.",
  },
  MARKETING_STOPPED: {
    title: "Marketing-Mails sind gestoppt.",
    text: "Zu viele Mails kamen zurück oder wurden als Spam gemeldet. Sie wird gesendet, wenn Marketing-Mails wieder erlaubt sind.",
  },
  CLOCK_IN_DOUBT: {
    title: "Die Uhr des Servers ist zweifelhaft.",
    text: "Sie ist vorgesprungen, daher ist unklar, ob die Mail schon fällig ist. Sie wird gesendet, sobald die Uhr wieder stimmt.",
  },
  WORKSPACE_DISABLED: {
    title: "Der Arbeitsbereich ist gesperrt.",
    text: "Sie wird gesendet, wenn ein Inhaber den Arbeitsbereich entsperrt.",
  },
  OPERATOR: {
    title: "Der Betreiber dieses Servers hat sie angehalten.",
    text: "Sie wird gesendet, wenn er sie freigibt. Fragen Sie ihn.",
  },
  PROVIDER_PACE: {
    title: "Ihr Mailanbieter bekommt zurzeit weniger Mails.",
    text: "Er hat um weniger gebeten, deshalb gehen Mails an ihn nach und nach hinaus. Es ist nichts zu tun.",
  },
};

export const past: typeof english.past = {
  accepted: "Angenommen",
  acceptedBy: {
    TRANSACTIONAL: "Gesendet über die API oder per SMTP.",
    CAMPAIGN: (name) => (name === "" ? "Gesendet von einer Kampagne." : `Gesendet von der Kampagne „${name}“.`),
    WORKFLOW: (name) => (name === "" ? "Gesendet von einem Ablauf." : `Gesendet vom Ablauf „${name}“.`),
    INBOUND: "Kam von außen.",
  },
  withKey: (name, way) => `${name === "" ? "Mit einem Schlüssel" : `Mit dem Schlüssel „${name}“`}, über ${way}.`,
  byPerson: (name, way) => `Von ${name}, über ${way}.`,
  request: (id) => `Anfrage ${id}`,
  repeats: "Wiederholt eine frühere Mail.",
  tried: (number, reply, took) => `Versuch ${number}: ${reply}${took === "" ? "" : ` (${took})`}`,
  later: (number) => `Beim ${number}. Versuch aufgeschoben`,
  unanswered: (number) => `Beim ${number}. Versuch gesendet, aber nicht bestätigt`,
  delayed: "Von einem späteren Server aufgeschoben",
  failed: (number) => `Beim ${number}. Versuch abgelehnt`,
  report: "Rückläuferbericht",
  notSent: "Nicht gesendet",
  sent: "An den nächsten Mailserver gesendet",
  sentTo: (host) => `An ${host} gesendet`,
  to: (address) => `Sie ging an ${address}.`,
  refusedBy: (host, address) => `${host} sollte sie für ${address} annehmen.`,
  webhooks: {
    delivered: "Webhook zugestellt",
    later: "Webhook aufgeschoben",
    failed: "Webhook fehlgeschlagen",
    underWay: "Webhook aufgerufen",
  },
  webhookOf: (workflow, host) => `Der Ablauf „${workflow}“ hat ${host} aufgerufen.`,
  delivered: "Zugestellt",
  deliveredText: "Der nächste Mailserver hat gemeldet, dass sie angekommen ist.",
  hardBounce: "Endgültiger Rückläufer",
  hardBounceText:
    "Das Abo wurde beendet, es gehen keine Marketing-Mails mehr an diese Person. Transaktionsmails werden weiter gesendet.",
  softBounce: "Vorläufiger Rückläufer",
  softBounceText: "Die Adresse bleibt, wie sie ist: Eine andere Mail kommt vielleicht durch.",
  complained: "Als Spam gemeldet",
  complainedText: "Das Abo wurde beendet.",
  opened: (times) => (times === 1 ? "Von einem Menschen geöffnet" : `Von einem Menschen geöffnet, ${times}-mal`),
  clicked: (times) => (times === 1 ? "Von einem Menschen geklickt" : `Von einem Menschen geklickt, ${times}-mal`),
  machineOpened: "Von einem Bot geöffnet",
  machineOpenedText: "Ein Programm hat die Bilder geholt. Zählt nicht.",
  machineClicked: "Von einem Bot geklickt",
  machineClickedText: "Ein Prüfprogramm hat nachgesehen, wohin der Link führt. Zählt nicht.",
  unsubscribed: "Über diese Mail abbestellt",
  unsubscribedText: "Der Empfänger hat den Link am Ende benutzt.",
  leftTopic: "Thema über diese Mail abgewählt",
  leftTopicText: (topic) => `Der Empfänger möchte keine Mails zum Thema ${topic} mehr.`,
  skipped: "Nicht gesendet",
  skippedText: "Der Empfänger hatte abbestellt, bevor sie gesendet wurde.",
  cancelled: "Abgebrochen",
  cancelledBy: {
    PERSON: (name) => `Von ${name}. Sie wird nicht gesendet.`,
    KEY: (name) =>
      `${name === "" ? "Mit einem API-Schlüssel" : `Mit dem API-Schlüssel „${name}“`}. Sie wird nicht gesendet.`,
    COMMAND_LINE: () => "Vom Betreiber dieses Servers. Sie wird nicht gesendet.",
  },
  resent: "Erneut gesendet",
  received: "Empfangen",
  receivedText: (from) => `Von ${from}.`,
};

export const move: typeof english.move = {
  name: "Zeit ändern",
  time: "Senden am",
  save: "Speichern",
  noTime: "Wählen Sie einen Zeitpunkt in der Zukunft.",
  all: "Das gilt für alle Empfänger der Nachricht.",
  done: "Zeit geändert.",
  now: "Jetzt senden",
  ask: "Diese Mail jetzt senden?",
  text: (to) => `${to} bekommt sie sofort.`,
  sent: "Sie wird gesendet.",
};
