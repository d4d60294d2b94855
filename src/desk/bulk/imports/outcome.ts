// The expected outcome for a file's rows and people: the counts of a dry run.
import type { Reader, Store } from "../../../store/store.ts";
import { changesOf, newContact, type ContactInput } from "../../../audience/contacts/wanted.ts";
import { badRow, type CsvRowError, type CsvContact, type SkippedCell } from "../../../audience/csv/row.ts";
import { fileWith } from "../../../audience/csv/packed/files.ts";
import { contactsByAddress } from "../../../audience/contacts/list/list.ts";
import type { SuppressionReason } from "../../../audience/suppressions/queries.ts";
import type { Contact } from "../../../audience/contacts/queries.ts";
import { reasonsOf } from "../../../audience/contacts/suppression.ts";
import { Replacements } from "./replaced.ts";
import { inputOf, isUndecided, type ImportTerms } from "../terms.ts";

/** The mail that a person may get. */
type MailPermission = "subscribed" | "unsubscribed" | "pending" | "suppressed";

/** They add up to the rows. */
export type RowCounts = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows whose address occurred earlier in the file: each changes the contact again. */
  readonly repeated: number;
  readonly failed: number;
};
const NO_ROWS: RowCounts = { created: 0, updated: 0, unchanged: 0, repeated: 0, failed: 0 };

export type ImportCounts = RowCounts & {
  /** Cells that do not fit the type of their column; their rows are imported without them. */
  readonly skippedCellCount: number;
  /** Updated contacts that had unsubscribed or are suppressed, and would be subscribed again. */
  readonly resubscribed: number;
  /** Created contacts for which neither the file nor the caller decides on marketing mail. */
  readonly undecided: number;
  /** Mail permission of created, updated and unchanged contacts, after all rows. */
  readonly statuses: Readonly<Record<MailPermission, number>>;
};

export type SkippedInRow = SkippedCell & { readonly row: number; readonly email: string };

const MAX_LISTED_CELLS = 1_000;

export class ImportOutcome {
  readonly #counts = {
    ...NO_ROWS,
    ...{ skippedCellCount: 0, resubscribed: 0, undecided: 0 },
  };
  /** By index of the file in an archive. */
  readonly #files: Record<keyof RowCounts, number>[];
  readonly #errors: CsvRowError[] = [];
  readonly #skipped: SkippedInRow[] = [];
  readonly replaced = new Replacements();
  /** Keyed by a hash of the address, which needs a fraction of its memory. */
  readonly #people = new Map<number, MailPermission>();

  constructor(
    private readonly store: Store,
    private readonly workspace: number,
    private readonly terms: ImportTerms,
  ) {
    this.#files = (terms.files ?? []).map(() => ({ ...NO_ROWS }));
  }

  async add(rows: readonly CsvContact[]): Promise<void> {
    const emails = [...new Set(rows.map(({ email }) => email))];
    const contactsOfRows = (reader: Reader) => contactsByAddress(reader, this.workspace, emails);
    const byAddress = await this.store.read(contactsOfRows, { inTurn: true });
    const strangers = emails.filter((email) => !byAddress.has(email));
    const reasons = await reasonsOf(this.store, this.workspace, strangers);
    for (const row of rows) this.#count(row, byAddress.get(row.email) ?? null, reasons.get(row.email) ?? null);
  }

  /** Counts a row that is not readable. */
  fail(row: number): void {
    this.#add("failed", row);
  }

  /** The counts of a file in an archive, by its index among those that are read. */
  of(file: number): RowCounts {
    return this.#files[file] ?? NO_ROWS;
  }

  told(): ImportCounts & { readonly errors: readonly CsvRowError[]; readonly skippedCells: readonly SkippedInRow[] } {
    const statuses = { subscribed: 0, unsubscribed: 0, pending: 0, suppressed: 0 };
    for (const state of this.#people.values()) statuses[state]++;
    return { ...this.#counts, statuses, errors: this.#errors, skippedCells: this.#skipped };
  }

  #count(row: CsvContact, contact: Contact | null, reason: SuppressionReason | null): void {
    try {
      const { input, skipped } = inputOf(row, this.terms);
      const person = Number(BigInt(Bun.hash(contact?.email ?? row.email)) & 0x1f_ffff_ffff_ffffn);
      const earlier = this.#people.get(person);
      if (earlier) this.#add("repeated", row.row);
      const now = earlier
        ? after(earlier, input)
        : contact
          ? this.#amend(row, contact, input)
          : this.#create(row, input, reason);
      this.#people.set(person, now);
      this.#counts.skippedCellCount += skipped.length;
      for (const cell of skipped)
        if (this.#skipped.length < MAX_LISTED_CELLS) this.#skipped.push({ row: row.row, email: row.email, ...cell });
    } catch (error) {
      this.#errors.push(badRow(row.row, row.email, error));
      this.fail(row.row);
    }
  }

  #add(what: keyof RowCounts, row: number): void {
    this.#counts[what]++;
    const ofFile = this.#files[fileWith(this.terms.files ?? [], row)];
    if (ofFile) ofFile[what]++;
  }

  /** @throws AppError for a contact that would be too large */
  #amend(row: CsvContact, contact: Contact, input: ContactInput): MailPermission {
    const changes = changesOf(contact, input);
    this.#add(changes ? "updated" : "unchanged", row.row);
    if (changes) this.replaced.add(row, contact.data, changes.data);
    const [before, now] = [stateOf(contact), after(stateOf(contact), input)];
    if (now === "subscribed" && before !== "subscribed") this.#counts.resubscribed++;
    return now;
  }

  /** @throws as `#amend` */
  #create(row: CsvContact, input: ContactInput, reason: SuppressionReason | null): MailPermission {
    const state = stateOf(newContact({ nowMs: 0 }, input, reason));
    this.#add("created", row.row);
    if (state !== "suppressed" && isUndecided(row, this.terms)) this.#counts.undecided++;
    return state;
  }
}

function stateOf({
  suppressed,
  status,
  subscribed,
}: Pick<Contact, "suppressed" | "status" | "subscribed">): MailPermission {
  if (suppressed !== null) return "suppressed";
  if (status === "PENDING") return "pending";
  return subscribed ? "subscribed" : "unsubscribed";
}

function after(before: MailPermission, { subscribed, suppressed }: ContactInput): MailPermission {
  if (suppressed) return "suppressed";
  if (subscribed === undefined || before === "pending") return before;
  if (subscribed) return "subscribed";
  return before === "suppressed" ? before : "unsubscribed";
}
