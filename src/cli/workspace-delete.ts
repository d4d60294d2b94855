// `posthorn workspace delete`: a workspace with all that is its own, piece by piece, so that others can go on meanwhile.
import { deleteCampaignsOf } from "../campaigns/queries.ts";
import { deleteRecipientsOf } from "../campaigns/recipient-queries.ts";
import { systemClock } from "../clock.ts";
import { deleteBatchesOf } from "../contacts/jobs/queries.ts";
import { deleteContactsOf } from "../contacts/queries.ts";
import { deleteContentsOf, deleteMailsOf } from "../emails/deletion-queries.ts";
import { parkQueue } from "../emails/queue-queries.ts";
import { deleteEventsOf } from "../events/queries.ts";
import { deleteAnswersOf } from "../http/queries.ts";
import { Stride } from "../jobs/stride.ts";
import type { Store, Tx } from "../store/store.ts";
import { deleteWorkspace, disableWorkspace, findWorkspace } from "../workspaces/workspace.ts";
import { inStore } from "./beside.ts";
import { grouped } from "./copy-progress.ts";
import { printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Io, type Verb } from "./verb.ts";

export const WORKSPACE_DELETE: Verb = {
  name: "workspace delete",
  argument: "ID|NAME",
  summary: "Deletes a workspace with its contacts, mails, keys and domains, for good",
  notes: ["Its requests are refused from the first moment on. After an interruption, run it again."],
  options: { yes: { help: "Needed: what is deleted cannot be brought back" }, ...JSON_OPTION },
  run,
};

type Part = (tx: Tx, workspace: number, most: number) => Promise<number>;

/** What there can be much of, and in which order it can go. The rest goes with the workspace itself. */
const PARTS: readonly (readonly [name: string, remove: Part])[] = [
  ["imports", deleteBatchesOf],
  ["events", deleteEventsOf],
  ["mails", deleteMailsOf],
  ["recipients", deleteRecipientsOf],
  ["campaigns", deleteCampaignsOf],
  ["contents", deleteContentsOf],
  ["contacts", deleteContactsOf],
  ["answers", deleteAnswersOf],
];

/** Rows in one piece: one content may be a line, or a message of 25 MB, and the first are as likely to be large as the last. */
const PIECE = { first: 1, least: 1, most: 500, aimMs: 20 };
const TOLD_EVERY_MS = 5_000;

async function run(call: Call): Promise<number> {
  const { id, name } = await inStore(call, async ({ store }) => {
    if (!call.flag("yes")) return refused(store, call);
    const workspace = await store.write((tx) => close(tx, call.argument));
    for (const [part, remove] of PARTS) {
      await removeAll(store, (tx, most) => remove(tx, workspace.seq, most), teller(call.io, part));
    }
    call.io.show?.("");
    await store.write((tx) => deleteWorkspace(tx, workspace.seq));
    return workspace;
  });
  printOne(call, { id, name, deleted: true }, () => `The workspace ${name} is deleted.`);
  return 0;
}

async function refused(store: Store, call: Call): Promise<never> {
  const { name } = await store.read((reader) => findWorkspace(reader, call.argument));
  throw new Error(`The workspace ${name} would be gone for good, with all that is in it. If you mean that, add --yes.`);
}

/** From here on nothing comes in and nothing leaves. */
async function close(tx: Tx, idOrName: string) {
  const workspace = await disableWorkspace(tx, idOrName);
  await parkQueue(tx, workspace.seq);
  return workspace;
}

async function removeAll(store: Store, remove: (tx: Tx, most: number) => Promise<number>, tell: Tell): Promise<void> {
  const stride = new Stride(PIECE);
  for (let removed = 0; ;) {
    const most = stride.length;
    const startMs = systemClock.monotonicMs();
    const gone = await store.write((tx) => remove(tx, most));
    const tookMs = Math.max(1, systemClock.monotonicMs() - startMs);
    tell((removed += gone));
    if (gone < most) return;
    stride.took(tookMs);
    // Whoever waits for the writer gets it.
    await Bun.sleep(tookMs);
  }
}

type Tell = (removed: number) => void;

/** Refreshed in place for a person, written now and then where there is no terminal. */
function teller(io: Io, part: string): Tell {
  let toldMs = systemClock.monotonicMs();
  return (removed) => {
    const line = `${part}: ${grouped(removed)} deleted`;
    if (io.show) return io.show(line);
    const nowMs = systemClock.monotonicMs();
    if (nowMs - toldMs < TOLD_EVERY_MS) return;
    toldMs = nowMs;
    io.err(line);
  };
}
