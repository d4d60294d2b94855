// What uses a segment or a template is named, however many workflows there are, and keeps it from being deleted.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addTemplate, addWorkflow } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const PRO = { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] };
const within = (...segments: readonly string[]) => ({
  groups: [{ filters: segments.map((id) => ({ field: `segment.${id}`, operator: "memberOf" })) }],
});
const asks = (...segments: readonly string[]) => ({
  ...{ ref: "ask", type: "CONDITION", name: "Ask" },
  config: { condition: within(...segments) },
});
const DELAY = { type: "DELAY", name: "Wait", config: { amount: 1, unit: "days" } };

async function addSegment(posthorn: Posthorn, name: string): Promise<string> {
  return (await ask(posthorn, "POST /segments", { body: { name, condition: PRO } })).body.id;
}

const remove = async (posthorn: Posthorn, id: string) => (await ask(posthorn, `DELETE /segments/${id}`)).status;

async function workflowsUsing(posthorn: Posthorn, what: string): Promise<string[]> {
  const { body } = await ask(posthorn, `GET /${what}/uses`);
  return body.workflows.map(({ name }: Json) => name);
}

test("a segment that the condition of a step names is used by the workflow until the step names it no more", async () => {
  await using posthorn = await workspace();
  const [pro, other] = [await addSegment(posthorn, "Pro"), await addSegment(posthorn, "Other")];
  const workflow = await addWorkflow(posthorn, [asks(pro, other), DELAY], { name: "Asking", enabled: false });
  expect((await ask(posthorn, `GET /segments/${pro}/uses`)).body.workflows).toEqual([
    { id: workflow.id, name: "Asking", enabled: false },
  ]);
  const refused = await ask(posthorn, `DELETE /segments/${pro}`);
  expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"]);
  const step = workflow.steps.find(({ type }: Json) => type === "CONDITION").id;
  await ask(posthorn, `PATCH /workflows/${workflow.id}/steps/${step}`, {
    body: { config: { condition: within(other) } },
  });
  expect(await workflowsUsing(posthorn, `segments/${pro}`)).toEqual([]);
  expect([await remove(posthorn, pro), await remove(posthorn, other)]).toEqual([204, 409]);
  await ask(posthorn, `DELETE /workflows/${workflow.id}`);
  expect(await remove(posthorn, other)).toBe(204);
});

test("a copy of a workflow and a drawing that takes its place use segments as it does", async () => {
  await using posthorn = await workspace();
  const pro = await addSegment(posthorn, "Pro");
  const workflow = await addWorkflow(posthorn, [asks(pro), DELAY], { name: "Asking" });
  await ask(posthorn, `POST /workflows/${workflow.id}/duplicate`);
  expect(await workflowsUsing(posthorn, `segments/${pro}`)).toEqual(["Asking (Copy)", "Asking"]);
  await ask(posthorn, `PUT /workflows/${workflow.id}`, { body: { steps: [], transitions: [] } });
  expect(await workflowsUsing(posthorn, `segments/${pro}`)).toEqual(["Asking (Copy)"]);
});

test("people who are still on an earlier version are not in a segment that was deleted since", async () => {
  await using posthorn = await workspace();
  const pro = await addSegment(posthorn, "Pro");
  const end = (reason: string) => ({ ref: reason, type: "EXIT", name: reason, config: { reason } });
  const way = (fromStepId: string, toStepId: string, branch?: string) => ({
    ...{ fromStepId, toStepId },
    ...(branch ? { condition: { branch } } : {}),
  });
  const workflow = await addWorkflow(posthorn, [{ ref: "wait", ...DELAY }, asks(pro), end("in"), end("out")], {
    transitions: [way("trigger", "wait"), way("wait", "ask"), way("ask", "in", "yes"), way("ask", "out", "no")],
  });
  await ask(posthorn, "POST /v1/track", { body: { email: "ada@example.com", event: "signup", data: {} } });
  await posthorn.settle();
  await ask(posthorn, `PUT /workflows/${workflow.id}`, { body: { steps: [], transitions: [] } });
  expect(await remove(posthorn, pro)).toBe(204);
  posthorn.clock.advance(86_400_000);
  await posthorn.settle();
  const { body } = await ask(posthorn, `GET /workflows/${workflow.id}/executions`);
  expect(body.data[0]).toMatchObject({ status: "EXITED", reason: "out" });
});

test("the oldest of more than a hundred workflows that use a template or a segment count as well (slow)", async () => {
  await using posthorn = await workspace();
  const [pro, template] = [await addSegment(posthorn, "Pro"), await addTemplate(posthorn)];
  const sends = (name: string) => ({ type: "SEND_EMAIL", name, config: { templateId: template } });
  const oldest = await addWorkflow(posthorn, [sends("Hello"), sends("Once more"), asks(pro)], { name: "Oldest" });
  for (let n = 0; n < 100; n++) await addWorkflow(posthorn, [], { name: `Flow ${n}`, enabled: false });
  expect((await ask(posthorn, `GET /templates/${template}/uses`)).body).toEqual({
    workflows: [{ id: oldest.id, name: "Oldest", enabled: true, steps: ["Hello", "Once more"] }],
  });
  expect(await workflowsUsing(posthorn, `segments/${pro}`)).toEqual(["Oldest"]);
  expect((await ask(posthorn, `DELETE /templates/${template}`)).status).toBe(409);
});
