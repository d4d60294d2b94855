// Known domains by kind: maintained lists from packages, embedded in the executable and read at the first query.
import disposableFile from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json" with { type: "file" };
import providersFile from "email-providers/all.json" with { type: "file" };
import freeFile from "free-email-domains/domains.json" with { type: "file" };
import { readFileSync } from "node:fs";

export type DomainLists = {
  readonly disposable: ReadonlySet<string>;
  /** Free mail and the mail of internet providers, without disposable domains. */
  readonly personal: ReadonlySet<string>;
  readonly forwarding: ReadonlySet<string>;
  /** The domains of well-known providers, the most used first. */
  readonly wellKnown: readonly string[];
  /** Real domains near a well-known one, which are not misspellings. */
  readonly neighbours: ReadonlySet<string>;
};

let read: DomainLists | undefined;

export function lists(): DomainLists {
  return (read ??= readLists());
}

/** Whether `domain` or one above it is in `set`: these services give out names under their own. */
export function isUnder(set: ReadonlySet<string>, domain: string): boolean {
  for (let at = 0; at >= 0; at = domain.indexOf(".", at + 1)) {
    if (set.has(at === 0 ? domain : domain.slice(at + 1))) return true;
  }
  return false;
}

/** Whether the domain gives mailboxes to the public: it is not a company's own. */
export function isProviders(domain: string): boolean {
  const { personal, disposable, forwarding } = lists();
  return [personal, disposable, forwarding].some((some) => isUnder(some, domain));
}

function readLists(): DomainLists {
  const disposable = new Set(domainsIn(disposableFile));
  const personal = new Set(domainsIn(freeFile).filter((domain) => !disposable.has(domain)));
  // A single list contains misspellings itself (gmail.co, hotmail.con).
  const providers = domainsIn(providersFile).filter((domain) => personal.has(domain));
  const byName = Map.groupBy(providers, (domain) => domain.slice(0, domain.indexOf(".")));
  const wellKnown = PROVIDER_NAMES.flatMap((name) => byName.get(name) ?? []);
  return { disposable, personal, forwarding: new Set(FORWARDING_DOMAINS), wellKnown, neighbours: new Set(NEIGHBOURS) };
}

/** With `type: "file"` the import is the path of the file, although its types differ. */
function domainsIn(file: unknown): string[] {
  return JSON.parse(readFileSync(file as string, "utf8")) as string[];
}

/**
 * Services whose addresses forward to another mailbox. No list of them is maintained anywhere, so this one follows the
 * documentation of each service. It leaves out domains on which a service's own users have mailboxes too (fastmail.com,
 * proton.me).
 */
const FORWARDING_DOMAINS: readonly string[] = [
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

/**
 * Providers whose domains are typed so often that a slip in one is likelier than another name: the part before the
 * first dot, the most used first. The published lists hold many others whose names are words of a language (casino.com,
 * space.com); names one slip away from a known company's are left out (proton.me and photon.me, telenet.be and
 * telnet.be).
 */
export const PROVIDER_NAMES: readonly string[] = [
  "gmail",
  "yahoo",
  "hotmail",
  "outlook",
  "icloud",
  "live",
  "aol",
  "msn",
  "gmx",
  "web",
  "mail",
  "me",
  "mac",
  "ymail",
  "protonmail",
  "googlemail",
  "rocketmail",
  "yandex",
  "zoho",
  "t-online",
  "laposte",
  "wanadoo",
  "sfr",
  "seznam",
  "comcast",
  "verizon",
  "sbcglobal",
  "bellsouth",
  "earthlink",
  "btinternet",
  "bigpond",
  "optusnet",
  "rediffmail",
  "tiscali",
  "qq",
];

/** Real domains that are one slip away from a well-known one: companies, and other providers. */
const NEIGHBOURS: readonly string[] = [
  "gail.com",
  "grail.com",
  "y7mail.com",
  "ymail4.com",
  "earthling.net",
  "prontomail.com",
  "proto2mail.com",
];
