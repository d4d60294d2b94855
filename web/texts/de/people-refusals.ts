// Refusals of the server about accounts, members and sign-in, in German, by the reason of the error.
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
  provider_unknown: () => "Mit diesem Anbieter meldet sich hier niemand an.",
  provider_ticket: () => "Diese Anmeldung hat zu lange gedauert oder wurde schon benutzt. Beginnen Sie noch einmal.",
  provider_away: ({ provider = "" }) =>
    `${provider} ist nicht zu erreichen. Versuchen Sie es später noch einmal. Inhaber können sich mit Passwort oder Passkey anmelden.`,
  provider_refused: ({ provider = "", problem = "" }) => `${provider} lässt Sie nicht herein: ${problem}`,
  provider_domain: ({ provider = "" }) => `Mit dieser Adresse bei ${provider} meldet sich hier niemand an.`,
  provider_address: ({ provider = "" }) => `${provider} hat Ihre Adresse nicht bestätigt.`,
  provider_link_first: ({ provider = "" }) =>
    `Diese Adresse ist noch nicht mit ${provider} verknüpft. Melden Sie sich an wie bisher, und verknüpfen Sie sie unter Ihrem Konto.`,
  provider_no_role: ({ provider = "" }) => `${provider} kennt Sie, gibt Ihnen hier aber keine Rolle.`,
  provider_other: ({ provider = "" }) => `Das ist jemand anderes bei ${provider}.`,
  provider_not_fresh: ({ provider = "" }) =>
    `${provider} sagt nicht, dass Sie Ihr Passwort gerade eingegeben haben. Nehmen Sie ein Passwort oder einen Passkey.`,
  provider_only: ({ provider = "" }) => `Sie melden sich mit ${provider} an.`,
  provider_decides: ({ provider = "" }) =>
    `Über diese Rolle entscheidet ${provider} nach den Gruppen. Ändern Sie diese dort; das gilt ab der nächsten Anmeldung.`,
  identity_taken: ({ provider = "" }) =>
    `Sie sind schon mit ${provider} verknüpft, oder dieses Konto dort gehört jemand anderem.`,
  last_identity: () =>
    "Ohne diese Verknüpfung könnten Sie sich nicht mehr anmelden. Legen Sie zuerst ein Passwort fest, oder fügen Sie einen Passkey hinzu.",
  last_passkey: () => "Ohne diesen Passkey könnten Sie sich nicht mehr anmelden.",
};
