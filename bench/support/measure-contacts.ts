// Contacts of a large workspace: pages, totals, searches and upserts over HTTP, each beside the same statement without
// it.
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { BareContactsResult, BareContactsTask } from "./bare-contacts.ts";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import type { LoadResult, LoadTask } from "./client.ts";
import { stockContacts } from "./contacts-stock.ts";
import { probed } from "./health-probe.ts";
import { NUMBER } from "./numbered-requests.ts";
import type { Figure } from "./report.ts";
import { prepareInstallation, ServerProcess } from "./server-process.ts";
import { median, medianRatio } from "./statistics.ts";
import { cursorOf } from "../../src/store/page.ts";

type Beside = { readonly bench: Bench; readonly server: ServerProcess; readonly client: Child; readonly bare: Child };
type Run = { readonly connections: number; readonly seconds?: number; readonly body?: object };

const WARM_UP_SECONDS = 0.5;
const PAGES = 16;
const WRITERS = 64;
const COLUMNS =
  "seq, id, email, subscribed, status, suppressed, json(data) as data, expires_at, created_at, updated_at";
const LONGEST_SEARCH_MS = 250;
const LONGEST_DELAY_MS = 20;

export async function measureContacts(bench: Bench, count: number): Promise<Figure[]> {
  const dir = join(bench.dir, "contacts");
  const copy = join(bench.dir, "bare-contacts");
  await prepareInstallation(bench.command, dir);
  stockContacts(dir, count);
  cpSync(dir, copy, { recursive: true });
  await using server = await ServerProcess.start(bench.command, dir, {});
  await using client = new Child("client.ts");
  await using bare = new Child("bare-contacts.ts");
  const beside = { bench, server, client, bare };
  return [
    ...(await pages(beside, copy, count)),
    ...(await totals(beside, copy)),
    ...(await searches(beside, copy, count)),
    ...(await upserts(beside, copy)),
  ];
}

async function pages(beside: Beside, copy: string, count: number): Promise<Figure[]> {
  const statement = (where: string) =>
    `select ${COLUMNS} from contacts where workspace = 1${where} order by seq desc limit 101`;
  const after = (seq: number) => `/contacts?limit=100&cursor=${cursorOf("contacts.createdAt.desc", seq)}`;
  const runs: LoadResult[][] = [[], [], []];
  const bare: number[] = [];
  const health: number[] = [];
  for (let pass = 0; pass < beside.bench.passes; pass++) {
    for (const [place, path] of ["/contacts?limit=100", after(count / 2), after(102)].entries())
      runs[place]?.push(await load(beside, "GET", path, { connections: PAGES }));
    bare.push((await bareRun(beside, copy, statement(" and seq < 500"))).perSecond);
    health.push((await load(beside, "GET", "/health", { connections: PAGES })).perSecond);
  }
  const [first = [], middle = [], last = []] = runs;
  const rate = (list: readonly LoadResult[]) => list.map(({ perSecond }) => perSecond);
  const p99 = (list: readonly LoadResult[]) => median(list.map(({ latencyMs }) => latencyMs.p99));
  const figure = (name: string, list: readonly LoadResult[]): Figure[] => [
    {
      name: `page of 100, ${name}, ${PAGES} connections`,
      unit: "pages/s",
      ours: median(rate(list)),
      limit: median(bare),
      ratio: medianRatio(rate(list), bare),
      goal: { atLeast: 3_000 },
      note: `limit: the statement alone; GET /health ${Math.round(median(health)).toLocaleString("en-US")} a second`,
    },
    { name: `page of 100, ${name}: p99`, unit: "ms", ours: p99(list), goal: { atMost: 5 } },
  ];
  return [
    ...figure("first", first),
    ...figure("middle", middle),
    ...figure("last", last),
    {
      name: "page of 100: time of the last to the first",
      unit: "times",
      ours: medianRatio(rate(first), rate(last)),
      goal: { atMost: 1.2 },
    },
  ];
}

async function totals(beside: Beside, copy: string): Promise<Figure[]> {
  const { latencyMs } = await load(beside, "GET", "/contacts?limit=1", { connections: 1 });
  const counting = await bareRun(beside, copy, "select count(*) from contacts where workspace = 1");
  const note = "limit: count(*) alone";
  return [
    {
      name: "page of 1 with the total, 1 connection: p50",
      unit: "ms",
      ours: latencyMs.p50,
      limit: counting.latencyMs.p50,
      goal: { atMost: 2 },
      note,
    },
  ];
}

async function searches(beside: Beside, copy: string, count: number): Promise<Figure[]> {
  const found: Figure[] = [];
  for (const [name, text] of [
    ["nobody", "nobody@"],
    ["a few", `.${String(count).slice(0, 3)}1`],
    ["everybody", "example"],
    ["nobody by two letters", "zq"],
    ["some by two letters", "99"],
  ] as const) {
    const work = () => load(beside, "GET", `/contacts?limit=100&search=${text}`, { connections: 1 });
    const { result, delayMs } = await probed(beside.server.url, work);
    const bare = `select count(*) from contacts where workspace = 1 and instr(email, '${text}') > 0`;
    const { latencyMs } = await bareRun(beside, copy, bare);
    found.push(
      {
        name: `search that finds ${name}: p50`,
        unit: "ms",
        ours: result.latencyMs.p50,
        limit: latencyMs.p50,
        goal: { atMost: LONGEST_SEARCH_MS },
        note: `limit: one count alone; longest ${result.latencyMs.max.toFixed(0)}`,
      },
      {
        name: `search that finds ${name}: longest wait of GET /health`,
        unit: "ms",
        ours: delayMs.max,
        goal: { atMost: LONGEST_DELAY_MS },
      },
    );
  }
  return found;
}

async function upserts(beside: Beside, copy: string): Promise<Figure[]> {
  const ours: LoadResult[] = [];
  const bare: number[] = [];
  for (let pass = 0; pass < beside.bench.passes; pass++) {
    const body = { email: `${NUMBER}.p${pass}@example.com`, data: { plan: "pro" } };
    ours.push(await load(beside, "POST", "/contacts", { connections: WRITERS, body }));
    const task = { kind: "upsert", dir: copy, writers: WRITERS, seconds: beside.bench.seconds } as const;
    bare.push((await beside.bare.ask<BareContactsResult>(task satisfies BareContactsTask)).perSecond);
  }
  const again = await load(beside, "POST", "/contacts", {
    connections: WRITERS,
    body: { email: `${NUMBER}.p0@example.com` },
  });
  const rates = ours.map(({ perSecond }) => perSecond);
  const goal = { atLeast: 5_000 };
  const p99 = median(ours.map(({ latencyMs }) => latencyMs.p99)).toFixed(0);
  const name = `upsert, ${WRITERS} connections`;
  return [
    {
      name: `${name}, new`,
      unit: "contacts/s",
      ours: median(rates),
      limit: median(bare),
      ratio: medianRatio(rates, bare),
      goal,
      note: `limit: same statements, no HTTP; p99 ${p99} ms`,
    },
    { name: `${name}, known`, unit: "contacts/s", ours: again.perSecond, goal },
  ];
}

/** @throws Error if anything but 200 or 201 was answered: such a run is void */
async function load(beside: Beside, method: string, path: string, run: Run): Promise<LoadResult> {
  const { url, key } = beside.server;
  const body = run.body === undefined ? "" : JSON.stringify(run.body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${key}`,
    ...(body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  const result = await beside.client.ask<LoadResult>({
    url,
    connections: run.connections,
    seconds: beside.bench.seconds,
    warmUpSeconds: WARM_UP_SECONDS,
    text: `${head.join("\r\n")}\r\n\r\n${body}`,
  } satisfies LoadTask);
  if (Object.keys(result.refused).length > 0) throw new Error(`Refused: ${JSON.stringify(result.refused)}`);
  return result;
}

function bareRun({ bench, bare }: Beside, dir: string, text: string): Promise<BareContactsResult> {
  return bare.ask({ kind: "statement", dir, text, seconds: bench.seconds } satisfies BareContactsTask);
}
