// Local parts that no person would choose: tokens, keys, letters typed at random.

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/;
const HEX_TOKEN = /^(?=.*\d.*\d)(?=.*[a-f].*[a-f])[0-9a-f]{16,}$/;
const HIT_AT_RANDOM = /asdf|hjkl|([a-z])\1{4}/;
const ROWS = ["qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn"];
const MIN_KEYS_IN_A_ROW = 5;

const MIN_CHARS = 8;
/** Letters that hardly ever follow one, in names of any language that is written or transcribed with these letters. */
const RARE_AFTER: Readonly<Record<string, string>> = {
  b: "fkqwxz",
  c: "fgvx",
  d: "cfpx",
  f: "cpqvwxz",
  g: "v",
  h: "jqxz",
  j: "bfgqx",
  k: "fqxz",
  l: "x",
  m: "qvx",
  p: "gjqvxz",
  q: "cfgjkpwxz",
  r: "x",
  s: "x",
  t: "q",
  v: "bfpqwx",
  w: "jqvx",
  x: "bdfgjkqrvz",
  y: "qx",
  z: "fjqx",
};
/** Letters that spell one sound. */
const ONE_SOUND = /tsch|sch|szcz|[cs]z|[rd]z|[cspktz]h|ck|ng|tz|(.)\1/g;
const CONSONANTS = /[^aeiouy]+/g;

/**
 * Whether the part before the @ looks machine-made or typed at random. Names of people must not, with years, initials
 * or without vowels where their language has few; nor must numbers alone, since some providers' users have nothing
 * else.
 */
export function looksRandom(local: string): boolean {
  const text = plain(local);
  return UUID.test(text) || text.split(/[^a-z0-9]+/).some(isRandomWord);
}

/** Lower case, without accents, quotes and the tag after a plus sign; other scripts are dropped. */
function plain(local: string): string {
  const [untagged = ""] = local.replaceAll('"', "").split("+");
  return untagged.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
}

function isRandomWord(word: string): boolean {
  if (HEX_TOKEN.test(word) || HIT_AT_RANDOM.test(word) || runsAlongKeys(word)) return true;
  if (word.length < MIN_CHARS || /^\d+$/.test(word)) return false;
  return alternates(word) || word.split(/\d+/).some(isUnspeakable);
}

function runsAlongKeys(word: string): boolean {
  const backwards = word.split("").reverse().join("");
  return ROWS.some((row) => {
    for (let at = 0; at + MIN_KEYS_IN_A_ROW <= row.length; at++) {
      const keys = row.slice(at, at + MIN_KEYS_IN_A_ROW);
      if (word.includes(keys) || backwards.includes(keys)) return true;
    }
    return false;
  });
}

/** Digits among the letters again and again, as in x7k2p9q4. */
function alternates(word: string): boolean {
  const switches = pairsOf(word).filter((pair) => /\d[a-z]|[a-z]\d/.test(pair)).length;
  return switches >= 4 && (switches + rarePairs(word)) / (word.length - 1) > 0.36;
}

/** `letters` without digits. */
function isUnspeakable(letters: string): boolean {
  if (letters.length < MIN_CHARS) return false;
  const rare = rarePairs(letters);
  const runs = letters.replace(ONE_SOUND, (sound) => sound.at(-1) ?? "").match(CONSONANTS) ?? [];
  const longest = Math.max(0, ...runs.map((run) => run.length));
  return rare >= 3 || longest >= 7 || (rare >= 1 && longest >= 5) || (rare >= 2 && longest >= 4);
}

function rarePairs(word: string): number {
  return pairsOf(word).filter(([first = "", second = ""]) => RARE_AFTER[first]?.includes(second)).length;
}

function pairsOf(word: string): string[] {
  return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
}
