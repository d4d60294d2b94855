// Conditional requests and content encodings: versions that a client already has, and the compressions that it accepts.

/**
 * True if the client has the version that `etag` names. Compared weakly (RFC 9110 §13.1.2): proxies change the kind of
 * a tag.
 */
export function isKnown(asked: Headers, etag: string): boolean {
  const tags = asked.get("if-none-match") ?? "";
  return tags.trim() === "*" || tags.split(/,\s*/).some((tag) => tag.replace("W/", "") === etag.replace("W/", ""));
}

/** The first of our encodings, the best first, that the client accepts (RFC 9110 §12.5.3). */
export function encodingFor<Encoding extends string>(asked: Headers, ours: readonly Encoding[]): Encoding | undefined {
  const refused = /;\s*q=0(\.0*)?$/;
  const names = (asked.get("accept-encoding") ?? "").split(",").map((one) => one.trim().toLowerCase());
  const taken = names.filter((one) => !refused.test(one)).map((one) => one.split(";")[0]?.trim());
  return ours.find((name) => taken.includes(name));
}
