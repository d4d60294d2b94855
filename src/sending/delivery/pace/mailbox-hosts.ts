// The host of a domain's mailboxes, by the servers in its MX records (RFC 5321 §5.1).
import type { MailboxProvider } from "../../../mail/statistics/providers.ts";

const HOSTS: readonly (readonly [MailboxProvider, RegExp])[] = [
  ["gmail", /(^|\.)(google|googlemail)\.com$/],
  ["outlook", /(^|\.)(outlook\.com|mx\.microsoft|hotmail\.com)$/],
  ["yahoo", /(^|\.)yahoodns\.net$/],
  ["icloud", /(^|\.)(mail\.icloud\.com|mail\.me\.com)$/],
  ["gmx", /(^|\.)gmx\.(net|de|com)$/],
  ["web.de", /(^|\.)web\.de$/],
  ["t-online", /(^|\.)t-online\.de$/],
  ["proton", /(^|\.)protonmail\.ch$/],
  ["mail.ru", /(^|\.)mail\.ru$/],
  ["yandex", /(^|\.)yandex\.(ru|net)$/],
];

/** The provider that runs one of these servers; null = no known provider. `hosts`: as MX records name them. */
export function providerOfHosts(hosts: readonly string[]): MailboxProvider | null {
  for (const host of hosts) {
    const name = host.toLowerCase().replace(/\.$/, "");
    const known = HOSTS.find(([, names]) => names.test(name));
    if (known) return known[0];
  }
  return null;
}
