// A workspace comes in from its file, in pieces, hidden until it is whole: if anything fails, it is removed again. Then
// it is disabled: its queued mail, its executions and its webhooks wait until a person enables it.
import type { Readable } from "node:stream";
import { signArrived, signerOfHeads } from "../../audience/consent/chain.ts";
import { verifyLedger } from "../../audience/consent/verify.ts";
import { iso } from "../../base/clock.ts";
import type { Secrets } from "../../base/secrets.ts";
import { giveRules } from "../../ground/ways/keep-rules.ts";
import type { Store, Tx } from "../../store/store.ts";
import { giveKey, makeDkimKey } from "../../tenant/domains/dkim-key.ts";
import { checkNewName } from "../../tenant/workspaces/workspace.ts";
import { removeWorkspace } from "../installation/removal.ts";
import { waitingIn } from "./arrival-queries.ts";
import { sweepArrived } from "../../audience/segments/queries.ts";
import { countArrived } from "../../audience/contacts/count-queries.ts";
import { takeUpArrived } from "../../programs/campaigns/queries.ts";
import { switchAllOff } from "../../programs/webhooks/endpoints/queries.ts";
import { showArrived, workspaceWithId } from "../../tenant/workspaces/arriving-queries.ts";
import { ABOUT, digestOf, FORMAT_VERSION, jsonPart, MANIFEST, SECRETS, unpacked } from "./file.ts";
import type { FileHeader, FileManifest, FilePart, PartDigest } from "./file.ts";
import { ArrivingRows } from "./arriving-rows.ts";
import { domainsWithoutKey } from "../../tenant/domains/arriving-queries.ts";
import { openedSecrets, takeSecrets } from "./secrets.ts";
import { refusedFile, UnreadableFile } from "./unreadable.ts";

export type ArrivalTerms = {
  readonly store: Store;
  readonly secrets: Secrets;
  /** Null = as in the file. */
  readonly name: string | null;
  /** A copy to try things with: its endpoints are switched off. */
  readonly isTrial: boolean;
  /** Opens the secrets of the file; null = they are passed over. */
  readonly passphrase: string | null;
  /** Writes to the audit log, in the transaction that shows the workspace. */
  readonly note: (tx: Tx, workspace: ArrivedWorkspace) => Promise<void>;
  /** Called after each piece, with the rows of its table so far. */
  readonly onRows?: (table: string, rows: number) => void;
};

export type ArrivedWorkspace = { readonly seq: number; readonly id: string; readonly name: string };

/** `hashes`: erased people whom only the installation that erased them recognizes. */
export type ArrivalReport = ArrivedWorkspace & {
  readonly counts: FileManifest["counts"];
  readonly emails: number;
  readonly executions: number;
  readonly hashes: number;
};

/**
 * Takes in a workspace. @throws AppError VALIDATION_ERROR for a file that cannot be read, CONFLICT if the workspace,
 * one of its ids or its name is here already; nothing is left behind then
 */
export async function arrive(terms: ArrivalTerms, bytes: Readable): Promise<ArrivalReport> {
  const rows = new ArrivingRows(terms);
  try {
    const { about, manifest, sealed } = await readParts(terms, rows, unpacked(bytes));
    await completed(terms, rows, sealed);
    return await revealWorkspace(terms, rows, { about, manifest });
  } catch (error) {
    if (rows.workspace !== 0) await removeWorkspace(terms.store, rows.workspace);
    throw error instanceof UnreadableFile
      ? refusedFile("VALIDATION_ERROR", `The file cannot be taken in: ${error.message}.`)
      : error;
  }
}

type FileContent = { readonly about: FileHeader; readonly manifest: FileManifest; readonly sealed: Buffer | null };

async function readParts(
  terms: ArrivalTerms,
  rows: ArrivingRows,
  parts: AsyncGenerator<FilePart>,
): Promise<FileContent> {
  let [about, manifest, sealed]: [FileHeader | null, FileManifest | null, Buffer | null] = [null, null, null];
  const digests: PartDigest[] = [];
  for await (const part of parts) {
    if (manifest !== null) throw new UnreadableFile(`after its ${MANIFEST} it goes on`);
    if (about === null) await refuseKnown(terms, (about = aboutIn(part)));
    else if (part.name === MANIFEST) checkManifest((manifest = jsonPart<FileManifest>(part)), about, digests);
    else if (part.name === SECRETS && sealed === null)
      digests.push(digestOf({ ...part, bytes: (sealed = part.bytes) }));
    else digests.push(digestOf({ ...part, rows: await rows.take(part, about.workspace.id) }));
  }
  if (about === null || manifest === null) throw new UnreadableFile("it is cut off: its end is missing");
  if (rows.workspace === 0) throw new UnreadableFile("it has no workspace");
  return { about, manifest, sealed };
}

/** @throws UnreadableFile */
function aboutIn(part: FilePart): FileHeader {
  if (part.name !== ABOUT) throw new UnreadableFile(`it does not begin with ${ABOUT}`);
  const about = jsonPart<FileHeader>(part);
  if (about.format !== "posthorn-workspace") throw new UnreadableFile("it is no file of a workspace");
  if (!(about.formatVersion <= FORMAT_VERSION))
    throw new UnreadableFile(`it was written by Posthorn ${about.version}, whose format is newer: update first`);
  if (typeof about.workspace?.id === "string" && typeof about.workspace.name === "string") return about;
  throw new UnreadableFile(`its ${ABOUT} names no workspace`);
}

/** @throws UnreadableFile if parts are missing, or are others than the manifest names */
function checkManifest({ parts }: FileManifest, about: FileHeader, digests: readonly PartDigest[]): void {
  if (!Array.isArray(parts)) throw new UnreadableFile(`its ${MANIFEST} names no parts`);
  for (const [at, { name, sha256, rows }] of (parts as PartDigest[]).entries()) {
    const there = digests[at];
    if (there?.name !== name) throw new UnreadableFile(`its ${name} is missing`);
    if (there.sha256 !== sha256 || there.rows !== rows) throw new UnreadableFile(`its ${name} was changed or damaged`);
  }
  if (digests.length > parts.length)
    throw new UnreadableFile(`its ${digests[parts.length]?.name} is not in its manifest (${about.workspace.name})`);
}

/** @throws AppError CONFLICT */
async function refuseKnown({ store, name }: ArrivalTerms, { workspace }: FileHeader): Promise<void> {
  const known = await store.read((reader) => workspaceWithId(reader, workspace.id));
  if (known === null) return store.read((reader) => checkNewName(reader, 0, name ?? workspace.name));
  if (known.arrivingUntil !== null && known.arrivingUntil <= iso(store.clock.nowMs()))
    return removeWorkspace(store, known.seq);
  const why = known.arrivingUntil === null ? `it is here already, as ${known.name}` : "it is coming in at this moment";
  throw refusedFile(
    "CONFLICT",
    `The workspace ${workspace.name} (${workspace.id}) cannot come in: ${why}.`,
    "Public ids are kept, so one installation has a workspace once. For a copy beside the original, use an installation of its own.",
  );
}

/** All but to show it. @throws UnreadableFile if the ledger of consent is not what it was */
async function completed(terms: ArrivalTerms, rows: ArrivingRows, sealed: Buffer | null): Promise<void> {
  const { store, secrets, passphrase } = terms;
  const { workspace, id } = rows;
  const found = sealed !== null && passphrase !== null ? await openedSecrets(sealed, passphrase) : null;
  await store.write(async (tx) => {
    await rows.renewLease(tx);
    await signArrived(tx, workspace, id);
    if (found) await takeSecrets(tx, { secrets, workspace: { seq: workspace } }, found);
  });
  const verdict = await verifyLedger(store, signerOfHeads(secrets), workspace);
  const [fault] = verdict?.faults ?? [];
  if (fault !== undefined) throw new UnreadableFile(`its ledger of consent was changed: ${fault}`);
  for (const { seq, domain } of await store.read((reader) => domainsWithoutKey(reader, workspace))) {
    const keyPair = await makeDkimKey();
    await store.write((tx) => giveKey(tx, secrets, { seq, domain, keyPair, activeFrom: tx.now }));
  }
}

/** @throws AppError CONFLICT if the name was taken in the meantime */
async function revealWorkspace(
  terms: ArrivalTerms,
  rows: ArrivingRows,
  { about, manifest }: Omit<FileContent, "sealed">,
) {
  const { workspace: seq, id } = rows;
  const name = terms.name ?? about.workspace.name;
  // Hidden rows cannot change, so they need not be counted while others wait.
  const waiting = await terms.store.read((reader) => waitingIn(reader, seq));
  return terms.store.write(async (tx): Promise<ArrivalReport> => {
    await rows.renewLease(tx);
    await checkNewName(tx, seq, name);
    await giveRules(tx, seq);
    for (const settle of [countArrived, sweepArrived, takeUpArrived]) await settle(tx, seq);
    if (terms.isTrial) await switchAllOff(tx, seq);
    await showArrived(tx, seq, name);
    await terms.note(tx, { seq, id, name });
    return { seq, id, name, counts: manifest.counts, ...waiting };
  });
}
