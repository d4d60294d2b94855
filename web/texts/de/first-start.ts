// The steps of a new installation, in German.
import type { firstStart as english } from "../en/first-start.ts";

export const firstStart: typeof english = {
  title: "Diesen Server einrichten",
  owner: "Erster Inhaber",
  done: "erledigt",
  later: "Später",
  continue: "Weiter",
  leave: "Zur Übersicht",
  toOverview: "Zur Übersicht gehen",
  steps: {
    address: {
      name: "Adresse",
      title: "Die Adresse dieses Servers",
      text: "Links in Mails führen dorthin, und Browser behalten Ihre Sitzung für sie.",
    },
    way: {
      name: "Versandweg",
      title: "Der Versandweg",
      text: "Posthorn übergibt Mails an ein Relay oder an Amazon SES. Bis dahin bleibt alles hier, und nichts geht aus Versehen hinaus.",
    },
    domain: {
      name: "Domain",
      title: "Ihre Absenderdomain",
      text: "Ein paar DNS-Einträge belegen, dass Sie von ihr senden dürfen. Sie werden geprüft, solange diese Seite offen ist.",
    },
    next: {
      name: "Wie es weitergeht",
      title: "Wie es weitergeht",
      text: "Die Übersicht behält diese Liste. Von dort kommen Sie auch hierher zurück.",
    },
  },
  address: {
    configured: "Konfiguriert",
    browser: "Dieser Browser",
    same: "Genau dort sind Sie.",
    differs: "Sie sind unter einer anderen Adresse. Links in Mails führen zur konfigurierten.",
    unset:
      "Vielleicht erreicht nur dieser Rechner sie. Mails verlassen einen Server erst, wenn Empfänger seine Adresse erreichen.",
    elsewhere: "Sie ist dort gesetzt: Ändern Sie sie dort, und starten Sie den Server neu.",
    label: "Adresse",
    help: "Mit https, so wie Empfänger und Ihr Team sie öffnen.",
    save: "Diese Adresse verwenden",
  },
  way: {
    configured: "Konfiguriert",
    kind: "So gehen Mails hinaus",
    kinds: {
      smtp: "Der Server eines Anbieters oder ein eigener. Posthorn verbindet sich und meldet sich an, bevor es speichert.",
      ses: "Ohne Schlüssel hier kommt er von dort, wo Programme für AWS ihn erwarten.",
      capture:
        "Mails werden hier aufbewahrt und angezeigt, gehen aber nicht hinaus, auch nicht später. Zum Ausprobieren gibt es die Domain example.test.",
    },
    save: {
      smtp: "Dieses Relay prüfen und verwenden",
      ses: "Amazon SES prüfen und verwenden",
      capture: "Mails hier behalten",
    },
    change: "Weg ändern",
    elsewhere: "Er ist dort gesetzt: Ändern Sie ihn dort, und starten Sie den Server neu.",
    needsAddress: "Links in Mails führen zur Adresse dieses Servers. Legen Sie sie zuerst fest.",
    toAddress: "Zur Adresse",
    more: "OAuth 2.0, Microsoft Graph, ein Passwort aus einer Datei:",
    guide: "Alle Einstellungen",
  },
  test: {
    title: "Eine Testmail",
    needsDomain: "Sie braucht einen Absender: Bestätigen Sie zuerst eine Domain.",
    toDomain: "Zur Domain",
    captured: "Sie ist den ganzen Weg gegangen und liegt nun hier, statt hinauszugehen.",
    taken: "Das Relay hat sie angenommen. Sehen Sie in Ihr Postfach.",
  },
  domain: { more: "Alles über diese Domain" },
};
