// The suppressions in force for an address, its own and its domain's, and the one that stops a mail to it.
import { domainOf } from "../../base/addresses.ts";
import { iso } from "../../base/clock.ts";
import { loader } from "../../store/loads.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { suppressionsAt, type SuppressionReason, type Suppression } from "./queries.ts";

export function kindOf(target: string): "address" | "domain" {
  return target.includes("@") ? "address" : "domain";
}

export function isInForce({ until }: Pick<Suppression, "until">, now: string): boolean {
  return until === null || until > now;
}

export type WorkspaceAddress = { readonly workspace: number; readonly email: string };

/** Suppressions in force, the strongest first: the address's own, under the address or its hash, and its domain's. */
export type AddressSuppressions = { readonly own: readonly Suppression[]; readonly domain: readonly Suppression[] };

/** The suppressions in force, the strongest first: those of all mail before those of marketing mail. */
export function inForceAmong<One extends Pick<Suppression, "until" | "scope">>(
  those: readonly One[],
  now: string,
): One[] {
  const inForce = those.filter((one) => isInForce(one, now));
  return inForce.length < 2 ? inForce : inForce.sort((one, other) => (one.scope < other.scope ? -1 : 1));
}

/** Picks this address's suppressions from those at several targets. */
export function standingAmong(found: readonly Suppression[], email: string, now: string): AddressSuppressions {
  const at = (target: string) =>
    inForceAmong(
      found.filter((one) => one.target === target),
      now,
    );
  return { own: at(email), domain: at(domainOf(email)) };
}

/** The suppressions in force for an address now: its own and its domain's. */
export async function inForceAt(
  reader: Reader,
  { workspace, email }: WorkspaceAddress,
  nowMs: number,
): Promise<Suppression[]> {
  const found = await suppressionsAt(reader, workspace, [email, domainOf(email)]);
  return found.filter((one) => isInForce(one, iso(nowMs)));
}

/** False: the workspace has no suppressions of domains, or of erased people, so that no lookup is needed. */
export type SuppressionPresence = { readonly someDomains?: boolean; readonly someErased?: boolean };

/** The suppressions of an address. For new contacts and suppressed ones: others have no suppression of their own. */
export const standingOf = loader<WorkspaceAddress & SuppressionPresence, AddressSuppressions>({
  stage: "find",
  name: ({ workspace, email }) => `${workspace} ${email}`,
  ask: async (tx, places) => {
    const found = new Map<string, Suppression[]>();
    for (const [workspace, theirs] of Map.groupBy(places, (place) => place.workspace)) {
      const targets = theirs.flatMap((place) => targetsOf(tx, place));
      for (const one of inForceAmong(await suppressionsAt(tx, workspace, [...new Set(targets)]), tx.now)) {
        const name = `${workspace} ${one.target}`;
        found.set(name, [...(found.get(name) ?? []), one]);
      }
    }
    return places.map((place) => {
      const [own = [], domain = [], hash = []] = targetsOf(tx, place).map(
        (target) => found.get(`${place.workspace} ${target}`) ?? [],
      );
      return { own: own.length > 0 ? own : hash, domain };
    });
  },
});

/** The address, its domain, and its hash; the last two only if needed. */
function targetsOf(
  tx: Tx,
  { email, someDomains = true, someErased = true }: WorkspaceAddress & SuppressionPresence,
): readonly string[] {
  if (!someErased) return someDomains ? [email, domainOf(email)] : [email];
  return [email, someDomains ? domainOf(email) : "", tx.keyedHash(email)];
}

/** The strongest suppression that applies to this kind of mail, or null. */
export function against({ own, domain }: AddressSuppressions, isMarketing: boolean): Suppression | null {
  return [...own, ...domain].find(({ scope }) => isMarketing || scope === "all") ?? null;
}

/** Subscribing again lifts a suppression, except one that a person decided: only a person lifts that. */
export function isLiftedBySubscribing(reason: SuppressionReason): boolean {
  return reason !== "manual";
}

const WHY: Readonly<Record<SuppressionReason, string>> = {
  bounce: "an email to it bounced permanently",
  complaint: "an email to it was marked as spam",
  "soft-bounces": "emails to it bounced several times in a row",
  manual: "somebody suppressed it by hand",
  import: "it was on an imported list",
  erased: "its person was erased",
};

/** A text for people, without the address. */
export function whySuppressed({ kind, reason }: Pick<Suppression, "kind" | "reason">): string {
  return `The ${kind === "domain" ? "domain" : "address"} is suppressed: ${WHY[reason]}.`;
}
