// The headers of webhooks hold credentials: callers who may not change workflows see a mask in place of each value, and
// saving a mask keeps the stored value.
import type { Caller } from "../../../../tenant/access/caller.ts";
import { maskedHeaders, unmaskedHeaders } from "../../../webhooks/sending/url.ts";
import { asWritten } from "./spelling.ts";
import type { WorkflowStep, StepType } from "../definition.ts";

type Headers = Readonly<Record<string, string>>;

/** A key that is scoped to domains, or that only reads, changes no workflow either. */
export function maySeeHeaders({ domains, person, limits }: Pick<Caller, "domains" | "person" | "limits">): boolean {
  if (person !== null) return person.permissions.has("workflows.write");
  return domains === null && limits?.permissions === "full";
}

/** A configuration as this caller sees it. */
export function shownConfig(
  { type, config, spelling }: Pick<WorkflowStep, "type" | "config" | "spelling">,
  mayRead: boolean,
): object {
  if (type !== "WEBHOOK") return asWritten(config, spelling);
  if (mayRead || !("headers" in config)) return config;
  return { ...config, headers: maskedHeaders(config.headers as Headers) };
}

/** A configuration from a caller, with the stored values in place of masks; a mask of no stored value stays. */
export function unmasked(
  type: StepType,
  config: Readonly<Record<string, unknown>>,
  stored: object | null,
): Readonly<Record<string, unknown>> {
  const { headers } = config;
  if (type !== "WEBHOOK" || typeof headers !== "object" || headers === null) return config;
  const known = stored && "headers" in stored ? stored.headers : {};
  return { ...config, headers: unmaskedHeaders(headers as Headers, known as Headers) };
}
