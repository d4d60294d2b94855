// Time that goes by, and what is left then.
import { DEFAULTS } from "../../src/base/config.ts";
import type { Days } from "../../src/tenant/workspaces/retention.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "./posthorn.ts";
import { ask } from "./scenario.ts";

export const DAY_MS = 86_400_000;

/** Everything is kept forever, but for what the test names. */
export function keeping(days: Partial<Days>, options: StartOptions = {}): Promise<Posthorn> {
  const forever = { mailDays: 0, bodyDays: 0, eventDays: 0, inboundDays: 0, attemptDays: 0, recipientDays: 0 };
  const retention = { ...DEFAULTS.retention, ...forever, ...days };
  return startPosthorn({ tracking: true, ...options, config: { ...options.config, retention } });
}

/** Everything that is due by then is done. */
export async function later(posthorn: Posthorn, days: number): Promise<void> {
  await posthorn.settle();
  posthorn.clock.advance(days * DAY_MS);
  await posthorn.settle();
}

/** Newest first. */
export async function mailIds(posthorn: Posthorn): Promise<string[]> {
  return (await ask(posthorn, "GET /emails?pageSize=100")).body.data.map(({ id }: Json) => id);
}

export async function allMailStatistics(posthorn: Posthorn): Promise<Json> {
  return (await ask(posthorn, "GET /statistics/mails?from=2026-03-01&to=2026-03-31&step=day")).body;
}
