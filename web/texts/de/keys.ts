// Keys, in German.
import type { keys as english } from "../en/keys.ts";

export const keys: typeof english = {
  what: "Mit einem Schlüssel weist ein Programm nach, dass es senden darf. Geben Sie jedem Programm einen eigenen; dann lässt sich einer sperren, ohne die anderen anzuhalten.",
  make: "Schlüssel erstellen",
  closed: "Sie haben keinen Zugriff auf Schlüssel",
  ask: "Bitten Sie jemanden mit der Rolle Inhaber, Admin oder Entwickler um einen Schlüssel.",
  inUse: "Schlüssel in Gebrauch",
  name: "Name",
  nameHelp: "Das Programm, das ihn benutzen wird.",
  unnamed: "ohne Namen",
  id: "ID",
  scope: "Domains",
  scopeHelp:
    "Angekreuzt: Er darf nur von diesen senden und nichts verwalten. Nichts angekreuzt: Er darf alles in diesem Arbeitsbereich.",
  events: "Ereignisse, die öffentliche Schlüssel melden dürfen",
  eventsHelp:
    "Gilt für alle Schlüssel des Arbeitsbereichs. Namen, durch Kommas getrennt; bleibt das Feld leer, sind es alle.",
  allDomains: "alle, mit vollem Zugriff",
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
  revoke: {
    action: "Sperren …",
    title: (name) => `„${name}“ sperren?`,
    text: "Programme mit diesen Schlüsseln werden ab jetzt abgelehnt, über die API und über SMTP. Mails, die von ihnen schon angenommen wurden, werden noch gesendet. Das lässt sich nicht rückgängig machen.",
    confirm: "Sperren",
    done: (name) => `„${name}“ ist gesperrt.`,
  },
};
