// The contents of a backup: a consistent copy of the store, and the key and files that belong to it. Made on the backup
// thread.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import type { Config } from "../../base/config.ts";
import { keyText } from "../../base/secrets.ts";
import { copyPostgres } from "../../store/copy/postgres-copy.ts";
import { databaseFile } from "../../store/open.ts";
import { copySqlite, examined, ledgerEnds, type LedgerEnd } from "../../store/sqlite/snapshot.ts";
import type { ArchivePart } from "./archive.ts";
import { CERTIFICATE, DATABASE, KEY, MANIFEST } from "./parts.ts";

/** The first part of an archive. */
export type Manifest = {
  /** A later one has another number. */
  readonly format: number;
  readonly version: string;
  readonly schema: number;
  readonly engine: "sqlite" | "postgres";
  /** The moment that the backup holds. */
  readonly madeAt: string;
  readonly databaseBytes: number;
  /** The signed ends of the ledgers of consent: a manifest kept elsewhere is enough to verify them. */
  readonly consent?: readonly LedgerEnd[];
};

export const FORMAT = 1;

export type ArchiveContents = { readonly manifest: Manifest; readonly parts: readonly ArchivePart[] };

type ArchiveRequest = { readonly config: Config; readonly madeAt: string; readonly folder: string };

/** Copies the store into the folder and reads the copy once. @throws Error in plain words */
export async function contentsOf({ config, madeAt, folder }: ArchiveRequest): Promise<ArchiveContents> {
  const path = join(folder, DATABASE);
  const file = databaseFile(config);
  if (file === null) await copyPostgres({ url: config.database.url as string, to: path, now: madeAt });
  else copySqlite(file, path);
  const manifest: Manifest = {
    format: FORMAT,
    version,
    schema: examined(path).schema,
    madeAt,
    engine: file === null ? "postgres" : "sqlite",
    databaseBytes: statSync(path).size,
    consent: ledgerEnds(path),
  };
  const [key, ...files] = ownFiles(config) as [ArchivePart, ...ArchivePart[]];
  const parts = [
    { name: MANIFEST, text: `${JSON.stringify(manifest, null, 2)}\n` },
    key,
    { name: DATABASE, path },
    ...files,
  ];
  return { manifest, parts };
}

/** The key, and the server's own certificate if it has one. */
export function ownFiles(config: Config): readonly ArchivePart[] {
  const files = CERTIFICATE.map((name) => ({ name, path: join(config.data.dir, name) }));
  return [
    { name: KEY, text: keyText(config.secrets.key, config.data.dir) },
    ...files.filter((one) => existsSync(one.path)),
  ];
}
