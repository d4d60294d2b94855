// All workspaces of this server, in German.
import type { workspaces as english } from "../en/workspaces.ts";

export const workspaces: typeof english = {
  title: "Arbeitsbereiche",
  name: "Name",
  created: "Angelegt",
  enabled: "aktiv",
  disabled: "gesperrt seit",
  here: "hier geöffnet",
  open: "Öffnen",
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
  deleteText: "Gelöscht wird ein Arbeitsbereich nur auf dem Server:",
  deleteCommand: "Befehl",
};
