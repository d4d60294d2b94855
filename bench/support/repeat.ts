// Closed-loop load of given requests in a process of its own: each connection goes through them again and again.
import { answerTasks } from "./child.ts";
import { HttpConnection } from "./http-connection.ts";
import { latencies, type Latencies } from "./statistics.ts";

export type RepeatTask = {
  readonly url: string;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
};

export type RepeatResult = { readonly perSecond: number; readonly latencyMs: Latencies };

async function repeat({ url, requests, connections, seconds }: RepeatTask): Promise<RepeatResult> {
  const bytes = requests.map((request) => Buffer.from(request));
  const open = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(url)));
  const untilMs = performance.now() + seconds * 1000;
  const tookMs: number[] = [];
  let last = 0;
  const keepAsking = async (connection: HttpConnection) => {
    for (let askedMs = performance.now(); askedMs < untilMs; askedMs = performance.now()) {
      const status = await connection.exchange(bytes[last++ % bytes.length] as Buffer);
      if (status >= 400) throw new Error(`A request was answered with ${status}`);
      tookMs.push(performance.now() - askedMs);
    }
  };
  await Promise.all(open.map(keepAsking));
  for (const connection of open) connection.close();
  return { perSecond: tookMs.length / seconds, latencyMs: latencies(tookMs) };
}

answerTasks(repeat);
