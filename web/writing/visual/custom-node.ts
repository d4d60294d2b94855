// A custom node of the editor: its attributes and its DOM, without HTML strings.
import { Node, type NodeConfig } from "@tiptap/core";
import type { Node as Kept } from "@tiptap/pm/model";

export type Attrs = Readonly<Record<string, unknown>>;

type CustomNode = {
  readonly name: string;
  readonly attrs: Readonly<Record<string, string>>;
  readonly kind: Pick<NodeConfig, "group" | "content" | "inline" | "atom" | "defining" | "isolating" | "marks">;
  /** The element, the element for its content, and a function that shows its attributes. */
  readonly draw: () => {
    readonly dom: HTMLElement;
    readonly contentDOM?: HTMLElement;
    readonly show?: (attrs: Attrs) => void;
  };
};

/** Copy and paste use an element with the attributes as JSON. */
export function ownNode({ name, attrs, kind, draw }: CustomNode) {
  return Node.create({
    ...kind,
    name,
    selectable: true,
    draggable: kind.inline !== true,
    addAttributes: () =>
      Object.fromEntries(
        Object.entries(attrs).map(([key, first]) => [
          key,
          { default: first, parseHTML: (element: HTMLElement) => element.getAttribute(`data-${key}`) ?? first },
        ]),
      ),
    parseHTML: () => [{ tag: `[data-node="${name}"]` }],
    renderHTML: ({ node }: { readonly node: Kept }) => {
      const attributes = Object.entries(node.attrs).map(([key, value]) => [`data-${key}`, String(value ?? "")]);
      const element: Record<string, string> = { "data-node": name, ...Object.fromEntries(attributes) };
      const tag = kind.inline ? "span" : "div";
      return kind.content === undefined ? [tag, element] : [tag, element, 0];
    },
    addNodeView: () => (given: { readonly node: Kept }) => {
      const { dom, contentDOM, show } = draw();
      show?.(given.node.attrs);
      const update = (node: Kept) => {
        if (node.type.name !== name) return false;
        show?.(node.attrs);
        return true;
      };
      // Changes of the DOM around the content are not changes of the document.
      const ignoreMutation = ({ target }: { readonly target: globalThis.Node }) => !contentDOM?.contains(target);
      return { dom, ...(contentDOM ? { contentDOM } : {}), update, ignoreMutation };
    },
  });
}

export function element(tag: string, className: string, ...inside: readonly (HTMLElement | string)[]): HTMLElement {
  const created = document.createElement(tag);
  created.className = className;
  created.append(...inside);
  return created;
}
