// A PostgreSQL server that is restarted, and one that crashes and stays away for a while.
import { postgresBinaries, PostgresServer } from "../support/postgres-server.ts";
import { during, type Fault } from "./fault.ts";
import type { Found } from "./ground.ts";

const AWAY_MS = 4_000;

export const DATABASE: readonly Fault[] = [
  {
    name: "PostgreSQL restarted three times",
    without: whyNoPostgres,
    play: (seed) =>
      onPostgres(seed, async (database) => {
        for (let time = 0; time < 3; time++) await database.restart();
      }),
  },
  {
    name: "PostgreSQL crashes, and is away",
    without: whyNoPostgres,
    play: (seed) =>
      onPostgres(seed, async (database) => {
        await database.crash();
        await Bun.sleep(AWAY_MS);
        await database.up();
      }),
  },
];

function whyNoPostgres(): string | null {
  return postgresBinaries() === null ? "PostgreSQL is not installed" : null;
}

async function onPostgres(seed: number, work: (database: PostgresServer) => Promise<void>): Promise<Found> {
  await using database = await PostgresServer.start();
  return await during({ seed, database: database.url }, async (ground) => {
    ground.begin();
    await work(database);
    await ground.end();
  });
}
