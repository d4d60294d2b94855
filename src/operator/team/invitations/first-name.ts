// The name of a workspace for people outside it, and the name that the first owner gives the first one.
import { parseDomainName } from "../../../base/addresses.ts";
import { invalidField } from "../../../base/errors.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { findBrand } from "../../../content/templates/brand/brand.ts";
import { FIRST_NAME, nameOutside } from "../../../tenant/workspaces/name.ts";
import { workspaceNamed, type Workspace } from "../../../tenant/workspaces/queries.ts";
import { changeWorkspace } from "../../../tenant/workspaces/workspace.ts";
import type { Invitation } from "../invitation-queries.ts";
import { kindOf } from "./link.ts";

/** `host`: stands in for a missing name. */
export async function nameForStranger(
  reader: Reader,
  workspace: Pick<Workspace, "seq" | "name">,
  host: string,
): Promise<string> {
  const { brand } = await findBrand(reader, workspace.seq);
  return nameOutside(reader, workspace, { brandName: brand.fromName, host });
}

/** Null = the link is to no workspace. */
export async function nameInLink(reader: Reader, link: Invitation, baseUrl: string): Promise<string | null> {
  const { workspace: seq, workspaceName: name } = link;
  return seq === null || name === null ? null : nameForStranger(reader, { seq, name }, new URL(baseUrl).host);
}

/** The domain above the server's, or nothing where that has none; null = there is nothing to name. */
export async function nameProposal(reader: Reader, link: Invitation, baseUrl: string): Promise<string | null> {
  if (kindOf(link) !== "WELCOME" || !(await workspaceNamed(reader, FIRST_NAME))) return null;
  const domain = parseDomainName(new URL(baseUrl).hostname) ?? "";
  const labels = domain.split(".");
  return labels.slice(labels.length > 2 ? 1 : 0).join(".");
}

/** @throws AppError VALIDATION_ERROR, CONFLICT if another workspace has the name */
export async function nameFirst(tx: Tx, link: Invitation, name: string): Promise<void> {
  const first = kindOf(link) === "WELCOME" ? await workspaceNamed(tx, FIRST_NAME) : null;
  if (!first) throw invalidField("workspaceName", "This link names no workspace.", "invalid");
  await changeWorkspace(tx, first.seq, { name });
}
