// The test email, in German.
import type { testMail as english } from "../en/test-email.ts";

export const testMail: typeof english = {
  title: "Eine Testmail senden",
  to: "An",
  toHelp:
    "Probieren Sie bounced@simulator.test oder opened@simulator.test: Solche Mails verlassen den Server nie und enden so, wie die Adresse es sagt.",
  from: "Von",
  subject: "Betreff",
  itWorks: "Es funktioniert",
  body: '<p>Hallo {{ name ?? "Sie" }}, das ist eine Testmail von Posthorn.</p>',
  send: "Senden",
  sent: "Die Mail ist in der Warteschlange.",
  follow: "Verfolgen",
  noSender:
    "Noch ist keine Domain dieses Arbeitsbereichs bestätigt, daher kann nichts gesendet werden. Bestätigen Sie zuerst eine.",
  toDomains: "Zu den Domains",
};
