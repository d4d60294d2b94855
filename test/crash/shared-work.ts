// Three servers on one PostgreSQL that nobody kills: they share one queue, one rate and the news of what is due.
import { Installation, LEASE_MS } from "./installation.ts";
import { makeTemplate, post } from "./post.ts";
import type { SendRequest } from "./requests.ts";
import { sharedReportOn, type SharedReport } from "./shared-report.ts";

export type BacklogPlan = {
  readonly seed: number;
  readonly ratePerSecond: number;
  /** How many mails of each kind. */
  readonly marketing: number;
  readonly transactional: number;
};

export type BacklogReport = SharedReport & {
  /** From the first departure to the last. */
  readonly tookMs: number;
  /**
   * How many marketing mails left between the acceptance of the transactional ones, which came after them, and the last
   * of those.
   */
  readonly marketingBetween: number;
};

/** Two clocks are wrong, one either way, by more than the leases last. */
const CLOCKS_AHEAD_MS: readonly number[] = [0, 50_000, -50_000];
const RECIPIENTS_A_REQUEST = 50;

/** Queues marketing mail, then transactional mail, over all servers, and waits until all of it has left. */
export async function workOffABacklog(plan: BacklogPlan): Promise<BacklogReport> {
  const nodes = CLOCKS_AHEAD_MS.map((clockAheadMs) => ({ clockAheadMs }));
  await using installation = await Installation.set({ ...plan, nodes });
  const template = await makeTemplate(installation.address(0));
  await queue(installation, requestsFor("marketing", plan.marketing, { template }));
  await queue(installation, requestsFor("transactional", plan.transactional, {}));
  const queuedMs = Date.now();
  await installation.drain();
  const { departuresMs, arrivals } = installation.sink;
  const leftLater = arrivals.filter(({ atMs }) => atMs > queuedMs).map(({ recipient }) => recipient.split("-")[0]);
  return {
    ...(await sharedReportOn(installation)),
    tookMs: Math.max(...departuresMs) - Math.min(...departuresMs),
    marketingBetween: leftLater
      .slice(0, leftLater.lastIndexOf("transactional") + 1)
      .filter((kind) => kind === "marketing").length,
  };
}

function requestsFor(kind: string, count: number, more: { readonly template?: string }): SendRequest[] {
  const recipients = Array.from({ length: count }, (_, serial) => `${kind}-${serial}@example.com`);
  const starts = Array.from({ length: Math.ceil(count / RECIPIENTS_A_REQUEST) }, (_, n) => n * RECIPIENTS_A_REQUEST);
  return starts.map((start) => ({
    recipients: recipients.slice(start, start + RECIPIENTS_A_REQUEST),
    key: null,
    ...more,
  }));
}

async function queue(installation: Installation, requests: readonly SendRequest[]): Promise<void> {
  await Promise.all(requests.map((request, turn) => send(installation, turn % installation.nodes.length, request)));
}

async function send(installation: Installation, node: number, request: SendRequest): Promise<void> {
  installation.book.asked(request);
  const said = await post(installation.address(node), request);
  if (said.kind !== "accepted") throw new Error("Answered 503");
  installation.book.answered(request, said.answer);
}

export type NewsReport = {
  readonly report: SharedReport;
  /** From the answer to a request until its mail had left another server, in the middle of all times. */
  readonly elsewhereMs: number;
  /** The same where the server that took it in may send it itself: what the machine needs for it. */
  readonly hereMs: number;
};

/** Long enough for the servers that send to come to rest. */
const PAUSE_MS = 250;
const MAILS_EACH_TIME = 8;

/** One server only takes mails in; the others hear of it, also after their database was away. */
export async function sendWhatAnotherTookIn(seed: number): Promise<NewsReport> {
  await using installation = await Installation.set({ seed, ratePerSecond: 100, nodes: [{ idle: true }, {}, {}] });
  const elsewhere = await delaysOf(installation, 0, "before");
  const here = await delaysOf(installation, 1, "here");
  await installation.withoutDatabase(() => installation.database.restart());
  await send(installation, 0, { recipients: ["first@example.com"], key: null });
  await installation.until(() => installation.book.backlog === 0, "the first mail after the restart had left");
  elsewhere.push(...(await delaysOf(installation, 0, "after")));
  await installation.drain();
  return { report: await sharedReportOn(installation), elsewhereMs: middleOf(elsewhere), hereMs: middleOf(here) };
}

function middleOf(delaysMs: readonly number[]): number {
  return delaysMs.toSorted((one, other) => one - other)[Math.floor(delaysMs.length / 2)] ?? 0;
}

async function delaysOf(installation: Installation, node: number, name: string): Promise<number[]> {
  const delaysMs: number[] = [];
  for (let mail = 0; mail < MAILS_EACH_TIME; mail++) {
    await Bun.sleep(PAUSE_MS);
    await send(installation, node, { recipients: [`${name}-${mail}@example.com`], key: null });
    const answeredMs = Date.now();
    await installation.until(() => installation.book.backlog === 0, "the mail had left");
    delaysMs.push(Math.max(0, (installation.sink.departuresMs.at(-1) ?? 0) - answeredMs));
  }
  return delaysMs;
}

/** Of each server. */
export const CONNECTIONS = 4;
/** What the servers take in hand at once, most of it without a free connection. */
const MAILS_OF_THE_FREEZE = 50;
const SLOWER_BY_MS = 1_000;
/** Time for the other server to send what the frozen one had in hand. */
const BEYOND_LEASE_MS = 3_000;

/** One of two servers stands still in the middle of its work until its leases have run out, and then goes on. */
export async function freezeOneOfTwo(seed: number): Promise<SharedReport> {
  const settings = { POSTHORN_DELIVERY_CONCURRENCY: String(CONNECTIONS) };
  await using installation = await Installation.set({ seed, ratePerSecond: 0, nodes: [{ settings }, { settings }] });
  const { nodes, sink } = installation;
  sink.slowerByMs = SLOWER_BY_MS;
  await queue(installation, requestsFor("transactional", MAILS_OF_THE_FREEZE, {}));
  const senders = () => new Set(sink.arrivals.map(({ run }) => run)).size;
  await installation.until(() => senders() === nodes.length, "both servers were handing over");
  sink.slowerByMs = 0;
  // What it says of having stood still is no fault.
  await installation.withoutDatabase(async () => {
    nodes[0]?.freeze();
    await Bun.sleep(LEASE_MS + BEYOND_LEASE_MS);
    nodes[0]?.thaw();
  });
  await installation.drain();
  return await sharedReportOn(installation);
}
