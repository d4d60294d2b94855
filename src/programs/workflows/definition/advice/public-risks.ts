// Steps that show the data of an event which a public key may record: a stranger could send their own text and links by
// our mail.
import { isReservedEvent } from "../../../../tenant/events/catalog.ts";
import type { FieldError } from "../../../../base/errors.ts";
import type { Reader } from "../../../../store/store.ts";
import type { Template } from "../../../../content/templates/queries.ts";
import { templateSent } from "../../../../content/templates/sent.ts";
import { ownWorkspace } from "../../../../tenant/workspaces/workspace.ts";
import type { WorkflowDrawing, NamedStep } from "../draft.ts";
import { heardBy } from "./heard.ts";
import { textsIn } from "../texts.ts";
import type { TriggerInput } from "../trigger.ts";

/** In a variable or a tag. */
const EVENT = /\{[{%][^{}]*\bevent\b/;

type WorkflowRef = { readonly workspace: number; readonly id: string };

export async function publicRisks(
  reader: Reader,
  { workspace, id }: WorkflowRef,
  drawing: WorkflowDrawing & TriggerInput,
): Promise<readonly FieldError[]> {
  const { publicEvents } = await ownWorkspace(reader, workspace);
  const heard = (await heardBy(reader, { workspace, id }, drawing)).map(({ name }) => name);
  const open = heard.find((name) => !isReservedEvent(name) && (publicEvents === null || publicEvents.includes(name)));
  if (open === undefined) return [];
  const risks: FieldError[] = [];
  for (const [at, step] of drawing.steps.entries())
    if (await showsEvent(reader, workspace, step)) risks.push(risk(`steps.${at}`, open));
  return risks;
}

async function showsEvent(
  reader: Reader,
  workspace: number,
  { type, config, templateId }: NamedStep,
): Promise<boolean> {
  // The default body has the event's data.
  if (type === "WEBHOOK") return (config?.["body"] ?? null) === null || namesEvent(config);
  if (type !== "SEND_EMAIL") return false;
  const id = config?.["templateId"] ?? templateId;
  const template = typeof id === "string" ? await templateSent(reader, workspace, id) : null;
  return template !== null && namesEvent(saidBy(template));
}

function saidBy({ subject, preheader, body, text }: Template) {
  return { subject, preheader, body, text };
}

function namesEvent(value: unknown): boolean {
  return [...textsIn(value)].some(([, text]) => EVENT.test(text));
}

function risk(field: string, event: string): FieldError {
  const message =
    `Anybody may record ${event} with a public key, and this step shows its data: strangers could send their own text and links. ` +
    "Name the events that public keys may record without this one (Settings, Workspace; publicKeys.events), and record it with a secret key.";
  return { field, message, code: "public_event" };
}
