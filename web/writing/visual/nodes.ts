// The node types of visual emails: text, variable, button, image, columns, divider, condition, loop, HTML.
import { Node, type Extensions } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { ownPath } from "../../images/calls.ts";
import type { visual } from "../../texts/en/visual.ts";
import { behindBlocks } from "./insert-after.ts";
import { movedByKeys } from "./move.ts";
import { spaced } from "./spacing.ts";
import { inkOn, isColour, sharesOf } from "./spaces.ts";
import { conditionSaid } from "./condition-text.ts";
import { element, ownNode, type Attrs } from "./custom-node.ts";
import { isUndescribed } from "./document.ts";

type VisualWords = typeof visual;

/** The content of a column or a section: anything but columns and sections. */
const FLOW = "block flow";
const INSIDE = "(flow | heading | bulletList | orderedList | horizontalRule)+";

const listItem = Node.create({
  name: "listItem",
  content: "paragraph (bulletList | orderedList)*",
  defining: true,
  parseHTML: () => [{ tag: "li" }],
  renderHTML: () => ["li", 0],
  addKeyboardShortcuts() {
    return {
      Enter: () => this.editor.commands.splitListItem(this.name),
      Tab: () => this.editor.commands.sinkListItem(this.name),
      "Shift-Tab": () => this.editor.commands.liftListItem(this.name),
    };
  },
});

const flowParagraph = Node.create({
  name: "paragraph",
  priority: 1_000,
  group: FLOW,
  content: "inline*",
  parseHTML: () => [{ tag: "p" }],
  renderHTML: ({ HTMLAttributes }) => ["p", HTMLAttributes, 0],
});

const column = Node.create({
  name: "column",
  content: INSIDE,
  isolating: true,
  parseHTML: () => [{ tag: '[data-node="column"]' }],
  renderHTML: () => ["div", { "data-node": "column", class: "column-node" }, 0],
});

const columns = ownNode({
  name: "columns",
  attrs: { ratio: "", background: "", spacing: "" },
  kind: { group: "block", content: "column{2,3}", defining: true, isolating: true },
  draw: () => {
    const dom = element("div", "columns-node");
    const show = (attrs: Attrs) => {
      const shares = sharesOf(String(attrs["ratio"]));
      dom.style.gridTemplateColumns = shares.map((share) => `minmax(0, ${share}fr)`).join(" ");
      ground(dom, attrs);
    };
    return { dom, contentDOM: dom, show };
  },
});

/** A section of the email with its own background. */
const box = ownNode({
  name: "box",
  attrs: { background: "ground", spacing: "" },
  kind: { group: "block", content: INSIDE, defining: true, isolating: true },
  draw: () => {
    const dom = element("div", "box-node");
    return { dom, contentDOM: dom, show: (attrs: Attrs) => ground(dom, attrs) };
  },
});

function ground(dom: HTMLElement, { background, spacing }: Attrs): void {
  const own = String(background ?? "");
  dom.dataset["background"] = own.startsWith("#") ? "own" : own;
  dom.dataset["spacing"] = String(spacing ?? "");
  dom.style.backgroundColor = isColour(own) ? own : "";
  dom.style.color = isColour(own) ? inkOn(own, []) : "";
}

/** A frame with a label. */
function framed(say: (attrs: Attrs) => readonly (HTMLElement | string)[]) {
  return () => {
    const head = element("div", "node-head");
    head.contentEditable = "false";
    const contentDOM = element("div", "in");
    const dom = element("div", "node", head, contentDOM);
    return { dom, contentDOM, show: (attrs: Attrs) => head.replaceChildren(...say(attrs)) };
  };
}

const strong = (text: unknown) => element("b", "", String(text ?? ""));

function variable(t: VisualWords) {
  return ownNode({
    name: "variable",
    attrs: { path: "name", fallback: "" },
    kind: { group: "inline", inline: true, atom: true },
    draw: () => {
      const dom = element("span", "tok");
      const show = ({ path, fallback }: Attrs) =>
        dom.replaceChildren(String(path), ...(fallback ? [element("span", "alt", t.orElse(String(fallback)))] : []));
      return { dom, show };
    },
  });
}

function button(t: VisualWords) {
  return ownNode({
    name: "button",
    attrs: { href: "", align: "left", look: "", spacing: "" },
    kind: { group: FLOW, content: "(text | variable)*", marks: "", defining: true, isolating: true },
    draw: () => {
      const contentDOM = element("span", "cta");
      const fault = element("span", "fault small");
      fault.contentEditable = "false";
      const dom = element("div", "button-node", contentDOM, fault);
      const show = ({ href, align, look, spacing }: Attrs) => {
        dom.dataset["spacing"] = String(spacing);
        dom.dataset["align"] = String(align);
        dom.dataset["look"] = String(look);
        fault.textContent = href ? "" : t.noTarget;
      };
      return { dom, contentDOM, show };
    },
  });
}

/** External images are not loaded: their URL is shown instead. An image without a description shows a warning. */
function image(t: VisualWords) {
  return ownNode({
    name: "image",
    attrs: { src: "", alt: "", decorative: "", href: "", width: "", align: "left", spacing: "" },
    kind: { group: FLOW, atom: true },
    draw: () => {
      const dom = element("div", "image-node");
      const show = (attrs: Attrs) => {
        const { src, alt, width, align, spacing } = attrs;
        dom.dataset["spacing"] = String(spacing);
        dom.dataset["align"] = String(align);
        dom.replaceChildren(
          pictureOf({ src: String(src), alt: String(alt), width: Number(width) || 0 }, t),
          ...(isUndescribed({ type: "image", attrs }) ? [element("span", "fault small", t.noAlt)] : []),
        );
      };
      return { dom, show };
    },
  }).extend({
    // The HTML that other programs copy.
    parseHTML: () => [
      { tag: '[data-node="image"]' },
      {
        tag: "img[src]",
        getAttrs: (found: HTMLElement) => ({ src: found.getAttribute("src"), alt: found.getAttribute("alt") ?? "" }),
      },
    ],
  });
}

type Picture = { readonly src: string; readonly alt: string; readonly width: number };

function pictureOf({ src, alt, width }: Picture, t: VisualWords): HTMLElement {
  const path = ownPath(src);
  if (path === null) return element("span", "elsewhere", src === "" ? t.noSource : src);
  const picture = document.createElement("img");
  Object.assign(picture, { src: path, alt });
  if (width > 0) picture.width = width;
  return picture;
}

function rawHtml(t: VisualWords) {
  return ownNode({
    name: "rawHtml",
    attrs: { html: "" },
    kind: { group: FLOW, atom: true },
    draw: () => {
      const code = element("pre", "");
      const dom = element("div", "node raw-node", element("div", "node-head", t.blocks.rawHtml), code);
      return { dom, show: ({ html }) => void (code.textContent = String(html)) };
    },
  });
}

export function nodesFor(t: VisualWords): Extensions {
  const condition = ownNode({
    name: "condition",
    attrs: { path: "plan", comparison: "is", value: "" },
    kind: { group: FLOW, content: "block+", defining: true, isolating: true },
    draw: framed((attrs) => conditionSaid(attrs, t).map((part) => (part.isStrong ? strong(part.text) : part.text))),
  });
  const loop = ownNode({
    name: "loop",
    attrs: { list: "items", item: "item" },
    kind: { group: FLOW, content: "block+", defining: true, isolating: true },
    draw: framed(({ list, item }) => [`${t.forEach} `, strong(item), ` ${t.of} `, strong(list)]),
  });
  const kit = StarterKit.configure({
    blockquote: false,
    code: false,
    codeBlock: false,
    listItem: false,
    paragraph: false,
    trailingNode: false,
    heading: { levels: [1, 2, 3] },
    link: { openOnClick: false, isAllowedUri: (url, { defaultValidate }) => /^\{\{/.test(url) || defaultValidate(url) },
  });
  return [
    behindBlocks,
    movedByKeys,
    spaced,
    kit,
    flowParagraph,
    listItem,
    column,
    columns,
    box,
    variable(t),
    button(t),
    image(t),
    condition,
    loop,
    rawHtml(t),
  ];
}
