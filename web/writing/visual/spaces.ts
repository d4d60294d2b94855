// Backgrounds, spacing and the widths of columns: what the editor offers and the email gets.
import { type Look, type Piece, textOf } from "./document.ts";

export const BACKGROUNDS = ["", "ground", "accent", "own"] as const;
export type Background = (typeof BACKGROUNDS)[number];

/** "" is the space that a block has by itself. */
export const SPACINGS = ["", "none", "small", "large"] as const;
const SPACE_PX: Readonly<Record<string, number>> = { none: 0, small: 8, large: 48 };

export const BUTTON_LOOKS = ["", "ink", "outline"] as const;

/** By how many columns there are. */
export const RATIOS: Readonly<Record<number, readonly string[]>> = {
  2: ["1:1", "1:2", "2:1", "1:3", "3:1"],
  3: ["1:1:1", "1:2:1", "2:1:1", "1:1:2"],
};

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Empty: all are as wide. */
export function sharesOf(ratio: string): readonly number[] {
  return /^[1-9](:[1-9]){1,2}$/.test(ratio) ? ratio.split(":").map(Number) : [];
}

/** In percent; null: as wide as each other. */
export function widthsOf(ratio: string, count: number): readonly number[] | null {
  const shares = sharesOf(ratio);
  if (shares.length !== count || new Set(shares).size === 1) return null;
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => Math.round((share / whole) * 10_000) / 100);
}

/** Whether light words are read better on it. */
export function isDark(colour: string): boolean {
  if (!isColour(colour)) return false;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 < 140;
}

/** The colour of the background, and of words on it. */
export function groundOf(block: Piece, look: Look): { readonly colour: string; readonly ink: string } | null {
  const background = textOf(block, "background");
  if (background === "ground") return { colour: look.ground, ink: isDark(look.ground) ? look.onAccent : look.ink };
  if (background === "accent") return { colour: look.accent, ink: look.onAccent };
  return isColour(background) ? { colour: background, ink: isDark(background) ? "#ffffff" : look.ink } : null;
}

/** In pixels; null: as usual. */
export function spacingOf(block: Piece): number | null {
  return SPACE_PX[textOf(block, "spacing")] ?? null;
}
