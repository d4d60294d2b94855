// The elements and texts of a mail's HTML that its text version needs; comments are left out.
import { Parser } from "htmlparser2";

export type HtmlNode = HtmlElement | string;

export type HtmlElement = {
  /** In small letters. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: HtmlElement | null;
  readonly children: HtmlNode[];
};

/** The root of the tree, which has no name. Missing tags are added as in browsers. */
export function treeOf(html: string): HtmlElement {
  const root: HtmlElement = { name: "", attributes: {}, parent: null, children: [] };
  let at = root;
  const parser = new Parser({
    onopentag(name, attributes) {
      const element = { name, attributes, parent: at, children: [] };
      at.children.push(element);
      at = element;
    },
    ontext(text) {
      const { children } = at;
      const last = children.length - 1;
      const before = children[last];
      if (typeof before === "string") children[last] = before + text;
      else children.push(text);
    },
    onclosetag() {
      at = at.parent ?? root;
    },
  });
  parser.end(html);
  return root;
}

/** The depth to which elements are searched. */
export const SEARCH_DEPTH = 30;

export function namesIn(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

export function elementsIn({ children }: HtmlElement): HtmlElement[] {
  return children.filter((child) => typeof child !== "string");
}

/** True if the element contains one of these names, at most `depth` levels down. */
export function holds({ children }: HtmlElement, names: ReadonlySet<string>, depth = SEARCH_DEPTH): boolean {
  if (depth === 0) return false;
  return children.some(
    (child) => typeof child !== "string" && (names.has(child.name) || holds(child, names, depth - 1)),
  );
}
