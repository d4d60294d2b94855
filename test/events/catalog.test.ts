// The catalogue of what can happen: emitted events are held to it, and so are the tables of the guide.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { EVENT_TYPES, OWN_EVENTS } from "../../src/tenant/events/catalog.ts";
import { emit } from "../../src/tenant/events/emit.ts";
import { expectCatalogued } from "../support/catalogued.ts";
import { startPosthorn } from "../support/posthorn.ts";

const time = "2026-03-01T09:00:00.000Z";
const segment = { segmentId: "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f", segmentName: "VIP" };

const REFUSED: readonly [what: string, name: string, data: object][] = [
  ["a field too many", "contact.subscribed", { reason: "bounce" }],
  ["a value that is none of those there are", "contact.unsubscribed", { reason: "whim" }],
  ["a field too few", "segment.vip.entry", { segmentId: segment.segmentId }],
  ["a time that is none", "email.sent", { sentAt: "today" }],
  ["what another kind of bounce tells", "email.bounce", { bounceType: "Transient", bouncedAt: time }],
];

test.each(REFUSED)("%s in an event's data is seen", async (_, name, data) => {
  await using posthorn = await startPosthorn();
  await posthorn.store.write(async (tx) => {
    const workspace = (await tx.get<{ seq: number }>`select seq from workspaces`)?.seq ?? 0;
    await emit(tx, { workspace, name, contact: null, data: data as Record<string, unknown> });
    await emit(tx, { workspace, name: "segment.vip.exit", contact: null, data: segment });
    await emit(tx, { workspace, name: "email.read", contact: null, data: { anything: true } });
  });
  await expect(expectCatalogued(posthorn.store)).rejects.toThrow(name);
  await posthorn.store.write((tx) => tx.run`delete from events where name = ${name}`);
  await expectCatalogued(posthorn.store);
});

/** What the first column of a table of the guide names. */
function namedIn(page: string, head: string): string[] {
  const [, table = ""] = readFileSync(`docs/${page}.md`, "utf8").split(new RegExp(`^\\| ${head} +\\|.*\n`, "m"));
  const [rows = ""] = table.split("\n\n");
  const cells = rows.split("\n").map((row) => row.split("|")[1] ?? "");
  return cells.flatMap((cell) => [...cell.matchAll(/`(.+?)`/g)].map(([, name]) => name as string)).sort();
}

test("the guide has a line for each type that endpoints are told, and for each event", () => {
  expect(namedIn("webhooks", "Type")).toEqual([...EVENT_TYPES]);
  expect(namedIn("workflows", "Event")).toEqual([...OWN_EVENTS, "segment.<slug>.entry", "segment.<slug>.exit"].sort());
});
