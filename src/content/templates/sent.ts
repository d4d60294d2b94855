// The sent content of a template: its current content, its published version, or the version that a call names
// (docs/templates.md).
import { nearest } from "../../base/edit-distance.ts";
import { AppError } from "../../base/errors.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { isTemplateId, someAliases, templateNamed, updatePublishing, type Template } from "./queries.ts";
import { pinVersion, versionNumbered, versionsOf } from "./versions/queries.ts";
import { writtenInVersion } from "./versions/version.ts";

/** An alias such as `receipt` or an id, with the number of a version after an @. */
type TemplateRef = { readonly name: string; readonly version: number | null };

function referenceIn(text: string): TemplateRef {
  const [, name = text, version] = /^(.*)@([1-9]\d{0,8})$/.exec(text) ?? [];
  return { name, version: version === undefined ? null : Number(version) };
}

/** `reference`: an id or an alias, with or without a version. Null: there is no such template or version. */
export async function templateSent(reader: Reader, workspace: number, reference: string): Promise<Template | null> {
  const { name, version } = referenceIn(reference);
  const template = await templateNamed(reader, workspace, name);
  if (template === null || (version === null && template.publishedVersion === null)) return template;
  const seq = version === null ? template.publishedVersion : await versionNumbered(reader, template.seq, version);
  const written = seq === null ? null : await writtenInVersion(reader, seq);
  return written && { ...template, ...written };
}

/**
 * Like `templateSent`; also pins a named version, and answers the permanent reference of the template: by its id.
 * @throws AppError TEMPLATE_NOT_FOUND, VERSION_NOT_FOUND
 */
export async function templateToSend(
  tx: Tx,
  workspace: number,
  reference: string,
): Promise<{ readonly template: Template; readonly reference: string }> {
  const { name, version } = referenceIn(reference);
  // Pinned before it is read: a concurrent change creates a new version.
  const named = version === null ? null : await templateNamed(tx, workspace, name);
  if (named !== null && version !== null) await pinVersion(tx, named.seq, version);
  const template = await templateSent(tx, workspace, reference);
  if (template === null && named !== null)
    throw new AppError("VERSION_NOT_FOUND", `The template ${name} has no version ${version}.`);
  if (template === null) throw await noTemplate(tx, workspace, name);
  return { template, reference: version === null ? template.id : `${template.id}@${version}` };
}

const MOST_ALIASES = 1_000;

/** `name`: an id, or an alias that may be misspelt. */
export async function noTemplate(reader: Reader, workspace: number, name: string): Promise<AppError> {
  const meant = isTemplateId(name) ? null : nearest(name, await someAliases(reader, workspace, MOST_ALIASES));
  const suggestion = meant === null ? {} : { suggestion: `Did you mean ${meant}?` };
  return new AppError("TEMPLATE_NOT_FOUND", `There is no template ${name}.`, suggestion);
}

/** Publishes the current content. `template` is locked. */
export async function publish(tx: Tx, template: Template): Promise<Template> {
  const [latest] = await versionsOf(tx, { template: template.seq }, 1);
  const publishedVersion = latest?.seq ?? null;
  return updatePublishing(tx, template.seq, { publishedVersion, publishedAt: tx.now, isChanged: false });
}

/** Makes each change take effect immediately. */
export function publishEachChange(tx: Tx, template: Template): Promise<Template> {
  return updatePublishing(tx, template.seq, { publishedVersion: null, publishedAt: null, isChanged: false });
}
