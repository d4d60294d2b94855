// `posthorn rollback`: restores the database from before the last upgrade that changed its schema.
import { iso, systemClock } from "../../../base/clock.ts";
import { databaseFile } from "../../../store/open.ts";
import { rollBack } from "../../../store/sqlite/rollback.ts";
import { printOne } from "../print.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const ROLLBACK: Verb = {
  name: "rollback",
  summary: "Puts back the copy of the database that was made before the last migration; the server must be stopped",
  notes: [
    "Changes since the upgrade are moved aside with the newer database. Email that was queued then is held until posthorn release.",
  ],
  options: JSON_OPTION,
  run: goBack,
};

async function goBack(call: VerbCall): Promise<void> {
  const path = databaseFile(call.config());
  if (path === null)
    throw new Error("On PostgreSQL no copy is made. Restore a backup into an empty database: posthorn restore FILE.");
  const done = rollBack(path, iso(systemClock.nowMs()));
  const { schema, servedBy, aside } = done;
  printOne(call, done, () =>
    [
      `The database is back at schema ${schema}. Start the Posthorn that goes with it: ${servedBy ?? "the one before the upgrade"}.`,
      `The newer database is in ${aside}. Delete it once you no longer need it.`,
    ].join("\n"),
  );
}
