// The SQL of what a workspace has under way.
import { IN_ANY_LANE, IN_TURN } from "../../mail/emails/queue/holds.ts";
import type { Reader } from "../../store/store.ts";

export type WorkInHand = { readonly mails: number; readonly calls: number; readonly changes: number };

/** Mail and webhooks that are being handed over, and changes in the outbox. */
export async function inHand(reader: Reader, workspace: number): Promise<WorkInHand> {
  const row = await reader.get<WorkInHand>`
    select
      (select count(*) from emails
        where ${IN_ANY_LANE} and workspace = ${workspace} and ${IN_TURN} and due_at is not null and status = 'SENDING') as mails,
      (select count(*) from webhook_deliveries where workspace = ${workspace} and state = 'CALLING' and due_at is not null) as calls,
      (select count(*) from outbox where workspace = ${workspace} and due_at is not null) as changes`;
  return row as WorkInHand;
}
