// The secrets of a workspace in its file, in age (age-encryption.org/v1) under a passphrase: DKIM keys, and what signs
// webhooks. Each installation encrypts them with a key of its own.
import type { Secrets } from "../../base/secrets.ts";
import { UnreadableError } from "../../base/secrets.ts";
import type { Store, Tx } from "../../store/store.ts";
import { newWebhookSecret } from "../../tenant/workspaces/workspace.ts";
import { secretsIn, setSecrets } from "./secret-queries.ts";
import { domainKeysOf, insertArrivedKey, type PortableKey } from "../../tenant/domains/arriving-queries.ts";
import { age, setPassphrase } from "../backup/archive.ts";
import { filePlan, type FileTable } from "./plan.ts";
import { UnreadableFile } from "./unreadable.ts";

/** Tables whose rows have secrets beside what goes. */
const withSecrets = () => filePlan().tables.filter(({ says }) => says.secret);

type RowSecrets = { readonly table: string; readonly id: string; readonly secrets: Readonly<Record<string, string>> };
type FileSecrets = { readonly rows: readonly RowSecrets[]; readonly domainKeys: readonly PortableKey[] };

export type SecretsOwner = { readonly secrets: Secrets; readonly workspace: { readonly seq: number } };

export async function sealedSecrets(
  store: Store,
  { secrets, workspace }: SecretsOwner,
  passphrase: string,
): Promise<Buffer> {
  const found = await store.read(async (reader): Promise<FileSecrets> => {
    const rows: RowSecrets[] = [];
    for (const { name, says } of withSecrets())
      for (const { id, ...encrypted } of await secretsIn(reader, workspace.seq, name, says.secret ?? [])) {
        const held = Object.entries(encrypted).filter((one): one is [string, string] => one[1] !== null);
        rows.push({
          table: name,
          id: id as string,
          secrets: Object.fromEntries(held.map((one) => decryptColumn(secrets, one))),
        });
      }
    const keys = await domainKeysOf(reader, workspace.seq);
    return { rows, domainKeys: keys.map((one) => ({ ...one, privateKey: secrets.decrypt(one.privateKey) })) };
  });
  const encrypter = new (await age()).Encrypter();
  setPassphrase(encrypter, passphrase);
  return Buffer.from(await encrypter.encrypt(JSON.stringify(found)));
}

/** Times belong to secrets, and are none. */
const isTime = (column: string) => column.endsWith("_until");

function decryptColumn(secrets: Secrets, [column, value]: readonly [string, string]): readonly [string, string] {
  return [column, isTime(column) ? value : secrets.decrypt(value)];
}

/** @throws UnreadableFile if the passphrase does not open them */
export async function openedSecrets(bytes: Buffer, passphrase: string): Promise<FileSecrets> {
  const decrypter = new (await age()).Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    const found = JSON.parse(await decrypter.decrypt(bytes, "text")) as FileSecrets;
    if (Array.isArray(found.rows) && Array.isArray(found.domainKeys)) return found;
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
  }
  throw new UnreadableFile("the passphrase does not open its secrets");
}

/** In place of those that were made while the rows came in. */
export async function takeSecrets(tx: Tx, { secrets, workspace }: SecretsOwner, found: FileSecrets): Promise<void> {
  for (const { table, id, secrets: given } of found.rows) {
    const known = withSecrets().find(({ name }) => name === table)?.says.secret ?? [];
    const columns = Object.entries(given).filter(([column]) => known.includes(column));
    const kept = columns.map(([column, text]): [string, string] => [
      column,
      isTime(column) ? text : secrets.encrypt(text),
    ]);
    if (kept.length > 0) await setSecrets(tx, workspace.seq, { table, id, columns: Object.fromEntries(kept) });
  }
  for (const key of found.domainKeys)
    await insertArrivedKey(tx, workspace.seq, { ...key, privateKey: secrets.encrypt(key.privateKey) });
}

/** A row's secret until it gets that of the file, if there is one. */
export function newSecretsOf({ says }: FileTable, secrets: Secrets): Readonly<Record<string, string>> {
  const [first] = says.secret ?? [];
  return first === undefined ? {} : { [first]: secrets.encrypt(newWebhookSecret()) };
}
