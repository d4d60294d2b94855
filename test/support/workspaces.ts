// Workspaces to call from: each with keys and a verified sender domain. All share one DKIM key, as making one takes
// long.
import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Secrets } from "../../src/base/secrets.ts";
import type { Store } from "../../src/store/store.ts";
import type { KeyPair } from "../../src/tenant/domains/dkim-key.ts";
import { addDomain, findDomain, takeAsVerified } from "../../src/tenant/domains/domain.ts";
import { createKeySet, type KeySetInput, type MintedKeys } from "../../src/tenant/access/key-set.ts";
import { allWorkspaces } from "../../src/tenant/workspaces/queries.ts";
import { changeWorkspace, createWorkspace, findWorkspace } from "../../src/tenant/workspaces/workspace.ts";

export type WorkspaceInput = { readonly name: string; readonly domain: string };
type House = { readonly store: Store; readonly secrets: Secrets };

/** Makes a workspace that may send from `domain`. */
export function addWorkspace({ store, secrets }: House, { name, domain }: WorkspaceInput): Promise<MintedKeys> {
  return store.write(async (tx) => {
    const workspace = await createWorkspace(tx, secrets, name);
    const row = await addDomain(tx, secrets, workspace.seq, { domain, keyPair: keyPair() });
    await takeAsVerified(tx, row);
    return createKeySet(tx, workspace.seq);
  });
}

/**
 * The keys of workspace "default" with the domain example.test, or null if the store has workspaces already. Its mails
 * are as they were written, unless a test looks for opens and clicks.
 */
export async function addFirstWorkspace(house: House, tracking = false): Promise<MintedKeys | null> {
  if ((await house.store.read(allWorkspaces)).length > 0) return null;
  const keys = await addWorkspace(house, { name: "default", domain: "example.test" });
  if (!tracking) {
    await house.store.write(async (tx) => {
      await changeWorkspace(tx, (await findWorkspace(tx, "default")).seq, { tracking: "DISABLED" });
    });
  }
  return keys;
}

/** Another key set of workspace "default". */
export function addKeys({ store }: House, input: KeySetInput = {}): Promise<MintedKeys> {
  return store.write(async (tx) => createKeySet(tx, (await findWorkspace(tx, "default")).seq, input));
}

/** Another domain that workspace "default" may send from. */
export async function addVerifiedDomain(house: House, domain: string): Promise<void> {
  await addUnverifiedDomain(house, domain);
  await house.store.write(async (tx) => {
    const { seq } = await findWorkspace(tx, "default");
    await takeAsVerified(tx, await findDomain(tx, domain, seq));
  });
}

/** A domain of workspace "default" that is not verified. */
export async function addUnverifiedDomain({ store, secrets }: House, domain: string): Promise<void> {
  await store.write(async (tx) => {
    const { seq } = await findWorkspace(tx, "default");
    await addDomain(tx, secrets, seq, { domain, keyPair: keyPair() });
  });
}

function keyPair(): KeyPair {
  const privateKeyPem = readFileSync(new URL("certificates/dkim.key.pem", import.meta.url), "utf8");
  const publicKey = createPublicKey(privateKeyPem).export({ type: "spki", format: "der" });
  return { privateKeyPem, publicKeyBase64: publicKey.toString("base64") };
}
