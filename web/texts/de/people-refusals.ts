// What the server refuses of accounts, members and signing in, in German: by the reason that an error names.
import type { Refusals } from "../server-words.ts";

export const OF_PEOPLE: Refusals["reasons"] = {
  address_is_users: () => "Zu dieser Adresse gibt es schon ein Konto.",
  address_is_members: () => "Diese Adresse gehört jemandem, der schon Mitglied des Arbeitsbereichs ist.",
  last_owner: () => "Das ist der letzte Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.",
  owner_everywhere: () => "Inhaber gehören zu jedem Arbeitsbereich.",
  passkey_none: () => "Sie haben noch keinen Passkey. Fügen Sie zuerst einen hinzu.",
  second_factor: () =>
    "Auf diesem Server brauchen alle einen zweiten Faktor. Laden Sie die Seite neu, und richten Sie einen ein.",
  unreadable_app: () =>
    "Die Authentifizierungs-App wurde mit einem anderen Schlüssel dieses Servers eingerichtet. Nehmen Sie einen Wiederherstellungscode, oder bitten Sie einen Inhaber, die App zu entfernen.",
  wrong_code: () => "Der Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten der App.",
  totp_on: () => "Es ist schon eine Authentifizierungs-App eingerichtet. Entfernen Sie sie zuerst.",
  totp_not_begun: () => "Es wird gerade keine Authentifizierungs-App eingerichtet. Beginnen Sie von vorn.",
  totp_off: () => "Es ist keine Authentifizierungs-App eingerichtet.",
  passkey_known: () => "Dieser Passkey ist schon bekannt.",
  last_passkey: () => "Ohne diesen Passkey könnten Sie sich nicht mehr anmelden.",
};
