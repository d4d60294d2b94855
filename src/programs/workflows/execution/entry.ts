// The entry that sets a contact's executions in one workflow apart: a key that their events share, or what started each
// of them.
import { createHash } from "node:crypto";
import type { Variables } from "../../../audience/contacts/data.ts";
import { Budget, isOverBudget } from "../../../content/templates/liquid/budget.ts";
import { prepare, render } from "../../../content/templates/liquid/render.ts";

/** A longer key stands in rows as its digest. */
const MAX_KEY_CHARS = 200;
/** Other requests wait for it. */
const RENDERING_MS = 10;

/** The key of an event by a template; empty = it has none. Null: it takes too long to render. */
export function keyIn(template: string, event: Variables): string | null {
  prepare(template);
  try {
    const key = render(template, { event }, "text", { budget: new Budget(RENDERING_MS) }).trim();
    return key.length <= MAX_KEY_CHARS ? key : createHash("sha256").update(key).digest("hex");
  } catch (error) {
    if (!isOverBudget(error)) throw error;
    return null;
  }
}

/** The single entry of a contact that may be in the workflow once. */
export const ONE = "";

/** Executions with the same entry do not run together. Without a key, each start has its own: `id` names it. */
export function entryOf(key: string, id: string | number): string {
  return key === "" ? `#${id}` : `=${key}`;
}

/** True if an execution's waits take this event. `template`: of its keys; undefined = its executions have none. */
export function takes(entry: string, template: string | undefined, event: Variables): boolean {
  if (template === undefined) return true;
  const key = entry.startsWith("=") ? entry.slice(1) : "";
  return keyIn(template, event) === key;
}
