// Actions on selected people, in German.
import type { bulk as english } from "../en/bulk.ts";

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const bulk: typeof english = {
  title: "Die ausgewählten Personen",
  chosen: (count, shown) => `${shown} ${some(count, "Person", "Personen")} ausgewählt`,
  all: (shown) => `Alle ${shown} auswählen`,
  none: "Auswahl aufheben",
  tooMany: (most) =>
    `Einzeln lassen sich höchstens ${most} Personen auswählen. Wählen Sie stattdessen die ganze Liste.`,
  open: { subscribe: "Abonnieren", unsubscribe: "Abbestellen", delete: "Löschen …" },
  ask: {
    subscribe: (shown) => `Abo für ${shown} Kontakte setzen?`,
    unsubscribe: (shown) => `Abo für ${shown} Kontakte beenden?`,
    delete: (shown) => `${shown} Personen löschen?`,
  },
  means: {
    subscribe:
      "Sie bekommen wieder Marketing-Mails, auch wenn sie abbestellt haben, nach Rückläufern oder Beschwerden. Tun Sie das nur, wenn sie darum gebeten haben. Als Ganzes lässt es sich nicht rückgängig machen.",
    unsubscribe:
      "Sie bekommen keine Marketing-Mails mehr. Transaktionsmails werden weiter gesendet. Als Ganzes lässt es sich nicht rückgängig machen.",
    delete:
      "Ihre Mails, Ereignisse und Daten werden mitgelöscht, und nichts, was für sie wartet, wird gesendet. Das lässt sich nicht rückgängig machen.",
  },
  action: { subscribe: "Abonnieren", unsubscribe: "Abbestellen", delete: "Endgültig löschen" },
  done: {
    subscribe: (count, shown) => `${shown} ${some(count, "Kontakt hat", "Kontakte haben")} jetzt ein Abo.`,
    unsubscribe: (count, shown) => `${shown} ${some(count, "Kontakt hat", "Kontakte haben")} kein Abo mehr.`,
    delete: (count, shown) => `${shown} ${some(count, "Person ist", "Personen sind")} gelöscht.`,
  },
  failed: (count, shown) => `${shown} ${some(count, "blieb", "blieben")} unverändert.`,
  topic: "Thema",
  topicChoice: {
    in: (name) => `${name} wählen`,
    out: (name) => `${name} abwählen`,
  },
  topicAsk: {
    in: (shown, name) => `„${name}“ für die ausgewählten Kontakte (${shown}) wählen?`,
    out: (shown, name) => `„${name}“ für die ausgewählten Kontakte (${shown}) abwählen?`,
  },
  topicMeans: {
    in: "Sie bekommen Mails zu diesem Thema, sofern sie ein Abo haben, auch wenn sie es früher abgewählt haben. Tun Sie das nur, wenn sie darum gebeten haben.",
    out: "Sie bekommen keine Mails mehr zu diesem Thema. Alles andere bleibt, wie es ist.",
  },
  topicAct: { in: "Thema wählen", out: "Thema abwählen" },
  topicDone: {
    in: (count, shown, name) => `${shown} ${some(count, "Kontakt hat", "Kontakte haben")} jetzt „${name}“ gewählt.`,
    out: (count, shown, name) => `${shown} ${some(count, "Kontakt hat", "Kontakte haben")} „${name}“ jetzt abgewählt.`,
  },
  segment: "Segment",
  addTo: (name) => `Zu ${name} hinzufügen`,
  removeFrom: (name) => `Aus ${name} entfernen`,
  make: { segment: "Neues Segment daraus", campaign: "Neue Kampagne an diese" },
  makeHelp: {
    segment: (shown) => `Die ${shown} ausgewählten Personen gehören dazu, bis jemand sie herausnimmt.`,
    campaign: (shown) =>
      `Aus den ${shown} ausgewählten Personen wird ein Segment, und dafür entsteht ein Entwurf. Niemand bekommt etwas, bevor Sie ihn senden.`,
  },
  segmentName: "Name des Segments",
  makeAct: { segment: "Segment anlegen", campaign: "Beides anlegen" },
  moveAsk: {
    add: (shown, name) => `Die ausgewählten Personen (${shown}) zu „${name}“ hinzufügen?`,
    remove: (shown, name) => `Die ausgewählten Personen (${shown}) aus „${name}“ entfernen?`,
  },
  moveMeans:
    "Als Ganzes lässt es sich nicht rückgängig machen. Workflows, die auf das Segment hören, beginnen für jede Person, die dazukommt oder geht.",
  moveAct: { add: "Zum Segment hinzufügen", remove: "Aus dem Segment entfernen" },
  added: (count, name) => `${count} ${some(count, "Person", "Personen")} zu ${name} hinzugefügt.`,
  removed: (count, name) => `${count} ${some(count, "Person", "Personen")} aus ${name} entfernt.`,
};
