// The formats of other programs for bold, italic, heading, list and link in the HTML that they copy.

/** The formatting of a run of text. */
export type TextLook = {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly href: string;
};

export const PLAIN: TextLook = { bold: false, italic: false, underline: false, strike: false, href: "" };

/** Holds the `style` attribute: under its own name, the page's CSP would refuse and report it. */
export const STYLE = "data-look";

const ATTRIBUTE = /\s([^\s=>"'/]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?/g;
const TAG = /<[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi;

type Policy = { readonly createHTML: (html: string) => string };
type Policies = { readonly createPolicy: (name: string, policy: Policy) => Policy };

/** Trusted HTML for the parser, if the browser requires it; the parsed document is never shown. */
const { trustedTypes } = globalThis as unknown as { readonly trustedTypes?: Policies };
const policy = trustedTypes?.createPolicy("pasted", { createHTML: (html) => html });

/** The body of a document without scripts and requests. */
export function parsed(html: string): HTMLElement {
  const text = inert(html);
  return new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "text/html").body;
}

/** The HTML without scripts and event handlers. Its styles can be read, but do not apply. */
export function inert(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, "")
    .replace(TAG, (tag) =>
      tag.replace(ATTRIBUTE, (whole: string, name: string, value = "") =>
        /^on/i.test(name) ? "" : /^style$/i.test(name) ? ` ${STYLE}${value}` : whole,
      ),
    );
}

/** The value of a property in an element's style; "" = none. */
export function styled(element: Element, name: string): string {
  const style = element.getAttribute(STYLE) ?? "";
  return new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]*)`, "i").exec(style)?.[1]?.trim().toLowerCase() ?? "";
}

/** A weight of 400 undoes a bold element: Google Docs wraps everything in one. */
export function lookOf(element: Element, outer: TextLook): TextLook {
  const tag = element.localName;
  const [weight, style] = [styled(element, "font-weight"), styled(element, "font-style")];
  const lines = `${styled(element, "text-decoration")} ${styled(element, "text-decoration-line")}`;
  const isBold = weight === "bold" || weight === "bolder" || Number(weight) >= 600;
  const href = tag === "a" ? targetOf(element.getAttribute("href") ?? "") : "";
  return {
    bold: weight === "" ? outer.bold || tag === "b" || tag === "strong" : isBold,
    italic: style === "" ? outer.italic || tag === "i" || tag === "em" : style !== "normal",
    underline: outer.underline || tag === "u" || lines.includes("underline"),
    strike: outer.strike || tag === "s" || tag === "del" || tag === "strike" || lines.includes("line-through"),
    href: href || outer.href,
  };
}

/** "" = not a link that works in emails. Google and Outlook wrap links in redirects. */
function targetOf(href: string): string {
  const text = href.trim();
  if (text.startsWith("{{")) return text;
  if (!/^(https?:|mailto:|tel:)/i.test(text) || !URL.canParse(text)) return "";
  const { hostname, pathname, searchParams } = new URL(text);
  const isGoogle = /(^|\.)google\.[a-z.]+$/.test(hostname) && pathname === "/url";
  const inner = isGoogle
    ? searchParams.get("q")
    : hostname.endsWith(".safelinks.protection.outlook.com")
      ? searchParams.get("url")
      : null;
  return inner && /^(https?:|mailto:)/i.test(inner) ? inner : text;
}

/** 0 = not a heading. The editor has three levels. */
export function headingOf(element: Element): number {
  const level =
    /^h([1-6])$/.exec(element.localName)?.[1] ??
    /^mso(?:heading)([1-9])$/i.exec(element.className)?.[1] ??
    /^[1-9]$/.exec(styled(element, "mso-outline-level"))?.[0] ??
    (/\bMsoTitle\b/.test(element.className) ? "1" : "0");
  return Math.min(Number(level), 3);
}

export type ListItem = { readonly level: number; readonly isOrdered: boolean };

/** Word writes lists as paragraphs, with the bullet or number as text; null = not an item. */
export function wordListItem(element: Element): ListItem | null {
  const level = /level(\d+)/.exec(styled(element, "mso-list"))?.[1];
  if (level === undefined) return null;
  const bullet = [...element.querySelectorAll(`[${STYLE}]`)].find(isBullet)?.textContent ?? "";
  return { level: Number(level), isOrdered: /^\s*\(?(\d+|[a-z]|[ivxlc]+)[.)]/i.test(bullet) };
}

export function isBullet(element: Element): boolean {
  return styled(element, "mso-list") === "ignore";
}

export function isHidden(element: Element): boolean {
  return styled(element, "display") === "none" || styled(element, "mso-hide") === "all";
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
