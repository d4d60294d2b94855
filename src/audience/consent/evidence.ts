// The evidence file of one person: their rows of the ledger, the wording they agreed to, and a proof, verifiable
// without access to this server, that the rows were there when their head was signed.
import type { Reader } from "../../store/store.ts";
import { originOf } from "./chain.ts";
import * as queries from "./evidence-queries.ts";
import { consentRecord, contentsTold, type ConsentRecord } from "./record.ts";
import type { WordLanguage } from "./words.ts";

/** More changes than one person's consent ever has. */
const MOST_ROWS = 10_000;

type EvidenceRequest = {
  readonly workspace: number;
  readonly workspaceId: string;
  readonly contact: { readonly seq: number };
  readonly language: WordLanguage;
};

export type EvidenceFile = {
  readonly rows: readonly (ConsentRecord & {
    readonly content: string;
    readonly salt: string | null;
    readonly digest: string | null;
  })[];
  readonly wordings: readonly { readonly digest: string; readonly text: string }[];
  readonly proof: readonly ChainSegment[];
};

/**
 * The part of the chain from a row of the person to the next signed head; `before` is the hash before its first row.
 * Each digest gives the next hash with its number and the hash before it; the last hash is the signed one.
 */
type ChainSegment = {
  readonly first: number;
  readonly before: string;
  readonly digests: readonly string[];
  readonly head: { readonly number: number; readonly at: string; readonly hash: string; readonly signature: string };
};

export async function evidenceOf(
  reader: Reader,
  { workspace, workspaceId, contact, language }: EvidenceRequest,
): Promise<EvidenceFile> {
  const rows = await contentsTold(reader, workspace, await queries.rowsOf(reader, contact.seq, MOST_ROWS));
  const contents = rows.map(({ told }) => told);
  const records = rows.map(({ number, content, salt, digest, told }) => ({
    ...consentRecord(number, told, language),
    content,
    salt: salt && hex(salt),
    digest: digest && hex(digest),
  }));
  const digests = [...new Set(contents.flatMap(({ wording }) => wording?.digest ?? []))];
  const wordings =
    digests.length === 0
      ? []
      : await queries.wordingsAmong(
          reader,
          workspace,
          digests.map((digest) => Buffer.from(digest, "hex")),
        );
  const numbers = rows.flatMap(({ number }) => number ?? []).sort((one, other) => one - other);
  return {
    rows: records,
    wordings: wordings.map(({ digest, text }) => ({ digest: hex(digest), text })),
    proof: await segmentsOf(reader, { workspace, workspaceId }, numbers),
  };
}

async function segmentsOf(
  reader: Reader,
  { workspace, workspaceId }: Pick<EvidenceRequest, "workspace" | "workspaceId">,
  numbers: readonly number[],
): Promise<ChainSegment[]> {
  const segments: ChainSegment[] = [];
  let proven = 0;
  for (const first of numbers) {
    if (first <= proven) continue;
    const head = await queries.headAfter(reader, workspace, first);
    if (head === null) break;
    const digests = await queries.digestsBetween(reader, workspace, first, head.number);
    const before = first === 1 ? originOf(workspaceId) : await queries.hashOfNumber(reader, workspace, first - 1);
    segments.push({
      first,
      before: hex(before ?? new Uint8Array()),
      digests: digests.map(({ digest }) => hex(digest)),
      head: { number: head.number, at: head.at, hash: hex(head.hash), signature: hex(head.signature) },
    });
    proven = head.number;
  }
  return segments;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
