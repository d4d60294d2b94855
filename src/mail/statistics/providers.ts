// Mailbox providers by the domains of their addresses. A company's own domain counts as "other", whatever its host.

/** Names and domains appear in SQL unescaped. */
export const PROVIDERS = [
  { name: "gmail", domains: ["gmail.com", "googlemail.com"] },
  {
    name: "outlook",
    domains: [
      "outlook.com",
      "outlook.de",
      "outlook.fr",
      "hotmail.com",
      "hotmail.co.uk",
      "hotmail.de",
      "hotmail.fr",
      "hotmail.it",
      "live.com",
      "live.de",
      "msn.com",
    ],
  },
  {
    name: "yahoo",
    domains: [
      "yahoo.com",
      "yahoo.co.uk",
      "yahoo.de",
      "yahoo.fr",
      "yahoo.it",
      "yahoo.es",
      "yahoo.co.in",
      "yahoo.com.br",
      "ymail.com",
      "rocketmail.com",
      "aol.com",
      "aol.de",
    ],
  },
  { name: "icloud", domains: ["icloud.com", "me.com", "mac.com"] },
  { name: "gmx", domains: ["gmx.de", "gmx.net", "gmx.at", "gmx.ch", "gmx.com"] },
  { name: "web.de", domains: ["web.de"] },
  { name: "t-online", domains: ["t-online.de", "magenta.de"] },
  { name: "proton", domains: ["proton.me", "protonmail.com", "pm.me"] },
  { name: "mail.ru", domains: ["mail.ru", "bk.ru", "list.ru", "inbox.ru"] },
  { name: "yandex", domains: ["yandex.ru", "yandex.com", "ya.ru"] },
] as const;

const OTHER = "other";
export const PROVIDER_NAMES = [...PROVIDERS.map(({ name }) => name), OTHER] as const;
export type MailboxProvider = (typeof PROVIDER_NAMES)[number];

const BY_DOMAIN = new Map<string, MailboxProvider>(
  PROVIDERS.flatMap(({ name, domains }) => domains.map((domain) => [domain, name] as const)),
);

export function providerOf(domain: string): MailboxProvider {
  return BY_DOMAIN.get(domain) ?? OTHER;
}
