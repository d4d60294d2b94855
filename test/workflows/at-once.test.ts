// Executions that are due at the same moment: they go on side by side, and each comes to what it would have come to
// alone.
import { expect, test } from "bun:test";
import { mailsSent } from "../support/mails.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addTemplate, addWorkflow, executions, HOUR, path, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const wait = (amount = 1) => ({ type: "DELAY", name: "Wait", config: { amount, unit: "hours" } });
const mail = (templateId: string) => ({ type: "SEND_EMAIL", name: "Mail", config: { templateId } });
const update = (config: object) => ({ type: "UPDATE_CONTACT", name: "Update", config });

const recipients = async (posthorn: Posthorn) =>
  (await mailsSent(posthorn)).map(({ to }) => (to && "text" in to ? to.text : "")).sort();
const outcomeOf = ({ status, steps }: Json) => `${status}: ${path({ steps }).slice(2).join(", ")}`;

test("sixty with a mail: each gets its own text or a reason why not, and what they say is kept once (slow)", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn, { type: "MARKETING" });
  const workflow = await addWorkflow(posthorn, [wait(), mail(templateId)]);
  const people = Array.from({ length: 60 }, (_, n) => `p${n}@example.com`);
  for (const [n, email] of people.entries()) await track(posthorn, "signup", { plan: `plan ${n}` }, email);
  await posthorn.settle();
  for (const email of people.filter((_, n) => n % 3 === 0))
    await ask(posthorn, "POST /contacts", { body: { email, subscribed: false } });
  posthorn.clock.advance(HOUR);
  const subscribed = people.filter((_, n) => n % 3 !== 0);
  expect(await recipients(posthorn)).toEqual(subscribed.toSorted());
  const texts = (await mailsSent(posthorn)).map(({ html }) => /plan \d+/.exec(String(html))?.[0]);
  expect(new Set(texts)).toEqual(new Set(people.flatMap((_, n) => (n % 3 === 0 ? [] : `plan ${n}`))));
  const came = (await executions(posthorn, workflow)).map(outcomeOf);
  expect(came).toEqual(people.map((_, n) => `COMPLETED: Mail ${n % 3 === 0 ? "SKIPPED" : "COMPLETED"}`));
  const rows = await posthorn.store.read((reader) => reader.all`select distinct content from emails`);
  expect(rows).toHaveLength(1);
});

test("two executions of a contact are run one after the other: the mail knows what the step before it has changed (slow)", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn, { type: "MARKETING" });
  await addWorkflow(posthorn, [wait(1), update({ subscribed: false, data: {} })], { name: "First" });
  const second = await addWorkflow(posthorn, [wait(2), mail(templateId)], { name: "Second" });
  await track(posthorn, "signup");
  await track(posthorn, "signup", {}, "bob@example.com");
  await posthorn.settle();
  posthorn.clock.advance(3 * HOUR);
  expect(await recipients(posthorn)).toEqual([]);
  expect((await executions(posthorn, second)).map(outcomeOf)).toEqual([
    "COMPLETED: Mail SKIPPED",
    "COMPLETED: Mail SKIPPED",
  ]);
});

test("one that cannot be run fails alone, and so does one whose contact cannot hold what it is given", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn);
  const text = "{{ event.note }}";
  const workflow = await addWorkflow(posthorn, [wait(), update({ data: { note: text } }), mail(templateId)]);
  const people = ["ada", "bob", "eve", "dan"].map((name) => `${name}@example.com`);
  for (const email of people)
    await track(
      posthorn,
      "signup",
      { note: { value: email.startsWith("bob") ? "x".repeat(60_000) : "x", persistent: false } },
      email,
    );
  await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com", data: { large: "y".repeat(10_000) } } });
  await posthorn.settle();
  // Eve's execution has been at its last step already, as far as its trace says.
  const last = workflow.steps.at(-1);
  await posthorn.store.write(async (tx) => {
    const eve = await tx.get<{ seq: number }>`
      select e.seq from executions e join contacts c on c.seq = e.contact where c.email = 'eve@example.com'`;
    await tx.run`
      insert into execution_steps (id, execution, step, status, started_at)
      values ('00000000-0000-7000-8000-000000000000', ${(eve as { seq: number }).seq}, ${last.id}, 'COMPLETED', ${tx.now})`;
  });
  posthorn.clock.advance(HOUR);
  expect(await recipients(posthorn)).toEqual(["ada@example.com", "dan@example.com"]);
  const [ada, bob, eve, dan] = await executions(posthorn, workflow);
  expect([ada, bob, dan].map(outcomeOf)).toEqual([
    "COMPLETED: Update COMPLETED, Mail COMPLETED",
    "FAILED: Update FAILED",
    "COMPLETED: Update COMPLETED, Mail COMPLETED",
  ]);
  expect([eve.status, eve.reason]).toEqual(["FAILED", "An unexpected fault; the server's log has it."]);
});

test("events that come together start each contact once, and again only where the workflow allows it (slow)", async () => {
  await using posthorn = await workspace();
  const once = await addWorkflow(posthorn, [wait()], { name: "Once" });
  const again = await addWorkflow(posthorn, [], { name: "Again", allowReentry: true });
  const people = Array.from({ length: 20 }, (_, n) => `p${n}@example.com`);
  for (const email of [...people, ...people.slice(0, 5)]) await track(posthorn, "signup", {}, email);
  await posthorn.settle();
  const addresses = async (workflow: Json) =>
    (await executions(posthorn, workflow)).map(({ contact }) => contact.email).sort();
  expect(await addresses(once)).toEqual(people.toSorted());
  expect(await addresses(again)).toEqual([...people, ...people.slice(0, 5)].sort());
});
