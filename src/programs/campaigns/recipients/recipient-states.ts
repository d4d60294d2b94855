// The SQL of the states of recipients: as stateOf (recipient-record.ts), over recipients `r` and their mails `e`.
import { joined, sql, type Sql } from "../../../store/sql.ts";
import type { Campaign } from "../queries.ts";
import type { RecipientState } from "./recipient-record.ts";

/** Without a mail, and without a past kept of a pruned one. */
const WITHOUT_MAIL = sql`r.reason is null and e.seq is null and r.past is null`;

/** The past of a mail is JSON without blanks, of our own words and times alone (pruning-queries.ts). */
export function inPast(text: string): Sql {
  return sql`instr(coalesce(r.past, ''), ${text}) > 0`;
}

function hasStatus(status: string): Sql {
  return sql`r.reason is null and (e.status = ${status} or (e.seq is null and ${inPast(`"status":"${status}"`)}))`;
}

export function isIn(state: RecipientState, { status, queuedTo }: Campaign): Sql {
  const isCancelled = status === "CANCELLED";
  if (state === "PENDING") return isCancelled ? sql`1 = 0` : sql`${WITHOUT_MAIL} and r.contact > ${queuedTo}`;
  if (state === "CANCELLED") return isCancelled ? sql`(${hasStatus(state)} or ${WITHOUT_MAIL})` : hasStatus(state);
  if (state !== "SKIPPED") return hasStatus(state);
  const erased = isCancelled ? sql`` : sql` or (${WITHOUT_MAIL} and r.contact <= ${queuedTo})`;
  return sql`(r.reason is not null or (${hasStatus(state)})${erased})`;
}

/** True for the contacts `c` who are recipients of a campaign in one of these states. */
export function wereRecipients(campaign: Campaign, states: readonly RecipientState[]): Sql {
  const inStates = joined(
    states.map((state) => sql`(${isIn(state, campaign)})`),
    " or ",
  );
  return sql`exists (
    select 1 from recipients r left join emails e on e.seq = r.email
    where r.campaign = ${campaign.seq} and r.contact = c.seq and (${inStates}))`;
}
