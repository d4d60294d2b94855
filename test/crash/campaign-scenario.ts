// A campaign whose server is killed again and again, while the audience is frozen, let in and sent; each recipient is
// counted.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../support/seeded.ts";
import { mailsIn, remainsIn } from "./database.ts";
import { ServerProcess } from "./server-process.ts";
import { Sink } from "./sink.ts";
import { duplicatesIn, faultsIn } from "./verdict.ts";

export type CampaignPlan = { readonly people: number; readonly kills: number; readonly seed: number };

export type CampaignReport = {
  readonly faults: readonly string[];
  readonly arrivals: number;
  readonly duplicates: number;
  /** Kills before the audience was complete, and before every recipient had a mail. */
  readonly whileFreezing: number;
  readonly whileFeeding: number;
  /** As the campaign itself says at the end. */
  readonly counted: Readonly<Record<string, number | string | null>>;
};

type Progress = { readonly status: string; readonly frozen_at: string | null; readonly unfed: number };

const SHORTEST_RUN_MS = 40;
const LONGEST_RUN_MS = 500;
const LOOK_AGAIN_MS = 50;

export async function killDuringCampaign({ people, kills, seed }: CampaignPlan): Promise<CampaignReport> {
  const random = seeded(seed);
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-crash-"));
  const path = join(dataDir, "posthorn.db");
  await using sink = await Sink.start(seeded(seed + 1));
  const inHand: ReadonlySet<string>[] = [];
  const faults: string[] = [];
  const killed: Progress[] = [];
  let run = 0;
  const start = () => ServerProcess.start({ dataDir, relayPort: sink.port, run: run++ });
  const inspect = (server: ServerProcess) => {
    const { sending, faults: damage } = remainsIn(path);
    inHand.push(sending);
    faults.push(...damage, ...server.complaints);
  };
  try {
    const first = await start();
    const call = caller(first.secretKey ?? "");
    await first.stop();
    inspect(first);
    addPeople(path, people);
    let id = "";
    for (let kill = 0; kill < kills; kill++) {
      await using server = await start();
      if (id === "") id = await sendCampaign(call, server.url);
      // The first kills come while the audience is still being frozen.
      await Bun.sleep(kill < 2 ? random.below(SHORTEST_RUN_MS) : SHORTEST_RUN_MS + random.below(LONGEST_RUN_MS));
      await server.kill();
      inspect(server);
      killed.push(progressIn(path));
    }
    await using server = await start();
    while ((await call(server.url, "GET", `/campaigns/${id}`)).status !== "SENT") await Bun.sleep(LOOK_AGAIN_MS);
    const counted = await call(server.url, "GET", `/campaigns/${id}/stats`);
    await server.stop();
    inspect(server);
    const mails = mailsIn(path);
    const recipients = Array.from({ length: people }, (_, number) => addressOf(number));
    const ids = new Map(mails.map((mail) => [mail.recipient, mail.id]));
    const exchanges = [{ recipients, ids: recipients.map((recipient) => ids.get(recipient) ?? "none") }];
    return {
      faults: [...faults, ...faultsIn({ exchanges, arrivals: sink.arrivals, inHand, mails })],
      arrivals: sink.arrivals.length,
      duplicates: duplicatesIn(sink.arrivals).length,
      whileFreezing: killed.filter(({ frozen_at }) => frozen_at === null).length,
      whileFeeding: killed.filter(({ frozen_at, unfed }) => frozen_at !== null && unfed > 0).length,
      counted,
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Call = (url: string, method: string, path: string, body?: object) => Promise<Record<string, string | number>>;

export function caller(secretKey: string): Call {
  const headers = { authorization: `Bearer ${secretKey}`, "content-type": "application/json" };
  return async (url, method, path, body) => {
    const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const answer = (await response.json()) as { data: Record<string, string | number> };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
}

export async function sendCampaign(call: Call, url: string): Promise<string> {
  const content = { name: "All", subject: "Hi {{ name }}", body: "<p>Hello {{ name }}</p>", from: "news@example.test" };
  const { id } = await call(url, "POST", "/campaigns", { ...content, audienceType: "ALL" });
  await call(url, "POST", `/campaigns/${id}/send`);
  return String(id);
}

export function addressOf(number: number): string {
  return `reader${number}@example.com`;
}

/** While no server runs. */
function addPeople(path: string, people: number): void {
  using database = new Database(path);
  const now = new Date().toISOString();
  const insert = database.prepare(`
    insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
    values (?, 1, ?, 1, jsonb(?), ?, ?)`);
  database.transaction(() => {
    for (let number = 0; number < people; number++)
      insert.run(Bun.randomUUIDv7(), addressOf(number), `{"name":"Reader ${number}"}`, now, now);
  })();
}

function progressIn(path: string): Progress {
  using database = new Database(path, { readonly: true });
  return database
    .query(
      `select k.status, k.frozen_at, (select count(*) from recipients r where r.campaign = k.seq and r.contact > k.fed_to) as unfed
       from campaigns k`,
    )
    .get() as Progress;
}
