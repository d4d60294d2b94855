// How deep JSON is nested, told from its text: a value that is too deep breaks whatever walks through it.

/** True if brackets lie more than `levels` deep in each other; those in strings do not count. Takes one pass. */
export function isDeeperThan(json: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === "]" || character === "}") depth--;
    else if ((character === "[" || character === "{") && ++depth > levels) return true;
  }
  return false;
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
