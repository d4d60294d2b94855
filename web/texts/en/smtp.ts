// Snippets for SMTP and the API, in English.

export const smtp = {
  testMail: "Send a test email",
  way: "How to send",
  ways: {
    smtp: "For programs that already support SMTP: just settings.",
    api: "For your own code: templates, variables and attachments, and a response with the email’s ID.",
  },
  connection: "Connection settings",
  host: "Host",
  ports: { STARTTLS: "Port, STARTTLS", TLS: "Port, TLS" },
  user: "User",
  anyUser: "any name will do",
  password: "Password",
  aKey: "a secret key of this workspace",
  closed: "This server accepts no email by SMTP.",
  closedText: "Its operator can turn it on with smtp.submission_port. The API works.",
  local: "The SMTP ports accept connections only from the server’s own machine; smtp.host opens them to others.",
  selfSigned:
    "The server uses a self-signed certificate, so these examples switch verification off where possible. With smtp.cert_file and smtp.key_file, that is not needed.",
  programs: "Programs",
  languages: "Languages",
  linesFor: (name: string) => `code for ${name}`,
  makeKey: "Create a key for it",
  noSender: "Nothing can be sent yet: add your sender domain and publish its DKIM record first.",
  placeholder: "Replace $KEY with a secret key, or create one.",
  keyIsIn: "These examples now contain the new key. It is not shown again once you leave this page.",
};
