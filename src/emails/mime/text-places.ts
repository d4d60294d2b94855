// What of a mail's HTML its text version is made of. It is read as `plainText` reads it, not as browsers do.
import { compile, type FormatCallback } from "html-to-text";
import { conversion, LIMITS, withoutSpaces } from "./plain-text.ts";

/** A link as it is compared: it is shown once if its text is its URL. */
export type ReadLink = { /** Without white space. */ readonly text: string; readonly url: string };

type Read = (html: string) => string;

/** What these hold is no text, or ends where its own tag ends only. */
const CLOSED = ["iframe", "noembed", "noframes", "noscript", "template", "textarea", "xmp"];
/** They would be shown in another way, or say more than their text. */
const CHANGED = ["a", "table", "h1", "h2", "h3", "h4", "h5", "h6"];

let readAll: Read | null = null;
let readLinks: Read | null = null;
let found: ReadLink[] = [];

/** All text in it, shown or not, a line for what stands between two tags: nothing of tags, comments, scripts and styles. */
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
