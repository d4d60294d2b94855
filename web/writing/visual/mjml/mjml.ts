// Converts a visual document to MJML. Adjacent texts share one mj-text.
import { type MailColours, type Piece, textOf } from "../document.ts";
import { altOf, UNDESCRIBED } from "./alt.ts";
import { contrastOf, groundOf, LEAST_CONTRAST, spacingOf, widthsOf, type Ground } from "../spaces.ts";
import { conditionIn, HeldLiquid, loopIn, variableIn } from "./liquid.ts";

type CompileOptions = {
  readonly look: MailColours;
  readonly held: HeldLiquid;
  /** The background of the enclosing section or columns. */
  readonly ground?: Ground;
};

/** `held` restores the Liquid afterwards. */
export function mjmlOf(document: Piece, look: MailColours): { readonly mjml: string; readonly held: HeldLiquid } {
  const context: CompileOptions = { look, held: new HeldLiquid() };
  const body = [logoOf(context), sections(document.content ?? [], context), footerOf(context)]
    .filter(Boolean)
    .join("\n");
  const mjml = `<mjml lang="${look.language}">
<mj-head>
${headOf(look)}
</mj-head>
<mj-body background-color="${look.ground}" css-class="ground">
<mj-wrapper background-color="${look.paper}" border-radius="8px" padding="32px 8px" css-class="paper">
${body}
</mj-wrapper>
</mj-body>
</mjml>`;
  return { mjml, held: context.held };
}

function headOf({ ink, accent, onAccent, font }: MailColours): string {
  return `<mj-attributes>
<mj-all font-family="${font.replace(/["<>&]/g, "'")}" />
<mj-section padding="0" />
<mj-text font-size="16px" line-height="26px" color="${ink}" padding="0 24px" css-class="words" />
<mj-button background-color="${accent}" color="${onAccent}" font-size="16px" font-weight="600" border-radius="6px" inner-padding="12px 24px" padding="8px 24px 24px" css-class="act" />
<mj-image padding="0 24px 16px" />
<mj-divider border-width="1px" border-color="#d9d5cb" padding="8px 24px 24px" />
</mj-attributes>
<mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></mj-raw>
<mj-style>
@media (prefers-color-scheme: dark) {
  .ground, .ground > div { background: #14130f !important; }
  .paper, .paper table { background: #1c1b17 !important; }
  .words div, .words p, .words li, .words h1, .words h2, .words h3 { color: #ece9e1 !important; }
  .words a { color: #9cbbd9 !important; }
}
</mj-style>`;
}

function logoOf({ look: { logo }, held }: CompileOptions): string {
  if (!logo) return "";
  const image = `<mj-image src="${held.escaped(logo.src)}" alt="${held.escaped(logo.alt) || UNDESCRIBED}" width="${logo.width}px" align="left" padding="0 24px 24px" />`;
  return row([image]);
}

function footerOf({ look: { footer }, held }: CompileOptions): string {
  if (footer === "") return "";
  return row([`<mj-text font-size="12px" line-height="18px" padding="24px 24px 0">${held.hold(footer)}</mj-text>`]);
}

/** Rows of blocks; columns and sections always have their own row. */
function sections(blocks: readonly Piece[], context: CompileOptions): string {
  const rows: string[] = [];
  let flow: Piece[] = [];
  const close = () => {
    if (flow.length > 0) rows.push(row(column(flow, context)));
    flow = [];
  };
  for (const block of blocks) {
    if (!hasOwnRow(block)) {
      flow.push(block);
      continue;
    }
    close();
    rows.push(
      block.type === "columns" || block.type === "box"
        ? ownRow(block, context)
        : wrapped(block, context, (inner) => [sections(inner, context)]).join("\n"),
    );
  }
  close();
  return rows.join("\n");
}

function hasOwnRow({ type, content = [] }: Piece): boolean {
  return type === "columns" || type === "box" || (type !== "column" && content.some(hasOwnRow));
}

function row(parts: readonly string[]): string {
  return `<mj-section>\n<mj-column>\n${parts.join("\n")}\n</mj-column>\n</mj-section>`;
}

/** Columns or a section, with their background. */
function ownRow(block: Piece, context: CompileOptions): string {
  const { content = [] } = block;
  const ground = groundOf(block, context.look);
  const inside = ground ? { ...context, ground } : context;
  const widths = widthsOf(textOf(block, "ratio"), content.length);
  const columns =
    block.type === "box"
      ? [columnOf(content, inside)]
      : content.map((one, at) => columnOf(one.content ?? [], inside, widths?.[at]));
  const space = spacingOf(block) ?? (ground ? GROUND_SPACE_PX : null);
  const look = `${ground ? ` background-color="${ground.colour}"` : ""}${space === null ? "" : ` padding="${space}px 0"`}`;
  return `<mj-section${look}>\n${columns.join("\n")}\n</mj-section>`;
}

/** The padding above and below a background. */
const GROUND_SPACE_PX = 24;

function columnOf(blocks: readonly Piece[], context: CompileOptions, percent?: number): string {
  const width = percent === undefined ? "" : ` width="${percent}%"`;
  return `<mj-column${width}>\n${column(blocks, context).join("\n")}\n</mj-column>`;
}

/** The content of a column. */
function column(blocks: readonly Piece[], context: CompileOptions): readonly string[] {
  const parts: string[] = [];
  let words: string[] = [];
  const close = () => {
    const ink = context.ground === undefined ? "" : ` color="${context.ground.ink}"`;
    if (words.length > 0) parts.push(`<mj-text${ink}>${words.join("\n")}</mj-text>`);
    words = [];
  };
  for (const block of blocks) {
    const inlineText = wordsOf(block, context);
    if (inlineText !== null) {
      words.push(inlineText);
      continue;
    }
    close();
    parts.push(...partOf(block, context));
  }
  close();
  return parts;
}

/** The content between its Liquid tags. */
function wrapped(
  block: Piece,
  { held }: CompileOptions,
  inside: (content: readonly Piece[]) => readonly string[],
): readonly string[] {
  const [begin, end] = block.type === "loop" ? loopIn(block) : conditionIn(block);
  const raw = (liquid: string) => `<mj-raw>${held.hold(liquid)}</mj-raw>`;
  return [raw(begin), ...inside(block.content ?? []), raw(end)];
}

function partOf(block: Piece, context: CompileOptions): readonly string[] {
  const { held } = context;
  const attribute = (name: string, as = name) =>
    textOf(block, name) === "" ? "" : ` ${as}="${held.escaped(textOf(block, name))}"`;
  if (block.type === "condition" || block.type === "loop")
    return wrapped(block, context, (inner) => column(inner, context));
  if (block.type === "box") return column(block.content ?? [], context);
  // Columns in a column are stacked.
  if (block.type === "columns") return (block.content ?? []).flatMap((one) => column(one.content ?? [], context));
  if (block.type === "horizontalRule") return [`<mj-divider${space(block, "8px 24px")} />`];
  if (block.type === "rawHtml") return [`<mj-text>${held.hold(textOf(block, "html"))}</mj-text>`];
  if (block.type === "image") {
    const width = /^\d+$/.test(textOf(block, "width")) ? ` width="${textOf(block, "width")}px"` : "";
    const alt = ` alt="${altOf(block, held)}"`;
    const below = space(block, "0 24px");
    return [`<mj-image${attribute("src")}${alt}${attribute("href")}${attribute("align")}${width}${below} />`];
  }
  if (block.type !== "button") return [];
  const href = textOf(block, "href") === "" ? ' href="#"' : attribute("href");
  const look = `${buttonLook(textOf(block, "look"), context)}${space(block, "8px 24px")}`;
  return [`<mj-button${href}${attribute("align")}${look}>${inline(block.content, context)}</mj-button>`];
}

/** The padding, if the block has its own space below; `above`: the rest of the padding. */
function space(block: Piece, above: string): string {
  const below = spacingOf(block);
  return below === null ? "" : ` padding="${above} ${below}px"`;
}

/** In colours of the brand; if their contrast to the background is too low, in its text colour. */
function buttonLook(name: string, { look: { ink, paper, accent }, ground }: CompileOptions): string {
  const isSeen = (colour: string, least: number) => !ground || contrastOf(colour, ground.colour) >= least;
  if (name === "outline") {
    const colour = ground && !isSeen(accent, LEAST_CONTRAST.words) ? ground.ink : accent;
    return ` background-color="transparent" color="${colour}" border="2px solid ${colour}"`;
  }
  if (ground && !isSeen(name === "ink" ? ink : accent, LEAST_CONTRAST.shape))
    return ` background-color="${ground.ink}" color="${ground.colour}"`;
  return name === "ink" ? ` background-color="${ink}" color="${paper}"` : "";
}

type HeadingLook = { readonly above: number; readonly below: number; readonly font: string };
const HEADINGS: Readonly<Record<string, HeadingLook>> = {
  1: { above: 0, below: 12, font: "font-size:26px;line-height:34px;font-weight:600" },
  2: { above: 8, below: 8, font: "font-size:20px;line-height:28px;font-weight:600" },
  3: { above: 8, below: 4, font: "font-size:16px;line-height:26px;font-weight:600" },
};
const BELOW_TEXT_PX = 16;

/** `above` and `below` in pixels; the block's own space below has priority. */
function margin(block: Piece, above = 0, below = BELOW_TEXT_PX): string {
  const px = (length: number) => (length === 0 ? "0" : `${length}px`);
  return `margin:${px(above)} 0 ${px(spacingOf(block) ?? below)}`;
}

/** Null for blocks without text. */
function wordsOf(block: Piece, context: CompileOptions): string | null {
  const { type, content = [] } = block;
  if (type === "paragraph") return `<p style="${margin(block)}">${inline(content, context) || "&nbsp;"}</p>`;
  if (type === "heading") {
    const level = textOf(block, "level") in HEADINGS ? textOf(block, "level") : "2";
    const { above, below, font } = HEADINGS[level] as HeadingLook;
    return `<h${level} style="${margin(block, above, below)};${font}">${inline(content, context)}</h${level}>`;
  }
  if (type !== "bulletList" && type !== "orderedList") return null;
  const tag = type === "bulletList" ? "ul" : "ol";
  const items = content.map(
    (item) => `<li>${(item.content ?? []).map((inner) => itemOf(inner, context)).join("")}</li>`,
  );
  return `<${tag} style="${margin(block)};padding-inline-start:24px">${items.join("")}</${tag}>`;
}

/** Paragraphs in lists have no margin. */
function itemOf(block: Piece, context: CompileOptions): string {
  return block.type === "paragraph" ? inline(block.content, context) : (wordsOf(block, context) ?? "");
}

const MARKS: Readonly<Record<string, string>> = { bold: "strong", italic: "em", underline: "u", strike: "s" };

function inline(pieces: readonly Piece[] | undefined, context: CompileOptions): string {
  return (pieces ?? []).map((piece) => inlineOf(piece, context)).join("");
}

function inlineOf(piece: Piece, { held, look: { accent }, ground }: CompileOptions): string {
  if (piece.type === "hardBreak") return "<br>";
  const inlineText = piece.type === "variable" ? held.hold(variableIn(piece)) : held.escaped(piece.text ?? "");
  const link = ground && contrastOf(accent, ground.colour) < LEAST_CONTRAST.words ? ground.ink : accent;
  return (piece.marks ?? []).reduceRight((inner, { type, attrs }) => {
    if (type === "link")
      return `<a href="${held.escaped(String(attrs?.["href"] ?? "#"))}" style="color:${link}">${inner}</a>`;
    const tag = MARKS[type];
    return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`;
  }, inlineText);
}
