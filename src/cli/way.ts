// `posthorn way list` and `posthorn way try`: the ways out that the configuration names, and whether they work.
import { carriersHere } from "../delivery/carrier/carriers.ts";
import { transportFor } from "../delivery/carrier/transports.ts";
import { transportOptions } from "../delivery/sending-options.ts";
import { placeOf, waysOf, type Way } from "../delivery/ways.ts";
import { printList, printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";

const LIST: Verb = {
  name: "way list",
  summary: "Lists the ways out in the order in which they follow each other",
  options: JSON_OPTION,
  run: list,
};

const TRY: Verb = {
  name: "way try",
  argument: "NAME",
  summary: "Connects to a way out and logs in, without an email; exit code 1 if that fails",
  options: JSON_OPTION,
  run: tryOne,
};

export const WAY_VERBS: readonly Verb[] = [LIST, TRY];

type WayRecord = {
  readonly name: string;
  readonly transport: string;
  readonly place: string | null;
  readonly ratePerSecond: number | null;
  readonly concurrency: number;
  readonly provider: string | null;
  readonly price: number | null;
};

async function list(call: Call): Promise<void> {
  const config = call.config();
  const prices = new Map(config.ways.map(({ name, price }) => [name, price]));
  const records = waysOf(config).map((way) => recordOf(way, prices.get(way.name) ?? null));
  printList(call, records, inColumns, "There is no way out.");
}

function recordOf(way: Way, price: number | null): WayRecord {
  const { name, kind, ratePerSecond, concurrency, relay } = way;
  const rate = ratePerSecond === 0 ? null : ratePerSecond;
  return {
    ...{ name, transport: kind, place: placeOf(way), ratePerSecond: rate, concurrency },
    ...{ provider: relay.provider, price },
  };
}

function inColumns({ name, transport, place, ratePerSecond, concurrency, provider, price }: WayRecord) {
  return {
    ...{ name, transport, place: place ?? "" },
    "a second": ratePerSecond === null ? "no limit" : String(ratePerSecond),
    ...{ connections: String(concurrency), provider: provider ?? "", price: price === null ? "" : String(price) },
  };
}

async function tryOne(call: Call): Promise<number> {
  const config = call.config();
  const ways = waysOf(config);
  const way = ways.find(({ name }) => name === call.argument);
  if (!way)
    throw new Error(`There is no way out ${call.argument}; there is ${ways.map(({ name }) => name).join(", ")}.`);
  const carriers = carriersHere(await transportFor(transportOptions(config, way)));
  const problem = await carriers.look().finally(() => carriers.close());
  const place = placeOf(way);
  printOne(call, { name: way.name, place, works: problem === null, problem }, () =>
    problem === null ? `${way.name} works: ${place ?? "email is kept"}` : `${way.name} does not work: ${problem}`,
  );
  return problem === null ? 0 : 1;
}
