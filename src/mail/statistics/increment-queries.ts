// The SQL of increments, between the change of a mail and the sums.
import { insertion } from "../../store/row-statement.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Increment } from "./increments.ts";

const INCREMENTS = insertion("mail_increments", {
  workspace: "bigint",
  quarter: "text",
  source_type: "text",
  domain: "text",
  what: "text",
  template: "text",
  campaign: "text",
  provider: "text",
  tags: "text",
  hop: "text",
  times: "bigint",
});

export async function insertIncrements(tx: Tx, increments: readonly Increment[]): Promise<void> {
  const rows = increments.map(
    ({ workspace, quarter, sourceType, domain, what, template, campaign, provider, tags, hop, times }) => [
      ...[workspace, quarter, sourceType, domain, what],
      ...[template, campaign, provider, tags, hop, times],
    ],
  );
  await tx.runEach(INCREMENTS, rows);
}

export async function hasIncrements(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 as waits from mail_increments limit 1`) !== null;
}

/** Takes the next increments that no other process is taking. */
export function takeIncrements(tx: Tx, most: number): Promise<Increment[]> {
  return tx.all<Increment>`
    delete from mail_increments where seq in (select seq from mail_increments order by seq limit ${most}${tx.dialect.skipLocked})
    returning workspace, quarter, source_type as "sourceType", domain, what, template, campaign, provider, tags, hop, times`;
}
