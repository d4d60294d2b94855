// All workspaces of this server, in German.
import type { workspaces as english } from "../en/workspaces.ts";

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const workspaces: typeof english = {
  title: "Arbeitsbereiche",
  name: "Name",
  created: "Angelegt",
  enabled: "aktiv",
  disabled: "gesperrt seit",
  here: "hier geöffnet",
  open: "Öffnen",
  close: "Schließen",
  actions: (name) => `Aktionen für ${name}`,
  make: {
    action: "Neuer Arbeitsbereich",
    title: "Neuer Arbeitsbereich",
    text: "Ein Arbeitsbereich hat eigene Kontakte, Mails, Schlüssel und Domains. Legen Sie einen für jede Marke oder jeden Kunden an.",
    example: "Zweiter Shop",
    submit: "Anlegen",
  },
  made: {
    title: (name) => `${name} ist bereit`,
    open: "Arbeitsbereich öffnen",
  },
  rename: { action: "Umbenennen …", title: (name) => `${name} umbenennen`, submit: "Umbenennen", done: "Umbenannt." },
  disable: {
    action: "Sperren …",
    title: (name) => `${name} sperren?`,
    text: "Ab jetzt werden Anfragen mit seinen Schlüsseln und von seinen Mitgliedern abgelehnt. Wartende Mails bleiben angehalten, bis Sie ihn entsperren. Gelöscht wird nichts.",
    submit: "Sperren",
    done: (name) => `${name} ist gesperrt.`,
  },
  enable: { action: "Entsperren", done: (name) => `${name} ist entsperrt. Angehaltene Mails werden jetzt gesendet.` },
  export: {
    action: "Exportieren …",
    title: (name) => `${name} exportieren`,
    text: "Eine Datei mit allem darin: Kontakte und ihre Einwilligungen, Vorlagen, Kampagnen, Abläufe, Mails. Bewahren Sie sie so sicher auf wie eine Sicherung, denn sie ist nicht verschlüsselt. Geheimnisse bleiben hier.",
    enabled:
      "Dieser Arbeitsbereich ist aktiv und arbeitet weiter. Wenn er umziehen soll, sperren Sie ihn zuerst: Sonst würden beide senden, was wartet.",
    disabled:
      "Dieser Arbeitsbereich ist gesperrt und kann mit der Datei umziehen. Löschen Sie ihn hier, sobald er anderswo arbeitet.",
    since: "Ereignisse und Mails seit",
    sinceHelp: "Leer: alle. Mails von Kampagnen gehen immer mit, und alles andere auch.",
    submit: "Herunterladen",
    done: "Der Download hat begonnen.",
  },
  import: {
    action: "Importieren",
    title: "Arbeitsbereich importieren",
    text: "Er kommt ganz oder gar nicht, und gesperrt: Gesendet wird nichts, bis Sie ihn entsperren.",
    file: "Datei",
    fileHelp: "Ein Export von Posthorn, von hier oder anderswo.",
    missing: "Wählen Sie eine Datei.",
    tooLarge: (size, limit, command) =>
      `Die Datei hat ${size}, und höchstens ${limit} lassen sich hochladen (limits.import_bytes). Importieren Sie sie auf dem Server: ${command}`,
    newName: "Name hier",
    nameHelp: "Leer: der Name, den er hat.",
    submit: "Importieren",
    stop: "Abbrechen",
    sending: (percent) => `${percent} gesendet`,
    taking:
      "Alles ist gesendet. Ein großer Arbeitsbereich braucht Minuten. Sie können dieses Fenster schließen: Er erscheint in der Liste, sobald er ganz da ist.",
    broken:
      "Die Verbindung ist abgebrochen. War die ganze Datei schon gesendet, kommt der Arbeitsbereich vielleicht noch: Sehen Sie in einigen Minuten in die Liste.",
  },
  arrived: {
    title: (name) => `${name} ist da, gesperrt`,
    tables: {
      contacts: "Kontakte",
      suppressions: "Sperren",
      segments: "Segmente",
      templates: "Vorlagen",
      campaigns: "Kampagnen",
      workflows: "Abläufe",
      forms: "Formulare",
      emails: "Mails",
      events: "Ereignisse",
    },
    held: (emails, executions, shown) =>
      `${shown.emails} ${some(emails, "Mail", "Mails")} und ${shown.executions} ${some(executions, "Ausführung eines Ablaufs", "Ausführungen von Abläufen")} warten, bis Sie ihn entsperren. Dann geht es damit weiter.`,
    nothingHeld: "Nichts darin wartet auf den Versand.",
    hashes: (count, shown) =>
      `${shown} ${some(count, "gelöschte Person erkennt", "gelöschte Personen erkennt")} nur ein Server wieder, der denselben Schlüssel hat wie der, auf dem sie gelöscht wurden.`,
    next: "Er hat noch keine Schlüssel und keine Mitglieder. Bestätigen Sie seine Domains, bevor Sie ihn entsperren, sonst scheitert, was wartet. Auf dem Server:",
    domains: "Befehl",
  },
  deleteText: "Gelöscht wird ein Arbeitsbereich nur auf dem Server:",
  deleteCommand: "Befehl",
};
