// Workflows for tests: made in one call, their executions looked at as people read them.
import { expect } from "bun:test";
import type { Json, Posthorn } from "./posthorn.ts";
import { ask } from "./scenario.ts";

export const welcome = {
  name: "Welcome",
  subject: "Welcome {{ name }}",
  body: "<p>{{ event.plan }}</p>",
  type: "TRANSACTIONAL",
  from: "hello@example.test",
};

export async function addTemplate(posthorn: Posthorn, changes: object = {}): Promise<string> {
  return (await ask(posthorn, "POST /templates", { body: { ...welcome, ...changes } })).body.id;
}

/** An enabled workflow on the event `signup`, unless said otherwise. */
export async function addWorkflow(posthorn: Posthorn, steps: readonly object[], changes: object = {}): Promise<Json> {
  const body = { name: "Flow", eventName: "signup", enabled: true, steps, ...changes };
  const reply = await ask(posthorn, "POST /workflows", { body });
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body;
}

export async function track(
  posthorn: Posthorn,
  event: string,
  data: object = {},
  email = "ada@example.com",
): Promise<string> {
  const { status, body } = await ask(posthorn, "POST /v1/track", { body: { email, event, data } });
  expect(status).toBe(200);
  return body.data.contact;
}

/** Oldest first, each with its trace. */
export async function executions(posthorn: Posthorn, workflow: Json): Promise<Json[]> {
  const { body } = await ask(posthorn, `GET /workflows/${workflow.id}/executions?pageSize=100`);
  const whole: Json[] = [];
  for (const { id } of body.data.toReversed())
    whole.push((await ask(posthorn, `GET /workflows/${workflow.id}/executions/${id}`)).body);
  return whole;
}

/** The only execution. */
export async function execution(posthorn: Posthorn, workflow: Json): Promise<Json> {
  const [one, ...others] = await executions(posthorn, workflow);
  expect([one === undefined, others.length]).toEqual([false, 0]);
  return one;
}

/** `Mail COMPLETED`, step by step. */
export function path({ steps }: Json): string[] {
  return steps.map(({ name, status }: Json) => `${name} ${status}`);
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
