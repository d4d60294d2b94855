// Compiles a visual document to HTML. MJML is large, so it is loaded at the first change.
import { withoutUndescribed } from "./alt.ts";
import type { MailColours, Piece } from "../document.ts";
import { mjmlOf } from "./mjml.ts";

export async function htmlOf(document: Piece, look: MailColours): Promise<string> {
  const { mjml, held } = mjmlOf(document, look);
  const { default: mjml2html } = await import("mjml-browser");
  // Without fonts: otherwise MJML adds a link to Google Fonts to each email.
  const { html } = await mjml2html(mjml, { fonts: {}, validationLevel: "skip" });
  return held.release(tight(withoutUndescribed(html)));
}

/** Removes indentation and empty lines, which count towards Gmail's size limit. */
function tight(html: string): string {
  return `${html
    .replace(/[ \t]+$/gm, "")
    .replace(/\n\s+/g, "\n")
    .trim()}\n`;
}
