// Stored templates: the content of mails under a name.
import { domainOf } from "../../base/addresses.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { LONGEST_RECORD_NAME } from "../../http/schemas.ts";
import { newId } from "../../base/ids.ts";
import { refuseLargePage } from "../../store/page.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { refuseOutsideScope, type SenderScope } from "../../tenant/domains/domain.ts";
import { refuseSavedSince, type SaveTerms } from "../../tenant/access/saving.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { noteImages } from "../images/uses.ts";
import {
  deleteTemplate,
  insertTemplate,
  isTemplateId,
  lockTemplate,
  templateNamed,
  templatesAfter,
  templatesBefore,
  templatesNumbered,
  templatesPage,
  updatePublishing,
  updateTemplate,
  type TemplateFields,
  type TemplateFilter,
  type Template,
  type TemplateType,
} from "./queries.ts";
import { ONLY_MARKETING, refuseUnknownTopic } from "../../audience/topics/mail.ts";
import { noTemplate, publish, publishEachChange } from "./sent.ts";
import { beginVersions, contentOfVersion, findVersion, keepVersion } from "./versions/version.ts";
import { asInput, given, NOTHING_WRITTEN, textsOf, writtenAfter, writtenIn, type WrittenInput } from "./written.ts";

/** The fields of a template in a request. */
type TemplateInput = SaveTerms &
  WrittenInput & {
    readonly alias?: string | null;
    readonly name?: string | null;
    readonly description?: string | null;
    readonly type?: TemplateType | null;
    readonly publishManually?: boolean | null;
  };

const EMPTY: TemplateFields = {
  ...NOTHING_WRITTEN,
  alias: null,
  name: "",
  description: null,
  type: "TRANSACTIONAL",
  updatedBy: null,
};

type TemplateAuthor = SenderScope & Pick<Caller, "by">;

/**
 * @throws AppError VALIDATION_ERROR naming every invalid field, syntax errors with line and column; DOMAIN_NOT_ALLOWED
 * for a sender outside the key's scope
 */
export async function createTemplate(tx: Tx, caller: TemplateAuthor, input: TemplateInput): Promise<Template> {
  const fields = inScope(caller, templateAfter(EMPTY, { ...input, by: caller.by }));
  await refuseTakenAlias(tx, caller.workspace, null, fields.alias);
  await refuseUnknownTopic(tx, caller.workspace, fields.topic);
  const template = await insert(tx, caller.workspace, fields);
  return input.publishManually ? publish(tx, template) : template;
}

/** @throws AppError CONFLICT */
async function refuseTakenAlias(tx: Tx, workspace: number, before: Template | null, alias: string | null) {
  if (alias === null || alias === before?.alias || (await templateNamed(tx, workspace, alias)) === null) return;
  throw new AppError("CONFLICT", `Another template has the alias ${alias}.`, {
    reason: "alias_taken",
    values: { alias },
    suggestion: "Choose another alias, or take it away from that template first.",
  });
}

async function insert(tx: Tx, workspace: number, fields: TemplateFields): Promise<Template> {
  const template = await insertTemplate(tx, workspace, newId(tx.nowMs), fields);
  await noteImages(tx, { workspace, kind: "template", seq: template.seq, isNew: true }, textsOf(template));
  await beginVersions(tx, { workspace, owner: { template: template.seq } }, template);
  return template;
}

/**
 * Changes the fields in the input.
 * @throws as createTemplate, and AppError TEMPLATE_NOT_FOUND, CONFLICT if it was saved since `ifUpdatedAt`
 */
export async function changeTemplate(
  tx: Tx,
  caller: TemplateAuthor,
  id: string,
  input: TemplateInput,
): Promise<Template> {
  return save(tx, caller, await templateToChange(tx, caller, id), input);
}

/** Restores the content of this version. @throws as changeTemplate, and AppError VERSION_NOT_FOUND */
export async function restoreTemplate(
  tx: Tx,
  caller: TemplateAuthor,
  { id, versionId }: { readonly id: string; readonly versionId: string },
  { ifUpdatedAt = null }: SaveTerms,
): Promise<Template> {
  const template = await templateToChange(tx, caller, id);
  const version = await findVersion(tx, { template: template.seq }, versionId);
  const content = asInput(await contentOfVersion(tx, version));
  return save(tx, caller, template, { ...content, ifUpdatedAt, isRestored: true });
}

type TemplateSave = TemplateInput & { readonly isRestored?: true };

async function save(
  tx: Tx,
  caller: TemplateAuthor,
  before: Template,
  { isRestored, ...input }: TemplateSave,
): Promise<Template> {
  refuseSavedSince(tx, before, input);
  const fields = inScope(caller, templateAfter(before, { ...input, by: caller.by }));
  await refuseTakenAlias(tx, caller.workspace, before, fields.alias);
  if (fields.topic !== before.topic) await refuseUnknownTopic(tx, caller.workspace, fields.topic);
  const template = await updateTemplate(tx, before, fields);
  await noteImages(tx, { workspace: caller.workspace, kind: "template", seq: before.seq }, textsOf(template));
  const { publishedVersion: published } = before;
  const change = {
    workspace: caller.workspace,
    owner: { template: before.seq },
    isOwn: isRestored ?? false,
    published,
  };
  await keepVersion(tx, change, before, template);
  return settled(tx, before, template, input.publishManually ?? published !== null);
}

/** Updates the published version after a change. */
function settled(tx: Tx, before: Template, after: Template, byHand: boolean): Promise<Template> | Template {
  const { publishedVersion, publishedAt } = before;
  if (!byHand) return publishedVersion === null ? after : publishEachChange(tx, after);
  if (publishedVersion === null) return publish(tx, after);
  if (before.isChanged || Bun.deepEquals(writtenIn(before), writtenIn(after))) return after;
  return updatePublishing(tx, after.seq, { publishedVersion, publishedAt, isChanged: true });
}

/**
 * Publishes the current content, if it is not published already.
 * @throws AppError TEMPLATE_NOT_FOUND, DOMAIN_NOT_ALLOWED
 */
export async function publishTemplate(tx: Tx, caller: SenderScope, id: string): Promise<Template> {
  const template = await templateToChange(tx, caller, id);
  return template.isChanged ? publish(tx, template) : template;
}

/** A copy, named "… (Copy)". @throws AppError TEMPLATE_NOT_FOUND, DOMAIN_NOT_ALLOWED */
export async function duplicateTemplate(tx: Tx, caller: TemplateAuthor, id: string): Promise<Template> {
  const { workspace, by: updatedBy } = caller;
  const template = inScope(caller, await findTemplate(tx, workspace, id));
  return insert(tx, workspace, { ...template, alias: null, name: copyName(template.name), updatedBy });
}

/** `name`: the id or the alias. @throws AppError TEMPLATE_NOT_FOUND, also for another workspace's template */
export async function findTemplate(reader: Reader, workspace: number, name: string): Promise<Template> {
  const template = await templateNamed(reader, workspace, name);
  if (template === null) throw await noTemplate(reader, workspace, name);
  return template;
}

/**
 * Some of the templates that match a filter, newest first.
 * @throws AppError INVALID_PARAMETERS on `pageSize` if the page is too large for one answer
 */
export async function templatesOnPage(
  reader: Reader,
  filter: TemplateFilter,
  limit: number,
  offset: number,
): Promise<Template[]> {
  const page = await templatesPage(reader, filter, limit, offset);
  if (page.length === 0) return [];
  refuseLargePage(page);
  return templatesNumbered(
    reader,
    page.map(({ seq }) => seq),
  );
}

/** The templates of a workspace next to a given one, after or before it; newest first. @throws as templatesOnPage */
export async function templatesBeside(
  reader: Reader,
  workspace: number,
  { than, isNewer }: { readonly than: number | null; readonly isNewer: boolean },
  limit: number,
): Promise<Template[]> {
  const near = isNewer
    ? await templatesAfter(reader, workspace, than ?? 0, limit)
    : await templatesBefore(reader, workspace, than ?? Number.MAX_SAFE_INTEGER, limit);
  if (near.length === 0) return [];
  refuseLargePage(near);
  return templatesNumbered(
    reader,
    near.map(({ seq }) => seq),
  );
}

function existingTemplate(template: Template | null, id: string): Template {
  if (!template) throw new AppError("TEMPLATE_NOT_FOUND", `There is no template ${id}.`);
  return template;
}

/** @throws AppError TEMPLATE_NOT_FOUND, DOMAIN_NOT_ALLOWED; ConstraintError `foreignKey` while a workflow uses it */
export async function removeTemplate(tx: Tx, caller: SenderScope, id: string): Promise<void> {
  const template = await templateToChange(tx, caller, id);
  await deleteTemplate(tx, template.seq);
}

async function templateToChange(tx: Tx, caller: SenderScope, id: string): Promise<Template> {
  return inScope(caller, existingTemplate(await lockTemplate(tx, caller.workspace, id), id));
}

/** A key that is scoped to other domains may not change the content that workflows send with this sender. */
function inScope<Fields extends TemplateFields>(caller: SenderScope, fields: Fields): Fields {
  if (fields.fromAddress !== null) refuseOutsideScope(caller, domainOf(fields.fromAddress));
  return fields;
}

/** Only marketing mail has a topic: a template that becomes transactional loses its topic. */
function templateAfter(base: TemplateFields, input: TemplateInput): TemplateFields {
  const type = input.type ?? base.type;
  if (input.topic && type !== "MARKETING") throw invalidField("topic", ONLY_MARKETING, "unsupported");
  const written = writtenAfter(base, input);
  return {
    ...written,
    topic: type === "MARKETING" ? written.topic : null,
    alias: aliasAfter(base, input),
    name: input.name ?? base.name,
    description: given(input.description, base.description),
    type,
    updatedBy: input.by ?? base.updatedBy,
  };
}

/** Ids and aliases are distinguished by their form. */
function aliasAfter({ alias: before }: TemplateFields, { alias }: TemplateInput): string | null {
  if (alias && isTemplateId(alias)) throw invalidField("alias", "This looks like the id of a template.", "invalid");
  return given(alias, before) || null;
}

const COPY = " (Copy)";

/** A copy's name, cut to the length limit without splitting a character. */
export function copyName(name: string): string {
  return `${name.slice(0, LONGEST_RECORD_NAME - COPY.length).replace(/[\ud800-\udbff]$/, "")}${COPY}`;
}
