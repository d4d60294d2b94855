// What recipients do with a mail: opens and clicks, by people and by machines (interface.md "Event data", interface-gaps.md §7).
import type { Tx } from "../store/store.ts";
import { emitAbout, isErased } from "./email.ts";
import { addClick, addOpen, insertMachineVisit, lockMail, mailFacts } from "./engagement-queries.ts";

export type Visit = {
  /** Public id of the mail. */
  readonly emailId: string;
  /** The link that was followed; null = the pixel was fetched. */
  readonly link: string | null;
  readonly isMachine: boolean;
};

/** More opens, or clicks, of one mail are not counted. */
const MAX_VISITS = 1_000;
const MAX_MACHINE_VISITS = 100;

/**
 * Counts the visit. Each open and click of a person emits email.open or email.click with the total so far; what a machine
 * fetches is kept and emits nothing. A mail that is gone, whose person was erased, or that has not left yet, is passed over.
 */
export async function recordVisit(tx: Tx, visit: Visit): Promise<void> {
  const mail = await mailFacts(tx, visit.emailId);
  if (!mail || isErased(mail)) return;
  const { link } = visit;
  if (visit.isMachine) {
    const kind = link === null ? "open" : "click";
    if (await lockMail(tx, mail.seq)) await insertMachineVisit(tx, mail.seq, { kind, link }, MAX_MACHINE_VISITS);
    return;
  }
  if (link === null) {
    const opened = await addOpen(tx, mail.seq, MAX_VISITS);
    if (!opened) return;
    const { opens, opened_at: openedAt } = opened;
    return emitAbout(tx, mail, "email.open", { openedAt, opens, isFirstOpen: opens === 1 });
  }
  const clicked = await addClick(tx, mail.seq, MAX_VISITS);
  if (!clicked) return;
  const { clicks } = clicked;
  return emitAbout(tx, mail, "email.click", { link, clickedAt: tx.now, clicks, isFirstClick: clicks === 1 });
}
