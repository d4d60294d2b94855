// Audiences forget people who are erased.
import { withoutAddresses } from "../../audience/segments/condition/naming.ts";
import type { Tx } from "../../store/store.ts";
import { audiencesWithAddresses, setAudience } from "./erasure-queries.ts";

export async function forgetInAudiences(tx: Tx, workspace: number, emails: readonly string[]): Promise<void> {
  for (const { seq, condition } of await audiencesWithAddresses(tx, workspace)) {
    const without = JSON.stringify(withoutAddresses(JSON.parse(condition) as unknown, emails));
    if (without !== condition) await setAudience(tx, seq, without);
  }
}
