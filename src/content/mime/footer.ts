// The additions to marketing mail: the ways to unsubscribe (RFC 2369, RFC 8058), and the postal address.
import { domainOf } from "../../base/addresses.ts";
import { BoundedMap } from "../../base/brakes/bounded-map.ts";
import { SANS } from "../../base/fonts.ts";
import { sha256Hex } from "../../base/ids.ts";
import { directionOf, type Language } from "../../base/languages/language.ts";
import { textsIn } from "../../base/languages/texts.ts";
import { beginningOf } from "./plain-text/plain-text.ts";
import { startOfBody } from "./preheader.ts";
import { linksSeenIn } from "./seen.ts";

export type MarketingMail = {
  readonly unsubscribeUrl: string;
  readonly workspaceId: string;
  readonly postalAddress: string | null;
  readonly language: Language;
  readonly fromAddress: string;
  /** A template's or campaign's id, for mailbox providers' statistics. */
  readonly batch: string;
  /** The address for complaints, and the id of the mail in them; null or missing = complaints have no address. */
  readonly feedback?: { readonly address: string; readonly id: string } | null;
};

/** The headers by which a mail program offers to unsubscribe and distinguishes lists. */
export function listHeaders(mail: MarketingMail): Record<string, string> {
  const domain = domainOf(mail.fromAddress);
  return {
    "List-Unsubscribe": `<${mail.unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-Id": `<${mail.workspaceId}.${domain}>`,
    "Feedback-ID": `${mail.batch}:${mail.workspaceId}:marketing:posthorn`,
    ...(mail.feedback && complaintFields(mail.feedback)),
  };
}

/** The fields of RFC 9477. */
function complaintFields({ address, id }: NonNullable<MarketingMail["feedback"]>): Record<string, string> {
  return { "CFBL-Address": `${address}; report=arf`, "CFBL-Feedback-ID": id };
}

/** The HTML with a footer of the unsubscribe link and the postal address, unless readers already see them. */
export function withFooter(html: string, mail: MarketingMail): string {
  const lines = footerLines(html, escapedLines(mail.postalAddress), mail);
  if (lines.length === 0) return html;
  const { language } = mail;
  const style = `margin-top:32px;padding:16px;text-align:center;font:12px/1.5 ${SANS};color:#666`;
  const footer = `<div lang="${language}" dir="${directionOf(language)}" style="${style}">${lines.join("<br>")}</div>`;
  const at = placeIn(html, mail);
  return html.slice(0, at) + footer + html.slice(at);
}

/** The same for a text part. */
export function withTextFooter(text: string, mail: MarketingMail): string {
  if (text === "") return text;
  const link = isIn(text, mail.unsubscribeUrl) ? [] : [`${textsIn(mail.language).unsubscribe}: ${mail.unsubscribeUrl}`];
  const address = linesOf(mail.postalAddress);
  const isThere = address.length === 0 || missingLines(onOneLine(text), address.map(onOneLine)).length === 0;
  const lines = [...link, ...(isThere ? [] : address)];
  return lines.length === 0 ? text : `${text.trimEnd()}\n\n--\n${lines.join("\n")}\n`;
}

/** On one line, since a text part wraps long lines. */
function onOneLine(text: string): string {
  return text.split(/\s+/).join(" ").trim();
}

/** True if the URL occurs by itself, not as a part of another one. */
function isIn(text: string, url: string): boolean {
  const isIt = (word: string) => word.startsWith(url) && /^(?:[?#]|[.,;:!?*_]*$)/.test(word.slice(url.length));
  return text.includes(url) && text.split(/[\s<>()[\]"']+/).some(isIt);
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
  const take = hasAddress && address.length > 0 ? (piece: string) => void (text += piece) : undefined;
  const isLinked = linksSeenIn(html, take).some((target) => isTo(target, unsubscribeUrl));
  return [...(isLinked ? [] : [link]), ...missingLines(text, address)];
}

const END = "posthorn:end";

/** A place where the footer is visible: at the end, unless the end is within hidden or unclosed HTML. */
function placeIn(html: string, { unsubscribeUrl }: MarketingMail): number {
  const end = bodyEndIn(html);
  if (beginningOf(html).length < html.length) return end;
  const isSeen = (at: number) => linksSeenIn(`${html.slice(0, at)}<a href="${END}">end</a>`).includes(END);
  const places = [end, startOfBody(html), 0];
  return places[decidedOnce(html, unsubscribeUrl, () => places.findIndex((at) => at === 0 || isSeen(at)))] ?? 0;
}

/** Keyed by the common markup of a campaign's mails: the first mail is parsed and decides for the others. */
const decisions = new BoundedMap<string, number>(1_000);

function decidedOnce(html: string, url: string, decide: () => number): number {
  const key = sha256Hex(markupOf(html).replaceAll(url, "\0"));
  const decision = decisions.get(key) ?? decide();
  decisions.set(key, decision);
  return decision;
}

/** Drops text between tags, which hides nothing except in a style sheet. Text that could be part of a tag stays. */
function markupOf(html: string): string {
  return /<style/i.test(html) ? html : html.replace(/>[^<>"']*</g, "><");
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

/** The document with `addition` before its last `</body>`, or at its end without one. */
export function beforeBodyEnd(html: string, addition: string): string {
  const at = bodyEndIn(html);
  return html.slice(0, at) + addition + html.slice(at);
}

function bodyEndIn(html: string): number {
  let at = html.length;
  // A lower-case copy would have other indexes: its İ has two characters.
  for (const { index } of html.matchAll(/<\/body>/gi)) at = index;
  return at;
}
