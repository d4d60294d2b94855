// API keys, in German.
import type { keys as english } from "../en/keys.ts";

export const keys: typeof english = {
  what: "Mit einem Schlüssel weist ein Programm nach, dass es senden darf. Geben Sie jedem Programm einen eigenen; dann lässt sich einer sperren, ohne die anderen anzuhalten.",
  make: "Schlüssel erstellen",
  closed: "Sie haben keinen Zugriff auf Schlüssel",
  ask: "Bitten Sie jemanden mit der Rolle Inhaber, Admin oder Entwickler um einen Schlüssel.",
  count: (count, shown) => (count === 1 ? "1 Schlüssel" : `${shown} Schlüssel`),
  inUse: "Schlüssel in Gebrauch",
  name: "Name",
  nameHelp: "Das Programm, das ihn benutzen wird.",
  unnamed: "ohne Namen",
  id: "ID",
  may: "Rechte",
  mayHelp: {
    full: "Er darf alles in diesem Arbeitsbereich.",
    send: "Er sendet Mails, meldet Ereignisse und sieht nur seine eigenen Mails.",
    read: "Er liest alles, ändert nichts und sendet nichts.",
    content: "Er liest und schreibt, was in Dateien liegt (Mail als Code), und sonst nichts.",
  },
  permissions: { full: "Voller Zugriff", send: "Nur senden", read: "Nur lesen", content: "Mail als Code" },
  scope: "Domains",
  scopeHelp:
    "Angekreuzt: Er darf nur von diesen senden und nichts verwalten. Nichts angekreuzt: Er darf alle verwenden.",
  end: "Läuft ab am",
  endHelp: "Ab diesem Tag (UTC) werden seine Schlüssel abgelehnt. Leer: nie.",
  addresses: "Nur von diesen IP-Adressen",
  addressesHelp: "IP-Adressen oder Netze, durch Kommas getrennt. Leer: von überall.",
  noAddresses: "Geben Sie IP-Adressen oder Netze an, etwa 203.0.113.7 oder 10.0.0.0/8.",
  until: "bis",
  from: (addresses) => `von ${addresses}`,
  actions: (name) => `Aktionen für ${name}`,
  events: "Ereignisse, die öffentliche Schlüssel melden dürfen",
  eventsHelp:
    "Gilt für alle Schlüssel des Arbeitsbereichs. Namen, durch Kommas getrennt; bleibt das Feld leer, sind es alle.",
  made: "Erstellt",
  used: "Zuletzt benutzt",
  unused: "noch nicht",
  lastOne: "Das ist der letzte Schlüssel, der den Arbeitsbereich verwalten darf. Erstellen Sie zuerst einen anderen.",
  empty: {
    title: "Einen ersten Schlüssel erstellen",
    text: "Programme senden mit einem Schlüssel. Er wird einmal gezeigt; gespeichert wird nur sein Hash.",
  },
  fresh: {
    title: "Ihre neuen Schlüssel",
    once: "Kopieren Sie sie jetzt.",
    onceText: "Gespeichert sind nur ihre Hashes: Niemand kann sie noch einmal zeigen, auch dieser Server nicht.",
    secret: "Geheimer Schlüssel: für Ihren Server, nie in einem Browser",
    public: "Öffentlicher Schlüssel: für Formulare auf Webseiten; meldet Ereignisse von Besuchern, sendet nichts",
    try: "Ausprobieren",
    call: "Aufruf",
    subject: "Es funktioniert",
    body: "<p>Gruß von Posthorn.</p>",
    noSender:
      "Noch kann nichts gesendet werden: Fügen Sie zuerst Ihre Absenderdomain hinzu und veröffentlichen Sie ihren DKIM-Eintrag.",
    done: "Ich habe sie kopiert",
  },
  change: {
    action: "Bearbeiten …",
    title: (name) => `„${name}“ bearbeiten`,
    confirm: "Speichern",
  },
  rotate: {
    action: "Geheimen Schlüssel ersetzen …",
    title: (name) => `Geheimen Schlüssel von „${name}“ ersetzen`,
    text: "Sie erhalten einen neuen geheimen Schlüssel. Der öffentliche bleibt, wie er ist.",
    overlap: "Der alte gilt noch",
    overlaps: { "0": "Gar nicht", "24": "24 Stunden", "72": "72 Stunden" },
    confirm: "Ersetzen",
    once: "Kopieren Sie ihn jetzt.",
    done: "Ich habe ihn kopiert",
  },
  revoke: {
    action: "Sperren …",
    title: (name) => `„${name}“ sperren?`,
    text: "Programme mit diesen Schlüsseln werden ab jetzt abgelehnt, über die API und über SMTP. Mails, die von ihnen schon angenommen wurden, werden noch gesendet. Das lässt sich nicht rückgängig machen.",
    confirm: "Sperren",
    done: (name) => `„${name}“ ist gesperrt.`,
  },
  revoked: "Gesperrte Schlüssel",
  revokedOn: "Gesperrt",
  never: "nie",
  scheduled: {
    waiting: (shown, count) =>
      count === 1
        ? "1 Mail, die mit diesem Schlüssel geplant wurde, wartet noch auf ihren Zeitpunkt."
        : `${shown} Mails, die mit diesem Schlüssel geplant wurden, warten noch auf ihren Zeitpunkt.`,
    look: "Anzeigen",
    cancelAsWell: "Diese Mails auch abbrechen",
    cancelHelp:
      "Wählen Sie das, wenn jemand anderes den Schlüssel haben könnte. Sonst werden sie zu ihrer Zeit gesendet; abbrechen können Sie sie auch später noch.",
    campaigns: "Diese geplanten Kampagnen wurden zuletzt mit dem Schlüssel geändert und bleiben geplant:",
    show: "Geplante Mails anzeigen",
    action: "Geplante Mails abbrechen …",
    title: (name) => `Geplante Mails von „${name}“ abbrechen?`,
    confirm: "Mails abbrechen",
    leave: "Behalten",
    none: "Von diesem Schlüssel warten keine geplanten Mails mehr.",
    forGood: "Sie werden dann nie gesendet. Das lässt sich nicht rückgängig machen.",
    cancelled: (shown, count) =>
      count === 1 ? "1 geplante Mail ist abgebrochen." : `${shown} geplante Mails sind abgebrochen.`,
    left: (shown, count) =>
      count === 1
        ? "1 wurde gerade gesendet und ließ sich nicht mehr abbrechen."
        : `${shown} wurden gerade gesendet und ließen sich nicht mehr abbrechen.`,
  },
};
