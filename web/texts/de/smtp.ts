// Snippets for SMTP and the API, in German.
import type { smtp as english } from "../en/smtp.ts";

export const smtp: typeof english = {
  testMail: "Testmail senden",
  way: "Wie Programme senden",
  ways: {
    smtp: "Für Programme, die SMTP schon sprechen: nur Einstellungen.",
    api: "Für eigenen Code: Vorlagen, Variablen und Anhänge, und eine Antwort mit der ID der Mail.",
  },
  connection: "Was ein Programm wissen will",
  host: "Host",
  ports: { STARTTLS: "Port, STARTTLS", TLS: "Port, TLS" },
  user: "Benutzer",
  anyUser: "beliebiger Name",
  password: "Passwort",
  aKey: "ein geheimer Schlüssel dieses Arbeitsbereichs",
  closed: "Dieser Server nimmt keine Mails über SMTP an.",
  closedText: "Sein Betreiber schaltet es mit smtp.submission_port ein. Die API ist offen.",
  local: "Die SMTP-Ports nehmen nur Verbindungen vom Server selbst an; smtp.host öffnet sie für andere.",
  selfSigned:
    "Der Server hat sein Zertifikat selbst erstellt; deshalb sagen diese Zeilen den Programmen, wo es geht, dass sie es nicht prüfen sollen. Mit smtp.cert_file und smtp.key_file ist das nicht nötig.",
  programs: "Programme",
  languages: "Sprachen",
  linesFor: (name) => `Zeilen für ${name}`,
  makeKey: "Schlüssel dafür erstellen",
  noSender:
    "Noch kann nichts gesendet werden: Fügen Sie zuerst Ihre Absenderdomain hinzu und veröffentlichen Sie ihren DKIM-Eintrag.",
  placeholder: "Setzen Sie einen geheimen Schlüssel für $KEY ein oder lassen Sie einen erstellen.",
  keyIsIn: "Der neue Schlüssel steht in diesen Zeilen. Er wird nicht mehr gezeigt, wenn Sie diese Seite verlassen.",
};
