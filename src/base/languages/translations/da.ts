// The texts for recipients in Danish.
import type { RecipientTexts } from "../language.ts";

export const da: RecipientTexts = {
  subscribedTitle: "Du er tilmeldt",
  subscribedState: "{email} får nyheder fra {workspace} på e-mail.",
  unsubscribedTitle: "Du er ikke tilmeldt",
  unsubscribedState: "{email} får ingen nyheder fra {workspace} på e-mail.",
  saved: "Dit valg er gemt.",
  subscribe: "Tilmeld",
  unsubscribe: "Afmeld",
  confirm: "Bekræft",
  pendingTitle: "Bekræft din tilmelding",
  pendingState: "Nyheder fra {workspace} sendes til {email}, så snart du bekræfter.",
  brokenTitle: "Linket er ikke gyldigt",
  brokenText: "Åbn hele linket fra e-mailen igen.",
  goneTitle: "Adressen står ikke på listen",
  goneText: "Der er ikke længere nogen oplysninger om dig her. Du behøver ikke gøre noget.",
  topicsTitle: "Hvad du vil modtage",
  save: "Gem",
  topicLeft: "Du modtager ikke længere ”{topic}”.",
  footer: "Du får denne e-mail, fordi du er tilmeldt.",
  askSubject: "Bekræft din tilmelding hos {workspace}",
  askText: "Nogen, forhåbentlig dig, har tilmeldt {email} til nyheder fra {workspace}.",
  askNote: "Hvis det ikke var dig, kan du se bort fra denne e-mail: uden bekræftelse slettes adressen efter syv dage.",
};
