// Counting the states of mails: each change is noted as an increment, in its own transaction, and a loop adds the
// increments to the sums, each once, since it deletes them in the same transaction.
import { domainOf } from "../../base/addresses.ts";
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { poster } from "../../store/loads.ts";
import type { Store, Tx } from "../../store/store.ts";
import { withCountedTags } from "./counted-tags.ts";
import { hasIncrements, insertIncrements, takeIncrements } from "./increment-queries.ts";
import type { CountName } from "../../tenant/events/catalog.ts";
import { merged, type Increment } from "./increments.ts";
import { providerOf } from "./providers.ts";
import { addIncrements } from "./sum-queries.ts";

/** The dimensions by which a mail counts. `toAddress`: "" = its person was erased. */
export type CountedMail = {
  readonly workspace: number;
  readonly sourceType: string;
  readonly fromAddress: string;
  readonly toAddress: string;
  readonly templateId: string | null;
  readonly campaignId: string | null;
  /** JSON array; null = none. */
  readonly tags: string | null;
  /** The number of the mail server that took or refused it. */
  readonly hop?: number | null;
  /** Mail to the team, which does not count; 0 and 1 as the store has it. */
  readonly isPrivate?: boolean | 0 | 1;
  /** The time at which it counts, unless it is now. */
  readonly countedAt?: string;
};

/** Called at every change of a mail's state; mail to the team is skipped. */
export function countMail(tx: Tx, what: CountName, mail: CountedMail): void {
  if (mail.isPrivate) return;
  const { workspace, sourceType, templateId: template, campaignId: campaign, tags } = mail;
  const [domain, provider] = [domainOf(mail.fromAddress), providerOf(domainOf(mail.toAddress))];
  const hop = mail.hop == null ? null : String(mail.hop);
  const names = { sourceType, domain, what, template, campaign, provider, tags, hop };
  note(tx, { workspace, quarter: quarterOf(mail.countedAt ?? tx.now), ...names, times: 1 });
}

const note = poster<Increment>({
  stage: "note",
  ask: async (tx, increments) => {
    await insertIncrements(tx, merged(increments));
    return [];
  },
});

/** `2026-03-01T09:15` of a moment. */
function quarterOf(at: string): string {
  const minute = Number(at.slice(14, 16));
  return at.slice(0, 14) + String(minute - (minute % 15)).padStart(2, "0");
}

/** Increments counted in one transaction: a few milliseconds. */
const MOST_INCREMENTS = 400;
/** The greatest delay of the sums. */
export const COUNT_EVERY_MS = 2_000;

/** Adds the next increments to the sums; answers the rest until the next. */
export async function addToSums(store: Store, most = MOST_INCREMENTS): Promise<number> {
  if (!(await store.read(hasIncrements))) return NOTHING_DUE;
  const taken = await store.write(async (tx) => {
    const increments = await takeIncrements(tx, most);
    await addIncrements(tx, merged(await withCountedTags(tx, increments)));
    return increments.length;
  });
  return taken < most ? NOTHING_DUE : 0;
}
