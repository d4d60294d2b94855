// Services whose addresses forward to another mailbox. There is no kept list of them: this one follows what each says
// of itself, and leaves out domains on which a service's own people have mailboxes as well (fastmail.com, proton.me).

export const FORWARDING_DOMAINS: readonly string[] = [
  // Apple, Hide My Email
  "privaterelay.appleid.com",
  // Mozilla, Firefox Relay
  "mozmail.com",
  "relay.firefox.com",
  // DuckDuckGo, Email Protection
  "duck.com",
  // SimpleLogin and Proton Pass
  "aleeas.com",
  "8alias.com",
  "8shield.net",
  "dralias.com",
  "passfwd.com",
  "passinbox.com",
  "passmail.com",
  "passmail.net",
  "silomails.com",
  "simplelogin.co",
  "simplelogin.com",
  "simplelogin.fr",
  "slmail.me",
  "slmails.com",
  // addy.io
  "addy.io",
  "addymail.com",
  "anonaddy.com",
  "anonaddy.me",
  "mailer.me",
  // others
  "33mail.com",
  "cloak.id",
  "erine.email",
  "opayq.com",
  "spamgourmet.com",
  "use.startmail.com",
];
