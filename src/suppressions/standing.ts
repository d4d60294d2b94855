// What is in force for an address: its own suppression and that of its domain, and which of them keeps a mail from it.
import { domainOf } from "../addresses.ts";
import { iso } from "../clock.ts";
import { loader } from "../store/loads.ts";
import type { Reader, Tx } from "../store/store.ts";
import { suppressionsAt, type Reason, type Suppression } from "./queries.ts";

export function kindOf(target: string): "address" | "domain" {
  return target.includes("@") ? "address" : "domain";
}

export function isInForce({ until }: Pick<Suppression, "until">, now: string): boolean {
  return until === null || until > now;
}

export type Place = { readonly workspace: number; readonly email: string };

/** What is in force: the address's own one, under the address or its hash, and its domain's. */
export type Standing = { readonly own: Suppression | null; readonly domain: Suppression | null };

/** What keeps mail from an address now: its own one, and its domain's. */
export async function inForceAt(reader: Reader, { workspace, email }: Place, nowMs: number): Promise<Suppression[]> {
  const found = await suppressionsAt(reader, workspace, [email, domainOf(email)]);
  return found.filter((one) => isInForce(one, iso(nowMs)));
}

/** False: the workspace has none of whole domains, or of erased people, so that none is looked for. */
export type Kinds = { readonly someDomains?: boolean; readonly someErased?: boolean };

/** What suppresses an address. For new contacts, and those that are suppressed: others have none of their own. */
export const standingOf = loader<Place & Kinds, Standing>({
  stage: "find",
  name: ({ workspace, email }) => `${workspace} ${email}`,
  ask: async (tx, places) => {
    const found = new Map<string, Suppression>();
    for (const [workspace, theirs] of Map.groupBy(places, (place) => place.workspace)) {
      const targets = theirs.flatMap((place) => targetsOf(tx, place));
      for (const one of await suppressionsAt(tx, workspace, [...new Set(targets)]))
        if (isInForce(one, tx.now)) found.set(`${workspace} ${one.target}`, one);
    }
    return places.map((place) => {
      const [own, domain, hash] = targetsOf(tx, place).map(
        (target) => found.get(`${place.workspace} ${target}`) ?? null,
      );
      return { own: own ?? hash ?? null, domain: domain ?? null };
    });
  },
});

/** Of the address, its domain, and its hash: each of the last two may be left out, and then is nothing. */
function targetsOf(tx: Tx, { email, someDomains = true, someErased = true }: Place & Kinds): readonly string[] {
  if (!someErased) return someDomains ? [email, domainOf(email)] : [email];
  return [email, someDomains ? domainOf(email) : "", tx.keyedHash(email)];
}

/** The one that keeps more from an address: it, or nothing, if it is for the mail at hand. */
export function against({ own, domain }: Standing, isMarketing: boolean): Suppression | null {
  return [own, domain].find((one) => one !== null && (isMarketing || one.scope === "all")) ?? null;
}

/** A person who subscribes again lifts them; what a person decided, only a person lifts. */
export function isLiftedBySubscribing(reason: Reason): boolean {
  return reason !== "manual";
}

const WHY: Readonly<Record<Reason, string>> = {
  bounce: "an email to it bounced permanently",
  complaint: "an email to it was marked as spam",
  "soft-bounces": "emails to it bounced several times in a row",
  manual: "somebody suppressed it by hand",
  import: "it was on an imported list",
  erased: "its person was erased",
};

/** For people; without the address. */
export function whySuppressed({ kind, reason }: Pick<Suppression, "kind" | "reason">): string {
  return `The ${kind === "domain" ? "domain" : "address"} is suppressed: ${WHY[reason]}.`;
}
