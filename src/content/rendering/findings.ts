// Findings in the HTML of a mail before it is sent: its size, its links and pictures, and their faults.
import { decoded } from "../mime/attribute.ts";
import { beginningOf } from "../mime/plain-text/plain-text.ts";

/** The size at which Gmail cuts a mail off and links to the rest. */
export const CLIPPED_AT_BYTES = 102 * 1024;
/** The most links and pictures that are listed. */
export const MOST_FOUND = 500;
const MAX_CHARS = 500;

export const LINK_FAULTS = ["NO_TARGET", "NOT_A_URL", "HTTP"] as const;
export const IMAGE_FAULTS = ["NO_SOURCE", "NOT_A_URL", "HTTP", "DATA_URL", "NO_ALT"] as const;

type LinkFinding = { readonly href: string; text: string; readonly faults: (typeof LINK_FAULTS)[number][] };
type ImageFinding = {
  readonly src: string;
  /** Null = missing; an empty one marks the picture as decorative. */
  readonly alt: string | null;
  readonly faults: (typeof IMAGE_FAULTS)[number][];
};
export type HtmlFindings = {
  readonly bytes: number;
  readonly isClipped: boolean;
  readonly links: readonly LinkFinding[];
  readonly images: readonly ImageFinding[];
};

/** In a very long mail, only the beginning is inspected. `own`: URLs that this server inserts, with any beginning. */
export function findingsIn(html: string, own: readonly string[]): HtmlFindings {
  const links: LinkFinding[] = [];
  const images: ImageFinding[] = [];
  let open: LinkFinding | null = null;
  const rewriter = new HTMLRewriter()
    .on("a, area", {
      element(tag) {
        open = null;
        if (links.length === MOST_FOUND || isAnchor(tag)) return;
        const href = attributeIn(tag, "href") ?? "";
        open = { href: href.slice(0, MAX_CHARS), text: "", faults: own.includes(href) ? [] : linkFaults(href) };
        links.push(open);
      },
      text({ text }) {
        if (open !== null && open.text.length < MAX_CHARS) open.text += decoded(text.slice(0, MAX_CHARS));
      },
    })
    .on("img", {
      element(tag) {
        if (images.length === MOST_FOUND) return;
        const [src, alt] = [attributeIn(tag, "src") ?? "", attributeIn(tag, "alt")];
        const faults = [...imageFaults(src), ...(isSilent(tag.getAttribute("alt")) ? (["NO_ALT"] as const) : [])];
        images.push({ src: src.slice(0, MAX_CHARS), alt: alt?.slice(0, MAX_CHARS) ?? null, faults });
      },
    });
  rewriter.transform(beginningOf(html));
  for (const link of links) link.text = link.text.replace(/\s+/g, " ").trim().slice(0, MAX_CHARS);
  const bytes = Buffer.byteLength(html);
  return { bytes, isClipped: bytes > CLIPPED_AT_BYTES, links, images };
}

type Tag = { getAttribute(name: string): string | null };

function attributeIn(tag: Tag, name: string): string | null {
  const value = tag.getAttribute(name);
  return value === null ? null : decoded(value).trim();
}

/** An anchor: a target of links within the mail. */
function isAnchor(tag: Tag): boolean {
  return tag.getAttribute("href") === null && (tag.getAttribute("name") ?? tag.getAttribute("id")) !== null;
}

function linkFaults(href: string): LinkFinding["faults"] {
  if (/^#?$|^javascript:/i.test(href)) return ["NO_TARGET"];
  // A link within the mail.
  if (href.startsWith("#")) return [];
  if (!isUrl(href)) return ["NOT_A_URL"];
  return /^http:/i.test(href) ? ["HTTP"] : [];
}

/** An empty alt text marks the picture as decorative, unlike blanks. */
function isSilent(alt: string | null): boolean {
  return alt === null || (alt !== "" && decoded(alt).trim() === "");
}

function imageFaults(src: string): ImageFinding["faults"] {
  if (src === "") return ["NO_SOURCE"];
  if (/^data:/i.test(src)) return ["DATA_URL"];
  if (!isUrl(src)) return ["NOT_A_URL"];
  return /^http:/i.test(src) ? ["HTTP"] : [];
}

/** With a scheme, since a mail has no base URL; and with a host if it is a web address. */
function isUrl(text: string): boolean {
  if (!/^https?:/i.test(text)) return /^[a-z][a-z0-9+.-]*:./i.test(text);
  return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text);
}
