// `bun bench/campaign.ts`: a campaign's fan-out, what it takes, what it leaves.
import { Database } from "bun:sqlite";
import { generateKeyPairSync, sign } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Ground } from "./support/bench.ts";
import { BODY_BYTES, HTML, SENDER } from "./support/letter.ts";
import type { Figure } from "./support/report.ts";
import { runBench } from "./support/run-bench.ts";
import { prepareInstallation, ServerProcess } from "./support/server-process.ts";
import { SinkProcess } from "./support/sink-process.ts";
import { throughSink } from "./support/smtp-server-env.ts";
import { latencies } from "./support/statistics.ts";

const ROWS_A_TRANSACTION = 20_000;
const BASELINE_MS = 3_000;
const PAUSE_MS = 4;
const LOOK_AGAIN_MS = 250;
const PAST = "2026-01-01T00:00:00.000Z";

type CampaignBench = Ground & {
  readonly contacts: number;
  /** So many of them are subscribed. */
  readonly recipients: number;
  readonly fanOutOnly: boolean;
};
/** Of the campaign that leaves through a relay, and its connections: as many as are configured where nobody says. */
const THROUGH_RELAY = { people: 20_000, connections: 10 };
type Took = { readonly atMs: number; readonly tookMs: number };

/** Every nth contact is subscribed, spread over all of them. */
function addContacts(path: string, { contacts, recipients }: Pick<CampaignBench, "contacts" | "recipients">): void {
  using database = new Database(path);
  database.run("pragma synchronous = off");
  const insert = database.prepare(`
    with recursive n (i) as (select ?1 + 1 union all select i + 1 from n where i < ?2)
    insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
    select printf('0199a3b4-0000-7000-8001-%012x', i), 1, printf('u%d.reader@example.com', i),
      case when (i * ?3) % ?4 < ?3 then 1 else 0 end, jsonb(json_object('name', substr('Bartholomew', 1, 2 + i % 9) || i % 10, 'plan', 'pro')), ?5, ?5 from n`);
  for (let from = 0; from < contacts; from += ROWS_A_TRANSACTION)
    insert.run(from, Math.min(contacts, from + ROWS_A_TRANSACTION), recipients, contacts, PAST);
  database
    .query("insert into contact_counts (workspace, shard, total, subscribed) values (1, 0, ?, ?)")
    .run(contacts, recipients);
  database.run("pragma wal_checkpoint(truncate)");
}

async function call(server: ServerProcess, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
  const reply = await fetch(server.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
  return (await reply.json()) as { data: Record<string, string | number> };
}

/** One request after the other until told to stop. */
async function requests(server: ServerProcess, taken: Took[], goesOn: () => boolean): Promise<void> {
  for (let number = 0; goesOn(); number++) {
    const startMs = performance.now();
    const atMs = Date.now();
    await call(server, "POST", "/v1/send", {
      to: `someone${number % 50}@example.org`,
      from: SENDER,
      subject: "Receipt",
      body: HTML,
    });
    taken.push({ atMs, tookMs: performance.now() - startMs });
    await Bun.sleep(PAUSE_MS);
  }
}

async function measure(bench: CampaignBench): Promise<Figure[]> {
  const { command, recipients, fanOutOnly } = bench;
  const dir = join(bench.dir, "campaign");
  const path = join(dir, "posthorn.db");
  await prepareInstallation(command, dir);
  addContacts(path, bench);
  const bytesBefore = statSync(path).size;
  const taken: Took[] = [];
  let [isOver, idleMb, peakMb, sendMs, statsMs] = [false, 0, 0, 0, 0];
  let progress = { started_at: "", frozen_at: "" };
  {
    await using server = await ServerProcess.start(command, dir, { POSTHORN_DELIVERY_TRANSPORT: "capture" });
    const asking = requests(server, taken, () => !isOver);
    await Bun.sleep(BASELINE_MS);
    idleMb = server.memory.nowMb;
    const input = { name: "All", subject: "Hello {{ name }}", body: HTML, from: SENDER, audienceType: "ALL" };
    const id = (await call(server, "POST", "/campaigns", input)).data["id"];
    await call(server, "POST", `/campaigns/${id}/send`);
    progress = await frozen(path);
    peakMb = server.memory.nowMb;
    isOver = true;
    await asking;
    if (fanOutOnly) await call(server, "POST", `/campaigns/${id}/cancel`);
    const startMs = performance.now();
    while (!fanOutOnly && (await call(server, "GET", `/campaigns/${id}`)).data["status"] !== "SENT")
      await Bun.sleep(LOOK_AGAIN_MS);
    sendMs = performance.now() - startMs;
    const askedMs = performance.now();
    await call(server, "GET", `/campaigns/${id}/stats`);
    statsMs = performance.now() - askedMs;
  }
  const [fromMs, toMs] = [Date.parse(progress.started_at), Date.parse(progress.frozen_at)];
  const usual = latencies(taken.filter(({ atMs }) => atMs < fromMs).map(({ tookMs }) => tookMs));
  const during = latencies(taken.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ tookMs }) => tookMs));
  const others = taken.length * BYTES_OF_A_REQUEST;
  const fanOut: Figure[] = [
    {
      name: "fan-out",
      unit: "s",
      ours: (toMs - fromMs) / 1000,
      goal: { atMost: 15 * Math.max(0.1, recipients / 1e6) },
    },
    {
      name: "/v1/send p99 during it",
      unit: "ms",
      ours: during.p99,
      limit: usual.p99,
      note: `${taken.length} requests`,
    },
    { name: "memory above idle", unit: "MB", ours: peakMb - idleMb, goal: { atMost: 64 } },
    { name: "statistics of the settled campaign", unit: "ms", ours: statsMs },
  ];
  if (fanOutOnly) return fanOut;
  return [
    ...fanOut,
    { name: "sent", unit: "mails/s", ours: recipients / (sendMs / 1000), note: "captured" },
    ...(await throughRelay(bench, "shared")),
    ...(await throughRelay(bench, "personal")),
    {
      name: "kept a recipient",
      unit: "bytes",
      ours: (statSync(path).size - bytesBefore - others) / recipients,
      goal: { atMost: 1_000 },
      note: space(path, recipients),
    },
  ];
}

const SIGNATURES = 2_000;

/** How many emails a second this machine could sign on all its cores, if that were all there is to do. */
async function signaturesPerSecond(): Promise<number> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const header = Buffer.alloc(500, "h");
  const startMs = performance.now();
  await Promise.all(Array.from({ length: SIGNATURES }, () => promisify(sign)("sha256", header, privateKey)));
  return SIGNATURES / ((performance.now() - startMs) / 1000);
}

/** The same text for all, or one that names its reader. */
const BODIES = { shared: HTML, personal: HTML.replace("<p>", "<p>Dear {{ name }}, ") };

/** From the call to the last mail at the relay: the audience, the mails, their signatures, the hand-over. */
async function throughRelay({ command, dir }: Ground, text: keyof typeof BODIES): Promise<Figure[]> {
  const { people, connections } = THROUGH_RELAY;
  const limit = await signaturesPerSecond();
  const place = join(dir, text);
  await prepareInstallation(command, place);
  addContacts(join(place, "posthorn.db"), { contacts: people, recipients: people });
  await using sink = await SinkProcess.start();
  await using server = await ServerProcess.start(command, place, throughSink(sink.port, connections));
  const input = { name: "All", subject: "Hello {{ name }}", body: BODIES[text], from: SENDER, audienceType: "ALL" };
  const id = (await call(server, "POST", "/campaigns", input)).data["id"];
  const startMs = performance.now();
  await call(server, "POST", `/campaigns/${id}/send`);
  await sink.reaches(people);
  const perSecond = people / ((performance.now() - startMs) / 1000);
  const name = `a campaign of ${people}, ${text} text: call to last mail at the relay`;
  return [
    {
      name,
      unit: "mails/s",
      ours: perSecond,
      limit,
      goal: { atLeast: 2_200 },
      note: `${connections} connections, signed; limit: signatures alone`,
    },
    { name: `${name}: memory, peak`, unit: "MB", ours: server.memory.peakMb, goal: { atMost: 150 } },
  ];
}

/** What a mail of /v1/send takes with its content; roughly, it is a small part of the whole. */
const BYTES_OF_A_REQUEST = BODY_BYTES + 1_200;

async function frozen(path: string): Promise<{ started_at: string; frozen_at: string }> {
  for (;;) {
    await Bun.sleep(LOOK_AGAIN_MS);
    using database = new Database(path, { readonly: true });
    const row = database.query("select started_at, frozen_at from campaigns").get() as {
      started_at: string;
      frozen_at: string | null;
    };
    if (row.frozen_at !== null) return { ...row, frozen_at: row.frozen_at };
  }
}

/** Bytes a recipient by table and index, where SQLite can tell. */
function space(path: string, recipients: number): string {
  using database = new Database(path, { readonly: true });
  try {
    const rows = database
      .query(
        "select name, sum(pgsize) as bytes from dbstat where name not like '%contacts%' group by name order by 2 desc",
      )
      .all() as { name: string; bytes: number }[];
    return rows
      .slice(0, 14)
      .map(({ name, bytes }) => `${name} ${Math.round(bytes / recipients)}`)
      .join(", ");
  } catch {
    return "";
  }
}

await runBench({
  options: {
    contacts: { value: "1000000", help: "that the workspace has" },
    recipients: { value: "100000", help: "so many of them are subscribed" },
    "fan-out": { help: "nothing is waited for but the frozen audience" },
  },
  measure: (ground, { contacts, recipients, "fan-out": fanOutOnly = false }) =>
    measure({
      ...ground,
      contacts: Number(contacts ?? 1_000_000),
      recipients: Number(recipients ?? 100_000),
      fanOutOnly,
    }),
});
