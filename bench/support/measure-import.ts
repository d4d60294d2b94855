// A file of contacts imported over HTTP and exported again, beside inserting the same rows without Posthorn around it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Child } from "./child.ts";
import type { BareInsertTask } from "./bare-insert.ts";
import { writeContacts } from "./contacts-file.ts";
import { probed } from "./health-probe.ts";
import type { Figure } from "./report.ts";
import { ServerProcess } from "./server-process.ts";

export type ImportBench = {
  readonly command: readonly string[];
  readonly dir: string;
  readonly rows: number;
  readonly database: string | null;
};

const POLL_MS = 25;
const MEMORY_ABOVE_IDLE_MB = 64;

export async function measureImport({ command, dir, rows, database }: ImportBench): Promise<Figure[]> {
  const file = join(dir, "contacts.csv");
  await writeContacts(file, rows);
  const limit = await bareInsertPerSecond(join(dir, "bare"), file, rows);
  mkdirSync(join(dir, "server"));
  const env: Record<string, string> = database === null ? {} : { POSTHORN_DATABASE_URL: database };
  await using server = await ServerProcess.start(command, join(dir, "server"), env);
  await Bun.sleep(1_000);
  const idleMb = server.memory.nowMb;
  const imported = await probed(server.url, () => importFile(server, file));
  const peakMb = server.memory.peakMb;
  const exported = await probed(server.url, () => exportAll(server));
  const perSecond = (ms: number) => (rows / ms) * 1000;
  const { uploadMs, wholeMs } = imported.result;
  return [
    {
      name: "rows imported",
      unit: "/s",
      ours: perSecond(wholeMs),
      limit,
      ...(database === null ? { goal: { atLeast: 20_000 } } : {}),
      note: `${rows.toLocaleString("en-US")} rows; the upload ${perSecond(uploadMs).toFixed(0)} /s, the rest ${perSecond(wholeMs - uploadMs).toFixed(0)} /s; limit: one insert a row, 400 a commit`,
    },
    delay("GET /health during the import, p99", imported.delayMs, 30),
    {
      name: "memory above idle",
      unit: "MB",
      ours: peakMb - idleMb,
      goal: { atMost: MEMORY_ABOVE_IDLE_MB },
      note: `${idleMb.toFixed(0)} MB idle, ${peakMb.toFixed(0)} MB at the most`,
    },
    {
      name: "rows exported",
      unit: "/s",
      ours: perSecond(exported.result.tookMs),
      note: `${(exported.result.bytes / 1e6).toFixed(0)} MB; memory ${server.memory.peakMb.toFixed(0)} MB at the most`,
    },
    delay("GET /health during the export, p99", exported.delayMs, 30),
  ];
}

function delay(name: string, { p50, p99, max }: { p50: number; p99: number; max: number }, atMost: number): Figure {
  return { name, unit: "ms", ours: p99, goal: { atMost }, note: `p50 ${p50.toFixed(1)}, max ${max.toFixed(1)}` };
}

async function bareInsertPerSecond(dir: string, file: string, rows: number): Promise<number> {
  mkdirSync(dir);
  await using child = new Child("bare-insert.ts");
  const tookMs = await child.ask<number>({ dir, file } satisfies BareInsertTask);
  return (rows / tookMs) * 1000;
}

/** From the first byte of the upload to the last row. */
async function importFile(server: ServerProcess, file: string): Promise<{ uploadMs: number; wholeMs: number }> {
  const startedMs = performance.now();
  const headers = { authorization: `Bearer ${server.key}` };
  const form = new FormData();
  form.append("file", Bun.file(file));
  const reply = await fetch(`${server.url}/contacts/import`, { method: "POST", headers, body: form });
  const uploadMs = performance.now() - startedMs;
  if (reply.status !== 202) throw new Error(`The import was answered ${reply.status}: ${await reply.text()}`);
  const { jobId } = (await reply.json()) as { jobId: string };
  for (;;) {
    const state = await fetch(`${server.url}/contacts/import/${jobId}`, { headers });
    const { status, result } = (await state.json()) as { status: string; result: { failureCount: number } };
    if (status === "FAILED" || result.failureCount > 0) throw new Error("The import failed");
    if (status === "COMPLETED") return { uploadMs, wholeMs: performance.now() - startedMs };
    await Bun.sleep(POLL_MS);
  }
}

async function exportAll(server: ServerProcess): Promise<{ bytes: number; tookMs: number }> {
  const startedMs = performance.now();
  const reply = await fetch(`${server.url}/contacts/export`, { headers: { authorization: `Bearer ${server.key}` } });
  let bytes = 0;
  for await (const piece of reply.body ?? []) bytes += piece.length;
  return { bytes, tookMs: performance.now() - startedMs };
}
