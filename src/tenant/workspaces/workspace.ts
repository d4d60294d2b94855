// A workspace owns contacts, mails, keys and domains. Owners make and disable one; it is deleted on the command line
// only.
import { giveRules } from "../../ground/ways/keep-rules.ts";
import { randomBytes } from "node:crypto";
import type { SendData } from "../access/key-queries.ts";
import { domainOf } from "../../base/addresses.ts";
import { HOUR_MS, iso } from "../../base/clock.ts";
import { refuseSavedSince, timeOfSaving, type SaveTerms } from "../access/saving.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { requiredAddress, senderName } from "../../http/body/address-field.ts";
import { newId } from "../../base/ids.ts";
import { zoneNamed } from "../../base/moments.ts";
import { languageOf, LANGUAGES, type Language } from "../../base/languages/language.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { pageFields, type PageFieldInput } from "./page-fields.ts";
import { SEARCH_FIELDS, searchKeys } from "./search-fields.ts";
import { domainToSendFrom } from "../domains/domain.ts";
import { keepSelectors } from "../domains/key-queries.ts";
import { changedRetention, type Days, type RetentionInput } from "./retention.ts";
import {
  deleteWorkspaceRow,
  insertWorkspace,
  lockWorkspace,
  setRetention,
  setSearchUnprepared,
  formerSecretUntil,
  setWebhookSecret,
  setWorkspaceDisabled,
  updateWorkspace,
  workspaceBySeq,
  workspaceNamed,
  workspaceToSendFrom,
  type Tracking,
  type Workspace,
} from "./queries.ts";

/**
 * A null field is left as it is, except that null clears the postal address, the sender of confirmation mails and the
 * time zone.
 */
type WorkspaceInput = Pick<SaveTerms, "ifUpdatedAt"> & {
  readonly name?: string | null;
  readonly tracking?: Tracking | null;
  /** A language tag, of which the language is kept. */
  readonly language?: string | null;
  readonly postalAddress?: string | null;
  readonly doubleOptIn?: boolean | null;
  /** The permissions of a public key. */
  readonly publicKeys?: {
    readonly update?: boolean | null;
    readonly unsubscribe?: boolean | null;
    /** Null = any. */
    readonly events?: readonly string[] | null;
  } | null;
  /** The sender of confirmation mails; null = no-reply@ the newest verified domain. */
  readonly fromAddress?: string | null;
  readonly fromName?: string | null;
  readonly timeZone?: string | null;
  readonly sendData?: SendData | null;
  readonly suppressions?: {
    readonly complaints?: "marketing" | "all" | null;
    readonly softBounces?: number | null;
    readonly softBounceDays?: number | null;
  } | null;
  /** Such as `data.customerId`. */
  readonly searchFields?: readonly string[] | null;
  /** The page of a recipient's choices. */
  readonly preferencePage?: {
    readonly data?: readonly PageFieldInput[] | null;
    readonly asksWhy?: boolean | null;
  } | null;
};

/** @throws AppError VALIDATION_ERROR for an invalid name, CONFLICT if it is taken */
export async function createWorkspace(tx: Tx, secrets: Secrets, name: string): Promise<Workspace> {
  checkName(name);
  const encryptedWebhookSecret = secrets.encrypt(newWebhookSecret());
  const workspace = await insertWorkspace(tx, { id: newId(tx.nowMs), name, encryptedWebhookSecret });
  if (!workspace) throw nameTaken(name);
  await giveRules(tx, workspace.seq);
  return workspace;
}

/** By id, or by name. @throws AppError WORKSPACE_NOT_FOUND */
export async function findWorkspace(reader: Reader, idOrName: string): Promise<Workspace> {
  const workspace = await workspaceNamed(reader, idOrName);
  if (!workspace) throw new AppError("WORKSPACE_NOT_FOUND", `There is no workspace ${idOrName}.`);
  return workspace;
}

/** A caller's workspace. @throws AppError WORKSPACE_NOT_FOUND if it has just been deleted */
export async function ownWorkspace(reader: Reader, seq: number): Promise<Workspace> {
  return (await workspaceBySeq(reader, seq)) ?? deleted();
}

export type SendingWorkspace = NonNullable<Awaited<ReturnType<typeof workspaceToSendFrom>>>;

/** The workspace that mail is accepted for. @throws AppError as `ownWorkspace` */
export async function sendingWorkspace(reader: Reader, seq: number): Promise<SendingWorkspace> {
  return (await workspaceToSendFrom(reader, seq)) ?? deleted();
}

function deleted(): never {
  throw new AppError("WORKSPACE_NOT_FOUND", "The workspace was deleted.");
}

/**
 * @throws AppError VALIDATION_ERROR naming the field, CONFLICT if another workspace has the name or it was saved since
 * `ifUpdatedAt`, DOMAIN_NOT_VERIFIED if the workspace cannot send from `fromAddress`
 */
export async function changeWorkspace(tx: Tx, seq: number, input: WorkspaceInput): Promise<Workspace> {
  const before = (await lockWorkspace(tx, seq)) ?? (await ownWorkspace(tx, seq));
  refuseSavedSince(tx, before, input);
  const name = input.name ?? before.name;
  if (name !== before.name) await checkNewName(tx, seq, name);
  const searchFields = input.searchFields ? searchKeys(input.searchFields) : before.searchFields;
  await updateWorkspace(tx, seq, {
    name,
    searchFields,
    pageFields: input.preferencePage?.data ? pageFields(input.preferencePage.data) : before.pageFields,
    asksWhy: input.preferencePage?.asksWhy ?? before.asksWhy,
    tracking: input.tracking ?? before.tracking,
    language: input.language ? knownLanguage(input.language) : before.language,
    postalAddress: given(input.postalAddress, before.postalAddress),
    doubleOptIn: input.doubleOptIn ?? before.doubleOptIn,
    publicUpdate: input.publicKeys?.update ?? before.publicUpdate,
    publicUnsubscribe: input.publicKeys?.unsubscribe ?? before.publicUnsubscribe,
    publicEvents: eventsAfter(input.publicKeys?.events, before),
    fromAddress: input.fromAddress
      ? await usableAddress(tx, seq, input.fromAddress)
      : given(input.fromAddress, before.fromAddress),
    fromName: given(senderName(input.fromName), before.fromName),
    sendData: input.sendData ?? before.sendData,
    complaintScope: input.suppressions?.complaints ?? before.complaintScope,
    softBounces: input.suppressions?.softBounces ?? before.softBounces,
    softBounceDays: input.suppressions?.softBounceDays ?? before.softBounceDays,
    timeZone: input.timeZone ? knownZone(input.timeZone) : given(input.timeZone, before.timeZone),
    updatedAt: timeOfSaving(tx, before),
  });
  if (searchFields.join() !== before.searchFields.join()) await searchOtherFields(tx, seq);
  return ownWorkspace(tx, seq);
}

async function searchOtherFields(tx: Tx, seq: number): Promise<void> {
  await setSearchUnprepared(tx, seq);
  tx.signal(SEARCH_FIELDS);
}

/** `days`: the installation's. @throws AppError VALIDATION_ERROR naming all that exceed them */
export async function changeRetention(tx: Tx, seq: number, input: RetentionInput, days: Days): Promise<void> {
  const before = (await lockWorkspace(tx, seq)) ?? (await ownWorkspace(tx, seq));
  await setRetention(tx, seq, changedRetention(before, input, days));
}

/** Requests of a disabled workspace are refused with 403, and its queued mail waits until it is enabled again. */
export async function disableWorkspace(tx: Tx, idOrName: string): Promise<Workspace> {
  const workspace = await findWorkspace(tx, idOrName);
  await setWorkspaceDisabled(tx, workspace.seq, workspace.disabledAt ?? tx.now);
  return findWorkspace(tx, workspace.id);
}

export async function enableWorkspace(tx: Tx, idOrName: string): Promise<Workspace> {
  const workspace = await findWorkspace(tx, idOrName);
  await setWorkspaceDisabled(tx, workspace.seq, null);
  return findWorkspace(tx, workspace.id);
}

/**
 * Deletes a workspace with everything left in it. Delete large tables in pieces first. The selectors of its DKIM keys
 * are kept, in case one of its domains is added again.
 */
export async function deleteWorkspace(tx: Tx, seq: number): Promise<void> {
  await keepSelectors(tx, seq);
  await deleteWorkspaceRow(tx, seq);
}

function eventsAfter(
  names: readonly string[] | null | undefined,
  { publicEvents }: Workspace,
): readonly string[] | null {
  return names === undefined ? publicEvents : names && [...new Set(names)];
}

function checkName(name: string): void {
  if (/^[^\p{Cc}]{1,100}$/u.test(name) && name.trim() === name) return;
  const message = "A workspace's name is 1 to 100 characters, without line breaks or space around it.";
  throw new AppError("VALIDATION_ERROR", message, { errors: [{ field: "name", message, code: "invalid" }] });
}

/** @throws AppError VALIDATION_ERROR for an invalid name, CONFLICT if another workspace has it */
export async function checkNewName(tx: Reader, seq: number, name: string): Promise<void> {
  checkName(name);
  const holder = await workspaceNamed(tx, name);
  if (holder && holder.seq !== seq) throw nameTaken(name);
}

/** Undefined changes nothing; null and empty text clear the field. */
function given(value: string | null | undefined, before: string | null): string | null {
  return value === undefined ? before : value?.trim() || null;
}

async function usableAddress(tx: Tx, workspace: number, text: string): Promise<string> {
  const address = requiredAddress("fromAddress", text);
  await domainToSendFrom(tx, { workspace, domains: null }, domainOf(address));
  return address;
}

function knownLanguage(tag: string): Language {
  const language = languageOf(tag);
  if (!language) throw invalidField("language", `The supported languages are ${LANGUAGES.join(", ")}.`);
  return language;
}

function knownZone(text: string): string {
  const zone = zoneNamed(text.trim());
  if (zone === null)
    throw invalidField("timeZone", "This is not the name of a time zone, such as Europe/Berlin.", "invalid_time_zone");
  return zone;
}

function nameTaken(name: string): AppError {
  return new AppError("CONFLICT", `A workspace ${name} already exists.`, { reason: "name_taken", values: { name } });
}

const SECRET_BYTES = 32;

/** Signs webhooks (Standard Webhooks): `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/**
 * From now on webhooks are signed with a new secret, and for so many hours with the previous one as well.
 * @throws AppError CONFLICT while the secret before an earlier rotation signs, unless `overlapHours` is 0, which ends
 * both
 */
export async function rotateWebhookSecret(
  tx: Tx,
  secrets: Secrets,
  { workspace, overlapHours }: { readonly workspace: number; readonly overlapHours: number },
): Promise<void> {
  const signing = { formerUntil: iso(tx.nowMs + overlapHours * HOUR_MS), endsBoth: overlapHours === 0 };
  if ((await setWebhookSecret(tx, workspace, secrets.encrypt(newWebhookSecret()), signing)) > 0) return;
  const until = await formerSecretUntil(tx, workspace);
  throw new AppError("CONFLICT", `The secret before the last rotation signs until ${until}.`, {
    reason: "overlap_runs",
    values: { until },
    suggestion: "Wait until then, or rotate with overlapHours 0: then only the new one signs.",
  });
}
