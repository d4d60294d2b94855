// The names of mailbox providers, by their names in the API.
import type { Rule } from "./calls.ts";

export type Provider = NonNullable<Rule["provider"]>;

const NAMES: Readonly<Record<Exclude<Provider, "other">, string>> = {
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

export const PROVIDERS: readonly Provider[] = [...(Object.keys(NAMES) as Provider[]), "other"];

export function providerName(provider: Provider, other: string): string {
  return provider === "other" ? other : NAMES[provider];
}
