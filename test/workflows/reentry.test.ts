// How often a contact enters a workflow: once, again after each end, or with each event; and what started nothing.
import { expect, test } from "bun:test";
import { bring, LETTER, startHouse, wire } from "../support/outside.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkflow, DAY, execution, executions, HOUR, path, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const delay = { type: "DELAY", name: "Wait", config: { amount: 1, unit: "hours" } };
const paid = { type: "WAIT_FOR_EVENT", name: "Paid?", config: { eventName: "paid", timeout: 7_200 } };
const note = { type: "UPDATE_CONTACT", name: "Note", config: { data: { last: "{{ event.order }}" } } };
const always = { reentry: "always" };
const byOrder = { reentry: "always", entryKey: "{{ event.order }}" };

const orders = async (posthorn: Posthorn, workflow: Json) =>
  (await executions(posthorn, workflow)).map(({ context, status }) => `${context.order} ${status}`);

async function unstarted(posthorn: Posthorn, { id }: Json, query = ""): Promise<Json> {
  const { status, body } = await ask(posthorn, `GET /workflows/${id}/unstarted${query}`);
  expect(status).toBe(200);
  return body;
}

test("with always, each event starts an execution, whatever runs (slow)", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay], always);
  for (let order = 1; order <= 6; order++) await track(posthorn, "signup", { order });
  await posthorn.settle();
  expect(await orders(posthorn, workflow)).toEqual([1, 2, 3, 4, 5, 6].map((order) => `${order} WAITING`));
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await orders(posthorn, workflow)).toEqual([1, 2, 3, 4, 5, 6].map((order) => `${order} COMPLETED`));
  expect(await unstarted(posthorn, workflow)).toMatchObject({ data: [], counts: [], total: 0, hasMore: false });
});

test("with a key, one execution runs for each, and the next may follow", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay], byOrder);
  for (const order of ["a", "b", "a", "a", "c"]) await track(posthorn, "signup", { order });
  await track(posthorn, "signup", { order: "a" }, "bob@example.com");
  await posthorn.settle();
  expect(await orders(posthorn, workflow)).toEqual(["a WAITING", "a WAITING", "b WAITING", "c WAITING"]);
  expect(await unstarted(posthorn, workflow)).toMatchObject({
    counts: [{ reason: "key_running", events: 2 }],
    total: 2,
    isLowerBound: false,
  });
  posthorn.clock.advance(HOUR);
  await track(posthorn, "signup", { order: "a" });
  await posthorn.settle();
  expect((await orders(posthorn, workflow)).at(-1)).toBe("a WAITING");
});

test("the waits of an execution with a key take events with that key alone, also those that came before the wait", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay, paid, note], byOrder);
  for (const order of [1, 2, 3]) await track(posthorn, "signup", { order });
  await track(posthorn, "paid", { order: 9 });
  await track(posthorn, "paid", { order: 2, early: true });
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await orders(posthorn, workflow)).toEqual(["1 WAITING", "2 COMPLETED", "3 WAITING"]);
  await track(posthorn, "paid", { order: "3" });
  await track(posthorn, "paid", {});
  await posthorn.settle();
  expect(await orders(posthorn, workflow)).toEqual(["1 WAITING", "2 COMPLETED", "3 COMPLETED"]);
  posthorn.clock.advance(2 * HOUR);
  await posthorn.settle();
  const [first] = await executions(posthorn, workflow);
  expect([first.status, first.steps.find(({ name }: Json) => name === "Paid?").output.branch]).toEqual([
    "COMPLETED",
    "timeout",
  ]);
});

test("many events of other keys do not hide the one that a wait is for", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay, paid], byOrder);
  await track(posthorn, "signup", { order: 77 });
  for (let order = 0; order < 45; order++) await track(posthorn, "paid", { order });
  await track(posthorn, "paid", { order: 77 });
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await orders(posthorn, workflow)).toEqual(["77 COMPLETED"]);
});

test("an event without a key starts an execution of its own", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay], byOrder);
  await track(posthorn, "signup", {});
  await track(posthorn, "signup", { order: "" });
  await track(posthorn, "signup", { order: null });
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toHaveLength(3);
});

test("a long key counts as a whole", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay], byOrder);
  const long = "é".repeat(5_000);
  for (const order of [`${long}1`, `${long}2`, `${long}1`]) await track(posthorn, "signup", { order });
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toHaveLength(2);
});

test("events that start nothing are counted and listed with their reason", async () => {
  await using posthorn = await workspace();
  const once = await addWorkflow(posthorn, [], { name: "Once" });
  const again = await addWorkflow(posthorn, [delay], { name: "Again", reentry: "after-end" });
  const ada = await track(posthorn, "signup");
  for (let n = 0; n < 3; n++) await track(posthorn, "signup");
  const bob = await track(posthorn, "signup", {}, "bob@example.com");
  await posthorn.settle();
  expect(await unstarted(posthorn, once)).toMatchObject({
    counts: [{ reason: "entered_before", events: 3 }],
    total: 3,
  });
  const list = await unstarted(posthorn, again, "?limit=2");
  expect(list).toMatchObject({ counts: [{ reason: "still_inside", events: 3 }], total: 3, hasMore: true });
  expect(list.data).toHaveLength(2);
  const [{ eventId, ...newest }] = list.data;
  expect(newest).toEqual({
    ...{ eventName: "signup", contact: { id: ada, email: "ada@example.com" }, reason: "still_inside" },
    message: "The contact is in this workflow now, and enters again only after that has ended.",
    createdAt: expect.any(String),
  });
  const { body: log } = await ask(posthorn, "GET /events?eventName=signup");
  expect(log.events.map(({ id }: Json) => id)).toContain(eventId);
  const rest = await unstarted(posthorn, again, `?limit=2&cursor=${list.cursor}`);
  expect([rest.data.length, rest.hasMore, rest.cursor]).toEqual([1, false, null]);
  expect((await unstarted(posthorn, again, `?contactId=${bob}`)).data).toEqual([]);
  expect((await unstarted(posthorn, again, "?reason=too_often")).data).toEqual([]);
});

test("an event that belongs to nobody is listed without a contact (slow)", async () => {
  const { posthorn, port } = await startHouse();
  await using _ = posthorn;
  const workflow = await addWorkflow(posthorn, [], { eventName: "email.received", ...always });
  await bring({ port }, wire(LETTER.replace("Subject:", "Auto-Submitted: auto-replied\nSubject:")));
  await posthorn.settle();
  expect((await unstarted(posthorn, workflow)).data).toMatchObject([{ contact: null, reason: "no_contact" }]);
});

test("what started nothing is forgotten with old executions, and with its contact or its workflow", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, []);
  const other = await addWorkflow(posthorn, [], { name: "Other" });
  const total = async () => (await posthorn.store.read((r) => r.all`select seq from missed_starts`)).length;
  await track(posthorn, "signup");
  await track(posthorn, "signup");
  const bob = await track(posthorn, "signup", {}, "bob@example.com");
  await track(posthorn, "signup", {}, "bob@example.com");
  await posthorn.settle();
  expect(await total()).toBe(4);
  await ask(posthorn, `DELETE /contacts/${bob}`);
  await posthorn.settle();
  expect(await total()).toBe(2);
  await ask(posthorn, `DELETE /workflows/${other.id}`);
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await total()).toBe(1);
  posthorn.clock.advance(91 * DAY);
  await posthorn.settle();
  expect([await total(), (await unstarted(posthorn, workflow)).total]).toEqual([0, 0]);
});

test("the last ten thousand of a workflow are kept", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, []);
  await posthorn.store.write(
    (tx) => tx.run`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 10100)
      insert into missed_starts (workflow, contact, event_id, event_name, reason, created_at)
      select (select seq from workflows where id = ${workflow.id}), null, 'e' || n, 'signup', 'no_contact', ${tx.now} from numbers`,
  );
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  const rows = await posthorn.store.read(
    (r) => r.all<{ n: string }>`select event_id as n from missed_starts order by seq`,
  );
  expect([rows.length, rows[0]?.n]).toEqual([10_000, "e101"]);
});

test("after a change from always, nobody enters before the last has ended", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay], always);
  for (let n = 0; n < 2; n++) await track(posthorn, "signup", { order: n });
  await posthorn.settle();
  await ask(posthorn, `PATCH /workflows/${workflow.id}`, { body: { reentry: "after-end" } });
  await track(posthorn, "signup", { order: 2 });
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toHaveLength(2);
  expect((await unstarted(posthorn, workflow)).counts).toEqual([{ reason: "still_inside", events: 1 }]);
});

test("by hand, a contact enters an always workflow as often as somebody says", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay], byOrder);
  const contactId = await track(posthorn, "x");
  const start = (order: number) =>
    ask(posthorn, `POST /workflows/${workflow.id}/executions`, { body: { contactId, context: { order } } });
  expect([(await start(1)).status, (await start(2)).status]).toEqual([201, 201]);
  const refused = await start(2);
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    "An execution of this contact with the same key is running.",
  ]);
});

test("executions of one contact that failed at a mail go back side by side", async () => {
  await using posthorn = await workspace();
  const template = { name: "T", subject: "S", body: "<p>x</p>", type: "TRANSACTIONAL", from: "a@example.test" };
  const { id: templateId } = (await ask(posthorn, "POST /templates", { body: template })).body;
  const mail = { type: "SEND_EMAIL", name: "Mail", config: { templateId } };
  const workflow = await addWorkflow(posthorn, [mail, delay], always);
  await ask(posthorn, `PATCH /templates/${templateId}`, { body: { from: null } });
  for (let order = 0; order < 3; order++) await track(posthorn, "signup", { order });
  await posthorn.settle();
  expect(await orders(posthorn, workflow)).toEqual(["0 FAILED", "1 FAILED", "2 FAILED"]);
  await ask(posthorn, `PATCH /templates/${templateId}`, { body: { from: "a@example.test" } });
  const step = workflow.steps.find(({ type }: Json) => type === "SEND_EMAIL");
  const { body } = await ask(posthorn, `POST /workflows/${workflow.id}/steps/${step.id}/retry`);
  expect(body.retried).toBe(3);
  await posthorn.settle();
  expect(await orders(posthorn, workflow)).toEqual(["0 WAITING", "1 WAITING", "2 WAITING"]);
});

test("reentry and allowReentry say the same, or are refused", async () => {
  await using posthorn = await workspace();
  const made = async (input: object) =>
    (await ask(posthorn, "POST /workflows", { body: { name: "W", eventName: "x", ...input } })).body;
  const said = ({ reentry, allowReentry, entryKey }: Json) => [reentry, allowReentry, entryKey];
  expect(said(await made({}))).toEqual(["never", false, null]);
  expect(said(await made({ allowReentry: true }))).toEqual(["after-end", true, null]);
  expect(said(await made({ reentry: "after-end", allowReentry: true }))).toEqual(["after-end", true, null]);
  expect((await made({ reentry: "never", allowReentry: true })).error.errors).toMatchObject([{ field: "reentry" }]);
  expect((await made({ reentry: "always", allowReentry: false })).error.errors).toMatchObject([{ field: "reentry" }]);
  expect((await made({ reentry: "sometimes" })).error.code).toBe("VALIDATION_ERROR");
  for (const entryKey of ["x", "{{ order }}", "{{ event.order ", "{% for x in event.all %}{{ x }}{% endfor %}"])
    expect((await made({ reentry: "always", entryKey })).error.errors).toMatchObject([{ field: "entryKey" }]);
  expect((await made({ reentry: "after-end", entryKey: "{{ event.order }}" })).error.errors).toMatchObject([
    { field: "entryKey" },
  ]);
  const workflow = await made(byOrder);
  expect(said(workflow)).toEqual(["always", true, "{{ event.order }}"]);
  const changed = async (body: object) => said((await ask(posthorn, `PATCH /workflows/${workflow.id}`, { body })).body);
  expect(await changed({ allowReentry: true })).toEqual(["always", true, "{{ event.order }}"]);
  const copy = (await ask(posthorn, `POST /workflows/${workflow.id}/duplicate`)).body;
  expect(said(copy)).toEqual(["always", true, "{{ event.order }}"]);
  expect(await changed({ entryKey: null })).toEqual(["always", true, null]);
  expect(await changed({ entryKey: "{{ event.cart.id }}" })).toEqual(["always", true, "{{ event.cart.id }}"]);
  expect(await changed({ allowReentry: false })).toEqual(["never", false, null]);
  expect(await changed({ allowReentry: true })).toEqual(["after-end", true, null]);
});

test("a simulation knows what keeps an event from starting, saved or not", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay], byOrder);
  const contactId = await track(posthorn, "signup", { order: 1 });
  await posthorn.settle();
  const obstacle = async (event: object, body: object = {}) =>
    (await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, { body: { contactId, event, ...body } })).body
      .obstacle;
  expect(await obstacle({ order: 2 })).toBe(null);
  expect(await obstacle({ order: 1 })).toBe("An execution of this contact with the same key is running.");
  expect(await obstacle({ order: 1 }, { entryKey: null })).toBe(null);
  expect(await obstacle({ order: 2 }, { reentry: "after-end" })).toBe(
    "The contact is in this workflow now, and enters again only after that has ended.",
  );
  expect(await obstacle({ order: 2 }, { reentry: "never" })).toBe(
    "The contact was in this workflow and may not enter again.",
  );
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await obstacle({ order: 1 })).toBe(null);
});

test("a simulation and reality refuse the start that is one too many within an hour (slow)", async () => {
  await using posthorn = await workspace();
  const templateId = (
    await ask(posthorn, "POST /templates", {
      body: { name: "T", subject: "S", body: "<p>x</p>", type: "TRANSACTIONAL", from: "a@example.test" },
    })
  ).body.id;
  const mail = { type: "SEND_EMAIL", name: "Mail", config: { templateId } };
  const workflow = await addWorkflow(posthorn, [mail], { eventName: "contact.unsubscribed", ...always });
  const contactId = await track(posthorn, "x");
  for (let n = 0; n < 44; n++) {
    await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: n % 2 === 1 } });
    await posthorn.settle();
  }
  expect((await unstarted(posthorn, workflow)).counts).toEqual([{ reason: "too_often", events: 2 }]);
  const { body } = await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, { body: { contactId } });
  expect(body.obstacle).toBe("The workflow was started too often for this contact within an hour.");
});

test("a simulation stores what a tracked event would store with the contact", async () => {
  await using posthorn = await workspace();
  const isPro = { type: "CONDITION", name: "If", config: { field: "data.plan", operator: "equals", value: "pro" } };
  const steps = [isPro, paid, { ...isPro, name: "Then" }];
  const workflow = await addWorkflow(posthorn, steps, always);
  const contactId = await track(posthorn, "x", { plan: "free" });
  const way = async (event: object, events: object = {}) => {
    const body = { contactId, event, events: { [workflow.steps[2].id]: events } };
    const { steps: walked } = (await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, { body })).body;
    return walked.filter(({ type }: Json) => type === "CONDITION").map(({ output }: Json) => output.branch);
  };
  expect(await way({ plan: "pro" })).toEqual(["yes", "yes"]);
  expect(await way({ plan: { value: "pro", persistent: false } })).toEqual(["no", "no"]);
  expect(await way({}, { plan: "pro" })).toEqual(["no", "yes"]);
  await track(posthorn, "signup", { plan: "pro" });
  await posthorn.settle();
  const [first] = await executions(posthorn, workflow);
  expect(path(first)).toContain("Paid? WAITING");
  expect(first.steps.find(({ name }: Json) => name === "If").output.branch).toBe("yes");
  expect((await execution(posthorn, workflow)).id).toBe(first.id);
});
