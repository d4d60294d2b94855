// The order of choices for words that are typed: Enter takes the first one.

export type RankedChoice = {
  readonly id: string;
  readonly name: string;
  readonly note?: string | undefined;
  /** There is none of this name yet: it comes after those that begin so; "last": after all that are found. */
  readonly isNew?: true | "last";
};
export type Section = { readonly id: string; readonly name: string; readonly choices: readonly RankedChoice[] };

const EXACT = 0;
const BEGINS = 1;
/** A name that is not there yet, where one is to be given. */
const NEW = 2;
const PART = 3;
const LAST = 4;

/** What begins so comes first, whatever its section; the order stays otherwise. */
export function ranked(sections: readonly Section[], words: string): readonly Section[] {
  const typed = words.trim().toLowerCase();
  if (typed === "") return sections;
  const rank = ({ id, name, isNew }: RankedChoice) => {
    if (isNew !== undefined) return isNew === "last" ? LAST : NEW;
    const names = [name.toLowerCase(), id.toLowerCase().replace(/^[a-z]+[.:]/, "")];
    return names.includes(typed) ? EXACT : names.some((one) => one.startsWith(typed)) ? BEGINS : PART;
  };
  const first = ({ choices }: Section) => Math.min(...choices.map(rank));
  return sections
    .map((section) => ({ ...section, choices: section.choices.toSorted((one, other) => rank(one) - rank(other)) }))
    .toSorted((one, other) => first(one) - first(other));
}
