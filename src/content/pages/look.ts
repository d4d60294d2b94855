// The look of recipient pages: the brand of a workspace, with legible words on its colours.
import { withFallback } from "../../base/fonts.ts";

/** The part of a brand that concerns pages. */
export type PageBrand = {
  readonly colors: Readonly<Record<string, string>>;
  readonly font: string | null;
  readonly logoUrl: string | null;
  readonly logoAlt: string | null;
  /** Plain text. */
  readonly pageFooter: string | null;
  readonly fromName: string | null;
};

/** Each `#rrggbb`. */
type Colours = {
  /** The background around the paper. */
  readonly ground: string;
  readonly paper: string;
  readonly ink: string;
  /** Text on the ground. */
  readonly around: string;
  /** Links on the paper: the accent, lightened or darkened until legible. */
  readonly link: string;
  readonly accent: string;
  readonly onAccent: string;
  /** The edge of buttons. */
  readonly edge: string;
};

export type PageLook = {
  readonly light: Colours;
  /** Null: `light` is dark already. */
  readonly dark: Colours | null;
  /** The brand sets its own ground, paper or ink. */
  readonly hasPaper: boolean;
  readonly font: string | null;
  /** `origin`: of the URL. */
  readonly logo: { readonly src: string; readonly alt: string | null; readonly origin: string } | null;
  readonly footer: string | null;
};

/** Contrast ratios of WCAG 2.2, for text and for other elements. */
const LEGIBLE = 4.5;
const VISIBLE = 3;
const [WHITE, BLACK] = ["#ffffff", "#000000"];
const NIGHT = { ground: "#161616", paper: "#232323", ink: "#eeeeee" };

export function lookOf({ colors, font, logoUrl, logoAlt, pageFooter }: Omit<PageBrand, "fromName">): PageLook {
  const paper = colors["paper"] ?? WHITE;
  const ground = colors["ground"] ?? paper;
  const button = { accent: colors["accent"] ?? "#1a4fd6", onAccent: colors["onAccent"] ?? WHITE };
  const light = legible({ ground, paper, ink: colors["ink"] ?? "#1a1a1a", ...button });
  const atNight = colors["accent"] ? button : { accent: "#9db7ff", onAccent: "#0b1330" };
  const dark = legible({ ...NIGHT, paper: ground === paper ? NIGHT.ground : NIGHT.paper, ...atNight });
  return {
    light,
    dark: contrast(paper, WHITE) > contrast(paper, BLACK) ? null : dark,
    hasPaper: ["ground", "paper", "ink"].some((name) => colors[name] !== undefined),
    font: font !== null && isFontList(font) ? withFallback(font) : null,
    logo: logoFrom(logoUrl, logoAlt),
    footer: pageFooter,
  };
}

/** The same look, with its logo moved by `move`. */
export function movedLook(look: PageLook, move: (url: string) => string): PageLook {
  const { logo } = look;
  if (logo === null || move(logo.src) === logo.src) return look;
  const src = move(logo.src);
  return { ...look, logo: { ...logo, src, origin: new URL(src).origin } };
}

export const PLAIN_LOOK = lookOf({ colors: {}, font: null, logoUrl: null, logoAlt: null, pageFooter: null });

function legible(wanted: Omit<Colours, "around" | "link" | "edge">): Colours {
  const { ground, paper, accent } = wanted;
  const ink = legibleOn(paper, wanted.ink);
  const edge = contrast(accent, paper) < VISIBLE ? ink : accent;
  const link = shadeOn(paper, accent);
  return { ...wanted, ink, around: legibleOn(ground, ink), link, onAccent: legibleOn(accent, wanted.onAccent), edge };
}

/** `wanted`, mixed with black or white until legible. */
function shadeOn(background: string, wanted: string): string {
  const most = legibleOn(background, background);
  const shares = Array.from({ length: 11 }, (_, tenth) => tenth / 10);
  return shares.map((share) => mixed(wanted, most, share)).find((one) => contrast(background, one) >= LEGIBLE) ?? most;
}

function mixed(one: string, other: string, share: number): string {
  const parts = partsOf(one).map((part, at) => Math.round(part + ((partsOf(other)[at] ?? 0) - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Red, green and blue, up to 255. */
function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** `wanted` if it is legible, else black or white. */
function legibleOn(background: string, wanted: string): string {
  if (contrast(background, wanted) >= LEGIBLE) return wanted;
  return contrast(background, WHITE) > contrast(background, BLACK) ? WHITE : BLACK;
}

/** The contrast ratio, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** An unclosed quotation mark would swallow the rest of the style. */
function isFontList(font: string): boolean {
  return /^(?:[\p{L}\p{N} ,_-]|'[^'"\\;]*'|"[^'"\\;]*")+$/u.test(font);
}

function logoFrom(src: string | null, alt: string | null): PageLook["logo"] {
  const origin = src === null ? undefined : URL.parse(src)?.origin;
  // The origin becomes part of a header.
  return src !== null && origin !== undefined && /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? { src, alt, origin } : null;
}
