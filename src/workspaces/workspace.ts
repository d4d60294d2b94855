// A workspace: whose contacts, mails, keys and domains are whose. Made, disabled and deleted on the command line only.
import { domainOf } from "../addresses.ts";
import { AppError, invalidField } from "../errors.ts";
import { requiredAddress, senderName } from "../http/address-field.ts";
import { newId } from "../ids.ts";
import { LANGUAGES, languageOf, type Language } from "../languages/language.ts";
import type { Secrets } from "../secrets.ts";
import type { Reader, Tx } from "../store/store.ts";
import { deleteTurns } from "../store/turns.ts";
import { domainToSendFrom } from "./domains/domain.ts";
import { keepSelectors } from "./domains/queries.ts";
import {
  deleteWorkspaceRow,
  insertWorkspace,
  lockWorkspace,
  setWorkspaceDisabled,
  updateWorkspace,
  workspaceBySeq,
  workspaceNamed,
  type Tracking,
  type WorkspaceRow,
} from "./queries.ts";
import { newWebhookSecret } from "./webhook-secret.ts";

/** What a workspace may change of itself; null says nothing, but takes away the postal address and whom mails come from. */
type WorkspaceWish = {
  readonly name?: string | null;
  readonly tracking?: Tracking | null;
  /** A language tag, of which the language is kept. */
  readonly language?: string | null;
  readonly postalAddress?: string | null;
  readonly doubleOptIn?: boolean | null;
  /** What a public key may do with a contact that exists. */
  readonly publicKeys?: { readonly update?: boolean | null; readonly unsubscribe?: boolean | null } | null;
  /** Whom confirmation mails come from; null = no-reply@ the first verified domain. */
  readonly fromAddress?: string | null;
  readonly fromName?: string | null;
};

/** @throws AppError VALIDATION_ERROR for a name that is no name, CONFLICT if it is taken */
export async function createWorkspace(tx: Tx, secrets: Secrets, name: string): Promise<WorkspaceRow> {
  checkName(name);
  const encryptedWebhookSecret = secrets.encrypt(newWebhookSecret());
  const workspace = await insertWorkspace(tx, { id: newId(tx.nowMs), name, encryptedWebhookSecret });
  if (!workspace) throw nameTaken(name);
  return workspace;
}

/** By id, or by name. @throws AppError WORKSPACE_NOT_FOUND */
export async function findWorkspace(reader: Reader, idOrName: string): Promise<WorkspaceRow> {
  const workspace = await workspaceNamed(reader, idOrName);
  if (!workspace) throw new AppError("WORKSPACE_NOT_FOUND", `There is no workspace ${idOrName}.`);
  return workspace;
}

/** The workspace of a caller. @throws AppError WORKSPACE_NOT_FOUND if it was deleted meanwhile */
export async function ownWorkspace(reader: Reader, seq: number): Promise<WorkspaceRow> {
  const workspace = await workspaceBySeq(reader, seq);
  if (!workspace) throw new AppError("WORKSPACE_NOT_FOUND", "The workspace was deleted.");
  return workspace;
}

/**
 * @throws AppError VALIDATION_ERROR naming the field, CONFLICT if another workspace has the name, DOMAIN_NOT_VERIFIED if the
 * workspace cannot send from `fromAddress`
 */
export async function changeWorkspace(tx: Tx, seq: number, wish: WorkspaceWish): Promise<WorkspaceRow> {
  const before = (await lockWorkspace(tx, seq)) ?? (await ownWorkspace(tx, seq));
  const name = wish.name ?? before.name;
  if (name !== before.name) await checkNewName(tx, seq, name);
  await updateWorkspace(tx, seq, {
    name,
    tracking: wish.tracking ?? before.tracking,
    language: wish.language ? knownLanguage(wish.language) : before.language,
    postal_address: given(wish.postalAddress, before.postal_address),
    double_opt_in: flag(wish.doubleOptIn, before.double_opt_in),
    public_update: flag(wish.publicKeys?.update, before.public_update),
    public_unsubscribe: flag(wish.publicKeys?.unsubscribe, before.public_unsubscribe),
    from_address: wish.fromAddress
      ? await usableAddress(tx, seq, wish.fromAddress)
      : given(wish.fromAddress, before.from_address),
    from_name: given(senderName(wish.fromName), before.from_name),
  });
  return ownWorkspace(tx, seq);
}

/** Requests of a disabled workspace are answered 403, and its queued mail waits until it is enabled again. */
export async function disableWorkspace(tx: Tx, idOrName: string): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(tx, idOrName);
  await setWorkspaceDisabled(tx, workspace.seq, workspace.disabled_at ?? tx.now);
  return findWorkspace(tx, workspace.id);
}

export async function enableWorkspace(tx: Tx, idOrName: string): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(tx, idOrName);
  await setWorkspaceDisabled(tx, workspace.seq, null);
  return findWorkspace(tx, workspace.id);
}

/**
 * Deletes a workspace with what is left in it; what there can be much of should be gone by then. The selectors of its DKIM keys
 * stay known, for whoever adds one of its domains again.
 */
export async function deleteWorkspace(tx: Tx, seq: number): Promise<void> {
  await keepSelectors(tx, seq);
  await deleteWorkspaceRow(tx, seq);
  await deleteTurns(tx, seq);
}

function checkName(name: string): void {
  if (/^[^\p{Cc}]{1,100}$/u.test(name) && name.trim() === name) return;
  const message = "A workspace's name is 1 to 100 characters, without line breaks or space around it.";
  throw new AppError("VALIDATION_ERROR", message, { errors: [{ field: "name", message, code: "invalid" }] });
}

async function checkNewName(tx: Tx, seq: number, name: string): Promise<void> {
  checkName(name);
  const holder = await workspaceNamed(tx, name);
  if (holder && holder.seq !== seq) throw nameTaken(name);
}

/** Undefined leaves it as it was, null and empty text clear it. */
function given(wished: string | null | undefined, before: string | null): string | null {
  return wished === undefined ? before : wished?.trim() || null;
}

function flag(wished: boolean | null | undefined, before: 0 | 1): 0 | 1 {
  return (wished ?? before === 1) ? 1 : 0;
}

async function usableAddress(tx: Tx, workspace: number, text: string): Promise<string> {
  const address = requiredAddress("fromAddress", text);
  await domainToSendFrom(tx, { workspace, domains: null }, domainOf(address));
  return address;
}

function knownLanguage(tag: string): Language {
  const language = languageOf(tag);
  if (!language) throw invalidField("language", `There are texts in ${LANGUAGES.join(", ")} only.`);
  return language;
}

function nameTaken(name: string): AppError {
  return new AppError("CONFLICT", `There is a workspace ${name} already.`);
}
