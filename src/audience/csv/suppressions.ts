// Rows of a file of suppressions: our own export, and those of Postmark, Mailgun and SendGrid.
import { parseAddress, parseDomainName } from "../../base/addresses.ts";
import { iso } from "../../base/clock.ts";
import { invalidField } from "../../base/errors.ts";
import { momentOf } from "../../base/moments.ts";
import type { SuppressionReason, SuppressionScope } from "../suppressions/queries.ts";
import type { NewSuppression } from "../suppressions/suppression.ts";
import { unguarded } from "./cell.ts";
import type { CsvRecord } from "./syntax.ts";

export type FileReason = Exclude<SuppressionReason, "erased">;
/** The defaults for rows without a reason or scope. */
export type SuppressionDefaults = { readonly reason: FileReason | null; readonly scope: SuppressionScope | null };

type CsvSuppression = NewSuppression & { readonly row: number };
type SuppressionRowError = { readonly row: number; readonly target: string; readonly error: string };
export type SuppressionRow = CsvSuppression | SuppressionRowError;

type SuppressionColumn = "address" | "domain" | "reason" | "scope" | "until" | "note" | "code";
/** By name of a column in lower case, reduced to letters. */
const COLUMNS: Readonly<Record<string, SuppressionColumn>> = {
  ...{ address: "address", email: "address", emailaddress: "address", recipient: "address", mail: "address" },
  ...{ domain: "domain", reason: "reason", suppressionreason: "reason", type: "reason" },
  ...{ scope: "scope", until: "until", note: "note", code: "code", status: "code" },
};

/** The indexes of the columns. @throws AppError VALIDATION_ERROR on `file` without a column of addresses or domains */
export type SuppressionColumns = ReadonlyMap<SuppressionColumn, number>;
export function columnsIn({ cells }: CsvRecord): SuppressionColumns {
  const columns = new Map<SuppressionColumn, number>();
  for (const [at, cell] of cells.entries()) {
    const column = COLUMNS[cell.toLowerCase().replace(/[^a-z]/g, "")];
    if (column && !columns.has(column)) columns.set(column, at);
  }
  if (columns.has("address") || columns.has("domain")) return columns;
  throw invalidField("file", "The first line names no column `address`, `email` or `domain`.", "column_missing");
}

const REASONS: readonly (readonly [pattern: RegExp, reason: FileReason])[] = [
  [/^soft/, "soft-bounces"],
  [/bounce|^[45]\d\d\b|^[45]\.\d/, "bounce"],
  [/complain|spam/, "complaint"],
  [/manual/, "manual"],
];
const MAX_NOTE_CHARS = 500;
const MAX_SHOWN_CHARS = 320;

/** Never throws for the content of a row. */
export function suppressionIn(
  columns: SuppressionColumns,
  record: CsvRecord,
  otherwise: SuppressionDefaults,
  now: string,
): SuppressionRow {
  const { row, cells, fault } = record;
  const cell = (column: SuppressionColumn) => unguarded((cells[columns.get(column) ?? -1] ?? "").trim());
  const given = cell("address") || cell("domain");
  const bad = (error: string): SuppressionRowError => ({
    row,
    target: given.slice(0, MAX_SHOWN_CHARS).replaceAll("\0", ""),
    error,
  });
  if (fault !== null) return bad("A quote in this row is in the wrong place.");
  const target =
    given.includes("@") && !given.startsWith("@") ? parseAddress(given) : parseDomainName(given.replace(/^@/, ""));
  if (target === null) return bad("This is neither an address nor a domain.");
  const until = cell("until") === "" ? null : momentOf(cell("until"));
  if (cell("until") !== "" && until === null) return bad("until is no time.");
  const endsAt = until && iso(Date.parse(`${until.slice(0, 23)}Z`));
  if (endsAt !== null && endsAt <= now) return bad("until has passed.");
  const reason = reasonIn(cell("reason"), cell("code")) ?? otherwise.reason ?? "import";
  const said = cell("scope").toLowerCase();
  const scope =
    said === "all" || said === "marketing" ? said : (otherwise.scope ?? (reason === "complaint" ? "marketing" : "all"));
  const note = cell("note").slice(0, MAX_NOTE_CHARS).replaceAll("\0", "").toWellFormed() || null;
  return { row, target, reason, scope, until: endsAt, note };
}

/** An SMTP code means a bounce. */
function reasonIn(cell: string, code: string): FileReason | null {
  const word = cell.toLowerCase();
  const named = REASONS.find(([pattern]) => pattern.test(word))?.[1];
  return named ?? (/^[45](\d\d|\.\d)/.test(code) ? "bounce" : null);
}
