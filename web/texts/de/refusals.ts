// What the server refuses, in German.
import type { Refusals } from "../refusals.ts";

export const refusals: Refusals = {
  reasons: {
    saved_since: ({ name }) =>
      `${name || "Jemand anders"} hat das inzwischen gespeichert. Laden Sie es neu, damit nichts verloren geht.`,
    image_in_use: () =>
      "Eine Mail, Vorlage, Kampagne oder frühere Fassung verwendet dieses Bild. Es kann erst gelöscht werden, wenn nichts mehr darauf verweist.",
    name_taken: ({ name }) => `Es gibt schon einen Arbeitsbereich namens ${name}.`,
    domain_known: ({ domain }) => `Die Domain ${domain} gehört schon zu diesem Arbeitsbereich.`,
    domain_verified_elsewhere: ({ domain }) => `Die Domain ${domain} ist in einem anderen Arbeitsbereich bestätigt.`,
    domain_unverified: ({ domain }) =>
      `Die Domain ${domain} ist in diesem Arbeitsbereich nicht bestätigt. Veröffentlichen Sie ihre DNS-Einträge, oder senden Sie von einer bestätigten Domain.`,
    rotation_under_way: ({ selector }) =>
      `Der Schlüssel ${selector} wartet noch darauf, dass sein DKIM-Eintrag veröffentlicht wird.`,
    rotation_too_soon: ({ selector }) =>
      `Mails mit der Signatur des vorigen Schlüssels ${selector} sind noch unterwegs. Ersetzen Sie den Schlüssel später.`,
    last_keys: () =>
      "Das ist der letzte Schlüssel, der den Arbeitsbereich verwalten darf. Erstellen Sie zuerst einen anderen.",
    address_is_users: () => "Zu dieser Adresse gibt es schon ein Konto.",
    address_is_members: () => "Diese Adresse gehört jemandem, der schon Mitglied des Arbeitsbereichs ist.",
    last_owner: () => "Das ist der letzte Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.",
    owner_everywhere: () => "Inhaber gehören zu jedem Arbeitsbereich.",
    passkey_none: () => "Sie haben noch keinen Passkey. Fügen Sie zuerst einen hinzu.",
    passkey_known: () => "Dieser Passkey ist schon bekannt.",
    last_passkey: () => "Ohne diesen Passkey könnten Sie sich nicht mehr anmelden.",
    unsubscribed: ({ email }) => `${email} ist nicht für Marketing-Mails angemeldet.`,
  },
  codes: {
    SIGN_IN_FAILED: "Adresse und Passwort oder Passkey passen nicht zusammen.",
    PASSKEY_NEEDED: "Das Passwort stimmt. Für dieses Konto ist zusätzlich ein Passkey nötig.",
    SESSION_ENDED: "Ihre Sitzung ist beendet. Melden Sie sich neu an.",
    PROOF_NEEDED: "Dafür müssen Sie bestätigen, dass Sie es sind.",
    LINK_NOT_FOUND: "Dieser Link ist unbekannt, schon benutzt oder abgelaufen. Bitten Sie um einen neuen.",
    FORBIDDEN: "Dazu fehlt Ihnen die Berechtigung.",
    CROSS_SITE: "Öffnen Sie die Seiten unter der Adresse dieses Servers.",
    WORKSPACE_DISABLED: "Der Arbeitsbereich ist gesperrt.",
    WORKSPACE_NOT_FOUND: "Diesen Arbeitsbereich gibt es nicht, oder Sie gehören nicht dazu.",
    EMAIL_STATE: "Der Zustand dieser Mail lässt das nicht zu.",
    EMAIL_NOT_FOUND: "Diese Mail oder ihr Inhalt ist nicht mehr da.",
    KEY_NOT_FOUND: "Diesen Schlüssel gibt es nicht mehr.",
    DOMAIN_NOT_FOUND: "Diese Domain gibt es hier nicht mehr.",
    USER_NOT_FOUND: "Diese Person gibt es hier nicht mehr.",
    INVITATION_NOT_FOUND: "Diese Einladung gibt es nicht mehr.",
    SESSION_NOT_FOUND: "Diese Sitzung ist schon beendet.",
    PASSKEY_NOT_FOUND: "Diesen Passkey gibt es nicht mehr.",
    PAYLOAD_TOO_LARGE: "Das ist zu viel für eine Anfrage.",
    RATE_LIMIT_EXCEEDED: "Das waren zu viele Anfragen. Warten Sie einen Moment.",
    SERVER_BUSY: "Der Server ist gerade ausgelastet. Versuchen Sie es gleich noch einmal.",
    STORE_UNAVAILABLE: "Die Datenbank antwortet gerade nicht. Versuchen Sie es gleich noch einmal.",
    INTERNAL_ERROR: "Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es noch einmal.",
  },
  fields: {
    "password.too_small": "Ein Passwort hat mindestens 10 Zeichen.",
    "password.common": "Dieses Passwort ist leicht zu erraten. Wählen Sie ein anderes.",
    "password.required": "Es fehlt ein Passwort oder ein Passkey.",
    "name.invalid": "Ein Name hat 1 bis 100 Zeichen, keine Zeilenumbrüche und keine Leerzeichen am Rand.",
    required: "Dieses Feld darf nicht leer bleiben.",
    too_small: "Das ist zu kurz.",
    too_big: "Das ist zu lang.",
    invalid_email: "Das ist keine E-Mail-Adresse.",
    invalid_domain: "Das ist kein Domainname.",
  },
};
