// The SQL of facts, between the change of a mail and the sums.
import { insertion } from "../../store/row-statement.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Fact } from "./facts.ts";

const FACTS = insertion("mail_facts", {
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

export async function insertFacts(tx: Tx, facts: readonly Fact[]): Promise<void> {
  const rows = facts.map(
    ({ workspace, quarter, sourceType, domain, what, template, campaign, provider, tags, hop, times }) => [
      ...[workspace, quarter, sourceType, domain, what],
      ...[template, campaign, provider, tags, hop, times],
    ],
  );
  await tx.runEach(FACTS, rows);
}

export async function hasFacts(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 as waits from mail_facts limit 1`) !== null;
}

/** Takes the next facts that no other process is taking. */
export function takeFacts(tx: Tx, most: number): Promise<Fact[]> {
  return tx.all<Fact>`
    delete from mail_facts where seq in (select seq from mail_facts order by seq limit ${most}${tx.dialect.skipLocked})
    returning workspace, quarter, source_type as "sourceType", domain, what, template, campaign, provider, tags, hop, times`;
}
