// What the executable weighs, and what its pages take of memory. For test/smoke.ts.
import { ok } from "node:assert";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** What the build added to Bun before there were pages, by the same bundler and its options. */
const BEFORE_PAGES_BYTES = 20_037_928;
const PAGES_BYTES = 3_000_000;
/** The second part of the pages, with the editors' libraries, and what the server has grown by since. */
const SECOND_PART_BYTES = 1_940_000;
/** Where it begins is a piece of its own (src/begin.ts), which saves a start most of what it would do twice. */
const BEGIN_BYTES = 30_000;
/** Text parts of mails are made by code of our own, and mailparser still brings the library that made them before. */
const TEXT_PARTS_BYTES = 12_000;
/**
 * Near misses that are said, imports that read the exports of others, fates that stay open, and inbound mail in any
 * charset.
 */
const OUTSIDE_BYTES = 560_000;
/** What watches a server and a standby, bounds for hostile backups, poolers, and cancelled mail that stays. */
const WATCHING_BYTES = 200_000;

/** Whoever reaches it asks whether what was added is worth it. */
export function weigh(program: string): void {
  const added = statSync(program).size - statSync(process.execPath).size;
  const parts = [PAGES_BYTES, SECOND_PART_BYTES, BEGIN_BYTES, TEXT_PARTS_BYTES, OUTSIDE_BYTES, WATCHING_BYTES];
  const most = parts.reduce((sum, bytes) => sum + bytes, BEFORE_PAGES_BYTES);
  ok(added <= most, `it adds ${added} bytes to Bun, more than ${most}`);
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
