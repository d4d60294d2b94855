// Fields that hold a person's name, as different programs spell them.

const ACCENTS = /[\u0300-\u036f]/g;

/** Reduces a name to small letters and digits. */
export function plain(name: string): string {
  const bare = name.normalize("NFKD").replace(ACCENTS, "").normalize("NFC");
  return bare.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Kept in step with web/base/name-fields.ts. */
const NAMES = {
  full: /^(full|display|complete|contact|customer|subscriber)?name$|^(vollstandigername|nomcomplet|nombrecompleto|nomecompleto|姓名|名前|氏名)$/,
  first: /^(first|given|fore)names?$|^fname$|^(vornamen?|prenoms?|nombres?|nome|voornaam|fornavn|fornamn|imie|名)$/,
  last: /^(last|family|sur)names?$|^lname$|^((nach|familien)namen?|nom(defamille)?|apellidos?|cognome|achternaam|sobrenome|etternavn|efternamn|nazwisko|姓)$/,
};
export type NameKind = keyof typeof NAMES;
const ANY = new RegExp(
  Object.values(NAMES)
    .map(({ source }) => source)
    .join("|"),
);

/** True if a field of this name holds this kind of name. */
export function holdsNames(field: string, kind: NameKind): boolean {
  return NAMES[kind].test(plain(field));
}

/** True if a field of this name holds a person's name or a part of one. */
export function isNameField(field: string): boolean {
  return ANY.test(plain(field));
}

/** The field that holds this kind of name; null = none does. */
export function nameFieldIn(data: Readonly<Record<string, unknown>>, kind: NameKind): string | null {
  return Object.keys(data).find((field) => holdsNames(field, kind) && typeof data[field] === "string") ?? null;
}

/** The name in the data; null = none. */
export function namePart(data: Readonly<Record<string, unknown>>, kind: NameKind): string | null {
  const field = nameFieldIn(data, kind);
  return field === null ? null : (data[field] as string);
}
