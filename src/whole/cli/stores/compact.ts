// `posthorn compact`: gives freed pages back to the system, while a server runs.
import { systemClock } from "../../../base/clock.ts";
import { databaseFile } from "../../../store/open.ts";
import { FileToCompact, type CompactionResult } from "../../../store/sqlite/compact.ts";
import { refuseMissing } from "../beside.ts";
import { printOne } from "../print.ts";
import { grouped, ProgressLine } from "../progress.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const COMPACT: Verb = {
  name: "compact",
  summary: "Returns the free space in the database file to the system",
  notes: [
    "Deleted rows leave free pages, which new rows fill: run this after a large deletion that new data will not replace.",
  ],
  options: JSON_OPTION,
  run,
};

const POSTGRES = `PostgreSQL fills the room of deleted rows again by itself: autovacuum runs while Posthorn works, and gives back what is free at
the end of a table. To make the files smaller at once, run VACUUM FULL in a quiet hour, which locks each table, or pg_repack.`;

/** A server beside it gets most of the time: the verb rests so much longer than it works. */
const REST_FOR_WORK = 10;

async function run(call: VerbCall): Promise<void> {
  const config = call.config();
  const path = databaseFile(config);
  if (path === null)
    return printOne(call, { engine: "PostgreSQL", bytesBefore: null, bytesAfter: null }, () => POSTGRES);
  refuseMissing(config);
  using file = new FileToCompact(path);
  const { bytesBefore, bytesAfter } = await shrunk(call, file);
  printOne(call, { engine: "SQLite", bytesBefore, bytesAfter }, () =>
    bytesAfter < bytesBefore
      ? `The database had ${inMegabytes(bytesBefore)} and has ${inMegabytes(bytesAfter)} now.`
      : `The database has ${inMegabytes(bytesAfter)}; nothing in it is free.`,
  );
}

async function shrunk(call: VerbCall, file: FileToCompact): Promise<CompactionResult> {
  const progress = new ProgressLine(call.io, systemClock);
  const rest = file.isServed ? REST_FOR_WORK : 0;
  const onStep = async (freePages: number, tookMs: number) => {
    progress.at(`${grouped(freePages)} free pages left`);
    await Bun.sleep(tookMs * rest);
  };
  const compacted = await file.inSteps({ clock: systemClock, onStep });
  progress.end();
  return compacted;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
