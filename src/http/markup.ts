// HTML as tagged templates: what is put in is escaped, unless it is HTML itself.

export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(written)));
}

function written(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return Bun.escapeHTML(part);
}

/** What stands between backticks is code. */
export function prose(text: string): Html {
  return markup`${text.split("`").map((piece, index) => (index % 2 === 1 ? markup`<code>${piece}</code>` : markup`${piece}`))}`;
}
