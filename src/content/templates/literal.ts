// Texts whose braces are braces: nothing in them is rendered. One block of `raw` holds the whole text, so that it is
// known at a glance, and costs nothing to read.

const BEGIN = "{% raw %}";
const END = "{% endraw %}";
/** What would end the block; it is cut in two, between blocks. */
const ENDINGS = /\{(?=%-?\s*endraw\b)/;
/** Each makes the text longer. */
const MOST_ENDINGS = 1_000;

/** In our language, so that people get what is written. Null: it has too many `{% endraw`. */
export function literal(text: string): string | null {
  if (!text.includes("{{") && !text.includes("{%")) return text;
  if (!text.includes("endraw")) return BEGIN + text + END;
  const pieces = text.split(ENDINGS, MOST_ENDINGS + 2);
  return pieces.length > MOST_ENDINGS + 1 ? null : BEGIN + pieces.join(`{${END}${BEGIN}`) + END;
}

/** What is written in a text that `literal` made; null = there may be something to render. */
export function literalIn(source: string): string | null {
  if (!source.startsWith(BEGIN) || !source.endsWith(END)) return null;
  const inner = source.slice(BEGIN.length, -END.length);
  if (!inner.includes("endraw")) return inner;
  const blocks = inner.split(END + BEGIN);
  return blocks.some((block) => ENDINGS.test(block)) ? null : blocks.join("");
}
