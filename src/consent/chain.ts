// Chains the ledger: each row gets its number in the workspace, and a hash over the hash before it and a salted digest
// of what it says. The digest stays when the content is erased, and without the salt nobody can guess from it what the
// content was.
import { randomBytes } from "node:crypto";
import type { Secrets, Signer } from "../secrets.ts";
import type { Store, Tx } from "../store/store.ts";
import { keepHead, lockTip, notesToChain, setChained, setTip, workspaceToChain, type Head } from "./chain-queries.ts";
import type { Content } from "./consent.ts";
import { digestOf } from "./digest.ts";
import { doorsAmong } from "./doors.ts";

const SALT_BYTES = 16;

/** What the chain of a workspace begins with. */
export function originOf(workspaceId: string): Uint8Array {
  return digestOf(`posthorn consent ${workspaceId}`);
}

const place = Buffer.alloc(8);

export function hashOf(before: Uint8Array, number: number, digest: Uint8Array): Uint8Array {
  place.writeUInt32BE(Math.floor(number / 2 ** 32), 0);
  place.writeUInt32BE(number % 2 ** 32, 4);
  return digestOf(before, place, digest);
}

/** What the installation's key signs. */
export function signedOf(workspaceId: string, { number, hash, at }: Omit<Head, "signature">): Buffer {
  const lines = ["posthorn consent head", workspaceId, String(number), Buffer.from(hash).toString("hex"), at];
  return Buffer.from(lines.join("\n"));
}

export function signerOfHeads(secrets: Secrets): Signer {
  return secrets.signer("consent");
}

/** Chained in one transaction: a few milliseconds. */
const MOST_ROWS = 300;
/** So that the way from any row to a signed head is short enough for an evidence file. */
const ROWS_A_HEAD = 1_000;
/** So much later than the change, at most. */
const REST_MS = 1_000;

/** Workspaces take turns: `after` is whose turn it was. */
export class Chainer {
  #after = 0;

  constructor(
    private readonly store: Store,
    private readonly signer: Signer,
  ) {}

  /** Chains some rows of one workspace; answers how long to rest. */
  async step(): Promise<number> {
    const next = await this.store.read((reader) => workspaceToChain(reader, this.#after));
    if (!next && this.#after === 0) return REST_MS;
    this.#after = next?.seq ?? 0;
    if (next) await this.store.write((tx) => chain(tx, next, this.signer));
    return 0;
  }
}

function thousandOf(number: number): number {
  return Math.floor(number / ROWS_A_HEAD);
}

type Workspace = { readonly seq: number; readonly id: string };

async function chain(tx: Tx, { seq: workspace, id }: Workspace, signer: Signer): Promise<void> {
  const tip = (await lockTip(tx, workspace)) ?? { number: 0, hash: originOf(id), at: "", signature: new Uint8Array() };
  const notes = await notesToChain(tx, workspace, MOST_ROWS);
  if (notes.length === 0) return;
  const contents = notes.map(({ content }) => JSON.parse(content) as Content);
  const doorOf = await doorsAmong(tx, workspace, contents);
  const salts = randomBytes(SALT_BYTES * notes.length);
  let { number, hash } = tip;
  const rows = contents.map((noted, at) => {
    const { seq } = notes[at] as { readonly seq: number };
    const content = JSON.stringify(doorOf(noted));
    const salt = salts.subarray(SALT_BYTES * at, SALT_BYTES * (at + 1));
    const digest = digestOf(salt, content);
    hash = hashOf(hash, ++number, digest);
    return { seq, content, number, salt, digest, hash };
  });
  await setChained(tx, rows);
  const isKept = tip.at.slice(0, 10) < tx.now.slice(0, 10) || thousandOf(tip.number) < thousandOf(number);
  if (tip.number > 0 && isKept) await keepHead(tx, workspace, tip);
  const head = { number, hash, at: tx.now };
  await setTip(tx, workspace, { ...head, signature: signer.sign(signedOf(id, head)) });
}
