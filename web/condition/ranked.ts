// The order of choices for typed words: Enter takes the first one.

export type RankedChoice = {
  readonly id: string;
  readonly name: string;
  readonly note?: string | undefined;
  /** A name that does not exist yet. It comes after choices that begin with the words; "last": after all choices. */
  readonly isNew?: true | "last";
};
export type Section = { readonly id: string; readonly name: string; readonly choices: readonly RankedChoice[] };

const EXACT = 0;
const BEGINS = 1;
/** A name that does not exist yet, where a new name may be given. */
const NEW = 2;
const PART = 3;
const LAST = 4;

/** Choices that begin with the words come first, and so does their section; otherwise the order stays. */
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
