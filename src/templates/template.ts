// Stored templates: what a mail says, kept under a name (interface.md "Template", interface-gaps.md §4).
import { parseAddress } from "../addresses.ts";
import { AppError, invalidFields, type FieldError } from "../errors.ts";
import { newId } from "../ids.ts";
import { ConstraintError, type Reader, type Store, type Tx } from "../store/store.ts";
import {
  deleteTemplate,
  insertTemplate,
  lockTemplate,
  templateById,
  updateTemplate,
  type TemplateFields,
  type TemplateRow,
} from "./queries.ts";
import { copyName } from "./copy-name.ts";
import { checkSyntax, TemplateSyntaxError } from "./render.ts";

/** The fields of a template as callers send them; `from` is a plain address. */
export type TemplateWish = {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly subject?: string | null;
  readonly body?: string | null;
  readonly text?: string | null;
  readonly from?: string | null;
  readonly fromName?: string | null;
  readonly replyTo?: string | null;
  readonly type?: "TRANSACTIONAL" | "MARKETING" | null;
};

const EMPTY: TemplateFields = {
  name: "",
  description: null,
  subject: "",
  body: "",
  text: null,
  from_address: null,
  from_name: null,
  reply_to: null,
  type: "TRANSACTIONAL",
};

/** @throws AppError VALIDATION_ERROR naming every field that cannot be kept, syntax errors with line and column */
export function createTemplate(tx: Tx, workspace: number, wish: TemplateWish): Promise<TemplateRow> {
  return insertTemplate(tx, workspace, newId(tx.nowMs), checked(EMPTY, wish));
}

/** Changes what the wish names. @throws as createTemplate, and AppError TEMPLATE_NOT_FOUND */
export async function changeTemplate(tx: Tx, workspace: number, id: string, wish: TemplateWish): Promise<TemplateRow> {
  const template = found(await lockTemplate(tx, workspace, id), id);
  return updateTemplate(tx, template.seq, checked(template, wish));
}

/** A copy under a name of its own. @throws AppError TEMPLATE_NOT_FOUND */
export async function duplicateTemplate(tx: Tx, workspace: number, id: string): Promise<TemplateRow> {
  const template = await findTemplate(tx, workspace, id);
  return insertTemplate(tx, workspace, newId(tx.nowMs), { ...template, name: copyName(template.name) });
}

/** @throws AppError TEMPLATE_NOT_FOUND, also for another workspace's template */
export async function findTemplate(reader: Reader, workspace: number, id: string): Promise<TemplateRow> {
  return found(await templateById(reader, workspace, id), id);
}

function found(template: TemplateRow | null, id: string): TemplateRow {
  if (!template) throw noTemplate(id);
  return template;
}

function noTemplate(id: string): AppError {
  return new AppError("TEMPLATE_NOT_FOUND", `There is no template ${id}.`);
}

/** @throws AppError TEMPLATE_NOT_FOUND, or CONFLICT while a step of a workflow uses it */
export async function removeTemplate(store: Store, workspace: number, id: string): Promise<void> {
  const deleted = await store.write((tx) => deleteTemplate(tx, workspace, id)).catch(asInUse);
  if (deleted === 0) throw noTemplate(id);
}

/** What uses it lives on floors above: the schema knows. */
function asInUse(error: unknown): never {
  if (!(error instanceof ConstraintError) || error.kind !== "foreignKey") throw error;
  throw new AppError("CONFLICT", "The template is in use: a step of a workflow sends it.");
}

function checked(base: TemplateFields, wish: TemplateWish): TemplateFields {
  const errors: FieldError[] = [
    ...syntaxErrors(wish),
    ...(["from", "replyTo"] as const).flatMap((field) => addressError(field, wish[field])),
  ];
  if (errors.length > 0) throw invalidFields(errors);
  return {
    name: wish.name ?? base.name,
    description: given(wish.description, base.description),
    subject: wish.subject ?? base.subject,
    body: wish.body ?? base.body,
    text: given(wish.text, base.text),
    from_address: address(given(wish.from, base.from_address)),
    from_name: given(wish.fromName, base.from_name),
    reply_to: address(given(wish.replyTo, base.reply_to)),
    type: wish.type ?? base.type,
  };
}

/** null clears a field, undefined leaves it as it was. */
function given<Value>(wished: Value | undefined, before: Value): Value {
  return wished === undefined ? before : wished;
}

function address(text: string | null): string | null {
  return text === null ? null : parseAddress(text);
}

function addressError(field: string, text: string | null | undefined): FieldError[] {
  if (text === undefined || text === null || parseAddress(text)) return [];
  return [{ field, message: "This is not an e-mail address.", code: "invalid_email" }];
}

/** What does not parse of that which is rendered, with line and column (interface-gaps.md §2 "Template language"). */
export function syntaxErrors(wish: Pick<TemplateWish, "subject" | "body" | "text">): FieldError[] {
  return (["subject", "body", "text"] as const).flatMap((field) => syntaxError(field, wish[field]));
}

function syntaxError(field: string, source: string | null | undefined): FieldError[] {
  try {
    checkSyntax(source ?? "");
    return [];
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return [{ field, message: error.message, code: "template_syntax" }];
  }
}
