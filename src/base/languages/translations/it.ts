// The texts for recipients in Italian.
import type { RecipientTexts } from "../language.ts";

export const it: RecipientTexts = {
  subscribedTitle: "L’iscrizione è attiva",
  subscribedState: "{email} riceve le novità di {workspace} via e-mail.",
  unsubscribedTitle: "L’iscrizione non è attiva",
  unsubscribedState: "{email} non riceve le novità di {workspace} via e-mail.",
  saved: "La scelta è stata salvata.",
  subscribe: "Iscriviti",
  unsubscribe: "Annulla l’iscrizione",
  confirm: "Conferma",
  pendingTitle: "Conferma la tua iscrizione",
  pendingState: "Le novità di {workspace} saranno inviate a {email} dopo la conferma.",
  brokenTitle: "Questo link non è valido",
  brokenText: "Apri di nuovo il link completo dall’e-mail.",
  goneTitle: "Questo indirizzo non è nell’elenco",
  goneText: "Qui non ci sono più dati che ti riguardano. Non devi fare nulla.",
  topicsTitle: "Che cosa desidera ricevere",
  save: "Salva",
  topicLeft: "Non riceverà più «{topic}».",
  footer: "Ricevi questa e-mail perché la tua iscrizione è attiva.",
  askSubject: "Conferma la tua iscrizione a {workspace}",
  askText: "Qualcuno, speriamo tu, ha iscritto {email} alle novità di {workspace}.",
  askNote: "Se non sei stato tu, ignora questa e-mail: senza conferma l’indirizzo verrà cancellato dopo sette giorni.",
};
