// The texts for recipients in Polish.
import type { RecipientTexts } from "../language.ts";

export const pl: RecipientTexts = {
  subscribedTitle: "Subskrypcja jest aktywna",
  subscribedState: "{email} otrzymuje wiadomości od {workspace} e-mailem.",
  unsubscribedTitle: "Subskrypcja nie jest aktywna",
  unsubscribedState: "{email} nie otrzymuje wiadomości od {workspace} e-mailem.",
  saved: "Wybór został zapisany.",
  subscribe: "Zapisz się",
  unsubscribe: "Wypisz się",
  confirm: "Potwierdź",
  pendingTitle: "Potwierdź subskrypcję",
  pendingState: "Po potwierdzeniu wiadomości od {workspace} będą wysyłane na adres {email}.",
  brokenTitle: "Ten link jest nieprawidłowy",
  brokenText: "Otwórz ponownie cały link z wiadomości e-mail.",
  goneTitle: "Tego adresu nie ma na liście",
  goneText: "Nie przechowujemy tu już żadnych Twoich danych. Nie musisz nic robić.",
  topicsTitle: "Co chcesz otrzymywać",
  save: "Zapisz",
  topicLeft: "Nie będziesz już otrzymywać „{topic}”.",
  footer: "Otrzymujesz tę wiadomość, ponieważ Twoja subskrypcja jest aktywna.",
  askSubject: "Potwierdź subskrypcję wiadomości od {workspace}",
  askText: "Ktoś, mamy nadzieję, że Ty, zapisał adres {email} na wiadomości od {workspace}.",
  askNote: "Jeśli to nie Ty, zignoruj tę wiadomość: bez potwierdzenia adres zostanie usunięty po siedmiu dniach.",
};
