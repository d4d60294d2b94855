// Stored templates: what a mail says, kept under a name (interface.md "Template", interface-gaps.md §4).
import { domainOf } from "../addresses.ts";
import { AppError, invalidField, readAll } from "../errors.ts";
import { keptSenderName, optionalMailbox, optionalReplyTo } from "../http/address-field.ts";
import { newId } from "../ids.ts";
import { refuseLargePage } from "../store/page.ts";
import type { Reader, Tx } from "../store/store.ts";
import { refuseOutsideScope, type Sender } from "../workspaces/domains/domain.ts";
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

/** The fields of a template as callers send them; `from` and `replyTo` are `Name <address>` or an address alone. */
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

/**
 * @throws AppError VALIDATION_ERROR naming every field that cannot be kept, syntax errors with line and column;
 *   DOMAIN_NOT_ALLOWED for a sender outside the key's scope
 */
export function createTemplate(tx: Tx, caller: Sender, wish: TemplateWish): Promise<TemplateRow> {
  return insertTemplate(tx, caller.workspace, newId(tx.nowMs), inScope(caller, checked(EMPTY, wish)));
}

/** Changes what the wish names. @throws as createTemplate, and AppError TEMPLATE_NOT_FOUND */
export async function changeTemplate(tx: Tx, caller: Sender, id: string, wish: TemplateWish): Promise<TemplateRow> {
  const template = await templateToChange(tx, caller, id);
  return updateTemplate(tx, template.seq, inScope(caller, checked(template, wish)));
}

/** A copy under a name of its own. @throws AppError TEMPLATE_NOT_FOUND, DOMAIN_NOT_ALLOWED */
export async function duplicateTemplate(tx: Tx, caller: Sender, id: string): Promise<TemplateRow> {
  const { workspace } = caller;
  const template = inScope(caller, await findTemplate(tx, workspace, id));
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
  if (!template) throw new AppError("TEMPLATE_NOT_FOUND", `There is no template ${id}.`);
  return template;
}

/** @throws AppError TEMPLATE_NOT_FOUND, DOMAIN_NOT_ALLOWED; ConstraintError `foreignKey` while a step of a workflow uses it */
export async function removeTemplate(tx: Tx, caller: Sender, id: string): Promise<void> {
  const template = await templateToChange(tx, caller, id);
  await deleteTemplate(tx, template.seq);
}

async function templateToChange(tx: Tx, caller: Sender, id: string): Promise<TemplateRow> {
  return inScope(caller, found(await lockTemplate(tx, caller.workspace, id), id));
}

/** What others send through workflows with this sender, a key that is scoped to other domains has no hand in. */
function inScope<Fields extends TemplateFields>(caller: Sender, fields: Fields): Fields {
  if (fields.from_address !== null) refuseOutsideScope(caller, domainOf(fields.from_address));
  return fields;
}

function checked(base: TemplateFields, wish: TemplateWish): TemplateFields {
  const read = readAll({
    subject: () => readSource("subject", wish.subject),
    body: () => readSource("body", wish.body),
    text: () => readSource("text", wish.text),
    from: () => optionalMailbox("from", wish.from),
    replyTo: () => optionalReplyTo("replyTo", wish.replyTo),
  });
  return {
    name: wish.name ?? base.name,
    description: given(wish.description, base.description),
    subject: read.subject ?? base.subject,
    body: read.body ?? base.body,
    text: given(read.text, base.text),
    from_address: read.from === null ? null : (read.from?.address ?? base.from_address),
    from_name: keptSenderName(wish.fromName, read.from, base.from_name),
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
