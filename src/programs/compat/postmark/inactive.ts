// Addresses that Postmark would call inactive: an email to them was returned, and they get none since.
import { iso } from "../../../base/clock.ts";
import type { ToldMail } from "../../../mail/emails/queries.ts";
import type { Reader } from "../../../store/store.ts";
import { countByReason } from "../../../audience/suppressions/listing-queries.ts";
import { suppressionsAt } from "../../../audience/suppressions/queries.ts";
import { inForceAmong } from "../../../audience/suppressions/standing.ts";

const RETURNED: ReadonlySet<string> = new Set(["bounce", "soft-bounces"]);

export async function countInactive(reader: Reader, workspace: number): Promise<number> {
  const counted = await countByReason(reader, workspace);
  return counted.reduce((sum, { reason, count }) => (RETURNED.has(reason) ? sum + Number(count) : sum), 0);
}

/** The inactive addresses among the recipients of `mails`, all of one workspace. */
export async function inactiveAmong(
  reader: Reader,
  mails: readonly ToldMail[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const [first] = mails;
  if (!first) return new Set();
  const addresses = [...new Set(mails.map(({ toAddress }) => toAddress))];
  const inForce = inForceAmong(await suppressionsAt(reader, first.workspace, addresses), iso(nowMs));
  return new Set(inForce.filter(({ reason }) => RETURNED.has(reason)).map(({ target }) => target));
}
