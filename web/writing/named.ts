// Which variables a text names: what somebody could lack.

const PATH = String.raw`[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}_][\p{L}\p{N}_-]*)*`;
/** Printed, asked for or gone through; only the first of a condition's values. */
const NAMED = new RegExp(
  String.raw`\{\{\{?-?\s*(${PATH})|\{%-?\s*(?:if|elsif|unless|case)\s+(${PATH})|\{%-?\s*for\s+[\w-]+\s+in\s+(${PATH})`,
  "gu",
);
const DATA = "data.";
/** What every mail knows, and what Liquid itself brings. */
const KNOWN = new Set([
  "email",
  "subscribed",
  "unsubscribeUrl",
  "subscribeUrl",
  "manageUrl",
  "forloop",
  "true",
  "false",
]);

/** The first names of their paths, without `data.`, each once. */
export function namedIn(...texts: readonly string[]): readonly string[] {
  const loops = new Set(
    texts.flatMap((text) => [...text.matchAll(/\{%-?\s*for\s+([\w-]+)\s+in\b/g)].map(([, as]) => as)),
  );
  const paths = texts.flatMap((text) =>
    [...text.matchAll(NAMED)].map(([, one, two, three]) => one ?? two ?? three ?? ""),
  );
  const firsts = paths.map((path) => (path.startsWith(DATA) ? path.slice(DATA.length) : path).split(".")[0] ?? "");
  return [...new Set(firsts)].filter((name) => name !== "" && name !== "event" && !KNOWN.has(name) && !loops.has(name));
}
