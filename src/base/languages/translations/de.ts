// The texts for recipients in German.
import type { RecipientTexts } from "../language.ts";

export const de: RecipientTexts = {
  subscribedTitle: "Ihr Abonnement ist aktiv",
  subscribedState: "{email} erhält Neuigkeiten von {workspace} per E-Mail.",
  unsubscribedTitle: "Ihr Abonnement ist beendet",
  unsubscribedState: "{email} erhält keine Neuigkeiten von {workspace} per E-Mail.",
  saved: "Ihre Auswahl wurde gespeichert.",
  subscribe: "Abonnieren",
  unsubscribe: "Abbestellen",
  confirm: "Bestätigen",
  pendingTitle: "Bitte bestätigen Sie Ihr Abonnement",
  pendingState: "Sobald Sie bestätigen, gehen Neuigkeiten von {workspace} an {email}.",
  brokenTitle: "Dieser Link ist ungültig",
  brokenText: "Bitte öffnen Sie den Link aus der E-Mail noch einmal, und zwar vollständig.",
  goneTitle: "Diese Adresse steht nicht auf der Liste",
  goneText: "Hier sind keine Daten mehr über Sie gespeichert. Sie müssen nichts weiter tun.",
  topicsTitle: "Was Sie erhalten möchten",
  save: "Speichern",
  topicLeft: "Sie erhalten „{topic}“ nicht mehr.",
  footer: "Sie erhalten diese E-Mail, weil Sie Neuigkeiten abonniert haben.",
  askSubject: "Bitte bestätigen Sie Ihr Abonnement bei {workspace}",
  askText: "Jemand, hoffentlich Sie selbst, hat für {email} Neuigkeiten von {workspace} abonniert.",
  askNote:
    "Falls Sie es nicht waren, ignorieren Sie diese E-Mail: Ohne Bestätigung wird die Adresse nach sieben Tagen gelöscht.",
};
