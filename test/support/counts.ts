// The kept counts of contacts against the contacts themselves: held after every test that has a server.
import { expect } from "bun:test";
import type { Store } from "../../src/store/store.ts";

type Counts = { readonly workspace: number; readonly total: number; readonly subscribed: number };

/** What is kept must be what is there, in every workspace. */
export async function expectTrueCounts(store: Store): Promise<void> {
  const kept = await store.read(
    (reader) => reader.all<Counts>`
      select workspace, cast(sum(total) as bigint) as total, cast(sum(subscribed) as bigint) as subscribed
      from contact_counts group by workspace having sum(total) <> 0 or sum(subscribed) <> 0 order by workspace`,
  );
  const counted = await store.read(
    (reader) => reader.all<Counts>`
      select workspace, count(*) as total, sum(subscribed) as subscribed from contacts
      where instr(email, '@') > 0 group by workspace order by workspace`,
  );
  expect(kept).toEqual(counted);
}
