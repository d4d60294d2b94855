// The text in a mail's HTML as `plainText` reads it, which is not how browsers do.
import { compile, type FormatCallback } from "html-to-text";
import { conversion, LIMITS, withoutSpaces } from "./plain-text.ts";

/** A link as it is compared: it is shown once if its text is its URL. */
export type ReadLink = { /** Without white space. */ readonly text: string; readonly url: string };

type Read = (html: string) => string;

/** Elements whose content is not text, or ends only at their own end tag. */
const CLOSED = ["iframe", "noembed", "noframes", "noscript", "template", "textarea", "xmp"];
/** Elements with formatters of their own, which change or add text. */
const CHANGED = ["a", "table", "h1", "h2", "h3", "h4", "h5", "h6"];

let readAll: Read | null = null;
let readLinks: Read | null = null;
let found: ReadLink[] = [];

/** All text, shown or hidden, one line for each stretch between two tags; without tags, comments, scripts and styles. */
export function allTextIn(html: string): string {
  readAll ??= compile({
    wordwrap: false,
    limits: LIMITS,
    baseElements: { selectors: [] },
    selectors: [
      ...["*", ...CHANGED].map((selector) => ({ selector, format: "block" })),
      ...["img", ...CLOSED].map((selector) => ({ selector, format: "skip" })),
    ],
  });
  return readAll(html);
}

/** Its links in the order in which they end. */
export function linksIn(html: string): ReadLink[] {
  readLinks ??= conversion(noted);
  found = [];
  readLinks(html);
  return found;
}

const noted: FormatCallback = (link, walk, builder, options) => {
  let [text, url] = ["", ""];
  const add = (word: string) => {
    text += word;
    return word;
  };
  const pathRewrite = (path: string) => (url = withoutSpaces(path));
  builder.pushWordTransform(add);
  builder.options.formatters["anchor"]?.(link, walk, builder, { ...options, pathRewrite });
  builder.popWordTransform();
  found.push({ text, url });
};
