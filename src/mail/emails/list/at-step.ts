// What became of the mails of a workflow's step that are not sent: the numbers of lists that GET /emails answers.
import type { Reader } from "../../../store/store.ts";
import { lanesOf } from "./branches.ts";
import { isMarketingStopped } from "./queries.ts";
import { failedAtStep, waitingAtStep } from "./step-queries.ts";

export type MailsAtStep = {
  /** In turn, not tried yet. */
  readonly queued: number;
  /** In turn again, after a failure for now. */
  readonly retrying: number;
  readonly held: number;
  /** Given up; also those that were sent again since. */
  readonly failed: number;
};

/** `step`: the public id of one of the workspace's. Of each kind at most `most` are counted. */
export async function mailsAtStep(
  reader: Reader,
  { workspace, step }: { readonly workspace: number; readonly step: string },
  most: number,
): Promise<MailsAtStep> {
  const isStopped = await isMarketingStopped(reader, workspace);
  const waiting = (held: boolean) => waitingAtStep(reader, { step, lanes: lanesOf(held, isStopped) }, most);
  const { mails, retrying } = await waiting(false);
  const held = (await waiting(true)).mails;
  return { queued: mails - retrying, retrying, held, failed: await failedAtStep(reader, step, most) };
}
