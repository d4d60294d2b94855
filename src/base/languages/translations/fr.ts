// The texts for recipients in French.
import type { RecipientTexts } from "../language.ts";

export const fr: RecipientTexts = {
  subscribedTitle: "Votre abonnement est actif",
  subscribedState: "{email} reçoit les actualités de {workspace} par e-mail.",
  unsubscribedTitle: "Votre abonnement n’est pas actif",
  unsubscribedState: "{email} ne reçoit pas les actualités de {workspace} par e-mail.",
  saved: "Votre choix a été enregistré.",
  subscribe: "S’abonner",
  unsubscribe: "Se désabonner",
  confirm: "Confirmer",
  pendingTitle: "Veuillez confirmer votre abonnement",
  pendingState: "Les actualités de {workspace} seront envoyées à {email} dès que vous aurez confirmé.",
  brokenTitle: "Ce lien n’est pas valide",
  brokenText: "Veuillez ouvrir à nouveau le lien complet depuis l’e-mail.",
  goneTitle: "Cette adresse ne figure pas sur la liste",
  goneText: "Aucune donnée vous concernant n’est plus enregistrée ici. Vous n’avez rien à faire.",
  topicsTitle: "Ce que vous souhaitez recevoir",
  save: "Enregistrer",
  topicLeft: "Vous ne recevrez plus « {topic} ».",
  footer: "Vous recevez cet e-mail parce que votre abonnement est actif.",
  askSubject: "Veuillez confirmer votre abonnement aux actualités de {workspace}",
  askText: "Quelqu’un, vous-même nous l’espérons, a abonné {email} aux actualités de {workspace}.",
  askNote:
    "Si ce n’était pas vous, ignorez cet e-mail : sans confirmation, l’adresse sera supprimée au bout de sept jours.",
};
