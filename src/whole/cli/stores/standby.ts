// `posthorn standby` and `promote`: a warm copy of a server that streams, and its promotion to that server's place.
import { openPlace, type BackupPlace } from "../../../operator/backup/place.ts";
import { Standby, takeOwnership, type StandbyProgress } from "../../../operator/backup/stream/standby.ts";
import { systemClock } from "../../../base/clock.ts";
import { misused } from "../arguments.ts";
import { openerOf, OPENER_OPTIONS } from "./backup.ts";
import { inStore, logOf, secretsOf } from "../beside.ts";
import { printOne } from "../print.ts";
import { listenForStandby, StandbyState } from "./standby-port.ts";
import { JSON_OPTION, type VerbCall, type Option, type Verb } from "../verb.ts";

const LOOK_EVERY_MS = 1_000;
/** A damaged object may be a snapshot of gigabytes, which is fetched anew each time. */
const REST_AFTER_FAULT_MS = 10_000;
const FROM: Option = { value: "PLACE", help: "Where the stream is; overrides backup.stream" };

export const STANDBY: Verb = {
  name: "standby",
  summary: "Keeps a warm copy of a server that streams, in the data directory, until it is stopped",
  notes: [
    "It looks for new changes every second. After a restart it continues where it was. To replace the server with the copy,",
    "run posthorn promote.",
  ],
  options: {
    from: FROM,
    port: { value: "PORT", help: "Answers GET /ready and GET /metrics at this port; overrides metrics.port" },
    ...OPENER_OPTIONS,
  },
  run: standBy,
};

export const PROMOTE: Verb = {
  name: "promote",
  summary: "Replaces a server that streams, with the copy made by posthorn standby or with a stream restored here",
  notes: [
    "Refused while that server is alive, or if the copy is damaged or lacks what was shipped. Afterwards that server ships",
    "nothing and holds its email. Stop posthorn standby first.",
    "Email in the queue of a standby is sent as soon as posthorn serve runs, unless --hold is given.",
  ],
  options: {
    from: FROM,
    force: {
      help: "Promote although the server was alive within the last ten seconds, or the copy lacks what was shipped",
    },
    hold: { help: "Hold email and webhooks until posthorn release" },
    ...OPENER_OPTIONS,
    ...JSON_OPTION,
  },
  run: promote,
};

async function standBy(call: VerbCall): Promise<void> {
  const { config, place, opener } = around(call);
  using standby = new Standby({ place, opener, config });
  const log = logOf(call);
  const watched = new StandbyState(systemClock);
  const port = listenForStandby(watched, { ...config.metrics, ...portOf(call) });
  if (port) call.io.out(`GET /ready and GET /metrics on ${port.url.origin}`);
  let isOver = false;
  const over = call.io.untilStopped(() => {}).then(() => (isOver = true));
  let said = "";
  do {
    const progress = await stepped(standby);
    watched.note(progress, standby.lastPiece);
    const text = progressText(progress);
    if (text !== said) (progress.fault === null ? call.io.out : log.warn)((said = text));
    await Promise.race([Bun.sleep(progress.fault === null ? LOOK_EVERY_MS : REST_AFTER_FAULT_MS), over]);
  } while (!isOver);
  await port?.stop(true);
}

function portOf(call: VerbCall): { readonly port?: number } {
  const given = call.text("port");
  if (given === undefined) return {};
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return { port };
  throw misused(STANDBY, `needs a number from 0 to 65535 behind --port, not ${given}`);
}

/** Printed again only if it changes. */
function progressText({ reached, fault }: StandbyProgress): string {
  if (fault !== null) return `The copy stands still: ${fault}.`;
  return reached === "" ? "The copy is not whole yet." : "The copy is up to date, and follows.";
}

/** A place that does not answer is a fault as well. */
async function stepped(standby: Standby): Promise<StandbyProgress> {
  try {
    return await standby.step();
  } catch (error) {
    return { reached: standby.reached, fault: wordsOf(error) };
  }
}

/**
 * The copy is checked before it takes the other server's place, since that one would hold its mail for an unusable
 * copy.
 */
async function promote(call: VerbCall): Promise<void> {
  const { config, place, opener } = around(call);
  const taking = { place, dataDir: config.data.dir, clock: systemClock, isForced: call.flag("force") };
  using standby = new Standby({ place, opener, config });
  if (!standby.isThere) {
    await inStore(call, secretsOf);
    await takeOwnership(taking);
    return printOne(call, { reached: null, aside: null }, () => "This data directory ships to the place from here on.");
  }
  const before = await forwarded(standby, taking.isForced);
  await standby.refuseUnfit();
  await takeOwnership(taking).catch((error) => refuseUnless(taking.isForced, error));
  const { reached, fault } = await forwarded(standby, taking.isForced);
  if (reached !== before.reached) await standby.refuseUnfit();
  const { aside } = await standby.putInPlace({ clock: systemClock, isHeld: call.flag("hold") });
  printOne(call, { reached, aside, fault }, () =>
    [
      `The installation of ${reached} is in place. Start it: posthorn serve`,
      ...(fault === null ? [] : [`What came later is not in it: ${fault}.`]),
      ...(call.flag("hold") ? ["Its queue is held: posthorn release lets it leave."] : []),
      ...(aside === null ? [] : [`What was there before is in ${aside}.`]),
    ].join("\n"),
  );
}

/** @throws Error if the copy is not whole, or, unless forced, lacks shipped data */
async function forwarded(standby: Standby, isForced: boolean): Promise<StandbyProgress> {
  const progress = await stepped(standby);
  const { reached, fault } = progress;
  if (reached === "")
    throw new Error(`The copy is not whole: ${fault ?? "its segments have not arrived"}. Nothing was changed.`);
  if (fault === null || isForced) return progress;
  throw new Error(
    `The copy holds everything until ${reached}, and does not go on: ${fault}. Nothing was changed. To use it as it is, without what came later: --force.`,
  );
}

/**
 * An unreachable place cannot be taken: the operator who forces a promotion has to make sure that the other server is
 * down.
 */
function refuseUnless(isForced: boolean, error: unknown): void {
  if (!isForced) throw error;
}

/** The words without their full stop. */
function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}

function around(call: VerbCall) {
  const config = call.config();
  const from = call.text("from") ?? config.backup.stream;
  if (from === null) throw new Error("backup.stream is not set: name the place with --from.");
  const place: BackupPlace = openPlace(config.backup, from);
  return { config, place, opener: openerOf(call, config) };
}
