// Which keys of data hold people's names, and which columns of files: the one place that knows how they are called.

export type NameKind = "full" | "first" | "last";

/** In small letters without accents, blanks and signs; as src/audience/contacts/search/name-fields.ts has them. */
const NAMES: Readonly<Record<NameKind, RegExp>> = {
  full: /^(full|display|complete|contact|customer|subscriber)?name$|^(vollstandigername|nomcomplet|nombrecompleto|nomecompleto|姓名|名前|氏名)$/,
  first: /^(first|given|fore)names?$|^fname$|^(vornamen?|prenoms?|nombres?|nome|voornaam|fornavn|fornamn|imie|名)$/,
  last: /^(last|family|sur)names?$|^lname$|^((nach|familien)namen?|nom(defamille)?|apellidos?|cognome|achternaam|sobrenome|etternavn|efternamn|nazwisko|姓)$/,
};
const KINDS = ["full", "first", "last"] as const;
const ACCENTS = /[\u0300-\u036f]/g;

/** Null = the key or column does not hold names. */
export function nameKindOf(key: string): NameKind | null {
  const plain = key
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return KINDS.find((kind) => NAMES[kind].test(plain)) ?? null;
}

/** Percent of the contacts that have it. */
type FieldKey = { readonly key: string; readonly coverage: number };

const MOST_COMMON = "name";

/** The key to greet people by: a first name, or else a whole name, whichever more of them have. */
export function greetingKey(keys: readonly FieldKey[]): string {
  const best = (kind: NameKind) =>
    keys.filter(({ key }) => nameKindOf(key) === kind).toSorted((one, other) => other.coverage - one.coverage)[0];
  const [first, full] = [best("first"), best("full")];
  if (!first || !full) return (first ?? full)?.key ?? MOST_COMMON;
  return full.coverage > first.coverage ? full.key : first.key;
}

/**
 * The key that a column of a file becomes: the one that people here have for such names, else the usual one. A first
 * name alone counts as the name. Undefined = the column does not hold names.
 */
export function nameKeyFor(column: string, columns: readonly string[], keys: readonly string[]): string | undefined {
  const kind = nameKindOf(column);
  if (kind === null) return undefined;
  const known = (which: NameKind) => keys.find((key) => nameKindOf(key) === which);
  const others = columns.filter((other) => other !== column).map(nameKindOf);
  if (kind === "first" && !others.includes("full") && !others.includes("last"))
    return known("first") ?? known("full") ?? MOST_COMMON;
  return known(kind) ?? { full: MOST_COMMON, first: "firstName", last: "lastName" }[kind];
}

/** The name in somebody's data; "" if there is none. */
export function nameIn(data: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(data).flatMap(([key, value]) => {
    const kind = typeof value === "string" && value.trim() !== "" ? nameKindOf(key) : null;
    return kind === null ? [] : [{ kind, text: String(value).trim() }];
  });
  const textOf = (which: NameKind) => texts.find(({ kind }) => kind === which)?.text;
  return textOf("full") ?? [textOf("first"), textOf("last")].filter((text) => text !== undefined).join(" ");
}
