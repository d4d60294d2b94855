// How far the removal of a workspace has come.
import { systemClock } from "../../../base/clock.ts";
import type { HearRemoved } from "../../../operator/installation/removal.ts";
import { grouped, ProgressLine } from "../progress.ts";
import type { Io } from "../verb.ts";

export async function showingRemoved<Result>(io: Io, work: (hear: HearRemoved) => Promise<Result>): Promise<Result> {
  const progress = new ProgressLine(io, systemClock);
  return work((what, rows) => progress.at(`${what}: ${grouped(rows)} deleted`)).finally(() => progress.end());
}
