// Members of a workspace: their roles there, and who may be invited.
import { AppError, limitReached } from "../../base/errors.ts";
import { ROLES, type Role } from "../../base/roles.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { refuseSavedSince, timeOfSaving, type SaveTerms } from "../../tenant/access/saving.ts";
import { lockWorkspace } from "../../tenant/workspaces/queries.ts";
import { countInvitations, deleteInvitationById, deleteInvitationsTo, deleteLinksBy } from "./invitation-queries.ts";
import { invitationToken } from "./invitations/link.ts";
import { refuseGiven, type RoleGiver } from "./identities/given.ts";
import { memberWith, memberWithAddress, type TeamMember } from "./people-queries.ts";
import { deleteMembership, setMembership, type MemberRole, type Seat } from "./queries.ts";

const MOST_OPEN = 200;

/** @throws AppError USER_NOT_FOUND, also for a user outside the workspace */
export async function findMember(reader: Reader, workspace: number, id: string): Promise<TeamMember> {
  const member = await memberWith(reader, workspace, id);
  if (!member) throw new AppError("USER_NOT_FOUND", `There is no member ${id}.`);
  return member;
}

type NewRole = Pick<SaveTerms, "ifUpdatedAt"> & {
  readonly role: MemberRole;
  readonly providers: readonly RoleGiver[];
};

/**
 * @throws AppError USER_NOT_FOUND; CONFLICT for an owner, whose role is not the workspace's, for a role that a provider
 * decides, or if it was changed since `ifUpdatedAt`
 */
export async function changeRole(
  tx: Tx,
  workspace: number,
  id: string,
  { role, providers, ...saving }: NewRole,
): Promise<TeamMember> {
  // Two concurrent changes would both have seen the role before.
  await lockWorkspace(tx, workspace);
  const member = await findMember(tx, workspace, id);
  refuseOwner(member);
  refuseGiven(member, providers);
  refuseSavedSince(tx, member, saving);
  await giveMembership(tx, { person: member.seq, workspace }, role, timeOfSaving(tx, member));
  return findMember(tx, workspace, id);
}

/** The older invitations by a member who may no longer invite are deleted: the member could rejoin by one. */
export async function giveMembership(tx: Tx, seat: Seat, role: MemberRole, at = tx.now): Promise<void> {
  await setMembership(tx, seat, role, at);
  if (!ROLES[role].has("workspace")) await deleteLinksBy(tx, seat.person, seat.workspace);
}

/** With the invitations that they have made. */
export async function endMembership(tx: Tx, person: number, workspace: number): Promise<void> {
  await deleteMembership(tx, person, workspace);
  await deleteLinksBy(tx, person, workspace);
}

/** The user stays, in other workspaces and without one. @throws AppError as `changeRole` */
export async function removeMember(
  tx: Tx,
  workspace: number,
  id: string,
  providers: readonly RoleGiver[],
): Promise<void> {
  const member = await findMember(tx, workspace, id);
  refuseOwner(member);
  refuseGiven(member, providers);
  await endMembership(tx, member.seq, workspace);
  await deleteInvitationsTo(tx, workspace, member.email);
}

function refuseOwner({ isOwner }: TeamMember): void {
  if (!isOwner) return;
  throw new AppError("CONFLICT", "An owner is in every workspace.", {
    reason: "owner_everywhere",
    suggestion: "Owners change that: PATCH /users/{id}.",
  });
}

/** `email` as `loginAddress` answers it. */
type InviteRequest = { readonly email: string; readonly role: Role };

/**
 * Answers the token of the link; an earlier invitation of the address ends.
 * @throws AppError FORBIDDEN if a non-owner invites an owner, CONFLICT
 */
export async function invite(
  tx: Tx,
  { workspace, by, person }: Caller,
  { email, role }: InviteRequest,
): Promise<string> {
  if (role === "OWNER" && !person?.isOwner) throw new AppError("FORBIDDEN", "Only an owner can invite an owner.");
  if (await memberWithAddress(tx, workspace, email))
    throw new AppError("CONFLICT", "This address belongs to a member of the workspace.", {
      reason: "address_is_members",
    });
  if ((await countInvitations(tx, workspace, tx.now)) >= MOST_OPEN)
    throw limitReached(
      "invitations",
      MOST_OPEN,
      `A workspace has at most ${MOST_OPEN} open invitations.`,
      "Withdraw some first.",
    );
  return invitationToken(tx, { workspace, email, role, invitedBy: by.name, inviter: person?.user ?? null });
}

/** @throws AppError INVITATION_NOT_FOUND, also for one that was accepted */
export async function withdraw(tx: Tx, workspace: number, id: string): Promise<void> {
  if ((await deleteInvitationById(tx, workspace, id)) > 0) return;
  throw new AppError("INVITATION_NOT_FOUND", `There is no open invitation ${id}.`);
}
