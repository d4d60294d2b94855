// The code of the link for the first owner: short enough to type from the log into the page that asks for it.
import { randomInt } from "node:crypto";

/** Capital consonants: no two are mistaken for each other or for a digit, and they make no words. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
/** 52 random bits: too many to guess in the day that it works, since wrong codes are slowed down. */
const LENGTH = 12;
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** In groups of four letters. */
export function newFirstCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]);
  return letters.join("").replace(/.{4}(?=.)/g, "$&-");
}

/** As it is kept: in capitals, without blanks and lines; null = it is the token of another link. */
export function firstCodeIn(token: string): string | null {
  const typed = token.replace(/[\s-]/g, "").toUpperCase();
  return CODE.test(typed) ? typed : null;
}
