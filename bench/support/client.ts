// Closed-loop load in a process of its own: each connection sends its next request when the last one is answered.
import { answerTasks } from "./child.ts";
import { HttpConnection } from "./http-connection.ts";
import { NumberedRequests } from "./numbered-requests.ts";
import { latencies, type Latencies } from "./statistics.ts";

export type LoadTask = {
  readonly url: string;
  /** One request of HTTP/1.1, with the places of its numbers. */
  readonly text: string;
  readonly connections: number;
  /** Not measured: until everything is warm. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Ends earlier after so many requests. */
  readonly most?: number;
};

export type LoadResult = {
  /** Answered 200 or 201, in the measured time and in all. */
  readonly measured: number;
  readonly acknowledged: number;
  readonly perSecond: number;
  readonly latencyMs: Latencies;
  /** How often any other status came. */
  readonly refused: Readonly<Record<number, number>>;
};

class Run {
  readonly tookMs: number[] = [];
  readonly refused: Record<number, number> = {};
  readonly fromMs: number;
  readonly untilMs: number;
  acknowledged = 0;
  started = 0;

  constructor(readonly task: LoadTask) {
    this.fromMs = performance.now() + task.warmUpSeconds * 1000;
    this.untilMs = this.fromMs + task.seconds * 1000;
  }

  get goesOn(): boolean {
    return performance.now() < this.untilMs && this.started < (this.task.most ?? Infinity);
  }

  note(status: number, askedMs: number): void {
    const nowMs = performance.now();
    const isDone = status === 200 || status === 201;
    if (isDone) this.acknowledged++;
    else this.refused[status] = (this.refused[status] ?? 0) + 1;
    if (isDone && nowMs >= this.fromMs && nowMs <= this.untilMs) this.tookMs.push(nowMs - askedMs);
  }
}

async function load(task: LoadTask): Promise<LoadResult> {
  const requests = new NumberedRequests(task.text);
  const connections = await Promise.all(Array.from({ length: task.connections }, () => HttpConnection.open(task.url)));
  const run = new Run(task);
  await Promise.all(connections.map((connection) => keepSending(connection, requests, run)));
  for (const connection of connections) connection.close();
  const { acknowledged, refused, tookMs } = run;
  return {
    measured: tookMs.length,
    acknowledged,
    perSecond: tookMs.length / task.seconds,
    latencyMs: latencies(tookMs),
    refused,
  };
}

async function keepSending(connection: HttpConnection, requests: NumberedRequests, run: Run): Promise<void> {
  while (run.goesOn) {
    run.started++;
    const askedMs = performance.now();
    run.note(await connection.exchange(requests.next()), askedMs);
  }
}

answerTasks(load);
