// `posthorn standby` and `promote`: a warm copy of a server that streams, and how it takes that server's place.
import { placeOf, type Place } from "../backup/place.ts";
import { Standby, takeOwnership } from "../backup/stream/standby.ts";
import { systemClock } from "../clock.ts";
import { openerOf, OPENER_OPTIONS } from "./backup.ts";
import { logOf, refuseMissing } from "./beside.ts";
import { printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Option, type Verb } from "./verb.ts";

const LOOK_EVERY_MS = 1_000;
const FROM: Option = { value: "PLACE", help: "Where the stream is; overrides backup.stream" };

export const STANDBY: Verb = {
  name: "standby",
  summary: "Keeps a warm copy of a server that streams, in the data directory, until it is stopped",
  notes: [
    "It looks for new changes every second. After a restart it continues where it was. To replace the server with the copy,",
    "run posthorn promote.",
  ],
  options: { from: FROM, ...OPENER_OPTIONS },
  run: standBy,
};

export const PROMOTE: Verb = {
  name: "promote",
  summary: "Replaces a server that streams, with the copy made by posthorn standby or with a stream restored here",
  notes: [
    "Refused while that server is alive. Afterwards that server ships nothing and holds its mail. Stop posthorn standby first.",
    "Mail in the queue of a standby is sent as soon as posthorn serve runs, unless --hold is given.",
  ],
  options: {
    from: FROM,
    force: { help: "Promote although the server was alive within the last ten seconds" },
    hold: { help: "Hold mail and webhooks until posthorn release" },
    ...OPENER_OPTIONS,
    ...JSON_OPTION,
  },
  run: promote,
};

async function standBy(call: Call): Promise<void> {
  const { config, place, opener } = around(call);
  using standby = new Standby({ place, opener, dataDir: config.data.dir });
  const log = logOf(call);
  let isOver = false;
  const over = call.io.untilStopped(() => {}).then(() => (isOver = true));
  let said = "";
  do {
    const state = await stateOf(standby);
    if (state.text !== said) (state.isSound ? call.io.out : log.warn)((said = state.text));
    await Promise.race([Bun.sleep(LOOK_EVERY_MS), over]);
  } while (!isOver);
}

/** Said again only if it changes. */
async function stateOf(standby: Standby): Promise<{ text: string; isSound: boolean }> {
  try {
    const { reached, fault } = await standby.step();
    if (fault !== null) return { text: `The copy stands still: ${fault}.`, isSound: false };
    if (reached === "") return { text: "The copy is not whole yet.", isSound: true };
    return { text: "The copy is up to date, and follows.", isSound: true };
  } catch (error) {
    return { text: `The copy stands still: ${error instanceof Error ? error.message : error}`, isSound: false };
  }
}

async function promote(call: Call): Promise<void> {
  const { config, place, opener } = around(call);
  using standby = new Standby({ place, opener, dataDir: config.data.dir });
  if (!standby.isThere) refuseMissing(config);
  await takeOwnership({ place, dataDir: config.data.dir, clock: systemClock, isForced: call.flag("force") });
  if (!standby.isThere)
    return printOne(call, { reached: null, aside: null }, () => "This data directory ships to the place from here on.");
  const { reached, fault } = await standby.step();
  if (reached === "") throw new Error(`The copy is not whole: ${fault ?? "its segments have not arrived"}.`);
  const { aside } = await standby.putInPlace({ config, clock: systemClock, opener, isHeld: call.flag("hold") });
  printOne(call, { reached, aside }, () =>
    [
      `The installation of ${reached} is in place. Start it: posthorn serve`,
      ...(call.flag("hold") ? ["Its queue is held: posthorn release lets it leave."] : []),
      ...(aside === null ? [] : [`What was there before is in ${aside}.`]),
    ].join("\n"),
  );
}

function around(call: Call) {
  const config = call.config();
  const from = call.text("from") ?? config.backup.stream;
  if (from === null) throw new Error("backup.stream is not set: name the place with --from.");
  const place: Place = placeOf(config.backup, from);
  return { config, place, opener: openerOf(call, config) };
}
