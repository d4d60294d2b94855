// The type of pages and mails where no brand has another. Named fonts come first: what `system-ui` or `sans-serif` alone
// means is Times on some systems, and in Outlook.

/** For an attribute in double quotes as well. */
export const SANS = "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif";

const GENERIC =
  /(?:^|,)\s*(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji|fangsong)\s*$/i;

/** A list of fonts, with what is read instead where a reader has none of them. */
export function withFallback(fonts: string): string {
  return GENERIC.test(fonts) ? fonts : `${fonts.replace(/[\s,]+$/, "")}, ${SANS}`;
}
