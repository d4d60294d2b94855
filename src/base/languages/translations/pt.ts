// The texts for recipients in Portuguese.
import type { RecipientTexts } from "../language.ts";

export const pt: RecipientTexts = {
  subscribedTitle: "A sua subscrição está ativa",
  subscribedState: "{email} recebe novidades de {workspace} por e-mail.",
  unsubscribedTitle: "A sua subscrição não está ativa",
  unsubscribedState: "{email} não recebe novidades de {workspace} por e-mail.",
  saved: "A sua escolha foi guardada.",
  subscribe: "Subscrever",
  unsubscribe: "Cancelar a subscrição",
  confirm: "Confirmar",
  pendingTitle: "Confirme a sua subscrição",
  pendingState: "As novidades de {workspace} serão enviadas para {email} assim que confirmar.",
  brokenTitle: "Este link não é válido",
  brokenText: "Abra novamente o link completo a partir do e-mail.",
  goneTitle: "Este endereço não está na lista",
  goneText: "Já não existem aqui dados sobre si. Não precisa de fazer nada.",
  topicsTitle: "O que pretende receber",
  save: "Guardar",
  topicLeft: "Já não receberá «{topic}».",
  footer: "Recebe este e-mail porque a sua subscrição está ativa.",
  askSubject: "Confirme a sua subscrição de {workspace}",
  askText: "Alguém, esperamos que tenha sido você, inscreveu {email} para receber novidades de {workspace}.",
  askNote: "Se não foi você, ignore este e-mail: sem confirmação, o endereço será apagado após sete dias.",
};
