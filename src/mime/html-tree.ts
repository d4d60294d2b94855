// The elements and texts of a mail's HTML, as far as its text version needs them: comments are left out.
import { Parser } from "htmlparser2";

export type Node = Element | string;

export type Element = {
  /** In small letters. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: Element | null;
  readonly children: Node[];
};

/** Its root, which has no name. Tags that are missing are put in as browsers do. */
export function treeOf(html: string): Element {
  const root: Element = { name: "", attributes: {}, parent: null, children: [] };
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
