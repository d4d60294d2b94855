// The SQL of emptying a workspace, but for its keys, domains, settings and people: its large tables are empty already.
import type { Tx } from "../../store/store.ts";

/** Rows that refer to others are deleted before them. */
export async function emptySmallTables(tx: Tx, workspace: number): Promise<void> {
  await tx.run`delete from workflows where workspace = ${workspace}`;
  await tx.run`delete from webhook_events where workspace = ${workspace}`;
  await tx.run`delete from webhook_endpoints where workspace = ${workspace}`;
  await tx.run`delete from interests where workspace = ${workspace}`;
  await tx.run`delete from forms where workspace = ${workspace}`;
  await tx.run`delete from form_wordings where workspace = ${workspace}`;
  await tx.run`delete from topics where workspace = ${workspace}`;
  await tx.run`delete from segments where workspace = ${workspace}`;
  await tx.run`delete from shared_contents where workspace = ${workspace}`;
  await tx.run`delete from templates where workspace = ${workspace}`;
  await tx.run`delete from blocks where workspace = ${workspace}`;
  await tx.run`delete from saved_views where workspace = ${workspace}`;
  await tx.run`delete from retries where workspace = ${workspace}`;
  await tx.run`delete from contact_jobs where workspace = ${workspace}`;
  await tx.run`delete from consent_tips where workspace = ${workspace}`;
  await tx.run`delete from consent_heads where workspace = ${workspace}`;
  await tx.run`delete from consent_wordings where workspace = ${workspace}`;
  await tx.run`delete from contact_counts where workspace = ${workspace}`;
  await tx.run`delete from erased_before_import where workspace = ${workspace}`;
  await tx.run`delete from former_addresses where workspace = ${workspace}`;
  await tx.run`delete from messages where workspace = ${workspace}`;
  await tx.run`delete from prunings where workspace = ${workspace}`;
  await tx.run`delete from answers_about where workspace = ${workspace}`;
  await tx.run`update workspaces set marketing_stopped = null where seq = ${workspace}`;
}
