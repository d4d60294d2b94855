// The demo domain is taken away from every place that sends, and from no other.
import { expect, test } from "bun:test";
import { withoutDemo } from "../src/cli/demo-domain.ts";
import { takeAsVerified } from "../src/workspaces/domains/domain.ts";
import { domainsOf, setDemo } from "../src/workspaces/domains/queries.ts";
import { startPosthorn, type Json, type Posthorn } from "./support/posthorn.ts";
import { ask } from "./support/scenario.ts";
import { addVerifiedDomain } from "./support/workspaces.ts";

const letter = { name: "Hello", subject: "Hello", body: "<p>Hello</p>", type: "TRANSACTIONAL" };

/** The domain with which the tests begin, as a first start makes it. */
async function withDemo(posthorn: Posthorn): Promise<void> {
  await posthorn.store.write(async (tx) => {
    const [domain] = await domainsOf(tx, null);
    await setDemo(tx, domain?.seq ?? 0, true);
  });
}

async function template(posthorn: Posthorn, from: string): Promise<string> {
  return (await ask(posthorn, "POST /templates", { body: { ...letter, from } })).body.id;
}

test("the domain goes, and the senders that used it are none any more", async () => {
  await using posthorn = await startPosthorn();
  await addVerifiedDomain(posthorn, "shop.example");
  await withDemo(posthorn);
  await ask(posthorn, "PATCH /workspace", { body: { fromAddress: "hello@example.test" } });
  await ask(posthorn, "PUT /workspace/brand", { body: { from: "brand@example.test" } });
  const [demo, own] = [await template(posthorn, "a@example.test"), await template(posthorn, "a@shop.example")];
  expect(await withoutDemo(posthorn.store)).toEqual([
    expect.stringContaining('it was removed from the workspace "default", with 3 senders that used it.'),
  ]);
  const from = async (id: string) => (await ask(posthorn, `GET /templates/${id}`)).body.from;
  expect([await from(demo), await from(own)]).toEqual([null, "a@shop.example"]);
  expect((await ask(posthorn, "GET /workspace")).body.fromAddress).toBeNull();
  expect((await ask(posthorn, "GET /workspace/brand")).body.from).toBeNull();
  expect((await ask(posthorn, "GET /domains")).body.data.map(({ domain }: Json) => domain)).toEqual(["shop.example"]);
  expect(await withoutDemo(posthorn.store)).toEqual([]);
});

test("a domain of that name that an operator has taken as verified stays", async () => {
  await using posthorn = await startPosthorn();
  await withDemo(posthorn);
  await posthorn.store.write(async (tx) => {
    for (const domain of await domainsOf(tx, null)) await takeAsVerified(tx, domain);
  });
  expect(await withoutDemo(posthorn.store)).toEqual([]);
});
