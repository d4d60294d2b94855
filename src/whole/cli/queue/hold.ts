// `posthorn release`, and the lines of a held server at its start: how much waits, since when, and for which campaigns.
import { actOn, queueFound } from "../../../mail/emails/actions/operator.ts";
import { waitingMails, type WaitingMails } from "../../../mail/emails/queue/queue-queries.ts";
import { heldSince, holdAll, releaseAll } from "../../../store/hold.ts";
import { openSecrets } from "../../../store/installation.ts";
import { openStoreToServe } from "../../../store/open.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { systemClock } from "../../../base/clock.ts";
import { inStore, logOf } from "../beside.ts";
import { printOne } from "../print.ts";
import { grouped } from "../progress.ts";
import { momentOf } from "./queue.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const RELEASE: Verb = {
  name: "release",
  summary: "Releases the email and webhooks of an installation that is held after a restore or by serve --hold",
  notes: [
    "A running server starts sending within seconds. Check what waits first, with serve --hold or posthorn queue list.",
    "With --newer-than, older emails stay on hold: posthorn queue retry sends them, posthorn queue drop deletes them.",
  ],
  options: {
    "newer-than": { value: "TIME", help: 'Only emails accepted within this time: "30m", "2h", "3d"' },
    ...JSON_OPTION,
  },
  run: release,
};

const MOST_CAMPAIGNS = 20;

async function release(call: VerbCall): Promise<void> {
  const record = await inStore(call, async ({ store }) => {
    const before = momentOf(call, store, RELEASE, "newer-than");
    if ((await store.read(heldSince)) === null) return { wasHeld: false, held: 0 };
    // First, so that no mail leaves in between.
    const held = before === undefined ? 0 : await holdOlder(store, before);
    return { wasHeld: await store.write(released), held };
  });
  printOne(call, record, () => releaseText(record));
}

async function released(tx: Tx): Promise<boolean> {
  const wasHeld = await releaseAll(tx);
  if (wasHeld) await noteAct(tx, { by: COMMAND_LINE, action: "release" });
  return wasHeld;
}

async function holdOlder(store: Store, before: string): Promise<number> {
  let count = 0;
  for await (const mails of queueFound(store, { before, workspace: null }))
    for (const [, own] of Map.groupBy(
      mails.filter(({ state }) => state !== "held"),
      ({ workspace }) => workspace,
    ))
      count += await store.write((tx) => actOn(tx, "hold", own));
  return count;
}

function releaseText({ wasHeld, held }: { readonly wasHeld: boolean; readonly held: number }): string {
  const first = wasHeld ? "Released: what waits leaves now." : "It was not held.";
  if (held === 0) return first;
  const older = held === 1 ? "1 older email stays" : `${grouped(held)} older emails stay`;
  return `${first} ${older} held: posthorn queue list --state held`;
}

/** Holds the installation before the server starts. */
export async function holdBeforeStart(call: VerbCall): Promise<void> {
  const [config, log] = [call.config(), logOf(call)];
  const { store } = await openStoreToServe(config, { clock: systemClock, log });
  try {
    await openSecrets(store, config, log);
    await store.write(async (tx) => {
      await holdAll(tx);
      await noteAct(tx, { by: COMMAND_LINE, action: "hold" });
    });
  } finally {
    await store.close();
  }
}

/** Empty if the installation is not held. */
export async function linesOfHeld(store: Store): Promise<readonly string[]> {
  const since = await store.read(heldSince);
  if (since === null) return [];
  const waiting = await store.read((reader) => waitingMails(reader, MOST_CAMPAIGNS), { longFor: 0 });
  return [
    `HELD since ${since}: no email leaves and no webhook is called.`,
    ...(waiting.length === 0 ? ["No email waits."] : ["These emails wait:"]),
    ...waiting.map(lineOf),
    "Let them leave: posthorn release",
  ];
}

function lineOf({ workspace, campaign, count, oldestAt, newestAt }: WaitingMails): string {
  const of = campaign === null ? "outside campaigns" : `of the campaign ${campaign}`;
  const when = oldestAt === newestAt ? `accepted ${oldestAt}` : `accepted ${oldestAt} to ${newestAt}`;
  return `  ${grouped(count)} ${of} in ${workspace}, ${when}`;
}
