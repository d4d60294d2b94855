// `posthorn workspace delete`: a workspace and all its data, piece by piece, so that other work goes on in between.
import { deleteCampaignsOf } from "../campaigns/queries.ts";
import { deleteRecipientsOf } from "../campaigns/recipient-queries.ts";
import { systemClock } from "../clock.ts";
import { deleteImportedOf } from "../contacts/imported-queries.ts";
import { deleteBatchesOf } from "../contacts/jobs/queries.ts";
import { deleteContactsOf } from "../contacts/removal-queries.ts";
import { deleteContentsOf, deleteMailsOf } from "../people/erasure-queries.ts";
import { parkQueue } from "../emails/queue-queries.ts";
import { deleteEventsOf } from "../events/queries.ts";
import { deleteAnswersOf } from "../http/queries.ts";
import { deleteImagesOf } from "../images/queries.ts";
import { Stride } from "../jobs/stride.ts";
import { forgetCounts } from "../statistics/fact-queries.ts";
import type { Store, Tx } from "../store/store.ts";
import { COMMAND_LINE, noteAct } from "../team/audit.ts";
import { deleteWorkspace, disableWorkspace, findWorkspace } from "../workspaces/workspace.ts";
import { inStore } from "./beside.ts";
import { printOne } from "./print.ts";
import { grouped, Progress } from "./progress.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";

export const WORKSPACE_DELETE: Verb = {
  name: "workspace delete",
  argument: "ID|NAME",
  summary: "Permanently deletes a workspace with its contacts, mails, keys and domains",
  notes: ["Its requests are refused at once. If the command is interrupted, run it again."],
  options: { yes: { help: "Required: deleted data cannot be restored" }, ...JSON_OPTION },
  run,
};

type Part = (tx: Tx, workspace: number, most: number) => Promise<number>;

/** The large tables, in the order of deletion. Deleting the workspace removes all other rows. */
const PARTS: readonly (readonly [name: string, remove: Part])[] = [
  ["imports", deleteBatchesOf],
  ["notes of imports", deleteImportedOf],
  ["events", deleteEventsOf],
  ["mails", deleteMailsOf],
  ["recipients", deleteRecipientsOf],
  ["campaigns", deleteCampaignsOf],
  ["contents", deleteContentsOf],
  ["images", deleteImagesOf],
  ["contacts", deleteContactsOf],
  ["answers", deleteAnswersOf],
];

/**
 * Rows in one piece: one content may be a line, or a message of 25 MB, and the first are as likely to be large as the
 * last.
 */
const PIECE = { first: 1, least: 1, most: 500, aimMs: 20 };

async function run(call: Call): Promise<number> {
  const { id, name } = await inStore(call, async ({ store }) => {
    if (!call.flag("yes")) return refused(store, call);
    const workspace = await store.write((tx) => close(tx, call.argument));
    const progress = new Progress(call.io, systemClock);
    for (const [part, remove] of PARTS) {
      const tell = (removed: number) => progress.at(`${part}: ${grouped(removed)} deleted`);
      await removeAll(store, (tx, most) => remove(tx, workspace.seq, most), tell);
    }
    progress.end();
    await store.write(async (tx) => {
      // First: what is being accepted at this moment is waited for, and its facts go too.
      await deleteWorkspace(tx, workspace.seq);
      await forgetCounts(tx, workspace.seq);
      // On the list of the installation: the workspace's own is gone.
      await noteAct(tx, { by: COMMAND_LINE, action: "workspace delete", target: workspace.id });
    });
    return workspace;
  });
  printOne(call, { id, name, deleted: true }, () => `The workspace ${name} is deleted.`);
  return 0;
}

async function refused(store: Store, call: Call): Promise<never> {
  const { name } = await store.read((reader) => findWorkspace(reader, call.argument));
  throw new Error(`This deletes the workspace ${name} and all its data for good. To confirm, add --yes.`);
}

/** From here on nothing comes in and nothing leaves. */
async function close(tx: Tx, idOrName: string) {
  const workspace = await disableWorkspace(tx, idOrName);
  await parkQueue(tx, workspace.seq);
  return workspace;
}

async function removeAll(
  store: Store,
  remove: (tx: Tx, most: number) => Promise<number>,
  tell: (removed: number) => void,
): Promise<void> {
  const stride = new Stride(PIECE);
  for (let removed = 0; ;) {
    const startMs = systemClock.monotonicMs();
    const { gone, most } = await store.write(async (tx) => {
      const most = stride.lengthOn(tx.dialect.name);
      return { gone: await remove(tx, most), most };
    });
    const tookMs = Math.max(1, systemClock.monotonicMs() - startMs);
    tell((removed += gone));
    if (gone < most) return;
    stride.took(tookMs);
    // Others get the writer in between.
    await Bun.sleep(tookMs);
  }
}
