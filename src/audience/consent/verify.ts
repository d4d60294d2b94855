// Verifies that the ledger is unchanged: from its signed end back to its beginning, a page at a time. An erasure comes
// after the rows that it names, so reading backward tells which contents may be missing.
import type { Signer } from "../../base/secrets.ts";
import type { Store } from "../../store/store.ts";
import type { LedgerHead } from "./chain-queries.ts";
import { hashOf, originOf, signedOf } from "./chain.ts";
import type { LedgerContent } from "./content.ts";
import { digestOf, isSame } from "./digest.ts";
import {
  addressesOfEach,
  contentsAbove,
  hashAt,
  hasUnknown,
  headsFrom,
  ledgers,
  linksFrom,
  standingWith,
  type Ledger,
  type LedgerLink,
  type LedgerContentRow,
} from "./verify-queries.ts";

const LINKS_A_PAGE = 2_000;
/** Further faults add no information. */
const MOST_FAULTS = 20;

export type LedgerVerdict = {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly rows: number;
  /** Rows whose content is missing, since their people were erased. */
  readonly erased: number;
  /** The number of signed heads that were checked. */
  readonly heads: number;
  /** The newest head; null = the ledger is empty. */
  readonly head: (Pick<LedgerHead, "number" | "at"> & { readonly hash: string }) | null;
  /** The faults in words; none = the ledger is whole. */
  readonly faults: readonly string[];
};

/** Verifies the ledger of each workspace. `onRows`: the number of rows read so far. */
export async function verifyLedgers(
  store: Store,
  signer: Signer,
  onRows: (ledger: Ledger, rows: number) => void = () => {},
): Promise<LedgerVerdict[]> {
  const verdicts: LedgerVerdict[] = [];
  for (const ledger of await store.read((reader) => ledgers(reader))) {
    const verifier = new LedgerVerifier(store, signer, ledger);
    verdicts.push(await verifier.verdict((rows) => onRows(ledger, rows)));
  }
  return verdicts;
}

/** Verifies the ledger of a workspace, also while it comes in. */
export async function verifyLedger(store: Store, signer: Signer, workspace: number): Promise<LedgerVerdict | null> {
  const [ledger] = await store.read((reader) => ledgers(reader, workspace));
  return ledger ? new LedgerVerifier(store, signer, ledger).verdict(() => {}) : null;
}

class LedgerVerifier {
  readonly #faults: string[] = [];
  /** A bit for each number that an erasure names. */
  readonly #erased: Uint8Array;
  /** Rows without content that no erasure accounts for so far. */
  #unexplained: number[] = [];
  #misplaced: number[] = [];
  #rows = 0;
  #gone = 0;
  #heads = 0;
  /** The signed heads still to be checked, the next one first. */
  #ahead: LedgerHead[] = [];

  constructor(
    private readonly store: Store,
    private readonly signer: Signer,
    private readonly ledger: Ledger,
  ) {
    this.#erased = new Uint8Array((ledger.newest ?? 0) / 8 + 1);
  }

  async verdict(onRows: (rows: number) => void): Promise<LedgerVerdict> {
    const { tip, newest, id, name } = this.ledger;
    this.#checkEnd();
    await this.#checkLinks(onRows);
    await this.#explain();
    for (const { number, at } of this.#ahead)
      this.#fault(`Row ${number}, which was signed on ${dayOf(at)}, is missing.`);
    // A changed row may have any address.
    if (this.#faults.length === 0) await this.#checkMisplaced();
    if (this.#faults.length === 0 && (await this.store.read((reader) => hasUnknown(reader, this.ledger.seq))))
      this.#fault("It says nothing of somebody who gets marketing email: rows were removed, with their signed heads.");
    return {
      workspace: { id, name },
      rows: this.#rows,
      erased: this.#gone,
      heads: this.#heads,
      head: tip && newest ? { number: tip.number, at: tip.at, hash: hexOf(tip.hash) } : null,
      faults: this.#faults,
    };
  }

  #fault(text: string): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(text);
  }

  #checkEnd(): void {
    const { tip, newest } = this.ledger;
    if (tip === null)
      return void (newest !== null && this.#fault("Its end is not signed: the newest signed head is missing."));
    if ((newest ?? 0) < tip.number) this.#fault(`${rowsFrom((newest ?? 0) + 1, tip.number)} removed from the end.`);
    if ((newest ?? 0) > tip.number) this.#fault(`${rowsFrom(tip.number + 1, newest ?? 0)} added after the signed end.`);
    this.#ahead = [tip];
  }

  async #checkLinks(onRows: (rows: number) => void): Promise<void> {
    const { seq, newest, id } = this.ledger;
    await this.#erasedAbove(newest ?? 0);
    await this.#nextHeads(Number.MAX_SAFE_INTEGER);
    let below = newest ?? 0;
    let last: LedgerLink | null = null;
    while (below > 0) {
      const links = await this.store.read((reader) => linksFrom(reader, seq, below, LINKS_A_PAGE));
      for (const link of links) {
        this.#checkLink(last, link);
        while ((this.#ahead[0]?.number ?? 0) >= link.number) await this.#meetHead(link);
        last = link;
      }
      await this.#noteMisplaced(links.map(({ seq: row }) => row));
      onRows((this.#rows += links.length));
      if (links.length === 0) break;
      below = (last as LedgerLink).number - 1;
    }
    if (last === null) return;
    if (last.number > 1) this.#fault(`${rowsFrom(1, last.number - 1)} removed from the beginning.`);
    else if (!follows(last, originOf(id))) this.#fault(`Row 1 is not the first row of this workspace.`);
  }

  /** `next`: the row above. */
  #checkLink(next: LedgerLink | null, { number, content, salt, digest, hash }: LedgerLink): void {
    if (next && next.number > number + 1) this.#fault(`${rowsFrom(number + 1, next.number - 1)} removed.`);
    else if (next && hash && !follows(next, hash)) this.#fault(`Row ${next.number} does not follow row ${number}.`);
    if (!digest || !hash) this.#fault(`Row ${number} has no hash.`);
    else if (content === null || salt === null) this.#missing(number);
    else if (!isSame(digestOf(salt, content), digest)) this.#fault(`Row ${number} was changed.`);
    else this.#noteErasure(content);
  }

  async #meetHead({ number, hash }: LedgerLink): Promise<void> {
    const head = this.#ahead.shift() as LedgerHead;
    this.#heads++;
    const day = dayOf(head.at);
    if (!this.signer.verify(signedOf(this.ledger.id, head), head.signature))
      this.#fault(`The head of ${day} (row ${head.number}) is not signed by the key of this installation.`);
    else if (head.number === number && hexOf(head.hash) !== hexOf(hash ?? new Uint8Array()))
      this.#fault(`Row ${number} is not the row that was signed on ${day}: it or rows before it were rewritten.`);
    else if (head.number > number && !(await this.#hasSince(head)))
      this.#fault(`Row ${head.number}, which was signed on ${day}, is missing.`);
    if (this.#ahead.length === 0) await this.#nextHeads(head.number - 1);
  }

  /** The head was signed after verification began. */
  async #hasSince({ number, hash }: LedgerHead): Promise<boolean> {
    if (number <= (this.ledger.newest ?? 0)) return false;
    const there = await this.store.read((reader) => hashAt(reader, this.ledger.id, number));
    return there !== null && hexOf(there) === hexOf(hash);
  }

  async #nextHeads(from: number): Promise<void> {
    this.#ahead.push(...(await this.store.read((reader) => headsFrom(reader, this.ledger.seq, from, LINKS_A_PAGE))));
    this.#ahead.sort((one, other) => other.number - one.number);
  }

  /** Rows with an address whose contact is missing, or neither has nor had that address. */
  async #misplacedAmong(rows: readonly number[]): Promise<readonly LedgerContentRow[]> {
    return this.store.read(async (reader) => {
      const standing = rows.length === 0 ? [] : await standingWith(reader, rows);
      if (standing.length === 0) return [];
      const contacts = new Set(standing.flatMap(({ contact }) => contact ?? []));
      const addresses = await addressesOfEach(reader, [...contacts]);
      return standing.filter(({ contact, content }) => {
        const { address, former } = JSON.parse(content) as LedgerContent;
        const theirs = contact === null ? undefined : addresses.get(contact);
        return address !== undefined && ![address, former].some((one) => one !== undefined && theirs?.has(one));
      });
    });
  }

  async #noteMisplaced(rows: readonly number[]): Promise<void> {
    if (this.#misplaced.length < LINKS_A_PAGE)
      this.#misplaced.push(...(await this.#misplacedAmong(rows)).map(({ seq }) => seq));
  }

  /** Checked a second time: a contact may have been merged or renamed since verification began. */
  async #checkMisplaced(): Promise<void> {
    for (const { number, contact } of await this.#misplacedAmong(this.#misplaced))
      this.#fault(`Row ${number} stands with ${contact === null ? "nobody" : "a contact who never had its address"}.`);
  }

  #missing(number: number): void {
    this.#gone++;
    if (!this.#isErased(number) && this.#unexplained.length < LINKS_A_PAGE) this.#unexplained.push(number);
  }

  #isErased(number: number): boolean {
    return ((this.#erased[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }

  #noteErasure(content: string): void {
    if (!content.includes('"person"')) return;
    const { rows = "" } = JSON.parse(content) as LedgerContent;
    for (const range of rows.split(",").filter((part) => part !== "")) {
      const [from = 0, to = from] = range.split("-").map(Number);
      for (let number = from; number <= to; number++) this.#erased[number >> 3]! |= 1 << (number & 7);
    }
  }

  async #erasedAbove(number: number): Promise<void> {
    const contents = await this.store.read((reader) => contentsAbove(reader, this.ledger.seq, number));
    for (const content of contents) this.#noteErasure(content);
  }

  /** Reads erasures since verification began. */
  async #explain(): Promise<void> {
    if (this.#unexplained.length > 0) await this.#erasedAbove(this.ledger.newest ?? 0);
    for (const number of this.#unexplained.filter((one) => !this.#isErased(one)))
      this.#fault(`The content of row ${number} is missing, and no erasure accounts for it.`);
  }
}

/** Verifies that a ledger still has a head seen earlier; answers the faults in words. */
export async function verifyGoesOn(store: Store, { workspace, head }: LedgerVerdict): Promise<readonly string[]> {
  if (head === null) return [];
  const hash = await store.read((reader) => hashAt(reader, workspace.id, head.number));
  if (hash !== null && hexOf(hash) === head.hash) return [];
  const isThere = (await store.read((reader) => ledgers(reader))).some(({ id }) => id === workspace.id);
  if (!isThere) return ["This installation no longer has the workspace."];
  return [`Row ${head.number} of ${dayOf(head.at)} is ${hash ? "different" : "missing"} in this installation.`];
}

function follows({ number, digest, hash }: LedgerLink, before: Uint8Array): boolean {
  return digest === null || hash === null || isSame(hashOf(before, number, digest), hash);
}

function rowsFrom(from: number, to: number): string {
  return from === to ? `Row ${from} was` : `Rows ${from} to ${to} were`;
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
