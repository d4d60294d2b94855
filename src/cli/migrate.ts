// `posthorn migrate`: brings the store to the schema of this executable.
import { systemClock } from "../clock.ts";
import { openStoreToServe } from "../store/open.ts";
import { inWords } from "../store/schema.ts";
import { logOf, refuseMissing } from "./beside.ts";
import { printOne } from "./print.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";

export const MIGRATE: Verb = {
  name: "migrate",
  summary: "Brings the database to the schema of this executable, as the first start of the server does",
  notes: [
    "On PostgreSQL, servers of the previous version can keep running. With the embedded database, stop the server",
    "first. Make a copy of the database before: there is no way back.",
  ],
  options: JSON_OPTION,
  run: migrate,
};

async function migrate(call: Call): Promise<number> {
  const config = call.config();
  refuseMissing(config);
  const { store, schema } = await openStoreToServe(config, {
    clock: systemClock,
    log: logOf(call),
    byDatabaseClock: true,
  });
  await store.close();
  const isDone = schema.before === schema.now;
  const text = isDone ? `Nothing to do: the schema is ${schema.now}.` : `Migrated ${inWords(schema)}.`;
  printOne(call, { from: schema.before, to: schema.now }, () => text);
  return 0;
}
