// The text of a reply as it is kept.
const ADDRESS = /<?[^\s<>()"';,]{1,64}@[\w.-]{1,253}>?/g;
const MOST_CHARS = 300;

/** The reply without addresses: it is kept after people are erased. */
export function withoutAddresses(reply: string): string {
  return reply.replace(ADDRESS, "…").slice(0, MOST_CHARS).toWellFormed();
}
