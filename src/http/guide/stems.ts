// English words without their endings, so that "verified", "verify" and "verification" are one. The stems are not
// words: they are only compared with each other.

const FORMS: readonly (readonly [ending: RegExp, stem: string])[] = [
  [/(ss|x|ch|sh)es$/, "$1"],
  [/ies$/, "y"],
  [/([^siu])s$/, "$1"],
  [/ification$/, "ify"],
  [/ied$/, "y"],
  [/([^aeiou]{2}|[aeiouy][^aeiou]|u)(?:ing|ed)$/, "$1"],
  [/(.{6})al$/, "$1"],
  [/(?:at)?(?:ion|or)$/, "ate"],
  [/(.{4})(?:ment|ness)$/, "$1"],
  [/(.{4})ly$/, "$1"],
  [/(?:able|ity)$/, ""],
  [/ic$/, ""],
  [/ate?$/, ""],
  [/ure?$/, ""],
  [/([^sz])\1$/, "$1"],
  [/e$/, ""],
  [/y$/, "i"],
];
/** The least length of a stem. */
const SHORTEST = 3;

/** @param word in lower case */
export function stemOf(word: string): string {
  let stem = word;
  for (const [ending, rest] of FORMS) {
    const shorter = stem.replace(ending, rest);
    if (shorter.length >= SHORTEST && /[aeiouy]/.test(shorter)) stem = shorter;
  }
  return stem;
}
