// Workflows: what they cost those who track events, how fast what is due goes on, and how fast webhooks leave.
import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import type { ReceiverPorts, ReceiverTask } from "./hook-receiver.ts";
import type { Figure } from "./report.ts";
import { cpuMs, ServerProcess } from "./server-process.ts";
import { latencies, median } from "./statistics.ts";
import { track } from "./track-load.ts";

export type WorkflowBench = Bench & { readonly executions: number };

const CONNECTIONS = 64;
const ENV = { POSTHORN_WEBHOOKS_ALLOW: "127.0.0.1", POSTHORN_LIMITS_REQUESTS_PER_MINUTE: "0" };
const WAIT = { type: "DELAY", name: "Wait", config: { amount: 1, unit: "days" } };
const MARK = { type: "UPDATE_CONTACT", name: "Mark", config: { data: { done: true } } };
const END = { type: "EXIT", name: "End", config: {} };
const LONGEST_MS = 300_000;

export async function measureWorkflows(bench: WorkflowBench): Promise<Figure[]> {
  const dir = join(bench.dir, "workflows");
  mkdirSync(dir);
  const figures: Figure[] = [];
  {
    await using server = await ServerProcess.start(bench.command, dir, ENV);
    figures.push(...(await tracking(bench, server)), await latency(dir, server));
    await addWorkflow(server, "wait", [WAIT, END]);
    await track(server, { event: "wait", connections: CONNECTIONS, most: bench.executions });
    await until(() => count(dir, "where status = 'WAITING'") >= bench.executions);
    figures.push(await idling(server));
  }
  figures.push(await allAtOnce(bench, dir));
  await using receiver = new Child("hook-receiver.ts");
  const ports = await receiver.ask<ReceiverPorts>({ kind: "open" } satisfies ReceiverTask);
  figures.push(await webhooks(bench, dir, ports), await besideHanging(bench, dir, ports));
  return figures;
}

async function tracking({ passes, seconds }: Bench, server: ServerProcess): Promise<Figure[]> {
  for (let n = 0; n < 50; n++) await addWorkflow(server, `other${n}`, [END]);
  await addWorkflow(server, "signup", [MARK, END]);
  const rates: Record<string, number[]> = { quiet: [], signup: [] };
  for (let pass = 0; pass < passes; pass++) {
    for (const event of Object.keys(rates)) {
      rates[event]?.push(await track(server, { event, connections: CONNECTIONS, seconds }));
    }
  }
  const name = `track, ${CONNECTIONS} connections`;
  return [
    {
      name: `${name}, 50 workflows listen to others`,
      unit: "events/s",
      ours: median(rates["quiet"] ?? []),
      goal: { atLeast: 5_000 },
    },
    {
      name: `${name}, each starts a workflow`,
      unit: "events/s",
      ours: median(rates["signup"] ?? []),
      goal: { atLeast: 3_000 },
    },
  ];
}

/** From the event to the first step, one after the other. */
async function latency(dir: string, server: ServerProcess): Promise<Figure> {
  await until(() => count(dir, "where status in ('RUNNING', 'WAITING')") === 0);
  await addWorkflow(server, "idle", [END]);
  for (let n = 0; n < 200; n++) {
    await track(server, { event: "idle", connections: 1, most: 1 });
    await Bun.sleep(15);
  }
  await until(() => count(dir, "where event_name = 'idle' and status = 'EXITED'") === 200);
  const rows = query<{ event: string; step: string }>(
    dir,
    `select e.created_at as event, s.started_at as step from events e
     join executions x on x.contact = e.contact and x.event_name = 'idle'
     join execution_steps s on s.execution = x.seq where e.name = 'idle'`,
  );
  const { p50, p99, max } = latencies(rows.map(({ event, step }) => Date.parse(step) - Date.parse(event)));
  return {
    name: "event to first step: p99",
    unit: "ms",
    ours: p99,
    goal: { atMost: 50 },
    note: `p50 ${p50}, longest ${max}`,
  };
}

/** The share of a processor that a server takes with so many waiting. */
async function idling(server: ServerProcess): Promise<Figure> {
  await Bun.sleep(3_000);
  const before = cpuMs(server);
  await Bun.sleep(5_000);
  const percent = (cpuMs(server) - before) / 50;
  const note = `${server.memory.nowMb.toFixed(0)} MB`;
  return { name: "processor time with all waiting", unit: "%", ours: percent, goal: { atMost: 3 }, note };
}

async function allAtOnce({ command, executions }: WorkflowBench, dir: string): Promise<Figure> {
  dueSoon(dir, "wait");
  await using server = await ServerProcess.start(command, dir, ENV);
  await until(() => count(dir, "where event_name = 'wait' and status = 'WAITING'") === 0);
  const [row] = query<{ first: string; last: string }>(
    dir,
    "select min(ended_at) as first, max(ended_at) as last from executions where event_name = 'wait'",
  );
  const seconds = (Date.parse(row?.last ?? "") - Date.parse(row?.first ?? "")) / 1000;
  const note = `peak ${server.memory.peakMb.toFixed(0)} MB`;
  // Each ends its delay and comes by one step more.
  const name = `${executions} due in the same second`;
  return { name, unit: "steps/s", ours: (2 * executions) / seconds, goal: { atLeast: 5_000 }, note };
}

async function webhooks(
  { command, executions }: WorkflowBench,
  dir: string,
  { quick }: ReceiverPorts,
): Promise<Figure> {
  const most = Math.ceil(executions / 5);
  await waitingHooks(command, dir, "hook", { url: `http://127.0.0.1:${quick}/`, most });
  dueSoon(dir, "hook");
  await using server = await ServerProcess.start(command, dir, ENV);
  const seconds = await delivered(dir, "hook", most);
  const note = `peak ${server.memory.peakMb.toFixed(0)} MB`;
  return { name: "webhooks, 50 at a time", unit: "calls/s", ours: most / seconds, goal: { atLeast: 2_000 }, note };
}

/** The same beside a receiver that never answers. */
async function besideHanging(
  { command, executions }: WorkflowBench,
  dir: string,
  ports: ReceiverPorts,
): Promise<Figure> {
  const most = Math.ceil(executions / 50);
  const at = (port: number) => ({ url: `http://127.0.0.1:${port}/`, most });
  await waitingHooks(command, dir, "dead", at(ports.hanging));
  await waitingHooks(command, dir, "beside", at(ports.quick));
  dueSoon(dir, "dead");
  dueSoon(dir, "beside");
  await using _server = await ServerProcess.start(command, dir, ENV);
  const seconds = await delivered(dir, "beside", most);
  const name = `${most} webhooks beside as many to one that hangs`;
  return { name, unit: "s", ours: seconds, goal: { atMost: Math.max(2, most / 500) } };
}

type Hooks = { readonly url: string; readonly most: number };

async function waitingHooks(
  command: readonly string[],
  dir: string,
  event: string,
  { url, most }: Hooks,
): Promise<void> {
  await using server = await ServerProcess.start(command, dir, ENV);
  await addWorkflow(server, event, [WAIT, { type: "WEBHOOK", name: "Hook", config: { url } }]);
  await track(server, { event, connections: CONNECTIONS, most });
  await until(() => count(dir, `where event_name = '${event}' and status = 'WAITING'`) >= most);
}

/** Seconds from the first attempt to the last end. */
async function delivered(dir: string, event: string, most: number): Promise<number> {
  await until(() => count(dir, `where event_name = '${event}' and status = 'COMPLETED'`) >= most);
  const [row] = query<{ first: string; last: string }>(
    dir,
    `select min(a.at) as first, max(x.ended_at) as last from executions x
     join webhook_deliveries d on d.execution = x.seq join webhook_attempts a on a.delivery = d.seq
     where x.event_name = '${event}'`,
  );
  return (Date.parse(row?.last ?? "") - Date.parse(row?.first ?? "")) / 1000;
}

async function addWorkflow({ url, key }: ServerProcess, eventName: string, steps: readonly object[]): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: eventName, eventName, enabled: true, steps });
  const reply = await fetch(`${url}/workflows`, { method: "POST", headers, body });
  if (reply.status !== 201) throw new Error(await reply.text());
}

/** Between two runs of the server. */
function dueSoon(dir: string, event: string): void {
  const database = new Database(join(dir, "posthorn.db"));
  const dueAt = new Date(Date.now() + 1_500).toISOString();
  database.run("update executions set due_at = ? where event_name = ? and status = 'WAITING'", [dueAt, event]);
  database.close();
}

function count(dir: string, where: string): number {
  return query<{ total: number }>(dir, `select count(*) as total from executions ${where}`)[0]?.total ?? 0;
}

function query<Row>(dir: string, text: string): Row[] {
  const database = new Database(join(dir, "posthorn.db"), { readonly: true });
  try {
    return database.query(text).all() as Row[];
  } finally {
    database.close();
  }
}

async function until(holds: () => boolean): Promise<void> {
  const startedMs = performance.now();
  while (!holds()) {
    if (performance.now() - startedMs > LONGEST_MS) throw new Error("It takes too long.");
    await Bun.sleep(250);
  }
}
