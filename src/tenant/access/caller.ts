// The caller: a workspace through one of its keys, or a person who is signed in.
import { AppError } from "../../base/errors.ts";
import type { Permission } from "../../base/roles.ts";
import type { Tx } from "../../store/store.ts";
import type { KeyLimits } from "./key-limits.ts";
import type { KeyKind } from "./key-queries.ts";

/** The author of a change. */
export type ChangeAuthor = {
  readonly kind: "PERSON" | "KEY" | "COMMAND_LINE";
  /** The id of the user or the key set. */
  readonly id: string | null;
  readonly name: string | null;
};

/** Its user is not asked for a name. */
export const COMMAND_LINE: ChangeAuthor = { kind: "COMMAND_LINE", id: null, name: null };

/** A person who is signed in. */
export type SessionUser = {
  /** The user's and the session's numbers. */
  readonly user: number;
  readonly session: number;
  readonly isOwner: boolean;
  /** The person's permissions in the caller's workspace, or without one. */
  readonly permissions: ReadonlySet<Permission>;
  /** They proved within ten minutes who they are. */
  readonly isProven: boolean;
};

/** `answer`: the answer of the call. `body`: its body, if that says what it changes. */
export type AuditNote = (tx: Tx, answer: unknown, body?: unknown) => Promise<void>;

export type Caller = {
  /** 0 for a person who calls without a workspace. */
  readonly workspace: number;
  readonly workspaceId: string;
  readonly kind: KeyKind | "person";
  readonly by: ChangeAuthor;
  readonly person: SessionUser | null;
  /** The limits of the key; null = a person calls. */
  readonly limits: KeyLimits | null;
  /** Puts this call in the audit log, in the transaction of its change; null = it is not logged. */
  readonly note: AuditNote | null;
  /** Sender domains of a scoped key; null = every verified domain of the workspace. */
  readonly domains: readonly string[] | null;
  readonly disabled: boolean;
  /** New subscribers must confirm by email. */
  readonly doubleOptIn: boolean;
  /** The keys of the workspace's topics, in their order. */
  readonly topics: readonly string[];
  /** The data of a send stays with the contact, unless the request says otherwise. */
  readonly storesSendData: boolean;
  /** Whether there is a postal address for the footer of marketing mail. */
  readonly hasPostalAddress: boolean;
  /** Whether this caller may change existing contacts. */
  readonly mayUpdate: boolean;
  readonly mayUnsubscribe: boolean;
  /** The events that it may record; null = any. */
  readonly publicEvents: readonly string[] | null;
};

/** The cause of a contact's change in its events. A public key is read by forms, and by strangers. */
export function causeOf({ kind, by }: Pick<Caller, "kind" | "by">): string | null {
  return kind === "public" ? `form ${by.id}` : by.id;
}

/** The `beforeHandle` of a route that scoped keys may not use: they manage nothing. @throws AppError FORBIDDEN */
export function managersOnly({ caller }: { readonly caller: Caller }): void {
  if (caller.domains !== null) throw new AppError("FORBIDDEN", "A key that is scoped to domains cannot do this.");
}

/** @throws AppError FORBIDDEN for a person whose role does not have the permission */
export function refuseWithout(person: SessionUser | null, permission: Permission): void {
  if (person === null || person.permissions.has(permission)) return;
  throw new AppError("FORBIDDEN", `Your role does not have the permission ${permission}.`, {
    suggestion: "Ask an admin of the workspace or an owner.",
  });
}

/**
 * Only unscoped keys with full permissions, and people who manage keys and have just proved who they are, see the
 * workspace's secrets.
 */
export function maySeeSecrets({ domains, limits, person }: Caller): boolean {
  return person === null
    ? domains === null && limits?.permissions === "full"
    : person.isProven && person.permissions.has("keys");
}

/** A key is its own proof. @throws AppError PROOF_NEEDED */
export function refuseUnproven(person: SessionUser | null): void {
  if (person?.isProven === false)
    throw new AppError("PROOF_NEEDED", "This needs a proof of who you are that is younger than ten minutes.");
}
