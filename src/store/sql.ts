// Statements as tagged templates: text and bound values kept apart, fragments joined in place.

export type Value = string | number | bigint | boolean | null | Uint8Array;

/** A piece of a statement with its own values; put inside another with `${…}`. */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly (Value | Sql)[],
  ) {}
}

export type Bindable = Value | Sql;
export type SqlPart = Pick<Sql, "strings" | "values">;

export function sql(strings: TemplateStringsArray, ...values: Bindable[]): Sql {
  return new Sql(strings, values);
}

const literals = new Map<string, Sql>();

/**
 * Words of a statement that are chosen when it is put together, and are few: each is one object forever, as a literal
 * in the code is, so that the statement is found prepared (sqlite/statements.ts).
 */
export function literal(words: string): Sql {
  const known = literals.get(words);
  if (known) return known;
  const made = new Sql(Object.assign([words], { raw: [words] }), []);
  literals.set(words, made);
  return made;
}

/**
 * A whole number in the text itself, which must be one of few. PostgreSQL plans a statement anew each time that a limit
 * is bound to it, since it assumes a tenth of all rows for a limit that it does not know.
 */
export function written(number: number): Sql {
  return literal(String(Math.trunc(number)));
}

/** `a, b, c` with each bound; for `in (…)` lists. The list must not be empty. */
export function sqlList(values: readonly Value[]): Sql {
  return new Sql(["", ...values.slice(1).map(() => ", "), ""], values);
}

/**
 * As `list`, with the last value repeated until there are 1, 2, 4, 8 … of them: a statement for sets of any size then
 * has few texts, and is found prepared.
 */
export function steadyList(values: readonly Value[]): Sql {
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return sqlList(Array.from({ length: size }, (_, index) => values[Math.min(index, values.length - 1)] as Value));
}

/**
 * Many rows in pieces of 64, 16, 4 and 1, or of `most`, for `insert … values`: few statements are prepared and kept,
 * each of them small.
 */
export function inPieces<Row>(rows: readonly Row[], most = 64): Row[][] {
  const pieces: Row[][] = [];
  for (let from = 0; from < rows.length; from += pieces.at(-1)?.length ?? 0) {
    const size = [64, 16, 4].find((one) => one <= most && one <= rows.length - from) ?? 1;
    pieces.push(rows.slice(from, from + size));
  }
  return pieces;
}

/** Fragments with a separator between them, for conditions that are put together at run time. */
export function joined(fragments: readonly Sql[], separator: string): Sql {
  const strings = ["", ...fragments.slice(1).map(() => separator), ""];
  return fragments.length === 0 ? new Sql([""], []) : new Sql(strings, fragments);
}

/** The statement's text with one placeholder a value, and the values in that order. */
export function flatten(
  statement: SqlPart,
  placeholder: (position: number) => string,
): { text: string; values: Value[] } {
  const values: Value[] = [];
  const write = (part: SqlPart): string =>
    part.strings.reduce((text, piece, index) => {
      if (index === 0) return piece;
      const value = part.values[index - 1] as Bindable;
      if (value instanceof Sql) return text + write(value) + piece;
      values.push(value);
      return text + placeholder(values.length) + piece;
    }, "");
  return { text: write(statement), values };
}
