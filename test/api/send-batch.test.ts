// POST /v1/send/batch: all or each, once, and files that several emails share.
import { describe, expect, test } from "bun:test";
import type { Tx } from "../../src/store/store.ts";
import { ENGINE } from "../support/database.ts";
import { letter, mailsSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { countOf } from "../support/scenario.ts";
import { addTemplate } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const onPostgres = test.skipIf(ENGINE !== "postgres");

const to = (name: string, changes: object = {}) => ({ ...letter, to: `${name}@example.com`, ...changes });

const batch = (posthorn: Posthorn, body: object, headers: Record<string, string> = {}) =>
  posthorn.call("POST /v1/send/batch", body, headers);

const faultsOf = ({ body }: Json) =>
  body.error.errors.map(({ field, code }: { field: string; code: string }) => [field, code]);

describe("a batch", () => {
  test("sends each of its emails, to one or several, and answers them in their order", async () => {
    await using posthorn = await workspace();
    const emails = [
      to("ada", { data: { n: 1 }, subject: "No. {{ n }}" }),
      { ...letter, to: ["bob@example.com", "cy@example.com"], reply_to: "help@example.test" },
      to("dee", { cc: "eve@example.com" }),
    ];
    const { status, body } = await batch(posthorn, { emails });
    expect([status, body.warnings]).toEqual([200, undefined]);
    const { results } = body.data;
    expect(results.map(({ ok }: Json) => ok)).toEqual([true, true, true]);
    expect(results.map((one: Json) => one.emails.map(({ contact }: Json) => contact.email))).toEqual([
      ["ada@example.com"],
      ["bob@example.com", "cy@example.com"],
      ["dee@example.com", "eve@example.com"],
    ]);
    expect([results[1].group, results[2].group]).toEqual([undefined, expect.any(String)]);
    const sent = await mailsSent(posthorn);
    expect(sent.map(({ subject }) => subject)).toEqual(["No. 1", "Hi", "Hi", "Hi", "Hi"]);
    expect(sent[1]?.replyTo?.text).toBe("help@example.test");
  });

  test("has one Idempotency-Key for the whole", async () => {
    await using posthorn = await workspace();
    const key = { "idempotency-key": "night-1" };
    const first = await batch(posthorn, { emails: [to("ada"), to("bob")] }, key);
    const second = await batch(posthorn, { emails: [to("ada"), to("bob")] }, key);
    expect([second.body, second.headers.get("idempotent-replayed")]).toEqual([first.body, "true"]);
    expect((await batch(posthorn, { emails: [to("ada")] }, key)).status).toBe(409);
    expect((await posthorn.call("GET /emails")).body.total).toBe(2);
  });

  test("has tags and metadata for each of its emails, with those of their templates", async () => {
    await using posthorn = await workspace();
    const template = await addTemplate(posthorn, { tags: ["shop", "plan:free"], metadata: { area: "shop" } });
    const written = { to: "ada@example.com", template };
    const emails = [
      to("bob", { tags: ["receipt"], metadata: { order: "A-1" } }),
      written,
      { ...written, tags: ["plan:pro", "new"], metadata: { order: "A-2" } },
      { ...letter, to: ["cy@example.com", "dee@example.com"], tags: ["receipt", "receipt"] },
    ];
    const { results } = (await batch(posthorn, { emails })).body.data;
    const labels = async ({ email }: Json) => {
      const { tags, metadata } = (await posthorn.call(`GET /emails/${email}`)).body;
      return { tags, metadata };
    };
    expect(await Promise.all(results.flatMap((one: Json) => one.emails).map(labels))).toEqual([
      { tags: ["receipt"], metadata: { order: "A-1" } },
      { tags: ["shop", "plan:free"], metadata: { area: "shop" } },
      { tags: ["shop", "plan:pro", "new"], metadata: { area: "shop", order: "A-2" } },
      { tags: ["receipt"], metadata: {} },
      { tags: ["receipt"], metadata: {} },
    ]);
    await posthorn.settle();
    const receipts = (await posthorn.call("GET /emails?tag=receipt")).body.data.map(({ to }: Json) => to);
    expect(receipts.toSorted()).toEqual(["bob@example.com", "cy@example.com", "dee@example.com"]);
    const told = (await posthorn.events()).filter(({ name, data }) => name === "email.sent" && "tags" in data);
    expect(told).toHaveLength(5);
  });

  test("names the email whose tags or metadata it refuses", async () => {
    await using posthorn = await workspace();
    const template = await addTemplate(posthorn, { tags: ["shop", "plan:free"] });
    const many = Array.from({ length: 9 }, (_, n) => `t${n}`);
    const unfit = [to("ada", { tags: ["a b"] }), to("bob", { metadata: { "a b": "" } })];
    expect(faultsOf(await batch(posthorn, { emails: unfit })).map(([field]: string[]) => field)).toEqual([
      "emails.0.tags.0",
      "emails.1.metadata.a b",
    ]);
    const full = [to("ada"), { to: "bob@example.com", template, tags: many }];
    expect(faultsOf(await batch(posthorn, { emails: full }))).toEqual([["emails.1.tags", "too_big"]]);
    const { results } = (await batch(posthorn, { emails: full, mode: "each" })).body.data;
    expect(results.map(({ ok }: Json) => ok)).toEqual([true, false]);
    expect(results[1].error.errors).toMatchObject([{ field: "tags", code: "too_big" }]);
  });

  test("names unknown fields with the email that has them", async () => {
    await using posthorn = await workspace();
    const { body } = await batch(posthorn, { emails: [to("ada"), to("bob", { subjct: "Hi" })] });
    expect(body.warnings.map(({ field }: Json) => field)).toEqual(["emails.1.subjct"]);
  });
});

describe("all", () => {
  test("is refused with the faults of all emails, and nobody gets any", async () => {
    await using posthorn = await workspace();
    const faulty = await batch(posthorn, {
      emails: [to("ada"), { ...letter, to: "nobody" }, { ...letter, subject: undefined }, to("bob", { cc: ["x"] })],
    });
    expect(faulty.status).toBe(422);
    expect(faultsOf(faulty)).toEqual([
      ["emails.1.to", "invalid_email"],
      ["emails.2.subject", "required"],
      ["emails.3.cc.0", "invalid_email"],
    ]);
    const stranger = await batch(posthorn, { emails: [to("ada"), to("bob", { from: "a@elsewhere.example" })] });
    expect([stranger.status, stranger.body.error.code, stranger.body.error.message]).toEqual([
      403,
      "DOMAIN_NOT_VERIFIED",
      expect.stringMatching(/^emails\.1\.from: /),
    ]);
    expect(await countOf(posthorn, "contacts")).toBe(0);
    expect(await countOf(posthorn, "contents")).toBe(0);
  });

  test("has 1 to 100 emails", async () => {
    await using posthorn = await workspace();
    expect(faultsOf(await batch(posthorn, { emails: [] }))).toEqual([["emails", "too_small"]]);
    const crowd = Array.from({ length: 21 }, (_, at) => ({
      ...to("first"),
      to: Array.from({ length: 50 }, (_one, n) => `n${at}-${n}@example.com`),
    }));
    expect(faultsOf(await batch(posthorn, { emails: crowd, mode: "each" }))).toEqual([["emails", "too_big"]]);
    const many = Array.from({ length: 101 }, (_, at) => to(`n${at}`));
    expect(faultsOf(await batch(posthorn, { emails: many }))).toEqual([["emails", "too_big"]]);
    expect((await batch(posthorn, { emails: many.slice(1) })).status).toBe(200);
  });
});

describe("each", () => {
  test("sends those that are not refused, and says why the others were", async () => {
    await using posthorn = await workspace();
    const emails = [
      to("ada"),
      { ...letter, to: "nobody" },
      7,
      to("bob", { from: "a@elsewhere.example" }),
      to("cy", { template: "0199a3b4-0000-7000-8000-000000000000" }),
      to("dee"),
    ];
    const { status, body } = await batch(posthorn, { emails, mode: "each" });
    expect(status).toBe(200);
    expect(body.data.results.map(({ ok, error }: Json) => [ok, error?.code])).toEqual([
      [true, undefined],
      [false, "VALIDATION_ERROR"],
      [false, "VALIDATION_ERROR"],
      [false, "DOMAIN_NOT_VERIFIED"],
      [false, "TEMPLATE_NOT_FOUND"],
      [true, undefined],
    ]);
    expect(body.data.results[1].error.errors).toMatchObject([{ field: "to", code: "invalid_email" }]);
    await posthorn.settle();
    expect(posthorn.transport.recipients.toSorted()).toEqual(["ada@example.com", "dee@example.com"]);
  });
});

describe("a file that several emails have", () => {
  const file = { filename: "terms.txt", content: Buffer.from("The terms.").toString("base64") };
  const logo = { filename: "logo.png", content: "iVBORw0KGgo=", disposition: "inline", contentId: "logo" };

  test("is stored once, and goes with the last email that has it", async () => {
    await using posthorn = await workspace();
    const emails = [
      to("ada", { attachments: [file, logo] }),
      to("bob", { attachments: [{ sameAs: "0.0" }] }),
      to("cy", { attachments: [{ sameAs: "0.1" }, { sameAs: "0.0" }] }),
    ];
    const { body } = await batch(posthorn, { emails });
    expect([await countOf(posthorn, "attachments"), await countOf(posthorn, "files")]).toEqual([5, 2]);
    const sent = await mailsSent(posthorn);
    const names = sent.map(({ attachments }) => attachments.map(({ filename, size }) => [filename, size]).sort());
    const [logos, terms] = [
      ["logo.png", 8],
      ["terms.txt", 10],
    ];
    expect(names).toEqual([[logos, terms], [terms], [logos, terms]]);
    const ids = body.data.results.map(({ emails: [first] }: Json) => first);
    const shown = await posthorn.call(`GET /emails/${ids[1].email}/attachments`);
    expect(shown.body.data?.[0] ?? shown.body[0]).toMatchObject({ filename: "terms.txt", size: 10 });
    expect((await posthorn.call(`GET /emails/${ids[1].email}/attachments/0`)).body).toBe("The terms.");
    await posthorn.call(`DELETE /contacts/${ids[0].contact.id}`);
    await posthorn.settle();
    expect(await countOf(posthorn, "files")).toBe(2);
    await posthorn.call(`DELETE /contacts/${ids[2].contact.id}`);
    await posthorn.settle();
    expect(await countOf(posthorn, "files")).toBe(1);
    await posthorn.call(`DELETE /contacts/${ids[1].contact.id}`);
    await posthorn.settle();
    expect(await countOf(posthorn, "files")).toBe(0);
  });

  onPostgres("goes with the last two that have it, if they go at the same moment", async () => {
    await using posthorn = await workspace();
    const { store } = posthorn;
    const emails = [to("ada", { attachments: [file] }), to("bob", { attachments: [{ sameAs: "0.0" }] })];
    await batch(posthorn, { emails });
    const mails = await store.read((reader) => reader.all<{ content: number }>`select content from emails`);
    const [one = 0, other = 0] = mails.map(({ content }) => content);
    const remove = (tx: Tx, content: number) => tx.run`delete from attachments where content = ${content}`;
    let second = Promise.resolve();
    await store.write(async (tx) => {
      await remove(tx, one);
      let isOver = false;
      second = store.write(async (own) => {
        await remove(own, other);
        isOver = true;
      });
      const waits = () => tx.get`select pid from pg_locks where not granted`;
      while (!isOver && (await waits()) === null);
    });
    await second;
    expect(await countOf(posthorn, "files")).toBe(0);
  });

  test("has to be one of the batch, and leaves nothing behind if nobody gets it", async () => {
    await using posthorn = await workspace();
    const same = (sameAs: string) => to("bob", { attachments: [{ sameAs }] });
    const reply = await batch(posthorn, {
      emails: [to("ada", { attachments: [file] }), same("0.1"), same("7.0"), same("1.0"), same("x")],
    });
    expect(faultsOf(reply)).toEqual([
      ["emails.1.attachments.0.sameAs", "unknown"],
      ["emails.2.attachments.0.sameAs", "unknown"],
      ["emails.3.attachments.0.sameAs", "unknown"],
      ["emails.4.attachments.0.sameAs", expect.any(String)],
    ]);
    const from = "a@elsewhere.example";
    const shared = [to("ada", { from, attachments: [file] }), { ...same("0.0"), from }, to("cy")];
    const { body } = await batch(posthorn, { emails: shared, mode: "each" });
    expect(body.data.results.map(({ ok }: Json) => ok)).toEqual([false, false, true]);
    expect(await countOf(posthorn, "files")).toBe(0);
  });

  test("counts for each email and once for the batch (slow)", async () => {
    await using posthorn = await workspace({ config: { limits: { bodyBytes: 30 * 1024 * 1024 } } });
    const large = (megabytes: number) => ({
      filename: "a.bin",
      content: Buffer.alloc(megabytes * 1024 * 1024, 7).toString("base64"),
    });
    const two = [to("ada", { attachments: [large(9)] }), to("bob", { attachments: [large(7)] })];
    expect(faultsOf(await batch(posthorn, { emails: two }))).toEqual([["emails", "too_big"]]);
    const shared = [to("ada", { attachments: [large(9)] }), to("bob", { attachments: [{ sameAs: "0.0" }] })];
    expect((await batch(posthorn, { emails: shared })).status).toBe(200);
    const twice = [
      to("ada", { attachments: [large(6)] }),
      to("bob", { attachments: Array(2).fill({ sameAs: "0.0" }) }),
    ];
    expect(faultsOf(await batch(posthorn, { emails: twice }))).toEqual([["emails.1.attachments", "too_big"]]);
  });
});
