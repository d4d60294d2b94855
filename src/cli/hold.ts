// `posthorn release`, and what a held server says at its start: how much waits, since when, and for which campaigns.
import { waitingMails, type WaitingMails } from "../emails/queue-queries.ts";
import { heldSince, holdAll, releaseAll } from "../store/hold.ts";
import { openSecrets } from "../store/installation.ts";
import { openStoreToServe } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { systemClock } from "../clock.ts";
import { inStore, logOf } from "./beside.ts";
import { printOne } from "./print.ts";
import { grouped } from "./progress.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";

export const RELEASE: Verb = {
  name: "release",
  summary: "Lets mail and webhooks of a held installation leave: one that was restored, or started with serve --hold",
  notes: ["A server that is running begins within seconds. Look at what waits first: posthorn serve --hold lists it."],
  options: JSON_OPTION,
  run: release,
};

const MOST_CAMPAIGNS = 20;

async function release(call: Call): Promise<void> {
  const wasHeld = await inStore(call, ({ store }) => store.write(releaseAll));
  printOne(call, { wasHeld }, () => (wasHeld ? "Released: what waits leaves now." : "It was not held."));
}

/** Before the server starts. */
export async function holdBeforeStart(call: Call): Promise<void> {
  const [config, log] = [call.config(), logOf(call)];
  const { store } = await openStoreToServe(config, { clock: systemClock, log });
  try {
    await openSecrets(store, config, log);
    await store.write(holdAll);
  } finally {
    await store.close();
  }
}

/** Nothing if the installation is not held. */
export async function linesOfHeld(store: Store): Promise<readonly string[]> {
  const since = await store.read(heldSince);
  if (since === null) return [];
  const waiting = await store.read((reader) => waitingMails(reader, MOST_CAMPAIGNS), { longFor: 0 });
  return [
    `HELD since ${since}: no mail leaves and no webhook is called.`,
    ...(waiting.length === 0 ? ["No mail waits."] : ["These mails wait:"]),
    ...waiting.map(lineOf),
    "Let them leave: posthorn release",
  ];
}

function lineOf({ workspace, campaign, count, oldestAt, newestAt }: WaitingMails): string {
  const of = campaign === null ? "outside campaigns" : `of the campaign ${campaign}`;
  const when = oldestAt === newestAt ? `accepted ${oldestAt}` : `accepted ${oldestAt} to ${newestAt}`;
  return `  ${grouped(count)} ${of} in ${workspace}, ${when}`;
}
