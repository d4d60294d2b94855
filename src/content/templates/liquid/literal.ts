// Literal texts, whose braces are not rendered. One block of `raw` holds the whole text, so that it is recognized
// immediately, and needs no parsing.

const BEGIN = "{% raw %}";
const END = "{% endraw %}";
/** The text that would end the block; it is split across two blocks. */
const ENDINGS = /\{(?=%-?\s*endraw\b)/;
/** Each split makes the text longer. */
const MOST_ENDINGS = 1_000;

/** The text as a template that prints it unchanged. Null: it has too many `{% endraw`. */
export function literal(text: string): string | null {
  return text.includes("{{") || text.includes("{%") ? inRaw(text) : text;
}

/** As `literal`, for a piece beside code: a brace at its end does not belong to that. */
export function literalPiece(text: string): string | null {
  return /[{}]/.test(text) ? inRaw(text) : text;
}

function inRaw(text: string): string | null {
  if (!text.includes("endraw")) return BEGIN + text + END;
  const pieces = text.split(ENDINGS, MOST_ENDINGS + 2);
  return pieces.length > MOST_ENDINGS + 1 ? null : BEGIN + pieces.join(`{${END}${BEGIN}`) + END;
}

/** The original of a text that `literal` made; null = it may contain code. */
export function literalIn(source: string): string | null {
  if (!source.startsWith(BEGIN) || !source.endsWith(END)) return null;
  const inner = source.slice(BEGIN.length, -END.length);
  if (!inner.includes("endraw")) return inner;
  const blocks = inner.split(END + BEGIN);
  return blocks.some((block) => ENDINGS.test(block)) ? null : blocks.join("");
}
