// What workspace A does to a server, in a process of its own: each attack is a function that ends by itself.
import { answerTasks } from "./child.ts";
import { SENDER } from "./letter.ts";

export type AttackTask = {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly public: string;
  /** How long what is held stays held. */
  readonly seconds: number;
};

/** `stocked`: so many mails of A are queued before. `env`: what the server is started with. */
type Attack = {
  readonly title: string;
  readonly run: (task: AttackTask) => Promise<unknown>;
  readonly stocked?: number;
  readonly env?: Readonly<Record<string, string>>;
};

const LOOPS = "{% for i in (1..900) %}{% for j in (1..900) %}{{ i }}{% endfor %}{% endfor %}";
const MAIL = { from: SENDER, subject: "Hi", body: "<p>Hello</p>" };
const TEMPLATE = { name: "Loops", type: "TRANSACTIONAL", from: SENDER };
const MEGABYTE = 1024 * 1024;
const UNLIMITED_RATE = { POSTHORN_DELIVERY_RATE_PER_SECOND: "0" };
const OPEN_WEBHOOKS = { POSTHORN_WEBHOOKS_ALLOW: "127.0.0.1" };

export const ATTACKS: Readonly<Record<string, Attack>> = {
  queue: { title: "50,000 mails queued", run: async () => {}, stocked: 50_000 },
  loops: { title: "200 mails of nested loops", run: loops },
  previews: { title: "30 previews of nested loops", run: previews },
  simulations: { title: "10 simulations of nested loops", run: simulations, env: OPEN_WEBHOOKS },
  webhooks: { title: "50 webhooks of nested loops", run: webhooks, env: OPEN_WEBHOOKS },
  source: { title: "a template of {{a}} × 390,000", run: source },
  keys: { title: "JSON of 900,000 keys", run: keys },
  nuls: { title: "an array of 1.5 million NULs", run: nuls },
  bodies: { title: "60 unfinished bodies of 15 MB, public key", run: bodies },
  markup: { title: "200 mails of 1 MB of short tags, no rate", run: markup, env: UNLIMITED_RATE },
  large: { title: "50 mails of 10 MB, no rate", run: large, env: UNLIMITED_RATE },
};

async function loops(task: AttackTask): Promise<void> {
  const mail = { ...MAIL, subject: LOOPS, body: LOOPS, text: LOOPS, data: { a: 1 } };
  for (let n = 0; n < 4; n++) await post(task, "/v1/send", { ...mail, to: people(50, `l${n}`) });
}

async function previews(task: AttackTask): Promise<void> {
  const id = await made(task, "/templates", { ...TEMPLATE, subject: "Hi", body: LOOPS });
  await Promise.all(Array.from({ length: 30 }, () => post(task, `/templates/${id}/preview`, {})));
}

async function simulations(task: AttackTask): Promise<void> {
  const workflow = await loopingWorkflow(task);
  const contactId = await made(task, "/contacts", { email: "simulated@example.com" });
  await Promise.all(Array.from({ length: 10 }, () => post(task, `/workflows/${workflow}/simulate`, { contactId })));
}

async function webhooks(task: AttackTask): Promise<void> {
  await loopingWorkflow(task);
  for (const email of people(50, "w")) await post(task, "/v1/track", { email, event: "attack" });
}

function loopingWorkflow(task: AttackTask): Promise<string> {
  const config = { url: "http://127.0.0.1:9/x", method: "POST", body: { one: LOOPS, two: LOOPS, three: LOOPS } };
  const steps = [{ type: "WEBHOOK", name: "Hook", config }];
  return made(task, "/workflows", { name: "Loops", eventName: "attack", enabled: true, steps });
}

function source(task: AttackTask): Promise<void> {
  return fiveTimes(task, "/templates", JSON.stringify({ ...TEMPLATE, subject: "Hi", body: "{{a}}".repeat(390_000) }));
}

function keys(task: AttackTask): Promise<void> {
  const data = Object.fromEntries(Array.from({ length: 900_000 }, (_, n) => [`k${n}`, 1]));
  return fiveTimes(task, "/v1/send", JSON.stringify({ ...MAIL, to: "x@example.com", data }));
}

function nuls(task: AttackTask): Promise<void> {
  const list = `[${Array(1_500_000).fill('"\\u0000"').join(",")}]`;
  return fiveTimes(task, "/v1/send", `{"to":"x@example.com","data":{"list":${list}}}`);
}

async function large(task: AttackTask): Promise<void> {
  const content = Buffer.alloc(10 * MEGABYTE - 1024, 7).toString("base64");
  const attachments = [{ filename: "a.bin", content, contentType: "application/octet-stream" }];
  await post(task, "/v1/send", { ...MAIL, to: people(50, "large"), attachments });
}

async function markup(task: AttackTask): Promise<void> {
  const mail = { ...MAIL, body: "é<p>".repeat(200_000) };
  for (let n = 0; n < 4; n++) await post(task, "/v1/send", { ...mail, to: people(50, `m${n}`) });
}

/** Each stops one byte before its end, and stays open. */
async function bodies({ url, public: key, seconds }: AttackTask): Promise<void> {
  const { hostname, port } = new URL(url);
  const head = `POST /v1/track HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${15 * MEGABYTE}\r\n\r\n`;
  const body = Buffer.alloc(15 * MEGABYTE - 1, "x");
  const open = Array.from({ length: 60 }, () => {
    let rest = Buffer.concat([Buffer.from(head), body]);
    const send = (socket: { write(bytes: Uint8Array): number }) => {
      rest = rest.subarray(Math.max(0, socket.write(rest)));
    };
    return Bun.connect({ hostname, port: Number(port), socket: { open: send, drain: send, data() {}, error() {} } });
  });
  await Bun.sleep(seconds * 1000);
  for (const socket of await Promise.allSettled(open)) if (socket.status === "fulfilled") socket.value.end();
}

function people(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}-${n}@example.com`);
}

async function fiveTimes(task: AttackTask, path: string, body: string): Promise<void> {
  for (let n = 0; n < 5; n++) await post(task, path, body);
}

async function made(task: AttackTask, path: string, body: object): Promise<string> {
  const answer = await post(task, path, body);
  if (!answer?.ok) throw new Error(`${path} was answered ${answer?.status}: ${await answer?.text()}`);
  const record = (await answer.json()) as { id?: string; data?: { id: string } };
  return (record.id ?? record.data?.id) as string;
}

/** Null: the server closed the connection, as it may with what is too large. */
function post({ url, secret }: AttackTask, path: string, body: unknown): Promise<Response | null> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url + path, { method: "POST", headers, body: text }).catch(() => null);
}

if (import.meta.main) answerTasks((task: AttackTask) => ATTACKS[task.name]?.run(task));
