// The lines to copy, in English.

export const smtp = {
  testMail: "Send a test mail",
  way: "How programs send",
  ways: {
    smtp: "For programs that speak SMTP already: nothing but settings.",
    api: "For your own code: templates, variables and attachments, and an answer with the mail’s id.",
  },
  connection: "What a program asks for",
  host: "Host",
  ports: { STARTTLS: "Port, STARTTLS", TLS: "Port, TLS" },
  user: "User",
  anyUser: "any name will do",
  password: "Password",
  aKey: "a secret key of this workspace",
  closed: "This server takes no mail by SMTP.",
  closedText: "Its operator turns it on with smtp.submission_port. The API is open.",
  local: "The SMTP ports take connections from the server’s own machine only; smtp.host opens them to others.",
  selfSigned:
    "The server made its certificate itself, so these lines tell programs not to check it, where they can. With smtp.cert_file and smtp.key_file they need not.",
  programs: "Programs",
  languages: "Languages",
  linesFor: (name: string) => `lines for ${name}`,
  makeKey: "Create a key for it",
  placeholder: "Put a secret key in place of $KEY, or have one made.",
  keyIsIn: "The new key stands in these lines. It is not shown again once you leave this page.",
};
