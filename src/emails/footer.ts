// What marketing mail carries besides its content: the way out (RFC 2369, RFC 8058, interface-gaps.md §2 "Kinds").
import { domainOf } from "../addresses.ts";

export type MarketingMail = {
  readonly unsubscribeUrl: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
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

/** The HTML with a footer that holds the unsubscribe link, unless the link is in it already. */
export function withFooter(html: string, mail: MarketingMail): string {
  if (html.includes(mail.unsubscribeUrl)) return html;
  const end = html.toLowerCase().lastIndexOf("</body>");
  const at = end === -1 ? html.length : end;
  return html.slice(0, at) + footer(mail) + html.slice(at);
}

/** The same for a text part that was written by hand. */
export function withTextFooter(text: string, mail: MarketingMail): string {
  if (text === "" || text.includes(mail.unsubscribeUrl)) return text;
  return `${text.trimEnd()}\n\n--\nUnsubscribe: ${mail.unsubscribeUrl}\n`;
}

function footer({ unsubscribeUrl }: MarketingMail): string {
  return (
    '<div style="margin-top:32px;padding:16px;text-align:center;font:12px/1.5 sans-serif;color:#666">' +
    "You get this mail because you are subscribed. " +
    `<a href="${unsubscribeUrl}" style="color:#666">Unsubscribe</a></div>`
  );
}
