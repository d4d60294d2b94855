// Refusals of the server, in German.
import type { Refusals } from "../server-words.ts";
import { OF_PEOPLE } from "./people-refusals.ts";
import { WAY_FIELDS } from "./way-refusals.ts";
import { workspaceFile } from "./workspace-file.ts";

const LIMITED: Readonly<Record<string, (most: string) => string>> = {
  views: (most) => `Es gibt schon ${most} Ansichten. Löschen Sie zuerst eine.`,
  notes: (most) => `Zu diesem Kontakt gibt es schon ${most} offene Notizen. Erledigen Sie zuerst einige.`,
  invitations: (most) => `Es gibt schon ${most} offene Einladungen. Ziehen Sie zuerst einige zurück.`,
  passkeys: (most) => `Sie haben schon ${most} Passkeys. Entfernen Sie zuerst einen.`,
  images: () =>
    "Mehr Bilder können hier nicht gespeichert werden. Löschen Sie zuerst welche, die nirgends verwendet werden.",
  hosts: (most) => `Es gibt schon ${most} Hosts, samt denen, die Links verschickter Mails nennen.`,
  domains: (most) => `Es gibt schon ${most} Domains. Entfernen Sie zuerst eine, die Sie nicht mehr brauchen.`,
  segments: (most) => `Es gibt schon ${most} Segmente. Löschen Sie zuerst eines, das Sie nicht mehr brauchen.`,
  workflows: (most) => `Es gibt schon ${most} Abläufe. Löschen Sie zuerst einen, den Sie nicht mehr brauchen.`,
  listeners: (most) => `Auf dieses Ereignis warten schon ${most} Abläufe. Schalten Sie zuerst einen davon aus.`,
  topics: (most) => `Es gibt schon ${most} Themen. Löschen Sie zuerst eines, das Sie nicht mehr brauchen.`,
  blocks: (most) => `Es gibt schon ${most} Bausteine. Löschen Sie zuerst einen, den Sie nicht mehr brauchen.`,
  forms: (most) => `Es gibt schon ${most} Formulare. Löschen Sie zuerst eines, das Sie nicht mehr brauchen.`,
  webhooks: (most) => `Es gibt schon ${most} Webhooks. Entfernen Sie zuerst einen, den Sie nicht mehr brauchen.`,
  rules: (most) => `Es gibt schon ${most} Regeln. Nehmen Sie zuerst eine weg.`,
  ways: (most) => `Es gibt schon ${most} weitere Versandwege. Entfernen Sie zuerst einen, den Sie nicht mehr brauchen.`,
  jobs: () => "Es läuft noch ein anderer Auftrag. Warten Sie, bis er fertig ist.",
};

/** Syntax errors of Liquid, by the server's message. The position follows. */
const SYNTAX: readonly (readonly [RegExp, string])[] = [
  [/^unknown filter "(.*)"/s, "Den Filter „$1“ gibt es nicht"],
  [/^"(.*)" without its opening tag/s, "„$1“ ohne Anfang"],
  [/^unknown tag "(.*)"/s, "„$1“ gibt es nicht"],
  [/^"(.*)" without "(.*)"/s, "Zu „$1“ fehlt „$2“"],
  [/^"\?\?" cannot stand in this tag/, "„??“ kann hier nicht stehen"],
  [/^a value is missing or cannot be read/, "Ein Wert fehlt oder ist nicht lesbar"],
  [/^tags are nested too deeply/, "Zu viele Ebenen ineinander"],
  [/^more than (\d+) characters in \{\{ \}\} and \{% %\}/, "Mehr als $1 Zeichen in {{ }} und {% %}"],
  [/^longer than (\d+) characters/, "Mehr als $1 Zeichen"],
];

function syntaxIn(message: string): string {
  const [, said = message, line = "", column = ""] = /^(.*) \(line (\d+), column (\d+)\)$/s.exec(message) ?? [];
  const known = SYNTAX.find(([pattern]) => pattern.test(said));
  if (known === undefined) return message;
  const place = line === "" ? "" : ` (Zeile ${line}, Spalte ${column})`;
  return said.replace(...known) + place;
}

/** Files that are not CSV. */
const OTHER_FILES = {
  zip_file: "Das ist ein ZIP-Archiv. Entpacken Sie es, und importieren Sie die CSV-Dateien daraus.",
  spreadsheet_file: "Das ist eine Tabelle, aber keine .xlsx. Speichern Sie sie als .xlsx oder CSV.",
  protected_file: "Diese Arbeitsmappe ist mit einem Passwort geschützt. Speichern Sie sie ohne Passwort.",
  broken_file: "Diese Arbeitsmappe ist beschädigt. Speichern Sie sie noch einmal als .xlsx oder als CSV.",
  big_file: "Diese Arbeitsmappe ist zu groß. Speichern Sie ihr Blatt als CSV.",
  compressed_file: "Das ist eine komprimierte Datei. Entpacken Sie sie, und importieren Sie die CSV-Datei daraus.",
  pdf_file: "Das ist ein PDF. Exportieren Sie die Liste als CSV.",
  picture_file: "Das ist ein Bild. Exportieren Sie die Liste als CSV.",
  document_file: "Das ist ein Textdokument. Übertragen Sie die Liste in eine Tabelle, und speichern Sie diese als CSV.",
  card_file: "Das ist ein Adressbuch (vCard). Exportieren Sie die Kontakte als CSV.",
  binary_file: "Das ist die Datei eines anderen Programms, kein Text. Exportieren Sie die Liste als CSV.",
  page_file: "Das ist eine Webseite oder XML. Exportieren Sie die Liste als CSV.",
  json_file: "Das ist JSON. Exportieren Sie die Liste als CSV.",
};

export const refusals: Refusals = {
  messages: { template_syntax: syntaxIn, workspace_file: workspaceFile },
  reasons: {
    other_user: () => "In diesem Browser ist jetzt jemand anderes angemeldet.",
    limit_reached: ({ what = "", most = "" }) => LIMITED[what]?.(most) ?? `Mehr als ${most} sind nicht möglich.`,
    saved_since: ({ name }) =>
      `${name || "Jemand anders"} hat das inzwischen gespeichert. Laden Sie es neu, damit nichts verloren geht.`,
    nothing_unconfirmed: () =>
      "Es wartet nichts mehr auf eine Bestätigung: Die Zeit war um, oder jemand hat schon entschieden.",
    image_in_use: () =>
      "Eine Mail, Vorlage, Kampagne oder frühere Version verwendet dieses Bild. Es kann erst gelöscht werden, wenn nichts mehr darauf verweist.",
    way_taken: () => "Es gibt schon einen Versandweg mit diesem Namen.",
    way_in_rule: ({ rule }) =>
      `Die Regel „${rule}“ nennt diesen Versandweg. Ändern oder entfernen Sie zuerst die Regel.`,
    no_sign_in: () => "Für diesen Versandweg meldet sich niemand an.",
    sign_in_refused: ({ problem = "" }) => `Der Dienst gibt keinen Code: ${problem}`,
    configured_way: () =>
      "Dieser Versandweg steht in der Konfiguration des Servers. Ändern Sie ihn dort, und starten Sie den Server neu. Anhalten können Sie ihn hier.",
    captures: () =>
      'Von diesem Server geht keine Mail hinaus: In seiner Konfiguration steht transport = "capture". Ändern Sie das zuerst.',
    name_taken: ({ name }) => `Es gibt schon einen Arbeitsbereich namens ${name}.`,
    domain_known: ({ domain }) => `Die Domain ${domain} gehört schon zu diesem Arbeitsbereich.`,
    link_host_taken: ({ host }) => `${host} wird auf diesem Server schon anderswo benutzt.`,
    domain_verified_elsewhere: ({ domain }) => `Die Domain ${domain} ist in einem anderen Arbeitsbereich bestätigt.`,
    sender_none: () => "Es gibt keinen Absender. Legen Sie eine Adresse einer bestätigten Domain fest.",
    domain_unverified: ({ domain }) =>
      `Die Domain ${domain} ist in diesem Arbeitsbereich nicht bestätigt. Veröffentlichen Sie ihre DNS-Einträge, oder senden Sie von einer bestätigten Domain.`,
    rotation_under_way: ({ selector }) =>
      `Der Schlüssel ${selector} wartet noch darauf, dass sein DKIM-Eintrag veröffentlicht wird.`,
    rotation_too_soon: ({ selector }) =>
      `Mails mit der Signatur des vorigen Schlüssels ${selector} sind noch unterwegs. Ersetzen Sie den Schlüssel später.`,
    alias_taken: ({ alias = "" }) =>
      `Eine andere Vorlage hat den Alias ${alias}. Wählen Sie einen anderen, oder nehmen Sie ihn dort zuerst weg.`,
    locked_out: ({ address }) =>
      `Sie kommen von ${address}: Damit wäre der letzte Schlüssel ausgesperrt, der alles darf. Nehmen Sie diese Adresse dazu, oder legen Sie zuerst einen zweiten an.`,
    overlap_runs: ({ until = "" }) =>
      `Das vorige Geheimnis gilt noch bis ${until.slice(0, 16).replace("T", " ")} UTC. Warten Sie so lange, oder ersetzen Sie ohne Übergang: Dann gilt sofort nur noch das neue.`,
    last_keys: () =>
      "Das ist der letzte Schlüssel, der den Arbeitsbereich verwalten darf. Erstellen Sie zuerst einen anderen.",
    ...OF_PEOPLE,
    topic_key_taken: ({ key }) => `Es gibt schon ein Thema mit dem Kürzel ${key}.`,
    topic_in_use: ({ users }) =>
      `Das Thema wird noch verwendet: ${users}. Ändern Sie das zuerst, oder verbergen Sie das Thema.`,
    segment_in_condition: ({ name }) => `Die Bedingung eines anderen Segments verwendet ${name}.`,
    segment_listened_to: ({ slug }) =>
      `Ein Ablauf wartet auf die Ereignisse von segment.${slug}, die mit dem neuen Namen enden würden. Schalten Sie ihn zuerst aus und beenden Sie ihn für alle darin.`,
    slug_taken: ({ slug }) => `Es gibt schon ein Segment mit dem Kürzel ${slug}.`,
    form_key_taken: ({ key }) => `Die Adresse ${key} verwendet schon ein anderes Formular.`,
    form_site: () => "Seiten dieser Website dürfen das Formular nicht senden.",
    view_name_taken: ({ name }) => `Es gibt schon eine Ansicht namens ${name}.`,
    still_in_use: () => "Das wird noch verwendet, oder etwas, worauf es verweist, wurde gerade gelöscht.",
    import_under_way: () => "Der Import läuft noch. Warten Sie, bis er fertig ist.",
    import_too_old: () => "Ein Import lässt sich sieben Tage lang rückgängig machen.",
    merged: () => "Diese Person wurde mit einer anderen zusammengeführt.",
    former_address: () => "Diese Person hat inzwischen eine andere Adresse.",
    merge_pending: ({ email }) => `${email} hat die Anmeldung noch nicht bestätigt.`,
    merge_under_way: () =>
      "Die Vorgeschichte einer dieser Personen wird noch übernommen. Versuchen Sie es in ein paar Sekunden noch einmal.",
    duplicates_not_found: () => "Suchen Sie zuerst nach Dubletten, und warten Sie, bis die Suche fertig ist.",
    duplicates_changed: () =>
      "Nach Dubletten wurde inzwischen noch einmal gesucht. Sehen Sie sich die neue Vorschau an.",
    merging_duplicates: () =>
      "Gerade werden alle mit demselben Postfach zusammengeführt. Warten Sie, bis das fertig ist.",
    merge_too_old: () => "Eine Zusammenführung lässt sich sieben Tage lang rückgängig machen.",
    merged_again: () =>
      "Diese Person wurde inzwischen mit einer anderen zusammengeführt. Machen Sie zuerst das rückgängig.",
    address_is_contacts: ({ email }) => `Es gibt schon eine Person mit der Adresse ${email}.`,
    no_confirmation_sender: () =>
      "Keine bestätigte Domain kann die Bestätigungsmail senden. Bestätigen Sie eine, oder schalten Sie Double-Opt-in aus.",
    executions_inside: () => "In diesem Ablauf sind noch Personen. Beenden Sie ihn zuerst für alle darin.",
    no_entry_again: () => "Diese Person ist in diesem Ablauf, oder sie war es und darf nicht noch einmal eintreten.",
    left_topic: ({ email, topic }) => `${email} bekommt keine Mails zum Thema ${topic}.`,
    paused: ({ email, until = "" }) => `${email} hat Marketing-Mails bis ${until.slice(0, 10)} pausiert.`,
    suppressed: ({ email }) => `${email} ist gesperrt: Dorthin gehen keine Mails.`,
    several_suppressed: ({ emails }) => `Diese Adressen sind gesperrt: ${emails}. Dorthin gehen keine Mails.`,
    suppressed_erased: ({ email }) =>
      `${email} ist gesperrt, denn die Person wurde gelöscht. Möchte sie wieder Mails, legen Sie den Kontakt neu an und heben Sie dort die Sperre auf.`,
    unsubscribed: ({ email }) => `${email} hat keine Marketing-Mails abonniert.`,
  },
  codes: {
    SIGN_IN_FAILED: "Adresse und Passwort oder Passkey passen nicht zusammen.",
    PASSKEY_NEEDED: "Das Passwort stimmt. Für dieses Konto ist zusätzlich ein Passkey nötig.",
    CODE_NEEDED: "Das Passwort stimmt. Für dieses Konto ist zusätzlich ein Code nötig.",
    SESSION_ENDED: "Ihre Sitzung ist beendet. Melden Sie sich neu an.",
    PROOF_NEEDED: "Dafür müssen Sie bestätigen, dass Sie es sind.",
    LINK_NOT_FOUND: "Dieser Link ist unbekannt, schon benutzt oder abgelaufen. Bitten Sie um einen neuen.",
    FORBIDDEN: "Dazu fehlt Ihnen die Berechtigung.",
    CROSS_SITE: "Öffnen Sie die Seiten unter der Adresse dieses Servers.",
    WORKSPACE_DISABLED: "Der Arbeitsbereich ist gesperrt.",
    WORKSPACE_NOT_FOUND: "Diesen Arbeitsbereich gibt es nicht, oder Sie gehören nicht dazu.",
    EMAIL_STATE: "Der Zustand dieser Mail lässt das nicht zu.",
    EMAIL_NOT_FOUND: "Diese Mail oder ihr Inhalt ist nicht mehr da.",
    KEY_NOT_FOUND: "Diesen Schlüssel gibt es nicht mehr.",
    DOMAIN_NOT_FOUND: "Diese Domain gibt es hier nicht mehr.",
    REPORT_NOT_FOUND: "Diesen Bericht gibt es hier nicht mehr.",
    USER_NOT_FOUND: "Diese Person gibt es hier nicht mehr.",
    BRAKE_NOT_FOUND: "Dieser Anbieter bekommt schon wieder Mails mit vollem Tempo.",
    WAY_NOT_FOUND: "Diesen Versandweg gibt es nicht mehr.",
    INVITATION_NOT_FOUND: "Diese Einladung gibt es nicht mehr.",
    SESSION_NOT_FOUND: "Diese Sitzung ist schon beendet.",
    PASSKEY_NOT_FOUND: "Diesen Passkey gibt es nicht mehr.",
    IDENTITY_NOT_FOUND: "Diese Verknüpfung gibt es nicht mehr.",
    PAYLOAD_TOO_LARGE: "Das ist zu viel für eine Anfrage.",
    RATE_LIMIT_EXCEEDED: "Das waren zu viele Anfragen. Warten Sie einen Moment.",
    SERVER_BUSY: "Der Server ist gerade ausgelastet. Versuchen Sie es gleich noch einmal.",
    STORE_UNAVAILABLE: "Die Datenbank antwortet gerade nicht. Versuchen Sie es gleich noch einmal.",
    CAMPAIGN_STATE: "Der Zustand dieser Kampagne lässt das nicht zu.",
    WORKFLOW_STATE: "Der Zustand dieses Ablaufs lässt das nicht zu.",
    WEBHOOK_STATE: "Der Zustand dieses Webhooks lässt das nicht zu.",
    NO_RECIPIENTS: "Niemand würde diese Kampagne bekommen.",
    MARKETING_STOPPED: "Marketing-Mails sind gestoppt: Zu viele Mails kamen zurück oder wurden als Spam gemeldet.",
    RECIPIENT_SUPPRESSED: "Diese Adresse ist gesperrt und bekommt keine Mails.",
    CONTACT_UNSUBSCRIBED: "Diese Person hat abbestellt und bekommt keine Marketing-Mails.",
    SEGMENT_NOT_STATIC: "Wer zu diesem Segment gehört, bestimmt seine Bedingung.",
    CONTACT_NOT_FOUND: "Diese Person gibt es nicht mehr.",
    NOTE_NOT_FOUND: "Diese Notiz gibt es nicht mehr.",
    SEGMENT_NOT_FOUND: "Dieses Segment gibt es nicht mehr.",
    TEMPLATE_NOT_FOUND: "Diese Vorlage gibt es nicht mehr.",
    CAMPAIGN_NOT_FOUND: "Diese Kampagne gibt es nicht mehr.",
    WORKFLOW_NOT_FOUND: "Diesen Ablauf gibt es nicht mehr.",
    WEBHOOK_NOT_FOUND: "Diesen Webhook gibt es nicht mehr.",
    DELIVERY_NOT_FOUND: "Diese Zustellung gibt es nicht mehr.",
    VERSION_NOT_FOUND: "Diese Version gibt es nicht mehr.",
    IMAGE_NOT_FOUND: "Dieses Bild gibt es nicht mehr.",
    TOPIC_NOT_FOUND: "Dieses Thema gibt es nicht mehr.",
    SUPPRESSION_NOT_FOUND: "Diese Sperre gibt es nicht mehr.",
    BLOCK_NOT_FOUND: "Diesen Baustein gibt es nicht mehr.",
    FORM_NOT_FOUND: "Dieses Formular gibt es nicht mehr.",
    JOB_NOT_FOUND: "Diesen Auftrag gibt es nicht mehr.",
    RECIPIENTS_GONE: "Die Liste der Empfänger dieser Kampagne ist nicht mehr gespeichert. Ihre Zahlen bleiben.",
    CONTENT_GONE: "Der Inhalt dieser Mail ist nicht mehr gespeichert.",
    VALIDATION_ERROR: "Die Eingabe ist nicht gültig.",
    INTERNAL_ERROR: "Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es noch einmal.",
  },
  fields: {
    ...WAY_FIELDS,
    "password.too_small": "Ein Passwort hat mindestens 10 Zeichen.",
    "password.common": "Dieses Passwort ist leicht zu erraten. Wählen Sie ein anderes.",
    "password.required": "Es fehlt ein Passwort oder ein Passkey.",
    "name.invalid": "Ein Name hat 1 bis 100 Zeichen, keine Zeilenumbrüche und keine Leerzeichen am Rand.",
    "name.too_small": "Geben Sie einen Namen ein.",
    ...OTHER_FILES,
    required: "Dieses Feld darf nicht leer bleiben.",
    too_small: "Das ist zu kurz.",
    too_big: "Das ist zu lang.",
    "pausedUntil.not_subscribed": "Nur wer abonniert hat, kann pausieren.",
    invalid_email: "Das ist keine E-Mail-Adresse.",
    invalid_domain: "Das ist kein Domainname.",
    never_happened: "Dieses Ereignis ist noch nie vorgekommen, und kein Formular sendet es.",
    public_event:
      "Dieses Ereignis kann jeder mit einem öffentlichen Schlüssel melden, und dieser Schritt zeigt seine Daten: Fremde könnten so eigene Texte und Links verschicken. Legen Sie unter Einstellungen → Allgemein fest, welche Ereignisse öffentliche Schlüssel melden dürfen, und melden Sie dieses mit einem geheimen Schlüssel.",
    "steps.name.too_small": "Geben Sie einen Namen ein.",
    "steps.config.amount.too_small": "Mindestens 1.",
    "steps.config.amount.too_big": "Höchstens 365 Tage.",
    "steps.config.timeout.too_small": "Mindestens 1 Minute.",
    "steps.config.timeout.too_big": "Höchstens 365 Tage.",
    "steps.config.field.invalid": "Wählen Sie ein Feld.",
    "steps.config.required": "Setzen Sie Daten, das Abo oder beides.",
    "steps.config.templateId.required": "Wählen Sie eine Vorlage, die einen Absender hat.",
    "steps.config.templateId.not_found": "Diese Vorlage gibt es nicht.",
    "steps.config.eventName.too_small": "Nennen Sie ein Ereignis.",
    "eventName.too_small": "Nennen Sie ein Ereignis.",
    "triggerConfig.eventName.too_small": "Nennen Sie ein Ereignis.",
    "triggerConfig.segmentId.too_small": "Wählen Sie ein Segment.",
    "steps.config.url.too_small": "Geben Sie eine Adresse ein.",
    invalid_url: "Die Adresse beginnt mit http:// oder https:// und einem festen Host.",
    invalid_header: "Dieser Header kann nicht gesetzt werden.",
    header_without_value: "Der Header hat keinen Wert: Auf seinen Namen folgen ein Doppelpunkt und der Wert.",
    header_characters: "Der Wert enthält Zeichen, die in einem Header nicht vorkommen können.",
    invalid_period: "Der Zeitraum endet, bevor er beginnt.",
    invalid_cron: "Das ist kein Zeitplan aus fünf Teilen.",
    invalid_timezone: "Das ist keine Zeitzone.",
    invalid_time_zone: "Das ist keine Zeitzone.",
    "entryKey.invalid": "Der Wert braucht ein Feld des Ereignisses, etwa {{ event.order }}.",
    closed_port: "Diesen Port rufen Webhooks nicht auf.",
    unreachable: "Nichts führt zu diesem Schritt.",
    circle: "Die Schritte bilden einen Kreis.",
    unknown_member: "Diese Person gehört nicht zu diesem Arbeitsbereich.",
    unknown_branch: "Diesen Zweig hat der Schritt nicht.",
  },
};
