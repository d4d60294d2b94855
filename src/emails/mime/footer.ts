// What marketing mail has in addition to its content: the ways to unsubscribe (RFC 2369, RFC 8058), and the postal address.
import { domainOf } from "../../addresses.ts";
import { directionOf, type Language } from "../../languages/language.ts";
import { textsIn } from "../../languages/texts.ts";
import { beginningOf } from "./plain-text.ts";
import { startOfBody } from "./preheader.ts";
import { linksSeenIn } from "./seen.ts";
import { cut, inserted, withoutValues, type Printed } from "../../templates/printed.ts";

export type MarketingMail = {
  readonly unsubscribeUrl: string;
  readonly workspaceId: string;
  readonly postalAddress: string | null;
  readonly language: Language;
  readonly fromAddress: string;
  /** For the mailbox providers' statistics: a template's or campaign's id. */
  readonly batch: string;
};

/** The headers by which a mailbox offers to unsubscribe and distinguishes lists. */
export function listHeaders(mail: MarketingMail): Record<string, string> {
  const domain = domainOf(mail.fromAddress);
  return {
    "List-Unsubscribe": `<${mail.unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-Id": `<${mail.workspaceId}.${domain}>`,
    "Feedback-ID": `${mail.batch}:${mail.workspaceId}:marketing:posthorn`,
  };
}

/** The HTML with a footer that has the unsubscribe link and the postal address, unless readers see them in the HTML already. */
export function withFooter(html: Printed, mail: MarketingMail): Printed {
  const lines = footerLines(html.text, escapedLines(mail.postalAddress), mail);
  if (lines.length === 0) return html;
  const { language } = mail;
  const style = "margin-top:32px;padding:16px;text-align:center;font:12px/1.5 sans-serif;color:#666";
  const footer = `<div lang="${language}" dir="${directionOf(language)}" style="${style}">${lines.join("<br>")}</div>`;
  return inserted(html, placeIn(html.text), withoutValues(footer));
}

/** The same for a text part that the sender wrote. */
export function withTextFooter(printed: Printed, mail: MarketingMail): Printed {
  const { text } = printed;
  if (text === "") return printed;
  const link = isIn(text, mail.unsubscribeUrl) ? [] : [`${textsIn(mail.language).unsubscribe}: ${mail.unsubscribeUrl}`];
  const lines = [...link, ...missingLines(text, linesOf(mail.postalAddress))];
  if (lines.length === 0) return printed;
  const { length } = text.trimEnd();
  return inserted(cut(printed, 0, length), length, withoutValues(`\n\n--\n${lines.join("\n")}\n`));
}

/** Not as a part of another URL. */
function isIn(text: string, url: string): boolean {
  return text.split(/[\s<>()[\]"']+/).some((word) => isTo(word.replace(/[.,;:!?*_]+$/, ""), url));
}

function isTo(target: string, url: string): boolean {
  return target.startsWith(url) && /^([?#]|$)/.test(target.slice(url.length));
}

function footerLines(html: string, address: readonly string[], { unsubscribeUrl, language }: MarketingMail): string[] {
  const { footer, unsubscribe } = textsIn(language);
  const link = `${footer} <a href="${unsubscribeUrl}" style="color:#666">${Bun.escapeHTML(unsubscribe)}</a>`;
  const hasAddress = missingLines(html, address).length === 0;
  if (!html.includes(unsubscribeUrl) && (!hasAddress || address.length === 0)) return [link, ...address];
  let text = "";
  const links = linksSeenIn(html, hasAddress ? (piece) => void (text += piece) : undefined);
  const isLinked = links.some((target) => isTo(target, unsubscribeUrl));
  return [...(isLinked ? [] : [link]), ...missingLines(text, address)];
}

const END = "posthorn:end";
/** HTML without any of it hides nothing. */
const MAY_HIDE =
  /<!|style|hidden|<(template|script|title|noscript|iframe|noembed|noframes|object|audio|video)\b|<(canvas|select|datalist|textarea|details|dialog|head|xmp|plaintext)\b/i;

/** Where the footer is seen: at the end, unless it is within something that the HTML hides or leaves open. */
function placeIn(html: string): number {
  const end = bodyEndIn(html);
  if (!MAY_HIDE.test(html) || beginningOf(html).length < html.length) return end;
  const isSeen = (at: number) => linksSeenIn(`${html.slice(0, at)}<a href="${END}">end</a>`).includes(END);
  return [end, startOfBody(html)].find(isSeen) ?? 0;
}

/** All lines or none. */
function missingLines(content: string, address: readonly string[]): readonly string[] {
  return address.every((line) => content.includes(line)) ? [] : address;
}

function escapedLines(address: string | null): string[] {
  return linesOf(address).map((line) => Bun.escapeHTML(line));
}

function linesOf(address: string | null): string[] {
  return (address ?? "").split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
}

/** The document with `addition` in front of its last `</body>`, or at its end where there is none. */
export function beforeBodyEnd(html: string, addition: string): string {
  const at = bodyEndIn(html);
  return html.slice(0, at) + addition + html.slice(at);
}

function bodyEndIn(html: string): number {
  let at = html.length;
  // Not by an index in a lower-case copy: there İ has two characters.
  for (const { index } of html.matchAll(/<\/body>/gi)) at = index;
  return at;
}
