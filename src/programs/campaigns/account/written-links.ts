// The links of a campaign as its author wrote them. A link with placeholders leads to another URL in each mail, such as
// https://shop.example/?coupon={{ coupon }}, and is one link all the same: clicks are counted by it.
import { decoded } from "../../../content/mime/attribute.ts";
import { joined, sqlList, sql, type Sql } from "../../../store/sql.ts";
import type { Dialect } from "../../../store/store.ts";

/** Each click is compared with each of these links. */
const MOST_PERSONAL = 100;
/** The limit of values bound to a statement. */
const MOST_SAME = 1_000;
/** A URL of more than 2,000 bytes is not counted. Tags in a link may be longer than their results. */
const LONGEST_CHARS = 4_000;
/** Further pieces are ignored: a search for many in a long URL takes long. */
const MOST_PIECES = 6;
/** The recipient's own pages: clicks on them are not counted. */
const OWN_PAGE = /^\{\{\{?-?\s*(?:unsubscribeUrl|subscribeUrl|manageUrl)\b/;

/** `pieces`: the text around its placeholders; one = it has none. */
type LinkPattern = { readonly url: string; readonly pieces: readonly string[] };

/**
 * The link of the body that a URL was made of, as the body has it: `followed` is the URL. One that is in no link of the
 * body stays as it is.
 */
export function writtenLink({ isMadeOf }: Pick<Dialect, "isMadeOf">, followed: Sql, body: string): Sql {
  const links = linksIn(body);
  const personal = links.filter(({ pieces }) => pieces.length > 1).slice(0, MOST_PERSONAL);
  if (personal.length === 0) return followed;
  const same = links.flatMap(({ url, pieces }) => (pieces.length === 1 ? [url] : [])).slice(0, MOST_SAME);
  const isSame = same.length === 0 ? sql`` : sql` when ${followed} in (${sqlList(same)}) then ${followed}`;
  const isPersonal = personal
    .toSorted((one, other) => saidIn(other) - saidIn(one))
    .map(({ url, pieces }) => sql` when ${isMadeOf(followed, fewOf(pieces))} then ${url}`);
  return sql`(case${isSame}${joined(isPersonal, "")} else ${followed} end)`;
}

function linksIn(body: string): LinkPattern[] {
  const urls = new Set<string>();
  const reader = new HTMLRewriter().on("a[href], area[href]", {
    element: (link) => void urls.add(decoded(link.getAttribute("href") ?? "").trim()),
  });
  reader.transform(body);
  const those = [...urls].filter((url) => url.length <= LONGEST_CHARS && !OWN_PAGE.test(url));
  return those.map((url) => ({ url, pieces: piecesOf(url) }));
}

/** Read once, however many braces there are. */
function piecesOf(url: string): string[] {
  const [lastTag, lastValue] = [url.lastIndexOf("%}"), url.lastIndexOf("}}")];
  const pieces: string[] = [];
  const opening = /\{[{%]/g;
  let from = 0;
  for (let found = opening.exec(url); found; found = opening.exec(url)) {
    const inside = found.index + 2;
    opening.lastIndex = inside - 1;
    if (inside > (found[0] === "{%" ? lastTag : lastValue)) continue;
    pieces.push(url.slice(from, found.index));
    // A tag may hold pieces of a URL that are not in every mail: from the first to the last, anything may stand.
    from = found[0] === "{%" ? lastTag + 2 : endOfValue(url, inside);
    opening.lastIndex = from;
  }
  return [...pieces, url.slice(from)];
}

function endOfValue(url: string, inside: number): number {
  const end = url.indexOf("}}", inside) + 2;
  return url[end] === "}" ? end + 1 : end;
}

function fewOf([first = "", ...others]: readonly string[]): readonly string[] {
  const last = others.pop() ?? "";
  return [first, ...others.filter((piece) => piece !== "").slice(0, MOST_PIECES - 2), last];
}

/** A URL is counted for the pattern that covers most of it. */
function saidIn({ pieces }: LinkPattern): number {
  return pieces.join("").length;
}
