// What marketing mail carries besides its content: the way out (RFC 2369, RFC 8058, interface-gaps.md §2 "Kinds").
import { domainOf } from "../../addresses.ts";
import { directionOf, type Language } from "../../languages/language.ts";
import { textsIn } from "../../languages/texts.ts";
import { beforeBodyEnd } from "./html-body.ts";

export type MarketingMail = {
  readonly unsubscribeUrl: string;
  readonly workspaceId: string;
  readonly postalAddress: string | null;
  readonly language: Language;
  readonly fromAddress: string;
  /** What the mail belongs to, for the mailbox providers' statistics: a template's or campaign's id. */
  readonly batch: string;
};

/** The headers by which a mailbox offers to unsubscribe and tells lists apart; a caller's own ones win. */
export function listHeaders(mail: MarketingMail): Record<string, string> {
  const domain = domainOf(mail.fromAddress);
  return {
    "List-Unsubscribe": `<${mail.unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-Id": `<${mail.workspaceId}.${domain}>`,
    "Feedback-ID": `${mail.batch}:${mail.workspaceId}:marketing:posthorn`,
  };
}

/** The HTML with a footer that holds the unsubscribe link and the postal address, each unless it is in it already. */
export function withFooter(html: string, mail: MarketingMail): string {
  const lines = footerLines(html, escapedLines(mail.postalAddress), mail);
  if (lines.length === 0) return html;
  const { language } = mail;
  const style = "margin-top:32px;padding:16px;text-align:center;font:12px/1.5 sans-serif;color:#666";
  const footer = `<div lang="${language}" dir="${directionOf(language)}" style="${style}">${lines.join("<br>")}</div>`;
  return beforeBodyEnd(html, footer);
}

/** The same for a text part that was written by hand. */
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
