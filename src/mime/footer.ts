// What marketing mail has in addition to its content: the ways to unsubscribe (RFC 2369, RFC 8058), and the postal address.
import { sha256Hex } from "../ids.ts";
import { domainOf } from "../addresses.ts";
import { directionOf, type Language } from "../languages/language.ts";
import { textsIn } from "../languages/texts.ts";
import { beginningOf } from "./plain-text.ts";
import { startOfBody } from "./preheader.ts";
import { linksSeenIn } from "./seen.ts";
import { cut, inserted, withoutValues, type Printed } from "../templates/printed.ts";

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
  const lines = footerLines(html, escapedLines(mail.postalAddress), mail);
  if (lines.length === 0) return html;
  const { language } = mail;
  const style = "margin-top:32px;padding:16px;text-align:center;font:12px/1.5 sans-serif;color:#666";
  const footer = `<div lang="${language}" dir="${directionOf(language)}" style="${style}">${lines.join("<br>")}</div>`;
  return inserted(html, placeIn(html, mail), withoutValues(footer));
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

function footerLines(
  printed: Printed,
  address: readonly string[],
  { unsubscribeUrl, language }: MarketingMail,
): string[] {
  const html = printed.text;
  const { footer, unsubscribe } = textsIn(language);
  const link = `${footer} <a href="${unsubscribeUrl}" style="color:#666">${Bun.escapeHTML(unsubscribe)}</a>`;
  const hasAddress = missingLines(html, address).length === 0;
  if (!html.includes(unsubscribeUrl) && (!hasAddress || address.length === 0)) return [link, ...address];
  let text = "";
  const isLinkedIn = (take?: (piece: string) => void) =>
    linksSeenIn(html, take).some((target) => isTo(target, unsubscribeUrl));
  const isLinked =
    hasAddress && address.length > 0
      ? isLinkedIn((piece) => void (text += piece))
      : decidedOnce(`linked ${shapeOf(printed, unsubscribeUrl)}`, () => Number(isLinkedIn())) === 1;
  return [...(isLinked ? [] : [link]), ...missingLines(text, address)];
}

const END = "posthorn:end";
/** HTML without any of it hides nothing. */
const MAY_HIDE =
  /<!|style|hidden|<(template|script|title|noscript|iframe|noembed|noframes|object|audio|video)\b|<(canvas|select|datalist|textarea|details|dialog|head|xmp|plaintext)\b/i;

/** Where the footer is seen: at the end, unless it is within something that the HTML hides or leaves open. */
function placeIn(printed: Printed, { unsubscribeUrl }: MarketingMail): number {
  const html = printed.text;
  const end = bodyEndIn(html);
  if (!MAY_HIDE.test(html) || beginningOf(html).length < html.length) return end;
  const isSeen = (at: number) => linksSeenIn(`${html.slice(0, at)}<a href="${END}">end</a>`).includes(END);
  const places = [end, startOfBody(html), 0];
  const choose = () => places.findIndex((at) => at === 0 || isSeen(at));
  return places[decidedOnce(`place ${shapeOf(printed, unsubscribeUrl)}`, choose)] ?? 0;
}

/** The mails of a campaign differ in words and in the link: the first of them is read, and decides for the others. */
const decisions = new Map<string, number>();
const MOST_DECISIONS = 1_000;

function decidedOnce(question: string, decide: () => number): number {
  const key = sha256Hex(question);
  const known = decisions.get(key);
  if (known !== undefined) return known;
  if (decisions.size === MOST_DECISIONS) decisions.clear();
  const decision = decide();
  decisions.set(key, decision);
  return decision;
}

/** The HTML without the words that cannot change what is seen: those of values in the text, where nothing of them is markup. */
function shapeOf({ text, values }: Printed, url: string): string {
  let [shape, done, tag] = ["", 0, -1];
  for (const [start, end] of values) {
    const between = text.slice(done, start);
    const opened = between.lastIndexOf("<");
    const isInTag = Math.max(opened, tag) > between.lastIndexOf(">");
    tag = isInTag ? 0 : -1;
    const value = text.slice(start, end);
    const isWord = !isInTag && !/^<style/i.test(between.slice(opened)) && /\w/.test(value) && !value.includes(url);
    shape += between + (isWord ? "\0" : value);
    done = end;
  }
  return (shape + text.slice(done)).replaceAll(url, "\0\0");
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
