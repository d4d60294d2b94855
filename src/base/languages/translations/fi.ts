// The texts for recipients in Finnish.
import type { RecipientTexts } from "../language.ts";

export const fi: RecipientTexts = {
  subscribedTitle: "Tilaus on voimassa",
  subscribedState: "{email} saa uutisia sähköpostitse. Lähettäjä: {workspace}.",
  unsubscribedTitle: "Tilaus ei ole voimassa",
  unsubscribedState: "{email} ei saa uutisia sähköpostitse. Lähettäjä: {workspace}.",
  saved: "Valintasi on tallennettu.",
  subscribe: "Tilaa",
  unsubscribe: "Peruuta tilaus",
  confirm: "Vahvista",
  pendingTitle: "Vahvista tilauksesi",
  pendingState: "Uutiset lähetetään osoitteeseen {email}, kun olet vahvistanut tilauksen. Lähettäjä: {workspace}.",
  brokenTitle: "Linkki ei kelpaa",
  brokenText: "Avaa koko linkki uudelleen sähköpostista.",
  goneTitle: "Osoite ei ole listalla",
  goneText: "Täällä ei ole enää tietoja sinusta. Sinun ei tarvitse tehdä mitään.",
  topicsTitle: "Mitä haluat vastaanottaa",
  save: "Tallenna",
  topicLeft: "Et saa enää viestejä aiheesta ”{topic}”.",
  footer: "Saat tämän viestin, koska olet tilannut uutiset.",
  askSubject: "Vahvista tilauksesi: {workspace}",
  askText: "Joku, toivottavasti sinä, on tilannut uutiset osoitteeseen {email}. Lähettäjä: {workspace}.",
  askNote:
    "Jos se et ollut sinä, älä välitä tästä viestistä: ilman vahvistusta osoite poistetaan seitsemän päivän kuluttua.",
};
