// The links of a campaign as its author wrote them. A link with placeholders leads to another URL in each mail, such as
// https://shop.example/?coupon={{ coupon }}, and is one link all the same: clicks are counted by it.
import { decoded } from "../../mime/attribute.ts";
import { joined, list, sql, type Sql } from "../../store/sql.ts";
import type { Dialect } from "../../store/store.ts";

/** A tag may hold pieces of a URL that are not in every mail: from the first to the last, anything may stand. */
const PLACEHOLDERS = /\{%.*%\}|\{\{.*?\}\}\}?/s;

/** What stands around more placeholders is left out: to look for many pieces in a long URL takes long. */
const MOST_PIECES = 6;

/** `pieces`: what stands around its placeholders. */
type PersonalLink = { readonly url: string; readonly pieces: readonly string[] };

/**
 * The link of the body that a URL was made of, as the body has it: `followed` is the URL. One that is in no link of the
 * body stays as it is.
 */
export function writtenLink({ isMadeOf }: Pick<Dialect, "isMadeOf">, followed: Sql, body: string): Sql {
  const urls = linksIn(body);
  const personal = urls.filter((url) => PLACEHOLDERS.test(url)).map(personalLink);
  if (personal.length === 0) return followed;
  const same = urls.filter((url) => !PLACEHOLDERS.test(url));
  const isSame = same.length === 0 ? sql`` : sql` when ${followed} in (${list(same)}) then ${followed}`;
  const isPersonal = personal
    .toSorted((one, other) => saidIn(other) - saidIn(one))
    .map(({ url, pieces }) => sql` when ${isMadeOf(followed, pieces)} then ${url}`);
  return sql`(case${isSame}${joined(isPersonal, "")} else ${followed} end)`;
}

function linksIn(body: string): string[] {
  const urls = new Set<string>();
  const reader = new HTMLRewriter().on("a[href], area[href]", {
    element: (link) => void urls.add(decoded(link.getAttribute("href") ?? "").trim()),
  });
  reader.transform(body);
  return [...urls];
}

function personalLink(url: string): PersonalLink {
  const pieces = url.split(new RegExp(PLACEHOLDERS, "gs"));
  const [first, ...others] = pieces;
  const last = others.pop() ?? "";
  return { url, pieces: [first ?? "", ...others.filter((piece) => piece !== "").slice(0, MOST_PIECES - 2), last] };
}

/** The link that says most of its URL is the one that is meant. */
function saidIn({ pieces }: PersonalLink): number {
  return pieces.join("").length;
}
