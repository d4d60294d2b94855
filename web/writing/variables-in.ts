// Which variables a text uses, and so which may be missing.

const PATH = String.raw`[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}_][\p{L}\p{N}_-]*)*`;
/** Output, condition or loop; only the first operand of a condition. */
const NAMED = new RegExp(
  String.raw`\{\{\{?-?\s*(${PATH})|\{%-?\s*(?:if|elsif|unless|case)\s+(${PATH})|\{%-?\s*for\s+[\w-]+\s+in\s+(${PATH})`,
  "gu",
);
const DATA = "data.";
/** Built-in variables, and those of Liquid. */
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

/** The root names, without `data.`, each once. */
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
