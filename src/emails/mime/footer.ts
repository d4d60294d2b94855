// What marketing mail has in addition to its content: the ways to unsubscribe (RFC 2369, RFC 8058), and the postal address.
import { domainOf } from "../../addresses.ts";
import { directionOf, type Language } from "../../languages/language.ts";
import { textsIn } from "../../languages/texts.ts";

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

/** The HTML with a footer that has the unsubscribe link and the postal address, unless they are in the HTML already. */
export function withFooter(html: string, mail: MarketingMail): string {
  const lines = footerLines(html, escapedLines(mail.postalAddress), mail);
  if (lines.length === 0) return html;
  const { language } = mail;
  const style = "margin-top:32px;padding:16px;text-align:center;font:12px/1.5 sans-serif;color:#666";
  const footer = `<div lang="${language}" dir="${directionOf(language)}" style="${style}">${lines.join("<br>")}</div>`;
  return beforeBodyEnd(html, footer);
}

/** The same for a text part that the sender wrote. */
export function withTextFooter(text: string, mail: MarketingMail): string {
  if (text === "") return text;
  const link = text.includes(mail.unsubscribeUrl)
    ? []
    : [`${textsIn(mail.language).unsubscribe}: ${mail.unsubscribeUrl}`];
  const lines = [...link, ...missingLines(text, linesOf(mail.postalAddress))];
  return lines.length === 0 ? text : `${text.trimEnd()}\n\n--\n${lines.join("\n")}\n`;
}

function footerLines(html: string, address: readonly string[], { unsubscribeUrl, language }: MarketingMail): string[] {
  const { footer, unsubscribe } = textsIn(language);
  const link = `${footer} <a href="${unsubscribeUrl}" style="color:#666">${Bun.escapeHTML(unsubscribe)}</a>`;
  return [...(html.includes(unsubscribeUrl) ? [] : [link]), ...missingLines(html, address)];
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
  let at = html.length;
  // Not by an index in a lower-case copy: there İ has two characters.
  for (const { index } of html.matchAll(/<\/body>/gi)) at = index;
  return html.slice(0, at) + addition + html.slice(at);
}
