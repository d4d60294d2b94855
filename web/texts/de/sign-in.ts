// The ways in, in German.
import type { signIn as english } from "../en/sign-in.ts";
import { frame } from "./frame.ts";

export const signIn: typeof english = {
  roles: frame.roles,
  email: "E-Mail-Adresse",
  password: "Passwort",
  passkey: "Passkey",
  name: "Name",
  or: "oder",
  signIn: {
    title: "Bei Posthorn anmelden",
    action: "Anmelden",
    passkey: "Passkey verwenden",
    stay: "Sie bleiben in diesem Browser 14 Tage angemeldet. Es wird nur dieses eine Cookie gesetzt.",
    nobody: "Noch hat niemand ein Konto.",
    nobodyWhat:
      "Der erste Start hat einen Link für den ersten Inhaber ausgegeben. Der Befehl auf dieser Seite gibt einen neuen aus.",
  },
  provider: {
    enter: (provider) => `Mit ${provider} anmelden`,
    prove: (provider) => `Mit ${provider} bestätigen`,
    failed: "Die Anmeldung hat nicht geklappt",
    otherwise: "Anders anmelden",
    proven: "Bestätigt",
    provenWhat: "Schließen Sie diesen Tab: Die Seite, von der Sie kommen, macht weiter.",
  },
  story: {
    locked: "Ausgesperrt oder als Erster hier?",
    first: "Als Erster hier?",
    how: "Von außen kann sich niemand registrieren. Ein Link vom Server lässt eine Person ein, einmal, binnen 24 Stunden.",
    onServer: "Auf dem Server",
    address: "sie@example.com",
    forgot: "Passwort vergessen?",
    forgotWhat: "Derselbe Befehl. Per Mail wird nichts zurückgesetzt.",
    invited: "Eingeladen?",
    invitedWhat: "Der Link in Ihrer Einladung führt hinein.",
    program: "Ein Programm?",
    programWhat: "Programme benutzen Schlüssel, nicht diese Seite.",
  },
  link: {
    welcome: "Willkommen bei Posthorn",
    recovery: "Neues Passwort wählen",
    invitation: (workspace) => `${workspace} beitreten`,
    then: "Danach",
    thenSteps:
      "Die Übersicht zeigt die ersten Schritte, in beliebiger Reihenfolge: eine Mail, eine Domain, Rückläufer, Personen, das Team.",
    thenOverview: "Die Übersicht zeigt, was zu tun ist.",
    thisLink: "Dieser Link?",
    worksUntil: "Gilt einmal, bis",
    firstOwner: "Sie sind der erste Inhaber dieses Servers.",
    role: (role) => `Ihre Rolle: ${role}`,
    recovered: "Ein neuer Zugang",
    recoveredWhat: "Sie sind dann hier angemeldet; Ihre Sitzungen in anderen Browsern enden.",
    workspaceName: "Name des Shops oder der Firma",
    workspaceNameHelp: "Empfänger lesen ihn in Mails und auf Ihren Seiten. Ändern lässt er sich in den Einstellungen.",
    way: "So melden Sie sich an",
    passwordHelp: "Mindestens 10 Zeichen. Ein Satz lässt sich leichter merken als ein Rätsel.",
    passkeyHelp:
      "Ihr Gerät verwahrt den Passkey und fragt nach Finger, Gesicht oder PIN. Sie müssen sich nichts merken.",
    endPasskeys: (names) => `Die Passkeys dieses Kontos entfernen: ${names}`,
    endFactors: (passkeys) =>
      `Die Authentifizierungs-App dieses Kontos entfernen${passkeys && `, und seine Passkeys: ${passkeys}`}`,
    enter: "Weiter",
    enterByPasskey: "Passkey anlegen und weiter",
    join: (workspace) => `${workspace} beitreten`,
    joinByPasskey: (workspace) => `Passkey anlegen und ${workspace} beitreten`,
    signInFirst: (email) => `${email} hat hier ein Konto. Melden Sie sich zuerst damit an.`,
    gone: "Dieser Link gilt nicht mehr",
    failed: "Der Link ließ sich nicht prüfen",
    goneWhat:
      "Ein Link gilt einmal und nur für begrenzte Zeit. Bitten Sie um einen neuen, oder erzeugen Sie ihn auf dem Server.",
  },
  roleMeans: {
    OWNER: "Inhaber dürfen alles: Benutzer, Arbeitsbereiche, diesen Server.",
    ADMIN: "Admins dürfen in einem Arbeitsbereich alles.",
    DEVELOPER: "Entwickler richten Schlüssel, Domains, Vorlagen und Abläufe ein und sehen alle Mails.",
    MARKETER:
      "Marketing pflegt Personen und Segmente, schreibt und sendet Kampagnen, zeichnet Abläufe und führt sie aus. Marke und Postanschrift legt es fest.",
    EDITOR: "Die Redaktion schreibt und testet. Sie sendet und exportiert nichts.",
    SUPPORT: "Der Support sieht Mails und Personen und sendet noch einmal, was jemandem fehlt.",
  },
};
