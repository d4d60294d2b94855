// What is done to each of two servers by turns: a fixed number of pieces of work, through the public API alone, which
// servers of any age have.
import { Child } from "./child.ts";
import type { LoadResult, LoadTask } from "./client.ts";
import { HTML, SENDER, SUBJECT } from "./letter.ts";
import { NUMBER } from "./numbered-requests.ts";
import type { ServerProcess } from "./server-process.ts";
import { SinkProcess } from "./sink-process.ts";

const PATIENCE_SECONDS = 120;
const DAY_MS = 24 * 60 * 60 * 1000;
/** From the last request to the moment at which what was accepted is due. */
const PAUSE_MS = 3_000;
const LOOK_AGAIN_MS = 50;
const RECIPIENTS_A_SEND = 50;

/** A server with its client and its sink. `runs`: tells the people of one run from those of another. */
export class Stage implements AsyncDisposable {
  readonly #client = new Child("client.ts");
  #runs = 0;

  constructor(
    readonly server: ServerProcess,
    readonly sink: SinkProcess,
    readonly publicKey: string,
  ) {}

  get nextRun(): string {
    return `p${++this.#runs}`;
  }

  /** @throws Error if anything but 200 or 201 was answered: such a run is void */
  async ask(what: Asked): Promise<void> {
    const { url, key } = this.server;
    const { method = "POST", path, body, connections, count, secret = key } = what;
    const text = body === undefined ? "" : JSON.stringify(body);
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${new URL(url).host}`,
      `Authorization: Bearer ${secret}`,
      ...(text === "" ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`]),
    ];
    const task = { url, connections, warmUpSeconds: 0, seconds: PATIENCE_SECONDS, most: count };
    const request = `${head.join("\r\n")}\r\n\r\n${text}`;
    const { refused } = await this.#client.ask<LoadResult>({ ...task, text: request } satisfies LoadTask);
    if (Object.keys(refused).length > 0) throw new Error(`${path}: refused ${JSON.stringify(refused)}`);
  }

  /** One request, and what it was answered. */
  async call(method: string, path: string, body?: object): Promise<{ readonly data?: { readonly id: string } }> {
    const headers = { authorization: `Bearer ${this.server.key}`, "content-type": "application/json" };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const reply = await fetch(this.server.url + path, init);
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
    return (await reply.json()) as { readonly data?: { readonly id: string } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
    await this.sink[Symbol.asyncDispose]();
  }
}

type Asked = {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly connections: number;
  readonly count: number;
  /** Another key than the server's own. */
  readonly secret?: string;
};

/** Measured. Answers when it began, if it had to wait. */
type Work = () => Promise<number | void>;

/** `count`: pieces of work at full length. `prepare` is not measured. */
export type Workload = {
  readonly name: string;
  readonly count: number;
  readonly prepare: (stage: Stage, count: number) => Promise<Work>;
};

const person = (stage: Stage) => `${NUMBER}.${stage.nextRun}@example.com`;

function requests(name: string, count: number, asked: (stage: Stage) => Omit<Asked, "count">): Workload {
  const prepare = async (stage: Stage, many: number) => {
    const what = { ...asked(stage), count: many };
    return () => stage.ask(what);
  };
  return { name, count, prepare };
}

const mail = () => ({
  from: SENDER,
  subject: SUBJECT,
  body: HTML,
  sendAt: new Date(Date.now() + DAY_MS).toISOString(),
});
const send = (connections: number, count: number): Workload =>
  requests(`send c=${connections}`, count, (stage) => ({
    path: "/v1/send",
    body: { to: person(stage), ...mail() },
    connections,
  }));
const event = (stage: Stage) => ({ email: person(stage), event: "visited", data: { plan: "pro" } });

export const WORKLOADS: readonly Workload[] = [
  send(1, 400),
  send(16, 3_000),
  send(64, 4_000),
  requests("track, secret key", 6_000, (stage) => ({ path: "/v1/track", body: event(stage), connections: 64 })),
  requests("track, public key", 6_000, (stage) => ({
    path: "/v1/track",
    body: event(stage),
    connections: 64,
    secret: stage.publicKey,
  })),
  requests("contacts", 6_000, (stage) => ({
    path: "/contacts",
    body: { email: person(stage), data: { plan: "pro" } },
    connections: 64,
  })),
  requests("list of 100", 3_000, () => ({ method: "GET", path: "/contacts?limit=100", connections: 16 })),
  { name: "drain, signed and tracked", count: 3_000, prepare: drain },
  { name: "campaign", count: 3_000, prepare: campaign },
];

/** All are due at one moment, after the last of them was accepted. */
async function drain(stage: Stage, count: number): Promise<Work> {
  const run = stage.nextRun;
  const dueMs = Date.now() + PAUSE_MS + count;
  const body = { ...mail(), sendAt: new Date(dueMs).toISOString() };
  for (let at = 0; at < count; at += RECIPIENTS_A_SEND) {
    const to = Array.from({ length: RECIPIENTS_A_SEND }, (_, n) => `d${at + n}.${run}@example.com`);
    await stage.call("POST", "/v1/send", { ...body, to });
  }
  const before = await stage.sink.count();
  return async () => {
    if (Date.now() > dueMs) throw new Error("Mails were due before the last of them was accepted");
    await Bun.sleep(dueMs - Date.now());
    const fromMs = performance.now();
    await stage.sink.reaches(before + count);
    return fromMs;
  };
}

/** To everybody whom the other workloads have made: the audience, the mails, the hand-over. */
async function campaign(stage: Stage, count: number): Promise<Work> {
  const plan = `plan-${stage.nextRun}`;
  await stage.ask({ path: "/contacts", body: { email: person(stage), data: { plan } }, connections: 64, count });
  const before = await stage.sink.count();
  const condition = { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "equals", value: plan }] }] };
  const input = {
    name: plan,
    subject: "Hello",
    body: HTML,
    from: SENDER,
    audienceType: "FILTERED",
    audienceCondition: condition,
  };
  const { data } = await stage.call("POST", "/campaigns", input);
  return async () => {
    await stage.call("POST", `/campaigns/${data?.id}/send`);
    await stage.sink.reaches(before + count);
  };
}

/** Until what is left to do after a workload is done: a server that is stopped with work in hand does it later. */
export async function settled(isIdle: () => boolean): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet = isIdle() ? quiet + 1 : 0) await Bun.sleep(LOOK_AGAIN_MS);
}
