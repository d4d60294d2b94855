// The SQL of the ledger's chain and of its signed heads.
import { changing, insertion } from "../../store/row-statement.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { NewLedgerRow } from "./queries.ts";

/** The end of a chain; the signature covers the text of `signedOf`. */
export type LedgerHead = {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly at: string;
  readonly signature: Uint8Array;
};

/** The next workspace with unchained rows. */
export async function workspaceToChain(reader: Reader, after: number): Promise<number | null> {
  const row = await reader.get<{ workspace: number }>`
    select workspace from consents where number is null and workspace > ${after} order by workspace limit 1`;
  return row?.workspace ?? null;
}

/** `number` 0 = the workspace's ledger is empty. */
export type Tip = LedgerHead & { readonly workspaceId: string };

/** Other processes wait until this transaction has chained its rows. */
export async function lockTip(tx: Tx, workspace: number): Promise<Tip> {
  const tip = await tipOf(tx, workspace);
  if (tip) return tip;
  await tx.run`
    insert into consent_tips (workspace, number, hash, at, signature)
    values (${workspace}, 0, ${new Uint8Array()}, '', ${new Uint8Array()}) on conflict do nothing`;
  return (await tipOf(tx, workspace)) as Tip;
}

function tipOf(tx: Tx, workspace: number): Promise<Tip | null> {
  return tx.get<Tip>`
    select number, hash, at, signature, (select id from workspaces w where w.seq = workspace) as "workspaceId"
    from consent_tips where workspace = ${workspace}${tx.dialect.forUpdate}`;
}

export function notesToChain(tx: Tx, workspace: number, most: number): Promise<{ seq: number; content: string }[]> {
  return tx.all`
    select seq, content from consents where workspace = ${workspace} and number is null
    order by seq limit ${most}${tx.dialect.forUpdate}`;
}

const LINK = { content: "text", number: "bigint", salt: "bytes", digest: "bytes", hash: "bytes" } as const;

const CHAINED = changing("consents", { seq: "bigint", ...LINK }, ({ seq, content, number, salt, digest, hash }) => ({
  set: `content = ${content}, number = ${number}, salt = ${salt}, digest = ${digest}, hash = ${hash}`,
  where: `consents.seq = ${seq}`,
  returning: "consents.seq",
}));

/** The columns that chaining sets; `content` has its door and `by` in place of `cause`. */
export type NewLink = {
  readonly content: string;
  readonly number: number;
  readonly salt: Uint8Array;
  readonly digest: Uint8Array;
  readonly hash: Uint8Array;
};

export async function setChained(tx: Tx, rows: readonly (NewLink & { readonly seq: number })[]): Promise<void> {
  await tx.runEach(
    CHAINED,
    rows.map(({ seq, content, number, salt, digest, hash }) => [seq, content, number, salt, digest, hash]),
  );
}

const CHAINED_NOTES = insertion("consents", { workspace: "bigint", contact: "bigint", ...LINK });

export async function insertChained(tx: Tx, rows: readonly (NewLink & Omit<NewLedgerRow, "content">)[]): Promise<void> {
  await tx.runEach(
    CHAINED_NOTES,
    rows.map(({ workspace, contact, content, number, salt, digest, hash }) => {
      return [workspace, contact, content, number, salt, digest, hash];
    }),
  );
}

export function setTip(tx: Tx, workspace: number, { number, hash, at, signature }: LedgerHead): Promise<number> {
  return tx.run`
    update consent_tips set number = ${number}, hash = ${hash}, at = ${at}, signature = ${signature}
    where workspace = ${workspace}`;
}

export function keepHead(tx: Tx, workspace: number, { number, hash, at, signature }: LedgerHead): Promise<number> {
  return tx.run`
    insert into consent_heads (workspace, number, hash, at, signature)
    values (${workspace}, ${number}, ${hash}, ${at}, ${signature}) on conflict do nothing`;
}

type ArrivedHead = Omit<LedgerHead, "signature"> & { readonly isTip: boolean };

/** The end and the heads of a ledger, each with the hash of its row; without those whose row is not there. */
export async function arrivedHeads(reader: Reader, workspace: number): Promise<ArrivedHead[]> {
  const rows = await reader.all<Omit<ArrivedHead, "isTip"> & { readonly tip: 0 | 1 }>`
    select h.number, h.at, c.hash, h.tip from (
      select number, at, 0 as tip from consent_heads where workspace = ${workspace}
      union all select number, at, 1 as tip from consent_tips where workspace = ${workspace}) h
    join consents c on c.workspace = ${workspace} and c.number = h.number where c.hash is not null`;
  return rows.map(({ tip, ...head }) => ({ ...head, isTip: tip === 1 }));
}

export function signHead(
  tx: Tx,
  workspace: number,
  { number, hash, signature }: Omit<LedgerHead, "at">,
): Promise<number> {
  return tx.run`
    update consent_heads set hash = ${hash}, signature = ${signature} where workspace = ${workspace} and number = ${number}`;
}
