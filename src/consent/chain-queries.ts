// The SQL of the ledger's chain, and of its signed heads.
import { changing } from "../store/row-statement.ts";
import type { Reader, Tx } from "../store/store.ts";

/** How far a chain goes; the signature is of what `signedOf` says. */
export type Head = {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly at: string;
  readonly signature: Uint8Array;
};

/** The next workspace with rows that are not chained. */
export function workspaceToChain(reader: Reader, after: number): Promise<{ seq: number; id: string } | null> {
  return reader.get`
    select w.seq, w.id from workspaces w where w.seq = (
      select workspace from consents where number is null and workspace > ${after} order by workspace limit 1)`;
}

/** Another process waits until this one has chained. */
export async function lockTip(tx: Tx, workspace: number): Promise<Head | null> {
  await tx.run`
    insert into consent_tips (workspace, number, hash, at, signature)
    values (${workspace}, 0, ${new Uint8Array()}, '', ${new Uint8Array()}) on conflict do nothing`;
  const tip = await tx.get<Head>`
    select number, hash, at, signature from consent_tips where workspace = ${workspace}${tx.dialect.forUpdate}`;
  return tip && tip.number > 0 ? tip : null;
}

export function notesToChain(tx: Tx, workspace: number, most: number): Promise<{ seq: number; content: string }[]> {
  return tx.all`
    select seq, content from consents where workspace = ${workspace} and number is null
    order by seq limit ${most}${tx.dialect.forUpdate}`;
}

const CHAINED = changing(
  "consents",
  { seq: "bigint", content: "text", number: "bigint", salt: "bytes", digest: "bytes", hash: "bytes" },
  ({ seq, content, number, salt, digest, hash }) => ({
    set: `content = ${content}, number = ${number}, salt = ${salt}, digest = ${digest}, hash = ${hash}`,
    where: `consents.seq = ${seq}`,
    returning: "consents.seq",
  }),
);

export type Chained = {
  readonly seq: number;
  readonly content: string;
  readonly number: number;
  readonly salt: Uint8Array;
  readonly digest: Uint8Array;
  readonly hash: Uint8Array;
};

export async function setChained(tx: Tx, rows: readonly Chained[]): Promise<void> {
  await tx.runEach(
    CHAINED,
    rows.map(({ seq, content, number, salt, digest, hash }) => [seq, content, number, salt, digest, hash]),
  );
}

export function setTip(tx: Tx, workspace: number, { number, hash, at, signature }: Head): Promise<number> {
  return tx.run`
    update consent_tips set number = ${number}, hash = ${hash}, at = ${at}, signature = ${signature}
    where workspace = ${workspace}`;
}

export function keepHead(tx: Tx, workspace: number, { number, hash, at, signature }: Head): Promise<number> {
  return tx.run`
    insert into consent_heads (workspace, number, hash, at, signature)
    values (${workspace}, ${number}, ${hash}, ${at}, ${signature}) on conflict do nothing`;
}
