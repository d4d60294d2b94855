// The fonts of pages and mails without a brand's own. Named fonts come first: `system-ui` or `sans-serif` alone means
// Times on some systems, and in Outlook.

/** For an attribute in double quotes as well. */
export const SANS = "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif";

const GENERIC =
  /(?:^|,)\s*(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji|fangsong)\s*$/i;

/** A list of fonts, followed by fallbacks for a reader who has none of them. */
export function withFallback(fonts: string): string {
  return GENERIC.test(fonts) ? fonts : `${fonts.replace(/[\s,]+$/, "")}, ${SANS}`;
}
