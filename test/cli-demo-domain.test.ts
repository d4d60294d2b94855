// The demo domain is taken away from every place that sends, and from no other.
import { describe, expect, test } from "bun:test";
import { withoutDemo } from "../src/operator/installation/demo-domain.ts";
import { takeAsVerified } from "../src/tenant/domains/domain.ts";
import { domainsOf, setDemo } from "../src/tenant/domains/queries.ts";
import type { Json, Posthorn } from "./support/posthorn.ts";
import { ask } from "./support/scenario.ts";
import { addVerifiedDomain } from "./support/workspaces.ts";
import { workspace } from "./support/workspace.ts";

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
  await using posthorn = await workspace();
  await addVerifiedDomain(posthorn, "shop.example");
  await withDemo(posthorn);
  await ask(posthorn, "PATCH /workspace", { body: { fromAddress: "hello@example.test" } });
  await ask(posthorn, "PUT /workspace/brand", { body: { from: "brand@example.test" } });
  const [demo, own] = [await template(posthorn, "a@example.test"), await template(posthorn, "a@shop.example")];
  expect(await posthorn.store.write(withoutDemo)).toEqual([
    expect.stringContaining('it was removed from the workspace "default", with 3 senders that used it.'),
  ]);
  const from = async (id: string) => (await ask(posthorn, `GET /templates/${id}`)).body.from;
  expect([await from(demo), await from(own)]).toEqual([null, "a@shop.example"]);
  expect((await ask(posthorn, "GET /workspace")).body.fromAddress).toBeNull();
  expect((await ask(posthorn, "GET /workspace/brand")).body.from).toBeNull();
  expect((await ask(posthorn, "GET /domains")).body.data.map(({ domain }: Json) => domain)).toEqual(["shop.example"]);
  expect(await posthorn.store.write(withoutDemo)).toEqual([]);
});

test("a domain of that name that an operator has taken as verified stays", async () => {
  await using posthorn = await workspace();
  await withDemo(posthorn);
  await posthorn.store.write(async (tx) => {
    for (const domain of await domainsOf(tx, null)) await takeAsVerified(tx, domain);
  });
  expect(await posthorn.store.write(withoutDemo)).toEqual([]);
});

describe("campaigns that have not begun", () => {
  const body = { name: "News", subject: "News", body: "<p>Hi</p>", from: "news@example.test", audienceType: "ALL" };

  async function campaigns(posthorn: Posthorn): Promise<string[]> {
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } });
    const ids: string[] = [];
    for (const from of [body.from, body.from, "news@shop.example"])
      ids.push((await ask(posthorn, "POST /campaigns", { body: { ...body, from } })).body.data.id);
    const scheduledFor = new Date(posthorn.clock.nowMs() + 60_000).toISOString();
    await ask(posthorn, `POST /campaigns/${ids[1]}/send`, { body: { scheduledFor } });
    return ids;
  }

  const shown = async (posthorn: Posthorn, id = "") => (await ask(posthorn, `GET /campaigns/${id}`)).body.data;

  test("leave from the workspace's own sender", async () => {
    await using posthorn = await workspace();
    await addVerifiedDomain(posthorn, "shop.example");
    const ids = await campaigns(posthorn);
    await withDemo(posthorn);
    const said = await posthorn.store.write(withoutDemo);
    expect(said).toEqual([
      expect.stringContaining("2 campaigns that were to leave from it leave from no-reply@shop.example now."),
    ]);
    for (const id of ids.slice(0, 2)) expect((await shown(posthorn, id)).from).toBe("no-reply@shop.example");
    expect((await shown(posthorn, ids[2])).from).toBe("news@shop.example");
    posthorn.clock.advance(61_000);
    await posthorn.settle();
    expect(posthorn.transport.sent).toHaveLength(1);
    expect((await shown(posthorn, ids[1])).status).toBe("SENT");
  });

  test("have none where there is none, and do not leave until somebody sets one", async () => {
    await using posthorn = await workspace();
    const [draft = "", scheduled = ""] = await campaigns(posthorn);
    await withDemo(posthorn);
    expect(await posthorn.store.write(withoutDemo)).toEqual([
      expect.stringContaining("2 campaigns that were to leave from it have no sender now and are drafts."),
    ]);
    expect((await shown(posthorn, draft)).from).toBe("");
    const sent = await ask(posthorn, `POST /campaigns/${draft}/send`, { body: {} });
    expect([sent.status, sent.body.error.reason]).toEqual([403, "sender_none"]);
    posthorn.clock.advance(61_000);
    await posthorn.settle();
    expect(await shown(posthorn, scheduled)).toMatchObject({ status: "DRAFT", from: "", scheduledFor: null });
    await addVerifiedDomain(posthorn, "shop.example");
    await ask(posthorn, `PUT /campaigns/${scheduled}`, { body: { from: "news@shop.example" } });
    await ask(posthorn, `POST /campaigns/${scheduled}/send`, { body: {} });
    await posthorn.settle();
    expect((await shown(posthorn, scheduled)).status).toBe("SENT");
  });

  test("one is told as one, and so is a sender", async () => {
    await using posthorn = await workspace();
    await withDemo(posthorn);
    await ask(posthorn, "PATCH /workspace", { body: { fromAddress: "hello@example.test" } });
    await ask(posthorn, "POST /campaigns", { body });
    expect(await posthorn.store.write(withoutDemo)).toEqual([
      expect.stringContaining(
        "with 1 sender that used it. 1 campaign that was to leave from it has no sender now and is a draft.",
      ),
    ]);
  });
});
