// The texts for recipients in Swedish.
import type { RecipientTexts } from "../language.ts";

export const sv: RecipientTexts = {
  subscribedTitle: "Du prenumererar",
  subscribedState: "{email} får nyheter från {workspace} via e-post.",
  unsubscribedTitle: "Du prenumererar inte",
  unsubscribedState: "{email} får inga nyheter från {workspace} via e-post.",
  saved: "Ditt val har sparats.",
  subscribe: "Prenumerera",
  unsubscribe: "Avsluta prenumerationen",
  confirm: "Bekräfta",
  pendingTitle: "Bekräfta din prenumeration",
  pendingState: "Nyheter från {workspace} skickas till {email} så snart du bekräftar.",
  brokenTitle: "Länken är inte giltig",
  brokenText: "Öppna hela länken från e-postmeddelandet igen.",
  goneTitle: "Adressen finns inte på listan",
  goneText: "Det finns inga uppgifter om dig här längre. Du behöver inte göra något.",
  topicsTitle: "Vad du vill få",
  save: "Spara",
  topicLeft: "Du får inte längre ”{topic}”.",
  footer: "Du får det här e-postmeddelandet eftersom du prenumererar.",
  askSubject: "Bekräfta din prenumeration på {workspace}",
  askText: "Någon, förhoppningsvis du, har anmält {email} till nyheter från {workspace}.",
  askNote:
    "Om det inte var du kan du bortse från det här meddelandet: utan bekräftelse raderas adressen efter sju dagar.",
};
