// Endpoints that wait to hear of contacts that are merged meanwhile.
import { expect, test } from "bun:test";
import type { Json } from "../support/posthorn.ts";
import { Receiver } from "../support/receiver.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

test("an endpoint hears of each contact once that it was made, though one was merged before it was told (slow)", async () => {
  const there = new Receiver();
  using _ = { [Symbol.dispose]: () => there.stop() };
  await using posthorn = await workspace({ config: { webhooks: { allow: ["127.0.0.1"] } } });
  const hook = { url: there.url, events: ["contact.created", "contact.merged"] };
  await ask(posthorn, "POST /webhooks", { body: hook });
  const made = async (email: string) => (await ask(posthorn, "POST /contacts", { body: { email } })).body.id;
  const [into, from] = [await made("ada@example.com"), await made("ada@old.example")];
  await ask(posthorn, "POST /contacts/merge", { body: { into, from: [from] } });
  await posthorn.settle();
  const told = there.received.map(({ body }) => JSON.parse(body) as Json);
  const created = told.filter(({ type }: Json) => type === "contact.created").map(({ data }: Json) => data.contact);
  expect(created.map(({ id, email }: Json) => [id, email])).toEqual([
    [into, "ada@example.com"],
    [from, "ada@old.example"],
  ]);
  expect(told.filter(({ type }: Json) => type === "contact.merged")).toHaveLength(1);
});
