// The MIME entity of one mail: links redirected, a text version made, encoded.
import { entityOf } from "../../mime/compose.ts";
import { plainText } from "../../mime/plain-text.ts";
import { tracked } from "../tracking/html.ts";
import { clickToken } from "../tracking/links.ts";
import type { Handover } from "./handover.ts";

export type Mail = Pick<Handover, "id" | "links" | "tracking" | "attachments">;

export type Texts = {
  readonly html: string;
  /** The text part; unless it `isWritten`, the HTML that it is made from. */
  readonly source: string;
  readonly isWritten: boolean;
};

/** `targets`: of the links that are tracked, each once. */
export type Composed = { readonly entity: Buffer; readonly targets: readonly string[] };

export function composed(mail: Mail, texts: Texts): Composed {
  const targets: string[] = [];
  const entity = composedWith(mail, texts, (url) => {
    if (!targets.includes(url)) targets.push(url);
    return mail.tracking === null ? "" : clickToken(mail.tracking, url);
  });
  return { entity, targets };
}

/** `tokenOf`: of a link. Empty HTML stays empty: a part with nothing but a pixel would hide the text. */
export function composedWith(mail: Mail, { html, source, isWritten }: Texts, tokenOf: (url: string) => string): Buffer {
  const { id, tracking, links, attachments } = mail;
  const marked = tracking === null || html === "" ? html : tracked(html, tracking, Object.values(links), tokenOf);
  return entityOf({ id, html: marked, text: isWritten ? source : plainText(source), attachments });
}

/** Of the links to the recipient's own pages: all of them end with it. */
export function tokenOf({ links }: Mail): string {
  const { unsubscribeUrl } = links;
  return unsubscribeUrl.slice(unsubscribeUrl.lastIndexOf("/") + 1);
}
