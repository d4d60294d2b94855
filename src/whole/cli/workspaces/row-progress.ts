// How far work on all rows of a workspace has come.
import { systemClock } from "../../../base/clock.ts";
import { grouped, ProgressLine } from "../progress.ts";
import type { Io } from "../verb.ts";

type RowListener = (what: string, rows: number) => void;

/** `unit`: what stands behind the number, such as "deleted". */
export async function showingRows<Result>(
  io: Io,
  unit: string,
  work: (hear: RowListener) => Promise<Result>,
): Promise<Result> {
  const progress = new ProgressLine(io, systemClock);
  return work((what, rows) => progress.at(`${what}: ${grouped(rows)} ${unit}`)).finally(() => progress.end());
}
