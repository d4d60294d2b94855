// Types that openapi-typescript makes of /openapi.json: they take what the interface takes, and refuse what is
// misspelt.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { documentOf } from "../support/operations.ts";
import { startPosthorn } from "../support/posthorn.ts";

/** Each line after `@ts-expect-error` must be wrong, and all others right. */
const CLIENT = `
import type { components, operations, webhooks } from "./interface.ts";

type Schemas = components["schemas"];
type Answer<Name extends keyof operations> = operations[Name]["responses"] extends {
  200: { content: { "application/json": infer Body } };
} ? Body : never;

export const mail: Schemas["SendEmailRequest"] = { to: "ada@example.com", from: { email: "shop@example.com" }, body: "Hi" };
// @ts-expect-error a misspelt field
export const misspelt: Schemas["SendEmailRequest"] = { to: "ada@example.com", subjct: "Hi" };

const filter: Schemas["FilterInput"] = { field: "data.plan", operator: "notEquals", value: "pro" };
export const nested: Schemas["CreateSegmentRequest"] = {
  name: "Pro", condition: { groups: [{ filters: [filter], conditions: { logic: "OR", groups: [{ filters: [filter] }] } }] },
};
// @ts-expect-error a misspelt operator
export const operator: Schemas["FilterInput"] = { field: "data.plan", operator: "notEqual", value: "pro" };
export const deep: Schemas["CreateSegmentRequest"] = {
  name: "Pro",
  // @ts-expect-error a misspelt operator, two conditions down
  condition: { groups: [{ conditions: { groups: [{ filters: [{ field: "email", operator: "contain" }] }] } }] },
};

export const delay: Schemas["CreateStepRequest"] = { type: "DELAY", name: "Later", config: { amount: 1, unit: "days" } };
export const later: Schemas["UpdateWorkflowRequest"] = { triggerConfig: { cron: "0 9 * * 1" } };
// @ts-expect-error the configuration of another type of step
export const noDelay: Schemas["CreateStepRequest"] = { type: "DELAY", name: "Later", config: { url: "https://example.com" } };

export const typed = (step: Schemas["WorkflowStep"]) => (step.type === "DELAY" ? step.config.amount : null);
export const page = (contacts: Answer<"listContacts">): string | undefined => contacts.data[0]?.email;
// @ts-expect-error a misspelt state
export const query: operations["listEmails"]["parameters"]["query"] = { status: "SEND" };
export const told = ({ contact }: Schemas["WebhookPayload"]): boolean => contact.subscribed;
export type Hook = webhooks["workflowWebhook"]["post"];
`;

const PROJECT = {
  compilerOptions: { strict: true, noEmit: true, allowImportingTsExtensions: true, module: "Preserve" },
};

test("generated types take what the interface takes, and refuse a misspelt field and a misspelt operator", async () => {
  await using posthorn = await startPosthorn();
  const directory = mkdtempSync(join(tmpdir(), "posthorn-types-"));
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  write("interface.ts", astToString(await openapiTS(await documentOf(posthorn))));
  write("client.ts", CLIENT);
  write("tsconfig.json", JSON.stringify(PROJECT));
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "check", "--no-script", "-p", directory]);
  expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining("No type errors")]);
  rmSync(directory, { recursive: true });
});
