// The load of a program that people know: `wrk` where it is installed, so that figures can be compared with others';
// else our own.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Child } from "./child.ts";
import type { LoadResult, LoadTask } from "./client.ts";
import { NUMBER } from "./numbered-requests.ts";
import type { ServerProcess } from "./server-process.ts";

/** `body`: with `NUMBER` wherever each request has a number of its own; null = a GET. */
export type OutsideRequest = { readonly path: string; readonly body: object | null };
export type OutsideTerms = OutsideRequest & { readonly connections: number; readonly seconds: number };
/** Whom it asks, and the key that it shows. */
export type Target = Pick<ServerProcess, "url" | "key">;
export type OutsideResult = { readonly perSecond: number; readonly p99Ms: number };

export const LOAD_NAME = Bun.which("wrk") ? "wrk" : "our own client";
const WARM_UP_SECONDS = 1;
let runs = 0;

/** @throws Error if anything but 200 or 201 was answered: such a run is void */
export async function outsideLoad(server: Target, dir: string, terms: OutsideTerms): Promise<OutsideResult> {
  const run = `n${++runs}`;
  const text = terms.body === null ? null : JSON.stringify(terms.body).replaceAll("RUN", run);
  return LOAD_NAME === "wrk" ? byWrk(server, dir, { ...terms, text }) : byOurs(server, { ...terms, text });
}

type Written = OutsideTerms & { readonly text: string | null };

async function byWrk(server: Target, dir: string, { path, text, connections, seconds }: Written) {
  const script = join(dir, `wrk-${runs}.lua`);
  writeFileSync(script, scriptOf(server, text));
  const ask = (duration: number) =>
    Bun.$`wrk -t1 -c${connections} -d${duration}s --latency -s ${script} ${server.url + path}`.text();
  await ask(WARM_UP_SECONDS);
  const said = await ask(Math.ceil(seconds));
  if (/Non-2xx|Socket errors/.test(said)) throw new Error(`wrk was refused: ${said}`);
  return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1]), p99Ms: milliseconds(said) };
}

/** Numbers go on over several runs of wrk: a run begins where the clock is. */
function scriptOf({ key }: Target, text: string | null): string {
  const [before, ...after] = (text ?? "").split(NUMBER);
  const pieces = [before, ...after].map((piece) => `[==[${piece}]==]`).join(" .. number .. ");
  return `
    local n = os.time() * 1000000
    wrk.headers["Authorization"] = "Bearer ${key}"
    wrk.headers["Content-Type"] = "application/json"
    function request()
      n = n + 1
      local number = "u" .. string.format("%.0f", n)
      ${text === null ? "return wrk.format('GET')" : `return wrk.format('POST', nil, nil, ${pieces})`}
    end`;
}

function milliseconds(said: string): number {
  const [, value, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(said) ?? [];
  return Number(value) * { us: 0.001, ms: 1, s: 1_000 }[unit as "us" | "ms" | "s"];
}

async function byOurs(server: Target, { path, text, connections, seconds }: Written): Promise<OutsideResult> {
  const head = [
    `${text === null ? "GET" : "POST"} ${path} HTTP/1.1`,
    `Host: ${new URL(server.url).host}`,
    `Authorization: Bearer ${server.key}`,
    ...(text === null ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  await using client = new Child("client.ts");
  const request = `${head.join("\r\n")}\r\n\r\n${text ?? ""}`;
  const task: LoadTask = { url: server.url, text: request, connections, warmUpSeconds: WARM_UP_SECONDS, seconds };
  const { perSecond, latencyMs, refused } = await client.ask<LoadResult>(task);
  if (Object.keys(refused).length > 0) throw new Error(`Refused: ${JSON.stringify(refused)}`);
  return { perSecond, p99Ms: latencyMs.p99 };
}
