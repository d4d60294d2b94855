// Names of mailbox providers, the same in every language.
export const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  gmail: "Gmail",
  outlook: "Outlook, Hotmail",
  yahoo: "Yahoo, AOL",
  icloud: "iCloud",
  gmx: "GMX",
  "web.de": "WEB.DE",
  "t-online": "T-Online",
  proton: "Proton",
  "mail.ru": "Mail.ru",
  yandex: "Yandex",
};
