// The unsent mails of a workflow's step by state: the totals of lists that GET /emails answers.
import type { Reader } from "../../../store/store.ts";
import { heapsOf } from "../queue/holds.ts";
import { isMarketingStopped } from "./queries.ts";
import { failedAtStep, waitingAtStep } from "./step-queries.ts";

export type MailsAtStep = {
  /** In the queue, without an attempt. */
  readonly queued: number;
  /** In the queue again, after a deferral. */
  readonly retrying: number;
  readonly held: number;
  /** Failed for good, including mails that were sent again since. */
  readonly failed: number;
};

/** `step`: the public id of a step of the workspace. At most `most` mails of each kind are counted. */
export async function mailsAtStep(
  reader: Reader,
  { workspace, step }: { readonly workspace: number; readonly step: string },
  most: number,
): Promise<MailsAtStep> {
  const isStopped = await isMarketingStopped(reader, workspace);
  const waiting = (held: boolean) => waitingAtStep(reader, { step, heaps: heapsOf(held, isStopped) }, most);
  const { mails, retrying } = await waiting(false);
  const held = (await waiting(true)).mails;
  return { queued: mails - retrying, retrying, held, failed: await failedAtStep(reader, step, most) };
}
