// The ledger of consent against what people are: held after every test that has a server.
import { expect } from "bun:test";
import type { LedgerContent } from "../../src/audience/consent/content.ts";
import type { Store } from "../../src/store/store.ts";

type Row = { readonly email: string; readonly subscribed: 0 | 1; readonly content: string };

/** What the ledger says last of somebody is so. */
export async function expectTrueLedger(store: Store): Promise<void> {
  const rows = await store.read(
    (reader) => reader.all<Row>`
      select c.email, c.subscribed, l.content from consents l join contacts c on c.seq = l.contact order by l.seq`,
  );
  const said = new Map<string, { said: boolean; is: boolean }>();
  for (const { email, subscribed, content } of rows) {
    const { what } = JSON.parse(content) as LedgerContent;
    if (what === "subscribed" || what === "unsubscribed")
      said.set(email, { said: what === "subscribed", is: subscribed === 1 });
  }
  expect([...said].filter(([, { said, is }]) => said !== is)).toEqual([]);
}

/** All of it, or what it says of one person, in the order in which it was noted. */
export async function ledger(store: Store, email?: string): Promise<readonly LedgerContent[]> {
  const rows = await store.read(
    (reader) => reader.all<{ content: string | null }>`select content from consents order by seq`,
  );
  const contents = rows.flatMap(({ content }) => (content === null ? [] : (JSON.parse(content) as LedgerContent)));
  return email === undefined ? contents : contents.filter(({ address }) => address === email);
}

/** In a few words: `subscribed by key default`. */
export function inShort({ what, door, by, job, reason }: LedgerContent): string {
  const name = job?.name ?? by?.name;
  return `${what}${reason ? ` (${reason})` : ""} by ${door ?? "?"}${name ? ` ${name}` : ""}`;
}
