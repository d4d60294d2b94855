// Rules say which mails leave by which ways: the first that a mail meets counts.
import { expect, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import type { WaySettings } from "../../src/base/config/ways.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { letter } from "../support/mails.ts";
import { somebody, type Somebody } from "../support/people.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { RecordingTransport } from "../support/transport.ts";

const AWAY: HandoverOutcome = { kind: "unreachable", reply: "connect ECONNREFUSED 192.0.2.9:587" };
const ACCEPTED: HandoverOutcome = { kind: "accepted", reply: "250 2.0.0 Ok" };
const NAMES = ["second", "third", "staging"] as const;

type Started = {
  readonly posthorn: Posthorn;
  readonly owner: Somebody;
  readonly by: Readonly<Record<"default" | (typeof NAMES)[number], RecordingTransport>>;
};

function way(name: string, kind: WaySettings["kind"] = "smtp"): WaySettings {
  const relay = { ...DEFAULTS.relay, host: `${name}.example` };
  return { name, kind, ratePerSecond: 0, burst: 1, concurrency: 10, price: null, relay, ses: DEFAULTS.ses };
}

async function started(ratePerSecond = 0): Promise<Started> {
  const by = {
    ...{ default: new RecordingTransport(), second: new RecordingTransport() },
    ...{ third: new RecordingTransport(), staging: new RecordingTransport() },
  };
  const { default: transport, ...wayTransports } = by;
  const posthorn = await startPosthorn({
    ...{ transport, wayTransports },
    config: {
      delivery: { transport: "smtp", ratePerSecond },
      relay: { host: "first.example" },
      ways: [way("second"), way("third"), way("staging", "capture")],
    },
  });
  return { posthorn, by, owner: await somebody(posthorn, "OWNER") };
}

async function setRules({ owner, posthorn }: Started, rules: readonly object[]) {
  const { status, body } = await owner.ask("PUT /installation/way-rules", { body: { rules } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  await posthorn.settle();
  return body.data;
}

async function send(posthorn: Posthorn, mail: object = {}): Promise<string> {
  const { body } = await posthorn.call("POST /v1/send", { ...letter, ...mail });
  return body.data.emails[0].email;
}

/** A way that had nothing to take a moment ago looks again a moment later. */
async function settle({ posthorn }: Started): Promise<void> {
  await posthorn.settle();
  posthorn.clock.advance(200);
  await posthorn.settle();
}

const counts = ({ by }: Started) =>
  Object.fromEntries(Object.entries(by).map(([name, { sent }]) => [name, sent.length]));

test("a mail goes by the ways of the first rule that it meets, and any other by the first way", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  await setRules(shop, [
    { name: "Receipts", tag: "receipt", ways: [{ name: "third" }] },
    { name: "Gmail", provider: "gmail", ways: [{ name: "second" }] },
  ]);
  await send(posthorn, { to: "ada@gmail.com", tags: ["receipt"] });
  await send(posthorn, { to: "ada@gmail.com" });
  await send(posthorn, { to: "ada@example.com" });
  await settle(shop);
  expect(counts(shop)).toEqual({ default: 1, second: 1, third: 1, staging: 0 });
});

test("a rule is about the kind, the sender's domain, or the workspace", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  const { body: me } = await shop.owner.ask("GET /me");
  const workspaceId = me.workspaces[0].id;
  await setRules(shop, [
    { name: "Elsewhere", domain: "other.example", ways: [{ name: "third" }] },
    { name: "Marketing", kind: "MARKETING", ways: [{ name: "second" }] },
    { name: "Ours", workspaceId, domain: "EXAMPLE.test", ways: [{ name: "staging" }] },
  ]);
  await send(posthorn);
  await settle(shop);
  expect(counts(shop)).toEqual({ default: 0, second: 0, third: 0, staging: 1 });
});

test("weights share the first choice, and the others take over from one that fails", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  const ways = [
    { name: "second", weight: 80 },
    { name: "third", weight: 20 },
  ];
  await setRules(shop, [{ name: "Shared", ways, others: false }]);
  const all = Array.from({ length: 100 }, (_, n) => `p${n}@example.com`);
  for (const to of all) await send(posthorn, { to });
  await settle(shop);
  expect(counts(shop)).toEqual({ default: 0, second: 80, third: 20, staging: 0 });
  shop.by.third.answer = () => AWAY;
  for (const to of all) await send(posthorn, { to });
  await settle(shop);
  expect(shop.by.second.sent).toHaveLength(180);
  expect(shop.by.default.sent).toEqual([]);
});

test("mail of a rule without others waits for its ways, and holds up nothing else", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  shop.by.second.answer = () => AWAY;
  shop.by.second.fault = AWAY.reply;
  await setRules(shop, [{ name: "Bulk", tag: "bulk", ways: [{ name: "second" }], others: false }]);
  for (let n = 0; n < 20; n++) await send(posthorn, { tags: ["bulk"] });
  for (let n = 0; n < 20; n++) await send(posthorn);
  await settle(shop);
  expect(shop.by.default.sent).toHaveLength(20);
  shop.by.second.answer = () => ACCEPTED;
  shop.by.second.fault = null;
  for (let n = 0; n < 30; n++) {
    posthorn.clock.advance(5_000);
    await settle(shop);
  }
  expect(counts(shop)).toMatchObject({ default: 20, third: 0, staging: 0 });
  expect(new Set(shop.by.second.sent.map(({ id }) => id)).size).toBe(20);
});

test("a change of a rule counts for what waits, and mail of a rule that is gone goes by the first way", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  const rule = { name: "Bulk", tag: "bulk", ways: [{ name: "second" }], others: false };
  const [{ id }] = await setRules(shop, [rule]);
  await shop.owner.ask("POST /installation/ways/second/pause");
  await settle(shop);
  await send(posthorn, { tags: ["bulk"] });
  await settle(shop);
  expect(counts(shop)).toEqual({ default: 0, second: 0, third: 0, staging: 0 });
  await setRules(shop, [{ ...rule, id, ways: [{ name: "third" }] }]);
  posthorn.clock.advance(2_000);
  await settle(shop);
  expect(counts(shop)).toEqual({ default: 0, second: 0, third: 1, staging: 0 });
  await setRules(shop, [{ ...rule, id }]);
  await send(posthorn, { tags: ["bulk"] });
  await settle(shop);
  await setRules(shop, []);
  posthorn.clock.advance(2_000);
  await settle(shop);
  expect(counts(shop)).toEqual({ default: 1, second: 0, third: 1, staging: 0 });
});

test("mail of a rule that is gone leaves while other rules stay", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  const bulk = { name: "Bulk", tag: "bulk", ways: [{ name: "second" }], others: false };
  const receipts = { name: "Receipts", tag: "receipt", ways: [{ name: "third" }], others: true };
  const [, kept] = await setRules(shop, [bulk, receipts]);
  await shop.owner.ask("POST /installation/ways/second/pause");
  await settle(shop);
  await send(posthorn, { tags: ["bulk"] });
  await settle(shop);
  await setRules(shop, [{ ...receipts, id: kept.id }]);
  posthorn.clock.advance(2_000);
  await settle(shop);
  await send(posthorn, { tags: ["receipt"] });
  await settle(shop);
  expect(counts(shop)).toEqual({ default: 1, second: 0, third: 1, staging: 0 });
});

test("what waits for a provider's pace leaves by the ways of its rule", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  await setRules(shop, [{ name: "Bulk", tag: "bulk", ways: [{ name: "second" }], others: true }]);
  const slower: HandoverOutcome = { kind: "later", reply: "421 4.7.28 unusual rate of mail" };
  shop.by.second.answer = () => slower;
  await send(posthorn, { to: "first@gmail.com", tags: ["bulk"] });
  await settle(shop);
  shop.by.second.answer = () => ACCEPTED;
  for (const name of ["a", "b", "c", "d"]) await send(posthorn, { to: `${name}@gmail.com`, tags: ["bulk"] });
  await send(posthorn, { to: "e@gmail.com" });
  await settle(shop);
  expect(shop.by.default.recipients).toEqual(["e@gmail.com"]);
  for (let minute = 0; minute < 6; minute++) {
    posthorn.clock.advance(30_000);
    await settle(shop);
  }
  expect(new Set(shop.by.second.recipients)).toEqual(
    new Set(["first", "a", "b", "c", "d"].map((name) => `${name}@gmail.com`)),
  );
  expect(counts(shop)).toMatchObject({ default: 1, third: 0 });
});

test("what a way keeps to itself gets mail by a rule alone", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  for (const transport of [shop.by.default, shop.by.second, shop.by.third]) transport.answer = () => AWAY;
  await send(posthorn);
  await settle(shop);
  expect(shop.by.staging.sent).toEqual([]);
  await setRules(shop, [{ name: "Staging", ways: [{ name: "staging" }] }]);
  const id = await send(posthorn);
  await settle(shop);
  expect(shop.by.staging.sent.map((mail) => mail.id)).toEqual([id]);
  const ids = ({ body }: { body: { data: readonly { id: string }[] } }) => body.data.map((mail) => mail.id);
  expect(ids(await shop.posthorn.call("GET /emails?way=staging"))).toEqual([id]);
  expect(ids(await shop.posthorn.call("GET /emails?way=default"))).not.toContain(id);
  shop.posthorn.clock.advance(3_000);
  await settle(shop);
  const { series } = (await shop.posthorn.call("GET /statistics/mails?by=way")).body;
  expect(series.map(({ group }: { group: string }) => group)).toContain("staging");
});

test("a mail whose rule this process has not read waits until it has", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  const id = await send(posthorn);
  await posthorn.store.write((tx) => tx.run`update emails set rule = 1`);
  await settle(shop);
  expect(counts(shop)).toEqual({ default: 0, second: 0, third: 0, staging: 0 });
  await setRules(shop, [{ name: "Of another node", ways: [{ name: "third" }] }]);
  posthorn.clock.advance(2_000);
  await settle(shop);
  expect(shop.by.third.sent.map((mail) => mail.id)).toEqual([id]);
});

test("a mail that is sent again meets the rules of that moment, and a new workspace has them", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  const id = await send(posthorn);
  await settle(shop);
  await setRules(shop, [{ name: "All", ways: [{ name: "second" }] }]);
  await shop.owner.ask(`POST /emails/${id}/resend`);
  await settle(shop);
  expect(counts(shop)).toEqual({ default: 1, second: 1, third: 0, staging: 0 });
  await shop.owner.ask("POST /workspaces", { body: { name: "New" } });
  const kept = await posthorn.store.read(
    (reader) => reader.all<{ rules: string }>`select way_rules as rules from workspaces order by seq`,
  );
  expect(kept.at(-1)).toEqual(kept[0]);
});

test("rules are checked, only owners see them, and a way that one names stays", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  const put = (rules: readonly object[]) => shop.owner.ask("PUT /installation/way-rules", { body: { rules } });
  const rule = { name: "All", ways: [{ name: "second" }] };
  const fields = async (rules: readonly object[]) =>
    (await put(rules)).body.error.errors.map(({ field }: { field: string }) => field);
  expect(await fields([{ ...rule, ways: [{ name: "nobody" }] }])).toEqual(["rules.0.ways.0.name"]);
  expect(await fields([{ ...rule, id: crypto.randomUUID() }])).toEqual(["rules.0.id"]);
  expect(await fields([rule, { ...rule, workspaceId: crypto.randomUUID() }])).toEqual(["rules.1.workspaceId"]);
  expect(await fields([{ ...rule, ways: [...rule.ways, ...rule.ways] }])).toEqual(["rules.0.ways"]);
  expect(await fields([{ ...rule, domain: "no domain" }])).toEqual(["rules.0.domain"]);
  expect((await put([{ ...rule, domain: "MÜNCHEN.example" }])).body.data[0].domain).toBe("xn--mnchen-3ya.example");
  expect((await put([rule])).status).toBe(200);
  const admin = await somebody(posthorn, "ADMIN");
  expect((await admin.ask("GET /installation/way-rules")).status).toBe(403);
  await shop.owner.ask("POST /installation/ways", { body: { name: "extra", kind: "smtp", host: "x.example" } });
  const [kept] = (await shop.owner.ask("GET /installation/way-rules")).body.data;
  expect(kept).toMatchObject({ name: "All", ways: [{ name: "second", weight: 1 }], others: true, workspaceId: null });
  await put([{ ...rule, ways: [{ name: "extra" }] }]);
  expect((await shop.owner.ask("DELETE /installation/ways/extra")).body.error.reason).toBe("way_in_rule");
});

test("owners are told which way a mail would take", async () => {
  const shop = await started();
  await using _ = shop.posthorn;
  const ways = [
    { name: "second", weight: 75 },
    { name: "third", weight: 25 },
  ];
  await setRules(shop, [{ name: "Gmail", provider: "gmail", ways }]);
  await shop.owner.ask("POST /installation/ways/third/pause");
  await settle(shop);
  const preview = (body: object) =>
    shop.owner.ask("POST /installation/way-rules/preview", { body }).then((reply) => reply.body);
  expect(await preview({ from: "shop@example.test", to: "ada@gmail.com" })).toMatchObject({
    rule: { name: "Gmail" },
    provider: "gmail",
    ways: [
      { name: "second", share: 75, isUsable: true },
      { name: "third", share: 25, isUsable: false },
      { name: "default", share: 0, isUsable: true },
    ],
    waits: false,
  });
  expect(await preview({ from: "shop@example.test", to: "ada@example.com" })).toMatchObject({
    rule: null,
    ways: [{ name: "default", share: 100 }, { name: "second" }, { name: "third" }],
  });
});

test("statistics and the list of emails tell the ways apart", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  await setRules(shop, [{ name: "Bulk", tag: "bulk", ways: [{ name: "second" }] }]);
  for (let n = 0; n < 3; n++) await send(posthorn, { tags: ["bulk"] });
  const plain = await send(posthorn);
  await settle(shop);
  shop.by.second.answer = () => ({ kind: "bounced", reply: "550 5.1.1 No such user" });
  await send(posthorn, { to: "gone@example.com", tags: ["bulk"] });
  await settle(shop);
  posthorn.clock.advance(3_000);
  await settle(shop);
  const { body } = await posthorn.call("GET /statistics/mails?by=way");
  const told = body.series.map(({ group, totals }: { group: string; totals: { sent: number; bounced: number } }) => [
    ...[group, totals.sent, totals.bounced],
  ]);
  expect(told).toEqual([
    ["second", 3, 1],
    ["default", 1, 0],
  ]);
  const list = async (way: string) => (await posthorn.call(`GET /emails?way=${way}`)).body;
  expect((await list("default")).data.map(({ id }: { id: string }) => id)).toEqual([plain]);
  expect((await list("second")).data).toHaveLength(3);
  expect((await list("nobody")).data).toEqual([]);
});

test("two owners who change the rules at once do not overwrite each other", async () => {
  const shop = await started();
  await using _ = shop.posthorn;
  const rule = (name: string) => ({ name, ways: [{ name: "second" }] });
  const put = (body: object) => shop.owner.ask("PUT /installation/way-rules", { body });
  const seen = (await shop.owner.ask("GET /installation/way-rules")).body;
  expect(seen).toEqual({ data: [], updatedAt: "1970-01-01T00:00:00.000Z", updatedBy: null });
  const first = await put({ rules: [rule("First")], ifUpdatedAt: seen.updatedAt });
  expect([first.status, first.body.updatedBy?.kind]).toEqual([200, "PERSON"]);
  const second = await put({ rules: [rule("Second")], ifUpdatedAt: seen.updatedAt });
  expect([second.status, second.body.error.reason]).toEqual([409, "saved_since"]);
  const names = async () =>
    (await shop.owner.ask("GET /installation/way-rules")).body.data.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(["First"]);
  const both = await put({ rules: [...first.body.data, rule("Second")], ifUpdatedAt: first.body.updatedAt });
  expect([both.status, await names()]).toEqual([200, ["First", "Second"]]);
  const atOnce = await Promise.all([put({ rules: [rule("A")] }), put({ rules: [rule("B")] })]);
  expect(atOnce.map(({ status }) => status)).toEqual([200, 200]);
  expect(await names()).toHaveLength(1);
});

test("what waits for a slow way leaves at once by another when that is paused, though rules kept it from that one", async () => {
  const shop = await started(0.01);
  await using posthorn = shop.posthorn;
  await setRules(shop, [{ name: "Bulk", tag: "bulk", ways: [{ name: "second" }] }]);
  for (let n = 0; n < 4; n++) await send(posthorn);
  await settle(shop);
  posthorn.clock.advance(20_000);
  await settle(shop);
  expect(counts(shop)).toMatchObject({ default: 1, second: 0 });
  await shop.owner.ask("POST /installation/ways/default/pause");
  await settle(shop);
  expect(counts(shop)).toMatchObject({ default: 1, second: 3 });
});

test("a list that is sent again without ids keeps its rules, and the mails that wait for them", async () => {
  const shop = await started();
  await using posthorn = shop.posthorn;
  const list = (way: string) => [
    { name: "News", tag: "news", ways: [{ name: way }], others: false },
    { name: "News", tag: "more", ways: [{ name: way }], others: false },
  ];
  shop.by.second.answer = () => AWAY;
  const first = await setRules(shop, list("second"));
  await send(posthorn, { tags: ["news"] });
  await settle(shop);
  const again = await setRules(shop, list("third"));
  const ids = (rules: readonly { id: string }[]) => rules.map(({ id }) => id);
  expect(ids(again)).toEqual(ids(first));
  await settle(shop);
  posthorn.clock.advance(2_000);
  await settle(shop);
  expect(counts(shop)).toMatchObject({ default: 0, third: 1 });
  const rows = await posthorn.store.read((reader) => reader.all`select seq from way_rules`);
  expect(rows).toHaveLength(2);
});
