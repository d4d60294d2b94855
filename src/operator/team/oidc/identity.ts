// Identities: a user is linked to a person at a provider, by issuer and subject. At the first sign-in the verified
// address finds the user; owners and users with a second factor link the person in their own account.
import type { ProviderSettings } from "../../../base/config/oidc.ts";
import { AppError } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { allWorkspaces } from "../../../tenant/workspaces/queries.ts";
import { noteAct } from "../audit/audit.ts";
import { areCodesAsked } from "../codes/codes.ts";
import { openInvitationsTo } from "../invitation-queries.ts";
import { useForKnown } from "../invitations/link.ts";
import { passkeysOf } from "../passkeys/queries.ts";
import { userByEmail, userBySeq, type User } from "../queries.ts";
import { deleteOtherSessions } from "../session/session-queries.ts";
import { createUser } from "../user.ts";
import type { ProviderPerson } from "./claims.ts";
import {
  deleteIdentity,
  identitiesOf,
  identityWith,
  insertIdentity,
  noteIdentityUse,
  type Identity,
} from "../identities/queries.ts";
import { bringUpToDate, decisionOf, endAllGiven } from "./roles.ts";

/**
 * The user who signs in, linked, in the workspaces that they are invited to, and with the roles that the provider
 * gives. A refusal is answered and not thrown if roles have ended with it.
 * @throws AppError SIGN_IN_FAILED if this person may not sign in
 */
export async function entrant(tx: Tx, provider: ProviderSettings, person: ProviderPerson): Promise<User | AppError> {
  const user = (await linkedUser(tx, provider, person)) ?? (await linkedByAddress(tx, provider, person));
  await noteIdentityUse(tx, provider.issuer, person.subject, person.email);
  if (person.email !== null && person.email === user.email) await joinInvited(tx, user);
  if (await bringUpToDate(tx, user, provider, person.groups)) return user;
  await deleteOtherSessions(tx, user.seq, null);
  return noRole(provider);
}

async function linkedUser(
  reader: Reader,
  { issuer }: ProviderSettings,
  { subject }: ProviderPerson,
): Promise<User | null> {
  const identity = await identityWith(reader, issuer, subject);
  return identity && userBySeq(reader, identity.person);
}

/** @throws AppError SIGN_IN_FAILED */
async function linkedByAddress(tx: Tx, provider: ProviderSettings, person: ProviderPerson): Promise<User> {
  const { email } = person;
  if (email === null)
    throw new AppError("SIGN_IN_FAILED", `${provider.label} has not verified your address.`, {
      reason: "provider_address",
      values: { provider: provider.label },
    });
  const known = await userByEmail(tx, email);
  if (known && (await needsProof(tx, known)))
    throw new AppError("SIGN_IN_FAILED", `This address is not linked to ${provider.label} yet.`, {
      reason: "provider_link_first",
      values: { provider: provider.label },
      suggestion: "Sign in as before, and link it under your account.",
    });
  const user = known ?? (await newcomer(tx, provider, { ...person, email }));
  await link(tx, provider, user, person);
  return user;
}

/** Owners, and users with a second factor. */
async function needsProof(reader: Reader, { isOwner, seq }: User): Promise<boolean> {
  return isOwner || (await passkeysOf(reader, seq)).length > 0 || (await areCodesAsked(reader, seq));
}

/** Made only if they have a role then. @throws AppError SIGN_IN_FAILED */
async function newcomer(
  tx: Tx,
  provider: ProviderSettings,
  { email, name, groups }: ProviderPerson & { readonly email: string },
): Promise<User> {
  const { byGroups, byDefault } = decisionOf(provider, groups, await allWorkspaces(tx));
  const isWelcome = byGroups.isOwner || byGroups.roles.size > 0 || byDefault.roles.size > 0;
  if (!isWelcome && (await openInvitationsTo(tx, email, tx.now)).length === 0) throw noRole(provider);
  return createUser(tx, { email, name: name ?? email });
}

async function joinInvited(tx: Tx, user: User): Promise<void> {
  for (const invitation of await openInvitationsTo(tx, user.email, tx.now)) await useForKnown(tx, invitation, user);
}

/** Answers its id. @throws AppError CONFLICT if one of the two is linked already */
export async function link(
  tx: Tx,
  { issuer, label }: Pick<ProviderSettings, "issuer" | "label">,
  user: User,
  { subject, email }: ProviderPerson,
): Promise<string> {
  const id = newId(tx.nowMs);
  if ((await insertIdentity(tx, { id, person: user.seq, issuer, subject, email })) === 0)
    throw new AppError("CONFLICT", `You are linked to ${label} already, or this account there is somebody else's.`, {
      reason: "identity_taken",
      values: { provider: label },
    });
  const by = { kind: "PERSON", id: user.id, name: user.name } as const;
  await noteAct(tx, { by, action: "linkIdentity", target: user.id, reason: label });
  return id;
}

/** @throws AppError IDENTITY_NOT_FOUND, also for another user's */
export async function ownIdentity(reader: Reader, person: number, id: string): Promise<Identity> {
  const found = (await identitiesOf(reader, person)).find((one) => one.id === id);
  if (!found) throw new AppError("IDENTITY_NOT_FOUND", `There is no identity ${id}.`);
  return found;
}

/** The roles that the provider has given end too. @throws AppError CONFLICT if the user could not sign in then */
export async function unlink(
  tx: Tx,
  user: User,
  { seq, issuer }: Identity,
  providers: readonly ProviderSettings[],
): Promise<void> {
  const hasOther = user.passwordHash !== null || (await passkeysOf(tx, user.seq)).length > 0;
  if (!hasOther || providers.some(({ only }) => only))
    throw new AppError("CONFLICT", "Without it you could not sign in.", {
      reason: "last_identity",
      suggestion: "Set a password or add a passkey first.",
    });
  await deleteIdentity(tx, seq);
  const label = providers.find((one) => one.issuer === issuer)?.label ?? issuer;
  await endAllGiven(tx, user, { issuer, label });
}

function noRole({ label }: ProviderSettings): AppError {
  return new AppError("SIGN_IN_FAILED", `${label} knows you, but gives you no role here.`, {
    reason: "provider_no_role",
    values: { provider: label },
  });
}
