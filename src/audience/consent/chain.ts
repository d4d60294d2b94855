// Chains the ledger: each row gets its number in the workspace, and a hash over the hash before it and a salted digest
// of its content. An erasure removes the content and its salt but keeps the digest, from which the content cannot be
// guessed without the salt.
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { randomBytes } from "node:crypto";
import type { Secrets, Signer } from "../../base/secrets.ts";
import type { Store, Tx } from "../../store/store.ts";
import * as queries from "./chain-queries.ts";
import type { LedgerHead, NewLink, Tip } from "./chain-queries.ts";
import type { LedgerContent } from "./content.ts";
import { digestOf } from "./digest.ts";
import { doorsAmong } from "./doors.ts";
import { insertNotes } from "./queries.ts";

const SALT_BYTES = 16;

/** The hash before the first row of a workspace's chain. */
export function originOf(workspaceId: string): Uint8Array {
  return digestOf(`posthorn consent ${workspaceId}`);
}

const place = Buffer.alloc(8);

export function hashOf(before: Uint8Array, number: number, digest: Uint8Array): Uint8Array {
  place.writeUInt32BE(Math.floor(number / 2 ** 32), 0);
  place.writeUInt32BE(number % 2 ** 32, 4);
  return digestOf(before, place, digest);
}

/** The text that the installation's key signs. */
export function signedOf(workspaceId: string, { number, hash, at }: Omit<LedgerHead, "signature">): Buffer {
  const lines = ["posthorn consent head", workspaceId, String(number), Buffer.from(hash).toString("hex"), at];
  return Buffer.from(lines.join("\n"));
}

const USE = "consent";

export function signerOfHeads(secrets: Secrets): Signer {
  return secrets.signer(USE);
}

/** Keeps the path from any row to a signed head short enough for an evidence file. */
const ROWS_A_HEAD = 1_000;

type LedgerNote = { readonly workspace: number; readonly contact: number | null; readonly content: LedgerContent };

/**
 * Adds rows to the ledger. With one writer, each row is chained as it is written. Several servers would wait for each
 * other's end of the chain, so there a loop chains the rows a moment later.
 */
export async function writeNotes(tx: Tx, notes: readonly LedgerNote[]): Promise<void> {
  if (!tx.dialect.hasOneWriter)
    return insertNotes(
      tx,
      notes.map((note) => ({ ...note, content: JSON.stringify(note.content) })),
    );
  for (const [workspace, theirs] of Map.groupBy(notes, (note) => note.workspace))
    await tx.inTurn(`consent ${workspace}`, async () => {
      const contents = theirs.map(({ content }) => content);
      const links = await chain(tx, workspace, await queries.lockTip(tx, workspace), contents);
      const rows = theirs.map(({ contact }, at) => ({ workspace, contact, ...(links[at] as NewLink) }));
      await queries.insertChained(tx, rows);
    });
}

/** Extends the chain from its locked end; answers the columns to write for each row. */
async function chain(
  tx: Tx,
  workspace: number,
  { workspaceId, ...tip }: Tip,
  contents: readonly LedgerContent[],
): Promise<NewLink[]> {
  const doorOf = await doorsAmong(tx, workspace, contents);
  const salts = randomBytes(SALT_BYTES * contents.length);
  let { number, hash } = tip.number > 0 ? tip : { number: 0, hash: originOf(workspaceId) };
  const links = contents.map((noted, at) => {
    const content = JSON.stringify(doorOf(noted));
    const salt = salts.subarray(SALT_BYTES * at, SALT_BYTES * (at + 1));
    const digest = digestOf(salt, content);
    hash = hashOf(hash, ++number, digest);
    return { content, number, salt, digest, hash };
  });
  const isKept = tip.at.slice(0, 10) < tx.now.slice(0, 10) || thousandOf(tip.number) < thousandOf(number);
  if (tip.number > 0 && isKept) await queries.keepHead(tx, workspace, tip);
  const head = { number, hash, at: tx.now };
  await queries.setTip(tx, workspace, { ...head, signature: tx.signature(USE, signedOf(workspaceId, head)) });
  return links;
}

function thousandOf(number: number): number {
  return Math.floor(number / ROWS_A_HEAD);
}

/** Rows chained in one transaction: a few milliseconds. */
const MOST_ROWS = 300;
/** The longest delay between a change and its chaining. */
export const CHAIN_EVERY_MS = 1_000;

/** Workspaces take turns: `#after` is the workspace of the last turn. */
export class Chainer {
  #after = 0;

  constructor(private readonly store: Store) {}

  /** Chains some rows of one workspace; answers for how long to rest. */
  async step(): Promise<number> {
    const next = await this.store.read((reader) => queries.workspaceToChain(reader, this.#after));
    if (!next && this.#after === 0) return NOTHING_DUE;
    this.#after = next ?? 0;
    if (next) await this.store.write((tx) => chainWaiting(tx, next));
    return 0;
  }
}

/** Chains the rows of a workspace that wait for the loop. */
export async function chainAll(store: Store, workspace: number): Promise<void> {
  while (await store.write((tx) => chainWaiting(tx, workspace))) continue;
}

/** Answers whether there were some. */
async function chainWaiting(tx: Tx, workspace: number): Promise<boolean> {
  const tip = await queries.lockTip(tx, workspace);
  const notes = await queries.notesToChain(tx, workspace, MOST_ROWS);
  if (notes.length === 0) return false;
  const contents = notes.map(({ content }) => JSON.parse(content) as LedgerContent);
  const links = await chain(tx, workspace, tip, contents);
  const rows = links.map((link, at) => ({ seq: (notes[at] as { readonly seq: number }).seq, ...link }));
  await queries.setChained(tx, rows);
  return true;
}

/** Signs the end and the heads of a ledger that has come from another installation, whose signatures stayed there. */
export async function signArrived(tx: Tx, workspace: number, workspaceId: string): Promise<void> {
  for (const head of await queries.arrivedHeads(tx, workspace)) {
    const signature = tx.signature(USE, signedOf(workspaceId, head));
    await (head.isTip ? queries.setTip : queries.signHead)(tx, workspace, { ...head, signature });
  }
}
