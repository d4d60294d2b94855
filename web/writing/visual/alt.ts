// The alt text of an image in the HTML of an email: what it shows, an empty one if it is decorative, or none.
import { isUndescribed, type Piece, textOf } from "./document.ts";
import type { HeldLiquid } from "./liquid.ts";

/**
 * In an `alt` that is not to be there: MJML writes an empty one by itself, which would say of each image that it needs
 * no words.
 */
export const UNDESCRIBED = "\uE002";

/** As the attribute has it. */
export function altOf(image: Piece, held: HeldLiquid): string {
  if (isUndescribed(image)) return UNDESCRIBED;
  return textOf(image, "decorative") === "" ? held.escaped(textOf(image, "alt")) : "";
}

/** Where nobody has said anything, there is no `alt`. */
export function withoutUndescribed(html: string): string {
  return html.replaceAll(` alt="${UNDESCRIBED}"`, "");
}
