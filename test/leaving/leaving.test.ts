// A workspace leaves with one file and comes in elsewhere: the same to the byte, on both engines, with a row in every
// table.
import { expect, test } from "bun:test";
import { signerOfHeads } from "../../src/audience/consent/chain.ts";
import { verifyLedgers } from "../../src/audience/consent/verify.ts";
import { endsNow, pageOf } from "../../src/operator/leaving/departure-queries.ts";
import { filePlan } from "../../src/operator/leaving/plan.ts";
import { ENGINE } from "../support/database.ts";
import { workspace } from "../support/workspace.ts";
import { elsewhere, exported, fill, taken } from "../support/whole-workspace.ts";

/** Between an installation and itself, and over the other engine and back where there is one. */
const WAYS: readonly (readonly ("sqlite" | "postgres")[])[] =
  ENGINE === "sqlite" ? [["sqlite"]] : [["postgres"], ["sqlite", "postgres"]];

test.each(WAYS)(
  "with a row in every table, it comes back from %s %s the same to the byte",
  async (...engines) => {
    await using posthorn = await workspace();
    await fill(posthorn);
    const file = await exported(posthorn, "default");
    let again = file;
    for (const engine of engines) {
      await using there = await elsewhere(engine);
      const { counts } = await taken(there, again);
      expect(filePlan().tables.filter(({ name }) => !counts[name])).toEqual([]);
      again = await exported(there, "default");
      const verdicts = await verifyLedgers(there.store, signerOfHeads(there.secrets));
      expect(verdicts.map(({ faults, rows }) => [faults, rows > 1])).toEqual([[[], true]]);
      expect(again.toString("latin1")).toBe(file.toString("latin1"));
    }
    expect(again.equals(file)).toBe(true);
  },
  60_000,
);

test.if(ENGINE === "sqlite")("no page of rows is sorted, since each would read all rows of its workspace", async () => {
  await using there = await elsewhere("sqlite");
  const cut = { workspace: 1, ends: await there.store.read(endsNow), since: null };
  for (const table of filePlan().tables) {
    const after = Object.fromEntries(table.key.map((_, at) => [`k${at}`, 1]));
    const plan = await there.store.read(
      (reader) =>
        reader.all<{ detail: string }>`explain query plan ${pageOf(reader.dialect, cut, table, { after, most: 512 })}`,
    );
    const sorts = plan.filter(({ detail }) => /TEMP B-TREE FOR ORDER BY|^SCAN t\b/.test(detail));
    expect([table.name, sorts]).toEqual([table.name, []]);
  }
});
