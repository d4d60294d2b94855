// The settings of a workspace, in German.
import type { workspace as english } from "../en/workspace.ts";

export const workspace: typeof english = {
  save: "Speichern",
  saveVerb: "Einstellungen des Arbeitsbereichs speichern",
  saved: "Einstellungen gespeichert.",
  forget: "Verwerfen",
  nothingChanged: "Es wurde noch nichts geändert.",
  general: {
    title: "Allgemein",
    text: "Ein Arbeitsbereich hat eigene Kontakte, Mails, Schlüssel und Domains. Seinen Namen lesen Empfänger auf Ihren Seiten.",
  },
  name: "Name",
  language: "Sprache für Empfänger",
  languageHelp: "Für Kontakte, deren eigene Sprache nicht bekannt ist.",
  timeZone: "Zeitzone",
  timeZoneHelp: (own) =>
    `Für die Zeiten, zu denen Kampagnen geplant werden. Ohne Angabe gilt die des jeweiligen Computers: hier ${own}.`,
  id: "ID des Arbeitsbereichs",
  idHelp: "Für den Support und für den Header X-Workspace.",
  marketing: {
    title: "Marketing-Mails",
    text: "Was das Gesetz verlangt und was Sie erfahren möchten. Transaktionsmails haben keine Fußzeile.",
  },
  postalAddress: "Postanschrift",
  postalAddressHelp: "Steht in der Fußzeile jeder Marketing-Mail. In vielen Ländern ist sie Pflicht.",
  tracking: "Öffnungen und Klicks",
  trackings: { ENABLED: "Alle Mails", MARKETING_ONLY: "Nur Marketing", DISABLED: "Aus" },
  trackingMeans: {
    ENABLED: "Öffnungen und Klicks werden bei jeder Mail gezählt, sofern die Mail nichts anderes festlegt.",
    MARKETING_ONLY:
      "Nur bei Marketing-Mails werden Öffnungen und Klicks gezählt; Transaktionsmails bleiben unverändert.",
    DISABLED:
      "Keine Mail enthält ein Zählpixel oder umgeleitete Links. Kampagnen zeigen dann weder Öffnungen noch Klicks.",
  },
  doubleOptIn: "Double-Opt-in",
  doubleOptInHelp:
    "Wer neu abonniert, bekommt eine Mail und muss innerhalb von sieben Tagen bestätigen. Bis dahin gibt es keine Marketing-Mails.",
  confirmationsFrom: "Bestätigungsmails von",
  fromName: "Name",
  fromNameHelp: "Bleibt das Feld leer: der Name des Arbeitsbereichs.",
  fromAddress: "Adresse",
  fromAddressHelp: "Mit einer bestätigten Domain. Bleibt das Feld leer: no-reply@ Ihrer neuesten bestätigten Domain.",
  seePages: "Ansehen, was Empfänger sehen",
  page: {
    title: "Einstellungsseite für Empfänger",
    text: "Zu ihr führen die Links in Ihren Marketing-Mails. Empfänger wählen dort Themen und Sprache, pausieren oder bestellen ab.",
    asksWhy: "Nach dem Grund fragen, wenn jemand abbestellt",
    asksWhyHelp: "Vier Gründe und eine eigene Zeile. Niemand muss antworten.",
    data: "Eigene Daten",
    dataHelp: "Die Seite zeigt diese Felder, nur zum Lesen. Jeder, der den Link aus der Mail öffnet, sieht sie.",
    namesIn: "Namen auf",
    field: "Feld",
    name: "Name auf der Seite",
    add: "Feld hinzufügen",
    remove: (key) => `${key} entfernen`,
    see: "Vorschau der Seite",
  },
  search: {
    title: "Suche",
    text: "Kontakte werden über Adresse und Namen gefunden.",
    fields: "Außerdem über diese Felder",
    fieldsHelp: "Bis zu fünf, durch Kommas getrennt: eine Kundennummer, eine ID Ihres Shops, eine Firma.",
    none: "customerId, firma",
  },
  suppressions: {
    title: "Sperren",
    text: "Ein endgültiger Rückläufer sperrt die Adresse für alle Mails. Legen Sie fest, was Beschwerden und vorläufige Rückläufer bewirken.",
    complaints: "Eine Beschwerde verhindert",
    scopes: { marketing: "Marketing-Mails", all: "Alle Mails" },
    softBounces: "Vorläufige Rückläufer in Folge",
    softBouncesHelp: "So viele sperren die Adresse erst für 30 Tage, dann für 90, dann auf Dauer. 0: nie.",
    softBounceDays: "Verteilt auf mindestens",
    softBounceDaysHelp: "Tage zwischen dem ersten und dem letzten.",
  },
  sendData: {
    title: "Daten versendeter Mails",
    text: "Die Variablen im Feld data von POST /v1/send.",
    stored: "Beim Kontakt speichern",
    storedHelp:
      "Ist dies aus, gelten sie nur für diese eine Mail: Ein Code daraus kann nicht in einer späteren Mail auftauchen. Schalten Sie es ein, wenn Sie von Plunk kommen.",
  },
  publicKeys: {
    title: "Öffentliche Schlüssel",
    text: "Den öffentlichen Schlüssel kann jeder auf Ihrer Website lesen. Hier legen Sie fest, was er darf.",
    update: "Vorhandene Kontakte ändern",
    updateHelp: "Ist dies aus, bleiben die Daten vorhandener Kontakte unverändert.",
    unsubscribe: "Vorhandene Kontakte abbestellen",
    unsubscribeHelp:
      "Ist dies aus, wird nur über die Links in Ihren Mails und mit Ihren geheimen Schlüsseln abbestellt.",
    events: "Ereignisse, die er melden darf",
    anyEvent: "alle",
    noEvent: "keines",
    eventsHelp:
      "Namen, durch Kommas getrennt. Bleibt das Feld leer, sind es alle: Dann können Fremde auch Abläufe starten, die Daten eines Ereignisses zeigen.",
  },
  workspaces: {
    all: "Arbeitsbereiche auf diesem Server",
    own: "Ihre Arbeitsbereiche",
    enabled: "aktiv",
    disabled: "gesperrt",
    open: "hier geöffnet",
    choose: "Öffnen",
    manage: "Anlegen, umbenennen oder sperren",
  },
};
