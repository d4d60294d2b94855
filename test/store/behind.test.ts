// What fails behind a deadlock: it is tried again as the deadlock is.
import { expect, test } from "bun:test";
import { secretsOf } from "../../src/base/secrets.ts";
import type { Tx } from "../../src/store/store.ts";
import { createWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { TestClock } from "../support/clock.ts";
import { ENGINE } from "../support/database.ts";
import { freshStore } from "../support/store.ts";

// SQLite has one writer at a time.
test.skipIf(ENGINE !== "postgres").each(["deferred", "awaited first"])(
  "a statement that is %s and fails behind a deadlock takes nothing from either",
  async (how) => {
    const { store, remove } = await freshStore(new TestClock());
    await using _ = { [Symbol.asyncDispose]: remove };
    const secrets = secretsOf(Buffer.alloc(32));
    const seqs = await store.write(async (tx) => [
      (await createWorkspace(tx, secrets, "one")).seq,
      (await createWorkspace(tx, secrets, "two")).seq,
    ]);
    const change = (tx: Tx, seq = 0) =>
      tx.run`update workspaces set marketing_stopped = coalesce(marketing_stopped, '') || 'x' where seq = ${seq}`;
    const bothHaveOne = Promise.withResolvers<void>();
    let attempts = 0;
    const both = (first: number | undefined, second: number | undefined) =>
      store.write(async (tx) => {
        await change(tx, first);
        if (++attempts === 2) bothHaveOne.resolve();
        await bothHaveOne.promise;
        const wanted = change(tx, second);
        const behind = tx.get`select 1 as behind`;
        if (how === "deferred") {
          tx.deferred(behind);
          return wanted;
        }
        wanted.catch(() => undefined);
        await behind;
        return wanted;
      });
    await Promise.all([both(seqs[0], seqs[1]), both(seqs[1], seqs[0])]);
    const rows = await store.read(
      (reader) => reader.all<{ said: string }>`select marketing_stopped as said from workspaces order by seq`,
    );
    expect([attempts, rows.map(({ said }) => said)]).toEqual([3, ["xx", "xx"]]);
  },
);
