// Recognises people's names: in keys of contact data and in columns of files. The only place that knows these words.

export type NameKind = "full" | "first" | "last";

/** In lower case, without accents, spaces and punctuation; as in src/audience/contacts/search/name-fields.ts. */
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

/** `coverage`: percent of the contacts that have the key. */
type FieldKey = { readonly key: string; readonly coverage: number };

const MOST_COMMON = "name";

/** The key for a greeting: a first name or a full name, by which of the two more contacts have. */
export function greetingKey(keys: readonly FieldKey[]): string {
  const best = (kind: NameKind) =>
    keys.filter(({ key }) => nameKindOf(key) === kind).toSorted((one, other) => other.coverage - one.coverage)[0];
  const [first, full] = [best("first"), best("full")];
  if (!first || !full) return (first ?? full)?.key ?? MOST_COMMON;
  return full.coverage > first.coverage ? full.key : first.key;
}

/**
 * The contact key for a column of a file: the key already in use for such names, else the usual one. A first name
 * without other name columns counts as the full name. Undefined = the column does not hold names.
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

/** The name in the data of a contact; "" if there is none. */
export function nameIn(data: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(data).flatMap(([key, value]) => {
    const kind = typeof value === "string" && value.trim() !== "" ? nameKindOf(key) : null;
    return kind === null ? [] : [{ kind, text: String(value).trim() }];
  });
  const textOf = (which: NameKind) => texts.find(({ kind }) => kind === which)?.text;
  return textOf("full") ?? [textOf("first"), textOf("last")].filter((text) => text !== undefined).join(" ");
}
