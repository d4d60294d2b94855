// The texts for recipients in Czech.
import type { RecipientTexts } from "../language.ts";

export const cs: RecipientTexts = {
  subscribedTitle: "Odběr je aktivní",
  subscribedState: "{email} dostává novinky od {workspace} e-mailem.",
  unsubscribedTitle: "Odběr není aktivní",
  unsubscribedState: "{email} nedostává novinky od {workspace} e-mailem.",
  saved: "Vaše volba byla uložena.",
  subscribe: "Přihlásit k odběru",
  unsubscribe: "Odhlásit odběr",
  confirm: "Potvrdit",
  pendingTitle: "Potvrďte prosím odběr",
  pendingState: "Jakmile odběr potvrdíte, budou novinky od {workspace} chodit na {email}.",
  brokenTitle: "Tento odkaz není platný",
  brokenText: "Otevřete prosím znovu celý odkaz z e-mailu.",
  goneTitle: "Tato adresa není na seznamu",
  goneText: "Nejsou zde už žádné údaje o vás. Nemusíte nic dělat.",
  topicsTitle: "Co chcete dostávat",
  save: "Uložit",
  topicLeft: "Už nebudete dostávat „{topic}“.",
  footer: "Tento e-mail dostáváte, protože máte aktivní odběr.",
  askSubject: "Potvrďte prosím odběr novinek od {workspace}",
  askText: "Někdo, doufáme, že vy, přihlásil adresu {email} k odběru novinek od {workspace}.",
  askNote: "Pokud jste to nebyli vy, e-mail ignorujte: bez potvrzení bude adresa po sedmi dnech smazána.",
};
