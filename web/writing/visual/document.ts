// The visual document: blocks and text, as in the editor and in `design.source` of the API.

export type Mark = { readonly type: string; readonly attrs?: Readonly<Record<string, unknown>> };

export type Piece = {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly content?: readonly Piece[];
  readonly text?: string;
  readonly marks?: readonly Mark[];
};

/** The look of a workspace's emails. */
export type MailColours = {
  readonly ground: string;
  readonly paper: string;
  readonly ink: string;
  readonly accent: string;
  readonly onAccent: string;
  readonly logo: { readonly src: string; readonly alt: string; readonly width: number } | null;
  /** A list of font families, as in CSS. */
  readonly font: string;
  /** HTML with Liquid at the end of each email. */
  readonly footer: string;
  readonly language: string;
};

export const PLAIN_LOOK: MailColours = {
  ground: "#f3f0ea",
  paper: "#ffffff",
  ink: "#1d1b16",
  accent: "#22423d",
  onAccent: "#ffffff",
  logo: null,
  font: "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  footer: "",
  language: "en",
};

/** The operators of "Show if". */
export const COMPARISONS = ["is", "isNot", "has", "isSet", "isNotSet", "above", "below"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export function textOf(piece: Piece, name: string): string {
  const value = piece.attrs?.[name];
  return value === null || value === undefined ? "" : String(value);
}

/** The image has no description and is not marked as decorative. */
export function isUndescribed(image: Piece): boolean {
  return textOf(image, "alt").trim() === "" && textOf(image, "decorative") === "";
}

/** The starter document. `path`: the variable for the greeting. */
export function firstDocument(greeting: string, path: string, fallback: string): Piece {
  const variable: Piece = { type: "variable", attrs: { path, fallback } };
  const hello: Piece = {
    type: "paragraph",
    content: [{ type: "text", text: `${greeting} ` }, variable, { type: "text", text: "," }],
  };
  return { type: "doc", content: [hello, { type: "paragraph" }] };
}
