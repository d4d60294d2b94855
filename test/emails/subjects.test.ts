// The subject that a mail has, or would have had: shown and found in every state.
import { expect, test } from "bun:test";
import { letter } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { addTemplate, addWorkflow, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const HOUR_MS = 3_600_000;
const order = {
  ...letter,
  subject: "Order {{ order.number }} for {{ name ?? 'you' }}",
  data: { order: { number: 4711 } },
};
/** More than plain variables. */
const filtered = { ...letter, subject: "{{ name | upcase }}", data: { name: "ada" } };

async function send(posthorn: Posthorn, body: object): Promise<string> {
  return (await posthorn.call("POST /v1/send", body)).body.data.emails[0].email;
}

async function shown(posthorn: Posthorn, id: string) {
  const { status, subject } = (await posthorn.call(`GET /emails/${id}`)).body;
  return [status, subject];
}

async function found(posthorn: Posthorn, words: string): Promise<string[]> {
  const { data } = (await posthorn.call(`GET /emails?search=${encodeURIComponent(words)}`)).body;
  return data.map(({ id }: { id: string }) => id);
}

test("is known before a scheduled mail leaves (slow)", async () => {
  await using posthorn = await workspace();
  await posthorn.call("POST /contacts", { email: letter.to, data: { name: "Ada" } });
  const id = await send(posthorn, { ...order, sendAt: new Date(posthorn.clock.nowMs() + HOUR_MS).toISOString() });
  expect(await shown(posthorn, id)).toEqual(["QUEUED", "Order 4711 for Ada"]);
  expect(await found(posthorn, "order 4711 for")).toEqual([id]);
  posthorn.clock.advance(HOUR_MS);
  await posthorn.settle();
  expect(await shown(posthorn, id)).toEqual(["SENT", "Order 4711 for Ada"]);
});

test.each([
  ["failed", "FAILED"],
  ["later", "QUEUED"],
  ["bounced", "BOUNCED"],
] as const)(
  "is known of a mail whose first attempt is %s, also where it has more than plain variables",
  async (kind, status) => {
    await using posthorn = await workspace();
    posthorn.transport.answer = () => ({ kind, reply: "550 no" });
    const [plain, other] = [await send(posthorn, order), await send(posthorn, filtered)];
    expect(await shown(posthorn, other)).toEqual(["QUEUED", filtered.subject]);
    await posthorn.settle();
    expect(await shown(posthorn, plain)).toEqual([status, "Order 4711 for you"]);
    expect(await shown(posthorn, other)).toEqual([status, "ADA"]);
    expect(await found(posthorn, "4711")).toEqual([plain]);
  },
);

test("is known of a mail that fails before it is tried", async () => {
  await using posthorn = await workspace();
  const id = await send(posthorn, order);
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
  posthorn.clock.advance(30 * 24 * HOUR_MS);
  await posthorn.settle();
  expect((await shown(posthorn, id))[1]).toBe("Order 4711 for you");
});

test("of a mail of a workflow has the data of the event (slow)", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn, { subject: "{{ event.what }} for {{ email }}" });
  await addWorkflow(posthorn, [{ type: "SEND_EMAIL", name: "Mail", config: { templateId } }]);
  posthorn.transport.answer = () => ({ kind: "failed", reply: "550 no" });
  await track(posthorn, "signup", { what: "Welcome" });
  await posthorn.settle();
  const { data } = (await posthorn.call("GET /emails")).body;
  expect(data.map(({ status, subject }: Record<string, string>) => [status, subject])).toEqual([
    ["FAILED", expect.stringMatching(/^Welcome for \S+@/)],
  ]);
});

test("of each of several recipients is their own", async () => {
  await using posthorn = await workspace();
  const at = new Date(posthorn.clock.nowMs() + HOUR_MS).toISOString();
  const body = { ...letter, to: ["ada@example.com", "bob@example.com"], subject: "For {{ email }}", sendAt: at };
  await posthorn.call("POST /v1/send", body);
  const { data } = (await posthorn.call("GET /emails")).body;
  expect(data.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual([
    "For ada@example.com",
    "For bob@example.com",
  ]);
});

test("says nothing of links and the subscription before the hand-over, nor ends a line", async () => {
  await using posthorn = await workspace();
  const sendAt = new Date(posthorn.clock.nowMs() + HOUR_MS).toISOString();
  const later = await send(posthorn, { ...letter, subject: "{{ subscribed }}", sendAt });
  const lines = await send(posthorn, { ...letter, subject: "{{ x }}", data: { x: "a\r\nBcc: b" }, sendAt });
  expect([await shown(posthorn, later), await shown(posthorn, lines)]).toEqual([
    ["QUEUED", "{{ subscribed }}"],
    ["QUEUED", "a Bcc: b"],
  ]);
});

test("goes with the person", async () => {
  await using posthorn = await workspace();
  posthorn.transport.answer = () => ({ kind: "failed", reply: "550 no" });
  const id = await send(posthorn, { ...order, to: { email: letter.to, name: "Ada" } });
  await posthorn.settle();
  const { contactId } = (await posthorn.call(`GET /emails/${id}`)).body;
  await posthorn.call(`DELETE /contacts/${contactId}`);
  await posthorn.settle();
  const rows = await posthorn.store.read(
    (reader) => reader.all<{ subject: string | null }>`select subject from emails`,
  );
  expect(rows.every(({ subject }) => subject === null)).toBe(true);
});
