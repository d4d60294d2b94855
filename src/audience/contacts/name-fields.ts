// Names of fields, as different programs spell one thing: which hold the name of a person.

const ACCENTS = /[\u0300-\u036f]/g;

/** In small letters, with letters and digits only. */
export function plain(name: string): string {
  const bare = name.normalize("NFKD").replace(ACCENTS, "").normalize("NFC");
  return bare.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** As web/name-fields.ts has them. */
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

/** Whether a field of this name holds such names. */
export function holdsNames(field: string, kind: NameKind): boolean {
  return NAMES[kind].test(plain(field));
}

/** Whether a field of this name holds a name of a person, or a part of one. */
export function isNameField(field: string): boolean {
  return ANY.test(plain(field));
}

/** The field that holds such a name; null = none of these does. */
export function nameFieldIn(data: Readonly<Record<string, unknown>>, kind: NameKind): string | null {
  return Object.keys(data).find((field) => holdsNames(field, kind) && typeof data[field] === "string") ?? null;
}

/** The name itself; null = there is none. */
export function namePart(data: Readonly<Record<string, unknown>>, kind: NameKind): string | null {
  const field = nameFieldIn(data, kind);
  return field === null ? null : (data[field] as string);
}
