// Which role a group of a provider of sign-ins has here, as the configuration writes it: "marketing = marketer in
// Shop".
import { ROLES, type Role } from "../roles.ts";

/** `workspace`: its name or id; null = every one, or the installation for an owner. */
export type RoleGrant = { readonly role: Role; readonly workspace: string | null };
export type RoleRule = RoleGrant & { readonly group: string };

/** "marketer" or "marketer in Shop"; null = it is no role. */
export function grantIn(text: string): RoleGrant | null {
  const [, word = "", workspace = null] = /^([a-z]+)(?:\s+in\s+(.+))?$/i.exec(text.trim()) ?? [];
  const role = word.toUpperCase();
  if (!Object.hasOwn(ROLES, role) || (role === "OWNER" && workspace !== null)) return null;
  return { role: role as Role, workspace };
}

/** The last sign of equality counts: names of groups in directories have some. Null = it is no rule. */
export function ruleIn(text: string): RoleRule | null {
  const [, group, given = ""] = /^(.*\S)\s*=\s*([^=]+)$/.exec(text.trim()) ?? [];
  const grant = grantIn(given);
  return group === undefined || grant === null ? null : { group, ...grant };
}
