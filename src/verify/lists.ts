// Which domains are known for what: kept lists of others, which lie in the executable and are read at the first question.
import { readFileSync } from "node:fs";
import disposableFile from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json" with { type: "file" };
import providersFile from "email-providers/all.json" with { type: "file" };
import freeFile from "free-email-domains/domains.json" with { type: "file" };
import { FORWARDING_DOMAINS } from "./forwarding.ts";
import { NEIGHBOURS, PROVIDER_NAMES } from "./providers.ts";

export type Lists = {
  readonly disposable: ReadonlySet<string>;
  /** Free mail and the mail of internet providers, without what is disposable. */
  readonly personal: ReadonlySet<string>;
  readonly forwarding: ReadonlySet<string>;
  /** The domains of well-known providers, the most used first. */
  readonly wellKnown: readonly string[];
  /** Real domains near a well-known one, which are no misspellings. */
  readonly neighbours: ReadonlySet<string>;
};

let read: Lists | undefined;

export function lists(): Lists {
  return (read ??= readLists());
}

/** Whether `domain` or one above it is in `set`: these services hand out names under their own. */
export function isUnder(set: ReadonlySet<string>, domain: string): boolean {
  for (let at = 0; at >= 0; at = domain.indexOf(".", at + 1)) {
    if (set.has(at === 0 ? domain : domain.slice(at + 1))) return true;
  }
  return false;
}

function readLists(): Lists {
  const disposable = new Set(domainsIn(disposableFile));
  const personal = new Set(domainsIn(freeFile).filter((domain) => !disposable.has(domain)));
  // One list alone holds misspellings itself (gmail.co, hotmail.con).
  const providers = domainsIn(providersFile).filter((domain) => personal.has(domain));
  const byName = Map.groupBy(providers, (domain) => domain.slice(0, domain.indexOf(".")));
  const wellKnown = PROVIDER_NAMES.flatMap((name) => byName.get(name) ?? []);
  return { disposable, personal, forwarding: new Set(FORWARDING_DOMAINS), wellKnown, neighbours: new Set(NEIGHBOURS) };
}

/** With `type: "file"` the import is the path of the file, whatever its types say. */
function domainsIn(file: unknown): string[] {
  return JSON.parse(readFileSync(file as string, "utf8")) as string[];
}
