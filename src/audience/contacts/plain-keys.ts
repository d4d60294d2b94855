// Plain keys: names that segments, conditions and emails use without quotes. Turns names of columns into plain keys.
import { isReserved } from "./data.ts";
import { plain } from "./search/name-fields.ts";

const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u;

export function isPlainKey(key: string): boolean {
  return PLAIN.test(key);
}

/** `Phone Number` → `phoneNumber`; "" = no character remains. Kept in step with web/people/import/file/plain-key.ts. */
export function plainKey(name: string): string {
  const words = name
    .normalize("NFC")
    .replace(/['’]/g, "")
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((word) => word !== "");
  const key = words
    .map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map((word, at) => (at === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join("");
  return /^[\p{L}_]/u.test(key) || key === "" ? key : `_${key}`;
}

/** For a key that is not plain, the plain one that contacts already have, else a new one that is not taken. */
export function plainKeyFor(name: string, known: Iterable<string>, isTaken: (key: string) => boolean): string {
  const spelled = plain(name);
  for (const key of known) if (isPlainKey(key) && plain(key) === spelled && !isTaken(key)) return key;
  const first = plainKey(name) || "field";
  for (let at = 1; ; at++) {
    const key = at === 1 ? first : `${first}${at}`;
    if (!isTaken(key) && !isReserved(key)) return key;
  }
}
