// What a request costs: processor time of the thread that serves all of them. The time that a busy machine takes does
// not count, but what the test itself does on this thread does.
import { threadCpuMs } from "../../src/base/clock.ts";
import { MOST_RUNS } from "./cpu-time.ts";
import type { Posthorn } from "./posthorn.ts";

/** Of any request of up to 15 MB: all others wait meanwhile. */
export const MOST_MS = 300;

export type Costly = {
  readonly route: string;
  /** A form leaves as one; all else as JSON. */
  readonly body?: unknown;
  /** Of the secret key unless said otherwise. */
  readonly key?: string;
};

type Cost = { readonly ms: number; readonly status: number; readonly answer: string };

/**
 * The least of a few runs: the first of them compiles what it runs. Of more while they are over the budget: what is
 * within it comes below it once.
 */
export async function costOf(posthorn: Posthorn, make: Costly | ((run: number) => Costly), runs = 3): Promise<Cost> {
  let least: Cost = { ms: Infinity, status: 0, answer: "" };
  for (let run = 0; run < runs || (least.ms >= MOST_MS && run < MOST_RUNS); run++) {
    const cost = await oneRun(posthorn, typeof make === "function" ? make(run) : make);
    if (cost.ms < least.ms) least = cost;
  }
  return least;
}

const encoder = new TextEncoder();

async function oneRun({ server, keys }: Posthorn, { route, body, key = keys.secret }: Costly): Promise<Cost> {
  const [method = "GET", path = "/"] = route.split(" ");
  const form = body instanceof FormData ? await new Response(body).blob() : null;
  const bytes =
    form ?? (body === undefined ? null : encoder.encode(typeof body === "string" ? body : JSON.stringify(body)));
  const headers = {
    authorization: path.startsWith("/compat/mailgun/") ? `Basic ${btoa(`api:${key}`)}` : `Bearer ${key}`,
    "x-postmark-server-token": key,
    ...(bytes ? { "content-type": form?.type ?? "application/json" } : {}),
  };
  const beganMs = threadCpuMs();
  const reply = await fetch(server.url + path, { method, headers, body: bytes });
  const answer = await reply.text();
  return { ms: threadCpuMs() - beganMs, status: reply.status, answer };
}
