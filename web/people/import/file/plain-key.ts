// Plain keys: segments, conditions and emails can use them without quotes.

/**
 * `Phone Number` → `phoneNumber`, `Kundennr.` → `kundennr`; a plain name stays. As src/audience/contacts/plain-keys.ts.
 */
export function plainKey(name: string): string {
  if (/^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(name)) return name;
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
