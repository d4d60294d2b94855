// What an empty installation begins with: a workspace, its keys, and a domain to try things out with.
import { makeDkimKey } from "../delivery/dkim.ts";
import type { Secrets } from "../secrets.ts";
import type { Store } from "../store/store.ts";
import { addDomain, takeAsVerified } from "../workspaces/domain.ts";
import { createKeySet, type MintedKeys } from "../workspaces/key-set.ts";
import { allWorkspaces } from "../workspaces/queries.ts";
import { createWorkspace } from "../workspaces/workspace.ts";

export const TRY_OUT_DOMAIN = "example.test";

/** Makes all of it in one change, or answers null if there is a workspace already. */
export async function prepareFirstStart(store: Store, secrets: Secrets): Promise<MintedKeys | null> {
  if ((await store.read(allWorkspaces)).length > 0) return null;
  const keyPair = await makeDkimKey();
  return store.write(async (tx) => {
    // Asked again: while the key was made somebody may have begun.
    if ((await allWorkspaces(tx)).length > 0) return null;
    const workspace = await createWorkspace(tx, "default");
    const domain = await addDomain(tx, secrets, workspace.seq, { domain: TRY_OUT_DOMAIN, keyPair });
    await takeAsVerified(tx, domain);
    return createKeySet(tx, workspace.seq, { name: "first keys" });
  });
}
