// What an empty installation begins with: a workspace, its keys, and a domain to try things out with.
import { AppError } from "../errors.ts";
import type { Secrets } from "../secrets.ts";
import type { Store, Tx } from "../store/store.ts";
import { makeDkimKey, type KeyPair } from "../workspaces/domains/dkim-key.ts";
import { addDomain, takeAsVerified } from "../workspaces/domains/domain.ts";
import { createKeySet, type MintedKeys } from "../workspaces/key-set.ts";
import { allWorkspaces } from "../workspaces/queries.ts";
import { createWorkspace } from "../workspaces/workspace.ts";

export const TRY_OUT_DOMAIN = "example.test";

/** Makes all of it in one change, or answers null if there is a workspace already. */
export async function prepareFirstStart(store: Store, secrets: Secrets): Promise<MintedKeys | null> {
  if ((await store.read(allWorkspaces)).length > 0) return null;
  const keyPair = await makeDkimKey();
  try {
    return await store.write((tx) => prepare(tx, secrets, keyPair));
  } catch (error) {
    // Another process has made its first start on the same database at the same moment.
    if (error instanceof AppError && error.code === "CONFLICT") return null;
    throw error;
  }
}

async function prepare(tx: Tx, secrets: Secrets, keyPair: KeyPair): Promise<MintedKeys> {
  const workspace = await createWorkspace(tx, secrets, "default");
  const domain = await addDomain(tx, secrets, workspace.seq, { domain: TRY_OUT_DOMAIN, keyPair });
  await takeAsVerified(tx, domain);
  return createKeySet(tx, workspace.seq, { name: "first keys" });
}
