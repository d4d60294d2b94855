// Stored templates: what a mail says, kept under a name (interface.md "Template", interface-gaps.md §4).
import { AppError, invalidField, readAll } from "../errors.ts";
import { optionalAddress } from "../http/address-field.ts";
import { newId } from "../ids.ts";
import { refuseLargePage } from "../store/page.ts";
import type { Reader, Tx } from "../store/store.ts";
import {
  deleteTemplate,
  insertTemplate,
  lockTemplate,
  templateById,
  templatesNumbered,
  templatesPage,
  updateTemplate,
  type TemplateFields,
  type TemplateFilter,
  type TemplateRow,
  type TemplateType,
} from "./queries.ts";
import { copyName } from "./copy-name.ts";
import { checkSyntax, TemplateSyntaxError } from "./render.ts";

/** The fields of a template as callers send them; `from` is a plain address. */
type TemplateWish = {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly subject?: string | null;
  readonly body?: string | null;
  readonly text?: string | null;
  readonly from?: string | null;
  readonly fromName?: string | null;
  readonly replyTo?: string | null;
  readonly type?: TemplateType | null;
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

/**
 * Some of the templates that a filter finds, newest first.
 * @throws AppError INVALID_PARAMETERS on `pageSize` if they are more than can be answered at once
 */
export async function templatesOnPage(
  reader: Reader,
  filter: TemplateFilter,
  limit: number,
  offset: number,
): Promise<TemplateRow[]> {
  const page = await templatesPage(reader, filter, limit, offset);
  if (page.length === 0) return [];
  refuseLargePage(page);
  return templatesNumbered(
    reader,
    page.map(({ seq }) => seq),
  );
}

function found(template: TemplateRow | null, id: string): TemplateRow {
  if (!template) throw noTemplate(id);
  return template;
}

function noTemplate(id: string): AppError {
  return new AppError("TEMPLATE_NOT_FOUND", `There is no template ${id}.`);
}

/** @throws AppError TEMPLATE_NOT_FOUND; ConstraintError `foreignKey` while a step of a workflow uses it */
export async function removeTemplate(tx: Tx, workspace: number, id: string): Promise<void> {
  if ((await deleteTemplate(tx, workspace, id)) === 0) throw noTemplate(id);
}

function checked(base: TemplateFields, wish: TemplateWish): TemplateFields {
  const read = readAll({
    subject: () => readSource("subject", wish.subject),
    body: () => readSource("body", wish.body),
    text: () => readSource("text", wish.text),
    from: () => optionalAddress("from", wish.from),
    replyTo: () => optionalAddress("replyTo", wish.replyTo),
  });
  return {
    name: wish.name ?? base.name,
    description: given(wish.description, base.description),
    subject: read.subject ?? base.subject,
    body: read.body ?? base.body,
    text: given(read.text, base.text),
    from_address: given(read.from, base.from_address),
    from_name: given(wish.fromName, base.from_name),
    reply_to: given(read.replyTo, base.reply_to),
    type: wish.type ?? base.type,
  };
}

/** null clears a field, undefined leaves it as it was. */
function given<Value>(wished: Value | undefined, before: Value): Value {
  return wished === undefined ? before : wished;
}

/**
 * A text that is rendered, as it is (interface-gaps.md §2 "Template language").
 * @throws AppError VALIDATION_ERROR on `field`, with line and column of what does not parse
 */
export function readSource<Source extends string | null | undefined>(field: string, source: Source): Source {
  try {
    checkSyntax(source ?? "");
    return source;
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw invalidField(field, error.message, "template_syntax");
  }
}
