// How JSON is built, told from its text: what is too deep or has too many parts would break or hold up what walks through it.

/** What a text of JSON may have of each. */
export type Bounds = { readonly levels: number; readonly keys?: number; readonly items?: number };

/** What of `json` is beyond its bounds; null = nothing. `items` are all values but the first of each list or object. Takes one pass, and stops at the excess. */
export function excessOf(json: string, { levels, keys = Infinity, items = Infinity }: Bounds): keyof Bounds | null {
  let [depth, colons, commas] = [0, 0, 0];
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === "]" || character === "}") depth--;
    else if ((character === "[" || character === "{") && ++depth > levels) return "levels";
    else if (character === ":" && ++colons > keys) return "keys";
    else if (character === "," && ++commas > items) return "items";
  }
  return null;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json[start - 1] === "\\") start--;
  return (at - start) % 2 === 1;
}
