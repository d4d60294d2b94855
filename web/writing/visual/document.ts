// The visual document: blocks and text, as the editor keeps them and the API stores them in `design.source`.

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
  /** Names of fonts, as in CSS. */
  readonly font: string;
  /** HTML with Liquid at the end of each mail. */
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

/** Whether nobody has said what an image shows, nor that it is decorative. */
export function isUndescribed(image: Piece): boolean {
  return textOf(image, "alt").trim() === "" && textOf(image, "decorative") === "";
}

/** The starter document. `path`: by which it greets people. */
export function firstDocument(greeting: string, path: string, fallback: string): Piece {
  const variable: Piece = { type: "variable", attrs: { path, fallback } };
  const hello: Piece = {
    type: "paragraph",
    content: [{ type: "text", text: `${greeting} ` }, variable, { type: "text", text: "," }],
  };
  return { type: "doc", content: [hello, { type: "paragraph" }] };
}
