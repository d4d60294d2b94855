// Workflows: begun with one of six, drawn, tried, saved, turned on, and looked at by number.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { starters as german } from "../../web/texts/de/starters.ts";
import { starters as english } from "../../web/texts/en/starters.ts";
import { STARTERS } from "../../web/workflows/starters/starter-list.ts";
import { createFrom, type CreateHelpers, type StarterId } from "../../web/workflows/starters/starters.ts";
import { journey, soon, type Visit, visit } from "../support/browser.ts";
import { bring, startHouse } from "../support/outside.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";
import { addTemplate, addWorkflow, DAY, HOUR, path, track } from "../support/workflows.ts";
import { linkTo, send as sendForm, visit as visitPage } from "../forms/sending.ts";
import { flowing, type Flowing } from "./flows.ts";

let flow: Flowing;
beforeAll(async () => {
  flow = await flowing();
});
afterAll(() => flow.posthorn[Symbol.asyncDispose]());

const stepAt = ({ page }: Visit, name: RegExp) => page.locator(".face-of").filter({ hasText: name });
const number = ({ page }: Visit, name: RegExp) => page.getByRole("link", { name });

async function workflowNamed({ posthorn }: Flowing, name: string): Promise<Json> {
  const { data } = (await posthorn.call(`GET /workflows?search=${encodeURIComponent(name)}`)).body;
  return (await posthorn.call(`GET /workflows/${data[0].id}`)).body;
}

journey("A workflow is begun with one of six, changed, undone, saved and turned on", async () => {
  await using eva = await visit(flow.posthorn);
  const { page } = eva;
  await signIn(eva.context, flow.posthorn);
  await eva.open("/workflows");
  await page.getByText("event email.bounce").waitFor();
  await eva.open("/");
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("new work");
  await page.getByRole("menuitem", { name: "New workflow" }).click();
  await page.getByRole("button", { name: /Trial ending/ }).waitFor();
  await eva.check();
  // One that is chosen before the senders are known waits for them.
  const known = Promise.withResolvers<void>();
  await page.route(/\/domains(\?.*)?$/, (route) => known.promise.then(() => route.continue()));
  await eva.open("/workflows?make=true");
  await page.getByRole("button", { name: /Trial ending/ }).click();
  await page.locator(".starters").locator("..").and(page.locator("[aria-busy=true]")).waitFor();
  known.resolve();
  await page.getByRole("heading", { name: "Trial ending" }).waitFor();
  const templates: Json[] = (await flow.posthorn.call("GET /templates")).body.data;
  const theirs = templates.filter(({ name }) =>
    Object.values(english.each.trial.mails).some((mail) => mail.name === name),
  );
  expect(theirs.map(({ from }) => from)).toEqual(theirs.map(() => expect.stringContaining("@")));
  expect(theirs.length).toBeGreaterThan(0);
  await stepAt(eva, /trial.started/).waitFor();
  await eva.check();
  // Two ways lead to one end: the number of neither covers that of the other.
  const labels = await page.locator(".edge.nopan").evaluateAll((all) => all.map((label) => label.style.transform));
  expect(labels.length).toBe(new Set(labels).size);
  expect(labels.length).toBeGreaterThan(5);

  const save = page.getByRole("button", { name: "Save", exact: true });
  await soon(async () => expect(await save.getAttribute("title")).toBe("Nothing has changed yet."));
  await page.getByRole("button", { name: /Insert a step after Say that the trial ends$/ }).click();
  await page.getByRole("menuitem", { name: /^Webhook/ }).click();
  // A new step lacks something, and is not red before somebody has filled it in or left it.
  await soon(async () => expect(await save.getAttribute("title")).toBe("Fill in the new step first."));
  expect(await page.locator(".fault, .face-of .bad, .faults").count()).toBe(0);
  await eva.check();
  await stepAt(eva, /Say that the trial ends/)
    .first()
    .click();
  await stepAt(eva, /Webhook/).click();
  await page.locator(".fault").waitFor();
  await eva.check();
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.locator(".field", { hasText: /^Name/ }).locator(".fault").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Tell sales");
  await page.getByLabel("URL", { exact: true }).fill("https://sales.example.com/trials");
  await page.locator(".fault").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await soon(async () => expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Webhook"));
  await page.getByRole("button", { name: "Redo" }).click();
  await page.getByRole("button", { name: "Redo" }).click();
  await save.click();
  await page.getByText(/Saved as version/).waitFor();
  const saved = await workflowNamed(flow, "Trial ending");
  const hook = saved.steps.find(({ type }: Json) => type === "WEBHOOK");
  const [before, after] = ["Say that the trial ends", "Upgraded by now?"].map((name) =>
    saved.steps.find((step: Json) => step.name === name),
  );
  expect([hook.name, hook.config.url]).toEqual(["Tell sales", "https://sales.example.com/trials"]);
  expect([hook.incomingTransitions[0].fromStepId, hook.outgoingTransitions[0].toStepId]).toEqual([before.id, after.id]);

  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText(/^These events have never happened, and no form sends them: .*trial\.started/).waitFor();
  await page.getByText("“Trial ending” is on.").waitFor();
  await eva.check();
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await page.getByText(/^off, version/).waitFor();
  expect((await workflowNamed(flow, "Trial ending")).enabled).toBe(false);
});

journey("A form, the welcome that it starts and the canvas lead to each other", async () => {
  await using posthorn = await startPosthorn();
  const form = (await posthorn.call("POST /forms", { name: "Tea news", key: "tea" })).body;
  await posthorn.call("POST /forms", { name: "Fair", key: "fair", event: "fair.joined" });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open(`/forms/${form.id}`);
  await page.getByRole("link", { name: "Welcome whoever signs up" }).click();
  await page.getByRole("button", { name: /A greeting at the sign-up/ }).waitFor();
  await eva.check();
  await page.getByRole("button", { name: /A greeting at the sign-up/ }).click();
  // The form records an event from now on; by that it starts the welcome, so turning it on asks nothing.
  await stepAt(eva, /signup\.tea/).click();
  await page.getByRole("link", { name: "To the form “Tea news”" }).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("“Welcome” is on.").waitFor();
  await page.getByRole("link", { name: "To the form “Tea news”" }).click();
  await page.getByText("Starts: Welcome").waitFor();
  expect((await posthorn.call(`GET /forms/${form.id}`)).body.event).toBe("signup.tea");
  // Without a form, the canvas asks which one.
  await eva.open("/workflows?make=true");
  await page.getByRole("button", { name: /A greeting at the sign-up/ }).click();
  await stepAt(eva, /contact\.subscribed/).waitFor();
  await page.getByRole("button", { name: /Which form\?/ }).click();
  await page.getByRole("option", { name: "Fair" }).click();
  await stepAt(eva, /fair\.joined/).waitFor();
  await eva.check();
});

journey(
  "What started nothing is counted beside the canvas, and the trigger says how to have each event start",
  async () => {
    await using eva = await visit(flow.posthorn);
    const { page } = eva;
    await signIn(eva.context, flow.posthorn);
    const wait = { type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } };
    const workflow = await addWorkflow(flow.posthorn, [wait], {
      name: "Orders",
      eventName: "ordered",
      reentry: "after-end",
    });
    for (let order = 1; order <= 4; order++) await track(flow.posthorn, "ordered", { order }, "zoe@example.com");
    await flow.posthorn.settle();
    await eva.open(`/workflows/${workflow.id}`);
    await page.getByRole("link", { name: "Not started 3" }).click();
    await page.getByText("3 events started nothing. 3 × was still in it.").waitFor();
    await soon(async () => expect(await page.getByRole("link", { name: "zoe@example.com" }).count()).toBe(3));
    await eva.check();
    await page.getByRole("link", { name: "Canvas" }).click();
    await stepAt(eva, /ordered/).click();
    await page.getByRole("radio", { name: "each time" }).click();
    await page.getByLabel("One run for each (optional)").fill("order");
    await page.getByText("A key needs a variable of the event, such as {{ event.order }}.").waitFor();
    await eva.check();
    await page.getByLabel("One run for each (optional)").fill("{{ event.order }}");
    await page.locator(".fault").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    // Who is inside is named, also where no step is open.
    await page.getByText(/Saved as version 2\. One person inside continues with the previous version\./).waitFor();
    expect(await workflowNamed(flow, "Orders")).toMatchObject({ reentry: "always", entryKey: "{{ event.order }}" });
  },
);

journey("A schedule is said in words, and what is missing is marked at its field", async () => {
  await using eva = await visit(flow.posthorn);
  const { page } = eva;
  const { posthorn } = flow;
  await signIn(eva.context, posthorn);
  const { body: segment } = await posthorn.call("POST /segments", {
    name: "Regulars",
    trackMembership: true,
    condition: { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] },
  });
  const wait = { type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } };
  const { body: own } = await posthorn.call("POST /workflows", { name: "Mondays", eventName: "signup", steps: [wait] });
  await eva.open(`/workflows/${own.id}?step=${own.steps[0].id}`);
  const event = page.getByRole("combobox", { name: "Event", exact: true });
  await event.fill("joined");
  await page.getByRole("radio", { name: "a schedule" }).click();
  const faultOf = (label: string) =>
    page.locator(".field", { has: page.getByText(label, { exact: true }) }).locator(".fault");
  await faultOf("Time zone").getByText("Choose a time zone.").waitFor();
  await faultOf("For each member of").getByText("Choose a segment").waitFor();
  expect(await page.locator(".faults").count()).toBe(0);
  await page.getByText("The workspace has no time zone yet.").waitFor();
  await eva.check();
  // The zone of the workspace is named, and nothing else is asked.
  await posthorn.call("PATCH /workspace", { timeZone: "Europe/Berlin" });
  await page.getByRole("radio", { name: "an event" }).click();
  await soon(async () => expect(await event.inputValue()).toBe("joined"));
  // Also if it is chosen before the workspace is known.
  const chosen = Promise.withResolvers<void>();
  await page.route("**/workspace", async (route) => (await chosen.promise, route.fallback()));
  await page.reload();
  await page.getByRole("radio", { name: "a schedule" }).click();
  await page.getByLabel("Time zone", { exact: true }).waitFor();
  chosen.resolve();
  await page.getByText("Times are in Europe/Berlin, the time zone of the workspace.").waitFor();
  const choose = async (label: string, option: string) => {
    await page.getByRole("button", { name: new RegExp(`${label}$`) }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };
  await choose("Repeats", "on a day of the month");
  await page.getByLabel("Time", { exact: true }).fill("08:00");
  await stepAt(eva, /on the 1st of each month at 8:00/).waitFor();
  await choose("Repeats", "on days of the week");
  await page.getByText("Thursday", { exact: true }).click();
  await stepAt(eva, /every Monday and Thursday at 8:00/).waitFor();
  const runs = page.getByRole("region", { name: "Next runs" });
  await runs.getByText("Europe/Berlin").waitFor();
  await runs.getByText("08:00").nth(2).waitFor();
  await choose("For each member of", "Regulars");
  await page.locator(".fault").waitFor({ state: "detached" });
  await eva.check();
  await choose("Repeats", "by a cron expression");
  await page.getByRole("textbox", { name: "Cron expression" }).fill("every now and then");
  await faultOf("Cron expression").getByText("Not a cron expression of five parts that ever fires.").waitFor();
  await page.getByRole("textbox", { name: "Cron expression" }).fill("0 8 * * 1,4");
  await page.locator(".fault").waitFor({ state: "detached" });
  // A change of mind loses nothing.
  await page.getByRole("radio", { name: "manual start" }).click();
  await page.getByRole("radio", { name: "a schedule" }).click();
  await stepAt(eva, /every Monday and Thursday at 8:00/).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/Saved as version/).waitFor();
  expect((await workflowNamed(flow, "Mondays")).triggerConfig).toEqual({
    cron: "0 8 * * 1,4",
    timezone: "Europe/Berlin",
    segmentId: segment.id,
  });
  await eva.open("/workflows");
  await page.getByText("every Monday and Thursday at 8:00").waitFor();
});

journey("Every number of a workflow opens as a list of people, and what failed is sent again at once", async () => {
  await using eva = await visit(flow.posthorn);
  const { page } = eva;
  await signIn(eva.context, flow.posthorn);
  await eva.open(`/workflows/${flow.workflow.id}`);
  const people = page.locator(".executions .one");
  await page.getByText("22 started").waitFor();
  // Two numbers on a step leave its second line the room.
  const summary = page.locator(".step", { hasText: "Tell the ledger" }).locator(".names .dim");
  await summary.waitFor();
  await soon(async () =>
    expect(await summary.evaluate((line) => line.scrollWidth - line.clientWidth)).toBeLessThanOrEqual(0),
  );
  await number(eva, /^5 wait here now/).click();
  await page.getByRole("heading", { name: "Here now: Wait for “paid”" }).waitFor();
  await people.nth(4).waitFor();
  await soon(async () => expect(await people.count()).toBe(5));
  await eva.check();
  await number(eva, /^12 went this way/)
    .first()
    .click();
  await page.getByRole("heading", { name: "too late: Wait for “paid”" }).waitFor();
  await people.nth(11).waitFor();
  await soon(async () => expect(await people.count()).toBe(12));
  await number(eva, /^2 failed/).click();
  await page.getByRole("button", { name: /ben@example.com/ }).click();
  await page.getByText(/422 no such customer/).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Retry all" }).click();
  await page.getByText("The step is tried again for 2.").waitFor();
  await flow.posthorn.settle();
});

journey("Ada tries it before anybody gets it: lit step by step, with her mail and a choice at the wait", async () => {
  await using eva = await visit(flow.posthorn);
  const { page } = eva;
  await signIn(eva.context, flow.posthorn);
  await eva.open(`/workflows/${flow.workflow.id}`);
  await page.locator(".trybar .select").click();
  await page.keyboard.type("ada@");
  await page.getByRole("menuitem", { name: /Ada/ }).click();
  await page.locator(".step.lit", { hasText: "Tell the ledger" }).waitFor();
  await page.getByText("This person was in it before and may enter only once.").waitFor();
  // Her last event is taken and named; its data can be edited.
  const event = page.getByRole("button", { name: /^signup, 1 March/ });
  await event.click();
  const data = page.getByRole("dialog", { name: "Data of “signup”" });
  await data.getByRole("textbox", { name: "Event data" }).fill('{ "source": ');
  await data.locator(".fault").getByText("This is not JSON.").waitFor();
  await data.getByRole("textbox", { name: "Event data" }).fill('{ "source": "fair" }');
  await eva.check();
  await data.getByRole("button", { name: "Test with this" }).click();
  await page.getByRole("button", { name: "signup, edited data" }).waitFor();
  await stepAt(eva, /Tell the ledger/).click();
  await page
    .getByText(/"source": "fair"/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "signup, edited data" }).click();
  await data.getByRole("button", { name: "Use the last event" }).click();
  await event.waitFor();
  await page.getByRole("radio", { name: "too late" }).click();
  await page.locator(".step.lit", { hasText: "Still there?" }).waitFor();
  await stepAt(eva, /Still there\?/).click();
  await page.locator(".mini").getByText("Still there?, Ada Lovelace").waitFor();
  await page.locator(".mini").getByText("your shelf is empty").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Show the whole email" }).click();
  await page.getByRole("dialog").locator("iframe").first().waitFor();
  await page.keyboard.press("Escape");
  await stepAt(eva, /Is plan pro\?/).click();
  await page.getByText("It continues with “yes”.").waitFor();
  await page.getByRole("radio", { name: "a condition" }).click();
  await page.getByText("The condition is incomplete: fill in every filter.").waitFor();
  await page.getByRole("button", { name: "Add a filter" }).click();
  await page.getByRole("searchbox", { name: "Find a field" }).waitFor();
  await page.keyboard.type("name");
  await page.getByRole("option", { name: "name" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator("input:focus").waitFor();
  await page.keyboard.type("Grace Hopper");
  await page.getByRole("button", { name: /left after: name is Grace Hopper/ }).waitFor();
  await page.getByText("It continues with “no”.").waitFor();
  await stepAt(eva, /a condition of one filter/).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "End test" }).click();
  await page.getByRole("button", { name: "Test on the last 30 days" }).click();
  await page.getByText("22 events “signup” of 22 people. Each person starts once.").waitFor();
  await eva.check();
});

journey("A trial says at once what turning the workflow on has changed", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ada@example.com" });
  const steps = [{ type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } }];
  const { id } = (await posthorn.call("POST /workflows", { name: "Later", eventName: "signup", steps })).body;
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open(`/workflows/${id}`);
  await page.locator(".trybar .select").click();
  await page.keyboard.type("ada@");
  await page.getByRole("menuitem", { name: "ada@example.com" }).click();
  await page.getByText("It is off, so nobody starts.").waitFor();
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("It is off, so nobody starts.").waitFor({ state: "detached" });
  await page.getByText("Nothing is sent.").waitFor();
});

journey(
  "A mail is written over the canvas: the shared one of two steps, and a new one that is named after its step",
  async () => {
    await using eva = await visit(flow.posthorn);
    const { page } = eva;
    await signIn(eva.context, flow.posthorn);
    const templateId = await addTemplate(flow.posthorn, { name: "Shared mail", from: "hello@lanternfish.example" });
    const mail = (name: string) => ({ type: "SEND_EMAIL", name, config: { templateId } });
    const own = await addWorkflow(flow.posthorn, [mail("First mail"), mail("Second mail")], { name: "Two mails" });
    await eva.open(`/workflows/${own.id}`);
    await page.locator(".trybar .select").click();
    await page.keyboard.type("ada@");
    await page.getByRole("menuitem", { name: /Ada/ }).click();
    await stepAt(eva, /First mail/).click();
    await page.locator(".mini").getByText("Welcome Ada Lovelace").waitFor();
    await page.getByRole("button", { name: "Edit here" }).click();
    const dialog = page.getByRole("dialog", { name: "Shared mail" });
    await dialog.getByText("Shared: your changes also affect “Second mail”.").waitFor();
    await dialog.locator("iframe").first().waitFor();
    await eva.check();
    await dialog.getByRole("textbox", { name: "Subject" }).fill("Hello {{ name }}");
    await dialog.getByRole("button", { name: "Back to the canvas" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.locator(".mini").getByText("Hello Ada Lovelace").waitFor();
    expect((await flow.posthorn.call(`GET /templates/${templateId}`)).body.subject).toBe("Hello {{ name }}");

    await page.getByRole("button", { name: "Insert a step after Second mail" }).click();
    await page.getByRole("menuitem", { name: /^Send/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("Goodbye");
    await page.getByRole("button", { name: "New template" }).click();
    const goodbye = page.getByRole("dialog", { name: "Goodbye" });
    await goodbye.getByText("No other workflow step sends this template.").waitFor();
    await goodbye.getByRole("button", { name: "Back to the canvas" }).click();
    await goodbye.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /Goodbye.*Template/ }).waitFor();
    expect((await flow.posthorn.call("GET /templates?search=Goodbye")).body.data).toHaveLength(1);
  },
);

journey("By keys alone, in the list of steps: insert, set, lead elsewhere, remove, undo", async () => {
  await using eva = await visit(flow.posthorn);
  const { page } = eva;
  await signIn(eva.context, flow.posthorn);
  await eva.open(`/workflows/${flow.workflow.id}?view=list`);
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  const steps = page.getByRole("list", { name: "The steps in order" }).locator("> li");
  await soon(async () => expect(await steps.count()).toBe(8));
  await page.getByRole("button", { name: /Insert a step after Is plan pro\?, yes/ }).focus();
  await press("Enter");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("End");
  await press("Enter");
  await page.getByLabel("Reason").fill("pro");
  await soon(async () => expect(await steps.count()).toBe(9));
  await eva.check();
  await page.getByRole("button", { name: "Remove the step" }).focus();
  await press("Enter");
  await soon(async () => expect(await steps.count()).toBe(8));
  await press("Control+z");
  await soon(async () => expect(await steps.count()).toBe(9));
  const own = page.locator(".in-list").filter({ has: page.locator(".step-name", { hasText: "Set plan to pro" }) });
  await own.locator(".step-name").focus();
  await press("Enter");
  await page.getByRole("button", { name: /^(the workflow ends )?Then/ }).focus();
  await press("Enter");
  await page.getByRole("option", { name: "Wait 4 days" }).waitFor();
  await page.keyboard.type("Wait 4");
  await press("Enter");
  await own.getByText("leads to").waitFor();
  await soon(async () =>
    expect(await page.getByRole("button", { name: "Save", exact: true }).getAttribute("aria-disabled")).toBeNull(),
  );
  expect((await workflowNamed(flow, "After a sign-up")).steps).toHaveLength(8);
});

journey("With the mouse: a step is led to another one, a way is led elsewhere, and into nothing", async () => {
  await using eva = await visit(flow.posthorn);
  const { page } = eva;
  await signIn(eva.context, flow.posthorn);
  await eva.open(`/workflows/${flow.workflow.id}`);
  await page.getByText("22 started").waitFor();
  const nodeOf = (name: RegExp) => page.locator(".react-flow__node").filter({ hasText: name });
  const middleOf = async (what: ReturnType<Visit["page"]["locator"]>): Promise<readonly [number, number]> => {
    const { x, y, width, height } = (await what.boundingBox()) as NonNullable<
      Awaited<ReturnType<typeof what.boundingBox>>
    >;
    return [x + width / 2, y + height / 2];
  };
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 5 });
    await page.mouse.move(...to, { steps: 5 });
    await page.mouse.up();
  };
  const ends = page.locator(".react-flow__node-end");
  await soon(async () => expect(await ends.count()).toBe(3));
  const [out, into] = [nodeOf(/Set plan to pro/), nodeOf(/Wait 4 days/)];
  await drag(
    await middleOf(out.locator(".react-flow__handle-bottom")),
    await middleOf(into.locator(".react-flow__handle-top")),
  );
  await ends.nth(2).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await soon(async () => expect(await ends.count()).toBe(3));
  const [x, y] = await middleOf(nodeOf(/Send “Last call”/).locator(".react-flow__handle-top"));
  await drag([x, y - 9], [x + 400, y]);
  await nodeOf(/Send “Last call”/)
    .locator(".here.warn")
    .waitFor();
});

journey("Nobody overwrites somebody else's work unasked, and support may only look", async () => {
  await using eva = await visit(flow.posthorn);
  const { page } = eva;
  await signIn(eva.context, flow.posthorn);
  const { body: own } = await flow.posthorn.call("POST /workflows", {
    ...{ name: "Shared", eventName: "shared" },
    steps: [{ type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } }],
  });
  await eva.open(`/workflows/${own.id}`);
  await stepAt(eva, /A day/).click();
  await page.getByLabel("Name", { exact: true }).fill("Mine");
  flow.posthorn.clock.advance(1_000);
  await flow.posthorn.call(`PATCH /workflows/${own.id}/steps/${own.steps[1].id}`, { name: "Theirs" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").first().waitFor();
  expect((await workflowNamed(flow, "Shared")).steps[1].name).toBe("Theirs");
  await using support = await visit(flow.posthorn);
  await signIn(support.context, flow.posthorn, "SUPPORT");
  await support.open(`/workflows/${own.id}`);
  const off = await support.page.getByRole("button", { name: "Turn on" }).getAttribute("title");
  expect(off).toContain("Support can’t do this");
  await soon(async () => expect(await support.page.getByRole("button", { name: /Insert a step/ }).count()).toBe(0));
});

/*
 * The six to begin with: each is made as the screen makes it, and run.
 */

function makingIn(posthorn: Posthorn): CreateHelpers {
  const make = async (route: string, body: object): Promise<Json> => {
    const reply = await ask(posthorn, route, { body });
    expect([reply.status, reply.body.error]).toEqual([201, undefined]);
    return reply.body;
  };
  return {
    template: async (body) => (await make("POST /templates", body)).id,
    segment: async (body) => (await make("POST /segments", body)).slug,
  };
}

type Terms = { readonly words?: typeof english; readonly greeting?: string; readonly startedBy?: string };

async function begun(posthorn: Posthorn, id: StarterId, more: Terms = {}): Promise<Json> {
  const { words = english, greeting = "name", startedBy = null } = more;
  const starter = STARTERS.find((one) => one.id === id);
  if (!starter) throw new Error(`There is no starter ${id}.`);
  const terms = { name: words.each[id].name, from: "hello@example.test", greeting, startedBy };
  const body = await createFrom(starter, words, terms, makingIn(posthorn));
  const made = await ask(posthorn, "POST /workflows", { body });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const on = await ask(posthorn, `PATCH /workflows/${made.body.id}`, { body: { enabled: true } });
  expect([on.status, on.body.error]).toEqual([200, undefined]);
  return on.body;
}

/** Each execution's way, by whose it is. */
async function ways(posthorn: Posthorn, { id }: Json): Promise<Record<string, string[]>> {
  const { data } = (await ask(posthorn, `GET /workflows/${id}/executions?pageSize=100`)).body;
  const whole = await Promise.all(
    data.map(async (one: Json) => (await ask(posthorn, `GET /workflows/${id}/executions/${one.id}`)).body),
  );
  return Object.fromEntries(whole.map((one: Json) => [one.contact.email.split("@")[0], path(one)]));
}

const sent = async (posthorn: Posthorn): Promise<string[]> =>
  (await ask(posthorn, "GET /emails?sourceType=WORKFLOW&limit=100")).body.data
    .map(({ subject }: Json) => subject)
    .sort();

test("the welcome of a form greets who signs up by it, and by itself who confirms by any way", async () => {
  await using posthorn = await startPosthorn();
  await ask(posthorn, "POST /forms", { body: { name: "News", key: "news", event: "signup.news" } });
  const ofForm = await begun(posthorn, "welcome", { startedBy: "signup.news" });
  const ofAll = await begun(posthorn, "welcome");
  await sendForm(posthorn, { email: "form@example.com" });
  await visitPage(posthorn, `POST ${await linkTo(posthorn, "form@example.com")}`);
  const body = { email: "api@example.com", doubleOptIn: true, subscribed: true };
  await ask(posthorn, "POST /contacts", { body });
  await visitPage(posthorn, `POST ${await linkTo(posthorn, "api@example.com")}`);
  await posthorn.settle();
  expect(Object.keys(await ways(posthorn, ofForm))).toEqual(["form"]);
  expect(Object.keys(await ways(posthorn, ofAll)).sort()).toEqual(["api", "form"]);
});

test("the welcome greets, and gives tips three days later", async () => {
  await using posthorn = await startPosthorn();
  await begun(posthorn, "welcome", { startedBy: "signup" });
  await track(posthorn, "signup", { name: "Ada" });
  await posthorn.settle();
  expect(await sent(posthorn)).toEqual(["Welcome, Ada"]);
  posthorn.clock.advance(3 * DAY);
  await posthorn.settle();
  expect(await sent(posthorn)).toEqual(["Three things to try first", "Welcome, Ada"]);
});

test.each([
  ["welcome", "MARKETING", 2],
  ["optIn", "TRANSACTIONAL", 2],
  ["cart", "MARKETING", 2],
  ["trial", "TRANSACTIONAL", 2],
  ["winBack", "MARKETING", 1],
  ["tickets", "TRANSACTIONAL", 1],
] as const)("%s creates templates that are %s", async (id, type, count) => {
  await using posthorn = await startPosthorn();
  await begun(posthorn, id);
  const { data } = (await ask(posthorn, "GET /templates")).body;
  expect(data.map((template: Json) => template.type)).toEqual(Array(count).fill(type));
});

test("the welcome goes to subscribed contacts alone, with a link to unsubscribe", async () => {
  await using posthorn = await startPosthorn();
  const workflow = await begun(posthorn, "welcome", { startedBy: "signup" });
  await ask(posthorn, "POST /contacts", { body: { email: "no@example.com", subscribed: false } });
  for (const name of ["yes", "no"]) await track(posthorn, "signup", {}, `${name}@example.com`);
  await posthorn.settle();
  expect(posthorn.transport.sent.map(({ envelope }: Json) => envelope.recipient)).toEqual(["yes@example.com"]);
  expect((await ways(posthorn, workflow))["no"]).toContain("Send the welcome SKIPPED");
});

test.each([
  [english, 'data["First Name"]', "Welcome, Ada"],
  [german, "vorname", "Willkommen, Ada"],
])("a starter greets people by the field that they have", async (words, greeting, subject) => {
  await using posthorn = await startPosthorn();
  await begun(posthorn, "welcome", { words, greeting, startedBy: "signup" });
  await track(posthorn, "signup", { "First Name": "Ada", vorname: "Ada" });
  await posthorn.settle();
  expect(await sent(posthorn)).toEqual([subject]);
});

test("double opt-in subscribes who confirms, and nobody else", async () => {
  await using posthorn = await startPosthorn();
  const workflow = await begun(posthorn, "optIn");
  for (const name of ["yes", "no"])
    await ask(posthorn, "POST /contacts", { body: { email: `${name}@example.com`, subscribed: false } });
  for (const name of ["yes", "no"]) await track(posthorn, "newsletter.requested", {}, `${name}@example.com`);
  await posthorn.settle();
  await track(posthorn, "newsletter.confirmed", {}, "yes@example.com");
  posthorn.clock.advance(7 * DAY);
  await posthorn.settle();
  const { data } = (await ask(posthorn, "GET /contacts?limit=10")).body;
  expect(Object.fromEntries(data.map(({ email, subscribed }: Json) => [email, subscribed]))).toEqual({
    "yes@example.com": true,
    "no@example.com": false,
  });
  expect((await ways(posthorn, workflow))["no"]?.at(-1)).toBe("Never confirmed COMPLETED");
});

test("an abandoned cart is reminded of twice, an ordered one never", async () => {
  await using posthorn = await startPosthorn();
  const workflow = await begun(posthorn, "cart");
  for (const name of ["left", "bought"]) await track(posthorn, "cart.updated", {}, `${name}@example.com`);
  await posthorn.settle();
  await track(posthorn, "order.placed", {}, "bought@example.com");
  for (const ms of [4 * HOUR, 2 * DAY]) {
    posthorn.clock.advance(ms);
    await posthorn.settle();
  }
  expect(await sent(posthorn)).toEqual(["We keep your cart until tomorrow", "Your cart is waiting"]);
  expect((await ways(posthorn, workflow))["bought"]).toContain("Bought COMPLETED");
});

test("a trial that ends is announced, and what is over is noted; who pays hears nothing", async () => {
  await using posthorn = await startPosthorn();
  await begun(posthorn, "trial");
  for (const name of ["ends", "pays"]) await track(posthorn, "trial.started", {}, `${name}@example.com`);
  await posthorn.settle();
  await track(posthorn, "plan.upgraded", {}, "pays@example.com");
  for (const days of [11, 3]) {
    posthorn.clock.advance(days * DAY);
    await posthorn.settle();
  }
  expect(await sent(posthorn)).toEqual(["Your trial ends in three days", "Your trial has ended"].sort());
  const { data } = (await ask(posthorn, "GET /contacts?search=ends@")).body;
  expect(data[0].data.trial).toBe("over");
});

test("win-back writes to those whose last order is sixty days old", async () => {
  await using posthorn = await startPosthorn();
  const workflow = await begun(posthorn, "winBack");
  for (const name of ["quiet", "busy"]) await track(posthorn, "order.placed", {}, `${name}@example.com`);
  await posthorn.settle();
  posthorn.clock.advance(59 * DAY);
  await track(posthorn, "order.placed", {}, "busy@example.com");
  await posthorn.settle();
  posthorn.clock.advance(2 * DAY);
  await posthorn.settle();
  expect(Object.keys(await ways(posthorn, workflow))).toEqual(["quiet"]);
  expect(await sent(posthorn)).toEqual(["It has been a while"]);
});

test("each mail that comes in becomes a ticket, however many come together, and its sender is told", async () => {
  const tickets: Json[] = [];
  await using host = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      tickets.push(await request.json());
      return new Response("opened");
    },
  });
  const { posthorn, port } = await startHouse({ config: { webhooks: { allow: ["127.0.0.1"] } } });
  await using _ = posthorn;
  const { id, steps } = await begun(posthorn, "tickets");
  const hook = steps.find(({ type }: Json) => type === "WEBHOOK");
  const config = { ...hook.config, url: `http://127.0.0.1:${host.port}/tickets` };
  await ask(posthorn, `PATCH /workflows/${id}/steps/${hook.id}`, { body: { config } });
  const subjects = Array.from({ length: 8 }, (_, n) => `Question ${n}`);
  for (const subject of subjects)
    await bring(
      { port },
      `From: Ada <ada@elsewhere.test>\nTo: hello@example.test\nSubject: ${subject}\n\nWhere is it?\n`,
      { from: "ada@elsewhere.test", to: ["hello@example.test"] },
    );
  await posthorn.settle();
  expect(tickets.map(({ subject }) => subject).sort()).toEqual(subjects);
  expect(await sent(posthorn)).toEqual(subjects.map(() => "We have your message"));
});

test.each(STARTERS.map(({ id }) => id))("%s can be begun with in German as well", async (id) => {
  await using posthorn = await startPosthorn();
  expect((await begun(posthorn, id, { words: german })).name).toBe(german.each[id].name);
});

journey("A step asks whether a day is before another one, and by a condition how long ago it is", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ada@example.com", data: { joined: "2026-02-20" } });
  const config = { field: "data.joined", operator: "lessThan", value: "2026-01-01" };
  const steps = [{ type: "CONDITION", name: "Old friend?", config }];
  const { id } = (await posthorn.call("POST /workflows", { name: "Greet", eventName: "seen", steps })).body;
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open(`/workflows/${id}`);
  await stepAt(eva, /Old friend\?/).click();
  await page.getByText(/such as “within the last 30 days”, choose “a condition”/).waitFor();
  await eva.check();
  await page.getByRole("radio", { name: "a condition" }).click();
  await page.getByRole("button", { name: "Add a filter" }).click();
  await page.getByRole("searchbox", { name: "Find a field" }).fill("joined");
  await page.getByRole("option", { name: "joined" }).first().click();
  await page.locator(".crit .f").last().locator(".select").nth(1).click();
  await page.getByRole("option", { name: "within the last" }).click();
  await stepAt(eva, /a condition/).waitFor();
});

journey("Who is inside at a step that is removed goes on, and the author is told of them", async () => {
  await using posthorn = await startPosthorn();
  const steps = [
    { type: "DELAY", name: "Wait", config: { amount: 3, unit: "days" } },
    { type: "UPDATE_CONTACT", name: "Mark", config: { data: { isSeen: true } } },
  ];
  const workflow = { name: "Greet", eventName: "seen", enabled: true, steps };
  const { id } = (await posthorn.call("POST /workflows", workflow)).body;
  await posthorn.call("POST /v1/track", { email: "ada@example.com", event: "seen" });
  await posthorn.settle();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open(`/workflows/${id}`);
  await stepAt(eva, /Wait/).click();
  await page.getByRole("button", { name: "Remove the step" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved as version 2. One person inside continues with the previous version.").waitFor();
  await eva.open(`/workflows/${id}?tab=people`);
  await page.locator(".line", { hasText: "ada@example.com" }).getByText("Wait", { exact: true }).waitFor();
  posthorn.clock.advance(3 * 86_400_000);
  await posthorn.settle();
  expect((await posthorn.call("GET /contacts/by-email/ada@example.com")).body.data).toEqual({ isSeen: true });
});
