// What recipients read, in French.
import type { Texts } from "./language.ts";

export const fr: Texts = {
  subscribedTitle: "Vous êtes inscrit(e)",
  subscribedState: "{email} reçoit les actualités de {workspace} par e-mail.",
  unsubscribedTitle: "Vous n’êtes pas inscrit(e)",
  unsubscribedState: "{email} ne reçoit pas les actualités de {workspace} par e-mail.",
  saved: "Votre choix a été enregistré.",
  subscribe: "S’inscrire",
  unsubscribe: "Se désinscrire",
  confirm: "Confirmer",
  pendingTitle: "Veuillez confirmer votre inscription",
  pendingState: "Les actualités de {workspace} seront envoyées à {email} dès que vous aurez confirmé.",
  brokenTitle: "Ce lien n’est pas valide",
  brokenText: "Veuillez ouvrir à nouveau le lien complet depuis l’e-mail.",
  goneTitle: "Cette adresse ne figure pas sur la liste",
  goneText: "Aucune donnée vous concernant n’est plus enregistrée ici. Vous n’avez rien à faire.",
  footer: "Vous recevez cet e-mail parce que vous êtes inscrit(e).",
  askSubject: "Veuillez confirmer votre inscription à {workspace}",
  askText: "Quelqu’un, vous-même nous l’espérons, a inscrit {email} aux actualités de {workspace}.",
  askNote:
    "Si ce n’était pas vous, ignorez cet e-mail : sans confirmation, l’adresse sera supprimée au bout de sept jours.",
};
