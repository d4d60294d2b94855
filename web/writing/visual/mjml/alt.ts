// The alt text of an image in the HTML: a description, empty if the image is decorative, or no attribute.
import { isUndescribed, type Piece, textOf } from "../document.ts";
import type { HeldLiquid } from "./liquid.ts";

/**
 * Marks an `alt` attribute to remove: MJML adds an empty one to each image, which would declare all images decorative.
 */
export const UNDESCRIBED = "\uE002";

/** The value of the attribute. */
export function altOf(image: Piece, held: HeldLiquid): string {
  if (isUndescribed(image)) return UNDESCRIBED;
  return textOf(image, "decorative") === "" ? held.escaped(textOf(image, "alt")) : "";
}

/** Removes the marked attributes. */
export function withoutUndescribed(html: string): string {
  return html.replaceAll(` alt="${UNDESCRIBED}"`, "");
}
