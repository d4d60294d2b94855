// The SQL of audiences that name people who are erased.
import type { Tx } from "../../store/store.ts";

/** The audiences of campaigns whose condition may name an address. */
export function audiencesWithAddresses(tx: Tx, workspace: number): Promise<{ seq: number; condition: string }[]> {
  return tx.all`
    select seq, audience_condition as condition from campaigns
    where workspace = ${workspace} and instr(audience_condition, '@') > 0 order by seq${tx.dialect.forUpdate}`;
}

/** `condition`: JSON. */
export function setAudience(tx: Tx, campaign: number, condition: string): Promise<number> {
  return tx.run`update campaigns set audience_condition = ${condition} where seq = ${campaign}`;
}
