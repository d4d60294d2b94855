// Links that let a person in, once: the first owner, a user who is locked out, or an invited one.
import { DAY_MS, iso } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import { newId, sha256Hex } from "../../../base/ids.ts";
import type { Role } from "../../../base/roles.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import {
  deleteInvitation,
  deleteInvitationsTo,
  deleteLinksOf,
  deleteWelcomes,
  insertInvitation,
  invitationWith,
  type Invitation,
} from "../invitation-queries.ts";
import { hasUsers, setMembership, setOwner, setProven, setUserName, userByEmail, type User } from "../queries.ts";
import { endCodes } from "../codes/codes.ts";
import { deleteIdentitiesOf } from "../identities/queries.ts";
import { newToken } from "../session/session.ts";
import { firstCodeIn, newFirstCode } from "./first-code.ts";
import { createUser, ownUser, replaceSecrets, type NewSecrets } from "../user.ts";

const LINK_MS = DAY_MS;
const INVITATION_MS = 7 * DAY_MS;

export type LinkKind = "WELCOME" | "RECOVERY" | "INVITATION";

export function kindOf({ workspace, person }: Invitation): LinkKind {
  if (workspace !== null) return "INVITATION";
  return person === null ? "WELCOME" : "RECOVERY";
}

/** The fragment stays in the browser: no proxy and no log sees the token. */
export function linkTo(baseUrl: string, kind: LinkKind, token: string): string {
  return `${baseUrl}/app/${kind === "INVITATION" ? "invitation" : "welcome"}#${token}`;
}

/** For the first owner; answers the token, a code that can be typed; null if there are users already. */
export async function welcomeToken(tx: Tx): Promise<string | null> {
  if (await hasUsers(tx)) return null;
  return newLink(tx, { role: "OWNER", forMs: LINK_MS }, newFirstCode());
}

/** For a user who is to choose a new password; earlier links are deleted. `inviter`: the user who makes it, if any. */
export async function recoveryToken(
  tx: Tx,
  { seq, email, isOwner }: User,
  inviter: number | null = null,
): Promise<string> {
  await deleteLinksOf(tx, seq);
  return newLink(tx, { person: seq, email, role: isOwner ? "OWNER" : "SUPPORT", inviter, forMs: LINK_MS });
}

type InvitationTerms = Required<Pick<LinkInput, "workspace" | "email" | "role" | "invitedBy" | "inviter">>;

/** An earlier invitation of the address to the workspace is deleted. */
export async function invitationToken(tx: Tx, invited: InvitationTerms): Promise<string> {
  await deleteInvitationsTo(tx, invited.workspace, invited.email);
  return newLink(tx, { ...invited, forMs: INVITATION_MS });
}

type LinkInput = {
  readonly workspace?: number;
  readonly person?: number;
  readonly email?: string;
  readonly role: Role;
  readonly invitedBy?: string | null;
  /** The link ends when this user may not make it any more. */
  readonly inviter?: number | null;
  readonly forMs: number;
};

/** Only a hash of it is kept. */
async function newLink(tx: Tx, { forMs, ...input }: LinkInput, token = newToken()): Promise<string> {
  const { workspace, person, email, role, invitedBy, inviter } = input;
  await insertInvitation(tx, {
    id: newId(tx.nowMs),
    tokenHash: hashOf(token),
    workspace: workspace ?? null,
    person: person ?? null,
    email: email ?? null,
    role,
    invitedBy: invitedBy ?? null,
    inviter: inviter ?? null,
    endsAt: iso(tx.nowMs + forMs),
  });
  return token;
}

function hashOf(token: string): string {
  return sha256Hex(firstCodeIn(token) ?? token);
}

/** Null if it is unknown, used or expired. */
export async function findLink(reader: Reader, token: string, nowMs: number): Promise<Invitation | null> {
  const found = await invitationWith(reader, hashOf(token));
  if (!found || found.endsAt <= iso(nowMs)) return null;
  return kindOf(found) === "WELCOME" && (await hasUsers(reader)) ? null : found;
}

export function noLink(): AppError {
  return new AppError("LINK_NOT_FOUND", "This link is unknown, was used, or is over.");
}

/** The entries on the page of a link; `passwordHash` null = a passkey is the only way in. */
export type LinkEntry = { readonly name: string; readonly email: string; readonly passwordHash: string | null };

/** Creates the user of a link for a new person. @throws AppError LINK_NOT_FOUND if it has just been used, CONFLICT */
export async function useForNew(tx: Tx, link: Invitation, entry: LinkEntry): Promise<User> {
  await spend(tx, link);
  const user = await createUser(tx, { ...entry, isOwner: link.role === "OWNER" });
  await giveRole(tx, link, user);
  if (link.mailedOnly) await setProven(tx, user.seq, true);
  return user;
}

/** A new way in for a user who was locked out; all their sessions end, and so do their earlier credentials. */
export async function useForRecovery(
  tx: Tx,
  link: Invitation,
  { name, ...secrets }: NewSecrets & { readonly name: string | null },
): Promise<User> {
  await spend(tx, link);
  const user = await ownUser(tx, link.person ?? 0);
  await replaceSecrets(tx, user.seq, secrets, null);
  if (!secrets.keepPasskeys) {
    await endCodes(tx, user.seq);
    await deleteIdentitiesOf(tx, user.seq);
  }
  // The maker of the link saw it, and could have used it.
  if (user.isProven) await setProven(tx, user.seq, false);
  if (name !== null) await setUserName(tx, user.seq, name);
  return user;
}

/** Redeems the invitation of a signed-in user. */
export async function useForKnown(tx: Tx, link: Invitation, user: User): Promise<void> {
  await spend(tx, link);
  await giveRole(tx, link, user);
  if (link.mailedOnly) await setProven(tx, user.seq, true);
}

/** The user who has the address of an invitation. */
export function knownUser(reader: Reader, { email }: Invitation): Promise<User | null> {
  return email === null ? Promise.resolve(null) : userByEmail(reader, email);
}

/** There may be several links for a first owner, of several starts; there is one first owner. */
async function spend(tx: Tx, link: Invitation): Promise<void> {
  const isSpent =
    kindOf(link) === "WELCOME"
      ? (await deleteWelcomes(tx)).includes(link.seq) && !(await hasUsers(tx))
      : (await deleteInvitation(tx, link.seq)) > 0;
  if (!isSpent) throw noLink();
}

async function giveRole(tx: Tx, { workspace, role }: Invitation, { seq }: User): Promise<void> {
  if (role === "OWNER") await setOwner(tx, seq, true);
  else if (workspace !== null) await setMembership(tx, { person: seq, workspace }, role);
  if (workspace !== null) notifyChange(tx, "team", workspace);
}
