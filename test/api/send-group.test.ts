// One message to a group: whom it names, what its mails share, and what each recipient has alone.
import { describe, expect, test } from "bun:test";
import { headerFields, letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const group = {
  ...letter,
  to: [{ email: "ada@example.com", name: "Ada" }, "bob@example.com"],
  cc: { email: "cy@example.com", name: "Cy, of Sales" },
  bcc: ["dee@example.com"],
};

async function send(posthorn: Posthorn, body: object = group) {
  const { status, body: answer } = await posthorn.call("POST /v1/send", body);
  expect([status, answer.success]).toEqual([200, true]);
  await posthorn.settle();
  const emails = (answer.data.emails as { email: string; contact: { email: string } }[]).map(({ email, contact }) => ({
    id: email,
    to: contact.email,
  }));
  return { emails, ids: emails.map(({ id }) => id), group: answer.data.group as string };
}

function field(raw: Buffer, name: string): string | undefined {
  return headerFields(raw).find((one) => one.name === name)?.value;
}

const sentTo = (posthorn: Posthorn, address: string) =>
  posthorn.transport.sent.find(({ envelope }) => envelope.recipient === address)?.raw as Buffer;

describe("a mail with cc and bcc", () => {
  test("is one message: everybody sees To and Cc, nobody Bcc, and each has an envelope and a return path (slow)", async () => {
    await using posthorn = await workspace({ config: { delivery: { returnPathDomain: "bounce.example.test" } } });
    const { emails, ids, group: id } = await send(posthorn);
    expect(emails.map(({ to }) => to)).toEqual([
      "ada@example.com",
      "bob@example.com",
      "cy@example.com",
      "dee@example.com",
    ]);
    expect(posthorn.transport.recipients.toSorted()).toEqual(emails.map(({ to }) => to));
    expect(new Set(posthorn.transport.sent.map(({ envelope }) => envelope.returnPath)).size).toBe(4);
    expect(new Set(posthorn.transport.sent.map(({ raw }) => raw.toString())).size).toBe(1);
    const raw = sentTo(posthorn, "dee@example.com");
    expect(field(raw, "To")).toBe("Ada <ada@example.com>, bob@example.com");
    expect(field(raw, "Cc")).toBe('"Cy, of Sales" <cy@example.com>');
    expect(field(raw, "Message-ID")).toBe(`<${id}@example.test>`);
    expect(raw.toString()).not.toContain("dee@example.com");
    const records = await Promise.all(ids.map(async (one) => (await posthorn.call(`GET /emails/${one}`)).body));
    expect(records.map(({ role, messageId }) => [role, messageId])).toEqual(
      ["TO", "TO", "CC", "BCC"].map((role) => [role, `<${id}@example.test>`]),
    );
    const { body: shown } = await posthorn.call(`GET /emails/${ids[3]}`);
    expect(shown.group).toBe(id);
    expect(
      shown.recipients.map(({ id: one, to, role, status }: Record<string, string>) => [one, to, role, status]),
    ).toEqual(emails.map(({ id: one, to }, at) => [one, to, ["TO", "TO", "CC", "BCC"][at], "SENT"]));
    expect((await posthorn.call(`GET /emails/${ids[0]}/raw`)).body).toBe(raw.toString());
  });

  test("is listed and found by its group and by its Message-ID (slow)", async () => {
    await using posthorn = await workspace();
    const { ids, group: id } = await send(posthorn);
    const [other] = (await send(posthorn, letter)).ids;
    const listed = async (query: string) =>
      (await posthorn.call(`GET /emails?${query}`)).body.data.map((mail: { id: string }) => mail.id).reverse();
    expect(await listed(`group=${id}`)).toEqual(ids);
    expect(await listed(`group=${id}&status=SENT`)).toEqual(ids);
    expect(await listed(`group=${other}`)).toEqual([]);
    const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
    const elsewhere = await posthorn.call(`GET /emails?group=${id}`, undefined, { authorization: `Bearer ${secret}` });
    expect(elsewhere.body.data).toEqual([]);
    expect(await listed(`search=${encodeURIComponent(`<${id}@example.test>`)}`)).toEqual(ids);
    const { body } = await posthorn.call(`GET /emails/${other}`);
    expect([body.group, body.role, body.recipients]).toEqual([null, null, []]);
  });

  test("is rendered with the data of the request and of the first contact in to", async () => {
    await using posthorn = await workspace();
    await posthorn.call("POST /contacts", { email: "bob@example.com", data: { city: "Bonn" } });
    await posthorn.call("POST /contacts", { email: "ada@example.com", data: { city: "Aachen" } });
    const body = "<p>{{ name }} of {{ city }}, {{ email }}: {{ order }}</p>";
    const { ids } = await send(posthorn, { ...group, subject: "For {{ name }}", body, data: { order: "4711" } });
    for (const { raw } of posthorn.transport.sent) {
      expect(raw.toString()).toContain("Ada of Aachen, ada@example.com: 4711");
      expect(field(raw, "Subject")).toBe("For Ada");
    }
    const { body: shown } = await posthorn.call(`GET /emails/${ids[1]}`);
    expect(shown.subject).toBe("For Ada");
  });

  test("has tracked links of its own for each recipient, and its opens count for the one who opened it", async () => {
    await using posthorn = await workspace({ tracking: true });
    const { ids } = await send(posthorn, { ...group, body: '<a href="https://shop.example/x">x</a>' });
    const links = posthorn.transport.sent.map(
      ({ raw }) => /\/c\/[\w-]+/.exec(raw.toString().replace(/=\r\n/g, ""))?.[0],
    );
    expect(new Set(links).size).toBe(4);
    const cy = /\/c\/[\w-]+/.exec(sentTo(posthorn, "cy@example.com").toString().replace(/=\r\n/g, ""))?.[0];
    await fetch(`${posthorn.server.url}${cy}`, { redirect: "manual" });
    await posthorn.settle();
    const clicks = await Promise.all(ids.map(async (id) => (await posthorn.call(`GET /emails/${id}`)).body.clicks));
    expect(clicks).toEqual([0, 0, 1, 0]);
  });

  test("leaves later for one of them as the same message, with the same Date", async () => {
    await using posthorn = await workspace();
    posthorn.transport.answer = ({ envelope }) =>
      envelope.recipient === "bob@example.com" && posthorn.transport.sent.length < 5
        ? { kind: "later", reply: "450 4.2.0 Greylisted" }
        : { kind: "accepted", reply: "250 Ok" };
    await send(posthorn);
    posthorn.clock.advance(120_000);
    await posthorn.settle();
    expect(posthorn.transport.recipients.filter((one) => one === "bob@example.com")).toHaveLength(2);
    expect(new Set(posthorn.transport.sent.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  test("reaches an address once that is named twice, where it is named first", async () => {
    await using posthorn = await workspace();
    const twice = {
      ...letter,
      to: ["ada@example.com", "bob@example.com"],
      cc: "ADA@example.com",
      bcc: "bob@example.com",
    };
    const { ids } = await send(posthorn, twice);
    expect([ids[2], ids[3]]).toEqual([ids[0], ids[1]]);
    expect(posthorn.transport.recipients.toSorted()).toEqual(["ada@example.com", "bob@example.com"]);
    expect(field(sentTo(posthorn, "bob@example.com"), "Cc")).toBeUndefined();
  });

  test("is sent again to one of them as it was, and cancelled for one of them alone", async () => {
    await using posthorn = await workspace();
    const { ids, group: id } = await send(posthorn);
    const again = await posthorn.call(`POST /emails/${ids[2]}/resend`);
    expect([again.status, again.body.role, again.body.group]).toEqual([201, "CC", id]);
    await posthorn.settle();
    expect(posthorn.transport.sent.at(-1)?.envelope.recipient).toBe("cy@example.com");
    expect(posthorn.transport.sent.at(-1)?.raw.toString()).toBe(sentTo(posthorn, "ada@example.com").toString());
    const sendAt = new Date(posthorn.clock.nowMs() + 60_000).toISOString();
    const later = await send(posthorn, { ...group, sendAt });
    expect((await posthorn.call(`DELETE /emails/${later.ids[0]}`)).status).toBe(204);
    posthorn.clock.advance(61_000);
    await posthorn.settle();
    expect(posthorn.transport.recipients.slice(5).toSorted()).toEqual(later.emails.slice(1).map(({ to }) => to));
    expect(field(sentTo(posthorn, "bob@example.com"), "To")).toContain("ada@example.com");
  });

  test("names nobody any more who was erased, and shows no data of that person", async () => {
    await using posthorn = await workspace();
    const sendAt = new Date(posthorn.clock.nowMs() + 60_000).toISOString();
    const { ids } = await send(posthorn, { ...group, body: "<p>Hello {{ name }}</p>", sendAt });
    const { body: mail } = await posthorn.call(`GET /emails/${ids[0]}`);
    await posthorn.call(`DELETE /contacts/${mail.contactId}`);
    posthorn.clock.advance(61_000);
    await posthorn.settle();
    expect(posthorn.transport.recipients.toSorted()).toEqual(["bob@example.com", "cy@example.com", "dee@example.com"]);
    expect(posthorn.transport.sent.map(({ raw }) => /ada@|Hello Ada/i.test(raw.toString()))).toEqual([
      false,
      false,
      false,
    ]);
    expect(field(sentTo(posthorn, "bob@example.com"), "To")).toBe("bob@example.com");
    for (const id of ids.slice(1, 3)) {
      const { body: one } = await posthorn.call(`GET /emails/${id}`);
      await posthorn.call(`DELETE /contacts/${one.contactId}`);
    }
    const { body: raw } = await posthorn.call(`GET /emails/${ids[3]}/raw`);
    expect(field(Buffer.from(raw), "To")).toBe("undisclosed-recipients:;");
    expect(field(Buffer.from(raw), "Cc")).toBeUndefined();
  });

  test("is replayed by its Idempotency-Key", async () => {
    await using posthorn = await workspace();
    const key = { "idempotency-key": "order-1" };
    const first = await posthorn.call("POST /v1/send", group, key);
    const second = await posthorn.call("POST /v1/send", group, key);
    expect(second.body).toEqual(first.body);
    const other = await posthorn.call("POST /v1/send", { ...group, bcc: "eve@example.com" }, key);
    expect([other.status, other.body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    expect((await posthorn.call("GET /emails")).body.total).toBe(4);
  });
});

describe("group: true", () => {
  test("names all of to in one message, also if that is one recipient", async () => {
    await using posthorn = await workspace();
    await send(posthorn, { ...letter, to: ["ada@example.com", "bob@example.com"], group: true });
    expect(posthorn.transport.sent.map(({ raw }) => field(raw, "To"))).toEqual(
      Array(2).fill("ada@example.com, bob@example.com"),
    );
    const { ids, group: id } = await send(posthorn, { ...letter, group: true });
    const { body } = await posthorn.call(`GET /emails/${ids[0]}`);
    expect([body.role, body.group, body.recipients.length]).toEqual(["TO", id, 1]);
  });

  test("absent or false, each of to has a mail of its own", async () => {
    await using posthorn = await workspace();
    const { group: id } = await send(posthorn, { ...letter, to: ["ada@example.com", "bob@example.com"], group: false });
    expect(id).toBeUndefined();
    expect(posthorn.transport.sent.map(({ raw }) => field(raw, "To")).toSorted()).toEqual([
      "ada@example.com",
      "bob@example.com",
    ]);
  });
});

describe("a group is refused", () => {
  const many = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}@example.com`);
  const faults = async (posthorn: Posthorn, body: object) => {
    const reply = await posthorn.call("POST /v1/send", { ...letter, ...body });
    expect(reply.status).toBe(422);
    return reply.body.error.errors.map(({ field, code }: { field: string; code: string }) => [field, code]);
  };

  test("with more than 50 recipients, copies without a group, or an address that is none; then nobody gets it", async () => {
    await using posthorn = await workspace();
    const crowd = { to: many(20, "to"), cc: many(20, "cc") };
    expect(await faults(posthorn, { ...crowd, bcc: many(11, "bcc") })).toEqual([["bcc", "too_big"]]);
    expect(await faults(posthorn, { cc: "bob@example.com", group: false })).toEqual([["group", "conflicting"]]);
    expect(await faults(posthorn, { cc: ["bob@example.com", "nobody"] })).toEqual([["cc.1", "invalid_email"]]);
    expect((await posthorn.call("GET /contacts")).body.total).toBe(0);
    await send(posthorn, { ...letter, ...crowd, bcc: many(10, "bcc") });
    expect(posthorn.transport.sent).toHaveLength(50);
    const longest = Math.max(
      ...(posthorn.transport.sent[0]?.raw.toString() ?? "").split("\r\n").map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(78);
  });

  test("with marketing mail, which has an unsubscribe link for each recipient", async () => {
    await using posthorn = await workspace();
    const { body: template } = await posthorn.call("POST /templates", {
      name: "News",
      type: "MARKETING",
      subject: "News",
      body: "<p>News</p>",
      from: "hello@example.test",
    });
    const body = { template: template.id, subscribed: true, cc: "bob@example.com" };
    expect(await faults(posthorn, body)).toEqual([["template", "unsupported"]]);
    expect((await posthorn.call("GET /contacts")).body.total).toBe(0);
  });
});
