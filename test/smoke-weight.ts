// What the executable weighs, and what its pages take of memory. For test/smoke.ts.
import { ok } from "node:assert";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * What the build may add to Bun: about 25 MB for the server and its libraries, 6 MB for the pages and what they ask of
 * it.
 */
const MOST_ADDED_BYTES = 33_500_000;

/** Whoever reaches it asks whether what was added is worth it. */
export function weigh(program: string): void {
  const added = statSync(program).size - statSync(process.execPath).size;
  ok(added <= MOST_ADDED_BYTES, `it adds ${added} bytes to Bun, more than ${MOST_ADDED_BYTES}`);
}

const PAGES_MEMORY_KB = 5 * 1024;
const PASSES = 3;

type Start = { readonly program: string; readonly folder: string; readonly env: Record<string, string> };

/** Each start answers as many requests: with pages every file of theirs, without them as many refusals. */
export async function compareMemory(start: Start): Promise<void> {
  const [bare, open]: [number[], number[]] = [[], []];
  for (let pass = 0; pass < PASSES; pass++) {
    const { kilobytes, requests } = await memoryWith(start, { pages: true });
    open.push(kilobytes);
    bare.push((await memoryWith(start, { pages: false, requests })).kilobytes);
  }
  const more = median(open) - median(bare);
  ok(more <= PAGES_MEMORY_KB, `pages take ${more} kB: ${open.join(", ")} instead of ${bare.join(", ")}`);
}

type Kind = { readonly pages: boolean; readonly requests?: number };

async function memoryWith({ program, folder, env }: Start, { pages, requests = 0 }: Kind) {
  const cwd = mkdtempSync(join(folder, "memory-"));
  const server = Bun.spawn([program, "serve"], {
    cwd,
    env: { ...env, POSTHORN_HTTP_FACE: String(pages) },
    stdout: "pipe",
  });
  try {
    const url = await addressIn(server.stdout);
    const asked = pages ? await openAllFiles(url) : await askInVain(url, requests);
    const [, rss = ""] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
    return { kilobytes: Number(rss), requests: asked };
  } finally {
    server.kill("SIGTERM");
    await server.exited;
    rmSync(cwd, { recursive: true });
  }
}

async function addressIn(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const decoder = new TextDecoder();
  let heard = "";
  for await (const chunk of output) {
    heard += decoder.decode(chunk, { stream: true });
    const [, url] = /^HTTP API on (http:\S+)$/m.exec(heard) ?? [];
    if (url) return url;
  }
  throw new Error(`it ended before it listened; it said:\n${heard}`);
}

/**
 * Every file that another one names, as it is compressed. Answers how many there are. @throws Error if one is missing
 */
export async function openAllFiles(url: string): Promise<number> {
  const seen = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const response = await fetch(url + path, { headers: { "accept-encoding": "br" } });
    ok(response.status === 200, `${path} is answered with ${response.status}`);
    const text = await response.text();
    for (const [found] of text.matchAll(/\/app\/-\/[\w-]+\.(?:js|css|svg)/g)) await follow(found);
  };
  await follow("/app");
  return seen.size;
}

async function askInVain(url: string, requests: number): Promise<number> {
  for (let request = 0; request < requests; request++) {
    const response = await fetch(`${url}/app/${request}`);
    ok(response.status === 404, "there are pages, although they are switched off");
    await response.text();
  }
  return requests;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}
