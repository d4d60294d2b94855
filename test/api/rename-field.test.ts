// POST /contacts/fields/rename: a key that segments, conditions and emails cannot name becomes plain with everybody.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addTemplate, addWorkflow } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

async function renamed(posthorn: Posthorn, body: Json): Promise<{ answer: Json; job: Json }> {
  const { status, body: answer } = await ask(posthorn, "POST /contacts/fields/rename", { body });
  expect(status).toBe(202);
  await posthorn.settle();
  return { answer, job: (await ask(posthorn, `GET /contacts/bulk/${answer.jobId}`)).body };
}

const add = (posthorn: Posthorn, email: string, data: Json) =>
  ask(posthorn, "POST /contacts", { body: { email, data } });
const dataAt = async (posthorn: Posthorn, email: string): Promise<Json> =>
  (await ask(posthorn, `GET /contacts/by-email/${email}`)).body.data;

test("keys that are not plain are listed, with a name that would do", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "a@a.example", { "Kundennr.": "K7", "Phone Number": "1", plan: "pro" });
  await add(posthorn, "b@a.example", { plan: "pro", phoneNumber: "2" });
  const { fields, notPlain } = (await ask(posthorn, "GET /contacts/fields")).body;
  expect(fields.map(({ field }: Json) => field)).not.toContain("data.Kundennr.");
  expect(notPlain).toEqual([
    { key: "Kundennr.", plain: "kundennr", coverage: 50 },
    { key: "Phone Number", plain: "phoneNumber2", coverage: 50 },
  ]);
});

test("a key is renamed with everybody, in pieces, and segments find them by it (slow)", async () => {
  await using posthorn = await workspace();
  const condition = { groups: [{ filters: [{ field: "kundennr", operator: "equals", value: "K7" }] }] };
  const { id } = (await ask(posthorn, "POST /segments", { body: { name: "Seven", condition } })).body;
  for (let at = 0; at < 230; at++)
    await add(posthorn, `p${at}@a.example`, at % 2 ? { "Kundennr.": "K7", plan: at } : {});
  const { answer, job } = await renamed(posthorn, { from: "Kundennr." });
  expect(answer).toMatchObject({ to: "kundennr", uses: [] });
  expect(job).toMatchObject({
    status: "COMPLETED",
    result: { operation: "rename", totalRequested: 230, successCount: 115, failureCount: 0 },
  });
  expect(await dataAt(posthorn, "p229@a.example")).toEqual({ kundennr: "K7", plan: 229 });
  expect((await ask(posthorn, `GET /segments/${id}`)).body.memberCount).toBe(115);
  expect((await ask(posthorn, "GET /contacts/fields")).body.notPlain).toBeUndefined();
});

test("who has something else under the new key keeps both, and is named", async () => {
  await using posthorn = await workspace();
  const { id } = (await add(posthorn, "a@a.example", { "Phone Number": "1", phone: "2" })).body;
  await add(posthorn, "b@a.example", { "Phone Number": "1", phone: "1" });
  await add(posthorn, "c@a.example", { "Phone Number": "1", phone: "" });
  const { job } = await renamed(posthorn, { from: "Phone Number", to: "phone" });
  expect(job.result).toMatchObject({ successCount: 2, failureCount: 1, errors: [{ contactId: id }] });
  expect(await dataAt(posthorn, "a@a.example")).toEqual({ "Phone Number": "1", phone: "2" });
  expect(await dataAt(posthorn, "b@a.example")).toEqual({ phone: "1" });
  expect(await dataAt(posthorn, "c@a.example")).toEqual({ phone: "1" });
});

test("what names the key is named in the answer", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "a@a.example", { "Phone Number": "1" });
  const condition = { groups: [{ filters: [{ field: "data.Phone Number", operator: "exists" }] }] };
  await ask(posthorn, "POST /segments", { body: { name: "With a phone", condition } });
  await ask(posthorn, "POST /segments", { body: { name: "Others", condition: { groups: [] } } });
  await addTemplate(posthorn, { name: "Call", body: '<p>{{ data["Phone Number"] }}</p>' });
  await addTemplate(posthorn, { name: "Text", body: "<p>Phone Number</p>" });
  const steps = [{ ref: "ask", type: "CONDITION", name: "Ask", config: { condition } }];
  await addWorkflow(posthorn, steps, { name: "Asking", enabled: false });
  const { answer } = await renamed(posthorn, { from: "Phone Number" });
  expect(answer.uses.map(({ kind, name }: Json) => `${kind} ${name}`)).toEqual([
    ...["segment With a phone", "template Call", "workflow Asking"],
  ]);
});

test.each([
  [{ from: "plan" }, "from"],
  [{ from: "Kundennr.", to: "Kunden Nr" }, "to"],
  [{ from: "Kundennr.", to: "email" }, "to"],
  [{ from: "???" }, "to"],
])("%j is refused", async (body, field) => {
  await using posthorn = await workspace();
  const { status, body: answer } = await ask(posthorn, "POST /contacts/fields/rename", { body });
  expect([status, answer.error.errors[0].field]).toEqual([422, field]);
});

test("a public key renames nothing", async () => {
  await using posthorn = await workspace();
  await add(posthorn, "a@a.example", { "Kundennr.": "K7" });
  const publicKey = await ask(posthorn, "POST /contacts/fields/rename", {
    key: "public",
    body: { from: "Kundennr." },
  } as Json);
  expect(publicKey.status).toBe(401);
  expect(await dataAt(posthorn, "a@a.example")).toEqual({ "Kundennr.": "K7" });
});
