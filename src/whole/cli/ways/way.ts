// `posthorn way …`: the ways out of the configuration, and those that owners have added; whether they work.
import { carriersHere } from "../../../sending/carrier/carriers.ts";
import { transportFor } from "../../../sending/carrier/transports.ts";
import type { Config } from "../../../base/config.ts";
import { transportOptions } from "../../../sending/open-ways/sending-options.ts";
import type { Tx } from "../../../store/store.ts";
import { COMMAND_LINE } from "../../../tenant/access/caller.ts";
import { noteAct } from "../../../operator/team/audit/audit.ts";
import { addWay, changeWay, pauseWay, removeWay, type WayStorage } from "../../../ground/ways/keep.ts";
import { refusedDomains as readRefused, type WayDomainRefusal } from "../../../ground/ways/domain-queries.ts";
import { usesTokens, type AccessTokens } from "../../../ground/way-tokens/way-tokens.ts";
import type { Way } from "../../../ground/ways/list.ts";
import { refusedNow } from "../../../operator/operation/doctor/senders.ts";
import type { ServerAnswer } from "../../../operator/operation/status.ts";
import { addressOfWay } from "../../../ground/ways/way.ts";
import { configBeside, inStore, isMissing, secretsOf, tokensIn, waysOf } from "../beside.ts";
import { printList, printOne } from "../print.ts";
import { serverAnswer } from "../server-answer.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";
import { listRules } from "./way-rules.ts";
import { givenIn, SETTINGS } from "./way-settings.ts";

const NOTE = "A running server follows within seconds; it needs no restart.";

export const WAY_VERBS: readonly Verb[] = [
  {
    name: "way list",
    summary: "Lists the sending routes in the order in which they follow each other",
    options: JSON_OPTION,
    run: listWays,
  },
  {
    name: "way rules",
    summary: "Lists the rules that say which emails leave by which sending routes",
    options: JSON_OPTION,
    run: listRules,
  },
  {
    name: "way add",
    argument: "NAME",
    summary: "Adds a sending route",
    notes: ["--set kind=smtp, ses or capture is needed, and what that kind needs. " + NOTE],
    options: { ...SETTINGS, ...JSON_OPTION },
    run: (call) =>
      changed(call, "add", async (tx, known) => addWay(tx, known, { ...(await givenIn(call)), name: call.argument })),
  },
  {
    name: "way change",
    argument: "NAME",
    summary: "Changes settings of a sending route that was added",
    notes: [NOTE],
    options: {
      ...SETTINGS,
      unset: { value: "KEY", several: true, help: "A setting that goes back to its default" },
      ...JSON_OPTION,
    },
    run: (call) =>
      changed(call, "change", async (tx, known) => changeWay(tx, known, call.argument, await givenIn(call))),
  },
  {
    name: "way pause",
    argument: "NAME",
    summary: "Pauses a sending route: it gets no email, and what it has in hand is finished",
    options: JSON_OPTION,
    run: (call) => changed(call, "pause", (tx, known) => pauseWay(tx, known, call.argument, true)),
  },
  {
    name: "way resume",
    argument: "NAME",
    summary: "Resumes a sending route",
    options: JSON_OPTION,
    run: (call) => changed(call, "resume", (tx, known) => pauseWay(tx, known, call.argument, false)),
  },
  {
    name: "way remove",
    argument: "NAME",
    summary: "Removes a sending route that was added; what it has in hand is finished",
    options: JSON_OPTION,
    run: (call) => changed(call, "remove", (tx, known) => removeWay(tx, known, call.argument)),
  },
  {
    name: "way try",
    argument: "NAME",
    summary: "Connects to a sending route and logs in, without an email; exit code 1 if that fails",
    options: JSON_OPTION,
    run: tryOne,
  },
];

/** `away`: the ways that the running server cannot use; null = unknown. */
type WayFaults = { readonly refused?: readonly WayDomainRefusal[]; readonly away?: readonly string[] | null };

function wayLine(
  { name, source, kind, ratePerSecond, concurrency, relay, price, pausedAt, problem, ...way }: Way,
  { refused = [], away = null }: WayFaults = {},
) {
  const rate = ratePerSecond === 0 ? null : ratePerSecond;
  return {
    ...{
      name,
      source,
      transport: kind,
      place: addressOfWay({ name, kind, ratePerSecond, concurrency, relay, price, ...way }),
    },
    ...{ ratePerSecond: rate, concurrency, provider: relay.provider, price, pausedAt, problem },
    isAway: away && away.includes(name) && pausedAt === null,
    refusedDomains: refused
      .filter((one) => one.way === name)
      .map(({ name: domain, workspaceName: workspace, since, known }) => {
        return { domain, workspace, since, problem: known.problem };
      }),
  };
}
type WayLine = ReturnType<typeof wayLine>;

async function listWays(call: VerbCall): Promise<void> {
  const ways = await waysOf(call);
  const refused = await refusedOf(call);
  const away = awayOf(ways, await serverAnswer(call));
  printList(
    call,
    ways.map((way) => wayLine(way, { refused, away })),
    inColumns,
    "There is no sending route.",
  );
}

function inColumns({
  name,
  transport,
  place,
  ratePerSecond,
  concurrency,
  provider,
  price,
  pausedAt,
  problem,
  isAway,
  refusedDomains,
}: WayLine) {
  return {
    ...{ name, transport, place: place ?? "" },
    "a second": ratePerSecond === null ? "no limit" : String(ratePerSecond),
    ...{ connections: String(concurrency), provider: provider ?? "", price: price === null ? "" : String(price) },
    state: [
      problem === null ? (pausedAt === null ? "" : "paused") : "not usable",
      isAway ? "away" : "",
      refusedText(refusedDomains),
    ]
      .filter((text) => text !== "")
      .join(", "),
  };
}

/** For a single way, the server reports it as for all. */
function awayOf(ways: readonly Way[], { ready, relay, waysAway }: ServerAnswer): string[] | null {
  if (!ready) return null;
  return relay === "AWAY" ? ways.map(({ name }) => name) : waysAway.map(({ name }) => name);
}

/** The reason is in the records, in `doctor` and with the domain. */
function refusedText(refused: WayLine["refusedDomains"]): string {
  return refused.length === 0 ? "" : `does not take email of ${refused.map(({ domain }) => domain).join(", ")}`;
}

/** Sender domains whose email a way does not take. */
function refusedOf(call: VerbCall): Promise<readonly WayDomainRefusal[]> {
  if (isMissing(call.config())) return Promise.resolve([]);
  return inStore(call, ({ store }) => store.read((reader) => readRefused(reader, MOST_REFUSED)));
}
const MOST_REFUSED = 500;

type WayChange = (tx: Tx, known: WayStorage) => Promise<Way | void>;

async function changed(call: VerbCall, verb: string, change: WayChange): Promise<void> {
  const way = await inStore(call, async (place) => {
    const known = { config: place.config, secrets: await secretsOf(place) };
    return place.store.write(async (tx) => {
      const found = await change(tx, known);
      const target = { id: null, kind: "ways", name: call.argument };
      await noteAct(tx, { by: COMMAND_LINE, action: `way ${verb}`, target });
      return found ?? null;
    });
  });
  const record = way === null ? { name: call.argument, removed: true } : wayLine(way);
  printOne(call, record, () => (way === null ? `${call.argument} is removed.` : lineOf(wayLine(way))));
}

function lineOf({ name, place, pausedAt }: WayLine): string {
  return `${name}: ${place ?? "email is kept"}${pausedAt === null ? "" : ", paused"}`;
}

async function tryOne(call: VerbCall): Promise<number> {
  const ways = await waysOf(call);
  const way = ways.find(({ name }) => name === call.argument);
  if (!way)
    throw new Error(`There is no sending route ${call.argument}; there is ${ways.map(({ name }) => name).join(", ")}.`);
  const problem = way.problem ?? (await looked(call, way));
  const place = addressOfWay(way);
  const refusedDomains = problem === null ? await refusedBy(call, way) : [];
  const but = refusedDomains.map((one) => `\nBut it does not take email of ${one.domain}: ${one.problem}`).join("");
  printOne(call, { name: way.name, place, works: problem === null, problem, refusedDomains }, () =>
    problem === null ? `${way.name} works: ${place ?? "email is kept"}${but}` : `${way.name} does not work: ${problem}`,
  );
  return problem === null ? 0 : 1;
}

/** The fault as far as the way reports it without an email. */
async function refusedBy(call: VerbCall, way: Way) {
  if (isMissing(call.config())) return [];
  const refused = await inStore(call, async (place) =>
    refusedNow({ ...place, ways: [way], tokens: usesTokens(way) ? await tokensIn(place) : null }),
  );
  return refused.map(({ domain, problem }) => ({ domain, problem }));
}

async function looked(call: VerbCall, way: Way): Promise<string | null> {
  if (!usesTokens(way)) return lookedWith((await configBeside(call)).config, way);
  return inStore(call, async (place) => {
    const tokens = await tokensIn(place);
    await tokens.askAgain(way.name);
    return lookedWith(place.config, way, tokens.of(way));
  });
}

async function lookedWith(config: Config, way: Way, tokens?: AccessTokens): Promise<string | null> {
  const carriers = carriersHere(await transportFor(transportOptions(config, way), tokens));
  return carriers.look().finally(() => carriers.close());
}
