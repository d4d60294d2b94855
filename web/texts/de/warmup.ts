// The warm-up of a sender domain, in German.
import type { warmup as english } from "../en/warmup.ts";

export const warmup: typeof english = {
  title: "Aufwärmen",
  titleOfWay: (way) => `Aufwärmen von ${way}`,
  states: {
    PLANNED: "beginnt mit der ersten Kampagne",
    RUNNING: "läuft",
    PAUSED: "pausiert",
    HALTED: "von selbst gestoppt",
    DONE: "fertig",
    SKIPPED: "beendet",
  },
  planned: (first) =>
    `Mailanbieter kennen diese Domain noch nicht. Marketing-Mails erreichen jeden von ihnen nach und nach: ${first} am ersten Tag, dann jeden Tag mehr. Transaktionale Mails warten nie.`,
  day: (day, days, allowed) =>
    `Tag ${day} von ${days}: bis zu ${allowed} Mails an jeden Mailanbieter. Marketing-Mails warten, bis sie an der Reihe sind, die aktivsten Personen zuerst; transaktionale Mails warten nie.`,
  next: "Der nächste Tag beginnt",
  notYet: "Ein Tag beginnt mit seiner ersten Mail.",
  paused: "Mailanbieter bekommen keine Marketing-Mails, bis das Aufwärmen fortgesetzt wird.",
  halted: "Das Aufwärmen hat sich selbst gestoppt.",
  haltedText:
    "Entfernen Sie die Adressen, von denen Mails zurückkamen, und prüfen Sie, an wen Sie senden und woher diese Adressen kommen. Setzen Sie es dann fort. Bis dahin bekommen Mailanbieter keine Marketing-Mails.",
  over: "Marketing-Mails gehen mit vollem Tempo hinaus.",
  columns: { provider: "Anbieter", sent: "Heute gesendet", waiting: "Warten", done: "Fertig" },
  of: (sent, allowed) => `${sent} von ${allowed}`,
  nobody: "Heute hat noch kein Mailanbieter Mails bekommen, und keine wartet.",
  done: "Alles, was wartet, ist voraussichtlich gesendet:",
  actions: {
    label: "Aufwärmen: Aktionen",
    plan: "Plan ändern …",
    pause: "Pausieren",
    resume: "Fortsetzen",
    skip: "Aufwärmen beenden …",
    never: "Diese Domain ist schon warm…",
    restart: "Neu beginnen, ab Tag 1",
    start: "Aufwärmen beginnen …",
  },
  skipTitle: (domain) => `Von ${domain} mit vollem Tempo senden?`,
  skipTitleOfWay: (way) => `Über ${way} mit vollem Tempo senden?`,
  skipText:
    "Alles, was wartet, geht sofort hinaus. Anbieter, die die Domain nicht kennen, lehnen ihre Mails vielleicht ab oder legen sie in den Spam, und merken sich das über Monate. Wählen Sie das, wenn die Domain anderswo schon so viel gesendet hat.",
  skip: "Mit vollem Tempo senden",
  reason: "Warum kein Aufwärmen nötig ist",
  reasonHelp: "Etwa: Sie hat über Mailchimp 40.000 in der Woche gesendet. Steht im Protokoll.",
  startTitle: (way) => `${way} aufwärmen?`,
  startText:
    "Für ein Relay mit eigener Adresse, die Mailanbieter noch nicht kennen: Marketing-Mails, die darüber hinausgehen, werden nach und nach gesendet, am Anfang 50 am Tag an jeden Anbieter. Dienste wie Amazon SES brauchen das nicht.",
  start: "Aufwärmen beginnen",
  planTitle: "Plan zum Aufwärmen",
  days: "Mails je Tag",
  daysHelp:
    "Für jeden Mailanbieter, ab dem ersten Tag, getrennt durch Leerzeichen oder Kommas. Nach dem letzten Tag wartet nichts mehr.",
  own: "Anbieter mit eigenem Plan",
  ownHelp: "Leer lassen, damit der Plan oben gilt.",
  faulty: "Geben Sie ganze Zahlen von 1 bis 1.000.000 ein, höchstens 90.",
  save: "Plan speichern",
};
