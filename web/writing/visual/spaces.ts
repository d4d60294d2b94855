// Backgrounds, spacing and column widths: the choices of the editor, and their values in the email.
import { type MailColours, type Piece, textOf } from "./document.ts";

export const BACKGROUNDS = ["", "ground", "accent", "own"] as const;
export type Background = (typeof BACKGROUNDS)[number];

/** "" is the default space of a block. */
export const SPACINGS = ["", "none", "small", "large"] as const;
const SPACE_PX: Readonly<Record<string, number>> = { none: 0, small: 8, large: 48 };

export const BUTTON_LOOKS = ["", "ink", "outline"] as const;

/** By the number of columns. */
export const RATIOS: Readonly<Record<number, readonly string[]>> = {
  2: ["1:1", "1:2", "2:1", "1:3", "3:1"],
  3: ["1:1:1", "1:2:1", "2:1:1", "1:1:2"],
};

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Empty: equal widths. */
export function sharesOf(ratio: string): readonly number[] {
  return /^[1-9](:[1-9]){1,2}$/.test(ratio) ? ratio.split(":").map(Number) : [];
}

/** Percentages; null = equal widths. */
export function widthsOf(ratio: string, count: number): readonly number[] | null {
  const shares = sharesOf(ratio);
  if (shares.length !== count || new Set(shares).size === 1) return null;
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => Math.round((share / whole) * 10_000) / 100);
}

/** The contrast ratio of WCAG 2, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [lightOf(one), lightOf(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function lightOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return red * 0.2126 + green * 0.7152 + blue * 0.0722;
}

/** Minimum contrast for text, and for shapes. */
export const LEAST_CONTRAST = { words: 4.5, shape: 3 } as const;

/** The first of these colours that is readable on the background; otherwise white, ink or black. */
export function inkOn(colour: string, preferred: readonly string[]): string {
  const inks = [...preferred, "#ffffff", "#1d1b16"];
  return inks.find((ink) => contrastOf(ink, colour) >= LEAST_CONTRAST.words) ?? "#000000";
}

/** A background, and the text colour on it. */
export type Ground = { readonly colour: string; readonly ink: string };

export function groundOf(block: Piece, look: MailColours): Ground | null {
  const background = textOf(block, "background");
  const { ground, accent, ink, onAccent } = look;
  if (background === "ground") return { colour: ground, ink: inkOn(ground, [ink, onAccent]) };
  if (background === "accent") return { colour: accent, ink: inkOn(accent, [onAccent, ink]) };
  return isColour(background) ? { colour: background, ink: inkOn(background, [ink]) } : null;
}

/** Pixels; null = default. */
export function spacingOf(block: Piece): number | null {
  return SPACE_PX[textOf(block, "spacing")] ?? null;
}
