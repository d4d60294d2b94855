// The roles that a provider gives by groups, brought up to date at each sign-in.
import type { ProviderSettings } from "../../../base/config/oidc.ts";
import { grantIn, ruleIn, type RoleGrant } from "../../../base/config/role-rules.ts";
import type { Tx } from "../../../store/store.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import { allWorkspaces } from "../../../tenant/workspaces/queries.ts";
import { noteAct } from "../audit/audit.ts";
import { deleteLinksBy } from "../invitation-queries.ts";
import { endMembership, giveMembership } from "../member.ts";
import { lockOwners, rolesHeld, setOwner, type HeldRole, type MemberRole, type User } from "../queries.ts";
import { deleteOtherSessions } from "../session/session-queries.ts";

type RolePlace = { readonly seq: number; readonly id: string; readonly name: string };
/** Roles by the number of the workspace. */
type Decision = { readonly isOwner: boolean; readonly roles: ReadonlyMap<number, MemberRole> };

/** The roles for these groups; the first rule that fits counts, in each workspace. */
export function decisionOf(
  { roles, defaultRole }: Pick<ProviderSettings, "roles" | "defaultRole">,
  groups: readonly string[],
  places: readonly RolePlace[],
): { readonly byGroups: Decision; readonly byDefault: Decision } {
  const rules = roles.map(ruleIn).filter((rule) => rule !== null && groups.includes(rule.group)) as RoleGrant[];
  const standard = defaultRole === null ? null : grantIn(defaultRole);
  return { byGroups: decided(rules, places), byDefault: decided(standard ? [standard] : [], places) };
}

function decided(grants: readonly RoleGrant[], places: readonly RolePlace[]): Decision {
  const roles = new Map<number, MemberRole>();
  for (const { role, workspace } of grants) {
    if (role === "OWNER") return { isOwner: true, roles: new Map() };
    const there = places.filter(({ id, name }) => workspace === null || workspace === name || workspace === id);
    for (const { seq } of there) if (!roles.has(seq)) roles.set(seq, role);
  }
  return { isOwner: false, roles };
}

type Giver = Pick<ProviderSettings, "issuer" | "label" | "roles" | "defaultRole">;

/**
 * Gives and ends what the provider decides; roles that people have given stay, unless a group says another one for the
 * same workspace. If a role was ended or changed, the sessions of the user end. Answers whether they have any role now.
 */
export async function bringUpToDate(tx: Tx, user: User, provider: Giver, groups: readonly string[]): Promise<boolean> {
  const isOwnerByHand = user.isOwner && user.ownerBy === null;
  return isOwnerByHand || decide(tx, user, provider, groups);
}

/** Ends the roles that a provider has given to a user who is no longer linked to it. */
export async function endAllGiven(tx: Tx, user: User, provider: Pick<Giver, "issuer" | "label">): Promise<void> {
  await decide(tx, user, { ...provider, roles: [], defaultRole: null }, []);
}

async function decide(tx: Tx, user: User, provider: Giver, groups: readonly string[]): Promise<boolean> {
  const held = await rolesHeld(tx, user.seq);
  const { byGroups, byDefault } = decisionOf(provider, groups, await allWorkspaces(tx));
  const isNone = !byGroups.isOwner && byGroups.roles.size === 0;
  const isByHand = held.some(({ givenBy }) => givenBy !== provider.issuer);
  const decision = isNone && !isByHand ? byDefault : byGroups;
  const isOwner = await decideOwner(tx, user, provider, decision.isOwner);
  const hasChanged = [isOwner !== user.isOwner && user.isOwner];
  for (const [workspace, role] of decision.roles) {
    const before = held.find((one) => one.workspace === workspace);
    hasChanged.push(await give(tx, user, provider, { workspace, role, before }));
  }
  for (const { workspace, role, givenBy } of held)
    if (givenBy === provider.issuer && !decision.roles.has(workspace)) {
      await endMembership(tx, user.seq, workspace);
      await note(tx, provider, user, { action: "endRoleByProvider", workspace, role });
      hasChanged.push(true);
    }
  if (hasChanged.includes(true)) await deleteOtherSessions(tx, user.seq, null);
  return isOwner || decision.roles.size > 0 || isByHand;
}

/** The last owner stays one. Answers whether the user is an owner now. */
async function decideOwner(tx: Tx, user: User, provider: Giver, isWanted: boolean): Promise<boolean> {
  if (isWanted === user.isOwner || (!isWanted && user.ownerBy !== provider.issuer)) return user.isOwner;
  if (!isWanted && (await lockOwners(tx)).length === 1) return true;
  if (!isWanted) await deleteLinksBy(tx, user.seq, null);
  await setOwner(tx, user.seq, isWanted, { by: isWanted ? provider.issuer : null });
  const action = isWanted ? "giveRoleByProvider" : "endRoleByProvider";
  await note(tx, provider, user, { action, workspace: 0, role: "OWNER" });
  return isWanted;
}

type Gift = { readonly workspace: number; readonly role: MemberRole; readonly before: HeldRole | undefined };

/** Answers whether another role was there before. */
async function give(tx: Tx, user: User, provider: Giver, { workspace, role, before }: Gift): Promise<boolean> {
  if (before?.role === role && before.givenBy === provider.issuer) return false;
  await giveMembership(tx, { person: user.seq, workspace, givenBy: provider.issuer }, role);
  await note(tx, provider, user, { action: "giveRoleByProvider", workspace, role });
  return before !== undefined && before.role !== role;
}

type RoleChange = { readonly action: string; readonly workspace: number; readonly role: string };

async function note(
  tx: Tx,
  { label }: Pick<Giver, "label">,
  { id, name }: User,
  { action, workspace, role }: RoleChange,
): Promise<void> {
  const by = { kind: "PERSON", id: null, name: label } as const;
  await noteAct(tx, { by, action, workspace, target: { id, kind: "users", name }, reason: role });
  if (workspace !== 0) notifyChange(tx, "team", workspace);
}
