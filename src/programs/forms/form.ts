// Forms: public sign-up forms, and the processing of their answers.
import { AppError, invalidField, limitReached, readAll, readEach } from "../../base/errors.ts";
import { isReservedEvent } from "../../tenant/events/catalog.ts";
import { newId, randomBase62 } from "../../base/ids.ts";
import { topicsOf } from "../../audience/topics/queries.ts";
import { joinable } from "../../audience/segments/members.ts";
import { refuseMailed } from "../../audience/segments/uses.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { lockWorkspace } from "../../tenant/workspaces/queries.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { refuseSavedSince, type SaveTerms } from "../../tenant/access/saving.ts";
import { endTerms } from "../../audience/contacts/change-queries.ts";
import { askedBy } from "./answer-queries.ts";
import { checkedFields, type FieldInput } from "./fields.ts";
import * as queries from "./queries.ts";
import type { Form, FormFields, FormSettings } from "./queries.ts";
import { readText, type LocalizedText } from "./text.ts";

export const MOST_FORMS = 100;

/** Undefined fields stay as they are; null = none, or the default. */
export type FormInput = SaveTerms & {
  readonly name?: string | null;
  readonly key?: string | null;
  readonly enabled?: boolean | null;
  readonly title?: LocalizedText | null;
  readonly intro?: LocalizedText | null;
  readonly button?: LocalizedText | null;
  readonly fields?: readonly FieldInput[] | null;
  readonly consent?: { readonly wording: LocalizedText; readonly checkbox?: boolean | null } | null;
  readonly doubleOptIn?: boolean | null;
  readonly redirectUrl?: string | null;
  readonly confirmedUrl?: string | null;
  readonly sites?: readonly string[] | null;
  readonly segmentId?: string | null;
  readonly topics?: readonly string[] | null;
  readonly besides?: LocalizedText | null;
  readonly event?: string | null;
  readonly tags?: readonly string[] | null;
};
type FormAuthor = Pick<Caller, "workspace" | "by" | "person">;

export const EMPTY: FormFields = {
  key: "",
  name: "",
  enabled: true,
  doubleOptIn: true,
  wording: 0,
  segment: null,
  settings: {
    title: {},
    intro: {},
    button: {},
    fields: [],
    consent: null,
    redirectUrl: null,
    confirmedUrl: null,
    sites: [],
    topics: [],
    besides: {},
    event: null,
    tags: [],
  },
  updatedBy: null,
};

/**
 * @throws AppError VALIDATION_ERROR, SEGMENT_NOT_FOUND, SEGMENT_NOT_STATIC, CONFLICT if the key is taken, or the limit
 * of forms is reached
 */
export async function createForm(tx: Tx, { workspace, by, person }: FormAuthor, input: FormInput): Promise<Form> {
  // Two concurrent calls would both be within the limit.
  await lockWorkspace(tx, workspace);
  if ((await queries.countForms(tx, workspace)) >= MOST_FORMS)
    throw limitReached(
      "forms",
      MOST_FORMS,
      `A workspace has at most ${MOST_FORMS} forms.`,
      "Delete one that is not used any more.",
    );
  const fields = { ...(await formAfter(tx, workspace, EMPTY, input)), updatedBy: by };
  const key = fields.key || keyFrom(fields.name);
  await refuseMailedSegment(tx, { workspace, person }, fields.segment, null);
  const form = await queries.insertForm(tx, workspace, newId(tx.nowMs), { ...fields, key });
  if (!form) throw keyTaken(key);
  await keepWording(tx, form, 0);
  return form;
}

/** @throws AppError FORM_NOT_FOUND, and as createForm; CONFLICT if it was saved since `ifUpdatedAt` */
export async function changeForm(
  tx: Tx,
  { workspace, by, person }: FormAuthor,
  id: string,
  input: FormInput,
): Promise<Form> {
  const before = (await queries.lockForm(tx, workspace, id)) ?? notFound(id);
  refuseSavedSince(tx, before, input);
  const fields = { ...(await formAfter(tx, workspace, before, input)), updatedBy: by };
  if (fields.key !== before.key && (await queries.formWithKey(tx, fields.key))) throw keyTaken(fields.key);
  await refuseMailedSegment(tx, { workspace, person }, fields.segment, before.segment);
  const form = await queries.updateForm(tx, before, fields);
  await keepWording(tx, form, before.wording);
  return form;
}

/**
 * Unconfirmed answers are deleted with the form, and their links confirm nothing; wordings that people agreed to are
 * kept.
 * @throws AppError FORM_NOT_FOUND
 */
export async function removeForm(tx: Tx, workspace: number, id: string): Promise<void> {
  const { seq } = (await queries.lockForm(tx, workspace, id)) ?? notFound(id);
  await endTerms(tx, askedBy(seq, tx.now));
  await queries.deleteForm(tx, seq);
}

/** @throws AppError FORM_NOT_FOUND, also for another workspace's form */
export async function findForm(reader: Reader, workspace: number, id: string): Promise<Form> {
  return (await queries.formById(reader, workspace, id)) ?? notFound(id);
}

function notFound(id: string): never {
  throw new AppError("FORM_NOT_FOUND", `There is no form ${id}.`);
}

function keyTaken(key: string): AppError {
  return new AppError("CONFLICT", `The key ${key} is taken.`, { reason: "form_key_taken", values: { key } });
}

/**
 * People who send the form join the segment, and get its mail.
 * @throws AppError FORBIDDEN if a campaign to the segment is about to be sent, and the caller may not send campaigns
 */
async function refuseMailedSegment(
  tx: Tx,
  { workspace, person }: Pick<FormAuthor, "workspace" | "person">,
  segment: number | null,
  before: number | null,
): Promise<void> {
  if (segment !== null && segment !== before) await refuseMailed(tx, { person }, { workspace, seq: segment });
}

async function keepWording(tx: Tx, form: Form, before: number): Promise<void> {
  const { wording: version, settings } = form;
  if (version > before) await queries.insertWording(tx, form, { version, ...saidBy(settings) });
}

/** The form has words to agree to, which are kept. */
export function saysSomething({ consent, besides }: FormSettings): boolean {
  return consent !== null || Object.keys(besides).length > 0;
}

/** The words that senders of the form agree to. */
function saidBy({ consent, besides }: FormSettings): queries.FormStatement {
  return { wording: consent?.wording ?? {}, besides };
}

/** The form after the input. @throws as createForm */
export async function formAfter(
  reader: Reader,
  workspace: number,
  base: FormFields,
  input: FormInput,
): Promise<FormFields> {
  const { segmentId } = input;
  const segment = segmentId ? await joinable(reader, workspace, segmentId) : segmentId === null ? null : base.segment;
  const settings = settingsAfter(base.settings, input);
  if (input.topics) await refuseUnknownTopics(reader, workspace, settings.topics);
  const isSame = !saysSomething(settings) || Bun.deepEquals(saidBy(settings), saidBy(base.settings));
  return {
    key: input.key ?? base.key,
    name: input.name ?? base.name,
    enabled: input.enabled ?? base.enabled,
    doubleOptIn: input.doubleOptIn ?? base.doubleOptIn,
    wording: isSame ? base.wording : base.wording + 1,
    segment,
    settings,
    updatedBy: base.updatedBy,
  };
}

function settingsAfter(base: FormSettings, input: FormInput): FormSettings {
  const { consent } = input;
  const read = readAll({
    title: () => textAfter("title", input, base),
    intro: () => textAfter("intro", input, base),
    button: () => textAfter("button", input, base),
    fields: () => (input.fields === undefined ? base.fields : checkedFields(input.fields ?? [])),
    redirectUrl: () => after(input.redirectUrl, base.redirectUrl, (url) => checkedUrl("redirectUrl", url)),
    confirmedUrl: () => after(input.confirmedUrl, base.confirmedUrl, (url) => checkedUrl("confirmedUrl", url)),
    besides: () => textAfter("besides", input, base),
    topics: () => (input.topics === undefined ? base.topics : [...new Set(input.topics ?? [])]),
    sites: () => (input.sites === undefined ? base.sites : checkedSites(input.sites ?? [])),
    event: () => after(input.event, base.event, checkedEvent),
    tags: () => (input.tags === undefined ? base.tags : checkedTags(input.tags ?? [])),
    consent: () => (consent === undefined ? base.consent : consent && checkedConsent(consent)),
  });
  return read;
}

/** @throws AppError VALIDATION_ERROR */
async function refuseUnknownTopics(reader: Reader, workspace: number, keys: readonly string[]): Promise<void> {
  const known = new Set((await topicsOf(reader, workspace)).map(({ key }) => key));
  readEach(keys, (key, index) => {
    if (!known.has(key)) throw invalidField(`topics.${index}`, `There is no topic ${key}.`, "unknown_topic");
  });
}

function after<Value>(
  given: Value | null | undefined,
  base: Value | null,
  check: (value: Value) => Value,
): Value | null {
  if (given === undefined) return base;
  return given === null || given === "" ? null : check(given);
}

function textAfter(
  name: "title" | "intro" | "button" | "besides",
  input: FormInput,
  base: FormSettings,
): LocalizedText {
  const given = input[name];
  return given === undefined ? base[name] : readText(name, given ?? {});
}

function checkedConsent({ wording, checkbox }: NonNullable<FormInput["consent"]>): FormSettings["consent"] {
  const said = readText("consent.wording", wording);
  if (Object.keys(said).length === 0)
    throw invalidField("consent.wording", "Give the wording in at least one language.", "empty");
  return { wording: said, checkbox: checkbox ?? true };
}

/** Only characters that may be in a header. */
function checkedUrl(field: string, text: string): string {
  const url = URL.parse(text);
  const isFit = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && isOrigin(url.origin);
  if (!isFit) throw invalidField(field, "This is not a URL: https://www.example.com/thanks", "invalid_url");
  return url.href;
}

function checkedSites(sites: readonly string[]): string[] {
  const origins = readEach(sites, (site, index) => {
    const url = URL.parse(/^https?:\/\//i.test(site) ? site : `https://${site}`);
    if (url === null || !isOrigin(url.origin))
      throw invalidField(`sites.${index}`, `${site} is not a website: https://www.example.com`, "invalid_url");
    return url.origin;
  });
  return [...new Set(origins)];
}

function isOrigin(origin: string): boolean {
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin);
}

function checkedTags(tags: readonly string[]): string[] {
  const trimmed = readEach(tags, (tag, index) => {
    if (tag.trim() === "" || /\p{Cc}/u.test(tag))
      throw invalidField(`tags.${index}`, "A tag is one line, and not empty.");
    return tag.trim();
  });
  return [...new Set(trimmed)];
}

function checkedEvent(name: string): string {
  if (!isReservedEvent(name)) return name;
  throw invalidField("event", `${name} is emitted by the system and cannot be tracked.`, "reserved_event");
}

/** The name in plain letters, and a unique suffix. */
function keyFrom(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "-");
  const words = plain.replace(/^-+/, "").slice(0, 40).replace(/-+$/, "");
  return `${words || "form"}-${randomBase62(6).toLowerCase()}`;
}
