// The variables in a text, which may be missing in a contact's data.

const PATH = String.raw`[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}_][\p{L}\p{N}_-]*)*`;
/** An output, condition or loop; of a condition, only the first operand. */
const NAMED = new RegExp(
  String.raw`\{\{\{?-?\s*(${PATH})|\{%-?\s*(?:if|elsif|unless|case)\s+(${PATH})|\{%-?\s*for\s+[\w-]+\s+in\s+(${PATH})`,
  "gu",
);
const DATA = "data.";
/** Built-in variables, and words of Liquid. */
const BUILT_IN = new Set([
  "email",
  "subscribed",
  "unsubscribeUrl",
  "subscribeUrl",
  "manageUrl",
  "forloop",
  "true",
  "false",
]);

/** The root names, without `data.` and duplicates. */
export function variablesIn(...texts: readonly string[]): readonly string[] {
  const loops = new Set(
    texts.flatMap((text) => [...text.matchAll(/\{%-?\s*for\s+([\w-]+)\s+in\b/g)].map(([, as]) => as)),
  );
  const paths = texts.flatMap((text) =>
    [...text.matchAll(NAMED)].map(([, one, two, three]) => one ?? two ?? three ?? ""),
  );
  const firsts = paths.map((path) => (path.startsWith(DATA) ? path.slice(DATA.length) : path).split(".")[0] ?? "");
  return [...new Set(firsts)].filter(
    (name) => name !== "" && name !== "event" && !BUILT_IN.has(name) && !loops.has(name),
  );
}
