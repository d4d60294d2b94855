// The texts for recipients in Dutch.
import type { RecipientTexts } from "../language.ts";

export const nl: RecipientTexts = {
  subscribedTitle: "U bent geabonneerd",
  subscribedState: "{email} ontvangt nieuws van {workspace} per e-mail.",
  unsubscribedTitle: "U bent niet geabonneerd",
  unsubscribedState: "{email} ontvangt geen nieuws van {workspace} per e-mail.",
  saved: "Uw keuze is opgeslagen.",
  subscribe: "Abonneren",
  unsubscribe: "Abonnement opzeggen",
  confirm: "Bevestigen",
  pendingTitle: "Bevestig uw abonnement",
  pendingState: "Nieuws van {workspace} wordt naar {email} gestuurd zodra u bevestigt.",
  brokenTitle: "Deze link is niet geldig",
  brokenText: "Open de volledige link uit de e-mail opnieuw.",
  goneTitle: "Dit adres staat niet op de lijst",
  goneText: "Er zijn hier geen gegevens meer over u. U hoeft niets te doen.",
  topicsTitle: "Wat u wilt ontvangen",
  save: "Opslaan",
  topicLeft: "U ontvangt “{topic}” niet meer.",
  footer: "U ontvangt deze e-mail omdat u geabonneerd bent.",
  askSubject: "Bevestig uw abonnement op nieuws van {workspace}",
  askText: "Iemand, hopelijk uzelf, heeft {email} geabonneerd op nieuws van {workspace}.",
  askNote: "Was u dit niet, negeer deze e-mail dan: zonder bevestiging wordt het adres na zeven dagen verwijderd.",
};
