// The name of a workspace as people outside read it: on the pages and in the mails that this server writes for it.
import { domainToSendAs } from "../domains/queries.ts";
import type { Reader } from "../../store/store.ts";
import type { Workspace } from "./queries.ts";

/** The name of the first workspace until it gets another: it is not shown outside. */
export const FIRST_NAME = "default";

type NameHints = {
  /** The name of the brand's sender. */
  readonly brandName: string | null;
  /** The host of its links, or the domain of its own mail. */
  readonly host: string;
};

/** Whether the workspace has got a name of its own. */
export function isNamed({ name }: Pick<Workspace, "name">): boolean {
  return name !== FIRST_NAME;
}

/** The brand's name, else the workspace's, else the domain that it sends from, else `host` (docs/images.md). */
export async function nameOutside(
  reader: Reader,
  workspace: Pick<Workspace, "seq" | "name">,
  { brandName, host }: NameHints,
): Promise<string> {
  if (brandName !== null || isNamed(workspace)) return brandName ?? workspace.name;
  return (await domainToSendAs(reader, workspace.seq)) ?? host;
}
